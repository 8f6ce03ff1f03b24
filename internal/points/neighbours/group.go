package neighbours

import (
	"lapsvm/internal/numbers/vec"
	"lapsvm/internal/points/tiles"
	"lapsvm/points"
)

// group is some points laid out for tiles of inner products with others, and
// reused for the next. The zero value is ready.
type group[T tiles.Float] struct {
	rows        []int32 // of the table
	squares     []T
	left, right []vec.Packed[T]
	bytes       [2][]vec.BytesBlock // in place of left and right
	sparse      *points.Points
	wide        []float64 // a row, or products of sparse rows
	narrow      []T
}

// table is the points that are searched, whose products are computed in T.
type table[T tiles.Float] struct{ Asked }

// of returns other points of the same kind.
func (t *table[T]) of(p *points.Points) *table[T] {
	other := &table[T]{Asked{Points: p, Origin: t.Origin, Cosine: t.Cosine}}
	if t.Bytes != nil {
		other.Bytes = tiles.NewBytes(p)
	}
	return other
}

// gather lays out the given rows. Cost: one reading of them.
func (t *table[T]) gather(g *group[T], rows []int32, toLeft, toRight bool) {
	p, d := t.Points, t.Points.Dim()
	g.rows, g.squares = rows, grown(g.squares, len(rows))
	if p.Sparse() {
		list := make([]int, len(rows))
		for c, i := range rows {
			list[c] = int(i)
			g.squares[c] = T(p.Squares()[i])
		}
		g.sparse = p.Subset(list)
		t.countZeros(g)
		return
	}
	blocks := g.blocks()
	if t.Bytes != nil {
		t.gatherBytes(g, toLeft, toRight)
		t.countZeros(g)
		return
	}
	for len(g.left) < blocks {
		g.left, g.right = append(g.left, vec.Packed[T]{}), append(g.right, vec.Packed[T]{})
	}
	g.wide = grown(g.wide, d)
	g.narrow = grown(g.narrow, min(tiles.Size, len(rows))*d)
	for b := range blocks {
		from, to := g.span(b)
		for c := from; c < to; c++ {
			p.CopyRow(g.wide, int(rows[c]))
			if t.Origin != nil {
				vec.Axpy(-1, t.Origin, g.wide)
			}
			g.squares[c] = convert(g.narrow[(c-from)*d:(c-from+1)*d], g.wide)
		}
		if toLeft {
			g.left[b].PackLeft(to-from, d, g.narrow[:(to-from)*d], max(d, 1))
		}
		if toRight {
			g.right[b].PackRight(to-from, d, g.narrow[:(to-from)*d], max(d, 1))
		}
	}
	t.countZeros(g)
}

// gatherBytes is [table.gather] for rows of bytes.
func (t *table[T]) gatherBytes(g *group[T], toLeft, toRight bool) {
	for c, i := range g.rows {
		g.squares[c] = T(t.Bytes.Squares[i])
	}
	for len(g.bytes[0]) < g.blocks() {
		g.bytes[0], g.bytes[1] = append(g.bytes[0], vec.BytesBlock{}), append(g.bytes[1], vec.BytesBlock{})
	}
	for b := range g.blocks() {
		from, to := g.span(b)
		if toLeft {
			t.Bytes.PackLeft(&g.bytes[0][b], g.rows[from:to])
		}
		if toRight {
			t.Bytes.PackRight(&g.bytes[1][b], g.rows[from:to])
		}
	}
}

// countZeros gives all points the squared length 1 where cosines are sought.
func (t *table[T]) countZeros(g *group[T]) {
	if t.Cosine {
		for c := range g.squares {
			g.squares[c] = 1
		}
	}
}

// convert writes x in T, and returns the square of what it wrote. It may change x.
func convert[T tiles.Float](to []T, x []float64) T {
	switch to := any(to).(type) {
	case []float64:
		copy(to, x)
	case []float32:
		vec.Narrow(to, x)
		vec.Widen(x, to)
	}
	return T(vec.Dot(x, x))
}

func (g *group[T]) blocks() int { return (len(g.rows) + tiles.Size - 1) / tiles.Size }

func (g *group[T]) span(block int) (from, to int) {
	return block * tiles.Size, min((block+1)*tiles.Size, len(g.rows))
}

// tile computes the inner products of two blocks into rows of tiles.Size.
func tile[T tiles.Float](dots []T, left *group[T], i int, right *group[T], j int) {
	if left.sparse != nil {
		i0, i1 := left.span(i)
		j0, j1 := right.span(j)
		switch to := any(dots).(type) {
		case []float64:
			left.sparse.Dots(to, tiles.Size, i0, i1, right.sparse, j0, j1)
		case []float32:
			left.wide = grown(left.wide, tiles.Size*tiles.Size)
			left.sparse.Dots(left.wide, tiles.Size, i0, i1, right.sparse, j0, j1)
			vec.Narrow(to[:len(left.wide)], left.wide)
		}
		return
	}
	if left.bytes[0] != nil {
		vec.TileBytes(any(dots).([]float32), tiles.Size, &left.bytes[0][i], &right.bytes[1][j])
		return
	}
	vec.Tile(dots, tiles.Size, &left.left[i], &right.right[j], nil)
}

// squaredDistances writes direct squared distances of row i of p to local points.
func (a *Asked) squaredDistances(to []float64, p *points.Points, i int, others []int32) {
	p.SquaredDistancesTo(to, i, a.Points, others)
	a.apartFromZeros(to, p, i, others)
}

// roughDistances writes squared distances that are good enough for lists.
func (a *Asked) roughDistances(to []float64, p *points.Points, i int, others []int32) {
	p.RoughDistancesTo(to, i, a.Points, others)
	a.apartFromZeros(to, p, i, others)
}

// apartFromZeros sets distances of rows of zeros to others where cosines are sought.
func (a *Asked) apartFromZeros(to []float64, p *points.Points, i int, others []int32) {
	if !a.Cosine {
		return
	}
	square, squares := p.Squares()[i], a.Points.Squares()
	for c, j := range others {
		if square == 0 || squares[j] == 0 {
			to[c] = 2
		}
	}
}
