package points_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"lapsvm/points"
)

func l1(x, y []float64) float64 {
	s := 0.0
	for k := range x {
		s += math.Abs(x[k] - y[k])
	}
	return s
}

// L1 distances of dense and sparse rows, in blocks, one by one and in tiles of both
// types, are those of the definition.
func TestL1(t *testing.T) {
	rng := rand.New(rand.NewPCG(31, 1))
	for _, d := range []int{0, 1, 3, 17, 300} {
		const n, m = 200, 13
		a, b := draw(rng, n, d), draw(rng, m, d)
		for pn, p := range both(a, d) {
			for qn, q := range both(b, d) {
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
				testL1Tiles[float64](t, p, q, a, b, 0x1p-53)
				if !p.Sparse() && !q.Sparse() {
					testL1Tiles[float32](t, p, q, a, b, 0x1p-24)
				}
			}
		}
	}
}

// testL1Tiles holds tiles to the stated bound, the rounding of coordinates apart.
func testL1Tiles[T points.Float](t *testing.T, p, q *points.Points, a, b [][]float64, unit float64) {
	t.Helper()
	left, err := points.LeftSide[T](t.Context(), p, nil)
	if err != nil {
		t.Fatal(err)
	}
	right, err := points.RightSide[T](t.Context(), q, nil)
	if err != nil {
		t.Fatal(err)
	}
	tile := make([]T, points.TileSize*points.TileSize)
	for bi := range left.Blocks() {
		points.Tile(points.L1, tile, points.TileSize, left, bi, right, 0, -1)
		i0, i1 := left.Span(bi)
		for i := i0; i < i1; i++ {
			size := l1(a[i], make([]float64, p.Dim()))
			for j := range q.Len() {
				want, d := l1(a[i], b[j]), p.Dim()
				bound := unit * (float64(min(d, 256)+d/256+2)*want + size + l1(b[j], make([]float64, d)))
				if got := float64(tile[(i-i0)*points.TileSize+j]); !(math.Abs(got-want) <= bound) {
					t.Fatalf("%T, %d columns: ‖x_%d − y_%d‖₁ = %v, want %v", tile[0], d, i, j, got, want)
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
