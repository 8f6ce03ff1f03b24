package solve_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"lapsvm/internal/machines/solve"
	"lapsvm/internal/numbers/objective"
)

// record is what one iteration reported, copied.
type record struct {
	columns []solve.ColumnStep
	f       [][]float64
	step    solve.Step
}

// unstopped runs PCG without a goal and records every iteration, the start
// included. Columns do not see each other, so every other run is a prefix.
func unstopped(t *testing.T, p *objective.Problem, iterations int) []record {
	t.Helper()
	var all []record
	pcg(t, p, solve.Options{Stop: solve.None, MaxIterations: iterations, Progress: func(s *solve.Step) {
		r := record{columns: slices.Clone(s.Columns), step: *s}
		for _, f := range s.F {
			r.f = append(r.f, slices.Clone(f))
		}
		all = append(all, r)
	}})
	return all
}

// decisions of all columns together on the unlabelled points, or on all where
// every point is labelled.
func decisions(p *objective.Problem, f [][]float64) []int {
	var all []int
	for i := range f[0] {
		if len(p.Labelled) < len(f[0]) && slices.Contains(p.Labelled, i) {
			continue
		}
		decision := 0
		for c := range f {
			if f[c][i] > f[decision][i] {
				decision = c
			}
		}
		if len(f) == 1 && f[0][i] > 0 {
			decision = 1
		}
		all = append(all, decision)
	}
	return all
}

func changed(a, b []int) int {
	n := 0
	for k := range a {
		if a[k] != b[k] {
			n++
		}
	}
	return n
}

type named struct {
	name string
	*objective.Problem
}

// stopProblems are some problems of every kind for the tests of stopping.
func stopProblems(t *testing.T) []named {
	var all []named
	for number, v := range variants() {
		if number%5 != 0 {
			continue
		}
		rng := rand.New(rand.NewPCG(121, uint64(number)))
		n := 40 + rng.IntN(20)
		l := 5 + rng.IntN(6)
		if number%15 == 0 {
			l = n // all points labelled
		}
		p := v.build(t, rng, n, l)
		for c := range p.Targets {
			if !v.oneClass {
				p.Targets[c][0], p.Targets[c][1] = 1, -1
			}
		}
		all = append(all, named{fmt.Sprintf("problem %d (%s)", number, v), p})
	}
	return all
}

// The conditions on a column's own values stop each column at the first
// iteration whose reported values satisfy the documented formula. The column
// then keeps the values of that iteration.
func TestStopsOfColumns(t *testing.T) {
	const limit = 60
	fired := map[solve.Condition]int{}
	for _, problem := range stopProblems(t) {
		what, p := problem.name, problem.Problem
		all := unstopped(t, p, limit)
		for _, c := range []struct {
			stop       solve.Condition
			tolerances []float64
			holds      func(tolerance float64, start, before, now solve.ColumnStep) bool
		}{
			{solve.Gradient, []float64{0, 0.1, 1e-5}, func(tolerance float64, start, _, now solve.ColumnStep) bool {
				return now.Gradient < tolerance*start.Gradient
			}},
			{solve.Preconditioned, []float64{0, 0.1, 1e-5}, func(tolerance float64, start, _, now solve.ColumnStep) bool {
				return now.Preconditioned < tolerance*start.Preconditioned
			}},
			{solve.Product, []float64{0, 0.1, 1e-5}, func(tolerance float64, start, _, now solve.ColumnStep) bool {
				return now.Product < tolerance*start.Product
			}},
			{solve.Objective, []float64{0, 1e-2, 1e-9}, func(tolerance float64, _, before, now solve.ColumnStep) bool {
				d := before.Objective - now.Objective
				return d >= 0 && d < tolerance*math.Abs(now.Objective)
			}},
		} {
			for _, given := range c.tolerances {
				tolerance := given
				if tolerance == 0 { // the documented defaults
					tolerance = map[bool]float64{true: 1e-6, false: 1e-3}[c.stop == solve.Objective]
				}
				s := pcg(t, p, solve.Options{Stop: c.stop, Tolerance: given, MaxIterations: limit})
			columns:
				for column := range p.Targets {
					want, status := len(all)-1, solve.IterationLimit
					for i := 1; i < len(all); i++ {
						now := all[i].columns[column]
						if c.stop == solve.Objective && math.Abs(all[i-1].columns[column].Objective-now.Objective) <= 1e-13*math.Abs(now.Objective)+1e-29 {
							continue columns // rounding decides
						}
						if c.holds(tolerance, all[0].columns[column], all[i-1].columns[column], now) {
							want, status = i, solve.Converged
							fired[c.stop]++
							break
						}
						if !now.Active { // at the rounding floor
							want, status = i, solve.RoundingFloor
							break
						}
					}
					if status == solve.IterationLimit && want < limit {
						t.Fatalf("%s: the run without a goal ended after %d iterations", what, want)
					}
					if s.Iterations[column] != want || s.Status[column] != status {
						t.Errorf("%s, %s %g: column %d stopped after %d iterations (%s), want %d (%s)", what, c.stop, tolerance, column,
							s.Iterations[column], s.Status[column], want, status)
					} else if d := difference(s.F[column], all[want].f[column]); !(d <= 1e-12) { // the run without a goal may refresh there
						t.Errorf("%s, %s %g: column %d stopped at iteration %d, but differs from its values then by %.1e", what, c.stop, tolerance, column, want, d)
					}
				}
			}
		}
	}
	for _, stop := range []solve.Condition{solve.Gradient, solve.Preconditioned, solve.Product, solve.Objective} {
		if fired[stop] < 20 {
			t.Errorf("%s fired %d times only: this is no test", stop, fired[stop])
		}
	}
}

// The checks of decisions happen every CheckEvery iterations and stop all
// columns together, by the documented rules.
func TestStopsOfDecisions(t *testing.T) {
	const limit = 80
	fired := map[solve.Status]int{}
	for _, problem := range stopProblems(t) {
		what, p := problem.name, problem.Problem
		all := unstopped(t, p, limit)
		n := p.K.Len()
		for _, o := range []solve.Options{
			{Stop: solve.Stability}, {Stop: solve.Stability, CheckEvery: 2, Tolerance: 0.05}, {Stop: solve.Stability, CheckEvery: 1, Tolerance: 1e-9},
			{Stop: solve.Validation}, {Stop: solve.Validation, CheckEvery: 1},
			{Stop: solve.Mixed}, {Stop: solve.Mixed, CheckEvery: 2, Tolerance: 0.2},
		} {
			every, tolerance := o.CheckEvery, o.Tolerance
			if every == 0 {
				every = int(math.Round(math.Sqrt(float64(n)) / 2))
			}
			if tolerance == 0 {
				tolerance = 0.015
			}
			// Validation errors by the number of the check, falling, then rising.
			errors := []int{9, 7, 6, 6, 5, 5, 5, 8}
			calls := 0
			o.ValidationSize = 10
			o.ValidationErrors = func(alpha [][]float64, b []float64) int {
				at := all[(calls+1)*every]
				for c := range alpha {
					f := times(p.K, alpha[c])
					for i := range f {
						if !(math.Abs(f[i]+b[c]-at.f[c][i]) <= 1e-9*(1+math.Abs(f[i]))) {
							t.Fatalf("%s: check %d saw f_%d = %v of column %d, want %v", what, calls, i, f[i]+b[c], c, at.f[c][i])
						}
					}
				}
				calls++
				return errors[min(calls, len(errors))-1]
			}

			want, status := 0, solve.Status("")
			var last []int
			previous := o.ValidationSize // the first check compares with all wrong
			type check struct{ changed, errors int }
			checks := map[int]check{}
			for i, check := every, 0; i < len(all) && status == ""; i, check = i+every, check+1 {
				now := decisions(p, all[i].f)
				stable, valid := true, true
				report := checks[i]
				report.changed, report.errors = -1, -1
				if o.Stop != solve.Validation {
					report.changed = changed(now, make([]int, len(now)))
					if last != nil {
						report.changed = changed(now, last)
					}
					stable = last != nil && float64(report.changed) < tolerance*float64(len(now))
					last = now
				}
				if o.Stop == solve.Validation || o.Stop == solve.Mixed {
					report.errors = errors[min(check, len(errors)-1)]
					valid = report.errors > previous-1 // err > err_old − 1/v
					previous = report.errors
				}
				checks[i] = report
				if stable && valid {
					want = i
					status = map[solve.Condition]solve.Status{solve.Validation: solve.Validated, solve.Mixed: solve.StableAndValid}[o.Stop]
					if status == "" {
						status = solve.Stable
					}
				}
			}
			if status == "" || slices.ContainsFunc(all[want].columns, func(c solve.ColumnStep) bool { return !c.Active }) {
				continue // a column reached the rounding floor first
			}
			fired[status]++
			o.MaxIterations = limit
			iterations := 0
			o.Progress = func(s *solve.Step) {
				iterations = s.Iteration
				c, expected := checks[s.Iteration]
				if !expected {
					c = check{-1, -1}
				}
				if s.Checked != expected || s.ChangedSinceCheck != c.changed || s.ValidationErrors != c.errors {
					t.Errorf("%s, %q every %d: iteration %d reported %v, %d changed, %d errors, want %v and %+v", what, o.Stop, every, s.Iteration,
						s.Checked, s.ChangedSinceCheck, s.ValidationErrors, expected, c)
				}
			}
			s := pcg(t, p, o)
			if iterations != want {
				t.Errorf("%s, %q every %d, tolerance %v: stopped at %d, want %d", what, o.Stop, every, tolerance, iterations, want)
				continue
			}
			for c := range p.Targets {
				d := difference(s.F[c], all[want].f[c]) // the run without a goal may refresh there
				if s.Status[c] != status || s.Iterations[c] != want || !(d <= 1e-12) {
					t.Errorf("%s, %q: column %d: %s after %d iterations, want %s after %d; values differ by %.1e", what, o.Stop, c, s.Status[c], s.Iterations[c], status, want, d)
				}
			}
		}
	}
	for _, status := range []solve.Status{solve.Stable, solve.Validated, solve.StableAndValid} {
		if fired[status] < 10 {
			t.Errorf("%q fired %d times only: this is no test", status, fired[status])
		}
	}
}

// One validation error fewer is progress, whatever the number of points: rates
// compared in floating point would stop on some of these by rounding.
func TestValidationCountsInIntegers(t *testing.T) {
	rng := rand.New(rand.NewPCG(122, 1))
	p := variant{columns: 1}.build(t, rng, 40, 8)
	p.GammaA, p.GammaI = 1e-7, 1e-7 // slow enough for as many checks
	for size := 1; size <= 60; size++ {
		calls := 0
		s := pcg(t, p, solve.Options{Stop: solve.Validation, CheckEvery: 1, ValidationSize: size, ValidationErrors: func([][]float64, []float64) int {
			calls++
			return max(0, size-calls)
		}})
		if s.Status[0] != solve.Validated || s.Iterations[0] != size+1 {
			t.Errorf("%d points: %s after %d checks, want no stop before the errors stay 0 at check %d", size, s.Status[0], s.Iterations[0], size+1)
		}
	}
}

func TestOptionErrors(t *testing.T) {
	rng := rand.New(rand.NewPCG(123, 1))
	p := variant{columns: 1}.build(t, rng, 10, 4)
	count := func([][]float64, []float64) int { return 0 }
	for name, o := range map[string]solve.Options{
		"unknown condition":         {Stop: "never"},
		"validation without points": {Stop: solve.Validation},
		"validation without size":   {Stop: solve.Validation, ValidationErrors: count},
		"validation without errors": {Stop: solve.Mixed, ValidationSize: 5},
		"negative check interval":   {CheckEvery: -1},
		"negative iteration limit":  {MaxIterations: -1},
		"negative tolerance":        {Tolerance: -1},
		"tolerance is not a number": {Tolerance: math.NaN()},
		"negative number of points": {Stop: solve.Validation, ValidationErrors: count, ValidationSize: -1},
	} {
		if s, err := solve.PCG(t.Context(), p, o); err == nil || s != nil {
			t.Errorf("%s: error %v", name, err)
		}
	}
	for name, start := range badStarts() {
		if s, err := solve.PCG(t.Context(), p, solve.Options{Start: start}); err == nil || s != nil {
			t.Errorf("%s: error %v", name, err)
		}
	}
	p.GammaA = 0
	if s, err := solve.PCG(t.Context(), p, solve.Options{}); err == nil || s != nil {
		t.Errorf("γA = 0: error %v", err)
	}
}
