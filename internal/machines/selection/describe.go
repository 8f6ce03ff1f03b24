package selection

import (
	"cmp"
	"context"
	"errors"
	"math"
	"slices"

	"lapsvm/dataset"
	"lapsvm/internal/describe"
	"lapsvm/internal/machines/train"
	"lapsvm/internal/points/gram"
	"lapsvm/internal/points/graph"
	"lapsvm/kernel"
	"lapsvm/points"
)

const (
	describedPoints     = 400 // most points on which descriptions are compared
	leastSide           = 8   // of pictures that have them, in dots
	descriptionEvidence = 5   // by which the evidence against all descriptions side by side must be larger
)

// shortSide returns the shorter side of pictures.
func shortSide(m *dataset.Image) int { return min(m.Size()) }

// Describe returns d as the recipe describes it, and the recipe with that description. Where it is open,
// pictures and tables with text get all their descriptions side by side, or another by evidence. So a text, or the columns beside it,
// may count for nothing. Other points get none. So do pictures where a width is given, as it is in the unit of the
// dots, and texts where a kernel is given.
//
// Descriptions are compared on the same points, at most 400 and all that are labelled: each alone, all side
// by side, and none. Each is measured by machines with the graphs that a choice begins with, and the evidence for
// it is ln Σ exp(e) over the evidence e of its machines. It must be larger by 5 than that for all side by side.
// What machines predict is held against the graph of their own description. Points from which no description can be
// learned get none.
//
// It fails where [train.Fit] does. Cost: a second, and the description of all points.
func Describe(ctx context.Context, d *dataset.Dataset, r train.Recipe, run train.Run) (*dataset.Dataset, train.Recipe, error) {
	if r.Describe != "" || !describable(d, r) {
		r.Describe = cmp.Or(r.Describe, train.Undescribed)
		d, err := train.Describe(ctx, d, r, run)
		return d, r, err
	}
	if d.Description != nil {
		r.Describe = train.DescribedBy(d.Description.Names()...)
		return d, r, nil
	}
	if run.Progress != nil {
		run.Progress("describing", 0, 0)
	}
	all, err := train.LearnDescription(ctx, d, nil, r.Seed)
	if errors.Is(err, train.ErrData) { // such as equal pictures, or texts without a known word
		r.Describe = train.Undescribed
		return d, r, nil
	}
	if err != nil {
		return nil, r, err
	}
	chosen := all
	if !r.RulesOfThumb && !r.Supervised && !r.OneClass {
		if chosen, err = description(ctx, d, all, r, run); err != nil {
			return nil, r, err
		}
	}
	if chosen == nil {
		r.Describe = train.Undescribed
		return d, r, nil
	}
	r.Describe = train.DescribedBy(chosen.Names()...)
	d, err = train.Described(ctx, d, chosen)
	return d, r, err
}

// describable reports whether the points of d may be described: pictures or texts, with every other setting of
// their scale open, and of texts the kernel too.
func describable(d *dataset.Dataset, r train.Recipe) bool {
	texts := d.Points.Sparse() && d.Encoding.HasText()
	switch {
	case texts && r.Kernel != nil || !texts && (d.Image == nil || shortSide(d.Image) < leastSide):
		return false
	case !r.Open() || len(r.Members) > 0 || r.Standardise != "" || r.Graph.HeatWidth > 0:
		return false
	}
	return r.Kernel == nil || !r.Kernel.Kind().Given && kernel.Open(r.Kernel)
}

// description returns the description with the most evidence of all descriptions, of each alone, and of none, which
// is nil.
func description(ctx context.Context, d *dataset.Dataset, all *describe.Description, r train.Recipe, run train.Run) (*describe.Description, error) {
	sample := d.Subset(sampled(d, describedPoints, r.Seed))
	candidates := []*describe.Description{all, nil}
	for _, name := range all.Names() {
		if one, _ := all.Only(name); len(one.Parts) < len(all.Parts) {
			candidates = append(candidates, one)
		}
	}
	var modularity, loss []float64
	var of []int // the candidate of each
	labels := 0
	for k, by := range candidates {
		described, err := train.Described(ctx, sample, by)
		if err != nil {
			return nil, err
		}
		some, held, err := middling(ctx, described, r, run)
		if err != nil {
			return nil, err
		}
		labels = held
		for i := range some {
			modularity, loss, of = append(modularity, some[i].modularity), append(loss, some[i].loss()), append(of, k)
		}
	}
	if len(of) == 0 {
		return all, nil
	}
	sums := make([]float64, len(candidates))
	weights := evidence(modularity, loss, labels)
	most := slices.Max(weights)
	for i, e := range weights {
		sums[of[i]] += math.Exp(e - most)
	}
	sums[0] *= math.Exp(descriptionEvidence)
	return candidates[indexOfMax(sums)], nil
}

// middling measures the machines of the graphs that a choice begins with. It also returns how many labels
// were held out, and no machine where there is nothing to compare.
func middling(ctx context.Context, d *dataset.Dataset, r train.Recipe, run train.Run) (some []measured, labels int, err error) {
	run.Log, run.Compared = nil, nil
	d, r = byPoints(d, kernelForText(d, r))
	r.Describe, r.Standardise, r.Graph.Metric = train.Undescribed, points.AsIs, graph.Euclidean
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
