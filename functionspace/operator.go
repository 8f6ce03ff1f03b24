package functionspace

import (
	"context"
	"fmt"

	"lapsvm/deformed"
	"lapsvm/graph"
	"lapsvm/internal/linalg"
	"lapsvm/internal/vec"
)

// operator is Q of a pair of weights, with its preconditioner P and the memory that
// solving takes.
type operator struct {
	*Space
	deformed.Gammas
	coarse         linalg.Matrix // U of UᵀU = γA I + γI ΦᵀLᵖΦ
	local          *graph.Polynomial
	r, z, d, q     []float64 // panels of conjugate gradient
	single, answer []float32 // what local is given, and gives
	sums           [][width]float64
}

func (s *Space) operator(ctx context.Context, g deformed.Gammas) (*operator, error) {
	size := s.k.Len() * width
	o := &operator{Space: s, Gammas: g, coarse: linalg.New(s.rough.Rows, s.rough.Cols), sums: make([][width]float64, s.pieces())}
	for i, v := range s.rough.Data {
		o.coarse.Data[i] = g.I * v
	}
	for i := range o.coarse.Rows {
		o.coarse.Row(i)[i] += g.A
	}
	definite, err := linalg.Cholesky(ctx, o.coarse)
	if err != nil {
		return nil, err
	}
	if !definite {
		return nil, fmt.Errorf("γI/γA = %g is too large for landmarks in this precision: raise gamma-a, lower gamma-i, or take precision 64", g.I/g.A)
	}
	inverse := invert(g.I, s.power.Degree(), g.A/s.middle, s.l.Norm())
	o.local = s.l.Polynomial(inverse.coefficients, inverse.bound)
	for _, panel := range []*[]float64{&o.r, &o.z, &o.d, &o.q} {
		*panel = make([]float64, size)
	}
	o.single, o.answer = make([]float32, size), make([]float32, size)
	return o, nil
}

// mul computes dst = Q·x; z is overwritten.
func (o *operator) mul(ctx context.Context, dst, x []float64) {
	o.inverse(ctx, dst, x)
	o.power.MulPanel(ctx, o.z, x)
	o.each(ctx, func(_, from, to int) {
		for c := from * width; c < to*width; c++ {
			dst[c] = o.A*dst[c] + o.I*o.z[c]
		}
	})
}

// precondition computes dst = P·r. Its first level is computed in float32, which need not
// be exact.
func (o *operator) precondition(ctx context.Context, dst, r []float64) {
	span := func(from, to int) (int, int) { return from * width, to * width }
	o.each(ctx, func(_, from, to int) {
		from, to = span(from, to)
		vec.Narrow(o.single[from:to], r[from:to])
	})
	o.local.Mul(ctx, o.answer, o.single)
	o.each(ctx, func(_, from, to int) {
		from, to = span(from, to)
		vec.Widen(dst[from:to], o.answer[from:to])
	})
	o.k.ToLandmarks(ctx, o.landmark, r)
	solve(ctx, o.coarse, o.landmark)
	o.k.AddFromLandmarks(ctx, dst, 1, o.landmark)
}

// dots returns the inner products of the columns of two panels.
func (o *operator) dots(ctx context.Context, x, y []float64) (total [width]float64) {
	o.each(ctx, func(piece, from, to int) {
		var sum [width]float64
		for i := from * width; i < to*width; i += width {
			xs, ys := x[i:i+width], y[i:i+width]
			for c := range sum {
				sum[c] += xs[c] * ys[c]
			}
		}
		o.sums[piece] = sum
	})
	for _, sum := range o.sums {
		for c, v := range sum {
			total[c] += v
		}
	}
	return total
}

// addColumns computes y_c ← s·y_c + a_c·x_c for the columns of panels, where s scales.
func (o *operator) addColumns(ctx context.Context, y, x []float64, a *[width]float64) {
	o.each(ctx, func(_, from, to int) {
		for i := from * width; i < to*width; i += width {
			xs, ys := x[i:i+width], y[i:i+width]
			for c, v := range a {
				ys[c] += v * xs[c]
			}
		}
	})
}

// turn makes the next directions, d_c ← z_c + b_c·d_c.
func (o *operator) turn(ctx context.Context, b *[width]float64) {
	o.each(ctx, func(_, from, to int) {
		for i := from * width; i < to*width; i += width {
			zs, ds := o.z[i:i+width], o.d[i:i+width]
			for c, v := range b {
				ds[c] = zs[c] + v*ds[c]
			}
		}
	})
}

// solution is what solve tells.
type solution struct {
	iterations int
	converged  bool
}

// looksBack is over how many iterations the decrease of the error is estimated.
const looksBack = 2

// solve solves Q·x = b for the columns of a panel by conjugate gradient, b being
// overwritten. The squared error in the norm of Q falls by s_k (r_k, P r_k) in step k of
// length s_k (Hestenes and Stiefel, 1952): it ends when the last two iterations together
// took less than tolerance of the sum of all from every column. The directions follow
// Polak and Ribière, as P is not quite the same from call to call. watch is told of
// every iteration.
func (o *operator) solve(ctx context.Context, x, b []float64, tolerance float64, most int, watch func()) (solution, error) {
	r, z, d, q := b, o.z, o.d, o.q
	clear(x)
	o.precondition(ctx, z, r)
	copy(d, z)
	var total [width]float64
	var last [looksBack][width]float64
	rz := o.dots(ctx, r, z)
	for k := 0; k < most; k++ {
		o.mul(ctx, q, d)
		dq := o.dots(ctx, d, q)
		var step, back, turn [width]float64
		small := k+1 >= looksBack
		for c := range step {
			if dq[c] > 0 {
				step[c] = rz[c] / dq[c]
			}
			back[c] = -step[c]
			gain := step[c] * rz[c]
			total[c] += gain
			last[k%looksBack][c] = gain
			sum := 0.0
			for _, gains := range last {
				sum += gains[c]
			}
			small = small && sum <= tolerance*total[c]
		}
		o.addColumns(ctx, x, d, &step)
		o.addColumns(ctx, r, q, &back)
		if err := ctx.Err(); err != nil {
			return solution{k + 1, false}, err
		}
		if watch != nil {
			watch()
		}
		if small {
			return solution{k + 1, true}, nil
		}
		o.precondition(ctx, z, r)
		zq := o.dots(ctx, z, q)
		next := o.dots(ctx, r, z)
		for c := range turn {
			if rz[c] > 0 {
				turn[c] = -step[c] * zq[c] / rz[c]
			}
		}
		rz = next
		o.turn(ctx, &turn)
	}
	return solution{most, false}, ctx.Err()
}
