package solve_test

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"lapsvm/internal/machines/solve"
	"lapsvm/internal/numbers/objective"
	"lapsvm/internal/points/gram"
	"lapsvm/internal/points/graph"
	"lapsvm/internal/testing/golden"
)

// build makes the objective of a reference problem on the reference graph.
func build(t *testing.T, g *golden.Problem) *objective.Problem {
	t.Helper()
	k, err := gram.NewHalf(t.Context(), g.X, g.Kernel(), gram.Double)
	if err != nil {
		t.Fatal(err)
	}
	p := &objective.Problem{
		K:      k,
		L:      graph.NewLaplacian(g.Adjacency(t), g.Params.Normalize == 0, g.Params.Degree),
		GammaA: g.Params.GammaA, GammaI: g.Params.GammaI,
		Bias: objective.BiasOutside, Targets: make([][]float64, 1),
	}
	if g.Params.UseBias == 0 {
		p.Bias = objective.NoBias
	}
	p.OneClass = true
	for i, y := range g.Y {
		if y != 0 {
			p.Labelled = append(p.Labelled, i)
			p.Targets[0] = append(p.Targets[0], y)
			p.OneClass = p.OneClass && y > 0
		}
	}
	return p
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

func relative(x, y float64) float64 { return math.Abs(x-y) / math.Max(math.Abs(y), 1e-300) }

func TestGoldenNewton(t *testing.T) {
	golden.Run(t, func(t *testing.T, g *golden.Problem) {
		for _, c := range []struct {
			name, file string
			change     func(p *objective.Problem, o *solve.Options)
			want       golden.Result
		}{
			{"LapSVM", "newton", func(*objective.Problem, *solve.Options) {}, g.Newton},
			{"LapSVM with line search", "newton", func(_ *objective.Problem, o *solve.Options) { o.LineSearch = true }, g.NewtonLineSearch},
			{"LapRLSC", "laprlsc", func(p *objective.Problem, _ *solve.Options) { p.Loss = objective.Squared }, g.LapRLSC},
			{"SVM", "svmp", func(p *objective.Problem, _ *solve.Options) { p.GammaI = 0 }, golden.Result{}},
		} {
			p := build(t, g)
			var o solve.Options
			c.change(p, &o)
			s, err := solve.Newton(t.Context(), p, o)
			if err != nil {
				t.Fatal(err)
			}
			f, a := difference(s.F[0], g.Vector(t, "f_"+c.file+".csv")), difference(s.Alpha[0], g.Vector(t, "alpha_"+c.file+".csv"))
			t.Logf("%s: f %.1e, α %.1e, %d iterations", c.name, f, a, s.Iterations[0])
			// Where every labelled point is an error vector, LapSVM and LapRLSC
			// have the same optimum. The difference between their two
			// recordings measures the accuracy of the reference (3e-7 on the
			// two-label clock problems, whose K is nearly singular).
			toleranceF, toleranceA := 1e-8, 1e-8
			if g.Newton.ErrorVectors == g.L && c.name != "SVM" {
				toleranceF += difference(g.Vector(t, "f_newton.csv"), g.Vector(t, "f_laprlsc.csv"))
				toleranceA += difference(g.Vector(t, "alpha_newton.csv"), g.Vector(t, "alpha_laprlsc.csv"))
			}
			if !(f <= toleranceF) || !(a <= toleranceA) {
				t.Errorf("%s: f differs by %.1e, α by %.1e", c.name, f, a)
			}
			if s.Status[0] != solve.Converged {
				t.Errorf("%s: %s", c.name, s.Status[0])
			}
			if c.want.Iterations == 0 {
				continue
			}
			if s.Iterations[0] != c.want.Iterations || s.ErrorVectors[0] != c.want.ErrorVectors {
				t.Errorf("%s: %d iterations and %d error vectors, want %d and %d", c.name,
					s.Iterations[0], s.ErrorVectors[0], c.want.Iterations, c.want.ErrorVectors)
			}
			if !(relative(s.Objective[0], c.want.Objective) <= 1e-10) {
				t.Errorf("%s: objective %v, want %v", c.name, s.Objective[0], c.want.Objective)
			}
		}
	})
}

// noisy multiplies like the operator within, but changes the last bit of the
// results at random.
type noisy struct {
	objective.Operator
	rng *rand.Rand
}

func (n noisy) Mul(ctx context.Context, dst, src [][]float64) error {
	err := n.Operator.Mul(ctx, dst, src)
	for c := range dst {
		for i := range dst[c] {
			dst[c][i] *= 1 + 0x1p-53*float64(n.rng.IntN(3)-1)
		}
	}
	return err
}

// twenty runs PCG for 20 iterations and keeps what it reports.
func twenty(t *testing.T, p *objective.Problem) (steps []solve.ColumnStep, s *solve.Solution) {
	t.Helper()
	s, err := solve.PCG(t.Context(), p, solve.Options{Stop: solve.None, MaxIterations: 20, BiasWeight: 1, Progress: func(s *solve.Step) {
		steps = append(steps, s.Columns[0])
	}})
	if err != nil {
		t.Fatal(err)
	}
	return steps, s
}

// Conjugate gradient amplifies rounding: a change of the last bit of K·ĝ grows
// to a difference in the third digit within ten iterations once a direction
// has converged (g50c is at its optimum in the eighth). So traces are compared
// for as long as such changes, made here, stay below 1e-12; that is how far
// two implementations can agree.
func TestGoldenPCG(t *testing.T) {
	golden.Run(t, func(t *testing.T, g *golden.Problem) {
		for _, c := range []struct {
			file, final string
			loss        objective.Loss
		}{{"pcg_trace.csv", "pcg20", objective.SquaredHinge}, {"pcg_trace_laprlsc.csv", "", objective.Squared}} {
			p := build(t, g)
			p.Loss = c.loss
			got, solution := twenty(t, p)
			var changed [][]solve.ColumnStep
			var sensitivity float64
			for seed := range uint64(4) {
				q := *p
				q.K = noisy{p.K, rand.New(rand.NewPCG(seed, 1))}
				steps, s := twenty(t, &q)
				changed = append(changed, steps)
				sensitivity = max(sensitivity, difference(s.F[0], solution.F[0]), difference(s.Alpha[0], solution.Alpha[0]))
			}
			compared, worst := 0, 0.0
			for i, want := range g.Trace(t, c.file) {
				if slices.ContainsFunc(changed, func(other []solve.ColumnStep) bool {
					return i >= len(other) || i >= len(got) || !(relative(other[i].Objective, got[i].Objective) <= 1e-12)
				}) {
					break
				}
				compared = i
				worst = max(worst, relative(got[i].Objective, want.Objective))
				if got[i].ErrorVectors != want.ErrorVectors || i > 0 && got[i].Intervals != want.Intervals {
					t.Errorf("%s, t = %d: |E| %d and %d intervals, want %d and %d", c.file, i,
						got[i].ErrorVectors, got[i].Intervals, want.ErrorVectors, want.Intervals)
				}
				for name, of := range map[string]func(s solve.ColumnStep) float64{
					"‖∇‖":     func(s solve.ColumnStep) float64 { return s.Gradient },
					"‖∇̂‖":    func(s solve.ColumnStep) float64 { return s.Preconditioned },
					"√(∇̂ᵀ∇)": func(s solve.ColumnStep) float64 { return s.Product },
					"b":       func(s solve.ColumnStep) float64 { return s.B },
				} {
					// The values themselves change sooner than the objective,
					// which is flat at its minimum: the tolerances allow for
					// that.
					noise := 0.0
					for _, other := range changed {
						noise = max(noise, math.Abs(of(other[i])-of(got[i])))
					}
					reference := of(solve.ColumnStep{Gradient: want.Gradient, Preconditioned: want.Preconditioned, Product: want.Product, B: want.B})
					if !(math.Abs(of(got[i])-reference) <= 1e-9*math.Abs(reference)+100*noise) {
						t.Errorf("%s, t = %d: %s %v, want %v", c.file, i, name, of(got[i]), reference)
					}
				}
				if !(relative(got[i].Objective, want.Objective) <= 1e-9) {
					t.Errorf("%s, t = %d: objective %v, want %v", c.file, i, got[i].Objective, want.Objective)
				}
			}
			t.Logf("%s: equal through t = %d, objective within %.1e", c.file, compared, worst)
			if compared < 6 {
				t.Errorf("%s: only %d iterations could be compared", c.file, compared)
			}
			if c.final != "" {
				f, a := difference(solution.F[0], g.Vector(t, "f_pcg20.csv")), difference(solution.Alpha[0], g.Vector(t, "alpha_pcg20.csv"))
				t.Logf("20 iterations: f %.1e, α %.1e; sensitivity %.1e", f, a, sensitivity)
				if !(max(f, a) <= 1e-9+10*sensitivity) {
					t.Errorf("after 20 iterations f differs by %.1e, α by %.1e", f, a)
				}
			}
		}
		s, err := solve.PCG(t.Context(), build(t, g), solve.Options{Stop: solve.None, MaxIterations: 3, BiasWeight: 1})
		if err != nil {
			t.Fatal(err)
		}
		f, a := difference(s.F[0], g.Vector(t, "f_pcg3.csv")), difference(s.Alpha[0], g.Vector(t, "alpha_pcg3.csv"))
		if !(f <= 1e-12) || !(a <= 1e-12) {
			t.Errorf("after 3 iterations f differs by %.1e, α by %.1e", f, a)
		}
	})
}

// The stopping checks stop where the reference stops.
func TestGoldenStops(t *testing.T) {
	golden.Run(t, func(t *testing.T, g *golden.Problem) {
		for _, c := range []struct {
			stop solve.Condition
			want *golden.Stop
		}{{solve.Stability, g.Stop1}, {solve.Validation, g.Stop2}, {solve.Mixed, g.Stop3}} {
			if c.want == nil {
				continue
			}
			p := build(t, g)
			o := solve.Options{Stop: c.stop, BiasWeight: 1}
			if c.stop != solve.Stability {
				cross, err := gram.NewCross(t.Context(), g.XV, g.X, g.Kernel())
				if err != nil {
					t.Fatal(err)
				}
				o.ValidationSize = len(g.YV)
				o.ValidationErrors = func(alpha [][]float64, b []float64) int {
					wrong := 0
					for i, y := range g.YV {
						if (cross.Dot(i, alpha[0])+b[0])*y <= 0 {
							wrong++
						}
					}
					return wrong
				}
			}
			errors := map[int]int{} // validation errors at every check
			o.Progress = func(s *solve.Step) {
				if s.Checked {
					errors[s.Iteration] = s.ValidationErrors
				}
			}
			s, err := solve.PCG(t.Context(), p, o)
			if err != nil {
				t.Fatal(err)
			}
			t.Logf("%s: %d iterations, reference %d, %s", c.stop, s.Iterations[0], c.want.Iterations, s.Status[0])
			if c.stop == solve.Validation && errors[c.want.Iterations] == errors[c.want.Iterations-c.want.Theta]-1 {
				// One error fewer is progress; the reference compares rates in
				// floating point and stops by rounding.
				continue
			}
			if s.Iterations[0] != c.want.Iterations {
				t.Errorf("%s: stopped after %d iterations, want %d", c.stop, s.Iterations[0], c.want.Iterations)
			}
		}
	})
}
