package selection

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"lapsvm/dataset"
	"lapsvm/internal/machines/task"
	"lapsvm/internal/machines/train"
	"lapsvm/kernel"
	"lapsvm/points"
)

// orderedLine returns points on a line whose classes follow one another, named so that the alphabet has another order.
func orderedLine(of int) *dataset.Dataset {
	d := &dataset.Dataset{Classes: []string{"high", "low", "medium"}}
	var x []float64
	for i := range of {
		v := float64(i) / float64(of)
		x, d.Y = append(x, v+0.2*math.Sin(float64(7*i))), append(d.Y, []int{1, 2, 0}[int(3*v)])
	}
	d.Points = points.Dense(of, 1, x)
	return d
}

// The mean distance of ranks is that of the decisions which the confusion counts.
func TestRankDistances(t *testing.T) {
	kind := task.Ordered("low", "medium", "high")
	d := kind.Arranged(orderedLine(90))
	if !slices.Equal(d.Classes, kind.Order) || d.Y[0] != 0 || d.Y[89] != 2 {
		t.Fatalf("classes %v, labels from %d to %d", d.Classes, d.Y[0], d.Y[89])
	}
	splits, err := Splits(d, Plan{PerClass: 8, TestFraction: 0.2, Repeats: 2, Seed: 3})
	if err != nil {
		t.Fatal(err)
	}
	e := Evaluation{Recipe: train.Recipe{Kind: kind, Kernel: kernel.Gaussian{Sigma: 0.2}, RulesOfThumb: true}, Baseline: true, Set: 0.8}
	results, err := e.Run(t.Context(), d, splits)
	if err != nil {
		t.Fatal(err)
	}
	of := func(confusion [][]int) float64 {
		sum, n := 0.0, 0.0
		for truth, row := range confusion {
			for predicted, count := range row {
				sum, n = sum+float64(count)*math.Abs(float64(truth-predicted)), n+float64(count)
			}
		}
		return sum / n
	}
	for _, r := range results {
		if want := of(r.Confusion); !(math.Abs(r.Ranks.Unlabelled-want) <= 1e-12) || want == 0 {
			t.Errorf("distance %v, want %v", r.Ranks.Unlabelled, want)
		}
		if want := of(r.BaselineConfusion); !(math.Abs(r.Ranks.BaselineUnlabelled-want) <= 1e-12) {
			t.Errorf("distance of the baseline %v, want %v", r.Ranks.BaselineUnlabelled, want)
		}
		sum := 0.0
		for _, ranks := range r.Gains {
			sum += ranks
		}
		if want := r.Ranks.BaselineUnlabelled - r.Ranks.Unlabelled; !(math.Abs(r.Gain()-want) <= 1e-12) || !(math.Abs(sum/float64(r.Hidden)-want) <= 1e-12) || want == 0 {
			t.Errorf("a gain of %v ranks, of rows %v, want %v", r.Gain(), sum/float64(r.Hidden), want)
		}
		if !(100*r.Ranks.Test >= r.Test-1e-9) || !math.IsNaN(r.Ranks.Validation) || !(r.Sets.Coverage >= 0) {
			t.Errorf("test %v of %v %% wrong, validation %v, sets %+v", r.Ranks.Test, r.Test, r.Ranks.Validation, r.Sets)
		}
	}
	_, err = Evaluation{Recipe: train.Recipe{Kind: task.Ordered("low", "medium")}}.Run(t.Context(), d, splits)
	if !errors.Is(err, train.ErrData) || !strings.Contains(err.Error(), `row 61 has the class "high", which is not in the order low, medium`) {
		t.Errorf("a hidden label outside of the order: %v", err)
	}
}

// The distances of 20 labels, of which one is two ranks off and one a rank, are told as wrong labels are, and in ranks.
func TestExpectRanks(t *testing.T) {
	wrong := make([]float64, 20)
	wrong[3], wrong[8] = 2, 1
	e, _ := Expect(3, wrong, wrong, nil, 1, 1)
	// Wilson's interval of a share of ten labels: (p + z²/2n ± z√(p(1 − p)/n + z²/4n²))/(1 + z²/n).
	wilson := func(p float64) (low, high float64) {
		const n, z = 10, 1.959963984540054
		centre, half := (p+z*z/2/n)/(1+z*z/n), z*math.Sqrt(p*(1-p)/n+z*z/4/n/n)/(1+z*z/n)
		return centre - half, centre + half
	}
	low, high := wilson(0.05)
	wrongLow, wrongHigh := wilson(0.1)
	for name, v := range map[string][2]float64{"mean": {e.Ranks.Distance, 0.15}, "low": {e.Ranks.DistanceLow, 3 * low}, "high": {e.Ranks.DistanceHigh, 3 * high}, "alone": {e.Ranks.SupervisedDistance, 0.15},
		"wrong": {e.Error, 10}, "wrong, low": {e.ErrorLow, 100 * wrongLow}, "wrong, high": {e.ErrorHigh, 100 * wrongHigh}} {
		if !(math.Abs(v[0]-v[1]) <= 1e-3) {
			t.Errorf("%s %v, want %v", name, v[0], v[1])
		}
	}
}

// Of three classes in an order the distance is up to 2. Of classes without one there is no distance, and the verdict is by the same test.
func TestExpectFewRanks(t *testing.T) {
	wrong, baseline := make([]float64, 40), make([]float64, 40)
	for k := range 20 {
		wrong[k/4], baseline[k] = 1, 2
	}
	for worst, want := range map[float64][2]float64{1: {12.5, 50}, 2: {12.5, 50}} {
		e, verdict := Expect(worst, wrong, baseline, nil, 1, 1)
		if e.Error != want[0] || e.SupervisedError != want[1] || verdict != train.Helps {
			t.Errorf("at worst %v: %+v, %v", worst, e, verdict)
		}
		if (e.Ranks != nil) != (worst > 1) || e.Ranks != nil && (e.Ranks.Distance != 0.125 || e.Ranks.SupervisedDistance != 1 || e.Ranks.Gain != 0.875 || !(e.Ranks.DistanceHigh > 0.125 && e.Ranks.DistanceHigh < 2)) {
			t.Errorf("at worst %v: %+v", worst, e.Ranks)
		}
	}
}
