package tiles

import (
	"context"
	"slices"
	"sync/atomic"

	"lapsvm/internal/numbers/parallel"
	"lapsvm/internal/numbers/vec"
	"lapsvm/points"
)

// Multiples lays out, for one side of [Tile], the rows of a dense table that are whole multiples of
// a number but for a rounding to T ([points.Points.Multiples]). Tile forms products of two such
// sides in float64 from exact products of bytes, and rounds them to T once. They are ⟨x_i, y_j⟩ or,
// where both sides ask for differences, −‖x_i − y_j‖²/2; [Side.Squares] are then 0. Differences
// lose nothing where points are near one another, and are 0 for equal points. is tells which rows
// are multiples; for other rows a tile is undefined. Cost: two passes over the table, and n·d
// bytes. It fails when ctx is done.
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
	s, is := new(Side[T]), make([]bool, p.Len())
	if !s.beginMultiples(p) {
		return nil, is, ctx.Err()
	}
	workers := make([]multiplesPacker, parallel.Threads(ctx))
	var missing atomic.Bool
	err := parallel.Step(ctx, s.Blocks(), func(worker, block int) {
		if all && missing.Load() {
			return
		}
		s.multiplesBlock(&workers[worker], p, block, left, differences, all, is)
		if from, to := s.Span(block); slices.Contains(is[from:to], false) {
			missing.Store(true)
		}
	})
	if err != nil || all && missing.Load() {
		return nil, is, err
	}
	return s, is, nil
}

// Multiples is the function of that name for the left side of all rows of p, to the same bits.
func (a *Part[T]) Multiples(p *points.Points, differences bool) (side *Side[T], is []bool) {
	a.is = grown(a.is, p.Len())
	clear(a.is)
	if !a.multiples.beginMultiples(p) {
		return nil, a.is
	}
	for block := range a.multiples.Blocks() {
		a.multiples.multiplesBlock(&a.packerOfMultiples, p, block, true, differences, false, a.is)
	}
	return &a.multiples, a.is
}

// beginMultiples makes a side ready for its blocks, if a table can have any.
func (s *Side[T]) beginMultiples(p *points.Points) bool {
	if p.Sparse() || p.Dim() > vec.MostBytes {
		return false
	}
	s.n, s.d = p.Len(), p.Dim()
	s.squares, s.multiples, s.bytes = grown(s.squares, s.n), grown(s.multiples, s.n), grown(s.bytes, blocks(s.n))
	clear(s.squares)
	clear(s.multiples)
	return true
}

// multiplesPacker is what one goroutine needs to lay out blocks of multiples.
type multiplesPacker struct {
	row, values []uint8
	index       []int32
	scratch     []float64
}

// multiplesBlock lays out the multiples among the rows of a block, and marks them in is. With all
// it ends at the first row that is no multiple.
func (s *Side[T]) multiplesBlock(w *multiplesPacker, p *points.Points, block int, left, differences, all bool, is []bool) {
	from, to := s.Span(block)
	w.row, w.index, w.scratch = grown(w.row, s.d), grown(w.index, to-from), grown(w.scratch, s.d)
	w.values = w.values[:0]
	rounded := points.RoundedDouble
	if _, single := any(s.squares).([]float32); single {
		rounded = points.RoundedSingle
	}
	for i := from; i < to; i++ {
		unit, ok := p.Multiples(w.row, i, rounded, w.scratch)
		if !ok && all {
			return
		}
		if w.index[i-from] = 0; !ok {
			continue
		}
		w.index[i-from] = int32(len(w.values) / max(s.d, 1))
		w.values = append(w.values, w.row...)
		is[i], s.multiples[i].Unit = true, unit
		// As a tile computes it, so that equal points have no difference.
		if square := float64(unit*unit) * float64(vec.DotBytes(w.row, w.row)); differences {
			s.multiples[i].Less = square / 2
		} else {
			s.squares[i] = T(square)
		}
	}
	switch {
	case len(w.values) == 0: // nor is there anything to multiply
	case left:
		s.bytes[block].PackLeft(w.values, s.d, w.index, nil)
	default:
		s.bytes[block].PackRight(w.values, s.d, w.index, nil)
	}
}
