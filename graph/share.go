package graph

import (
	"context"

	"lapsvm/internal/comm"
	"lapsvm/points"
)

// FindShare is [Find] of ranks that share the points: each finds the neighbours of its own,
// among those of all.
func FindShare(ctx context.Context, c *comm.Comm, shares comm.Shares, p *points.Points, k int, metric Metric, search Search) (*Neighbours, Found, error) {
	stored, scaling := p, points.Scaling{}
	if !p.Sparse() {
		stored, scaling = p.AsStored()
	}
	own := make([]int, p.Len())
	for i := range own {
		own[i] = i
	}
	all, err := c.Gather(ctx, stored.AppendRows(nil, own))
	if err != nil {
		return nil, Found{}, err
	}
	nb, found, err := Find(ctx, scaling.Apply(points.FromRows(stored, all...)), k, metric, search)
	if err != nil {
		return nil, Found{}, err
	}
	from, to := shares.Of(c.Rank())
	found.Order = nil
	return &Neighbours{K: nb.K, Index: nb.Index[from*k : to*k], Distance: nb.Distance[from*k : to*k]}, found, nil
}
