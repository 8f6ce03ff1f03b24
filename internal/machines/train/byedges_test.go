package train

import (
	"math"
	"math/rand/v2"
	"reflect"
	"testing"

	"lapsvm/dataset"
	"lapsvm/internal/points/graph"
	"lapsvm/kernel"
	"lapsvm/points"
)

// twoGroups is rows of two classes, whose column is about −2 and 2, with edges within a class. The last ten of each have no edge to others.
func twoGroups() *dataset.Dataset {
	const n = 200
	rng := rand.New(rand.NewPCG(9, 59))
	values := make([]float64, n)
	d := &dataset.Dataset{Classes: []string{"a", "b"}}
	var arcs []dataset.Arc
	for i := range n {
		values[i] = float64(4*(i%2)-2) + 0.3*rng.NormFloat64()
		d.Y = append(d.Y, dataset.Unlabelled)
		if i < 6 {
			d.Y[i] = i % 2
		}
		for j := range min(i, n-20) {
			if i < n-20 && rng.Float64() < 0.1 && i%2 == j%2 {
				arcs = append(arcs, dataset.Arc{From: i, To: j, Weight: 1})
			}
		}
	}
	for i := n - 20; i < n-12; i += 2 { // which no label reaches
		arcs = append(arcs, dataset.Arc{From: i, To: i + 2, Weight: 1})
	}
	d.Points = points.Dense(n, 1, values)
	d.Edges, _ = dataset.NewEdges(arcs)
	return d
}

// By edges rows that these join to a label have the values of rows without a feature, whatever the kernel. Features decide the others, and new rows.
func TestByEdges(t *testing.T) {
	d := twoGroups()
	n := d.Points.Len()
	r := Recipe{Kernel: kernel.Gaussian{Sigma: 1}, GammaA: 1e-4, GammaI: 1, ByEdges: true, Centred: true, Seed: 1, Graph: graph.Options{EdgesAlone: true, Degree: 2}}
	f, err := Fit(t.Context(), d, r, Run{})
	if err != nil {
		t.Fatal(err)
	}
	bare, own := *d, r
	start, index, value := make([]int, n+1), make([]int32, n), make([]float64, n)
	for i := range n {
		start[i+1], index[i], value[i] = i+1, int32(i), 1
	}
	bare.Points, bare.Featureless = points.CSR(n, start, index, value), true
	own.ByEdges, own.Kernel = false, kernel.Linear{}
	want, err := Fit(t.Context(), &bare, own, Run{})
	if err != nil {
		t.Fatal(err)
	}
	shift := f.Summary.Scores[0][1] - want.Summary.Scores[0][1] // the means are over other values
	for i, scores := range f.Summary.Scores {
		if i < n-20 && !(math.Abs(scores[1]-shift-want.Summary.Scores[i][1]) < 1e-9) {
			t.Fatalf("row %d has the value %v, without features %v", i+1, scores[1], want.Summary.Scores[i][1])
		}
		if scores[1] > 0 != (i%2 == 1) {
			t.Errorf("row %d, whose column is %.2f, has the value %v", i+1, d.Points.At(i, 0), scores[1])
		}
	}
	scores, err := f.Predictor().Scores(t.Context(), points.Dense(2, 1, []float64{-2, 2}))
	if err != nil || !(scores[0][1] < 0) || !(scores[1][1] > 0) {
		t.Errorf("new rows have the values %v, %v", scores, err)
	}
	if s := f.Summary.Edges; s == nil || s.OfFeatures(1) != 0 {
		t.Errorf("beside an edge features weigh in: %+v", s)
	}
}

// Beside neighbours edges decide nothing alone, nor does a supervised machine follow them.
func TestByEdgesBesideNeighbours(t *testing.T) {
	d := twoGroups()
	for _, r := range []Recipe{{Graph: graph.Options{Neighbours: 5, Degree: 1}, GammaI: 1}, {Supervised: true}, {Solver: PCG, GammaI: 1, Graph: graph.Options{EdgesAlone: true, Degree: 1}}} {
		r.Kernel, r.GammaA, r.Seed = kernel.Gaussian{Sigma: 1}, 1e-4, 1
		want, err := Fit(t.Context(), d, r, Run{})
		if err != nil {
			t.Fatal(err)
		}
		r.ByEdges = true
		if f, err := Fit(t.Context(), d, r, Run{}); err != nil || !reflect.DeepEqual(f.Expansion, want.Expansion) || f.Recipe.ByEdges {
			t.Errorf("%+v: %v", r.Graph, err)
		}
	}
}
