package vec

import (
	"fmt"
	"math"
	"sync"
	"testing"
)

// naiveSym is T·xj and Tᵀ·xi for interleaved columns, with the sums of
// absolute values.
func naiveSym[T, F Float](width, rows, cols int, tile []T, ld int, xi, xj []F) (yi, yj, ai, aj []float64) {
	yi, ai = make([]float64, rows*width), make([]float64, rows*width)
	yj, aj = make([]float64, cols*width), make([]float64, cols*width)
	for i := range rows {
		for j := range cols {
			for c := range width {
				e := float64(tile[i*ld+j])
				p, q := e*float64(xj[j*width+c]), e*float64(xi[i*width+c])
				yi[i*width+c] += p
				ai[i*width+c] += math.Abs(p)
				yj[j*width+c] += q
				aj[j*width+c] += math.Abs(q)
			}
		}
	}
	return
}

func compare(t *testing.T, what string, got, old, add, abs []float64, tol float64) {
	t.Helper()
	for i := range got {
		if !closeTo(got[i], old[i]+add[i], tol*(abs[i]+math.Abs(old[i]))) {
			t.Fatalf("%s: element %d is %v, want %v", what, i, got[i], old[i]+add[i])
		}
	}
}

func TestSymTile(t *testing.T) { both(t, testSymTile[float32], testSymTile[float64]) }

func testSymTile[T Float](t *testing.T) {
	r := newRand()
	run := func(width, rows, cols int) {
		ld := max(1, cols) + r.IntN(3)
		tile, _ := guarded[T](r, rows*ld)
		xi, _ := guarded[float64](r, rows*width)
		xj, _ := guarded[float64](r, cols*width)
		ni, nj, ai, aj := naiveSym(width, rows, cols, tile, ld, xi, xj)
		for _, full := range []bool{false, true} {
			yi, ok1 := guarded[float64](r, rows*width)
			yj, ok2 := guarded[float64](r, cols*width)
			oi, oj := append([]float64{}, yi...), append([]float64{}, yj...)
			what := fmt.Sprintf("width %d, %d×%d", width, rows, cols)
			switch {
			case full && width == 1:
				MulTile(rows, cols, tile, ld, yi, xj)
			case full:
				MulTileColumns(width, rows, cols, tile, ld, yi, xj)
			case width == 1:
				SymTile(rows, cols, tile, ld, yi, yj, xi, xj)
			default:
				SymTileColumns(width, rows, cols, tile, ld, yi, yj, xi, xj)
			}
			if !ok1() || !ok2() {
				t.Fatal(what, "wrote beyond its slices")
			}
			compare(t, what+" yi", yi, oi, ni, ai, 1e-14)
			if full {
				compare(t, what+" yj", yj, oj, make([]float64, len(yj)), aj, 0)
			} else {
				compare(t, what+" yj", yj, oj, nj, aj, 1e-14)
			}
		}
		if width == 1 {
			y, ok := guarded[float64](r, cols)
			old := append([]float64{}, y...)
			MulTileTrans(rows, cols, tile, ld, y, xi)
			if !ok() {
				t.Fatal("MulTileTrans wrote beyond its slice")
			}
			compare(t, "MulTileTrans", y, old, nj, aj, 1e-14)
		}
	}
	for n := range 101 {
		for _, m := range []int{0, 1, 3, 4, 5, 8, 13, 20} {
			run(1, m, n)
			run(1, n, m)
		}
		run(8, n%27, n)
		run(16, n%27, n)
	}
	for _, width := range []int{1, 8, 16} {
		run(width, 192, 192)
		run(width, 191, 389)
		run(width, 389, 190)
	}
}

func TestSymTileSingle(t *testing.T) {
	onPaths(t, func(t *testing.T) {
		r := newRand()
		for _, s := range [][2]int{{0, 3}, {1, 1}, {5, 7}, {12, 12}, {13, 100}, {6, 31}, {192, 192}, {191, 385}, {193, 190}} {
			rows, cols := s[0], s[1]
			ld := cols + 2
			tile, _ := guarded[float32](r, rows*ld)
			xi, _ := guarded[float32](r, rows*Single)
			xj, _ := guarded[float32](r, cols*Single)
			ni, nj, ai, aj := naiveSym(Single, rows, cols, tile, ld, xi, xj)
			yi, ok1 := guarded[float64](r, rows*Single)
			yj, ok2 := guarded[float64](r, cols*Single)
			oi, oj := append([]float64{}, yi...), append([]float64{}, yj...)
			SymTileSingle(rows, cols, tile, ld, yi, yj, xi, xj)
			compare(t, "yi", yi, oi, ni, ai, 2e-6)
			compare(t, "yj", yj, oj, nj, aj, 2e-6)
			copy(yi, oi)
			MulTileSingle(rows, cols, tile, ld, yi, xj)
			compare(t, "y", yi, oi, ni, ai, 2e-6)
			if !ok1() || !ok2() {
				t.Fatal("wrote beyond its slices")
			}
		}
	})
}

func TestConvert(t *testing.T) {
	onPaths(t, func(t *testing.T) {
		r := newRand()
		for n := range 101 {
			src, _ := guarded[float64](r, n)
			if n > 2 {
				src[0], src[1], src[2] = math.NaN(), math.Inf(1), 1e300
			}
			single, ok1 := guarded[float32](r, n)
			back, ok2 := guarded[float64](r, n)
			Narrow(single, src)
			Widen(back, single)
			if !ok1() || !ok2() {
				t.Fatal("wrote beyond its slices")
			}
			for i, v := range src {
				if !closeTo(back[i], float64(float32(v)), 0) {
					t.Fatalf("n=%d: %v became %v", n, v, back[i])
				}
			}
		}
	})
}

// BenchmarkSym goes through the upper triangle of a matrix of 12,000 rows, or
// 3,000 where memory is not the point; per operation, one product with one
// vector or with 16.
func BenchmarkSym(b *testing.B) {
	const side = 192
	r := newRand()
	for _, n := range []int{12000} {
		blocks := n / side
		tiles := hugeFloats((blocks*(blocks+1)/2 + 1) * side * side)
		seed := random[float32](r, side*side)
		for i := 0; i < len(tiles); i += side * side {
			copy(tiles[i:], seed)
		}
		x, x32 := random[float64](r, n*16), random[float32](r, n*16)
		for _, kind := range []string{"one", "double8", "double16", "single16"} {
			for threads := 1; threads <= 2; threads++ {
				b.Run(fmt.Sprintf("%s/n=%d/threads=%d", kind, n, threads), func(b *testing.B) {
					ys := make([][]float64, threads)
					for i := range ys {
						ys[i] = make([]float64, n*16)
					}
					for b.Loop() {
						var wg sync.WaitGroup
						for w := range threads {
							wg.Go(func() {
								y := ys[w]
								total := blocks * (blocks + 1) / 2
								first, last := total*w/threads, total*(w+1)/threads
								for t, i, j := 0, 0, 0; t < last; t++ {
									if t >= first {
										tile := tiles[t*side*side : (t+1)*side*side]
										switch kind {
										case "one":
											SymTile(side, side, tile, side, y[i*side:], y[j*side:], x[i*side:], x[j*side:])
										case "double8":
											SymTileColumns(8, side, side, tile, side, y[i*side*8:], y[j*side*8:], x[i*side*8:], x[j*side*8:])
										case "double16":
											SymTileColumns(16, side, side, tile, side, y[i*side*16:], y[j*side*16:], x[i*side*16:], x[j*side*16:])
										case "single16":
											SymTileSingle(side, side, tile, side, y[i*side*16:], y[j*side*16:], x32[i*side*16:], x32[j*side*16:])
										}
									}
									if j++; j == blocks {
										i++
										j = i
									}
								}
							})
						}
						wg.Wait()
					}
					count := float64(blocks * (blocks + 1) / 2 * side * side)
					perSecond := float64(b.N) / b.Elapsed().Seconds()
					b.ReportMetric(count*4*perSecond/1e9, "GB/s")
					if kind != "one" {
						width := 16.0
						if kind == "double8" {
							width = 8
						}
						b.ReportMetric(count*4*width*perSecond/1e9, "GFLOP/s")
					}
				})
			}
		}
	}
}
