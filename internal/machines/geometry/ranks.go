package geometry

import (
	"cmp"
	"context"
	"slices"
	"time"

	"lapsvm/internal/points/gram"
	"lapsvm/internal/points/graph"
	"lapsvm/internal/ranks/comm"
	"lapsvm/kernel"
	"lapsvm/points"
)

// onRanks computes the geometry that ranks share.
func (g *Geometry) onRanks(ctx context.Context, o Options) (err error) {
	start := time.Now()
	search := o.search()
	search.Ranks, search.Shares = g.ranks, g.shares
	if g.neighbours, g.search, err = graph.Find(o.begin(ctx, gram.PartNeighbours), g.points, o.Graph.Neighbours, o.Graph.Metric, search); err != nil {
		return err
	}
	g.seconds.Neighbours = time.Since(start).Seconds()
	start = time.Now()
	if g.kernel = o.Kernel; kernel.Open(g.kernel) {
		width, err := g.neighbours.MeanDistance(ctx)
		if err != nil {
			return err
		}
		if !(width > 0) {
			return gram.ErrNoWidth
		}
		g.kernel = kernel.WithWidth(g.kernel, width)
	}
	drawn, of, err := gather(ctx, g.ranks, g.points, o.Rows, gram.DrawRows(g.shares.Len(), o.Landmarks, o.Seed))
	if err != nil {
		return err
	}
	request := gram.Request{Precision: o.Precision, Search: search, Landmarks: o.Landmarks, Order: g.search.Order}
	if g.landmarks, err = gram.LandmarksKept(o.begin(ctx, gram.PartLandmarks), g.points, drawn, of, g.kernel, request); err != nil {
		return err
	}
	g.gram, g.drawn = g.landmarks, g.landmarks.Drawn()
	g.seconds.Gram = time.Since(start).Seconds()
	return nil
}

// Assembled returns the geometry of points that were gathered of a shared one, as that of a process
// alone: with their neighbours, and a matrix of the same landmarks and of no points. It holds no
// memory to be given back.
func (g *Geometry) Assembled(p *points.Points, nb *graph.Neighbours, o graph.Options) *Geometry {
	found := g.search
	found.Order = nil
	return &Geometry{points: p, kernel: g.kernel, gram: g.drawn, landmarks: g.drawn, options: o, neighbours: nb, search: found, seconds: g.seconds, shares: comm.Shares{0, p.Len()}}
}

// gather returns, on all ranks, the points that are some rows of the data set, and
// these rows, both ascending.
func gather(ctx context.Context, c *comm.Comm, p *points.Points, rows, wanted []int) (*points.Points, []int, error) {
	stored, scaling := p.AsStored()
	var mine, which []int
	for i, row := range rows {
		if _, is := slices.BinarySearch(wanted, row); is {
			mine, which = append(mine, i), append(which, row)
		}
	}
	features, err := c.Gather(ctx, stored.AppendRows(nil, mine))
	if err != nil {
		return nil, nil, err
	}
	named, err := c.Gather(ctx, comm.Bytes(which))
	if err != nil {
		return nil, nil, err
	}
	which = which[:0]
	for _, bytes := range named {
		which = append(which, comm.Of[int](bytes)...)
	}
	order := make([]int, len(which))
	for k := range order {
		order[k] = k
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(which[a], which[b]) })
	slices.Sort(which)
	return scaling.Apply(points.FromRows(stored, features...).Subset(order)), which, nil
}
