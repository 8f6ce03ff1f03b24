package lapsvm_test

import (
	"errors"
	"math"
	"slices"
	"testing"

	"lapsvm"
	"lapsvm/dataset"
	"lapsvm/internal/machines/selection"
	"lapsvm/kernel"
	"lapsvm/points"
)

// Sets are those of the probabilities and of the calibration, also of a model that was saved. Points far from
// all training points have none.
func TestSets(t *testing.T) {
	d, truth := moons(200, 15, 44)
	trainer := lapsvm.Trainer{Recipe: lapsvm.Recipe{Kernel: kernel.Gaussian{Sigma: 0.3}, GammaA: 1e-3, GammaI: 0.1, Calibrate: true}}
	m, err := trainer.Fit(t.Context(), d)
	if err != nil {
		t.Fatal(err)
	}
	read := readBack(t, m)
	probabilities, err := m.Probabilities(t.Context(), d.Points)
	if err != nil {
		t.Fatal(err)
	}
	for _, level := range []float64{0.5, 0.8, 0.9} {
		sets, err := read.Sets(t.Context(), d.Points, level)
		if err != nil {
			t.Fatal(err)
		}
		thresholds, err := m.Calibration().Thresholds(level)
		if err != nil {
			t.Fatal(err)
		}
		held := 0
		for i, set := range sets {
			for class, p := range probabilities[i] {
				if slices.Contains(set, class) != (p >= thresholds[class] || p == slices.Max(probabilities[i])) {
					t.Errorf("level %v, row %d: the set %v of %v by %v", level, i, set, probabilities[i], thresholds)
				}
			}
			if slices.Contains(set, truth[i]) {
				held++
			}
		}
		if share := float64(held) / float64(len(sets)); !(share >= level-0.15) {
			t.Errorf("sets of level %v hold %.3f of the classes", level, share)
		}
	}
	far, err := m.Sets(t.Context(), points.Dense(1, 2, []float64{1000, -1000}), 0.9)
	if err != nil || len(far[0]) != 0 {
		t.Errorf("a point far away has the set %v, %v", far, err)
	}
	if _, err := m.Sets(t.Context(), d.Points, 0.99); !errors.Is(err, lapsvm.ErrParameter) {
		t.Errorf("a level beyond the labels: %v", err)
	}
	trainer.Recipe.Calibrate = false
	if m, err = trainer.Fit(t.Context(), d); err != nil {
		t.Fatal(err)
	}
	if _, err := m.Sets(t.Context(), d.Points, 0.9); !errors.Is(err, lapsvm.ErrParameter) {
		t.Errorf("without a calibration: %v", err)
	}
}

// An evaluation measures the sets of the hidden labels: their shares are counted here.
func TestEvaluationOfSets(t *testing.T) {
	d, truth := moons(120, 60, 45)
	splits, err := selection.Splits(d, selection.Plan{PerClass: 10, Repeats: 2, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	recipe := lapsvm.Recipe{Kernel: kernel.Gaussian{Sigma: 0.15}, GammaA: 1e-3, GammaI: 1e-3}
	results, err := selection.Evaluation{Recipe: recipe, Set: 0.7}.Run(t.Context(), d, splits)
	if err != nil {
		t.Fatal(err)
	}
	at := 0
	for split := range splits {
		hidden := d.Subset(split.Training())
		for k, i := range split.Training() {
			if _, kept := slices.BinarySearch(split.Labelled, i); !kept {
				hidden.Y[k] = dataset.Unlabelled
			}
		}
		calibrated := recipe
		calibrated.Calibrate = true
		m, err := lapsvm.Trainer{Recipe: calibrated}.Fit(t.Context(), hidden)
		if err != nil {
			t.Fatal(err)
		}
		sets, err := m.Sets(t.Context(), d.Points, 0.7)
		if err != nil {
			t.Fatal(err)
		}
		var want selection.SetsResult
		n := float64(len(split.Hidden))
		for _, i := range split.Hidden {
			want.Size += float64(len(sets[i])) / n
			if slices.Contains(sets[i], truth[i]) {
				want.Coverage += 1 / n
			}
		}
		got := results[at].Sets
		if !(math.Abs(got.Coverage-want.Coverage)+math.Abs(got.Size-want.Size) <= 1e-9) {
			t.Errorf("repeat %d: %+v, want %+v", at, got, want)
		}
		at++
	}
	results, err = selection.Evaluation{Recipe: recipe}.Run(t.Context(), d, splits)
	if err != nil || !math.IsNaN(results[0].Sets.Coverage) || !math.IsNaN(results[0].Sets.Size) {
		t.Errorf("without a level: %+v, %v", results[0].Sets, err)
	}
}
