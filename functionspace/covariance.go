package functionspace

import (
	"context"
	"fmt"

	"lapsvm/internal/linalg"
	"lapsvm/internal/vec"
)

// Covariance is Q⁻¹ between some points and others, as far as landmarks express it,
//
//	VVᵀ ≈ Q⁻¹,   V = Φ U⁻¹,   UᵀU = γA I + γI ΦᵀLᵖΦ
//
// and its square, over all points, V(VᵀV)Vᵀ. That says which points would tell most of the
// others, for which the second level of the preconditioner is enough.
type Covariance struct {
	roots linalg.Matrix // rows of V
	whole linalg.Matrix // VᵀV
}

// Covariance prepares that of some points with any. It fails when ctx is done. Cost:
// n·m²/2 multiply-adds the first time, and m²/2 for each point.
func (c *Columns) Covariance(ctx context.Context, points []int) (*Covariance, error) {
	if c.spread.Rows == 0 {
		ones := make([]float64, c.space.k.Len())
		for i := range ones {
			ones[i] = 1
		}
		w, err := c.space.k.Products(ctx, ones)
		if err != nil {
			return nil, err
		}
		// U⁻ᵀ(ΦᵀΦ)U⁻¹, by the columns and then by those of the transpose.
		for range 2 {
			if err := linalg.SolveUpper(ctx, c.q.coarse.T(), w); err != nil {
				return nil, err
			}
			w = transposed(w)
		}
		c.spread = w
	}
	roots, err := c.roots(ctx, points)
	return &Covariance{roots: roots, whole: c.spread}, err
}

// roots returns rows of V.
func (c *Columns) roots(ctx context.Context, points []int) (linalg.Matrix, error) {
	m := c.space.k.Rank()
	row, x := make([]float64, m), linalg.New(m, len(points))
	for k, i := range c.space.rows(points) {
		c.space.k.CopyRow(row, i)
		for j, v := range row {
			x.Row(j)[k] = v
		}
	}
	if err := linalg.SolveUpper(ctx, c.q.coarse.T(), x); err != nil {
		return x, err
	}
	return transposed(x), nil
}

func transposed(a linalg.Matrix) linalg.Matrix {
	t := linalg.New(a.Cols, a.Rows)
	for i := range a.Rows {
		for j, v := range a.Row(i) {
			t.Row(j)[i] = v
		}
	}
	return t
}

// Variances returns the diagonals of both over its points. Cost: p·m² multiply-adds.
func (v *Covariance) Variances(ctx context.Context) (own, square []float64, err error) {
	turned := linalg.New(v.roots.Rows, v.roots.Cols)
	err = linalg.Gemm(ctx, 1, v.roots, v.whole, 0, turned)
	for k := range v.roots.Rows {
		own = append(own, vec.Dot(v.roots.Row(k), v.roots.Row(k)))
		square = append(square, vec.Dot(v.roots.Row(k), turned.Row(k)))
	}
	return own, square, err
}

// Column writes both between its points and the k-th of them. It panics for lengths
// other than the number of points. Cost: 2·p·m + m² multiply-adds.
func (v *Covariance) Column(ctx context.Context, own, square []float64, k int) {
	if len(own) != v.roots.Rows || len(square) != v.roots.Rows {
		panic(fmt.Sprintf("functionspace: a column of %d and %d values of %d points", len(own), len(square), v.roots.Rows))
	}
	linalg.MulVec(ctx, own, v.roots, v.roots.Row(k))
	turned := make([]float64, v.roots.Cols)
	linalg.MulVec(ctx, turned, v.whole, v.roots.Row(k))
	linalg.MulVec(ctx, square, v.roots, turned)
}
