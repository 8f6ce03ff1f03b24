package solve

import (
	"context"
	"math"

	"lapsvm/internal/vec"
	"lapsvm/objective"
)

// refreshEvery is the number of iterations after which the products with K and
// L that PCG keeps by recurrence are computed anew.
const refreshEvery = 50

// PCG minimises the objective by nonlinear conjugate gradient, preconditioned
// by P = diag(1/β, K) (Algorithm 1, where β is 1). With the preconditioned gradient
// ĝ = P⁻¹∇ of [objective.Problem.Gradient] an iteration is
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
// With β = 1 that of the bias is the number of labels, most often far more than
// that of any coefficient, which then converge the slower.
//
// Not converging is a [Status]. The error is the context's, that of a product,
// or says what in the problem or the options is wrong. Apart from its start the loop does not
// allocate.
func PCG(ctx context.Context, p *objective.Problem, o Options) (*Solution, error) {
	if err := p.Validate(); err != nil {
		return nil, err
	}
	o, err := o.WithDefaults(p.K.Len())
	if err != nil {
		return nil, err
	}
	if err := o.validStart(p); err != nil {
		return nil, err
	}
	s := newPCG(p, o)
	if err := s.start(ctx); err != nil {
		return nil, err
	}
	for t := 1; t <= o.MaxIterations && len(s.active) > 0; t++ {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if err := s.iterate(ctx, t); err != nil {
			return nil, err
		}
	}
	return s.solution(), nil
}

// column is one column of a running PCG.
type column struct {
	c          int
	z          *objective.State
	d          *objective.Direction
	g, gOld    []float64 // ĝ and its predecessor
	gb, gbOld  float64   // ∂J/∂b, so that ĝ_b = β·gb
	beta       float64
	kg         []float64 // K·ĝ
	h          []float64 // scratch for the direction's h; nil where K·d serves
	gPg        float64   // ĝᵀPĝ
	start      ColumnStep
	stalled    bool // the last iteration brought no decrease of J
	refreshed  bool // the products are fresh and d is the steepest descent
	iterations int
	intervals  int
	status     Status // empty while active
}

type pcg struct {
	p         *objective.Problem
	o         Options
	columns   []*column
	active    []*column
	stalled   []*column   // scratch of restartStalled
	dst, src  [][]float64 // views handed to the operators
	alpha     [][]float64 // views handed to ValidationErrors
	b         []float64
	decisions *decisions
	lines     objective.LineSearch
	step      Step
}

func newPCG(p *objective.Problem, o Options) *pcg {
	n := p.K.Len()
	s := &pcg{p: p, o: o, decisions: newDecisions(p, o.ValidationSize)}
	if o.Stop == Auto {
		s.decisions.doubling = newDoubling(o.CheckEvery, len(s.decisions.watched))
	}
	m := len(p.Targets)
	for c := range p.Targets {
		col := &column{c: c, z: objective.NewState(n), d: objective.NewDirection(n),
			g: make([]float64, n), gOld: make([]float64, n), kg: make([]float64, n)}
		if p.Intrinsic() && p.Bias == objective.BiasInNorm {
			col.h = make([]float64, n)
		}
		if o.Start != nil {
			copy(col.z.Alpha, o.Start.Alpha[c])
			if p.Bias != objective.NoBias {
				col.z.B = o.Start.B[c]
			}
		}
		s.columns = append(s.columns, col)
	}
	s.active = append(s.active, s.columns...)
	s.stalled = make([]*column, 0, m)
	s.step.ChangedSinceCheck, s.step.ValidationErrors = -1, -1
	s.dst, s.src = make([][]float64, 0, 2*m), make([][]float64, 0, 2*m)
	s.alpha, s.b = make([][]float64, m), make([]float64, m)
	s.step.Columns = make([]ColumnStep, m)
	if o.Progress != nil {
		s.step.F = make([][]float64, m)
		for c, col := range s.columns {
			s.step.Alpha = append(s.step.Alpha, col.z.Alpha)
			s.step.F[c] = make([]float64, n)
		}
	}
	return s
}

// start computes the products of the starting point, its gradient and the
// first direction, the steepest descent.
func (s *pcg) start(ctx context.Context) error {
	if s.o.Start != nil {
		s.views()
		for _, col := range s.active {
			s.add(col.z.KAlpha, col.z.Alpha)
		}
		if err := s.p.K.Mul(ctx, s.dst, s.src); err != nil {
			return err
		}
		if err := s.laplacianOfStates(ctx); err != nil {
			return err
		}
	}
	if err := s.gradients(ctx); err != nil {
		return err
	}
	for _, col := range s.active {
		step := &s.step.Columns[col.c]
		step.Objective, step.ErrorVectors = s.p.Value(col.c, col.z)
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
		if err := s.refresh(ctx); err != nil {
			return err
		}
	}
	if err := s.laplacianOfDirections(ctx); err != nil {
		return err
	}
	for _, col := range s.active {
		s.move(col)
	}
	if s.decisions.due(&s.o, t) {
		if stop := s.decisions.check(&s.o, s.columns, s.alpha, s.b, &s.step); stop != "" {
			for _, col := range s.active {
				step := &s.step.Columns[col.c]
				col.gb = s.p.Gradient(col.g, col.c, col.z)
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
	stalled := false
	for _, col := range s.active {
		s.turn(col)
		stalled = stalled || col.stalled
	}
	if stalled {
		if err := s.restartStalled(ctx); err != nil {
			return err
		}
	}
	s.report(t)
	s.dropStopped()
	return nil
}

// move takes the exact minimum along the column's direction.
func (s *pcg) move(col *column) {
	step := &s.step.Columns[col.c]
	step.Length, step.Intervals = s.lines.Minimise(s.p, col.c, col.z, col.d)
	col.z.Advance(step.Length, col.d)
	col.iterations++
	col.intervals += step.Intervals
}

// turn judges the iteration by the fresh gradient, and sets the next direction
// unless the column has stopped or stalled.
func (s *pcg) turn(col *column) {
	step := &s.step.Columns[col.c]
	before := step.Objective
	step.Objective, step.ErrorVectors = s.p.Value(col.c, col.z)
	old := col.gPg
	s.norms(col, step)

	decrease := before - step.Objective
	if s.reached(col, step, decrease) {
		col.status = Converged
		return
	}
	if !(decrease > roundingError(s.p, step.Objective, col.z.B)) || !(col.gPg > 0) {
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
	col.d.B = -col.beta*col.gb + step.Rho*col.d.B
	vec.Axpby(-1, col.g, step.Rho, col.d.Alpha)
	vec.Axpby(-1, col.kg, step.Rho, col.d.KAlpha)
}

// reached reports whether the column meets a condition on its own values.
func (s *pcg) reached(col *column, step *ColumnStep, decrease float64) bool {
	switch s.o.Stop {
	case Gradient:
		return step.Gradient < s.o.Tolerance*col.start.Gradient
	case Preconditioned:
		return step.Preconditioned < s.o.Tolerance*col.start.Preconditioned
	case Product:
		return col.gPg >= 0 && step.Product < s.o.Tolerance*col.start.Product
	case Objective:
		return decrease >= 0 && decrease < s.o.Tolerance*math.Abs(step.Objective)
	}
	return false
}

// norms fills in ĝᵀPĝ and the norms of a step from ĝ and K·ĝ.
func (s *pcg) norms(col *column, step *ColumnStep) {
	b2 := col.gb * col.gb
	col.gPg = col.beta*b2 + vec.Dot(col.g, col.kg)
	step.Gradient = math.Sqrt(b2 + vec.Dot(col.kg, col.kg))
	step.Preconditioned = col.preconditioned()
	step.Product = math.Sqrt(max(0, col.gPg))
}

// preconditioned returns ‖ĝ‖.
func (col *column) preconditioned() float64 {
	b := col.beta * col.gb
	return math.Sqrt(b*b + vec.Dot(col.g, col.g))
}

// biasWeight returns β for a column, from its first gradient.
func (s *pcg) biasWeight(col *column) float64 {
	if s.o.BiasWeight > 0 {
		return s.o.BiasWeight
	}
	loss, weights := 0.0, 0.0
	for k, i := range s.p.Labelled {
		loss += s.p.Weight(k) * col.kg[i] * col.kg[i]
		weights += s.p.Weight(k)
	}
	if beta := loss / (vec.Dot(col.g, col.kg) * weights); beta > 0 && !math.IsInf(beta, 0) {
		return beta
	}
	return 1 // there is no gradient, or none that labelled points feel
}

// steepest sets the direction −ĝ.
func (col *column) steepest() {
	col.d.B = -col.beta * col.gb
	for i, g := range col.g {
		col.d.Alpha[i] = -g
		col.d.KAlpha[i] = -col.kg[i]
	}
}

// gradients computes ĝ and K·ĝ of all active columns.
func (s *pcg) gradients(ctx context.Context) error {
	s.views()
	for _, col := range s.active {
		col.gb = s.p.Gradient(col.g, col.c, col.z)
		s.add(col.kg, col.g)
	}
	return s.p.K.Mul(ctx, s.dst, s.src)
}

// refresh computes the products of states and directions anew.
func (s *pcg) refresh(ctx context.Context) error {
	s.views()
	for _, col := range s.active {
		s.add(col.z.KAlpha, col.z.Alpha)
		s.add(col.d.KAlpha, col.d.Alpha)
	}
	if err := s.p.K.Mul(ctx, s.dst, s.src); err != nil {
		return err
	}
	return s.laplacianOfStates(ctx)
}

// restartStalled gives the columns that made no progress fresh products and
// the steepest descent from them.
func (s *pcg) restartStalled(ctx context.Context) error {
	all := s.active
	s.active = s.stalled[:0]
	for _, col := range all {
		if col.stalled {
			s.active = append(s.active, col)
		}
	}
	s.views()
	for _, col := range s.active {
		s.add(col.z.KAlpha, col.z.Alpha)
	}
	if err := s.p.K.Mul(ctx, s.dst, s.src); err != nil {
		return err
	}
	if err := s.laplacianOfStates(ctx); err != nil {
		return err
	}
	if err := s.gradients(ctx); err != nil {
		return err
	}
	for _, col := range s.active {
		step := &s.step.Columns[col.c]
		step.Objective, step.ErrorVectors = s.p.Value(col.c, col.z)
		s.norms(col, step)
		step.Rho = 0
		col.steepest()
		col.stalled, col.refreshed = false, true
		if !(col.gPg > 0) {
			col.status = RoundingFloor
		}
	}
	s.active = all
	return nil
}

// laplacianOfStates computes L·h of the states of all active columns.
func (s *pcg) laplacianOfStates(ctx context.Context) error {
	if !s.p.Intrinsic() {
		return nil
	}
	s.views()
	for _, col := range s.active {
		h := col.z.KAlpha
		if col.h != nil {
			h = col.h
			s.p.H(h, col.z.KAlpha, col.z.B)
		}
		s.add(col.z.LH, h)
	}
	return s.p.L.Mul(ctx, s.dst, s.src)
}

// laplacianOfDirections computes L·h of the directions of all active columns.
func (s *pcg) laplacianOfDirections(ctx context.Context) error {
	if !s.p.Intrinsic() {
		return nil
	}
	s.views()
	for _, col := range s.active {
		h := col.d.KAlpha
		if col.h != nil {
			h = col.h
			s.p.H(h, col.d.KAlpha, col.d.B)
		}
		s.add(col.d.LH, h)
	}
	return s.p.L.Mul(ctx, s.dst, s.src)
}

// views empties the views for the next product; add fills them.
func (s *pcg) views() { s.dst, s.src = s.dst[:0], s.src[:0] }

func (s *pcg) add(dst, src []float64) {
	s.dst, s.src = append(s.dst, dst), append(s.src, src)
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
	s.step.Changed = s.decisions.decide(s.decisions.previous, s.columns)
	if t == 0 {
		s.step.Changed = 0
	}
	for _, col := range s.columns {
		step := &s.step.Columns[col.c]
		step.Active, step.B = col.status == "", col.z.B
		for i, v := range col.z.KAlpha {
			s.step.F[col.c][i] = v + col.z.B
		}
		if math.IsNaN(step.Gradient) { // stopped by a check of decisions
			step.Objective, step.ErrorVectors = s.p.Value(col.c, col.z)
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
			solution.Status[c] = IterationLimit
		}
	}
	return solution
}
