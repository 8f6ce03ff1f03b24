package gram

import (
	"context"

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
func NewStreamed(ctx context.Context, p *points.Points, k kernel.Kernel, precision Precision, threads int) (*Streamed, error) {
	q, _ := centred(p, nil, k)
	m := &Streamed{n: p.Len()}
	var err error
	if precision == Single && singleSuffices(q, k, 0) {
		m.single, err = streamedTiles[float32](ctx, q, k, threads)
	} else {
		m.double, err = streamedTiles[float64](ctx, q, k, threads)
	}
	if err != nil {
		return nil, err
	}
	return m, nil
}

func streamedTiles[T points.Float](ctx context.Context, p *points.Points, k kernel.Kernel, threads int) (*tiled[T], error) {
	src, err := newSource[T](ctx, p, k, threads)
	if err != nil {
		return nil, err
	}
	squares := src.left.Squares()
	for i := range squares {
		v := squares[i : i+1 : i+1]
		dot := []T{v[0]}
		mapRow(k, dot, v[0], v)
		if err := checkFinite(float64(dot[0]), i, k, Single); err != nil {
			return nil, err
		}
	}
	return newTiled(p.Len(), threads, false, func(scratch []T, _, bi, bj int) []T {
		points.Tile(scratch, tileSize, src.left, bi, src.right, bj)
		src.symmetric(scratch, bi, bj)
		return scratch
	}), nil
}

// Len returns n.
func (m *Streamed) Len() int { return m.n }

// Mul computes dst[c] = K·src[c] as [Half.Mul] does, at the cost of computing
// K once for every 16 columns.
func (m *Streamed) Mul(dst, src [][]float64) {
	if m.single != nil {
		m.single.mul(dst, src)
	} else {
		m.double.mul(dst, src)
	}
}

// Close does nothing: the memory is the Go runtime's.
func (m *Streamed) Close() {}
