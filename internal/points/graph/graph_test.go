package graph_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"sync/atomic"
	"testing"

	"lapsvm/internal/points/graph"
	"lapsvm/points"
)

// matrixOf returns W as a dense matrix, after checking its form: rows
// ascending, weights positive, symmetric.
func matrixOf(t *testing.T, w *graph.Adjacency) [][]float64 {
	t.Helper()
	n := w.Len()
	m := table(n, n, func() float64 { return 0 })
	for i := range n {
		index, weight := w.Row(i)
		degree := 0.0
		for k, j := range index {
			if k > 0 && j <= index[k-1] {
				t.Fatalf("row %d is not ascending: %v", i, index)
			}
			if !(weight[k] > 0) {
				t.Fatalf("W[%d,%d] = %v is stored", i, j, weight[k])
			}
			m[i][j] = weight[k]
			degree += weight[k]
		}
		if !(math.Abs(w.Degree(i)-degree) <= 1e-14*degree) {
			t.Errorf("degree %v of point %d, summed %v", w.Degree(i), i, degree)
		}
	}
	for i := range n {
		for j := range n {
			if m[i][j] != m[j][i] {
				t.Fatalf("W[%d,%d] = %v, W[%d,%d] = %v", i, j, m[i][j], j, i, m[j][i])
			}
			if w.At(i, j) != m[i][j] {
				t.Errorf("At(%d, %d) = %v, want %v", i, j, w.At(i, j), m[i][j])
			}
		}
	}
	return m
}

func TestConnect(t *testing.T) {
	for seed := range uint64(10) {
		rng := rand.New(rand.NewPCG(51, seed))
		n := 4 + rng.IntN(40)
		rows := table(n, 2, func() float64 { return float64(rng.IntN(9)) / 8 }) // with duplicates
		k := 1 + rng.IntN(3)
		nb := find(t, dense(rows), k, graph.Euclidean, 1)
		joined := make([][]bool, n)
		for i := range n {
			joined[i] = make([]bool, n)
		}
		sum, count := 0.0, 0
		for i := range n {
			index, distance := nb.Row(i)
			for c, j := range index {
				joined[i][j], joined[j][i] = true, true
				if distance[c] > 0 {
					sum, count = sum+distance[c], count+1
				}
			}
		}
		for _, c := range []struct {
			rule  graph.Weights
			given float64
			width float64
		}{
			{graph.Heat, 0, sum / float64(count)}, {"", 0, sum / float64(count)}, {graph.Heat, 0.7, 0.7},
			{graph.Binary, 0.7, 0}, {graph.Distance, 0.7, 0},
		} {
			what := fmt.Sprintf("seed %d, %q, width %v", seed, c.rule, c.given)
			w, width, _ := graph.Connect(t.Context(), nb, c.rule, c.given)
			if !(math.Abs(width-c.width) <= 1e-14*c.width) {
				t.Errorf("%s: heat width %v, want %v", what, width, c.width)
			}
			m := matrixOf(t, w)
			for i := range n {
				for j := range n {
					want := 0.0
					if joined[i][j] {
						d := euclidean(rows[i], rows[j])
						switch c.rule {
						case graph.Binary:
							want = 1
						case graph.Distance:
							want = d // duplicates get no edge
						default:
							want = math.Exp(-d * d / (2 * c.width * c.width))
						}
					}
					if !(math.Abs(m[i][j]-want) <= 1e-14*want) {
						t.Errorf("%s: W[%d,%d] = %v, naively %v", what, i, j, m[i][j], want)
					}
				}
			}
		}
	}
}

// Where every neighbour is a duplicate no mean distance exists: all weights
// are 1, and by distance there is no edge at all.
func TestConnectDuplicates(t *testing.T) {
	nb := find(t, dense(table(6, 2, func() float64 { return 0.1 })), 5, graph.Euclidean, 1)
	w, width, _ := graph.Connect(t.Context(), nb, graph.Heat, 0)
	if !(width > 0) {
		t.Errorf("heat width %v, want a positive one", width)
	}
	m := matrixOf(t, w)
	for i := range m {
		for j := range m {
			if want := map[bool]float64{true: 0, false: 1}[i == j]; m[i][j] != want {
				t.Errorf("W[%d,%d] = %v, want %v", i, j, m[i][j], want)
			}
		}
	}
	if w, _, _ = graph.Connect(t.Context(), nb, graph.Distance, 0); w.Len() != 6 || len(w.Index) != 0 {
		t.Errorf("by distance: %d points and %d entries, want 6 and none", w.Len(), len(w.Index))
	}
}

// The weight of an edge much longer than the width is 0 in float64, and an
// edge of weight 0 is none.
func TestConnectFar(t *testing.T) {
	nb := find(t, dense([][]float64{{0}, {1}, {1000}}), 1, graph.Euclidean, 1)
	w, _, _ := graph.Connect(t.Context(), nb, graph.Heat, 1)
	if m := matrixOf(t, w); !(math.Abs(m[0][1]-math.Exp(-0.5)) <= 1e-15) || m[1][2] != 0 {
		t.Errorf("weights %v, want %v and 0", m, math.Exp(-0.5))
	}
}

func TestOptions(t *testing.T) {
	for n, k := range map[int]int{1: 1, 2: 1, 10: 9, 11: 10, 12: 10, 5000: 10} {
		o, err := graph.Options{}.WithDefaults(n)
		want := graph.Options{Neighbours: k, Metric: graph.Euclidean, Weights: graph.Heat, Recall: graph.DefaultRecall, Degree: 2}
		if err != nil || o != want {
			t.Errorf("%d points: %+v and error %v, want %+v", n, o, err, want)
		}
	}
	given := graph.Options{Neighbours: 3, Metric: graph.Cosine, Weights: graph.Distance, HeatWidth: 2, Unnormalised: true, Recall: 0.5, Degree: 5}
	if o, err := given.WithDefaults(100); err != nil || o != given {
		t.Errorf("%+v became %+v, error %v", given, o, err)
	}
	for _, bad := range []graph.Options{
		{Neighbours: -1}, {Metric: "manhattan"}, {Weights: "cosine"}, {Degree: -1},
		{Recall: -1}, {Recall: 1.1}, {Recall: math.NaN()}, {HeatWidth: -1}, {HeatWidth: math.NaN()}, {HeatWidth: math.Inf(1)},
	} {
		if _, err := bad.WithDefaults(100); err == nil {
			t.Errorf("%+v: no error", bad)
		}
	}
}

// ending is a context that is done after so many looks at it.
type ending struct {
	context.Context
	left *atomic.Int64
}

func (e ending) Err() error {
	if e.left.Add(-1) < 0 {
		return context.Canceled
	}
	return nil
}

// However early its context is done, Connect gives no part of a graph, and looks at it no more than a few times then.
func TestConnectListens(t *testing.T) {
	x := make([]float64, 20_000)
	for i := range x {
		x[i] = float64(i * i % 9973)
	}
	nb := find(t, points.Dense(len(x), 1, x), 3, graph.Euclidean, 1)
	whole, _, err := graph.Connect(t.Context(), nb, graph.Heat, 0)
	if err != nil {
		t.Fatal(err)
	}
	for looks := int64(0); ; looks += 4 {
		var left atomic.Int64
		left.Store(looks)
		w, _, err := graph.Connect(ending{t.Context(), &left}, nb, graph.Heat, 0)
		if err == nil {
			if looks < 6 {
				t.Errorf("%d looks are all", looks)
			}
			if !slices.Equal(w.Index, whole.Index) || !slices.Equal(w.Weight, whole.Weight) {
				t.Error("another graph")
			}
			break
		}
		if !errors.Is(err, context.Canceled) || w != nil {
			t.Fatalf("after %d looks: %v, %v", looks, w != nil, err)
		}
		if looks == 0 && left.Load() < -1 {
			t.Errorf("%d looks at a context that was done at the beginning", -left.Load())
		}
	}
}
