package selection

import (
	"context"
	"math"
	"slices"

	"lapsvm/dataset"
	"lapsvm/internal/describe"
	"lapsvm/internal/machines/train"
	"lapsvm/internal/points/gram"
	"lapsvm/internal/points/graph"
	"lapsvm/kernel"
)

const (
	describedPoints = 800 // most points on which descriptions are compared
	leastSide       = 8   // of pictures that have them, in dots
)

// shortSide returns the shorter side of pictures.
func shortSide(m *dataset.Image) int { return min(m.Size()) }

// Describe returns d as the recipe describes it, and the recipe with that description. Where it is open,
// pictures may get every description, all side by side, or none. Other points get none, and so do pictures
// where a width is given: the width is in the unit of the dots. Rules of thumb take all side by side.
//
// Each is measured on the same points, at most 800 and all that are labelled, by machines with the graphs
// that a choice begins with. The evidence for a description is ln Σ exp(e) over the evidence e of its
// machines. What they predict is held against the graph of the description itself.
//
// It fails where [train.Fit] does. Cost: a second, and the description of all points.
func Describe(ctx context.Context, d *dataset.Dataset, r train.Recipe, run train.Run) (*dataset.Dataset, train.Recipe, error) {
	if r.Describe == nil {
		var err error
		if r.Describe, err = description(ctx, d, r, run); err != nil {
			return nil, r, err
		}
	}
	d, err := train.Describe(ctx, d, r, run)
	return d, r, err
}

// description returns the descriptions that the labels and the graph favour.
func description(ctx context.Context, d *dataset.Dataset, r train.Recipe, run train.Run) (train.Descriptions, error) {
	none := train.Descriptions{}
	switch {
	case d.Description != nil:
		return d.Description.Names(), nil
	case d.Image == nil || shortSide(d.Image) < leastSide:
		return none, nil
	case !r.Open() || len(r.Members) > 0 || r.Standardise != "" || r.Graph.HeatWidth > 0:
		return none, nil
	case r.Kernel != nil && (r.Kernel.Kind().Given || !kernel.Open(r.Kernel)):
		return none, nil
	}
	names := train.Descriptions(describe.Names())
	if r.RulesOfThumb || r.Supervised || r.OneClass {
		return names, nil
	}
	sample := d.Subset(sampled(d, describedPoints, r.Seed))
	candidates := []train.Descriptions{none}
	for _, name := range names {
		candidates = append(candidates, train.Descriptions{name})
	}
	candidates = append(candidates, names)
	var modularity, loss []float64
	var of []int // the candidate of each
	labels := 0
	for k, candidate := range candidates {
		r.Describe = candidate
		some, held, err := middling(ctx, sample, r, run)
		if err != nil {
			return nil, err
		}
		labels = held
		for i := range some {
			modularity, loss, of = append(modularity, some[i].modularity), append(loss, some[i].loss()), append(of, k)
		}
	}
	if len(of) == 0 {
		return names, nil
	}
	sums := make([]float64, len(candidates))
	weights := evidence(modularity, loss, labels)
	most := slices.Max(weights)
	for i, e := range weights {
		sums[of[i]] += math.Exp(e - most)
	}
	return candidates[indexOfMax(sums)], nil
}

// middling measures the machines of the graphs that a choice begins with. It also returns how many labels
// were held out, and no machine where there is nothing to compare.
func middling(ctx context.Context, d *dataset.Dataset, r train.Recipe, run train.Run) (some []measured, labels int, err error) {
	if d, err = train.Describe(ctx, d, r, run); err != nil {
		return nil, 0, err
	}
	run.Log, run.Compared = nil, nil
	r.Standardise, r.Graph.Metric = "none", graph.Euclidean
	a, why, err := newArena(ctx, d, r, run, describedPoints, 0)
	if err != nil || why != "" {
		return nil, 0, err
	}
	if a.held != nil {
		labels = len(a.held.counted(-1))
	}
	graphs := newGraphs(a.machines).middle()
	list := slices.DeleteFunc(slices.Clone(a.machines), func(c candidate) bool { return !slices.Contains(graphs, c.graph()) })
	some, err = a.measure(ctx, list, false, new(counter))
	return some, labels, err
}

// sampled returns rows of d, ascending: the labelled ones, and others drawn by the seed up to a number.
func sampled(d *dataset.Dataset, most int, seed uint64) []int {
	rows := d.Labelled()
	for _, i := range gram.DrawRows(d.Points.Len(), d.Points.Len(), seed) {
		if len(rows) < most && d.Y[i] == dataset.Unlabelled {
			rows = append(rows, i)
		}
	}
	slices.Sort(rows)
	return rows
}
