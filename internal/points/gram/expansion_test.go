package gram_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"lapsvm/internal/numbers/parallel"
	"lapsvm/internal/points/gram"
	"lapsvm/internal/testing/detector"
	"lapsvm/kernel"
	"lapsvm/points"
)

func expand(t *testing.T, x, basis *points.Points, k kernel.Kernel, coefficients [][]float64, bias []float64, threads int) [][]float64 {
	t.Helper()
	dst := zeros(len(coefficients), x.Len())
	for c := range dst {
		for i := range dst[c] {
			dst[c][i] = math.NaN()
		}
	}
	e := gram.Expansion{Kernel: k, Basis: basis, Coefficients: coefficients, Bias: bias}
	if err := e.Values(parallel.WithLimit(t.Context(), threads), dst, x, gram.Double); err != nil {
		t.Fatal(err)
	}
	return dst
}

func TestExpandAndCross(t *testing.T) {
	for _, size := range []struct{ n, m, d, columns int }{{1, 1, 1, 1}, {5, 3, 2, 2}, {64, 70, 8, 3}, {130, 257, 70, 1}} {
		rng := rand.New(rand.NewPCG(91, uint64(size.n)))
		x, basis := draw(rng, size.n, size.d), draw(rng, size.m, size.d)
		coefficients, bias := draw(rng, size.columns, size.m), draw(rng, 1, size.columns)[0]
		for _, f := range functions() {
			for xn, xp := range map[string]*points.Points{"dense": dense(x), "sparse": sparse(x)} {
				for bn, bp := range map[string]*points.Points{"dense": dense(basis), "sparse": sparse(basis)} {
					what := fmt.Sprintf("%d×%d, %v, %s by %s", size.n, size.m, f.k, xn, bn)
					got := expand(t, xp, bp, f.k, coefficients, bias, 2)
					cross, err := gram.NewCross(t.Context(), xp, bp, f.k)
					if err != nil {
						t.Fatal(err)
					}
					for c := range coefficients {
						for i := range size.n {
							want, scale := 0.0, 0.0
							for j, a := range coefficients[c] {
								want += a * f.naive(x[i], basis[j])
								scale += math.Abs(a) * f.scale(x[i], basis[j])
							}
							if dot := cross.Dot(i, coefficients[c]); !(math.Abs(dot-want) <= 1e-13*scale) {
								t.Fatalf("%s: row %d of column %d is %v, naively %v", what, i, c, dot, want)
							}
							if !(math.Abs(got[c][i]-(want+bias[c])) <= 1e-13*(scale+math.Abs(bias[c]))) {
								t.Fatalf("%s: f_%d(x_%d) = %v, naively %v", what, c, i, got[c][i], want+bias[c])
							}
							if dot := cross.Dot(i, coefficients[c]) + bias[c]; !(math.Abs(dot-got[c][i]) <= 1e-13*(scale+math.Abs(bias[c]))) {
								t.Fatalf("%s: f_%d(x_%d) = %v expanded, %v from the stored matrix", what, c, i, got[c][i], dot)
							}
						}
					}
				}
			}
		}
	}
}

// A value has the same bits whatever is evaluated with it, with any number of
// threads and any number of columns.
func TestExpandDoesNotDependOnTheBatch(t *testing.T) {
	const n, m, d = 130, 300, 150
	rng := rand.New(rand.NewPCG(92, 1))
	x, basis := draw(rng, n, d), dense(draw(rng, m, d))
	coefficients, bias := draw(rng, 3, m), []float64{0, 1, -2}
	for _, f := range functions() {
		for name, p := range map[string]*points.Points{"dense": dense(x), "sparse": sparse(x)} {
			want := expand(t, p, basis, f.k, coefficients, bias, 1)
			for _, threads := range []int{0, 2, 3} {
				for c, got := range expand(t, p, basis, f.k, coefficients, bias, threads) {
					if !slices.Equal(got, want[c]) {
						t.Errorf("%v, %s, %d threads: column %d differs from that of one", f.k, name, threads, c)
					}
				}
			}
			for trial := range 8 {
				rows := rng.Perm(n)[:1+rng.IntN(n)]
				if trial == 0 {
					rows = []int{n - 1}
				}
				got := expand(t, p.Subset(rows), basis, f.k, coefficients[1:], bias[1:], 2)
				for c := range got {
					for k, i := range rows {
						if got[c][k] != want[c+1][i] {
							t.Fatalf("%v, %s: f_%d(x_%d) is %v among %d points, %v among all", f.k, name, c+1, i, got[c][k], len(rows), want[c+1][i])
						}
					}
				}
			}
		}
	}
}

func TestExpandFarFromTheOrigin(t *testing.T) {
	f := functions()[1]
	x, basis := [][]float64{{1e8, -1e8}}, [][]float64{{1e8 + 1, -1e8}, {1e8, -1e8 - 2}, {1e8, -1e8}}
	got := expand(t, dense(x), dense(basis), f.k, [][]float64{{1, 10, 100}}, []float64{0}, 1)[0][0]
	want := math.Exp(-1/4.5) + 10*math.Exp(-4/4.5) + 100
	if !(math.Abs(got-want) <= 1e-12) {
		t.Errorf("%v, want %v", got, want)
	}
}

func TestExpandPanics(t *testing.T) {
	x, basis := dense(zeros(2, 3)), dense(zeros(4, 3))
	k := kernel.Gaussian{Sigma: 1}
	call := func(dst [][]float64, x, basis *points.Points, coefficients [][]float64, bias []float64) func() {
		return func() {
			_ = gram.Expansion{Kernel: k, Basis: basis, Coefficients: coefficients, Bias: bias}.Values(t.Context(), dst, x, gram.Double)
		}
	}
	other := dense(zeros(2, 5))
	panics(t, "columns", call(zeros(1, 2), x, basis, zeros(2, 4), []float64{0, 0}))
	panics(t, "biases", call(zeros(1, 2), x, basis, zeros(1, 4), nil))
	panics(t, "coefficients", call(zeros(1, 2), x, basis, zeros(1, 3), []float64{0}))
	panics(t, "values", call(zeros(1, 3), x, basis, zeros(1, 4), []float64{0}))
	panics(t, "dimensions", call(zeros(1, 2), other, basis, zeros(1, 4), []float64{0}))
	panics(t, "dimensions of a matrix", func() { _, _ = gram.NewCross(t.Context(), other, basis, kernel.Linear{}) })
}

// A packed basis gives the bits of one that is laid out for the call, in both
// precisions, for any points, from several goroutines.
func TestPacked(t *testing.T) {
	detector.Spare(t)
	const m, d = 300, 40
	rng := rand.New(rand.NewPCG(93, 1))
	rows, coefficients, bias := draw(rng, m, d), draw(rng, 2, m), []float64{1, -2}
	for _, f := range functions() {
		for _, precision := range []gram.Precision{gram.Single, gram.Double} {
			for bn, basis := range map[string]*points.Points{"dense": dense(rows), "sparse": sparse(rows)} {
				e := gram.Expansion{Kernel: f.k, Basis: basis, Coefficients: coefficients, Bias: bias}
				packed, err := e.Pack(t.Context(), precision)
				if err != nil {
					t.Fatal(err)
				}
				var all sync.WaitGroup
				for _, n := range []int{1, 7, 193, 1000} {
					inside := draw(rand.New(rand.NewPCG(94, uint64(n))), n, d)
					for xn, x := range map[string]*points.Points{"dense": dense(inside), "sparse": sparse(inside)} {
						all.Go(func() {
							want, got := zeros(2, n), zeros(2, n)
							if err := errors.Join(e.Values(t.Context(), want, x, precision), packed.Values(t.Context(), got, x)); err != nil {
								t.Error(err)
							}
							for c := range want {
								if !slices.Equal(got[c], want[c]) {
									t.Errorf("%v, %d bits, %d points %s by %s: machine %d differs", f.k, precision, n, xn, bn, c)
								}
							}
						})
					}
				}
				all.Wait()
			}
		}
	}
}

// A point has the same bits, and the same distance to the basis, whether the threads share out
// the basis for few points or the points.
func TestFewPointsOnThreads(t *testing.T) {
	const m, d, n = 700, 9, 40
	rng := rand.New(rand.NewPCG(96, 1))
	basis, x, coefficients := dense(draw(rng, m, d)), dense(draw(rng, n, d)), draw(rng, 2, m)
	for _, f := range functions() {
		for _, precision := range []gram.Precision{gram.Single, gram.Double} {
			packed, err := gram.Expansion{Kernel: f.k, Basis: basis, Coefficients: coefficients, Bias: []float64{1, -2}}.Pack(t.Context(), precision)
			if err != nil {
				t.Fatal(err)
			}
			values := func(x *points.Points, threads int) ([][]float64, []float64) {
				dst, near := zeros(2, x.Len()), &gram.Nearest{}
				if f.k.Kind().Linear {
					near = nil
				}
				if err := packed.ValuesNear(parallel.WithLimit(t.Context(), threads), dst, x, near); err != nil {
					t.Fatal(err)
				}
				if near == nil {
					return dst, make([]float64, x.Len())
				}
				return dst, near.Distance
			}
			want, far := values(x, 3)
			for _, few := range []int{1, 16, 17} {
				for threads := 1; threads <= 4; threads++ {
					got, near := values(x.Slice(n-few, n), threads)
					for c := range want {
						if !slices.Equal(got[c], want[c][n-few:]) || !slices.Equal(near, far[n-few:]) {
							t.Errorf("%v, %d bits, %d points on %d threads: machine %d differs", f.k, precision, few, threads, c)
						}
					}
				}
			}
		}
	}
}

// BenchmarkOneRow predicts one point with a basis of 4,000 × 784 values: any, and bytes over 255, in
// both precisions.
func BenchmarkOneRow(b *testing.B) {
	rng := rand.New(rand.NewPCG(95, 1))
	const n, d = 4000, 784
	bytes := make([]float64, (n+1)*d)
	for k := range bytes {
		bytes[k] = float64(rng.IntN(256)) / 255
	}
	for name, p := range map[string]*points.Points{"any": dense(draw(rng, n+1, d)), "bytes": points.Dense(n+1, d, bytes)} {
		for _, precision := range []gram.Precision{gram.Single, gram.Double} {
			b.Run(fmt.Sprintf("%s/%d bits", name, precision), func(b *testing.B) {
				e := gram.Expansion{Kernel: kernel.Gaussian{Sigma: 10}, Basis: p.Slice(0, n), Coefficients: draw(rng, 1, n), Bias: []float64{0}}
				x := p.Slice(n, n+1)
				packed, err := e.Pack(b.Context(), precision)
				if err != nil {
					b.Fatal(err)
				}
				for b.Loop() {
					if err := packed.Values(b.Context(), zeros(1, 1), x); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
