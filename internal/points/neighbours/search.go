// Package neighbours finds nearest neighbours. [Search] finds them exactly, from tiles of inner
// products that a caller computes. [Approximately] finds most of them, among points in the same and
// in nearby cells.
package neighbours

import (
	"context"
	"fmt"
	"math"
	"slices"
	"sync"

	"lapsvm/internal/numbers/parallel"
	"lapsvm/internal/numbers/vec"
	"lapsvm/internal/points/tiles"
	"lapsvm/points"
)

// Search collects neighbours from tiles of inner products in T, as a caller computes them. It keeps
// a list of candidates for every point: all points that may be among its k nearest, given the
// rounding of the products. Where these are many, such as texts without a word in common, it keeps
// the nearest. Tiles may come in any order, from several goroutines; the neighbours found are the
// same.
type Search[T tiles.Float] struct {
	points  *points.Points
	ranking Ranking
	k       int
	squares []T
	margin  T       // twice the bound on the rounding error of a squared distance
	nearest []T     // a heap per point of its k smallest rounded squared distances so far, the largest first
	filled  []int32 // how many the heap of every point holds
	limit   []T     // the largest in the heap plus the margin, infinite while it is not full
	rows    [][]candidate[T]
	locks   []sync.Mutex // one per block of tiles.Size points
}

// candidate is a possible neighbour at a rounded squared distance.
type candidate[T tiles.Float] struct {
	distance T
	index    int32
}

// Scratch is the memory that one goroutine needs for [Search.Add]. The
// zero value is ready.
type Scratch[T tiles.Float] struct {
	row                   []T
	rowLimit, columnLimit []T
	near                  []int32
	found                 []pair[T]
	ranked                []rankedAt
}

// rankedAt is a candidate by its true distance, and where it stands in its list.
type rankedAt struct {
	candidate[float64]
	at int
}

// Ranking turns a squared distance of two points into the distance that is kept and
// ranked by.
type Ranking func(i, j int, squared float64) float64

// byRoot is the [Ranking] by distance.
func byRoot(_, _ int, squared float64) float64 { return math.Sqrt(squared) }

// New starts a search for the k nearest neighbours of points, squares being their
// ‖x_i‖² in T as the products are computed, which may be of points moved by a vector.
// A nil ranking is by the root of the squared distance. It panics unless 1 ≤ k <
// len(squares).
func New[T tiles.Float](p *points.Points, squares []T, k int, ranking Ranking) *Search[T] {
	n, dim := len(squares), p.Dim()
	if ranking == nil {
		ranking = byRoot
	}
	if k < 1 || k >= n {
		panic(fmt.Sprintf("neighbours: search for %d neighbours of %d points", k, n))
	}
	s := &Search[T]{points: p, ranking: ranking, k: k, squares: squares, nearest: make([]T, n*k), filled: make([]int32, n),
		limit: make([]T, n), rows: make([][]candidate[T], n),
		locks: make([]sync.Mutex, (n+tiles.Size-1)/tiles.Size)}
	var largest T
	for i, v := range squares {
		largest = max(largest, v)
		s.limit[i] = T(math.Inf(1))
	}
	s.margin = T(2 * rounding[T](float64(largest), dim))
	return s
}

// NewOfBytes is [New] for products of bytes, which have less rounding.
func NewOfBytes(p *points.Points, squares []float32, k int, ranking Ranking) *Search[float32] {
	s := New(p, squares, k, ranking)
	s.margin = float32(2 * roundingOfBytes(squares))
	return s
}

// roundingOfBytes is [rounding] for products by [vec.TileBytes]. Both factors and
// their product are rounded, and so are the products before and after, the squares and
// the two last sums.
func roundingOfBytes(squares []float32) float64 {
	return 0x1p-24 * 24 * float64(max(slices.Max(squares), 1))
}

// rounding bounds the error of a squared distance ‖x‖² + ‖y‖² − 2⟨x, y⟩ that is
// computed in T from points with ‖x‖² ≤ largest. Products are sums of chains
// of at most 256 fused multiply-adds; coordinates, squares and the final sums
// are rounded too.
func rounding[T tiles.Float](largest float64, dim int) float64 {
	unit, terms := 0x1p-24, float64(min(dim, 256)+dim/256)
	var t T
	if _, double := any(t).(float64); double {
		unit, terms = 0x1p-53, float64(dim) // sparse products are plain sums
	}
	return unit * (2*terms + 12) * max(largest, 0x1p-1000)
}

// Add takes in the inner products of the points i0 ≤ i < i1 with j0 ≤ j < j1,
// dots[(i−i0)·stride + j−j0]. They are a tile of the upper triangle, i0 ≤ j0, that starts on
// multiples of [tiles.Size]. Off the diagonal it stands for its mirror image too. Every tile must
// be added once.
func (s *Search[T]) Add(w *Scratch[T], dots []T, stride, i0, i1, j0, j1 int) {
	if i0 == j0 {
		s.startBlock(w, dots, stride, i0, i1)
	}
	// The scan uses a copy of the limits. Limits only fall, so the scan finds all candidates near
	// enough, and the locks are held only while these are added.
	w.rowLimit, w.columnLimit = s.limits(w.rowLimit, i0, i1), s.limits(w.columnLimit, j0, j1)
	w.near = vec.AppendNear(w.near[:0], i1-i0, j1-j0, dots, stride, s.squares[i0:i1], s.squares[j0:j1], w.rowLimit, w.columnLimit)
	w.found = w.found[:0]
	for _, code := range w.near {
		row, column := int(code)/vec.NearColumns, int(code)%vec.NearColumns
		dot, i, j := dots[row*stride+column], i0+row, j0+column
		w.found = append(w.found, pair[T]{int32(i), int32(j), max(s.squares[i]+s.squares[j]-dot-dot, 0)})
	}
	lock := &s.locks[i0/tiles.Size]
	lock.Lock()
	for _, f := range w.found {
		if f.distance <= s.limit[f.i] && f.i != f.j {
			s.add(w, int(f.i), f.distance, f.j, i0 != j0)
		}
	}
	lock.Unlock()
	if i0 == j0 { // a tile of the diagonal is its own mirror image
		return
	}
	lock = &s.locks[j0/tiles.Size]
	lock.Lock()
	for _, f := range w.found {
		if f.distance <= s.limit[f.j] {
			s.add(w, int(f.j), f.distance, f.i, true)
		}
	}
	lock.Unlock()
}

// pair is two points and their rounded squared distance.
type pair[T tiles.Float] struct {
	i, j     int32
	distance T
}

// limits copies the present limits of the points of a block.
func (s *Search[T]) limits(to []T, from, end int) []T {
	lock := &s.locks[from/tiles.Size]
	lock.Lock()
	defer lock.Unlock()
	return append(to[:0], s.limit[from:end]...)
}

// startBlock gives the points of a block their first limits, from the tile of
// the diagonal.
func (s *Search[T]) startBlock(w *Scratch[T], dots []T, stride, i0, i1 int) {
	lock := &s.locks[i0/tiles.Size]
	lock.Lock()
	defer lock.Unlock()
	if w.row == nil {
		w.row = make([]T, tiles.Size)
	}
	row := w.row[:i1-i0]
	for i := i0; i < i1; i++ {
		vec.DistanceRow(row, dots[(i-i0)*stride:(i-i0)*stride+i1-i0], s.squares[i0:i1], s.squares[i])
		row[i-i0] = T(math.Inf(1)) // not its own neighbour
		heap := s.nearest[i*s.k : (i+1)*s.k]
		for _, distance := range row {
			if int(s.filled[i]) < s.k && !math.IsInf(float64(distance), 1) || distance < heap[0] {
				s.hold(i, distance)
			}
		}
	}
}

// hold lets a distance of point i tighten its limit.
func (s *Search[T]) hold(i int, distance T) {
	heap := s.nearest[i*s.k : (i+1)*s.k]
	switch filled := int(s.filled[i]); {
	case filled < s.k:
		heap[filled] = distance
		s.filled[i]++
		if filled+1 < s.k {
			return
		}
		for at := s.k/2 - 1; at >= 0; at-- {
			siftDown(heap, at)
		}
	case distance < heap[0]:
		heap[0] = distance
		siftDown(heap, 0)
	default:
		return
	}
	s.limit[i] = heap[0] + s.margin
}

// mostCandidates is the longest list of candidates, but for 4k. Longer ones are of
// distances that the products cannot tell apart.
const mostCandidates = 128

// add appends a candidate to the list of point i; isNew is whether its distance
// is not held yet.
func (s *Search[T]) add(w *Scratch[T], i int, distance T, index int32, isNew bool) {
	if isNew {
		s.hold(i, distance)
	}
	list := s.rows[i]
	if len(list) == cap(list) {
		if list = s.thin(i, list); len(list) >= max(mostCandidates, 4*s.k) {
			list = s.nearestOf(w, i, list)
		}
		if 2*len(list) >= cap(list) {
			list = slices.Grow(list, len(list)+2*s.k+28)
		}
	}
	s.rows[i] = append(list, candidate[T]{distance, index})
}

// thin drops the candidates that cannot be among the k nearest.
func (s *Search[T]) thin(i int, list []candidate[T]) []candidate[T] {
	kept := list[:0]
	for _, c := range list {
		if c.distance <= s.limit[i] {
			kept = append(kept, c)
		}
	}
	return kept
}

// nearestOf keeps the k nearest candidates.
func (s *Search[T]) nearestOf(w *Scratch[T], i int, list []candidate[T]) []candidate[T] {
	w.ranked = w.ranked[:0]
	for at, c := range list {
		w.ranked = append(w.ranked, rankedAt{candidate[float64]{s.ranking(i, int(c.index), s.points.SquaredDistance(i, s.points, int(c.index))), c.index}, at})
	}
	slices.SortFunc(w.ranked, func(a, b rankedAt) int { return nearer(a.candidate, b.candidate) })
	w.ranked = w.ranked[:s.k]
	slices.SortFunc(w.ranked, func(a, b rankedAt) int { return a.at - b.at })
	for to, one := range w.ranked {
		list[to] = list[one.at]
	}
	return list[:s.k]
}

func siftDown[T tiles.Float](heap []T, at int) {
	for {
		child := 2*at + 1
		if child >= len(heap) {
			return
		}
		if child+1 < len(heap) && heap[child+1] > heap[child] {
			child++
		}
		if heap[at] >= heap[child] {
			return
		}
		heap[at], heap[child] = heap[child], heap[at]
		at = child
	}
}

// sameDistance is the relative difference of squared distances below which
// they are summed again in the order that is documented for them.
const sameDistance = 1e-12

// Ranked returns the k nearest of every point, nearest first, and their distances:
// index[i·k:(i+1)·k] and distance[i·k:(i+1)·k] for point i. Candidates are ordered
// by the ranking of their directly summed squared distances, and by index where these
// are equal. It fails when ctx is done. Cost: little more than n·k distances. It ends
// the search.
func (s *Search[T]) Ranked(ctx context.Context) (index []int32, distance []float64, err error) {
	n, k := len(s.squares), s.k
	index, distance = make([]int32, n*k), make([]float64, n*k)
	all := make([]ranker, parallel.Threads(ctx))
	err = parallel.Run(ctx, len(s.locks), func(worker, block int) {
		w := &all[worker]
		for i := block * tiles.Size; i < min((block+1)*tiles.Size, n); i++ {
			list := s.thin(i, s.rows[i])
			s.rows[i] = nil
			for c, one := range w.rank(s.points, s.ranking, k, i, indices(w.index[:0], list)) {
				index[i*k+c], distance[i*k+c] = one.index, one.distance
			}
		}
	})
	if err != nil {
		return nil, nil, err
	}
	return index, distance, nil
}

// Bound tells the search that the k nearest of point i are no farther than a distance,
// by other points than those of the tiles: only nearer ones are sought then.
func (s *Search[T]) Bound(i int, distance float64) {
	s.limit[i] = min(s.limit[i], T(distance*distance*(1+sameDistance))*(1+0x1p-20)+s.margin)
}

// Found returns the neighbours that the tiles hold, of every point and of those of [Search.Bound].
// Those of point i are index[start[i]:start[i+1]], nearest first, at most k, with their distances.
// It fails when ctx is done, and ends the search.
func (s *Search[T]) Found(ctx context.Context) (start []int, index []int32, distance []float64, err error) {
	n := len(s.squares)
	lists := make([][]candidate[float64], n)
	all := make([]ranker, parallel.Threads(ctx))
	err = parallel.Run(ctx, len(s.locks), func(worker, block int) {
		w := &all[worker]
		for i := block * tiles.Size; i < min((block+1)*tiles.Size, n); i++ {
			list := s.thin(i, s.rows[i])
			s.rows[i] = nil
			lists[i] = slices.Clone(w.rank(s.points, s.ranking, min(s.k, len(list)), i, indices(w.index[:0], list)))
		}
	})
	start = make([]int, n+1)
	for i, list := range lists {
		for _, c := range list {
			index, distance = append(index, c.index), append(distance, c.distance)
		}
		start[i+1] = len(index)
	}
	return start, index, distance, err
}

// indices appends the points of candidates to a list.
func indices[T tiles.Float](to []int32, list []candidate[T]) []int32 {
	for _, c := range list {
		to = append(to, c.index)
	}
	return to
}

// ranker is the memory that ranking candidates takes; the zero value is ready.
type ranker struct {
	index    []int32
	distance []float64
	list     []candidate[float64]
}

// rank returns the k nearest to point i of at least as many others, nearest first. The
// result is good until the next call.
func (w *ranker) rank(p *points.Points, ranking Ranking, k, i int, others []int32) []candidate[float64] {
	w.index, w.list = others, w.list[:0]
	w.distance = slices.Grow(w.distance[:0], len(others))[:len(others)]
	p.SquaredDistances(w.distance, i, others)
	for c, j := range others {
		w.list = append(w.list, candidate[float64]{ranking(i, int(j), w.distance[c]), j})
	}
	slices.SortFunc(w.list, nearer)
	// The fast sums may tell distances apart that are equal.
	for from := 0; from < k; {
		to := from + 1
		for to < len(w.list) && w.list[to].distance-w.list[to-1].distance <= sameDistance*w.list[to].distance {
			to++
		}
		if to > from+1 {
			for c, other := range w.list[from:to] {
				w.list[from+c].distance = ranking(i, int(other.index), p.SquaredDistance(i, p, int(other.index)))
			}
			slices.SortFunc(w.list[from:to], nearer)
		}
		from = to
	}
	return w.list[:k]
}

// nearer orders candidates by distance, then by index.
func nearer(a, b candidate[float64]) int {
	switch {
	case a.distance < b.distance:
		return -1
	case a.distance > b.distance:
		return 1
	}
	return int(a.index - b.index)
}
