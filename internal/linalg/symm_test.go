package linalg

import (
	"math"
	"math/rand/v2"
	"testing"
)

// Symm is the product with the whole matrix, for sizes around its blocks, whatever stands
// in the lower half.
func TestSymm(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 1))
	for _, n := range []int{1, 7, 47, 48, 49, 64, 96, 255, 256, 271, 513, 712} {
		for _, k := range []int{1, 5, 33, 70} {
			a, whole, b, c := New(n, n), New(n, n), New(k, n), New(k, n)
			for i := range n {
				for j := range n {
					a.Row(i)[j] = math.NaN()
				}
			}
			for i := range n {
				for j := i; j < n; j++ {
					a.Row(i)[j] = r.NormFloat64()
					whole.Row(i)[j], whole.Row(j)[i] = a.Row(i)[j], a.Row(i)[j]
				}
			}
			for i := range b.Data {
				b.Data[i], c.Data[i] = r.NormFloat64(), math.NaN()
			}
			want := New(k, n)
			if err := Gemm(t.Context(), 1, b, whole, 0, want); err != nil {
				t.Fatal(err)
			}
			if err := Symm(t.Context(), b, a, c); err != nil {
				t.Fatal(err)
			}
			for i, v := range c.Data {
				if !(math.Abs(v-want.Data[i]) <= 1e-13*float64(n)) {
					t.Fatalf("n = %d, k = %d: %v in place of %v at %d", n, k, v, want.Data[i], i)
				}
			}
		}
	}
}
