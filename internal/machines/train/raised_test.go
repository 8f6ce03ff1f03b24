package train

import (
	"reflect"
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

// More γA is that of all machines of a recipe, of what is told of it and of the challenger, and the caller's recipe stays.
func TestWithAmbient(t *testing.T) {
	of := func(factor float64) Recipe {
		return Recipe{GammaA: factor * 2, Members: []Member{{GammaA: factor * 2, GammaI: 3}, {GammaA: factor * 4, GammaI: 5}}, Choice: &Choice{GammaA: factor * 2},
			Pending: Pending{Challenger: &Member{GammaA: factor * 8, GammaI: 7}, RaiseGammaA: true, Unseen: []int{1, 4}, Labels: 6}}
	}
	r := of(1)
	got := r.withAmbient(10)
	if want := of(10); !reflect.DeepEqual(got, want) {
		t.Errorf("%+v and %+v of the challenger, want %+v and %+v", got, got.Pending.Challenger, want, want.Pending.Challenger)
	}
	got.Pending.Unseen[0] = 9
	if want := of(1); !reflect.DeepEqual(r, want) {
		t.Errorf("the caller's recipe became %+v, its challenger %+v", r, r.Pending.Challenger)
	}
}

// A training decides all that was pending.
func TestNothingIsPendingAfterATraining(t *testing.T) {
	d, r := fewLabels(100, 10)
	r.Pending = Pending{RaiseGammaA: true, Landmarks: 50, Unseen: []int{1, 4}, Labels: 10, KeepsAll: true}
	f, err := Fit(t.Context(), d, r, Run{})
	if err != nil {
		t.Fatal(err)
	}
	if got := f.Recipe.Pending; !reflect.DeepEqual(got, Pending{}) {
		t.Errorf("%+v is pending", got)
	}
}
