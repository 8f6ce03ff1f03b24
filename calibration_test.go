package lapsvm_test

import (
	"errors"
	"math"
	"path/filepath"
	"slices"
	"testing"

	"lapsvm"
	"lapsvm/calibrate"
	"lapsvm/dataset"
	"lapsvm/internal/machines/solve"
	"lapsvm/internal/machines/task"
	"lapsvm/kernel"
	"lapsvm/points"
)

// probable returns the class of the first largest probability of every row,
// and checks that rows are probabilities.
func probable(t *testing.T, rows [][]float64) (classes []int) {
	t.Helper()
	for i, row := range rows {
		best, sum := 0, 0.0
		for c, v := range row {
			if !(v >= 0 && v <= 1) {
				t.Fatalf("row %d: probabilities %v", i, row)
			}
			if sum += v; v > row[best] {
				best = c
			}
		}
		if !(math.Abs(sum-1) <= 1e-14) {
			t.Fatalf("row %d: the probabilities sum to %v", i, sum)
		}
		classes = append(classes, best)
	}
	return classes
}

// The most probable class is the predicted one: two and many classes, one
// label each and several, both solvers, with and without a prior, near the
// training points and far away; a model file keeps every bit.
func TestProbabilities(t *testing.T) {
	two, _ := moons(120, 3, 21)
	single, _ := moons(120, 1, 22)
	many, _ := clusters(5, 24, 3)
	lone, _ := clusters(4, 20, 1)
	for name, d := range map[string]*dataset.Dataset{"two": two, "two, one label each": single, "many": many, "many, one label each": lone} {
		for _, trainer := range []lapsvm.Trainer{
			{Recipe: lapsvm.Recipe{GammaI: 0.1}}, {Recipe: lapsvm.Recipe{GammaI: 0.1, Solver: lapsvm.Newton}}, {Recipe: lapsvm.Recipe{Supervised: true}},
			{Recipe: lapsvm.Recipe{GammaI: 0.1, Prior: lapsvm.BalancedPrior}}, {Recipe: lapsvm.Recipe{GammaI: 1, Kernel: kernel.Linear{}}},
		} {
			trainer.Recipe.RulesOfThumb, trainer.Recipe.Calibrate = true, true
			m, err := trainer.Fit(t.Context(), d)
			if err != nil {
				t.Fatal(err)
			}
			want := len(d.Labelled())
			if want == len(d.Classes) {
				want = 0
			}
			if c := m.Calibration(); c == nil || c.Validate() != nil || c.HeldOut != want {
				t.Errorf("%s: calibration %+v, want one from %d labels", name, c, want)
			}
			far := make([]float64, 40*d.Points.Dim())
			for i := range far {
				far[i] = math.Ldexp(math.Sin(float64(7*i)), i)
			}
			path := filepath.Join(t.TempDir(), "m")
			if err := m.Save(path); err != nil {
				t.Fatal(err)
			}
			again, err := lapsvm.Load(path)
			if err != nil {
				t.Fatal(err)
			}
			for _, p := range []*points.Points{d.Points, points.Dense(40, d.Points.Dim(), far)} {
				rows, err := m.Probabilities(t.Context(), p)
				if err != nil {
					t.Fatal(err)
				}
				predicted, err := m.Predict(t.Context(), p)
				if err != nil {
					t.Fatal(err)
				}
				if got := probable(t, rows); !slices.Equal(got, predicted) {
					t.Errorf("%s: most probable %v, predicted %v", name, got, predicted)
				}
				read, err := again.Probabilities(t.Context(), p)
				if err != nil {
					t.Fatal(err)
				}
				for i := range rows {
					if !slices.Equal(rows[i], read[i]) {
						t.Fatalf("%s, row %d: %v, after reading %v", name, i, rows[i], read[i])
					}
				}
			}
		}
	}
}

// The calibration is that of the decision values which models trained without
// a fifth of the labels have there, and changes nothing else.
func TestCalibrationHoldsLabelsOut(t *testing.T) {
	d, _ := clusters(3, 40, 7)
	d.Y[0], d.Y[41] = dataset.Unlabelled, dataset.Unlabelled // 6, 6 and 7 labels
	for i := 80; i < 87; i++ {
		d.Y[i] = dataset.Unlabelled
	}
	d.Y[85] = 2 // the only label of its class is never held out
	for i := range d.Y {
		if i%11 == 3 && d.Y[i] != dataset.Unlabelled {
			d.Y[i] = (d.Y[i] + 1) % 2 // a wrong label
		}
	}
	weights := make([]float64, len(d.Y))
	for i := range weights {
		weights[i] = 1 + float64(i%3)
	}
	g := kernel.Gaussian{Sigma: 2}
	for _, c := range []struct {
		recipe  lapsvm.Recipe
		weights []float64
	}{
		{lapsvm.Recipe{Kernel: g, GammaI: 0.01, Solver: lapsvm.PCG, Stop: solve.Objective, Tolerance: 1e-12}, nil},
		{lapsvm.Recipe{Kernel: g, GammaI: 0.01, Solver: lapsvm.Newton}, nil},
		{lapsvm.Recipe{Kernel: g, GammaI: 0.01, Solver: lapsvm.Deformed}, nil},
		{lapsvm.Recipe{Kernel: g, GammaI: 0.01, Solver: lapsvm.Dual, Tolerance: 1e-8}, nil},
		{lapsvm.Recipe{Kernel: g, GammaI: 0.01, Solver: lapsvm.Deformed, Prior: lapsvm.LabelledPrior}, nil},
		{lapsvm.Recipe{Kernel: g, Supervised: true}, nil},
		{lapsvm.Recipe{Kernel: g, GammaA: 1, Supervised: true}, weights},
	} {
		d.Weights = c.weights
		trainer := lapsvm.Trainer{Recipe: c.recipe}
		trainer.Recipe.RulesOfThumb = true
		plain, err := trainer.Fit(t.Context(), d)
		if err != nil {
			t.Fatal(err)
		}
		trainer.Recipe.Calibrate = true
		m, err := trainer.Fit(t.Context(), d)
		if err != nil {
			t.Fatal(err)
		}
		a, _ := plain.Scores(t.Context(), d.Points)
		b, _ := m.Scores(t.Context(), d.Points)
		for i := range a {
			if !slices.Equal(a[i], b[i]) {
				t.Fatalf("row %d: %v, with calibration %v", i, a[i], b[i])
			}
		}
		parts, next := make([][]int, 5), 0
		for c := range 2 {
			for i, y := range d.Y {
				if y == c {
					parts[next%5] = append(parts[next%5], i)
					next++
				}
			}
		}
		var values [][]float64
		var y []int
		for _, part := range parts {
			without := *d
			without.Y = slices.Clone(d.Y)
			for _, i := range part {
				without.Y[i] = dataset.Unlabelled
			}
			refit := trainer
			refit.Recipe.Calibrate, refit.Recipe.Prior = false, nil
			held, err := refit.Fit(t.Context(), &without)
			if err != nil {
				t.Fatal(err)
			}
			rows, err := held.Scores(t.Context(), d.Points.Subset(part))
			if err != nil {
				t.Fatal(err)
			}
			for k, i := range part {
				values, y = append(values, rows[k]), append(y, d.Y[i])
			}
		}
		if trainer.Recipe.Prior != nil { // shifted like the model itself
			trainer.Recipe.Calibrate, trainer.Recipe.Prior = false, nil
			unshifted, err := trainer.Fit(t.Context(), d)
			if err != nil {
				t.Fatal(err)
			}
			c, _ := unshifted.Scores(t.Context(), d.Points)
			for _, row := range values {
				for k := range row {
					row[k] += b[0][k] - c[0][k]
				}
			}
		}
		want, err := calibrate.Fit(values, y)
		if err != nil {
			t.Fatal(err)
		}
		if got := m.Calibration(); got.HeldOut != len(y) || !(math.Abs(got.Slope-want.Slope) <= 1e-3*want.Slope) {
			t.Errorf("calibration %+v, by hand %+v", got, want)
		}
	}
}

func TestNoProbabilities(t *testing.T) {
	d, _ := moons(40, 2, 24)
	one, _ := clusters(1, 40, 10)
	for _, c := range []struct {
		trainer lapsvm.Trainer
		d       *dataset.Dataset
	}{
		{lapsvm.Trainer{Recipe: lapsvm.Recipe{GammaI: 0.1, RulesOfThumb: true}}, d},
		{lapsvm.Trainer{Recipe: lapsvm.Recipe{Kind: task.OneClass(), Kernel: kernel.Gaussian{Sigma: 2}, GammaA: 0.1, Calibrate: true, Supervised: true}}, one},
	} {
		m, err := c.trainer.Fit(t.Context(), c.d)
		if err != nil {
			t.Fatal(err)
		}
		if m.Calibration() != nil {
			t.Errorf("calibration %+v", m.Calibration())
		}
		if _, err := m.Probabilities(t.Context(), c.d.Points); !errors.Is(err, lapsvm.ErrData) {
			t.Errorf("error %v", err)
		}
	}
}
