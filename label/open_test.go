package label_test

import (
	"testing"

	"lapsvm/dataset"
	"lapsvm/kernel"
	"lapsvm/label"
	"lapsvm/train"
)

// An open recipe is set by rules of thumb while labels cannot choose, and chosen by them
// when it is opened again; what came meanwhile is taken in.
func TestOpenRecipe(t *testing.T) {
	d, truth := clusters(120, 3)
	l := opened(t, d, train.Recipe{}, label.Options{})
	r := l.Recipe()
	if kernel.Open(r.Kernel) || r.GammaA != train.DefaultGammaA || r.Choice != nil || l.Stale() {
		t.Errorf("the recipe without labels is %+v", r)
	}
	for i := range 24 {
		apply(t, l, label.Change{Point: i, Class: truth[i]})
	}
	if !l.Stale() {
		t.Error("24 labels more, and the choice is not stale")
	}
	data := l.Dataset()
	apply(t, l, label.Change{Point: 50, Class: truth[50]}, label.Change{Point: 3, Class: dataset.Unlabelled})
	next := opened(t, data, train.Recipe{}, label.Options{})
	if next.Recipe().Choice == nil || next.Stale() {
		t.Errorf("the recipe was not chosen: %+v", next.Recipe())
	}
	a := apply(t, next, next.Towards(l.Labels())...)
	if a.Labels[50] != truth[50] || a.Labels[3] != dataset.Unlabelled {
		t.Error("the labels that came meanwhile are not taken in")
	}
	right := 0
	for i, c := range a.Decided {
		if c == truth[i] {
			right++
		}
	}
	if right < 110 {
		t.Errorf("%d of 120 points are right", right)
	}
}

// One class has machines of its own.
func TestOneClass(t *testing.T) {
	d, _ := clusters(100, 2)
	r := plain()
	r.OneClass, r.Solver = true, train.Deformed
	l := opened(t, d, r, label.Options{})
	var a *label.Answer
	for i := range 12 {
		a = apply(t, l, label.Change{Point: i, Class: 1})
	}
	if a.Decided == nil || a.Probabilities != nil {
		t.Fatal("a one-class machine decides nothing, or has probabilities")
	}
	agrees(t, "one class", l, a)
	if _, err := l.Suggest(t.Context(), label.Auto, 3); err != nil {
		t.Error(err)
	}
	if _, err := l.Audit(t.Context()); err != nil {
		t.Error(err)
	}
}
