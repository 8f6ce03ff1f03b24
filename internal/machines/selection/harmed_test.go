package selection

import (
	"math/rand/v2"
	"strings"
	"testing"

	"lapsvm/dataset"
	"lapsvm/internal/machines/train"
	"lapsvm/points"
)

// misleading returns two classes that are apart along one direction of twenty, in which the points vary least: their neighbours are of any class.
func misleading(n, labelled int) *dataset.Dataset {
	const dim = 20
	rng := rand.New(rand.NewPCG(3, 5))
	x, y := make([]float64, n*dim), make([]int, n)
	for i := range y {
		for j := range dim {
			x[i*dim+j] = rng.NormFloat64()
		}
		class := i % 2
		x[i*dim] = 0.05*x[i*dim] + 0.2*float64(2*class-1)
		if y[i] = class; i >= labelled {
			y[i] = dataset.Unlabelled
		}
	}
	return &dataset.Dataset{Points: points.Dense(n, dim, x), Y: y, Classes: []string{"a", "b"}}
}

// Labels say that the unlabelled points do harm. The machine then goes without them. Its announced error is that of the supervised machine.
func TestHarmed(t *testing.T) {
	d := misleading(300, 80)
	asked := train.Recipe{Describe: train.Undescribed, Standardise: points.AsIs, Seed: 1}
	r, err := ChosenBy(t.Context(), d, asked, train.Run{})
	if err != nil {
		t.Fatal(err)
	}
	c := r.Choice
	if !r.Supervised || len(r.Members) > 0 || c.Verdict != train.Harms || !strings.Contains(c.Reason, "supervised, since the unlabelled points do harm") {
		t.Errorf("supervised %t, %d members, %q: %s", r.Supervised, len(r.Members), c.Verdict, c.Reason)
	}
	if e := c.Expected; e.Error != e.SupervisedError || !(e.Gain < 0) || !(e.ErrorLow <= e.Error && e.Error <= e.ErrorHigh) {
		t.Errorf("expected %+v", e)
	}
	if c.Sigma != c.SupervisedSigma || c.GammaA != c.SupervisedGamma || r.Kernel.Parameters().Sigma != c.Sigma {
		t.Errorf("σ %g and γA %g are those of another machine than the one beside: %g, %g", c.Sigma, c.GammaA, c.SupervisedSigma, c.SupervisedGamma)
	}
	asked.GammaI = 0.1
	if r, err = ChosenBy(t.Context(), d, asked, train.Run{}); err != nil || r.Supervised || r.Choice.Verdict != train.Harms || r.Choice.Expected.Error == r.Choice.Expected.SupervisedError {
		t.Errorf("with a weight that is given: supervised %t, %q, %v", r.Supervised, r.Choice.Verdict, err)
	}
}
