package nystrom

import (
	"context"
	"math"
	"testing"

	"lapsvm/internal/machines/deformed"
	"lapsvm/internal/numbers/objective"
	"lapsvm/internal/numbers/vec"
	"lapsvm/internal/points/gram"
	"lapsvm/kernel"
)

// XᵀQX and XᵀB are those of the columns X that were found, however early solving stopped: the two
// differ by what the residual is.
func TestProductsOfRoughColumns(t *testing.T) {
	ctx := context.Background()
	p, l := problem(t, 300, 2)
	k, err := gram.NewLandmarks(ctx, p, kernel.Gaussian{Sigma: 0.4}, 40, 1, gram.Double, nil)
	if err != nil {
		t.Fatal(err)
	}
	s, err := New(ctx, k, l)
	if err != nil {
		t.Fatal(err)
	}
	c, err := s.Columns(ctx, deformed.Gammas{A: 1e-3, I: 0.1}, objective.BiasInNorm, gram.Double, Options{Tolerance: 1, MaxIterations: 2})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	for _, some := range [][]int{{5, 130, 299}, {7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24}} {
		if err := c.Add(ctx, some); err != nil {
			t.Fatal(err)
		}
	}
	n, m := k.Len(), c.Len()
	x, qx, b := make([][]float64, m), make([][]float64, m), make([][]float64, m)
	c.q.fit(vec.MaxPanel)
	width := c.q.width
	panel, product := make([]float64, n*width), make([]float64, n*width)
	for _, block := range c.blocks {
		for from := 0; from < block.Columns(); from += width {
			block.Panel(ctx, width, panel, from)
			c.q.mul(ctx, product, panel)
			for j := from; j < min(from+width, m-block.from); j++ {
				column := block.from + j
				x[column], qx[column], b[column] = make([]float64, n), make([]float64, n), make([]float64, n)
				for i := range n {
					x[column][i], qx[column][i] = panel[i*width+j-from], product[i*width+j-from]
				}
			}
		}
	}
	for column, side := range c.rightSides {
		if !side.bias {
			b[column][side.rows[0]] = 1
			continue
		}
		for i, v := range s.ones {
			b[column][i] = c.q.A * v
		}
	}
	dot := func(a, b []float64) (sum float64) {
		for i, v := range a {
			sum += v * b[i]
		}
		return sum
	}
	most := 0.0 // difference of the two
	for i := range m {
		for j := range m {
			size := math.Sqrt(dot(x[i], qx[i]) * dot(x[j], qx[j]))
			if got, want := c.products.Row(i)[j], dot(x[i], qx[j]); !(math.Abs(got-want) <= 1e-9*size) {
				t.Fatalf("element %d, %d of XᵀQX is %v, want %v", i, j, got, want)
			}
			if got, want := c.values.Row(i)[j], dot(x[i], b[j]); !(math.Abs(got-want) <= 1e-9*size) {
				t.Fatalf("element %d, %d of XᵀB is %v, want %v", i, j, got, want)
			}
			most = max(most, math.Abs(c.products.Row(i)[j]-c.values.Row(i)[j])/size)
		}
	}
	if !(most > 1e-3) {
		t.Errorf("XᵀQX and XᵀB differ by %g: solving did not stop early", most)
	}
}
