package tiles

import (
	"context"
	"sync/atomic"

	"lapsvm/internal/parallel"
	"lapsvm/internal/vec"
	"lapsvm/points"
)

// Multiples lays out the rows of a dense table that are whole multiples of a number
// ([points.Points.Multiples]) for one side of [Tile], which gives products of two such sides
// in float64 from exact ones of bytes, rounded to T once: ⟨x_i, y_j⟩, or of both sides
// −‖x_i − y_j‖²/2 where differences are asked, of which nothing is lost where points are near
// one another and which are 0 for equal ones; then [Side.Squares] are 0. is says which rows these are; where not, a tile has
// no meaning. Cost: two passes over the table, and n·d bytes. It fails when ctx is done.
func Multiples[T Float](ctx context.Context, p *points.Points, left, differences bool) (side *Side[T], is []bool, err error) {
	return layOutMultiples[T](ctx, p, left, differences, false)
}

// AllMultiples is [Multiples] for a table whose rows all are such, and nil for another, at the
// cost of a few rows as a rule.
func AllMultiples[T Float](ctx context.Context, p *points.Points, left, differences bool) (*Side[T], error) {
	side, _, err := layOutMultiples[T](ctx, p, left, differences, true)
	return side, err
}

func layOutMultiples[T Float](ctx context.Context, p *points.Points, left, differences, all bool) (*Side[T], []bool, error) {
	n, d := p.Len(), p.Dim()
	if p.Sparse() || d > vec.MostBytes {
		return nil, make([]bool, n), ctx.Err()
	}
	s := &Side[T]{n: n, d: d, squares: make([]T, n), bytes: make([]vec.BytesBlock, blocks(n)), multiples: make([]vec.Multiple, n)}
	is := make([]bool, n)
	var missing atomic.Bool
	err := parallel.Step(ctx, blocks(n), func(_, block int) {
		from, to := span(block, n)
		var values []uint8
		row, scratch, index := make([]uint8, d), p.Scratch(1), make([]int32, to-from)
		for i := from; i < to; i++ {
			if all && missing.Load() {
				return
			}
			unit, ok := p.Multiples(row, i, scratch)
			if !ok {
				missing.Store(true)
				continue
			}
			if values == nil {
				values = make([]uint8, (to-from)*d)
			}
			copy(values[(i-from)*d:], row)
			is[i], index[i-from], s.multiples[i].Unit = true, int32(i-from), unit
			// As a tile computes it, so that equal points have no difference.
			if square := float64(unit*unit) * float64(vec.DotBytes(row, row)); differences {
				s.multiples[i].Less = square / 2
			} else {
				s.squares[i] = T(square)
			}
		}
		switch {
		case values == nil:
		case left:
			s.bytes[block].PackLeft(values, d, index, nil)
		default:
			s.bytes[block].PackRight(values, d, index, nil)
		}
	})
	if err != nil || all && missing.Load() {
		return nil, is, err
	}
	return s, is, nil
}
