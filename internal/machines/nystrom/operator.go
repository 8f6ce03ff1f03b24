package nystrom

import (
	"cmp"
	"context"
	"math"

	"lapsvm/internal/machines/deformed"
	"lapsvm/internal/numbers/linalg"
	"lapsvm/internal/numbers/vec"
	"lapsvm/internal/points/graph"
	"lapsvm/internal/system/fault"
)

// operator is Q of a pair of weights, with its preconditioner P and the memory that
// solving takes.
type operator struct {
	*Space
	deformed.Gammas
	coarseFactor linalg.Matrix // U of UᵀU = γA I + γI ΦᵀLᵖΦ, and ΦᵀDΦ with weights of labels D
	local        *graph.Polynomial
	scale        []float64    // of every point: local is multiplied by it on both sides
	z, az, d, ad []float64    // panels of conjugate gradient
	panels       []float64    // two panels of m rows
	down         [][]float64  // one and the other
	upper        [2][]float64 // the panels that they belong to
	sums         [][2]scalars
	all          [2 * vec.MaxPanel]float64 // of all ranks
	quarter      func(done int)            // is told of the first, second and third quarter of apply, which take about as long; nil for none
}

// operator prepares Q and P for a pair of weights. With weights of labels, one for every point, P
// is the preconditioner of Q + D.
func (s *Space) operator(ctx context.Context, g deformed.Gammas, weights []float64) (*operator, error) {
	m := s.k.Rank()
	o := &operator{Space: s, Gammas: g, sums: make([][2]scalars, s.pieces())}
	o.coarseFactor = linalg.New(m, m)
	if weights != nil {
		var err error
		if o.coarseFactor, err = s.products(ctx, weights, s.k.Precision()); err != nil {
			return nil, err
		}
	}
	vec.Axpy(g.I, s.coarse.Data, o.coarseFactor.Data)
	for i := range m {
		o.coarseFactor.Row(i)[i] += g.A
	}
	definite, err := linalg.Cholesky(ctx, o.coarseFactor)
	if err != nil {
		return nil, err
	}
	if !definite {
		return nil, fault.Rounding.Errorf("%w, as γI/γA = %g is too large: raise gamma-a or lower gamma-i%s", ErrRounding, g.I/g.A, s.k.Precision().OrDouble())
	}
	if err := o.level(ctx, weights); err != nil {
		return nil, err
	}
	return o, nil
}

// fit is that of the space, and of the panels of the operator.
func (o *operator) fit(columns int) {
	o.Space.fit(columns)
	size, m := o.k.Len()*o.width, o.k.Rank()*o.width
	for _, panel := range []*[]float64{&o.z, &o.az, &o.d, &o.ad} {
		*panel = resized(*panel, size)
	}
	o.panels = resized(o.panels, 2*m)
	o.down = [][]float64{o.panels[:m], o.panels[m:]}
}

// release gives the memory of its panels back until the next fit.
func (o *operator) release() { o.z, o.az, o.d, o.ad = nil, nil, nil, nil }

// mul computes dst = Q·x; z is overwritten.
func (o *operator) mul(ctx context.Context, dst, x []float64) {
	width := o.width
	o.inverse(ctx, dst, x)
	o.multiplyPower(ctx, o.z, x)
	o.each(ctx, func(_, from, to int) {
		for c := from * width; c < to*width; c++ {
			dst[c] = o.A*dst[c] + o.I*o.z[c]
		}
	})
}

// tolerated is how much larger the diagonal of Q may be at a point before the first level is scaled
// there. Where the level works unscaled, scaling costs more than it brings: it makes smooth
// functions of rough ones, and q(L) is large for these.
const tolerated = 4

// labelShare is the share of the mean weight of labels that the polynomial of the first
// level has. With all of it functions are left out that are neither smooth enough for
// landmarks nor rough.
const labelShare = 0.03

// level prepares the first level of P. weights are the weights of labels on the diagonal of Q, or
// nil for none. The polynomial is made for the median of Δ and a share of the mean weight. Some
// diagonal elements of Q are more than tolerated times as large as a typical one, with γI Lᵖ taken
// at a typical eigenvalue. Their rows and columns are scaled down by the square root of the excess.
func (o *operator) level(ctx context.Context, weights []float64) error {
	n := o.k.Len()
	square := func(i int) float64 { return 1 } // of the factor of the whole level, at a point
	if o.root != nil {
		square = func(i int) float64 { return o.k.Delta()[i] }
	}
	norm, means := []float64{o.l.Norm()}, []float64{0, o.l.MeanDiagonal() * (float64(n) / float64(o.partition.Len()))}
	for i, w := range weights {
		means[0] += square(i) * w / float64(o.partition.Len())
	}
	if err := cmp.Or(o.ranks.Max(ctx, norm), o.ranks.Sum(ctx, means)); err != nil {
		return err
	}
	ambient := func(i int) float64 { return o.A / o.k.Delta()[i] * square(i) }
	common := o.A/o.medianDelta + labelShare*means[0]
	if o.root != nil {
		common = o.A + labelShare*means[0]
	}
	inverse := invert(o.I, o.power.Degree(), common, cmp.Or(norm[0], 1)) // 1 of no edges
	o.local = o.l.Polynomial(inverse.coefficients, inverse.bound)
	typical := o.I * math.Pow(means[1], float64(o.power.Degree()))
	o.scale = make([]float64, n)
	for i := range o.scale {
		diagonal := typical + ambient(i)
		if weights != nil {
			diagonal += square(i) * weights[i]
		}
		o.scale[i] = math.Sqrt(square(i) * min(1, tolerated*(typical+common)/diagonal))
	}
	return nil
}

// apply computes z = P·r and qz = Q·z together. With g = S·q(L)·S·r of the first level,
// H = I + ΦᵀΔ⁻¹Φ and C the matrix of the second,
//
//	z = g + Φu,   u = C⁻¹Φᵀr,   K̂⁻¹z = Δ⁻¹(g + Φv),   v = H⁻¹(u − ΦᵀΔ⁻¹g)
//
// so that both take a pass over Φ forth and one back. Nothing large cancels in it, as it
// does in z − Φw of a z that is nearly expressed by landmarks.
func (o *operator) apply(ctx context.Context, z, qz, r []float64) {
	delta, k, u, v, width := o.k.Delta(), o.panel, o.down[0], o.down[1], o.width
	tell := func(quarter int) {
		if o.quarter != nil {
			o.quarter(quarter)
		}
	}
	o.localLevel(ctx, z, r, k, qz)
	tell(1)
	o.each(ctx, func(_, from, to int) {
		for i := from; i < to; i++ {
			inverse, row := 1/delta[i], k[i*width:(i+1)*width]
			for c, value := range z[i*width : (i+1)*width] {
				row[c] = inverse * value
			}
		}
	})
	o.upper[0], o.upper[1] = r, k
	o.k.ToLandmarks(ctx, width, o.down, o.upper[:])
	_ = o.ranks.Sum(ctx, o.panels) // where it fails, ctx is done
	tell(2)
	o.solveFactored(ctx, o.coarseFactor, u)
	for i := range v {
		v[i] = u[i] - v[i]
	}
	o.solveFactored(ctx, o.inner, v)
	o.each(ctx, func(_, from, to int) { copy(k[from*width:to*width], z[from*width:to*width]) })
	o.upper[0] = z
	o.k.AddFromLandmarks(ctx, width, o.upper[:], 1, o.down)
	tell(3)
	o.multiplyPower(ctx, qz, z)
	o.each(ctx, func(_, from, to int) {
		for i := from; i < to; i++ {
			a, row := o.A/delta[i], qz[i*width:(i+1)*width]
			for c, value := range k[i*width : (i+1)*width] {
				row[c] = a*value + o.I*row[c]
			}
		}
	})
}

// localLevel computes dst = S·q(L)·S·r with the scales S, in float32: a preconditioner
// need not be exact. It overwrites two panels, whose memory holds the panels in float32.
func (o *operator) localLevel(ctx context.Context, dst, r, first, second []float64) {
	width, size := o.width, o.k.Len()*o.width
	single, answer := vec.AsSingle(first)[:size], vec.AsSingle(first)[size:2*size]
	o.each(ctx, func(_, from, to int) {
		for i := from; i < to; i++ {
			s := o.scale[i]
			row := single[i*width : (i+1)*width]
			for c, v := range r[i*width : (i+1)*width] {
				row[c] = float32(s * v)
			}
		}
	})
	o.local.MulIn(ctx, width, answer, single, vec.AsSingle(second))
	o.each(ctx, func(_, from, to int) {
		for i := from; i < to; i++ {
			s := o.scale[i]
			row := dst[i*width : (i+1)*width]
			for c, v := range answer[i*width : (i+1)*width] {
				row[c] = s * float64(v)
			}
		}
	})
}

// dots returns the inner products of the columns of two panels.
func (o *operator) dots(ctx context.Context, x, y []float64) (total scalars) {
	width := o.width
	o.each(ctx, func(piece, from, to int) {
		var sum scalars
		for i := from * width; i < to*width; i += width {
			xs, ys := x[i:i+width], y[i:i+width]
			for c, v := range xs {
				sum[c] += v * ys[c]
			}
		}
		o.sums[piece][0] = sum
	})
	total, _ = o.added(ctx)
	return total
}

// added adds up the sums of all pieces.
func (o *operator) added(ctx context.Context) (first, second scalars) {
	width := o.width
	for _, sum := range o.sums {
		for c := range width {
			first[c] += sum[0][c]
			second[c] += sum[1][c]
		}
	}
	if !o.ranks.Alone() {
		copy(o.all[:width], first[:])
		copy(o.all[width:2*width], second[:])
		_ = o.ranks.Sum(ctx, o.all[:2*width]) // where it fails, ctx is done
		copy(first[:], o.all[:width])
		copy(second[:], o.all[width:2*width])
	}
	return first, second
}

// addColumns computes y += a·x of panels.
func (o *operator) addColumns(ctx context.Context, y, x []float64, a float64) {
	width := o.width
	o.each(ctx, func(_, from, to int) { vec.Axpy(a, x[from*width:to*width], y[from*width:to*width]) })
}

// turn makes the next directions d_c ← z_c + b_c·d_c, and their products Ad in the same
// way. It returns (d_c, Ad_c) and (r_c, d_c).
func (o *operator) turn(ctx context.Context, b *scalars, r []float64) (dad, rd scalars) {
	width := o.width
	o.each(ctx, func(piece, from, to int) {
		var dad, rd scalars
		for i := from * width; i < to*width; i += width {
			zs, ds, azs, ads, rs := o.z[i:i+width], o.d[i:i+width], o.az[i:i+width], o.ad[i:i+width], r[i:i+width]
			for c, by := range b[:width] {
				d, ad := zs[c]+by*ds[c], azs[c]+by*ads[c]
				ds[c], ads[c] = d, ad
				dad[c] += d * ad
				rd[c] += rs[c] * d
			}
		}
		o.sums[piece] = [2]scalars{dad, rd}
	})
	return o.added(ctx)
}

// step computes x_c += s_c·d_c and r_c −= s_c·Ad_c.
func (o *operator) step(ctx context.Context, x, r []float64, s *scalars) {
	width := o.width
	o.each(ctx, func(_, from, to int) {
		for i := from * width; i < to*width; i += width {
			xs, rs, ds, ads := x[i:i+width], r[i:i+width], o.d[i:i+width], o.ad[i:i+width]
			for c, by := range s[:width] {
				xs[c] += by * ds[c]
				rs[c] -= by * ads[c]
			}
		}
	})
}
