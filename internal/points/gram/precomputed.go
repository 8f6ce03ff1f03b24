package gram

import (
	"context"
	"fmt"

	"lapsvm/internal/numbers/parallel"
	"lapsvm/internal/numbers/vec"
	"lapsvm/kernel"
	"lapsvm/points"
)

// inTable reports whether points are rows of a table of the kernel's values or distances, in which column j stands for basis point j.
func inTable(k kernel.Kernel) bool { return !kernel.OfFeatures(k) }

// precomputed is the row of a matrix that the points are.
func precomputed() form {
	return form{
		name: FormPrecomputed, rows: true,
		table: true, fits: func(p *points.Points, _ kernel.Kernel) bool { return p.Len() == p.Dim() && !p.Sparse() },
		bytes: func(*points.Points, Precision, int) int64 { return 0 },
		reason: func(p *points.Points, _ Precision, _ string) string {
			return fmt.Sprintf("the %d·%d values of the points are the matrix", p.Len(), p.Len())
		},
		open: func(ctx context.Context, p *points.Points, k kernel.Kernel, _ Request, o *Opened) error {
			if k.Kind().Linear {
				o.Matrix = &table{p}
				return nil
			}
			values, err := mapped(ctx, p, k)
			o.Matrix = &table{values}
			return err
		},
	}
}

// mapped returns the table of the kernel values of a table of distances.
func mapped(ctx context.Context, p *points.Points, k kernel.Kernel) (*points.Points, error) {
	n, d := p.Len(), p.Dim()
	values := make([]float64, n*d)
	err := parallel.Run(ctx, n, func(_, i int) {
		row := values[i*d : (i+1)*d]
		p.CopyRow(row, i)
		k.Map(row, 0, nil)
	})
	return points.Dense(n, d, values), err
}

// table is a symmetric Gram matrix whose rows are the points.
type table struct{ *points.Points }

// Row writes row i into dst, n values.
func (m *table) Row(dst []float64, i int) { m.CopyRow(dst, i) }

// Mul computes dst[c] = K·src[c] for all columns. It fails when ctx is done.
// It panics when the numbers of the columns differ.
func (m *table) Mul(ctx context.Context, dst, src [][]float64) error {
	if len(dst) != len(src) {
		panic(fmt.Sprintf("gram: Mul of %d columns into %d", len(src), len(dst)))
	}
	n := m.Len()
	pieces := (n + tileSize - 1) / tileSize
	scratch := make([][]float64, parallel.Threads(ctx))
	return parallel.Step(ctx, pieces, func(worker, piece int) {
		i0, i1 := piece*tileSize, min((piece+1)*tileSize, n)
		if scratch[worker] == nil {
			scratch[worker] = m.Scratch(tileSize)
		}
		rows := m.Rows(i0, i1, scratch[worker])
		for c := range dst {
			clear(dst[c][i0:i1])
			vec.MulTile(i1-i0, n, rows, n, dst[c][i0:i1], src[c])
		}
	})
}

// Close does nothing: the memory is the caller's.
func (m *table) Close() {}
