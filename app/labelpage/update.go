package labelpage

import (
	"context"
	"maps"
	"slices"
	"time"
)

// Sizes of the queues, and the stage shown while points are taken in.
const (
	queueLength = 32 // suggestions, each of which costs
	prepared    = 16 // of the first of them, for which the machine prepares
	placedBy    = 5  // points that a new one is placed among on the map
	takingIn    = "taking in new points"
)

// update makes the machine learn new labels and points, and publishes its outputs.
func (e *engine) update(ctx context.Context) {
	if e.machine == nil {
		labels, _, classes := e.wanted()
		if e.opening == nil && (e.failed == "" || e.outgrown(len(labels)) || e.data.Load().Points.Len() != e.refused) {
			e.begin(ctx, labels, classes)
		}
		if e.opening == nil {
			e.say(false, "", 0)
		}
		return
	}
	start := time.Now()
	e.takePoints(ctx)
	labels, version, classes := e.wanted()
	changes := difference(e.applied, labels)
	old := e.snapshot.Load()
	next := *old
	next.Version, next.Labels, next.Points = version, len(labels), e.has
	answer := e.said
	if len(changes) > 0 || answer == nil && old.Answer == nil {
		e.say(true, "learning", 0)
		var err error
		answer, err = e.machine.Apply(ctx, classes, changes)
		if ctx.Err() != nil {
			return
		}
		if e.failed = ""; err != nil {
			e.failed = onPage(err)
			e.say(false, "", 0)
			return
		}
		e.applied = labels
		next.Seconds = time.Since(start).Seconds()
	}
	if e.said = nil; answer != nil {
		next.Answer, next.Stability = answer, old.Stability.by(len(labels), answer.decisions())
	}
	e.publish(&next)
	switch {
	case e.opening != nil:
	case e.made < e.has && e.rest == nil && e.has != e.refused:
		e.beginAnew(ctx)
	case e.machine.Stale() && e.outgrown(len(labels)):
		e.begin(ctx, labels, classes)
	}
	e.look(ctx, next)
	e.say(e.opening != nil, e.openingStage(), 0)
}

// takePoints gives new points to the machine and places them on the map.
func (e *engine) takePoints(ctx context.Context) {
	data := e.data.Load()
	n := data.Points.Len()
	if n <= e.has || n == e.refused {
		return
	}
	e.say(true, takingIn, 0)
	said, err := e.machine.Grow(ctx, data)
	if err != nil {
		e.failed, e.refused = onPage(err), n
		return
	}
	e.said, e.has, e.grown = said, n, data
	if e.layout == nil {
		return
	}
	places := slices.Clone(e.layout)
	for i := len(places) / 2; i < n; i++ {
		var x, y, count float32
		for _, j := range e.machine.Similar(i, placedBy) {
			if 2*j < len(e.layout) {
				x, y, count = x+e.layout[2*j], y+e.layout[2*j+1], count+1
			}
		}
		places = append(places, x/max(count, 1), y/max(count, 1))
	}
	e.lay(places)
}

// look finds the next suggestions. Until new labels come it then prepares for these
// points and finds labels that look wrong.
func (e *engine) look(ctx context.Context, next snapshot) {
	queue, err := e.machine.Suggest(ctx, queueLength)
	if err == nil {
		next.Queue = queue
		n := next
		e.publish(&n)
	} else if ctx.Err() == nil {
		e.failed = onPage(err)
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
		e.failed = onPage(err)
	}
	if !next.Answer.decides() || ctx.Err() != nil {
		return
	}
	if suspicions, err := e.machine.Audit(ctx); err == nil {
		next.Suspicions = suspicions
		e.publish(&next)
	} else if ctx.Err() == nil {
		e.failed = onPage(err)
	}
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
