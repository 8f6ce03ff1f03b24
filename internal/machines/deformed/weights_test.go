package deformed_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"lapsvm/internal/machines/deformed"
)

// Machines of one problem share what they can, but nothing across different
// weights of labels. Each gives the same result as on a problem of its own.
func TestWeightsOfOneProblem(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 4))
	for _, loss := range smooth() {
		for bias := range 3 {
			first := random(rng, 12, bias, loss, false, false)
			all := []*deformed.Machine{first}
			for range 3 {
				other := *first
				other.Weights = make([]float64, 12)
				for k := range other.Weights {
					other.Weights[k] = math.Exp(rng.NormFloat64())
				}
				all = append(all, &other)
			}
			for k, m := range all {
				alone := *m
				alone.Problem = &deformed.Problem{Kernel: m.Problem.Kernel, Bias: m.Problem.Bias, Kappa: m.Problem.Kappa}
				got, want := m.Solve(t.Context(), nil), alone.Solve(t.Context(), nil)
				if !got.Converged || !slices.Equal(got.A, want.A) || got.B != want.B {
					t.Errorf("%s, bias %d, machine %d: %v, on a problem of its own %v", loss, bias, k, got.A, want.A)
				}
				if got, want := m.LeaveOneOut(t.Context(), got), alone.LeaveOneOut(t.Context(), want); !slices.Equal(got, want) {
					t.Errorf("%s, bias %d, machine %d: left out %v, on a problem of its own %v", loss, bias, k, got, want)
				}
			}
		}
	}
}
