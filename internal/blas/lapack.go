package blas

import (
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/lapack/gonum"
)

// LAPACK is gonum's LAPACK with a Cholesky factorization that works by
// halving, so that nearly all of its work is in large products:
//
//	lapack64.Use(blas.LAPACK{})
//
// beside blas64.Use. Gonum's own cuts the matrix into blocks of 64, which keeps
// its products narrow. (Its LU gains nothing from halving: its time is in the
// panels.)
type LAPACK struct{ gonum.Implementation }

// choleskyBase is the size up to which gonum's factorization takes over.
const choleskyBase = 128

// Dpotrf computes the Cholesky factorization A = UᵀU or A = LLᵀ in place and
// reports whether A is positive definite, as gonum's does.
func (l LAPACK) Dpotrf(uplo blas.Uplo, n int, a []float64, lda int) (ok bool) {
	if n <= choleskyBase || lda < n || len(a) < (n-1)*lda+n {
		return l.Implementation.Dpotrf(uplo, n, a, lda)
	}
	const whole = 16 // fills vectors
	n1 := n / 2 / whole * whole
	a22 := a[n1*lda+n1:]
	if !l.Dpotrf(uplo, n1, a, lda) {
		return false
	}
	bi := blas64.Implementation()
	if uplo == blas.Upper {
		a12 := a[n1:]
		bi.Dtrsm(blas.Left, blas.Upper, blas.Trans, blas.NonUnit, n1, n-n1, 1, a, lda, a12, lda)
		bi.Dsyrk(blas.Upper, blas.Trans, n-n1, n1, -1, a12, lda, 1, a22, lda)
	} else {
		a21 := a[n1*lda:]
		bi.Dtrsm(blas.Right, blas.Lower, blas.Trans, blas.NonUnit, n-n1, n1, 1, a, lda, a21, lda)
		bi.Dsyrk(blas.Lower, blas.NoTrans, n-n1, n1, -1, a21, lda, 1, a22, lda)
	}
	return l.Dpotrf(uplo, n-n1, a22, lda)
}
