package gram

import (
	"context"
	"fmt"

	"lapsvm/internal/points/tiles"
	"lapsvm/kernel"
	"lapsvm/points"
)

// basis is the right side of products: a table laid out in float32 or float64.
type basis struct {
	kernel kernel.Kernel
	dim    int
	origin []float64       // subtracted from its points; nil for none
	single *sides[float32] // two of the three are nil
	double *sides[float64]
	apart  *differences
}

// layOut lays out p for products with dense points, or with sparse ones. The layout is in float32
// where the precision is Single and float32 is accurate enough, else in float64. Where products are
// not accurate enough in float64, it is for differences.
func layOut(ctx context.Context, p *points.Points, k kernel.Kernel, precision Precision, sparse bool) (*basis, error) {
	b := &basis{kernel: k, dim: p.Dim()}
	if !sparse {
		b.origin = originOf(p, k)
	}
	if precision != Double && !sparse && !p.Sparse() {
		values, err := tiles.Right[float32](ctx, p, b.origin)
		if err != nil {
			return nil, err
		}
		if suffices[float32](p, values.Largest(), k) {
			b.single, err = rightSides(ctx, p, values, k)
			return b, err
		}
	}
	values, err := tiles.Right[float64](ctx, p, b.origin)
	if err != nil {
		return nil, err
	}
	if !suffices[float64](p, values.Largest(), k) {
		if b.apart = byDifferences(p, k); b.apart != nil {
			return b, nil
		}
	}
	b.double, err = rightSides(ctx, p, values, k)
	return b, err
}

// widest lays out p so that no value within float64 is lost, or returns nil where b already does
// so.
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
