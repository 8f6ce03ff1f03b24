package selection

import (
	"math"
	"testing"

	"lapsvm/internal/machines/task"
	"lapsvm/internal/machines/train"
)

// toldNumbers returns what labels of the numbers 1 to 6 say of a machine that is off by so much at each, without a part in the choice.
func toldNumbers(off float64, criterion train.Criterion) *nested {
	t := &task.Task{Kind: task.Numbers(), Unit: task.Unit{Scale: 1}, Values: []float64{1, 2, 3, 4, 5, 6}}
	n := &nested{of: &comparison{task: t, held: hold(t)}, outputs: make([][]float64, 1)}
	n.of.held.criterion = criterion
	for k, y := range t.Values {
		n.labels, n.outputs[0] = append(n.labels, k), append(n.outputs[0], y+off)
	}
	n.baselines, n.left = n.outputs, n.outputs
	return n
}

// Views of numbers weigh about the inverse square of their mean squared error, those that are far off nothing. Where labels tell nothing there is one machine.
func TestViewsByErrors(t *testing.T) {
	views := []train.View{{Name: "worse"}, {Name: "alike"}, {Name: "far"}}
	for _, criterion := range []train.Criterion{train.MeanSquared, train.MeanAbsolute} {
		all := []*nested{toldNumbers(1, criterion), toldNumbers(-2, criterion), toldNumbers(1, criterion), toldNumbers(50, criterion)}
		those, of, weights := byErrors(views, all)
		worse := math.Pow(10.0/(6*4+4*1), 2) // of 6 labels, and 4 that lose alike
		if criterion == train.MeanAbsolute {
			worse = math.Pow(10.0/(6*2+4*1), 4)
		}
		if len(those) != 2 || those[0].Name != "worse" || those[1].Name != "alike" || len(of) != 3 || of[2] != all[2] || weights[0] != 1 || !(math.Abs(weights[1]-worse) < 1e-12) || weights[2] != 1 {
			t.Errorf("%s: %v of the weights %v, want 1, %v and 1", criterion, those, weights, worse)
		}
		if those, of, weights := byErrors(views, []*nested{all[0], nil, all[2], all[3]}); those != nil || len(of) != 1 || len(weights) != 1 {
			t.Errorf("%s: %v of %v where labels tell nothing", criterion, those, weights)
		}
	}
	n := meanOf([]*nested{toldNumbers(1, ""), toldNumbers(-2, "")}, []float64{3, 1})
	for k, v := range n.outputs[0] {
		if !(math.Abs(v-(float64(k+1)+0.25)) < 1e-12) || n.left[0][k] != v {
			t.Errorf("the mean says %v and %v of %d", v, n.left[0][k], k+1)
		}
	}
}
