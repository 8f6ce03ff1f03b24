// Package geometry holds what follows from points alone: their Gram matrix, its
// factor, their neighbours, and the Laplacians of these. No label is in it, so a
// geometry is built once and shared by all tasks on its points: cells of a grid,
// held-out labels, labels that come and go.
package geometry

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"lapsvm/internal/machines/deformed"
	"lapsvm/internal/numbers/objective"
	"lapsvm/internal/points/checkpoint"
	"lapsvm/internal/points/gram"
	"lapsvm/internal/points/graph"
	"lapsvm/internal/points/layout"
	"lapsvm/internal/ranks/comm"
	"lapsvm/kernel"
	"lapsvm/points"
)

// Options say what a [Geometry] is to have. The zero value has points alone.
type Options struct {
	Kernel    kernel.Kernel  // of the Gram matrix; a width of 0 is the mean distance between neighbours; nil for no matrix
	Precision gram.Precision // its storage; default Single
	Form      gram.Form      // default as in [gram.Request]
	Landmarks int            // of the form FormLandmarks
	// Graph gives metric, weights, heat width and kind of the Laplacians. Its
	// Neighbours are the most that a graph can have; 0 finds none. Its Degree
	// does not matter.
	Graph      graph.Options
	Edges      *graph.Adjacency   // given edges of the points, for graphs; nil for none
	Terms      *points.Points     // the same points by their terms, whose nearest by cosine are neighbours in graphs too; nil for none, and of ranks
	WidthAlone bool               // the neighbours serve an open width of the kernel alone, as in [gram.Request]
	Seed       uint64             // of landmarks, and of an approximate search for neighbours
	Ranks      *comm.Comm         // that each have some of the points, see [New]; nil for a process alone
	Rows       []int              // of ranks: the rows of a common data set that the own points are, ascending
	Keep       *checkpoint.Folder // where neighbours and landmarks are kept, as in [gram.Request]; nil for nowhere
	// Begin is told of the parts that begin, as in [gram.Request]; nil for no one.
	Begin func(ctx context.Context, part string) context.Context
}

// begin tells that a part begins.
func (o Options) begin(ctx context.Context, part string) context.Context {
	if o.Begin == nil {
		return ctx
	}
	return o.Begin(ctx, part)
}

// Sought returns how many neighbours are found of each of n points, and in which metric.
func (o Options) Sought(n int) (int, graph.Metric) {
	return o.Graph.Metric.Candidates(o.Graph.Neighbours, n), o.Graph.Metric.Sought()
}

// search says how neighbours are sought.
func (o Options) search() graph.Search {
	return graph.Search{Recall: o.Graph.Recall, Seed: o.Seed, Keep: o.Keep}
}

// Geometry is points with what was computed of them. It is not changed by its
// methods, but they use scratch memory of its parts: one goroutine at a time.
type Geometry struct {
	points     *points.Points
	kernel     kernel.Kernel
	gram       gram.Matrix
	landmarks  *gram.Landmarks // gram, of that form; nil else
	options    graph.Options
	edges      *graph.Adjacency
	most       int // neighbours of a graph
	neighbours *graph.Neighbours
	byTerms    *graph.Neighbours // nil for none
	search     graph.Found
	factor     *deformed.Factor
	seconds    Seconds
	ranks      *comm.Comm      // that share the geometry; nil for a process alone
	partition  comm.Partition  // of the points
	drawn      *gram.Landmarks // of a geometry that is shared
}

// Seconds is how long the parts of a geometry took. A pass of inner products that
// serves both counts as Gram.
type Seconds struct{ Neighbours, Gram float64 }

// New computes the geometry of p. One pass of inner products serves the Gram matrix and the
// neighbours where the neighbours are Euclidean and half of the matrix is stored. Otherwise
// neighbours are found as by [graph.Find], approximately for many points. New fails for too few
// points for the neighbours asked, for a kernel not finite on them, for an open width with all
// neighbours equal, and when ctx is done. Cost: n²·d/2 multiply-adds.
//
// Ranks that share the points each pass their own, and get the geometry of these, on landmarks.
// Points are numbered rank after rank, neighbours by these numbers. Landmarks are drawn of the
// rows, as one process draws them. A folder that keeps neighbours has been opened by the ranks
// together.
func New(ctx context.Context, p *points.Points, o Options) (*Geometry, error) {
	partition, err := o.Ranks.Partition(ctx, p.Len())
	if err != nil {
		return nil, err
	}
	g := &Geometry{points: p, options: o.Graph, edges: o.Edges, most: o.Graph.Neighbours, ranks: o.Ranks, partition: partition}
	if !o.Ranks.Alone() {
		return g, g.onRanks(ctx, o)
	}
	request := gram.Request{Kernel: o.Kernel, Precision: o.Precision, Form: o.Form, WidthAlone: o.WidthAlone,
		Search: o.search(), Landmarks: o.Landmarks, Begin: o.Begin}
	start := time.Now()
	var metric graph.Metric
	request.Neighbours, metric = o.Sought(p.Len())
	more := request.Neighbours > o.Graph.Neighbours // which have no say in a width
	if request.Neighbours > 0 && (o.Kernel == nil || metric != graph.Euclidean && metric != "" || more && kernel.Open(o.Kernel)) {
		inPart := o.begin(ctx, gram.PartNeighbours)
		if g.neighbours, g.search, err = graph.Find(inPart, p, request.Neighbours, metric, request.Search); err != nil {
			return nil, err
		}
		request.Neighbours, request.Found, request.Order = 0, g.neighbours.First(o.Graph.Neighbours), g.search.Order
	}
	if o.Terms != nil && o.Graph.Neighbours > 0 {
		if g.byTerms, _, err = graph.Find(o.begin(ctx, gram.PartTerms), o.Terms, o.Graph.Neighbours, graph.Cosine, graph.Search{Recall: 1}); err != nil {
			return nil, err
		}
	}
	g.seconds.Neighbours = time.Since(start).Seconds()
	if o.Kernel == nil {
		return g, nil
	}
	if o.Form == "" {
		o.Form = gram.FormHalf
	}
	start = time.Now()
	made, err := gram.Open(ctx, p, request)
	if err != nil {
		return nil, err
	}
	g.gram, g.landmarks, g.kernel = made.Matrix, made.Landmarks, made.Kernel
	if made.Neighbours != nil {
		g.neighbours, g.search = made.Neighbours, made.Search
	}
	g.seconds.Gram = time.Since(start).Seconds()
	return g, nil
}

// WithKernel returns a geometry of the same points and neighbours with another
// Gram matrix, in the default form.
func (g *Geometry) WithKernel(ctx context.Context, k kernel.Kernel, precision gram.Precision) (*Geometry, error) {
	made, err := gram.Open(ctx, g.points, gram.Request{Kernel: k, Precision: precision})
	if err != nil {
		return nil, err
	}
	return &Geometry{points: g.points, kernel: k, gram: made.Matrix, options: g.options, edges: g.edges, most: g.most, neighbours: g.neighbours, byTerms: g.byTerms, search: g.search, partition: g.partition}, nil
}

// WithGraphs returns a geometry that shares everything with g, but whose graphs have neighbours by
// another metric, and another weight of given edges. Neighbours are taken from those that g found, so
// these must be what the metric seeks.
func (g *Geometry) WithGraphs(m graph.Metric, edgeWeight float64) *Geometry {
	other := *g
	other.options.Metric, other.options.EdgeWeight = m, edgeWeight
	return &other
}

// Serves reports whether g has what [New] makes of the points by the options, but for the Gram matrix: the same points and kernel, and the
// neighbours for their graphs. Number of neighbours and degree do not matter, as far as there are as many.
func (g *Geometry) Serves(p *points.Points, o Options) bool {
	mine := g.options
	mine.Neighbours, mine.Degree, o.Graph.Degree = o.Graph.Neighbours, 0, 0
	return o.Graph.Neighbours <= g.most && mine == o.Graph && g.points.Equal(p)
}

// Searched returns what [New] makes of points by options without a kernel, with neighbours that g has found. It returns nil where g has other points, or not
// those neighbours alone.
func (g *Geometry) Searched(p *points.Points, o Options) *Geometry {
	count, metric := o.Sought(p.Len())
	switch found := g.neighbours; {
	case o.Kernel != nil || o.Edges != nil || o.Terms != nil || !o.Ranks.Alone():
	case g.edges != nil || g.byTerms != nil || !g.ranks.Alone() || found == nil || found.Distance == nil:
	case count == 0 || count > found.K || metric != g.options.Metric.Sought() || o.Graph.Recall != g.options.Recall || !g.points.Equal(p):
	default:
		return &Geometry{points: g.points, options: o.Graph, most: o.Graph.Neighbours, neighbours: found.First(count), search: g.search, partition: g.partition}
	}
	return nil
}

// WithFactorOf returns a geometry that shares everything with g, but has the kernel and the factor of another one of the same points.
func (g *Geometry) WithFactorOf(o *Geometry) *Geometry {
	other := *g
	other.kernel, other.factor, other.gram, other.landmarks = o.kernel, o.factor, nil, nil
	return &other
}

// Close gives the memory of the Gram matrix back. Points, neighbours and what a
// factor is made of stay.
func (g *Geometry) Close() {
	if g.gram != nil {
		g.gram.Close()
		g.gram, g.landmarks = nil, nil
	}
}

// Shared returns the ranks that share the geometry, and their points. A process alone has all.
func (g *Geometry) Shared() (*comm.Comm, comm.Partition) { return g.ranks, g.partition }

// Len returns the number of points, of ranks the own ones.
func (g *Geometry) Len() int { return g.points.Len() }

// Points returns the points.
func (g *Geometry) Points() *points.Points { return g.points }

// Kernel returns the kernel, its width found.
func (g *Geometry) Kernel() kernel.Kernel { return g.kernel }

// Gram returns the Gram matrix, nil where there is none.
func (g *Geometry) Gram() gram.Matrix { return g.gram }

// Landmarks returns the Gram matrix made of landmarks, nil where it has another form.
func (g *Geometry) Landmarks() *gram.Landmarks { return g.landmarks }

// Seconds returns how long the parts took.
func (g *Geometry) Seconds() Seconds { return g.seconds }

// Neighbours returns the neighbours that were found, by [Options.Sought]; nil where none were asked
// for.
func (g *Geometry) Neighbours() *graph.Neighbours { return g.neighbours }

// ForgetDistances gives the memory of the neighbours' distances back. From then on [Geometry.Graph] panics unless graphs are of given
// edges alone.
func (g *Geometry) ForgetDistances() {
	if g.neighbours != nil {
		few := *g.neighbours
		few.Distance = nil
		g.neighbours = &few
	}
}

// MostNeighbours returns how many neighbours a graph can have at most, 0 without neighbours.
func (g *Geometry) MostNeighbours() int { return g.most }

// Search tells how the neighbours were found.
func (g *Geometry) Search() graph.Found { return g.search }

// Graph returns the graph of the given number of nearest neighbours of every point, with the edges
// that are given, and its heat width. The weights of as many neighbours by terms are added, whose heat width is their own. Without those of neighbours the width is 0. Of ranks each has the rows of its own points. It fails when ctx is done, and panics where
// the geometry can have no such graph.
func (g *Geometry) Graph(ctx context.Context, neighbours int) (w *graph.Adjacency, width float64, err error) {
	if g.edges != nil && g.options.EdgesAlone {
		return g.edges, 0, ctx.Err()
	}
	if g.neighbours == nil || neighbours > g.most {
		panic(fmt.Sprintf("geometry: a graph of %d neighbours where fewer were found", neighbours))
	}
	if g.neighbours.Distance == nil {
		panic("geometry: a graph of neighbours whose distances are forgotten")
	}
	nb, err := g.options.Metric.Nearest(ctx, g.neighbours, neighbours)
	if err != nil {
		return nil, 0, err
	}
	w, width, err = graph.Connect(ctx, nb, g.options.Weights, g.options.HeatWidth)
	if err == nil && g.byTerms != nil {
		var terms *graph.Adjacency
		if terms, _, err = graph.Connect(ctx, g.byTerms.First(neighbours), g.options.Weights, 0); err == nil {
			w = graph.Joined(w, terms, 1)
		}
	}
	if err == nil && g.edges != nil {
		w = graph.Joined(w, g.edges, cmp.Or(g.options.EdgeWeight, 1))
	}
	return w, width, err
}

// Layout returns a map of the points by a graph that [Geometry.Graph] returned, see [layout.Of].
func (g *Geometry) Layout(ctx context.Context, w *graph.Adjacency, seed uint64) ([]float32, error) {
	if g.edges != nil && g.options.EdgesAlone {
		return layout.Of(ctx, w, nil, seed)
	}
	return layout.Of(ctx, w, g.neighbours, seed)
}

// MeanDegree returns the mean of Σ_j |W_ij| over the points, in the graph of so many neighbours without the edges that are given. It
// fails and panics where [Geometry.Graph] does.
func (g *Geometry) MeanDegree(ctx context.Context, neighbours int) (float64, error) {
	alone := *g
	alone.edges = nil
	w, _, err := alone.Graph(ctx, neighbours)
	if err != nil {
		return 0, err
	}
	sum := 0.0
	for i := range w.Len() {
		sum += w.Degree(i)
	}
	return sum / float64(w.Len()), nil
}

// Laplacian returns a power of the Laplacian of a graph of these points.
func (g *Geometry) Laplacian(w *graph.Adjacency, degree int) *graph.Laplacian {
	return graph.NewLaplacian(w, g.options.Unnormalised, degree)
}

// Factor returns the factor C of the Gram matrix, K = CCᵀ, which it makes once.
// It fails where [deformed.NewFactor] does, and panics for a form of the matrix
// that does not give its rows.
func (g *Geometry) Factor(ctx context.Context) (*deformed.Factor, error) {
	if g.factor == nil {
		var err error
		if g.factor, err = deformed.NewFactor(ctx, g.gram.(objective.Rows), 0); err != nil {
			return nil, err
		}
	}
	return g.factor, nil
}

// Powers starts the products of the factor with the powers of the Laplacian, on the graph of the
// given number of nearest neighbours. The reductions of several degrees share the products. With 0
// neighbours there is no intrinsic norm.
func (g *Geometry) Powers(ctx context.Context, neighbours int) (*deformed.Powers, error) {
	factor, err := g.Factor(ctx)
	if err != nil {
		return nil, err
	}
	if neighbours == 0 {
		return factor.Powers(nil), nil
	}
	w, _, err := g.Graph(ctx, neighbours)
	if err != nil {
		return nil, err
	}
	l := g.Laplacian(w, 1).Ordered(factor.Order())
	return factor.Powers(func(degree int) objective.Operator { return l.Power(degree) }), nil
}
