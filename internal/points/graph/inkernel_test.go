package graph_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"lapsvm/internal/points/graph"
	"lapsvm/points"
)

// With the inner products of points for their values, neighbours are the Euclidean
// ones, equal distances by index; an indefinite table has no distance below 0.
func TestNeighboursInKernel(t *testing.T) {
	rng := rand.New(rand.NewPCG(12, 1))
	const n, k = 130, 7
	p := dense(table(n, 3, func() float64 { return float64(rng.IntN(4)) })) // whole numbers: many ties, and exact
	products := make([]float64, n*n)
	p.Dots(products, n, 0, n, p, 0, n)
	want, err := graph.FindNeighbours(t.Context(), p, k, graph.Euclidean)
	if err != nil {
		t.Fatal(err)
	}
	got, err := graph.FindNeighbours(t.Context(), points.Dense(n, n, products), k, graph.Kernel)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(got.Index, want.Index) {
		t.Error("other neighbours")
	}
	for i, v := range got.Distance {
		if !(math.Abs(v-want.Distance[i]) <= 1e-14*(1+v)) {
			t.Fatalf("distance %v, want %v", v, want.Distance[i])
		}
	}
	nb, err := graph.FindNeighbours(t.Context(), points.Dense(2, 2, []float64{1, 5, 5, 1}), 1, graph.Kernel)
	if err != nil || nb.Distance[0] != 0 {
		t.Errorf("an indefinite table: %v, %v", nb, err)
	}
}
