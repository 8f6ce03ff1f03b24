package paper

import (
	"math"
	"slices"
	"testing"

	"lapsvm/internal/machines/deformed"
	"lapsvm/internal/machines/selection"
	"lapsvm/internal/machines/solve"
	"lapsvm/internal/numbers/objective"
	"lapsvm/internal/points/gram"
)

// small returns a split of the generated G50C with its Gram matrix in float64.
// In float32 the sums of a product with many columns differ from those with one
// column in the seventh digit, and many iterations of PCG amplify that.
func small(t *testing.T) *problem {
	t.Helper()
	s := &generated()[0]
	src, err := s.read(s, "")
	if err != nil {
		t.Fatal(err)
	}
	splits, err := selection.Splits(src.all, selection.Plan{Labelled: s.Labelled, Validation: s.Validation, TestFraction: 0.25, Repeats: 1, Seed: 3})
	if err != nil {
		t.Fatal(err)
	}
	pr, err := newProblem(t.Context(), s, src, slices.Collect(splits)[0])
	if err != nil {
		t.Fatal(err)
	}
	pr.close()
	if pr.geometry, err = pr.double(t.Context()); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(pr.close)
	return pr
}

// Sizes are those of the paper's table.
func TestSizes(t *testing.T) {
	pr := small(t)
	if l, u, v, test := len(pr.task.Labelled), len(pr.hidden), pr.validation, len(pr.outsideY)-pr.validation; l != 50 || u != 314 || v != 50 || test != 136 {
		t.Errorf("%d labelled, %d unlabelled, %d validation and %d test points, want 50, 314, 50, 136", l, u, v, test)
	}
}

// Every candidate equals the result of its own solver, run alone, on the split.
func TestExploreIsEachSolverAlone(t *testing.T) {
	pr := small(t)
	found, err := explore(t.Context(), pr, gridOf([]float64{1e-4, 10}, true))
	if err != nil {
		t.Fatal(err)
	}
	k, err := pr.double(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer k.Close()
	outside, err := gram.NewCross(t.Context(), pr.outside, pr.geometry.Points(), pr.set.Kernel)
	if err != nil {
		t.Fatal(err)
	}
	compare := func(m Method, c Cell, s *solve.Solution) {
		t.Helper()
		want := Cell{GammaA: c.GammaA, GammaI: c.GammaI, L: pr.at(pr.task.Labelled, s.F), U: pr.at(pr.hidden, s.F)}
		f := make([]float64, len(pr.outsideY))
		outside.MulTo(t.Context(), f, s.Alpha[0])
		for i := range f {
			f[i] += s.B[0]
		}
		want.V, want.T = pr.beyond([][]float64{f})
		if m.early() {
			want.Iterations, want.LineSearch = perMachine(s.Iterations, s.LineSearchSteps)
		}
		// An output of nearly zero may be decided either way by rounding.
		one := 100 / float64(len(pr.hidden))
		if math.Abs(c.U-want.U) > 1.01*one || c.L != want.L || c.V != want.V || math.Abs(c.T-want.T) > 1 || c.Iterations != want.Iterations {
			t.Errorf("%s, γA %g, γI %g: %+v, alone %+v", m, c.GammaA, c.GammaI, c, want)
		}
	}
	for m, count := range map[Method]int{SVM: 2, RLSC: 2, LapRLSC: 4, Newton: 4, Dual: 4, Stability: 4, Validation: 4, Mixed: 4} {
		if len(found[m]) != count {
			t.Errorf("%d candidates of %s, want %d", len(found[m]), m, count)
		}
		for _, c := range found[m] {
			p := pr.objective(k.Gram(), c.GammaA, c.GammaI)
			switch m {
			case RLSC, LapRLSC:
				p.Loss = objective.Squared
			case Dual:
				continue // below
			case Stability, Validation, Mixed:
				p.K = pr.geometry.Gram()
				o, err := pr.options(m)
				if err != nil {
					t.Fatal(err)
				}
				s, err := solve.PCG(t.Context(), p, o)
				if err != nil {
					t.Fatal(err)
				}
				compare(m, c, s)
				continue
			}
			s, err := solve.Newton(t.Context(), p, solve.Options{})
			if err != nil {
				t.Fatal(err)
			}
			compare(m, c, s)
		}
	}
	view, err := pr.view(t.Context(), k)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range found[Dual] {
		cell, err := view.Problem(t.Context(), c.gammas())
		if err != nil {
			t.Fatal(err)
		}
		alpha, b, f, err := pr.machines(t.Context(), cell, objective.Hinge)
		if err != nil {
			t.Fatal(err)
		}
		compare(Dual, c, &solve.Solution{Alpha: alpha, B: b, F: f})
	}
}

// The timed results are those of the exploration.
func TestTimedIsExplored(t *testing.T) {
	pr := small(t)
	c := candidates{}
	s := selected{Auto: {A: 1, I: 1}}
	for i, m := range []Method{Dual, Newton, Stability, Validation, Mixed} {
		s[m] = deformed.Gammas{A: 1e-2, I: math.Pow10(i - 3)}
		c[m] = []deformed.Gammas{s[m], s[Newton]}
	}
	c[Newton] = c[Newton][:1]
	found, err := explore(t.Context(), pr, c)
	if err != nil {
		t.Fatal(err)
	}
	out, err := timed(t.Context(), pr, s, true, true)
	if err != nil {
		t.Fatal(err)
	}
	count := make(map[Method]int)
	for _, timing := range out.Trained {
		count[timing.Method]++
		if !(timing.Seconds > 0) {
			t.Errorf("%s took %v seconds", timing.Method, timing.Seconds)
		}
		for _, cell := range found[timing.Method] {
			if cell.gammas() != timing.gammas() {
				continue
			}
			if timing.Method == Newton {
				cell.Iterations = timing.Iterations
			}
			if cell.Iterations != timing.Iterations || cell.V != timing.V || math.Abs(cell.U-timing.U) > 0.5 {
				t.Errorf("%s: explored %+v, timed %+v", timing.Method, cell, timing.Cell)
			}
		}
	}
	for m, want := range map[Method]int{Dual: 1, Newton: 1, Stability: 2, Validation: 2, Mixed: 2, Auto: 2} {
		if count[m] != want {
			t.Errorf("%d timings of %s, want %d", count[m], m, want)
		}
	}
	if out.GridSize != 49 || !(out.Grid > 0) {
		t.Errorf("a grid of %d cells in %v s", out.GridSize, out.Grid)
	}
	trace := out.Trace
	if trace == nil || len(trace.U) < 20 || trace.Objective[0] != 1 || !(trace.Objective[len(trace.Objective)-1] < 0.9) {
		t.Fatalf("the trace is %+v", trace)
	}
	exact := found[Newton][0]
	if end := trace.U[len(trace.U)-1]; math.Abs(end-exact.U) > 2 || math.Abs(trace.T[len(trace.T)-1]-exact.T) > 2 {
		t.Errorf("the trace ends at %v %% and %v %%, Newton's method at %v %% and %v %%", end, trace.T[len(trace.T)-1], exact.U, exact.T)
	}
}

// Macro errors are the mean of the classes' errors.
func TestPercent(t *testing.T) {
	c := count{make([]int, 2), make([]int, 2)}
	for range 90 {
		c.add(0, 0)
	}
	for i := range 10 {
		c.add(i%2, 1)
	}
	if got := c.percent(false); got != 5 {
		t.Errorf("5 of 100 wrong are %v %%", got)
	}
	if got := c.percent(true); got != 25 {
		t.Errorf("none of one class and half of the other wrong are %v %% in the mean", got)
	}
	if c.errors() != 5 {
		t.Errorf("%d errors", c.errors())
	}
}
