package lapsvm

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strconv"

	"lapsvm/dataset"
	"lapsvm/internal/machines/train"
	"lapsvm/internal/system/fault"
	"lapsvm/points"
)

// Effect is what a column of the table does to the decision value of a point:
//
//	f(x) − f(x')
//
// where x' has in the column what is usual. That is the median of numbers and dates, the commonest value of a
// category, the more frequent of two words, the mean of vectors, and no word of a text.
type Effect struct {
	Column string // its name, or its number from 1
	Value  float64
}

// column is a column of the table that a model was trained on: the features from ≤ j < to.
type column struct {
	name     string
	from, to int
	of       *dataset.Column // nil in a table of numbers alone
}

// effects fills in the effects of all columns for explained points, given as the model takes them. It fails
// with [ErrData] for a model that does not know what stands for a missing value, as of pictures. Cost: the
// decision value of a point for each column.
func (m *Model) effects(ctx context.Context, p *points.Points, all []Explanation) error {
	columns, typical, err := m.typical()
	if err != nil {
		return err
	}
	asIs := []column{{}}
	var scores [][]float64 // of a point, which several explanations may be of
	for i := range all {
		e := &all[i]
		if i == 0 || e.Point != all[i-1].Point {
			if scores, err = m.Scores(ctx, replaced(p, e.Point, slices.Concat(asIs, columns), typical)); err != nil {
				return err
			}
		}
		for k, c := range columns {
			e.Effects = append(e.Effects, Effect{c.name, scores[0][e.Class] - scores[k+1][e.Class]})
		}
		slices.SortStableFunc(e.Effects, func(a, b Effect) int { return cmp.Compare(math.Abs(b.Value), math.Abs(a.Value)) })
	}
	return nil
}

// typical returns the columns of the table that the model was trained on, and the features of a row in which all are as usual.
func (m *Model) typical() ([]column, []float64, error) {
	if m.encoding.Learnt() {
		row, err := m.encoding.MissingRow()
		if err != nil {
			return nil, nil, err
		}
		var columns []column
		at := 0
		for k := range m.encoding.Columns {
			c := &m.encoding.Columns[k]
			if width := c.Width(); width > 0 {
				columns = append(columns, column{c.Name, at, at + width, c})
				at += width
			}
		}
		typical := make([]float64, row.Dim())
		row.CopyRow(typical, 0)
		for _, c := range columns {
			m.setUsual(c, typical)
		}
		return columns, typical, nil
	}
	if !m.image.None() || m.profile == nil || len(m.profile.Columns) != m.Dim() {
		return nil, nil, train.OfKind(ErrData, fault.Lacks.Errorf("effects are of the columns of a table, and the model knows no typical values of its %d features: explain without effects", m.Dim()))
	}
	columns, typical := make([]column, m.Dim()), make([]float64, m.Dim())
	for _, c := range m.profile.Columns {
		j := c.Feature
		columns[j], typical[j] = column{strconv.Itoa(j + 1), j, j + 1, nil}, c.Deciles[5]
		if m.features != nil {
			columns[j].name = m.features[j]
		}
	}
	return columns, typical, nil
}

// setUsual sets the feature of the commonest value of a category in a typical row. The file of an older program does not
// know it: there no value of the category is usual.
func (m *Model) setUsual(c column, typical []float64) {
	k := slices.IndexFunc(m.importance, func(i Importance) bool { return i.Column == c.name })
	if c.of.Kind == dataset.Category && k >= 0 {
		if value := slices.Index(c.of.Values, m.importance[k].Usual); value >= 0 {
			typical[c.from+value] = 1
		}
	}
}

// replaced returns row i of p once for each column, with the typical features of that column.
func replaced(p *points.Points, i int, columns []column, typical []float64) *points.Points {
	d := p.Dim()
	if !p.Sparse() {
		values := make([]float64, len(columns)*d)
		for k, c := range columns {
			row := values[k*d : (k+1)*d]
			p.CopyRow(row, i)
			copy(row[c.from:c.to], typical[c.from:c.to])
		}
		return points.Dense(len(columns), d, values)
	}
	index, value := p.SparseRow(i)
	start, indices, all := []int{0}, []int32(nil), []float64(nil)
	for _, c := range columns {
		first, _ := slices.BinarySearch(index, int32(c.from))
		last, _ := slices.BinarySearch(index, int32(c.to))
		indices, all = append(indices, index[:first]...), append(all, value[:first]...)
		for j := c.from; j < c.to; j++ {
			if typical[j] != 0 {
				indices, all = append(indices, int32(j)), append(all, typical[j])
			}
		}
		indices, all = append(indices, index[last:]...), append(all, value[last:]...)
		start = append(start, len(indices))
	}
	return points.CSR(d, start, indices, all)
}
