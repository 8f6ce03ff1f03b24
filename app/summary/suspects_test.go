package summary

import (
	"math"
	"slices"
	"strings"
	"testing"

	"lapsvm"
	"lapsvm/dataset"
	"lapsvm/kernel"
	"lapsvm/points"
)

// Labels inside the other class are found and reported, where there are two or more of
// them. With all labels right, or one wrong, nothing is reported, nor are two wrong ones that are
// nearest to each other.
func TestLabelsThatLookWrong(t *testing.T) {
	for _, turned := range [][]int{nil, {7}, {7, 20, 33}, {7, 15, 20, 28}} {
		d := &dataset.Dataset{Classes: []string{"a", "b", "none has it"}}
		var values []float64
		for i := range 120 {
			class := i % 2
			values = append(values, 8*float64(class)+math.Sin(float64(7*i)), 300*math.Cos(float64(11*i)))
			if i >= 60 && i%3 > 0 {
				class = dataset.Unlabelled
			} else if slices.Contains(turned, i) {
				class = 1 - class
			}
			d.Y = append(d.Y, class)
		}
		d.Points = points.Dense(120, 2, values)
		recipe := lapsvm.Recipe{Kernel: kernel.Gaussian{Sigma: 0.7}, Standardise: points.ZScore, GammaA: 1, GammaI: 1e-2, RulesOfThumb: true, Calibrate: true}
		m, err := lapsvm.Trainer{Recipe: recipe}.Fit(t.Context(), d)
		if err != nil {
			t.Fatal(err)
		}
		want := turned
		if len(turned) != 3 {
			want = nil
		}
		if got := Suspects(t.Context(), m, d); !slices.Equal(got, want) {
			t.Errorf("%v are turned, %v look wrong", turned, got)
		}
		findings := Findings(t.Context(), m, d, m.Training().Scores, plainName)
		told := slices.ContainsFunc(findings, func(f Finding) bool {
			return f.Text == "3 labels look wrong: rows 8, 21, 34. Look at them with lapsvm audit."
		})
		if told != (want != nil) || want == nil && slices.ContainsFunc(findings, func(f Finding) bool { return strings.Contains(f.Text, "look wrong") }) {
			t.Errorf("%v are turned: %+v", turned, findings)
		}
	}
}
