package solve_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"lapsvm/dataset"
	"lapsvm/internal/machines/solve"
	"lapsvm/internal/numbers/objective"
	"lapsvm/internal/points/gram"
	"lapsvm/internal/points/graph"
	"lapsvm/internal/testing/golden"
	"lapsvm/kernel"
)

// eachGolden calls test for the named reference problems of the project.
func eachGolden(t *testing.T, names []string, test func(t *testing.T, g *golden.Problem)) {
	seen := 0
	golden.Run(t, func(t *testing.T, g *golden.Problem) {
		if slices.ContainsFunc(names, func(name string) bool { return t.Name()[len(t.Name())-len(name):] == name }) {
			seen++
			test(t, g)
		}
	})
	if seen != len(names) {
		t.Errorf("%d of the problems %v are there", seen, names)
	}
}

// Without a goal, on numerically singular K, PCG ends at its optimum and stays
// there. Reported values stay those of a fresh evaluation, J never rises by
// more than rounding, and the run ends at the rounding floor.
func TestUnstoppedRunStaysAtItsOptimum(t *testing.T) {
	eachGolden(t, []string{"arcs_bias", "arcs_norm", "rings_bias_degree2", "rings_oneclass"}, func(t *testing.T, g *golden.Problem) {
		for _, weaker := range []float64{1, 0.01} {
			p := build(t, g)
			p.GammaA *= weaker
			best := newton(t, p, solve.Options{}).Objective[0]
			before := math.Inf(1)
			s := pcg(t, p, solve.Options{Stop: solve.None, MaxIterations: 2000, Progress: func(s *solve.Step) {
				now := s.Columns[0].Objective
				if !(now <= before+1e-12*math.Abs(now)) {
					t.Errorf("γA × %v: J = %v after iteration %d, %v before", weaker, now, s.Iteration, before)
				}
				before = now
			}})
			fresh, _, _, _ := evaluate(p, 0, s.Alpha[0], s.B[0])
			t.Logf("γA × %v: %d iterations, %s, J above Newton's by %.1e", weaker, s.Iterations[0], s.Status[0], (fresh-best)/math.Abs(best))
			if !(fresh-best <= 1e-6*math.Abs(best)) {
				t.Errorf("γA × %v: J = %v, by Newton %v", weaker, fresh, best)
			}
			if !(relative(s.Objective[0], fresh) <= 1e-9) {
				t.Errorf("γA × %v: says J = %v, evaluated %v", weaker, s.Objective[0], fresh)
			}
			if weaker == 1 && s.Status[0] != solve.RoundingFloor {
				t.Errorf("%s after %d iterations", s.Status[0], s.Iterations[0])
			}
		}
	})
}

// Rounded to float32 these Gram matrices are indefinite, and J has no minimum:
// the run still ends near that of the exact problem.
func TestIndefiniteByRounding(t *testing.T) {
	eachGolden(t, []string{"arcs_bias", "arcs_norm"}, func(t *testing.T, g *golden.Problem) {
		p := build(t, g)
		best := newton(t, p, solve.Options{}).Objective[0]
		rounded := *p
		k, err := gram.NewHalf(t.Context(), g.X, g.Kernel(), gram.Single)
		if err != nil {
			t.Fatal(err)
		}
		rounded.K = k
		dense := mat.NewSymDense(g.N, nil)
		row := make([]float64, g.N)
		for i := range g.N {
			k.Row(row, i)
			for j := range i + 1 {
				dense.SetSym(i, j, row[j])
			}
		}
		var eigen mat.EigenSym
		if !eigen.Factorize(dense, false) || !(slices.Min(eigen.Values(nil)) < -1e-8) {
			t.Fatalf("smallest eigenvalue %v: this is no test", slices.Min(eigen.Values(nil)))
		}
		s := pcg(t, &rounded, solve.Options{Stop: solve.None, MaxIterations: 2000})
		exact, _, _, _ := evaluate(p, 0, s.Alpha[0], s.B[0])
		t.Logf("%d iterations, %s, J above Newton's by %.1e", s.Iterations[0], s.Status[0], (exact-best)/math.Abs(best))
		if !(math.Abs(exact-best) <= 1e-6*math.Abs(best)) {
			t.Errorf("J = %v, by Newton %v", exact, best)
		}
	})
}

// The floor is that of J alone: with small γ and a bias near 1, J is many
// orders smaller than b.
func TestRoundingFloorOfSmallObjectives(t *testing.T) {
	eachGolden(t, []string{"arcs_bias", "rings_bias_degree2"}, func(t *testing.T, g *golden.Problem) {
		for _, loss := range []objective.Loss{objective.SquaredHinge, objective.Squared} {
			if loss == objective.SquaredHinge && g.N > 120 {
				continue // the rings: very slow
			}
			p := build(t, g)
			p.Loss = loss
			p.GammaA, p.GammaI = 1e-6*p.GammaA, 1e-6*p.GammaI
			for k := range p.Targets[0] {
				p.Targets[0][k] = 1
			}
			p.Targets[0][0] = -1
			best := newton(t, p, solve.Options{}).Objective[0]
			s := pcg(t, p, solve.Options{Stop: solve.None, MaxIterations: 8000})
			if !(s.Objective[0]-best <= 1e-6*best) {
				t.Errorf("%s: J = %v after %d iterations (%s), by Newton %v", loss, s.Objective[0], s.Iterations[0], s.Status[0], best)
			}
		}
	})
}

// counting counts the columns of every product.
type counting struct {
	objective.Operator
	columns []int
}

func (o *counting) Mul(ctx context.Context, dst, src [][]float64) error {
	o.columns = append(o.columns, len(src))
	return o.Operator.Mul(ctx, dst, src)
}

// Columns that have stopped are no longer multiplied, and keep their values.
func TestStoppedColumnsDropOut(t *testing.T) {
	rng := rand.New(rand.NewPCG(131, 1))
	p := variant{loss: objective.SquaredHinge, columns: 4}.build(t, rng, 40, 12)
	k, l := &counting{Operator: p.K}, &counting{Operator: p.L}
	p.K, p.L = k, l
	type values struct {
		step solve.ColumnStep
		f    []float64
	}
	stopped := make([]*values, 4)
	s := pcg(t, p, solve.Options{Stop: solve.Gradient, Tolerance: 1e-4, Progress: func(s *solve.Step) {
		for c, step := range s.Columns {
			switch old := stopped[c]; {
			case old != nil:
				if step != old.step || !slices.Equal(s.F[c], old.f) {
					t.Errorf("column %d changed after it had stopped", c)
				}
			case !step.Active:
				stopped[c] = &values{step, slices.Clone(s.F[c])}
			}
		}
	}})
	last := slices.Max(s.Iterations)
	if slices.Min(s.Iterations) == last || last >= 50 {
		t.Fatalf("%v iterations: this is no test", s.Iterations)
	}
	// One product of each column at the start, then one for each of its iterations.
	var want []int
	for i := 0; i <= last; i++ {
		active := 0
		for _, n := range s.Iterations {
			if n >= i {
				active++
			}
		}
		want = append(want, active)
	}
	if !slices.Equal(k.columns, want) || !slices.Equal(l.columns, want[1:]) {
		t.Errorf("iterations %v: products with K of %v columns, want %v; with L of %v, want %v", s.Iterations, k.columns, want, l.columns, want[1:])
	}
	for c := range stopped {
		if !slices.Equal(s.F[c], stopped[c].f) || s.Objective[c] != stopped[c].step.Objective {
			t.Errorf("column %d: the solution is not what was reported when it stopped", c)
		}
	}
}

// A column does not see the others: its iterations have the same bits alone.
func TestColumnsAlone(t *testing.T) {
	for seed := range uint64(6) {
		rng := rand.New(rand.NewPCG(seed, 132))
		p := variant{loss: objective.SquaredHinge, bias: objective.Bias(seed % 3), columns: 4}.build(t, rng, 40, 12)
		together := pcg(t, p, solve.Options{Stop: solve.None, MaxIterations: 120})
		for c := range p.Targets {
			one := *p
			one.Targets = p.Targets[c : c+1]
			alone := pcg(t, &one, solve.Options{Stop: solve.None, MaxIterations: 120})
			if !slices.Equal(alone.Alpha[0], together.Alpha[c]) || alone.B[0] != together.B[c] || alone.Iterations[0] != together.Iterations[c] ||
				alone.LineSearchSteps[0] != together.LineSearchSteps[c] {
				t.Errorf("seed %d: column %d alone differs from the same among four", seed, c)
			}
		}
	}
}

// The weight of the bias in the preconditioner does not change the minimum. Where
// points are hardly similar, the one from the data is sooner near it.
func TestBiasWeight(t *testing.T) {
	for seed := range uint64(6) {
		rng := rand.New(rand.NewPCG(seed, 134))
		d := dataset.TwoGaussians(200, 50, 0.05, seed)
		nb, err := graph.FindNeighbours(t.Context(), d.Points, 10, graph.Euclidean)
		if err != nil {
			t.Fatal(err)
		}
		w, _, _ := graph.Connect(t.Context(), nb, graph.Binary, 0)
		k, err := gram.NewHalf(t.Context(), d.Points, kernel.Gaussian{Sigma: 5}, gram.Double)
		if err != nil {
			t.Fatal(err)
		}
		defer k.Close()
		p := &objective.Problem{K: k, L: graph.NewLaplacian(w, false, 2), Labelled: rng.Perm(200)[:80], GammaA: 1e-4, GammaI: 0.1, Bias: objective.Bias(seed % 2)}
		y := make([]float64, len(p.Labelled))
		for at, i := range p.Labelled {
			y[at] = float64(2*d.Y[i] - 1)
		}
		p.Targets = [][]float64{y}
		best := newton(t, p, solve.Options{}).Objective[0]
		excess := func(o solve.Options) float64 { return pcg(t, p, o).Objective[0]/best - 1 }
		for _, weight := range []float64{0, 1, 0.01} {
			if e := excess(solve.Options{Stop: solve.None, BiasWeight: weight}); !(math.Abs(e) <= 1e-6) {
				t.Errorf("seed %d, weight %v: J exceeds its minimum by %.1e of it", seed, weight, e)
			}
		}
		own, one := excess(solve.Options{Stop: solve.None, MaxIterations: 20}), excess(solve.Options{Stop: solve.None, MaxIterations: 20, BiasWeight: 1})
		if t.Logf("after 20 iterations J exceeds its minimum by %.2e of it, with a weight of 1 by %.2e", own, one); !(own < one) {
			t.Errorf("seed %d: after 20 iterations J exceeds its minimum by %.2e of it, with a weight of 1 by %.2e", seed, own, one)
		}
	}
	for _, bad := range []float64{-1, math.NaN(), math.Inf(1)} {
		if _, err := (solve.Options{BiasWeight: bad}).WithDefaults(10); err == nil {
			t.Errorf("a weight of %v is taken", bad)
		}
	}
}

func TestWarmStart(t *testing.T) {
	for number, v := range variants() {
		if number%3 != 0 {
			continue
		}
		rng := rand.New(rand.NewPCG(133, uint64(number)))
		n := 30
		p := v.build(t, rng, n, 4+rng.IntN(8))
		for c := range p.Targets {
			if !v.oneClass {
				p.Targets[c][0], p.Targets[c][1] = 1, -1
			}
		}
		what := fmt.Sprintf("problem %d (%s)", number, v)
		best := newton(t, p, solve.Options{})

		at := pcg(t, p, solve.Options{Stop: solve.None, Start: &solve.Start{Alpha: best.Alpha, B: best.B}})
		elsewhere := &solve.Start{B: make([]float64, v.columns)}
		for c := range v.columns {
			alpha := make([]float64, n)
			for i := range alpha {
				alpha[i] = 10 * rng.NormFloat64()
			}
			elsewhere.Alpha, elsewhere.B[c] = append(elsewhere.Alpha, alpha), 5*rng.NormFloat64()
		}
		kept := slices.Clone(elsewhere.Alpha[0])
		from := pcg(t, p, solve.Options{Stop: solve.None, MaxIterations: 3000, Start: elsewhere})
		if !slices.Equal(kept, elsewhere.Alpha[0]) {
			t.Errorf("%s: the start was written to", what)
		}
		for c := range v.columns {
			// One iteration finds no decrease, one more none from fresh products.
			if at.Status[c] != solve.RoundingFloor || at.Iterations[c] > 4 {
				t.Errorf("%s: column %d: from the optimum %s after %d iterations", what, c, at.Status[c], at.Iterations[c])
			}
			for name, s := range map[string]*solve.Solution{"the optimum": at, "elsewhere": from} {
				optimal(t, what+" from "+name, p, s, c, 1e-6)
				if !(relative(s.Objective[c], best.Objective[c]) <= 1e-8) {
					t.Errorf("%s: column %d: J = %v from %s, by Newton %v", what, c, s.Objective[c], name, best.Objective[c])
				}
			}
		}
	}
}

// One labelled point, all, or some; from zero, or from where every margin is
// satisfied: PCG ends at the minimum of Newton's method, never above the least
// J on its way.
func TestPCGFromAnywhere(t *testing.T) {
	all := variants()
	satisfied := 0
	for seed := range uint64(300) {
		rng := rand.New(rand.NewPCG(seed, 137))
		v := all[rng.IntN(len(all))]
		n := 2 + rng.IntN(20)
		p := v.build(t, rng, n, []int{1, n, 1 + rng.IntN(n)}[seed%3])
		o := solve.Options{Stop: solve.None, MaxIterations: 3000}
		if seed%2 == 0 {
			o.Start = &solve.Start{B: make([]float64, v.columns)}
			for c := range v.columns {
				alpha := make([]float64, n)
				for k, i := range p.Labelled {
					alpha[i] = 50 * p.Targets[c][k]
				}
				o.Start.Alpha = append(o.Start.Alpha, alpha)
			}
		}
		least := make([]float64, v.columns)
		o.Progress = func(s *solve.Step) {
			for c, step := range s.Columns {
				if s.Iteration == 0 && step.ErrorVectors == 0 {
					satisfied++
				}
				if s.Iteration == 0 || step.Objective < least[c] {
					least[c] = step.Objective
				}
			}
		}
		s, best := pcg(t, p, o), newton(t, p, solve.Options{})
		for c := range v.columns {
			what := fmt.Sprintf("seed %d (%s), column %d", seed, v, c)
			size := math.Abs(best.Objective[c]) + math.Abs(best.B[c])*1e-4
			if !(s.Objective[c]-best.Objective[c] <= 1e-8*size+1e-13) || !(s.Objective[c]-least[c] <= 1e-10*size+1e-11) {
				t.Errorf("%s: J = %v (%s), the least on the way %v, by Newton %v", what, s.Objective[c], s.Status[c], least[c], best.Objective[c])
			}
		}
	}
	if satisfied < 30 {
		t.Errorf("%d starts without an error vector: this is no test", satisfied)
	}
}

func TestIterationLimit(t *testing.T) {
	rng := rand.New(rand.NewPCG(134, 1))
	p := variant{columns: 4}.build(t, rng, 40, 12)
	reported := 0
	s := pcg(t, p, solve.Options{Stop: solve.None, MaxIterations: 7, Progress: func(s *solve.Step) {
		if s.Iteration != reported || s.Checked || s.ChangedSinceCheck != -1 || s.ValidationErrors != -1 {
			t.Errorf("step %d reported as %+v", reported, s)
		}
		reported++
	}})
	for c := range p.Targets {
		if s.Status[c] != solve.IterationLimit || s.Iterations[c] != 7 {
			t.Errorf("column %d: %s after %d iterations", c, s.Status[c], s.Iterations[c])
		}
	}
	if reported != 8 {
		t.Errorf("%d steps reported, want the start and 7", reported)
	}
}

func TestCancelled(t *testing.T) {
	rng := rand.New(rand.NewPCG(135, 1))
	p := variant{columns: 1}.build(t, rng, 40, 12)
	ctx, cancel := context.WithCancel(t.Context())
	last := 0
	s, err := solve.PCG(ctx, p, solve.Options{Stop: solve.None, Progress: func(s *solve.Step) {
		if last = s.Iteration; last == 3 {
			cancel()
		}
	}})
	if !errors.Is(err, context.Canceled) || s != nil || last != 3 {
		t.Errorf("cancelled after iteration 3: error %v, solution %v, last iteration %d", err, s, last)
	}
}

// flatten makes a dense operator of a symmetric one.
func flatten(o objective.Operator) *plain {
	n := o.Len()
	p := &plain{n, make([]float64, n*n)}
	unit := make([]float64, n)
	for i := range n {
		unit[i] = 1
		copy(p.m[i*n:], times(o, unit))
		unit[i] = 0
	}
	return p
}

// Past its start the loop does not allocate: not in 500 iterations, not in
// checks, restarts and reports.
func TestLoopDoesNotAllocate(t *testing.T) {
	for _, v := range []variant{
		{loss: objective.SquaredHinge, bias: objective.BiasInNorm, columns: 3},
		{loss: objective.SquaredHinge, bias: objective.BiasOutside, unnormalised: true, oneClass: true, columns: 1},
		{loss: objective.Squared, bias: objective.NoBias, weights: true, columns: 2},
	} {
		rng := rand.New(rand.NewPCG(136, 1))
		p := v.build(t, rng, 50, 20)
		p.L = flatten(p.L)
		p.GammaA, p.GammaI = 1e-7, 1e-7 // slow
		reported := 0
		progress := func(*solve.Step) { reported++ }
		count := func([][]float64, []float64) int { return 1000 - reported } // always fewer
		run := func(o solve.Options) (allocations float64) {
			var s *solve.Solution
			allocations = testing.AllocsPerRun(2, func() {
				reported = 0
				s = pcg(t, p, o)
			})
			if o.MaxIterations <= 500 && slices.Max(s.Iterations) < min(150, o.MaxIterations) {
				t.Fatalf("%s: %v iterations of %d: this is no test", v, s.Iterations, o.MaxIterations)
			}
			return allocations
		}
		for name, o := range map[string]solve.Options{
			"no goal":  {Stop: solve.None},
			"reported": {Stop: solve.Gradient, Tolerance: 1e-300, Progress: progress},
			"doubling": {Stop: solve.Auto, CheckEvery: 600, Progress: progress},
			"checked":  {Stop: solve.Mixed, CheckEvery: 1, ValidationSize: 1001, ValidationErrors: count, Progress: progress},
		} {
			o.MaxIterations = 50
			few := run(o)
			o.MaxIterations = 500
			if many := run(o); many != few {
				t.Errorf("%s, %s: %v allocations in 500 iterations, %v in 50", v, name, many, few)
			}
		}
		// To the rounding floor, with restarts on the way.
		p.GammaA, p.GammaI = 1, 1
		o := solve.Options{Stop: solve.None, MaxIterations: 1}
		few := run(o)
		o.MaxIterations = 5000
		if many := run(o); many != few {
			t.Errorf("%s: %v allocations down to the rounding floor, %v in 1 iteration", v, many, few)
		}
	}
}
