package graph_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"lapsvm/dataset"
	"lapsvm/internal/points/graph"
)

// arcs draws arcs between n points, some negative, some twice, some in both directions, some loops.
func arcs(n, m int, seed uint64) []dataset.Arc {
	rng := rand.New(rand.NewPCG(seed, 3))
	var all []dataset.Arc
	for range m {
		a := dataset.Arc{From: rng.IntN(n), To: rng.IntN(n), Weight: rng.NormFloat64() + 0.5}
		if all = append(all, a); rng.IntN(3) == 0 {
			all = append(all, dataset.Arc{From: a.To, To: a.From, Weight: rng.Float64()})
		}
	}
	return all
}

// The Laplacian of given edges is the signed one: xᵀLx = Σ w (x_i − x_j)² over positive edges and
// Σ |w| (x_i + x_j)² over negative ones, and with the normalised one of x/√d.
func TestSignedLaplacian(t *testing.T) {
	const n = 30
	e, _ := dataset.NewEdges(arcs(n, 80, 1))
	w := graph.OfEdges(n, e)
	mean, degree := 0.0, make([]float64, n)
	for k, v := range e.Weight {
		mean += math.Abs(v) / float64(e.Len())
		degree[e.From[k]] += math.Abs(v)
		degree[e.To[k]] += math.Abs(v)
	}
	rng := rand.New(rand.NewPCG(2, 2))
	x := make([]float64, n)
	for i := range x {
		x[i] = rng.NormFloat64()
	}
	for _, unnormalised := range []bool{true, false} {
		got := [][]float64{make([]float64, n)}
		if err := graph.NewLaplacian(w, unnormalised, 1).Mul(t.Context(), got, [][]float64{x}); err != nil {
			t.Fatal(err)
		}
		form, want := 0.0, 0.0
		for i, v := range x {
			form += v * got[0][i]
		}
		for k, v := range e.Weight {
			a, b := x[e.From[k]], x[e.To[k]]
			if !unnormalised {
				a, b = a/math.Sqrt(degree[e.From[k]]/mean), b/math.Sqrt(degree[e.To[k]]/mean)
			}
			if v < 0 {
				b = -b
			}
			want += math.Abs(v) / mean * (a - b) * (a - b)
		}
		if !(math.Abs(form-want) <= 1e-12*want) {
			t.Errorf("unnormalised %v: xᵀLx = %v, naively %v", unnormalised, form, want)
		}
	}
}

// Every edge of a graph is in one of its two parts, with its weight in both rows, and the share is about as asked.
func TestSplit(t *testing.T) {
	const n = 60
	e, _ := dataset.NewEdges(arcs(n, 600, 8))
	w := graph.OfEdges(n, e)
	kept, drawn := w.Split(0.2, 1)
	again, _ := w.Split(0.2, 1)
	for i := range n {
		for j := range n {
			if k, d := kept.At(i, j), drawn.At(i, j); k+d != w.At(i, j) || k*d != 0 || k != kept.At(j, i) || k != again.At(i, j) {
				t.Fatalf("W_%d,%d = %v is %v and %v", i, j, w.At(i, j), k, d)
			}
		}
	}
	if share := float64(len(drawn.Index)) / float64(len(w.Index)); !(share > 0.13 && share < 0.27) || len(kept.Index)+len(drawn.Index) != len(w.Index) {
		t.Errorf("%d of %d entries are drawn", len(drawn.Index), len(w.Index))
	}
}

// A joined graph is the sum of its parts, in any order of rows, and symmetric.
func TestJoined(t *testing.T) {
	const n = 25
	a, _ := dataset.NewEdges(arcs(n, 60, 5))
	b, _ := dataset.NewEdges(arcs(n, 40, 6))
	v, w := graph.OfEdges(n, a), graph.OfEdges(n, b)
	sum, attracting := graph.Joined(v, w, 0.25), graph.Joined(v, w, 0.25).Attracting()
	for i := range n {
		for j := range n {
			want := v.At(i, j) + 0.25*w.At(i, j)
			if sum.At(i, j) != want || sum.At(i, j) != sum.At(j, i) || attracting.At(i, j) != max(want, 0) {
				t.Fatalf("W_%d,%d is %v, want %v; without the negative ones %v", i, j, sum.At(i, j), want, attracting.At(i, j))
			}
		}
	}
	if empty := graph.Joined(v, v, -1); len(empty.Index) != 0 {
		t.Errorf("%d entries of a difference of nothing", len(empty.Index))
	}
}
