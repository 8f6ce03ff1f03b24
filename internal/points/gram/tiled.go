package gram

import (
	"context"
	"fmt"

	"lapsvm/internal/numbers/parallel"
	"lapsvm/internal/numbers/vec"
	"lapsvm/internal/points/tiles"
)

// tileSize is the number of rows and columns of a full tile.
const tileSize = tiles.Size

// tileLength is the number of values of a tile in memory; tiles at the edge
// leave a part of it unused.
const tileLength = tileSize * tileSize

// bandRows is the number of block rows of a band. Products go through the tiles
// band by band, and in a band column by column. So the sums of a block column
// are used several times while the caches hold them.
const bandRows = 4

// tiled is a symmetric n×n matrix seen as the tiles of its upper triangle,
// numbered along its rows. It multiplies columns; where the tiles come from is
// up to at.
type tiled[S tiles.Float] struct {
	n, blocks int
	// at returns a tile, its rows tileSize values apart. The tile may lie in
	// scratch, which has room for one, and is valid until the next call with
	// the same scratch.
	at      func(scratch []S, tile, bi, bj int) []S
	stored  bool  // at does not need scratch
	scratch [][]S // of every worker
	strips  []strip
	x       []S // columns in panels, a panel per block
}

// strip is a part of a product: count tiles from start on, with sums of its
// own for the blocks from ≤ b that these tiles reach.
type strip struct {
	start position
	count int
	from  int
	sums  []float64 // panels of the blocks
	rows  []float64 // row sums of the blocks of a band
}

// position is a tile's block row and block column.
type position struct{ bi, bj int }

// band returns the first block row of the position's band.
func (p position) band() int { return p.bi - p.bi%bandRows }

// next returns the position that follows in the order of products.
func (p position) next(blocks int) position {
	first := p.band()
	if p.bi < min(first+bandRows-1, p.bj) {
		return position{p.bi + 1, p.bj}
	}
	if p.bj+1 < blocks {
		return position{first, p.bj + 1}
	}
	return position{first + bandRows, first + bandRows}
}

func newTiled[S tiles.Float](n int, stored bool, at func(scratch []S, tile, bi, bj int) []S) *tiled[S] {
	m := &tiled[S]{n: n, blocks: (n + tileSize - 1) / tileSize, at: at, stored: stored}
	// The strips depend on n alone, and their sums are added in order: the
	// result does not depend on the number of threads.
	tiles := m.tiles()
	count := min(8, max(tiles, 1))
	for count < 64 && m.blocks >= 16*count {
		count *= 2
	}
	var at0 position
	for k := range count {
		s := strip{start: at0, from: at0.band(), count: (k+1)*tiles/count - k*tiles/count}
		for range s.count {
			at0 = at0.next(m.blocks)
		}
		m.strips = append(m.strips, s)
	}
	return m
}

func (m *tiled[S]) tiles() int { return m.blocks * (m.blocks + 1) / 2 }

// span returns the rows of block b.
func (m *tiled[S]) span(b int) (from, to int) { return b * tileSize, min((b+1)*tileSize, m.n) }

// number returns the tile in block row bi and block column bj ≥ bi.
func (m *tiled[S]) number(bi, bj int) int { return bi*m.blocks - bi*(bi-1)/2 + bj - bi }

// workers makes scratch memory for so many workers possible.
func (m *tiled[S]) workers(count int) {
	for len(m.scratch) < count {
		m.scratch = append(m.scratch, nil)
	}
}

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
	m.workers(1)
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

// mul computes dst[c] = A·src[c] for all columns, in passes over A of at most
// vec.MaxPanel columns.
func (m *tiled[S]) mul(ctx context.Context, dst, src [][]float64) error {
	if len(dst) != len(src) {
		panic(fmt.Sprintf("gram: Mul of %d columns into %d", len(src), len(dst)))
	}
	for c := range src {
		if len(src[c]) != m.n || len(dst[c]) != m.n {
			panic(fmt.Sprintf("gram: Mul of columns of length %d and %d, want %d", len(src[c]), len(dst[c]), m.n))
		}
	}
	for len(src) > 0 {
		count := min(len(src), vec.MaxPanel)
		if err := m.pass(ctx, dst[:count], src[:count]); err != nil {
			return err
		}
		dst, src = dst[count:], src[count:]
	}
	return nil
}

// pass multiplies up to vec.MaxPanel columns. One column alone goes through the
// tiles with all its sums in float64. Several columns go in panels, summed in
// the type of the tiles within a tile and in float64 across tiles.
func (m *tiled[S]) pass(ctx context.Context, dst, src [][]float64) error {
	m.workers(parallel.Threads(ctx))
	width := 1
	if len(src) > 1 {
		width = vec.PanelWidth(len(src))
		m.toPanels(ctx, width, src)
	}
	err := parallel.Step(ctx, len(m.strips), func(worker, k int) {
		s := &m.strips[k]
		s.sums = grow(s.sums, (m.blocks-s.from)*tileSize*width)
		clear(s.sums)
		if width > 1 {
			s.rows = grow(s.rows, bandRows*vec.RowSumsLength(width))
			clear(s.rows)
		}
		scratch := m.room(worker)
		for p, t := s.start, 0; t < s.count && ctx.Err() == nil; t++ {
			tile := m.at(scratch, m.number(p.bi, p.bj), p.bi, p.bj)
			if width == 1 {
				m.tileVector(s, src[0], tile, p)
			} else {
				m.tilePanel(s, tile, p, width)
			}
			last := p
			p = p.next(m.blocks)
			if width > 1 && (p.band() != last.band() || t+1 == s.count) {
				m.endBand(s, last.band(), width)
			}
		}
	})
	if err != nil {
		return err
	}
	m.collect(ctx, dst, width)
	return nil
}

// toPanels lays out the columns, with zeros for those and for the rows that are
// missing.
func (m *tiled[S]) toPanels(ctx context.Context, width int, src [][]float64) {
	m.x = grow(m.x, m.blocks*tileSize*width)
	parallel.Do(ctx, m.blocks, func(_, block int) {
		from, to := m.span(block)
		panel := m.x[block*width*tileSize:][:width*tileSize]
		for c := range width {
			var values []float64
			if c < len(src) {
				values = src[c][from:to]
			}
			vec.SetColumn(panel, width, c, values)
		}
	})
}

func (m *tiled[S]) tileVector(s *strip, x []float64, tile []S, p position) {
	i0, i1 := m.span(p.bi)
	j0, j1 := m.span(p.bj)
	start := s.from * tileSize
	yi := s.sums[i0-start : i1-start]
	if p.bi == p.bj {
		vec.MulTile(i1-i0, i1-i0, tile, tileSize, yi, x[i0:i1])
		return
	}
	vec.SymTile(i1-i0, j1-j0, tile, tileSize, yi, s.sums[j0-start:j1-start], x[i0:i1], x[j0:j1])
}

func (m *tiled[S]) tilePanel(s *strip, tile []S, p position, width int) {
	i0, i1 := m.span(p.bi)
	j0, j1 := m.span(p.bj)
	xi, xj := m.x[i0*width:(i0+tileSize)*width], m.x[j0*width:(j0+tileSize)*width]
	length := vec.RowSumsLength(width)
	yi := s.rows[p.bi%bandRows*length:][:length]
	if p.bi == p.bj {
		vec.MulTilePanel(width, i1-i0, i1-i0, tile, tileSize, yi, xi)
		return
	}
	yj := s.sums[(p.bj-s.from)*tileSize*width:][:tileSize*width]
	vec.SymTilePanel(width, i1-i0, j1-j0, tile, tileSize, yi, yj, xi, xj)
}

// endBand moves the row sums of a band to the panels of its blocks.
func (m *tiled[S]) endBand(s *strip, band, width int) {
	length := vec.RowSumsLength(width)
	for b := band; b < min(band+bandRows, m.blocks); b++ {
		vec.AddRowSums(width, s.sums[(b-s.from)*tileSize*width:], s.rows[(b-band)*length:][:length])
	}
	clear(s.rows)
}

// blocksPerPiece is how many blocks of sums one piece of work adds up.
const blocksPerPiece = 8

// collect adds the sums of the strips, in their order, into dst.
func (m *tiled[S]) collect(ctx context.Context, dst [][]float64, width int) {
	size := tileSize * width
	parallel.Do(ctx, (m.blocks+blocksPerPiece-1)/blocksPerPiece, func(_, piece int) {
		first, last := piece*blocksPerPiece, min((piece+1)*blocksPerPiece, m.blocks)
		total := m.strips[0].sums // the first strip reaches all blocks
		for _, s := range m.strips[1:] {
			if s.from >= last {
				break
			}
			from := max(s.from, first)
			vec.Axpy(1, s.sums[(from-s.from)*size:(last-s.from)*size], total[from*size:last*size])
		}
		for b := first; b < last; b++ {
			from, to := m.span(b)
			panel := total[b*size : (b+1)*size]
			if width == 1 {
				copy(dst[0][from:to], panel)
				continue
			}
			for c := range dst {
				vec.Column(dst[c][from:to], panel, width, c)
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
