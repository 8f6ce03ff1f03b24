// Package gram makes the Gram matrix of a kernel on a set of points available
// as an operator, and evaluates kernel expansions.
//
// An operator multiplies columns. [Half] stores the upper triangle, [Streamed]
// computes it anew for every product, [Features] multiplies by the points
// themselves, [Precomputed] takes somebody else's matrix; [Open] chooses.
package gram

import (
	"context"
	"runtime"

	"lapsvm/internal/huge"
	"lapsvm/internal/neighbours"
	"lapsvm/internal/parallel"
	"lapsvm/internal/tiles"
	"lapsvm/internal/vec"
	"lapsvm/kernel"
	"lapsvm/points"
)

// Precision is the storage of Gram entries in bits. Sums are float64, but see
// [Half.Mul].
type Precision int

// The precisions.
const (
	Single Precision = 32 // float32
	Double Precision = 64 // float64
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

// HalfBytes returns the memory in bytes that a Half of n points takes.
func HalfBytes(n int, precision Precision) int64 {
	blocks := int64(n+tileSize-1) / tileSize
	return blocks * (blocks + 1) / 2 * tileLength * int64(precision/8)
}

// newHalf reserves the memory of a matrix of n points.
func newHalf(n int, precision Precision) *Half {
	h := &Half{n: n, precision: precision}
	count := int(HalfBytes(n, precision) / int64(precision/8))
	if precision == Double {
		values, release := huge.Reserve[float64](count)
		h.double, h.stored, h.release = storedTiles(n, values), values, release
	} else {
		values, release := huge.Reserve[float32](count)
		h.single, h.stored, h.release = storedTiles(n, values), values, release
	}
	h.cleanup = runtime.AddCleanup(h, func(release func()) { release() }, h.release)
	return h
}

func storedTiles[S tiles.Float](n int, values []S) *tiled[S] {
	return newTiled(n, true, func(_ []S, tile, _, _ int) []S {
		return values[tile*tileLength : (tile+1)*tileLength]
	})
}

// fill computes all tiles, and lets search read them before they are mapped.
func fill[T tiles.Float](ctx context.Context, h *Half, src *source[T], search *neighbours.Search[T]) error {
	defer runtime.KeepAlive(h)
	type scratch struct {
		search neighbours.Scratch[T]
		dots   []T
	}
	all := make([]scratch, parallel.Threads(ctx))
	direct, _ := h.stored.([]T) // nil where the storage is of another type
	return tiles.Each(ctx, src.left.Blocks(), func(worker, tile, bi, bj, next int) {
		w := &all[worker]
		var dots []T
		if direct != nil {
			dots = direct[tile*tileLength : (tile+1)*tileLength]
		} else {
			if w.dots == nil {
				w.dots = make([]T, tileLength)
			}
			dots = w.dots
		}
		tiles.Tile(src.kernel.Kind().Statistic, dots, tileSize, src.left, bi, src.right, bj, next)
		i0, i1 := src.left.Span(bi)
		j0, j1 := src.left.Span(bj)
		if search != nil {
			search.Add(&w.search, dots, tileSize, i0, i1, j0, j1)
		}
		src.symmetric(dots, bi, bj)
		if direct == nil { // float64 products into float32 storage
			vec.Narrow(h.stored.([]float32)[tile*tileLength:(tile+1)*tileLength], any(dots).([]float64))
		}
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

// mapDistances turns a matrix that was built for a kernel of open width, and
// holds distances, into the Gram matrix of k.
func (h *Half) mapDistances(ctx context.Context, k kernel.Kernel) error {
	defer runtime.KeepAlive(h)
	if h.single != nil {
		return mapDistances(ctx, h.stored.([]float32), k)
	}
	return mapDistances(ctx, h.stored.([]float64), k)
}

func mapDistances[S tiles.Float](ctx context.Context, values []S, k kernel.Kernel) error {
	squared := k.Kind().Statistic == points.Products
	return parallel.Run(ctx, len(values)/tileLength, func(_, tile int) {
		product := make([]S, tileSize)
		for r := range tileSize {
			row := values[tile*tileLength+r*tileSize : tile*tileLength+(r+1)*tileSize]
			if !squared {
				mapRow(k, row, 0, row)
				continue
			}
			// The points 0 and y have the product 0 and the squared distance ‖y‖².
			clear(product)
			mapRow(k, product, 0, row)
			copy(row, product)
		}
	})
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

// Mul computes dst[c] = K·src[c] for all columns, 16 of them in one pass over
// K. Sums are float64, except that several columns at once in Single precision
// are rounded to float32 and summed in float32 over the 192 terms of a tile, in
// float64 across tiles: their relative error is then that of the storage, about
// 2e-7 of Σ|K||x|, and they take half the time or less. The bits do not depend
// on the number of threads. It uses scratch memory of the operator, so it is
// not safe for concurrent use. It fails when ctx is done, which it looks at once
// a tile. It panics when the numbers or lengths of the columns differ.
func (h *Half) Mul(ctx context.Context, dst, src [][]float64) error {
	defer runtime.KeepAlive(h)
	if h.single != nil {
		return h.single.mul(ctx, dst, src)
	}
	return h.double.mul(ctx, dst, src)
}
