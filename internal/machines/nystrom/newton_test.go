package nystrom

import (
	"context"
	"fmt"
	"testing"

	"lapsvm/internal/machines/deformed"
	"lapsvm/internal/numbers/objective"
	"lapsvm/internal/points/gram"
	"lapsvm/internal/testing/detector"
	"lapsvm/kernel"
)

// Newton's method on the functions finds the same functions, biases, objectives and error vectors
// as machines on the columns of the labelled points. The cases cover every bias and loss, weights,
// left-out labels, and one class.
func TestMinimiseIsTheMachine(t *testing.T) {
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
	labelled, weights := []int(nil), []float64(nil)
	for i := 0; i < n; i += 5 {
		labelled, weights = append(labelled, i), append(weights, 0.5+float64(i%3))
	}
	for _, loss := range objective.Losses() {
		if !loss.Smooth() {
			continue
		}
		for _, bias := range []objective.Bias{objective.BiasInNorm, objective.BiasOutside, objective.NoBias} {
			for _, oneClass := range []bool{false, true} {
				if oneClass && loss == objective.Squared {
					continue
				}
				t.Run(fmt.Sprint(loss, bias, oneClass), func(t *testing.T) {
					columns := deformed.Columns{Weights: weights, Loss: loss, OneClass: oneClass}
					machines := 18
					if oneClass {
						machines = 1
					}
					for c := range machines {
						targets := make([]float64, len(labelled))
						for k, i := range labelled {
							targets[k] = -1
							if i%4 == c%4 || i%7 == c%7 || oneClass {
								targets[k] = 1
							}
							if loss.OfResiduals() && !oneClass {
								targets[k] += float64(i%11-c%3) / 10
							}
						}
						columns.Targets = append(columns.Targets, targets)
					}
					g := deformed.Gammas{A: 1e-2, I: 0.1}
					o := Options{Tolerance: 1e-18}
					problem, err := s.Problem(ctx, g, labelled, bias, gram.Double, o)
					if err != nil {
						t.Fatal(err)
					}
					defer problem.Close()
					var at []*deformed.Solution
					for c := range columns.Targets {
						at = append(at, columns.Machine(problem.Problem, c).Solve(ctx, nil))
					}
					want, err := problem.Functions(ctx, at)
					if err != nil {
						t.Fatal(err)
					}
					got, err := s.Minimise(ctx, Training{Gammas: g, Columns: columns, Labelled: labelled, Bias: bias}, o)
					if err != nil {
						t.Fatal(err)
					}
					for c := range got {
						machine := columns.Machine(problem.Problem, c)
						if !got[c].Converged || !at[c].Converged {
							t.Errorf("machine %d did not converge", c)
						}
						near(t, "f", got[c].Values, want[c].Values)
						near(t, "e", got[c].Residual, want[c].Residual)
						near(t, "b and J", []float64{got[c].Bias, got[c].Objective}, []float64{at[c].B, machine.Value(at[c])})
						if e := machine.ErrorVectors(at[c]); got[c].ErrorVectors != e {
							t.Errorf("machine %d has %d error vectors, want %d", c, got[c].ErrorVectors, e)
						}
					}
					if oneClass || loss == objective.Squared {
						return
					}
					// Labels are left out.
					some := []int{0, 3, 17, 40}
					without := columns
					without.Targets = [][]float64{append([]float64{}, columns.Targets[0]...)}
					for _, k := range some {
						without.Targets[0][k] = objective.LeftOut()
					}
					held, err := s.Minimise(ctx, Training{Gammas: g, Columns: without, Labelled: labelled, Bias: bias}, o)
					if err != nil {
						t.Fatal(err)
					}
					var values []float64
					for _, k := range some {
						values = append(values, held[0].Values[labelled[k]])
					}
					near(t, "f of labels left out", values, columns.Machine(problem.Problem, 0).HeldOut(ctx, at[0], some))
				})
			}
		}
	}
}
