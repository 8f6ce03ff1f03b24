package solve_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"lapsvm/internal/machines/solve"
	"lapsvm/internal/numbers/objective"
	"lapsvm/internal/numbers/parallel"
)

// Where step 1 would go round for ever the line search takes over, and from
// there on J falls until the minimum is reached. The problems were found by
// search: weak regularisation, all points labelled.
func TestNewtonDoesNotCycle(t *testing.T) {
	for _, c := range []struct {
		v     variant
		seeds []uint64
	}{
		{variant{loss: objective.SquaredHinge, bias: objective.BiasOutside, supervised: true, columns: 1}, []uint64{672, 676, 1047, 1357}},
		{variant{loss: objective.SquaredHinge, bias: objective.NoBias, supervised: true, columns: 1}, []uint64{413, 666, 672, 806}},
		{variant{loss: objective.SquaredHinge, bias: objective.BiasInNorm, columns: 1}, []uint64{374, 719, 788, 1526}},
		{variant{loss: objective.SquaredHinge, bias: objective.BiasOutside, unnormalised: true, weights: true, columns: 1}, []uint64{774, 1306, 1526, 2082}},
	} {
		for _, seed := range c.seeds {
			rng := rand.New(rand.NewPCG(seed, 111))
			n := 8 + rng.IntN(20)
			p := c.v.build(t, rng, n, n)
			p.GammaA = math.Pow(10, -3-4*rng.Float64())
			if p.GammaI > 0 {
				p.GammaI = math.Pow(10, -3-4*rng.Float64())
			}
			what := fmt.Sprintf("%s, seed %d", c.v, seed)
			searching := false
			before := solve.ColumnStep{ErrorVectors: n}
			s := newton(t, p, solve.Options{Progress: func(s *solve.Step) {
				step := s.Columns[0]
				if searching && (step.Intervals == 0 || !(step.Objective <= before.Objective*(1+1e-12))) {
					t.Errorf("%s: J = %v after %v, %d intervals", what, step.Objective, before.Objective, step.Intervals)
				}
				searching = searching || step.Intervals > 0 && before.ErrorVectors > 0
				before = step
			}})
			if !searching {
				t.Errorf("%s: no set of error vectors returned; this is no test", what)
			}
			if s.Status[0] != solve.Converged {
				t.Errorf("%s: %s", what, s.Status[0])
			}
			optimal(t, what, p, s, 0, 1e-8)
		}
	}
}

// From any start, with few or all points labelled, down to one, and strong or
// weak regularisation, Newton's method ends at a minimum.
func TestNewtonFromAnywhere(t *testing.T) {
	all := variants()
	outside := 0                                     // starts without an error vector
	seeds := []uint64{5679, 6333, 6621, 8772, 11592} // on these, steps once followed their rounding errors
	for seed := range uint64(600) {
		seeds = append(seeds, seed)
	}
	for _, seed := range seeds {
		rng := rand.New(rand.NewPCG(seed, 112))
		v := all[rng.IntN(len(all))]
		n := 2 + rng.IntN(14)
		p := v.build(t, rng, n, []int{1, n, 1 + rng.IntN(n)}[seed%3])
		p.GammaA = math.Pow(10, -4*rng.Float64())
		if p.GammaI > 0 {
			p.GammaI = math.Pow(10, -4*rng.Float64())
		}
		if seed%5 == 0 { // a kernel of large values
			k := p.K.(*plain)
			for i := range k.m {
				k.m[i] *= 1e4
			}
		}
		start := &solve.Start{B: make([]float64, v.columns)}
		for c := range v.columns {
			alpha := make([]float64, n)
			for i := range alpha {
				alpha[i] = rng.NormFloat64() * math.Pow(10, 3-5*rng.Float64())
			}
			if seed%4 == 0 { // beyond every margin
				clear(alpha)
				for k, i := range p.Labelled {
					alpha[i] = 100 * p.Targets[c][k]
				}
			}
			start.Alpha, start.B[c] = append(start.Alpha, alpha), 10*rng.NormFloat64()
		}
		what := fmt.Sprintf("seed %d (%s)", seed, v)
		fresh := newton(t, p, solve.Options{})
		for _, search := range []bool{false, true} {
			s := newton(t, p, solve.Options{Start: start, LineSearch: search, MaxIterations: 1000, Progress: func(s *solve.Step) {
				for _, step := range s.Columns {
					if s.Iteration == 0 && step.ErrorVectors == 0 {
						outside++
					}
				}
			}})
			for c := range v.columns {
				if seed%5 > 0 { // with a large kernel and weak regularisation rounding shows in ∇, not in J
					optimal(t, what, p, s, c, 1e-6)
				}
				// b²·1ᵀL1 is 0 but for rounding, and where J can be 0 any large b will do.
				if !(math.Abs(s.Objective[c]-fresh.Objective[c]) <= 1e-8*math.Abs(fresh.Objective[c])+1e-13*(1+s.B[c]*s.B[c])) {
					t.Errorf("%s: column %d: J = %v, %v from zero", what, c, s.Objective[c], fresh.Objective[c])
				}
			}
		}
	}
	if outside < 100 {
		t.Errorf("only %d starts without an error vector", outside)
	}
}

// With one class and no error vector J falls with b for ever: a step must lead
// down from there, although its own minimum is far away.
func TestNewtonWithoutErrorVectors(t *testing.T) {
	p := &objective.Problem{K: &plain{1, []float64{1e4}}, Labelled: []int{0}, Targets: [][]float64{{1}}, GammaA: 1, Bias: objective.BiasOutside, OneClass: true}
	for _, gammaI := range []float64{0, 1} {
		p.L, p.GammaI = nothing(1), gammaI
		for _, search := range []bool{false, true} {
			s := newton(t, p, solve.Options{LineSearch: search, Start: &solve.Start{Alpha: [][]float64{{0.0102}}, B: []float64{-100}}})
			// ∂J/∂b = f − 1 + ½ = 0 and γA α + f − 1 = 0.
			if !(math.Abs(s.F[0][0]-0.5) <= 1e-9) || !(math.Abs(s.Alpha[0][0]-0.5) <= 1e-9) || s.Status[0] != solve.Converged {
				t.Errorf("γI = %v, line search %v: f = %v and α = %v (%s), want ½ and ½", gammaI, search, s.F[0][0], s.Alpha[0][0], s.Status[0])
			}
		}
	}
}

// nothing is the operator 0.
type nothing int

func (n nothing) Len() int { return int(n) }

func (n nothing) Mul(_ context.Context, dst, src [][]float64) error {
	for c := range dst {
		clear(dst[c])
	}
	return nil
}

// The block system of E, without an intrinsic norm, against the full system
// with an intrinsic norm of a Laplacian that is zero.
func TestBlockAgainstFullSystem(t *testing.T) {
	for number, v := range variants() {
		if !v.supervised {
			continue
		}
		rng := rand.New(rand.NewPCG(113, uint64(number)))
		n := 10 + rng.IntN(20)
		p := v.build(t, rng, n, 5+rng.IntN(6))
		for c := range p.Targets { // both signs, or J = 0 and E means nothing
			if !v.oneClass {
				p.Targets[c][0], p.Targets[c][1] = 1, -1
			}
		}
		block := newton(t, p, solve.Options{})
		p.L, p.GammaI = nothing(n), 1
		full := newton(t, p, solve.Options{})
		for c := range v.columns {
			what := fmt.Sprintf("problem %d (%s), column %d", number, v, c)
			if d := difference(block.F[c], full.F[c]); !(d <= 1e-9) {
				t.Errorf("%s: f differs by %.1e", what, d)
			}
			if d := difference(block.Alpha[c], full.Alpha[c]); !(d <= 1e-9) {
				t.Errorf("%s: α differs by %.1e", what, d)
			}
			if block.Iterations[c] != full.Iterations[c] || block.ErrorVectors[c] != full.ErrorVectors[c] {
				t.Errorf("%s: %d iterations and %d error vectors in the block, %d and %d in full", what,
					block.Iterations[c], block.ErrorVectors[c], full.Iterations[c], full.ErrorVectors[c])
			}
			labelled := slices.Clone(p.Labelled)
			slices.Sort(labelled)
			for i, a := range block.Alpha[c] {
				if _, found := slices.BinarySearch(labelled, i); !found && a != 0 {
					t.Errorf("%s: α_%d = %v of an unlabelled point", what, i, a)
				}
			}
		}
	}
}

// A column's solution does not depend on those it is solved with.
func TestNewtonColumnsAlone(t *testing.T) {
	for seed := range uint64(10) {
		rng := rand.New(rand.NewPCG(seed, 114))
		p := variant{loss: objective.SquaredHinge, columns: 4}.build(t, rng, 20, 12)
		together := newton(t, p, solve.Options{})
		for c := range p.Targets {
			one := *p
			one.Targets = p.Targets[c : c+1]
			alone := newton(t, &one, solve.Options{})
			if !slices.Equal(alone.Alpha[0], together.Alpha[c]) || alone.B[0] != together.B[c] || alone.Iterations[0] != together.Iterations[c] {
				t.Errorf("seed %d: column %d alone differs from the same among four", seed, c)
			}
		}
	}
}

func TestNewtonLimitAndProgress(t *testing.T) {
	rng := rand.New(rand.NewPCG(115, 1))
	p := variant{loss: objective.SquaredHinge, columns: 4}.build(t, rng, 30, 26)
	p.GammaA, p.GammaI = 0.02, 0.02
	whole := newton(t, p, solve.Options{})
	if slices.Max(whole.Iterations) < 3 || slices.Min(whole.Iterations) > 2 {
		t.Fatalf("%v iterations: this is no test", whole.Iterations)
	}
	t0 := 0
	last := make([]solve.ColumnStep, 4)
	s := newton(t, p, solve.Options{MaxIterations: 2, Progress: func(s *solve.Step) {
		if s.Iteration != t0 || s.Checked || s.ChangedSinceCheck != -1 || s.ValidationErrors != -1 {
			t.Errorf("step %d reported as %+v", t0, s)
		}
		t0++
		copy(last, s.Columns)
		for _, step := range s.Columns {
			if !math.IsNaN(step.Gradient) || !math.IsNaN(step.Preconditioned) || !math.IsNaN(step.Product) {
				t.Errorf("norms %v, %v, %v, want NaN", step.Gradient, step.Preconditioned, step.Product)
			}
		}
	}})
	if t0 != 3 {
		t.Errorf("%d steps reported, want the start and 2", t0)
	}
	for c := range p.Targets {
		want := solve.IterationLimit
		if whole.Iterations[c] <= 2 {
			want = solve.Converged
		}
		if s.Status[c] != want || s.Iterations[c] != min(2, whole.Iterations[c]) {
			t.Errorf("column %d: %s after %d iterations; it needs %d", c, s.Status[c], s.Iterations[c], whole.Iterations[c])
		}
		if last[c].Objective != s.Objective[c] || last[c].ErrorVectors != s.ErrorVectors[c] || last[c].Active != (want == solve.IterationLimit) {
			t.Errorf("column %d: last reported %+v, solution J = %v, |E| = %d", c, last[c], s.Objective[c], s.ErrorVectors[c])
		}
	}
}

func TestNewtonErrors(t *testing.T) {
	rng := rand.New(rand.NewPCG(116, 1))
	p := variant{columns: 1}.build(t, rng, 10, 4)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, gammaI := range []float64{0, 1} {
		p.GammaI = gammaI
		if s, err := solve.Newton(ctx, p, solve.Options{}); !errors.Is(err, context.Canceled) || s != nil {
			t.Errorf("γI = %v, cancelled: solution %v, error %v", gammaI, s, err)
		}
	}
	withoutRows := *p
	withoutRows.K = nothing(10)
	if _, err := solve.Newton(t.Context(), &withoutRows, solve.Options{}); err == nil {
		t.Error("an operator without rows: no error")
	}
	for name, start := range badStarts() {
		if _, err := solve.Newton(t.Context(), p, solve.Options{Start: start}); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	p.GammaA = 0
	if _, err := solve.Newton(t.Context(), p, solve.Options{}); err == nil {
		t.Error("γA = 0: no error")
	}
}

// badStarts do not fit a problem of 10 points and one column.
func badStarts() map[string]*solve.Start {
	ten := make([]float64, 10)
	return map[string]*solve.Start{
		"start without columns":    {},
		"start of two columns":     {Alpha: [][]float64{ten, ten}, B: []float64{0, 0}},
		"start without biases":     {Alpha: [][]float64{ten}},
		"start of too few numbers": {Alpha: [][]float64{ten[:9]}, B: []float64{0}},
	}
}

// ending is a context that is done after a given number of calls of Err.
type ending struct {
	context.Context
	left *int
}

func (e ending) Err() error {
	if *e.left--; *e.left < 0 {
		return context.Canceled
	}
	return nil
}

// A factorization ends within a block or so of where the context does: by LU and
// by Cholesky.
func TestNewtonIsCancelledWithin(t *testing.T) {
	for intrinsic, n := range map[bool]int{true: 300, false: 1000} { // of some hundreds Cholesky makes one block
		p := variant{loss: objective.Squared, columns: 1}.build(t, rand.New(rand.NewPCG(141, 1)), n, n-1)
		if !intrinsic {
			p.GammaI = 0
		}
		ctx := parallel.WithLimit(t.Context(), 1) // questions of several goroutines have no order
		const plenty = 1 << 30
		left := plenty
		if _, err := solve.Newton(ending{ctx, &left}, p, solve.Options{}); err != nil {
			t.Fatal(err)
		}
		questions := plenty - left
		if questions < 20 {
			t.Errorf("intrinsic norm %v: asks %d times in all", intrinsic, questions)
		}
		for _, part := range []int{1, 2, 3} { // quarters of the way
			left = part * questions / 4
			if _, err := solve.Newton(ending{ctx, &left}, p, solve.Options{}); !errors.Is(err, context.Canceled) {
				t.Errorf("intrinsic norm %v, %d quarters: error %v, want context.Canceled", intrinsic, part, err)
			}
			if asked := -left; asked > 100 {
				t.Errorf("intrinsic norm %v, %d quarters: asks %d times more after the end", intrinsic, part, asked)
			}
		}
	}
}

// Solvers that follow gradients say that they cannot minimise a loss with a kink.
func TestKinkIsRefused(t *testing.T) {
	p := variant{loss: objective.Hinge, columns: 1}.build(t, rand.New(rand.NewPCG(3, 3)), 8, 4)
	for name, minimise := range map[string]func(context.Context, *objective.Problem, solve.Options) (*solve.Solution, error){"pcg": solve.PCG, "newton": solve.Newton} {
		if _, err := minimise(t.Context(), p, solve.Options{}); err == nil || !strings.Contains(err.Error(), "kink") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
