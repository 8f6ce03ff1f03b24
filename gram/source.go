package gram

import (
	"context"
	"fmt"
	"math"

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

// exponentError is the error of an exponent that is let pass.
const exponentError = 2e-5

// singleSuffices reports whether float32 is good enough for the values of a kernel
// of points with ‖x‖² ≤ largest: for kernels of x − y, whose exponent must not be
// off by more than exponentError as a rule. Rounding the coordinates changes
// ‖x − y‖² by way of inner products by several units of ‖x‖², and ‖x − y‖₁ by one
// of ‖x‖₁ + ‖y‖₁ ≤ 2√(d·largest).
func singleSuffices(p *points.Points, largest float64, k kernel.Kernel) bool {
	const unit = 0x1p-24
	kind, sigma := k.Kind(), k.Parameters().Sigma
	switch {
	case p.Len() < 2 || !(largest < math.MaxFloat32/16):
		return false
	case !kind.Shift:
		return true
	case kind.Statistic == points.Products:
		return 8*unit*largest <= exponentError*(sigma*sigma)
	}
	return 2*unit*math.Sqrt(float64(p.Dim())*largest) <= exponentError*sigma
}

// sources lays out p for the kernel values with itself: in float32 where they are
// stored so and it suffices, else in float64. The other is nil.
func sources(ctx context.Context, p *points.Points, k kernel.Kernel, precision Precision) (single *source[float32], double *source[float64], err error) {
	if precision == Single && !p.Sparse() {
		if single, err = newSource[float32](ctx, p, k); err != nil {
			return nil, nil, err
		}
		if singleSuffices(p, single.left.Largest(), k) {
			return single, nil, nil
		}
	}
	double, err = newSource[float64](ctx, p, k)
	return nil, double, err
}

func newSource[T tiles.Float](ctx context.Context, p *points.Points, k kernel.Kernel) (*source[T], error) {
	left, right, err := tiles.Sides[T](ctx, p, originOf(p, k))
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
