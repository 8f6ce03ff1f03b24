package gram

import (
	"context"
	"fmt"

	"lapsvm/internal/numbers/parallel"
	"lapsvm/internal/numbers/vec"
	"lapsvm/internal/points/tiles"
	"lapsvm/kernel"
	"lapsvm/points"
)

// rowsPerChunk is how many points of x are laid out for products at a time.
const rowsPerChunk = 64 * tileSize

// fewRows is up to how many points of x the threads share out a basis of sharedBytes or more:
// a smaller one is read by one sooner than another wakes.
const (
	fewRows     = 16
	sharedBytes = 8 << 20
)

// Cross is a stored rectangular matrix k(x_i, basis_j).
type Cross struct {
	rows, cols int
	values     []float64
}

// NewCross computes k(x_i, basis_j) for all pairs, in float64. Of a kernel whose
// values or distances are given, x has those with the points of the basis, unless that is unit vectors as
// [Compact] makes them. It fails when ctx is done. It panics when the numbers of columns differ.
func NewCross(ctx context.Context, x, basis *points.Points, k kernel.Kernel) (*Cross, error) {
	m := &Cross{rows: x.Len(), cols: basis.Len(), values: make([]float64, x.Len()*basis.Len())}
	if inTable(k) && !basis.Sparse() {
		if x.Dim() != m.cols {
			panic(fmt.Sprintf("gram: kernel values with %d points, a basis of %d", x.Dim(), m.cols))
		}
		for i := range m.rows {
			x.CopyRow(m.Row(i), i)
			k.Map(m.Row(i), 0, nil)
		}
		return m, ctx.Err()
	}
	right, err := layOut(ctx, basis, k, Double, x.Sparse())
	if err != nil {
		return nil, err
	}
	err = right.cross(ctx, x, func(i0, i1, j0, j1 int, tile any) {
		for i := i0; i < i1; i++ {
			copy(m.values[i*m.cols+j0:i*m.cols+j1], tile.([]float64)[(i-i0)*tileSize:])
		}
	}, func(int, int) {}, nil)
	if err != nil {
		return nil, err
	}
	return m, nil
}

// Row returns the values k(x_i, basis_j) of all j, without copying. They must
// not be changed.
func (m *Cross) Row(i int) []float64 { return m.values[i*m.cols : (i+1)*m.cols] }

// Dot returns Σ_j coefficients[j]·k(x_i, basis_j).
func (m *Cross) Dot(i int, coefficients []float64) float64 {
	return vec.Dot(m.values[i*m.cols:(i+1)*m.cols], coefficients)
}

// MulTo computes dst = M·coefficients. It panics when the lengths do not fit.
func (m *Cross) MulTo(ctx context.Context, dst, coefficients []float64) {
	if len(dst) != m.rows || len(coefficients) != m.cols {
		panic(fmt.Sprintf("gram: MulTo of %d coefficients into %d values by a %d×%d matrix", len(coefficients), len(dst), m.rows, m.cols))
	}
	parallel.Do(ctx, m.rows, func(_, i int) { dst[i] = m.Dot(i, coefficients) })
}

// crossIn is [basis.cross] in one type.
func crossIn[T tiles.Float](ctx context.Context, x *points.Points, right *sides[T], origin []float64, k kernel.Kernel,
	use func(i0, i1, j0, j1 int, tile any), begin func(i0, i1 int), near *Nearest) error {
	statistic := k.Kind().Statistic
	mem := right.borrow()
	defer right.giveBack(mem)
	length := min(x.Len(), tileSize) * tileSize
	blocks := (x.Len() + tileSize - 1) / tileSize
	for first := 0; first < x.Len(); first += rowsPerChunk {
		left, err := right.left(ctx, x.Slice(first, min(first+rowsPerChunk, x.Len())), origin, k, mem)
		if err != nil {
			return err
		}
		// take makes kernel values of the statistics in a tile, and has them used.
		take := func(bi, bj int, tile []T) {
			i0, i1 := left.span(bi)
			j0, j1 := right.span(bj)
			for i := i0; i < i1; i++ {
				row := tile[(i-i0)*tileSize : (i-i0)*tileSize+j1-j0]
				square, squares := left.squares(i, right)
				if near != nil {
					addRow(near, statistic, first+i, row, j0, square, squares[j0:j1])
				}
				mapRow(k, row, square, squares[j0:j1])
			}
			use(first+i0, first+i1, j0, j1, tile)
		}
		if x.Len() <= fewRows && parallel.Threads(ctx) > 1 && right.bytes(left) >= sharedBytes {
			return few(ctx, statistic, left, right, mem, begin, take)
		}
		err = parallel.Run(parallel.Part(ctx, first/tileSize, blocks), left.blocks(), func(_, bi int) {
			m := right.borrow()
			defer right.giveBack(m)
			m.tile = grow(m.tile, length)
			i0, i1 := left.span(bi)
			begin(first+i0, first+i1)
			for bj := range right.blocks() {
				left.tile(statistic, m.tile, &m.spare, bi, right, bj, bj+1)
				take(bi, bj, m.tile)
			}
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// few computes the tiles of a single block of few rows on all threads, which share out the
// basis: its reading is what costs. They are taken in the order of their columns.
func few[T tiles.Float](ctx context.Context, s points.Statistic, left, right *sides[T], mem *memory[T], begin func(i0, i1 int), take func(bi, bj int, tile []T)) error {
	const perThread = 4 // parts of the basis, so that a thread that comes late takes fewer
	i0, i1 := left.span(0)
	size, blocks := (i1-i0)*tileSize, right.blocks()
	mem.tile = grow(mem.tile, blocks*size)
	parts := min(blocks, perThread*parallel.Threads(ctx))
	if err := parallel.Step(ctx, parts, func(_, part int) {
		m := right.borrow()
		defer right.giveBack(m)
		end := (part + 1) * blocks / parts
		for bj := part * blocks / parts; bj < end; bj++ {
			next := bj + 1
			if next == end {
				next = -1
			}
			left.tile(s, mem.tile[bj*size:(bj+1)*size], &m.spare, 0, right, bj, next)
		}
	}); err != nil {
		return err
	}
	begin(i0, i1)
	for bj := range blocks {
		take(0, bj, mem.tile[bj*size:(bj+1)*size])
	}
	return nil
}
