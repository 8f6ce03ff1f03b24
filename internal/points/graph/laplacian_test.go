package graph_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"lapsvm/internal/numbers/objective"
	"lapsvm/internal/numbers/parallel"
	"lapsvm/internal/points/graph"
	"lapsvm/internal/testing/golden"
)

// someGraph is a random graph on n points with self-loops, of which the last
// two are isolated.
func someGraph(t *testing.T, rng *rand.Rand, n int) *graph.Adjacency {
	t.Helper()
	var edges []golden.Edge
	for i := range n - 2 {
		for range 3 {
			j := rng.IntN(n - 2)
			if slices.ContainsFunc(edges, func(e golden.Edge) bool { return e.I == i && e.J == j }) {
				continue
			}
			v := rng.ExpFloat64() + 0.01
			if edges = append(edges, golden.Edge{I: i, J: j, Weight: v}); i != j {
				edges = append(edges, golden.Edge{I: j, J: i, Weight: v})
			}
		}
	}
	return golden.Graph(t, n, edges)
}

// naiveLaplacian evaluates the documented formula on dense matrices.
func naiveLaplacian(w [][]float64, unnormalised bool, degree int) [][]float64 {
	n := len(w)
	d, l := make([]float64, n), table(n, n, func() float64 { return 0 })
	for i := range w {
		for _, v := range w[i] {
			d[i] += v
		}
	}
	for i := range n {
		for j := range n {
			switch {
			case unnormalised:
				l[i][j] = -w[i][j]
			case d[i] > 0 && d[j] > 0:
				l[i][j] = -w[i][j] / math.Sqrt(d[i]*d[j])
			}
		}
		if unnormalised {
			l[i][i] += d[i]
		} else if d[i] > 0 {
			l[i][i]++
		}
	}
	power := l
	for range degree - 1 {
		next := table(n, n, func() float64 { return 0 })
		for i := range n {
			for j := range n {
				for k := range n {
					next[i][j] += power[i][k] * l[k][j]
				}
			}
		}
		power = next
	}
	return power
}

func times(m [][]float64, x []float64) []float64 {
	y := make([]float64, len(m))
	for i, row := range m {
		for j, v := range row {
			y[i] += v * x[j]
		}
	}
	return y
}

// columnsOf draws m random columns of n values.
func columnsOf(rng *rand.Rand, m, n int) [][]float64 {
	return table(m, n, func() float64 { return rng.NormFloat64() })
}

func TestLaplacian(t *testing.T) {
	for seed := range uint64(5) {
		for _, unnormalised := range []bool{true, false} {
			for degree := 1; degree <= 5; degree++ {
				rng := rand.New(rand.NewPCG(61, seed))
				n := 3 + rng.IntN(30)
				w := someGraph(t, rng, n)
				l := graph.NewLaplacian(w, unnormalised, degree)
				if l.Len() != n {
					t.Fatalf("%d points, want %d", l.Len(), n)
				}
				want := naiveLaplacian(matrixOf(t, w), unnormalised, degree)
				what := fmt.Sprintf("seed %d, unnormalised %v, degree %d", seed, unnormalised, degree)
				scale := 0.0
				for _, row := range want {
					for _, v := range row {
						scale = max(scale, math.Abs(v))
					}
				}
				// More and fewer columns in turn: the scratch is kept.
				for _, columns := range []int{1, 4, 2} {
					src, dst := columnsOf(rng, columns, n), columnsOf(rng, columns, n)
					kept := columnsOf(rng, 0, 0)
					for _, x := range src {
						kept = append(kept, slices.Clone(x))
					}
					multiply(t, 1, l, dst, src)
					for c := range src {
						if !slices.Equal(src[c], kept[c]) {
							t.Fatalf("%s: Mul changed its source", what)
						}
						single := make([]float64, n)
						multiply(t, 1, l, [][]float64{single}, src[c:c+1])
						if !slices.Equal(single, dst[c]) {
							t.Errorf("%s: column %d alone differs from %d columns at once", what, c, columns)
						}
						for i, v := range times(want, src[c]) {
							if !(math.Abs(dst[c][i]-v) <= 1e-13*scale*float64(n)) {
								t.Errorf("%s: (Lx)_%d = %v, naively %v", what, i, dst[c][i], v)
							}
						}
						if dst[c][n-1] != 0 || dst[c][n-2] != 0 {
							t.Errorf("%s: isolated points got %v and %v, want 0", what, dst[c][n-1], dst[c][n-2])
						}
						total := 0.0 // 1ᵀL = 0
						for _, v := range dst[c] {
							total += v
						}
						if unnormalised && !(math.Abs(total) <= 1e-13*scale*float64(n)) {
							t.Errorf("%s: 1ᵀLx = %v, want 0", what, total)
						}
					}
				}
			}
		}
	}
}

// With more points than a thread is given at once, products have the same bits
// for every number of threads.
func TestLaplacianThreads(t *testing.T) {
	const n = 5000
	rng := rand.New(rand.NewPCG(62, 1))
	var edges []golden.Edge
	for i := range n - 1 {
		v := rng.ExpFloat64() + 0.01
		edges = append(edges, golden.Edge{I: i, J: i + 1, Weight: v}, golden.Edge{I: i + 1, J: i, Weight: v})
	}
	w := golden.Graph(t, n, edges)
	src := columnsOf(rng, 3, n)
	want := columnsOf(rng, 3, n)
	multiply(t, 1, graph.NewLaplacian(w, false, 3), want, src)
	for _, threads := range []int{0, 2, 3, 4} {
		got := columnsOf(rng, 3, n)
		multiply(t, threads, graph.NewLaplacian(w, false, 3), got, src)
		for c := range got {
			if !slices.Equal(got[c], want[c]) {
				t.Errorf("%d threads: column %d differs from that of one", threads, c)
			}
		}
	}
}

func TestLaplacianPanics(t *testing.T) {
	w := golden.Graph(t, 2, both(0, 1, 1))
	l := graph.NewLaplacian(w, false, 2)
	two, three := make([]float64, 2), make([]float64, 3)
	for name, call := range map[string]func(){
		"degree 0":         func() { graph.NewLaplacian(w, false, 0) },
		"columns":          func() { _ = l.Mul(t.Context(), [][]float64{two}, nil) },
		"length of source": func() { _ = l.Mul(t.Context(), [][]float64{two}, [][]float64{three}) },
		"length of result": func() { _ = l.Mul(t.Context(), [][]float64{three}, [][]float64{two}) },
	} {
		func() {
			defer func() {
				if text, ok := recover().(string); !ok || !strings.HasPrefix(text, "graph: ") {
					t.Errorf("%s: no panic with a message of the package", name)
				}
			}()
			call()
		}()
	}
}

// BenchmarkLaplacian multiplies columns by L³ of a graph as large and as dense
// as that of all of MNIST, with neighbours anywhere.
func BenchmarkLaplacian(b *testing.B) {
	const n, neighbours = 60000, 26
	rng := rand.New(rand.NewPCG(62, 1))
	w := &graph.Adjacency{Start: make([]int, n+1)}
	for i := range n {
		for range neighbours {
			w.Index = append(w.Index, int32(rng.IntN(n)))
			w.Weight = append(w.Weight, 1)
		}
		w.Start[i+1] = len(w.Index)
	}
	l := graph.NewLaplacian(w, false, 3)
	for _, columns := range []int{1, 2, 4, 8, 10, 16, 64} {
		src, dst := columnsOf(rng, columns, n), columnsOf(rng, columns, n)
		b.Run(fmt.Sprintf("columns=%d", columns), func(b *testing.B) {
			for b.Loop() {
				multiply(b, 0, l, dst, src)
			}
		})
	}
}

// Many columns are shared out among threads in groups, with the same bits.
func TestLaplacianOfManyColumns(t *testing.T) {
	rng := rand.New(rand.NewPCG(62, 1))
	w := someGraph(t, rng, 40)
	for _, columns := range []int{15, 33, 70, 101} {
		src := columnsOf(rng, columns, 40)
		for threads := range 4 {
			l := graph.NewLaplacian(w, false, 3)
			dst, one := columnsOf(rng, columns, 40), make([]float64, 40)
			multiply(t, threads, l, dst, src)
			for c := range src {
				if multiply(t, 1, l, [][]float64{one}, src[c:c+1]); !slices.Equal(one, dst[c]) {
					t.Fatalf("column %d of %d differs with %d threads", c, columns, threads)
				}
			}
		}
	}
}

// multiply computes dst = A·src of some columns on the given number of threads.
func multiply(t testing.TB, threads int, a objective.Operator, dst, src [][]float64) {
	t.Helper()
	if err := a.Mul(parallel.WithLimit(t.Context(), threads), dst, src); err != nil {
		t.Fatal(err)
	}
}

// A product under a context that is done fails, by groups or by pieces.
func TestLaplacianCancelled(t *testing.T) {
	w := someGraph(t, rand.New(rand.NewPCG(63, 1)), 40)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, columns := range []int{1, 3, 70} {
		x := columnsOf(rand.New(rand.NewPCG(63, 2)), columns, 40)
		for _, threads := range []int{1, 2} {
			err := graph.NewLaplacian(w, false, 2).Mul(parallel.WithLimit(ctx, threads), columnsOf(rand.New(rand.NewPCG(63, 3)), columns, 40), x)
			if !errors.Is(err, context.Canceled) {
				t.Errorf("%d columns, %d threads: error %v, want context.Canceled", columns, threads, err)
			}
		}
	}
}

// Differences make the quadratic form of either Laplacian, and Entries its rows; some edges have a negative weight.
func TestDifferences(t *testing.T) {
	const n = 30
	rng := rand.New(rand.NewPCG(1, 5))
	w, f := someGraph(t, rng, n), columnsOf(rng, 1, n)
	for i := range n {
		index, weight := w.Row(i)
		for k, j := range index {
			if (i+int(j))%5 == 0 {
				weight[k] = -weight[k]
			}
		}
	}
	order := make([]int32, n)
	for k, i := range rng.Perm(n) {
		order[k] = int32(i)
	}
	for _, unnormalised := range []bool{false, true} {
		l := graph.NewLaplacian(w, unnormalised, 2).Ordered(order).Once()
		want := [][]float64{make([]float64, n)}
		multiply(t, 1, l, want, f)
		form, sum := 0.0, 0.0
		for i, v := range want[0] {
			form += f[0][i] * v
			row := 0.0
			l.Entries(i, func(j int, entry float64) { row += entry * f[0][j] })
			if !(math.Abs(row-v) <= 1e-12) {
				t.Errorf("unnormalised %t: row %d makes %g, want %g", unnormalised, i, row, v)
			}
			l.Differences(i, func(j int, a, b float64) { sum += (a*f[0][i] - b*f[0][j]) * (a*f[0][i] - b*f[0][j]) / 2 })
		}
		if !(math.Abs(sum-form) <= 1e-12*form) {
			t.Errorf("unnormalised %t: differences make %g, want %g", unnormalised, sum, form)
		}
	}
}

// A Laplacian in an order is itself in that order, also another power of it.
func TestOrderedOnce(t *testing.T) {
	const n = 30
	w := someGraph(t, rand.New(rand.NewPCG(1, 6)), n)
	order, other := make([]int32, n), make([]int32, n)
	for k := range order {
		order[k], other[k] = int32(n-1-k), int32(k)
	}
	l := graph.NewLaplacian(w, false, 2).Ordered(order)
	if l.Ordered(order) != l {
		t.Error("the same order makes another Laplacian")
	}
	defer func() {
		if recover() == nil {
			t.Error("a Laplacian goes from one order to another")
		}
	}()
	l.Power(3).Ordered(other)
}
