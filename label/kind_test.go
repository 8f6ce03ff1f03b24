package label

import (
	"testing"

	"lapsvm/dataset"
	"lapsvm/internal/machines/task"
	"lapsvm/internal/machines/train"
)

// A reason names both sides of the rank that divides the probability best. Where no rank is near a half, it names the likeliest class.
func TestBetweenRanks(t *testing.T) {
	a := &Answer{Classes: []string{"high", "low", "mid"}, Probabilities: [][]float32{{0.2, 0.45, 0.05, 0.3}, {0.5, 0.3, 0.9, 0.66}, {0.3, 0.25, 0.05, 0.04}}}
	for i, want := range []string{
		"the decision between low (50 %) and mid or higher (50 %) is close",
		"the decision between mid or lower (55 %) and high (45 %) is close",
		"it is taken for low with 90 %",
		"it is taken for low with 66 %",
	} {
		if got := (ordered{of: task.Ordered("low", "mid", "high")}).between(a, i); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// Parameters are chosen by two numbers, and by two labels of two classes each.
func TestFew(t *testing.T) {
	for _, c := range []struct {
		kind   task.Kind
		labels []int
		want   bool
	}{
		{task.Numbers(), []int{0}, true}, {task.Numbers(), []int{0, 1}, false},
		{task.Kind{}, []int{0, 0, 1}, true}, {task.Kind{}, []int{0, 1, 0, 1}, false},
	} {
		l := &Labelling{asked: train.Recipe{Kind: c.kind}, y: append(c.labels, dataset.Unlabelled)}
		count := make([]int, 2)
		for _, class := range c.labels {
			count[class]++
		}
		if got := l.kind().few(l, count); got != c.want {
			t.Errorf("%v %v are too few: %v", c.kind.Name, c.labels, got)
		}
	}
}
