package nystrom

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"lapsvm/internal/machines/deformed"
	"lapsvm/internal/numbers/objective"
	"lapsvm/internal/points/gram"
	"lapsvm/internal/points/graph"
	"lapsvm/internal/testing/detector"
	"lapsvm/kernel"
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
	w, _, _ := graph.Connect(t.Context(), nb, graph.Heat, 0)
	return p, graph.NewLaplacian(w, false, degree)
}

// With all points as landmarks, and solved to the end, the space is that of package
// deformed: problems, machines and functions agree.
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
		z, err := gram.NewLandmarks(ctx, p, k, n, 1, gram.Double, nil)
		if err != nil {
			t.Fatal(err)
		}
		s, err := New(ctx, z, l)
		if err != nil {
			t.Fatal(err)
		}
		for _, bias := range []objective.Bias{objective.BiasInNorm, objective.BiasOutside, objective.NoBias} {
			reduction, err := factor.Reduction(ctx, l, labelled, bias)
			if err != nil {
				t.Fatal(err)
			}
			g := deformed.Gammas{A: 1e-2, I: 0.1}
			want, err := reduction.Problem(ctx, g)
			if err != nil {
				t.Fatal(err)
			}
			got, err := s.Problem(ctx, g, labelled, bias, gram.Double, Options{Tolerance: 1e-16})
			if err != nil {
				t.Fatal(err)
			}
			if !got.Converged {
				t.Errorf("degree %d, bias %d: not converged after %v iterations", degree, bias, got.Iterations)
			}
			near(t, "S", got.Kernel, want.Kernel)
			near(t, "u", got.Bias, want.Bias)
			near(t, "κ", []float64{got.Kappa}, []float64{want.Kappa})
			machine := func(c *deformed.Problem) *deformed.Machine {
				return &deformed.Machine{Problem: c, Loss: objective.SquaredHinge, Targets: targets}
			}
			at := machine(want).Solve(ctx, nil)
			f, err := want.Outputs(ctx, []*deformed.Solution{at})
			if err != nil {
				t.Fatal(err)
			}
			own, err := got.Functions(ctx, []*deformed.Solution{machine(got.Problem).Solve(ctx, nil), at})
			if err != nil {
				t.Fatal(err)
			}
			near(t, "f", own[0].Values, f[0])
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
			near(t, "expansion and residual", values[0], f[0])
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

// shuffled returns an order of points.
func shuffled(n int) []int32 {
	order := make([]int32, n)
	for k, i := range rand.New(rand.NewPCG(3, 4)).Perm(n) {
		order[k] = int32(i)
	}
	return order
}

// The order of the points does not matter but for rounding. In single precision that needs precise
// products.
func TestOrder(t *testing.T) {
	t.Run("double", func(t *testing.T) {
		orderDoesNotMatter(t, gram.Double, func(z *gram.Landmarks) multiplied { return z })
	})
	t.Run("single, precise", func(t *testing.T) {
		orderDoesNotMatter(t, gram.Single, func(z *gram.Landmarks) multiplied { return z.Precise() })
	})
}

// multiplied is landmarks that are an operator too.
type multiplied interface {
	Landmarks
	objective.Operator
}

func orderDoesNotMatter(t *testing.T, precision gram.Precision, precise func(*gram.Landmarks) multiplied) {
	ctx := context.Background()
	const n = 500
	p, l := problem(t, n, 2)
	labelled, targets := []int{4, 33, 101, 250, 499}, []float64{1, -1, 1, -1, 1}
	var values, outputs [][]float64
	for _, order := range [][]int32{nil, shuffled(n)} {
		drawn, err := gram.NewLandmarks(ctx, p, kernel.Gaussian{Sigma: 0.5}, 80, 1, precision, order)
		if err != nil {
			t.Fatal(err)
		}
		z := precise(drawn)
		s, err := New(ctx, z, l)
		if err != nil {
			t.Fatal(err)
		}
		c, err := s.Problem(ctx, deformed.Gammas{A: 1e-3, I: 0.1}, labelled, objective.BiasInNorm, gram.Double, Options{Tolerance: 1e-16})
		if err != nil {
			t.Fatal(err)
		}
		m := &deformed.Machine{Problem: c.Problem, Loss: objective.SquaredHinge, Targets: targets}
		f, err := c.Functions(ctx, []*deformed.Solution{m.Solve(ctx, nil)})
		if err != nil {
			t.Fatal(err)
		}
		product := [][]float64{make([]float64, n)}
		if err := z.Mul(ctx, product, [][]float64{f[0].Residual}); err != nil {
			t.Fatal(err)
		}
		values, outputs = append(values, append(f[0].Values, f[0].Residual...)), append(outputs, product[0])
	}
	near(t, "f and e", values[1], values[0])
	near(t, "K̂e", outputs[1], outputs[0])
}

// A space that is given another power is the space of that power, bit for bit, whatever the order of its points.
func TestSetPower(t *testing.T) {
	ctx := t.Context()
	const n = 300
	p, l := problem(t, n, 2)
	_, other := problem(t, n, 1)
	z, err := gram.NewLandmarks(ctx, p, kernel.Gaussian{Sigma: 0.5}, 40, 1, gram.Single, shuffled(n))
	if err != nil {
		t.Fatal(err)
	}
	var values [][]float64
	for _, first := range []*graph.Laplacian{l, other} {
		s, err := New(ctx, z, first)
		if err == nil && first != l {
			err = s.SetPower(ctx, l)
		}
		if err != nil {
			t.Fatal(err)
		}
		c, err := s.Problem(ctx, deformed.Gammas{A: 1e-3, I: 0.1}, []int{4, 33, 101, 250}, objective.BiasInNorm, gram.Double, Options{Tolerance: 1e-6})
		if err != nil {
			t.Fatal(err)
		}
		m := &deformed.Machine{Problem: c.Problem, Loss: objective.SquaredHinge, Targets: []float64{1, -1, 1, -1}}
		f, err := c.Functions(ctx, []*deformed.Solution{m.Solve(ctx, nil)})
		if err != nil {
			t.Fatal(err)
		}
		values = append(values, f[0].Values)
	}
	if !slices.Equal(values[0], values[1]) {
		t.Error("a space remembers the power that it had before")
	}
}

// Functions lost in rounding are an error, for certain beside an infinite weight of the graph. The error advises more precision where a higher
// precision exists.
func TestLostInRounding(t *testing.T) {
	detector.Spare(t)
	for _, precision := range []gram.Precision{gram.Single, gram.Double} {
		p, l := problem(t, 200, 2)
		z, err := gram.NewLandmarks(t.Context(), p, kernel.Gaussian{Sigma: 0.5}, 40, 1, precision, nil)
		if err != nil {
			t.Fatal(err)
		}
		s, err := New(t.Context(), z, l)
		if err != nil {
			t.Fatal(err)
		}
		_, err = s.Problem(t.Context(), deformed.Gammas{A: 1e-18, I: math.Inf(1)}, []int{4, 33, 101}, objective.BiasInNorm, precision, Options{})
		if err == nil || !strings.Contains(err.Error(), "raise gamma-a") || strings.Contains(err.Error(), "precision 64") != (precision == gram.Single) {
			t.Errorf("%d bits: %v", precision, err)
		}
	}
}
