// Package linesearch finds the exact minimum of a training objective along a
// line. Every term of the objective is quadratic there in pieces: labelled points pass from one
// piece of their loss to the next.
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

// breakpoint is a step at which labelled point k leaves a piece of the loss.
type breakpoint struct {
	step     float64
	k, piece int32
}

// Minimise returns the step s ≥ 0 that minimises
//
//	φ(s) = ½ Σ_k c_k V(e_k(f_k + s·d_k)) + at0·s + ½ slope·s²
//
// and the number of intervals that it looked at. Labelled point k has the
// target y_k, which may be left out, and the weight c_k; weights nil means 1. Its output f_k changes at
// the rate d_k. V is a smooth loss of the shortfall e.
//
// The derivative ψ = φ′ is continuous, piecewise linear and non-decreasing,
// with a breakpoint wherever a labelled point passes from one piece of the loss to the next. The
// positive breakpoints are passed in order, from a heap, until ψ ≥ 0 at the next one. The zero of the
// linear piece before it is the minimum. After the last breakpoint the zero is
// taken as it is. A point exactly between two pieces is on the one that it moves
// into. If ψ(0) ≥ 0 the step is 0. If ψ stays negative without rising,
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
	pieces := loss.Pieces()
	ls.breaks = slices.Grow(ls.breaks[:0], len(targets))
	for k, y := range targets {
		if objective.IsLeftOut(y) {
			continue
		}
		e, rate := pieces.Shortfall(y, f[k]), -pieces.Rise(y)*d[k] // the shortfall, and how it changes
		i := pieces.At(e)
		boundary := i // the boundary that the shortfall moves to
		if rate > 0 {
			if boundary = i + 1; boundary < len(pieces) && e == pieces[boundary].From {
				i, boundary = i+1, boundary+1
			}
		}
		if q := &pieces[i]; !q.Flat() {
			at0 += weight(k) * pieces.Slope(q, y, f[k]) * d[k]
			slope += weight(k) * q.Square * d[k] * d[k]
		}
		if boundary < len(pieces) && (rate > 0 || rate < 0 && boundary > 0) {
			ls.breaks = append(ls.breaks, breakpoint{(pieces[boundary].From - e) / rate, int32(k), int32(i)})
		}
	}
	intervals = 1
	if at0 >= 0 {
		return 0, intervals
	}
	// ψ on the present interval is at0 + s·slope.
	ls.heap()
	for len(ls.breaks) > 0 {
		b := ls.breaks[0]
		if at0+b.step*slope >= 0 {
			return -at0 / slope, intervals
		}
		intervals++
		step = b.step
		k, old, now := int(b.k), int(b.piece), int(b.piece)+1
		y := targets[k]
		rate := -pieces.Rise(y) * d[k]
		if rate < 0 {
			now = old - 1
		}
		w := -weight(k)
		for _, i := range [...]int{old, now} {
			if q := &pieces[i]; !q.Flat() {
				at0 += w * pieces.Slope(q, y, f[k]) * d[k]
				slope += w * q.Square * d[k] * d[k]
			}
			w = -w
		}
		next, found := end(pieces, now, pieces.Shortfall(y, f[k]), rate)
		if found {
			ls.breaks[0] = breakpoint{next, b.k, int32(now)}
		} else {
			last := len(ls.breaks) - 1
			ls.breaks[0] = ls.breaks[last]
			ls.breaks = ls.breaks[:last]
		}
		ls.sink(0)
	}
	if !(slope > 0) {
		return step, intervals
	}
	return max(step, -at0/slope), intervals
}

// end returns the step at which the shortfall e, which changes at a rate, leaves piece i.
func end(pieces objective.Pieces, i int, e, rate float64) (step float64, found bool) {
	switch {
	case rate > 0 && i+1 < len(pieces):
		i++
	case !(rate < 0 && i > 0):
		return 0, false
	}
	return (pieces[i].From - e) / rate, true
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
