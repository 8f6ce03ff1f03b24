package nystrom_test

import (
	"math"
	"testing"

	"lapsvm/internal/machines/deformed"
	"lapsvm/internal/machines/nystrom"
	"lapsvm/internal/numbers/linalg"
	"lapsvm/internal/numbers/objective"
	"lapsvm/internal/points/gram"
	"lapsvm/internal/points/graph"
	"lapsvm/internal/testing/golden"
)

// S of a diagonal matrix is (Δ^−½ (γA I + γI L²) Δ^−½)⁻¹ at the labels, by a dense solution.
func TestDiagonal(t *testing.T) {
	const n = 12
	var edges []golden.Edge
	join := func(i, j int) {
		edges = append(edges, golden.Edge{I: i, J: j, Weight: 1}, golden.Edge{I: j, J: i, Weight: 1})
	}
	for i := 1; i < 8; i++ {
		join(0, i)
	}
	for i := 8; i < n; i++ {
		join(i-1, i)
	}
	w := golden.Graph(t, n, edges)
	delta, g, labelled := w.InverseDegrees(), deformed.Gammas{A: 1e-2, I: 1}, []int{0, 3, 11}
	l := graph.NewLaplacian(w, false, 2)
	space, err := nystrom.New(t.Context(), nystrom.NewDiagonal(delta), l)
	if err != nil {
		t.Fatal(err)
	}
	problem, err := space.Problem(t.Context(), g, labelled, objective.BiasOutside, gram.Double, nystrom.Options{Tolerance: 1e-14})
	if err != nil {
		t.Fatal(err)
	}
	defer problem.Close()
	q := linalg.New(n, n)
	for j := range n {
		x, y := make([]float64, n), make([]float64, n)
		x[j] = 1
		for range 2 { // L twice
			for i := range n {
				y[i] = x[i]
				index, weight := w.Row(i)
				for k, other := range index {
					y[i] -= weight[k] * x[other] / math.Sqrt(w.Degree(i)*w.Degree(int(other)))
				}
			}
			copy(x, y)
		}
		for i := range n {
			q.Row(i)[j] = g.I * x[i] / math.Sqrt(delta[i]*delta[j])
		}
		q.Row(j)[j] += g.A / delta[j]
	}
	if ok, err := linalg.Cholesky(t.Context(), q); !ok || err != nil {
		t.Fatal(ok, err)
	}
	inverse, err := linalg.CholeskyInverse(t.Context(), q)
	if err != nil {
		t.Fatal(err)
	}
	for a, i := range labelled {
		for b, j := range labelled {
			want := inverse.Row(min(i, j))[max(i, j)]
			if got := problem.Kernel[a*len(labelled)+b]; !(math.Abs(got-want) <= 1e-8*math.Abs(inverse.Row(0)[0])) {
				t.Errorf("S of %d and %d: %v, want %v", i, j, got, want)
			}
		}
	}
}
