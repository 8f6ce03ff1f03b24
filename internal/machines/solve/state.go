package solve

import (
	"lapsvm/internal/numbers/linesearch"
	"lapsvm/internal/numbers/objective"
	"lapsvm/internal/numbers/vec"
)

// state is one column's current solution with the products that its value and
// gradient are made of. The solver keeps kAlpha and lh in step with alpha and
// b; nothing here multiplies by K or L.
type state struct {
	alpha  []float64 // n
	b      float64
	kAlpha []float64 // K·alpha
	lh     []float64 // L·h, h = kAlpha (+ b); all zero without an intrinsic norm
}

// newState returns the state α = 0, b = 0 for n points.
func newState(n int) *state {
	return &state{alpha: make([]float64, n), kAlpha: make([]float64, n), lh: make([]float64, n)}
}

// startState returns the state that column c starts from. Its products are not
// yet computed.
func startState(p *objective.Problem, start *Start, c int) *state {
	z := newState(p.K.Len())
	if start == nil {
		return z
	}
	copy(z.alpha, start.Alpha[c])
	if p.Bias != objective.NoBias {
		z.b = start.B[c]
	}
	return z
}

// output returns f_i.
func (z *state) output(i int) float64 { return z.kAlpha[i] + z.b }

// outputs writes f into dst.
func (z *state) outputs(dst []float64) {
	for i, v := range z.kAlpha {
		dst[i] = v + z.b
	}
}

// intrinsic writes h = kAlpha, or kAlpha + b where the bias is part of the
// intrinsic norm, into dst.
func intrinsic(p *objective.Problem, dst, kAlpha []float64, b float64) {
	if p.Bias != objective.BiasInNorm {
		b = 0
	}
	for i, v := range kAlpha {
		dst[i] = v + b
	}
}

// halfOfOneClass is the derivative of the one-class term b/2.
func halfOfOneClass(p *objective.Problem) float64 {
	if p.OneClass {
		return 0.5
	}
	return 0
}

// value returns J of column c at z, and the number of error vectors |E|.
// Cost: O(n).
func (z *state) value(p *objective.Problem, c int) (value float64, errorVectors int) {
	var loss, ambient, intrinsic float64
	pieces := p.Loss.Pieces()
	for k, i := range p.Labelled {
		y, f := p.Targets[c][k], z.output(i)
		if q := pieces.PieceAt(y, f); q != nil && !q.Flat() {
			loss += q.Cost(p.Weights.At(k), pieces.Shortfall(y, f))
			errorVectors++
		}
	}
	ambient = vec.Dot(z.alpha, z.kAlpha)
	if p.Intrinsic() {
		intrinsic = vec.Dot(z.kAlpha, z.lh)
		if p.Bias == objective.BiasInNorm && z.b != 0 {
			intrinsic += z.b * sum(z.lh)
		}
	}
	return 0.5*(loss+p.GammaA*ambient+p.GammaI*intrinsic) + halfOfOneClass(p)*z.b, errorVectors
}

// gradient writes the gradient of column c at z, preconditioned by K, into g, n
// values, and returns its component for the bias:
//
//	ĝ    = V′ + γA α + γI L h
//	∂J/∂b = 1ᵀV′ ( + γI 1ᵀLh with the bias in the norm ) ( + ½ with one class )
//
// V′_i = ½c_i ∂V/∂f_i at labelled points, which is c_i (f_i − y_i) for the error vectors of a
// squared loss, and 0 elsewhere. K·ĝ is the gradient in α. (Equation 6 and Algorithm 1.) Without
// a bias the second is 0. Cost: O(n).
func (z *state) gradient(p *objective.Problem, c int, g []float64) (gb float64) {
	copy(g, z.alpha)
	if p.Intrinsic() {
		vec.Axpby(p.GammaI, z.lh, p.GammaA, g)
	} else {
		for i := range g {
			g[i] *= p.GammaA
		}
	}
	pieces := p.Loss.Pieces()
	for k, i := range p.Labelled {
		y, f := p.Targets[c][k], z.output(i)
		if q := pieces.PieceAt(y, f); q != nil && !q.Flat() {
			r := p.Weights.At(k) * pieces.Slope(q, y, f)
			g[i] += r
			gb += r
		}
	}
	if p.Bias == objective.NoBias {
		return 0
	}
	if p.Bias == objective.BiasInNorm && p.Intrinsic() {
		gb += p.GammaI * sum(z.lh)
	}
	return gb + halfOfOneClass(p)
}

// direction is a direction of search from a state, with its products.
type direction struct {
	alpha  []float64 // d_α, n values
	b      float64   // d_b
	kAlpha []float64 // K·d_α
	lh     []float64 // L·h of the direction, h = K·d_α (+ d_b)
}

// newDirection returns a zero direction for n points.
func newDirection(n int) *direction {
	return &direction{alpha: make([]float64, n), kAlpha: make([]float64, n), lh: make([]float64, n)}
}

// advance moves z by step along d: α, b, Kα and L·h by their recurrences.
func (z *state) advance(step float64, d *direction) {
	z.b += step * d.b
	vec.Axpy(step, d.alpha, z.alpha)
	vec.Axpy(step, d.kAlpha, z.kAlpha)
	vec.Axpy(step, d.lh, z.lh)
}

// line finds the exact minimum of J along a direction. It owns the scratch
// memory; the zero value is ready.
type line struct {
	search linesearch.Search
	f, d   []float64 // outputs of the labelled points and their rates
}

// minimise returns the step s ≥ 0 that minimises J of column c on z + s·d. It
// also returns the number of intervals that [linesearch.Search.Minimise]
// examined. Cost: O(n) for the two norms and O(l log l).
func (ls *line) minimise(p *objective.Problem, c int, z *state, d *direction) (step float64, intervals int) {
	slope, at0 := quadraticPart(p, z, d)
	at0 += halfOfOneClass(p) * d.b
	ls.f, ls.d = ls.f[:0], ls.d[:0]
	for _, i := range p.Labelled {
		ls.f, ls.d = append(ls.f, z.output(i)), append(ls.d, d.kAlpha[i]+d.b)
	}
	return ls.search.Minimise(p.Loss, p.Targets[c], p.Weights, ls.f, ls.d, at0, slope)
}

// quadraticPart returns what the two norms contribute to the derivative of J along d,
// γA dᵀK(α + s·d) + γI h_dᵀL(h + s·h_d): its slope and its value at s = 0.
func quadraticPart(p *objective.Problem, z *state, d *direction) (slope, at0 float64) {
	at0 = p.GammaA * vec.Dot(z.alpha, d.kAlpha)
	slope = p.GammaA * vec.Dot(d.alpha, d.kAlpha)
	if !p.Intrinsic() {
		return slope, at0
	}
	intrinsic0, intrinsic1 := vec.Dot(d.kAlpha, z.lh), vec.Dot(d.kAlpha, d.lh)
	if p.Bias == objective.BiasInNorm && d.b != 0 {
		intrinsic0 += d.b * sum(z.lh)
		intrinsic1 += d.b * sum(d.lh)
	}
	return slope + p.GammaI*intrinsic1, at0 + p.GammaI*intrinsic0
}

// sum returns Σ x_i.
func sum(x []float64) float64 {
	var s float64
	for _, v := range x {
		s += v
	}
	return s
}
