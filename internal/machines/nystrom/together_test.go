package nystrom

import (
	"math"
	"slices"
	"testing"

	"lapsvm/internal/machines/deformed"
	"lapsvm/internal/numbers/objective"
	"lapsvm/internal/points/gram"
	"lapsvm/kernel"
)

// Machines are found in one column each as they are in a column for every label: at once with S itself for a guess, and after
// corrections with another.
func TestTogether(t *testing.T) {
	ctx := t.Context()
	const n = 600
	p, l := problem(t, n, 2)
	k, err := gram.NewLandmarks(ctx, p, kernel.Gaussian{Sigma: 0.6}, 60, 1, gram.Double, nil)
	if err != nil {
		t.Fatal(err)
	}
	s, err := New(ctx, k, l)
	if err != nil {
		t.Fatal(err)
	}
	labelled, targets := []int(nil), make([][]float64, 3)
	for i := 0; i < n; i += 20 {
		labelled = append(labelled, i)
		for c := range targets {
			targets[c] = append(targets[c], map[bool]float64{true: 1, false: -1}[i%3 == c])
		}
	}
	told, of := 0, 0
	g, o := deformed.Gammas{A: 1e-3, I: 0.1}, Options{Tolerance: 1e-18, Progress: func(done, most int) { told, of = done, most }}
	columns := deformed.Columns{Targets: targets}
	for _, bias := range []objective.Bias{objective.BiasInNorm, objective.BiasOutside, objective.NoBias} {
		want, err := s.Problem(ctx, g, labelled, bias, gram.Double, o)
		if err != nil {
			t.Fatal(err)
		}
		solved := func(c *Problem) (at []*deformed.Solution, values [][]float64, objectives []float64) {
			for m := range targets {
				machine := columns.Machine(c.Problem, m)
				at = append(at, machine.Solve(ctx, nil))
				objectives = append(objectives, machine.Value(at[m]))
			}
			if values, err = c.Outputs(ctx, at); err != nil {
				t.Fatal(err)
			}
			return at, values, objectives
		}
		_, values, least := solved(want)
		for _, off := range []float64{0, 0.2} {
			guess := *want.Reduced()
			guess.Kernel = slices.Clone(guess.Kernel)
			for i := range labelled {
				for j := range labelled {
					guess.Kernel[i*len(labelled)+j] *= (1 + off*math.Sin(float64(3*i))) * (1 + off*math.Sin(float64(3*j)))
				}
			}
			problem, err := s.Together(ctx, g, labelled, columns, &guess, bias, gram.Double, o)
			if err != nil {
				t.Fatal(err)
			}
			if told != of {
				t.Errorf("at the end %d of %d are done", told, of)
			}
			_, got, objectives := solved(problem)
			for m := range targets {
				if !(objectives[m] >= least[m]*(1-1e-9)) || !(objectives[m] <= least[m]*(1+1e-7)) {
					t.Errorf("bias %d, a guess off by %g, machine %d: objective %v, want %v", bias, off, m, objectives[m], least[m])
				}
				for i, v := range values[m] {
					if !(math.Abs(got[m][i]-v) <= 1e-5) {
						t.Fatalf("bias %d, a guess off by %g, machine %d: point %d has %v, want %v", bias, off, m, i, got[m][i], v)
					}
				}
			}
			problem.Close()
		}
		want.Close()
	}
}
