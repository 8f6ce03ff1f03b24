package solve

import (
	"context"
	"math"
	"slices"
	"time"

	"lapsvm/internal/numbers/objective"
	"lapsvm/internal/system/fault"
)

// Newton minimises the objective by Newton's method. Each labelled point is on a piece of the
// loss, where the derivative of ½c_i V in f_i is D_i f_i − t_i. A step solves, for the pieces of the
// current point,
//
//	( D K + γA I + γI L K   u ) (α)   (t)
//	(         vᵀ            0 ) (b) = (ω)
//
// (equation 8, where D = I_E C and t = I_E C y). With the bias in the intrinsic norm,
// u = D1 + γI L1 and v = γA 1; without, u = D1 and v = γA 1 + γI K L1. ω is ½ with one class,
// else 0. The last row is the sum of the first n minus the derivative in b, so
// that it also holds where L1 ≠ 0. Without a bias the last row and column are
// absent. It stops when the pieces repeat.
//
// With o.LineSearch the exact minimum on the way to the solution is taken.
// Otherwise the step is 1 until pieces return, as step 1 could go round for
// ever, and the line search is used from then on. Where D is 0 J need not
// have a minimum in b. The step then minimises J + ½γA(b − b_old)², by −γA in
// the corner of the matrix and ω − γA·b_old. Where t is not 0 then, the line search is used too.
//
// Without an intrinsic norm only the symmetric block of the points with D_i > 0 is solved, by
// Cholesky. With one the matrix is factored by LU with partial pivoting, once
// for all columns with the same D, and the solution is refined once. The
// squared loss needs one step.
//
// K must be a [objective.Rows]. Cost of a step: ⅔n³ flops; memory: 2n² float64.
// The stopping conditions of o do not apply; Progress, MaxIterations,
// LineSearch and Start do. Not converging is a [Status].
func Newton(ctx context.Context, p *objective.Problem, o Options) (*Solution, error) {
	if err := validate(p); err != nil {
		return nil, err
	}
	k, ok := p.K.(objective.Rows)
	if !ok {
		return nil, fault.Errorf("the Newton solver needs the rows of the Gram matrix, which %T does not give: use pcg", p.K)
	}
	if err := o.validStart(p); err != nil {
		return nil, err
	}
	if o.MaxIterations <= 0 {
		o.MaxIterations = 100
	}
	nw := &newton{p: p, o: o, n: k.Len()}
	nw.decisions = newDecisions(p)
	var err error
	if p.Intrinsic() {
		nw.system, err = newFullSystem(ctx, p, k)
	} else {
		nw.system = newBlockSystem(p, k)
	}
	if err != nil {
		return nil, err
	}
	if err := nw.start(ctx); err != nil {
		return nil, err
	}
	begin := time.Now()
	for t := 1; t <= o.MaxIterations && !nw.done(); t++ {
		if nw.late = t > 1 && o.timeIsUp(begin); nw.late {
			break
		}
		if err := nw.iterate(ctx, t); err != nil {
			return nil, err
		}
	}
	return nw.solution(), nil
}

// newtonSystem solves the linear systems of one Newton step.
type newtonSystem interface {
	// factor prepares the systems for D, given per labelled point. It fails where the
	// matrix is numerically singular, and when ctx is done.
	factor(ctx context.Context, curvature []float64) error
	// solve overwrites x = (right side for α, for b) by the solution (α, b);
	// the right side for α is zero outside the labelled points.
	solve(x []float64)
	// refines reports whether a correction by the residual helps.
	refines() bool
}

type newton struct {
	p         *objective.Problem
	o         Options
	n         int
	system    newtonSystem
	columns   []*newtonColumn
	decisions *decisions
	step      Step
	line      line
	late      bool // the time is up
}

type newtonColumn struct {
	column
	pieces    []byte    // of the loss, on which the labelled points are at z
	curvature []float64 // D there
	pull      []float64 // t there
	seen      []string  // the pieces that were solved for
	back      bool      // some have returned: search along every step from now on
}

// curved reports whether any labelled point has curvature.
func curved(curvature []float64) bool {
	return slices.ContainsFunc(curvature, func(d float64) bool { return d > 0 })
}

func (nw *newton) start(ctx context.Context) error {
	m, l := len(nw.p.Targets), len(nw.p.Labelled)
	nw.step.Columns, nw.step.Alpha, nw.step.F = make([]ColumnStep, m), make([][]float64, m), make([][]float64, m)
	for c := range m {
		col := &newtonColumn{column: column{c: c, z: startState(nw.p, nw.o.Start, c)}, pieces: make([]byte, l), curvature: make([]float64, l), pull: make([]float64, l)}
		if nw.o.Start != nil {
			if err := nw.products(ctx, col.z); err != nil {
				return err
			}
		}
		nw.divide(col, nw.o.Start == nil)
		nw.columns = append(nw.columns, col)
		step := &nw.step.Columns[c]
		*step = ColumnStep{Active: true, Gradient: math.NaN(), Preconditioned: math.NaN(), Product: math.NaN()}
		step.Objective, step.ErrorVectors = col.z.value(nw.p, c)
		nw.step.F[c] = make([]float64, nw.n)
	}
	nw.report(0)
	return nil
}

func (nw *newton) done() bool {
	return !slices.ContainsFunc(nw.columns, func(col *newtonColumn) bool { return col.status == "" })
}

// products computes Kα and L·h of z.
func (nw *newton) products(ctx context.Context, z *state) error {
	err := nw.p.K.Mul(ctx, [][]float64{z.kAlpha}, [][]float64{z.alpha})
	if err != nil || !nw.p.Intrinsic() {
		return err
	}
	h := make([]float64, nw.n)
	intrinsic(nw.p, h, z.kAlpha, z.b)
	return nw.p.L.Mul(ctx, [][]float64{z.lh}, [][]float64{h})
}

// divide sets the pieces of the labelled points at the column's state, or those to begin on, with D
// and t. A label that is left out has neither.
func (nw *newton) divide(col *newtonColumn, begin bool) {
	pieces := nw.p.Loss.Pieces()
	for k, i := range nw.p.Labelled {
		y := nw.p.Targets[col.c][k]
		if objective.IsLeftOut(y) {
			continue
		}
		at := pieces.At(pieces.Shortfall(y, col.z.output(i)))
		if begin {
			at = pieces.Begin(y)
		}
		col.pieces[k], col.curvature[k] = byte(at), nw.p.Weights.At(k)*pieces[at].Square
		col.pull[k] = nw.p.Weights.At(k) * pieces.Pull(&pieces[at], y)
	}
}

// iterate makes one step for every active column; columns that share D share
// the factorization.
func (nw *newton) iterate(ctx context.Context, t int) error {
	stepped := make(map[int]bool)
	for first, col := range nw.columns {
		if col.status != "" || stepped[first] {
			continue
		}
		curvature := slices.Clone(col.curvature)
		if err := nw.system.factor(ctx, curvature); err != nil {
			return err
		}
		for c := first; c < len(nw.columns); c++ {
			if other := nw.columns[c]; other.status == "" && !stepped[c] && slices.Equal(other.curvature, curvature) {
				stepped[c] = true
				if err := nw.advance(ctx, other); err != nil {
					return err
				}
			}
		}
	}
	nw.report(t)
	return nil
}

// advance moves a column to, or towards, the solution for its pieces.
func (nw *newton) advance(ctx context.Context, col *newtonColumn) error {
	next, err := nw.solveFor(ctx, col)
	if err != nil {
		return err
	}
	old := col.z
	step := &nw.step.Columns[col.c]
	before := step.Objective
	pieces, steered := string(col.pieces), curved(col.curvature)
	col.back = col.back || slices.Contains(col.seen, pieces)
	col.seen = append(col.seen, pieces)
	step.Length, step.Intervals = 1, 0
	pulled := slices.ContainsFunc(col.pull, func(t float64) bool { return t != 0 })
	search := nw.o.LineSearch || col.back || pulled && !steered
	if search {
		if err := nw.search(ctx, col, next, step); err != nil {
			return err
		}
	}
	col.z = next
	col.iterations++
	col.intervals += step.Intervals
	step.Objective, step.ErrorVectors = col.z.value(nw.p, col.c)
	nw.divide(col, false)
	switch {
	case string(col.pieces) == pieces && steered:
		col.status = Converged
	case search && !(before-step.Objective > roundingError(nw.p, step.Objective, col.z.b)):
		// The direction was made of rounding errors, and may have led anywhere.
		col.status = RoundingFloor
		if !(step.Objective < before) {
			col.z = old
			step.Objective, step.ErrorVectors = old.value(nw.p, col.c)
		}
	}
	return nil
}

// search moves next to the exact minimum of J on the line through it from the
// column's state.
func (nw *newton) search(ctx context.Context, col *newtonColumn, next *state, step *ColumnStep) error {
	z, d := col.z, newDirection(nw.n)
	d.b = next.b - z.b
	for i := range nw.n {
		d.alpha[i] = next.alpha[i] - z.alpha[i]
		d.kAlpha[i] = next.kAlpha[i] - z.kAlpha[i]
		d.lh[i] = next.lh[i] - z.lh[i]
	}
	step.Length, step.Intervals = nw.line.minimise(nw.p, col.c, z, d)
	if step.Length == 1 {
		return nil
	}
	next.b = z.b + step.Length*d.b
	for i := range nw.n {
		next.alpha[i] = z.alpha[i] + step.Length*d.alpha[i]
	}
	return nw.products(ctx, next) // a long step would magnify the rounding errors of the old ones
}

// solveFor solves the column's system for its pieces, and refines the solution
// once by its residual.
func (nw *newton) solveFor(ctx context.Context, col *newtonColumn) (*state, error) {
	p := nw.p
	size := nw.n
	if p.Bias != objective.NoBias {
		size++
	}
	x := make([]float64, size)
	for k, i := range p.Labelled {
		if t := col.pull[k]; t != 0 {
			x[i] = t
		}
	}
	if p.OneClass {
		x[nw.n] = 0.5
	}
	empty := !curved(col.curvature)
	if empty && p.Bias != objective.NoBias {
		x[nw.n] -= p.GammaA * col.z.b
	}
	rightSide := slices.Clone(x)
	nw.system.solve(x)
	z := newState(nw.n)
	if err := nw.take(ctx, z, x); err != nil || !nw.system.refines() {
		return z, err
	}
	// The residual: right side minus system times (α, b).
	r := rightSide
	for i, a := range z.alpha {
		r[i] -= p.GammaA*a + p.GammaI*z.lh[i]
	}
	for k, i := range p.Labelled {
		if d := col.curvature[k]; d > 0 {
			r[i] -= d * (z.kAlpha[i] + z.b)
		}
	}
	if p.Bias != objective.NoBias {
		for _, a := range z.alpha {
			r[nw.n] -= p.GammaA * a
		}
		if p.Bias == objective.BiasOutside {
			for _, v := range z.lh { // 1ᵀLKα
				r[nw.n] -= p.GammaI * v
			}
		}
		if empty {
			r[nw.n] += p.GammaA * z.b
		}
	}
	nw.system.solve(r)
	for i := range x {
		x[i] += r[i]
	}
	return z, nw.take(ctx, z, x)
}

// take sets the state to the solution x of a system.
func (nw *newton) take(ctx context.Context, z *state, x []float64) error {
	copy(z.alpha, x)
	if nw.p.Bias != objective.NoBias {
		z.b = x[nw.n]
	}
	return nw.products(ctx, z)
}

func (nw *newton) report(t int) {
	if nw.o.Progress == nil {
		return
	}
	views := make([]*column, len(nw.columns))
	for c, col := range nw.columns {
		views[c] = &col.column
		step := &nw.step.Columns[c]
		step.Active, step.B = col.status == "", col.z.b
		nw.step.Alpha[c] = col.z.alpha
		col.z.outputs(nw.step.F[c])
	}
	nw.step.Iteration = t
	nw.step.ChangedSinceCheck, nw.step.ValidationErrors = -1, -1
	nw.step.Changed = nw.decisions.moved(t, views)
	nw.o.Progress(&nw.step)
}

func (nw *newton) solution() *Solution {
	s := newSolution(nw.p)
	for c, col := range nw.columns {
		s.set(nw.p, c, col.z)
		s.Iterations[c], s.LineSearchSteps[c], s.Status[c] = col.iterations, col.intervals, col.status
		if col.status == "" {
			s.Status[c] = unfinished(nw.late)
		}
	}
	return s
}
