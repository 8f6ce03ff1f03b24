package blas

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/lapack/gonum"
)

// The factorization is gonum's, up to rounding, for all sizes and strides.
func TestCholesky(t *testing.T) {
	for _, n := range []int{1, 2, 17, 64, 127, 128, 129, 200, 257, 400} {
		lda := n + n%3
		spd := make([]float64, n*lda)
		for i := range n {
			for j := range n {
				spd[i*lda+j] = math.Exp(-math.Abs(float64(i-j))) * (1 + 0.1*float64((i+j)%2))
			}
			spd[i*lda+i] += 3
		}
		for i := range n {
			for j := range i {
				spd[i*lda+j] = spd[j*lda+i]
			}
		}
		for _, uplo := range []blas.Uplo{blas.Upper, blas.Lower} {
			got, want := slices.Clone(spd), slices.Clone(spd)
			ok, wantOK := LAPACK{}.Dpotrf(uplo, n, got, lda), gonum.Implementation{}.Dpotrf(uplo, n, want, lda)
			if ok != wantOK || !ok {
				t.Fatalf("n = %d: positive definite %v, gonum says %v", n, ok, wantOK)
			}
			compare(t, n, got, want)
			spoilt := slices.Clone(spd)
			spoilt[(n-1)*lda+n-1] = -1
			if (LAPACK{}).Dpotrf(uplo, n, spoilt, lda) {
				t.Errorf("n = %d: an indefinite matrix passes", n)
			}
		}
	}
}

func compare(t *testing.T, n int, got, want []float64) {
	t.Helper()
	for i := range want {
		if !(math.Abs(got[i]-want[i]) <= 1e-9*(1+math.Abs(want[i]))) {
			t.Fatalf("n = %d: element %d is %v, gonum has %v", n, i, got[i], want[i])
		}
	}
}
