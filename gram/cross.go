package gram

import (
	"context"
	"fmt"

	"lapsvm/internal/parallel"
	"lapsvm/internal/tiles"
	"lapsvm/internal/vec"
	"lapsvm/kernel"
	"lapsvm/points"
)

// rowsPerChunk is how many points of x are laid out for products at a time.
const rowsPerChunk = 64 * tileSize

// fewRows is up to how many points of x the threads share out the basis.
const fewRows = 16

// Cross is a stored rectangular matrix k(x_i, basis_j).
type Cross struct {
	rows, cols int
	values     []float64
}

// NewCross computes k(x_i, basis_j) for all pairs, in float64. Of a kernel whose
// values are given, x has those with the points of the basis. It fails when ctx is
// done. It panics when the numbers of columns differ.
func NewCross(ctx context.Context, x, basis *points.Points, k kernel.Kernel) (*Cross, error) {
	m := &Cross{rows: x.Len(), cols: basis.Len(), values: make([]float64, x.Len()*basis.Len())}
	if k.Kind().Given {
		if x.Dim() != m.cols {
			panic(fmt.Sprintf("gram: kernel values with %d points, a basis of %d", x.Dim(), m.cols))
		}
		for i := range m.rows {
			x.CopyRow(m.values[i*m.cols:(i+1)*m.cols], i)
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

// Len returns the number of rows, points of x.
func (m *Cross) Len() int { return m.rows }

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

// basis is the right side of products: a table laid out in float32 or float64.
type basis struct {
	kernel kernel.Kernel
	dim    int
	origin []float64            // subtracted from its points; nil for none
	single *tiles.Side[float32] // two of the three are nil
	double *tiles.Side[float64]
	apart  *differences
}

// layOut lays out p for products with dense points, or with sparse ones: in
// float32 where the precision is Single and that is accurate enough, else in float64;
// for differences where products are not.
func layOut(ctx context.Context, p *points.Points, k kernel.Kernel, precision Precision, sparse bool) (*basis, error) {
	b := &basis{kernel: k, dim: p.Dim()}
	if !sparse {
		b.origin = originOf(p, k)
	}
	var err error
	if precision != Double && !sparse && !p.Sparse() {
		if b.single, err = tiles.Right[float32](ctx, p, b.origin); err != nil {
			return nil, err
		}
		if suffices[float32](p, b.single.Largest(), k) {
			return b, nil
		}
		b.single = nil
	}
	if b.double, err = tiles.Right[float64](ctx, p, b.origin); err != nil {
		return nil, err
	}
	if !suffices[float64](p, b.double.Largest(), k) {
		if b.apart = byDifferences(p, k); b.apart != nil {
			b.double = nil
		}
	}
	return b, nil
}

// widest lays out p so that no value is lost that float64 can hold, nil where b does
// so already.
func (b *basis) widest(ctx context.Context, p *points.Points, x *points.Points) (*basis, error) {
	if b.apart != nil {
		return nil, nil
	}
	if apart := byDifferences(p, b.kernel); apart != nil {
		return &basis{kernel: b.kernel, dim: b.dim, apart: apart}, nil
	}
	if b.double != nil {
		return nil, nil
	}
	return layOut(ctx, p, b.kernel, Double, x.Sparse())
}

// cross computes the kernel between x and the basis in tiles. For every block of
// rows it calls begin, and then use with the tiles of that block, in the order of
// their columns; blocks of rows come in any order, from several goroutines. Unless
// near is nil it gets the distances to the basis. It panics when the numbers of
// columns differ.
func (b *basis) cross(ctx context.Context, x *points.Points, use func(i0, i1, j0, j1 int, tile any), begin func(i0, i1 int), near *Nearest) error {
	if x.Dim() != b.dim {
		panic(fmt.Sprintf("gram: points of %d columns, a basis of %d", x.Dim(), b.dim))
	}
	if b.apart != nil {
		return b.apart.cross(ctx, x, use, begin, near)
	}
	if b.single != nil {
		return crossIn(ctx, x, b.single, b.origin, b.kernel, use, begin, near)
	}
	return crossIn(ctx, x, b.double, b.origin, b.kernel, use, begin, near)
}

func crossIn[T tiles.Float](ctx context.Context, x *points.Points, right *tiles.Side[T], origin []float64, k kernel.Kernel,
	use func(i0, i1, j0, j1 int, tile any), begin func(i0, i1 int), near *Nearest) error {
	scratch := make([][]T, parallel.Threads(ctx))
	length := min(x.Len(), tileSize) * tileSize
	blocks := (x.Len() + tileSize - 1) / tileSize
	for first := 0; first < x.Len(); first += rowsPerChunk {
		left, err := tiles.Left[T](ctx, x.Slice(first, min(first+rowsPerChunk, x.Len())), origin)
		if err != nil {
			return err
		}
		// take makes kernel values of the statistics in a tile, and has them used.
		take := func(bi, bj int, tile []T) {
			i0, i1 := left.Span(bi)
			j0, j1 := right.Span(bj)
			if near != nil {
				addTile(near, k.Kind().Statistic, first, left, bi, right, bj, tile)
			}
			for i := i0; i < i1; i++ {
				mapRow(k, tile[(i-i0)*tileSize:(i-i0)*tileSize+j1-j0], left.Squares()[i], right.Squares()[j0:j1])
			}
			use(first+i0, first+i1, j0, j1, tile)
		}
		if x.Len() <= fewRows && len(scratch) > 1 && right.Blocks() > 1 {
			return few(ctx, k.Kind().Statistic, left, right, begin, take)
		}
		err = parallel.Run(parallel.Part(ctx, first/tileSize, blocks), left.Blocks(), func(worker, bi int) {
			if scratch[worker] == nil {
				scratch[worker] = make([]T, length)
			}
			i0, i1 := left.Span(bi)
			begin(first+i0, first+i1)
			for bj := range right.Blocks() {
				tiles.Tile(k.Kind().Statistic, scratch[worker], tileSize, left, bi, right, bj, bj+1)
				take(bi, bj, scratch[worker])
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
func few[T tiles.Float](ctx context.Context, s points.Statistic, left, right *tiles.Side[T], begin func(i0, i1 int), take func(bi, bj int, tile []T)) error {
	const perThread = 4 // parts of the basis, so that a thread that comes late takes fewer
	i0, i1 := left.Span(0)
	size, blocks := (i1-i0)*tileSize, right.Blocks()
	tile := make([]T, blocks*size)
	parts := min(blocks, perThread*parallel.Threads(ctx))
	if err := parallel.Step(ctx, parts, func(_, part int) {
		end := (part + 1) * blocks / parts
		for bj := part * blocks / parts; bj < end; bj++ {
			next := bj + 1
			if next == end {
				next = -1
			}
			tiles.Tile(s, tile[bj*size:(bj+1)*size], tileSize, left, 0, right, bj, next)
		}
	}); err != nil {
		return err
	}
	begin(i0, i1)
	for bj := range blocks {
		take(0, bj, tile[bj*size:(bj+1)*size])
	}
	return nil
}
