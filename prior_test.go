package lapsvm_test

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"lapsvm"
	"lapsvm/dataset"
	"lapsvm/internal/machines/task"
	"lapsvm/internal/numbers/objective"
	"lapsvm/internal/points/gram"
	"lapsvm/kernel"
	"lapsvm/points"
)

// blobs is overlapping clusters, one per class, so that decision values are
// spread; class c has 10·(c+1) points.
func blobs(classes, perClass int) *dataset.Dataset {
	d := &dataset.Dataset{}
	var values []float64
	for c := range classes {
		d.Classes = append(d.Classes, string(rune('a'+c)))
		for i := range 10 * (c + 1) {
			angle := 2 * math.Pi * float64(c) / float64(classes)
			values = append(values, math.Cos(angle)+0.8*math.Sin(float64(7*i+c)), math.Sin(angle)+0.8*math.Cos(float64(11*i*i+c)))
			y := c
			if i >= perClass {
				y = dataset.Unlabelled
			}
			d.Y = append(d.Y, y)
		}
	}
	d.Points = points.Dense(len(d.Y), 2, values)
	return d
}

// unlabelledCounts counts the predictions on the unlabelled points.
func unlabelledCounts(t *testing.T, m *lapsvm.Model, d *dataset.Dataset) []int {
	t.Helper()
	predicted, err := m.Predict(t.Context(), d.Points.Subset(d.Unlabelled()))
	if err != nil {
		t.Fatal(err)
	}
	counts := make([]int, len(m.Classes()))
	for _, c := range predicted {
		counts[c]++
	}
	return counts
}

// Predictions of the model have the shares asked for, to the point; what the
// prior shifts is the bias alone.
func TestPrior(t *testing.T) {
	for _, c := range []struct {
		name    string
		d       *dataset.Dataset
		trainer lapsvm.Trainer
		want    []int
		config  string
	}{
		{"balanced, two", blobs(2, 3), lapsvm.Trainer{Recipe: lapsvm.Recipe{Prior: lapsvm.BalancedPrior, RulesOfThumb: true}}, []int{12, 12}, "balanced"},
		{"balanced, four", blobs(4, 2), lapsvm.Trainer{Recipe: lapsvm.Recipe{Prior: lapsvm.BalancedPrior, RulesOfThumb: true}}, []int{23, 23, 23, 23}, "balanced"},
		{"remainders", blobs(3, 2), lapsvm.Trainer{Recipe: lapsvm.Recipe{Prior: lapsvm.BalancedPrior, Solver: lapsvm.Newton, RulesOfThumb: true}}, []int{18, 18, 18}, "balanced"},
		{"labelled", blobs(4, 15), lapsvm.Trainer{Recipe: lapsvm.Recipe{Prior: lapsvm.LabelledPrior, RulesOfThumb: true}}, []int{5, 5, 18, 17}, "labelled"},
		{"shares, two", blobs(2, 5), lapsvm.Trainer{Recipe: lapsvm.Recipe{Prior: lapsvm.ClassPrior{"a": 0.3, "b": 0.7}, RulesOfThumb: true}}, []int{6, 14}, "a=0.3,b=0.7"},
		{"shares, three", blobs(3, 2), lapsvm.Trainer{Recipe: lapsvm.Recipe{Prior: lapsvm.ClassPrior{"a": 0.333, "b": 0.333, "c": 0.333}, Bias: objective.NoBias, RulesOfThumb: true}}, []int{18, 18, 18}, "a=0.333,b=0.333,c=0.333"},
		{"a share below one point", blobs(3, 2), lapsvm.Trainer{Recipe: lapsvm.Recipe{Prior: lapsvm.ClassPrior{"a": 0.001, "b": 0.5, "c": 0.499}, RulesOfThumb: true}}, []int{0, 27, 27}, "a=0.001,b=0.5,c=0.499"},
	} {
		c.trainer.Recipe.GammaI, c.trainer.Recipe.Kernel, c.trainer.Recipe.Precision = 0.01, kernel.Gaussian{Sigma: 0.8}, gram.Double
		m, err := c.trainer.Fit(t.Context(), c.d)
		if err != nil {
			t.Fatal(err)
		}
		if got := unlabelledCounts(t, m, c.d); !slices.Equal(got, c.want) {
			t.Errorf("%s: %v predictions, want %v", c.name, got, c.want)
		}
		if got := m.Recipe().Prior.String(); got != c.config {
			t.Errorf("%s: the configuration has the prior %q", c.name, got)
		}
		c.trainer.Recipe.Prior = nil
		without, err := c.trainer.Fit(t.Context(), c.d)
		if err != nil {
			t.Fatal(err)
		}
		got := unlabelledCounts(t, without, c.d)
		if c.name == "labelled" && !slices.Equal(got, []int{4, 3, 20, 18}) { // a: 45 (10 + 200·4/45)/(55 + 200) = 4.9
			t.Errorf("%s: %v predictions without it", c.name, got)
		}
		if slices.Equal(got, c.want) {
			t.Errorf("%s: the prior has nothing to do", c.name)
		}
		a, _ := m.Scores(t.Context(), c.d.Points)
		b, _ := without.Scores(t.Context(), c.d.Points)
		for i, row := range m.Training().Scores {
			for k := range row {
				if !(math.Abs(row[k]-a[i][k]) <= 1e-6) {
					t.Fatalf("%s, row %d: scores %v in training, %v of the model", c.name, i, row, a[i])
				}
				if !(math.Abs((a[i][k]-b[i][k])-(a[0][k]-b[0][k])) <= 1e-12) {
					t.Fatalf("%s, row %d: %v without a prior, %v with it: no constant shift", c.name, i, b[i], a[i])
				}
			}
		}
		if m.Training().Objective != without.Training().Objective {
			t.Errorf("%s: objective %v, without a prior %v", c.name, m.Training().Objective, without.Training().Objective)
		}
	}
}

func TestPriorErrors(t *testing.T) {
	d := blobs(3, 2)
	labelled := d.Subset(d.Labelled())
	one, _ := clusters(1, 40, 10)
	shares := func(a, b, c float64) lapsvm.ClassPrior { return lapsvm.ClassPrior{"a": a, "b": b, "c": c} }
	for _, c := range []struct {
		name    string
		trainer lapsvm.Trainer
		d       *dataset.Dataset
		want    string
	}{
		{"unknown", lapsvm.Trainer{Recipe: lapsvm.Recipe{Prior: lapsvm.PriorRule("equal"), RulesOfThumb: true}}, d, "balanced or labelled"},
		{"unknown class", lapsvm.Trainer{Recipe: lapsvm.Recipe{Prior: lapsvm.ClassPrior{"a": 0.5, "z": 0.5}, RulesOfThumb: true}}, d, `"z"`},
		{"class left out", lapsvm.Trainer{Recipe: lapsvm.Recipe{Prior: lapsvm.ClassPrior{"a": 0.5, "b": 0.5}, RulesOfThumb: true}}, d, `"c"`},
		{"sum", lapsvm.Trainer{Recipe: lapsvm.Recipe{Prior: shares(0.3, 0.3, 0.3), RulesOfThumb: true}}, d, "sum to 1"},
		{"zero", lapsvm.Trainer{Recipe: lapsvm.Recipe{Prior: shares(0, 0.5, 0.5), RulesOfThumb: true}}, d, "above 0"},
		{"negative", lapsvm.Trainer{Recipe: lapsvm.Recipe{Prior: shares(-0.5, 1, 0.5), RulesOfThumb: true}}, d, "above 0"},
		{"NaN", lapsvm.Trainer{Recipe: lapsvm.Recipe{Prior: shares(math.NaN(), 0.5, 0.5), RulesOfThumb: true}}, d, "above 0"},
		{"nothing unlabelled", lapsvm.Trainer{Recipe: lapsvm.Recipe{Prior: lapsvm.BalancedPrior, RulesOfThumb: true}}, labelled, "there are none"},
		{"one class", lapsvm.Trainer{Recipe: lapsvm.Recipe{Prior: lapsvm.BalancedPrior, Kind: task.OneClass(), RulesOfThumb: true}}, one, "one-class"},
	} {
		c.trainer.Recipe.GammaI = 0.1
		if _, err := c.trainer.Fit(t.Context(), c.d); err == nil || !errors.Is(err, lapsvm.ErrParameter) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want %q", c.name, err, c.want)
		}
	}
	if _, err := (lapsvm.Trainer{Recipe: lapsvm.Recipe{Prior: lapsvm.BalancedPrior, Supervised: true, RulesOfThumb: true}}).Fit(t.Context(), d); err == nil || !strings.Contains(err.Error(), "gamma-i") {
		t.Errorf("supervised: error %v", err)
	}
}
