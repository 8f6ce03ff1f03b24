package lapsvm_test

import (
	"math"
	"strings"
	"testing"

	"lapsvm"
	"lapsvm/dataset"
	"lapsvm/internal/machines/task"
	"lapsvm/internal/numbers/objective"
	"lapsvm/internal/points/gram"
	"lapsvm/kernel"
)

// The deformed kernel gives the machines that Newton's method gives, on the
// training points and elsewhere.
func TestDeformedIsNewton(t *testing.T) {
	two, _ := moons(150, 3, 4)
	many, _ := clusters(4, 30, 2)
	other := dataset.TwoMoons(50, 0.1, 77).Points
	for name, d := range map[string]*dataset.Dataset{"two classes": two, "four classes": many} {
		for _, bias := range []objective.Bias{objective.BiasInNorm, objective.BiasOutside, objective.NoBias} {
			for _, gammaI := range []float64{0, 0.1} {
				trainer := lapsvm.Trainer{Recipe: lapsvm.Recipe{Kernel: kernel.Gaussian{Sigma: 0.5}, GammaA: 1e-3, GammaI: gammaI, Supervised: gammaI == 0, Bias: bias, Solver: lapsvm.Newton, Precision: gram.Double, RulesOfThumb: true}}
				want, err := trainer.Fit(t.Context(), d)
				if err != nil {
					t.Fatal(err)
				}
				trainer.Recipe.Solver = lapsvm.Deformed
				got, err := trainer.Fit(t.Context(), d)
				if err != nil {
					t.Fatal(err)
				}
				p := d.Points
				if p.Dim() == other.Dim() {
					p = other
				}
				f, _ := got.Scores(t.Context(), p)
				g, _ := want.Scores(t.Context(), p)
				for i := range g {
					for c := range g[i] {
						if !(math.Abs(f[i][c]-g[i][c]) <= 1e-6*(1+math.Abs(g[i][c]))) {
							t.Fatalf("%s, bias %d, γI %g: point %d has %v, by Newton %v", name, bias, gammaI, i, f[i], g[i])
						}
					}
				}
				a, b := got.Training(), want.Training()
				if !(math.Abs(a.Objective-b.Objective) <= 1e-8*(1+b.Objective)) || a.ErrorVectors != b.ErrorVectors || a.Status != b.Status {
					t.Errorf("%s, bias %d, γI %g: %+v, by Newton %+v", name, bias, gammaI, a, b)
				}
			}
		}
	}
}

func TestDual(t *testing.T) {
	d, truth := moons(200, 3, 4)
	trainer := lapsvm.Trainer{Recipe: lapsvm.Recipe{Kernel: kernel.Gaussian{Sigma: 0.35}, GammaA: 1e-4, GammaI: 1, Solver: lapsvm.Dual, RulesOfThumb: true}}
	m, err := trainer.Fit(t.Context(), d)
	if err != nil {
		t.Fatal(err)
	}
	if n := wrong(t, m, d.Points, truth); n > 10 {
		t.Errorf("%d of 200 wrong", n)
	}
	c := m.Recipe()
	if c.Loss != objective.Hinge || c.Solver != lapsvm.Dual || c.Bias != objective.BiasOutside || c.Precision != gram.Double {
		t.Errorf("configuration %+v", c)
	}
	byLoss, err := lapsvm.Trainer{Recipe: lapsvm.Recipe{Kernel: kernel.Gaussian{Sigma: 0.35}, GammaA: 1e-4, GammaI: 1, Loss: objective.Hinge, RulesOfThumb: true}}.Fit(t.Context(), d)
	if err != nil || byLoss.Recipe().Solver != "dual" {
		t.Errorf("the loss hinge chose %q, %v", byLoss.Recipe().Solver, err)
	}
	for _, bad := range []struct {
		t    lapsvm.Trainer
		want string
	}{
		{lapsvm.Trainer{Recipe: lapsvm.Recipe{Solver: lapsvm.PCG, Loss: objective.Hinge, Supervised: true, RulesOfThumb: true}}, "choose the loss from"},
		{lapsvm.Trainer{Recipe: lapsvm.Recipe{Solver: lapsvm.Dual, Loss: objective.Squared, Supervised: true, RulesOfThumb: true}}, "choose the loss from"},
		{lapsvm.Trainer{Recipe: lapsvm.Recipe{Solver: lapsvm.Dual, Kind: task.OneClass(), Supervised: true, RulesOfThumb: true}}, "no one-class"},
		{lapsvm.Trainer{Recipe: lapsvm.Recipe{GammaI: 1, Solver: lapsvm.Deformed, RulesOfThumb: true}, Run: lapsvm.Run{Memory: 1 << 20}}, "memory"},
	} {
		if _, err := bad.t.Fit(t.Context(), d); err == nil || !strings.Contains(err.Error(), bad.want) {
			t.Errorf("%+v: error %v, want %q", bad.t, err, bad.want)
		}
	}
}
