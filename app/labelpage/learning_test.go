package labelpage

import (
	"context"
	"slices"
	"strings"
	"testing"

	"lapsvm"
	"lapsvm/dataset"
	"lapsvm/internal/machines/task"
	"lapsvm/internal/points/graph"
	"lapsvm/kernel"
	"lapsvm/label"
	"lapsvm/points"
)

// The machine of package label is used as the page uses it: before there are classes,
// while classes are added, exchange their names and are removed, and with withdrawn
// labels.
func TestLearning(t *testing.T) {
	d := dataset.TwoMoons(80, 0.08, 1)
	truth := slices.Clone(d.Y)
	none := make([]int, len(truth))
	for i := range none {
		none[i] = -1
	}
	m, err := Learning(lapsvm.Trainer{})(t.Context(), d, none, nil, func(string, float64) {})
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	apply := func(classes []string, changes ...Change) *Answer {
		t.Helper()
		a, err := m.Apply(t.Context(), classes, changes)
		if err != nil {
			t.Fatal(err)
		}
		return a
	}
	if a := apply(nil); a.Decided != nil {
		t.Error("decisions without a label")
	}
	suggested, err := m.Suggest(t.Context(), 10)
	if err != nil || len(suggested) != 10 || suggested[0].Reason == "" {
		t.Fatalf("%v, %v", suggested, err)
	}
	var changes []Change
	for _, s := range suggested {
		changes = append(changes, Change{s.Point, 2 * truth[s.Point]})
	}
	a := apply([]string{"low", "", "high"}, changes...)
	wrong := 0
	for i, c := range a.Decided {
		if c != 2*truth[i] {
			wrong++
		}
	}
	if wrong > 8 || a.Probabilities[1] != nil || !(a.probability(a.Decided[0], 0) > 0.5) {
		t.Errorf("%d of %d wrong", wrong, len(truth))
	}
	// Names say nothing of the decisions.
	if b := apply([]string{"high", "middle", "low", "more"}); !slices.Equal(a.Decided, b.Decided) {
		t.Error("other names, other decisions")
	}
	for i := range 40 {
		changes = append(changes, Change{i, 2 * truth[i]})
	}
	turned := changes[len(changes)-1]
	apply([]string{"high", "", "low"}, append(changes, Change{turned.Point, 2 - turned.Class})...)
	suspicions, err := m.Audit(t.Context())
	if err != nil || len(suspicions) == 0 || suspicions[0].Point != turned.Point || suspicions[0].Suggested != turned.Class {
		t.Errorf("%+v, %v", suspicions, err)
	}
	for k := range changes {
		changes[k].Class = -1
	}
	if a = apply([]string{"high", "", "low"}, changes...); a.Decided != nil {
		t.Error("decisions after all labels were withdrawn")
	}
	if xy, err := m.Layout(t.Context()); err != nil || len(xy) != 160 {
		t.Errorf("%d, %v", len(xy), err)
	}
	if near := m.Similar(3, 5); len(near) != 5 || slices.Contains(near, 3) {
		t.Errorf("%v", near)
	}
}

// Two machines side by side fit into the memory allowed. A machine that is never replaced
// may have all of it.
func TestMemoryOfTwoMachines(t *testing.T) {
	d := dataset.TwoMoons(80, 0.08, 1)
	for i := range d.Y {
		d.Y[i] = dataset.Unlabelled
	}
	var trainer lapsvm.Trainer
	enough := func() error {
		l, err := label.Open(t.Context(), d, trainer.Recipe, label.Options{Run: trainer.Run})
		if err == nil {
			l.Close()
		}
		return err
	}
	for trainer.Memory = 1 << 12; enough() != nil; trainer.Memory *= 2 {
		if trainer.Memory > 1<<30 {
			t.Fatal(enough())
		}
	}
	one := trainer.Memory
	for _, by := range []struct {
		memory int64
		opens  bool
	}{{one, false}, {2 * one, true}} {
		trainer.Memory = by.memory
		m, err := Learning(trainer)(context.Background(), d, slices.Clone(d.Y), nil, func(string, float64) {})
		if err == nil {
			m.Close()
		}
		if (err == nil) != by.opens {
			t.Errorf("with %d of the %d bytes that one takes: %v", by.memory, one, err)
		}
	}
}

// Classes that are numbers have their order, also beside one that was merged into another and has no name.
func TestLearningByNumbers(t *testing.T) {
	d := dataset.TwoMoons(60, 0.08, 1)
	labels := slices.Repeat([]int{-1}, 60)
	for i := range 12 {
		labels[i] = 2 * d.Y[i]
	}
	m, err := Learning(lapsvm.Trainer{Recipe: lapsvm.Recipe{Kind: task.Ordered(), RulesOfThumb: true}})(t.Context(), d, labels, []string{"10", "", "2"}, func(string, float64) {})
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	a, err := m.Apply(t.Context(), []string{"10", "", "2"}, nil)
	if err != nil || !slices.Contains(a.Decided, 0) || !slices.Contains(a.Decided, 2) {
		t.Fatalf("%v, %v", a, err)
	}
	if _, err := m.Apply(t.Context(), []string{"10", "", "two"}, nil); err == nil || !strings.Contains(err.Error(), `"two" is no number`) {
		t.Errorf("the error is %v", err)
	}
}

// Of several classes too, a recipe chosen anew takes the place of a bad one.
func TestSeveralChooseAnew(t *testing.T) {
	d := table(t, 80)
	labels, classes := slices.Repeat([]int{-1}, 80), []string{}
	for _, has := range [][]string{{}, {"upper"}, {"late"}, {"upper", "late"}} {
		classes = append(classes, dataset.JoinSeveral(has, nil, ";"))
	}
	for k := range 30 {
		row := 7 * k % 80
		labels[row] = row%2 + 2*(row/40)
	}
	open := func(r lapsvm.Recipe) Machine {
		r.Kind = task.Several(";")
		m, err := Learning(lapsvm.Trainer{Recipe: r})(t.Context(), d, labels, classes, func(string, float64) {})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(m.Close)
		return m
	}
	standing := open(lapsvm.Recipe{Kernel: kernel.Gaussian{Sigma: 0.5}, Standardise: points.AsIs, GammaA: 1, GammaI: 1e-6, Graph: graph.Options{Neighbours: 5, Degree: 1}})
	next := open(lapsvm.Recipe{})
	if is, err := next.Replaces(t.Context(), standing); !is || err != nil {
		t.Errorf("the recipe chosen anew is taken: %v, %v", is, err)
	}
	if is, err := standing.Replaces(t.Context(), next); is || err != nil {
		t.Errorf("the one before takes its place: %v, %v", is, err)
	}
}
