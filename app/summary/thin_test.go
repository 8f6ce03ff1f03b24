package summary

import (
	"math/rand/v2"
	"strings"
	"testing"

	"lapsvm"
	"lapsvm/dataset"
	"lapsvm/points"
)

// Points that the model cannot tell apart are a finding, whatever the unit of the decision values; points that it tells are none.
func TestUndecided(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 1))
	noise := &dataset.Dataset{Classes: []string{"a", "b"}}
	var values []float64
	for i := range 200 {
		y := dataset.Unlabelled
		if i < 10 {
			y = i % 2
		}
		noise.Y = append(noise.Y, y)
		for range 20 {
			values = append(values, random.NormFloat64())
		}
	}
	noise.Points = points.Dense(200, 20, values)
	for name, c := range map[string]struct {
		d    *dataset.Dataset
		r    lapsvm.Recipe
		told bool
	}{
		"noise": {noise, lapsvm.Recipe{RulesOfThumb: true, GammaI: 100}, true},
		"moons": {moons(200, 20, "a", "b"), lapsvm.Recipe{RulesOfThumb: true}, false},
	} {
		m, err := lapsvm.Trainer{Recipe: c.r}.Fit(t.Context(), c.d)
		if err != nil {
			t.Fatal(err)
		}
		told := false
		for _, f := range Findings(t.Context(), m, c.d, m.Training().Scores, plainName) {
			told = told || strings.Contains(f.Text, "same decision value") && strings.Contains(f.Text, "lapsvm suggest")
		}
		if told != c.told {
			t.Errorf("%s: told that nothing is decided: %v", name, told)
		}
	}
}

// Two widths that decide otherwise and have as much evidence are told, with the flag that takes the other.
func TestUntoldWidth(t *testing.T) {
	for _, c := range []struct {
		sigma, other, odds float64
		told               bool
	}{{1, 5, 1.5, true}, {5, 1, 0.9, true}, {1, 5, 30, false}, {1, 2, 1.5, false}, {1, 0, 0, false}} {
		text := untoldWidth(&lapsvm.Choice{Sigma: c.sigma, OtherSigma: c.other, SigmaOdds: c.odds})
		if (text != "") != c.told || c.told && !strings.Contains(text, "--sigma") {
			t.Errorf("%+v: %q", c, text)
		}
	}
	d := moons(300, 20, "a", "b")
	r, err := lapsvm.Trainer{}.Choose(t.Context(), d)
	if err != nil {
		t.Fatal(err)
	}
	if c := r.Choice; !(c.SigmaOdds > 0) || !(c.OtherSigma > 0) || c.OtherSigma == c.Sigma {
		t.Errorf("widths %g and %g, odds %g", c.Sigma, c.OtherSigma, c.SigmaOdds)
	}
}
