package label_test

import (
	"math"
	"strings"
	"testing"

	"lapsvm/dataset"
	"lapsvm/internal/machines/train"
	"lapsvm/internal/points/graph"
	"lapsvm/kernel"
	"lapsvm/label"
)

// labelledBy opens three clusters, of which the first points have labels, by a recipe.
func labelledBy(t *testing.T, r train.Recipe, labels int) *label.Labelling {
	t.Helper()
	d, truth := clusters(150, 3)
	l := opened(t, d, r, label.Options{})
	var changes []label.Change
	for i := range labels {
		changes = append(changes, label.Change{Point: i, Class: truth[i]})
	}
	apply(t, l, changes...)
	return l
}

// replaces reports whether the recipe of one labelling takes the place of that of another one, and asserts that not both do.
func replaces(t *testing.T, l, standing *label.Labelling) bool {
	t.Helper()
	is, err := l.Replaces(t.Context(), standing)
	if err != nil {
		t.Fatal(err)
	}
	back, err := standing.Replaces(t.Context(), l)
	if err != nil || is && back {
		t.Fatalf("each takes the place of the other, %v", err)
	}
	return is
}

// A recipe takes the place of one that decides wrongly without a label and against the graph; with fewer neighbours than the reference has, too. Nothing speaks for
// one of two that decide nothing, or for another of the same.
func TestReplaces(t *testing.T) {
	narrow, few, tuned := plain(), plain(), plain()
	narrow.Kernel, narrow.GammaA, narrow.GammaI = kernel.Gaussian{Sigma: 0.05}, 1, 1e-6
	few.Graph.Neighbours = 3
	tuned.Graph.Neighbours, tuned.Graph.Metric = 1, graph.SelfTuning
	bad := labelledBy(t, narrow, 20)
	for _, r := range []train.Recipe{plain(), few, tuned} {
		if good := labelledBy(t, r, 20); !replaces(t, good, bad) || replaces(t, good, labelledBy(t, r, 20)) {
			t.Errorf("%+v does not take the place of a narrow kernel, or takes its own", r.Graph)
		}
	}
	if replaces(t, labelledBy(t, plain(), 1), labelledBy(t, narrow, 1)) {
		t.Error("a recipe is better without decisions")
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
	var of []*label.Labelling
	for _, r := range []train.Recipe{plain(), constant} {
		l := opened(t, d, r, label.Options{})
		apply(t, l, changes...)
		of = append(of, l)
	}
	if replaces(t, of[1], of[0]) {
		t.Error("a machine that gives one class to all points takes the place of another")
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

// Of several classes too a recipe takes the place of one that tells nothing, and what is wrong of a label is said by machines without it. Neither ever took the
// place of the other once.
func TestSeveralReplaces(t *testing.T) {
	d, _ := posts(t, 120, 30, nil)
	wrongRecipe := ofSeveral()
	wrongRecipe.Kernel, wrongRecipe.GammaI = kernel.Gaussian{Sigma: 0.02}, 1e-6
	var of []*label.Labelling
	for k, r := range []train.Recipe{ofSeveral(), wrongRecipe} {
		l := opened(t, d, r, label.Options{})
		of = append(of, l)
		full := l.Answer()
		for _, one := range full.LeftOut {
			a := apply(t, l, label.Change{Point: one.Point, Class: dataset.Unlabelled})
			wrong := 0.0
			for c, name := range full.Several.Classes {
				if a.Several.Outputs[c][one.Point] > full.Several.Limits[c] != strings.Contains(full.Classes[one.Class], name) {
					wrong += 0.5
				}
			}
			if !(math.Abs(wrong-one.Wrong) <= 1e-9) {
				t.Fatalf("recipe %d: without its label point %d has %v of its answers wrong, %v said", k, one.Point, wrong, one.Wrong)
			}
			apply(t, l, label.Change{Point: one.Point, Class: one.Class})
		}
	}
	if !replaces(t, of[0], of[1]) {
		t.Error("a recipe does not take the place of one that tells nothing")
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
