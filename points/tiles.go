package points

import (
	"context"
	"math"

	"lapsvm/internal/parallel"
	"lapsvm/internal/vec"
)

// TileSize is the number of rows of a full block, and so of the rows and
// columns of a full tile of pairs of points.
const TileSize = 192

// TilePosition returns the block row and block column of a tile of the upper
// triangle of blocks×blocks tiles, numbered along its rows.
func TilePosition(tile, blocks int) (bi, bj int) {
	for tile >= blocks-bi {
		tile -= blocks - bi
		bi++
	}
	return bi, bi + tile
}

// TilesPerPiece is how many tiles a goroutine takes at a time: it knows then
// which comes next.
const TilesPerPiece = 8

// EachTile calls do for every tile of the upper triangle of blocks×blocks
// tiles, numbered along its rows, on several goroutines: those of the
// diagonal first, in which every point meets its first neighbours, then the
// others row after row. next is the block column of the tile that follows in
// the same block row on the same goroutine, −1 if there is none. It fails when
// ctx is done.
func EachTile(ctx context.Context, blocks int, do func(worker, tile, bi, bj, next int)) error {
	number := func(bi, bj int) int { return bi*blocks - bi*(bi-1)/2 + bj - bi }
	// The tiles off the diagonal are those of the triangle of blocks − 1.
	off := blocks * (blocks - 1) / 2
	pieces := (off + TilesPerPiece - 1) / TilesPerPiece
	return parallel.Run(ctx, blocks+pieces, func(worker, piece int) {
		if piece < blocks {
			do(worker, number(piece, piece), piece, piece, -1)
			return
		}
		first := (piece - blocks) * TilesPerPiece
		last := min(first+TilesPerPiece, off)
		bi, bj := TilePosition(first, blocks-1)
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

// Side is a table cut into blocks of [TileSize] rows and laid out for one side
// of [Tile]: in T, and for dense tables in the order in which the product
// reads it. It is immutable and safe to share.
type Side[T Float] struct {
	p       *Points
	packed  []vec.Packed[T] // one per block; nil for a sparse table
	squares []T
}

// Sides lays out p for both sides of [Tile], with origin subtracted from every
// row unless it is nil. Cost: one pass over p and
// 2·n·d values of memory. A sparse table is kept as it is; it needs T = float64
// and no origin, and Sides panics otherwise. It fails when ctx is done.
func Sides[T Float](ctx context.Context, p *Points, origin []float64) (left, right *Side[T], err error) {
	return layOut[T](ctx, p, origin, true, true)
}

// LeftSide is [Sides] for the left side alone.
func LeftSide[T Float](ctx context.Context, p *Points, origin []float64) (*Side[T], error) {
	left, _, err := layOut[T](ctx, p, origin, true, false)
	return left, err
}

// RightSide is [Sides] for the right side alone.
func RightSide[T Float](ctx context.Context, p *Points, origin []float64) (*Side[T], error) {
	_, right, err := layOut[T](ctx, p, origin, false, true)
	return right, err
}

func layOut[T Float](ctx context.Context, p *Points, origin []float64, toLeft, toRight bool) (left, right *Side[T], err error) {
	left = &Side[T]{p: p, squares: make([]T, p.n)}
	right = &Side[T]{p: p, squares: left.squares}
	if p.Sparse() {
		squares, ok := any(left.squares).([]float64)
		if !ok || origin != nil {
			panic("points: products of a sparse table need float64 and no origin")
		}
		copy(squares, p.square)
		return left, right, ctx.Err()
	}
	if toLeft {
		left.packed = make([]vec.Packed[T], left.Blocks())
	}
	if toRight {
		right.packed = make([]vec.Packed[T], right.Blocks())
	}
	type scratch struct {
		moved []float64
		rows  []T
		wide  []float64 // a row of rows
	}
	all := make([]scratch, parallel.Threads(ctx))
	err = parallel.Step(ctx, left.Blocks(), func(worker, block int) {
		w := &all[worker]
		i0, i1 := left.Span(block)
		values := p.dense[i0*p.d : i1*p.d]
		if origin != nil {
			if w.moved == nil {
				w.moved = make([]float64, TileSize*p.d)
			}
			for r := range i1 - i0 {
				row := w.moved[r*p.d : (r+1)*p.d]
				copy(row, values[r*p.d:(r+1)*p.d])
				vec.Axpy(-1, origin, row)
			}
			values = w.moved[:len(values)]
		}
		rows := inType(&w.rows, values)
		for i := i0; i < i1; i++ {
			// The squares belong to the coordinates as they are in T.
			row := inDouble(&w.wide, rows[(i-i0)*p.d:(i-i0+1)*p.d])
			left.squares[i] = T(vec.Dot(row, row))
		}
		if toLeft {
			left.packed[block].PackLeft(i1-i0, p.d, rows, max(p.d, 1))
		}
		if toRight {
			right.packed[block].PackRight(i1-i0, p.d, rows, max(p.d, 1))
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
func (s *Side[T]) Len() int { return s.p.n }

// Blocks returns the number of blocks.
func (s *Side[T]) Blocks() int { return (s.p.n + TileSize - 1) / TileSize }

// Span returns the rows from ≤ i < to of a block.
func (s *Side[T]) Span(block int) (from, to int) {
	return block * TileSize, min((block+1)*TileSize, s.p.n)
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
