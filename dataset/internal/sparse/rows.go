// Package sparse gathers points row by row and chooses at the end how to store
// them.
package sparse

import (
	"math"

	"lapsvm/points"
)

// Rows are rows of points under construction: Index and Value hold the columns
// and the values of all rows, one row after another, and row i ends before
// Ends[i]. Columns ascend in a row.
type Rows struct {
	Ends  []int
	Index []int32
	Value []float64
}

// Add adds a value to the current row, unless it is 0; −0 is kept.
func (r *Rows) Add(column int32, v float64) {
	if math.Float64bits(v) != 0 {
		r.Index, r.Value = append(r.Index, column), append(r.Value, v)
	}
}

// EndRow ends a row and returns the bytes that it takes.
func (r *Rows) EndRow() int {
	from := 0
	if len(r.Ends) > 0 {
		from = r.Ends[len(r.Ends)-1]
	}
	r.Ends = append(r.Ends, len(r.Index))
	return RowBytes(len(r.Index) - from)
}

// RowBytes returns the bytes that a row of so many values takes.
func RowBytes(values int) int {
	const row, value = 16, 12 // its end is copied by CSR
	return row + value*values
}

// Dense reports whether a table of n rows and d columns is dense: at least a tenth of its values
// are stored.
func Dense(stored, n, d int) bool { return float64(stored) >= float64(n)*float64(d)/10 }

// Points returns the rows as a table of d columns: dense when at least a tenth
// of its n·d values are stored, else sparse. A dense one takes at most ten
// times the memory of the stored values.
func (r *Rows) Points(d int) *points.Points {
	if !Dense(len(r.Value), len(r.Ends), d) {
		return r.CSR(d)
	}
	return r.Full(d)
}

// Full returns the rows as a dense table of d columns.
func (r *Rows) Full(d int) *points.Points {
	n := len(r.Ends)
	values := make([]float64, n*d)
	k := 0
	for i, end := range r.Ends {
		row := values[i*d : (i+1)*d]
		for ; k < end; k++ {
			row[r.Index[k]] = r.Value[k]
		}
	}
	return points.Dense(n, d, values)
}

// CSR returns the rows as a sparse table of d columns, however full they are.
func (r *Rows) CSR(d int) *points.Points {
	return points.CSR(d, append([]int{0}, r.Ends...), r.Index, r.Value)
}

// Each calls f for the values stored in row i of p, and for dense rows those
// other than +0, by ascending column.
func Each(p *points.Points, i int, f func(column int32, v float64)) {
	if p.Sparse() {
		index, value := p.SparseRow(i)
		for k, j := range index {
			f(j, value[k])
		}
		return
	}
	for j := range p.Dim() {
		if v := p.At(i, j); math.Float64bits(v) != 0 {
			f(int32(j), v)
		}
	}
}
