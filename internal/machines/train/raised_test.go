package train

import (
	"testing"

	"lapsvm/internal/points/graph"
	"lapsvm/kernel"
)

// TestRaised trains a recipe that was chosen with a larger ambient weight where its functions are lost in rounding, and
// refuses the same recipe where a user gave it.
func TestRaised(t *testing.T) {
	d := few(400, 12)
	r := Recipe{Kernel: kernel.Gaussian{Sigma: 2}, GammaA: 1e-12, GammaI: 10, Solver: Landmarks, Landmarks: 100, Graph: graph.Options{Neighbours: 5, Degree: 3}}
	if _, err := Fit(t.Context(), d, r, Run{}); !isRounding(err) {
		t.Fatalf("given: %v", err)
	}
	r.Choice = &Choice{GammaA: r.GammaA}
	f, err := Fit(t.Context(), d, r, Run{})
	if err != nil {
		t.Fatal(err)
	}
	if got := f.Recipe; got.GammaA <= r.GammaA || got.Choice.GammaA != got.GammaA {
		t.Errorf("trained with %g, chosen %g", got.GammaA, got.Choice.GammaA)
	}
	if r.Choice.GammaA != r.GammaA {
		t.Errorf("the caller's choice became %g", r.Choice.GammaA)
	}
}
