package linalg

import (
	"fmt"

	"lapsvm/internal/numbers/vec"
)

// BandSolve overwrites B by (LLᵀ)⁻¹B for a lower triangular band matrix L of n rows. Row i of the
// n×(width + 1) matrix l is L_i,i−width, …, L_ii; elements left of the first column are ignored.
// Rows of zeros that B begins with stay so for the first half of the work.
// Cost: 4·n·width flops per column of B.
func BandSolve(l, b Matrix) {
	l.mustBePlain("BandSolve")
	b.mustBePlain("BandSolve")
	if l.Rows != b.Rows || l.Cols < 1 {
		panic(fmt.Sprintf("linalg: BandSolve of %d×%d with %d×%d", l.Rows, l.Cols, b.Rows, b.Cols))
	}
	if b.Cols == 0 {
		return
	}
	width, sums := l.Cols-1, make([]float64, b.Cols)
	band := func(i int) (from int, row []float64, diagonal float64) {
		from = max(0, i-width)
		row = l.Row(i)
		return from, row[width-(i-from) : width], row[width]
	}
	first := 0
	for first < b.Rows && isZero(b.Row(first)) {
		first++
	}
	for i := first; i < b.Rows; i++ {
		from, row, diagonal := band(i)
		x := b.Row(i)
		subtract(x, b.Block(from, i-from, 0, b.Cols), row, sums)
		for c := range x {
			x[c] /= diagonal
		}
	}
	for i := b.Rows - 1; i >= 0; i-- {
		from, row, diagonal := band(i)
		x := b.Row(i)
		for c := range x {
			x[c] /= diagonal
		}
		if len(row) > 0 {
			vec.Ger(len(row), len(x), -1, row, 1, x, b.Data[from*b.Stride:], b.Stride)
		}
	}
}

// isZero reports whether all of x is 0.
func isZero(x []float64) bool {
	for _, v := range x {
		if v != 0 {
			return false
		}
	}
	return true
}

// subtract takes Aᵀx from y; sums is scratch of the length of y.
func subtract(y []float64, a Matrix, x, sums []float64) {
	if len(x) == 0 || len(y) == 0 {
		return
	}
	clear(sums)
	vec.MulTileTrans(len(x), len(y), a.Data, a.Stride, sums, x)
	for i, v := range sums {
		y[i] -= v
	}
}
