package gram

import (
	"context"
	"fmt"
	"slices"

	"lapsvm/internal/numbers/parallel"
	"lapsvm/internal/numbers/vec"
	"lapsvm/kernel"
	"lapsvm/points"
)

// byPoints is the row of the product of the points with themselves. A product with
// them reads fewer values than one with the matrix where they have few features.
func byPoints() form {
	return form{
		name: FormPoints, rows: true,
		fits: func(_ *points.Points, k kernel.Kernel) bool { return k.Kind().Linear },
		work: func(n, d, columns, _ float64) (read, done float64) { return 2 * 8 * n * d * columns, 0 },
		pays: func(p *points.Points) bool { return 4*p.Stored() < p.Len()*p.Len() },
		bytes: func(p *points.Points, _ Precision, _ int) int64 {
			if p.Sparse() {
				return 12*int64(p.Stored()) + 8*productPieces*int64(min(p.Stored(), p.Dim()))
			}
			return 0
		},
		reason: func(p *points.Points, _ Precision, _ string) string {
			return fmt.Sprintf("the linear kernel multiplies by the %d stored values of the points", p.Stored())
		},
		open: func(_ context.Context, p *points.Points, _ kernel.Kernel, _ Request, o *Opened) error {
			if p.Sparse() {
				p = usedColumns(p)
			}
			o.Matrix = &product{x: p, sums: make([][]float64, productPieces)}
			return nil
		},
	}
}

// usedColumns returns a sparse table of those columns alone in which something is stored, whose
// rows have the same products.
func usedColumns(p *points.Points) *points.Points {
	var used []int32
	for i := range p.Len() {
		index, _ := p.SparseRow(i)
		used = append(used, index...)
	}
	slices.Sort(used)
	used = slices.Compact(used)
	start, at, stored := []int{0}, []int32{}, []float64{}
	for i := range p.Len() {
		index, value := p.SparseRow(i)
		for _, j := range index {
			k, _ := slices.BinarySearch(used, j)
			at = append(at, int32(k))
		}
		stored = append(stored, value...)
		start = append(start, len(at))
	}
	return points.CSR(len(used), start, at, stored)
}

// product is the Gram matrix K = XXᵀ of the linear kernel, by the points X themselves. A product
// with it is two passes over X, so that training costs O(n·d) per iteration. A sparse table costs
// its stored values and non-empty columns.
type product struct {
	x    *points.Points
	sums [][]float64 // [piece][column·d] scratch of Mul
}

// productPieces is the number of parts into which the rows are cut; their sums
// are added in order.
const productPieces = 16

// Len returns n.
func (m *product) Len() int { return m.x.Len() }

// Row writes row i of K into dst, n values.
func (m *product) Row(dst []float64, i int) {
	m.x.Dots(dst, max(m.Len(), 1), i, i+1, m.x, 0, m.Len())
}

// Mul computes dst[c] = X(Xᵀsrc[c]) for all columns. The bits do not depend on
// the number of threads. It uses scratch memory of the operator, so it is not
// safe for concurrent use. It fails when ctx is done. It panics when the numbers
// or lengths of the columns differ.
func (m *product) Mul(ctx context.Context, dst, src [][]float64) error {
	n, d := m.x.Len(), m.x.Dim()
	if len(dst) != len(src) {
		panic(fmt.Sprintf("gram: Mul of %d columns into %d", len(src), len(dst)))
	}
	for c := range src {
		if len(src[c]) != n || len(dst[c]) != n {
			panic(fmt.Sprintf("gram: Mul of columns of length %d and %d, want %d", len(src[c]), len(dst[c]), n))
		}
	}
	span := func(piece int) (from, to int) { return piece * n / productPieces, (piece + 1) * n / productPieces }
	err := parallel.Step(ctx, productPieces, func(_, piece int) {
		m.sums[piece] = grow(m.sums[piece], d*len(src))
		clear(m.sums[piece])
		i0, i1 := span(piece)
		for c := range src {
			m.x.AddCombination(m.sums[piece][c*d:(c+1)*d], i0, i1, src[c][i0:i1])
		}
	})
	if err != nil {
		return err
	}
	w := m.sums[0]
	for _, other := range m.sums[1:] {
		vec.Axpy(1, other, w)
	}
	return parallel.Step(ctx, productPieces, func(_, piece int) {
		i0, i1 := span(piece)
		for c := range dst {
			m.x.DotsWith(dst[c][i0:i1], i0, i1, w[c*d:(c+1)*d])
		}
	})
}

// Close does nothing: the memory is the Go runtime's.
func (m *product) Close() {}
