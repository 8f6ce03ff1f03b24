package graph

import (
	"context"
	"fmt"
	"math"
	"slices"

	"lapsvm/internal/parallel"
	"lapsvm/points"
)

// Neighbours is the directed k-nearest-neighbour relation of n points: for
// point i the indices Index[i·K:(i+1)·K] and their distances, nearest first.
type Neighbours struct {
	K        int
	Index    []int32
	Distance []float64
}

// Len returns the number of points.
func (nb *Neighbours) Len() int { return len(nb.Index) / max(nb.K, 1) }

// Of returns the neighbours of point i and their distances, nearest first,
// without copying.
func (nb *Neighbours) Of(i int) (index []int32, distance []float64) {
	return nb.Index[i*nb.K : (i+1)*nb.K], nb.Distance[i*nb.K : (i+1)*nb.K]
}

// MeanDistance returns the mean of all non-zero neighbour distances, or 0 if
// there are none.
func (nb *Neighbours) MeanDistance() float64 {
	sum, count := 0.0, 0
	for _, d := range nb.Distance {
		if d > 0 {
			sum += d
			count++
		}
	}
	if count == 0 {
		return 0
	}
	return sum / float64(count)
}

// rowsPerBlock is the number of points whose neighbours are sought together;
// colsPerBlock the number of candidates in one block of inner products.
const (
	rowsPerBlock = 64
	colsPerBlock = 512
)

// FindNeighbours finds the k nearest neighbours of every point of p, exactly.
// A point is excluded from its own list by its index, so duplicates are each
// other's neighbours; equally distant candidates are taken by lower index.
// Distances are ‖x−y‖ for Euclidean and 1 − cos(x, y) for Cosine, where the
// cosine with a row of zeros counts as 0.
//
// Candidates are found from inner products with a margin for their rounding
// and then ranked by the directly summed distance, so ties and points far
// from the origin are right too. Cost: n²·d multiply-adds and, per thread,
// 64·n float64 of scratch. It fails if k < 1 or k ≥ n, if a point is not finite
// or too large to be squared, or when ctx is done.
func FindNeighbours(ctx context.Context, p *points.Points, k int, metric Metric, threads int) (*Neighbours, error) {
	n := p.Len()
	if k < 1 {
		return nil, fmt.Errorf("the graph needs at least 1 neighbour, not %d", k)
	}
	if k >= n {
		return nil, fmt.Errorf("%d neighbours asked of %d points: choose fewer neighbours (at most %d)", k, n, n-1)
	}
	s, err := newSearch(p, k, metric)
	if err != nil {
		return nil, err
	}
	nb := &Neighbours{K: k, Index: make([]int32, n*k), Distance: make([]float64, n*k)}
	threads = parallel.Threads(threads)
	scratch := make([]*searchScratch, threads)
	blocks := (n + rowsPerBlock - 1) / rowsPerBlock
	err = parallel.Run(ctx, blocks, threads, func(worker, block int) {
		if scratch[worker] == nil {
			scratch[worker] = &searchScratch{dots: make([]float64, rowsPerBlock*n)}
		}
		s.block(nb, scratch[worker], block*rowsPerBlock, min((block+1)*rowsPerBlock, n))
	})
	if err != nil {
		return nil, err
	}
	return nb, nil
}

// search holds what all blocks share.
type search struct {
	p         *points.Points // of the distances: as given, or of unit length for Cosine
	q         *points.Points // of the inner products: p, centred where that is possible
	k         int
	metric    Metric
	tolerance float64 // bound on the rounding error of a squared distance from inner products
}

type searchScratch struct {
	dots      []float64 // rowsPerBlock × n
	heap      []float64 // the k smallest so far, largest first
	candidate []candidate
}

type candidate struct {
	distance float64
	index    int32
}

func newSearch(p *points.Points, k int, metric Metric) (*search, error) {
	if metric == Cosine {
		p = points.Scaling{Kind: points.UnitNorm}.Apply(p)
	}
	q := p
	if metric != Cosine && !p.Sparse() {
		q = p.Shifted(p.Mean())
	}
	largest := 0x1p-1022 // below it rounding errors shrink no further
	for i, v := range q.Squares() {
		if !(v <= math.MaxFloat64/8) {
			return nil, fmt.Errorf("point %d has values that are not finite or too large for a distance: mend or drop it, or scale the points", i+1)
		}
		largest = max(largest, v)
	}
	const epsilon = 0x1p-52
	return &search{p: p, q: q, k: k, metric: metric, tolerance: 4 * epsilon * float64(p.Dim()+8) * largest}, nil
}

// block finds the neighbours of the points i0 ≤ i < i1.
func (s *search) block(nb *Neighbours, w *searchScratch, i0, i1 int) {
	n := s.p.Len()
	for j0 := 0; j0 < n; j0 += colsPerBlock {
		j1 := min(j0+colsPerBlock, n)
		s.q.Dots(w.dots[j0:], n, i0, i1, s.q, j0, j1)
	}
	squares := s.q.Squares()
	for i := i0; i < i1; i++ {
		row := w.dots[(i-i0)*n : (i-i0+1)*n]
		if s.metric == Cosine {
			for j, dot := range row {
				row[j] = 2 - 2*dot
			}
		} else {
			for j, dot := range row {
				row[j] = squares[i] + squares[j] - 2*dot
			}
		}
		row[i] = math.Inf(1)
		limit := w.kthSmallest(row, s.k) + 2*s.tolerance
		w.candidate = w.candidate[:0]
		for j, d2 := range row {
			if d2 <= limit && j != i {
				w.candidate = append(w.candidate, candidate{s.distance(i, j), int32(j)})
			}
		}
		slices.SortFunc(w.candidate, func(a, b candidate) int {
			switch {
			case a.distance < b.distance:
				return -1
			case a.distance > b.distance:
				return 1
			}
			return int(a.index - b.index)
		})
		index, distance := nb.Of(i)
		for c := range index {
			index[c], distance[c] = w.candidate[c].index, w.candidate[c].distance
		}
	}
}

// distance is the directly computed distance of points i and j.
func (s *search) distance(i, j int) float64 {
	if s.metric == Cosine {
		if s.p.Squares()[i] == 0 || s.p.Squares()[j] == 0 {
			return 1
		}
		return s.p.SquaredDistance(i, s.p, j) / 2
	}
	return math.Sqrt(s.p.SquaredDistance(i, s.p, j))
}

// kthSmallest returns the k-th smallest value of row by a heap of k values.
func (w *searchScratch) kthSmallest(row []float64, k int) float64 {
	heap := append(w.heap[:0], row[:k]...)
	w.heap = heap
	for at := k/2 - 1; at >= 0; at-- {
		siftDown(heap, at)
	}
	for _, v := range row[k:] {
		if v < heap[0] {
			heap[0] = v
			siftDown(heap, 0)
		}
	}
	return heap[0]
}

func siftDown(heap []float64, at int) {
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
