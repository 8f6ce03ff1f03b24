package selection

import (
	"context"
	"fmt"
	"math"

	"lapsvm/dataset"
	"lapsvm/internal/describe"
	"lapsvm/internal/machines/train"
	"lapsvm/points"
)

// What points are taken for bags of words by.
const (
	fewestWords = 100 // columns
	bagShare    = 0.5 // most of the values that are not 0

	bagScore = 0.5 // by which they get unit length
)

// bag reports whether the points of d are like counts or weights of words: at least a hundred columns, half of the values or more are 0, none is
// negative, and the rows differ in length. A long text has larger counts than a short one, whatever it tells. Cost: a pass over the points.
func bag(d *dataset.Dataset) bool {
	p := d.Points
	if !d.Untold() || p.Dim() < fewestWords || ofOneLength(p) {
		return false
	}
	most, filled := bagShare*float64(p.Len())*float64(p.Dim()), 0
	return describe.EachRow(p, func(values []float64) bool {
		for _, v := range values {
			if v < 0 || math.Signbit(v) {
				return false
			}
			if v > 0 {
				filled++
			}
		}
		return float64(filled) <= most
	})
}

// bagOfUnitLength returns the recipe for a bag of words with rows of unit length, where the log score speaks for these over the scaling of the recipe and
// over rows as they are, as in [scaledByLogScore].
func bagOfUnitLength(ctx context.Context, d *dataset.Dataset, r train.Recipe, run train.Run) (train.Recipe, error) {
	sample, unit := d.Subset(sampled(d, describedPoints, r.Seed)), r
	unit.Standardise = points.UnitNorm
	other, err := pilot(ctx, sample, unit, run, nil)
	if err != nil || other == nil || len(other.losses) == 0 {
		return r, err
	}
	for _, scaling := range []points.Standardise{r.Standardise, points.AsIs} {
		one := r
		one.Standardise = scaling
		usual, err := pilot(ctx, sample, one, run, nil)
		if err != nil || usual == nil || !(other.over(usual) > bagScore) {
			return r, err
		}
		if scaling == points.AsIs {
			break
		}
	}
	unit.StandardiseReason = fmt.Sprintf("the columns are like counts of words, and %d held-out labels and the graph speak for rows of one length", len(other.losses))
	return unit, nil
}

// byTerms returns d, dense counts of words, described by the components of its terms, or nil unless held-out labels and the graph speak for them. Their evidence
// is above 1 over the columns as they are, with rows of one length, and scaled each by what it is. Sparse rows of terms have their components unless that is spoken against.
func byTerms(ctx context.Context, d *dataset.Dataset, r train.Recipe, run train.Run) (*dataset.Dataset, error) {
	if !bag(d) || !describe.Counts(d.Points) {
		return nil, nil
	}
	learnt, _, err := train.LearnDescription(ctx, d, []string{describe.Latent, describe.RareWords}, r.Seed)
	if err != nil {
		return nil, err
	}
	columns := d.Subset(sampled(d, describedPoints, r.Seed))
	sample, err := train.Described(ctx, columns, learnt)
	if err != nil {
		return nil, err
	}
	judge := func(kept parts) (*judged, error) {
		j, err := pilot(ctx, sample.Only(kept), r, run, nil)
		if j != nil {
			j.kept = kept
		}
		return j, err
	}
	terms, err := judge(all)
	if err != nil || terms == nil || len(terms.losses) == 0 {
		return nil, err
	}
	for _, scaling := range []points.Standardise{points.AsIs, points.UnitNorm, points.Columns} {
		one := r
		one.Standardise = scaling
		usual, err := pilot(ctx, columns, one, run, nil)
		if err != nil || usual != nil && !(terms.over(usual) > columnScore) {
			return nil, err
		}
	}
	best, err := without(terms, train.PartNames(d.Encoding, learnt), sample, columnScore, judge)
	if err != nil {
		return nil, err
	}
	return train.Described(ctx, d, describe.Only(learnt, best.kept))
}
