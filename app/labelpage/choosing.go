package labelpage

import (
	"context"
	"runtime"
	"time"

	"lapsvm"
)

// leastRegrowth is the fewest new labels before a recipe is chosen again.
const leastRegrowth = 4

// opened is a machine that was opened in the background.
type opened struct {
	machine Machine
	points  int         // that it was made of
	labels  map[int]int // that it has learnt
	same    bool        // by the recipe there was, for points that came
	elapsed time.Duration
	err     error
}

// begin opens a machine in the background, by a recipe that the present labels choose.
func (e *engine) begin(ctx context.Context, labels map[int]int, classes []string) {
	first, data := e.machine == nil, e.data.Load()
	every := make([]int, data.Points.Len())
	for i := range every {
		every[i] = -1
	}
	for i, class := range labels {
		every[i] = class
	}
	e.beside(ctx, opened{points: len(every), labels: labels}, "choosing parameters anew", func(ctx context.Context) (Machine, error) {
		return e.open(ctx, data, every, classes, func(stage string, share float64) {
			if first {
				e.work.Store(&work{Busy: true, Stage: stage, Share: share})
				e.notify()
			}
		})
	})
}

// beginAnew opens a machine in the background with all points, also the new ones, by the present
// recipe.
func (e *engine) beginAnew(ctx context.Context) {
	e.beside(ctx, opened{points: e.has, labels: e.applied, same: true}, takingIn, e.machine.Rebuild())
}

// beside opens a machine in the background. Half of the processors are left to the machine that there is.
func (e *engine) beside(ctx context.Context, o opened, why string, open func(context.Context) (Machine, error)) {
	if e.machine != nil {
		ctx = lapsvm.WithThreads(ctx, max(1, runtime.GOMAXPROCS(0)/2))
	}
	result := make(chan opened, 1)
	e.opening, e.stage = result, why
	go func() {
		start := time.Now()
		o.machine, o.err = open(ctx)
		o.elapsed = time.Since(start)
		result <- o
	}()
}

// take replaces the machine by a newly opened one, if that was opened for new points or its recipe
// is better. The machine that remains knows all points and labels.
func (e *engine) take(ctx context.Context, o opened) {
	taken, by := true, len(o.labels)
	if o.err == nil && e.machine != nil {
		if taken, o.err = e.compare(ctx, &o); !o.same {
			e.openedBy = len(o.labels)
		}
	}
	if o.same {
		e.rest = time.After(o.elapsed) // so that points that come one by one take half of the time at most
	}
	if (o.err != nil || !taken) && o.machine != nil {
		o.machine.Close()
	}
	if o.err != nil {
		e.failed = onPage(o.err)
		if e.machine == nil || o.same {
			e.refused = o.points
		}
		if !o.same {
			e.failedBy = len(o.labels)
		}
		return
	}
	if !taken {
		return
	}
	if e.machine != nil {
		e.machine.Close()
	} else {
		e.openedBy = len(o.labels)
	}
	e.machine, e.made, e.applied, e.failed = o.machine, o.points, o.labels, ""
	e.has = max(e.has, e.made)
	if e.layout != nil && 10*e.made > 11*e.laid {
		e.lay(nil) // it was made of too few
	}
	next, recipe := *e.snapshot.Load(), o.machine.Recipe()
	next.Recipe, next.Similar, next.Points = &recipe, o.machine.Similar, e.has
	next.Layout, next.Map = e.layout, e.mapped
	if !o.same {
		next.Chosen = by
	}
	e.snapshot.Store(&next)
}

// compare has a machine that was opened and the one there is learn the points and labels there are, and
// reports whether the new one is to be taken.
func (e *engine) compare(ctx context.Context, o *opened) (taken bool, err error) {
	if e.has > o.points {
		if _, err := o.machine.Grow(ctx, e.grown); err != nil {
			return false, err
		}
	}
	labels, _, classes := e.wanted()
	changes := difference(o.labels, labels)
	o.labels = labels
	if o.same {
		e.said, err = o.machine.Apply(ctx, classes, changes)
		return true, err
	}
	said, err := e.machine.Apply(ctx, classes, difference(e.applied, labels))
	if err != nil {
		return false, err
	}
	e.applied, e.said = labels, said
	if said, err = o.machine.Apply(ctx, classes, changes); err != nil {
		return false, err
	}
	if taken, err = o.machine.Replaces(ctx, e.machine); taken {
		e.said = said
	}
	return taken, err
}

// outgrown reports whether the number of labels has grown by half since the last choice of a
// recipe, accepted or not.
func (e *engine) outgrown(labels int) bool {
	by := e.openedBy
	if e.failed != "" {
		by = max(by, e.failedBy)
	}
	return labels >= by+max(by/2, leastRegrowth)
}

func (e *engine) openingStage() string {
	if e.opening != nil {
		return e.stage
	}
	return ""
}
