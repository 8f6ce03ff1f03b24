package solve_test

import (
	"context"
	"math/rand/v2"
	"testing"

	"lapsvm/internal/machines/solve"
	"lapsvm/internal/numbers/objective"
)

// faulty multiplies like the operator within, but one product is wrong.
type faulty struct {
	objective.Operator
	calls, wrong int
	factor       float64
}

func (o *faulty) Mul(ctx context.Context, dst, src [][]float64) error {
	err := o.Operator.Mul(ctx, dst, src)
	if o.calls == o.wrong {
		for c := range dst {
			for i := range dst[c] {
				dst[c][i] *= o.factor
			}
		}
	}
	o.calls++
	return err
}

// An error in a product, here of one thousandth in the tenth, stays in the
// recurrences until all products are computed anew in iteration 50. Where J
// rises then, the objective condition recognises the correction and goes on.
func TestRefresh(t *testing.T) {
	rises := 0
	for seed := range uint64(10) {
		for _, factor := range []float64{0.999, 1.001} {
			rng := rand.New(rand.NewPCG(seed, 141))
			v := variant{loss: objective.SquaredHinge, bias: objective.Bias(seed % 3), columns: 1}
			p := v.build(t, rng, 50, 20)
			p.GammaA, p.GammaI = 1e-7, 1e-7 // slow
			exact := p.K
			// off is how far the f that PCG keeps is from the true one, and drop
			// the last decrease of J.
			run := func(stop solve.Condition, iterations int) (off, drop float64, s *solve.Solution) {
				p.K = &faulty{Operator: exact, wrong: 10, factor: factor}
				last := 0.0
				s = pcg(t, p, solve.Options{Stop: stop, MaxIterations: iterations, Tolerance: 1e-14, Progress: func(s *solve.Step) {
					drop = last - s.Columns[0].Objective
					last = s.Columns[0].Objective
				}})
				f := times(exact, s.Alpha[0])
				for i := range f {
					f[i] += s.B[0]
				}
				return difference(s.F[0], f), drop, s
			}
			if off, _, s := run(solve.None, 49); !(off > 1e-6) || s.Iterations[0] != 49 {
				t.Fatalf("seed %d: f off by %.1e after %d iterations: this is no test", seed, off, s.Iterations[0])
			}
			off, drop, _ := run(solve.None, 50)
			if !(off <= 1e-10) {
				t.Errorf("seed %d: f off by %.1e after iteration 50", seed, off)
			}
			if drop < 0 {
				rises++
				if _, _, s := run(solve.Objective, 60); s.Iterations[0] != 60 {
					t.Errorf("seed %d: a rise of J by %.1e stopped the run after %d iterations: %s", seed, -drop, s.Iterations[0], s.Status[0])
				}
			}
		}
	}
	if rises < 3 {
		t.Errorf("J rose %d times: this is no test", rises)
	}
}
