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
			Gemm(1, false, true, m, n, k, 1, a, k, b, k, 0, c, n)
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
	for _, width := range []int{1, 8, 16} {
		for range 20 {
			m, n := 1+r.IntN(40), 1+r.IntN(110)
			tile := random[T](r, m*n)
			i, j := r.IntN(m), r.IntN(n)
			tile[i*n+j] = T(math.NaN())
			xi, xj := random[float64](r, m*width), random[float64](r, n*width)
			yi, yj := make([]float64, m*width), make([]float64, n*width)
			if width == 1 {
				SymTile(m, n, tile, n, yi, yj, xi, xj)
			} else {
				SymTileColumns(width, m, n, tile, n, yi, yj, xi, xj)
			}
			for q, v := range yi {
				if math.IsNaN(v) != (q/width == i) {
					t.Fatalf("%d×%d, width %d, NaN at %d,%d: yi[%d] = %v", m, n, width, i, j, q, v)
				}
			}
			for q, v := range yj {
				if math.IsNaN(v) != (q/width == j) {
					t.Fatalf("%d×%d, width %d, NaN at %d,%d: yj[%d] = %v", m, n, width, i, j, q, v)
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
		func() { Gemm(1, false, false, 11, 10, 10, 1, x, 10, x, 10, 0, make([]float64, 200), 10) },
		func() { Gemm(1, false, false, 3, 3, 3, 1, x, 2, x, 3, 0, x, 3) },
		func() { Syrk(1, true, false, 11, 2, 1, x, 2, 0, x, 11) },
		func() { Trsm(1, true, true, false, false, 11, 2, 1, x, 11, x, 2) },
		func() { Tile(x, 3, &left, &right, nil) },
		func() { Tile(x, 3, &right, &left, nil) },
		func() { SymTile(10, 11, f, 11, x[:10], x[:11], x[:10], x[:11]) },
		func() { SymTile(5, 5, f, 5, x[:4], x[:5], x[:5], x[:5]) },
		func() { MulTile(5, 5, f, 5, x[:5], x[:4]) },
		func() { SymTileColumns(4, 2, 2, f, 2, x, x, x, x) },
		func() { Widen(x[:3], f[:4]) },
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
