package vec

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"lapsvm/internal/numbers/parallel"
)

// onPaths runs a test on every path of this machine.
func onPaths(t *testing.T, f func(t *testing.T)) {
	for _, p := range Paths() {
		t.Run(p, func(t *testing.T) {
			defer Use(p)()
			f(t)
		})
	}
}

func newRand() *rand.Rand { return rand.New(rand.NewPCG(1, 2)) }

func random[T Float](r *rand.Rand, n int) []T {
	x := make([]T, n)
	for i := range x {
		x[i] = T(r.NormFloat64())
	}
	return x
}

const guardWord = 12345678

// guarded returns n random numbers, misaligned by one element, between guard
// words, and a check that the guards are still there.
func guarded[T Float](r *rand.Rand, n int) (x []T, intact func() bool) {
	const pad = 33
	s := make([]T, n+2*pad)
	for i := range s {
		s[i] = guardWord
	}
	x = s[pad : pad+n : pad+n]
	copy(x, random[T](r, n))
	return x, func() bool {
		for i := range pad {
			if s[i] != guardWord || s[len(s)-1-i] != guardWord {
				return false
			}
		}
		return true
	}
}

// eps is the rounding unit.
func eps[T Float]() float64 {
	var z T
	if _, single := any(z).(float32); single {
		return math.Ldexp(1, -24)
	}
	return math.Ldexp(1, -53)
}

// close says whether got is within tol of want; NaN and Inf must agree.
func closeTo(got, want, tol float64) bool {
	if math.IsNaN(want) || math.IsInf(want, 0) {
		return math.IsNaN(got) == math.IsNaN(want) && (math.IsNaN(want) || got == want)
	}
	return math.Abs(got-want) <= tol
}

// limited returns a context with the given limit of threads.
func limited(t testing.TB, threads int) context.Context {
	return parallel.WithLimit(t.Context(), threads)
}
