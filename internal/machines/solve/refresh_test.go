package solve_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"lapsvm/internal/machines/solve"
	"lapsvm/internal/numbers/objective"
)

// An error in a product with the Laplacian stays in L·h, and so in J, until
// iteration 50, which computes it anew.
func TestRefreshOfTheLaplacian(t *testing.T) {
	tested := 0
	for seed := range uint64(12) {
		rng := rand.New(rand.NewPCG(seed, 142))
		p := variant{loss: objective.SquaredHinge, bias: objective.Bias(seed % 3), columns: 1}.build(t, rng, 50, 20)
		p.GammaA, p.GammaI = 1e-7, 1e-5 // slow
		exact := p.L
		off := func(iterations int) (relative float64, made int) {
			p.L = &faulty{Operator: exact, wrong: 10, factor: 1.01}
			s := pcg(t, p, solve.Options{Stop: solve.None, MaxIterations: iterations})
			p.L = exact
			want, _, _, _ := evaluate(p, 0, s.Alpha[0], s.B[0])
			return math.Abs(s.Objective[0]-want) / want, s.Iterations[0]
		}
		before, made := off(49)
		after, _ := off(50)
		if made == 49 && before > 1e-8 {
			tested++
			if !(after <= 1e-10) {
				t.Errorf("seed %d: J is off by %.1e of it after iteration 50, by %.1e before", seed, after, before)
			}
		}
	}
	if tested < 3 {
		t.Errorf("%d runs show the error: this is no test", tested)
	}
}
