package graph

import (
	"context"

	"lapsvm/internal/comm"
	"lapsvm/points"
)

// FindTogether is [Find] of ranks that all have the points: each finds the neighbours of
// those that a deal gives it, and rank 0 returns those of all; others return nil.
func FindTogether(ctx context.Context, c *comm.Comm, all *points.Points, k int, metric Metric, search Search) (*Neighbours, Found, error) {
	rows := rowsFrom(all.Len()*c.Rank()/c.Size(), all.Len()*(c.Rank()+1)/c.Size())
	deal, err := NewDeal(ctx, c, all.Slice(rows[0], rows[len(rows)-1]+1), search.Seed)
	if err != nil {
		return nil, Found{}, err
	}
	to := make([][]byte, c.Size())
	for r, dealt := range deal.To {
		named := make([]int, len(dealt))
		for a, i := range dealt {
			named[a] = rows[i]
		}
		to[r] = comm.Bytes(named)
	}
	parts, err := c.AllToAll(ctx, to)
	if err != nil {
		return nil, Found{}, err
	}
	var own []int
	for _, part := range parts {
		own = append(own, comm.Of[int](part)...)
	}
	shares, err := c.Shares(ctx, len(own))
	if err != nil {
		return nil, Found{}, err
	}
	nb, found, err := FindShare(ctx, c, shares, deal, all.Subset(own), k, metric, search)
	if err != nil {
		return nil, Found{}, err
	}
	found.Order = nil
	return gathered(ctx, c, own, nb, found)
}

// gathered returns, on rank 0, the neighbours of all points by their rows.
func gathered(ctx context.Context, c *comm.Comm, own []int, nb *Neighbours, found Found) (*Neighbours, Found, error) {
	var parts [3][][]byte
	for a, bytes := range [][]byte{comm.Bytes(own), comm.Bytes(nb.Index), comm.Bytes(nb.Distance)} {
		var err error
		if parts[a], err = c.Collect(ctx, bytes); err != nil {
			return nil, Found{}, err
		}
	}
	if c.Rank() > 0 {
		return nil, Found{}, nil
	}
	var rows []int
	for _, part := range parts[0] {
		rows = append(rows, comm.Of[int](part)...)
	}
	all := &Neighbours{K: nb.K, Index: make([]int32, len(rows)*nb.K), Distance: make([]float64, len(rows)*nb.K)}
	at := 0
	for r := range c.Size() {
		index, distance := comm.Of[int32](parts[1][r]), comm.Of[float64](parts[2][r])
		for a := 0; a < len(index); a += nb.K {
			to := rows[at] * nb.K
			at++
			copy(all.Distance[to:], distance[a:a+nb.K])
			for b, number := range index[a : a+nb.K] {
				all.Index[to+b] = int32(rows[number])
			}
		}
	}
	return all, found, nil
}
