package vec

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"lapsvm/internal/testing/detector"
)

func both(t *testing.T, f32, f64 func(t *testing.T)) {
	onPaths(t, func(t *testing.T) {
		t.Run("float32", f32)
		t.Run("float64", f64)
	})
}

// sizes lie around the edges of tiles and blocks.
var sizes = []int{0, 1, 2, 3, 5, 6, 7, 11, 12, 13, 15, 16, 17, 24, 31, 32, 33, 47, 64, 65, 97, 191, 193, 255, 257}

func TestGemm(t *testing.T) {
	detector.Spare(t)
	both(t, testGemm[float32], testGemm[float64])
}

func testGemm[T Float](t *testing.T) {
	r := newRand()
	for trial := range 60 {
		m, n, k := sizes[r.IntN(len(sizes))], sizes[r.IntN(len(sizes))], sizes[r.IntN(len(sizes))]
		if trial%10 == 0 {
			k = 520
		}
		ta, tb := r.IntN(2) == 1, r.IntN(2) == 1
		alpha, beta := []T{0, 1, -1, 0.5}[r.IntN(4)], []T{0, 1, -1, 0.5}[r.IntN(4)]
		ar, ac, br, bc := m, k, k, n
		if ta {
			ar, ac = ac, ar
		}
		if tb {
			br, bc = bc, br
		}
		lda, ldb, ldc := max(1, ac)+r.IntN(5), max(1, bc)+r.IntN(5), max(1, n)+r.IntN(5)
		a, aok := guarded[T](r, ar*lda)
		b, bok := guarded[T](r, br*ldb)
		c, cok := guarded[T](r, m*ldc)
		if beta == 0 {
			for i := range c {
				c[i] = T(math.NaN())
			}
		}
		old := slices.Clone(c)
		_ = Gemm(limited(t, 1+r.IntN(3)), ta, tb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc)
		if !aok() || !bok() || !cok() {
			t.Fatal("wrote beyond its slices")
		}
		va, vb := view(a, lda, ta), view(b, ldb, tb)
		for i := range m {
			for j := range ldc {
				got := float64(c[i*ldc+j])
				if j >= n {
					if !closeTo(got, float64(old[i*ldc+j]), 0) {
						t.Fatalf("%d×%d×%d: wrote between rows", m, n, k)
					}
					continue
				}
				want, size := 0.0, 0.0
				for p := range k {
					x := float64(va.data[i*va.rs+p*va.cs]) * float64(vb.data[p*vb.rs+j*vb.cs])
					want += x
					size += math.Abs(x)
				}
				want, size = want*float64(alpha), size*math.Abs(float64(alpha))
				if beta != 0 {
					want += float64(beta) * float64(old[i*ldc+j])
					size += math.Abs(float64(beta) * float64(old[i*ldc+j]))
				}
				if !closeTo(got, want, 20*eps[T]()*size) {
					t.Fatalf("%d×%d×%d trans %v %v α=%v β=%v at %d,%d: %v, want %v", m, n, k, ta, tb, alpha, beta, i, j, got, want)
				}
			}
		}
	}
}

// Gemmt and Syrk have the bits of Gemm in their half, and leave the other alone.
func TestHalves(t *testing.T) { both(t, testSyrk[float32], testSyrk[float64]) }

func testSyrk[T Float](t *testing.T) {
	r := newRand()
	for range 100 {
		n, k := sizes[r.IntN(len(sizes))], sizes[r.IntN(len(sizes))]
		trans, up, two, transB := r.IntN(2) == 1, r.IntN(2) == 1, r.IntN(2) == 1, r.IntN(2) == 1
		alpha, beta := []T{0, 1, -1, 0.5}[r.IntN(4)], []T{0, 1, -1, 0.5}[r.IntN(4)]
		table := func(trans bool) ([]T, int) {
			rows, cols := n, k
			if trans {
				rows, cols = cols, rows
			}
			ld := max(1, cols) + r.IntN(5)
			a, _ := guarded[T](r, rows*ld)
			return a, ld
		}
		a, lda := table(trans)
		b, ldb := a, lda
		if two {
			b, ldb = table(!transB)
		} else {
			transB = !trans
		}
		ldc := max(1, n) + r.IntN(5)
		c, ok := guarded[T](r, n*ldc)
		old := slices.Clone(c)
		want := slices.Clone(c)
		_ = Gemm(alone, trans, transB, n, n, k, alpha, a, lda, b, ldb, beta, want, ldc)
		if two {
			_ = Gemmt(limited(t, 1+r.IntN(3)), up, trans, transB, n, k, alpha, a, lda, b, ldb, beta, c, ldc)
		} else {
			_ = Syrk(limited(t, 1+r.IntN(3)), up, trans, n, k, alpha, a, lda, beta, c, ldc)
		}
		if !ok() {
			t.Fatal("wrote beyond its slice")
		}
		for i := range n {
			for j := range ldc {
				w := want[i*ldc+j]
				if j >= n || (up && j < i) || (!up && j > i) {
					w = old[i*ldc+j]
				}
				if c[i*ldc+j] != w {
					t.Fatalf("n=%d k=%d up %v trans %v of two %v at %d,%d: %v, want %v", n, k, up, trans, two, i, j, c[i*ldc+j], w)
				}
			}
		}
	}
}

func TestTrsm(t *testing.T) {
	detector.Spare(t)
	both(t, testTrsm[float32], testTrsm[float64])
}

func testTrsm[T Float](t *testing.T) {
	r := newRand()
	for range 60 {
		m, n := sizes[r.IntN(len(sizes))], sizes[r.IntN(len(sizes))]
		left, up, trans, unit := r.IntN(2) == 1, r.IntN(2) == 1, r.IntN(2) == 1, r.IntN(2) == 1
		alpha := []T{0, 1, -1, 0.5}[r.IntN(4)]
		size := n
		if left {
			size = m
		}
		lda, ldb := max(1, size)+r.IntN(5), max(1, n)+r.IntN(5)
		a, _ := guarded[T](r, size*lda)
		for i := range a { // well conditioned; the other half must not be read
			a[i] /= T(size)
		}
		for i := range size {
			for j := range size {
				if (up && j < i) || (!up && j > i) || (unit && i == j) {
					a[i*lda+j] = T(math.NaN())
				} else if i == j {
					a[i*lda+j] = T(1 + r.Float64())
				}
			}
		}
		b, ok := guarded[T](r, m*ldb)
		old := slices.Clone(b)
		_ = Trsm(limited(t, 1+r.IntN(3)), left, up, trans, unit, m, n, alpha, a, lda, b, ldb)
		if !ok() {
			t.Fatal("wrote beyond its slice")
		}
		el := func(i, j int) float64 { // op(A)
			if trans {
				i, j = j, i
			}
			switch {
			case i == j && unit:
				return 1
			case (up && j < i) || (!up && j > i):
				return 0
			}
			return float64(a[i*lda+j])
		}
		for i := range m {
			for j := range ldb {
				if j >= n {
					if b[i*ldb+j] != old[i*ldb+j] {
						t.Fatal("wrote between rows")
					}
					continue
				}
				sum, abs := 0.0, 0.0
				for p := range size {
					x := 0.0
					if left {
						x = el(i, p) * float64(b[p*ldb+j])
					} else {
						x = float64(b[i*ldb+p]) * el(p, j)
					}
					sum += x
					abs += math.Abs(x)
				}
				if want := float64(alpha) * float64(old[i*ldb+j]); !closeTo(sum, want, 50*eps[T]()*(abs+math.Abs(want))) {
					t.Fatalf("%d×%d left %v up %v trans %v unit %v α=%v at %d,%d: %v, want %v", m, n, left, up, trans, unit, alpha, i, j, sum, want)
				}
			}
		}
	}
}

func TestThreadsDoNotMatter(t *testing.T) { both(t, testThreads[float32], testThreads[float64]) }

func testThreads[T Float](t *testing.T) {
	r := newRand()
	for _, s := range [][3]int{{300, 200, 300}, {500, 64, 300}, {64, 500, 300}, {13, 700, 257}, {700, 13, 257}} {
		m, n, k := s[0], s[1], s[2]
		a, b := random[T](r, m*k), random[T](r, n*k)
		var first, solved []T
		for _, threads := range []int{0, 1, 2, 5} {
			c := make([]T, m*n)
			_ = Gemm(limited(t, threads), false, true, m, n, k, 1, a, k, b, k, 0, c, n)
			if threads == 0 {
				first = slices.Clone(c)
			} else if !slices.Equal(first, c) {
				t.Fatalf("Gemm %v: %d threads change the result", s, threads)
			}
			tri := make([]T, m*m)
			for i := range m {
				copy(tri[i*m:i*m+i], a)
				tri[i*m+i] = 300
			}
			_ = Trsm(limited(t, threads), true, false, false, false, m, n, 1, tri, m, c, n)
			if threads == 0 {
				solved = slices.Clone(c)
			} else if !slices.Equal(solved, c) {
				t.Fatalf("Trsm %v: %d threads change the result", s, threads)
			}
		}
	}
}

func TestTile(t *testing.T) { both(t, testTile[float32], testTile[float64]) }

func testTile[T Float](t *testing.T) {
	r := newRand()
	var left, right Packed[T]
	for range 60 {
		m, n, k := sizes[r.IntN(len(sizes))], sizes[r.IntN(len(sizes))], sizes[r.IntN(len(sizes))]
		lda, ldb, ldd := max(1, k)+r.IntN(3), max(1, k)+r.IntN(3), max(1, n)+r.IntN(3)
		a, b := random[T](r, m*lda), random[T](r, n*ldb)
		left.PackLeft(m, k, a, lda)
		right.PackRight(n, k, b, ldb)
		dst, ok := guarded[T](r, m*ldd)
		want := slices.Clone(dst)
		Tile(dst, ldd, &left, &right, nil)
		_ = Gemm(alone, false, true, m, n, k, 1, a, lda, b, ldb, 0, want, ldd)
		if !ok() || !slices.Equal(dst, want) {
			t.Fatalf("%d×%d×%d: Tile differs from Gemm", m, n, k)
		}
	}
}

func TestTileL1(t *testing.T) {
	detector.Spare(t)
	both(t, testTileL1[float32], testTileL1[float64])
}

// Distances of all lengths 0…100 and some longer ones agree with the definition
// within the bound of TileL1, in blocks around the edges of tiles. Equal points
// have the distance 0, and a pair's bits do not depend on its place.
func testTileL1[T Float](t *testing.T) {
	r := newRand()
	var left, right Packed[T]
	lengths := []int{255, 256, 257, 520, 784}
	for k := range 101 {
		lengths = append(lengths, k)
	}
	for _, k := range lengths {
		m, n := sizes[r.IntN(len(sizes))], sizes[r.IntN(len(sizes))]
		lda, ldb, ldd := max(1, k)+r.IntN(3), max(1, k)+r.IntN(3), max(1, n)+r.IntN(3)
		a, aok := guarded[T](r, m*lda)
		b, bok := guarded[T](r, n*ldb)
		if m > 0 && n > 0 && k > 0 {
			copy(b[(n-1)*ldb:(n-1)*ldb+k], a[:k]) // equal points
		}
		left.PackLeft(m, k, a, lda)
		right.PackRight(n, k, b, ldb)
		dst, ok := guarded[T](r, m*ldd)
		old := slices.Clone(dst)
		TileL1(dst, ldd, &left, &right, nil)
		if !ok() || !aok() || !bok() {
			t.Fatalf("%d×%d×%d: wrote beyond its slices", m, n, k)
		}
		for i := range m {
			for j := range ldd {
				got := float64(dst[i*ldd+j])
				if j >= n {
					if dst[i*ldd+j] != old[i*ldd+j] {
						t.Fatalf("%d×%d×%d: wrote between rows", m, n, k)
					}
					continue
				}
				want := 0.0
				for p := range k {
					want += math.Abs(float64(a[i*lda+p]) - float64(b[j*ldb+p]))
				}
				bound := float64(min(k, 256)+k/256+2) * eps[T]()
				if !closeTo(got, want, bound*want) {
					t.Fatalf("%d×%d×%d at %d,%d: %v, want %v", m, n, k, i, j, got, want)
				}
			}
		}
		if m > 0 && n > 0 && dst[n-1] != 0 {
			t.Fatalf("%d×%d×%d: equal points at a distance of %v", m, n, k, dst[n-1])
		}
		if m == 0 || n == 0 {
			continue
		}
		var one Packed[T]
		i, alone := r.IntN(m), make([]T, n)
		one.PackLeft(1, k, a[i*lda:], lda)
		TileL1(alone, n, &one, &right, nil)
		if !slices.Equal(alone, dst[i*ldd:i*ldd+n]) {
			t.Fatalf("%d×%d×%d: row %d has other bits alone", m, n, k, i)
		}
	}
}

func BenchmarkGemm(b *testing.B) {
	b.Run("float32", benchGemm[float32])
	b.Run("float64", benchGemm[float64])
}

func benchGemm[T Float](b *testing.B) {
	r := rand.New(rand.NewPCG(1, 1))
	for _, s := range [][3]int{{1536, 1536, 784}, {2000, 64, 2000}, {64, 2000, 2000}, {2000, 2000, 64}, {4000, 4000, 64}, {20, 20, 20}} {
		m, n, k := s[0], s[1], s[2]
		x, y, c := random[T](r, m*k), random[T](r, n*k), make([]T, m*n)
		for _, trans := range []bool{true, false} {
			ldb := n
			if trans {
				ldb = k
			}
			for threads := 1; threads <= 2; threads++ {
				b.Run(fmt.Sprintf("%dx%dx%d/trans=%v/threads=%d", m, n, k, trans, threads), func(b *testing.B) {
					for b.Loop() {
						_ = Gemm(limited(b, threads), false, trans, m, n, k, 1, x, k, y, ldb, 0, c, n)
					}
					b.ReportMetric(2*float64(m)*float64(n)*float64(k)*float64(b.N)/b.Elapsed().Seconds()/1e9, "GFLOP/s")
				})
			}
		}
	}
}

func BenchmarkTile(b *testing.B) {
	b.Run("float32", benchTile[float32])
	b.Run("float64", benchTile[float64])
}

// Products and distances at the same shape. The limit of the former is a
// multiply-add per term, BenchmarkLimits; the latter take three instructions.
func benchTile[T Float](b *testing.B) {
	r := rand.New(rand.NewPCG(1, 1))
	const n, d = 192, 784
	x := random[T](r, n*d)
	dst := make([]T, n*n)
	var left, right Packed[T]
	pack := func() {
		left.PackLeft(n, d, x, d)
		right.PackRight(n, d, x, d)
	}
	pack()
	b.Run("pack", func(b *testing.B) {
		for b.Loop() {
			pack()
		}
	})
	for _, c := range bothSums[T]() {
		b.Run(c.name, func(b *testing.B) {
			for b.Loop() {
				c.tile(dst, n, &left, &right, nil)
			}
			b.ReportMetric(n*n*d*float64(b.N)/b.Elapsed().Seconds()/1e9, "Gterms/s")
		})
	}
}
