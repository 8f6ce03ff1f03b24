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

// changes tells how the outputs of a solution change when a few points pass to other pieces of the
// loss, of which the points E of a factored system M have curvature. With
// M = (S_EE + D⁻¹, u_E; u_Eᵀ, −κ) and B_j = (S_Ej; u_j), one unit of point j lowers
// the outputs by
//
//	G_j = (S_·E, u) M⁻¹ e_j         j ∈ E
//	G_j = (S_·E, u) M⁻¹ B_j − S_·j  j ∉ E
type changes struct {
	size int       // |E|
	at   []int     // where a point is in E; −1 outside
	h    []float64 // H, the block of E of M⁻¹, |E|×|E|
	down []float64 // row j is G_j, l×l
}

// change returns the changes of the system, computed once. Cost: O(l³).
func (s *system) change(ctx context.Context, m *Machine) *changes {
	s.once.Do(func() {
		size, l := len(s.e), len(m.Targets)
		c := &changes{size: size, at: make([]int, l), h: s.block(), down: make([]float64, l*l)}
		bias := s.v != nil && s.s > 0
		for k := range c.at {
			c.at[k] = -1
		}
		kernel := make([]float64, size*l) // S_E·
		for i, p := range s.e {
			c.at[p] = i
			copy(kernel[i*l:(i+1)*l], m.Problem.Kernel[p*l:(p+1)*l])
		}
		moved := make([]float64, size*l) // H S_E·
		_ = linalg.Gemm(ctx, 1, linalg.FromSlice(size, size, c.h), linalg.FromSlice(size, l, kernel), 0, linalg.FromSlice(size, l, moved))
		ofA := make([]float64, size) // the part of a of M⁻¹B_j
		for j := range l {
			down := c.down[j*l : (j+1)*l]
			if i := c.at[j]; i >= 0 {
				copy(down, moved[i*l:(i+1)*l])
				if bias {
					vec.Axpy(s.v[i]/s.s, m.Problem.Bias, down)
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
				ofB = (ofB - m.Problem.Bias[j]) / s.s
				vec.Axpy(m.Problem.Bias[j]/s.s, s.v, ofA)
			}
			linalg.MulVec(ctx, down, linalg.FromSlice(size, l, kernel).T(), ofA)
			vec.Axpy(-1, m.Problem.Kernel[j*l:(j+1)*l], down)
			if bias {
				vec.Axpy(ofB, m.Problem.Bias, down)
			}
		}
		s.changes = c
	})
	return s.changes
}

// move is a labelled point that passes to another piece of the loss.
type move struct {
	point int
	piece byte
}

// units returns how many units each of the moves takes, or nil where the equations do not determine
// them. On its new piece, whose derivative is d_i f_i − t_i, point i gets a_i = t_i − d_i f_i:
//
//	Σ_j x_j (M⁻¹_j(i) + d_i G_j(i)) = a_i − t_i + d_i f_i   i ∈ E
//	x_i − d_i Σ_j x_j G_j(i)        = t_i − a_i − d_i f_i   i ∉ E
//
// where M⁻¹_j = M⁻¹e_j, or M⁻¹B_j, whose element i is G_i(j). Those of i ∉ E with d_i > 0 are
// divided by d_i.
func (c *changes) units(ctx context.Context, m *Machine, at *Solution, moves []move) []float64 {
	q, l := len(moves), len(m.Targets)
	g, x := make([]float64, q*q), make([]float64, q)
	left := c.size
	for row, move := range moves {
		i := move.point
		d, t := m.quadratic(i, move.piece)
		if c.at[i] < 0 {
			if d > 0 {
				left++
				x[row] = t/d - at.F[i] - at.A[i]/d
				for column, other := range moves {
					g[row*q+column] = -c.down[other.point*l+i]
				}
				g[row*q+row] += 1 / d
			} else {
				x[row], g[row*q+row] = t-at.A[i], 1
			}
			continue
		}
		if x[row] = at.A[i] - t; d > 0 {
			x[row] += d * at.F[i]
		} else {
			left--
		}
		for column, other := range moves {
			j := other.point
			v := c.down[i*l+j]
			if c.at[j] >= 0 {
				v = c.h[c.at[j]*c.size+c.at[i]]
			}
			if d > 0 {
				v += d * c.down[j*l+i]
			}
			g[row*q+column] = v
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
	lu := linalg.FromSlice(q, q, g)
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

// without returns the outputs of the machine without the label of point p. pieces are those
// at the solution with it, of system s. The outputs are not known if the points that move do not
// repeat within maxChanges.
func (m *Machine) without(ctx context.Context, at *Solution, s *system, pieces []byte, p int) (f []float64, ok bool) {
	c, l, lossPieces := s.change(ctx, m), len(m.Targets), m.Loss.Pieces()
	f = make([]float64, l)
	moves, next := []move{{p, noPiece}}, []move(nil)
	for range maxChanges {
		x := c.units(ctx, m, at, moves)
		if x == nil {
			return nil, false
		}
		copy(f, at.F)
		for i, move := range moves {
			vec.Axpy(-x[i], c.down[move.point*l:(move.point+1)*l], f)
		}
		next = next[:0]
		for k, y := range m.Targets {
			to := byte(noPiece)
			if k != p && !objective.IsLeftOut(y) {
				to = byte(lossPieces.At(lossPieces.Shortfall(y, f[k])))
			}
			if to != pieces[k] {
				next = append(next, move{k, to})
			}
		}
		if slices.Equal(next, moves) {
			return f, true
		}
		moves, next = next, moves
	}
	return nil, false
}

// LeaveOneOut returns for every labelled point the output that the machine
// trained without its label gives it; the point itself stays, unlabelled. at
// is the solution with all labels.
//
// A point that is no error vector keeps its output f_i. Where leaving error
// vector i out moves no other point to another piece of the loss, and the loss is squared at i,
// the output is y_i − a_i / H_ii, H being the inverse of the Newton system. Otherwise the points
// that move are found by solving for them alone until they repeat. Where they do
// not repeat the machine is trained again. So the values are exact for every smooth
// loss. With a ramp the machine is trained again for every point, as its bias
// may depend on points that are no support vectors. Cost: O(l³), with a ramp l
// trainings.
func (m *Machine) LeaveOneOut(ctx context.Context, at *Solution) []float64 {
	out := make([]float64, len(at.F))
	for k, f := range m.LeftOut(ctx, at) {
		out[k] = f
	}
	return out
}

// LeftOut yields every labelled point with its value of [Machine.LeaveOneOut],
// those first that cost no training.
func (m *Machine) LeftOut(ctx context.Context, at *Solution) iter.Seq2[int, float64] {
	ctx = context.WithoutCancel(ctx)
	return func(yield func(int, float64) bool) {
		var again []int // to be trained without
		if m.dual() {
			for k := range at.F {
				again = append(again, k)
			}
		} else {
			pieces, lossPieces := m.pieces(at.F, nil), m.Loss.Pieces()
			s := m.system(ctx, pieces)
			for k, f := range at.F {
				if piece := pieces[k]; s != nil && piece != noPiece && !lossPieces[piece].Flat() {
					without, ok := m.without(ctx, at, s, pieces, k)
					if !ok {
						again = append(again, k)
						continue
					}
					f = without[k]
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
func (m *Machine) HeldOut(ctx context.Context, at *Solution, points []int) []float64 {
	p := m.Without(ctx, at, points)
	values := make([]float64, len(points))
	for i, k := range points {
		values[i] = p.F[k]
	}
	return values
}

// Without returns the machine that [Machine.HeldOut] asks.
func (m *Machine) Without(ctx context.Context, at *Solution, points []int) *Solution {
	ctx = context.WithoutCancel(ctx)
	out := make([]bool, len(m.Targets))
	start := &Solution{A: slices.Clone(at.A), B: at.B}
	for _, k := range points {
		out[k] = true
		start.A[k] = 0
	}
	if m.dual() {
		return m.smo(ctx, out)
	}
	m.outputs(ctx, start)
	return m.newton(ctx, start, out)
}
