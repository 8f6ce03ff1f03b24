package vec

import (
	"fmt"
	"math"
	"slices"
	"testing"
)

var specials = []float64{math.NaN(), math.Inf(1), math.Inf(-1), 0, math.Copysign(0, -1), -1, 1, 80, -80, -87.5, -100, -104, -600, -720, -740, -750, 700, 705, 90, 710, 1e30, -1e30}

func TestExp(t *testing.T) { both(t, testExp[float32], testExp[float64]) }

func testExp[T Float](t *testing.T) {
	tol, tiny := 3e-7, math.Ldexp(1, -149)
	if eps[T]() < 1e-10 {
		tol, tiny = 1e-15, math.Ldexp(1, -1074)
	}
	r := newRand()
	check := func(src []T) {
		dst, ok := guarded[T](r, len(src))
		in := slices.Clone(src)
		Exp(dst, src)
		inPlace := slices.Clone(src)
		Exp(inPlace, inPlace)
		if !ok() {
			t.Fatal("wrote beyond its slice")
		}
		for i, x := range in {
			want := float64(T(math.Exp(float64(x))))
			if !closeTo(float64(dst[i]), want, tol*want+2*tiny) {
				t.Fatalf("exp(%v) = %v, want %v", x, dst[i], want)
			}
			if dst[i] != inPlace[i] && dst[i] == dst[i] {
				t.Fatalf("in place, exp(%v) = %v, not %v", x, inPlace[i], dst[i])
			}
		}
	}
	for n := range 101 {
		src := random[T](r, n)
		for i := range src {
			src[i] = T(700 * r.Float64() * float64(src[i]))
			if r.IntN(4) == 0 {
				src[i] = T(specials[r.IntN(len(specials))])
			}
		}
		check(src)
	}
	src := make([]T, 100000)
	for _, scale := range []float64{1, 88, 745} {
		for i := range src {
			src[i] = T(-scale * r.Float64())
		}
		check(src)
	}
}

func TestKernelRows(t *testing.T) { both(t, testKernelRows[float32], testKernelRows[float64]) }

func testKernelRows[T Float](t *testing.T) {
	tol, tiny := 2e-6, math.Ldexp(1, -148)
	if eps[T]() < 1e-10 {
		tol, tiny = 1e-14, math.Ldexp(1, -1073)
	}
	r := newRand()
	for n := range 101 {
		dot, _ := guarded[T](r, n)
		yy, _ := guarded[T](r, n)
		for i := range yy {
			yy[i] *= yy[i]
			if r.IntN(5) == 0 {
				dot[i] = T(specials[r.IntN(len(specials))])
			}
			if r.IntN(20) == 0 {
				yy[i] = T(math.NaN())
			}
		}
		xx, g := T(r.Float64()), T(3*r.Float64())
		check := func(what string, f func(dst, dot []T), naive func(j int) float64, tol float64) {
			dst, ok := guarded[T](r, n)
			f(dst, dot)
			if !ok() {
				t.Fatal(what, "wrote beyond its slice")
			}
			same := slices.Clone(dot)
			f(same, same)
			for j := range n {
				want := naive(j)
				if !closeTo(float64(dst[j]), want, tol*math.Abs(want)+tiny) {
					t.Fatalf("%s, n=%d: element %d is %v, want %v (dot %v, xx %v, yy %v)", what, n, j, dst[j], want, dot[j], xx, yy[j])
				}
				if dst[j] != same[j] && dst[j] == dst[j] {
					t.Fatalf("%s in place: %v, not %v", what, same[j], dst[j])
				}
			}
		}
		square := func(j int) T {
			d := T(xx+yy[j]) - T(2*dot[j])
			if d < 0 {
				d = 0
			}
			return d
		}
		check("gauss", func(dst, dot []T) { GaussRow(dst, dot, yy, xx, g) },
			func(j int) float64 { return float64(T(math.Exp(float64(T(-g * square(j)))))) }, tol)
		check("distance", func(dst, dot []T) { DistanceRow(dst, dot, yy, xx) },
			func(j int) float64 { return float64(square(j)) }, 0)
		for degree := range 9 {
			check(fmt.Sprint("power ", degree), func(dst, dot []T) { PowerRow(dst, dot, g, 0.5, degree) },
				func(j int) float64 {
					x := T(g*dot[j]) + 0.5
					p := math.Pow(float64(x), float64(degree))
					return float64(T(p))
				}, 8*eps[T]())
		}
	}
}

// TestPowerBits: every path gives the bits of the Go path.
func TestPowerBits(t *testing.T) {
	r := newRand()
	dot := random[float32](r, 77)
	want := make([]float32, 77)
	goPower(want, dot, 0.3, 1, 5)
	onPaths(t, func(t *testing.T) {
		got := make([]float32, 77)
		PowerRow(got, dot, 0.3, 1, 5)
		if !slices.Equal(got, want) {
			t.Fatal("bits differ")
		}
	})
}

func TestAppendNear(t *testing.T) { both(t, testAppendNear[float32], testAppendNear[float64]) }

func testAppendNear[T Float](t *testing.T) {
	r := newRand()
	for n := range 101 {
		for _, limit := range []float64{math.Inf(-1), -1, 0, 5, math.Inf(1)} {
			rows, stride := n%5, n+n%3
			dot, _ := guarded[T](r, rows*stride)
			xx, _ := guarded[T](r, rows)
			yy, _ := guarded[T](r, n)
			xlimit, _ := guarded[T](r, rows)
			ylimit, _ := guarded[T](r, n)
			for i := range dot {
				if r.IntN(8) == 0 {
					dot[i] = T(specials[r.IntN(len(specials))])
				}
			}
			for j := range ylimit {
				if r.IntN(8) == 0 {
					ylimit[j] = T(math.Inf(1 - 2*r.IntN(2)))
				}
			}
			want := []int32{7}
			for i := range rows {
				xlimit[i] = T(limit) + T(i)
				for j := range n {
					v := dot[i*stride+j]
					if d := T(xx[i]+yy[j]) - v - v; d <= max(xlimit[i], ylimit[j]) {
						want = append(want, int32(i*NearColumns+j))
					}
				}
			}
			got := AppendNear([]int32{7}, rows, n, dot, stride, xx, yy, xlimit, ylimit)
			slices.Sort(got[1:]) // the last columns come after the others
			if !slices.Equal(got, want) {
				t.Fatalf("n=%d limit %v: %v, want %v", n, limit, got, want)
			}
		}
	}
}

func TestLevel1(t *testing.T) {
	onPaths(t, func(t *testing.T) {
		r := newRand()
		for n := range 101 {
			x, _ := guarded[float64](r, n)
			y, ok := guarded[float64](r, n)
			a, b := r.NormFloat64(), r.NormFloat64()
			dot, abs := 0.0, 0.0
			for i := range x {
				dot += x[i] * y[i]
				abs += math.Abs(x[i] * y[i])
			}
			if !closeTo(Dot(x, y), dot, 1e-14*abs) {
				t.Fatalf("n=%d: Dot is %v, want %v", n, Dot(x, y), dot)
			}
			distance := 0.0
			for i := range x {
				distance += (x[i] - y[i]) * (x[i] - y[i])
			}
			if !closeTo(SquaredDistance(x, y), distance, 1e-14*distance) || SquaredDistance(y, x) != SquaredDistance(x, y) || SquaredDistance(x, x) != 0 {
				t.Fatalf("n=%d: SquaredDistance is %v, want %v", n, SquaredDistance(x, y), distance)
			}
			old := slices.Clone(y)
			Axpy(a, x, y)
			for i := range x {
				if !closeTo(y[i], old[i]+a*x[i], 1e-14) {
					t.Fatalf("n=%d: Axpy", n)
				}
			}
			copy(y, old)
			Axpby(a, x, b, y)
			for i := range x {
				if !closeTo(y[i], b*old[i]+a*x[i], 1e-14) {
					t.Fatalf("n=%d: Axpby", n)
				}
			}
			if !ok() {
				t.Fatal("wrote beyond its slice")
			}
		}
	})
}

func TestGer(t *testing.T) { both(t, testGer[float32], testGer[float64]) }

func testGer[T Float](t *testing.T) {
	r := newRand()
	for n := range 40 {
		m, inc, lda := r.IntN(20), 1+r.IntN(3), max(1, n)+r.IntN(3)
		x, _ := guarded[T](r, m*inc)
		y, _ := guarded[T](r, n)
		a, ok := guarded[T](r, m*lda)
		old := slices.Clone(a)
		Ger(m, n, 0.5, x, inc, y, a, lda)
		if !ok() {
			t.Fatal("wrote beyond its slice")
		}
		for i := range a {
			want := float64(old[i])
			if j := i % lda; j < n {
				want += 0.5 * float64(x[i/lda*inc]) * float64(y[j])
			}
			if !closeTo(float64(a[i]), want, 16*eps[T]()) {
				t.Fatalf("%d×%d at %d: %v, want %v", m, n, i, a[i], want)
			}
		}
	}
}

func TestNoAllocations(t *testing.T) {
	onPaths(t, func(t *testing.T) {
		var x, y [100]float64
		var f [100]float32
		index := make([]int32, 0, 200)
		if n := testing.AllocsPerRun(10, func() {
			Dot(x[:], y[:])
			Axpby(1, x[:], 2, y[:])
			GaussRow(x[:], x[:], y[:], 1, 1)
			PowerRow(f[:], f[:], 1, 1, 3)
			index = AppendNear(index[:0], 1, 50, f[:], 50, f[:], f[:], f[:], f[:])
			SymTile(2, 50, f[:], 50, x[:2], x[2:52], y[:2], y[:50])
		}); n != 0 {
			t.Fatalf("%v allocations", n)
		}
	})
}

func BenchmarkRows(b *testing.B) {
	const n = 192
	r := newRand()
	bench32 := func(name string, f func(dst, dot, yy []float32)) {
		x, y, z := random[float32](r, n), random[float32](r, n), make([]float32, n)
		b.Run(name+"/float32", func(b *testing.B) {
			for b.Loop() {
				f(z, x, y)
			}
			b.ReportMetric(b.Elapsed().Seconds()*1e9/float64(b.N)/n, "ns/element")
		})
	}
	bench64 := func(name string, f func(dst, dot, yy []float64)) {
		x, y, z := random[float64](r, n), random[float64](r, n), make([]float64, n)
		b.Run(name+"/float64", func(b *testing.B) {
			for b.Loop() {
				f(z, x, y)
			}
			b.ReportMetric(b.Elapsed().Seconds()*1e9/float64(b.N)/n, "ns/element")
		})
	}
	bench32("gauss", func(dst, dot, yy []float32) { GaussRow(dst, dot, yy, 1, 1) })
	bench64("gauss", func(dst, dot, yy []float64) { GaussRow(dst, dot, yy, 1, 1) })
	bench32("power5", func(dst, dot, yy []float32) { PowerRow(dst, dot, 1, 1, 5) })
	bench64("power5", func(dst, dot, yy []float64) { PowerRow(dst, dot, 1, 1, 5) })
	bench32("distance", func(dst, dot, yy []float32) { DistanceRow(dst, dot, yy, 1) })
	bench64("distance", func(dst, dot, yy []float64) { DistanceRow(dst, dot, yy, 1) })
	index := make([]int32, 0, 2*n)
	bench32("near", func(dst, dot, yy []float32) {
		index = AppendNear(index[:0], 1, min(len(dot), NearColumns), dot, len(dot), []float32{1}, yy, []float32{-100}, dst)
	})
	bench64("near", func(dst, dot, yy []float64) {
		index = AppendNear(index[:0], 1, min(len(dot), NearColumns), dot, len(dot), []float64{1}, yy, []float64{-100}, dst)
	})
	bench64("dot", func(dst, dot, yy []float64) { Dot(dot, yy) })
	bench64("axpby", func(dst, dot, yy []float64) { Axpby(1, dot, 0.5, dst) })
}
