package objective

import (
	"slices"

	"lapsvm/internal/vec"
)

// Direction is a direction of search from a [State], with its products.
type Direction struct {
	Alpha  []float64 // d_α, n values
	B      float64   // d_b
	KAlpha []float64 // K·d_α
	LH     []float64 // L·h of the direction, h = K·d_α (+ d_b)
}

// NewDirection returns a zero direction for n points.
func NewDirection(n int) *Direction {
	return &Direction{Alpha: make([]float64, n), KAlpha: make([]float64, n), LH: make([]float64, n)}
}

// LineSearch finds exact minima along lines. It owns the scratch memory, so
// one LineSearch serves one goroutine; the zero value is ready.
type LineSearch struct {
	breaks []breakpoint
	f, d   []float64 // outputs of the labelled points and their rates
}

// breakpoint is a step at which labelled point k leaves or enters E.
type breakpoint struct {
	step float64
	k    int
}

// Minimise returns the step s ≥ 0 that minimises J of column c on z + s·d, and
// the number of intervals it looked at.
//
// The derivative ψ(s) = ∂J(z + s·d)/∂s is continuous, piecewise linear and
// non-decreasing, with a breakpoint wherever a labelled point enters or leaves
// E. The positive breakpoints are sorted and passed until ψ ≥ 0 at the next
// one, and the zero of the linear piece before it is the minimum; after the
// last breakpoint the zero is taken as it is. A point exactly on the margin
// counts as an error vector if it moves inwards. If ψ(0) ≥ 0 the step is 0; if
// ψ stays negative without rising, as along a direction in which J is flat,
// the step is that of the last breakpoint. For the squared loss there are no
// breakpoints and s = −ψ(0)/ψ′. Cost: O(n) for the two norms and O(l log l).
// (Section 4.2.1 of the paper.)
func (ls *LineSearch) Minimise(p *Problem, c int, z *State, d *Direction) (step float64, intervals int) {
	slope, at0 := p.quadraticPart(z, d)
	at0 += p.halfOfOneClass() * d.B
	ls.f, ls.d = ls.f[:0], ls.d[:0]
	for _, i := range p.Labelled {
		ls.f, ls.d = append(ls.f, z.KAlpha[i]+z.B), append(ls.d, d.KAlpha[i]+d.B)
	}
	return ls.Along(p.Loss, p.Targets[c], p.Weights, ls.f, ls.d, at0, slope)
}

// Along is [LineSearch.Minimise] for labelled points with outputs f that
// change at the rates d, given the rest of ψ, at0 + s·slope, which does not
// depend on E. weights nil means 1.
func (ls *LineSearch) Along(loss Loss, targets, weights, f, d []float64, at0, slope float64) (step float64, intervals int) {
	weight := func(k int) float64 {
		if weights == nil {
			return 1
		}
		return weights[k]
	}
	ls.breaks = slices.Grow(ls.breaks[:0], len(targets))
	for k, y := range targets {
		if y == 0 {
			continue
		}
		margin, rate := y*f[k], y*d[k]
		in := loss == Squared || margin < 1 || margin == 1 && rate < 0
		if in {
			at0 += weight(k) * (f[k] - y) * d[k]
			slope += weight(k) * d[k] * d[k]
		}
		if loss == Squared {
			continue
		}
		if in && rate > 0 || !in && rate < 0 {
			ls.breaks = append(ls.breaks, breakpoint{(1 - margin) / rate, k})
		}
	}
	slices.SortFunc(ls.breaks, func(a, b breakpoint) int {
		switch {
		case a.step < b.step:
			return -1
		case a.step > b.step:
			return 1
		}
		return a.k - b.k
	})

	intervals = 1
	if at0 >= 0 {
		return 0, intervals
	}
	// ψ on the present interval is at0 + s·slope.
	for _, b := range ls.breaks {
		if at0+b.step*slope >= 0 {
			return -at0 / slope, intervals
		}
		intervals++
		step = b.step
		y, w := targets[b.k], weight(b.k)
		if y*d[b.k] > 0 { // it leaves E
			w = -w
		}
		at0 += w * (f[b.k] - y) * d[b.k]
		slope += w * d[b.k] * d[b.k]
	}
	if !(slope > 0) {
		return step, intervals
	}
	return max(step, -at0/slope), intervals
}

// quadraticPart returns the slope and the value at 0 of the part of ψ that the
// two norms contribute: γA dᵀK(α + s·d) + γI h_dᵀL(h + s·h_d).
func (p *Problem) quadraticPart(z *State, d *Direction) (slope, at0 float64) {
	at0 = p.GammaA * vec.Dot(z.Alpha, d.KAlpha)
	slope = p.GammaA * vec.Dot(d.Alpha, d.KAlpha)
	if !p.Intrinsic() {
		return slope, at0
	}
	intrinsic0, intrinsic1 := vec.Dot(d.KAlpha, z.LH), vec.Dot(d.KAlpha, d.LH)
	if p.Bias == BiasInNorm && d.B != 0 {
		intrinsic0 += d.B * sum(z.LH)
		intrinsic1 += d.B * sum(d.LH)
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

// Advance moves z by step along d: α, b, Kα and L·h by their recurrences.
func (z *State) Advance(step float64, d *Direction) {
	z.B += step * d.B
	vec.Axpy(step, d.Alpha, z.Alpha)
	vec.Axpy(step, d.KAlpha, z.KAlpha)
	vec.Axpy(step, d.LH, z.LH)
}
