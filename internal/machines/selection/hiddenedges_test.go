package selection

import (
	"math"
	"slices"
	"testing"

	"lapsvm/dataset"
	"lapsvm/internal/machines/task"
	"lapsvm/internal/machines/train"
	"lapsvm/internal/points/graph"
	"lapsvm/kernel"
)

// Every given edge is either in the graphs of candidates or hidden, on few points as on all. Classes are to fit both.
func TestHiddenEdges(t *testing.T) {
	d := labelledMoons(500, 6, false)
	var arcs []dataset.Arc
	for i := range 500 {
		arcs = append(arcs, dataset.Arc{From: i, To: (i + 7) % 500, Weight: 1})
	}
	d.Edges, _ = dataset.NewEdges(arcs)
	a := comparisonOn(t, d, train.Recipe{Standardise: "none"}, train.Run{}, 500, 0)
	few, err := a.screeningSample(t.Context())
	if err != nil || few.hidden != a.hidden || few.edges != a.edges {
		t.Fatalf("%+v, %v", few, err)
	}
	if all := graph.Joined(a.edges, a.hidden, 1); len(all.Index) != 1000 || len(a.hidden.Index) < 100 || len(a.hidden.Index) > 300 {
		t.Errorf("%d and %d entries of 1000", len(a.edges.Index), len(a.hidden.Index))
	}
	class, outputs := make([]int, 500), [][]float64{make([]float64, 500)}
	for i := range class {
		class[i], outputs[0][i] = i%2, float64(2*(i%2)-1)
	}
	m := &measured{candidate: a.machines[0]}
	a.fit(m, outputs)
	if want := evened(a.reference, class, 2) + evened(a.hidden, class, 2); !(math.Abs(m.modularity-want) <= 1e-12) {
		t.Errorf("modularity %v, want %v", m.modularity, want)
	}
}

// Of more than chosenPoints points beside neighbours only the weights of the edges are compared.
func TestWeightsAloneOnManyPoints(t *testing.T) {
	a := &comparison{given: given{edges: new(graph.Adjacency)}, sample: sample{points: chosenPoints + 1}, task: new(task.Task),
		candidates: candidates{kernels: kernels{nearest: kernel.Gaussian{Sigma: 1}}, metrics: []graph.Metric{graph.Euclidean}}}
	a.list([]int{ReferenceNeighbours})
	var weights []float64
	for _, c := range a.machines {
		if weights = append(weights, c.edges); c.LaplacianDegree != 5 || c.GammaI != 1 {
			t.Errorf("%+v", c)
		}
	}
	if len(weights) != 3 || weights[0] != 0.1 || weights[2] != 10 {
		t.Errorf("weights %v", weights)
	}
}

// Edges that repel are in the graphs of candidates, and not among those that classes are to fit: a modularity has no negative weights.
func TestHiddenEdgesAttract(t *testing.T) {
	d := labelledMoons(200, 6, false)
	var arcs []dataset.Arc
	for i := range 200 {
		arcs = append(arcs, dataset.Arc{From: i, To: (i + 7) % 200, Weight: float64(1 - 2*(i%2))})
	}
	d.Edges, _ = dataset.NewEdges(arcs)
	a := comparisonOn(t, d, train.Recipe{Standardise: "none"}, train.Run{}, 200, 0)
	if least := slices.Min(a.hidden.Weight); len(a.hidden.Weight) == 0 || !(least > 0) {
		t.Errorf("the least weight of a hidden edge is %v", least)
	}
	if least := slices.Min(a.edges.Weight); !(least < 0) {
		t.Errorf("the least weight of an edge of candidates is %v", least)
	}
}

// As much modularity as any classes have in hidden edges by chance speaks for no choice.
func TestChanceAlongEdges(t *testing.T) {
	hidden := &graph.Adjacency{Index: make([]int32, 200)} // 100 edges, each from both ends
	of := func(q float64) *nested {
		return &nested{of: &comparison{given: given{hidden: hidden}}, alongEdges: q}
	}
	for _, c := range []struct{ q, other, want float64 }{{0.04, -0.3, 0}, {0.3, 0.02, 20 * 0.25}, {0.05, 0.4, -20 * 0.35}, {0.4, 0.3, 20 * 0.1}} {
		if got := of(c.q).over(of(c.other)); !(math.Abs(got-c.want) < 1e-12) {
			t.Errorf("%v over %v: %v, want %v", c.q, c.other, got, c.want)
		}
	}
}
