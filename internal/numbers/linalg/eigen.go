package linalg

import (
	"context"
	"math"
	"slices"
)

// Eigen returns the eigenvalues of a symmetric matrix, the largest first, and its eigenvectors as
// the columns of a matrix in the same order. It reads both halves of a and overwrites them. It
// works by Jacobi's rotations, in rounds through all pairs, until they change nothing in double
// precision. Cost: about 100·n³ flops, so it is meant for some hundred rows.
func Eigen(ctx context.Context, a Matrix) (values []float64, vectors Matrix, err error) {
	a.mustBePlain("Eigen")
	n := a.Rows
	if a.Cols != n {
		panic("linalg: Eigen of a matrix that is not square")
	}
	v := New(n, n) // eigenvectors as rows
	for i := range n {
		v.Row(i)[i] = 1
	}
	const rounds = 60 // some ten are needed
	for range rounds {
		if err := ctx.Err(); err != nil {
			return nil, Matrix{}, err
		}
		rotated := false
		for p := range n {
			for q := p + 1; q < n; q++ {
				rotated = rotate(a, v, p, q) || rotated
			}
		}
		if !rotated {
			break
		}
	}
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int {
		switch x, y := a.Row(i)[i], a.Row(j)[j]; {
		case x > y:
			return -1
		case x < y:
			return 1
		}
		return 0
	})
	values, vectors = make([]float64, n), New(n, n)
	for c, k := range order {
		values[c] = a.Row(k)[k]
		for i, x := range v.Row(k) {
			vectors.Row(i)[c] = x
		}
	}
	return values, vectors, nil
}

// rotate makes a_pq zero by a rotation of the rows and columns p and q, unless it is so small that
// it changes neither diagonal element.
func rotate(a, v Matrix, p, q int) bool {
	x, y := a.Row(p), a.Row(q)
	off, app, aqq := x[q], x[p], y[q]
	if small := 0x1p-54 * math.Sqrt(math.Abs(app)) * math.Sqrt(math.Abs(aqq)); math.Abs(off) <= small {
		return false
	}
	theta := (aqq - app) / (2 * off)
	t := 1 / (math.Abs(theta) + math.Sqrt(theta*theta+1))
	if theta < 0 {
		t = -t
	}
	c := 1 / math.Sqrt(t*t+1)
	s := t * c
	turn(x, y, c, s)
	for i := range a.Rows {
		row := a.Row(i)
		row[p], row[q] = c*row[p]-s*row[q], s*row[p]+c*row[q]
	}
	x[p], y[q], x[q], y[p] = app-t*off, aqq+t*off, 0, 0
	turn(v.Row(p), v.Row(q), c, s)
	return true
}

// turn rotates two rows.
func turn(x, y []float64, c, s float64) {
	y = y[:len(x)]
	for i, u := range x {
		w := y[i]
		x[i], y[i] = c*u-s*w, s*u+c*w
	}
}
