package graph_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"lapsvm/internal/numbers/parallel"
	"lapsvm/internal/points/graph"
	"lapsvm/points"
)

// tuned returns the neighbours of points by SelfTuning.
func tuned(t *testing.T, p *points.Points, k int) *graph.Neighbours {
	t.Helper()
	m := graph.SelfTuning
	nb, err := m.Nearest(t.Context(), find(t, p, m.Candidates(k, p.Len()), m.Sought(), 2), k)
	if err != nil {
		t.Fatal(err)
	}
	return nb
}

// naivelyTuned returns the neighbours by SelfTuning among all points.
func naivelyTuned(rows [][]float64, k int) *graph.Neighbours {
	n := len(rows)
	s, least := make([]float64, n), math.Inf(1)
	for i := range rows {
		var distances []float64
		for j := range rows {
			if j != i {
				distances = append(distances, euclidean(rows[i], rows[j]))
			}
		}
		slices.Sort(distances)
		at := min(7, n-1) - 1
		for at < n-2 && distances[at] == 0 {
			at++
		}
		if s[i] = distances[at]; s[i] > 0 {
			least = min(least, s[i])
		}
	}
	for i := range s {
		if s[i] == 0 {
			s[i] = least
		}
		if math.IsInf(s[i], 1) {
			s[i] = 1
		}
	}
	numbered := make([][]float64, n) // rows with their numbers, as naive knows rows alone
	for i, row := range rows {
		numbered[i] = append([]float64{float64(i)}, row...)
	}
	return naive(numbered, k, func(x, y []float64) float64 {
		return euclidean(x[1:], y[1:]) / (math.Sqrt(s[int(x[0])]) * math.Sqrt(s[int(y[0])]))
	})
}

// Where all points are candidates the neighbours are those of the formula: of points that differ, of
// grids full of ties, of many equal points, and of fewer than eight points.
func TestSelfTuning(t *testing.T) {
	for seed := range uint64(40) {
		rng := rand.New(rand.NewPCG(71, seed))
		n, d := 2+rng.IntN(30), 1+rng.IntN(4)
		for name, draw := range map[string]func() float64{
			"plain": rng.NormFloat64,
			"grid":  func() float64 { return float64(rng.IntN(8)) / 8 },
			"equal": func() float64 { return float64(rng.IntN(2)) },
			"one":   func() float64 { return 3 },
		} {
			rows := table(n, d, draw)
			k := 1 + rng.IntN(n-1)
			want := naivelyTuned(rows, k)
			for kind, p := range map[string]*points.Points{"dense": dense(rows), "sparse": sparse(rows)} {
				same(t, fmt.Sprintf("seed %d: %d neighbours of %d points, %s, %s", seed, k, n, name, kind), tuned(t, p, k), want)
			}
		}
	}
}

// A cluster that grows keeps its neighbours, and their distances.
func TestSelfTuningDoesNotSeeTheScale(t *testing.T) {
	rng := rand.New(rand.NewPCG(72, 0))
	const n, k = 80, 5
	rows := table(n, 3, rng.NormFloat64)
	for i := range n / 2 {
		rows[i][0] += 1000
	}
	before := tuned(t, dense(rows), k)
	for i := n / 2; i < n; i++ {
		for j := range rows[i] {
			rows[i][j] *= 10
		}
	}
	after := tuned(t, dense(rows), k)
	if !slices.Equal(after.Index, before.Index) {
		t.Error("a larger cluster has other neighbours")
	}
	for a, d := range before.Distance {
		if !(math.Abs(after.Distance[a]-d) <= 1e-9*d) {
			t.Fatalf("a distance was %v, and is %v", d, after.Distance[a])
		}
	}
}

// Among candidates most of the neighbours are found, and more neighbours than the candidates, or other threads, change nothing.
func TestSelfTuningAmongCandidates(t *testing.T) {
	rng := rand.New(rand.NewPCG(73, 0))
	const n = 600
	rows := table(n, 6, rng.NormFloat64)
	for i, row := range rows { // three clusters of other density
		for j := range row {
			row[j] = float64(i%3*8) + row[j]*[]float64{0.3, 1, 3}[i%3]
		}
	}
	for _, k := range []int{3, 10, 30} {
		got, want := tuned(t, dense(rows), k), naivelyTuned(rows, k)
		found := 0
		for i := range n {
			index, _ := got.Row(i)
			exact, _ := want.Row(i)
			for _, j := range index {
				if slices.Contains(exact, j) {
					found++
				}
			}
		}
		if recall := float64(found) / float64(n*k); !(recall >= 0.97) {
			t.Errorf("of %d neighbours %.3f are found", k, recall)
		} else if many := graph.SelfTuning.Candidates(k, n); many >= n-1 {
			t.Errorf("%d of %d points are candidates", many, n)
		}
		more := find(t, dense(rows), 200, graph.Euclidean, 1)
		again, err := graph.SelfTuning.Nearest(parallel.WithLimit(t.Context(), 3), more, k)
		if err != nil {
			t.Fatal(err)
		}
		same(t, "of more neighbours", again, got)
	}
}

// Both directions of an edge have the same distance, which is finite however far points are apart.
func TestSelfTuningFar(t *testing.T) {
	for _, unit := range []float64{1e-150, 1, 1e140} {
		rng := rand.New(rand.NewPCG(74, 0))
		rows := table(20, 2, func() float64 { return unit * rng.NormFloat64() })
		rows = append(rows, []float64{1e150, 0}, []float64{-1e150, 1e150})
		nb := tuned(t, dense(rows), 21)
		at := func(i, j int) float64 {
			index, distance := nb.Row(i)
			return distance[slices.Index(index, int32(j))]
		}
		for i := range rows {
			for j := range i {
				if d := at(i, j); d != at(j, i) || !(d > 0 && d <= 1e150) {
					t.Fatalf("unit %v: from %d to %d it is %v, and %v back", unit, i, j, d, at(j, i))
				}
			}
		}
		w, width, err := graph.Connect(t.Context(), nb, graph.Heat, 0)
		if err != nil || !(width > 0) || math.IsInf(width, 1) {
			t.Fatalf("unit %v: width %v, %v", unit, width, err)
		}
		matrixOf(t, w)
	}
}

func TestCandidates(t *testing.T) {
	for _, c := range []struct {
		metric     graph.Metric
		k, n, want int
	}{
		{graph.SelfTuning, 5, 1000, 75}, {graph.SelfTuning, 10, 1000, 80}, {graph.SelfTuning, 50, 1000, 200}, {graph.SelfTuning, 50, 100, 99},
		{graph.SelfTuning, 5, 6, 5}, {graph.SelfTuning, 7, 6, 7}, {graph.SelfTuning, 0, 100, 0}, {graph.Euclidean, 5, 1000, 5}, {"", 5, 1000, 5}, {graph.Cosine, 5, 1000, 5},
	} {
		if got := c.metric.Candidates(c.k, c.n); got != c.want {
			t.Errorf("%q: %d candidates for %d neighbours of %d points, want %d", c.metric, got, c.k, c.n, c.want)
		}
	}
	p := dense(table(50, 2, rand.New(rand.NewPCG(75, 0)).NormFloat64))
	for name, call := range map[string]func(){
		"too few neighbours": func() { _, _ = graph.SelfTuning.Nearest(t.Context(), find(t, p, 20, graph.Euclidean, 1), 5) },
		"a search":           func() { _, _ = graph.FindNeighbours(t.Context(), p, 5, graph.SelfTuning) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: no panic", name)
				}
			}()
			call()
		}()
	}
}
