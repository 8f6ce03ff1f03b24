package task

import (
	"math"
	"testing"

	"lapsvm/dataset"
)

// Errors of all kinds of labels, counted by hand.
func TestKnown(t *testing.T) {
	nan := math.NaN()
	all := func(n int) []int {
		labels := make([]int, n)
		for k := range labels {
			labels[k] = k
		}
		return labels
	}
	for name, c := range map[string]struct {
		known   Known
		outputs [][]float64 // [machine][label]
		wrong   []float64
		error   float64
		loss    float64 // of machine 0 and label 0
	}{
		"two classes":   {(&Task{Classes: []string{"a", "b"}, Class: []int{0, 1, 1}}).Known(), [][]float64{{-2, 0.5, -0.5}}, []float64{0, 0, 1}, 100. / 3, 0},
		"three classes": {(&Task{Classes: []string{"a", "b", "c"}, Class: []int{2, 1}}).Known(), [][]float64{{0.5, 0}, {-1, 1}, {0, 0}}, []float64{1, 0}, 50, 2.25},
		"one class":     {(&Task{Classes: []string{"a"}, Class: []int{0, 0}}).Known(), [][]float64{{0.5, -0.5}}, []float64{0, 1}, 50, 0.25},
		"not known":     {classed{OutputCodingOf(OfClasses, 2), []int{-1}}, [][]float64{{-1}}, []float64{1}, 100, 0},
		"outside":       {classed{OutputCodingOf(OfOneClass, 1), []int{dataset.Unlabelled}}, [][]float64{{-1}}, []float64{0}, 0, 0},
		"several": {(&Task{Kind: Several(";"), Classes: []string{"a", "b"}, Class: []int{0, 0, 0}, Answers: [][]float64{{1, -1, 1}, {-1, -1, nan}}}).Known(),
			[][]float64{{0.5, 1, 1}, {0.5, -1, 1}}, []float64{0.5, 0.5, nan}, 40, 0.25},
		"ordered": {must(Ordered("low", "mid", "high").Read(&dataset.Dataset{Y: []int{0, 1, 0}, Classes: []string{"high", "low"}})).Known(), // ranks count classes without a label
			[][]float64{{1, 1, -1}}, []float64{0, 2, 2}, 4. / 3, 0},
		"numbers": {(&Task{Kind: Numbers(), Class: []int{0, 0}, Values: []float64{1, -1}, Unit: Unit{5, 2}}).Known(), [][]float64{{4, 3}}, []float64{3, 4}, 2 * math.Sqrt(12.5), 9},
	} {
		labels := all(c.known.Len())
		for k, got := range Errors(c.known, labels, c.outputs) {
			if got != c.wrong[k] && !(math.IsNaN(got) && math.IsNaN(c.wrong[k])) {
				t.Errorf("%s: label %d is wrong by %v, want %v", name, k, got, c.wrong[k])
			}
		}
		if got := c.known.Error(labels, c.outputs); !(math.Abs(got-c.error) <= 1e-12) {
			t.Errorf("%s: error %v, want %v", name, got, c.error)
		}
		if got := c.known.Loss(0, 0, c.outputs[0][0]); !(math.Abs(got-c.loss) <= 1e-12) {
			t.Errorf("%s: loss %v, want %v", name, got, c.loss)
		}
		if e := c.known.Error(nil, make([][]float64, len(c.outputs))); !math.IsNaN(e) {
			t.Errorf("%s: the error of no label is %v", name, e)
		}
	}
}

// What rounding leaves of 0 decides for nothing: it is outside of one class, the first of two, and the first of several that are equal.
func TestKnownOfRounding(t *testing.T) {
	for name, c := range map[string]struct {
		classes []string
		class   int
		outputs []float64
	}{
		"one":   {[]string{"a"}, dataset.Unlabelled, []float64{1e-12}},
		"two":   {[]string{"a", "b"}, 0, []float64{1e-12}},
		"three": {[]string{"a", "b", "c"}, 1, []float64{-1, 0.5, 0.5 + 1e-12}},
	} {
		if got := (classed{OutputCodingOf(OfClasses, len(c.classes)), []int{c.class}}).Wrong(0, c.outputs); got != 0 {
			t.Errorf("%s: wrong by %v", name, got)
		}
	}
}

// Each class of several has its own answers, and 0 is negative.
func TestKnownOfSeveral(t *testing.T) {
	known := (&Task{Kind: Several(";"), Classes: []string{"a", "b"}, Class: []int{0}, Answers: [][]float64{{1}, {-1}}}).Known()
	for machine, want := range []struct{ target, loss float64 }{{1, 0.25}, {-1, 2.25}} {
		if target, loss := known.Target(machine, 0), known.Loss(machine, 0, 0.5); target != want.target || loss != want.loss {
			t.Errorf("machine %d is to say %v and loses %v, want %v", machine, target, loss, want)
		}
	}
	if wrong, e := known.Wrong(0, []float64{1, 0}), known.Error([]int{0}, [][]float64{{1}, {0}}); wrong != 0 || e != 0 {
		t.Errorf("a 0 of a class that the label lacks is wrong by %v, %v %%", wrong, e)
	}
	if wrong, e := known.Wrong(0, []float64{0, 0}), known.Error([]int{0}, [][]float64{{0}, {0}}); wrong != 0.5 || e != 50 {
		t.Errorf("a 0 of a class that the label has is wrong by %v, %v %%", wrong, e)
	}
}

// must returns a task that is read without an error.
func must(t *Task, err error) *Task {
	if err != nil {
		panic(err)
	}
	return t
}
