package blas

import (
	"gonum.org/v1/gonum/blas"

	"lapsvm/internal/vec"
)

// Empty, small and invalid calls go to gonum, which returns or panics as it
// should.

// Sgemm computes C = alpha·op(A)·op(B) + beta·C, op(A) being m×k and op(B)
// k×n.
func (b Implementation) Sgemm(tA, tB blas.Transpose, m, n, k int, alpha float32, a []float32, lda int, x []float32, ldx int, beta float32, c []float32, ldc int) {
	ta, ok1 := isTrans(tA)
	tb, ok2 := isTrans(tB)
	ar, ac := shape(ta, m, k)
	br, bc := shape(tb, k, n)
	if !ok1 || !ok2 || m <= 0 || n <= 0 || k <= 0 || m*n*k < smallProduct || !fits(ar, ac, len(a), lda) || !fits(br, bc, len(x), ldx) || !fits(m, n, len(c), ldc) {
		b.Implementation.Sgemm(tA, tB, m, n, k, alpha, a, lda, x, ldx, beta, c, ldc)
		return
	}
	_ = vec.Gemm(b.context(), ta, tb, m, n, k, alpha, a, lda, x, ldx, beta, c, ldc)
}

// Ssyrk computes one half of C = alpha·op(A)·op(A)ᵀ + beta·C, op(A) being
// n×k.
func (b Implementation) Ssyrk(ul blas.Uplo, tA blas.Transpose, n, k int, alpha float32, a []float32, lda int, beta float32, c []float32, ldc int) {
	trans, ok1 := isTrans(tA)
	up, ok2 := isUpper(ul)
	rows, cols := shape(trans, n, k)
	if !ok1 || !ok2 || n <= 0 || k <= 0 || !fits(rows, cols, len(a), lda) || !fits(n, n, len(c), ldc) {
		b.Implementation.Ssyrk(ul, tA, n, k, alpha, a, lda, beta, c, ldc)
		return
	}
	_ = vec.Syrk(b.context(), up, trans, n, k, alpha, a, lda, beta, c, ldc)
}

// Ssyr2k computes one half of C = alpha·op(A)·op(X)ᵀ + alpha·op(X)·op(A)ᵀ +
// beta·C, op(A) and op(X) being n×k.
func (b Implementation) Ssyr2k(ul blas.Uplo, tA blas.Transpose, n, k int, alpha float32, a []float32, lda int, x []float32, ldx int, beta float32, c []float32, ldc int) {
	trans, ok1 := isTrans(tA)
	up, ok2 := isUpper(ul)
	rows, cols := shape(trans, n, k)
	if !ok1 || !ok2 || n <= 0 || k <= 0 || !fits(rows, cols, len(a), lda) || !fits(rows, cols, len(x), ldx) || !fits(n, n, len(c), ldc) {
		b.Implementation.Ssyr2k(ul, tA, n, k, alpha, a, lda, x, ldx, beta, c, ldc)
		return
	}
	_ = vec.Syr2k(b.context(), up, trans, n, k, alpha, a, lda, x, ldx, beta, c, ldc)
}

// Strsm solves op(A)·X = alpha·B (s = Left) or X·op(A) = alpha·B for a
// triangular A and overwrites the m×n matrix B with X.
func (b Implementation) Strsm(s blas.Side, ul blas.Uplo, tA blas.Transpose, d blas.Diag, m, n int, alpha float32, a []float32, lda int, x []float32, ldx int) {
	trans, ok1 := isTrans(tA)
	up, ok2 := isUpper(ul)
	size := n
	if s == blas.Left {
		size = m
	}
	if !ok1 || !ok2 || s != blas.Left && s != blas.Right || d != blas.Unit && d != blas.NonUnit ||
		m <= 0 || n <= 0 || m*n*size < smallProduct || !fits(size, size, len(a), lda) || !fits(m, n, len(x), ldx) {
		b.Implementation.Strsm(s, ul, tA, d, m, n, alpha, a, lda, x, ldx)
		return
	}
	_ = vec.Trsm(b.context(), s == blas.Left, up, trans, d == blas.Unit, m, n, alpha, a, lda, x, ldx)
}
