package neighbours

import (
	"math"
	"slices"

	"lapsvm/points"
)

// sampled is the number of points whose neighbours NewScale looks for, and
// among how many others.
const (
	sampled      = 16
	sampledAmong = 1024
)

// Scale describes the distances of a table of points by a sample of them.
type Scale struct {
	Nearest float64 // least squared distance to the k-th neighbour in the sample
	Mean    float64 // mean squared distance to the k nearest neighbours in the sample
}

// NewScale looks for the k nearest neighbours of at most 16 points of p among
// at most 1024 (or k + 1), both spread evenly. Cost: 16,384·d multiply-adds.
func NewScale(p *points.Points, k int) Scale {
	s := Scale{Nearest: math.Inf(1)}
	among, few := spread(p.Len(), max(sampledAmong, k+1)), spread(p.Len(), sampled)
	nearest := make([][]float64, len(few))
	for c := range few {
		distance := make([]float64, len(among))
		p.SquaredDistances(distance, int(few[c]), among)
		if at, found := slices.BinarySearch(among, few[c]); found {
			distance[at] = math.Inf(1)
		}
		slices.Sort(distance)
		nearest[c] = distance[:k]
	}
	for _, distance := range nearest {
		s.Nearest = min(s.Nearest, distance[k-1])
		for _, v := range distance {
			s.Mean += v / float64(k*len(few))
		}
	}
	return s
}

// spread returns at most count numbers below n, evenly spread.
func spread(n, count int) []int32 {
	count = min(n, count)
	rows := make([]int32, count)
	for c := range rows {
		rows[c] = int32(c * n / count)
	}
	return rows
}

// BytesResolve is SingleResolves for products of bytes, of points with these ‖x‖².
func (s Scale) BytesResolve(squares []float32) bool {
	return 2*roundingOfBytes(squares) <= 0.02*s.Nearest
}

// SingleResolves reports whether inner products in float32 are in range, and
// tell the neighbours of points of this scale apart well enough for a [Search]
// to keep few candidates. The largest ‖x‖² is largest, and the dimension dim.
func (s Scale) SingleResolves(largest float64, dim int) bool {
	return largest < 0x1p120 && s.Nearest > 0x1p-100 && 2*rounding[float32](largest, dim) <= 0.02*s.Nearest
}
