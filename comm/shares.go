package comm

import (
	"context"
	"math"
	"slices"
)

// Shares is which rank has which of the points: rank r those of the numbers
// Shares[r] ≤ i < Shares[r+1].
type Shares []int

// Shares returns those of ranks of which each has so many points.
func (c *Comm) Shares(ctx context.Context, n int) (Shares, error) {
	all, err := c.Gather(ctx, Bytes([]int64{int64(n)}))
	s := make(Shares, 1, c.Size()+1)
	for _, bytes := range all {
		s = append(s, s[len(s)-1]+int(Of[int64](bytes)[0]))
	}
	return s, err
}

// Len returns the number of points of all ranks.
func (s Shares) Len() int { return s[len(s)-1] }

// Of returns the numbers from ≤ i < to of the points of a rank.
func (s Shares) Of(rank int) (from, to int) { return s[rank], s[rank+1] }

// Owner returns the rank that has a point.
func (s Shares) Owner(i int) int {
	r, found := slices.BinarySearch(s, i)
	if !found {
		return r - 1
	}
	for s[r+1] == i { // of ranks without points the next begins at the same number
		r++
	}
	return r
}

// Spread returns which points of a rank, counted from its first, are among so many that lie
// evenly over those of all.
func (s Shares) Spread(rank, count int) []int {
	from, to := s.Of(rank)
	var rows []int
	for k := range count {
		if i := int(float64(s.Len()) * (float64(k) + 0.5) / float64(count)); i >= from && i < to && (len(rows) == 0 || rows[len(rows)-1] != i-from) {
			rows = append(rows, i-from)
		}
	}
	return rows
}

// Middle returns the element n/2 of the numbers of all ranks in ascending order, n of
// them, none of which is NaN: their median. Cost: 64 sums of a number.
func (c *Comm) Middle(ctx context.Context, x []float64) (float64, error) {
	if c.Alone() {
		return slices.Sorted(slices.Values(x))[len(x)/2], nil
	}
	sorted := slices.Sorted(slices.Values(x))
	count := []float64{float64(len(x))}
	if err := c.Sum(ctx, count); err != nil {
		return 0, err
	}
	rank := float64(int(count[0]) / 2)
	// The largest number that not more than rank numbers lie below, by its bits.
	key := uint64(0)
	for bit := uint64(1) << 63; bit > 0; bit >>= 1 {
		below, _ := slices.BinarySearch(sorted, ofKey(key|bit))
		count[0] = float64(below)
		if err := c.Sum(ctx, count); err != nil {
			return 0, err
		}
		if count[0] <= rank {
			key |= bit
		}
	}
	return ofKey(key), nil
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
