package graph_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"lapsvm/internal/points/graph"
	"lapsvm/internal/testing/golden"
	"lapsvm/points"
)

// Two components of four points and one of three, an isolated point, a
// self-loop; two groups of equal points.
func TestHealth(t *testing.T) {
	edges := slices.Concat(
		both(0, 9, 1), both(9, 4, 1), both(4, 10, 1), // 0, 4, 9, 10
		both(1, 2, 1), both(2, 3, 1), both(1, 3, 1), // 1, 2, 3
		both(5, 6, 1), both(6, 7, 1), both(7, 8, 1), both(5, 8, 1), // 5, 6, 7, 8
		[]golden.Edge{{I: 3, J: 3, Weight: 2}},
	) // 11 is isolated
	w := golden.Graph(t, 12, edges)
	rows := [][]float64{{1, 0}, {2, 1}, {0, 5}, {1, 0}, {3, 3}, {0, 5}, {4, 4}, {1, math.Copysign(0, -1)}, {7, 7}, {1, 1e-200}, {math.Copysign(0, -1), 5}, {8, 8}}
	y := []int{2, -1, 0, 0, -1, 1, -7, 2, -1, -1, 1, -1}
	want := &graph.Health{
		Points: 12, Edges: 11, MinDegree: 0, MaxDegree: 3, Degrees: []int{1, 2, 8, 1},
		Components: []graph.Component{
			{Size: 4, Labels: []int{0, 1, 1}}, {Size: 4, Labels: []int{0, 1, 1}}, {Size: 3, Labels: []int{2, 0, 0}}, {Size: 1, Labels: []int{0, 0, 0}},
		},
		Component: []int32{0, 2, 2, 2, 0, 1, 1, 1, 1, 0, 0, 3},
		Isolated:  []int{11},
		// −0 equals 0; 1e-200 does not, although its square is 0.
		Duplicates: [][]int{{0, 3, 7}, {2, 5, 10}},
		// Classes 2, 0, 2 and 0, 1, 1: two pairs in each.
		Disagreeing: 4, WithoutLabel: 1,
	}
	withZero := points.CSR(2, []int{0, 2, 4, 6, 7, 9, 10, 12, 14, 16, 18, 19, 21},
		[]int32{0, 1, 0, 1, 0, 1, 0, 0, 1, 1, 0, 1, 0, 1, 0, 1, 0, 1, 1, 0, 1},
		[]float64{1, 0, 2, 1, math.Copysign(0, -1), 5, 1, 3, 3, 5, 4, 4, 1, math.Copysign(0, -1), 7, 7, 1, 1e-200, 5, 8, 8})
	for name, p := range map[string]*points.Points{"dense": dense(rows), "sparse": sparse(rows), "sparse with stored zeros": withZero} {
		got := health(t, w, p, y, 3)
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s:\n got %+v\nwant %+v", name, got, want)
		}
	}
}

func health(t *testing.T, w *graph.Adjacency, p *points.Points, y []int, classes int) *graph.Health {
	t.Helper()
	r, err := graph.NewHealth(t.Context(), w, p, y, classes)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestHealthOfNothing(t *testing.T) {
	w := golden.Graph(t, 0, nil)
	if got := health(t, w, &points.Points{}, nil, 2); !reflect.DeepEqual(got, &graph.Health{}) {
		t.Errorf("%+v, want the zero report", got)
	}
}

// Components, duplicates and disagreements of random graphs against searches
// over all pairs.
func TestHealthNaively(t *testing.T) {
	for seed := range uint64(30) {
		rng := rand.New(rand.NewPCG(71, seed))
		n := 3 + rng.IntN(30)
		w := someGraph(t, rng, n)
		m := matrixOf(t, w)
		rows := table(n, 2, func() float64 { return float64(rng.IntN(4)) })
		y := make([]int, n)
		for i := range y {
			y[i] = rng.IntN(4) - 1
		}
		r := health(t, w, dense(rows), y, 3)

		// reach[i][j]: there is a way from i to j (Warshall).
		reach := make([][]bool, n)
		for i := range reach {
			reach[i] = make([]bool, n)
			for j := range reach[i] {
				reach[i][j] = i == j || m[i][j] > 0
			}
		}
		for k := range n {
			for i := range n {
				for j := range n {
					reach[i][j] = reach[i][j] || reach[i][k] && reach[k][j]
				}
			}
		}
		edges, disagreeing, without := 0, 0, 0
		for i := range n {
			size, labels := 0, make([]int, 3)
			group := []int{}
			for j := range n {
				if reach[i][j] != (r.Component[i] == r.Component[j]) {
					t.Errorf("seed %d: points %d and %d: reachable %v, components %d and %d", seed, i, j, reach[i][j], r.Component[i], r.Component[j])
				}
				if reach[i][j] {
					if size++; y[j] >= 0 {
						labels[y[j]]++
					}
				}
				if j <= i && m[i][j] > 0 {
					edges++
				}
				if slices.Equal(rows[i], rows[j]) {
					group = append(group, j)
					if j < i && y[i] >= 0 && y[j] >= 0 && y[i] != y[j] {
						disagreeing++
					}
				}
			}
			c := r.Components[r.Component[i]]
			if c.Size != size || !slices.Equal(c.Labels, labels) {
				t.Errorf("seed %d: component of %d is %+v, counted %d and %v", seed, i, c, size, labels)
			}
			if c.Labelled() != labels[0]+labels[1]+labels[2] {
				t.Errorf("seed %d: %d labelled points in %v", seed, c.Labelled(), labels)
			}
			if c.Labelled() == 0 {
				without++
			}
			if found := slices.ContainsFunc(r.Duplicates, func(g []int) bool { return slices.Equal(g, group) }); found != (len(group) > 1) {
				t.Errorf("seed %d: duplicates %v; the group of %d is %v", seed, r.Duplicates, i, group)
			}
		}
		if !slices.IsSortedFunc(r.Components, func(a, b graph.Component) int { return b.Size - a.Size }) {
			t.Errorf("seed %d: components %+v, want the largest first", seed, r.Components)
		}
		if r.Edges != edges || r.Disagreeing != disagreeing || r.WithoutLabel != without || !slices.Equal(r.Isolated, []int{n - 2, n - 1}) {
			t.Errorf("seed %d: %d edges, %d disagreeing, %d without label, isolated %v; counted %d, %d, %d", seed,
				r.Edges, r.Disagreeing, r.WithoutLabel, r.Isolated, edges, disagreeing, without)
		}
	}
}

// Equal points whose labels differ are named, the largest group first; without those
// that have no label.
func TestConflicts(t *testing.T) {
	p := points.Dense(9, 1, []float64{1, 1, 2, 2, 2, 3, 3, 1, 2})
	y := []int{0, 1, 0, 1, 0, 2, 2, -1, -1}
	if got := graph.Conflicts(p, y); fmt.Sprint(got) != "[[2 3 4] [0 1]]" {
		t.Errorf("%v", got)
	}
	if got := graph.Conflicts(p, []int{0, 0, 1, 1, 1, 2, 2, -1, -1}); got != nil {
		t.Errorf("%v where labels agree", got)
	}
}
