package lapsvm

import (
	"slices"
	"strconv"

	"lapsvm/dataset"
	"lapsvm/internal/machines/train"
	"lapsvm/internal/system/fault"
	"lapsvm/points"
)

// column is a column of the table that a model was trained on: the features from ≤ j < to.
type column struct {
	name     string
	from, to int
	of       *dataset.Column // nil in a table of numbers alone
	at       int             // of the encoding
}

// field writes for people what a row has in the column.
func (c column) field(e *dataset.Encoding, row []float64) string {
	if c.of == nil {
		return dataset.Brief(row[c.from])
	}
	return e.Field(c.at, row)
}

// typical returns the columns of the table that the model was trained on, and the features of a row in which all are as usual.
// It fails with [ErrData] for a model that does not know them. Of sparse rows without names for their columns 0 is usual where nothing else is known.
func (m *Model) typical(sparse bool) ([]column, []float64, error) {
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
				columns = append(columns, column{c.Name, at, at + width, c, k})
				at += width
			}
		}
		typical := dense(row, 0)
		for _, c := range columns {
			m.setUsual(c, typical)
		}
		return columns, typical, nil
	}
	known := m.profile != nil && len(m.profile.Columns) == m.Dim() && (m.Dim() != 1 || m.profile.Columns[0].Feature == 0)
	if !m.image.None() || m.featureless || m.Kernel().Kind().Given || !known && !sparse {
		return nil, nil, train.OfKind(ErrData, fault.Lacks.Errorf("the model knows no usual values of its %d features, and cannot say which of them decide: ask for the shares of the training points", m.Dim()))
	}
	columns, typical := make([]column, m.Dim()), make([]float64, m.Dim())
	for j := range columns {
		columns[j] = column{strconv.Itoa(j + 1), j, j + 1, nil, 0}
		if m.features != nil {
			columns[j].name = m.features[j]
		}
		if known {
			typical[j] = m.profile.Columns[j].Deciles[5]
		}
	}
	for _, i := range m.importance {
		if j := slices.IndexFunc(columns, func(c column) bool { return c.name == i.Column }); j >= 0 {
			if v, err := strconv.ParseFloat(i.Usual, 64); err == nil {
				typical[j] = v
			}
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
	var rows settings
	for _, c := range columns {
		rows = append(rows, setting{c, typical[c.from:c.to]})
	}
	return rows.of(p, i)
}

// setting sets the features of a column.
type setting struct {
	column
	with []float64
}

type settings []setting

// of returns row i of p once for each setting.
func (s settings) of(p *points.Points, i int) *points.Points {
	d := p.Dim()
	if !p.Sparse() {
		values := make([]float64, len(s)*d)
		for k, c := range s {
			row := values[k*d : (k+1)*d]
			p.CopyRow(row, i)
			copy(row[c.from:c.to], c.with)
		}
		return points.Dense(len(s), d, values)
	}
	index, value := p.SparseRow(i)
	start, indices, all := []int{0}, []int32(nil), []float64(nil)
	for _, c := range s {
		first, _ := slices.BinarySearch(index, int32(c.from))
		last, _ := slices.BinarySearch(index, int32(c.to))
		indices, all = append(indices, index[:first]...), append(all, value[:first]...)
		for j, v := range c.with {
			if v != 0 {
				indices, all = append(indices, int32(c.from+j)), append(all, v)
			}
		}
		indices, all = append(indices, index[last:]...), append(all, value[last:]...)
		start = append(start, len(indices))
	}
	return points.CSR(d, start, indices, all)
}
