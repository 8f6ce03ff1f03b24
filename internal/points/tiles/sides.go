package tiles

import (
	"context"
	"math"
	"unsafe"

	"lapsvm/internal/numbers/parallel"
	"lapsvm/internal/numbers/vec"
	"lapsvm/points"
)

// Side is a table, or some rows of one, cut into blocks of [Size] rows and laid out
// for one side of [Tile]: in T, and for dense tables in the order in which the product
// reads it. It is immutable and safe to share.
type Side[T Float] struct {
	n, d    int
	p       *points.Points  // the rows; nil where they are some of a dense table
	packed  []vec.Packed[T] // one per block; nil for a sparse table, and one of bytes
	bytes   []vec.BytesBlock
	squares []T

	multiples []vec.Multiple // what rows of bytes are beside these; nil where they have factors
}

// Sides lays out p for both sides of [Tile], with origin subtracted from every
// row unless it is nil. Cost: one pass over p and 2·n·d values of memory. A sparse
// table is kept as it is; it needs T = float64 and no origin, and Sides panics
// otherwise. It fails when ctx is done.
func Sides[T Float](ctx context.Context, p *points.Points, origin []float64) (left, right *Side[T], err error) {
	left, right = new(Side[T]), new(Side[T])
	return left, right, layOut(ctx, p, origin, left, right)
}

// Left is [Sides] for the left side alone.
func Left[T Float](ctx context.Context, p *points.Points, origin []float64) (*Side[T], error) {
	left := new(Side[T])
	return left, layOut(ctx, p, origin, left, nil)
}

// Right is [Sides] for the right side alone.
func Right[T Float](ctx context.Context, p *points.Points, origin []float64) (*Side[T], error) {
	right := new(Side[T])
	return right, layOut(ctx, p, origin, nil, right)
}

// layOut fills the sides that are not nil.
func layOut[T Float](ctx context.Context, p *points.Points, origin []float64, left, right *Side[T]) error {
	squares := make([]T, p.Len())
	for _, s := range []*Side[T]{left, right} {
		if s != nil {
			s.begin(p, nil, squares, origin)
		}
	}
	if p.Sparse() {
		return ctx.Err()
	}
	all := make([]packer[T], parallel.Threads(ctx))
	return parallel.Step(ctx, blocks(p.Len()), func(worker, block int) {
		w := &all[worker]
		w.block(p, nil, origin, block, squares, left, right)
	})
}

// Part lays out rows of a table for both sides of [Tile], one part of it after the
// other in the same memory. The zero value is ready; it is for one goroutine.
type Part[T Float] struct {
	packer      packer[T]
	squares     []T
	left, right Side[T]

	multiples         Side[T]
	packerOfMultiples multiplesPacker
	is                []bool
}

// Sides lays out the named rows of p, in their order, as [Sides] does a table of
// them, to the same bits; nil names all. The sides are valid until the next call, and
// those of a dense table go with those of dense tables alone. Cost: one pass over the
// rows, and 2·len(rows)·d values of memory, which later calls use again.
func (a *Part[T]) Sides(p *points.Points, rows []int32, origin []float64) (left, right *Side[T]) {
	n := len(rows)
	if rows == nil {
		n = p.Len()
	}
	a.squares = grown(a.squares, n)
	a.left.begin(p, rows, a.squares, origin)
	if p.Sparse() {
		return &a.left, &a.left // either side
	}
	a.right.begin(p, rows, a.squares, origin)
	for block := range a.left.Blocks() {
		a.packer.block(p, rows, origin, block, a.squares, &a.left, &a.right)
	}
	return &a.left, &a.right
}

// Left is [Left] of a dense table in the same memory, to the same bits.
func (a *Part[T]) Left(p *points.Points, origin []float64) *Side[T] {
	a.squares = grown(a.squares, p.Len())
	a.left.begin(p, nil, a.squares, origin)
	for block := range a.left.Blocks() {
		a.packer.block(p, nil, origin, block, a.squares, &a.left, nil)
	}
	return &a.left
}

// begin makes a side ready for its blocks; a sparse table has none.
func (s *Side[T]) begin(p *points.Points, rows []int32, squares []T, origin []float64) {
	s.n, s.d, s.squares, s.p = len(squares), p.Dim(), squares, p
	if !p.Sparse() {
		if s.packed = grown(s.packed, s.Blocks()); rows != nil {
			s.p = nil
		}
		return
	}
	out, ok := any(squares).([]float64)
	if !ok || origin != nil {
		panic("tiles: products of a sparse table need float64 and no origin")
	}
	if s.packed = nil; rows != nil {
		named := make([]int, len(rows))
		for k, i := range rows {
			named[k] = int(i)
		}
		s.p = p.Subset(named)
	}
	copy(out, s.p.Squares())
}

// packer is what one goroutine needs to lay out blocks.
type packer[T Float] struct {
	row, moved []float64
	rows       []T
	wide       []float64 // a row of rows
}

// block lays out a block of the rows of a dense table, nil being all, and sets their
// squares.
func (w *packer[T]) block(p *points.Points, rows []int32, origin []float64, block int, squares []T, left, right *Side[T]) {
	d := p.Dim()
	i0, i1 := span(block, len(squares))
	values := w.values(p, rows, origin, i0, i1)
	for i := i0; i < i1; i++ {
		// The squares belong to the coordinates as they are in T.
		row := inDouble(&w.wide, values[(i-i0)*d:(i-i0+1)*d])
		squares[i] = T(vec.Dot(row, row))
	}
	if left != nil {
		left.packed[block].PackLeft(i1-i0, d, values, max(d, 1))
	}
	if right != nil {
		right.packed[block].PackRight(i1-i0, d, values, max(d, 1))
	}
}

// values returns rows as they are in T, without copying where they lie so in memory.
func (w *packer[T]) values(p *points.Points, rows []int32, origin []float64, from, to int) []T {
	d := p.Dim()
	w.rows = grown(w.rows, (to-from)*d)
	if rows == nil && origin == nil {
		if same, ok := exact(p, from, to, w.rows); ok {
			return same
		}
	}
	w.row, w.moved = grown(w.row, d), grown(w.moved, d)
	for i := from; i < to; i++ {
		out := w.rows[(i-from)*d : (i-from+1)*d]
		at := i
		if rows != nil {
			at = int(rows[i])
		}
		if origin == nil {
			if same, ok := exact(p, at, at+1, out); ok {
				copy(out, same)
				continue
			}
		}
		row := p.Row(at, w.row)
		if origin != nil {
			copy(w.moved, row)
			vec.Axpy(-1, origin, w.moved)
			row = w.moved
		}
		switch out := any(out).(type) {
		case []float64:
			copy(out, row)
		case []float32:
			vec.Narrow(out, row)
		}
	}
	return w.rows
}

// exact returns rows as T where their storage allows that without rounding, without copying or in
// room.
func exact[T Float](p *points.Points, from, to int, room []T) ([]T, bool) {
	if single, ok := any(room).([]float32); ok {
		rows, ok := p.Singles(from, to, single)
		if !ok {
			return nil, false
		}
		return any(rows).([]T), true
	}
	return any(p.Rows(from, to, any(room).([]float64))).([]T), true
}

// inDouble returns values as float64, in scratch where they have to be
// converted.
func inDouble[T Float](scratch *[]float64, values []T) []float64 {
	if same, ok := any(values).([]float64); ok {
		return same
	}
	*scratch = grown(*scratch, len(values))
	vec.Widen(*scratch, any(values).([]float32))
	return *scratch
}

// grown returns s with length n.
func grown[V any](s []V, n int) []V {
	if cap(s) < n {
		return make([]V, n)
	}
	return s[:n]
}

// Len returns the number of rows.
func (s *Side[T]) Len() int { return s.n }

// Blocks returns the number of blocks.
func (s *Side[T]) Blocks() int { return blocks(s.n) }

// Span returns the rows from ≤ i < to of a block.
func (s *Side[T]) Span(block int) (from, to int) {
	return span(block, s.n)
}

func blocks(n int) int { return (n + Size - 1) / Size }

func span(block, n int) (from, to int) { return block * Size, min((block+1)*Size, n) }

// Bytes returns the memory that the rows take as they are laid out.
func (s *Side[T]) Bytes() int {
	switch {
	case s.bytes != nil:
		return s.n * s.d
	case s.packed == nil: // sparse: a value and its column
		return 12 * s.p.Stored()
	}
	var one T
	return s.n * s.d * int(unsafe.Sizeof(one))
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
