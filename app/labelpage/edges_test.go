package labelpage

import (
	"reflect"
	"slices"
	"testing"

	"lapsvm"
	"lapsvm/dataset"
	"lapsvm/kernel"
	"lapsvm/points"
)

// alternating is n rows whose only feature says nothing of their two classes, and edges that join rows of one class.
func alternating(n int) *dataset.Dataset {
	values, y := make([]float64, n), make([]int, n)
	var arcs []dataset.Arc
	for i := range n {
		values[i], y[i] = float64(i*7%n), dataset.Unlabelled
		for _, step := range []int{2, 10, 26} {
			if i >= step {
				arcs = append(arcs, dataset.Arc{From: i - step, To: i, Weight: 1})
			}
		}
	}
	d := &dataset.Dataset{Points: points.Dense(n, 1, values), Y: y}
	d.Edges, _ = dataset.NewEdges(arcs)
	return d
}

// The page's machine decides along given edges, and keeps them where rows come in.
func TestLearningAlongEdges(t *testing.T) {
	for _, alone := range []bool{false, true} {
		learnAlongEdges(t, lapsvm.Recipe{ByEdges: alone, Kernel: kernel.Gaussian{Sigma: 0.3}, Graph: lapsvm.Graph{EdgesAlone: true}})
	}
}

// learnAlongEdges has a page decide by a recipe.
func learnAlongEdges(t *testing.T, r lapsvm.Recipe) {
	t.Helper()
	const n, more = 60, 6
	d := alternating(n)
	m, err := Learning(lapsvm.Trainer{Recipe: r})(t.Context(), d, slices.Clone(d.Y), nil, func(string, float64) {})
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	a, err := m.Apply(t.Context(), []string{"a", "b"}, []Change{{0, 0}, {1, 1}, {n - 2, 0}, {n - 1, 1}})
	if err != nil {
		t.Fatal(err)
	}
	follows := func(a *Answer) {
		t.Helper()
		for i := range n {
			if a.Decided[i] != i%2 {
				t.Errorf("row %d is decided as %d", i, a.Decided[i])
			}
		}
	}
	follows(a)
	came := alternating(more)
	came.Edges = dataset.Edges{}
	grown, err := joined(d, came)
	if err != nil || !reflect.DeepEqual(grown.Edges, d.Edges) || grown.Points.Len() != n+more {
		t.Fatalf("%+v, %v", grown, err)
	}
	if _, err := m.Grow(t.Context(), grown); err != nil {
		t.Fatal(err)
	}
	next, err := m.Rebuild()(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer next.Close()
	if a, err = next.Apply(t.Context(), []string{"a", "b"}, nil); err != nil {
		t.Fatal(err)
	}
	follows(a)
}
