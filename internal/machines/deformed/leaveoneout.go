package deformed

import (
	"context"
	"iter"
	"math"
	"slices"

	"lapsvm/internal/numbers/linalg"
	"lapsvm/internal/numbers/objective"
	"lapsvm/internal/numbers/vec"
)

// changes tells how the outputs of a solution change when a few points leave the
// error vectors E of a factored system M, or enter them. With
// M = (S_EE + C⁻¹, u_E; u_Eᵀ, −κ) and B_j = (S_Ej; u_j), one unit of point j lowers
// the outputs by
//
//	D_j = (S_·E, u) M⁻¹ e_j         j ∈ E, which is to leave
//	D_j = (S_·E, u) M⁻¹ B_j − S_·j  j ∉ E, which is to enter
type changes struct {
	size int       // |E|
	at   []int     // where a point is in E; −1 outside
	h    []float64 // H, the block of E of M⁻¹, |E|×|E|
	down []float64 // row j is D_j, l×l
}

// change returns the changes of the system, computed once. Cost: O(l³).
func (s *system) change(ctx context.Context, m *Machine) *changes {
	s.once.Do(func() {
		size, l := len(s.e), len(m.Targets)
		c := &changes{size: size, at: make([]int, l), h: s.inverse(), down: make([]float64, l*l)}
		bias := s.v != nil && s.s > 0
		if bias {
			c.h = slices.Clone(c.h)
			for i, v := range s.v {
				vec.Axpy(-v/s.s, s.v, c.h[i*size:(i+1)*size])
			}
		}
		for k := range c.at {
			c.at[k] = -1
		}
		kernel := make([]float64, size*l) // S_E·
		for i, p := range s.e {
			c.at[p] = i
			copy(kernel[i*l:(i+1)*l], m.Cell.Kernel[p*l:(p+1)*l])
		}
		moved := make([]float64, size*l) // H S_E·
		_ = linalg.Gemm(ctx, 1, linalg.Of(size, size, c.h), linalg.Of(size, l, kernel), 0, linalg.Of(size, l, moved))
		ofA := make([]float64, size) // the part of a of M⁻¹B_j
		for j := range l {
			down := c.down[j*l : (j+1)*l]
			if i := c.at[j]; i >= 0 {
				copy(down, moved[i*l:(i+1)*l])
				if bias {
					vec.Axpy(s.v[i]/s.s, m.Cell.Bias, down)
				}
				continue
			}
			for i := range ofA {
				ofA[i] = moved[i*l+j]
			}
			ofB := 0.0
			if bias {
				for i, v := range s.v {
					ofB += v * kernel[i*l+j]
				}
				ofB = (ofB - m.Cell.Bias[j]) / s.s
				vec.Axpy(m.Cell.Bias[j]/s.s, s.v, ofA)
			}
			linalg.MulVec(ctx, down, linalg.Of(size, l, kernel).T(), ofA)
			vec.Axpy(-1, m.Cell.Kernel[j*l:(j+1)*l], down)
			if bias {
				vec.Axpy(ofB, m.Cell.Bias, down)
			}
		}
		s.changes = c
	})
	return s.changes
}

// units returns how many units each of the points moves when it enters or leaves E, or nil where
// the equations do not determine them. A point that enters moves by its new a. A point that leaves
// moves until its a vanishes:
//
//	a_i/c_i − Σ_j D_j(i) x_j = y_i − f_i   i enters
//	Σ_j x_j M⁻¹_j(i) = a_i                 i leaves
//
// where M⁻¹_j = M⁻¹e_j, or M⁻¹B_j, whose element i is D_i(j).
func (c *changes) units(ctx context.Context, m *Machine, at *Point, points []int) []float64 {
	q, l := len(points), len(m.Targets)
	g, x := make([]float64, q*q), make([]float64, q)
	left := c.size
	for row, i := range points {
		leaves := c.at[i] >= 0
		if x[row] = at.A[i]; !leaves {
			x[row] = m.Targets[i] - at.F[i]
		}
		for column, j := range points {
			switch {
			case !leaves:
				g[row*q+column] = -c.down[j*l+i]
			case c.at[j] >= 0:
				g[row*q+column] = c.h[c.at[j]*c.size+c.at[i]]
			default:
				g[row*q+column] = c.down[i*l+j]
			}
		}
		if leaves {
			left--
		} else {
			g[row*q+row] += 1 / m.weight(i)
			left++
		}
	}
	if left == 0 {
		return nil // nothing decides on the bias
	}
	if q == 1 { // as a rule
		if x[0] /= g[0]; !(math.Abs(g[0]) > 0) {
			return nil
		}
		return x
	}
	lu := linalg.Of(q, q, g)
	swaps, ok, _ := linalg.LU(ctx, lu)
	if !ok {
		return nil
	}
	linalg.LUSolve(lu, swaps, x)
	return x
}

// maxChanges bounds how often [Machine.LeaveOneOut] solves for the points that
// change before it trains again. Mostly twice is enough.
const maxChanges = 20

// without returns the outputs of the machine without the label of error vector
// p. They are not known if the points that change do not repeat within maxChanges.
func (m *Machine) without(ctx context.Context, at *Point, s *system, p int) (f []float64, known bool) {
	c, l := s.change(ctx, m), len(m.Targets)
	f = make([]float64, l)
	points, next := []int{p}, []int(nil) // that leave E or enter
	for range maxChanges {
		x := c.units(ctx, m, at, points)
		if x == nil {
			return nil, false
		}
		copy(f, at.F)
		for i, j := range points {
			vec.Axpy(-x[i], c.down[j*l:(j+1)*l], f)
		}
		next = next[:0]
		for k := range f {
			if in := k != p && m.inError(k, f[k]); in != (c.at[k] >= 0) {
				next = append(next, k)
			}
		}
		if slices.Equal(next, points) {
			return f, true
		}
		points, next = next, points
	}
	return nil, false
}

// LeaveOneOut returns for every labelled point the output that the machine
// trained without its label gives it; the point itself stays, unlabelled. at
// is the solution with all labels.
//
// A point that is no error vector keeps its output f_i. Where leaving error
// vector i out moves no other point over the margin the output is
// y_i − a_i / H_ii, H being the inverse of the Newton system. Otherwise the points
// that move are found by solving for them alone until they repeat. Where they do
// not repeat the machine is trained again. So the values are exact for both
// losses. With the hinge the machine is trained again for every point, as its bias
// may depend on points that are no support vectors. Cost: O(l³), with the hinge l
// trainings.
func (m *Machine) LeaveOneOut(ctx context.Context, at *Point) []float64 {
	out := make([]float64, len(at.F))
	for k, f := range m.LeftOut(ctx, at) {
		out[k] = f
	}
	return out
}

// LeftOut yields every labelled point with its value of [Machine.LeaveOneOut],
// those first that cost no training.
func (m *Machine) LeftOut(ctx context.Context, at *Point) iter.Seq2[int, float64] {
	ctx = context.WithoutCancel(ctx)
	return func(yield func(int, float64) bool) {
		var again []int // to be trained without
		if m.Loss == objective.Hinge {
			for k := range at.F {
				again = append(again, k)
			}
		} else {
			e := m.errorVectors(at.F, nil)
			s := m.system(ctx, e)
			for k, f := range at.F {
				if len(e) > 0 && e[0] == k {
					e = e[1:]
					if s != nil {
						without, known := m.without(ctx, at, s, k)
						if !known {
							again = append(again, k)
							continue
						}
						f = without[k]
					}
				}
				if !yield(k, f) {
					return
				}
			}
		}
		for _, k := range again {
			if !yield(k, m.HeldOut(ctx, at, []int{k})[0]) {
				return
			}
		}
	}
}

// HeldOut returns the outputs at some labelled points of the machine trained
// without their labels, starting from its solution with all of them. Cost: a
// training.
func (m *Machine) HeldOut(ctx context.Context, at *Point, points []int) []float64 {
	ctx = context.WithoutCancel(ctx)
	out := make([]bool, len(m.Targets))
	start := &Point{A: slices.Clone(at.A), B: at.B}
	for _, k := range points {
		out[k] = true
		start.A[k] = 0
	}
	var p *Point
	if m.Loss == objective.Hinge {
		p = m.smo(ctx, out)
	} else {
		m.outputs(ctx, start)
		p = m.newton(ctx, start, out)
	}
	values := make([]float64, len(points))
	for i, k := range points {
		values[i] = p.F[k]
	}
	return values
}
