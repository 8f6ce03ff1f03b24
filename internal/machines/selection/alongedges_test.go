package selection_test

import (
	"math"
	"math/rand/v2"
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
	featured := twoPaths(20100)
	column := make([]float64, 20100)
	for i := range column {
		column[i] = float64(i % 7)
	}
	featured.Featureless, featured.Points = false, points.Dense(len(column), 1, column)
	if r, err = selection.ChosenBy(t.Context(), featured, baselines, train.Run{}); err != nil || !r.ByEdges || r.Choice.Points != 20100 {
		t.Errorf("20,100 rows with a feature: %+v, %v", r, err)
	}
	if r, err = selection.ChosenBy(t.Context(), twoPaths(20100), one, train.Run{}); err != nil || r.GammaA != 1e-4 || r.Choice.Candidates == 0 || r.Graph.Degree != 1 {
		t.Errorf("20,100 rows with weights: %+v, %v", r, err)
	}
}

// A label of many edges does not give its class more than its share: of two blocks, where one row has edges to a quarter of its block, neither class takes far more than half.
func TestHub(t *testing.T) {
	const n = 400
	rng := rand.New(rand.NewPCG(5, 421))
	start, index, value := []int{0}, []int32{}, []float64{}
	d := &dataset.Dataset{Classes: []string{"a", "b"}, Featureless: true}
	for i := range n {
		start, index, value = append(start, i+1), append(index, int32(i)), append(value, 1)
		d.Y = append(d.Y, dataset.Unlabelled)
	}
	d.Points, d.Y[0], d.Y[1] = points.CSR(n, start, index, value), 0, 1
	var arcs []dataset.Arc
	for i := range n {
		for j := range i {
			p := 0.006
			switch same := i%2 == j%2; {
			case same && j == 0:
				p = 0.25
			case same:
				p = 0.025
			}
			if rng.Float64() < p {
				arcs = append(arcs, dataset.Arc{From: i, To: j, Weight: 1})
			}
		}
	}
	d.Edges, _ = dataset.NewEdges(arcs)
	truth := make([]int, n)
	for i := range truth {
		truth[i] = i % 2
	}
	noise := make([]float64, 3*n)
	for i := range noise {
		noise[i] = rng.NormFloat64()
	}
	featured := *d
	featured.Featureless, featured.Points = false, points.Dense(n, 3, noise)
	alone := train.Recipe{Graph: graph.Options{EdgesAlone: true}, Seed: 1}
	steered := alone
	steered.Prior = train.LabelledPrior
	for _, one := range []struct {
		d *dataset.Dataset
		r train.Recipe
	}{{d, alone}, {&featured, alone}, {&featured, train.Recipe{Seed: 1}}, {d, steered}} {
		if share, r, _, _ := wrong(t, one.d, truth, one.r); !(share < 0.2) || r.ByEdges == one.d.Featureless {
			t.Errorf("%.3f wrong, by %+v", share, r.Leading())
		}
	}
}

// powerLaw is a block model of n rows without a feature in two classes of equal shares. Rows have 10 edges in the mean, and degrees of a power law; a row of the same class is 2.5 times as
// likely at an edge. The row of the most edges in one class has a label, and one of few edges in the other.
func powerLaw(n int, seed uint64) *dataset.Dataset {
	rng := rand.New(rand.NewPCG(seed, uint64(n)))
	size, all := make([]float64, n), 0.0
	start, index, value := []int{0}, []int32{}, []float64{}
	d, truth := &dataset.Dataset{Classes: []string{"a", "b"}, Featureless: true}, make([]int, n)
	for i := range n {
		size[i] = min(math.Pow(1-rng.Float64(), -1/1.5), 20)
		all += size[i]
		start, index, value = append(start, i+1), append(index, int32(i)), append(value, 1)
		d.Y, truth[i] = append(d.Y, dataset.Unlabelled), 2*i/n
	}
	d.Points = points.CSR(n, start, index, value)
	degree := make([]int, n)
	var arcs []dataset.Arc
	for i := range n {
		for j := range i {
			p := 10 / 0.7 * float64(n) * size[i] * size[j] / (all * all)
			if truth[i] != truth[j] {
				p /= 2.5
			}
			if rng.Float64() < p {
				arcs, degree[i], degree[j] = append(arcs, dataset.Arc{From: i, To: j, Weight: 1}), degree[i]+1, degree[j]+1
			}
		}
	}
	d.Edges, _ = dataset.NewEdges(arcs)
	hub, plain := -1, -1
	for _, i := range rng.Perm(n) {
		if truth[i] == 0 && (hub < 0 || degree[i] > degree[hub]) {
			hub = i
		}
		if truth[i] == 1 && plain < 0 && degree[i] >= 3 && degree[i] <= 8 {
			plain = i
		}
	}
	d.Y[hub], d.Y[plain] = 0, 1
	return d
}

// A hub's class takes hardly more than its share of rows whose edges say little: functions of a large power of the Laplacian have low peaks at labels of few edges.
func TestHubOfPowerLaw(t *testing.T) {
	for seed := range uint64(3) {
		d := powerLaw(800, seed)
		r, err := selection.ChosenBy(t.Context(), d, train.Recipe{Graph: graph.Options{EdgesAlone: true}, Seed: 1}, train.Run{})
		if err != nil {
			t.Fatal(err)
		}
		f, err := train.Fit(t.Context(), d, r, train.Run{})
		if err != nil {
			t.Fatal(err)
		}
		share := 0.0
		for _, row := range f.Summary.Scores {
			share += float64(1-f.Task.Coding().DecideScores(row)) / float64(d.Len())
		}
		if !(share < 0.6) {
			t.Errorf("draw %d: %.3f of the rows are of the hub's class, by %+v", seed, share, r.Leading())
		}
	}
}
