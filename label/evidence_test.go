package label_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"lapsvm/dataset"
	"lapsvm/internal/machines/train"
	"lapsvm/internal/points/graph"
	"lapsvm/kernel"
	"lapsvm/label"
	"lapsvm/points"
)

// evidence is that of a recipe for the first labels of three clusters.
func evidence(t *testing.T, r train.Recipe, labels int) float64 {
	t.Helper()
	d, truth := clusters(150, 3)
	l := opened(t, d, r, label.Options{})
	var changes []label.Change
	for i := range labels {
		changes = append(changes, label.Change{Point: i, Class: truth[i]})
	}
	apply(t, l, changes...)
	e, err := l.Evidence(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// What decides wrongly without a label has less evidence, and so has what decides against
// the graph; with fewer neighbours than the reference has, too.
func TestEvidence(t *testing.T) {
	narrow, few, tuned := plain(), plain(), plain()
	narrow.Kernel, narrow.GammaA, narrow.GammaI = kernel.Gaussian{Sigma: 0.05}, 1, 1e-6
	few.Graph.Neighbours = 3
	tuned.Graph.Neighbours, tuned.Graph.Metric = 1, graph.SelfTuning
	good, bad, sparse, byTuned := evidence(t, plain(), 20), evidence(t, narrow, 20), evidence(t, few, 20), evidence(t, tuned, 20)
	if !(good > bad+3) || !(sparse > bad+3) || !(byTuned > bad+3) {
		t.Errorf("evidence %.2f, by a sparse graph %.2f, by a self-tuning one %.2f, by a narrow kernel %.2f", good, sparse, byTuned, bad)
	}
	if e := evidence(t, plain(), 1); e != 0 {
		t.Errorf("evidence %v without decisions", e)
	}
}

// tenNeighbours is the graph that evidence measures decisions by.
func tenNeighbours(t *testing.T, d *dataset.Dataset) *graph.Adjacency {
	t.Helper()
	nb, err := graph.FindNeighbours(t.Context(), d.Points, 10, graph.Euclidean)
	if err != nil {
		t.Fatal(err)
	}
	w, _, err := graph.Connect(t.Context(), nb, graph.Heat, 0)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// Evidence is β·Q − l·wrong·ln 9 with β = 30·min(1, 30/l), Q in the graph of 10 neighbours. The l labels
// are those of classes with two or more. The only label of a class is not among them: without it
// no machine knows the class.
func TestEvidenceByDefinition(t *testing.T) {
	d, truth := clusters(150, 3)
	few := plain()
	few.Graph.Neighbours = 3
	for _, most := range [][3]int{{6, 5, 1}, {20, 18, 1}, {1, 7, 1}, {1, 40, 1}, {20, 20, 20}} {
		var changes []label.Change
		count, counted := [3]int{}, 0
		for i, c := range truth {
			if count[c] < most[c] {
				count[c]++
				changes = append(changes, label.Change{Point: i, Class: c})
			}
		}
		l := opened(t, d, few, label.Options{})
		a := apply(t, l, changes...)
		wrong, several := 0, 0
		for _, labels := range most {
			if labels > 1 {
				several++
			}
		}
		for _, one := range a.LeftOut {
			if several > 1 && most[one.Class] > 1 {
				if counted++; one.Decided != one.Class {
					wrong++
				}
			}
		}
		w := tenNeighbours(t, d)
		modularity, _ := w.Modularity(a.Decided, 3)
		want := 30*math.Min(1, 30/float64(counted))*modularity - float64(wrong)*math.Log(9)
		if got, err := l.Evidence(t.Context()); err != nil || !(math.Abs(got-want) <= 1e-9) {
			t.Errorf("labels %v: evidence %v, want %v of %d labels with %d wrong, %v", most, got, want, counted, wrong, err)
		}
	}
}

// Labels of a single class that has several speak for a machine that gives it to all points:
// they do not count.
func TestEvidenceOfOneClass(t *testing.T) {
	d, truth := clusters(150, 2)
	var changes []label.Change
	count := [2]int{}
	for i, c := range truth {
		if most := 1 + 7*c; count[c] < most {
			count[c]++
			changes = append(changes, label.Change{Point: i, Class: c})
		}
	}
	constant := plain()
	constant.Kernel, constant.GammaA, constant.GammaI = kernel.Gaussian{Sigma: 100}, 100, 1e-6
	var e [2]float64
	for k, r := range []train.Recipe{plain(), constant} {
		l := opened(t, d, r, label.Options{})
		a := apply(t, l, changes...)
		var err error
		if e[k], err = l.Evidence(t.Context()); err != nil {
			t.Fatal(err)
		}
		t.Logf("%v: evidence %.2f, the first labels are left out as %d", r.Kernel, e[k], a.LeftOut[0].Decided)
	}
	if !(e[0] > e[1]) {
		t.Errorf("evidence %.2f, for one class alone %.2f", e[0], e[1])
	}
}

// Nothing is stale of a recipe that leaves nothing open, and an open one is not by labels of
// a single class.
func TestStale(t *testing.T) {
	d, truth := clusters(120, 2)
	whole, open := opened(t, d, plain(), label.Options{}), opened(t, d, train.Recipe{}, label.Options{})
	var of [2][]label.Change
	for i, c := range truth {
		of[c] = append(of[c], label.Change{Point: i, Class: c})
	}
	apply(t, open, append(of[0][:8:8], of[1][0])...)
	if open.Stale() {
		t.Error("labels of a single class choose")
	}
	apply(t, open, of[1][1])
	apply(t, whole, append(of[0][:8:8], of[1][:8]...)...)
	if !open.Stale() || whole.Stale() {
		t.Errorf("stale: %v of an open recipe, %v of a whole one", open.Stale(), whole.Stale())
	}
}

// The evidence of several classes is that of their answers. The machines behind it lack the label in truth. A recipe
// with wrong answers has less evidence. Both had 0 once, so that the page never took another recipe.
func TestEvidenceOfSeveral(t *testing.T) {
	d, _ := posts(t, 120, 30, nil)
	wrongRecipe := ofSeveral()
	wrongRecipe.Kernel, wrongRecipe.GammaI = kernel.Gaussian{Sigma: 0.02}, 1e-6
	var e [2]float64
	for k, r := range []train.Recipe{ofSeveral(), wrongRecipe} {
		l, err := label.Open(t.Context(), d, r, label.Options{})
		if err != nil {
			t.Fatal(err)
		}
		defer l.Close()
		full := l.Answer()
		if e[k], err = l.Evidence(t.Context()); err != nil {
			t.Fatal(err)
		}
		signs := make(map[int][]bool) // the answers of each labelled point
		for _, one := range full.LeftOut {
			name := full.Classes[one.Class]
			signs[one.Point] = []bool{strings.Contains(name, "politics"), strings.Contains(name, "sport")}
		}
		wrong := 0.0
		for _, one := range full.LeftOut {
			a, err := l.Apply(t.Context(), []label.Change{{Point: one.Point, Class: dataset.Unlabelled}})
			if err != nil {
				t.Fatal(err)
			}
			of := 0.0
			for c, has := range signs[one.Point] {
				if a.Several.Outputs[c][one.Point] > full.Several.Limits[c] != has {
					of += 0.5
				}
			}
			if !(math.Abs(of-one.Wrong) <= 1e-9) {
				t.Fatalf("recipe %d: without its label point %d has %v of its answers wrong, %v said", k, one.Point, of, one.Wrong)
			}
			wrong += of
			if _, err := l.Apply(t.Context(), []label.Change{{Point: one.Point, Class: one.Class}}); err != nil {
				t.Fatal(err)
			}
		}
		w := tenNeighbours(t, d)
		want := -wrong * math.Log(9)
		for c := range 2 {
			has := make([]int, len(d.Y))
			for i := range has {
				if slices.Contains(full.Several.Has(i), c) {
					has[i] = 1
				}
			}
			q, _ := w.Modularity(has, 2)
			want += 30 * q / 2
		}
		if !(math.Abs(e[k]-want) <= 1e-9) {
			t.Errorf("recipe %d: evidence %v, want %v", k, e[k], want)
		}
	}
	if !(e[0] > e[1]+3) {
		t.Errorf("evidence %.2f, of a recipe that tells nothing %.2f", e[0], e[1])
	}
}

// An answer that no other label gives is not counted: machines without it know of none.
func TestOnlyAnswerIsNotCounted(t *testing.T) {
	d, _ := posts(t, 60, 12, func(i int, text string) string {
		if i == 3 {
			return dataset.JoinSeveral([]string{"politics"}, nil, ";")
		}
		return dataset.JoinSeveral([]string{"sport"}[:i%2], nil, ";")
	})
	l, err := label.Open(t.Context(), d, ofSeveral(), label.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	for _, one := range l.Answer().LeftOut {
		if one.Point == 3 && one.Wrong != 0 && one.Wrong != 1 {
			t.Errorf("the label with the only answer has %v wrong: one answer counts", one.Wrong)
		}
	}
}

// A label of several classes whose answers no other label has tells nothing: the graph alone counts.
func TestEvidenceOfLoneAnswers(t *testing.T) {
	d, _ := posts(t, 120, 2, func(i int, _ string) string { return []string{"sport", ";"}[i%2] })
	l := opened(t, d, ofSeveral(), label.Options{})
	a := l.Answer()
	for _, one := range a.LeftOut {
		if !math.IsNaN(one.Wrong) {
			t.Fatalf("%+v is asked", one)
		}
	}
	w := tenNeighbours(t, d)
	has := make([]int, 120)
	for i, f := range a.Several.Outputs[0] {
		if f > a.Several.Limits[0] {
			has[i] = 1
		}
	}
	q, _ := w.Modularity(has, 2)
	if got, err := l.Evidence(t.Context()); err != nil || len(a.LeftOut) != 2 || !(math.Abs(got-30*q) <= 1e-9) {
		t.Errorf("evidence %v of %d labels, want %v, %v", got, len(a.LeftOut), 30*q, err)
	}
}

// Kernel values with fewer neighbours than ten measure decisions by those there are.
func TestEvidenceOfFewGivenNeighbours(t *testing.T) {
	d, truth := clusters(90, 2)
	n := len(truth)
	given := *d
	of := make([]float64, n*n)
	for i := range n {
		for j := range n {
			a, b := d.Points.DenseRow(i), d.Points.DenseRow(j)
			for k := range a {
				of[i*n+j] += a[k] * b[k]
			}
		}
	}
	given.Points = points.Dense(n, n, of)
	r := plain()
	r.Kernel, r.Graph = kernel.Precomputed{}, graph.Options{Neighbours: 3, Degree: 2, Metric: graph.Kernel}
	l := opened(t, &given, r, label.Options{})
	var changes []label.Change
	for i := range 20 {
		changes = append(changes, label.Change{Point: i, Class: truth[i]})
	}
	a := apply(t, l, changes...)
	wrong := 0.0
	for _, one := range a.LeftOut {
		if one.Decided != one.Class {
			wrong++
		}
	}
	nb, err := graph.FindNeighbours(t.Context(), d.Points, 3, graph.Euclidean)
	if err != nil {
		t.Fatal(err)
	}
	w, _, err := graph.Connect(t.Context(), nb, graph.Heat, 0)
	if err != nil {
		t.Fatal(err)
	}
	q, _ := w.Modularity(a.Decided, 2)
	want := 30*q - wrong*math.Log(9)
	if got, err := l.Evidence(t.Context()); err != nil || !(math.Abs(got-want) <= 1e-6) {
		t.Errorf("evidence %v, want %v, %v", got, want, err)
	}
}
