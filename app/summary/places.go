package summary

import (
	"cmp"
	"context"
	"math/rand/v2"
	"slices"

	"lapsvm/internal/machines/geometry"
	"lapsvm/internal/points/graph"
	"lapsvm/kernel"
)

// Limits of a map.
const (
	mapRows      = 1500  // shown, of more a sample
	mapEdges     = 10000 // rows that edges alone join: a sample would lose the edges
	mapNearest   = 15    // neighbours at least, so that a map does not fall into pieces
	mapLeastRows = 12
)

// places are rows on a map.
type places struct {
	rows []int
	xy   []float32 // from 0 to 1
}

// places lays rows out by the graph of the leading machine, as the label page does: all of them, or a sample by the seed with
// labelled rows up to a half. It is nil for too few rows. It is also nil for too many rows of which kernel values or edges alone are known.
func (f *trainingPage) places(ctx context.Context) (*places, error) {
	n := len(f.Data.Y)
	all, most := make([]int, n), mapRows
	for i := range all {
		all[i] = i
	}
	given, alone := !kernel.OfFeatures(f.Model.Kernel()), f.recipe.Graph.EdgesAlone || f.Data.Featureless
	if alone {
		most = mapEdges
	}
	if n < mapLeastRows || (given || alone) && n > most || alone && !f.Data.Edges.Given() {
		return nil, nil
	}
	rows := all
	if n > most {
		rows = f.drawn(most)
	}
	d := f.Data.Subset(rows)
	p, err := f.Model.Predictor().PointsOf(ctx, d)
	if err != nil {
		return nil, err
	}
	o := f.recipe.Graph
	o.Degree, o.HeatWidth, o.EdgesAlone = 1, 0, alone
	o.Neighbours = min(max(f.recipe.Leading().Neighbours, mapNearest), len(rows)-1)
	o.Metric = cmp.Or(graph.MetricOf(f.Model.Kernel()), o.Metric)
	if o, err = o.WithDefaults(len(rows)); err != nil {
		return nil, err
	}
	g, err := geometry.New(ctx, p, geometry.Options{Graph: o, Edges: graph.OfEdges(len(rows), d.Edges), Seed: f.recipe.Seed})
	if err != nil {
		return nil, err
	}
	w, _, err := g.Graph(ctx, o.Neighbours)
	if err != nil {
		return nil, err
	}
	xy, err := g.Layout(ctx, w, f.recipe.Seed)
	if err != nil {
		return nil, err
	}
	if len(rows) > mapRows { // of edges alone
		shown := f.drawn(mapRows)
		few := make([]float32, 0, 2*len(shown))
		for _, i := range shown {
			few = append(few, xy[2*i], xy[2*i+1])
		}
		rows, xy = shown, few
	}
	return &places{rows, xy}, nil
}

// drawn returns so many rows, ascending: labelled ones up to a half, and others.
func (f *trainingPage) drawn(most int) []int {
	random := rand.New(rand.NewPCG(f.recipe.Seed, 35))
	take := func(from []int, most int) []int {
		from = slices.Clone(from)
		random.Shuffle(len(from), func(a, b int) { from[a], from[b] = from[b], from[a] })
		return from[:min(most, len(from))]
	}
	labelled, open := f.Data.Labelled(), f.Data.Unlabelled()
	rows := take(labelled, max(most/2, most-len(open)))
	rows = append(rows, take(open, most-len(rows))...)
	slices.SortFunc(rows, cmp.Compare[int])
	return rows
}
