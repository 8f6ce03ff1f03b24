package label_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"lapsvm/dataset"
	"lapsvm/internal/machines/task"
	"lapsvm/internal/machines/train"
	"lapsvm/internal/points/graph"
	"lapsvm/kernel"
	"lapsvm/label"
	"lapsvm/points"
)

// posts is points with any of two classes, each along an axis of its own, the true classes of all, and the labels of the first.
func posts(t *testing.T, n, labelled int, change func(i int, label string) string) (d *dataset.Dataset, truth [][2]bool) {
	t.Helper()
	rng := rand.New(rand.NewPCG(12, 34))
	all := dataset.NewLabels(nil, false, dataset.LabelRules{Several: ";"})
	var values []float64
	for i := range n {
		sport, politics := rng.IntN(2) == 0, rng.IntN(3) == 0
		var has []string
		x := []float64{rng.NormFloat64() / 4, rng.NormFloat64() / 4}
		for c, is := range []bool{politics, sport} {
			if is {
				has, x[c] = append(has, []string{"politics", "sport"}[c]), x[c]+2
			}
		}
		text := dataset.JoinSeveral(has, nil, ";")
		if change != nil {
			text = change(i, text)
		}
		add := func() error { return all.Add([]byte(text)) }
		if i >= labelled {
			add = all.AddNone
		}
		if err := add(); err != nil {
			t.Fatal(err)
		}
		values, truth = append(values, x...), append(truth, [2]bool{politics, sport})
	}
	d = &dataset.Dataset{Points: points.Dense(n, 2, values)}
	if err := all.Finish(d); err != nil {
		t.Fatal(err)
	}
	return d, truth
}

// ofSeveral is a recipe of several classes at once without open parameters.
func ofSeveral() train.Recipe {
	return train.Recipe{Kind: task.Several(";"), Kernel: kernel.Gaussian{Sigma: 0.7}, GammaA: 1e-2, GammaI: 1e-1, Standardise: points.AsIs, Seed: 1,
		Graph: graph.Options{Neighbours: 6, Degree: 1, Metric: graph.Euclidean}}
}

// Classes and probabilities of all points are those of a training, also where an answer is not known. A label that comes changes them.
func TestSeveralAreThoseOfATraining(t *testing.T) {
	d, truth := posts(t, 120, 30, func(i int, text string) string {
		if i%7 == 0 {
			return dataset.JoinSeveral([]string{"sport"}, []string{"politics"}, ";")
		}
		return text
	})
	l, err := label.Open(t.Context(), d, ofSeveral(), label.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	compare := func(a *label.Answer, y []int) {
		t.Helper()
		data := *d
		data.Y = y
		r := ofSeveral()
		r.Solver, r.Calibrate = train.Deformed, true
		f, err := train.Fit(t.Context(), &data, r, train.Run{})
		if err != nil {
			t.Fatal(err)
		}
		s := a.Several
		if a.Decided != nil || a.Probabilities != nil || s == nil || !slices.Equal(s.Classes, []string{"politics", "sport"}) {
			t.Fatalf("the answer has decisions, or says %+v", s)
		}
		decided := f.Predictor().Has(f.Summary.Scores)
		p := make([]float64, 2)
		for i, row := range f.Summary.Scores {
			f.Each.Probabilities(p, row)
			for c, want := range row {
				if got := s.Outputs[c][i]; !(math.Abs(got-want) <= 1e-6) || !(math.Abs(float64(s.Probabilities[c][i])-p[c]) <= 1e-5) {
					t.Fatalf("point %d, class %d: %v with %v, in a training %v with %v", i, c, got, s.Probabilities[c][i], want, p[c])
				}
			}
			may, sure, err := s.Sets(i, 0.8)
			if err != nil {
				t.Fatal(err)
			}
			f.Each.Probabilities(p, []float64{s.Outputs[0][i], s.Outputs[1][i]})
			wantMay, wantSure, err := f.Each.Sets([][]float64{p}, 0.8)
			if err != nil || !slices.Equal(may, wantMay[0]) || !slices.Equal(sure, wantSure[0]) {
				t.Fatalf("point %d may have %v and has %v, in a training %v and %v: %v", i, may, sure, wantMay[0], wantSure[0], err)
			}
			if !slices.Equal(append([]int{}, s.Has(i)...), decided[i]) {
				t.Fatalf("point %d has %v, in a training %v", i, s.Has(i), decided[i])
			}
		}
	}
	compare(l.Answer(), d.Y)
	wrong := 0
	for i, is := range truth {
		for c := range is {
			if slices.Contains(l.Answer().Several.Has(i), c) != is[c] {
				wrong++
			}
		}
	}
	if wrong > 10 {
		t.Errorf("%d of 240 answers are wrong", wrong)
	}
	y := slices.Clone(d.Y)
	y[5], y[40] = dataset.Unlabelled, y[3]
	a, err := l.Apply(t.Context(), []label.Change{{Point: 5, Class: dataset.Unlabelled}, {Point: 40, Class: y[40]}})
	if err != nil {
		t.Fatal(err)
	}
	compare(a, y)
}

// Before labels differ there are no classes, and points are suggested by variance; after that also by the class that is least sure.
func TestSeveralAreSuggested(t *testing.T) {
	d, _ := posts(t, 120, 1, nil)
	l, err := label.Open(t.Context(), d, train.Recipe{Kind: task.Several(";"), Seed: 1}, label.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if l.Answer().Several != nil {
		t.Errorf("one label says %+v", l.Answer().Several)
	}
	for _, rule := range []label.Rule{label.Auto, label.Uncertainty} {
		if all, err := l.Suggest(t.Context(), rule, 3); err != nil || len(all) != 3 {
			t.Errorf("%s suggests %v: %v", rule, all, err)
		}
	}
	l.Close()
	d, _ = posts(t, 120, 30, nil)
	if l, err = label.Open(t.Context(), d, train.Recipe{Kind: task.Several(";"), Seed: 1}, label.Options{}); err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	s := l.Answer().Several
	all, err := l.Suggest(t.Context(), label.Uncertainty, 1)
	if err != nil || !strings.Contains(all[0].Reason, "no other point's class is less sure") {
		t.Fatalf("%v: %v", all, err)
	}
	near := func(i int) float64 { // of the logarithms of odds
		odds := func(c, i int) float64 {
			return math.Log(float64(s.Probabilities[c][i]) / (1 - float64(s.Probabilities[c][i])))
		}
		least := math.Inf(1)
		for c, f := range s.Outputs {
			far := 0 // a point to measure the slope by
			for j := range f {
				if math.Abs(f[j]-f[i]) > math.Abs(f[far]-f[i]) {
					far = j
				}
			}
			slope := (odds(c, far) - odds(c, i)) / (f[far] - f[i])
			least = min(least, slope*math.Abs(f[i]-s.Limits[c]))
		}
		return least
	}
	for i := 30; i < 120; i++ {
		if near(i) < near(all[0].Point)-1e-4 {
			t.Errorf("point %d has a class that is less sure than those of point %d: %v, not %v", i, all[0].Point, near(i), near(all[0].Point))
		}
	}
}

// Labels with a class too much or too little are the most suspicious, by that class.
func TestWrongAnswersAreFound(t *testing.T) {
	var wrong []int
	d, truth := posts(t, 200, 60, func(i int, text string) string {
		if i%20 != 9 {
			return text
		}
		wrong = append(wrong, i)
		return dataset.WithAnswer(text, ";", "sport", !strings.Contains(text, "sport"))
	})
	l, err := label.Open(t.Context(), d, ofSeveral(), label.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	all, err := l.AuditSeveral(t.Context())
	if err != nil || len(all) != 60 {
		t.Fatalf("%d labels: %v", len(all), err)
	}
	for k, one := range all {
		if is := slices.Contains(wrong[:3], one.Point); is != (k < 3) || is != (one.Suspicion > 0.5) {
			t.Errorf("place %d: %+v", k, one)
		}
		if k < 3 && (one.Class != "sport" || one.Has == truth[one.Point][1] || !strings.Contains(one.Why, "sport with")) {
			t.Errorf("%+v, where the truth is %v", one, truth[one.Point])
		}
	}
}
