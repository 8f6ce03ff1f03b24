package graph

import (
	"context"
	"fmt"
	"math"
	"slices"

	"lapsvm/internal/numbers/parallel"
	"lapsvm/internal/points/neighbours"
	"lapsvm/internal/points/tiles"
	"lapsvm/internal/ranks/comm"
	"lapsvm/internal/system/fault"
	"lapsvm/points"
)

// Neighbours is the directed k-nearest-neighbour relation of n points: for
// point i the indices Index[i·K:(i+1)·K] and their distances, nearest first. Distance is nil where they are not kept.
type Neighbours struct {
	K        int
	Index    []int32
	Distance []float64

	// Ranks share the points, and each has the neighbours of its own points, by their numbers among
	// the points of all. Nil is a process alone, and has no Partition.
	Ranks     *comm.Comm
	Partition comm.Partition
}

// Len returns the number of points.
func (nb *Neighbours) Len() int { return len(nb.Index) / max(nb.K, 1) }

// Row returns the neighbours of point i and their distances, nearest first,
// without copying.
func (nb *Neighbours) Row(i int) (index []int32, distance []float64) {
	index = nb.Index[i*nb.K : (i+1)*nb.K]
	if nb.Distance == nil {
		return index, nil
	}
	return index, nb.Distance[i*nb.K : (i+1)*nb.K]
}

// First returns the k nearest neighbours of every point, 1 ≤ k ≤ K.
func (nb *Neighbours) First(k int) *Neighbours {
	if k == nb.K {
		return nb
	}
	n := nb.Len()
	few := &Neighbours{K: k, Index: make([]int32, 0, n*k), Ranks: nb.Ranks, Partition: nb.Partition}
	for i := range n {
		few.Index = append(few.Index, nb.Index[i*nb.K:i*nb.K+k]...)
	}
	if nb.Distance == nil {
		return few
	}
	few.Distance = make([]float64, 0, n*k)
	for i := range n {
		few.Distance = append(few.Distance, nb.Distance[i*nb.K:i*nb.K+k]...)
	}
	return few
}

// MeanDistance returns the mean of all non-zero neighbour distances, or 0 if
// there are none. It fails when ctx is done.
func (nb *Neighbours) MeanDistance(ctx context.Context) (float64, error) {
	sum, count := 0.0, 0.0
	for _, d := range nb.Distance {
		if d > 0 {
			sum += d
			count++
		}
	}
	mean := sum / max(count, 1)
	if math.IsInf(sum, 1) {
		mean = 0
		for _, d := range nb.Distance {
			mean += d / count
		}
	}
	if nb.Ranks.Alone() {
		return mean, ctx.Err()
	}
	all := []float64{count}
	if err := nb.Ranks.Sum(ctx, all); err != nil {
		return 0, err
	}
	all[0] = mean * (count / max(all[0], 1))
	err := nb.Ranks.Sum(ctx, all)
	return all[0], err
}

// In returns the same neighbours, in their order, with their distances in p that
// belong to a statistic.
func (nb *Neighbours) In(p *points.Points, s points.Statistic) *Neighbours {
	out := &Neighbours{K: nb.K, Index: nb.Index, Distance: make([]float64, len(nb.Index)), Ranks: nb.Ranks, Partition: nb.Partition}
	for k, j := range nb.Index {
		out.Distance[k] = p.Between(s, k/nb.K, int(j))
	}
	return out
}

// FindNeighbours finds the k nearest neighbours of every point of p, exactly. A point is excluded
// from its own list by its index, so duplicates are each other's neighbours; equally distant
// candidates are taken by lower index. Distances are ‖x−y‖ for Euclidean and 1 − cos(x, y) for
// Cosine, where the cosine with a row of zeros counts as 0. For Kernel they are the distances in
// the space of the kernel, 0 where an indefinite matrix makes a square negative. For Distances they are
// the values of the table.
//
// Candidates are found from inner products, in float32 where it resolves them, with a margin for
// the rounding. They are then ranked by the directly summed distance. So results are right for
// ties, for points far from the origin, and for distances whose squares are beyond float64. Cost:
// n²·d/2 multiply-adds, where of equal points k + 1 count; 2·n·d values of memory; for Kernel, n²
// differences. It fails if k < 1 or k ≥ n, if a value is not finite or above [points.Largest], for
// Kernel if the points are not as many as their values, or when ctx is done.
func FindNeighbours(ctx context.Context, p *points.Points, k int, metric Metric) (*Neighbours, error) {
	if metric.Given() {
		return inTable(ctx, p, k, metric)
	}
	s, err := newSpace(ctx, p, k, metric)
	if err != nil {
		return nil, err
	}
	return s.exact(ctx, k)
}

// space is points as neighbours are sought among them.
type space struct {
	few     thinned // without repeated points; what they are ranked by is of these
	points  *points.Points
	metric  Metric
	ranking neighbours.Ranking
	all     *points.Points // of which the scale is taken
}

// newSpace checks points and prepares them for a search of k neighbours.
func newSpace(ctx context.Context, p *points.Points, k int, metric Metric) (*space, error) {
	switch metric {
	case Cosine:
		p = points.Scaling{Kind: points.UnitNorm}.Apply(p)
	case SelfTuning:
		panic("graph: a search by the metric self-tuning, whose neighbours are sought by its Sought")
	}
	if err := CheckNeighbours(p, k); err != nil {
		return nil, err
	}
	few, err := withoutRepeats(ctx, p, k)
	if err != nil {
		return nil, err
	}
	s := &space{few: few, points: few.points, metric: metric, all: p}
	if metric == Cosine {
		s.ranking = cosine(s.points)
	} else if plain := p.Plain(); plain != p {
		s.ranking = distances(s.points)
		s.all, s.points = plain, s.few.subset(plain)
	}
	return s, nil
}

// bytes returns the points where they are bytes whose products tell neighbours apart,
// else nil.
func (s *space) bytes(k int) *tiles.Bytes {
	if b := tiles.NewBytes(s.points); b != nil && neighbours.NewScale(s.all, k).BytesResolve(b.Squares) {
		return b
	}
	return nil
}

// exact finds all neighbours by the products of all pairs.
func (s *space) exact(ctx context.Context, k int) (*Neighbours, error) {
	nb, err := s.byProducts(ctx, k, nil)
	return s.few.ofAll(nb), err
}

// crossing is a search between the first points and the others alone.
type crossing struct {
	first    int
	bounds   []float64 // of every point, what its k nearest are known to be no farther than; infinite where nothing is known
	start    []int     // what was found, as neighbours.Search.Found returns it
	index    []int32
	distance []float64
}

// byProducts finds all neighbours by the products of all pairs. Where there is a crossing, it fills
// in the crossing instead.
func (s *space) byProducts(ctx context.Context, k int, x *crossing) (*Neighbours, error) {
	if bytes := s.bytes(k); bytes != nil {
		left, right, err := bytes.Sides(ctx)
		if err != nil {
			return nil, err
		}
		return find(ctx, s, left, right, k, x, neighbours.NewOfBytes)
	}
	var origin []float64 // moved there, products lose less to cancellation
	if s.metric != Cosine && !s.points.Sparse() {
		origin = s.all.Mean()
	}
	if !s.points.Sparse() {
		left, right, err := tiles.Sides[float32](ctx, s.points, origin)
		if err != nil {
			return nil, err
		}
		if neighbours.NewScale(s.all, k).SingleResolves(left.Largest(), s.points.Dim()) {
			return find(ctx, s, left, right, k, x, neighbours.New[float32])
		}
	}
	left, right, err := tiles.Sides[float64](ctx, s.points, origin)
	if err != nil {
		return nil, err
	}
	return find(ctx, s, left, right, k, x, neighbours.New[float64])
}

// CheckNeighbours reports a number of neighbours that p cannot have, and points
// without distances.
func CheckNeighbours(p *points.Points, k int) error {
	n := p.Len()
	if k < 1 {
		return fmt.Errorf("the graph needs at least 1 neighbour, not %d", k)
	}
	if k >= n {
		return fault.Errorf("%d neighbours asked of %d points: choose fewer neighbours (at most %d)", k, n, n-1)
	}
	if !slices.ContainsFunc(p.Squares(), func(v float64) bool { return !(v <= math.MaxFloat64/8) }) {
		return nil
	}
	if i, j, found := p.FirstNotFinite(); found {
		return fault.Value.Errorf("point %d has a value in column %d that is not finite: mend or drop it", i+1, j+1)
	}
	if i, j, v := p.LargestValue(); math.Abs(v) > points.Largest {
		return fault.Value.Errorf("point %d holds %.3g in column %d, which is too large for distances: mend or drop it, or scale the points", i+1, v, j+1)
	}
	return nil
}

// cosine ranks rows of unit length.
func cosine(p *points.Points) neighbours.Ranking {
	return func(i, j int, squared float64) float64 {
		if p.Squares()[i] == 0 || p.Squares()[j] == 0 {
			return 1
		}
		return squared / 2
	}
}

// distances ranks points whose squared distances may be beyond float64.
func distances(p *points.Points) neighbours.Ranking {
	return func(i, j int, _ float64) float64 { return p.Distance(points.Products, i, p, j) }
}

// find searches with inner products of the points as they are laid out, and ranks
// what it finds.
func find[T tiles.Float](ctx context.Context, s *space, left, right *tiles.Side[T], k int, x *crossing, begin func(*points.Points, []T, int, neighbours.Ranking) *neighbours.Search[T]) (*Neighbours, error) {
	squares := right.Squares()
	if s.metric == Cosine {
		// ‖x − y‖² = 2 − 2·cos for rows of unit length; a row of zeros counts as
		// one of them, orthogonal to all.
		squares = make([]T, len(squares))
		for i := range squares {
			squares[i] = 1
		}
	}
	search := begin(s.points, squares, k, s.ranking)
	type scratch struct {
		search neighbours.Scratch[T]
		dots   []T
	}
	all := make([]scratch, parallel.Threads(ctx))
	tile := func(worker, bi, bj, next int) {
		w := &all[worker]
		if w.dots == nil {
			w.dots = make([]T, tiles.Size*tiles.Size)
		}
		tiles.Tile(points.Products, w.dots, tiles.Size, left, bi, right, bj, next)
		i0, i1 := left.Span(bi)
		j0, j1 := left.Span(bj)
		search.Add(&w.search, w.dots, tiles.Size, i0, i1, j0, j1)
	}
	if x != nil {
		for i, bound := range x.bounds {
			search.Bound(i, s.squaredRoot(bound))
		}
		err := tiles.EachBetween(ctx, x.first, len(squares), func(worker, bi, bj int) { tile(worker, bi, bj, -1) })
		if err == nil {
			x.start, x.index, x.distance, err = search.Found(ctx)
		}
		return nil, err
	}
	const ranksAt = 0.9 // of the time
	err := tiles.Each(parallel.Share(ctx, 0, ranksAt), left.Blocks(), func(worker, _, bi, bj, next int) { tile(worker, bi, bj, next) })
	if err != nil {
		return nil, err
	}
	index, distance, err := search.Ranked(parallel.Share(ctx, ranksAt, 1))
	if err != nil {
		return nil, err
	}
	return &Neighbours{K: k, Index: index, Distance: distance}, nil
}

// squaredRoot returns the distance of points, whose square products tell, of one by the
// metric.
func (s *space) squaredRoot(distance float64) float64 {
	if s.metric == Cosine {
		return math.Sqrt(2 * distance)
	}
	return distance
}
