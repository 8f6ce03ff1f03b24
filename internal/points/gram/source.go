package gram

import (
	"context"
	"math"

	"lapsvm/internal/numbers/vec"
	"lapsvm/internal/points/tiles"
	"lapsvm/internal/system/fault"
	"lapsvm/kernel"
	"lapsvm/points"
)

// source computes tiles of kernel values of a table with itself: statistics in
// T, then the kernel's map over their rows.
type source[T tiles.Float] struct {
	left, right *tiles.Side[T]
	kernel      kernel.Kernel // one with an open width leaves squared distances
	differences *differences  // in place of statistics, where these do not suffice; else nil
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

// suffices reports whether T is accurate enough for the kernel values of points with
// ‖x‖² ≤ largest, as they are laid out. Products must be in the range of T. For kernels of x − y
// the exponent must, as a rule, not be off by more than exponentError. Rounding the coordinates
// changes ‖x − y‖² by several units of ‖x‖² when it is formed from inner products, and ‖x − y‖₁ by
// one unit of ‖x‖₁ + ‖y‖₁ ≤ 2√(d·largest). One point is left to float64.
func suffices[T tiles.Float](p *points.Points, largest float64, k kernel.Kernel) bool {
	unit, least, most := 0x1p-24, 0x1p-100, math.MaxFloat32/16
	var t T
	if _, double := any(t).(float64); double {
		unit, least, most = 0x1p-53, 0, 0x1p1000
	} else if p.Len() < 2 {
		return false
	}
	kind, sigma := k.Kind(), k.Parameters().Sigma
	switch {
	case !(largest < most):
		return false
	case !kind.Shift:
		return largest == 0 || largest >= least
	case !(sigma*sigma > max(least, 0x1p-1000) && sigma*sigma < most):
		return !k.Kind().Has("sigma") && unit < 0x1p-24
	case kind.Statistic == points.Products:
		return 8*unit*largest <= exponentError*(sigma*sigma)
	}
	return 2*unit*math.Sqrt(float64(p.Dim())*largest) <= exponentError*sigma
}

// sources lays out p for the kernel values with itself. The layout is in float32 where the
// precision is Single and float32 suffices, else in float64. It is by differences where products do
// not suffice. The other result is nil.
func sources(ctx context.Context, p *points.Points, k kernel.Kernel, precision Precision) (single *source[float32], double *source[float64], err error) {
	if precision == Single && !p.Sparse() {
		if single, err = newSource[float32](ctx, p, k); err != nil {
			return nil, nil, err
		}
		if suffices[float32](p, single.left.Largest(), k) {
			return single, nil, nil
		}
	}
	if double, err = newSource[float64](ctx, p, k); err == nil && !suffices[float64](p, double.left.Largest(), k) {
		double.differences = byDifferences(p, k)
	}
	return nil, double, err
}

func newSource[T tiles.Float](ctx context.Context, p *points.Points, k kernel.Kernel) (*source[T], error) {
	left, right, err := tiles.Sides[T](ctx, p, originOf(p, k))
	if err != nil {
		return nil, err
	}
	return &source[T]{left: left, right: right, kernel: k}, nil
}

// statistics computes the tile in block row bi and block column bj, as [tiles.Tile]
// does, unless it is computed by differences.
func (s *source[T]) statistics(dst []T, bi, bj, next int) {
	if s.differences == nil {
		tiles.Tile(s.kernel.Kind().Statistic, dst, tileSize, s.left, bi, s.right, bj, next)
	}
}

// symmetric computes the tile of a table with itself in block row bi and block
// column bj: kernel values, in place of the statistics in values. For a kernel
// whose width is open it leaves distances, squared where they come from products.
func (s *source[T]) symmetric(values []T, bi, bj int) {
	i0, i1 := s.left.Span(bi)
	j0, j1 := s.left.Span(bj)
	if s.differences != nil {
		var w differencesScratch
		for i := i0; i < i1; i++ {
			s.differences.row(&w, any(values).([]float64)[(i-i0)*tileSize:], s.differences.basis, i, j0, j1)
		}
		return
	}
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
		return fault.Errorf("the kernel (%v) of point %d with itself is %v in %d bits: scale the points, or choose another kernel", k, i+1, v, precision)
	}
	return nil
}
