package blas

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// reach is the length of n elements with an increment.
func reach(n, inc int) int { return max(0, (n-1)*max(inc, -inc)+1) }

// straight returns n elements of x in unit stride.
func straight(x []float64, n, inc int) []float64 {
	s := make([]float64, n)
	reference.Dcopy(n, x, inc, s, 1)
	return s
}

var increments = []int{1, 2, -1, -3}

func TestLevel2(t *testing.T) {
	onPaths(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(5, 1))
		for trial := range 300 {
			m, n := pick(r, sizes), pick(r, sizes)
			if trial%50 == 0 {
				m, n = 600+r.IntN(100), 600+r.IntN(100)
			}
			tA, ul := pick(r, transes), pick(r, uplos)
			alpha, beta := pick(r, scales), pick(r, scales)
			lenY, lenX := shape(tA != 'N', m, n)
			incX, incY := pick(r, increments), pick(r, increments)
			lda := max(1, n) + r.IntN(4)
			a := random(r, max(m, n)*lda)
			x, y := random(r, reach(max(lenX, n), incX)), random(r, reach(max(lenY, n), incY))
			poison(y, beta)
			imp := Implementation{Threads: 1 + r.IntN(3)}
			what := fmt.Sprintf("%c%c %d×%d α=%v β=%v increments %d %d", tA, ul, m, n, alpha, beta, incX, incY)

			got, want := slices.Clone(y), slices.Clone(y)
			imp.Dgemv(tA, m, n, alpha, a, lda, x, incX, beta, got, incY)
			reference.Dgemv(tA, m, n, alpha, a, lda, x, incX, beta, want, incY)
			same(t, "gemv "+what, got, want, tol64)
			got32 := single(y)
			imp.Sgemv(tA, m, n, float32(alpha), single(a), lda, single(x), incX, float32(beta), got32, incY)
			same(t, "sgemv "+what, double(got32), want, tol32)

			got, want = slices.Clone(y), slices.Clone(y)
			imp.Dsymv(ul, n, alpha, a, lda, x, incX, beta, got, incY)
			reference.Dsymv(ul, n, alpha, a, lda, x, incX, beta, want, incY)
			same(t, "symv "+what, got, want, tol64)
			got32 = single(y)
			imp.Ssymv(ul, n, float32(alpha), single(a), lda, single(x), incX, float32(beta), got32, incY)
			same(t, "ssymv "+what, double(got32), want, tol32)

			u, v := random(r, reach(m, incX)), random(r, reach(n, incY))
			got, want = slices.Clone(a), slices.Clone(a)
			imp.Dger(m, n, alpha, u, incX, v, incY, got, lda)
			// gonum's own Dger reads past its vectors for negative increments.
			reference.Dger(m, n, alpha, straight(u, m, incX), 1, straight(v, n, incY), 1, want, lda)
			same(t, "ger "+what, got, want, tol64)

			if k := min(len(x), len(y)); k > 0 {
				got, want = slices.Clone(y), slices.Clone(y)
				imp.Daxpy(k, alpha, x, 1, got, 1)
				reference.Daxpy(k, alpha, x, 1, want, 1)
				same(t, "axpy "+what, got, want, tol64)
				same(t, "dot "+what, []float64{imp.Ddot(k, x, 1, y, 1)}, []float64{reference.Ddot(k, x, 1, y, 1)}, tol64)
			}
		}
	})
}

func TestThreadsDoNotMatter(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 1))
	const m, n = 700, 650
	a, x, y := random(r, m*m), random(r, m), random(r, m)
	var first [][]float64
	for threads := 1; threads < 6; threads++ {
		imp := Implementation{Threads: threads}
		results := [][]float64{slices.Clone(y), slices.Clone(y), slices.Clone(y), slices.Clone(a)}
		imp.Dgemv('N', m, n, 1, a, m, x, 1, 1, results[0], 1)
		imp.Dgemv('T', m, n, 1, a, m, x, 1, 1, results[1], 1)
		imp.Dsymv('U', n, 1, a, m, x, 1, 1, results[2], 1)
		imp.Dger(m, n, 0.3, x, 1, y, 1, results[3], m)
		if threads == 1 {
			first = results
		}
		for i, v := range results {
			if !slices.Equal(v, first[i]) {
				t.Fatalf("result %d differs with %d threads", i, threads)
			}
		}
	}
}
