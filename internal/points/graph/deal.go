package graph

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"lapsvm/internal/points/neighbours"
	"lapsvm/internal/ranks/comm"
	"lapsvm/points"
)

// A deal is learnt from dealtRows points. The nearest of them, votes in number, vote on the rank of
// a point.
const (
	dealtRows = 8192
	votes     = 5
)

// farthest bounds the squared length of a point relative to that of the drawn points. Beyond it
// distances of sketches, in float32, may be infinite.
const farthest = 1 << 100

// Deal redistributes the points of all ranks, so that near points share a rank and each rank has
// about as many. It returns, for each rank, the local points that go there.
//
// 8,192 points are drawn of all ranks and divided so that few of their neighbours are on other
// ranks. A point goes to the rank of most of its 5 nearest drawn points. All points stay in place
// in two cases: many points are equal, so that a rank would have less than half of its share, or
// some are too large for distances of sketches. It fails when ctx is done. Cost: the sketches of
// the points, and about 1,150 distances of sketches for each; each rank sends its part of the drawn
// points to all.
func Deal(ctx context.Context, c *comm.Comm, p *points.Points, seed uint64) (to [][]int, err error) {
	partition, err := c.Partition(ctx, p.Len())
	if err != nil {
		return nil, err
	}
	drawn, err := neighbours.Gathered(ctx, c, p, partition.Spread(c.Rank(), dealtRows))
	if err != nil {
		return nil, err
	}
	if large, err := tooLarge(ctx, c, p, drawn); err != nil || large {
		return staying(c, p), err
	}
	basis, sketches, err := neighbours.NewBasis(ctx, drawn, seed)
	if err != nil {
		return nil, err
	}
	own, err := basis.Sketches(ctx, p)
	if err != nil {
		return nil, err
	}
	near, err := neighbours.Nearest(ctx, own, sketches, basis.Width, min(votes, drawn.Len()))
	if err != nil {
		return nil, err
	}
	part, err := divided(ctx, c, near, sketches, basis.Width, seed)
	if err != nil {
		return nil, err
	}
	to = make([][]int, c.Size())
	count := make([]float64, c.Size())
	few := min(votes, drawn.Len())
	for i := range p.Len() {
		r := elected(part, near[i*few:(i+1)*few])
		to[r] = append(to[r], i)
		count[r]++
	}
	if err := c.Sum(ctx, count); err != nil {
		return nil, err
	}
	if slices.Min(count) < float64(partition.Len()/c.Size()/2) {
		return staying(c, p), nil
	}
	return to, nil
}

// staying returns the result of [Deal] with all points in place.
func staying(c *comm.Comm, p *points.Points) [][]int {
	to := make([][]int, c.Size())
	to[c.Rank()] = rowsFrom(0, p.Len())
	return to
}

// tooLarge tells whether a point of any rank has no finite squared length, or one far larger
// than the drawn points, so that its sketch would have no distances.
func tooLarge(ctx context.Context, c *comm.Comm, p, drawn *points.Points) (bool, error) {
	most := []float64{0}
	if p.Len() > 0 {
		most[0] = slices.Max(p.Squares())
	}
	if err := c.Max(ctx, most); err != nil {
		return false, err
	}
	largest := slices.Max(drawn.Squares())
	return !(most[0] <= math.MaxFloat64/8) || largest > 0 && most[0]/largest > farthest || largest == 0 && most[0] > farthest, nil
}

// divided assigns every drawn point to a rank, and returns the same result on all ranks. The parts
// are balanced by the number of points of all ranks that count a drawn point among their nearest.
// near holds the nearest drawn points of the local points.
func divided(ctx context.Context, c *comm.Comm, near []int32, sketches []float32, width int, seed uint64) ([]int, error) {
	drawn := len(sketches) / width
	b := &bisection{sketches: sketches, width: width, weight: make([]float64, drawn), random: rand.New(rand.NewPCG(seed, 12)), part: make([]int, drawn)}
	for _, j := range near {
		b.weight[j]++
	}
	if err := c.Sum(ctx, b.weight); err != nil {
		return nil, err
	}
	if c.Rank() == 0 { // who decides, since processors may round in different ways
		if err := b.split(ctx, rowsFrom(0, drawn), 0, c.Size()); err != nil {
			return nil, err
		}
	}
	decided, err := c.Broadcast(ctx, 0, comm.Bytes(b.part))
	return comm.Numbers[int](decided), err
}

// elected returns the part with most of some drawn points, among equals that of the first.
func elected(part []int, near []int32) int {
	best, most := 0, 0
	for a, j := range near {
		count := 0
		for _, other := range near[a:] {
			if part[other] == part[j] {
				count++
			}
		}
		if count > most {
			best, most = part[j], count
		}
	}
	return best
}
