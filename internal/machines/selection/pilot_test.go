package selection

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"lapsvm/dataset"
	"lapsvm/internal/machines/task"
	"lapsvm/internal/machines/train"
	"lapsvm/points"
)

// What a graph says of labels that have nothing to do with the points does not count for a description, with few
// labels and with many.
func TestChanceDoesNotCount(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 2))
	values := make([]float64, 200*2)
	for i := range values {
		values[i] = rng.NormFloat64()
	}
	for _, labelled := range []int{12, 60} {
		d := &dataset.Dataset{Points: points.Dense(200, 2, values), Classes: []string{"a", "b"}}
		for i := range 200 {
			d.Y = append(d.Y, dataset.Unlabelled)
			if i < labelled {
				d.Y[i] = i % 2
			}
		}
		j, err := pilot(t.Context(), d, train.Recipe{Seed: 1}, train.Run{}, nil)
		if err != nil || j == nil {
			t.Fatal(j, err)
		}
		a := comparisonOn(t, d, train.Recipe{Seed: 1, Standardise: points.AsIs}, train.Run{}, describedPoints, 0)
		some, err := a.measure(t.Context(), a.machinesOn(newGraphs(a.machines).middle()), new(counter))
		if err != nil {
			t.Fatal(err)
		}
		most := 0.0
		for _, m := range some {
			most = max(most, m.modularity)
		}
		if !(math.Abs(j.fit) < 0.15) || !(most > 0.3) {
			t.Errorf("%d labels: the fit is %v, and modularity is up to %v", labelled, j.fit, most)
		}
	}
}

// A regression has graphs only where the log score for them is more than the luck of many.
func TestGraphsNeedMoreThanLuck(t *testing.T) {
	const labels = 10
	of := &task.Task{Kind: task.Numbers(), Values: make([]float64, labels), Class: make([]int, labels)}
	h := hold(of)
	h.count = seq(labels)
	a := &comparison{held: h, task: of}
	machine := func(loss float64) measured { return measured{losses: slices.Repeat([]float64{loss}, labels)} }
	machines := make([]measured, 20)
	for i := range machines {
		machines[i] = machine(1)
	}
	// The luck of twenty beside one is log 20 = 3.0. Losses of 1 + 2x/10 have x less evidence.
	for x, baselines := range map[float64]bool{2.9: true, 3.1: false} {
		n := &nestedNumbers{with: make([]float64, labels), without: slices.Repeat([]float64{1}, labels)}
		n.without[0] = 1.1
		if got := a.withoutGraph(machines, []measured{machine(1 + 2*x/labels)}, n, -1, 0, 0); got != baselines {
			t.Errorf("%v more evidence for graphs: without them is %v", x, got)
		}
	}
}
