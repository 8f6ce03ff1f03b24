package linalg

import (
	"context"
	"fmt"
	"math"

	"lapsvm/internal/numbers/vec"
)

// The columns of a block of [LU], and how many of them are eliminated one by one.
const (
	luWidth = 64
	luBase  = 8
)

// LU factors a square matrix with partial pivoting, PA = LU, and overwrites it
// by U and, below the diagonal, by L without its ones. P exchanges row i with
// row swaps[i], in the order of i. It is not ok where A is singular: some
// column has no pivot but 0. Cost: ⅔n³ flops.
//
// The columns of a block are copied side by side, eliminated by halving and put
// back; all other work is large products.
func LU(ctx context.Context, a Matrix) (swaps []int, ok bool, err error) {
	a.mustBeSquare("LU")
	n := a.Rows
	swaps = make([]int, n)
	columns := make([]float64, min(luWidth, n)*n)
	for first := 0; first < n; first += luWidth {
		width, below := min(luWidth, n-first), n-first
		p := &luPanel{values: columns[:width*below], rows: below, swaps: swaps[first : first+width]}
		block := a.Block(first, below, first, width)
		p.load(block)
		if ok, err := p.eliminate(ctx, 0, width); !ok || err != nil {
			return nil, false, err
		}
		p.store(block)
		for i := range p.swaps {
			p.swaps[i] += first
			if other := p.swaps[i]; other != first+i {
				x, y := a.Row(first+i), a.Row(other)
				exchangeRows(x[:first], y[:first])
				exchangeRows(x[first+width:], y[first+width:])
			}
		}
		rest := n - first - width
		if rest == 0 {
			break
		}
		u := a.Block(first, width, first+width, rest)
		if err := vec.Trsm(ctx, true, false, false, true, width, rest, 1, block.Data, a.Stride, u.Data, a.Stride); err != nil {
			return nil, false, err
		}
		l := a.Block(first+width, rest, first, width)
		if err := Gemm(ctx, -1, l, u, 1, a.Block(first+width, rest, first+width, rest)); err != nil {
			return nil, false, err
		}
	}
	return swaps, true, ctx.Err()
}

func exchangeRows(x, y []float64) {
	for i, v := range x {
		x[i], y[i] = y[i], v
	}
}

// luPanel is some columns of a matrix, one after the other.
type luPanel struct {
	values []float64
	rows   int
	swaps  []int
}

func (p *luPanel) column(c int) []float64 { return p.values[c*p.rows : (c+1)*p.rows] }

// strip is how many rows are transposed at a time.
const strip = 8

func (p *luPanel) load(a Matrix) {
	for i0 := 0; i0 < p.rows; i0 += strip {
		for c := range a.Cols {
			column := p.values[c*p.rows+i0 : c*p.rows+min(i0+strip, p.rows)]
			for i := range column {
				column[i] = a.Data[(i0+i)*a.Stride+c]
			}
		}
	}
}

func (p *luPanel) store(a Matrix) {
	for i0 := 0; i0 < p.rows; i0 += strip {
		for c := range a.Cols {
			column := p.values[c*p.rows+i0 : c*p.rows+min(i0+strip, p.rows)]
			for i, v := range column {
				a.Data[(i0+i)*a.Stride+c] = v
			}
		}
	}
}

// eliminate factors the columns from ≤ c < to, those before being done.
func (p *luPanel) eliminate(ctx context.Context, from, to int) (ok bool, err error) {
	if to-from <= luBase {
		return p.oneByOne(from, to), ctx.Err()
	}
	middle := (from + to) / 2
	if ok, err := p.eliminate(ctx, from, middle); !ok || err != nil {
		return ok, err
	}
	for c := middle; c < to; c++ { // rows of U
		column := p.column(c)
		for k := from; k < middle; k++ {
			vec.Axpy(-column[k], p.column(k)[k+1:middle], column[k+1:middle])
		}
	}
	all := Matrix{Rows: len(p.swaps), Cols: p.rows, Stride: p.rows, Data: p.values} // the transpose
	l := all.Block(from, middle-from, middle, p.rows-middle)
	u := all.Block(middle, to-middle, from, middle-from)
	if err := Gemm(ctx, -1, u, l, 1, all.Block(middle, to-middle, middle, p.rows-middle)); err != nil {
		return false, err
	}
	return p.eliminate(ctx, middle, to)
}

func (p *luPanel) oneByOne(from, to int) bool {
	for c := from; c < to; c++ {
		column := p.column(c)
		pivot, at := 0.0, c
		for i := c; i < len(column); i++ {
			if v := math.Abs(column[i]); v > pivot {
				pivot, at = v, i
			}
		}
		if !(pivot > 0) {
			return false
		}
		p.swaps[c] = at
		if at != c {
			for k := range len(p.swaps) {
				other := p.column(k)
				other[c], other[at] = other[at], other[c]
			}
		}
		below := column[c+1:]
		for i := range below {
			below[i] /= column[c]
		}
		for k := c + 1; k < to; k++ {
			other := p.column(k)
			vec.Axpy(-other[c], below, other[c+1:])
		}
	}
	return true
}

// LUSolve overwrites x by A⁻¹x, or by A⁻ᵀx where lu is a transpose, for the
// factors and exchanges of [LU]. Cost: 2n² flops.
func LUSolve(lu Matrix, swaps []int, x []float64) {
	if lu.Rows != lu.Cols || len(swaps) != lu.Rows || len(x) != lu.Rows {
		panic(fmt.Sprintf("linalg: LUSolve of %d×%d, %d exchanges, with %d values", lu.Rows, lu.Cols, len(swaps), len(x)))
	}
	if lu.transposed { // Aᵀ = UᵀLᵀP
		lu = lu.T()
		for i := range x {
			row := lu.Row(i)
			x[i] /= row[i]
			vec.Axpy(-x[i], row[i+1:], x[i+1:])
		}
		for i := len(x) - 1; i >= 0; i-- {
			vec.Axpy(-x[i], lu.Row(i)[:i], x[:i])
		}
		for i := len(x) - 1; i >= 0; i-- {
			x[i], x[swaps[i]] = x[swaps[i]], x[i]
		}
		return
	}
	for i, other := range swaps {
		x[i], x[other] = x[other], x[i]
	}
	for i := range x {
		x[i] -= vec.Dot(lu.Row(i)[:i], x[:i])
	}
	solveUpperVector(lu, x)
}
