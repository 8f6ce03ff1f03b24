package gram

import (
	"context"

	"lapsvm/internal/numbers/parallel"
	"lapsvm/kernel"
	"lapsvm/points"
)

// differences computes the values of a kernel with a width from the differences of coordinates, in
// widths. It is right wherever float64 holds the coordinates, however far the points lie from their
// mean, from each other and from 1. It is the way where inner products do not suffice, and takes
// several times as long.
type differences struct {
	kernel kernel.Kernel // of width 1
	rate   float64       // 1/width
	basis  *points.Points
}

// byDifferences returns nil for a kernel that has no width.
func byDifferences(basis *points.Points, k kernel.Kernel) *differences {
	if !k.Kind().Shift || !k.Kind().Has("sigma") {
		return nil
	}
	return &differences{kernel.WithWidth(k, 1), 1 / k.Parameters().Sigma, basis}
}

// differencesScratch is the memory that one goroutine needs; the zero value is ready.
type differencesScratch struct{ steps, products []float64 }

// row writes k(x_i, basis_j) for j0 ≤ j < j1 into dst.
func (s *differences) row(w *differencesScratch, dst []float64, x *points.Points, i, j0, j1 int) {
	dst = dst[:j1-j0]
	for j := j0; j < j1; j++ {
		w.steps = x.Differences(w.steps[:0], i, s.basis, j)
		sum := 0.0
		for _, d := range w.steps {
			d *= s.rate
			if s.kernel.Kind().Statistic == points.Products {
				sum += d * d
			} else {
				sum += max(d, -d)
			}
		}
		dst[j-j0] = sum
	}
	if s.kernel.Kind().Statistic != points.Products {
		s.kernel.Map(dst, 0, nil)
		return
	}
	mapSquared(s.kernel, &w.products, dst)
}

// mapSquared turns squared distances into the values of a kernel that sees products:
// the points 0 and y have the product 0 and the squared distance ‖y‖².
func mapSquared[T float32 | float64](k kernel.Kernel, products *[]T, row []T) {
	*products = grow(*products, len(row))
	clear(*products)
	mapRow(k, *products, 0, row)
	copy(row, *products)
}

// cross is [basis.cross].
func (s *differences) cross(ctx context.Context, x *points.Points, use func(i0, i1, j0, j1 int, tile any), begin func(i0, i1 int), near *Nearest) error {
	type scratch struct {
		differencesScratch
		tile []float64
	}
	all := make([]scratch, parallel.Threads(ctx))
	return parallel.Run(ctx, (x.Len()+tileSize-1)/tileSize, func(worker, block int) {
		w := &all[worker]
		i0, i1 := block*tileSize, min((block+1)*tileSize, x.Len())
		w.tile = grow(w.tile, (i1-i0)*tileSize)
		begin(i0, i1)
		if near != nil {
			for i := i0; i < i1; i++ {
				near.add(s.kernel.Kind().Statistic, x, i, s.basis)
			}
		}
		for j0 := 0; j0 < s.basis.Len(); j0 += tileSize {
			j1 := min(j0+tileSize, s.basis.Len())
			for i := i0; i < i1; i++ {
				s.row(&w.differencesScratch, w.tile[(i-i0)*tileSize:], x, i, j0, j1)
			}
			use(i0, i1, j0, j1, w.tile)
		}
	})
}
