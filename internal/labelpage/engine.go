package labelpage

import (
	"context"
	"maps"
	"runtime"
	"slices"
	"sync/atomic"
	"time"

	"lapsvm"
	"lapsvm/label/store"
	"lapsvm/train"
)

// engine owns the machine: one goroutine, run, has it learn the labels of the store
// and publishes what it says.
type engine struct {
	store  *store.Store
	points int
	open   Opener
	notify func() // that a snapshot or a state of work was published

	wake     chan struct{} // labels came
	jobs     chan job
	snapshot atomic.Pointer[snapshot]
	work     atomic.Pointer[work]
	mapping  atomic.Bool // the layout is asked for
	ahead    atomic.Pointer[context.CancelFunc]

	machine  Machine
	applied  map[int]int // the labels that it has learnt, by point
	said     *Answer     // what it says of them, until it is published
	openedBy int         // how many labels a recipe was chosen by last
	opening  chan opened // nil unless one is being opened
	failed   string      // why the last one was not
	failedBy int         // and by how many labels
	layout   []float32
}

// job is work on the machine for a request.
type job struct {
	do   func(Machine)
	done chan struct{}
}

// snapshot is what the machine said last. It is never changed.
type snapshot struct {
	Version    int64 // of the store that it has learnt
	Labels     int
	Answer     *Answer
	Queue      []Suggestion
	Suspicions []Suspicion
	Layout     []float32                // nil until it was asked for
	Growth     growth                   // what became of predictions while labels grew
	Seconds    float64                  // that the last update took
	Recipe     *train.Recipe            // by which it learns; nil while there is no machine
	Similar    func(point, n int) []int // that of the machine; nil while there is none
}

// work is what the engine is at.
type work struct {
	Busy  bool
	Stage string
	Share float64
	Error string
}

// opened is a machine that was made beside.
type opened struct {
	machine Machine
	labels  map[int]int
	err     error
}

// Sizes of what is kept ready.
const (
	queueLength   = 32 // suggestions, each of which costs
	prepared      = 16 // of the first of them, for which the machine prepares
	leastRegrowth = 4  // labels that come before a recipe is chosen anew, at least
)

func newEngine(s *store.Store, points int, open Opener, notify func()) *engine {
	e := &engine{store: s, points: points, open: open, notify: notify, wake: make(chan struct{}, 1), jobs: make(chan job)}
	e.snapshot.Store(&snapshot{})
	e.work.Store(&work{Busy: true, Stage: "starting"})
	return e
}

// learn tells the engine that labels came. It does not wait; what the engine does
// ahead of labels is cancelled.
func (e *engine) learn() {
	if cancel := e.ahead.Load(); cancel != nil {
		(*cancel)()
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
		case <-e.wake:
			e.update(ctx)
		}
	}
}

// say publishes what the engine is at.
func (e *engine) say(busy bool, stage string, share float64) {
	e.work.Store(&work{Busy: busy, Stage: stage, Share: share, Error: e.failed})
	e.notify()
}

// wanted returns the labels of the store, its version, and the names of all classes by
// number, "" for those that are not there.
func (e *engine) wanted() (labels map[int]int, version int64, classes []string) {
	e.store.View(func(s *store.State) {
		labels, version = s.Settled(), s.Version()
		classes = make([]string, s.Numbers())
		for _, c := range s.Classes() {
			classes[c.ID] = c.Name
		}
	})
	return labels, version, classes
}

// begin opens a machine beside, by the labels there are. The first one knows none, and so is
// there soon: nothing is chosen.
func (e *engine) begin(ctx context.Context, labels map[int]int, classes []string) {
	first := e.machine == nil
	if first {
		labels = nil
	}
	every := make([]int, e.points)
	for i := range every {
		every[i] = -1
	}
	for i, class := range labels {
		every[i] = class
	}
	e.opening = make(chan opened, 1)
	result := e.opening
	if !first { // half of the processors are left to the machine that there is
		ctx = lapsvm.WithThreads(ctx, max(1, runtime.GOMAXPROCS(0)/2))
	}
	go func() {
		m, err := e.open(ctx, every, classes, func(stage string, share float64) {
			if first {
				e.work.Store(&work{Busy: true, Stage: stage, Share: share})
				e.notify()
			}
		})
		result <- opened{m, labels, err}
	}()
}

// take puts a machine that was opened in the place of the one there was, if there is more
// evidence for its recipe. Either knows all labels then.
func (e *engine) take(ctx context.Context, o opened) {
	if o.err == nil && e.machine != nil {
		var better bool
		if better, o.err = e.better(ctx, &o); o.err != nil || !better {
			o.machine.Close()
			if e.openedBy = len(o.labels); o.err == nil {
				return
			}
		}
	}
	if o.err != nil {
		e.failed, e.failedBy = o.err.Error(), len(o.labels)
		return
	}
	if e.machine != nil {
		e.machine.Close()
	}
	e.machine, e.applied, e.openedBy, e.failed = o.machine, o.labels, len(o.labels), ""
	next, recipe := *e.snapshot.Load(), o.machine.Recipe()
	next.Recipe, next.Similar = &recipe, o.machine.Similar
	e.snapshot.Store(&next)
}

// better has a machine that was opened and the one there is learn the labels there are, and
// reports whether there is more evidence for the new one.
func (e *engine) better(ctx context.Context, o *opened) (bool, error) {
	labels, _, classes := e.wanted()
	said, old, err := evidence(ctx, e.machine, classes, difference(e.applied, labels))
	if err != nil {
		return false, err
	}
	e.applied, e.said = labels, said
	said, new, err := evidence(ctx, o.machine, classes, difference(o.labels, labels))
	if o.labels = labels; err == nil && new > old {
		e.said = said
	}
	return new > old, err
}

// evidence is what a machine says once it has learnt changes, and what speaks for it.
func evidence(ctx context.Context, m Machine, classes []string, changes []Change) (*Answer, float64, error) {
	said, err := m.Apply(ctx, classes, changes)
	if err != nil {
		return nil, 0, err
	}
	value, err := m.Evidence(ctx)
	return said, value, err
}

// outgrown reports whether labels have grown by half since a recipe was chosen last,
// whether it was taken or not.
func (e *engine) outgrown(labels int) bool {
	by := e.openedBy
	if e.failed != "" {
		by = max(by, e.failedBy)
	}
	return labels >= by+max(by/2, leastRegrowth)
}

// update has the machine learn what came, and publishes what it says.
func (e *engine) update(ctx context.Context) {
	labels, version, classes := e.wanted()
	if e.machine == nil {
		if e.opening == nil && (e.failed == "" || e.outgrown(len(labels))) {
			e.begin(ctx, labels, classes)
		}
		if e.opening == nil {
			e.say(false, "", 0)
		}
		return
	}
	start := time.Now()
	changes := difference(e.applied, labels)
	old := e.snapshot.Load()
	next := *old
	next.Version, next.Labels = version, len(labels)
	answer := e.said
	if len(changes) > 0 || answer == nil && old.Answer == nil {
		e.say(true, "learning", 0)
		var err error
		answer, err = e.machine.Apply(ctx, classes, changes)
		if ctx.Err() != nil {
			return
		}
		if e.failed = ""; err != nil {
			e.failed = err.Error()
			e.say(false, "", 0)
			return
		}
		e.applied = labels
		next.Seconds = time.Since(start).Seconds()
	}
	if e.said = nil; answer != nil {
		next.Answer, next.Growth = answer, old.Growth.by(len(labels), answer.Decided)
	}
	e.publish(&next)
	if e.opening == nil && e.machine.Stale() && e.outgrown(len(labels)) {
		e.begin(ctx, labels, classes)
	}
	e.look(ctx, next)
	e.say(e.opening != nil, e.openingStage(), 0)
}

func (e *engine) openingStage() string {
	if e.opening != nil {
		return "choosing parameters anew"
	}
	return ""
}

// look finds what is asked next, and then, until labels come, prepares for them and finds
// labels that look wrong.
func (e *engine) look(ctx context.Context, next snapshot) {
	queue, err := e.machine.Suggest(ctx, queueLength)
	if err == nil {
		next.Queue = queue
		n := next
		e.publish(&n)
	} else if ctx.Err() == nil {
		e.failed = err.Error()
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	e.ahead.Store(&cancel)
	defer e.ahead.Store(nil)
	if len(e.wake) > 0 { // it came before it could cancel
		return
	}
	first := make([]int, 0, prepared)
	for _, s := range queue[:min(len(queue), prepared)] {
		first = append(first, s.Point)
	}
	if err := e.machine.Prepare(ctx, first); err != nil && ctx.Err() == nil {
		e.failed = err.Error()
	}
	if next.Answer == nil || next.Answer.Decided == nil || ctx.Err() != nil {
		return
	}
	if suspicions, err := e.machine.Audit(ctx); err == nil {
		next.Suspicions = suspicions
		e.publish(&next)
	} else if ctx.Err() == nil {
		e.failed = err.Error()
	}
}

func (e *engine) publish(s *snapshot) {
	s.Layout = e.layout
	e.snapshot.Store(s)
	e.notify()
}

// difference returns the changes from labels to others, by point.
func difference(from, to map[int]int) []Change {
	var all []Change
	for point, class := range to {
		if old, is := from[point]; !is || old != class {
			all = append(all, Change{point, class})
		}
	}
	for point := range maps.Keys(from) {
		if _, is := to[point]; !is {
			all = append(all, Change{point, -1})
		}
	}
	slices.SortFunc(all, func(a, b Change) int { return a.Point - b.Point })
	return all
}

// places has the machine make the layout, once. It is nil while it is made.
func (e *engine) places(ctx context.Context) []float32 {
	if l := e.snapshot.Load().Layout; l != nil {
		return l
	}
	if !e.mapping.CompareAndSwap(false, true) {
		return nil
	}
	go func() {
		defer e.mapping.Store(false)
		e.ask(ctx, func(m Machine) { e.place(ctx, m) })
	}()
	return nil
}

func (e *engine) place(ctx context.Context, m Machine) {
	e.say(true, "making the map", 0)
	layout, err := m.Layout(ctx)
	if err != nil {
		e.failed = err.Error()
	} else {
		e.layout = layout
		next := *e.snapshot.Load()
		e.publish(&next)
	}
	e.say(e.opening != nil, e.openingStage(), 0)
}
