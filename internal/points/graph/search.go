package graph

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"lapsvm/internal/points/checkpoint"
	"lapsvm/internal/points/neighbours"
	"lapsvm/internal/points/tiles"
	"lapsvm/internal/ranks/comm"
	"lapsvm/points"
)

// DefaultRecall is the share of the exact neighbours that an approximate search finds
// unless another is asked for.
const DefaultRecall = 0.97

// Search says how neighbours are sought. The zero value is its default.
type Search struct {
	// Recall is the share of the exact neighbours that are to be found, up to 1, which
	// is exact search; 0 means DefaultRecall. Where exact search takes seconds, it is
	// exact whatever is asked.
	Recall float64
	Seed   uint64  // of what is drawn in an approximate search
	most   float64 // multiply-adds of an exact search that is cheap; 0 means exactCost

	// Keep is a folder that keeps what is found; nil keeps nothing. Ranks open it together.
	Keep *checkpoint.Folder `json:"-"`
	// Ranks share the points, each so many of them as Partition says; nil is a process alone.
	Ranks     *comm.Comm     `json:"-"`
	Partition comm.Partition `json:"-"`
}

// cheap returns the most multiply-adds of an exact search among points like those of p.
func (s Search) cheap(p *points.Points) float64 {
	if p.Sparse() {
		return cmp.Or(s.most, exactSparse)
	}
	return cmp.Or(s.most, exactCost)
}

// WithDefaults returns the search with its default filled in. It fails for a recall
// outside its range.
func (s Search) WithDefaults() (Search, error) {
	if s.Recall == 0 {
		s.Recall = DefaultRecall
	}
	if !(s.Recall > 0 && s.Recall <= 1) {
		return s, fmt.Errorf("the recall of the neighbours must be above 0 and at most 1, not %v", s.Recall)
	}
	return s, nil
}

// Found tells how neighbours were found.
type Found struct {
	Approximate bool
	Recall      float64 // share of the exact neighbours found, measured on a sample; 1 for exact search
	RecallError float64 // its standard error; 0 for exact search
	Cells       int     // parts that the points were cut into
	Looks       int     // how often points were compared with those of other cells
	Reason      string  // why it was exact or not, in words
	// Order holds all points, each once, so that near ones are near to one another in
	// it; nil for exact search.
	Order []int32
}

// Exact search is done where its cost is at most exactCost multiply-adds, some seconds on two
// cores. The cost is n²·(d + perPair) for dense points. Where products follow from bytes,
// byteCost·d takes the place of d. For sparse points, sparsePair and sparseCost times the stored values of a row
// do, and exact search may cost exactSparse: cells tell few of their pairs apart, so approximate search
// takes longer.
const (
	exactCost   = 5e11
	exactSparse = 1.25e12
	perPair     = 16
	byteCost    = 0.25
	sparseCost  = 8
	sparsePair  = 84
)

// Quick reports whether exact search among the points of p costs a tenth of what [Find] does exactly of dense points: less than a second.
func Quick(p *points.Points) bool { return searchCost(p, p.Len()) <= exactCost/10 }

// searchCost returns the cost of exact search among n rows like those of p.
func searchCost(p *points.Points, n int) float64 {
	width := float64(p.Dim())
	if _, _, bytes := p.ByteRows(); bytes {
		width *= byteCost
	} else if p.Sparse() {
		width = sparsePair + sparseCost*float64(p.Stored())/float64(max(p.Len(), 1))
	}
	return float64(n) * float64(n) * (width + perPair)
}

// Find finds the k nearest neighbours of every point of p. It searches exactly, as [FindNeighbours]
// does, where that takes seconds, a recall of 1 is asked or the metric is Kernel. Otherwise it
// searches approximately: most of the neighbours are the exact ones, and the others little farther.
//
// Approximate distances are direct sums in double, as in exact search, which adds in another order
// where points are equally far. Equally distant points are taken by lower index among those
// compared. The recall is measured on 384 points. Work goes on until the recall asked is reached,
// or the work equals that of exact search. The reason tells where less was reached. The same points
// and seed give the same neighbours on any number of threads. Where search.Keep has the neighbours
// of these points by these settings, Find reads them. It fails as FindNeighbours does, for a recall
// outside its range, for a damaged file, and where no file can be written.
//
// Of ranks that share the points each finds the neighbours of its own points among the points of
// all. Exact search compares every pair once, half of the pairs of two ranks on each, and each rank
// sends its points to all others. In approximate search points visit the ranks with points near to
// them. Visits are few where near points share a rank, as after [Deal]. Find fails on all ranks for
// the metric Kernel.
func Find(ctx context.Context, p *points.Points, k int, metric Metric, search Search) (*Neighbours, Found, error) {
	search, err := search.WithDefaults()
	if err != nil {
		return nil, Found{}, err
	}
	find := search.alone
	if !search.Ranks.Alone() {
		find = search.onRanks
	}
	nb, found, err := search.kept(ctx, p, k, metric, find)
	if err == nil && !search.Ranks.Alone() {
		nb.Ranks, nb.Partition = search.Ranks, search.Partition
	}
	return nb, found, err
}

// alone is [Find] of a process alone, with nothing kept.
func (search Search) alone(ctx context.Context, p *points.Points, k int, metric Metric) (*Neighbours, Found, error) {
	exactly := func(reason string) (*Neighbours, Found, error) {
		nb, err := FindNeighbours(ctx, p, k, metric)
		return nb, Found{Recall: 1, Reason: reason}, err
	}
	switch {
	case metric.Given():
		return exactly("the values of all pairs are given")
	case search.Recall == 1:
		return exactly("asked for")
	case searchCost(p, p.Len()) <= search.cheap(p):
		return exactly("few enough points for exact search in seconds")
	}
	s, err := newSpace(ctx, p, k, metric)
	if err != nil {
		return nil, Found{}, err
	}
	if searchCost(s.points, s.points.Len()) <= search.cheap(p) {
		nb, err := s.exact(ctx, k)
		return nb, Found{Recall: 1, Reason: "few enough points that differ for exact search in seconds"}, err
	}
	return s.approximate(ctx, k, search)
}

// SearchBytes estimates the memory that [Find] takes for Euclidean neighbours of p, with its
// result. Exact search takes two tables, in float32 or bytes. Approximate search takes sketches,
// trees, lists and probes.
func SearchBytes(p *points.Points, k int, search Search) int64 {
	n := int64(p.Len())
	if search.Recall == 1 || searchCost(p, p.Len()) <= search.cheap(p) {
		size := int64(4)
		if _, _, bytes := p.ByteRows(); bytes {
			size = 1
		}
		return 2*size*int64(p.Stored()) + n*(100+40*int64(k))
	}
	return n * (400 + 40*int64(k))
}

// approximate searches approximately, and tells how it went.
func (s *space) approximate(ctx context.Context, k int, search Search) (*Neighbours, Found, error) {
	asked, err := s.asked(ctx, k, s.bytes(k), search)
	if err != nil {
		return nil, Found{}, err
	}
	nb, found, err := s.reached(ctx, asked)
	if err != nil {
		return nil, Found{}, err
	}
	return s.few.ofAll(nb), found, nil
}

// reached runs an approximate search, and returns the neighbours of the kept points.
func (s *space) reached(ctx context.Context, asked neighbours.Asked) (*Neighbours, Found, error) {
	reached, err := neighbours.Approximately(ctx, asked)
	if err != nil {
		return nil, Found{}, err
	}
	found := Found{Approximate: true, Recall: reached.Recall, RecallError: reached.Error, Cells: reached.Cells, Looks: reached.Looks, Reason: "too many points for exact search in seconds"}
	if reached.Recall < asked.Recall {
		found.Reason = fmt.Sprintf("a recall of %.3g was asked, but to go on would cost as much as exact search, which a recall of 1 asks for", asked.Recall)
	}
	found.Order = s.few.orderOfAll(reached.Order)
	return &Neighbours{K: asked.K, Index: reached.Index, Distance: reached.Distance}, found, nil
}

// asked returns what an approximate search is to find, by bytes or nil. Its origin is in the middle of
// the points, for products whose errors nothing mends. It fails when ctx is done.
func (s *space) asked(ctx context.Context, k int, bytes *tiles.Bytes, search Search) (neighbours.Asked, error) {
	a := neighbours.Asked{Points: s.points, K: k, Bytes: bytes, Cosine: s.metric == Cosine, Recall: search.Recall, Seed: search.Seed}
	switch {
	case a.Cosine:
		a.Ranking = cosine
	case s.ranking != nil:
		a.Ranking = func(*points.Points) neighbours.Ranking { return s.ranking }
	}
	if a.Bytes != nil {
		return a, nil
	}
	if s.points.Sparse() { // their products are formed in double, and rounded once
		a.Single = neighbours.NewScale(s.all, k).SingleResolves(slices.Max(s.points.Squares()), 1)
		return a, nil
	}
	largest := 1.0 // rows of unit length
	if s.metric != Cosine {
		var err error
		if a.Origin, err = neighbours.Centre(ctx, s.points); err != nil {
			return a, err
		}
		largest = s.largest(a.Origin)
	}
	a.Single = neighbours.NewScale(s.all, k).SingleResolves(largest, s.points.Dim())
	return a, nil
}

// largest returns the largest squared distance of a point to the origin.
func (s *space) largest(origin []float64) float64 {
	n, square := s.points.Len(), 0.0
	for _, v := range origin {
		square += v * v
	}
	dots := make([]float64, n)
	s.points.DotsWith(dots, 0, n, origin)
	largest := 0.0
	for i, v := range s.points.Squares() {
		largest = max(largest, v-2*dots[i]+square)
	}
	return largest
}
