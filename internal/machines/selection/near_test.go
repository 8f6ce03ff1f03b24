package selection

import (
	"slices"
	"testing"

	"lapsvm/internal/machines/task"
)

// A machine counts unless labels speak against it by more than scoutedReach and all that modularity can add, with all labels and
// without each block.
func TestNear(t *testing.T) {
	const labels = 100 // so β is 2, and a loss of 1 + 2x/100 means x less evidence than a loss of 1
	class := make([]int, labels)
	for k := range class {
		class[k] = k % 2
	}
	h := &heldOut{task: &task.Task{Classes: []string{"a", "b"}, Class: class}, class: class, count: seq(labels)}
	h.blocks = []block{h.without([]int{0, 1})}
	a := &arena{held: h, task: h.task}
	machine := func(all, without float64) *measured {
		return &measured{losses: slices.Repeat([]float64{all}, labels), unseen: []unseen{{losses: slices.Repeat([]float64{without}, labels-2)}}}
	}
	far := 1 + 2*(scoutedReach+2+0.5)/labels
	less := 1 + 2*(scoutedReach+2-0.5)/labels
	some := []*measured{machine(1, 1), machine(far, far), machine(less, far), machine(far, 1)}
	if got := a.near(some); !slices.Equal(got, []int{0, 2, 3}) {
		t.Errorf("near are %v", got)
	}
	a.held = nil
	if got := a.near(some); !slices.Equal(got, seq(4)) {
		t.Errorf("without labels near are %v", got)
	}
	if got := a.near(nil); len(got) > 0 {
		t.Errorf("of none near are %v", got)
	}
}
