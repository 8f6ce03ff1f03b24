package selection

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"lapsvm/dataset"
	"lapsvm/internal/machines/train"
	"lapsvm/internal/points/gram"
	"lapsvm/internal/points/graph"
	"lapsvm/kernel"
	"lapsvm/points"
)

// The points on which [Scale] compares scalings, and the log score it requires.
const (
	scalingPoints     = 400 // most points
	scalingNeighbours = 10
	scalingDegree     = 2
	scalingLabels     = 20 // fewest held-out labels that may speak against the columns
	scalingErrors     = 3  // standard errors by which another scaling must be better
	scalingScore      = 2  // evidence by which columns in one unit are scaled
)

// Scale returns the recipe with its scaling. For a table with text, where no kernel is given, it
// also sets the linear kernel.
//
// Where Standardise is open, columns in different units (units.go tells, without labels) take
// [points.Columns]. All other points stay as they are. Points also stay where a width is given, of
// the kernel or of the graph's weights: the width is in their unit.
//
// Rows that are like bags of words may get [points.UnitNorm], where the log score for it is above 0.5.
//
// Columns in one unit may get [points.Columns]: those that tell nothing may vary most. They get it where the log score of held-out labels and
// of the graph for it is above 2, as that for a description, see [judged.over].
//
// With twenty held-out labels or more, columns in different units may get another scaling, or none, and columns in one unit [points.Columns]. A scaling qualifies if its mean squared
// hinge is lower by three standard errors of the difference, and the lowest of these is taken. A scaling is measured by the best of four
// machines with the median distance for its width, on one graph of at most 400 points. It is learned for that from the labelled
// points and 20,000 others at most, drawn by the seed.
//
// StandardiseReason of the recipe tells why. It fails where [train.Fit] does. Cost: two passes over
// the points; the comparison is of a few machines.
func Scale(ctx context.Context, d *dataset.Dataset, r train.Recipe, run train.Run) (train.Recipe, error) {
	r = kernelForText(d, r)
	if r.Standardise != "" {
		return r, nil
	}
	r.Standardise = points.AsIs
	switch {
	case d.Described(): // which has one scale
		return r, nil
	case !kernel.OfFeatures(r.Kernel):
		r.StandardiseReason = "kernel values are given"
		return r, nil
	case r.Kernel != nil && r.Kernel.Parameters().Sigma > 0 || r.Graph.HeatWidth > 0:
		r.StandardiseReason = "a width is given, in the unit of the points"
		return r, nil
	}
	different, why := units(d)
	if r.StandardiseReason = why; different {
		r.Standardise = points.Columns
	}
	if !r.RulesOfThumb && len(r.Members) == 0 && bag(d) {
		unit, err := bagOfUnitLength(ctx, d, r, run)
		if err != nil || unit.Standardise == points.UnitNorm {
			return unit, err
		}
	}
	if !different && why != oneUnit {
		return r, nil
	}
	if r.RulesOfThumb || len(r.Members) > 0 {
		return r, nil
	}
	if !different {
		var err error
		if r, err = scaledByLogScore(ctx, d, r, run); err != nil || r.Standardise == points.Columns {
			return r, err
		}
	}
	return scaledByLabels(ctx, d, r, run)
}

// scaledByLogScore returns the recipe for columns in one unit with [points.Columns], where the log score speaks for it.
func scaledByLogScore(ctx context.Context, d *dataset.Dataset, r train.Recipe, run train.Run) (train.Recipe, error) {
	scaled, sample := r, d.Subset(sampled(d, describedPoints, r.Seed))
	scaled.Standardise = points.Columns
	usual, err := pilot(ctx, sample, r, run, nil)
	if err != nil || usual == nil || len(usual.losses) == 0 {
		return r, err
	}
	other, err := pilot(ctx, sample, scaled, run, nil)
	if err != nil || other == nil || !(other.over(usual) > scalingScore) {
		return r, err
	}
	graph := " and the graph"
	if r.Supervised {
		graph = ""
	}
	scaled.StandardiseReason += fmt.Sprintf(", but %d held-out labels%s speak for scaling each by what it is", len(usual.losses), graph)
	return scaled, nil
}

// kernelForText returns the recipe with the linear kernel for texts that are not described, and for rows
// without a feature, unless it has a kernel. The graph of these has given edges alone, unless a number of neighbours is given.
func kernelForText(d *dataset.Dataset, r train.Recipe) train.Recipe {
	if r.Kernel == nil && !d.Described() && (d.Encoding.HasText() || d.Featureless) {
		r.Kernel = kernel.Linear{}
	}
	r.Graph.EdgesAlone = r.Graph.EdgesAlone || d.Featureless && r.Graph.Neighbours == 0 && r.Graph.EdgeWeight == 0 && !r.Supervised
	return r
}

// scaledByLabels returns the recipe with another scaling where the labels speak for
// it.
func scaledByLabels(ctx context.Context, d *dataset.Dataset, r train.Recipe, run train.Run) (train.Recipe, error) {
	if n := d.Points.Len(); n > chosenRows {
		rows := append(gram.DrawRows(n, chosenRows, r.Seed), d.Labelled()...)
		slices.Sort(rows)
		d = d.Subset(slices.Compact(rows))
	}
	usual, err := scalingLosses(ctx, d, r, run)
	if err != nil || len(usual) < scalingLabels {
		return r, err
	}
	chosen, least := r, mean(usual)
	others, why := []points.Standardise{points.ZScore, points.MinMax, points.UnitNorm, points.AsIs}, ", and %d held-out labels speak against scaling each by what it is"
	if r.Standardise == points.AsIs {
		others, why = []points.Standardise{points.Columns}, ", but %d held-out labels speak for scaling each by what it is"
	}
	for _, other := range others {
		one := r
		one.Standardise = other
		losses, err := scalingLosses(ctx, d, one, run)
		if err != nil {
			return r, err
		}
		gain, standardError := paired(usual, losses)
		if gain > scalingErrors*standardError && mean(losses) < least {
			one.StandardiseReason += fmt.Sprintf(why, len(losses))
			chosen, least = one, mean(losses)
		}
	}
	return chosen, nil
}

// byPoints returns data without the edges that are given, and the recipe for neighbours: what is asked
// of some of the points alone.
func byPoints(d *dataset.Dataset, r train.Recipe) (*dataset.Dataset, train.Recipe) {
	some := *d
	some.Edges, r.Graph.EdgesAlone, r.Graph.EdgeWeight = dataset.Edges{}, false, 0
	return &some, r
}

// scalingLosses returns the losses of the best of a few machines with the scaling of
// a recipe on held-out labels; none where these cannot be held out.
func scalingLosses(ctx context.Context, d *dataset.Dataset, r train.Recipe, run train.Run) ([]float64, error) {
	run.Log = nil // the training says it
	d, r = byPoints(d, r)
	if r.Graph.Neighbours == 0 {
		r.Graph.Neighbours = max(1, min(scalingNeighbours, d.Points.Len()-1))
	}
	if r.Graph.Degree == 0 {
		r.Graph.Degree = scalingDegree
	}
	if r.Graph.Metric == "" {
		r.Graph.Metric = graph.Euclidean
	}
	a, why, err := newComparison(ctx, d, r, run, scalingPoints, 0)
	if err != nil || why != "" || a.held == nil {
		return nil, err
	}
	list := a.machines
	if r.Supervised {
		list = a.baselines
	}
	few := func(v, given float64, of ...float64) bool { return v == given || slices.Contains(of, v) }
	list = slices.DeleteFunc(list, func(c candidate) bool {
		return c.kernel != median && c.kernel != whole || !few(c.GammaA, r.GammaA, 1e-4, 1e-2) || !c.supervised() && !few(c.GammaI, r.GammaI, 1e-2, 1)
	})
	all, err := a.measure(ctx, list, new(counter))
	if err != nil || len(all) == 0 {
		return nil, err
	}
	best := slices.MinFunc(all, func(m, o measured) int { return cmp.Compare(m.loss(), o.loss()) })
	if math.IsNaN(best.loss()) {
		return nil, nil
	}
	return best.losses, nil
}
