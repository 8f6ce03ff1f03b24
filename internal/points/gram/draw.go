package gram

import (
	"math"
	"math/bits"
	"math/rand/v2"
)

// DrawRows returns m of the numbers below n, or all, drawn by a seed and ascending. It draws
// landmarks, and the sample by which ranks that share many points choose and scale. They are the
// first m of rand.Perm, which is not made. Cost: 2·n random numbers; n bits.
//
// A permutation swaps place i with place j(i) ≤ i, for i from n − 1 to 1. The numbers that end in
// the first m places follow from these swaps backwards, applied to marked places. Swaps are drawn
// anew for that, block by block, from the state of the source at the beginning of each block.
func DrawRows(n, m int, seed uint64) []int {
	m = min(m, n)
	marked := make([]uint64, (n+63)/64)
	for place := range m {
		marked[place/64] |= 1 << (place % 64)
	}
	source := rand.NewPCG(seed, 0)
	rng := rand.New(source)
	block := int(math.Sqrt(float64(n))) + 1
	var states []rand.PCG
	for i := n - 1; i > 0 && m < n; i-- {
		if (n-1-i)%block == 0 {
			states = append(states, *source)
		}
		rng.IntN(i + 1)
	}
	drawn := make([]int, block)
	for s := len(states) - 1; s >= 0; s-- {
		*source = states[s]
		from := n - 1 - s*block
		to := max(from-block, 0) // the swaps from ≥ i > to
		for i := from; i > to; i-- {
			drawn[from-i] = rng.IntN(i + 1)
		}
		for i := to + 1; i <= from; i++ {
			j := drawn[from-i]
			if differ := (marked[i/64]>>(i%64) ^ marked[j/64]>>(j%64)) & 1; differ == 1 {
				marked[i/64] ^= 1 << (i % 64)
				marked[j/64] ^= 1 << (j % 64)
			}
		}
	}
	rows := make([]int, 0, m)
	for k, word := range marked {
		for ; word != 0; word &= word - 1 {
			rows = append(rows, 64*k+bits.TrailingZeros64(word))
		}
	}
	return rows
}
