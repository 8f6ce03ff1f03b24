package deformed

import (
	"context"
	"math"
	"slices"
	"sync"

	"lapsvm/internal/numbers/linalg"
	"lapsvm/internal/numbers/linesearch"
	"lapsvm/internal/numbers/objective"
)

// Machine is one column of a cell: its targets and its loss.
type Machine struct {
	Cell     *Cell
	Loss     objective.Loss // SquaredHinge, Squared or Hinge
	Targets  []float64      // ∈ {−1, +1}, l values
	Weights  []float64      // c of every labelled point; nil means 1
	OneClass bool           // add b/2; not with the hinge
	// Tolerance is the violation of the optimality conditions at which the
	// solver of the hinge stops; 0 means 1e-3, as LIBSVM has it. The other
	// losses are solved exactly.
	Tolerance float64
}

// Point is a solution of a [Machine], or where to start from.
type Point struct {
	A, F      []float64 // l values each; F = Sa + b·u, the outputs at the labelled points
	B         float64
	Steps     int // that the solver took
	Converged bool
}

// maxSteps bounds the steps of Newton's method, which takes a handful.
const maxSteps = 200

func (m *Machine) weight(k int) float64 {
	if m.Weights == nil {
		return 1
	}
	return m.Weights[k]
}

func (m *Machine) inError(k int, f float64) bool {
	return m.Loss.InError(m.Targets[k], f)
}

// shift is the derivative of the one-class term b/2.
func (m *Machine) shift() float64 {
	if m.OneClass {
		return 0.5
	}
	return 0
}

// Solve returns the minimum. Squared hinge: Newton's method, which solves
//
//	( S_EE + C⁻¹   u_E ) (a_E)   ( y_E )
//	(   u_Eᵀ       −κ  ) ( b ) = ( ω )
//
// for the error vectors E until they repeat, with the exact line search once a
// set returns; ω is ½ with one class, else 0. Squared loss: the same in one
// step. Hinge: the dual by sequential minimal optimisation. start may be nil.
// ctx limits the threads. It does not interrupt the machine, which has the
// labelled points alone. Cost: O(l³) per step.
func (m *Machine) Solve(ctx context.Context, start *Point) *Point {
	ctx = context.WithoutCancel(ctx)
	if m.Loss == objective.Hinge {
		return m.smo(ctx, nil)
	}
	return m.newton(ctx, start, nil)
}

// system is a factored Newton system. Machines with the same error vectors
// share it. With few labels nearly all points are error vectors, whatever the class.
type system struct {
	e       []int            // the error vectors
	factor  linalg.Matrix    // of S_EE + C⁻¹, by Cholesky
	inverse func() []float64 // (S_EE + C⁻¹)⁻¹, |E|×|E|, symmetric, on demand
	v       []float64        // (S_EE + C⁻¹)⁻¹ u_E; nil without a bias
	s       float64          // u_Eᵀv + κ
	once    sync.Once        // of changes
	changes *changes
}

// systemKey tells the systems of a cell apart.
type systemKey struct {
	e       string
	weights *float64
}

// system returns the system of the error vectors e, nil where S is not
// numerically positive semi-definite.
func (m *Machine) system(ctx context.Context, e []int) *system {
	key := systemKey{e: encode(e)}
	if len(m.Weights) > 0 {
		key.weights = &m.Weights[0]
	}
	c := m.Cell
	c.lock.Lock()
	s, found := c.systems[key]
	c.lock.Unlock()
	if found {
		return s
	}
	s = m.factor(ctx, e)
	c.lock.Lock()
	defer c.lock.Unlock()
	if c.systems == nil {
		c.systems = make(map[systemKey]*system)
	}
	c.systems[key] = s
	return s
}

// Freedom returns the effective degrees of freedom of the machines of a cell,
// tr S(S + I)⁻¹: between 0 and l, small where the functions are smooth.
func (c *Cell) Freedom(ctx context.Context) float64 {
	l := int(math.Sqrt(float64(len(c.Kernel))))
	m := &Machine{Cell: c, Targets: make([]float64, l)}
	all := make([]int, l)
	for k := range all {
		all[k] = k
	}
	s := m.system(context.WithoutCancel(ctx), all)
	if s == nil {
		return float64(l)
	}
	freedom, inverse := float64(l), s.inverse()
	for k := range l {
		freedom -= inverse[k*l+k]
	}
	return freedom
}

// factor makes the system of the error vectors e.
func (m *Machine) factor(ctx context.Context, e []int) *system {
	l, size := len(m.Targets), len(e)
	g := linalg.New(size, size)
	for i, p := range e {
		for j, q := range e {
			g.Data[i*size+j] = m.Cell.Kernel[p*l+q]
		}
		g.Data[i*size+i] += 1 / m.weight(p)
	}
	if ok, _ := linalg.Cholesky(ctx, g); !ok {
		return nil
	}
	s := &system{e: e, factor: g, s: m.Cell.Kappa}
	s.inverse = sync.OnceValue(func() []float64 {
		inverse, _ := linalg.CholeskyInverse(ctx, g)
		return inverse.Data
	})
	if m.Cell.Bias != nil {
		u := make([]float64, size)
		for i, p := range e {
			u[i] = m.Cell.Bias[p]
		}
		s.v = s.times(u)
		for i := range u {
			s.s += u[i] * s.v[i]
		}
	}
	return s
}

// times returns the inverse times x.
func (s *system) times(x []float64) []float64 {
	y := slices.Clone(x)
	linalg.CholeskySolve(s.factor, y)
	return y
}

// solve returns the solution of the system for the machine's targets. The bias is b
// where there are no error vectors to decide on it.
func (s *system) solve(ctx context.Context, m *Machine, b float64) *Point {
	y := make([]float64, len(s.e))
	for i, p := range s.e {
		y[i] = m.Targets[p]
	}
	a := s.times(y)
	p := &Point{A: make([]float64, len(m.Targets)), B: 0}
	if m.Cell.Bias != nil {
		p.B = b
		if s.s > 0 {
			p.B = -m.shift()
			for i, k := range s.e {
				p.B += m.Cell.Bias[k] * a[i]
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
func (m *Machine) outputs(ctx context.Context, p *Point) {
	l := len(m.Targets)
	p.F = make([]float64, l)
	linalg.MulVec(ctx, p.F, linalg.Of(l, l, m.Cell.Kernel), p.A)
	if m.Cell.Bias != nil {
		for k, u := range m.Cell.Bias {
			p.F[k] += p.B * u
		}
	}
}

// newton minimises without the labels that are left out; nil means none are.
func (m *Machine) newton(ctx context.Context, start *Point, out []bool) *Point {
	l := len(m.Targets)
	at := start
	if at == nil {
		at = &Point{A: make([]float64, l), F: make([]float64, l)}
	}
	var seen []string
	search := false
	for step := range maxSteps {
		e := m.errorVectors(at.F, out)
		s := m.system(ctx, e)
		if s == nil {
			return at
		}
		next := s.solve(ctx, m, at.B)
		next.Steps = step + 1
		if slices.Equal(m.errorVectors(next.F, out), e) {
			next.Converged = true
			return next
		}
		key := encode(e)
		search = search || slices.Contains(seen, key)
		seen = append(seen, key)
		if search && !m.towards(at, next, out) {
			at.Converged = true // to the rounding floor
			return at
		}
		at = next
	}
	return at
}

// ErrorVectors returns |E| at p.
func (m *Machine) ErrorVectors(p *Point) int { return len(m.errorVectors(p.F, nil)) }

func (m *Machine) errorVectors(f []float64, out []bool) []int {
	e := make([]int, 0, len(m.Targets))
	for k := range m.Targets {
		if (out == nil || !out[k]) && m.inError(k, f[k]) {
			e = append(e, k)
		}
	}
	return e
}

func encode(e []int) string {
	key := make([]byte, 0, 4*len(e))
	for _, k := range e {
		key = append(key, byte(k), byte(k>>8), byte(k>>16), byte(k>>24))
	}
	return string(key)
}

// towards moves next to the exact minimum on the line from at through next,
// and reports whether the objective falls.
func (m *Machine) towards(at, next *Point, out []bool) bool {
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
		if m.Cell.Bias != nil {
			u = m.Cell.Bias[k]
		}
		rate[k] = next.F[k] - at.F[k]
		at0 += d[k] * (at.F[k] - at.B*u)
		slope += d[k] * (rate[k] - db*u)
	}
	at0 += m.Cell.Kappa*at.B*db + m.shift()*db
	slope += m.Cell.Kappa * db * db
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
func (m *Machine) Value(p *Point) float64 { return m.value(p, nil) }

func (m *Machine) value(p *Point, out []bool) float64 {
	var sum float64
	for k, y := range m.Targets {
		sa := p.F[k]
		if m.Cell.Bias != nil {
			sa -= p.B * m.Cell.Bias[k]
		}
		sum += p.A[k] * sa / 2
		switch {
		case out != nil && out[k]:
		case m.Loss == objective.Hinge:
			sum += m.weight(k) * math.Max(0, 1-y*p.F[k]) / 2
		case m.inError(k, p.F[k]):
			sum += m.weight(k) * (y - p.F[k]) * (y - p.F[k]) / 2
		}
	}
	return sum + m.Cell.Kappa*p.B*p.B/2 + m.shift()*p.B
}
