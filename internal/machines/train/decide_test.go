package train

import (
	"math"
	"testing"

	"lapsvm/internal/machines/deformed"
	"lapsvm/internal/machines/solve"
	"lapsvm/internal/points/graph"
	"lapsvm/kernel"
)

// A prior moves outputs without a label by as much as those with all labels.
func TestPriorMovesLeftOutOutputs(t *testing.T) {
	r := Recipe{Kernel: kernel.Gaussian{Sigma: 0.4}, GammaA: 1e-2, GammaI: 0.1, Graph: graph.Options{Neighbours: 5, Degree: 1}, Solver: Deformed}
	p, err := Begin(t.Context(), few(60, 12), r, Run{})
	if err != nil {
		t.Fatal(err)
	}
	defer p.Geometry.Close()
	factor, err := p.Geometry.Factor(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	reduction, err := factor.Reduction(t.Context(), p.Problem.L, p.Task.Labelled, p.Recipe.Bias)
	if err != nil {
		t.Fatal(err)
	}
	reduced, err := reduction.Problem(t.Context(), deformed.Gammas{A: r.GammaA, I: r.GammaI})
	if err != nil {
		t.Fatal(err)
	}
	var all []*Decided
	for _, prior := range []Prior{nil, ClassPrior{p.Task.Classes[0]: 0.8, p.Task.Classes[1]: 0.2}} {
		r := p.Recipe
		r.Prior = prior
		d, err := Decide(t.Context(), p.Task, r, []ReducedProblem{reduced}, Run{})
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, d)
	}
	shift := all[1].B[0] - all[0].B[0]
	if !(shift < -0.01) {
		t.Errorf("the prior moves outputs by %v", shift)
	}
	for i, f := range all[1].F[0] {
		if got := f - all[0].F[0][i]; !(math.Abs(got-shift) <= 1e-12) {
			t.Errorf("the output of point %d is moved by %v, the bias by %v", i, got, shift)
		}
	}
	for k, f := range all[1].LeaveOneOut[0] {
		if got := f - all[0].LeaveOneOut[0][k]; !(math.Abs(got-shift) <= 1e-12) {
			t.Errorf("the output without label %d is moved by %v, the bias by %v", k, got, shift)
		}
	}
}

// Numbers that are none, or too large to be squared, are no solution wherever they are.
func TestSolutionsThatAreNotFinite(t *testing.T) {
	for _, v := range []float64{math.NaN(), math.Inf(1), math.Inf(-1), 1e151} {
		for name, spoil := range map[string]func(m *minimum){
			"coefficient": func(m *minimum) { m.Alpha[0][1] = v },
			"output":      func(m *minimum) { m.F[0][1] = v },
			"bias":        func(m *minimum) { m.B[0] = v },
			"objective":   func(m *minimum) { m.Objective[0] = v },
			"label share": func(m *minimum) { m.labelShares = [][]float64{{0, v}} },
		} {
			m := &minimum{Solution: &solve.Solution{Alpha: [][]float64{{1, 2}}, F: [][]float64{{1, 2}}, B: []float64{1}, Objective: []float64{1}}}
			p := &Problem{Recipe: Recipe{GammaA: 1}}
			if err := p.checkFinite(m); err != nil {
				t.Fatal(err)
			}
			if spoil(m); p.checkFinite(m) == nil {
				t.Errorf("%s %v: no error", name, v)
			}
		}
	}
}
