package functionspace

import (
	"math/rand/v2"
	"testing"

	"lapsvm/internal/numbers/vec"
	"lapsvm/internal/points/gram"
	"lapsvm/kernel"
)

// Of every power some of the points make ΦᵀLᵖΦ within a factor of two, for every function.
func TestSampledRough(t *testing.T) {
	ctx := t.Context()
	for power := 1; power <= roughPower; power++ {
		p, l := problem(t, 4000, power)
		k, err := gram.NewLandmarks(ctx, p, kernel.Gaussian{Sigma: 0.6}, 15, 1, gram.Double, nil)
		if err != nil {
			t.Fatal(err)
		}
		s, err := New(ctx, k, l)
		if err != nil {
			t.Fatal(err)
		}
		if !s.samplesRough() {
			t.Fatalf("power %d: made of all points", power)
		}
		sampled := s.rough
		if err := s.multiplyRough(ctx); err != nil {
			t.Fatal(err)
		}
		rng := rand.New(rand.NewPCG(1, uint64(power)))
		m := k.Rank()
		square := func(a []float64, w []float64) (sum float64) {
			for i := range m {
				sum += w[i] * vec.Dot(a[i*m:(i+1)*m], w)
			}
			return sum
		}
		for range 50 {
			w := make([]float64, m)
			for i := range w {
				w[i] = rng.NormFloat64()
			}
			if ratio := square(sampled.Data, w) / square(s.rough.Data, w); !(ratio > 0.5 && ratio < 2) {
				t.Errorf("power %d: %g times the square", power, ratio)
			}
		}
	}
}
