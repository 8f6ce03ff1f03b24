// Package linesearch finds the exact minimum of a training objective along a
// line. Every term of the objective is quadratic there, and labelled points
// switch theirs on and off.
package linesearch

import (
	"slices"

	"lapsvm/internal/numbers/objective"
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
// breakpoints are passed in order, from a heap, until ψ ≥ 0 at the next one. The zero of the
// linear piece before it is the minimum. After the last breakpoint the zero is
// taken as it is. A point exactly on the margin counts as an error vector if it
// moves inwards. If ψ(0) ≥ 0 the step is 0. If ψ stays negative without rising,
// as along a direction in which φ is flat, the step is that of the last
// breakpoint. For the squared loss there are no breakpoints and s = −ψ(0)/ψ′.
// Cost: O(l + p log l) with p breakpoints passed. (Section 4.2.1 of the paper.)
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
	intervals = 1
	if at0 >= 0 {
		return 0, intervals
	}
	// ψ on the present interval is at0 + s·slope.
	ls.heap()
	for len(ls.breaks) > 0 {
		b := ls.nearest()
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

// before orders breakpoints by their steps, and equal ones by their numbers.
func (b breakpoint) before(other breakpoint) bool {
	switch {
	case b.step < other.step:
		return true
	case b.step > other.step:
		return false
	}
	return b.k < other.k
}

// heap makes a heap of the breakpoints: the minimum mostly lies before all but a few of
// them, so that to sort all would take longest.
func (ls *Search) heap() {
	for i := len(ls.breaks)/2 - 1; i >= 0; i-- {
		ls.sink(i)
	}
}

// nearest removes the nearest breakpoint from the heap and returns it.
func (ls *Search) nearest() breakpoint {
	b, last := ls.breaks[0], len(ls.breaks)-1
	ls.breaks[0] = ls.breaks[last]
	ls.breaks = ls.breaks[:last]
	ls.sink(0)
	return b
}

// sink moves element i of the heap down to its place.
func (ls *Search) sink(i int) {
	for {
		child := 2*i + 1
		if child >= len(ls.breaks) {
			return
		}
		if right := child + 1; right < len(ls.breaks) && ls.breaks[right].before(ls.breaks[child]) {
			child = right
		}
		if !ls.breaks[child].before(ls.breaks[i]) {
			return
		}
		ls.breaks[i], ls.breaks[child] = ls.breaks[child], ls.breaks[i]
		i = child
	}
}
