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

// NewShare computes the geometry of ranks that share the points, on landmarks. Each rank passes its
// own points p, which are rows of a common data set. Points are numbered rank after rank,
// neighbours by these numbers; landmarks are drawn of the rows, as one process draws them. A folder
// that keeps neighbours has been opened by the ranks together. It fails as [New] does.
func NewShare(ctx context.Context, c *comm.Comm, p *points.Points, rows []int, o Options) (*Geometry, error) {
	g := &Geometry{points: p, options: o.Graph, kernel: o.Kernel, ranks: c}
	var err error
	if g.shares, err = c.Shares(ctx, p.Len()); err != nil {
		return nil, err
	}
	part := func(name string) context.Context {
		if o.Begin == nil {
			return ctx
		}
		return o.Begin(ctx, name)
	}
	start := time.Now()
	search := graph.Search{Recall: o.Graph.Recall, Seed: o.Seed}
	if g.neighbours, g.search, err = graph.FindShareKept(part(gram.PartNeighbours), o.Keep, c, g.shares, p, o.Graph.Neighbours, o.Graph.Metric, search); err != nil {
		return nil, err
	}
	g.seconds.Neighbours = time.Since(start).Seconds()
	start = time.Now()
	if kernel.Open(g.kernel) {
		width, err := g.neighbours.MeanDistanceShare(ctx, c)
		if err != nil {
			return nil, err
		}
		if !(width > 0) {
			return nil, gram.ErrNoWidth
		}
		g.kernel = kernel.WithWidth(g.kernel, width)
	}
	drawn, of, err := gather(ctx, c, p, rows, gram.DrawRows(g.shares.Len(), o.Landmarks, o.Seed))
	if err != nil {
		return nil, err
	}
	request := gram.Request{Precision: o.Precision, Search: search, Landmarks: o.Landmarks, Order: g.search.Order, Keep: o.Keep}
	if g.landmarks, err = gram.LandmarksKept(part(gram.PartLandmarks), p, drawn, of, g.kernel, request); err != nil {
		return nil, err
	}
	g.gram = g.landmarks
	g.seconds.Gram = time.Since(start).Seconds()
	return g, nil
}

// Assembled returns the geometry of points of which all parts are known already: a matrix
// of landmarks, of some or of no points, and the neighbours.
func Assembled(p *points.Points, k *gram.Landmarks, kernel kernel.Kernel, o graph.Options, nb *graph.Neighbours, found graph.Found, took Seconds) *Geometry {
	return &Geometry{points: p, kernel: kernel, gram: k, landmarks: k, options: o, neighbours: nb, search: found, seconds: took}
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
