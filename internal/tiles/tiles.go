// Package tiles goes through pairs of points in tiles: a table is laid out once
// for either side of a pair, and a tile is a statistic of two blocks of rows.
package tiles

import (
	"context"
	"fmt"
	"math"

	"lapsvm/internal/parallel"
	"lapsvm/internal/vec"
	"lapsvm/points"
)

// Size is the number of rows of a full block, and so of the rows and
// columns of a full tile of pairs of points.
const Size = 192

// position returns the block row and block column of a tile of the upper
// triangle of blocks×blocks tiles, numbered along its rows.
func position(tile, blocks int) (bi, bj int) {
	for tile >= blocks-bi {
		tile -= blocks - bi
		bi++
	}
	return bi, bi + tile
}

// perPiece is how many tiles a goroutine takes at a time: it knows then
// which comes next.
const perPiece = 8

// Each calls do for every tile of the upper triangle of blocks×blocks
// tiles, numbered along its rows, on several goroutines: those of the
// diagonal first, in which every point meets its first neighbours, then the
// others row after row. next is the block column of the tile that follows in
// the same block row on the same goroutine, −1 if there is none. It fails when
// ctx is done.
func Each(ctx context.Context, blocks int, do func(worker, tile, bi, bj, next int)) error {
	number := func(bi, bj int) int { return bi*blocks - bi*(bi-1)/2 + bj - bi }
	// The tiles off the diagonal are those of the triangle of blocks − 1.
	off := blocks * (blocks - 1) / 2
	pieces := (off + perPiece - 1) / perPiece
	return parallel.Run(ctx, blocks+pieces, func(worker, piece int) {
		if piece < blocks {
			do(worker, number(piece, piece), piece, piece, -1)
			return
		}
		first := (piece - blocks) * perPiece
		last := min(first+perPiece, off)
		bi, bj := position(first, blocks-1)
		for bj++; first < last; first++ {
			next := bj + 1
			if first+1 == last || next == blocks {
				next = -1
			}
			do(worker, number(bi, bj), bi, bj, next)
			if bj++; bj == blocks {
				bi++
				bj = bi + 1
			}
		}
	})
}

// Float is the type in which products are computed.
type Float = vec.Float

// Side is a table cut into blocks of [Size] rows and laid out for one side
// of [Tile]: in T, and for dense tables in the order in which the product
// reads it. It is immutable and safe to share.
type Side[T Float] struct {
	p       *points.Points
	packed  []vec.Packed[T] // one per block; nil for a sparse table
	squares []T
}

// Sides lays out p for both sides of [Tile], with origin subtracted from every
// row unless it is nil. Cost: one pass over p and 2·n·d values of memory. A sparse
// table is kept as it is; it needs T = float64 and no origin, and Sides panics
// otherwise. It fails when ctx is done.
func Sides[T Float](ctx context.Context, p *points.Points, origin []float64) (left, right *Side[T], err error) {
	return layOut[T](ctx, p, origin, true, true)
}

// Left is [Sides] for the left side alone.
func Left[T Float](ctx context.Context, p *points.Points, origin []float64) (*Side[T], error) {
	left, _, err := layOut[T](ctx, p, origin, true, false)
	return left, err
}

// Right is [Sides] for the right side alone.
func Right[T Float](ctx context.Context, p *points.Points, origin []float64) (*Side[T], error) {
	_, right, err := layOut[T](ctx, p, origin, false, true)
	return right, err
}

func layOut[T Float](ctx context.Context, p *points.Points, origin []float64, toLeft, toRight bool) (left, right *Side[T], err error) {
	left = &Side[T]{p: p, squares: make([]T, p.Len())}
	right = &Side[T]{p: p, squares: left.squares}
	if p.Sparse() {
		squares, ok := any(left.squares).([]float64)
		if !ok || origin != nil {
			panic("tiles: products of a sparse table need float64 and no origin")
		}
		copy(squares, p.Squares())
		return left, right, ctx.Err()
	}
	if toLeft {
		left.packed = make([]vec.Packed[T], left.Blocks())
	}
	if toRight {
		right.packed = make([]vec.Packed[T], right.Blocks())
	}
	d := p.Dim()
	type scratch struct {
		moved []float64
		rows  []T
		wide  []float64 // a row of rows
	}
	all := make([]scratch, parallel.Threads(ctx))
	err = parallel.Step(ctx, left.Blocks(), func(worker, block int) {
		w := &all[worker]
		i0, i1 := left.Span(block)
		values := p.DenseRows(i0, i1)
		if origin != nil {
			if w.moved == nil {
				w.moved = make([]float64, min(Size, p.Len())*d)
			}
			for r := range i1 - i0 {
				row := w.moved[r*d : (r+1)*d]
				copy(row, values[r*d:(r+1)*d])
				vec.Axpy(-1, origin, row)
			}
			values = w.moved[:len(values)]
		}
		rows := inType(&w.rows, values)
		for i := i0; i < i1; i++ {
			// The squares belong to the coordinates as they are in T.
			row := inDouble(&w.wide, rows[(i-i0)*d:(i-i0+1)*d])
			left.squares[i] = T(vec.Dot(row, row))
		}
		if toLeft {
			left.packed[block].PackLeft(i1-i0, d, rows, max(d, 1))
		}
		if toRight {
			right.packed[block].PackRight(i1-i0, d, rows, max(d, 1))
		}
	})
	if err != nil {
		return nil, nil, err
	}
	return left, right, nil
}

// inType returns values as T, in scratch where they have to be converted.
func inType[T Float](scratch *[]T, values []float64) []T {
	if same, ok := any(values).([]T); ok {
		return same
	}
	if cap(*scratch) < len(values) {
		*scratch = make([]T, len(values))
	}
	out := (*scratch)[:len(values)]
	vec.Narrow(any(out).([]float32), values)
	return out
}

// inDouble returns values as float64, in scratch where they have to be
// converted.
func inDouble[T Float](scratch *[]float64, values []T) []float64 {
	if same, ok := any(values).([]float64); ok {
		return same
	}
	if cap(*scratch) < len(values) {
		*scratch = make([]float64, len(values))
	}
	out := (*scratch)[:len(values)]
	vec.Widen(out, any(values).([]float32))
	return out
}

// Len returns the number of rows.
func (s *Side[T]) Len() int { return s.p.Len() }

// Blocks returns the number of blocks.
func (s *Side[T]) Blocks() int { return (s.p.Len() + Size - 1) / Size }

// Span returns the rows from ≤ i < to of a block.
func (s *Side[T]) Span(block int) (from, to int) {
	return block * Size, min((block+1)*Size, s.p.Len())
}

// Squares returns ‖x_i‖² for every row, as it is in T. It must not be changed.
func (s *Side[T]) Squares() []T { return s.squares }

// Largest returns the largest ‖x_i‖², infinite where one is beyond T, and 0 for
// an empty table.
func (s *Side[T]) Largest() float64 {
	var largest T
	for _, v := range s.squares {
		if v != v {
			return math.Inf(1)
		}
		largest = max(largest, v)
	}
	return float64(largest)
}

// Tile computes a statistic of block i of left and block j of right,
//
//	dst[a·stride + b] = s(left_a, right_b),
//
// rows and columns counted from the beginnings of the blocks. Where the next
// call has the same i, its block of right is next and is fetched meanwhile; −1
// is none. The bits of a value depend on its two points alone. L1 distances have
// a relative error of at most (min(d, 256) + d/256 + 2)·u, u = 2⁻²⁴ in float32,
// beside that of the coordinates as they are in T: nothing cancels. Tile is safe
// for concurrent use. It panics when the numbers of columns differ or dst is too
// short.
func Tile[T Float](s points.Statistic, dst []T, stride int, left *Side[T], i int, right *Side[T], j, next int) {
	if left.p.Dim() != right.p.Dim() {
		panic(fmt.Sprintf("tiles: Tile of %d columns with %d columns", left.p.Dim(), right.p.Dim()))
	}
	if left.packed == nil || right.packed == nil { // sparse
		i0, i1 := left.Span(i)
		j0, j1 := right.Span(j)
		left.p.Pairs(s, any(dst).([]float64), stride, i0, i1, right.p, j0, j1)
		return
	}
	var ahead *vec.Packed[T]
	if next >= 0 && next < len(right.packed) {
		ahead = &right.packed[next]
	}
	if s == points.Products {
		vec.Tile(dst, stride, &left.packed[i], &right.packed[j], ahead)
	} else {
		vec.TileL1(dst, stride, &left.packed[i], &right.packed[j], ahead)
	}
}
