package lapsvm

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"

	"lapsvm/dataset"
	"lapsvm/internal/machines/drift"
	"lapsvm/internal/machines/modelfile"
	"lapsvm/internal/numbers/parallel"
	"lapsvm/points"
)

// Importance is what a column of the table does to the decisions on training points x, each with the class c that is
// predicted for it:
//
//	Effect   the mean of |f_c(x) − f_c(x')|
//	Changed  the share of points whose x' has another class
//
// where x' has in the column what is usual: see [Explanation]. Curve is the mean decision value of Class if all points had one value in the
// column, for some values of training points: numbers in ascending order, categories the commonest first. It is nil of texts, vectors and what two
// columns tell. Class is the second of two, and else the one whose curve has the widest range. Of several classes at once Effect is the mean over all of them, and
// another class is another set of them. Usual is that value, "" for no word of a text and
// for the mean of vectors.
type Importance = modelfile.Importance

// CurveStep is a point of a curve of [Importance].
type CurveStep = modelfile.CurveStep

// The points and columns that importance is measured on.
const (
	importanceRows    = 200
	importanceColumns = 200  // of a table with more the importance of none is measured
	importanceScores  = 4000 // decision values, at most
)

// Importance returns that of the columns of the table that the model was trained on, the largest effect first. It is
// measured on at most 200 training points. It is nil where points are no rows of a table, where these have more than 200
// columns, and for a model file of an older program. The points are drawn by the seed of the recipe. It must not be changed.
func (m *Model) Importance() []Importance { return m.importance }

// newImportance measures the importance of columns on d, which the model was trained on.
func (m *Model) newImportance(ctx context.Context, d *dataset.Dataset) ([]Importance, error) {
	p := d.AsRead()
	columns, typical, err := m.typical(false)
	if err != nil || p == nil || len(columns) > importanceColumns {
		return nil, nil
	}
	if m.encoding == nil {
		setMedians(ctx, p, typical)
	}
	all, counts := make([]Importance, len(columns)), valueCounts(p, columns)
	for k, c := range columns {
		all[k] = Importance{Column: c.name, Usual: c.usual(counts, typical)}
	}
	sample := drift.Sample(p.Len())
	var rows []int
	for _, k := range rand.New(rand.NewPCG(m.recipe.Seed, 34)).Perm(len(sample))[:min(len(sample), importanceRows, importanceScores/len(columns))] {
		rows = append(rows, sample[k])
	}
	slices.Sort(rows)
	p = p.Subset(rows)
	asIs := []column{{}}
	for i := range p.Len() {
		scores, err := m.Scores(ctx, replaced(p, i, slices.Concat(asIs, columns), typical))
		if errors.Is(err, ErrData) { // a value that is not finite
			return nil, nil
		}
		if err != nil {
			return nil, err
		}
		has := m.predictor.Has(scores)
		of := m.about(has[0])
		for k := range columns {
			for _, c := range of {
				all[k].Effect += math.Abs(scores[0][c]-scores[k+1][c]) / float64(len(of)*p.Len())
			}
			if !slices.Equal(has[k+1], has[0]) {
				all[k].Changed++
			}
		}
	}
	for k := range all {
		all[k].Changed /= float64(p.Len())
	}
	if err := m.addCurves(ctx, d.AsRead().Subset(sample), p, columns, counts, all); err != nil && !errors.Is(err, ErrData) {
		return nil, err
	}
	slices.SortStableFunc(all, func(a, b Importance) int { return cmp.Compare(b.Effect, a.Effect) })
	return all, nil
}

// setMedians sets the median of each column of all points, as it is written.
func setMedians(ctx context.Context, p *points.Points, typical []float64) {
	const together = 8 // columns in a pass over the points
	row, values := make([]float64, p.Dim()), make([][]float64, min(together, p.Dim()))
	for k := range values {
		values[k] = make([]float64, p.Len())
	}
	for first := 0; first < p.Dim() && ctx.Err() == nil; first += together {
		some := values[:min(together, p.Dim()-first)]
		for i := range p.Len() {
			p.CopyRow(row, i)
			for k := range some {
				some[k][i] = row[first+k]
			}
		}
		parallel.Do(ctx, len(some), func(_, k int) {
			low, high := ranked(some[k], (p.Len()-1)/2), ranked(some[k], p.Len()/2)
			typical[first+k], _ = strconv.ParseFloat(fmt.Sprintf("%.6g", low/2+high/2), 64)
		})
	}
}

// ranked returns the value with so many others before it in ascending order (Hoare, "Algorithm 65: Find", 1961). It reorders the values. Cost: time that grows with their number, in the mean.
func ranked(values []float64, before int) float64 {
	from, to := 0, len(values)-1
	for from < to {
		pivot := values[from+(to-from)/2]
		i, j := from, to
		for i <= j {
			for values[i] < pivot {
				i++
			}
			for values[j] > pivot {
				j--
			}
			if i <= j {
				values[i], values[j] = values[j], values[i]
				i, j = i+1, j-1
			}
		}
		switch {
		case before <= j:
			to = j
		case before >= i:
			from = i
		default:
			return values[before]
		}
	}
	return values[before]
}

// valueCounts returns, for each feature of a category, how many of all points have that value.
func valueCounts(p *points.Points, columns []column) []int {
	counts, row := make([]int, p.Dim()), p.Scratch(1)
	of := make([]bool, p.Dim())
	for _, c := range columns {
		if c.of != nil && c.of.Kind == dataset.Category {
			for j := c.from; j < c.to; j++ {
				of[j] = true
			}
		}
	}
	if !slices.Contains(of, true) {
		return counts
	}
	for i := range p.Len() {
		if p.Sparse() {
			index, value := p.SparseRow(i)
			for k, j := range index {
				if of[j] && value[k] != 0 {
					counts[j]++
				}
			}
			continue
		}
		for j, v := range p.Row(i, row) {
			if of[j] && v != 0 {
				counts[j]++
			}
		}
	}
	return counts
}

// usual writes what is usual in a column. Of a category that is the value of the most points by these counts, whose
// feature it sets in a typical row.
func (c column) usual(counts []int, typical []float64) string {
	switch e := c.of; {
	case e == nil:
		return fmt.Sprintf("%.6g", typical[c.from])
	case e.Kind == dataset.Category:
		count := counts[c.from : c.from+len(e.Values)]
		most := slices.Index(count, slices.Max(count))
		typical[c.from+most] = 1
		return e.Values[most]
	case !e.Valued():
		return ""
	default:
		return cmp.Or(e.Text(e.Fill), fmt.Sprintf("%.6g", e.Fill))
	}
}
