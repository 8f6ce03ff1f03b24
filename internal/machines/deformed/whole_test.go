package deformed_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"lapsvm/internal/machines/deformed"
	"lapsvm/internal/numbers/objective"
	"lapsvm/internal/points/gram"
	"lapsvm/internal/points/graph"
	"lapsvm/kernel"
	"lapsvm/points"
)

// A block of the whole problem is the problem of its labels, with the same outputs; and its
// covariance is S and S². It is so where the triangles are of several blocks, and where the rank is lower than the number of points.
func TestWhole(t *testing.T) {
	for _, one := range []struct {
		n     int
		sigma float64
		full  bool
	}{{60, 0.7, true}, {300, 0.05, true}, {300, 2, false}} {
		t.Run(fmt.Sprintf("%d points, width %g", one.n, one.sigma), func(t *testing.T) {
			k, l := scattered(t, one.n, one.sigma, 18)
			factor, err := deformed.NewFactor(t.Context(), k, 0)
			if err != nil {
				t.Fatal(err)
			}
			if full := factor.Rank() == one.n; full != one.full {
				t.Fatalf("rank %d of %d points", factor.Rank(), one.n)
			}
			checkWhole(t, factor, l)
		})
	}
}

func checkWhole(t *testing.T, factor *deformed.Factor, l *graph.Laplacian) {
	t.Helper()
	ctx, n := t.Context(), factor.Len()
	power := func(degree int) objective.Operator { return l.Ordered(factor.Order()).Power(degree) }
	g, labelled := deformed.Gammas{A: 0.05, I: 0.4}, []int{3, 17, 18, 40, 59}
	for _, bias := range []objective.Bias{objective.BiasInNorm, objective.BiasOutside, objective.NoBias} {
		whole, err := factor.Powers(power).Whole(ctx, 2, g, bias)
		if err != nil {
			t.Fatal(err)
		}
		reduction, err := factor.Powers(power).Reduction(ctx, 2, labelled, bias)
		if err != nil {
			t.Fatal(err)
		}
		want, err := reduction.Problem(ctx, g)
		if err != nil {
			t.Fatal(err)
		}
		got := whole.Problem(labelled)
		at := (&deformed.Machine{Problem: want, Targets: []float64{1, -1, -1, 1, -1}}).Solve(ctx, nil)
		f, err := want.Outputs(ctx, []*deformed.Solution{at})
		if err != nil {
			t.Fatal(err)
		}
		h, err := got.Outputs(ctx, []*deformed.Solution{at})
		if err != nil {
			t.Fatal(err)
		}
		for i, v := range want.Kernel {
			if !(math.Abs(got.Kernel[i]-v) <= 1e-11) || !(math.Abs(got.Kappa-want.Kappa) <= 1e-11) {
				t.Fatalf("bias %d: S is %v with κ %v, want %v with %v", bias, got.Kernel, got.Kappa, want.Kernel, want.Kappa)
			}
		}
		for i, v := range f[0] {
			if !(math.Abs(h[0][i]-v) <= 1e-11) {
				t.Errorf("bias %d: point %d has the output %v, want %v", bias, i, h[0][i], v)
			}
		}
		all := whole.Problem(factor.Every()).Kernel
		some := []int{4, 17, 30}
		c := whole.Covariance(some)
		own, square, err := c.Variances(ctx)
		if err != nil {
			t.Fatal(err)
		}
		columns, squares := make([][]float64, 3), make([][]float64, 3)
		for b := range some {
			columns[b], squares[b] = make([]float64, 3), make([]float64, 3)
		}
		c.Columns(ctx, columns, squares, []int{0, 1, 2})
		for b, j := range some {
			s, s2 := columns[b], squares[b]
			for a, i := range some {
				sum := 0.0
				for k := range n {
					sum += all[i*n+k] * all[k*n+j]
				}
				if !(math.Abs(s[a]-all[i*n+j]) <= 1e-12) || !(math.Abs(s2[a]-sum) <= 1e-11) {
					t.Errorf("covariance of %d and %d is %v and %v, want %v and %v", i, j, s[a], s2[a], all[i*n+j], sum)
				}
				if a == b && (!(math.Abs(own[a]-s[a]) <= 1e-12) || !(math.Abs(square[a]-s2[a]) <= 1e-11)) {
					t.Errorf("variance of %d is %v and %v, want %v and %v", i, own[a], square[a], s[a], s2[a])
				}
			}
		}
	}
}

// scattered returns the kernel matrix of n normal points in the plane, and a Laplacian of them.
func scattered(t *testing.T, n int, sigma float64, seed uint64) (*gram.Half, *graph.Laplacian) {
	t.Helper()
	r := rand.New(rand.NewPCG(1, seed))
	values := make([]float64, 2*n)
	for i := range values {
		values[i] = r.NormFloat64()
	}
	p := points.Dense(n, 2, values)
	k, err := gram.NewHalf(t.Context(), p, kernel.Gaussian{Sigma: sigma}, gram.Double)
	if err != nil {
		t.Fatal(err)
	}
	nb, err := graph.FindNeighbours(t.Context(), p, 5, graph.Euclidean)
	if err != nil {
		t.Fatal(err)
	}
	w, _, _ := graph.Connect(t.Context(), nb, graph.Heat, 0)
	return k, graph.NewLaplacian(w, false, 1)
}

// Alone is the whole problem of no intrinsic norm.
func TestAlone(t *testing.T) {
	const gammaA = 0.05
	k, l := scattered(t, 60, 0.7, 18)
	factor, err := deformed.NewFactor(t.Context(), k, 0)
	if err != nil {
		t.Fatal(err)
	}
	labelled := []int{3, 17, 18, 40, 59}
	for _, bias := range []objective.Bias{objective.BiasOutside, objective.NoBias} {
		whole, err := factor.Powers(func(int) objective.Operator { return l }).Whole(t.Context(), 1, deformed.Gammas{A: gammaA}, bias)
		if err != nil {
			t.Fatal(err)
		}
		alone, err := deformed.Alone(t.Context(), k, gammaA, bias)
		if err != nil {
			t.Fatal(err)
		}
		want, got := whole.Problem(labelled), alone.Problem(labelled)
		at := (&deformed.Machine{Problem: want.Problem, Targets: []float64{1, -1, -1, 1, -1}}).Solve(t.Context(), nil)
		f, err := want.Outputs(t.Context(), []*deformed.Solution{at})
		if err != nil {
			t.Fatal(err)
		}
		also, err := got.Outputs(t.Context(), []*deformed.Solution{at})
		if err != nil {
			t.Fatal(err)
		}
		for i := range f[0] {
			if off := math.Abs(also[0][i] - f[0][i]); !(off <= 1e-9) {
				t.Errorf("bias %v: output %d is %g, want %g", bias, i, also[0][i], f[0][i])
			}
		}
	}
}
