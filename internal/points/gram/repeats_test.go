package gram_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"lapsvm/internal/points/gram"
	"lapsvm/internal/points/graph"
	"lapsvm/kernel"
	"lapsvm/points"
)

// Of points of which many are equal the neighbours are found beforehand. The matrix
// stays what it is without neighbours, also where its width is chosen by them.
func TestOpenOnRepeats(t *testing.T) {
	const n, k = 300, 4
	rng := rand.New(rand.NewPCG(99, 1))
	rows := draw(rng, n, 5)
	for i := range rows {
		copy(rows[i], rows[i%70])
		if i%3 == 0 {
			copy(rows[i], rows[0])
		}
	}
	for name, p := range map[string]*points.Points{"dense": dense(rows), "sparse": sparse(rows)} {
		for neighbours, want := range map[int]bool{k: true, n - 1: false} {
			if got, err := graph.HasRepeats(t.Context(), p, neighbours); got != want || err != nil {
				t.Errorf("%s: repeats for %d neighbours: %v, %v", name, neighbours, got, err)
			}
		}
		want, err := graph.FindNeighbours(t.Context(), p, k, graph.Euclidean)
		if err != nil {
			t.Fatal(err)
		}
		for _, sigma := range []float64{0, 1.5} {
			o, err := gram.Open(t.Context(), p, gram.Request{Kernel: kernel.Gaussian{Sigma: sigma}, Neighbours: k, Precision: gram.Double})
			if err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(o.Neighbours.Index, want.Index) || !slices.Equal(o.Neighbours.Distance, want.Distance) {
				t.Errorf("%s, sigma %v: other neighbours", name, sigma)
			}
			alone := open(t, p, o.Kernel, gram.Double, gram.FormHalf)
			got, expected := make([]float64, n), make([]float64, n)
			for i := range n {
				o.Matrix.(rowser).Row(got, i)
				alone.(rowser).Row(expected, i)
				if !slices.Equal(got, expected) {
					t.Fatalf("%s, sigma %v: row %d differs", name, sigma, i)
				}
			}
			o.Matrix.Close()
			alone.Close()
		}
	}
}
