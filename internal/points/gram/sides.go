package gram

import (
	"context"
	"slices"
	"sync"

	"lapsvm/internal/points/tiles"
	"lapsvm/kernel"
	"lapsvm/points"
)

// leastColumns is from how many columns on products of multiples are sooner made than those
// of float32.
const leastColumns = 128

// sides are points laid out for one side of tiles by their values. Points that are whole multiples
// of a number are also laid out as bytes: pixels are, also over 255 or over the length of their
// row. The product of two such points is made from an exact product of bytes, which take a quarter
// of the memory. A kernel of differences gets ‖x − y‖² from it, rounded once. A pair's way depends
// on its own points, and on whether all of the basis are multiples.
type sides[T tiles.Float] struct {
	values    *tiles.Side[T] // nil where all of the left points are multiples
	multiples *tiles.Side[T] // nil where none of the left points are, or not all of the right ones
	is        []bool         // which of the left points are multiples; nil for none
	free      sync.Pool      // of *memory, of a right side
}

// rightSides lays out a basis, whose values are laid out already.
func rightSides[T tiles.Float](ctx context.Context, p *points.Points, values *tiles.Side[T], k kernel.Kernel) (*sides[T], error) {
	right := &sides[T]{values: values}
	if k.Kind().Statistic != points.Products || p.Dim() < leastColumns {
		return right, nil
	}
	var err error
	right.multiples, err = tiles.AllMultiples[T](ctx, p, false, k.Kind().Shift)
	return right, err
}

// left lays out points for products with a basis, in memory where they are a block.
func (right *sides[T]) left(ctx context.Context, x *points.Points, origin []float64, k kernel.Kernel, m *memory[T]) (*sides[T], error) {
	block := x.Len() <= tileSize && !x.Sparse()
	left := new(sides[T])
	var err error
	switch {
	case right.multiples == nil:
	case block:
		left.multiples, left.is = m.part.Multiples(x, k.Kind().Shift)
	default:
		if left.multiples, left.is, err = tiles.Multiples[T](ctx, x, true, k.Kind().Shift); err != nil {
			return nil, err
		}
	}
	switch {
	case left.is != nil && !slices.Contains(left.is, false):
	case block:
		left.values = m.part.Left(x, origin)
	default:
		left.values, err = tiles.Left[T](ctx, x, origin)
	}
	return left, err
}

// memory is what products of some points with a basis are computed in.
type memory[T tiles.Float] struct {
	part        tiles.Part[T]
	tile, spare []T
}

// borrow returns memory, to be given back.
func (right *sides[T]) borrow() *memory[T] {
	if m, ok := right.free.Get().(*memory[T]); ok {
		return m
	}
	return new(memory[T])
}

func (right *sides[T]) giveBack(m *memory[T]) { right.free.Put(m) }

// span returns the points from ≤ i < to of a block.
func (s *sides[T]) span(block int) (from, to int) {
	if s.values != nil {
		return s.values.Span(block)
	}
	return s.multiples.Span(block)
}

// blocks returns the number of blocks.
func (s *sides[T]) blocks() int {
	if s.values != nil {
		return s.values.Blocks()
	}
	return s.multiples.Blocks()
}

// bytes returns the memory that is read of a basis for products with some points.
func (right *sides[T]) bytes(left *sides[T]) int {
	if left.values == nil {
		return right.multiples.Bytes()
	}
	return right.values.Bytes()
}

// squares returns ‖x_i‖² of a left point and ‖y_j‖² of the right ones as they go with
// the products of the two.
func (s *sides[T]) squares(i int, right *sides[T]) (T, []T) {
	if s.is != nil && s.is[i] {
		return s.multiples.Squares()[i], right.multiples.Squares()
	}
	return s.values.Squares()[i], right.values.Squares()
}

// tile computes a statistic of block bi of left points and block bj of right ones into dst,
// as [tiles.Tile] does.
func (s *sides[T]) tile(statistic points.Statistic, dst []T, spare *[]T, bi int, right *sides[T], bj, next int) {
	from, to := s.span(bi)
	switch {
	case s.is == nil || !slices.Contains(s.is[from:to], true):
		tiles.Tile(statistic, dst, tileSize, s.values, bi, right.values, bj, next)
	case !slices.Contains(s.is[from:to], false):
		tiles.Tile(statistic, dst, tileSize, s.multiples, bi, right.multiples, bj, next)
	default:
		tiles.Tile(statistic, dst, tileSize, s.values, bi, right.values, bj, next)
		*spare = grow(*spare, (to-from)*tileSize)
		tiles.Tile(statistic, *spare, tileSize, s.multiples, bi, right.multiples, bj, next)
		for i := range to - from {
			if s.is[from+i] {
				copy(dst[i*tileSize:(i+1)*tileSize], (*spare)[i*tileSize:])
			}
		}
	}
}
