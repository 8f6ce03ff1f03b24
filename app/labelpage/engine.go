package labelpage

import (
	"context"
	"maps"
	"sync/atomic"
	"time"

	"lapsvm/app/labelpage/store"
	"lapsvm/dataset"
	"lapsvm/internal/machines/train"
)

// engine owns the machine: one goroutine, run, makes it learn the labels of the store and publishes
// its outputs.
type engine struct {
	store  *store.Store
	data   atomic.Pointer[dataset.Dataset] // all points there are
	open   Opener
	notify func() // that a snapshot or a state of work was published

	wake     chan struct{} // labels came
	jobs     chan job
	snapshot atomic.Pointer[snapshot]
	work     atomic.Pointer[work]
	mapping  atomic.Bool // the layout is asked for
	ahead    atomic.Pointer[context.CancelFunc]
	whys     atomic.Pointer[context.CancelFunc] // of an explainer that is being made

	machine  Machine
	has      int              // points that it has
	grown    *dataset.Dataset // these, where they came since; nil before
	made     int              // of these, those that it was opened with
	refused  int              // how many it would not take, or be made with
	applied  map[int]int      // the labels that it has learnt, by point
	said     *Answer          // what it says of them, until it is published
	openedBy int              // how many labels a recipe was chosen by last
	opening  chan opened      // nil unless one is being opened
	stage    string           // why it is
	rest     <-chan time.Time // nil unless the next one for points that came has to wait
	failed   string           // why the last one was not
	failedBy int              // and by how many labels
	layout   []float32
	laid     int // points that it was made of
	mapped   int // how often it was set
}

// job is work on the machine for a request.
type job struct {
	do   func(Machine)
	done chan struct{}
}

// snapshot is the machine's latest output. It is never changed.
type snapshot struct {
	Version    int64 // of the store that it has learnt
	Labels     int
	Points     int // that it has; the answer may be of fewer
	Answer     *Answer
	Queue      []Suggestion
	Suspicions []Suspicion
	Layout     []float32                // nil until it was asked for
	Map        int                      // of the layout, another one whenever that changes
	Stability  stability                // what became of predictions with the last labels
	Seconds    float64                  // that the last update took
	Recipe     *train.Recipe            // by which it learns; nil while there is no machine
	Chosen     int                      // labels that there were when the recipe was chosen
	Similar    func(point, n int) []int // that of the machine; nil while there is none
}

// work is the engine's present task.
type work struct {
	Busy  bool
	Stage string
	Share float64
	Error string
}

func newEngine(s *store.Store, data *dataset.Dataset, open Opener, notify func()) *engine {
	e := &engine{store: s, open: open, notify: notify, wake: make(chan struct{}, 1), jobs: make(chan job)}
	e.data.Store(data)
	e.snapshot.Store(&snapshot{})
	e.work.Store(&work{Busy: true, Stage: "starting"})
	return e
}

// grow gives the engine data with more points after the present ones.
func (e *engine) grow(data *dataset.Dataset) {
	e.data.Store(data)
	e.learn()
}

// learn tells the engine that there are new labels. It does not wait. Work in advance of labels, and on explanations, is
// cancelled.
func (e *engine) learn() {
	for _, beside := range []*atomic.Pointer[context.CancelFunc]{&e.ahead, &e.whys} {
		if cancel := beside.Load(); cancel != nil {
			(*cancel)()
		}
	}
	select {
	case e.wake <- struct{}{}:
	default: // it knows
	}
}

// ask has the engine do something with the machine, and waits until it is done or ctx is. It is not
// done where there is no machine yet.
func (e *engine) ask(ctx context.Context, do func(Machine)) (done bool) {
	j := job{do: func(m Machine) {
		if done = m != nil; done {
			do(m)
		}
	}, done: make(chan struct{})}
	select {
	case e.jobs <- j:
	case <-ctx.Done():
		return false
	}
	<-j.done // what began is waited for: it is short
	return done
}

// run learns labels until ctx is done.
func (e *engine) run(ctx context.Context) {
	defer func() {
		if e.opening != nil { // it ends, as ctx is done
			if o := <-e.opening; o.machine != nil {
				o.machine.Close()
			}
		}
		if e.machine != nil {
			e.machine.Close()
		}
	}()
	e.learn()
	for {
		select {
		case <-ctx.Done():
			return
		case j := <-e.jobs:
			j.do(e.machine)
			close(j.done)
		case o := <-e.opening:
			e.opening = nil
			e.take(ctx, o)
			e.update(ctx)
		case <-e.rest:
			e.rest = nil
			e.update(ctx)
		case <-e.wake:
			e.update(ctx)
		}
	}
}

// say publishes the engine's present task.
func (e *engine) say(busy bool, stage string, share float64) {
	e.work.Store(&work{Busy: busy, Stage: stage, Share: share, Error: e.failed})
	e.notify()
}

// wanted returns the store's labels of the machine's points, the store's version, and the names of
// all classes by number, "" for missing classes. Where rows may have several classes, these are lists of the numbers of classes.
func (e *engine) wanted() (labels map[int]int, version int64, classes []string) {
	e.store.View(func(s *store.State) {
		labels, classes = s.Training(true)
		version = s.Version()
		if e.machine != nil {
			maps.DeleteFunc(labels, func(point, _ int) bool { return point >= e.has })
		}
	})
	return labels, version, classes
}

func (e *engine) publish(s *snapshot) {
	s.Layout, s.Map = e.layout, e.mapped
	e.snapshot.Store(s)
	e.notify()
}
