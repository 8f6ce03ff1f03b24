package lapsvm_test

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"lapsvm"
	"lapsvm/dataset"
	"lapsvm/internal/numbers/objective"
	"lapsvm/internal/points/gram"
	"lapsvm/kernel"
	"lapsvm/points"
)

// Every cell's held-out loss and error are those of trainings without the
// labels, by Newton's method.
func TestTuneAgainstTrainings(t *testing.T) {
	two, _ := moons(40, 4, 5)
	many, _ := clusters(3, 12, 3)
	grid := lapsvm.Grid{GammaA: []float64{1e-3, 0.5}, GammaI: []float64{0.01, 2}}
	for name, d := range map[string]*dataset.Dataset{"two classes": two, "three classes": many} {
		for _, folds := range []int{0, 3} {
			for _, loss := range smoothLosses() {
				trainer := lapsvm.Trainer{Recipe: lapsvm.Recipe{Kernel: kernel.Gaussian{Sigma: 0.6}, Loss: loss, Precision: gram.Double, RulesOfThumb: true}}
				g := grid
				g.Folds = folds
				tuned, err := trainer.Tune(t.Context(), d, g)
				if err != nil {
					t.Fatal(err)
				}
				labelled := d.Labelled()
				if tuned.Labels != len(labelled) || len(tuned.Cells) != 4 {
					t.Fatalf("%d labels, %d cells", tuned.Labels, len(tuned.Cells))
				}
				held := make([][]int, len(labelled))
				for k, i := range labelled {
					held[k] = []int{i}
				}
				if folds > 0 { // class by class round the folds
					held = make([][]int, folds)
					next := 0
					for c := range d.Classes {
						for _, i := range labelled {
							if d.Y[i] == c {
								held[next%folds] = append(held[next%folds], i)
								next++
							}
						}
					}
				}
				cells := append(slices.Clone(tuned.Cells), tuned.Supervised)
				for _, cell := range cells {
					var loss, wrong float64
					for _, fold := range held {
						less := d.Subset(all(d.Points.Len()))
						for _, i := range fold {
							less.Y[i] = dataset.Unlabelled
						}
						trainer.Recipe.Solver, trainer.Recipe.GammaA, trainer.Recipe.GammaI, trainer.Recipe.Supervised = lapsvm.Newton, cell.GammaA, cell.GammaI, cell.GammaI == 0
						m, err := trainer.Fit(t.Context(), less)
						if err != nil {
							t.Fatal(err)
						}
						scores, err := m.Scores(t.Context(), d.Points.Subset(fold))
						if err != nil {
							t.Fatal(err)
						}
						for r, i := range fold {
							if m.Decide(scores)[r] != d.Y[i] {
								wrong++
							}
							for c, f := range scores[r] {
								if len(d.Classes) == 2 && c == 0 {
									continue
								}
								y := -1.0
								if d.Y[i] == c {
									y = 1
								}
								loss += math.Pow(math.Max(0, 1-y*f), 2)
							}
						}
					}
					n := float64(len(labelled))
					if !(math.Abs(cell.Loss-loss/n) <= 1e-6*(1+loss/n)) || !(math.Abs(cell.Error-100*wrong/n) <= 1e-9) {
						t.Errorf("%s, %d folds, %s, γA %g, γI %g: loss %v and error %v, by trainings %v and %v", name, folds, trainer.Recipe.Loss,
							cell.GammaA, cell.GammaI, cell.Loss, cell.Error, loss/n, 100*wrong/n)
					}
					if p := wrong / n; !(math.Abs(cell.StandardError-100*math.Sqrt(p*(1-p)/(n-1))) <= 1e-9) {
						t.Errorf("the standard error of %v wrong of %v is %v", wrong, n, cell.StandardError)
					}
					if !(cell.Freedom > 0) || !(cell.Freedom < n) {
						t.Errorf("%v degrees of freedom with %v labels", cell.Freedom, n)
					}
				}
				best := tuned.Cells[tuned.Best]
				for k, c := range tuned.Cells {
					if c.Loss < best.Loss {
						t.Errorf("the best cell has the loss %v, another %v", best.Loss, c.Loss)
					}
					if c.Close && c.Freedom < tuned.Cells[tuned.Recommended].Freedom {
						t.Errorf("cell %d is close and smoother than the recommended one", k)
					}
				}
				if !best.Close || !tuned.Cells[tuned.Recommended].Close {
					t.Error("the best and the recommended cell must be close to the best")
				}
				if c := tuned.Recipe; c.GammaA != tuned.Cells[tuned.Recommended].GammaA || c.Kernel != (kernel.Gaussian{Sigma: 0.6}) {
					t.Errorf("recipe %+v", c)
				}
			}
		}
	}
}

func all(n int) []int {
	rows := make([]int, n)
	for i := range rows {
		rows[i] = i
	}
	return rows
}

func TestTuneByValidation(t *testing.T) {
	d, _ := moons(80, 2, 6)
	v := dataset.TwoMoons(30, 0.1, 9)
	trainer := lapsvm.Trainer{Recipe: lapsvm.Recipe{Kernel: kernel.Gaussian{Sigma: 0.4}, RulesOfThumb: true}, Run: lapsvm.Run{Validation: v}}
	tuned, err := trainer.Tune(t.Context(), d, lapsvm.Grid{})
	if err != nil {
		t.Fatal(err)
	}
	if len(tuned.Cells) != 49 || tuned.Labels != 30 || tuned.HeldOut != "validation points" {
		t.Fatalf("%d cells, %d labels, %q", len(tuned.Cells), tuned.Labels, tuned.HeldOut)
	}
	for _, k := range []int{0, 17, 48, tuned.Best} {
		cell := tuned.Cells[k]
		m, err := lapsvm.Trainer{Recipe: lapsvm.Recipe{Kernel: trainer.Recipe.Kernel, GammaA: cell.GammaA, GammaI: cell.GammaI, Solver: lapsvm.Newton, Precision: gram.Double, RulesOfThumb: true}}.Fit(t.Context(), d)
		if err != nil {
			t.Fatal(err)
		}
		if n := wrong(t, m, v.Points, v.Y); math.Abs(cell.Error-100*float64(n)/30) > 1e-9 {
			t.Errorf("γA %g, γI %g: error %v, %d of 30 by Newton", cell.GammaA, cell.GammaI, cell.Error, n)
		}
	}
}

// Tuning gives a recipe with nothing open, which trains with the recommended
// weights by the solver that was asked for.
func TestTuneGivesARecipe(t *testing.T) {
	d, _ := moons(60, 4, 6)
	grid := lapsvm.Grid{GammaA: []float64{1e-3, 0.5}, GammaI: []float64{0.01, 2}}
	for name, c := range map[string]struct {
		r      lapsvm.Recipe
		solver lapsvm.Solver
	}{
		"open":       {lapsvm.Recipe{}, lapsvm.PCG},
		"newton":     {lapsvm.Recipe{Solver: lapsvm.Newton, Standardise: points.ZScore}, lapsvm.Newton},
		"hinge":      {lapsvm.Recipe{Loss: objective.Hinge}, lapsvm.Dual},
		"supervised": {lapsvm.Recipe{Supervised: true, GammaA: 7}, lapsvm.PCG},
		"averaged":   {lapsvm.Recipe{Members: []lapsvm.Member{{Neighbours: 3, LaplacianDegree: 1, GammaA: 1, GammaI: 1, Weight: 1}}}, lapsvm.PCG},
	} {
		tuned, err := lapsvm.Trainer{Recipe: c.r}.Tune(t.Context(), d, grid)
		if err != nil {
			t.Fatal(name, err)
		}
		cell := tuned.Cells[tuned.Recommended]
		if tuned.Recipe.Open() {
			t.Errorf("%s: %+v leaves something open", name, tuned.Recipe)
		}
		m := fit(t, tuned.Recipe, d)
		r := m.Recipe()
		if r.GammaA != cell.GammaA || r.GammaI != cell.GammaI || r.Solver != c.solver || r.Supervised || len(r.Members) > 0 || r.Choice != nil || r.Standardise != tuned.Recipe.Standardise {
			t.Errorf("%s: trained by %+v, recommended is %+v", name, r, cell)
		}
	}
}

func TestTuneErrors(t *testing.T) {
	d, _ := moons(40, 3, 5)
	one := d.Subset(all(40))
	for i, y := range one.Y {
		if y == 1 {
			one.Y[i] = dataset.Unlabelled
		}
	}
	for k, c := range []struct {
		t    lapsvm.Trainer
		d    *dataset.Dataset
		g    lapsvm.Grid
		kind error
		want string
	}{
		{lapsvm.Trainer{}, d, lapsvm.Grid{GammaA: []float64{-1}}, lapsvm.ErrParameter, "must be positive"},
		{lapsvm.Trainer{}, d, lapsvm.Grid{GammaI: []float64{}}, lapsvm.ErrParameter, "at least one cell"},
		{lapsvm.Trainer{}, d, lapsvm.Grid{Folds: 1}, lapsvm.ErrParameter, "at least 2 folds"},
		{lapsvm.Trainer{}, one, lapsvm.Grid{}, lapsvm.ErrData, "only the class"},
		{lapsvm.Trainer{Run: lapsvm.Run{Memory: 1 << 10}}, d, lapsvm.Grid{}, lapsvm.ErrParameter, "memory"},
		{lapsvm.Trainer{Run: lapsvm.Run{Validation: dataset.TwoMoons(10, 0.1, 1).Subset(nil)}}, d, lapsvm.Grid{}, lapsvm.ErrData, "validation"},
	} {
		t.Run(fmt.Sprint(k), func(t *testing.T) {
			if _, err := c.t.Tune(t.Context(), c.d, c.g); err == nil || !errors.Is(err, c.kind) || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v, want %q", err, c.want)
			}
		})
	}
}

// What tune expects is the error of trainings without each block of labels at that block, with the squared
// loss. Their weights are tuned without the block too.
func TestTuneExpects(t *testing.T) {
	d, _ := moons(60, 7, 5)
	for i := range d.Y { // some labels are wrong
		if d.Y[i] != dataset.Unlabelled && i%5 == 0 {
			d.Y[i] = 1 - d.Y[i]
		}
	}
	trainer := lapsvm.Trainer{Recipe: lapsvm.Recipe{Kernel: kernel.Gaussian{Sigma: 0.6}, Loss: objective.Squared, Standardise: points.AsIs, Precision: gram.Double, RulesOfThumb: true}}
	grid := lapsvm.Grid{GammaA: []float64{1e-3, 0.5}, GammaI: []float64{0.01, 2}}
	tuned, err := trainer.Tune(t.Context(), d, grid)
	if err != nil {
		t.Fatal(err)
	}
	labelled, blocks, next := d.Labelled(), make([][]int, 0, 10), 0
	most := 0
	for c := range d.Classes {
		size := 0
		for _, i := range labelled {
			if d.Y[i] == c {
				size++
			}
		}
		most = max(most, size)
	}
	blocks = blocks[:min(10, most)]
	for c := range d.Classes { // class by class round the blocks
		for _, i := range labelled {
			if d.Y[i] == c {
				blocks[next%len(blocks)] = append(blocks[next%len(blocks)], i)
				next++
			}
		}
	}
	model, svm := 0, 0
	for _, block := range blocks {
		less := d.Subset(all(d.Points.Len()))
		var truth []int
		for _, i := range block {
			less.Y[i] = dataset.Unlabelled
			truth = append(truth, d.Y[i])
		}
		without, err := trainer.Tune(t.Context(), less, grid)
		if err != nil {
			t.Fatal(err)
		}
		alone := trainer.Recipe
		alone.Supervised, alone.GammaA = true, without.Supervised.GammaA
		model += wrong(t, fit(t, without.Recipe, less), d.Points.Subset(block), truth)
		svm += wrong(t, fit(t, alone, less), d.Points.Subset(block), truth)
	}
	e, l := tuned.Expected, float64(len(labelled))
	if e == nil || math.Abs(e.Error-100*float64(model)/l) > 1e-9 || math.Abs(e.SupervisedError-100*float64(svm)/l) > 1e-9 || model == 0 || svm == 0 {
		t.Errorf("expected %+v; without their blocks %d of %v labels are wrong, %d by the supervised machine", e, model, l, svm)
	}
}
