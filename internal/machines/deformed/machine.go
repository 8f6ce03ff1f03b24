package deformed

import (
	"bytes"
	"context"
	"encoding/binary"
	"math"
	"slices"
	"sync"

	"lapsvm/internal/numbers/linalg"
	"lapsvm/internal/numbers/linesearch"
	"lapsvm/internal/numbers/objective"
	"lapsvm/internal/numbers/vec"
)

// Machine is one column of a problem: its targets and its loss.
type Machine struct {
	Problem  *Problem
	Loss     objective.Loss    // smooth, or a ramp
	Targets  []float64         // ∈ {−1, +1}, of a loss of residuals any numbers, l values
	Weights  objective.Weights // c of every labelled point
	OneClass bool              // add b/2; not with a ramp
	// Tolerance is the violation of the optimality conditions at which the
	// solver of a ramp stops; 0 means 1e-3, as LIBSVM has it. Smooth losses
	// are solved exactly.
	Tolerance float64
}

// Solution is a solution of a [Machine], or where to start from.
type Solution struct {
	A, F      []float64 // l values each; F = Sa + b·u, the outputs at the labelled points
	B         float64
	Steps     int // that the solver took
	Converged bool
}

// maxSteps bounds the steps of Newton's method, which takes a handful.
const maxSteps = 200

// shift is the derivative of the one-class term b/2.
func (m *Machine) shift() float64 {
	if m.OneClass {
		return 0.5
	}
	return 0
}

// Solve returns the minimum. A labelled point is on a piece of the loss, where the derivative of
// ½c_i V in f_i is D_i f_i − t_i. Smooth losses: Newton's method, which solves
//
//	( S_EE + D⁻¹   u_E ) (a_E)   ( D⁻¹t_E − S_EH t_H )
//	(   u_Eᵀ       −κ  ) ( b ) = (   ω − u_Hᵀ t_H    )
//
// until the pieces repeat, with the exact line search once pieces return. E are the points with
// D_i > 0, H the others, whose a_i is t_i; ω is ½ with one class, else 0. For the squared loss
// one step is enough. A ramp, such as the hinge: the dual by sequential minimal optimisation.
// start may be nil.
// ctx limits the threads. It does not interrupt the machine, which has the
// labelled points alone. Cost: O(l³) per step.
func (m *Machine) Solve(ctx context.Context, start *Solution) *Solution {
	ctx = context.WithoutCancel(ctx)
	if m.dual() {
		return m.smo(ctx, nil)
	}
	return m.newton(ctx, start, nil)
}

// dual reports whether the machine is found by way of its dual problem.
func (m *Machine) dual() bool { return m.Loss.Ramp() > 0 }

// system is a factored Newton system. Machines with the same E and D
// share it. With few labels nearly all points are in E, whatever the class.
type system struct {
	e       []int            // E
	factor  linalg.Matrix    // of S_EE + D⁻¹, by Cholesky
	inverse func() []float64 // (S_EE + D⁻¹)⁻¹, |E|×|E|, symmetric, on demand
	v       []float64        // (S_EE + D⁻¹)⁻¹ u_E; nil without a bias
	s       float64          // u_Eᵀv + κ
	once    sync.Once        // of changes
	changes *changes
}

// mostSystems bounds the numbers that the systems of a problem hold: 256 MB. Machines of a thousand labels have a system for every step,
// machine and fold, each with four matrices of 8 MB.
const mostSystems = 1 << 25

// system returns the system of the points e with the curvatures d, nil where S is
// not numerically positive semi-definite. Those asked for last are kept, as far as mostSystems allows.
func (c *Problem) system(ctx context.Context, e []int, d []float64) *system {
	key := encode(e, d)
	c.lock.Lock()
	s, found := c.systems[key]
	if found {
		c.asked(key)
	}
	c.lock.Unlock()
	if found {
		return s
	}
	s = c.factor(ctx, e, d)
	c.lock.Lock()
	defer c.lock.Unlock()
	if c.systems == nil {
		c.systems = make(map[string]*system)
	}
	c.systems[key] = s
	c.asked(key)
	for most := max(mostSystems/max(4*len(c.Kernel), 1), 1); len(c.recent) > most; c.recent = c.recent[1:] {
		delete(c.systems, c.recent[0])
	}
	return s
}

// asked notes that a system was asked for last.
func (c *Problem) asked(key string) {
	c.recent = append(slices.DeleteFunc(c.recent, func(other string) bool { return other == key }), key)
}

// Freedom returns the effective degrees of freedom of the machines of a problem,
// tr S(S + I)⁻¹: between 0 and l, small where the functions are smooth.
func (c *Problem) Freedom(ctx context.Context) float64 {
	l := int(math.Sqrt(float64(len(c.Kernel))))
	all, ones := make([]int, l), make([]float64, l)
	for k := range all {
		all[k], ones[k] = k, 1
	}
	s := c.system(context.WithoutCancel(ctx), all, ones)
	if s == nil {
		return float64(l)
	}
	freedom, inverse := float64(l), s.inverse()
	for k := range l {
		freedom -= inverse[k*l+k]
	}
	return freedom
}

// factor makes a system.
func (c *Problem) factor(ctx context.Context, e []int, d []float64) *system {
	l, size := int(math.Sqrt(float64(len(c.Kernel)))), len(e)
	g := linalg.New(size, size)
	for i, p := range e {
		for j, q := range e {
			g.Data[i*size+j] = c.Kernel[p*l+q]
		}
		g.Data[i*size+i] += 1 / d[i]
	}
	if ok, _ := linalg.Cholesky(ctx, g); !ok {
		return nil
	}
	s := &system{e: e, factor: g, s: c.Kappa}
	s.inverse = sync.OnceValue(func() []float64 {
		inverse, _ := linalg.CholeskyInverse(ctx, g)
		return inverse.Data
	})
	if c.Bias != nil {
		u := make([]float64, size)
		for i, p := range e {
			u[i] = c.Bias[p]
		}
		s.v = s.times(u)
		for i := range u {
			s.s += u[i] * s.v[i]
		}
	}
	return s
}

// block returns H, the block of E of the inverse of the whole system with the bias, |E|×|E|.
func (s *system) block() []float64 {
	h := s.inverse()
	if s.v == nil || !(s.s > 0) {
		return h
	}
	h = slices.Clone(h)
	for i, v := range s.v {
		vec.Axpy(-v/s.s, s.v, h[i*len(s.e):(i+1)*len(s.e)])
	}
	return h
}

// times returns the inverse times x.
func (s *system) times(x []float64) []float64 {
	y := slices.Clone(x)
	linalg.CholeskySolve(s.factor, y)
	return y
}

// solve returns the solution of the system for a machine, whose labelled points are on the given
// pieces. Where neither E nor κ decides on the bias, it is b less the derivative of J in b.
func (s *system) solve(ctx context.Context, m *Machine, pieces []byte, b float64) *Solution {
	l := len(m.Targets)
	p, y := &Solution{A: make([]float64, l), B: 0}, make([]float64, len(s.e))
	for i, k := range s.e {
		d, t := m.quadratic(k, pieces[k])
		y[i] = t / d
	}
	bounded := 0.0 // u_Hᵀt_H
	for h, piece := range pieces {
		d, t := m.quadratic(h, piece)
		if d > 0 || t == 0 {
			continue
		}
		p.A[h] = t
		for i, k := range s.e {
			y[i] -= m.Problem.Kernel[k*l+h] * t
		}
		if m.Problem.Bias != nil {
			bounded += m.Problem.Bias[h] * t
		}
	}
	a := s.times(y)
	if m.Problem.Bias != nil {
		p.B = b + bounded - m.shift()
		if s.s > 0 {
			p.B = bounded - m.shift()
			for i, k := range s.e {
				p.B += m.Problem.Bias[k] * a[i]
			}
			p.B /= s.s
		}
		for i := range a {
			a[i] -= p.B * s.v[i]
		}
	}
	for i, k := range s.e {
		p.A[k] = a[i]
	}
	m.outputs(ctx, p)
	return p
}

// outputs sets F to Sa + b·u.
func (m *Machine) outputs(ctx context.Context, p *Solution) {
	l := len(m.Targets)
	p.F = make([]float64, l)
	linalg.MulVec(ctx, p.F, linalg.FromSlice(l, l, m.Problem.Kernel), p.A)
	if m.Problem.Bias != nil {
		for k, u := range m.Problem.Bias {
			p.F[k] += p.B * u
		}
	}
}

// newton minimises without the labels that are left out; nil means none are.
func (m *Machine) newton(ctx context.Context, start *Solution, out []bool) *Solution {
	l := len(m.Targets)
	at := start
	if at == nil {
		at = &Solution{A: make([]float64, l), F: make([]float64, l)}
	}
	var seen []string
	search := false
	for step := range maxSteps {
		pieces := m.pieces(at.F, out)
		if step == 0 && start == nil {
			m.begin(pieces)
		}
		s := m.system(ctx, pieces)
		if s == nil {
			return at
		}
		next := s.solve(ctx, m, pieces, at.B)
		next.Steps = step + 1
		undecided := m.Problem.Bias != nil && !(s.s > 0) && next.B != at.B
		if !undecided && bytes.Equal(m.pieces(next.F, out), pieces) {
			next.Converged = true
			return next
		}
		search = search || undecided || slices.Contains(seen, string(pieces))
		seen = append(seen, string(pieces))
		if search && !m.towards(at, next, out) {
			at.Converged = true // to the rounding floor
			return at
		}
		at = next
	}
	return at
}

// ErrorVectors returns the number of labelled points where the loss is not flat at p.
func (m *Machine) ErrorVectors(p *Solution) int {
	count, pieces := 0, m.Loss.Pieces()
	for k, y := range m.Targets {
		if q := pieces.PieceAt(y, p.F[k]); q != nil && !q.Flat() {
			count++
		}
	}
	return count
}

// noPiece is in place of a piece where the label is left out.
const noPiece = math.MaxUint8

// pieces returns the pieces of the loss that the labelled points are on.
func (m *Machine) pieces(f []float64, out []bool) []byte {
	at, pieces := make([]byte, len(m.Targets)), m.Loss.Pieces()
	for k, y := range m.Targets {
		if at[k] = noPiece; !objective.IsLeftOut(y) && (out == nil || !out[k]) {
			at[k] = byte(pieces.At(pieces.Shortfall(y, f[k])))
		}
	}
	return at
}

// begin sets the pieces to those that Newton's method begins on.
func (m *Machine) begin(pieces []byte) {
	for k, piece := range pieces {
		if piece != noPiece {
			pieces[k] = byte(m.Loss.Pieces().Begin(m.Targets[k]))
		}
	}
}

// quadratic returns D and t of labelled point k on a piece.
func (m *Machine) quadratic(k int, piece byte) (d, t float64) {
	if piece == noPiece {
		return 0, 0
	}
	pieces := m.Loss.Pieces()
	q := &pieces[piece]
	return m.Weights.At(k) * q.Square, m.Weights.At(k) * pieces.Pull(q, m.Targets[k])
}

// system returns the system for pieces.
func (m *Machine) system(ctx context.Context, pieces []byte) *system {
	e, weights := make([]int, 0, len(pieces)), make([]float64, 0, len(pieces))
	for k, piece := range pieces {
		if d, _ := m.quadratic(k, piece); d > 0 {
			e, weights = append(e, k), append(weights, d)
		}
	}
	return m.Problem.system(ctx, e, weights)
}

// encode makes a comparable value of points and numbers.
func encode(e []int, d []float64) string {
	key := make([]byte, 0, 12*len(e))
	for i, k := range e {
		key = binary.LittleEndian.AppendUint32(key, uint32(k))
		key = binary.LittleEndian.AppendUint64(key, math.Float64bits(d[i]))
	}
	return string(key)
}

// towards moves next to the exact minimum on the line from at through next,
// and reports whether the objective falls.
func (m *Machine) towards(at, next *Solution, out []bool) bool {
	l := len(m.Targets)
	d := make([]float64, l)
	for k := range d {
		d[k] = next.A[k] - at.A[k]
	}
	db := next.B - at.B
	// The quadratic part: aᵀSd and dᵀSd by f = Sa + b·u.
	var at0, slope float64
	rate := make([]float64, l)
	for k := range d {
		u := 0.0
		if m.Problem.Bias != nil {
			u = m.Problem.Bias[k]
		}
		rate[k] = next.F[k] - at.F[k]
		at0 += d[k] * (at.F[k] - at.B*u)
		slope += d[k] * (rate[k] - db*u)
	}
	at0 += m.Problem.Kappa*at.B*db + m.shift()*db
	slope += m.Problem.Kappa * db * db
	targets, weights, f, rates := m.Targets, m.Weights, at.F, rate
	if out != nil {
		targets, f, rates = keep(targets, out), keep(f, out), keep(rates, out)
		if weights != nil {
			weights = keep(weights, out)
		}
	}
	var ls linesearch.Search
	step, _ := ls.Minimise(m.Loss, targets, weights, f, rates, at0, slope)
	for k := range d {
		next.A[k] = at.A[k] + step*d[k]
		next.F[k] = at.F[k] + step*rate[k]
	}
	next.B = at.B + step*db
	before, after := m.value(at, out), m.value(next, out)
	return after < before-4*0x1p-52*math.Abs(before)
}

// keep returns the elements of x that are not out.
func keep(x []float64, out []bool) []float64 {
	kept := make([]float64, 0, len(x))
	for k, v := range x {
		if !out[k] {
			kept = append(kept, v)
		}
	}
	return kept
}

// Value returns the objective at p.
func (m *Machine) Value(p *Solution) float64 { return m.value(p, nil) }

func (m *Machine) value(p *Solution, out []bool) float64 {
	var sum float64
	pieces := m.Loss.Pieces()
	for k, y := range m.Targets {
		sa := p.F[k]
		if m.Problem.Bias != nil {
			sa -= p.B * m.Problem.Bias[k]
		}
		sum += p.A[k] * sa / 2
		if q := pieces.PieceAt(y, p.F[k]); q != nil && (out == nil || !out[k]) {
			sum += q.Cost(m.Weights.At(k), pieces.Shortfall(y, p.F[k])) / 2
		}
	}
	return sum + m.Problem.Kappa*p.B*p.B/2 + m.shift()*p.B
}
