// Package linesearch finds the exact minimum of a training objective along a
// line. Every term of the objective is quadratic there, and labelled points
// switch theirs on and off.
package linesearch

import (
	"slices"

	"lapsvm/objective"
)

// Search finds minima along lines. It owns the scratch memory, so one Search
// serves one goroutine; the zero value is ready.
type Search struct {
	breaks []breakpoint
}

// breakpoint is a step at which labelled point k leaves or enters E.
type breakpoint struct {
	step float64
	k    int
}

// Minimise returns the step s ≥ 0 that minimises
//
//	φ(s) = ½ Σ_{k∈E} c_k (y_k − f_k − s·d_k)² + at0·s + ½ slope·s²
//
// and the number of intervals that it looked at. Labelled point k has the
// target y_k, 0 for none, the output f_k, which changes at the rate d_k, and the
// weight c_k; weights nil means 1. E holds the points with y_k(f_k + s·d_k) < 1
// for the squared hinge, and all for the squared loss.
//
// The derivative ψ = φ′ is continuous, piecewise linear and non-decreasing,
// with a breakpoint wherever a labelled point enters or leaves E. The positive
// breakpoints are sorted and passed until ψ ≥ 0 at the next one. The zero of the
// linear piece before it is the minimum. After the last breakpoint the zero is
// taken as it is. A point exactly on the margin counts as an error vector if it
// moves inwards. If ψ(0) ≥ 0 the step is 0. If ψ stays negative without rising,
// as along a direction in which φ is flat, the step is that of the last
// breakpoint. For the squared loss there are no breakpoints and s = −ψ(0)/ψ′.
// Cost: O(l log l). (Section 4.2.1 of the paper.)
func (ls *Search) Minimise(loss objective.Loss, targets, weights, f, d []float64, at0, slope float64) (step float64, intervals int) {
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
		in := loss == objective.Squared || margin < 1 || margin == 1 && rate < 0
		if in {
			at0 += weight(k) * (f[k] - y) * d[k]
			slope += weight(k) * d[k] * d[k]
		}
		if loss == objective.Squared {
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
