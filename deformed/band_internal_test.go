package deformed

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/lapack/lapack64"
)

// For random matrices of all shapes, with more right sides than coordinates among
// them, the corner and the solution are those of the whole matrix.
func TestBand(t *testing.T) {
	rng := rand.New(rand.NewPCG(31, 7))
	for _, shape := range [][2]int{{1, 1}, {1, 3}, {5, 2}, {20, 40}, {31, 1}, {33, 1}, {64, 32}, {65, 32}, {97, 3}, {100, 50}, {130, 41}, {301, 7}} {
		rank, columns := shape[0], shape[1]
		root, right := zeros(rank, rank), make([]float64, rank*columns)
		for i := range root.Data {
			root.Data[i] = rng.NormFloat64()
		}
		for i := range right {
			right[i] = rng.NormFloat64()
		}
		a := blas64.Symmetric{N: rank, Stride: rank, Data: make([]float64, rank*rank), Uplo: blas.Upper}
		blas64.Syrk(blas.NoTrans, 1, root, 0, a)
		kept := slices.Clone(a.Data)
		r, err := reduce(t.Context(), rank, a.Data, columns, right)
		if err != nil {
			t.Fatal(err)
		}
		for _, ratio := range []float64{1e-3, 1, 100} {
			name := fmt.Sprintf("rank %d, %d columns, ρ = %g", rank, columns, ratio)
			whole := blas64.Symmetric{N: rank, Stride: rank, Data: slices.Clone(kept), Uplo: blas.Upper}
			for i := range rank {
				for j := i; j < rank; j++ {
					whole.Data[i*rank+j] *= ratio
				}
				whole.Data[i*rank+i]++
			}
			factor, ok := lapack64.Potrf(whole)
			if !ok {
				t.Fatal(name, "is indefinite")
			}
			want := general(rank, columns, slices.Clone(right))
			lapack64.Potrs(factor, want)
			products := zeros(columns, columns)
			blas64.Gemm(blas.Trans, blas.NoTrans, 1, general(rank, columns, right), want, 0, products)

			l, ok := r.factor(ratio)
			if !ok {
				t.Fatal(name, "is indefinite as a band")
			}
			y, got := r.corner(l), zeros(columns, columns)
			blas64.Gemm(blas.Trans, blas.NoTrans, 1, y, y, 0, got)
			if d := distance(got.Data, products.Data); !(d <= 1e-11) {
				t.Errorf("%s: the corner differs by %.1e", name, d)
			}
			if d := distance(r.solve(l), want.Data); !(d <= 1e-11) {
				t.Errorf("%s: the solution differs by %.1e", name, d)
			}
		}
		if _, ok := r.factor(-1e3); ok {
			t.Errorf("rank %d: an indefinite matrix has a factorization", rank)
		}
	}
}

// distance is ‖x − y‖/‖y‖.
func distance(x, y []float64) float64 {
	d := slices.Clone(x)
	blas64.Axpy(-1, vector(y), vector(d))
	return blas64.Nrm2(vector(d)) / blas64.Nrm2(vector(y))
}
