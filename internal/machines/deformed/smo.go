package deformed

import (
	"context"
	"math"
)

// smo minimises a loss s·max(0, e), which for s = 1 is the hinge, through its dual,
//
//	min_β ½ βᵀQβ − Σβ_i,   Q_ij = y_i y_j S_ij,   0 ≤ β_i ≤ ½c_i·s,   Σ y_i β_i = 0,
//
// where the equality is there with a bias alone, which must be outside the
// norm; a_i = y_i β_i. With a bias the working set is the most violating point
// and the partner with the largest decrease to second order (Fan, Chen and Lin,
// "Working Set Selection Using Second Order Information", JMLR 2005). Without
// one it is the single point with the largest decrease. The labels
// of out are left out; nil leaves none out. Steps counts the moves.
func (m *Machine) smo(ctx context.Context, out []bool) *Solution {
	d := newDual(m, out)
	step := d.stepOfTwo
	if m.Problem.Bias == nil {
		step = d.stepOfOne
	}
	l := len(m.Targets)
	limit, steps, converged := max(100000, 100*l*l), 0, false
	for steps < limit && !converged {
		if converged = !step(); !converged {
			steps++
		}
	}
	b := 0.0
	if m.Problem.Bias != nil {
		b = d.bias()
	}
	p := &Solution{A: make([]float64, l), B: b, Steps: steps, Converged: converged}
	for k, v := range d.beta {
		p.A[k] = m.Targets[k] * v
	}
	m.outputs(ctx, p)
	return p
}

// dual is the dual problem of a machine at a point β.
type dual struct {
	y, s      []float64 // targets; S, l×l
	tolerance float64   // violation that is let pass
	beta      []float64
	gradient  []float64 // Qβ − 1
	most      []float64 // upper bounds of β; 0 for labels that are out
}

// newDual starts at β = 0.
func newDual(m *Machine, out []bool) *dual {
	l, ramp := len(m.Targets), m.Loss.Ramp()
	d := &dual{y: m.Targets, s: m.Problem.Kernel, tolerance: m.Tolerance,
		beta: make([]float64, l), gradient: make([]float64, l), most: make([]float64, l)}
	if d.tolerance == 0 {
		d.tolerance = 1e-3
	}
	for k := range d.gradient {
		d.gradient[k] = -1
		if out == nil || !out[k] {
			d.most[k] = m.Weights.At(k) * ramp / 2
		}
	}
	return d
}

// change moves β_k and the gradient with it. The caller sets β_k to its exact
// value.
func (d *dual) change(k int, by, to float64) {
	d.beta[k] = to
	for t := range d.gradient {
		d.gradient[t] += d.y[t] * d.y[k] * d.s[t*len(d.y)+k] * by
	}
}

// stepOfOne moves the point with the largest decrease, and reports false if no
// point violates the conditions of the optimum.
func (d *dual) stepOfOne() bool {
	l := len(d.y)
	best, gain, step := -1, 0.0, 0.0
	for k := range l {
		g, q := d.gradient[k], math.Max(d.s[k*l+k], tiny)
		violation := math.Abs(g)
		if d.beta[k] <= 0 && g > 0 || d.beta[k] >= d.most[k] && g < 0 {
			violation = 0
		}
		if violation <= d.tolerance/2 {
			continue
		}
		move := math.Min(math.Max(d.beta[k]-g/q, 0), d.most[k]) - d.beta[k]
		if decrease := -move * (g + q*move/2); decrease > gain {
			best, gain, step = k, decrease, move
		}
	}
	if best < 0 {
		return false
	}
	d.change(best, step, d.beta[best]+step)
	return true
}

// canRise and canFall say in which directions y·β may go.
func (d *dual) canRise(k int) bool {
	return d.y[k] > 0 && d.beta[k] < d.most[k] || d.y[k] < 0 && d.beta[k] > 0
}

func (d *dual) canFall(k int) bool {
	return d.y[k] > 0 && d.beta[k] > 0 || d.y[k] < 0 && d.beta[k] < d.most[k]
}

// curvature is that of the dual along y_i β_i rising and y_j β_j falling.
func (d *dual) curvature(i, j int) float64 {
	l := len(d.y)
	return math.Max(d.s[i*l+i]+d.s[j*l+j]-2*d.s[i*l+j], tiny)
}

// pair returns the working set: the point i with the largest violation of the
// optimality conditions, and its partner j with the largest decrease. Result
// found is false where no violation exceeds the tolerance. Result top is −y_i
// times the gradient at i.
func (d *dual) pair() (i, j int, top float64, found bool) {
	i, top = -1, math.Inf(-1)
	for k, g := range d.gradient {
		if v := -d.y[k] * g; d.canRise(k) && v > top {
			i, top = k, v
		}
	}
	if i < 0 {
		return i, -1, top, false
	}
	j = -1
	bottom, gain := math.Inf(1), math.Inf(-1)
	for k, g := range d.gradient {
		if !d.canFall(k) {
			continue
		}
		v := -d.y[k] * g
		bottom = math.Min(bottom, v)
		if difference := top - v; difference > 0 {
			if g := difference * difference / d.curvature(i, k); g > gain {
				j, gain = k, g
			}
		}
	}
	return i, j, top, j >= 0 && !(top-bottom <= d.tolerance)
}

// stepOfTwo moves the working set, y_i β_i up and y_j β_j down by the same step,
// and reports false if there is none.
func (d *dual) stepOfTwo() bool {
	i, j, top, found := d.pair()
	if !found {
		return false
	}
	step := (top + d.y[j]*d.gradient[j]) / d.curvature(i, j)
	step = math.Min(step, room(d.beta[i], d.most[i], d.y[i]))
	step = math.Min(step, room(d.beta[j], d.most[j], -d.y[j]))
	d.change(i, d.y[i]*step, snap(d.beta[i]+d.y[i]*step, d.most[i]))
	d.change(j, -d.y[j]*step, snap(d.beta[j]-d.y[j]*step, d.most[j]))
	return true
}

// bias returns the bias that puts the points with 0 < β_i < ½c_i on the margin,
// in the mean. Without any it is the middle of what is optimal.
func (d *dual) bias() float64 {
	var sum, count float64
	low, high := math.Inf(-1), math.Inf(1)
	for k, g := range d.gradient {
		v := -d.y[k] * g
		switch {
		case d.most[k] == 0:
		case d.beta[k] > 0 && d.beta[k] < d.most[k]:
			sum += v
			count++
		case d.canRise(k):
			low = math.Max(low, v)
		default:
			high = math.Min(high, v)
		}
	}
	if count > 0 {
		return sum / count
	}
	b := (low + high) / 2
	switch {
	case math.IsInf(low, -1):
		b = high
	case math.IsInf(high, 1):
		b = low
	}
	if math.IsInf(b, 0) || math.IsNaN(b) {
		return 0
	}
	return b
}

// tiny stands for a curvature that is not positive.
const tiny = 1e-12

// room is how far β may move in a direction before it meets a bound.
func room(beta, most, direction float64) float64 {
	if direction > 0 {
		return most - beta
	}
	return beta
}

// snap puts β on the bound that it has reached up to rounding.
func snap(beta, most float64) float64 {
	switch {
	case beta < 1e-14*most:
		return 0
	case beta > (1-1e-14)*most:
		return most
	}
	return beta
}
