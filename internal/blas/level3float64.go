package blas

import (
	"gonum.org/v1/gonum/blas"

	"lapsvm/internal/vec"
)

// Empty, small and invalid calls go to gonum, which returns or panics as it
// should.

// Dgemm computes C = alpha·op(A)·op(B) + beta·C, op(A) being m×k and op(B)
// k×n.
func (b Implementation) Dgemm(tA, tB blas.Transpose, m, n, k int, alpha float64, a []float64, lda int, x []float64, ldx int, beta float64, c []float64, ldc int) {
	ta, ok1 := isTrans(tA)
	tb, ok2 := isTrans(tB)
	ar, ac := shape(ta, m, k)
	br, bc := shape(tb, k, n)
	if !ok1 || !ok2 || m <= 0 || n <= 0 || k <= 0 || m*n*k < smallProduct || !fits(ar, ac, len(a), lda) || !fits(br, bc, len(x), ldx) || !fits(m, n, len(c), ldc) {
		b.Implementation.Dgemm(tA, tB, m, n, k, alpha, a, lda, x, ldx, beta, c, ldc)
		return
	}
	_ = vec.Gemm(b.context(), ta, tb, m, n, k, alpha, a, lda, x, ldx, beta, c, ldc)
}

// Dsyrk computes one half of C = alpha·op(A)·op(A)ᵀ + beta·C, op(A) being
// n×k.
func (b Implementation) Dsyrk(ul blas.Uplo, tA blas.Transpose, n, k int, alpha float64, a []float64, lda int, beta float64, c []float64, ldc int) {
	trans, ok1 := isTrans(tA)
	up, ok2 := isUpper(ul)
	rows, cols := shape(trans, n, k)
	if !ok1 || !ok2 || n <= 0 || k <= 0 || !fits(rows, cols, len(a), lda) || !fits(n, n, len(c), ldc) {
		b.Implementation.Dsyrk(ul, tA, n, k, alpha, a, lda, beta, c, ldc)
		return
	}
	_ = vec.Syrk(b.context(), up, trans, n, k, alpha, a, lda, beta, c, ldc)
}

// Dsyr2k computes one half of C = alpha·op(A)·op(X)ᵀ + alpha·op(X)·op(A)ᵀ +
// beta·C, op(A) and op(X) being n×k.
func (b Implementation) Dsyr2k(ul blas.Uplo, tA blas.Transpose, n, k int, alpha float64, a []float64, lda int, x []float64, ldx int, beta float64, c []float64, ldc int) {
	trans, ok1 := isTrans(tA)
	up, ok2 := isUpper(ul)
	rows, cols := shape(trans, n, k)
	if !ok1 || !ok2 || n <= 0 || k <= 0 || !fits(rows, cols, len(a), lda) || !fits(rows, cols, len(x), ldx) || !fits(n, n, len(c), ldc) {
		b.Implementation.Dsyr2k(ul, tA, n, k, alpha, a, lda, x, ldx, beta, c, ldc)
		return
	}
	_ = vec.Syr2k(b.context(), up, trans, n, k, alpha, a, lda, x, ldx, beta, c, ldc)
}

// Dtrsm solves op(A)·X = alpha·B (s = Left) or X·op(A) = alpha·B for a
// triangular A and overwrites the m×n matrix B with X.
func (b Implementation) Dtrsm(s blas.Side, ul blas.Uplo, tA blas.Transpose, d blas.Diag, m, n int, alpha float64, a []float64, lda int, x []float64, ldx int) {
	trans, ok1 := isTrans(tA)
	up, ok2 := isUpper(ul)
	size := n
	if s == blas.Left {
		size = m
	}
	if !ok1 || !ok2 || s != blas.Left && s != blas.Right || d != blas.Unit && d != blas.NonUnit ||
		m <= 0 || n <= 0 || m*n*size < smallProduct || !fits(size, size, len(a), lda) || !fits(m, n, len(x), ldx) {
		b.Implementation.Dtrsm(s, ul, tA, d, m, n, alpha, a, lda, x, ldx)
		return
	}
	_ = vec.Trsm(b.context(), s == blas.Left, up, trans, d == blas.Unit, m, n, alpha, a, lda, x, ldx)
}
