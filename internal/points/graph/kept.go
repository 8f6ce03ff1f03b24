package graph

import (
	"context"

	"lapsvm/internal/points/checkpoint"
	"lapsvm/points"
)

// keptNeighbours is what is kept of neighbours beside their numbers.
type keptNeighbours struct {
	K     int
	Found Found // its order is among the numbers
	Order int   // its length
}

// kept returns the neighbours of points that the folder of a search keeps. Where it does not have
// them, kept finds them and keeps them.
func (search Search) kept(ctx context.Context, p *points.Points, k int, metric Metric, find func(context.Context, *points.Points, int, Metric) (*Neighbours, Found, error)) (*Neighbours, Found, error) {
	keep, n := search.Keep, p.Len()
	if keep == nil {
		return find(ctx, p, k, metric)
	}
	var kept keptNeighbours
	part := checkpoint.Part{Name: "neighbours", Contents: &kept, Settings: struct {
		K      int
		Metric Metric
		Search Search
	}{k, metric, search}}
	nb := &Neighbours{K: k}
	there, err := keep.Read(ctx, part, func() ([]any, error) {
		nb.Index, nb.Distance = make([]int32, n*k), make([]float64, n*k)
		kept.Found.Order = make([]int32, kept.Order)
		return []any{nb.Index, nb.Distance, kept.Found.Order}, nil
	})
	if err != nil || there {
		if kept.Order == 0 {
			kept.Found.Order = nil
		}
		return nb, kept.Found, err
	}
	nb, found, err := find(ctx, p, k, metric)
	if err != nil {
		return nil, found, err
	}
	kept = keptNeighbours{K: k, Found: found, Order: len(found.Order)}
	kept.Found.Order = nil
	return nb, found, keep.Write(ctx, part, nb.Index, nb.Distance, found.Order)
}
