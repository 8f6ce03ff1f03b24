package lapsvm_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"lapsvm"
	"lapsvm/dataset"
	"lapsvm/internal/points/gram"
	"lapsvm/kernel"
)

// A plan is what the training then does, and its memory that of gram.Choose.
func TestPlan(t *testing.T) {
	d := fewLabels(400)
	for _, c := range []struct {
		trainer lapsvm.Trainer
		solver  lapsvm.Solver
		n       int
		least   int64 // bytes beside the Gram matrix
	}{
		{lapsvm.Trainer{Recipe: lapsvm.Recipe{GammaI: 1, RulesOfThumb: true}}, lapsvm.PCG, 400, 12 * 8 * 400},
		{lapsvm.Trainer{Recipe: lapsvm.Recipe{GammaI: 1, Precision: gram.Double, RulesOfThumb: true}}, lapsvm.PCG, 400, 12 * 8 * 400},
		{lapsvm.Trainer{Recipe: lapsvm.Recipe{GammaI: 1, Solver: lapsvm.Newton, RulesOfThumb: true}}, lapsvm.Newton, 400, 2 * 8 * 400 * 400},
		{lapsvm.Trainer{Recipe: lapsvm.Recipe{GammaI: 1, Solver: lapsvm.Deformed, RulesOfThumb: true}}, lapsvm.Deformed, 400, 4 * 8 * 400 * 400},
		{lapsvm.Trainer{Recipe: lapsvm.Recipe{Supervised: true, RulesOfThumb: true}}, lapsvm.Newton, 20, 0},
		{lapsvm.Trainer{Recipe: lapsvm.Recipe{GammaI: 1, Kernel: kernel.Linear{}, RulesOfThumb: true}}, lapsvm.PCG, 400, 0},
	} {
		plan, err := c.trainer.Plan(t.Context(), d)
		if err != nil {
			t.Fatal(err)
		}
		m, err := c.trainer.Fit(t.Context(), d)
		if err != nil {
			t.Fatal(err)
		}
		recipe := m.Recipe()
		if plan.N != c.n || plan.N != m.Training().N || plan.D != 2 || plan.Machines != m.Machines() {
			t.Errorf("%+v: shape, trained %d×%d", plan, m.Training().N, m.Dim())
		}
		if plan.Recipe.Solver != c.solver || plan.Recipe.Solver != recipe.Solver || plan.Gram.Form != recipe.Gram {
			t.Errorf("%+v, but trained by %s with the matrix %s", plan, recipe.Solver, recipe.Gram)
		}
		rows := make([]int, plan.N)
		for i := range rows {
			rows[i] = i
		}
		k := c.trainer.Recipe.Kernel
		if k == nil {
			k = kernel.Gaussian{}
		}
		want, err := gram.Choose(d.Points.Subset(rows), k, recipe.Precision, gram.Demand{Rows: plan.Recipe.Solver != lapsvm.PCG})
		if err != nil || plan.Gram != want {
			t.Errorf("%+v, want the matrix %+v, %v", plan, want, err)
		}
		if plan.Beside < c.least || plan.Beside > 2*c.least+1<<20 {
			t.Errorf("%+v: want about %d bytes beside the matrix", plan, c.least)
		}
	}
}

// What a training would refuse, its plan refuses.
func TestPlanRefuses(t *testing.T) {
	d := fewLabels(400)
	_, err := lapsvm.Trainer{Recipe: lapsvm.Recipe{GammaI: 1, RulesOfThumb: true}, Run: lapsvm.Run{Memory: 1000}}.Plan(t.Context(), d)
	if !errors.Is(err, lapsvm.ErrParameter) || !strings.Contains(err.Error(), "allow more memory") {
		t.Errorf("too little memory: %v", err)
	}
	if _, err := (lapsvm.Trainer{Recipe: lapsvm.Recipe{GammaI: 1, Solver: "magic", RulesOfThumb: true}}).Plan(t.Context(), d); !errors.Is(err, lapsvm.ErrParameter) {
		t.Errorf("unknown solver: %v", err)
	}
	for i := range d.Y {
		d.Y[i] = dataset.Unlabelled
	}
	if _, err := (lapsvm.Trainer{Recipe: lapsvm.Recipe{GammaI: 1, RulesOfThumb: true}}).Plan(t.Context(), d); !errors.Is(err, lapsvm.ErrData) {
		t.Errorf("no labels: %v", err)
	}
}

// Progress names the longer parts of a training in their order, with ascending
// counts in each.
func TestProgress(t *testing.T) {
	var parts []string
	last, of, counted := 0, 0, 0
	trainer := lapsvm.Trainer{Recipe: lapsvm.Recipe{GammaI: 1, Calibrate: true, Solver: lapsvm.PCG, RulesOfThumb: true}, Run: lapsvm.Run{Observer: lapsvm.Observer{Progress: func(part string, done, all int) {
		if done == 0 && (len(parts) == 0 || parts[len(parts)-1] != part) {
			parts = append(parts, part)
			last, of = 0, 0
		}
		if all == of && done < last || done > all {
			t.Errorf("%s: %d of %d after %d of %d", part, done, all, last, of)
		}
		if last, of = done, all; done > 0 {
			counted++
		}
	}}}}
	if _, err := trainer.Fit(t.Context(), fewLabels(900)); err != nil {
		t.Fatal(err)
	}
	if got, want := strings.Join(parts, ", "), "neighbours and Gram matrix, graph, solving, learning probabilities"; got != want {
		t.Errorf("parts %s, want %s", got, want)
	}
	if counted < 5 {
		t.Errorf("%d reports of work done", counted)
	}
}

// fewLabels are two moons of n points, 20 of which have a label.
func fewLabels(n int) *dataset.Dataset {
	d := dataset.TwoMoons(n, 0.07, 1)
	for i := 20; i < n; i++ {
		d.Y[i] = dataset.Unlabelled
	}
	return d
}

// A training by the recipe of a model uses the form of the Gram matrix that the model was
// trained with, whatever the memory allowed, and so gives the same bits. Where this form does
// not fit the memory the training fails.
func TestRecipeNamesTheForm(t *testing.T) {
	d := dataset.TwoMoons(900, 0.07, 1)
	for i := 20; i < 900; i++ {
		d.Y[i] = dataset.Unlabelled
	}
	trainer := lapsvm.Trainer{Recipe: lapsvm.Recipe{Kernel: kernel.Gaussian{}, GammaI: 1, Solver: lapsvm.PCG, RulesOfThumb: true}, Run: lapsvm.Run{Memory: 1 << 20}}
	first, err := trainer.Fit(t.Context(), d)
	if err != nil {
		t.Fatal(err)
	}
	if form := first.Recipe().Gram; form != gram.FormStreamed {
		t.Fatalf("the matrix is %s", form)
	}
	again, err := lapsvm.Trainer{Recipe: first.Recipe()}.Fit(t.Context(), d)
	if err != nil {
		t.Fatal(err)
	}
	if form := again.Recipe().Gram; form != gram.FormStreamed {
		t.Errorf("trained again, the matrix is %s", form)
	}
	want, err := first.Scores(t.Context(), d.Points)
	if err != nil {
		t.Fatal(err)
	}
	got, err := again.Scores(t.Context(), d.Points)
	if err != nil {
		t.Fatal(err)
	}
	for i := range want {
		if !slices.Equal(got[i], want[i]) {
			t.Fatalf("row %d: scores %v, at first %v", i, got[i], want[i])
		}
	}
	trainer.Memory = 0
	whole, err := trainer.Fit(t.Context(), d)
	if err != nil {
		t.Fatal(err)
	}
	_, err = lapsvm.Trainer{Recipe: whole.Recipe(), Run: lapsvm.Run{Memory: 1 << 20}}.Fit(t.Context(), d)
	if !errors.Is(err, lapsvm.ErrParameter) || !strings.Contains(err.Error(), "names the form half") {
		t.Errorf("too little memory for half of the matrix: %v", err)
	}
}
