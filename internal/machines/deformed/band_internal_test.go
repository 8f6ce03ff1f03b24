package deformed

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"lapsvm/internal/numbers/linalg"
)

// For random matrices of all shapes, with more right sides than coordinates among
// them, the corner and the solution are those of the whole matrix.
func TestBand(t *testing.T) {
	rng := rand.New(rand.NewPCG(31, 7))
	ctx := t.Context()
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, shape := range [][2]int{{1, 1}, {1, 3}, {5, 2}, {20, 40}, {31, 1}, {33, 1}, {64, 32}, {65, 32}, {97, 3}, {100, 50}, {130, 41}, {301, 7}} {
		rank, columns := shape[0], shape[1]
		root, right := linalg.New(rank, rank), linalg.New(rank, columns)
		for i := range root.Data {
			root.Data[i] = rng.NormFloat64()
		}
		for i := range right.Data {
			right.Data[i] = rng.NormFloat64()
		}
		a := linalg.New(rank, rank)
		must(linalg.Syrk(ctx, 1, root, 0, a))
		kept := slices.Clone(a.Data)
		r, err := reduce(ctx, rank, a.Data, columns, right.Data)
		must(err)
		for _, ratio := range []float64{1e-3, 1, 100} {
			name := fmt.Sprintf("rank %d, %d columns, ρ = %g", rank, columns, ratio)
			whole := linalg.FromSlice(rank, rank, slices.Clone(kept))
			for i := range rank {
				for j := i; j < rank; j++ {
					whole.Data[i*rank+j] *= ratio
				}
				whole.Data[i*rank+i]++
			}
			if ok, err := linalg.Cholesky(ctx, whole); !ok || err != nil {
				t.Fatal(name, "is indefinite", err)
			}
			want := linalg.FromSlice(rank, columns, slices.Clone(right.Data))
			must(linalg.SolveUpper(ctx, whole.T(), want))
			must(linalg.SolveUpper(ctx, whole, want))
			products := linalg.New(columns, columns)
			must(linalg.Gemm(ctx, 1, right.T(), want, 0, products))

			l, ok := r.factor(ratio)
			if !ok {
				t.Fatal(name, "is indefinite as a band")
			}
			y, err := r.corner(ctx, l)
			must(err)
			got := linalg.New(columns, columns)
			must(linalg.Gemm(ctx, 1, y.T(), y, 0, got))
			if d := distance(got.Data, products.Data); !(d <= 1e-11) {
				t.Errorf("%s: the corner differs by %.1e", name, d)
			}
			x, err := r.solve(ctx, l, linalg.Matrix{})
			must(err)
			must(r.turnBack(ctx, x))
			if d := distance(x.Data, want.Data); !(d <= 1e-11) {
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
	for i, v := range y {
		d[i] -= v
	}
	return linalg.Norm(d) / linalg.Norm(y)
}
