package linalg

import (
	"cmp"
	"context"
	"math"
	"slices"

	"lapsvm/internal/numbers/vec"
)

// Eigen returns the eigenvalues of a symmetric matrix, the largest first, and its eigenvectors as
// the columns of a matrix in the same order. It reads both halves of a and overwrites them. Errors of
// eigenvalues are rounding of the largest one.
//
// Reflections make the matrix tridiagonal, and QL steps with implicit shifts make it diagonal
// (Golub and Van Loan, "Matrix Computations", 8.3). Cost: about 10·n³ flops, without large products,
// so it is meant for some hundred rows.
func Eigen(ctx context.Context, a Matrix) (values []float64, vectors Matrix, err error) {
	a.mustBePlain("Eigen")
	n := a.Rows
	if a.Cols != n {
		panic("linalg: Eigen of a matrix that is not square")
	}
	diagonal, offDiagonal, basis := tridiagonal(a)
	for first := range n {
		if err := ctx.Err(); err != nil {
			return nil, Matrix{}, err
		}
		const steps = 100 // two are needed, on average
		for range steps {
			end := first
			for end < n-1 && math.Abs(offDiagonal[end]) > 0x1p-52*(math.Abs(diagonal[end])+math.Abs(diagonal[end+1])) {
				end++
			}
			if end == first {
				break
			}
			stepQL(diagonal, offDiagonal, basis, first, end)
		}
	}
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(diagonal[j], diagonal[i]) })
	values, vectors = make([]float64, n), New(n, n)
	for c, k := range order {
		values[c] = diagonal[k]
		for i, x := range basis.Row(k) {
			vectors.Row(i)[c] = x
		}
	}
	return values, vectors, nil
}

// tridiagonal returns the diagonal of a tridiagonal matrix T, the elements beside it, and an orthogonal
// Q with QᵀTQ = A. Row k of A, from the diagonal on, keeps the reflection I − 2vvᵀ that clears it.
func tridiagonal(a Matrix) (diagonal, offDiagonal []float64, q Matrix) {
	n := a.Rows
	diagonal, offDiagonal, q = make([]float64, n), make([]float64, n), New(n, n)
	product := make([]float64, n)
	for k := range n {
		diagonal[k] = a.Row(k)[k]
		v := a.Row(k)[k+1:]
		if len(v) == 0 {
			break
		}
		norm := math.Copysign(Norm(v), -v[0])
		if offDiagonal[k] = norm; norm == 0 {
			continue // v is 0, and reflects nothing
		}
		v[0] -= norm
		vec.Divide(v, Norm(v))
		// The block B below becomes B − 2vwᵀ − 2wvᵀ with w = Bv − (vᵀBv)v.
		w, below := product[k+1:], a.Block(k+1, n-k-1, k+1, n-k-1)
		for i := range v {
			w[i] = vec.Dot(below.Row(i), v)
		}
		vec.Axpy(-vec.Dot(v, w), v, w)
		for i, x := range v {
			row := below.Row(i)
			vec.Axpy(-2*x, w, row)
			vec.Axpy(-2*w[i], v, row)
		}
	}
	for i := range n {
		q.Row(i)[i] = 1
	}
	for k := n - 2; k >= 0; k-- {
		v := a.Row(k)[k+1:]
		for i := k + 1; i < n; i++ {
			row := q.Row(i)[k+1:]
			vec.Axpy(-2*vec.Dot(row, v), v, row)
		}
	}
	return diagonal, offDiagonal, q
}

// stepQL makes one QL step on rows and columns first to end of a tridiagonal matrix, between which no element beside the
// diagonal is negligible. Its shift is the eigenvalue of the first two of them that is closer to the first. It turns
// the rows of the basis alike.
func stepQL(diagonal, offDiagonal []float64, basis Matrix, first, end int) {
	theta := (diagonal[first+1] - diagonal[first]) / (2 * offDiagonal[first])
	shift := diagonal[first] - offDiagonal[first]/(theta+math.Copysign(math.Hypot(theta, 1), theta))
	bulge, last := diagonal[end]-shift, 0.0
	c, s := 1.0, 1.0
	for i := end - 1; i >= first; i-- {
		off, near := s*offDiagonal[i], c*offDiagonal[i]
		length := math.Hypot(off, bulge)
		if offDiagonal[i+1] = length; length == 0 { // the matrix falls apart here
			diagonal[i+1] -= last
			offDiagonal[end] = 0
			return
		}
		s, c = off/length, bulge/length
		rest := diagonal[i+1] - last
		sum := (diagonal[i]-rest)*s + 2*c*near
		last = s * sum
		diagonal[i+1] = rest + last
		bulge = c*sum - near
		rotate(basis.Row(i), basis.Row(i+1), c, s)
	}
	diagonal[first] -= last
	offDiagonal[first], offDiagonal[end] = bulge, 0
}

// rotate turns two rows by a Givens rotation.
func rotate(x, y []float64, c, s float64) {
	y = y[:len(x)]
	for i, u := range x {
		w := y[i]
		x[i], y[i] = c*u-s*w, s*u+c*w
	}
}
