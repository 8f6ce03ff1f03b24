package nystrom

import (
	"context"
	"testing"

	"lapsvm/internal/machines/deformed"
	"lapsvm/internal/numbers/objective"
	"lapsvm/internal/points/gram"
	"lapsvm/internal/testing/detector"
	"lapsvm/kernel"
)

// With wrong labels on the straight piece of the huberised hinge, Newton's method on the functions
// finds the functions, biases and objectives of machines on the columns, for every bias.
func TestStraightPieces(t *testing.T) {
	detector.Spare(t)
	ctx := context.Background()
	const n = 400
	p, l := problem(t, n, 2)
	z, err := gram.NewLandmarks(ctx, p, kernel.Gaussian{Sigma: 0.7}, 60, 1, gram.Double, shuffled(n))
	if err != nil {
		t.Fatal(err)
	}
	s, err := New(ctx, z, l)
	if err != nil {
		t.Fatal(err)
	}
	labelled, weights, targets := []int(nil), []float64(nil), []float64(nil)
	for i := 0; i < n; i += 5 {
		target := -1.0
		if i%4 == 0 || i%7 == 0 {
			target = 1
		}
		labelled, weights, targets = append(labelled, i), append(weights, 1), append(targets, target)
	}
	straight := 0
	for _, bias := range []objective.Bias{objective.BiasInNorm, objective.BiasOutside, objective.NoBias} {
		g, o := deformed.Gammas{A: 1e-3, I: 1e-2}, Options{Tolerance: 1e-18}
		problem, err := s.Problem(ctx, g, labelled, bias, gram.Double, o)
		if err != nil {
			t.Fatal(err)
		}
		defer problem.Close()
		columns := deformed.Columns{Weights: append([]float64{}, weights...), Loss: objective.HuberisedHinge, Targets: [][]float64{append([]float64{}, targets...)}}
		right := columns.Machine(problem.Problem, 0).Solve(ctx, nil)
		for k, f := range right.F {
			if f*targets[k] > 1 { // a wrong label of little weight
				columns.Targets[0][k], columns.Weights[k] = -targets[k], 1e-3
			}
		}
		machine := columns.Machine(problem.Problem, 0)
		want := machine.Solve(ctx, nil)
		for k, f := range want.F {
			if f*columns.Targets[0][k] < 0 {
				straight++
			}
		}
		got, err := s.Minimise(ctx, Training{Gammas: g, Columns: columns, Labelled: labelled, Bias: bias}, o)
		if err != nil {
			t.Fatal(err)
		}
		functions, err := problem.Functions(ctx, []*deformed.Solution{want})
		if err != nil {
			t.Fatal(err)
		}
		if !got[0].Converged || !want.Converged {
			t.Errorf("bias %v did not converge", bias)
		}
		near(t, "f", got[0].Values, functions[0].Values)
		near(t, "b and J", []float64{got[0].Bias, got[0].Objective}, []float64{want.B, machine.Value(want)})
		if e := machine.ErrorVectors(want); got[0].ErrorVectors != e {
			t.Errorf("bias %v: %d error vectors, want %d", bias, got[0].ErrorVectors, e)
		}
	}
	if straight < 6 {
		t.Errorf("%d labels on the straight piece: little is tested", straight)
	}
}
