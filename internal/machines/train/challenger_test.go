package train

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"testing"

	"lapsvm/dataset"
	"lapsvm/internal/machines/task"
)

// A challenger is taken exactly where it has less loss on held-out labels. Either way the model is
// that of the returned recipe, which has no challenger.
func TestChallenger(t *testing.T) {
	d, good := fewLabels(300, 40)
	bad := good.with(Member{Neighbours: 6, LaplacianDegree: 1, GammaA: 10, GammaI: 1e3})
	want, err := Fit(t.Context(), d, good, Run{})
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct{ own, challenger Recipe }{"better": {bad, good}, "worse": {good, bad}} {
		r := c.own
		r.Choice = &Choice{Reason: "by some"}
		member := c.challenger.Leading()
		r.Pending.Challenger = &member
		got, err := Fit(t.Context(), d, r, Run{})
		if err != nil {
			t.Fatal(err)
		}
		if got.Recipe.Pending.Challenger != nil {
			t.Errorf("%s: the recipe still has one", name)
		}
		taken := name == "better"
		if reason := got.Recipe.Choice.Reason; strings.Contains(reason, "held-out") != taken {
			t.Errorf("%s: %q", name, reason)
		}
		if choice := got.Recipe.Choice; taken && (choice.LaplacianDegree != good.Graph.Degree || choice.GammaI != good.GammaI) {
			t.Errorf("%s: the choice has %+v", name, choice)
		}
		got.Recipe.Choice = nil // which steers nothing
		same(t, name, got, want)
	}
}

// Other solvers, and too many labels for columns, know no challenger.
func TestNoChallenger(t *testing.T) {
	d, r := fewLabels(300, 40)
	r.Solver, r.Landmarks = Deformed, 0
	want, err := Fit(t.Context(), d, r, Run{})
	if err != nil {
		t.Fatal(err)
	}
	r.Pending.Challenger = &Member{Neighbours: 6, LaplacianDegree: 1, GammaA: 10, GammaI: 1e3}
	got, err := Fit(t.Context(), d, r, Run{})
	if err != nil || got.Recipe.Pending.Challenger != nil {
		t.Fatalf("%+v, %v", got.Recipe.Pending.Challenger, err)
	}
	same(t, "deformed", got, want)
}

// A challenger with as much loss is none to be taken.
func TestEqualChallenger(t *testing.T) {
	d, r := fewLabels(300, 40)
	same := r.Leading()
	r.Pending.Challenger, r.Choice = &same, &Choice{Reason: "by some"}
	got, err := Fit(t.Context(), d, r, Run{})
	if err != nil {
		t.Fatal(err)
	}
	if got.Recipe.Pending.Challenger != nil || got.Recipe.Choice.Reason != "by some" {
		t.Errorf("the choice is %q, the challenger %+v", got.Recipe.Choice.Reason, got.Recipe.Pending.Challenger)
	}
}

// The challenger of a regression is compared by what the criterion counts: errors below 1 have larger magnitudes than squares.
func TestChallengerByCriterion(t *testing.T) {
	d, good := fewLabels(300, 40)
	good.Kind, good.Loss = task.Numbers(), ""
	d.Classes = nil
	for i, y := range d.Y {
		if y != dataset.Unlabelled { // one number is far from the others
			d.Y[i] = len(d.Classes)
			d.Classes = append(d.Classes, strconv.FormatFloat(math.Pow(0.2, float64(i)), 'g', -1, 64))
		}
	}
	loss := make(map[Criterion]float64)
	for _, by := range []Criterion{MeanSquared, MeanAbsolute} {
		r := good.with(Member{Neighbours: 6, LaplacianDegree: 1, GammaA: 10, GammaI: 1e3})
		member := good.Leading()
		r.Criterion, r.Pending.Challenger, r.Choice = by, &member, &Choice{}
		got, err := Fit(t.Context(), d, r, Run{})
		if err != nil {
			t.Fatal(err)
		}
		var points, degree int
		var its, before float64
		if _, err := fmt.Sscanf(got.Recipe.Choice.Reason, "; on %d points the power %d of the Laplacian had less loss of held-out labels (%f, not %f)", &points, &degree, &its, &before); err != nil {
			t.Fatalf("%s: %q: %v", by, got.Recipe.Choice.Reason, err)
		}
		loss[by] = before
	}
	// Both are of the same machine, whose outputs are nearly constant: Σ|e| and Σe² of labels with a deviation of 1.
	if square, absolute := loss[MeanSquared], loss[MeanAbsolute]; !(absolute < square-0.05) || !(absolute*absolute <= square+0.01) {
		t.Errorf("mean loss %v of squares and %v of magnitudes", square, absolute)
	}
}
