package gram

import (
	"context"
	"fmt"
	"runtime"

	"lapsvm/internal/points/tiles"
	"lapsvm/internal/system/fault"
	"lapsvm/internal/system/huge"
	"lapsvm/internal/system/size"
	"lapsvm/kernel"
	"lapsvm/points"
)

// Half is a symmetric Gram matrix stored as the tiles of its upper triangle,
// outside the Go heap where the system allows: about 2n² bytes in Single
// precision, 4n² in Double. Close gives the memory back at once.
type Half struct {
	n         int
	precision Precision
	single    *tiled[float32] // one of the two is nil
	double    *tiled[float64]
	stored    any // []float32 or []float64: all tiles
	release   func()
	cleanup   runtime.Cleanup
}

// halfBytes returns the memory in bytes that a [Half] of n points takes.
func halfBytes(n int, precision Precision) int64 {
	blocks := int64(n+tileSize-1) / tileSize
	return blocks * (blocks + 1) / 2 * tileLength * int64(precision/8)
}

// half is the row of the stored half.
func half() form {
	return form{
		name: FormHalf, rows: true,
		bytes: func(p *points.Points, precision Precision, _ int) int64 {
			return halfBytes(p.Len(), precision) + sideBytes(p, precision)
		},
		reason: func(p *points.Points, precision Precision, allowed string) string {
			return fmt.Sprintf("half of the matrix takes %s of %s", size.Text(halfBytes(p.Len(), precision)), allowed)
		},
		open: func(ctx context.Context, p *points.Points, k kernel.Kernel, r Request, o *Opened) (err error) {
			o.Matrix, err = NewHalf(ctx, p, k, r.Precision)
			return err
		},
	}
}

// NewHalf computes the Gram matrix of p; the zero precision is Single. Statistics are computed in
// float32 where that is accurate enough for the kernel and the storage is Single, else in float64.
// Points of a kernel of differences are centred first. It fails when ctx is done, without the
// memory from the system, and where some k(x_i, x_i) is not finite in the storage; k(x_i, x_i)
// bounds row i. It panics for a kernel whose width is open. Cost: n²·d/2 multiply-adds and n²/2
// kernel maps; 2·n·d values of memory while it runs.
func NewHalf(ctx context.Context, p *points.Points, k kernel.Kernel, precision Precision) (*Half, error) {
	if kernel.Open(k) {
		panic("gram: NewHalf with a kernel whose width is open")
	}
	if precision == 0 {
		precision = Single
	}
	single, double, err := sources(ctx, p, k, precision)
	if err != nil {
		return nil, err
	}
	var h *Half
	if single != nil {
		h, _, err = build(ctx, p, single, 0, precision)
	} else {
		h, _, err = build(ctx, p, double, 0, precision)
	}
	return h, err
}

// newHalf reserves the memory of a matrix of n points. It fails where the system
// does not give it.
func newHalf(n int, precision Precision) (*Half, error) {
	h := &Half{n: n, precision: precision}
	count := int(halfBytes(n, precision) / int64(precision/8))
	var err error
	if precision == Double {
		var values []float64
		if values, h.release, err = huge.Reserve[float64](count); err == nil {
			h.double, h.stored = storedTiles(n, values), values
		}
	} else {
		var values []float32
		if values, h.release, err = huge.Reserve[float32](count); err == nil {
			h.single, h.stored = storedTiles(n, values), values
		}
	}
	if err != nil {
		return nil, fault.Errorf("%w: the system does not give the %s that half of the Gram matrix of %d points takes: allow less with %s, so that every product computes it anew, or take fewer points",
			err, size.Text(halfBytes(n, precision)), n, fault.Option{Name: "Memory"})
	}
	h.cleanup = runtime.AddCleanup(h, func(release func()) { release() }, h.release)
	return h, nil
}

func storedTiles[S tiles.Float](n int, values []S) *tiled[S] {
	return newTiled(n, true, func(_ []S, tile, _, _ int) []S {
		return values[tile*tileLength : (tile+1)*tileLength]
	})
}

// checkDiagonal reports a diagonal that is not finite.
func (h *Half) checkDiagonal(k kernel.Kernel) error {
	defer runtime.KeepAlive(h)
	for i := range h.n {
		b, r := i/tileSize, i%tileSize
		var v float64
		if h.single != nil {
			v = float64(h.single.at(nil, h.single.number(b, b), b, b)[r*tileSize+r])
		} else {
			v = h.double.at(nil, h.double.number(b, b), b, b)[r*tileSize+r]
		}
		if err := checkFinite(v, i, k, h.precision); err != nil {
			return err
		}
	}
	return nil
}

// Close gives the memory back. The matrix must not be used afterwards.
func (h *Half) Close() {
	h.cleanup.Stop()
	h.release()
	h.release = func() {}
	h.stored, h.single, h.double = nil, nil, nil
}

// Len returns n.
func (h *Half) Len() int { return h.n }

// Precision returns how the entries are stored.
func (h *Half) Precision() Precision { return h.precision }

// Row writes row i of the matrix into dst, n values.
func (h *Half) Row(dst []float64, i int) {
	defer runtime.KeepAlive(h) // its memory goes with it
	if h.single != nil {
		h.single.row(dst, i)
	} else {
		h.double.row(dst, i)
	}
}

// Mul computes dst[c] = K·src[c] for all columns, 16 of them in one pass over K. Sums are float64,
// with one exception. Several columns at once in Single precision are rounded to float32; they are
// summed in float32 over the 192 terms of a tile, and in float64 across tiles. Their relative error
// is then that of the storage, about 2e-7 of Σ|K||x|, and they take half the time or less. The bits
// do not depend on the number of threads. It uses scratch memory of the operator, so it is not safe
// for concurrent use. It fails when ctx is done, which it checks once a tile. It panics when the
// numbers or lengths of the columns differ.
func (h *Half) Mul(ctx context.Context, dst, src [][]float64) error {
	defer runtime.KeepAlive(h)
	if h.single != nil {
		return h.single.mul(ctx, dst, src)
	}
	return h.double.mul(ctx, dst, src)
}
