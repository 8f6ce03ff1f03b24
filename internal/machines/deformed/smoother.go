package deformed

import (
	"context"
	"slices"

	"lapsvm/internal/numbers/linalg"
	"lapsvm/internal/numbers/vec"
)

// Smoother is the machines of a problem with the squared loss, whatever loss they have of their own.
// What they say of labels that are left out has a closed form. With y the targets of a machine, c
// the weights of the labels, and
//
//	G = the block of the labelled points of (S + diag(c)⁻¹, u; uᵀ, −κ)⁻¹,   a = Gy
//
// the machine that is trained without the labels F has at their points the outputs
//
//	f_F = y_F − G_FF⁻¹ a_F
type Smoother struct {
	targets [][]float64   // y [machine][labelled point]
	weights []float64     // c
	system  *system       // of all labelled points
	g       linalg.Matrix // G
	a       [][]float64   // a [machine][labelled point]
}

// Smoother returns the machines of the given columns with the squared loss, or nil where S is not
// numerically positive semi-definite. Cost: O(l³), which machines of the problem may have paid.
func (c *Problem) Smoother(ctx context.Context, columns Columns) *Smoother {
	ctx = context.WithoutCancel(ctx)
	l := len(columns.Targets[0])
	all, weights := make([]int, l), make([]float64, l)
	for k := range all {
		all[k], weights[k] = k, columns.Weights.At(k)
	}
	system := c.system(ctx, all, weights)
	if system == nil {
		return nil
	}
	s := &Smoother{targets: columns.Targets, weights: weights, system: system, g: linalg.FromSlice(l, l, system.block())}
	s.a = s.coefficients(ctx, columns.Targets)
	return s
}

// coefficients returns a of some targets.
func (s *Smoother) coefficients(ctx context.Context, targets [][]float64) [][]float64 {
	a := make([][]float64, len(targets))
	for machine, y := range targets {
		a[machine] = make([]float64, len(y))
		linalg.MulVec(ctx, a[machine], s.g, y)
	}
	return a
}

// Parameters returns the effective number of parameters of a machine: the sum over the labels of how far an output follows its own target,
// Σ_k (1 − G_kk/c_k).
func (s *Smoother) Parameters() (sum float64) {
	for k := range s.g.Rows {
		sum += 1 - s.g.Row(k)[k]/s.weights[k]
	}
	return sum
}

// Solutions returns the machines for other targets [machine][labelled point], nil meaning those of the smoother: f = y − a/c, and
// b = vᵀy/(uᵀv + κ) for v = (S + diag(c)⁻¹)⁻¹u. Columns.OneClass does not count. Cost: O(l²) each.
func (s *Smoother) Solutions(ctx context.Context, targets [][]float64) []*Solution {
	a := s.a
	if targets == nil {
		targets = s.targets
	} else {
		a = s.coefficients(context.WithoutCancel(ctx), targets)
	}
	all := make([]*Solution, len(targets))
	for machine, y := range targets {
		p := &Solution{A: a[machine], F: make([]float64, len(y)), Steps: 1, Converged: true}
		for k, c := range s.weights {
			p.F[k] = y[k] - p.A[k]/c
		}
		if v := s.system.v; v != nil && s.system.s > 0 {
			p.B = vec.Dot(v, y) / s.system.s
		}
		all[machine] = p
	}
	return all
}

// Without returns outputs [machine][label] at all labelled points. Labels of block have those of machines
// trained without all of the block, and any other label that of a machine trained without the block and
// itself. It is not ok where rounding leaves no machine. Cost: O(l·|block|·(|block| + machines)).
func (s *Smoother) Without(ctx context.Context, block []int) (outputs [][]float64, ok bool) {
	ctx = context.WithoutCancel(ctx)
	l, q, machines := s.g.Rows, len(block), len(s.targets)
	u := linalg.New(q, q)
	w := rows(make([]float64, q*(l+machines)), l+machines, 0, q) // U⁻ᵀ(G_F·, a_F) for G_FF = UᵀU
	for i, p := range block {
		row := s.g.Row(p)
		copy(w[i], row)
		for j, r := range block {
			u.Data[i*q+j] = row[r]
		}
		for machine, a := range s.a {
			w[i][l+machine] = a[p]
		}
	}
	if ok, _ := linalg.Cholesky(ctx, u); !ok {
		return nil, false
	}
	diagonal := make([]float64, l) // of G without the block
	for k := range diagonal {
		diagonal[k] = s.g.Data[k*s.g.Stride+k]
	}
	for i, row := range w {
		for j, before := range w[:i] {
			vec.Axpy(-u.Data[j*q+i], before, row)
		}
		vec.Divide(row, u.Data[i*q+i])
		for k, v := range row[:l] {
			diagonal[k] -= v * v
		}
	}
	inverse := make([]float64, l) // of the diagonal
	for k, d := range diagonal {
		inverse[k] = 1 / d
	}
	residual := make([]float64, q)
	outputs = rows(make([]float64, machines*l), l, 0, machines)
	for machine, f := range outputs {
		copy(f, s.a[machine])
		for i, row := range w {
			residual[i] = row[l+machine]
			vec.Axpy(-residual[i], row[:l], f)
		}
		y := s.targets[machine]
		for k, v := range f {
			f[k] = y[k] - v*inverse[k]
		}
		for i := q - 1; i >= 0; i-- { // U⁻¹ of it
			for j := i + 1; j < q; j++ {
				residual[i] -= u.Data[i*q+j] * residual[j]
			}
			residual[i] /= u.Data[i*q+i]
			f[block[i]] = y[block[i]] - residual[i]
		}
	}
	for _, p := range block {
		diagonal[p] = 1 // no label of its own is left out
	}
	return outputs, !slices.ContainsFunc(diagonal, func(d float64) bool { return !(d > 0) })
}
