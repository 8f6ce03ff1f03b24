// Package points holds tables of points: n rows of d numbers. A table stores dense rows of
// float64, float32 or bytes, or compressed sparse rows (CSR). A table is immutable, so it can be
// shared between goroutines and models.
//
// The package also computes blocks of inner products and distances between the rows of two
// tables ([Points.Dots], [Points.Pairs]), from which kernels and graphs are built, and scales
// tables ([Scaling]).
package points

import (
	"fmt"
	"math"
	"slices"

	"lapsvm/internal/numbers/vec"
)

// Points is an immutable n×d table, dense or CSR. Its values are read as float64, whatever their
// storage. The zero value is a table without rows and columns.
type Points struct {
	n, d   int
	dense          // n·d values, row after row; none when sparse
	start  []int   // n+1 offsets into index and value; nil when dense
	index  []int32 // column of each stored value, ascending within a row
	value  []float64
	square []float64 // ‖x_i‖² for every row
}

// MaxSparseColumns is the largest number of columns of a sparse table that is read from a file.
// The length of a file does not bound that number. With so many columns a dense row takes
// 512 MiB.
const MaxSparseColumns = 1 << 26

// CSR makes a sparse table of n = len(start)−1 rows and d columns. Row i holds the values
// value[start[i]:start[i+1]] in the columns index[start[i]:start[i+1]], which must ascend
// strictly. The table keeps the slices: the caller must not change them afterwards. CSR panics
// if the slices do not describe such a table.
func CSR(d int, start []int, index []int32, value []float64) *Points {
	n := len(start) - 1
	if n < 0 || d < 0 || start[0] != 0 || start[n] != len(index) || len(index) != len(value) {
		panic("points: CSR: offsets, indices and values do not fit together")
	}
	for i := range n {
		if start[i] > start[i+1] {
			panic(fmt.Sprintf("points: CSR: row %d ends before it starts", i))
		}
	}
	p := &Points{n: n, d: d, start: start, index: index, value: value, square: make([]float64, n)}
	for i := range p.square {
		last := int32(-1)
		for _, j := range index[start[i]:start[i+1]] {
			if j <= last || int(j) >= d {
				panic(fmt.Sprintf("points: CSR: row %d: column %d after column %d of %d", i, j, last, d))
			}
			last = j
		}
		p.square[i] = square(value[start[i]:start[i+1]])
	}
	return p
}

// square returns ‖x‖².
func square(x []float64) float64 { return vec.Dot(x, x) }

// Len returns the number of rows, n.
func (p *Points) Len() int { return p.n }

// Dim returns the number of columns, d.
func (p *Points) Dim() int { return p.d }

// Sparse reports whether the table is stored as CSR.
func (p *Points) Sparse() bool { return p.start != nil }

// Stored returns the number of values held in memory: n·d for dense rows, the
// number of entries for CSR.
func (p *Points) Stored() int {
	if p.Sparse() {
		return len(p.value)
	}
	return p.n * p.d
}

// Bytes returns the memory of the table.
func (p *Points) Bytes() int64 {
	bytes := 8*int64(len(p.square)+len(p.start)+len(p.value)) + 4*int64(len(p.index))
	if !p.Sparse() {
		bytes += p.dense.bytes()
	}
	return bytes
}

// Squares returns ‖x_i‖² for every row. The slice must not be changed.
func (p *Points) Squares() []float64 { return p.square }

// SparseRow returns the columns and values stored for row i of a sparse table,
// without copying. They must not be changed. It panics for a dense table.
func (p *Points) SparseRow(i int) (index []int32, value []float64) {
	if !p.Sparse() {
		panic("points: SparseRow of a dense table")
	}
	a, b := p.start[i], p.start[i+1]
	return p.index[a:b], p.value[a:b]
}

// CopyRow writes row i into dst, which has d elements, zeros included.
func (p *Points) CopyRow(dst []float64, i int) {
	if len(dst) != p.d {
		panic(fmt.Sprintf("points: CopyRow into %d elements of a table with %d columns", len(dst), p.d))
	}
	if !p.Sparse() {
		if row := p.Row(i, dst); p.aliased() {
			copy(dst, row)
		}
		return
	}
	clear(dst)
	index, value := p.SparseRow(i)
	for k, j := range index {
		dst[j] = value[k]
	}
}

// EqualRows reports whether rows i and j have the same values; stored zeros are
// zeros, and −0 equals 0.
func (p *Points) EqualRows(i, j int) bool {
	if !p.Sparse() {
		return p.equalRows(i, j)
	}
	xi, xv := p.SparseRow(i)
	yi, yv := p.SparseRow(j)
	for a, b := 0, 0; a < len(xi) || b < len(yi); {
		var x, y float64
		switch {
		case b == len(yi) || a < len(xi) && xi[a] < yi[b]:
			x = xv[a]
			a++
		case a == len(xi) || yi[b] < xi[a]:
			y = yv[b]
			b++
		default:
			x, y = xv[a], yv[b]
			a++
			b++
		}
		if x != y {
			return false
		}
	}
	return true
}

// Equal reports whether p and q are stored alike and have the same rows.
func (p *Points) Equal(q *Points) bool {
	if p.n != q.n || p.d != q.d || p.storage != q.storage || p.Sparse() != q.Sparse() {
		return false
	}
	if p.Sparse() {
		return slices.Equal(p.start, q.start) && slices.Equal(p.index, q.index) && slices.Equal(p.value, q.value)
	}
	room, other := p.Scratch(1), q.Scratch(1)
	for i := range p.n {
		if !slices.Equal(p.Row(i, room), q.Row(i, other)) {
			return false
		}
	}
	return true
}

// Subset returns a table with copies of the given rows, in the given order. A row may be given
// more than once.
func (p *Points) Subset(rows []int) *Points {
	if !p.Sparse() {
		return p.subset(rows)
	}
	start := make([]int, len(rows)+1)
	for k, i := range rows {
		start[k+1] = start[k] + p.start[i+1] - p.start[i]
	}
	index := make([]int32, 0, start[len(rows)])
	value := make([]float64, 0, start[len(rows)])
	for _, i := range rows {
		in, va := p.SparseRow(i)
		index, value = append(index, in...), append(value, va...)
	}
	return CSR(p.d, start, index, value)
}

// Slice returns the rows from ≤ i < to of a table, which share its memory.
func (p *Points) Slice(from, to int) *Points {
	q := *p
	q.n, q.square = to-from, p.square[from:to]
	if !p.Sparse() {
		q.dense = p.dense.slice(p.d, from, to)
		return &q
	}
	q.start = make([]int, to-from+1)
	for k := range q.start {
		q.start[k] = p.start[from+k] - p.start[from]
	}
	q.index, q.value = p.index[p.start[from]:p.start[to]], p.value[p.start[from]:p.start[to]]
	return &q
}

// Widen returns a sparse table with d columns in place of fewer; the new
// columns are empty. It shares the rows with p. It panics for a dense table
// and when d is smaller than the present number of columns.
func (p *Points) Widen(d int) *Points {
	if !p.Sparse() || d < p.d {
		panic(fmt.Sprintf("points: Widen of %d columns to %d", p.d, d))
	}
	q := *p
	q.d = d
	return &q
}

// FirstNotFinite returns the row and column of the first NaN or infinity in the table. found is
// false where all values are finite.
func (p *Points) FirstNotFinite() (row, col int, found bool) {
	if !p.Sparse() {
		if p.storage == Uint8 && (p.scaled == nil || p.scaled.norm != nil) { // bytes are finite, also divided by the length of their row
			return 0, 0, false
		}
		scratch := p.Scratch(1)
		for i := range p.n {
			for j, v := range p.Row(i, scratch) {
				if v-v != 0 { // NaN of what is not finite
					return i, j, true
				}
			}
		}
		return 0, 0, false
	}
	for i := range p.n {
		index, value := p.SparseRow(i)
		for k, v := range value {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return i, int(index[k]), true
			}
		}
	}
	return 0, 0, false
}

// meanPieces is the number of parts of a table that Mean sums apart, which keeps the rounding
// errors of many rows small.
const meanPieces = 16

// Mean returns the mean of every column, d values; zeros for an empty table.
func (p *Points) Mean() []float64 {
	mean, sum, scratch := make([]float64, p.d), make([]float64, p.d), p.Scratch(1)
	for piece := range meanPieces {
		clear(sum)
		for i := piece * p.n / meanPieces; i < (piece+1)*p.n/meanPieces; i++ {
			if !p.Sparse() {
				vec.Axpy(1, p.Row(i, scratch), sum)
				continue
			}
			index, value := p.SparseRow(i)
			for k, j := range index {
				sum[j] += value[k]
			}
		}
		vec.Axpy(1, sum, mean)
	}
	for j := range mean {
		mean[j] /= float64(max(p.n, 1))
	}
	return mean
}
