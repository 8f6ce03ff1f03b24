package deformed_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"lapsvm/internal/machines/deformed"
	"lapsvm/internal/numbers/objective"
)

// Outputs without a block, and without a further label, are those of machines of the squared loss
// that are trained without them.
func TestSmoother(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 8))
	for trial := range 60 {
		l, bias := 6+rng.IntN(9), trial%3
		m := random(rng, l, bias, objective.Squared, trial%2 == 0, false)
		other := slices.Clone(m.Targets)
		for k := range other {
			other[k] *= float64(1 - 2*(k%2))
		}
		columns := deformed.Columns{Targets: [][]float64{m.Targets, other}, Weights: m.Weights, Loss: objective.SquaredHinge}
		s := m.Problem.Smoother(t.Context(), columns)
		if s == nil {
			t.Fatalf("trial %d: no smoother", trial)
		}
		block := rng.Perm(l)[:1+rng.IntN(3)]
		got, ok := s.Without(t.Context(), block)
		if !ok {
			t.Fatalf("trial %d: nothing without %v", trial, block)
		}
		parameters := 0.0 // by targets that are larger by 1 each
		for k := range l {
			more := slices.Clone(m.Targets)
			more[k]++
			at := s.Solutions(t.Context(), [][]float64{m.Targets, more})
			parameters += at[1].F[k] - at[0].F[k]
		}
		if p := s.Parameters(); !(math.Abs(p-parameters) <= 1e-7*(1+parameters)) {
			t.Errorf("trial %d, bias %d: %v parameters, want %v", trial, bias, p, parameters)
		}
		for column, targets := range columns.Targets {
			machine := *m
			machine.Targets = targets
			at, same := machine.Solve(t.Context(), nil), s.Solutions(t.Context(), nil)[column]
			others := s.Solutions(t.Context(), columns.Targets[column:])[0]
			for k := range l {
				for _, p := range []*deformed.Solution{same, others} {
					if math.Abs(p.A[k]-at.A[k]) > 1e-8*(1+math.Abs(at.A[k])) || math.Abs(p.F[k]-at.F[k]) > 1e-8*(1+math.Abs(at.F[k])) || math.Abs(p.B-at.B) > 1e-8*(1+math.Abs(at.B)) {
						t.Errorf("trial %d, bias %d, machine %d: label %d has (%v, %v, %v), by Newton's method (%v, %v, %v)", trial, bias, column, k, p.A[k], p.F[k], p.B, at.A[k], at.F[k], at.B)
					}
				}
				out, which := slices.Clone(block), slices.Index(block, k)
				if which < 0 {
					out, which = append(out, k), len(block)
				}
				want := machine.HeldOut(t.Context(), at, out)[which]
				if !(math.Abs(got[column][k]-want) <= 1e-6*(1+math.Abs(want))) {
					t.Errorf("trial %d, bias %d, machine %d, without %v: label %d has the output %v, trained without it %v", trial, bias, column, out, k, got[column][k], want)
				}
			}
		}
	}
}
