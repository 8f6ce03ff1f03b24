package gram

import (
	"context"
	"fmt"

	"lapsvm/internal/parallel"
	"lapsvm/kernel"
	"lapsvm/points"
)

// rowsPerBlock is how many points of x are evaluated together.
const rowsPerBlock = 64

// Expand evaluates kernel expansions: for every column c and every point of x
//
//	dst[c][i] = Σ_j coefficients[c][j]·k(x_i, basis_j) + bias[c]
//
// Sums run over j in order, so a value does not depend on what else is
// evaluated with it nor on the number of threads. It fails when ctx is done.
// Cost: x.Len()·basis.Len()·d multiply-adds; 64·basis.Len() float64 of scratch
// per thread. It panics when the shapes do not fit.
func Expand(ctx context.Context, dst [][]float64, x, basis *points.Points, k kernel.Kernel, coefficients [][]float64, bias []float64, threads int) error {
	if len(dst) != len(coefficients) || len(dst) != len(bias) {
		panic(fmt.Sprintf("gram: Expand of %d columns into %d", len(coefficients), len(dst)))
	}
	n := basis.Len()
	for c := range dst {
		if len(dst[c]) != x.Len() || len(coefficients[c]) != n {
			panic(fmt.Sprintf("gram: Expand of %d coefficients into %d values, for %d basis points and %d points", len(coefficients[c]), len(dst[c]), n, x.Len()))
		}
	}
	return crossBlocks(ctx, x, basis, k, threads, func(i0, i1 int, values []float64) {
		for c, out := range dst {
			for i := i0; i < i1; i++ {
				var s float64
				for j, v := range values[(i-i0)*n : (i-i0+1)*n] {
					s += v * coefficients[c][j]
				}
				out[i] = s + bias[c]
			}
		}
	})
}

// Cross is a stored rectangular matrix k(x_i, basis_j).
type Cross struct {
	rows, cols int
	values     []float64
}

// NewCross computes k(x_i, basis_j) for all pairs. It fails when ctx is done.
// It panics when the numbers of columns differ.
func NewCross(ctx context.Context, x, basis *points.Points, k kernel.Kernel, threads int) (*Cross, error) {
	m := &Cross{rows: x.Len(), cols: basis.Len(), values: make([]float64, x.Len()*basis.Len())}
	err := crossBlocks(ctx, x, basis, k, threads, func(i0, i1 int, values []float64) {
		copy(m.values[i0*m.cols:i1*m.cols], values)
	})
	if err != nil {
		return nil, err
	}
	return m, nil
}

// Len returns the number of rows, points of x.
func (m *Cross) Len() int { return m.rows }

// Dot returns Σ_j coefficients[j]·k(x_i, basis_j).
func (m *Cross) Dot(i int, coefficients []float64) float64 {
	var s float64
	for j, v := range m.values[i*m.cols : (i+1)*m.cols] {
		s += v * coefficients[j]
	}
	return s
}

// crossBlocks computes the kernel between blocks of rows of x and all of basis
// and hands them to use, row after row; blocks come in any order, and values
// may be overwritten after the call.
func crossBlocks(ctx context.Context, x, basis *points.Points, k kernel.Kernel, threads int, use func(i0, i1 int, values []float64)) error {
	if x.Dim() != basis.Dim() {
		panic(fmt.Sprintf("gram: points of %d columns, a basis of %d", x.Dim(), basis.Dim()))
	}
	basis, x = centred(basis, x, k)
	n := basis.Len()
	scratch := make([][]float64, parallel.Threads(threads))
	blocks := (x.Len() + rowsPerBlock - 1) / rowsPerBlock
	return parallel.Run(ctx, blocks, threads, func(worker, block int) {
		if scratch[worker] == nil {
			scratch[worker] = make([]float64, rowsPerBlock*n)
		}
		values := scratch[worker]
		i0, i1 := block*rowsPerBlock, min((block+1)*rowsPerBlock, x.Len())
		x.Dots(values, n, i0, i1, basis, 0, n)
		for i := i0; i < i1; i++ {
			k.Map(values[(i-i0)*n:(i-i0+1)*n], x.Squares()[i], basis.Squares())
		}
		use(i0, i1, values[:(i1-i0)*n])
	})
}
