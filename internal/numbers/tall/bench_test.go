package tall

import (
	"fmt"
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
	for _, width := range []int{8, 16} {
		long := [][]float64{normal(r, n*width), normal(r, n*width)}
		short := [][]float64{normal(r, m*width), normal(r, m*width)}
		for panels := 1; panels <= 2; panels++ {
			b.Run(fmt.Sprintf("Trans/%dx%d", panels, width), func(b *testing.B) {
				for b.Loop() {
					a.Trans(ctx, width, short[:panels], long[:panels])
				}
			})
			b.Run(fmt.Sprintf("Add/%dx%d", panels, width), func(b *testing.B) {
				for b.Loop() {
					a.Add(ctx, width, long[:panels], 1e-6, short[:panels])
				}
			})
		}
	}
}
