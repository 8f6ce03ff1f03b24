package selection

import (
	"context"

	"lapsvm/dataset"
	"lapsvm/internal/machines/train"
	"lapsvm/kernel"
	"lapsvm/points"
)

// Scale returns the recipe with its scaling. For a table with text, where no kernel is given, it
// also sets the linear kernel.
//
// Where Standardise is open, columns in different units (units.go tells, without labels) take
// [points.Columns]. All other points stay as they are. Points also stay where a width is given, of
// the kernel or of the graph's weights: the width is in their unit.
//
// Another scaling is taken where labels and graph speak for it, see [preferred]. Columns in one unit may get [points.Columns], as those that tell nothing may vary most. Rows that are like bags of words may get [points.UnitNorm], and so may many rows. Few rows have a view of that.
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
	ways := scalings(d, r)
	if r.RulesOfThumb || len(r.Members) > 0 || len(ways) == 1 {
		return ways[0].recipe, nil
	}
	rows, again := sampled(d, r.Seed)
	sample := d.Subset(rows)
	for k := range ways {
		ways[k].sample, ways[k].again = sample, again
	}
	best, err := scaled(ctx, ways, run)
	return best.recipe, err
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

// byPoints returns data without the edges that are given, and the recipe for neighbours: what is asked
// of some of the points alone.
func byPoints(d *dataset.Dataset, r train.Recipe) (*dataset.Dataset, train.Recipe) {
	some := *d
	some.Edges, r.Graph.EdgesAlone, r.Graph.EdgeWeight = dataset.Edges{}, false, 0
	return &some, r
}
