package lapsvm

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// A value found by its rank is that of sorted values, also of many equal ones, as indicators are.
func TestRanked(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 1))
	for _, kinds := range []int{1, 2, 7, 1 << 40} {
		for n := 1; n < 60; n++ {
			values := make([]float64, n)
			for i := range values {
				values[i] = float64(rng.IntN(kinds)) - 3
			}
			for before, want := range slices.Sorted(slices.Values(values)) {
				if got := ranked(values, before); got != want {
					t.Fatalf("of %d values of %d kinds, with %d before it: %v, want %v", n, kinds, before, got, want)
				}
			}
		}
	}
}
