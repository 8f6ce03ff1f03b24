package train

import (
	"math"
	"testing"

	"lapsvm/internal/machines/task"
	"lapsvm/internal/points/graph"
	"lapsvm/kernel"
)

// A fitted recipe records the heat width: the mean distance of neighbours where the width was open,
// the given width, or 0 where the edges need none.
func TestHeatWidthIsRecorded(t *testing.T) {
	d := few(40, 6)
	near, err := graph.FindNeighbours(t.Context(), d.Points, 4, graph.Euclidean)
	if err != nil {
		t.Fatal(err)
	}
	mean, err := near.MeanDistance(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		o    graph.Options
		want float64
	}{
		"found":  {graph.Options{Neighbours: 4}, mean},
		"given":  {graph.Options{Neighbours: 4, HeatWidth: 0.3}, 0.3},
		"binary": {graph.Options{Neighbours: 4, Weights: graph.Binary}, 0},
	} {
		f, err := Fit(t.Context(), d, Recipe{Kernel: kernel.Gaussian{Sigma: 1}, GammaA: 1, GammaI: 1, Graph: c.o}, Run{})
		if err != nil {
			t.Fatal(err)
		}
		if got := f.Recipe.Graph.HeatWidth; !(math.Abs(got-c.want) <= 1e-15) {
			t.Errorf("%s: the heat width is %v, want %v", name, got, c.want)
		}
	}
}

// The training error is the share of the labelled points that are given another
// class, in percent of these.
func TestTrainingError(t *testing.T) {
	of := &task.Task{Points: 10, Classes: []string{"a", "b"}, Labelled: []int{1, 4, 5, 8}, Class: []int{0, 1, 1, 0}}
	f := []float64{9, 1, 9, 9, 1, -1, 9, 9, -1, 9} // wrong at 1 and 5, right at 4 and 8
	var s Summary
	s.decide(of, [][]float64{f}, false)
	if s.TrainingError != 50 {
		t.Errorf("%v %%, want 50", s.TrainingError)
	}
	f[5] = 1
	if s.decide(of, [][]float64{f}, true); s.TrainingError != 25 {
		t.Errorf("%v %%, want 25", s.TrainingError)
	}
}
