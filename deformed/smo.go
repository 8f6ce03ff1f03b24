package deformed

import (
	"context"
	"math"
)

// smo minimises the hinge loss through its dual,
//
//	min_β ½ βᵀQβ − Σβ_i,   Q_ij = y_i y_j S_ij,   0 ≤ β_i ≤ ½c_i,   Σ y_i β_i = 0,
//
// where the equality is there with a bias alone, which must be outside the
// norm; a_i = y_i β_i. With a bias the working set is the most violating point
// and the partner with the largest decrease to second order (Fan, Chen and Lin,
// "Working Set Selection Using Second Order Information", JMLR 2005); without
// one it is the single point with the largest decrease. Labels that
// are out are left out; nil means none are.
func (m *Machine) smo(ctx context.Context, out []bool) *Point {
	l := len(m.Targets)
	y, s := m.Targets, m.Cell.Kernel
	tolerance := m.Tolerance
	if tolerance == 0 {
		tolerance = 1e-3
	}
	beta, gradient, most := make([]float64, l), make([]float64, l), make([]float64, l)
	for k := range gradient {
		gradient[k] = -1
		if out == nil || !out[k] {
			most[k] = m.weight(k) / 2
		}
	}
	limit, steps, converged := max(100000, 100*l*l), 0, false
	// change moves β_k and the gradient with it.
	change := func(k int, by float64) {
		beta[k] += by
		for t := range gradient {
			gradient[t] += y[t] * y[k] * s[t*l+k] * by
		}
	}
	if m.Cell.Bias == nil {
		for ; steps < limit; steps++ {
			best, gain, step := -1, 0.0, 0.0
			for k := range l {
				g, q := gradient[k], math.Max(s[k*l+k], tiny)
				violation := math.Abs(g)
				if beta[k] <= 0 && g > 0 || beta[k] >= most[k] && g < 0 {
					violation = 0
				}
				if violation <= tolerance/2 {
					continue
				}
				d := math.Min(math.Max(beta[k]-g/q, 0), most[k]) - beta[k]
				if decrease := -d * (g + q*d/2); decrease > gain {
					best, gain, step = k, decrease, d
				}
			}
			if best < 0 {
				converged = true
				break
			}
			to := beta[best] + step
			change(best, step)
			beta[best] = to
		}
		return m.fromDual(ctx, beta, 0, steps, converged)
	}
	// canRise and canFall say in which directions y·β may go.
	canRise := func(k int) bool { return y[k] > 0 && beta[k] < most[k] || y[k] < 0 && beta[k] > 0 }
	canFall := func(k int) bool { return y[k] > 0 && beta[k] > 0 || y[k] < 0 && beta[k] < most[k] }
	for ; steps < limit; steps++ {
		i, top := -1, math.Inf(-1)
		for k := range l {
			if v := -y[k] * gradient[k]; canRise(k) && v > top {
				i, top = k, v
			}
		}
		if i < 0 {
			converged = true
			break
		}
		j, bottom, gain := -1, math.Inf(1), math.Inf(-1)
		for k := range l {
			if !canFall(k) {
				continue
			}
			v := -y[k] * gradient[k]
			bottom = math.Min(bottom, v)
			if difference := top - v; difference > 0 {
				curvature := math.Max(s[i*l+i]+s[k*l+k]-2*s[i*l+k], tiny)
				if g := difference * difference / curvature; g > gain {
					j, gain = k, g
				}
			}
		}
		if j < 0 || top-bottom <= tolerance {
			converged = true
			break
		}
		// y_i β_i rises and y_j β_j falls by the same step.
		curvature := math.Max(s[i*l+i]+s[j*l+j]-2*s[i*l+j], tiny)
		step := (top + y[j]*gradient[j]) / curvature
		step = math.Min(step, room(beta[i], most[i], y[i]))
		step = math.Min(step, room(beta[j], most[j], -y[j]))
		bi, bj := beta[i]+y[i]*step, beta[j]-y[j]*step
		change(i, y[i]*step)
		change(j, -y[j]*step)
		beta[i], beta[j] = snap(bi, most[i]), snap(bj, most[j])
	}
	// The bias makes the free vectors lie on the margin; without any it is the
	// middle of what is optimal.
	var sum, count float64
	low, high := math.Inf(-1), math.Inf(1)
	for k := range l {
		v := -y[k] * gradient[k]
		switch {
		case most[k] == 0:
		case beta[k] > 0 && beta[k] < most[k]:
			sum += v
			count++
		case canRise(k):
			low = math.Max(low, v)
		default:
			high = math.Min(high, v)
		}
	}
	b := sum / count
	if count == 0 {
		switch b = (low + high) / 2; {
		case math.IsInf(low, -1):
			b = high
		case math.IsInf(high, 1):
			b = low
		}
		if math.IsInf(b, 0) || math.IsNaN(b) {
			b = 0
		}
	}
	return m.fromDual(ctx, beta, b, steps, converged)
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

func (m *Machine) fromDual(ctx context.Context, beta []float64, b float64, steps int, converged bool) *Point {
	p := &Point{A: make([]float64, len(beta)), B: b, Steps: steps, Converged: converged}
	for k, v := range beta {
		p.A[k] = m.Targets[k] * v
	}
	m.outputs(ctx, p)
	return p
}
