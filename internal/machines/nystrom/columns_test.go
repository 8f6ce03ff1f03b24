package nystrom

import (
	"context"
	"math"
	"testing"

	"lapsvm/internal/machines/deformed"
	"lapsvm/internal/numbers/objective"
	"lapsvm/internal/numbers/vec"
	"lapsvm/internal/points/gram"
	"lapsvm/kernel"
)

// Columns that came at several times, more than a problem takes and in another order, make the
// problem of those solved for at once.
func TestColumnsGrow(t *testing.T) {
	ctx := context.Background()
	p, l := problem(t, 400, 2)
	k, err := gram.NewLandmarks(ctx, p, kernel.Gaussian{Sigma: 0.4}, 60, 1, gram.Double, nil)
	if err != nil {
		t.Fatal(err)
	}
	s, err := New(ctx, k, l)
	if err != nil {
		t.Fatal(err)
	}
	labelled := []int{5, 9, 40, 77, 130, 131, 250, 399}
	g, o := deformed.Gammas{A: 1e-3, I: 0.1}, Options{Tolerance: 1e-16}
	for _, bias := range []objective.Bias{objective.BiasInNorm, objective.BiasOutside, objective.NoBias} {
		want, err := s.Problem(ctx, g, labelled, bias, gram.Double, o)
		if err != nil {
			t.Fatal(err)
		}
		grown, err := s.Columns(ctx, g, bias, gram.Double, o)
		if err != nil {
			t.Fatal(err)
		}
		for _, some := range [][]int{{250}, {3, 399, 9, 200}, {250, 131}, {5, 77, 130, 40, 41, 42, 43, 44, 45, 46, 47, 48, 49, 50, 51, 52, 53, 54}} {
			if err := grown.Add(ctx, some); err != nil {
				t.Fatal(err)
			}
		}
		done, cancel := context.WithCancel(ctx)
		cancel()
		before := grown.Len()
		if err := grown.Add(done, []int{300}); err == nil || grown.Len() != before || grown.Has(300) {
			t.Errorf("bias %d: a column that was cancelled is there", bias)
		}
		got, err := grown.Problem(ctx, labelled)
		if err != nil {
			t.Fatal(err)
		}
		for i, v := range want.Kernel {
			if !(math.Abs(got.Kernel[i]-v) <= 1e-7*math.Abs(want.Kernel[0])) {
				t.Fatalf("bias %d: element %d of S is %v, want %v", bias, i, got.Kernel[i], v)
			}
		}
		targets := []float64{1, 1, -1, 1, -1, -1, 1, -1}
		machine := func(c *deformed.Problem) *deformed.Solution {
			return (&deformed.Machine{Problem: c, Targets: targets}).Solve(ctx, nil)
		}
		f, err := want.Outputs(ctx, []*deformed.Solution{machine(want.Problem)})
		if err != nil {
			t.Fatal(err)
		}
		h, err := got.Outputs(ctx, []*deformed.Solution{machine(got.Problem)})
		if err != nil {
			t.Fatal(err)
		}
		functions, err := got.Functions(ctx, []*deformed.Solution{machine(got.Problem)})
		if err != nil {
			t.Fatal(err)
		}
		for i := range f[0] {
			if !(math.Abs(h[0][i]-f[0][i]) <= 1e-7) || h[0][i] != functions[0].Values[i] {
				t.Fatalf("bias %d: point %d has %v and %v, want %v", bias, i, h[0][i], functions[0].Values[i], f[0][i])
			}
		}
		want.Close()
		grown.Close()
	}
}

// Panels start from the leading columns: they take fewer iterations than the first one, and make the same columns.
func TestPanelsStartFromLeading(t *testing.T) {
	ctx := t.Context()
	p, l := problem(t, 1200, 2)
	k, err := gram.NewLandmarks(ctx, p, kernel.Gaussian{Sigma: 0.6}, 100, 1, gram.Double, nil)
	if err != nil {
		t.Fatal(err)
	}
	s, err := New(ctx, k, l)
	if err != nil {
		t.Fatal(err)
	}
	const labels = 80 // more than lead
	var labelled []int
	for class := range 4 { // sorted by class, as lists may be
		for i := class; len(labelled) < (class+1)*labels/4; i += 4 {
			labelled = append(labelled, i)
		}
	}
	g := deformed.Gammas{A: 1e-4, I: 0.1}
	for _, bias := range []objective.Bias{objective.BiasInNorm, objective.BiasOutside} {
		solved := func(points []int, tolerance float64) (*Problem, int) {
			quarters := 0
			problem, err := s.Problem(ctx, g, points, bias, gram.Double, Options{Tolerance: tolerance, Progress: func(done, most int) {
				if done < quarters || done > most {
					t.Errorf("%d quarters of an iteration of %d after %d", done, most, quarters)
				}
				quarters = done
			}})
			if err != nil {
				t.Fatal(err)
			}
			return problem, quarters / 4
		}
		loose, all := solved(labelled, 1e-3)
		if panels := (loose.all.Len() + vec.MaxPanel - 1) / vec.MaxPanel; all >= 4*loose.Iterations*panels/5 { // 0.74 to 0.75 of that with them, 0.83 with one
			t.Errorf("bias %d: %d panels took %d iterations, the longest %d", bias, panels, all, loose.Iterations)
		}
		loose.Close()
		whole, _ := solved(labelled, 1e-16)
		part, _ := solved(labelled[70:75], 1e-16) // of one panel
		for i := range 5 {
			for j := range 5 {
				if got, want := whole.Kernel[(70+i)*labels+70+j], part.Kernel[i*5+j]; !(math.Abs(got-want) <= 1e-7*math.Abs(part.Kernel[0])) {
					t.Errorf("bias %d: element %d, %d is %v, alone %v", bias, i, j, got, want)
				}
			}
		}
		whole.Close()
		part.Close()
	}
}
