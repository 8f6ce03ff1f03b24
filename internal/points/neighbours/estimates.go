package neighbours

import (
	"context"

	"lapsvm/internal/numbers/parallel"
	"lapsvm/internal/numbers/vec"
	"lapsvm/internal/points/tiles"
)

// estimates are squared distances of places by tiles of products. The products are of the points
// themselves where they tell neighbours apart, of rows or, where these are few columns, of sketches.
// Else they are of sketches that underestimate distances; distances are then direct.
type estimates struct {
	unit     float64 // of sketches, 1 for rows
	byRows   bool    // products are of rows, not of sketches
	together int     // so many blocks are the right side of tiles at a time
}

// rightBytes is about the memory of the blocks that are the right side of tiles: they
// are to stay in the second-level cache.
const rightBytes = 5 << 17

// newEstimates returns those of a search, but for the squares.
func newEstimates(a Asked, b *Basis) estimates {
	e := estimates{unit: b.Scale, byRows: a.Bytes != nil || a.Single && (b.Directions != nil || a.Cosine)}
	width := 4 * b.Width
	if e.byRows {
		e.unit, width = 1, 4*a.Points.Dim()
	}
	switch {
	case a.Bytes != nil:
		width = a.Points.Dim()
	case e.byRows && a.Points.Sparse():
		width = 12 * a.Points.Stored() / max(a.Points.Len(), 1)
	}
	e.together = max(rightBytes/(tiles.Size*max(width, 1)), 1)
	return e
}

// slack is how much less than it is a squared distance of two sketches by products is
// taken to be, as a share of their squares: rounding cannot make it larger.
const slack = 0x1p-19

// setSquares computes, for all places of queries, the squares that turn products of sketches into
// estimates of squared distances. Where distances are direct, it also computes the sieve's term for
// the remainder. Rows have their squares when they are laid out.
func (f *finder) setSquares(ctx context.Context, q *queries) error {
	if f.byRows {
		return ctx.Err()
	}
	n := q.count()
	q.squares = grown(q.squares, n)
	return parallel.Step(ctx, (n+perStep-1)/perStep, func(_, piece int) {
		for place := Place(piece * perStep); place < Place(min((piece+1)*perStep, n)); place++ {
			q.squares[place] = f.squareOf(q.sketchOf(place))
		}
	})
}

// squareOf is [finder.setSquares] for a sketch.
func (f *finder) squareOf(x []float32) float32 {
	sum := square(x[:f.cells.rank])
	if f.direct {
		sum -= slack * sum
	}
	for _, rest := range x[f.cells.rank:] {
		sum += f.sieve.turn * rest * rest
	}
	return sum
}

// limit returns the largest estimate at which a candidate is offered to a place. Where a sieve
// drops some near candidates, the limit must not depend on results of other goroutines.
func (f *finder) limit(q *queries, place Place) float32 {
	if f.direct {
		return q.limits[place]
	}
	return float32(q.lists.limit(place) * f.unit * f.unit)
}

// left lays out places of queries, at most tiles.Size, as the left of tiles.
func (f *finder) left(w *comparer, q *queries, places []Place) {
	w.queries, w.places, w.squares = q, append(w.places[:0], places...), grown(w.squares, len(places))
	w.limit, w.otherLimit = grown(w.limit, tiles.Size), grown(w.otherLimit, tiles.Size)
	if f.byRows {
		q.table.gather(&w.leftRows, w.rowsOf(q, places), true, false)
		copy(w.squares, w.leftRows.squares)
		return
	}
	for r, place := range places {
		w.squares[r] = q.squares[place]
	}
	rank := f.cells.rank
	w.sketches = grown(w.sketches, len(places)*rank)
	for r, place := range places {
		copy(w.sketches[r*rank:(r+1)*rank], q.sketchOf(place))
	}
	w.tileScratch.left.PackLeft(len(places), rank, w.sketches, rank)
}

// right lays out blocks, at most f.together, as right sides of tiles.
func (f *finder) right(w *comparer, blocks []block) {
	w.blocks = blocks
	if f.byRows {
		f.table.gather(&w.rightRows, f.cells.rows[blocks[0].from:blocks[len(blocks)-1].to], false, true)
		return
	}
	w.packed = longer(w.packed, len(blocks))
	for k, b := range blocks {
		w.packed[k].PackRight(b.len(), f.cells.rank, f.cells.sketchesFrom(b.from), f.cells.width)
	}
}

// longer returns s with at least count elements; existing elements stay.
func longer[E any](s []E, count int) []E {
	return append(s, make([]E, max(count-len(s), 0))...)
}

// compare gathers the pairs of the left places and those of a right block whose estimates are
// within the limit of one of the two.
func (f *finder) compare(w *comparer, k int) {
	b := w.blocks[k]
	limit, otherLimit := w.limit[:len(w.places)], w.otherLimit[:b.len()]
	var squares []float32
	if f.byRows {
		from, to := w.rightRows.span(k)
		squares = w.rightRows.squares[from:to]
		w.dots = grown(w.dots, tiles.Size*tiles.Size)
		tile(w.dots, &w.leftRows, 0, &w.rightRows, k)
		w.near = w.nearIn(w.squares, squares, limit, otherLimit)
	} else {
		squares = f.squares[b.from:b.to]
		w.near = w.tile(&w.packed[k], w.squares, squares, limit, otherLimit)
	}
	w.compared = w.compared[:0]
	for _, code := range w.near {
		r, column := int(code)/vec.NearColumns, int(code)%vec.NearColumns
		i, j := w.places[r], b.from+Place(column)
		if w.queries != &f.queries || i != j {
			dot := w.dots[r*tiles.Size+column]
			w.compared = append(w.compared, compared{i, j, int32(r), max(w.limit[r], w.otherLimit[column]), float64(max(w.squares[r]+squares[column]-dot-dot, 0))})
		}
	}
}

// rowsOf returns the rows of places of queries. The result is good until the next call.
func (w *comparer) rowsOf(q *queries, places []Place) []int32 {
	w.rows = w.rows[:0]
	for _, place := range places {
		w.rows = append(w.rows, q.rowOf(place))
	}
	return w.rows
}
