package graph_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"lapsvm/internal/testing/golden"
)

// both are the two entries of an edge.
func both(i, j int, weight float64) []golden.Edge {
	return []golden.Edge{{I: i, J: j, Weight: weight}, {I: j, J: i, Weight: weight}}
}

// Modularity is its formula, over all pairs of points.
func TestModularity(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 1))
	for range 20 {
		n, classes := 2+rng.IntN(20), 1+rng.IntN(4)
		var edges []golden.Edge
		for i := range n {
			for j := range i {
				if rng.IntN(3) == 0 {
					edges = append(edges, both(i, j, rng.Float64())...)
				}
			}
		}
		a := golden.Graph(t, n, edges)
		class := make([]int, n)
		for i := range class {
			class[i] = rng.IntN(classes)
		}
		total, want := 0.0, 0.0
		for i := range n {
			total += a.Degree(i)
		}
		if total > 0 {
			for i := range n {
				for j := range n {
					if class[i] == class[j] {
						want += a.At(i, j)/total - a.Degree(i)*a.Degree(j)/(total*total)
					}
				}
			}
		}
		most := 0.0
		for i := range n {
			for j := range n {
				if total > 0 && class[i] != class[j] {
					most += a.Degree(i) * a.Degree(j) / (total * total)
				}
			}
		}
		if got, bound := a.Modularity(class, classes); !(math.Abs(got-want) <= 1e-14 && math.Abs(bound-most) <= 1e-14 && got <= bound+1e-14) {
			t.Errorf("%d points, %d classes: %v of %v, want %v of %v", n, classes, got, bound, want, most)
		}
	}
}

// Two cliques are best taken apart, and a single class has no modularity.
func TestModularityOfCliques(t *testing.T) {
	var edges []golden.Edge
	for _, e := range [][2]int{{0, 1}, {0, 2}, {1, 2}, {3, 4}, {3, 5}, {4, 5}, {2, 3}} {
		edges = append(edges, both(e[0], e[1], 1)...)
	}
	a := golden.Graph(t, 6, edges)
	if q, most := a.Modularity([]int{0, 0, 0, 1, 1, 1}, 2); !(math.Abs(q-(6./7-0.5)) <= 1e-15) || most != 0.5 {
		t.Errorf("two cliques: %v of %v", q, most)
	}
	if q, most := a.Modularity(make([]int, 6), 1); q != 0 || most != 0 {
		t.Errorf("one class: %v of %v", q, most)
	}
}
