package gram

import (
	"context"
	"fmt"

	"lapsvm/internal/parallel"
	"lapsvm/internal/vec"
	"lapsvm/kernel"
	"lapsvm/points"
)

// rowsPerChunk is how many points of x are laid out for products at a time.
const rowsPerChunk = 64 * tileSize

// Expand evaluates kernel expansions: for every column c and every point of x
//
//	dst[c][i] = Σ_j coefficients[c][j]·k(x_i, basis_j) + bias[c]
//
// with kernel values computed in the given precision and float64 sums. A value
// does not depend on what else is evaluated with it nor on the number of
// threads. It fails when ctx is done. Cost: x.Len()·basis.Len()·d multiply-adds
// after one pass over the basis, which is copied. It panics when the shapes do
// not fit.
func Expand(ctx context.Context, dst [][]float64, x, basis *points.Points, k kernel.Kernel, coefficients [][]float64, bias []float64, precision Precision) error {
	if len(dst) != len(coefficients) || len(dst) != len(bias) {
		panic(fmt.Sprintf("gram: Expand of %d columns into %d", len(coefficients), len(dst)))
	}
	for c := range dst {
		if len(dst[c]) != x.Len() || len(coefficients[c]) != basis.Len() {
			panic(fmt.Sprintf("gram: Expand of %d coefficients into %d values, for %d basis points and %d points", len(coefficients[c]), len(dst[c]), basis.Len(), x.Len()))
		}
	}
	return cross(ctx, x, basis, k, precision, func(i0, i1, j0, j1 int, tile any) {
		for c, out := range dst {
			switch tile := tile.(type) {
			case []float32:
				vec.MulTile(i1-i0, j1-j0, tile, tileSize, out[i0:i1], coefficients[c][j0:j1])
			case []float64:
				vec.MulTile(i1-i0, j1-j0, tile, tileSize, out[i0:i1], coefficients[c][j0:j1])
			}
		}
	}, func(i0, i1 int) {
		for c, out := range dst {
			for i := i0; i < i1; i++ {
				out[i] = bias[c]
			}
		}
	})
}

// Cross is a stored rectangular matrix k(x_i, basis_j).
type Cross struct {
	rows, cols int
	values     []float64
}

// NewCross computes k(x_i, basis_j) for all pairs, in float64. It fails when
// ctx is done. It panics when the numbers of columns differ.
func NewCross(ctx context.Context, x, basis *points.Points, k kernel.Kernel) (*Cross, error) {
	m := &Cross{rows: x.Len(), cols: basis.Len(), values: make([]float64, x.Len()*basis.Len())}
	err := cross(ctx, x, basis, k, Double, func(i0, i1, j0, j1 int, tile any) {
		for i := i0; i < i1; i++ {
			copy(m.values[i*m.cols+j0:i*m.cols+j1], tile.([]float64)[(i-i0)*tileSize:])
		}
	}, func(int, int) {})
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

// cross computes the kernel between x and basis in tiles. For every block of
// rows it calls begin, and then use with the tiles of that block, in the order
// of their columns; blocks of rows come in any order, from several goroutines.
func cross(ctx context.Context, x, basis *points.Points, k kernel.Kernel, precision Precision,
	use func(i0, i1, j0, j1 int, tile any), begin func(i0, i1 int)) error {
	if x.Dim() != basis.Dim() {
		panic(fmt.Sprintf("gram: points of %d columns, a basis of %d", x.Dim(), basis.Dim()))
	}
	origin := originOf(basis, x, k)
	if precision != Double && !x.Sparse() && !basis.Sparse() {
		right, err := points.RightSide[float32](ctx, basis, origin)
		if err != nil {
			return err
		}
		if singleSuffices(basis, right.Largest(), k, 0) {
			return crossIn(ctx, x, right, origin, k, use, begin)
		}
	}
	right, err := points.RightSide[float64](ctx, basis, origin)
	if err != nil {
		return err
	}
	return crossIn(ctx, x, right, origin, k, use, begin)
}

func crossIn[T points.Float](ctx context.Context, x *points.Points, right *points.Side[T], origin []float64, k kernel.Kernel,
	use func(i0, i1, j0, j1 int, tile any), begin func(i0, i1 int)) error {
	statistic, scratch := k.Kind().Statistic, make([][]T, parallel.Threads(ctx))
	blocks := (x.Len() + tileSize - 1) / tileSize
	for first := 0; first < x.Len(); first += rowsPerChunk {
		left, err := points.LeftSide[T](ctx, x.Slice(first, min(first+rowsPerChunk, x.Len())), origin)
		if err != nil {
			return err
		}
		err = parallel.Run(parallel.Part(ctx, first/tileSize, blocks), left.Blocks(), func(worker, bi int) {
			if scratch[worker] == nil {
				scratch[worker] = make([]T, tileLength)
			}
			tile := scratch[worker]
			i0, i1 := left.Span(bi)
			begin(first+i0, first+i1)
			for bj := range right.Blocks() {
				j0, j1 := right.Span(bj)
				points.Tile(statistic, tile, tileSize, left, bi, right, bj, bj+1)
				for i := i0; i < i1; i++ {
					mapRow(k, tile[(i-i0)*tileSize:(i-i0)*tileSize+j1-j0], left.Squares()[i], right.Squares()[j0:j1])
				}
				use(first+i0, first+i1, j0, j1, tile)
			}
		})
		if err != nil {
			return err
		}
	}
	return nil
}
