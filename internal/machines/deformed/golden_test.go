package deformed_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"lapsvm/internal/machines/deformed"
	"lapsvm/internal/machines/solve"
	"lapsvm/internal/numbers/objective"
	"lapsvm/internal/points/gram"
	"lapsvm/internal/points/graph"
	"lapsvm/internal/testing/detector"
	"lapsvm/internal/testing/golden"
)

// reference is a golden problem with its operators.
type reference struct {
	k        *gram.Half
	l        *graph.Laplacian
	factor   *deformed.Factor
	labelled []int
	targets  []float64
	oneClass bool
}

func build(t *testing.T, g *golden.Problem) *reference {
	t.Helper()
	k, err := gram.NewHalf(t.Context(), g.X, g.Kernel(), gram.Double)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(k.Close)
	factor, err := deformed.NewFactor(t.Context(), k, 0)
	if err != nil {
		t.Fatal(err)
	}
	r := &reference{k: k, l: graph.NewLaplacian(g.Adjacency(t), g.Params.Normalize == 0, g.Params.Degree), factor: factor, oneClass: true}
	for i, y := range g.Y {
		if y != 0 {
			r.labelled = append(r.labelled, i)
			r.targets = append(r.targets, y)
			r.oneClass = r.oneClass && y > 0
		}
	}
	return r
}

func (r *reference) problem(t *testing.T, bias objective.Bias, gammas deformed.Gammas) *deformed.Problem {
	t.Helper()
	var l objective.Operator
	if gammas.I > 0 {
		l = r.l
	}
	v, err := r.factor.Reduction(t.Context(), l, r.labelled, bias)
	if err != nil {
		t.Fatal(err)
	}
	c, err := v.Problem(t.Context(), gammas)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// difference is ‖x − y‖/‖y‖.
func difference(x, y []float64) float64 {
	var d, s float64
	for i := range y {
		d += (x[i] - y[i]) * (x[i] - y[i])
		s += y[i] * y[i]
	}
	return math.Sqrt(d / s)
}

// Every reference problem, with both losses, with and without the intrinsic
// norm and with the bias in all three ways, has the solution of Newton's method
// in the n coefficients.
func TestSameAsNewton(t *testing.T) {
	golden.Run(t, func(t *testing.T, g *golden.Problem) {
		r := build(t, g)
		rng := rand.New(rand.NewPCG(91, 1))
		for _, bias := range []objective.Bias{objective.NoBias, objective.BiasOutside, objective.BiasInNorm} {
			if r.oneClass && bias == objective.NoBias {
				continue
			}
			for _, gammaI := range []float64{0, g.Params.GammaI} {
				c := r.problem(t, bias, deformed.Gammas{A: g.Params.GammaA, I: gammaI})
				for _, loss := range smooth() {
					p := &objective.Problem{K: r.k, L: r.l, Labelled: r.labelled, Targets: [][]float64{r.targets},
						GammaA: g.Params.GammaA, GammaI: gammaI, Loss: loss, Bias: bias, OneClass: r.oneClass}
					want, err := solve.Newton(t.Context(), p, solve.Options{})
					if err != nil {
						t.Fatal(err)
					}
					m := &deformed.Machine{Problem: c, Loss: loss, Targets: r.targets, OneClass: r.oneClass}
					at := m.Solve(t.Context(), nil)
					alpha, f := expansion(t, c, at.A, at.B)
					// For any a; at the solution it cancels. α is no better known than to
					// 1e-8 of it: γI/γA times the rounding of h.
					random := make([]float64, len(at.A))
					for k := range random {
						random[k] = rng.NormFloat64()
					}
					sum, _ := expansion(t, c, random, at.B)
					parts, _ := expansion(t, c, make([]float64, len(at.A)), at.B)
					units, err := c.Units(t.Context())
					if err != nil {
						t.Fatal(err)
					}
					for k, unit := range units {
						for i, v := range unit {
							parts[i] += random[k] * v
						}
					}
					if d := difference(parts, sum); !(d <= 1e-8) {
						t.Errorf("bias %d, %s, γI %g: the units of the labelled points differ from their sum by %.1e", bias, loss, gammaI, d)
					}
					outputs, err := c.Outputs(t.Context(), []*deformed.Solution{at, {A: random, B: at.B}})
					if err != nil {
						t.Fatal(err)
					}
					_, other := expansion(t, c, random, at.B)
					for k, want := range [][]float64{f, other} {
						if d := difference(outputs[k], want); !(d <= 1e-9) {
							t.Errorf("bias %d, %s, γI %g: the outputs differ from those of the expansion by %.1e", bias, loss, gammaI, d)
						}
					}
					df, da := difference(f, want.F[0]), difference(alpha, want.Alpha[0])
					t.Logf("bias %d, %s, γI %g: f %.1e, α %.1e, J %.1e", bias, loss, gammaI, df, da, m.Value(at)/want.Objective[0]-1)
					for k, i := range r.labelled {
						if !(math.Abs(at.F[k]-f[i]) <= 1e-7) {
							t.Errorf("output %v at labelled point %d, %v over all points", at.F[k], k, f[i])
						}
					}
					if !(df <= 1e-7) {
						t.Errorf("bias %d, %s, γI %g: f differs by %.1e, α by %.1e", bias, loss, gammaI, df, da)
					}
				}
			}
		}
	})
}

// A whole grid goes through a band matrix, a single problem does not.
func TestGrid(t *testing.T) {
	detector.Spare(t)
	golden.Run(t, func(t *testing.T, g *golden.Problem) {
		r := build(t, g)
		var problems []deformed.Gammas
		for _, a := range []float64{1e-6, 1} {
			for _, i := range []float64{0, 1e-6, 1e-4, 0.01, 0.1, 1, 10, 100} {
				problems = append(problems, deformed.Gammas{A: a, I: i})
			}
		}
		for _, bias := range []objective.Bias{objective.NoBias, objective.BiasOutside, objective.BiasInNorm} {
			v, err := r.factor.Reduction(t.Context(), r.l, r.labelled, bias)
			if err != nil {
				t.Fatal(err)
			}
			single, err := r.factor.Reduction(t.Context(), r.l, r.labelled, bias)
			if err != nil {
				t.Fatal(err)
			}
			var worst, worstOf float64
			visited := 0
			if err := v.Each(t.Context(), problems, func(i int, c *deformed.Problem) error {
				visited++
				alone, err := single.Problem(t.Context(), problems[i])
				if err != nil {
					return err
				}
				m := &deformed.Machine{Problem: c, Targets: r.targets, OneClass: r.oneClass && bias != objective.NoBias}
				at := m.Solve(t.Context(), nil)
				m.Problem = alone
				want := m.Solve(t.Context(), nil)
				_, f := expansion(t, c, at.A, at.B)
				_, wantF := expansion(t, alone, want.A, want.B)
				worst = max(worst, difference(c.Kernel, alone.Kernel))
				worstOf = max(worstOf, difference(f, wantF))
				return nil
			}); err != nil {
				t.Fatal(err)
			}
			t.Logf("rank %d, %d labels, bias %d: S differs by %.1e, f by %.1e", r.factor.Rank(), len(r.labelled), bias, worst, worstOf)
			if visited != len(problems) || !(worst <= 1e-7) || !(worstOf <= 1e-7) {
				t.Errorf("%d problems; S differs by %.1e, f by %.1e", visited, worst, worstOf)
			}
		}
	})
}

// The reference's dual stops at a violation of 1e-3, and agrees only to that.
// Its outputs contain a bias, whatever use_bias says.
func TestGoldenDual(t *testing.T) {
	golden.Run(t, func(t *testing.T, g *golden.Problem) {
		r := build(t, g)
		if r.oneClass {
			t.Skip("the dual has no one-class machine")
		}
		c := r.problem(t, objective.BiasOutside, deformed.Gammas{A: g.Params.GammaA, I: g.Params.GammaI})
		m := &deformed.Machine{Problem: c, Loss: objective.Hinge, Targets: r.targets}
		loose := m.Solve(t.Context(), nil)
		m.Tolerance = 1e-10
		at := m.Solve(t.Context(), nil)
		alpha, f := expansion(t, c, at.A, at.B)
		df, da := difference(f, g.Vector(t, "f_dual.csv")), difference(alpha, g.Vector(t, "alpha_dual.csv"))
		t.Logf("f %.1e, α %.1e, b %.6g; J %.10g", df, da, at.B, m.Value(at))
		if !(df <= 2e-3) || !(da <= 2e-3) {
			t.Errorf("f differs by %.1e, α by %.1e", df, da)
		}
		if worse := dual(m, loose)/dual(m, at) - 1; !(math.Abs(worse) <= 1e-3) {
			t.Errorf("the dual objective is %v at a violation of 1e-3, %v at 1e-10", dual(m, loose), dual(m, at))
		}
		if gap := m.Value(at) - dual(m, at); !(math.Abs(gap) <= 1e-8*m.Value(at)) {
			t.Errorf("the duality gap is %v of %v", gap, m.Value(at))
		}
	})
}

// dual is the dual objective Σβ − ½βᵀQβ, which is J at the optimum.
func dual(m *deformed.Machine, p *deformed.Solution) float64 {
	l, value := len(p.A), 0.0
	for i, a := range p.A {
		value += a * m.Targets[i]
		for j, b := range p.A {
			value -= a * b * m.Problem.Kernel[i*l+j] / 2
		}
	}
	return value
}

func expansion(t *testing.T, c *deformed.Problem, a []float64, b float64) (alpha, f []float64) {
	t.Helper()
	alphas, fs, err := c.Expansions(t.Context(), []*deformed.Solution{{A: a, B: b}})
	if err != nil {
		t.Fatal(err)
	}
	return alphas[0], fs[0]
}
