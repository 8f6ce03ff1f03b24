package gram

import (
	"context"
	"fmt"

	"lapsvm/internal/points/tiles"
	"lapsvm/internal/system/size"
	"lapsvm/kernel"
	"lapsvm/points"
)

// streamed is the row of the matrix that is computed anew for every product.
func streamed() form {
	return form{
		name:  FormStreamed,
		bytes: func(p *points.Points, precision Precision, _ int) int64 { return sideBytes(p, precision) },
		work:  func(n, d, columns, _ float64) (read, done float64) { return 0, n * n * (d + 2*columns) },
		reason: func(p *points.Points, precision Precision, allowed string) string {
			return fmt.Sprintf("half of the matrix would take %s of %s, so every product computes it anew", size.Text(halfBytes(p.Len(), precision)), allowed)
		},
		open: func(ctx context.Context, p *points.Points, k kernel.Kernel, r Request, o *Opened) (err error) {
			o.Matrix, err = newStream(ctx, p, k, r.Precision)
			return err
		},
	}
}

// sideBytes is the memory of the points laid out for both sides of a pair.
func sideBytes(p *points.Points, precision Precision) int64 {
	if p.Sparse() {
		return 0
	}
	return 2 * int64(p.Stored()) * int64(precision/8)
}

// stream is a Gram matrix whose tiles are computed anew for every product. It
// takes the memory of two copies of the points and little else. A product costs
// as much as a whole Gram matrix.
type stream struct {
	n      int
	single *tiled[float32] // one of the two is nil
	double *tiled[float64]
}

// newStream lays out p for products: in float32 where the precision is Single and
// that is accurate enough, else in float64. It fails when ctx is done.
func newStream(ctx context.Context, p *points.Points, k kernel.Kernel, precision Precision) (*stream, error) {
	m := &stream{n: p.Len()}
	single, double, err := sources(ctx, p, k, precision)
	switch {
	case err != nil:
		return nil, err
	case single != nil:
		m.single, err = streamedTiles(single)
	default:
		m.double, err = streamedTiles(double)
	}
	return m, err
}

func streamedTiles[T tiles.Float](src *source[T]) (*tiled[T], error) {
	squares, statistic := src.left.Squares(), src.kernel.Kind().Statistic
	for i := range squares {
		if src.differences != nil {
			break // whose values are those of a kernel of differences: 1 at most
		}
		v := squares[i : i+1 : i+1]
		self := []T{points.Self(statistic, v[0])}
		mapRow(src.kernel, self, v[0], v)
		if err := checkFinite(float64(self[0]), i, src.kernel, Single); err != nil {
			return nil, err
		}
	}
	return newTiled(src.left.Len(), false, func(scratch []T, _, bi, bj int) []T {
		src.statistics(scratch, bi, bj, bj+1)
		src.symmetric(scratch, bi, bj)
		return scratch
	}), nil
}

// Len returns n.
func (m *stream) Len() int { return m.n }

// Mul computes dst[c] = K·src[c] as [Half.Mul] does, at the cost of computing
// K once for every 16 columns.
func (m *stream) Mul(ctx context.Context, dst, src [][]float64) error {
	if m.single != nil {
		return m.single.mul(ctx, dst, src)
	}
	return m.double.mul(ctx, dst, src)
}

// Close does nothing: the memory is the Go runtime's.
func (m *stream) Close() {}
