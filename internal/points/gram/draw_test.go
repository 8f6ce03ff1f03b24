package gram

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// Rows are those of a permutation of all.
func TestDrawRowsIsThatOfAPermutation(t *testing.T) {
	for _, n := range []int{0, 1, 2, 3, 63, 64, 65, 100, 1000, 4097, 20000} {
		for _, m := range []int{0, 1, 2, 50, 64, n / 3, n - 1, n, n + 5} {
			for seed := range uint64(3) {
				want := rand.New(rand.NewPCG(seed, 0)).Perm(n)[:min(max(m, 0), n)]
				slices.Sort(want)
				if got := DrawRows(n, max(m, 0), seed); !slices.Equal(got, want) {
					t.Fatalf("%d of %d by the seed %d: %v, want %v", m, n, seed, got, want)
				}
			}
		}
	}
}
