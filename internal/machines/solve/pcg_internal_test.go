package solve

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"lapsvm/internal/numbers/vec"
)

// Where the weight of Polak and Ribière is negative, ρ is 0 and the next
// direction the steepest descent, with its product; elsewhere both are as
// documented.
func TestNegativeRhoRestarts(t *testing.T) {
	negative, positive := 0, 0
	for seed := range uint64(300) {
		rng := rand.New(rand.NewPCG(seed, 151))
		n := 4 + rng.IntN(8)
		p := problem(rng, n, n, 6*rng.IntN(2)+int(2*(seed%3))) // squared hinge, all biases
		p.GammaA, p.GammaI = 1e-3*p.GammaA, 1e-3*p.GammaI
		o, err := Options{Stop: None}.WithDefaults(n)
		if err != nil {
			t.Fatal(err)
		}
		s := newPCG(p, o, 1)
		if err := s.start(t.Context()); err != nil {
			t.Fatal(err)
		}
		for i := 1; i <= 12 && len(s.active) > 0; i++ {
			col := s.active[0]
			before, old := col.gPg, slices.Clone(col.d.alpha)
			if err := s.iterate(t.Context(), i); err != nil {
				t.Fatal(err)
			}
			if col.status != "" || col.refreshed {
				break
			}
			mixed := vec.Dot(col.gOld, col.kg) + col.beta*col.gbOld*col.gb
			rho, rounding := (col.gPg-mixed)/before, 1e-12*(col.gPg+math.Abs(mixed))/before
			got := s.step.Columns[0].Rho
			switch {
			case math.Abs(rho) <= rounding:
				continue
			case rho > 0:
				positive++
				if !(math.Abs(got-rho) <= rounding) {
					t.Errorf("seed %d, iteration %d: ρ = %v, want %v", seed, i, got, rho)
				}
			default:
				negative++
				if got != 0 {
					t.Errorf("seed %d, iteration %d: ρ = %v where the formula gives %v, want 0", seed, i, got, rho)
				}
			}
			if want := -col.beta * col.gb; got == 0 && col.d.b != want {
				t.Errorf("seed %d, iteration %d: after a restart d_b = %v, steepest descent has %v", seed, i, col.d.b, want)
			}
			for k, d := range col.d.alpha {
				want := -col.g[k]
				if rho > 0 {
					want += rho * old[k]
				}
				if !(math.Abs(d-want) <= 1e-12*(1+math.Abs(want)+math.Abs(rho*old[k]))) {
					t.Fatalf("seed %d, iteration %d: d_%d = %v, want %v", seed, i, k, d, want)
				}
				if rho < 0 && col.d.kAlpha[k] != -col.kg[k] {
					t.Fatalf("seed %d, iteration %d: (Kd)_%d = %v, steepest descent has %v", seed, i, k, col.d.kAlpha[k], -col.kg[k])
				}
			}
		}
	}
	t.Logf("%d negative, %d positive", negative, positive)
	if negative < 10 || positive < 100 {
		t.Errorf("%d negative and %d positive: this is no test", negative, positive)
	}
}
