package graph

import (
	"context"
	"slices"

	"lapsvm/comm"
	"lapsvm/points"
)

// Deal is which rank is to have which points, so that near ones are together and each rank
// has about as many.
type Deal struct {
	To       [][]int // by rank, which of the own points it is to have
	division *division
}

// dealtRows is how many points a deal is learnt from.
const dealtRows = 8192

// NewDeal has ranks agree on a deal of the points, of which each has some, by parts of the
// space that few neighbours are in different ones of, as 8,192 points that are drawn of all say.
// Where many points are equal and a rank would have less than half of its share, all stay where
// they are. It fails when ctx is done. Cost: the sketches of the points, and 8,192 distances
// of sketches for each; each rank sends its part of the drawn points to all.
func NewDeal(ctx context.Context, c *comm.Comm, p *points.Points, seed uint64) (*Deal, error) {
	shares, err := c.Shares(ctx, p.Len())
	if err != nil {
		return nil, err
	}
	from, to := shares.Of(c.Rank())
	var mine []int
	for k := range dealtRows { // evenly over all
		if i := int(float64(shares.Len()) * (float64(k) + 0.5) / dealtRows); i >= from && i < to && (len(mine) == 0 || mine[len(mine)-1] != i-from) {
			mine = append(mine, i-from)
		}
	}
	sample, err := gatherAll(ctx, c, p, mine)
	if err != nil {
		return nil, err
	}
	d := &Deal{To: make([][]int, c.Size())}
	var parts []int
	if d.division, parts, err = newDivision(ctx, c, sample, p, seed); err != nil {
		return nil, err
	}
	count := make([]float64, c.Size())
	for i, r := range parts {
		d.To[r] = append(d.To[r], i)
		count[r]++
	}
	if err := c.Sum(ctx, count); err != nil {
		return nil, err
	}
	if slices.Min(count) < float64(shares.Len()/c.Size()/2) {
		d.division, d.To = nil, make([][]int, c.Size())
		for i := range p.Len() {
			d.To[c.Rank()] = append(d.To[c.Rank()], i)
		}
	}
	return d, nil
}

// gatherAll returns the points that all ranks give, rank after rank.
func gatherAll(ctx context.Context, c *comm.Comm, p *points.Points, rows []int) (*points.Points, error) {
	stored, scaling := p.AsStored()
	all, err := c.Gather(ctx, stored.AppendRows(nil, rows))
	if err != nil {
		return nil, err
	}
	return scaling.Apply(points.FromRows(stored, all...)), nil
}
