package nystrom

import (
	"context"

	"lapsvm/internal/numbers/objective"
)

// withLabels is Q + D − vvᵀ/κ of the machines of a panel.
type withLabels struct {
	*operator
	p     Training
	in    []float64 // D: of every labelled point and column, its weight times the curvature of its loss
	pull  []float64 // t: the derivative of its loss is Df − t
	v     []float64 // of every point, with the bias in the norm; else nil
	kappa scalars
}

func (s *Space) withLabels(ctx context.Context, p Training) (*withLabels, error) {
	weights := make([]float64, s.k.Len())
	for k, i := range p.Labelled {
		if i != elsewhere {
			weights[i] = p.Weights.At(k)
		}
	}
	o, err := s.operator(ctx, p.Gammas, weights)
	if err != nil {
		return nil, err
	}
	a := &withLabels{operator: o, p: p}
	if p.Bias == objective.BiasInNorm {
		a.v = make([]float64, o.k.Len())
		sum := 0.0
		for i, one := range o.ones {
			a.v[i] = p.A * one
			sum += a.v[i]
		}
		all := []float64{sum}
		if err := s.ranks.Sum(ctx, all); err != nil {
			return nil, err
		}
		for c := range a.kappa {
			a.kappa[c] = all[0]
		}
	}
	return a, nil
}

// common: every column has its own D.
func (a *withLabels) common() bool { return false }

// mul computes dst = (Q + D − vvᵀ/κ)x.
func (a *withLabels) mul(ctx context.Context, dst, x []float64) {
	a.operator.mul(ctx, dst, x)
	a.addLabels(ctx, dst, x)
}

// apply computes z = P·r, with the labels in both levels, and az = (Q + D − vvᵀ/κ)z.
func (a *withLabels) apply(ctx context.Context, z, az, r []float64) {
	a.operator.apply(ctx, z, az, r)
	a.addLabels(ctx, az, z)
}

// addLabels computes dst += (D − vvᵀ/κ)x.
func (a *withLabels) addLabels(ctx context.Context, dst, x []float64) {
	width := a.width
	for k, i := range a.p.Labelled {
		if i == elsewhere {
			continue
		}
		in := a.in[k*width : (k+1)*width]
		for c, d := range in {
			dst[i*width+c] += d * x[i*width+c]
		}
	}
	by := a.bias(ctx, x)
	a.addBias(ctx, dst, -1, &by)
}

// bias returns vᵀx/κ.
func (a *withLabels) bias(ctx context.Context, x []float64) (b scalars) {
	switch a.p.Bias {
	case objective.BiasInNorm:
		b = a.weighted(ctx, x, a.v)
	case objective.BiasOutside:
		values := a.gather(ctx, x, a.p.Labelled)
		for at, d := range a.in {
			b[at%a.width] += d * values[at]
		}
	}
	for c := range b {
		if b[c] != 0 {
			b[c] /= a.kappa[c]
		}
	}
	return b
}

// addBias computes dst += s·v·b.
func (a *withLabels) addBias(ctx context.Context, dst []float64, s float64, b *scalars) {
	width := a.width
	switch a.p.Bias {
	case objective.BiasInNorm:
		a.each(ctx, func(_, from, to int) {
			for i := from; i < to; i++ {
				row := dst[i*width : (i+1)*width]
				for c, v := range b[:width] {
					row[c] += s * a.v[i] * v
				}
			}
		})
	case objective.BiasOutside:
		for k, i := range a.p.Labelled {
			if i == elsewhere {
				continue
			}
			for c, d := range a.in[k*width : (k+1)*width] {
				dst[i*width+c] += s * d * b[c]
			}
		}
	}
}

// weighted returns vᵀx of a vector and the columns of a panel.
func (a *withLabels) weighted(ctx context.Context, x, v []float64) (total scalars) {
	width := a.width
	a.each(ctx, func(piece, from, to int) {
		var sum scalars
		for i := from; i < to; i++ {
			for c, value := range x[i*width : (i+1)*width] {
				sum[c] += v[i] * value
			}
		}
		a.sums[piece][0] = sum
	})
	total, _ = a.added(ctx)
	return total
}
