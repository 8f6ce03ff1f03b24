package selection

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"lapsvm/dataset"
	"lapsvm/internal/describe"
	"lapsvm/internal/machines/train"
	"lapsvm/internal/points/gram"
	"lapsvm/points"
)

// standing returns the parts of a description that stand where nothing speaks against them: gradients and filters of pictures, and all of a table.
func standing(d *dataset.Dataset, by describe.Description) []string {
	if !d.Image.None() {
		return []string{describe.HOG, describe.Patches}
	}
	return train.PartNames(d.Encoding, by)
}

// partsOf returns the parts to take of the description of a sample, of which some stand. Beside a way are those with a part more, those with a part less, and that
// without a description.
func partsOf(ctx context.Context, sample *dataset.Dataset, again bool, stand []string, r train.Recipe, run train.Run) ([]string, error) {
	all := train.PartNames(sample.Encoding, sample.Description())
	of := func(names []string) way {
		w := way{name: strings.Join(names, "\n"), parts: names, sample: sample.Only(keeping(sample.Encoding, names)), recipe: r, again: again}
		for _, name := range all {
			if slices.Contains(names, name) != slices.Contains(stand, name) {
				w.changes++
			}
		}
		return w
	}
	best, _, err := preferred(ctx, of(stand), func(from way) (ways []way) {
		for _, toggled := range all {
			ways = append(ways, of(slices.DeleteFunc(slices.Clone(all), func(name string) bool {
				return slices.Contains(from.parts, name) == (name == toggled)
			})))
		}
		return append(ways, of(nil))
	}, run)
	return best.parts, err
}

// keeping returns what keeps the parts of a description with some names.
func keeping(e *dataset.Encoding, names []string) func(*describe.Part) bool {
	return func(p *describe.Part) bool { return slices.Contains(names, train.PartName(e, p)) }
}

// scalings returns the ways to scale rows of numbers. First comes the one that stands: that of columns in different units, or rows as they are. Columns in one unit have a scaling
// beside it, but for a plane or space, whose shapes stay. Bags of words may have rows of one length, and so may more rows than have a view of these.
func scalings(d *dataset.Dataset, r train.Recipe) (ways []way) {
	different, why := units(d)
	add := func(scalings ...points.Standardise) {
		for _, scaling := range scalings {
			one := r
			one.Standardise, one.StandardiseReason = scaling, why
			ways = append(ways, way{name: string(scaling), recipe: one, changes: min(len(ways), 1)})
		}
	}
	if different {
		add(points.Columns)
	} else if add(points.AsIs); why == oneUnit && d.Points.Dim() >= fewestColumns {
		add(points.Columns)
	}
	if !r.RulesOfThumb && (bag(d) || !different && !d.Featureless && d.Points.Dim() > 1 && d.Points.Len() > mostWhole) {
		add(points.UnitNorm)
	}
	return ways
}

// scalingInWords is what labels speak for: rows of one length, or columns of one unit that are scaled.
func scalingInWords(s points.Standardise) string {
	if s == points.UnitNorm {
		return "rows of one length"
	}
	return "scaling each by what it is"
}

// scaled returns the recipe of the preferred of some ways on a sample, and why it has its scaling.
func scaled(ctx context.Context, ways []way, run train.Run) (way, error) {
	best, labels, err := preferred(ctx, ways[0], func(way) []way { return ways[1:] }, run)
	if err != nil || best.changes == 0 || best.sample.Described() {
		return best, err
	}
	by := fmt.Sprintf("%d held-out labels and the graph", labels)
	if best.recipe.Supervised {
		by = fmt.Sprintf("%d held-out labels", labels)
	}
	best.recipe.StandardiseReason += fmt.Sprintf(", but %s speak for %s", by, scalingInWords(best.recipe.Standardise))
	return best, nil
}

// factorable reports whether a table of numbers may be described by its factors. Indicators of categories may not: their noise is of unequal size.
func factorable(d *dataset.Dataset, r train.Recipe) bool {
	if describable(d, r) || !open(r) || !d.OfNumbers() || d.Points.Sparse() || d.Points.Dim() < describe.FewestFactored {
		return false
	}
	return !r.RulesOfThumb && kindOf(r.Kind).cannot == "" && !r.Supervised && !kindOf(r.Kind).functions && r.Kernel == nil
}

// describedNumbers returns a table of numbers as it is described, and the recipe with that description, and with the scaling where there is none. Beside the scalings are its factors, see
// [describe.LearnFactors], and the components of its terms where it has counts of words.
func describedNumbers(ctx context.Context, d *dataset.Dataset, r train.Recipe, run train.Run) (*dataset.Dataset, train.Recipe, error) {
	rows, again := sampled(d, r.Seed)
	sample, ways := d.Subset(rows), scalings(d, r)
	for k := range ways {
		ways[k].sample, ways[k].again = sample, again
	}
	descriptions := [][]string{{describe.Factors}}
	if bag(d) && describe.Counts(d.Points) {
		descriptions = append(descriptions, []string{describe.Latent, describe.RareWords})
	}
	learnt := make(map[string]describe.Description)
	for _, names := range descriptions {
		by, _, err := train.LearnDescription(ctx, d, names, r.Seed)
		if errors.Is(err, train.ErrData) { // nothing is above the noise
			continue
		}
		if err != nil {
			return nil, r, err
		}
		w := way{name: names[0], recipe: r, changes: 1, again: again}
		if w.sample, err = train.Described(ctx, sample, by); err != nil {
			return nil, r, err
		}
		learnt[w.name], ways = by, append(ways, w)
	}
	best, err := scaled(ctx, ways, run)
	if err != nil {
		return nil, r, err
	}
	by, r := learnt[best.name], best.recipe
	if by == nil {
		r.Describe = train.Undescribed
		return d, r, nil
	}
	names := standing(d, by)
	if len(names) > 1 {
		if names, err = partsOf(ctx, best.sample, again, standing(d, by), r, run); err != nil {
			return nil, r, err
		}
	}
	by = describe.Only(by, keeping(d.Encoding, names))
	r.Describe = train.DescribedBy(train.PartNames(d.Encoding, by)...)
	described, err := train.Described(ctx, d, by)
	return described, r, err
}

// sampled returns rows of d that ways are judged on, ascending: the labelled ones, and others drawn by the seed. It reports whether they are enough to ask again
// what few of them prefer. Of a point among many more, few others are near: what serves few points then need not serve all.
func sampled(d *dataset.Dataset, seed uint64) (rows []int, again bool) {
	most := fewPoints
	if again = d.Points.Len() > mostWhole; again {
		most = somePoints
	}
	rows = d.Labelled()
	for _, i := range gram.DrawRows(d.Points.Len(), d.Points.Len(), seed) {
		if len(rows) < most && d.Y[i] == dataset.Unlabelled {
			rows = append(rows, i)
		}
	}
	slices.Sort(rows)
	return rows, again
}
