package graph

import (
	"context"

	"lapsvm/internal/numbers/parallel"
	"lapsvm/internal/points/checkpoint"
	"lapsvm/internal/ranks/comm"
	"lapsvm/points"
)

// keptNeighbours is what is kept of neighbours beside their numbers.
type keptNeighbours struct {
	K     int
	Found Found // its order is among the numbers
	Order int   // its length
}

// FindKept is [Find] with a folder that keeps the result. Where the folder has the neighbours of
// these points by these settings, it reads them. With a nil folder it is Find. It also fails for a
// damaged file, and where no file can be written.
func FindKept(ctx context.Context, keep *checkpoint.Folder, p *points.Points, k int, metric Metric, search Search) (*Neighbours, Found, error) {
	return kept(ctx, keep, p.Len(), k, metric, search, func(search Search) (*Neighbours, Found, error) {
		return Find(parallel.Successive(ctx), p, k, metric, search)
	})
}

// FindShareKept is likewise [FindShare], with a folder that the ranks have opened together.
func FindShareKept(ctx context.Context, keep *checkpoint.Folder, c *comm.Comm, shares comm.Shares, p *points.Points, k int, metric Metric, search Search) (*Neighbours, Found, error) {
	return kept(ctx, keep, p.Len(), k, metric, search, func(search Search) (*Neighbours, Found, error) {
		return FindShare(ctx, c, shares, p, k, metric, search)
	})
}

// kept returns the neighbours of n points that a folder keeps, or finds them and keeps them.
func kept(ctx context.Context, keep *checkpoint.Folder, n, k int, metric Metric, search Search, find func(Search) (*Neighbours, Found, error)) (*Neighbours, Found, error) {
	search, err := search.WithDefaults()
	if err != nil {
		return nil, Found{}, err
	}
	if keep == nil {
		return find(search)
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
	nb, found, err := find(search)
	if err != nil {
		return nil, found, err
	}
	kept = keptNeighbours{K: k, Found: found, Order: len(found.Order)}
	kept.Found.Order = nil
	return nb, found, keep.Write(ctx, part, nb.Index, nb.Distance, found.Order)
}
