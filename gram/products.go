package gram

import (
	"context"
	"fmt"
	"math"

	"lapsvm/graph"
	"lapsvm/kernel"
	"lapsvm/points"
)

// source computes tiles of kernel values between two tables, or of a table
// with itself: inner products in T, then the kernel's map over their rows.
type source[T points.Float] struct {
	left, right *points.Side[T]
	kernel      kernel.Kernel // nil leaves squared distances
}

// mapRow turns inner products with one point into kernel values.
func mapRow[T points.Float](k kernel.Kernel, dots []T, xx T, yy []T) {
	switch row := any(dots).(type) {
	case []float32:
		kernel.Map32(k, row, float32(xx), any(yy).([]float32))
	case []float64:
		k.Map(row, float64(xx), any(yy).([]float64))
	}
}

// centred moves p and q by the mean of p where the kernel depends on
// differences alone and the tables are dense: inner products of centred points
// lose less to cancellation. q may be nil.
func centred(p, q *points.Points, k kernel.Kernel) (*points.Points, *points.Points) {
	if k != nil && !kernel.Radial(k) || p.Sparse() || q != nil && q.Sparse() {
		return p, q
	}
	mean := p.Mean()
	if q != nil {
		q = q.Shifted(mean)
	}
	return p.Shifted(mean), q
}

// neighboursOfScale is how many neighbours tell the scale of the points where
// none are asked for.
const neighboursOfScale = 5

// singleSuffices reports whether inner products in float32 are good enough:
// for a Gaussian, whose exponent must not be off by more than 2e-5 as a rule,
// and for telling neighbours apart where k of them are sought. p is centred if
// it can be.
func singleSuffices(p *points.Points, kern kernel.Kernel, k int) bool {
	if p.Sparse() || p.Len() < 2 {
		return false
	}
	scale := graph.NewScale(p, min(max(k, neighboursOfScale), p.Len()-1))
	if k > 0 && !scale.SingleResolves(p.Dim()) {
		return false
	}
	sigma2 := scale.Mean // of a Gaussian whose width is still to be chosen
	switch kern := kern.(type) {
	case nil:
	case kernel.Gaussian:
		sigma2 = kern.Sigma * kern.Sigma
	default:
		return scale.Largest < math.MaxFloat32/16
	}
	return 8*0x1p-24*scale.Largest <= 2e-5*sigma2 && scale.Largest < math.MaxFloat32/16
}

// Request says what [Build] is to compute.
type Request struct {
	Kernel     kernel.Kernel // nil: squared distances, which [Half.Gaussian] turns into a kernel
	Neighbours int           // if positive, find so many Euclidean neighbours of every point in the same pass
	Precision  Precision     // storage; default Single
	Threads    int           // default all processors
}

// Build computes the Gram matrix of p and, if asked, its neighbours: one pass
// of inner products serves both. The products are computed in float32 where
// that is accurate enough for the kernel and the neighbours and the storage is
// Single, else in float64. Points of a radial kernel are centred first.
//
// It fails when ctx is done, where points cannot have the neighbours asked
// for, and where k(x_i, x_i), which bounds its row, is not finite in the
// storage. Cost: n²·d/2 multiply-adds and n²/2 kernel maps; 2·n·d values of
// memory while it runs.
func Build(ctx context.Context, p *points.Points, r Request) (*Half, *graph.Neighbours, error) {
	if r.Precision == 0 {
		r.Precision = Single
	}
	if r.Neighbours > 0 {
		if err := graph.CheckNeighbours(p, r.Neighbours); err != nil {
			return nil, nil, err
		}
	}
	q, _ := centred(p, nil, r.Kernel)
	if r.Precision == Single && singleSuffices(q, r.Kernel, r.Neighbours) {
		return build[float32](ctx, p, q, r)
	}
	return build[float64](ctx, p, q, r)
}

// NewHalf computes the Gram matrix of p; see [Build].
func NewHalf(ctx context.Context, p *points.Points, k kernel.Kernel, precision Precision, threads int) (*Half, error) {
	h, _, err := Build(ctx, p, Request{Kernel: k, Precision: precision, Threads: threads})
	return h, err
}

// build computes in T from the products of q, which has the distances of p.
func build[T points.Float](ctx context.Context, p, q *points.Points, r Request) (*Half, *graph.Neighbours, error) {
	src, err := newSource[T](ctx, q, r.Kernel, r.Threads)
	if err != nil {
		return nil, nil, err
	}
	var search *graph.Search[T]
	if r.Neighbours > 0 {
		search = graph.NewSearch(src.right.Squares(), r.Neighbours, q.Dim())
	}
	h := newHalf(q.Len(), r.Precision, r.Threads)
	if err := fill(ctx, h, src, search); err != nil {
		h.Close()
		return nil, nil, err
	}
	if err := h.checkDiagonal(r.Kernel); err != nil {
		h.Close()
		return nil, nil, err
	}
	if search == nil {
		return h, nil, nil
	}
	nb, err := search.Neighbours(ctx, p, r.Threads)
	if err != nil {
		h.Close()
		return nil, nil, err
	}
	return h, nb, nil
}

func newSource[T points.Float](ctx context.Context, p *points.Points, k kernel.Kernel, threads int) (*source[T], error) {
	left, err := points.LeftSide[T](ctx, p, threads)
	if err != nil {
		return nil, err
	}
	right, err := points.RightSide[T](ctx, p, threads)
	if err != nil {
		return nil, err
	}
	return &source[T]{left, right, k}, nil
}

// symmetric computes the tile of a table with itself in block row bi and block
// column bj: kernel values, in place of the inner products in dots.
func (s *source[T]) symmetric(dots []T, bi, bj int) {
	i0, i1 := s.left.Span(bi)
	j0, j1 := s.left.Span(bj)
	squares := s.left.Squares()
	for i := i0; i < i1; i++ {
		row := dots[(i-i0)*tileSize : (i-i0)*tileSize+j1-j0]
		if bi == bj {
			row[i-i0] = squares[i] // exactly, so that a Gaussian has K_ii = 1
		}
		if s.kernel == nil {
			distances(row, squares[i], squares[j0:j1])
		} else {
			mapRow(s.kernel, row, squares[i], squares[j0:j1])
		}
	}
	if bi != bj {
		return
	}
	// The products of a diagonal tile are symmetric up to rounding at best.
	for i := range i1 - i0 {
		for j := range i {
			dots[i*tileSize+j] = dots[j*tileSize+i]
		}
	}
}

func checkFinite(v float64, i int, k kernel.Kernel, precision Precision) error {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return fmt.Errorf("the kernel (%v) of point %d with itself is %v in %d bits: scale the points, or choose another kernel", k, i+1, v, precision)
	}
	return nil
}
