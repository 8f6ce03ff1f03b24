package selection

import (
	"math"
	"testing"

	"lapsvm/internal/machines/task"
	"lapsvm/internal/machines/train"
	"lapsvm/internal/numbers/objective"
	"lapsvm/internal/points/graph"
	"lapsvm/kernel"
	"lapsvm/points"
)

// What a machine says of a left-out label at a new row is what intervals of a training by the same recipe have.
func TestAtNewRowsIsIntervals(t *testing.T) {
	d := numbersData(200, 30, 3, 3, sheet)
	r := train.Recipe{Kind: task.Numbers(), Standardise: points.AsIs, Kernel: kernel.Gaussian{Sigma: 2}, Graph: graph.Options{Neighbours: 5, Degree: 2}, Seed: 1}
	a, why, err := newComparison(t.Context(), d, r, train.Run{}, somePoints, 0)
	if err != nil || why != "" {
		t.Fatal(why, err)
	}
	got, err := a.outOfSample(t.Context(), candidate{whole, a.metrics[0], 0, train.Member{Neighbours: 5, LaplacianDegree: 2, GammaA: 1e-4, GammaI: 0.1}, false})
	if err != nil {
		t.Fatal(err)
	}
	r.Loss, r.Solver, r.Calibrate, r.GammaA, r.GammaI, r.Graph.Metric = objective.Squared, train.Deformed, true, 1e-4, 0.1, a.metrics[0]
	m, err := train.Fit(t.Context(), d, r, train.Run{})
	if err != nil {
		t.Fatal(err)
	}
	for label, want := range m.Intervals.Residual {
		if residual := a.task.Unit.Scale * math.Abs(a.task.Values[label]-got[label]); !(math.Abs(residual-want) <= 1e-6*a.task.Unit.Scale) {
			t.Errorf("label %d is off by %v at a new row, by %v in the intervals", label, residual, want)
		}
	}
}

// Where a kernel is as narrow as neighbours are apart the loss counts more, as it is larger at new rows. Where it is wide it is not, and machines without a graph have no such factor.
func TestLossBeyondNarrowKernels(t *testing.T) {
	d := numbersData(300, 100, 3, 3, sheet)
	for criterion, limit := range map[train.Criterion]float64{train.MeanSquared: 1.1, train.MeanAbsolute: 1.05} {
		a, why, err := newComparison(t.Context(), d, train.Recipe{Kind: task.Numbers(), Criterion: criterion, Standardise: points.AsIs, Seed: 1}, train.Run{}, somePoints, 0)
		if err != nil || why != "" {
			t.Fatal(why, err)
		}
		for _, kernel := range []role{nearest, between, median} {
			c := candidate{kernel, a.metrics[0], 0, train.Member{Neighbours: 5, LaplacianDegree: 2, GammaA: 1e-4, GammaI: 0.01}, false}
			some, err := a.measure(t.Context(), []candidate{c}, new(counter))
			if err != nil || len(some) != 1 {
				t.Fatal(some, err)
			}
			some[0].scale = 0
			if err := a.measureOutOfSample(t.Context(), some); err != nil {
				t.Fatal(err)
			}
			factor := a.excess(&some[0])
			some[0].Neighbours = 0
			if narrow := kernel == nearest; narrow != (factor > limit) || a.excess(&some[0]) != 1 {
				t.Errorf("%s: kernel %d has the factor %v, and without a graph %v", criterion, kernel, factor, a.excess(&some[0]))
			}
		}
	}
}
