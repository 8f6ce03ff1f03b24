package label_test

import (
	"testing"

	"lapsvm/dataset"
	"lapsvm/internal/machines/task"
	"lapsvm/internal/machines/train"
	"lapsvm/kernel"
	"lapsvm/label"
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
	r.Kind, r.Solver = task.OneClass(), train.Deformed
	l := opened(t, d, r, label.Options{})
	var a *label.Answer
	for i := range 12 {
		a = apply(t, l, label.Change{Point: i, Class: 1})
	}
	if a.Decided == nil || a.Probabilities != nil {
		t.Fatal("a one-class machine decides nothing, or has probabilities")
	}
	if l.Recipe().Calibrate {
		t.Error("the training of a single class is to have probabilities")
	}
	agrees(t, "one class", l, a)
	if is, err := l.Replaces(t.Context(), l); is || err != nil {
		t.Errorf("one class is compared, %v", err)
	}
	if _, err := l.Suggest(t.Context(), label.Auto, 3); err != nil {
		t.Error(err)
	}
	if _, err := l.Audit(t.Context()); err != nil {
		t.Error(err)
	}
}

// A class that is added, renamed or merged is in the answer at once, and the answer before
// stays as it was.
func TestClassesOfTheAnswer(t *testing.T) {
	d, truth := clusters(100, 2)
	l := opened(t, d, plain(), label.Options{})
	before := apply(t, l, label.Change{Point: 0, Class: truth[0]}, label.Change{Point: 1, Class: 1 - truth[0]})
	late, err := l.AddClass("late")
	if err != nil {
		t.Fatal(err)
	}
	if a := l.Answer(); len(a.Count) != 3 || len(a.Outputs) != 3 || len(a.Probabilities) != 3 || len(a.LeftOut[0].Outputs) != 3 || len(before.Count) != 2 {
		t.Errorf("after a class more there are %d counts and %d outputs, before %d", len(a.Count), len(a.Outputs), len(before.Count))
	}
	if _, err := l.AddClass("late"); err == nil {
		t.Error("two classes of one name")
	}
	if err := l.RenameClass(late, "later"); err != nil || l.Answer().Classes[late] != "later" {
		t.Errorf("the class is called %q, %v", l.Answer().Classes[late], err)
	}
	a, err := l.MergeClass(t.Context(), late, 0)
	if err != nil || a.Classes[late] != "" || l.Answer() != a {
		t.Errorf("the merged class is called %q, %v", a.Classes[late], err)
	}
	defer func() {
		if recover() == nil {
			t.Error("a label of a merged class is taken")
		}
	}()
	apply(t, l, label.Change{Point: 5, Class: late})
}
