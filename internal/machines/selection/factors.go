package selection

import (
	"context"
	"errors"

	"lapsvm/dataset"
	"lapsvm/internal/describe"
	"lapsvm/internal/machines/train"
	"lapsvm/points"
)

// factorable reports whether a table of numbers may be described by its factors. Indicators of categories may not: their noise is of unequal size.
func factorable(d *dataset.Dataset, r train.Recipe) bool {
	if describable(d, r) || !open(r) || !d.OfNumbers() || d.Points.Sparse() || d.Points.Dim() < describe.FewestFactored {
		return false
	}
	return !r.RulesOfThumb && kindOf(r.Kind).cannot == "" && !r.Supervised && !kindOf(r.Kind).functions && r.Kernel == nil
}

// byFactors returns d described by its factors, see [describe.LearnFactors], or nil unless held-out labels and the graph speak for them. Their evidence
// is above 1 over the columns scaled each by what it is, and over columns in one unit as they are.
func byFactors(ctx context.Context, d *dataset.Dataset, r train.Recipe, run train.Run) (*dataset.Dataset, error) {
	learnt, _, err := train.LearnDescription(ctx, d, []string{describe.Factors}, r.Seed)
	if err != nil {
		if errors.Is(err, train.ErrData) { // nothing is above the noise
			err = nil
		}
		return nil, err
	}
	rows := sampled(d, describedPoints, r.Seed)
	by, err := train.Described(ctx, d.Subset(rows), learnt)
	if err != nil {
		return nil, err
	}
	factors, err := pilot(ctx, by, r, run, nil)
	if err != nil || factors == nil || len(factors.losses) == 0 {
		return nil, err
	}
	different, _ := units(d)
	for _, scaling := range []points.Standardise{points.Columns, points.AsIs} {
		if scaling == points.AsIs && different {
			continue
		}
		one := r
		one.Standardise = scaling
		columns, err := pilot(ctx, d.Subset(rows), one, run, nil)
		if err != nil || columns != nil && !(factors.over(columns) > columnScore) {
			return nil, err
		}
	}
	return train.Described(ctx, d, learnt)
}
