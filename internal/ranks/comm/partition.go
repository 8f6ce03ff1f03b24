package comm

import (
	"context"
	"math"
	"slices"
)

// Partition is the division of points among ranks: rank r has the points Partition[r] ≤ i < Partition[r+1].
type Partition []int

// Partition returns the partition, where this rank has n points.
func (c *Comm) Partition(ctx context.Context, n int) (Partition, error) {
	all, err := c.Gather(ctx, Bytes([]int64{int64(n)}))
	s := make(Partition, 1, c.Size()+1)
	for _, bytes := range all {
		s = append(s, s[len(s)-1]+int(Numbers[int64](bytes)[0]))
	}
	return s, err
}

// Len returns the number of points of all ranks.
func (s Partition) Len() int { return s[len(s)-1] }

// Range returns the numbers from ≤ i < to of the points of a rank.
func (s Partition) Range(rank int) (from, to int) { return s[rank], s[rank+1] }

// Owner returns the rank that has a point.
func (s Partition) Owner(i int) int {
	r, found := slices.BinarySearch(s, i)
	if !found {
		return r - 1
	}
	for s[r+1] == i { // of ranks without points the next begins at the same number
		r++
	}
	return r
}

// Spread returns the points of a rank, counted from its first, among count points spread evenly
// over all.
func (s Partition) Spread(rank, count int) []int {
	from, to := s.Range(rank)
	var rows []int
	for k := range count {
		if i := int(float64(s.Len()) * (float64(k) + 0.5) / float64(count)); i >= from && i < to && (len(rows) == 0 || rows[len(rows)-1] != i-from) {
			rows = append(rows, i-from)
		}
	}
	return rows
}

// Median returns the element n/2 of the numbers of all ranks in ascending order, n of
// them, none of which is NaN: their median. Cost: 64 sums of a number.
func (c *Comm) Median(ctx context.Context, x []float64) (float64, error) {
	count := []float64{float64(len(x))}
	if err := c.Sum(ctx, count); err != nil {
		return 0, err
	}
	middle, err := c.Nth(ctx, [][]float64{slices.Sorted(slices.Values(x))}, []int{int(count[0]) / 2})
	if err != nil {
		return 0, err
	}
	return middle[0], nil
}

// Nth returns, for each k, element n[k] (from 0) of the numbers sorted[k] of all ranks in ascending
// order. Each rank passes its own numbers, sorted, none of them NaN. There must be more than n[k]
// numbers in all. Cost: 64 sums of as many numbers as there are k.
func (c *Comm) Nth(ctx context.Context, sorted [][]float64, n []int) ([]float64, error) {
	nth := make([]float64, len(n))
	if c.Alone() {
		for k, numbers := range sorted {
			nth[k] = numbers[n[k]]
		}
		return nth, ctx.Err()
	}
	// The largest number that not more than n[k] numbers lie below, by its bits.
	keys, below := make([]uint64, len(n)), make([]float64, len(n))
	for bit := uint64(1) << 63; bit > 0; bit >>= 1 {
		for k, numbers := range sorted {
			count, _ := slices.BinarySearch(numbers, ofKey(keys[k]|bit))
			below[k] = float64(count)
		}
		if err := c.Sum(ctx, below); err != nil {
			return nil, err
		}
		for k := range keys {
			if below[k] <= float64(n[k]) {
				keys[k] |= bit
			}
		}
	}
	for k, key := range keys {
		nth[k] = ofKey(key)
	}
	return nth, nil
}

// ofKey returns numbers in ascending order for keys in ascending order: their bits, those
// of the negative ones inverted. What is no number counts as infinite.
func ofKey(key uint64) float64 {
	v := math.Float64frombits(^key)
	sign := -1
	if key>>63 == 1 {
		v, sign = math.Float64frombits(key&^(1<<63)), 1
	}
	if math.IsNaN(v) {
		return math.Inf(sign)
	}
	return v
}
