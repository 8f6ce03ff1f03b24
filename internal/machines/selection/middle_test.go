package selection

import (
	"math/rand/v2"
	"slices"
	"testing"
)

func TestMiddle(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for n := 1; n < 200; n++ {
		x := make([]float64, n)
		for i := range x {
			x[i] = float64(rng.IntN(1 + n/2))
		}
		sorted := slices.Sorted(slices.Values(x))
		if got := middle(x); !(got == sorted[n/2]) {
			t.Fatalf("of %d numbers %v, want %v", n, got, sorted[n/2])
		}
	}
}
