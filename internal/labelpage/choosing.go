package labelpage

import (
	"context"
	"runtime"

	"lapsvm"
)

// leastRegrowth is how many labels come before a recipe is chosen anew, at least.
const leastRegrowth = 4

// opened is a machine that was made beside.
type opened struct {
	machine Machine
	labels  map[int]int
	err     error
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

func (e *engine) openingStage() string {
	if e.opening != nil {
		return "choosing parameters anew"
	}
	return ""
}
