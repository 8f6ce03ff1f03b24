package tall

import (
	"math/rand/v2"
	"testing"

	"lapsvm/internal/numbers/parallel"
)

// Two panels in one pass, as an iteration on landmarks multiplies them, by a matrix that
// no cache holds, on one thread.
func BenchmarkProducts(b *testing.B) {
	const n, m = 60_000, 1000
	ctx := parallel.WithLimit(b.Context(), 1)
	a, err := New[float32](n, m)
	if err != nil {
		b.Fatal(err)
	}
	defer a.Close()
	r := rand.New(rand.NewPCG(1, 2))
	for i, values := 0, a.Rows(0, n); i < len(values); i++ {
		values[i] = r.Float32()
	}
	long := [][]float64{normal(r, n*width), normal(r, n*width)}
	short := [][]float64{normal(r, m*width), normal(r, m*width)}
	for panels := 1; panels <= 2; panels++ {
		b.Run(map[int]string{1: "Trans/1", 2: "Trans/2"}[panels], func(b *testing.B) {
			for b.Loop() {
				a.Trans(ctx, short[:panels], long[:panels])
			}
		})
		b.Run(map[int]string{1: "Add/1", 2: "Add/2"}[panels], func(b *testing.B) {
			for b.Loop() {
				a.Add(ctx, long[:panels], 1e-6, short[:panels])
			}
		})
	}
}
