package points

import (
	"math"
	"slices"
)

// Largest is the largest magnitude that a value may have for distances to be computed. Least is
// the smallest magnitude that the largest value of a table may have, unless all values are 0.
// Beyond them differences, and sums of differences, leave the range of float64.
const (
	Largest = 0x1p1000
	Least   = 0x1p-1000
)

// plainSquare is the largest squared norm of points whose squared distances are computed
// directly, and 1/plainSquare the least such squared distance.
const plainSquare = 0x1p900

// LargestValue returns the value of the largest magnitude, the first of equals, with its row and
// column. The value is 0 for an empty table.
func (p *Points) LargestValue() (row, col int, value float64) {
	take := func(i, j int, v float64) {
		if math.Abs(v) > math.Abs(value) {
			row, col, value = i, j, v
		}
	}
	scratch := p.Scratch(1)
	for i := range p.n {
		if !p.Sparse() {
			for j, v := range p.Row(i, scratch) {
				take(i, j, v)
			}
			continue
		}
		index, values := p.SparseRow(i)
		for k, v := range values {
			take(i, int(index[k]), v)
		}
	}
	return row, col, value
}

// Plain returns a table whose squared distances are in the range of float64. They are those of p
// times the square of a power of two. Plain usually returns p itself. Else the points are
// multiplied by that power, and dense points are also moved. Distances below 2⁻⁵⁰⁰ of the
// largest may become 0. Cost: little where the result is p, else two passes over p.
func (p *Points) Plain() *Points {
	if p.n == 0 || p.d == 0 || p.squaresArePlain() && p.distancesArePlain() {
		return p
	}
	low, span := make([]float64, p.d), 0.0
	if p.Sparse() {
		_, _, v := p.LargestValue()
		span = math.Abs(v)
	} else {
		p.CopyRow(low, 0)
		high, scratch := slices.Clone(low), p.Scratch(1)
		for i := range p.n {
			for j, v := range p.Row(i, scratch) {
				low[j], high[j] = min(low[j], v), max(high[j], v)
			}
		}
		for j := range high {
			span = max(span, high[j]-low[j])
		}
	}
	if span == 0 || math.IsInf(span, 0) || math.IsNaN(span) || p.squaresArePlain() && span*span > 1/plainSquare {
		return p
	}
	_, exponent := math.Frexp(span)
	if p.Sparse() {
		values := make([]float64, len(p.value))
		for k, v := range p.value {
			values[k] = math.Ldexp(v, -exponent)
		}
		return CSR(p.d, p.start, p.index, values)
	}
	values, scratch := make([]float64, p.n*p.d), p.Scratch(1)
	for i := range p.n {
		for j, v := range p.Row(i, scratch) {
			values[i*p.d+j] = math.Ldexp(v-low[j], -exponent)
		}
	}
	return Dense(p.n, p.d, values)
}

func (p *Points) squaresArePlain() bool {
	return !slices.ContainsFunc(p.square, func(v float64) bool { return !(v <= plainSquare) })
}

// distancesArePlain reports whether one of a few points is far enough from the first.
func (p *Points) distancesArePlain() bool {
	for i := 1; i < p.n; i += max(1, p.n/16) {
		if p.SquaredDistance(0, p, i) > 1/plainSquare {
			return true
		}
	}
	return false
}

// Differences appends x_k − y_k to dst, in the order of the columns k, for x row i of p and y row
// j of q. It leaves out columns that neither row stores. It panics when the numbers of columns
// differ.
func (p *Points) Differences(dst []float64, i int, q *Points, j int) []float64 {
	checkPairs("Differences", p, q, 1, 1, 1, 1)
	switch {
	case !p.Sparse() && !q.Sparse():
		w := borrow(p.scratch(1) + q.scratch(1))
		defer giveBack(w)
		x, y := p.Row(i, *w), q.Row(j, (*w)[p.scratch(1):])
		for k, v := range x {
			dst = append(dst, v-y[k])
		}
		return dst
	case !p.Sparse() || !q.Sparse():
		x, y := make([]float64, p.d), make([]float64, p.d)
		p.CopyRow(x, i)
		q.CopyRow(y, j)
		return Dense(1, p.d, x).Differences(dst, 0, Dense(1, p.d, y), 0)
	}
	xi, xv := p.SparseRow(i)
	yi, yv := q.SparseRow(j)
	for a, b := 0, 0; a < len(xi) || b < len(yi); {
		switch {
		case b == len(yi) || a < len(xi) && xi[a] < yi[b]:
			dst = append(dst, xv[a])
			a++
		case a == len(xi) || yi[b] < xi[a]:
			dst = append(dst, -yv[b])
			b++
		default:
			dst = append(dst, xv[a]-yv[b])
			a++
			b++
		}
	}
	return dst
}
