package vec

import (
	"math"
	"slices"
	"testing"

	"lapsvm/internal/numbers/parallel"
)

// Symm is the product with the whole matrix, for sizes around its blocks, whatever stands
// in the lower half, with the same bits for any number of threads.
func TestSymm(t *testing.T) {
	onPaths(t, func(t *testing.T) {
		if kern := kernels[float64](); symmSide%kern.mr != 0 || symmSide%kern.nr != 0 {
			t.Fatalf("blocks of %d do not hold whole tiles of %d×%d", symmSide, kern.mr, kern.nr)
		}
		r := newRand()
		for _, n := range []int{1, 7, 47, 48, 49, 96, 255, 257, 513} {
			for _, k := range []int{1, 5, 33, 41, 70} {
				lda, ldb, ldc := n+r.IntN(4), n+r.IntN(4), n+r.IntN(4)
				a, b, c := make([]float64, n*lda), random[float64](r, k*ldb), make([]float64, k*ldc)
				for i := range a {
					a[i] = math.NaN()
				}
				whole := make([]float64, n*n)
				for i := range n {
					for j := i; j < n; j++ {
						a[i*lda+j] = r.NormFloat64()
						whole[i*n+j], whole[j*n+i] = a[i*lda+j], a[i*lda+j]
					}
				}
				want := make([]float64, k*n)
				if err := Gemm(t.Context(), false, false, k, n, n, 1, b, ldb, whole, n, 0, want, n); err != nil {
					t.Fatal(err)
				}
				var first []float64
				for _, threads := range []int{1, 2, 5} {
					for i := range c {
						c[i] = math.NaN()
					}
					if err := Symm(parallel.WithLimit(t.Context(), threads), k, n, b, ldb, a, lda, c, ldc); err != nil {
						t.Fatal(err)
					}
					for i := range k {
						for j, v := range c[i*ldc : i*ldc+n] {
							if !(math.Abs(v-want[i*n+j]) <= 1e-13*float64(n)) {
								t.Fatalf("n = %d, k = %d: %v in place of %v at %d, %d", n, k, v, want[i*n+j], i, j)
							}
						}
					}
					if first == nil {
						first = slices.Clone(c)
					}
					if !same(c, first) {
						t.Fatalf("n = %d, k = %d: other bits with %d threads", n, k, threads)
					}
				}
			}
		}
	})
}
