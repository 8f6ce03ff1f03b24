package gram

import (
	"context"
	"fmt"
	"math"

	"lapsvm/graph"
	"lapsvm/internal/neighbours"
	"lapsvm/internal/tiles"
	"lapsvm/internal/vec"
	"lapsvm/kernel"
	"lapsvm/points"
)

// source computes tiles of kernel values of a table with itself: statistics in
// T, then the kernel's map over their rows.
type source[T tiles.Float] struct {
	left, right *tiles.Side[T]
	kernel      kernel.Kernel // one with an open width leaves squared distances
}

// mapRow turns statistics with one point into kernel values.
func mapRow[T tiles.Float](k kernel.Kernel, values []T, xx T, yy []T) {
	switch row := any(values).(type) {
	case []float32:
		k.Map32(row, float32(xx), any(yy).([]float32))
	case []float64:
		k.Map(row, float64(xx), any(yy).([]float64))
	}
}

// originOf returns the mean of p where the kernel depends on differences alone
// and the tables are dense, else nil: inner products of centred points lose
// less to cancellation, and their coordinates less to rounding.
func originOf(p *points.Points, k kernel.Kernel) []float64 {
	if !k.Kind().Shift || p.Sparse() {
		return nil
	}
	return p.Mean()
}

// neighboursOfScale is how many neighbours tell the scale of the points where
// none are asked for.
const neighboursOfScale = 5

// The error of an exponent that is let pass.
const exponentError = 2e-5

// singleSuffices reports whether float32 is good enough for points with ‖x‖² ≤
// largest: for kernels of x − y, whose exponent must not be off by more than
// exponentError as a rule, and for telling neighbours apart where k of them are
// sought. Rounding the coordinates changes ‖x − y‖² by way of inner products by
// several units of ‖x‖², and ‖x − y‖₁ by one of ‖x‖₁ + ‖y‖₁ ≤ 2√(d·largest).
func singleSuffices(p *points.Points, largest float64, kern kernel.Kernel, k int) bool {
	if p.Len() < 2 || !(largest < math.MaxFloat32/16) {
		return false
	}
	kind, open, sigma := kern.Kind(), kernel.Open(kern), kern.Parameters().Sigma
	sigma2 := sigma * sigma
	if open || k > 0 {
		scale := neighbours.NewScale(p, min(max(k, neighboursOfScale), p.Len()-1))
		if k > 0 && !scale.SingleResolves(largest, p.Dim()) {
			return false
		}
		if open {
			sigma2 = scale.Mean
		}
	}
	const unit = 0x1p-24
	switch {
	case !kind.Shift:
		return true
	case kind.Statistic == points.Products:
		return 8*unit*largest <= exponentError*sigma2
	}
	return 2*unit*math.Sqrt(float64(p.Dim())*largest) <= exponentError*sigma
}

// Request says what [Build] is to compute.
type Request struct {
	Kernel     kernel.Kernel     // its width may be open for [Open]
	Neighbours int               // if positive, find so many Euclidean neighbours of every point too
	Found      *graph.Neighbours // those found already, by another metric, for an open width; [Open] alone reads them
	Precision  Precision         // storage; default Single
}

// Build computes the Gram matrix of p and, if asked, its neighbours: one pass
// of inner products serves both, for a kernel that sees these; for another, Build
// with neighbours panics. The statistics are computed in float32 where that is
// accurate enough for the kernel and the neighbours and the storage is Single,
// else in float64. Points of a kernel of differences are centred first.
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
		if r.Kernel.Kind().Statistic != points.Products {
			panic("gram: neighbours in a pass without inner products")
		}
		if err := graph.CheckNeighbours(p, r.Neighbours); err != nil {
			return nil, nil, err
		}
	}
	origin := originOf(p, r.Kernel)
	if r.Precision == Single && !p.Sparse() {
		src, err := newSource[float32](ctx, p, origin, r.Kernel)
		if err != nil {
			return nil, nil, err
		}
		if singleSuffices(p, src.left.Largest(), r.Kernel, r.Neighbours) {
			return build(ctx, p, src, r)
		}
	}
	src, err := newSource[float64](ctx, p, origin, r.Kernel)
	if err != nil {
		return nil, nil, err
	}
	return build(ctx, p, src, r)
}

// NewHalf computes the Gram matrix of p; see [Build].
func NewHalf(ctx context.Context, p *points.Points, k kernel.Kernel, precision Precision) (*Half, error) {
	h, _, err := Build(ctx, p, Request{Kernel: k, Precision: precision})
	return h, err
}

// build computes in T.
func build[T tiles.Float](ctx context.Context, p *points.Points, src *source[T], r Request) (*Half, *graph.Neighbours, error) {
	var search *neighbours.Search[T]
	if r.Neighbours > 0 {
		search = neighbours.New(src.right.Squares(), r.Neighbours, p.Dim())
	}
	h := newHalf(p.Len(), r.Precision)
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
	index, distance, err := search.Ranked(ctx, p, nil)
	if err != nil {
		h.Close()
		return nil, nil, err
	}
	return h, &graph.Neighbours{K: r.Neighbours, Index: index, Distance: distance}, nil
}

func newSource[T tiles.Float](ctx context.Context, p *points.Points, origin []float64, k kernel.Kernel) (*source[T], error) {
	left, right, err := tiles.Sides[T](ctx, p, origin)
	if err != nil {
		return nil, err
	}
	return &source[T]{left, right, k}, nil
}

// symmetric computes the tile of a table with itself in block row bi and block
// column bj: kernel values, in place of the statistics in values. For a kernel
// whose width is open it leaves distances, squared where they come from products.
func (s *source[T]) symmetric(values []T, bi, bj int) {
	i0, i1 := s.left.Span(bi)
	j0, j1 := s.left.Span(bj)
	squares, statistic, open := s.left.Squares(), s.kernel.Kind().Statistic, kernel.Open(s.kernel)
	for i := i0; i < i1; i++ {
		row := values[(i-i0)*tileSize : (i-i0)*tileSize+j1-j0]
		if bi == bj {
			row[i-i0] = points.Self(statistic, squares[i]) // exactly, so that a Gaussian has K_ii = 1
		}
		switch {
		case !open:
			mapRow(s.kernel, row, squares[i], squares[j0:j1])
		case statistic == points.Products:
			vec.DistanceRow(row, row, squares[j0:j1], squares[i])
		}
	}
	if bi != bj {
		return
	}
	// The statistics of a diagonal tile are symmetric up to rounding at best.
	for i := range i1 - i0 {
		for j := range i {
			values[i*tileSize+j] = values[j*tileSize+i]
		}
	}
}

func checkFinite(v float64, i int, k kernel.Kernel, precision Precision) error {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return fmt.Errorf("the kernel (%v) of point %d with itself is %v in %d bits: scale the points, or choose another kernel", k, i+1, v, precision)
	}
	return nil
}
