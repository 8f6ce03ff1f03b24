package tiles

import (
	"context"

	"lapsvm/internal/numbers/parallel"
	"lapsvm/internal/numbers/vec"
	"lapsvm/points"
)

// Bytes is a table of bytes, or some of its rows, whose inner products follow from
// exact ones of bytes: as it is, or of rows of unit length.
type Bytes struct {
	values  []uint8
	d       int
	factor  []float32 // of every row, nil for 1
	Squares []float32 // ‖x_i‖² of the rows as they are read
}

// NewBytes returns the bytes of a table, nil where products of its rows do not follow
// from those of bytes ([points.Points.ByteRows]).
func NewBytes(p *points.Points) *Bytes {
	values, norm, ok := p.ByteRows()
	if !ok {
		return nil
	}
	b := &Bytes{values: values, d: p.Dim(), Squares: make([]float32, p.Len())}
	vec.Narrow(b.Squares, p.Squares())
	if norm != nil {
		b.factor = make([]float32, len(norm))
		for i, v := range norm {
			b.factor[i] = float32(1 / v)
		}
	}
	return b
}

// PackLeft lays out rows for the left side of [vec.TileBytes].
func (b *Bytes) PackLeft(to *vec.BytesBlock, rows []int32) {
	to.PackLeft(b.values, b.d, rows, b.factor)
}

// PackRight lays out rows for the right side of [vec.TileBytes].
func (b *Bytes) PackRight(to *vec.BytesBlock, rows []int32) {
	to.PackRight(b.values, b.d, rows, b.factor)
}

// Sides lays out all rows for both sides of [Tile], for products alone: these are
// exact but for a rounding to float32, and for one after each division by a length.
// Cost: one pass over the table, and twice its memory. It fails when ctx is done.
func (b *Bytes) Sides(ctx context.Context) (left, right *Side[float32], err error) {
	n := len(b.Squares)
	left = &Side[float32]{n: n, d: b.d, squares: b.Squares, bytes: make([]vec.BytesBlock, blocks(n))}
	right = &Side[float32]{n: n, d: b.d, squares: b.Squares, bytes: make([]vec.BytesBlock, blocks(n))}
	err = parallel.Step(ctx, blocks(n), func(_, block int) {
		from, to := span(block, n)
		rows := make([]int32, to-from)
		for k := range rows {
			rows[k] = int32(from + k)
		}
		b.PackLeft(&left.bytes[block], rows)
		b.PackRight(&right.bytes[block], rows)
	})
	return left, right, err
}
