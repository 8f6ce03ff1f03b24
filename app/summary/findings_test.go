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

// Findings begin with the one that concerns most points: equal rows with different
// labels and the numbers of these rows, classes that are never predicted, shares of
// classes unlike those of the labels.
func TestFindings(t *testing.T) {
	recipe := lapsvm.Recipe{Kernel: kernel.Gaussian{Sigma: 0.35}, GammaI: 1e-2, RulesOfThumb: true}
	findings := func(d *dataset.Dataset) (m *lapsvm.Model, texts []string) {
		m, err := lapsvm.Trainer{Recipe: recipe}.Fit(t.Context(), d)
		if err != nil {
			t.Fatal(err)
		}
		last := 1.0
		for _, f := range Findings(t.Context(), m, d, m.Training().Scores, plainName) {
			if !(f.Share > 0 && f.Share <= last) {
				t.Errorf("%q is about %g of the points, the one before about %g", f.Text, f.Share, last)
			}
			last = f.Share
			texts = append(texts, f.Text)
		}
		return m, texts
	}
	if _, texts := findings(moons(200, 20, "a", "b")); texts != nil {
		t.Errorf("findings where nothing is wrong: %q", texts)
	}

	// Two of three labels are of a cluster that one in ten of the other points is in;
	// four labelled rows are equal.
	d := &dataset.Dataset{Classes: []string{"a", "b"}}
	var values []float64
	for i := range 600 {
		class := 0
		if i < 60 && i%3 > 0 || i >= 60 && i%10 == 0 {
			class = 1
		}
		values = append(values, 6*float64(class)+math.Sin(float64(7*i)), math.Cos(float64(11*i)))
		if i >= 60 {
			class = dataset.Unlabelled
		}
		d.Y = append(d.Y, class)
	}
	for i := range 4 {
		values, d.Y = append(values, 30, 30), append(d.Y, i%2)
	}
	d.Points = points.Dense(604, 2, values)
	m, texts := findings(d)
	var has []int
	for _, want := range []string{"b is 10.0 % of these and 65.6 % of the labels", "4 labelled rows are equal to rows with another label, so no machine gets all of them right: rows 601 (a), 602 (b), 603 (a), 604 (b)."} {
		has = append(has, slices.IndexFunc(texts, func(text string) bool { return strings.Contains(text, want) }))
	}
	if !(0 <= has[0] && has[0] < has[1]) {
		t.Errorf("findings %q", texts)
	}
	classes := Predicted(m, d, m.Training().Scores)
	if classes[1].Points != 54 || classes[1].Labels != 42 || classes[0].Points != 486 || !(classes[0].Lead > 0) {
		t.Errorf("%+v", classes)
	}
	recipe.Prior = lapsvm.BalancedPrior
	if _, texts := findings(d); slices.ContainsFunc(texts, func(text string) bool { return strings.Contains(text, "shares") }) {
		t.Errorf("shares that a prior gives are told: %q", texts)
	}
}
