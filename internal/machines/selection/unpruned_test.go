package selection

import (
	"math"
	"slices"
	"testing"

	"lapsvm/internal/machines/task"
	"lapsvm/internal/machines/train"
)

// A machine counts unless labels speak against it so much that it has no weight, whatever modularity adds, with all labels and
// without each block.
func TestNear(t *testing.T) {
	const labels = 100 // so β is 2
	class := make([]int, labels)
	for k := range class {
		class[k] = k % 2
	}
	h := hold(&task.Task{Classes: []string{"a", "b"}, Class: class})
	h.count = seq(labels)
	h.blocks = []block{h.without([]int{0, 1})}
	a := &comparison{held: h, task: h.task}
	machine := func(all, without float64) *measured {
		return &measured{losses: slices.Repeat([]float64{all}, labels), unseen: []heldOutEstimate{{losses: slices.Repeat([]float64{without}, labels-2)}}}
	}
	reach := math.Log(1 / leastWeight)
	lossOf := func(less float64) float64 { return ((labels+4)*math.Exp(2*less/(labels+4)) - 4) / labels } // that has so much less of a log score than a loss of 1
	far, less := lossOf(reach+2+0.5), lossOf(reach+2-0.5)
	some := []*measured{machine(1, 1), machine(far, far), machine(less, far), machine(far, 1)}
	if got := a.unpruned(some); !slices.Equal(got, []int{0, 2, 3}) {
		t.Errorf("near are %v", got)
	}
	a.held = nil
	if got := a.unpruned(some); !slices.Equal(got, seq(4)) {
		t.Errorf("without labels near are %v", got)
	}
	if got := a.unpruned(nil); len(got) > 0 {
		t.Errorf("of none near are %v", got)
	}
}

// Of machines on few points those are promising that have a weight among those of the leading kernel and metric, on the two graphs of
// these with the largest sums of weights.
func TestPromising(t *testing.T) {
	on := func(kernel role, neighbours, degree int, gammaI, modularity float64) measured {
		return measured{candidate: candidate{kernel: kernel, Member: train.Member{Neighbours: neighbours, LaplacianDegree: degree, GammaI: gammaI}}, modularity: modularity}
	}
	some := []measured{ // a unit of modularity is 20 of evidence
		on(1, 5, 2, 1, 0.50), // the most, but of a kernel with no other
		on(0, 5, 2, 1, 0.49),
		on(0, 5, 2, 0.01, 0.48),
		on(0, 5, 2, 1e-4, 0.10), // without a weight
		on(0, 10, 2, 1, 0.47),
		on(0, 20, 2, 1, 0.45), // the third graph
	}
	a := new(comparison)
	want := []candidate{some[1].candidate, some[2].candidate, some[4].candidate}
	if got := a.promising(some); !slices.Equal(got, want) {
		t.Errorf("promising are %v, want %v", got, want)
	}
}
