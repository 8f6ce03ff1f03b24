package train

import (
	"testing"

	"lapsvm/internal/points/gram"
	"lapsvm/internal/points/graph"
	"lapsvm/kernel"
)

// Functions that are lost in rounding are trained with more γA where it was chosen. A weight that a user gave stands,
// and so does a recipe that is whole, whatever it says of its choice. More γA comes before double precision.
func TestRaised(t *testing.T) {
	d := few(400, 12)
	r := Recipe{Kernel: kernel.Gaussian{Sigma: 2}, GammaA: 1e-19, GammaI: 10, Solver: Landmarks, Landmarks: 100, Graph: graph.Options{Neighbours: 5, Degree: 3}}
	r.Choice = &Choice{GammaA: r.GammaA}
	if _, err := Fit(t.Context(), d, r, Run{}); !isRounding(err) {
		t.Fatalf("given: %v", err)
	}
	r.Pending.RaiseGammaA = true
	f, err := Fit(t.Context(), d, r, Run{})
	if err != nil {
		t.Fatal(err)
	}
	if got := f.Recipe; got.GammaA <= r.GammaA || got.Choice.GammaA != got.GammaA || got.Pending.RaiseGammaA {
		t.Errorf("trained with %g, chosen %g, to be raised: %v", got.GammaA, got.Choice.GammaA, got.Pending.RaiseGammaA)
	}
	if r.Choice.GammaA != r.GammaA {
		t.Errorf("the caller's choice became %g", r.Choice.GammaA)
	}
	for _, gammaA := range []float64{1e-11, 1e-12, 1e-13} { // a bias whose column is nothing but rounding is no loss
		double := r
		double.GammaA, double.Pending.RaiseGammaA, double.Precision = gammaA, false, gram.Double
		if _, err := Fit(t.Context(), d, double, Run{}); err != nil {
			t.Errorf("γA %g: %v", gammaA, err)
		}
	}
	r.GammaA = 1e-7
	if f, err = Fit(t.Context(), d, r, Run{}); err != nil || f.Recipe.GammaA <= r.GammaA || f.Recipe.Precision != gram.Single {
		t.Errorf("single precision loses them, and holds them with more: %+v, %v", f.Recipe, err)
	}
	r.Pending.RaiseGammaA = false
	if f, err = Fit(t.Context(), d, r, Run{}); err != nil || f.Recipe.GammaA != r.GammaA || f.Recipe.Precision != gram.Double {
		t.Errorf("given: %+v, %v", f.Recipe, err)
	}
}
