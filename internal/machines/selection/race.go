package selection

import (
	"context"
	"math"
	"slices"

	"lapsvm/internal/machines/deformed"
	"lapsvm/internal/machines/geometry"
	"lapsvm/internal/machines/train"
	"lapsvm/internal/numbers/parallel"
)

// raceMargin is how much less than the most the evidence for a graph may be, at the
// widths that were measured, for it to be measured at a further one. Its machines had
// weights below a four-hundredth of the largest there.
const raceMargin = 6

// viewsAtOnce is how many views are made at the same time, where there is memory for
// them: much of making one keeps a single goroutine busy.
const viewsAtOnce = 2

// race measures the candidates of one kernel, with the graphs that are promising by the
// kernels before it. Views are made side by side and measured in order, so that the
// result does not depend on the threads.
func (c *comparison) race(ctx context.Context, number int, g *geometry.Geometry, counter *counter) error {
	graphs := c.promising()
	counter.of -= (len(c.graphs) - len(graphs)) * len(c.gammas)
	failing, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	threads := parallel.Threads(ctx)
	side := max(1, min(c.atOnce, len(graphs), threads))
	each := parallel.WithLimit(failing, threads/side)
	measured := make([]chan struct{}, len(graphs))
	for i := range measured {
		measured[i] = make(chan struct{})
	}
	_ = parallel.Step(parallel.WithLimit(failing, side), len(graphs), func(_, i int) {
		defer close(measured[i])
		turn := func() {
			if i > 0 {
				<-measured[i-1]
			}
		}
		defer turn()
		if number+i > 0 && c.late() {
			return
		}
		if err := c.measureGraph(each, number, g, graphs[i], turn, counter); err != nil {
			stop(err)
		}
	})
	if err := ctx.Err(); err != nil {
		return err
	}
	return context.Cause(failing)
}

// measureGraph measures the candidates of one kernel and graph, once it is their turn.
func (c *comparison) measureGraph(ctx context.Context, number int, g *geometry.Geometry, graph train.Member, turn func(), counter *counter) error {
	powers, err := g.Powers(ctx, graph.Neighbours)
	if err != nil {
		return err
	}
	defer powers.Close()
	view, err := powers.View(ctx, graph.LaplacianDegree, c.task.Labelled, c.recipe.Bias)
	if err != nil {
		return err
	}
	defer view.Close()
	return c.visit(ctx, view, c.gammas, &c.measured, candidate{kernel: number, Member: graph}, turn, counter)
}

// visit measures the candidates of a view with the given weights, each in its turn.
func (c *comparison) visit(ctx context.Context, view *deformed.View, weights []deformed.Gammas, into *[]candidate, of candidate, turn func(), counter *counter) error {
	return view.Each(ctx, weights, func(i int, cell *deformed.Cell) error {
		turn()
		of.GammaA, of.GammaI = weights[i].A, weights[i].I
		counter.count()
		return c.add(ctx, into, cell, of)
	})
}

// promising returns the graphs with a machine whose evidence so far is within raceMargin of the
// most, by labels and graph or by labels alone. It returns all graphs where nothing was measured. A
// graph that is bad at one width is so at others.
func (c *comparison) promising() []train.Member {
	if len(c.measured) == 0 {
		return c.graphs
	}
	in := make(map[train.Member]bool)
	for _, modularity := range []float64{c.partition(), 0} {
		if modularity == 0 && c.held == nil {
			break // no label says anything
		}
		b := belief{of: c.measured, modularity: modularity}
		evidence := c.evidence(b, -1)
		most := slices.Max(evidence)
		for i, e := range evidence {
			if !(e < most-raceMargin) || math.IsNaN(e) {
				in[graphOf(b.of[i])] = true
			}
		}
	}
	return slices.DeleteFunc(slices.Clone(c.graphs), func(g train.Member) bool { return !in[g] })
}
