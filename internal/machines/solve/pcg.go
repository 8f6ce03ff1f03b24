package solve

import (
	"context"
	"math"
	"slices"
	"time"

	"lapsvm/internal/numbers/objective"
	"lapsvm/internal/numbers/parallel"
	"lapsvm/internal/numbers/vec"
)

// refreshEvery is the number of iterations after which PCG computes its recurrent products with K
// and L anew.
const refreshEvery = 50

// PCG minimises the objective by nonlinear conjugate gradient, preconditioned
// by P = diag(1/β, K) (Algorithm 1, where β is 1). The preconditioned gradient
// ĝ = P⁻¹∇ is V′ + γA α + γI L h for α and β·∂J/∂b for b, where V′ is ½c_i ∂V/∂f_i at labelled
// points. With it an iteration is
//
//	s* = argmin_{s≥0} J(z + s·d)                        exact line search
//	z ← z + s*·d
//	ρ = max(0, ĝᵀP(ĝ − ĝ_old) / ĝ_oldᵀPĝ_old)           Polak–Ribière; ρ = 0 restarts
//	d ← −ĝ + ρ·d
//
// and costs one product with K, shared by all columns, one with L and O(n) per
// column. Columns that have stopped drop out of the products.
//
// Kα, Lh and Kd follow by recurrence and drift from their true values; they
// are computed anew every 50 iterations, and whenever an iteration brings no
// decrease of J beyond its rounding error. If a restart from the fresh values
// brings none either, the column stops at the rounding floor.
//
// β is Options.BiasWeight. By default it gives the bias the curvature that the loss
// has along the first gradient,
//
//	β = Σ_i c_i (Kĝ)_i² / (ĝᵀKĝ·Σ_i c_i),   i labelled
//
// With β = 1 the curvature of the bias is the number of labels. That is most often
// far more than the curvature of any coefficient, and the coefficients then
// converge slowly.
//
// Not converging is a [Status]. PCG fails for a problem or options that are not
// valid, when ctx is done, and where a product fails. Past its start it does not
// allocate.
func PCG(ctx context.Context, p *objective.Problem, o Options) (*Solution, error) {
	if err := validate(p); err != nil {
		return nil, err
	}
	o, err := o.WithDefaults(p.K.Len())
	if err != nil {
		return nil, err
	}
	if err := o.validStart(p); err != nil {
		return nil, err
	}
	s, begin := newPCG(p, o, parallel.Threads(ctx)), time.Now()
	if err := s.start(ctx); err != nil {
		return nil, err
	}
	for t := 1; t <= o.MaxIterations && len(s.active) > 0; t++ {
		if s.late = o.timeIsUp(begin); s.late {
			break
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if err := s.iterate(ctx, t); err != nil {
			return nil, err
		}
	}
	return s.solution(), nil
}

// pcg is a running PCG.
type pcg struct {
	p         *objective.Problem
	o         Options
	columns   []*column
	active    []*column
	stalled   []*column   // scratch of restartStalled
	dst, src  [][]float64 // views handed to the operators
	rule      rule
	check     checker // nil where the rule has none
	decisions *decisions
	lines     []line // of every worker
	// What is done with every column, made once.
	moved, turned, graded func(worker int, col *column)
	step                  Step
	late                  bool // the time is up
}

func newPCG(p *objective.Problem, o Options, threads int) *pcg {
	n := p.K.Len()
	s := &pcg{p: p, o: o, lines: make([]line, threads), decisions: newDecisions(p)}
	s.moved = s.move
	s.turned = func(_ int, col *column) { s.turn(col) }
	s.graded = func(_ int, col *column) { col.gb = col.z.gradient(s.p, col.c, col.g) }
	s.rule, _ = ruleOf(o.Stop)
	m := len(p.Targets)
	if s.rule.checker != nil {
		s.check = s.rule.checker(&s.o, s.decisions, m)
	}
	for c := range p.Targets {
		col := &column{c: c, z: startState(p, o.Start, c), d: newDirection(n),
			g: make([]float64, n), gOld: make([]float64, n), kg: make([]float64, n)}
		if p.Intrinsic() && p.Bias == objective.BiasInNorm {
			col.h = make([]float64, n)
		}
		s.columns = append(s.columns, col)
	}
	s.active = append(s.active, s.columns...)
	s.stalled = make([]*column, 0, m)
	s.step.ChangedSinceCheck, s.step.ValidationErrors = -1, -1
	s.dst, s.src = make([][]float64, 0, 2*m), make([][]float64, 0, 2*m)
	s.step.Columns = make([]ColumnStep, m)
	if o.Progress != nil {
		s.step.F = make([][]float64, m)
		for c, col := range s.columns {
			s.step.Alpha = append(s.step.Alpha, col.z.alpha)
			s.step.F[c] = make([]float64, n)
		}
	}
	return s
}

// start computes the products of the starting point, its gradient and the
// first direction, the steepest descent.
func (s *pcg) start(ctx context.Context) error {
	if s.o.Start != nil {
		if err := s.refresh(ctx, false); err != nil {
			return err
		}
	}
	if err := s.gradients(ctx); err != nil {
		return err
	}
	for _, col := range s.active {
		step := &s.step.Columns[col.c]
		step.Objective, step.ErrorVectors = col.z.value(s.p, col.c)
		col.beta = s.biasWeight(col)
		s.norms(col, step)
		col.start = *step
		col.steepest()
		if !(col.gPg > 0) {
			col.status = RoundingFloor
		}
	}
	s.report(0)
	s.dropStopped()
	return nil
}

// iterate makes iteration t for all active columns.
func (s *pcg) iterate(ctx context.Context, t int) error {
	s.step.Checked, s.step.ChangedSinceCheck, s.step.ValidationErrors = false, -1, -1
	if t%refreshEvery == 0 {
		if err := s.refresh(ctx, true); err != nil {
			return err
		}
	}
	if err := s.laplacian(ctx, func(col *column) (lh, kAlpha []float64, b float64) { return col.d.lh, col.d.kAlpha, col.d.b }); err != nil {
		return err
	}
	s.each(ctx, s.moved)
	if s.check != nil && s.check.due(t) {
		s.step.Checked = true
		if stop := s.check.look(s.columns, &s.step); stop != "" {
			for _, col := range s.active {
				step := &s.step.Columns[col.c]
				col.gb = col.z.gradient(s.p, col.c, col.g)
				step.Preconditioned = col.preconditioned()
				step.Gradient, step.Product, step.Rho = math.NaN(), math.NaN(), 0
				col.status = stop
			}
			s.report(t)
			s.dropStopped()
			return nil
		}
	}
	for _, col := range s.active {
		col.g, col.gOld = col.gOld, col.g
		col.gbOld = col.gb
	}
	if err := s.gradients(ctx); err != nil {
		return err
	}
	s.each(ctx, s.turned)
	if slices.ContainsFunc(s.active, func(col *column) bool { return col.stalled }) {
		if err := s.restartStalled(ctx); err != nil {
			return err
		}
	}
	s.report(t)
	s.dropStopped()
	return nil
}

// manyColumns is the number of columns from which on columns are worked on in parallel: their own
// vectors and breakpoints then take as long as the products.
const manyColumns = 16

// each does something with every active column. Columns do not depend on each other.
func (s *pcg) each(ctx context.Context, do func(worker int, col *column)) {
	if len(s.active) < manyColumns {
		for _, col := range s.active {
			do(0, col)
		}
		return
	}
	parallel.Do(ctx, len(s.active), func(worker, k int) { do(worker, s.active[k]) })
}

// move takes the exact minimum along the column's direction.
func (s *pcg) move(worker int, col *column) {
	step := &s.step.Columns[col.c]
	step.Length, step.Intervals = s.lines[worker].minimise(s.p, col.c, col.z, col.d)
	col.z.advance(step.Length, col.d)
	col.iterations++
	col.intervals += step.Intervals
}

// turn judges the iteration by the fresh gradient, and sets the next direction
// unless the column has stopped or stalled.
func (s *pcg) turn(col *column) {
	step := &s.step.Columns[col.c]
	before := step.Objective
	step.Objective, step.ErrorVectors = col.z.value(s.p, col.c)
	old := col.gPg
	s.norms(col, step)

	decrease := before - step.Objective
	if s.rule.reached != nil && s.rule.reached(col, step, decrease, s.o.Tolerance) {
		col.status = Converged
		return
	}
	if !(decrease > roundingError(s.p, step.Objective, col.z.b)) || !(col.gPg > 0) {
		if col.refreshed {
			col.status = RoundingFloor
		}
		col.stalled = col.status == ""
		return
	}
	col.refreshed = false
	mixed := vec.Dot(col.gOld, col.kg) + col.beta*col.gbOld*col.gb
	step.Rho = max(0, (col.gPg-mixed)/old)
	if math.IsNaN(step.Rho) {
		step.Rho = 0
	}
	col.d.b = -col.beta*col.gb + step.Rho*col.d.b
	vec.Axpby(-1, col.g, step.Rho, col.d.alpha)
	vec.Axpby(-1, col.kg, step.Rho, col.d.kAlpha)
}

// dropStopped removes the columns that have stopped from the active ones.
func (s *pcg) dropStopped() {
	kept := s.active[:0]
	for _, col := range s.active {
		if col.status == "" {
			kept = append(kept, col)
		}
	}
	s.active = kept
}

// report fills the rest of the step and hands it to Progress.
func (s *pcg) report(t int) {
	if s.o.Progress == nil {
		return
	}
	s.step.Iteration = t
	s.step.Changed = s.decisions.moved(t, s.columns)
	for _, col := range s.columns {
		step := &s.step.Columns[col.c]
		step.Active, step.B = col.status == "", col.z.b
		col.z.outputs(s.step.F[col.c])
		if math.IsNaN(step.Gradient) { // stopped by a check of decisions
			step.Objective, step.ErrorVectors = col.z.value(s.p, col.c)
		}
	}
	s.o.Progress(&s.step)
}

func (s *pcg) solution() *Solution {
	solution := newSolution(s.p)
	for c, col := range s.columns {
		solution.set(s.p, c, col.z)
		solution.Iterations[c], solution.LineSearchSteps[c] = col.iterations, col.intervals
		solution.Status[c] = col.status
		if col.status == "" {
			solution.Status[c] = unfinished(s.late)
		}
	}
	return solution
}
