package gram

import (
	"context"

	"lapsvm/internal/tiles"
	"lapsvm/kernel"
	"lapsvm/points"
)

// Streamed is a Gram matrix whose tiles are computed anew for every product:
// it takes the memory of two copies of the points and little else, and a
// product costs as much as a whole Gram matrix.
type Streamed struct {
	n      int
	single *tiled[float32] // one of the two is nil
	double *tiled[float64]
}

// NewStreamed lays out p for products. They are computed in float32 where
// precision is Single and that is accurate enough, else in float64. It fails
// when ctx is done.
func NewStreamed(ctx context.Context, p *points.Points, k kernel.Kernel, precision Precision) (*Streamed, error) {
	origin := originOf(p, k)
	m := &Streamed{n: p.Len()}
	if precision == Single && !p.Sparse() {
		src, err := newSource[float32](ctx, p, origin, k)
		if err != nil {
			return nil, err
		}
		if singleSuffices(p, src.left.Largest(), k, 0) {
			m.single, err = streamedTiles(src)
			return m, err
		}
	}
	src, err := newSource[float64](ctx, p, origin, k)
	if err != nil {
		return nil, err
	}
	m.double, err = streamedTiles(src)
	return m, err
}

func streamedTiles[T tiles.Float](src *source[T]) (*tiled[T], error) {
	squares, statistic := src.left.Squares(), src.kernel.Kind().Statistic
	for i := range squares {
		v := squares[i : i+1 : i+1]
		self := []T{points.Self(statistic, v[0])}
		mapRow(src.kernel, self, v[0], v)
		if err := checkFinite(float64(self[0]), i, src.kernel, Single); err != nil {
			return nil, err
		}
	}
	return newTiled(src.left.Len(), false, func(scratch []T, _, bi, bj int) []T {
		tiles.Tile(statistic, scratch, tileSize, src.left, bi, src.right, bj, bj+1)
		src.symmetric(scratch, bi, bj)
		return scratch
	}), nil
}

// Len returns n.
func (m *Streamed) Len() int { return m.n }

// Mul computes dst[c] = K·src[c] as [Half.Mul] does, at the cost of computing
// K once for every 16 columns.
func (m *Streamed) Mul(ctx context.Context, dst, src [][]float64) error {
	if m.single != nil {
		return m.single.mul(ctx, dst, src)
	}
	return m.double.mul(ctx, dst, src)
}

// Close does nothing: the memory is the Go runtime's.
func (m *Streamed) Close() {}
