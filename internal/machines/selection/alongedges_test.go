package selection_test

import (
	"testing"

	"lapsvm/dataset"
	"lapsvm/internal/machines/selection"
	"lapsvm/internal/machines/train"
	"lapsvm/internal/points/graph"
	"lapsvm/points"
)

// twoPaths is n rows without a feature on two paths of edges, with six labels of each.
func twoPaths(n int) *dataset.Dataset {
	start, index, value := []int{0}, []int32{}, []float64{}
	d := &dataset.Dataset{Classes: []string{"a", "b"}, Featureless: true}
	var arcs []dataset.Arc
	for i := range n {
		start, index, value = append(start, i+1), append(index, int32(i)), append(value, 1)
		d.Y = append(d.Y, dataset.Unlabelled)
		if i/12%(n/72) == 0 {
			d.Y[i] = i % 2
		}
		if i > 1 {
			arcs = append(arcs, dataset.Arc{From: i - 2, To: i, Weight: 1})
		}
	}
	d.Points = points.CSR(n, start, index, value)
	d.Edges, _ = dataset.NewEdges(arcs)
	return d
}

// Machines along given edges alone are compared on all rows, however many. What is given stands.
func TestEdgesAloneOnManyRows(t *testing.T) {
	baselines := train.Recipe{Graph: graph.Options{EdgesAlone: true}, Seed: 1}
	one := baselines
	one.Graph.Degree, one.GammaA = 1, 1e-4
	r, err := selection.ChosenBy(t.Context(), twoPaths(1700), one, train.Run{})
	if err != nil || r.Choice.Candidates == 0 || r.Choice.Points != 1700 {
		t.Errorf("1,700 rows: %+v, %v", r.Choice, err)
	}
	r, err = selection.ChosenBy(t.Context(), twoPaths(3100), baselines, train.Run{})
	if err != nil || r.Choice.Candidates == 0 || r.Choice.Points != 3100 || len(r.Members) > 0 {
		t.Errorf("3,100 rows: %+v, %v", r.Choice, err)
	}
	r, err = selection.ChosenBy(t.Context(), twoPaths(20100), baselines, train.Run{})
	if err != nil || r.Choice.Candidates == 0 || r.Choice.Points != 20100 || r.Solver != train.Landmarks {
		t.Errorf("20,100 rows: %+v, %v", r, err)
	}
	if r, err = selection.ChosenBy(t.Context(), twoPaths(20100), one, train.Run{}); err != nil || r.GammaA != 1e-4 || r.Choice.Candidates == 0 || r.Graph.Degree != 1 {
		t.Errorf("20,100 rows with weights: %+v, %v", r, err)
	}
}
