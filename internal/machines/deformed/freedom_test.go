package deformed_test

import (
	"math"
	"testing"

	"lapsvm/internal/machines/deformed"
	"lapsvm/internal/numbers/objective"
	"lapsvm/internal/points/gram"
	"lapsvm/kernel"
	"lapsvm/points"
)

// The degrees of freedom are Σ λ/(λ + 1) over the eigenvalues λ of S.
func TestFreedom(t *testing.T) {
	for _, c := range [][3]float64{{1, 1, 0.3}, {4, 0, 1.1}, {1e-6, 1e6, 0.7}, {0.5, 3, 0}} {
		cos, sin := math.Cos(c[2]), math.Sin(c[2])
		problem := &deformed.Problem{Kernel: []float64{
			cos*cos*c[0] + sin*sin*c[1], cos * sin * (c[0] - c[1]),
			cos * sin * (c[0] - c[1]), sin*sin*c[0] + cos*cos*c[1],
		}}
		want := c[0]/(c[0]+1) + c[1]/(c[1]+1)
		if got := problem.Freedom(t.Context()); !(math.Abs(got-want) <= 1e-9) {
			t.Errorf("eigenvalues %v and %v: %v degrees of freedom, want %v", c[0], c[1], got, want)
		}
	}
}

// Problems of nearly equal ratios of the weights are each what they are alone.
func TestNearRatios(t *testing.T) {
	p := points.Dense(6, 1, []float64{0, 0.4, 0.9, 1.6, 2, 2.7})
	h, err := gram.NewHalf(t.Context(), p, kernel.Gaussian{Sigma: 0.8}, gram.Double)
	if err != nil {
		t.Fatal(err)
	}
	defer h.Close()
	factor, err := deformed.NewFactor(t.Context(), h, 0)
	if err != nil {
		t.Fatal(err)
	}
	reduction, err := factor.Reduction(t.Context(), h, []int{0, 2, 5}, objective.BiasInNorm)
	if err != nil {
		t.Fatal(err)
	}
	problems := []deformed.Gammas{{A: 1, I: 1}, {A: 1, I: 1.001}, {A: 1.001, I: 1}, {A: 3, I: 3}, {A: 1, I: 1 + 1e-9}}
	if err := reduction.Each(t.Context(), problems, func(i int, c *deformed.Problem) error {
		alone, err := reduction.Problem(t.Context(), problems[i])
		if err != nil {
			return err
		}
		for k, v := range alone.Kernel {
			if !(math.Abs(c.Kernel[k]-v) <= 1e-12*(1+math.Abs(v))) {
				t.Errorf("problem %+v: S has %v, alone %v", problems[i], c.Kernel[k], v)
			}
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
}
