package selection

import (
	"slices"
	"testing"

	"lapsvm/dataset"
	"lapsvm/internal/machines/task"
	"lapsvm/internal/machines/train"
)

// Labels of a single class compare no machines, and a row of it that is decided to be outside is wrong.
func TestSingleClass(t *testing.T) {
	of := &task.Task{Kind: task.OneClass(), Points: 4, Classes: []string{"a"}, Labelled: []int{0, 1}, Class: []int{0, 0}}
	if why := (&comparison{}).cannot(of, 100, train.Run{}); why != "there is one class only" {
		t.Errorf("machines cannot be compared, as %q", why)
	}
	wrong, err := machine{task: of}.wrong([]int{dataset.Unlabelled, 0, 0}, &dataset.Dataset{Classes: []string{"a"}}, []int{0, 0, dataset.Unlabelled})
	if err != nil || !slices.Equal(wrong, []float64{1, 0}) {
		t.Errorf("wrong %v, %v", wrong, err)
	}
}
