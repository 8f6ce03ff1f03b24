package points_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"lapsvm/internal/testing/drawn"
	"lapsvm/points"
)

func l1(x, y []float64) float64 {
	s := 0.0
	for k := range x {
		s += math.Abs(x[k] - y[k])
	}
	return s
}

// L1 distances of dense and sparse rows, in blocks and one by one, are those of the
// definition.
func TestL1(t *testing.T) {
	rng := rand.New(rand.NewPCG(31, 1))
	for _, d := range []int{0, 1, 3, 17, 300} {
		const n, m = 200, 13
		a, b := drawn.Rows(rng, n, d), drawn.Rows(rng, m, d)
		for pn, p := range drawn.Both(a, d) {
			for qn, q := range drawn.Both(b, d) {
				dst := make([]float64, n*(m+2))
				p.Pairs(points.L1, dst, m+2, 0, n, q, 0, m)
				part := make([]float64, 2*3)
				p.Pairs(points.L1, part, 3, 7, 9, q, 4, 7)
				for i := range n {
					for j := range m {
						want := l1(a[i], b[j])
						got := dst[i*(m+2)+j]
						if !(math.Abs(got-want) <= 1e-13*want) {
							t.Fatalf("%s by %s, %d columns: ‖x_%d − y_%d‖₁ = %v, want %v", pn, qn, d, i, j, got, want)
						}
						if one := p.Distance(points.L1, i, q, j); one != got {
							t.Fatalf("%s by %s: one distance is %v, in a block %v", pn, qn, one, got)
						}
						if i >= 7 && i < 9 && j >= 4 && j < 7 && part[(i-7)*3+j-4] != got {
							t.Fatalf("%s by %s: in another block %v, want %v", pn, qn, part[(i-7)*3+j-4], got)
						}
					}
				}
			}
		}
	}
}

func TestDistance(t *testing.T) {
	p := points.Dense(2, 2, []float64{0, 0, 3, -4})
	if e, m := p.Distance(points.Products, 0, p, 1), p.Distance(points.L1, 0, p, 1); e != 5 || m != 7 {
		t.Errorf("distances %v and %v, want 5 and 7", e, m)
	}
	if s, m := points.Self(points.Products, 25.0), points.Self(points.L1, 25.0); s != 25 || m != 0 {
		t.Errorf("with itself %v and %v, want 25 and 0", s, m)
	}
	if m := points.Self(points.L1, math.Inf(1)); !math.IsNaN(m) {
		t.Errorf("infinity is %v from itself", m)
	}
	panics(t, "other columns", func() { p.Distance(points.L1, 0, points.Dense(1, 1, []float64{1}), 0) })
}
