package functionspace

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"lapsvm/deformed"
	"lapsvm/gram"
	"lapsvm/graph"
	"lapsvm/kernel"
	"lapsvm/objective"
	"lapsvm/points"
)

// problem is points in a few clusters, with a graph.
func problem(t *testing.T, n, degree int) (*points.Points, *graph.Laplacian) {
	r := rand.New(rand.NewPCG(7, uint64(n)))
	values := make([]float64, n*3)
	for i := range n {
		for j := range 3 {
			values[i*3+j] = 2*float64((i%4)>>(j%2)&1) + 0.6*r.NormFloat64()
		}
	}
	p := points.Dense(n, 3, values)
	nb, err := graph.FindNeighbours(context.Background(), p, 8, graph.Euclidean)
	if err != nil {
		t.Fatal(err)
	}
	w, _ := graph.Connect(nb, graph.Heat, 0)
	return p, graph.NewLaplacian(w, false, degree)
}

// With all points as landmarks, and solved to the end, the space is that of package
// deformed: cells, machines and functions agree.
func TestAllPointsAreLandmarks(t *testing.T) {
	ctx := context.Background()
	const n = 300
	labelled := []int{3, 8, 20, 21, 22, 50, 77, 78, 120, 150, 151, 152, 200, 210, 250, 251, 260, 299}
	targets := make([]float64, len(labelled))
	for k, i := range labelled {
		targets[k] = float64(2*(i%4/2) - 1)
	}
	for _, degree := range []int{1, 2, 3} {
		p, l := problem(t, n, degree)
		k := kernel.Gaussian{Sigma: 1.2}
		full, err := gram.NewHalf(ctx, p, k, gram.Double)
		if err != nil {
			t.Fatal(err)
		}
		factor, err := deformed.NewFactor(ctx, full, 0)
		if err != nil {
			t.Fatal(err)
		}
		z, err := gram.NewLandmarks(ctx, p, k, n, 1, gram.Double)
		if err != nil {
			t.Fatal(err)
		}
		s, err := New(ctx, z, l)
		if err != nil {
			t.Fatal(err)
		}
		for _, bias := range []objective.Bias{objective.BiasInNorm, objective.BiasOutside, objective.NoBias} {
			view, err := factor.View(ctx, l, labelled, bias)
			if err != nil {
				t.Fatal(err)
			}
			g := deformed.Gammas{A: 1e-2, I: 0.1}
			want, err := view.Cell(ctx, g)
			if err != nil {
				t.Fatal(err)
			}
			got, err := s.Cell(ctx, g, labelled, bias, gram.Double, Options{Tolerance: 1e-16})
			if err != nil {
				t.Fatal(err)
			}
			if !got.Converged {
				t.Errorf("degree %d, bias %d: not converged after %v iterations", degree, bias, got.Iterations)
			}
			near(t, "S", got.Kernel, want.Kernel)
			near(t, "u", got.Bias, want.Bias)
			near(t, "κ", []float64{got.Kappa}, []float64{want.Kappa})
			machine := func(c *deformed.Cell) *deformed.Machine {
				return &deformed.Machine{Cell: c, Loss: objective.SquaredHinge, Targets: targets}
			}
			at := machine(want).Solve(ctx, nil)
			_, f, err := want.Expansion(ctx, at.A, at.B)
			if err != nil {
				t.Fatal(err)
			}
			own, err := got.Functions(ctx, []*deformed.Point{machine(got.Cell).Solve(ctx, nil), at})
			if err != nil {
				t.Fatal(err)
			}
			near(t, "f", own[0].Values, f)
			expansion, _, err := z.Expansion(ctx, [][]float64{own[1].Weights}, []float64{at.B})
			if err != nil {
				t.Fatal(err)
			}
			values := [][]float64{make([]float64, n)}
			if err := expansion.Values(ctx, values, p, gram.Double); err != nil {
				t.Fatal(err)
			}
			for i, e := range own[1].Residual {
				values[0][i] += e
			}
			near(t, "expansion and residual", values[0], f)
			got.Close()
		}
	}
}

// near compares numbers relative to the largest of them.
func near(t *testing.T, what string, got, want []float64) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%s: %d values, want %d", what, len(got), len(want))
	}
	largest, off := 0.0, 0.0
	for i, v := range want {
		largest, off = max(largest, math.Abs(v)), max(off, math.Abs(got[i]-v))
	}
	if !(off <= 1e-6*largest) {
		t.Errorf("%s is off by %.3g, of %.3g", what, off, largest)
	}
}
