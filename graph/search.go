package graph

import (
	"context"
	"fmt"
	"math"
	"slices"
	"sync"

	"lapsvm/internal/parallel"
	"lapsvm/internal/vec"
	"lapsvm/points"
)

// Search collects neighbours from tiles of inner products as somebody computes
// them, in T. It keeps a list of candidates for every point: all that may,
// given the rounding of the products, be among its k nearest. Tiles may come
// in any order, from several goroutines; the neighbours found are the same.
type Search[T points.Float] struct {
	k       int
	squares []T
	margin  T   // twice the bound on the rounding error of a squared distance
	nearest []T // a heap per point of its k smallest rounded squared distances so far, the largest first
	held    []int32
	limit   []T // the largest in the heap plus the margin, infinite while it is not full
	rows    [][]candidate[T]
	locks   []sync.Mutex // one per block of points.TileSize points
}

// candidate is a possible neighbour at a rounded squared distance.
type candidate[T points.Float] struct {
	distance T
	index    int32
}

// SearchScratch is the memory that one goroutine needs for [Search.Add]. The
// zero value is ready.
type SearchScratch[T points.Float] struct {
	row                  []T
	ownLimit, otherLimit []T
	near                 []int32
	found                []pair[T]
}

// NewSearch starts a search for the k nearest neighbours of len(squares)
// points with dim coordinates, squares being their ‖x_i‖² in T. It panics
// unless 1 ≤ k < len(squares).
func NewSearch[T points.Float](squares []T, k, dim int) *Search[T] {
	n := len(squares)
	if k < 1 || k >= n {
		panic(fmt.Sprintf("graph: search for %d neighbours of %d points", k, n))
	}
	s := &Search[T]{k: k, squares: squares, nearest: make([]T, n*k), held: make([]int32, n),
		limit: make([]T, n), rows: make([][]candidate[T], n),
		locks: make([]sync.Mutex, (n+points.TileSize-1)/points.TileSize)}
	var largest T
	for i, v := range squares {
		largest = max(largest, v)
		s.limit[i] = T(math.Inf(1))
	}
	s.margin = T(2 * rounding[T](float64(largest), dim))
	return s
}

// rounding bounds the error of a squared distance ‖x‖² + ‖y‖² − 2⟨x, y⟩ that is
// computed in T from points with ‖x‖² ≤ largest. Products are sums of chains
// of at most 256 fused multiply-adds; coordinates, squares and the final sums
// are rounded too.
func rounding[T points.Float](largest float64, dim int) float64 {
	unit, terms := 0x1p-24, float64(min(dim, 256)+dim/256)
	var t T
	if _, double := any(t).(float64); double {
		unit, terms = 0x1p-53, float64(dim) // sparse products are plain sums
	}
	return unit * (2*terms + 12) * max(largest, 0x1p-1000)
}

// Add takes in the inner products of the points i0 ≤ i < i1 with j0 ≤ j < j1,
// dots[(i−i0)·stride + j−j0]: a tile of the upper triangle, i0 ≤ j0, that
// starts on multiples of [points.TileSize]. Off the diagonal it stands for its
// mirror image too. Every tile must be added once.
func (s *Search[T]) Add(w *SearchScratch[T], dots []T, stride, i0, i1, j0, j1 int) {
	if i0 == j0 {
		s.startBlock(w, dots, stride, i0, i1)
	}
	// The scan goes by a copy of the limits. They only fall, so it finds all
	// that are near enough, and the locks are held for what it found alone.
	w.ownLimit, w.otherLimit = s.limits(w.ownLimit, i0, i1), s.limits(w.otherLimit, j0, j1)
	w.near = vec.AppendNear(w.near[:0], i1-i0, j1-j0, dots, stride, s.squares[i0:i1], s.squares[j0:j1], w.ownLimit, w.otherLimit)
	w.found = w.found[:0]
	for _, code := range w.near {
		row, column := int(code)/vec.NearColumns, int(code)%vec.NearColumns
		dot, i, j := dots[row*stride+column], i0+row, j0+column
		w.found = append(w.found, pair[T]{int32(i), int32(j), max(s.squares[i]+s.squares[j]-dot-dot, 0)})
	}
	own := &s.locks[i0/points.TileSize]
	own.Lock()
	for _, f := range w.found {
		if f.distance <= s.limit[f.i] && f.i != f.j {
			s.add(int(f.i), f.distance, f.j, i0 != j0)
		}
	}
	own.Unlock()
	if i0 == j0 { // a tile of the diagonal is its own mirror image
		return
	}
	other := &s.locks[j0/points.TileSize]
	other.Lock()
	for _, f := range w.found {
		if f.distance <= s.limit[f.j] {
			s.add(int(f.j), f.distance, f.i, true)
		}
	}
	other.Unlock()
}

// pair is two points and their rounded squared distance.
type pair[T points.Float] struct {
	i, j     int32
	distance T
}

// limits copies the present limits of the points of a block.
func (s *Search[T]) limits(to []T, from, end int) []T {
	lock := &s.locks[from/points.TileSize]
	lock.Lock()
	defer lock.Unlock()
	return append(to[:0], s.limit[from:end]...)
}

// startBlock gives the points of a block their first limits, from the tile of
// the diagonal.
func (s *Search[T]) startBlock(w *SearchScratch[T], dots []T, stride, i0, i1 int) {
	lock := &s.locks[i0/points.TileSize]
	lock.Lock()
	defer lock.Unlock()
	if w.row == nil {
		w.row = make([]T, points.TileSize)
	}
	row := w.row[:i1-i0]
	for i := i0; i < i1; i++ {
		vec.DistanceRow(row, dots[(i-i0)*stride:(i-i0)*stride+i1-i0], s.squares[i0:i1], s.squares[i])
		row[i-i0] = T(math.Inf(1)) // not its own neighbour
		heap := s.nearest[i*s.k : (i+1)*s.k]
		for _, distance := range row {
			if int(s.held[i]) < s.k && !math.IsInf(float64(distance), 1) || distance < heap[0] {
				s.hold(i, distance)
			}
		}
	}
}

// hold lets a distance of point i tighten its limit.
func (s *Search[T]) hold(i int, distance T) {
	heap := s.nearest[i*s.k : (i+1)*s.k]
	switch held := int(s.held[i]); {
	case held < s.k:
		heap[held] = distance
		s.held[i]++
		if held+1 < s.k {
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

// add appends a candidate to the list of point i; isNew is whether its distance
// is not held yet.
func (s *Search[T]) add(i int, distance T, index int32, isNew bool) {
	if isNew {
		s.hold(i, distance)
	}
	list := s.rows[i]
	if len(list) == cap(list) && len(list) > 0 {
		list = s.thin(i, list)
	}
	if list == nil || len(list) > cap(list)/2 {
		list = slices.Grow(list, len(list)+2*s.k+28)
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

func siftDown[T points.Float](heap []T, at int) {
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

// Neighbours ranks the candidates of every point by their directly summed
// Euclidean distances in p, which the products were computed from, moved by
// any vector. It fails when ctx is done. Cost: little more than n·k distances.
func (s *Search[T]) Neighbours(ctx context.Context, p *points.Points) (*Neighbours, error) {
	return s.rank(ctx, p, func(_, _ int, squared float64) float64 { return math.Sqrt(squared) })
}

// sameDistance is the relative difference of squared distances below which
// they are summed again in the order that is documented for them.
const sameDistance = 1e-12

// rank orders the candidates of every point by their squared distances in p,
// and by index where these are equal; distance turns a squared distance of two
// points into the one that is kept.
func (s *Search[T]) rank(ctx context.Context, p *points.Points, distance func(i, j int, squared float64) float64) (*Neighbours, error) {
	n, k := len(s.squares), s.k
	nb := &Neighbours{K: k, Index: make([]int32, n*k), Distance: make([]float64, n*k)}
	type scratch struct {
		index    []int32
		distance []float64
		list     []candidate[float64]
	}
	all := make([]scratch, parallel.Threads(ctx))
	err := parallel.Run(ctx, len(s.locks), func(worker, block int) {
		w := &all[worker]
		for i := block * points.TileSize; i < min((block+1)*points.TileSize, n); i++ {
			list := s.thin(i, s.rows[i])
			s.rows[i] = nil
			w.index, w.list = w.index[:0], w.list[:0]
			for _, c := range list {
				w.index = append(w.index, c.index)
			}
			w.distance = slices.Grow(w.distance[:0], len(list))[:len(list)]
			p.SquaredDistances(w.distance, i, w.index)
			for c, j := range w.index {
				w.list = append(w.list, candidate[float64]{distance(i, int(j), w.distance[c]), j})
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
						w.list[from+c].distance = distance(i, int(other.index), p.SquaredDistance(i, p, int(other.index)))
					}
					slices.SortFunc(w.list[from:to], nearer)
				}
				from = to
			}
			index, distances := nb.Of(i)
			for c := range index {
				index[c], distances[c] = w.list[c].index, w.list[c].distance
			}
		}
	})
	if err != nil {
		return nil, err
	}
	return nb, nil
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

// sampled is the number of points whose neighbours NewScale looks for, and
// among how many others.
const (
	sampled      = 16
	sampledAmong = 1024
)

// Scale describes the distances of a table of points by a sample of them.
type Scale struct {
	Nearest float64 // least squared distance to the k-th neighbour in the sample
	Mean    float64 // mean squared distance to the k nearest neighbours in the sample
}

// NewScale looks for the k nearest neighbours of at most 16 points of p among
// at most 1024 (or k + 1), both spread evenly. Cost: 16,384·d multiply-adds.
func NewScale(p *points.Points, k int) Scale {
	s := Scale{Nearest: math.Inf(1)}
	among, few := spread(p.Len(), max(sampledAmong, k+1)), spread(p.Len(), sampled)
	nearest := make([][]float64, len(few))
	for c := range few {
		distance := make([]float64, len(among))
		p.SquaredDistances(distance, int(few[c]), among)
		if at, found := slices.BinarySearch(among, few[c]); found {
			distance[at] = math.Inf(1)
		}
		slices.Sort(distance)
		nearest[c] = distance[:k]
	}
	for _, distance := range nearest {
		s.Nearest = min(s.Nearest, distance[k-1])
		for _, v := range distance {
			s.Mean += v / float64(k*len(few))
		}
	}
	return s
}

// spread returns at most count numbers below n, evenly spread.
func spread(n, count int) []int32 {
	count = min(n, count)
	rows := make([]int32, count)
	for c := range rows {
		rows[c] = int32(c * n / count)
	}
	return rows
}

// SingleResolves reports whether inner products in float32 tell the neighbours
// of points of this scale apart well enough for a [Search] to keep few
// candidates, largest being the largest ‖x‖² and dim the dimension.
func (s Scale) SingleResolves(largest float64, dim int) bool {
	return 2*rounding[float32](largest, dim) <= 0.02*s.Nearest
}
