package deformed_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"lapsvm/internal/numbers/objective"
)

// Labels are left out exactly where a wrong label is on the straight piece of the huberised hinge:
// the wrong one, and others that move points from piece to piece. Each value is that of a training
// without the label.
func TestLeaveOneOutOfStraightPieces(t *testing.T) {
	straight, moved := 0, 0
	for seed := range uint64(200) {
		rng := rand.New(rand.NewPCG(seed, 31))
		m := random(rng, 8+rng.IntN(10), int(seed%3), objective.SquaredHinge, true, false)
		p := m.Solve(t.Context(), nil)
		surest := 0
		for k, y := range m.Targets {
			if y*p.F[k] > m.Targets[surest]*p.F[surest] {
				surest = k
			}
		}
		m.Targets, m.Weights = slices.Clone(m.Targets), slices.Clone(m.Weights)
		m.Targets[surest], m.Weights[surest] = -m.Targets[surest], 0.02
		m.Loss = objective.HuberisedHinge
		p = m.Solve(t.Context(), nil)
		if !p.Converged {
			t.Errorf("seed %d did not converge", seed)
		}
		pieces := m.Loss.Pieces()
		if pieces.At(1-m.Targets[surest]*p.F[surest]) == 2 {
			straight++
		}
		for k, got := range m.LeaveOneOut(t.Context(), p) {
			smaller, output := without(m, k)
			q := smaller.Solve(t.Context(), nil)
			if want := output(q); !(math.Abs(got-want) <= 1e-6*(1+math.Abs(want))) {
				t.Errorf("seed %d: without point %d its output is %v, want %v", seed, k, got, want)
			}
			for j, y := range m.Targets {
				at := j
				if j > k {
					at--
				}
				if was := pieces.At(1 - y*p.F[j]); j != k && was != pieces.At(1-y*q.F[at]) && (was == 2 || pieces.At(1-y*q.F[at]) == 2) {
					moved++
				}
			}
		}
	}
	t.Logf("%d points on the straight piece, %d that others move onto it or off it", straight, moved)
	if straight < 40 || moved < 20 {
		t.Errorf("%d points on the straight piece, %d that others move onto it or off it: little is tested", straight, moved)
	}
}
