package vec

import (
	"math"
	"testing"
)

// A NaN or Inf reaches the elements it belongs to, and no others.

func TestSpecialGemm(t *testing.T) { both(t, testSpecialGemm[float32], testSpecialGemm[float64]) }

func testSpecialGemm[T Float](t *testing.T) {
	r := newRand()
	for _, bad := range []float64{math.NaN(), math.Inf(1)} {
		for _, s := range [][3]int{{5, 7, 3}, {30, 40, 20}, {13, 33, 300}, {200, 100, 17}} {
			m, n, k := s[0], s[1], s[2]
			a, b, c := random[T](r, m*k), random[T](r, n*k), make([]T, m*n)
			i, j, p := r.IntN(m), r.IntN(n), r.IntN(k)
			a[i*k+p], b[j*k+p] = T(bad), T(bad)
			_ = Gemm(alone, false, true, m, n, k, 1, a, k, b, k, 0, c, n)
			for q, v := range c {
				hit := q/n == i || q%n == j
				if finite := !math.IsNaN(float64(v)) && !math.IsInf(float64(v), 0); finite == hit {
					t.Fatalf("%v, %v in row %d, column %d: element %d,%d is %v", s, bad, i, j, q/n, q%n, v)
				}
			}
		}
	}
}

func TestSpecialSym(t *testing.T) { both(t, testSpecialSym[float32], testSpecialSym[float64]) }

func testSpecialSym[T Float](t *testing.T) {
	r := newRand()
	for range 20 {
		m, n := 1+r.IntN(40), 1+r.IntN(110)
		tile := random[T](r, m*n)
		i, j := r.IntN(m), r.IntN(n)
		tile[i*n+j] = T(math.NaN())
		yi, yj := make([]float64, m), make([]float64, n)
		SymTile(m, n, tile, n, yi, yj, random[float64](r, m), random[float64](r, n))
		for q, v := range yi {
			if math.IsNaN(v) != (q == i) {
				t.Fatalf("%d×%d, NaN at %d,%d: yi[%d] = %v", m, n, i, j, q, v)
			}
		}
		for q, v := range yj {
			if math.IsNaN(v) != (q == j) {
				t.Fatalf("%d×%d, NaN at %d,%d: yj[%d] = %v", m, n, i, j, q, v)
			}
		}
		for _, width := range []int{4, 9, 10, 16} {
			xi, xj := randomPanel[T](r, width, width, m), randomPanel[T](r, width, width, n)
			sums, yi, yj := make([]float64, RowSumsLength(width)), make([]float64, PanelRows*width), make([]float64, PanelRows*width)
			SymTilePanel(width, m, n, tile, n, sums, yj, xi, xj)
			AddRowSums(width, yi, sums)
			for c := range width {
				ci, cj := column(yi, width, c), column(yj, width, c)
				for q := range ci {
					if math.IsNaN(ci[q]) != (q == i) || math.IsNaN(cj[q]) != (q == j) {
						t.Fatalf("%d×%d, width %d, NaN at %d,%d: yi[%d] = %v, yj[%[6]d] = %[8]v", m, n, width, i, j, q, ci[q], cj[q])
					}
				}
			}
		}
	}
}

func TestWrongCallsPanic(t *testing.T) {
	x := make([]float64, 100)
	f := make([]float32, 100)
	var left, right Packed[float64]
	left.PackLeft(3, 4, x, 4)
	right.PackRight(3, 5, x, 5)
	for i, call := range []func(){
		func() { _ = Gemm(alone, false, false, 11, 10, 10, 1, x, 10, x, 10, 0, make([]float64, 200), 10) },
		func() { _ = Gemm(alone, false, false, 3, 3, 3, 1, x, 2, x, 3, 0, x, 3) },
		func() { _ = Syrk(alone, true, false, 11, 2, 1, x, 2, 0, x, 11) },
		func() { _ = Trsm(alone, true, true, false, false, 11, 2, 1, x, 11, x, 2) },
		func() { Tile(x, 3, &left, &right, nil) },
		func() { Tile(x, 3, &right, &left, nil) },
		func() { SymTile(10, 11, f, 11, x[:10], x[:11], x[:10], x[:11]) },
		func() { SymTile(5, 5, f, 5, x[:4], x[:5], x[:5], x[:5]) },
		func() { MulTile(5, 5, f, 5, x[:5], x[:4]) },
		func() { SymTilePanel(4, 2, 2, f, 2, x, x, f, f) },
		func() { MulTilePanel(11, 2, 2, f, 2, make([]float64, 5000), make([]float32, 5000)) },
		func() { MulTilePanel(4, 193, 1, make([]float32, 200), 1, make([]float64, 5000), make([]float32, 5000)) },
		func() { Widen(x[:3], f[:4]) },
		func() { FromBytes(x[:3], make([]uint8, 4)) },
		func() { Affine(x[:3], x[:3], x[:2]) },
		func() { Dot(x[:4], x[:3]) },
		func() { GaussRow(x[:4], x[:3], x[:4], 1, 1) },
		func() { PowerRow(x[:4], x[:4], 1, 1, -1) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("call %d does not panic", i)
				}
			}()
			call()
		}()
	}
}
