package blas

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/blas/gonum"
	lapack "gonum.org/v1/gonum/lapack/gonum"

	"lapsvm/internal/vec"
)

var (
	reference gonum.Implementation
	sizes     = []int{0, 1, 2, 5, 12, 16, 17, 33, 64, 72, 73, 100, 150}
	scales    = []float64{0, 1, -1, 0.7}
	transes   = []blas.Transpose{blas.NoTrans, blas.Trans, blas.ConjTrans}
	uplos     = []blas.Uplo{blas.Upper, blas.Lower}
	sides     = []blas.Side{blas.Left, blas.Right}
	diags     = []blas.Diag{blas.Unit, blas.NonUnit}
)

func pick[T any](r *rand.Rand, from []T) T { return from[r.IntN(len(from))] }

func onPaths(t *testing.T, f func(t *testing.T)) {
	for _, p := range vec.Paths() {
		t.Run(p, func(t *testing.T) {
			defer vec.Use(p)()
			f(t)
		})
	}
}

func random(r *rand.Rand, n int) []float64 {
	x := make([]float64, n)
	for i := range x {
		x[i] = r.NormFloat64()
	}
	return x
}

func single(x []float64) []float32 {
	y := make([]float32, len(x))
	for i, v := range x {
		y[i] = float32(v)
	}
	return y
}

func double(x []float32) []float64 {
	y := make([]float64, len(x))
	for i, v := range x {
		y[i] = float64(v)
	}
	return y
}

// same fails when got differs from want by more than tol, or one is NaN.
func same(t *testing.T, what string, got, want []float64, tol float64) {
	t.Helper()
	for i, w := range want {
		if g := got[i]; !(math.Abs(g-w) <= tol) && !(math.IsNaN(g) && math.IsNaN(w)) {
			t.Fatalf("%s: element %d is %v, want %v", what, i, g, w)
		}
	}
}

// poison fills c with NaN, which beta = 0 must overwrite.
func poison(c []float64, beta float64) {
	if beta == 0 {
		for i := range c {
			c[i] = math.NaN()
		}
	}
}

const tol64, tol32 = 1e-11, 2e-3

func TestGemm(t *testing.T) {
	onPaths(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(1, 1))
		for range 150 {
			tA, tB := pick(r, transes), pick(r, transes)
			m, n, k := pick(r, sizes), pick(r, sizes), pick(r, sizes)
			alpha, beta := pick(r, scales), pick(r, scales)
			ar, ac := shape(tA != blas.NoTrans, m, k)
			br, bc := shape(tB != blas.NoTrans, k, n)
			lda, ldb, ldc := max(1, ac)+r.IntN(4), max(1, bc)+r.IntN(4), max(1, n)+r.IntN(4)
			a, b, c := random(r, ar*lda), random(r, br*ldb), random(r, m*ldc)
			poison(c, beta)
			got, want := slices.Clone(c), slices.Clone(c)
			got32 := single(c)
			what := fmt.Sprintf("gemm %c%c %d×%d×%d α=%v β=%v", tA, tB, m, n, k, alpha, beta)
			imp := Implementation{Threads: 1 + r.IntN(3)}
			imp.Dgemm(tA, tB, m, n, k, alpha, a, lda, b, ldb, beta, got, ldc)
			imp.Sgemm(tA, tB, m, n, k, float32(alpha), single(a), lda, single(b), ldb, float32(beta), got32, ldc)
			reference.Dgemm(tA, tB, m, n, k, alpha, a, lda, b, ldb, beta, want, ldc)
			same(t, "D"+what, got, want, tol64)
			same(t, "S"+what, double(got32), want, tol32)
		}
	})
}

func TestSyrk(t *testing.T) {
	onPaths(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(2, 1))
		for range 100 {
			tA, ul := pick(r, transes), pick(r, uplos)
			n, k := pick(r, sizes), pick(r, sizes)
			alpha, beta := pick(r, scales), pick(r, scales)
			ar, ac := shape(tA != blas.NoTrans, n, k)
			lda, ldc := max(1, ac)+r.IntN(4), max(1, n)+r.IntN(4)
			a, c := random(r, ar*lda), random(r, n*ldc)
			got, want := slices.Clone(c), slices.Clone(c)
			if beta == 0 && k > 0 && alpha != 0 {
				// gonum keeps NaN here, against the BLAS contract.
				for i := range n {
					lo, hi := i, n
					if ul == blas.Lower {
						lo, hi = 0, i+1
					}
					poison(got[i*ldc+lo:i*ldc+hi], beta)
				}
			}
			got32 := single(got)
			what := fmt.Sprintf("syrk %c%c %d×%d α=%v β=%v", ul, tA, n, k, alpha, beta)
			imp := Implementation{Threads: 1 + r.IntN(3)}
			imp.Dsyrk(ul, tA, n, k, alpha, a, lda, beta, got, ldc)
			imp.Ssyrk(ul, tA, n, k, float32(alpha), single(a), lda, float32(beta), got32, ldc)
			reference.Dsyrk(ul, tA, n, k, alpha, a, lda, beta, want, ldc)
			same(t, "D"+what, got, want, tol64)
			same(t, "S"+what, double(got32), want, tol32)

			ldb := max(1, ac) + r.IntN(4)
			b := random(r, ar*ldb)
			got, want, got32 = slices.Clone(c), slices.Clone(c), single(c)
			imp.Dsyr2k(ul, tA, n, k, alpha, a, lda, b, ldb, beta, got, ldc)
			imp.Ssyr2k(ul, tA, n, k, float32(alpha), single(a), lda, single(b), ldb, float32(beta), got32, ldc)
			reference.Dsyr2k(ul, tA, n, k, alpha, a, lda, b, ldb, beta, want, ldc)
			same(t, "Dsyr2k "+what, got, want, tol64)
			same(t, "Ssyr2k "+what, double(got32), want, tol32)
		}
	})
}

func TestTrsm(t *testing.T) {
	onPaths(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(3, 1))
		for range 200 {
			s, ul, tA, d := pick(r, sides), pick(r, uplos), pick(r, transes), pick(r, diags)
			m, n := pick(r, sizes), pick(r, sizes)
			alpha := pick(r, scales)
			size := n
			if s == blas.Left {
				size = m
			}
			lda, ldb := max(1, size)+r.IntN(4), max(1, n)+r.IntN(4)
			a, b := random(r, size*lda), random(r, m*ldb)
			for i := range a {
				a[i] /= float64(size)
			}
			for i := range size {
				a[i*lda+i] = 1 + r.Float64()
			}
			got, want := slices.Clone(b), slices.Clone(b)
			got32 := single(b)
			what := fmt.Sprintf("trsm %c%c%c%c %d×%d α=%v", s, ul, tA, d, m, n, alpha)
			imp := Implementation{Threads: 1 + r.IntN(3)}
			imp.Dtrsm(s, ul, tA, d, m, n, alpha, a, lda, got, ldb)
			imp.Strsm(s, ul, tA, d, m, n, float32(alpha), single(a), lda, got32, ldb)
			reference.Dtrsm(s, ul, tA, d, m, n, alpha, a, lda, want, ldb)
			same(t, "D"+what, got, want, tol64)
			same(t, "S"+what, double(got32), want, tol32)
		}
	})
}

// TestPanics: bad arguments panic with gonum's own words.
func TestPanics(t *testing.T) {
	caught := func(f func()) (p any) {
		defer func() { p = recover() }()
		f()
		return nil
	}
	x := make([]float64, 9)
	for i, f := range []func(b blas.Float64){
		func(b blas.Float64) { b.Dgemm('x', 'N', 3, 3, 3, 1, x, 3, x, 3, 0, x, 3) },
		func(b blas.Float64) { b.Dgemm('N', 'N', -1, 3, 3, 1, x, 3, x, 3, 0, x, 3) },
		func(b blas.Float64) { b.Dgemm('N', 'T', 3, 3, 3, 1, x, 2, x, 3, 0, x, 3) },
		func(b blas.Float64) { b.Dgemm('N', 'N', 4, 3, 3, 1, x, 3, x, 3, 0, x, 3) },
		func(b blas.Float64) { b.Dsyrk('x', 'N', 3, 3, 1, x, 3, 0, x, 3) },
		func(b blas.Float64) { b.Dsyrk('U', 'N', 3, 4, 1, x, 4, 0, x, 3) },
		func(b blas.Float64) { b.Dtrsm('x', 'U', 'N', 'N', 3, 3, 1, x, 3, x, 3) },
		func(b blas.Float64) { b.Dtrsm('L', 'U', 'N', 'x', 3, 3, 1, x, 3, x, 3) },
		func(b blas.Float64) { b.Dtrsm('L', 'U', 'N', 'N', 3, 4, 1, x, 3, x, 4) },
	} {
		got, want := caught(func() { f(Implementation{}) }), caught(func() { f(reference) })
		if want == nil || fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("call %d: panic %v, want %v", i, got, want)
		}
	}
}

// spd returns a positive definite matrix.
func spd(n int) []float64 {
	r := rand.New(rand.NewPCG(4, 1))
	a := make([]float64, n*n)
	for i := range n {
		for j := range i {
			v := r.Float64() / float64(n)
			a[i*n+j], a[j*n+i] = v, v
		}
		a[i*n+i] = 2
	}
	return a
}

func use(b *testing.B, imp blas.Float64) {
	old := blas64.Implementation()
	blas64.Use(imp)
	b.Cleanup(func() { blas64.Use(old) })
}

func BenchmarkFactor(b *testing.B) {
	var la lapack.Implementation
	for _, n := range []int{1000, 4000} {
		a := spd(n)
		f := make([]float64, n*n)
		piv := make([]int, n)
		for _, imp := range []struct {
			name string
			imp  blas.Float64
		}{{"threads=1", Implementation{Threads: 1}}, {"threads=2", Implementation{Threads: 2}}, {"gonum", reference}} {
			for _, c := range []struct {
				name  string
				flops float64
				run   func()
			}{
				{"potrf-upper", 1. / 3, func() { la.Dpotrf(blas.Upper, n, f, n) }},
				{"potrf-lower", 1. / 3, func() { la.Dpotrf(blas.Lower, n, f, n) }},
				{"getrf", 2. / 3, func() { la.Dgetrf(n, n, f, n, piv) }},
			} {
				b.Run(fmt.Sprintf("%s/n=%d/%s", c.name, n, imp.name), func(b *testing.B) {
					use(b, imp.imp)
					for b.Loop() {
						b.StopTimer()
						copy(f, a)
						b.StartTimer()
						c.run()
					}
					b.ReportMetric(c.flops*float64(n)*float64(n)*float64(n)*float64(b.N)/b.Elapsed().Seconds()/1e9, "GFLOP/s")
				})
			}
		}
	}
}
