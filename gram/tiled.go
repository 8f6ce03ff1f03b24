package gram

import (
	"fmt"

	"lapsvm/internal/parallel"
	"lapsvm/internal/vec"
	"lapsvm/points"
)

// tileSize is the number of rows and columns of a full tile.
const tileSize = points.TileSize

// tileLength is the number of values of a tile in memory; tiles at the edge
// leave a part of it unused.
const tileLength = tileSize * tileSize

// tiled is a symmetric n×n matrix seen as the tiles of its upper triangle,
// numbered along its rows. It multiplies columns; where the tiles come from is
// up to at.
type tiled[S points.Float] struct {
	n, blocks int
	threads   int
	// at returns a tile, its rows tileSize values apart; what it returns may lie
	// in scratch, which has room for a tile, and is read before the next call
	// with the same scratch.
	at      func(scratch []S, tile, bi, bj int) []S
	stored  bool // at does not need scratch
	scratch [][]S
	strips  []strip
	x       []float64 // interleaved columns
	single  []float32 // the same in float32
}

// strip is a part of a product: the tiles first ≤ t < last, with sums of its
// own for the rows from ≤ i < n that these tiles reach.
type strip struct {
	first, last int
	bi, bj      int // position of the first tile
	from        int
	sums        []float64
}

func newTiled[S points.Float](n, threads int, stored bool, at func(scratch []S, tile, bi, bj int) []S) *tiled[S] {
	m := &tiled[S]{n: n, blocks: (n + tileSize - 1) / tileSize, threads: threads, at: at, stored: stored}
	m.scratch = make([][]S, parallel.Threads(threads))
	// The strips depend on n alone, and their sums are added in order: the
	// result does not depend on the number of threads.
	tiles := m.tiles()
	count := min(8, max(tiles, 1))
	for count < 64 && m.blocks >= 16*count {
		count *= 2
	}
	for k := range count {
		s := strip{first: k * tiles / count, last: (k + 1) * tiles / count}
		s.bi, s.bj = points.TilePosition(s.first, max(m.blocks, 1))
		s.from = s.bi * tileSize
		m.strips = append(m.strips, s)
	}
	return m
}

func (m *tiled[S]) tiles() int { return m.blocks * (m.blocks + 1) / 2 }

// span returns the rows of block b.
func (m *tiled[S]) span(b int) (from, to int) { return b * tileSize, min((b+1)*tileSize, m.n) }

// number returns the tile in block row bi and block column bj ≥ bi.
func (m *tiled[S]) number(bi, bj int) int { return bi*m.blocks - bi*(bi-1)/2 + bj - bi }

// room returns the scratch tile of a worker, nil where none is needed.
func (m *tiled[S]) room(worker int) []S {
	if m.stored {
		return nil
	}
	if m.scratch[worker] == nil {
		m.scratch[worker] = make([]S, tileLength)
	}
	return m.scratch[worker]
}

// row writes row i of the matrix into dst, n values.
func (m *tiled[S]) row(dst []float64, i int) {
	if len(dst) != m.n || i < 0 || i >= m.n {
		panic(fmt.Sprintf("gram: Row %d of %d into %d elements", i, m.n, len(dst)))
	}
	b, r := i/tileSize, i%tileSize
	for other := range m.blocks {
		from, to := m.span(other)
		if other >= b {
			tile := m.at(m.room(0), m.number(b, other), b, other)
			for j := from; j < to; j++ {
				dst[j] = float64(tile[r*tileSize+j-from])
			}
			continue
		}
		tile := m.at(m.room(0), m.number(other, b), other, b)
		for j := from; j < to; j++ {
			dst[j] = float64(tile[(j-from)*tileSize+r])
		}
	}
}

// columnsAtOnce is the most columns that one pass multiplies; up to oneByOne
// are faster in passes of their own than side by side.
const (
	columnsAtOnce = 16
	oneByOne      = 2
)

// mul computes dst[c] = A·src[c] for all columns, in passes over A of at most
// 16 columns.
func (m *tiled[S]) mul(dst, src [][]float64) {
	if len(dst) != len(src) {
		panic(fmt.Sprintf("gram: Mul of %d columns into %d", len(src), len(dst)))
	}
	for c := range src {
		if len(src[c]) != m.n || len(dst[c]) != m.n {
			panic(fmt.Sprintf("gram: Mul of columns of length %d and %d, want %d", len(src[c]), len(dst[c]), m.n))
		}
	}
	for len(src) > 0 {
		count := min(len(src), columnsAtOnce)
		if count <= oneByOne {
			count = 1
		}
		m.pass(dst[:count], src[:count])
		dst, src = dst[count:], src[count:]
	}
}

// pass multiplies 1 to 16 columns. One column goes through the tiles as it is;
// more are interleaved, eight or sixteen wide. Sixteen columns of float32
// tiles are summed in float32 within a tile and in float64 across tiles.
func (m *tiled[S]) pass(dst, src [][]float64) {
	width := 1
	switch {
	case len(src) > 8:
		width = 16
	case len(src) > 1:
		width = 8
	}
	var tile S
	_, isSingle := any(tile).(float32)
	inSingle := isSingle && width == vec.Single
	switch {
	case inSingle:
		m.single = grow(m.single, m.n*width)
		interleave(m, m.single, width, src)
	case width > 1:
		m.x = grow(m.x, m.n*width)
		interleave(m, m.x, width, src)
	}
	parallel.Do(len(m.strips), m.threads, func(worker, k int) {
		s := &m.strips[k]
		s.sums = grow(s.sums, (m.n-s.from)*width)
		clear(s.sums)
		scratch := m.room(worker)
		bi, bj := s.bi, s.bj
		for t := s.first; t < s.last; t++ {
			tile := m.at(scratch, t, bi, bj)
			switch {
			case inSingle:
				m.tileSingle(s, any(tile).([]float32), bi, bj)
			case width > 1:
				m.tileColumns(s, tile, bi, bj, width)
			default:
				m.tileVector(s, src[0], tile, bi, bj)
			}
			if bj++; bj == m.blocks {
				bi++
				bj = bi
			}
		}
	})
	m.collect(dst, width)
}

// interleave lays columns side by side, dst[i·width + c] = src[c][i], with
// zeros for the columns that are missing.
func interleave[S, F points.Float](m *tiled[S], dst []F, width int, src [][]float64) {
	const rows = 64 // what is written stays in the first-level cache
	parallel.Do((m.n+rowsPerPiece-1)/rowsPerPiece, m.threads, func(_, piece int) {
		last := min((piece+1)*rowsPerPiece, m.n)
		for r0 := piece * rowsPerPiece; r0 < last; r0 += rows {
			r1 := min(r0+rows, last)
			out := dst[r0*width : r1*width]
			if len(src) < width {
				clear(out)
			}
			for c, column := range src {
				for i, v := range column[r0:r1] {
					out[i*width+c] = F(v)
				}
			}
		}
	})
}

func (m *tiled[S]) tileVector(s *strip, x []float64, tile []S, bi, bj int) {
	i0, i1 := m.span(bi)
	j0, j1 := m.span(bj)
	yi := s.sums[i0-s.from : i1-s.from]
	if bi == bj {
		vec.MulTile(i1-i0, i1-i0, tile, tileSize, yi, x[i0:i1])
		return
	}
	vec.SymTile(i1-i0, j1-j0, tile, tileSize, yi, s.sums[j0-s.from:j1-s.from], x[i0:i1], x[j0:j1])
}

func (m *tiled[S]) tileColumns(s *strip, tile []S, bi, bj, width int) {
	i0, i1 := m.span(bi)
	j0, j1 := m.span(bj)
	yi, xi := s.sums[(i0-s.from)*width:(i1-s.from)*width], m.x[i0*width:i1*width]
	if bi == bj {
		vec.MulTileColumns(width, i1-i0, i1-i0, tile, tileSize, yi, xi)
		return
	}
	vec.SymTileColumns(width, i1-i0, j1-j0, tile, tileSize, yi, s.sums[(j0-s.from)*width:(j1-s.from)*width], xi, m.x[j0*width:j1*width])
}

func (m *tiled[S]) tileSingle(s *strip, tile []float32, bi, bj int) {
	const width = vec.Single
	i0, i1 := m.span(bi)
	j0, j1 := m.span(bj)
	yi, xi := s.sums[(i0-s.from)*width:(i1-s.from)*width], m.single[i0*width:i1*width]
	if bi == bj {
		vec.MulTileSingle(i1-i0, i1-i0, tile, tileSize, yi, xi)
		return
	}
	vec.SymTileSingle(i1-i0, j1-j0, tile, tileSize, yi, s.sums[(j0-s.from)*width:(j1-s.from)*width], xi, m.single[j0*width:j1*width])
}

// rowsPerPiece is how many rows of columns and sums one piece of work handles.
const rowsPerPiece = 2048

// collect adds the sums of the strips, in their order, into dst.
func (m *tiled[S]) collect(dst [][]float64, width int) {
	pieces := (m.n + rowsPerPiece - 1) / rowsPerPiece
	parallel.Do(pieces, m.threads, func(_, piece int) {
		r0, r1 := piece*rowsPerPiece, min((piece+1)*rowsPerPiece, m.n)
		total := m.strips[0].sums[r0*width : r1*width] // the first strip reaches all rows
		for k := 1; k < len(m.strips); k++ {
			s := &m.strips[k]
			if s.from >= r1 {
				break
			}
			from := max(s.from, r0)
			vec.Axpy(1, s.sums[(from-s.from)*width:(r1-s.from)*width], total[(from-r0)*width:])
		}
		if width == 1 {
			copy(dst[0][r0:r1], total)
			return
		}
		for c := range dst {
			column := dst[c][r0:r1]
			for i := range column {
				column[i] = total[i*width+c]
			}
		}
	})
}

// grow returns s with length n, its contents arbitrary.
func grow[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n)
	}
	return s[:n]
}
