package selection

import (
	"cmp"
	"context"
	"errors"

	"lapsvm/dataset"
	"lapsvm/internal/describe"
	"lapsvm/internal/machines/train"
	"lapsvm/kernel"
)

// Describe returns d as the recipe describes it, and the recipe with that description. Where it is open,
// pictures get gradients and filters side by side. Tables with text or vectors, and sparse rows of terms, see [train.HasTerms], get all their descriptions. Either get others by
// [description], so a text, a vector or the columns beside it may count for nothing. A table of numbers gets its factors where held-out labels and the graph speak for them, see [describe.LearnFactors].
// Other points get none. So do pictures where a width is given, as it is
// in the unit of the dots, and tables where a kernel is given. Points from which no description can be learned get none.
//
// It fails where [train.Fit] does. Cost: a second, and the description of all points.
func Describe(ctx context.Context, d *dataset.Dataset, r train.Recipe, run train.Run) (*dataset.Dataset, train.Recipe, error) {
	run = run.Comparing()
	asRead := d
	if r.Describe == "" && open(r) {
		var err error
		if d, err = train.Pictured(ctx, d, r.Seed); err != nil {
			return nil, r, err
		}
	}
	if r.Describe == "" && factorable(d, r) {
		return describedNumbers(ctx, d, r, run)
	}
	if r.Describe != "" || !describable(d, r) {
		r.Describe = cmp.Or(r.Describe, train.Undescribed)
		d, err := train.Describe(ctx, asRead, r, run)
		return d, r, err
	}
	if d.Described() {
		r.Describe = train.DescribedBy(train.PartNames(d.Encoding, d.Description())...)
		return d, r, nil
	}
	if run.Progress != nil {
		run.Progress("describing", 0, 0)
	}
	learnt, whole, err := train.LearnDescription(ctx, d, nil, r.Seed)
	if errors.Is(err, train.ErrData) { // such as equal pictures, or texts without a known word
		r.Describe = train.Undescribed
		return asRead, r, nil
	}
	if err != nil {
		return nil, r, err
	}
	names := standing(d, learnt)
	if !r.RulesOfThumb && !r.Supervised && kindOf(r.Kind).cannot == "" {
		rows, again := sampled(d, r.Seed)
		sample := whole
		if whole != nil {
			sample = whole.Subset(rows)
		} else if sample, err = train.Described(ctx, d.Subset(rows), learnt); err != nil {
			return nil, r, err
		}
		if names, err = partsOf(ctx, sample, again, names, r, run); err != nil {
			return nil, r, err
		}
	}
	kept := keeping(d.Encoding, names)
	by := describe.Only(learnt, kept)
	if len(by.List()) == 0 {
		r.Describe = train.Undescribed
		return asRead, r, nil
	}
	r.Describe = train.DescribedBy(train.NamesOf(d.Encoding, learnt, by)...)
	if whole != nil {
		return whole.Only(kept), r, nil
	}
	d, err = train.Described(ctx, d, by)
	return d, r, err
}

// describable reports whether the points of d may be described: pictures, texts, terms, or vectors beside other columns, with every
// other setting of their scale open, and of all but pictures the kernel too.
func describable(d *dataset.Dataset, r train.Recipe) bool {
	columns := d.Encoding.HasText() || besideVectors(d.Encoding) || train.HasTerms(d)
	if columns && r.Kernel != nil || !columns && min(d.Image.Width, d.Image.Height) < describe.ShortestSide {
		return false
	}
	return open(r)
}

// open reports whether a recipe leaves open what is in the unit of the points.
func open(r train.Recipe) bool {
	if !r.Open() || len(r.Members) > 0 || r.Standardise != "" || r.Graph.HeatWidth > 0 {
		return false
	}
	return kernel.OfFeatures(r.Kernel) && (r.Kernel == nil || kernel.Open(r.Kernel))
}

// besideVectors reports whether a table has vectors and other columns beside each other. The encoding may be nil.
func besideVectors(e *dataset.Encoding) bool {
	count := 0
	for k := range e.All() {
		if e.Columns[k].Width() > 0 {
			count++
		}
	}
	return count > 1 && train.HasParts(e)
}
