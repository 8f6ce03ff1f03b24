package lapsvm_test

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"lapsvm"
	"lapsvm/dataset"
	"lapsvm/internal/machines/deformed"
	"lapsvm/internal/machines/selection"
	"lapsvm/internal/machines/task"
	"lapsvm/internal/points/graph"
	"lapsvm/internal/testing/detector"
	"lapsvm/kernel"
)

func TestChoose(t *testing.T) {
	d, truth := moons(200, 3, 4)
	chosen, err := lapsvm.Trainer{}.Choose(t.Context(), d)
	if err != nil {
		t.Fatal(err)
	}
	c := chosen.Choice
	if alone := 4 * 5; c.Candidates <= alone || c.Candidates >= alone+900 || c.Points != 200 || c.HeldOut != "leave-one-out" {
		t.Errorf("%+v", c)
	}
	m, err := lapsvm.Trainer{Recipe: chosen}.Fit(t.Context(), d)
	if err != nil {
		t.Fatal(err)
	}
	if n := wrong(t, m, d.Points, truth); n > 10 {
		t.Errorf("%d of 200 wrong with %+v", n, c)
	}
	recipe := m.Recipe()
	leading := recipe.Leading()
	if recipe.Kernel != (kernel.Gaussian{Sigma: c.Sigma}) || leading.Neighbours != c.Neighbours || leading.LaplacianDegree != c.LaplacianDegree ||
		leading.GammaA != c.GammaA || leading.GammaI != c.GammaI || len(recipe.Members) != c.Averaged || !reflect.DeepEqual(recipe.Choice, c) {
		t.Errorf("chose %+v, trained with %+v", c, recipe)
	}
	for _, threads := range []int{1, 2} {
		again, err := lapsvm.Trainer{}.Choose(lapsvm.WithThreads(t.Context(), threads), d)
		if err != nil || !reflect.DeepEqual(again, chosen) {
			t.Errorf("%d threads: %+v, %v, before %+v", threads, again, err, chosen)
		}
	}
	// The leading machine is a cell of its own tuning, by the loss that machines are compared with.
	tuned, err := lapsvm.Trainer{Recipe: lapsvm.Recipe{Kernel: chosen.Kernel, Loss: lapsvm.Squared, Graph: graph.Options{Neighbours: c.Neighbours, Degree: c.LaplacianDegree, Metric: chosen.Graph.Metric}}}.Tune(t.Context(), d,
		lapsvm.Grid{GammaA: []float64{1e-6, 1e-4, 1e-2, 1, 100}, GammaI: []float64{1e-6, 1e-4, 1e-2, 1, 100}})
	if err != nil {
		t.Fatal(err)
	}
	same := slices.ContainsFunc(tuned.Cells, func(cell selection.TunedCell) bool {
		return cell.GammaA == c.GammaA && cell.GammaI == c.GammaI && math.Abs(cell.Loss-c.Loss) <= 1e-9*(1+c.Loss)
	})
	if !same {
		t.Errorf("tuning finds %+v, the choice was %+v", tuned.Cells, c)
	}
}

// What is given stays as it is.
func TestChooseKeepsWhatIsGiven(t *testing.T) {
	d, _ := moons(80, 3, 4)
	given := lapsvm.Trainer{Recipe: lapsvm.Recipe{Kernel: kernel.Gaussian{Sigma: 0.4}, Graph: graph.Options{Neighbours: 7}, GammaI: 0.3}}
	chosen, err := given.Choose(t.Context(), d)
	if err != nil {
		t.Fatal(err)
	}
	for _, one := range chosen.Machines() {
		if chosen.Kernel != given.Recipe.Kernel || one.Neighbours != 7 || one.GammaI != 0.3 || one.GammaA == 0 || one.LaplacianDegree == 0 {
			t.Errorf("%+v has the machine %+v", chosen, one)
		}
	}
	if chosen.Open() || chosen.Graph.Metric != graph.Euclidean && chosen.Graph.Metric != graph.SelfTuning {
		t.Errorf("%+v", chosen)
	}
	if chosen.Choice.Candidates != 2*3+5 { // each graph of two metrics and three degrees, and supervised ones
		t.Errorf("%d candidates", chosen.Choice.Candidates)
	}
	for name, c := range map[string]struct {
		graph graph.Options
		want  graph.Metric // "" is Euclidean
	}{
		"a metric":     {graph.Options{Metric: graph.Cosine}, graph.Cosine},
		"self-tuning":  {graph.Options{Metric: graph.SelfTuning}, graph.SelfTuning},
		"a heat width": {graph.Options{HeatWidth: 0.1}, ""},
	} {
		one := given
		one.Recipe.Graph = c.graph
		if chosen, err := one.Choose(t.Context(), d); err != nil || chosen.Graph.Metric != c.want {
			t.Errorf("%s: the metric %q, %v", name, chosen.Graph.Metric, err)
		}
	}
	polynomial, err := lapsvm.Trainer{Recipe: lapsvm.Recipe{Kernel: kernel.Polynomial{Degree: 2, Coef0: 1}}}.Choose(t.Context(), d)
	if err != nil || polynomial.Leading().GammaI == 0 || polynomial.Choice.Sigma != 0 {
		t.Errorf("polynomial: %+v, %v", polynomial.Choice, err)
	}
	d, _ = moons(80, 12, 4)
	supervised, err := lapsvm.Trainer{Recipe: lapsvm.Recipe{Supervised: true}}.Choose(t.Context(), d)
	if err != nil || supervised.GammaI != 0 || supervised.GammaA == 0 || supervised.Choice.Expected == nil || supervised.Choice.Expected.Error != supervised.Choice.Expected.SupervisedError || supervised.Choice.Verdict != "" {
		t.Errorf("supervised: %+v, %v", supervised.Choice, err)
	}
}

// Where no label can be held out there are rules, and the reason is said.
func TestChooseByRule(t *testing.T) {
	d, _ := moons(60, 1, 4)
	for name, c := range map[string]struct {
		t      lapsvm.Trainer
		d      *dataset.Dataset
		reason string
	}{
		"a single label alone": {lapsvm.Trainer{Recipe: lapsvm.Recipe{Supervised: true}}, d, "fewer than two classes have two labels"},
		"little memory":        {lapsvm.Trainer{Run: lapsvm.Run{Memory: 1 << 17}}, func() *dataset.Dataset { d, _ := moons(200, 3, 4); return d }(), "memory"},
		"two points":           {lapsvm.Trainer{Run: lapsvm.Run{Validation: d}}, d.Subset(d.Labelled()), "too few points"},
	} {
		chosen, err := c.t.Choose(t.Context(), c.d)
		if err != nil {
			t.Fatal(name, err)
		}
		if chosen.GammaA != 1e-4 || chosen.Choice.Candidates != 0 || !strings.Contains(chosen.Choice.Reason, c.reason) {
			t.Errorf("%s: γI %v, %+v", name, chosen.GammaI, chosen.Choice)
		}
	}
	// Validation points can be held out.
	chosen, err := lapsvm.Trainer{Run: lapsvm.Run{Validation: dataset.TwoMoons(40, 0.1, 8)}}.Choose(t.Context(), d)
	if err != nil || chosen.Choice.Candidates == 0 || chosen.Choice.HeldOut != "validation points" {
		t.Errorf("%+v, %v", chosen.Choice, err)
	}
	one := d.Subset(all(60))
	for i := range one.Y {
		if one.Y[i] == 1 {
			one.Y[i] = dataset.Unlabelled
		}
	}
	if chosen, err := (lapsvm.Trainer{Recipe: lapsvm.Recipe{Kind: task.OneClass()}}).Choose(t.Context(), one); err != nil || chosen.GammaI != 1e-2 {
		t.Errorf("one class: %+v, %v", chosen, err)
	}
	if _, err := (lapsvm.Trainer{}).Choose(t.Context(), one); !errors.Is(err, lapsvm.ErrData) {
		t.Errorf("one class only: %v", err)
	}
	more, _ := moons(60, 2, 4)
	if _, err := (lapsvm.Trainer{Recipe: lapsvm.Recipe{Graph: graph.Options{Neighbours: 60}}}).Choose(t.Context(), more); !errors.Is(err, lapsvm.ErrParameter) {
		t.Errorf("60 neighbours of 60 points: %v", err)
	}
}

// Of more than 6,400 points less than a quarter are compared on, the best of them on many
// more, and there with other graphs. With nothing given six draws have at most half of the errors without the unlabelled points.
func TestChooseOnAPart(t *testing.T) {
	detector.Spare(t)
	d, _ := moons(6600, 4, 4)
	given := lapsvm.Trainer{Recipe: lapsvm.Recipe{Kernel: kernel.Gaussian{Sigma: 0.35}, GammaA: 1e-2, Seed: 3}}
	var done, of int
	given.Compared = func(i, n int) { done, of = i, n }
	chosen, err := given.Choose(t.Context(), d)
	if err != nil {
		t.Fatal(err)
	}
	if given.Compared = nil; done != 4+1 || of != done || chosen.Choice.Candidates != 4+1 {
		t.Errorf("measured %d of %d times, %d machines", done, of, chosen.Choice.Candidates)
	}
	if chosen.Choice.Points != 400 || chosen.Graph.Neighbours < 5 || chosen.Graph.Neighbours > 20 || chosen.Graph.Degree > 3 || chosen.Choice.Averaged != 0 || !strings.Contains(chosen.Choice.Reason, "on 2500 points") {
		t.Errorf("%+v", chosen.Choice)
	}
	n, supervised := 0, 0
	for draw := range uint64(6) {
		d, truth := moons(6600, 4, 4+draw)
		m, err := lapsvm.Trainer{Recipe: lapsvm.Recipe{Seed: 3}}.Fit(t.Context(), d)
		if err != nil {
			t.Fatal(err)
		}
		alone, err := lapsvm.Trainer{Recipe: lapsvm.Recipe{Kernel: given.Recipe.Kernel, GammaA: given.Recipe.GammaA, Supervised: true}}.Fit(t.Context(), d)
		if err != nil {
			t.Fatal(err)
		}
		n, supervised = n+wrong(t, m, d.Points, truth), supervised+wrong(t, alone, d.Points, truth)
	}
	if 2*n > supervised {
		t.Errorf("%d of 6·6600 wrong, %d without the unlabelled points", n, supervised)
	}
	limited := given
	limited.Memory = 3*d.Points.Bytes() + 8*300*300 + deformed.Bytes(300, 8, 4)
	if part, err := limited.Choose(t.Context(), d); err != nil || part.Choice.Points != 300 {
		t.Errorf("in memory for 300 points: %+v, %v", part.Choice, err)
	}
	validated := limited
	validated.Validation, _ = moons(80, 40, 5)
	by, err := validated.Choose(t.Context(), d)
	if err != nil || by.Choice.HeldOut != "validation points" || !(by.Choice.Loss < 1) {
		t.Errorf("by validation points: %+v, %v", by.Choice, err)
	}
	validated.Recipe.Seed = 4
	if again, err := validated.Choose(t.Context(), d); err != nil || again.Choice.Loss == by.Choice.Loss {
		t.Errorf("another seed gives the same points: %+v, %v", again.Choice, err)
	}
}

// With a single label of every class machines are weighed by the graph alone, and the
// mean of many says more than the rule of thumb.
func TestChooseByTheGraph(t *testing.T) {
	detector.Spare(t)
	better := 0
	for seed := range uint64(5) {
		d, truth := moons(200, 1, seed)
		chosen, err := lapsvm.Trainer{}.Choose(t.Context(), d)
		if err != nil {
			t.Fatal(err)
		}
		if c := chosen.Choice; c.Candidates == 0 || c.Labels != 0 || c.HeldOut != "none" || len(chosen.Members) < 2 {
			t.Errorf("%+v", c)
		}
		var errors [2]int
		for k, r := range []lapsvm.Recipe{chosen, {RulesOfThumb: true}} {
			m, err := lapsvm.Trainer{Recipe: r}.Fit(t.Context(), d)
			if err != nil {
				t.Fatal(err)
			}
			errors[k] = wrong(t, m, d.Points, truth)
		}
		t.Logf("%d wrong by the graph, %d by rule", errors[0], errors[1])
		if errors[0] <= errors[1] {
			better++
		}
	}
	if better < 4 {
		t.Errorf("only %d of 5 are no worse", better)
	}
}

// With no time the first machines are compared and no more, and that is said.
func TestChooseInTime(t *testing.T) {
	d, _ := moons(200, 3, 4)
	whole, err := lapsvm.Trainer{Run: lapsvm.Run{Time: time.Hour}}.Choose(t.Context(), d)
	if err != nil {
		t.Fatal(err)
	}
	chosen, err := lapsvm.Trainer{Run: lapsvm.Run{Time: 1}}.Choose(t.Context(), d)
	if err != nil {
		t.Fatal(err)
	}
	if n := chosen.Choice.Candidates; n == 0 || n >= whole.Choice.Candidates || !strings.Contains(chosen.Choice.Reason, "time was up") || strings.Contains(whole.Choice.Reason, "time was up") {
		t.Errorf("%d machines, %s; with an hour %d, %s", n, chosen.Choice.Reason, whole.Choice.Candidates, whole.Choice.Reason)
	}
	if chosen.Open() {
		t.Errorf("%+v", chosen)
	}
}

// Not all of many labels are looked at, and not all of many classes.
func TestChooseOnSomeLabels(t *testing.T) {
	d, _ := moons(400, 150, 4)
	given := lapsvm.Trainer{Recipe: lapsvm.Recipe{Kernel: kernel.Gaussian{Sigma: 0.4}, Graph: graph.Options{Neighbours: 7, Degree: 1}}}
	chosen, err := given.Choose(t.Context(), d)
	if err != nil || !strings.Contains(chosen.Choice.Reason, "on 200 held-out labels") {
		t.Errorf("%+v, %v", chosen.Choice, err)
	}
	many, _ := clusters(60, 4, 2)
	given.Recipe.Graph.Neighbours = 2
	chosen, err = given.Choose(t.Context(), many)
	if err != nil || chosen.Choice.Candidates != 2*4+5 || chosen.Choice.Labels != 2*50 {
		t.Errorf("%+v, %v", chosen.Choice, err)
	}
}

// Machines are averaged too where there are more labels than are looked at, and the mean does well.
func TestChooseOfManyLabels(t *testing.T) {
	given := lapsvm.Trainer{Recipe: lapsvm.Recipe{Kernel: kernel.Gaussian{Sigma: 0.4}, Graph: graph.Options{Neighbours: 7, Degree: 1}, GammaA: 1e-2}}
	for _, labels := range []int{20, 110} {
		d, truth := moons(240, labels, 4)
		chosen, err := given.Choose(t.Context(), d)
		if err != nil {
			t.Fatal(err)
		}
		c := chosen.Choice
		if c.Labels != min(2*labels, 200) || !strings.Contains(c.Reason, fmt.Sprintf(" %d held-out labels", c.Labels)) || c.Averaged != len(chosen.Members) || labels > 100 && c.Averaged < 2 {
			t.Errorf("%d labels per class: %d machines averaged, %s", labels, c.Averaged, c.Reason)
		}
		m, err := lapsvm.Trainer{Recipe: chosen}.Fit(t.Context(), d)
		if err != nil {
			t.Fatal(err)
		}
		if n := wrong(t, m, d.Points, truth); n > 3 {
			t.Errorf("%d labels per class: %d of 240 wrong", labels, n)
		}
	}
}
