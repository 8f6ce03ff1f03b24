package vec

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"lapsvm/internal/system/huge"
	"lapsvm/internal/testing/detector"
)

// naiveSym is T·xj and Tᵀ·xi for one column, with the sums of absolute values.
func naiveSym[T, F Float](rows, cols int, tile []T, ld int, xi, xj []F) (yi, yj, ai, aj []float64) {
	yi, ai = make([]float64, rows), make([]float64, rows)
	yj, aj = make([]float64, cols), make([]float64, cols)
	for i := range rows {
		sum, abs := 0.0, 0.0
		for j, x := range xj[:cols] {
			p := float64(tile[i*ld+j]) * float64(x)
			sum += p
			abs += math.Abs(p)
		}
		yi[i], ai[i] = sum, abs
	}
	for j := range cols {
		sum, abs := 0.0, 0.0
		for i, x := range xi[:rows] {
			p := float64(tile[i*ld+j]) * float64(x)
			sum += p
			abs += math.Abs(p)
		}
		yj[j], aj[j] = sum, abs
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
	run := func(rows, cols int) {
		ld := max(1, cols) + r.IntN(3)
		tile, _ := guarded[T](r, rows*ld)
		xi, _ := guarded[float64](r, rows)
		xj, _ := guarded[float64](r, cols)
		ni, nj, ai, aj := naiveSym(rows, cols, tile, ld, xi, xj)
		for _, full := range []bool{false, true} {
			yi, ok1 := guarded[float64](r, rows)
			yj, ok2 := guarded[float64](r, cols)
			oi, oj := append([]float64{}, yi...), append([]float64{}, yj...)
			what := fmt.Sprintf("%d×%d", rows, cols)
			if full {
				MulTile(rows, cols, tile, ld, yi, xj)
			} else {
				SymTile(rows, cols, tile, ld, yi, yj, xi, xj)
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
		y, ok := guarded[float64](r, cols)
		old := append([]float64{}, y...)
		MulTileTrans(rows, cols, tile, ld, y, xi)
		if !ok() {
			t.Fatal("MulTileTrans wrote beyond its slice")
		}
		compare(t, "MulTileTrans", y, old, nj, aj, 1e-14)
	}
	for n := range 101 {
		for _, m := range []int{0, 1, 3, 4, 5, 8, 13, 20} {
			run(m, n)
			run(n, m)
		}
	}
	run(192, 192)
	run(191, 389)
	run(389, 190)
}

// randomPanel returns a panel whose first columns have random values in the given number of rows;
// the rest is zero.
func randomPanel[T Float](r *rand.Rand, width, columns, rows int) []T {
	panel := make([]T, PanelRows*width)
	for c := range columns {
		SetColumn(panel, width, c, random[float64](r, rows))
	}
	return panel
}

// column returns column c of a panel.
func column[T Float](panel []T, width, c int) []float64 {
	wide, values := make([]float64, len(panel)), make([]float64, PanelRows)
	for i, v := range panel {
		wide[i] = float64(v)
	}
	Column(values, wide, width, c)
	return values
}

func TestPanelWidth(t *testing.T) {
	for n := 1; n <= MaxPanel; n++ {
		if w := PanelWidth(n); w < n || w > n+3 || PanelWidth(w) != w {
			t.Errorf("PanelWidth(%d) = %d, PanelWidth(%[2]d) = %d", n, w, PanelWidth(w))
		}
	}
}

func TestSymTilePanel(t *testing.T) {
	detector.Spare(t)
	both(t, testSymTilePanel[float32], testSymTilePanel[float64])
}

func testSymTilePanel[T Float](t *testing.T) {
	r := newRand()
	tolerance := 16 * eps[T]()
	run := func(columns, rows, cols int) {
		width := PanelWidth(columns)
		what := fmt.Sprintf("%d columns, %d×%d", columns, rows, cols)
		ld := max(1, cols) + r.IntN(3)
		tile, _ := guarded[T](r, rows*ld)
		tile64 := make([]float64, len(tile))
		for i, v := range tile {
			tile64[i] = float64(v)
		}
		xi, xj := randomPanel[T](r, width, columns, rows), randomPanel[T](r, width, columns, cols)
		sums, ok1 := guarded[float64](r, RowSumsLength(width))
		yj, ok2 := guarded[float64](r, PanelRows*width)
		yi, ok3 := guarded[float64](r, PanelRows*width)
		clear(sums)
		oi, oj := append([]float64{}, yi...), append([]float64{}, yj...)
		SymTilePanel(width, rows, cols, tile, ld, sums, yj, xi, xj)
		AddRowSums(width, yi, sums)
		clear(sums)
		MulTilePanel(width, rows, cols, tile, ld, sums, xj)
		product := make([]float64, PanelRows*width)
		AddRowSums(width, product, sums)
		var trans []float64
		ok4 := func() bool { return true }
		if width == MaxPanel {
			trans, ok4 = guarded[float64](r, PanelRows*width)
			clear(trans)
			MulTileTransPanel(rows, cols, tile, ld, trans, xi)
		}
		if !ok1() || !ok2() || !ok3() || !ok4() {
			t.Fatal(what, "wrote beyond its slices")
		}
		for c := range width {
			if width == MaxPanel {
				xi := column(xi, width, c)
				_, nj, _, aj := naiveSym(rows, cols, tile64, ld, xi[:rows], make([]float64, cols))
				zero := make([]float64, PanelRows)
				compare(t, what+" of the transpose", column(trans, width, c)[:cols], zero, nj, aj, tolerance)
				compare(t, what+" of the transpose, rest", column(trans, width, c)[cols:], zero, zero, zero, 0)
			}
			xi, xj, oi, oj := column(xi, width, c), column(xj, width, c), column(oi, width, c), column(oj, width, c)
			yi, yj, product := column(yi, width, c), column(yj, width, c), column(product, width, c)
			ni, nj, ai, aj := naiveSym(rows, cols, tile64, ld, xi[:rows], xj[:cols])
			compare(t, what+" yi", yi[:rows], oi, ni, ai, tolerance)
			compare(t, what+" yj", yj[:cols], oj, nj, aj, tolerance)
			compare(t, what+" y", product[:rows], make([]float64, rows), ni, ai, tolerance)
			none := make([]float64, PanelRows)
			compare(t, what+" rest of yi", yi[rows:], oi[rows:], none, none, 0)
		}
	}
	for columns := 1; columns <= MaxPanel; columns++ {
		for _, s := range [][2]int{{0, 3}, {1, 1}, {5, 7}, {12, 12}, {13, 100}, {6, 31}} {
			run(columns, s[0], s[1])
		}
		if columns == PanelWidth(columns) { // others are computed as these
			for _, s := range [][2]int{{192, 192}, {191, 192}, {192, 190}} {
				run(columns, s[0], s[1])
			}
		}
	}
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

// Bytes become their numbers, and rows are moved, scaled and divided to the bit of
// Go's operators.
func TestConvertBytes(t *testing.T) {
	onPaths(t, func(t *testing.T) {
		r := newRand()
		for n := range 101 {
			src := make([]uint8, n)
			for i := range src {
				src[i] = uint8(r.IntN(256))
			}
			double, ok1 := guarded[float64](r, n)
			single, ok2 := guarded[float32](r, n)
			FromBytes(double, src)
			FromBytes(single, src)
			for i, v := range src {
				if double[i] != float64(v) || single[i] != float32(v) {
					t.Fatalf("n=%d: %d became %v and %v", n, v, double[i], single[i])
				}
			}
			x, ok3 := guarded[float64](r, n)
			shift, factor := random[float64](r, n), random[float64](r, n)
			before := slices.Clone(x)
			Affine(x, shift, factor)
			Divide(double, 3.7)
			if !ok1() || !ok2() || !ok3() {
				t.Fatal("wrote beyond its slices")
			}
			for i, v := range before {
				if want := (v - shift[i]) * factor[i]; math.Float64bits(x[i]) != math.Float64bits(want) {
					t.Fatalf("n=%d: (%v − %v)·%v = %v, want %v", n, v, shift[i], factor[i], x[i], want)
				}
				if want := float64(src[i]) / 3.7; double[i] != want {
					t.Fatalf("n=%d: %d/3.7 = %v, want %v", n, src[i], double[i], want)
				}
			}
		}
	})
}

// BenchmarkSym goes through the upper triangle of a matrix of 12,000 rows; per
// operation, one product with one vector or a panel of columns.
func BenchmarkSym(b *testing.B) {
	const side, n = PanelRows, 12000
	r := newRand()
	blocks := n / side
	tiles, release, err := huge.Reserve[float32]((blocks*(blocks+1)/2 + 1) * side * side)
	if err != nil {
		b.Fatal(err)
	}
	defer release()
	seed := random[float32](r, side*side)
	for i := 0; i < len(tiles); i += side * side {
		copy(tiles[i:], seed)
	}
	x, panels := random[float64](r, n), random[float32](r, n*MaxPanel)
	for _, columns := range []int{1, 4, 5, 8, 10, 16} {
		for threads := 1; threads <= 2; threads++ {
			b.Run(fmt.Sprintf("columns=%d/threads=%d", columns, threads), func(b *testing.B) {
				ys := make([][]float64, threads)
				for i := range ys {
					ys[i] = make([]float64, n*MaxPanel)
				}
				for b.Loop() {
					var wg sync.WaitGroup
					for w := range threads {
						wg.Go(func() {
							y := ys[w]
							sums := make([]float64, RowSumsLength(MaxPanel))
							total := blocks * (blocks + 1) / 2
							first, last := total*w/threads, total*(w+1)/threads
							for t, i, j := 0, 0, 0; t < last; t++ {
								if t >= first {
									tile := tiles[t*side*side : (t+1)*side*side]
									if columns == 1 {
										SymTile(side, side, tile, side, y[i*side:], y[j*side:], x[i*side:], x[j*side:])
									} else {
										SymTilePanel(columns, side, side, tile, side, sums, y[j*side*columns:], panels[i*side*columns:], panels[j*side*columns:])
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
				b.ReportMetric(count*4*float64(columns)*perSecond/1e9, "GFLOP/s")
			})
		}
	}
}
