package geometry

import (
	"context"
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"lapsvm/dataset"
	"lapsvm/internal/machines/deformed"
	"lapsvm/internal/numbers/objective"
	"lapsvm/internal/points/gram"
	"lapsvm/internal/points/graph"
	"lapsvm/kernel"
	"lapsvm/points"
)

func made(t *testing.T, p *points.Points, o Options) *Geometry {
	t.Helper()
	g, err := New(t.Context(), p, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(g.Close)
	return g
}

func neighbours(t *testing.T, p *points.Points, k int, metric graph.Metric) *graph.Neighbours {
	t.Helper()
	nb, err := graph.FindNeighbours(t.Context(), p, metric.Candidates(k, p.Len()), metric.Sought())
	if err == nil {
		nb, err = metric.Nearest(t.Context(), nb, k)
	}
	if err != nil {
		t.Fatal(err)
	}
	return nb
}

// rows returns the rows of a matrix.
func rows(m objective.Rows) [][]float64 {
	all := make([][]float64, m.Len())
	for i := range all {
		all[i] = make([]float64, m.Len())
		m.Row(all[i], i)
	}
	return all
}

func sameRows(a, b [][]float64) bool { return slices.EqualFunc(a, b, slices.Equal[[]float64]) }

// panics returns the value of a panic of do, or "" without one.
func panics(do func()) (with string) {
	defer func() {
		if r := recover(); r != nil {
			with = fmt.Sprint(r)
		}
	}()
	do()
	return ""
}

// The zero options have points alone, and half a matrix is the default.
func TestParts(t *testing.T) {
	p := dataset.TwoMoons(40, 0.1, 1).Points
	bare := made(t, p, Options{})
	if bare.Len() != 40 || bare.Points() != p || bare.Gram() != nil || bare.Kernel() != nil || bare.Neighbours() != nil {
		t.Errorf("the zero options make %+v", bare)
	}
	bare.Close()
	k := kernel.Gaussian{Sigma: 0.5}
	half := made(t, p, Options{Kernel: k, Precision: gram.Double})
	want, err := gram.NewHalf(t.Context(), p, k, gram.Double)
	if err != nil {
		t.Fatal(err)
	}
	defer want.Close()
	m, ok := half.Gram().(*gram.Half)
	if !ok || half.Kernel() != k || half.Neighbours() != nil {
		t.Fatalf("a %T of %v and neighbours %v", half.Gram(), half.Kernel(), half.Neighbours())
	}
	if !sameRows(rows(m), rows(want)) {
		t.Error("another matrix than gram.NewHalf")
	}
	if m := made(t, p, Options{Kernel: k}).Gram().(*gram.Half); m.Precision() != gram.Single {
		t.Errorf("the default precision is %d", m.Precision())
	}
	if m, ok := made(t, p, Options{Kernel: k, Form: gram.FormStreamed}).Gram().(*gram.Half); ok {
		t.Errorf("asked for a streamed matrix, made %T", m)
	}
	half.Close()
	if half.Gram() != nil || half.Points() != p || half.Kernel() != k {
		t.Error("closing gives more or less than the matrix back")
	}
	half.Close()
}

// Neighbours and the width that they give are those found alone, in a pass with
// the matrix or without.
func TestNeighbours(t *testing.T) {
	p := dataset.TwoMoons(60, 0.1, 1).Points
	for _, metric := range []graph.Metric{graph.Euclidean, graph.Cosine} {
		want := neighbours(t, p, 7, metric)
		for name, k := range map[string]kernel.Kernel{"no matrix": nil, "Gaussian": kernel.Gaussian{Sigma: 0.5}, "open": kernel.Gaussian{}, "linear": kernel.Linear{}} {
			g := made(t, p, Options{Kernel: k, Precision: gram.Double, Graph: graph.Options{Neighbours: 7, Metric: metric}})
			if got := g.Neighbours(); got.K != 7 || !slices.Equal(got.Index, want.Index) {
				t.Errorf("%s, %s: other neighbours", metric, name)
			}
			for i, d := range g.Neighbours().Distance {
				if !(math.Abs(d-want.Distance[i]) <= 1e-12) {
					t.Errorf("%s, %s: the distance %v, alone %v", metric, name, d, want.Distance[i])
				}
			}
			if k, ok := g.Kernel().(kernel.Gaussian); name == "open" && (!ok || !(k.Sigma > 0)) {
				t.Errorf("%s: the width of %v is open", metric, g.Kernel())
			} else if mean, _ := want.MeanDistance(t.Context()); name == "open" && metric == graph.Euclidean && !(math.Abs(k.Sigma-mean) <= 1e-12) {
				t.Errorf("the width is %v, the mean distance %v", k.Sigma, mean)
			}
		}
	}
}

// Another geometry of the same points has the neighbours of one that found more, to the bit, and none that this one has not found.
func TestSearched(t *testing.T) {
	p := dataset.TwoMoons(120, 0.1, 1).Points
	options := func(k int, metric graph.Metric, recall float64) Options {
		return Options{Graph: graph.Options{Neighbours: k, Metric: metric, Weights: graph.Heat, Recall: recall}}
	}
	found := made(t, p, options(10, graph.SelfTuning, 0))
	equal := dataset.TwoMoons(120, 0.1, 1).Points
	for _, metric := range []graph.Metric{graph.Euclidean, graph.SelfTuning} {
		o := options(7, metric, 0)
		got, want := found.Searched(equal, o), made(t, p, o)
		if got == nil || !reflect.DeepEqual(got.Neighbours().First(7), want.Neighbours().First(7)) || got.MostNeighbours() != 7 || !got.Serves(p, o) {
			t.Errorf("%s: other neighbours than those of a search", metric)
		}
	}
	given := options(7, graph.Euclidean, 0)
	given.Edges = graph.OfEdges(p.Len(), dataset.Edges{From: []int32{0}, To: []int32{1}, Weight: []float64{1}})
	for name, g := range map[string]*Geometry{
		"other points":   found.Searched(dataset.TwoMoons(120, 0.1, 2).Points, options(7, graph.Euclidean, 0)),
		"another metric": found.Searched(p, options(7, graph.Cosine, 0)),
		"another recall": found.Searched(p, options(7, graph.Euclidean, 0.5)),
		"more":           found.Searched(p, options(100, graph.Euclidean, 0)),
		"given edges":    found.Searched(p, given),
		"of given edges": made(t, p, given).Searched(p, options(7, graph.Euclidean, 0)),
		"no search":      made(t, p, Options{}).Searched(p, options(7, graph.Euclidean, 0)),
	} {
		if g != nil {
			t.Errorf("%s: a geometry", name)
		}
	}
}

// A geometry takes the kernel and the factor of another one, and keeps its own neighbours.
func TestWithFactorOf(t *testing.T) {
	p := dataset.TwoMoons(60, 0.1, 1).Points
	of := made(t, p, Options{Kernel: kernel.Gaussian{Sigma: 0.5}, Precision: gram.Double})
	want, err := of.Factor(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	own := made(t, p, Options{Graph: graph.Options{Neighbours: 7}})
	g := own.WithFactorOf(of)
	if f, err := g.Factor(t.Context()); f != want || err != nil || g.Kernel() != of.Kernel() || g.Neighbours() != own.Neighbours() || own.Kernel() != nil {
		t.Errorf("another factor, kernel %v or other neighbours, %v", g.Kernel(), err)
	}
}

// By SelfTuning more neighbours are found than a graph has, and the width of the kernel is still the
// mean distance of so many Euclidean neighbours.
func TestSelfTuningLeavesTheKernel(t *testing.T) {
	p := dataset.TwoMoons(120, 0.1, 1).Points
	o := graph.Options{Neighbours: 6, Metric: graph.SelfTuning}
	want, _, err := graph.Connect(t.Context(), neighbours(t, p, 6, graph.SelfTuning), o.Weights, 0)
	if err != nil {
		t.Fatal(err)
	}
	mean, _ := neighbours(t, p, 6, graph.Euclidean).MeanDistance(t.Context())
	for name, c := range map[string]Options{
		"no matrix": {}, "with the matrix": {Kernel: kernel.Gaussian{Sigma: 0.5}}, "open": {Kernel: kernel.Gaussian{}}, "open alone": {Kernel: kernel.Gaussian{}, WidthAlone: true},
		"landmarks": {Kernel: kernel.Gaussian{}, Form: gram.FormLandmarks, Landmarks: 9},
	} {
		c.Graph = o
		g := made(t, p, c)
		got, _, err := g.Graph(t.Context(), 6)
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: another graph, %v", name, err)
		}
		if k, is := g.Kernel().(kernel.Gaussian); is && name != "with the matrix" && !(math.Abs(k.Sigma-mean) <= 1e-12) {
			t.Errorf("%s: the width is %v, the mean distance %v", name, k.Sigma, mean)
		}
		if g.MostNeighbours() != 6 || g.Neighbours().K != 76 {
			t.Errorf("%s: graphs of %d neighbours, %d found", name, g.MostNeighbours(), g.Neighbours().K)
		}
	}
}

// Graphs of fewer neighbours, and powers of their Laplacians, are those of a
// geometry that found no more.
func TestGraph(t *testing.T) {
	p := dataset.TwoMoons(60, 0.1, 1).Points
	for _, o := range []graph.Options{
		{Neighbours: 9, Metric: graph.Euclidean},
		{Neighbours: 9, Metric: graph.Euclidean, Weights: graph.Binary, Unnormalised: true, Degree: 77},
		{Neighbours: 9, Metric: graph.Cosine, Weights: graph.Heat, HeatWidth: 0.3},
		{Neighbours: 9, Metric: graph.Euclidean, Weights: graph.Distance},
		{Neighbours: 9, Metric: graph.SelfTuning},
	} {
		g := made(t, p, Options{Graph: o})
		for _, k := range []int{1, 4, 9} {
			got, width, _ := g.Graph(t.Context(), k)
			want, wantWidth, _ := graph.Connect(t.Context(), neighbours(t, p, k, o.Metric), o.Weights, o.HeatWidth)
			if !reflect.DeepEqual(got, want) || width != wantWidth {
				t.Errorf("%+v: another graph of %d neighbours, width %v, want %v", o, k, width, wantWidth)
			}
			for _, degree := range []int{1, 3} {
				x, y, z := [][]float64{make([]float64, 60)}, [][]float64{make([]float64, 60)}, [][]float64{make([]float64, 60)}
				for i := range x[0] {
					x[0][i] = math.Sin(float64(i))
				}
				if err := g.Laplacian(got, degree).Mul(t.Context(), y, x); err != nil {
					t.Fatal(err)
				}
				if err := graph.NewLaplacian(want, o.Unnormalised, degree).Mul(t.Context(), z, x); err != nil {
					t.Fatal(err)
				}
				if !slices.Equal(y[0], z[0]) {
					t.Errorf("%+v: another Laplacian of %d neighbours to the power %d", o, k, degree)
				}
			}
		}
		if with := panics(func() { g.Graph(t.Context(), 10) }); !strings.HasPrefix(with, "geometry: ") {
			t.Errorf("more neighbours than were found: panic %q", with)
		}
	}
	if with := panics(func() { made(t, p, Options{}).Graph(t.Context(), 1) }); !strings.HasPrefix(with, "geometry: ") {
		t.Errorf("no neighbours: panic %q", with)
	}
}

// Another kernel is that of a geometry made with it, and leaves the first alone.
func TestWithKernel(t *testing.T) {
	p := dataset.TwoMoons(50, 0.1, 1).Points
	first, second := kernel.Gaussian{Sigma: 0.5}, kernel.Laplacian{Sigma: 2}
	g := made(t, p, Options{Kernel: first, Precision: gram.Double, Graph: graph.Options{Neighbours: 4}})
	before := rows(g.Gram().(objective.Rows))
	factor, err := g.Factor(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	other, err := g.WithKernel(t.Context(), second, gram.Double)
	if err != nil {
		t.Fatal(err)
	}
	want := made(t, p, Options{Kernel: second, Precision: gram.Double, Graph: graph.Options{Neighbours: 4}})
	if other.Kernel() != second || other.Points() != p || other.Neighbours() != g.Neighbours() || !sameRows(rows(other.Gram().(objective.Rows)), rows(want.Gram().(objective.Rows))) {
		t.Error("another geometry than one made with the kernel")
	}
	theirs, err := other.Factor(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if theirs == factor {
		t.Error("the factor is that of the first kernel")
	}
	mine, _, _ := g.Graph(t.Context(), 3)
	if w, _, _ := other.Graph(t.Context(), 3); !reflect.DeepEqual(w, mine) {
		t.Error("the graph is another")
	}
	other.Close()
	if g.Kernel() != first || !sameRows(rows(g.Gram().(objective.Rows)), before) {
		t.Error("the first geometry changed")
	}
	if _, err := made(t, p, Options{}).WithKernel(t.Context(), first, gram.Double); err != nil {
		t.Errorf("points alone: %v", err)
	}
}

// The factor is made once, and outlives the matrix; reductions of its powers are those
// of the powers of the Laplacian.
func TestFactor(t *testing.T) {
	p := dataset.TwoMoons(50, 0.1, 1).Points
	g := made(t, p, Options{Kernel: kernel.Gaussian{Sigma: 0.5}, Precision: gram.Double, Graph: graph.Options{Neighbours: 6}})
	factor, err := g.Factor(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	labelled, y := []int{0, 1, 2, 3, 20, 41}, []float64{-1, 1, -1, 1, -1, 1}
	solved := func(v *deformed.Reduction, err error) []float64 {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		problem, err := v.Problem(t.Context(), deformed.Gammas{A: 0.01, I: 1})
		if err != nil {
			t.Fatal(err)
		}
		m := deformed.Machine{Problem: problem, Loss: objective.SquaredHinge, Targets: y}
		at := m.Solve(t.Context(), nil)
		alpha, _, err := problem.Expansions(t.Context(), []*deformed.Solution{at})
		if err != nil {
			t.Fatal(err)
		}
		return append(alpha[0], at.B)
	}
	g.Close()
	again, err := g.Factor(t.Context())
	if err != nil || again != factor {
		t.Errorf("the factor was made twice, or is gone with the matrix: %v", err)
	}
	for _, k := range []int{3, 6} {
		powers, err := g.Powers(t.Context(), k)
		if err != nil {
			t.Fatal(err)
		}
		w, _, _ := g.Graph(t.Context(), k)
		for _, degree := range []int{1, 2, 4} {
			got := solved(powers.Reduction(t.Context(), degree, labelled, objective.BiasInNorm))
			want := solved(factor.Reduction(t.Context(), g.Laplacian(w, degree), labelled, objective.BiasInNorm))
			scale := 0.0
			for _, v := range want {
				scale = max(scale, math.Abs(v))
			}
			for i := range want {
				if !(math.Abs(got[i]-want[i]) <= 1e-9*scale) {
					t.Fatalf("%d neighbours, degree %d: coefficient %d is %v, by the reduction of the power %v", k, degree, i, got[i], want[i])
				}
			}
		}
	}
	// Without neighbours there is no intrinsic norm.
	powers, err := g.Powers(t.Context(), 0)
	if err != nil {
		t.Fatal(err)
	}
	got := solved(powers.Reduction(t.Context(), 1, labelled, objective.BiasInNorm))
	want := solved(factor.Reduction(t.Context(), nil, labelled, objective.BiasInNorm))
	if !slices.Equal(got, want) {
		t.Errorf("no neighbours: %v, want %v", got, want)
	}
	streamed := made(t, p, Options{Kernel: kernel.Gaussian{Sigma: 0.5}, Form: gram.FormStreamed})
	if panics(func() { streamed.Factor(t.Context()) }) == "" {
		t.Error("a matrix without rows has a factor")
	}
}

func TestErrors(t *testing.T) {
	p := dataset.TwoMoons(10, 0.1, 1).Points
	equal := points.Dense(5, 2, make([]float64, 10))
	ended, end := context.WithCancel(t.Context())
	end()
	for name, c := range map[string]struct {
		ctx  context.Context
		p    *points.Points
		o    Options
		kind error // nil: any
	}{
		"too many neighbours":           {t.Context(), p, Options{Graph: graph.Options{Neighbours: 10}}, nil},
		"too many beside the matrix":    {t.Context(), p, Options{Kernel: kernel.Gaussian{Sigma: 1}, Graph: graph.Options{Neighbours: 10}}, nil},
		"no width":                      {t.Context(), equal, Options{Kernel: kernel.Gaussian{}, Graph: graph.Options{Neighbours: 2}}, gram.ErrNoWidth},
		"a kernel that is not finite":   {t.Context(), points.Dense(3, 1, []float64{1e200, 1, 2}), Options{Kernel: kernel.Polynomial{Degree: 9}}, nil},
		"ended, neighbours":             {ended, p, Options{Graph: graph.Options{Neighbours: 2}}, context.Canceled},
		"ended, the matrix":             {ended, p, Options{Kernel: kernel.Gaussian{Sigma: 1}}, context.Canceled},
		"ended, both":                   {ended, p, Options{Kernel: kernel.Gaussian{Sigma: 1}, Graph: graph.Options{Neighbours: 2}}, context.Canceled},
		"ended, cosine then the matrix": {ended, p, Options{Kernel: kernel.Gaussian{Sigma: 1}, Graph: graph.Options{Neighbours: 2, Metric: graph.Cosine}}, context.Canceled},
	} {
		if g, err := New(c.ctx, c.p, c.o); g != nil || err == nil || c.kind != nil && !errors.Is(err, c.kind) {
			t.Errorf("%s: %v, error %v", name, g, err)
		}
	}
}

// Neighbours by terms add their edges to the graph, with weights of their own width, whatever the kernel, the metric and the
// number of neighbours.
func TestGraphWithTerms(t *testing.T) {
	const n, k = 60, 5
	values, start, index, value := make([]float64, 2*n), []int{0}, []int32(nil), []float64(nil)
	for i := range n {
		values[2*i], values[2*i+1] = math.Cos(float64(i)), math.Sin(3*float64(i))
		for j := range 4 {
			index, value = append(index, int32(10*j+(i*(j+3)+i*i)%10)), append(value, 1+float64((i+j)%3))
		}
		start = append(start, len(index))
	}
	p, terms := points.Dense(n, 2, values), points.CSR(40, start, index, value)
	for _, metric := range []graph.Metric{graph.Euclidean, graph.SelfTuning} {
		options := Options{Graph: graph.Options{Metric: metric, Neighbours: 2 * k}, Terms: terms}
		g := made(t, p, options)
		other, err := g.WithKernel(t.Context(), kernel.Gaussian{Sigma: 1}, gram.Double)
		if err != nil {
			t.Fatal(err)
		}
		defer other.Close()
		options.Terms = nil
		alone, _, err := made(t, p, options).Graph(t.Context(), k)
		if err != nil {
			t.Fatal(err)
		}
		by, width, err := graph.Connect(t.Context(), neighbours(t, terms, k, graph.Cosine), graph.Heat, 0)
		if err != nil || width == 0 {
			t.Fatal(width, err)
		}
		for _, g := range []*Geometry{g, other, g.WithGraphs(metric, 1)} {
			w, _, err := g.Graph(t.Context(), k)
			if err != nil {
				t.Fatal(err)
			}
			got, want := make([]float64, n), make([]float64, n)
			for i := range n {
				clear(got)
				clear(want)
				for _, a := range []struct {
					*graph.Adjacency
					to []float64
				}{{w, got}, {alone, want}, {by, want}} {
					columns, weights := a.Row(i)
					for c, j := range columns {
						a.to[j] += weights[c]
					}
				}
				if !slices.Equal(got, want) {
					t.Fatalf("%s, row %d: %v, want %v", metric, i, got, want)
				}
			}
		}
	}
}
