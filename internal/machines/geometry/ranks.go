package geometry

import (
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
	search.Ranks, search.Partition = g.ranks, g.partition
	sought, metric := o.Sought(g.partition.Len())
	if g.neighbours, g.search, err = graph.Find(o.begin(ctx, gram.PartNeighbours), g.points, sought, metric, search); err != nil {
		return err
	}
	g.seconds.Neighbours = time.Since(start).Seconds()
	start = time.Now()
	if g.kernel = o.Kernel; kernel.Open(g.kernel) {
		width, err := g.neighbours.First(o.Graph.Neighbours).MeanDistance(ctx)
		if err != nil {
			return err
		}
		if !(width > 0) {
			return gram.ErrNoWidth
		}
		g.kernel = kernel.WithWidth(g.kernel, width)
	}
	var mine []int // of the landmarks, which all ranks get
	for _, row := range gram.DrawRows(g.partition.Len(), o.Landmarks, o.Seed) {
		if i, is := slices.BinarySearch(o.Rows, row); is {
			mine = append(mine, i)
		}
	}
	drawn, rows, err := graph.Exchange(ctx, g.ranks, g.points, o.Rows, slices.Repeat([][]int{mine}, g.ranks.Size()))
	if err != nil {
		return err
	}
	request := gram.Request{Precision: o.Precision, Search: search, Landmarks: o.Landmarks, Order: g.search.Order}
	if g.landmarks, err = gram.LandmarksKept(o.begin(ctx, gram.PartLandmarks), g.points, drawn, rows, g.kernel, request); err != nil {
		return err
	}
	g.gram, g.drawn = g.landmarks, g.landmarks.Drawn()
	g.seconds.Gram = time.Since(start).Seconds()
	return nil
}

// Assembled returns the geometry of points that were gathered of a shared one, as if one process had
// it alone. It has their neighbours, and a matrix of the same landmarks and of no points. It holds no
// memory to be given back.
func (g *Geometry) Assembled(p *points.Points, nb *graph.Neighbours, o graph.Options) *Geometry {
	found := g.search
	found.Order = nil
	return &Geometry{points: p, kernel: g.kernel, gram: g.drawn, landmarks: g.drawn, options: o, most: g.most, neighbours: nb, search: found, seconds: g.seconds, partition: comm.Partition{0, p.Len()}}
}
