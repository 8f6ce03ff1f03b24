package train

import (
	"math"
	"testing"

	"lapsvm/dataset"
	"lapsvm/internal/machines/task"
	"lapsvm/internal/points/graph"
	"lapsvm/kernel"
)

// Errors of the labels that were trained on, counted by hand.
func TestTrainedOn(t *testing.T) {
	for name, c := range map[string]struct {
		kind    task.Kind
		classes []string
		outputs [][]float64 // [machine][label]
		want    Summary
	}{
		"classes": {task.Kind{}, []string{"a", "b", "c"}, [][]float64{{1, 1, 0}, {0, 0, 0}, {0, 0, 1}}, Summary{TrainingError: 100. / 3}},
		"ordered": {task.Ordered("a", "b", "c"), []string{"a", "b", "c"}, [][]float64{{-1, -1, -1}, {-1, -1, -1}}, Summary{TrainingError: 200. / 3, TrainingDistance: 1}},
		"numbers": {task.Numbers(), []string{"1", "2", "3"}, [][]float64{{0, 0, 0}}, Summary{TrainingRMSE: math.Sqrt(2. / 3)}},
		"several": {task.Several(";"), []string{"a", "b", "a;b"}, [][]float64{{1, 1, 1}, {1, 1, 1}}, Summary{TrainingError: 100. / 3}},
	} {
		of, err := c.kind.Read(&dataset.Dataset{Y: []int{0, 1, 2}, Classes: c.classes})
		if err != nil {
			t.Fatal(err)
		}
		var got Summary
		got.decide(of, c.outputs, true)
		for what, pair := range map[string][2]float64{"error": {got.TrainingError, c.want.TrainingError}, "distance": {got.TrainingDistance, c.want.TrainingDistance}, "RMSE": {got.TrainingRMSE, c.want.TrainingRMSE}} {
			if !(math.Abs(pair[0]-pair[1]) <= 1e-9) {
				t.Errorf("%s: %s %v, want %v", name, what, pair[0], pair[1])
			}
		}
	}
}

// Costs of classes do nothing where there is one, and are no error. Numbers are left out in ten parts, and classes in five.
func TestRowsOfKinds(t *testing.T) {
	one := Recipe{Kind: task.OneClass(), ClassWeight: BalancedWeights, Kernel: kernel.Gaussian{Sigma: 1}, GammaA: 1, GammaI: 1, Graph: graph.Options{Neighbours: 3, Degree: 1}}
	if err := one.Validate(); err != nil {
		t.Errorf("costs of a single class are the error %v", err)
	}
	for kind, want := range map[task.Name]int{task.OfClasses: 5, task.OfNumbers: 10, task.OfOrdered: 5} {
		p := Plan{N: 100, Machines: 1, all: 100, Labelled: 50, Recipe: Recipe{Kind: task.Kind{Name: kind}}}
		if got := p.HeldOut(); got != want {
			t.Errorf("%v: %d machines without labels, want %d", kind, got, want)
		}
	}
	if slope := (Uncertainty{}).Slope(); slope != 1 {
		t.Errorf("decision values that are not calibrated have the slope %v", slope)
	}
}
