package functionspace

import (
	"context"
	"fmt"
	"math"

	"lapsvm/deformed"
	"lapsvm/graph"
	"lapsvm/internal/linalg"
)

// operator is Q of a pair of weights, with its preconditioner P and the memory that
// solving takes.
type operator struct {
	*Space
	deformed.Gammas
	coarse         linalg.Matrix // U of UᵀU = γA I + γI ΦᵀLᵖΦ
	local          *graph.Polynomial
	scale          []float64 // of every point: local is multiplied by it on both sides
	r, z, d, q     []float64 // panels of conjugate gradient
	single, answer []float32 // what local is given, and gives
	sums           [][width]float64
}

// operator prepares Q and P for a pair of weights.
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
		return nil, errIndefinite(g)
	}
	o.level(nil)
	for _, panel := range []*[]float64{&o.r, &o.z, &o.d, &o.q} {
		*panel = make([]float64, size)
	}
	o.single, o.answer = make([]float32, size), make([]float32, size)
	return o, nil
}

func errIndefinite(g deformed.Gammas) error {
	return fmt.Errorf("γI/γA = %g is too large for landmarks in this precision: raise gamma-a, lower gamma-i, or take precision 64", g.I/g.A)
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

// tolerated is how much larger the diagonal of Q may be at a point before the first level
// is scaled there. To scale it where it does without costs more than it brings: q(L) is
// large for smooth functions, which scaling makes of rough ones.
const tolerated = 4

// level prepares the first level of P, where weights of labels are added to the diagonal
// of Q or, nil, not. Its polynomial has the median of Δ and the mean of the weights. Where
// the diagonal of Q is more than tolerated times as large, γI Lᵖ there being that of a
// typical eigenvalue, it is scaled on both sides by the root of what it is too large by.
func (o *operator) level(weights []float64) {
	mean, n := 0.0, o.k.Len()
	for _, w := range weights {
		mean += w / float64(n)
	}
	common := o.A/o.middle + mean
	inverse := invert(o.I, o.power.Degree(), common, o.l.Norm())
	o.local = o.l.Polynomial(inverse.coefficients, inverse.bound)
	typical := o.I * math.Pow(o.l.MeanDiagonal(), float64(o.power.Degree()))
	o.scale = make([]float64, n)
	for i, delta := range o.k.Delta() {
		own := typical + o.A/delta
		if weights != nil {
			own += weights[i]
		}
		o.scale[i] = math.Sqrt(min(1, tolerated*(typical+common)/own))
	}
}

// precondition computes dst = P·r.
func (o *operator) precondition(ctx context.Context, dst, r []float64) {
	o.localLevel(ctx, dst, r)
	o.coarseLevel(ctx, dst, r, o.coarse)
}

// localLevel computes dst = S·q(L)·S·r with the scales S, in float32: a preconditioner
// need not be exact.
func (o *operator) localLevel(ctx context.Context, dst, r []float64) {
	o.each(ctx, func(_, from, to int) {
		for i := from; i < to; i++ {
			s := o.scale[i]
			row := o.single[i*width : (i+1)*width]
			for c, v := range r[i*width : (i+1)*width] {
				row[c] = float32(s * v)
			}
		}
	})
	o.local.Mul(ctx, o.answer, o.single)
	o.each(ctx, func(_, from, to int) {
		for i := from; i < to; i++ {
			s := o.scale[i]
			row := dst[i*width : (i+1)*width]
			for c, v := range o.answer[i*width : (i+1)*width] {
				row[c] = s * float64(v)
			}
		}
	})
}

// coarseLevel computes dst += Φ(UᵀU)⁻¹Φᵀr.
func (o *operator) coarseLevel(ctx context.Context, dst, r []float64, u linalg.Matrix) {
	o.k.ToLandmarks(ctx, o.landmark, r)
	solveFactored(ctx, u, o.landmark)
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

// addColumns computes y_c += a_c·x_c for the columns of panels.
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
