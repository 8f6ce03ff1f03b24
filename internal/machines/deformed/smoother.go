package deformed

import (
	"context"
	"slices"

	"lapsvm/internal/numbers/linalg"
	"lapsvm/internal/numbers/vec"
)

// Smoother is the machines of a cell with the squared loss, whatever loss they have of their own.
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
	g       linalg.Matrix // G
	a       [][]float64   // a [machine][labelled point]
}

// Smoother returns the machines of the given columns with the squared loss, or nil where S is not
// numerically positive semi-definite. Cost: O(l³), which machines of the cell may have paid.
func (c *Cell) Smoother(ctx context.Context, columns Columns) *Smoother {
	ctx = context.WithoutCancel(ctx)
	l := len(columns.Targets[0])
	all, weights := make([]int, l), make([]float64, l)
	for k := range all {
		all[k], weights[k] = k, 1
	}
	if columns.Weights != nil {
		copy(weights, columns.Weights)
	}
	system := c.system(ctx, all, weights)
	if system == nil {
		return nil
	}
	s := &Smoother{targets: columns.Targets, g: linalg.FromSlice(l, l, system.block())}
	for _, y := range columns.Targets {
		a := make([]float64, l)
		linalg.MulVec(ctx, a, s.g, y)
		s.a = append(s.a, a)
	}
	return s
}

// Without returns outputs [machine][label] at all labelled points: those of block are by machines
// trained without all of the block, every other one by a machine trained without the block and its
// own label. It is not ok where rounding leaves no machine. Cost: O(l·|block|·(|block| + machines)).
func (s *Smoother) Without(ctx context.Context, block []int) (outputs [][]float64, ok bool) {
	ctx = context.WithoutCancel(ctx)
	l, q, machines := s.g.Rows, len(block), len(s.targets)
	u, w := linalg.New(q, q), linalg.New(q, l+machines) // G_FF = UᵀU, and U⁻ᵀ(G_F·, a_F)
	for i, p := range block {
		copy(w.Row(i), s.g.Row(p))
		for j, r := range block {
			u.Data[i*q+j] = s.g.Row(p)[r]
		}
		for machine, a := range s.a {
			w.Row(i)[l+machine] = a[p]
		}
	}
	if ok, _ := linalg.Cholesky(ctx, u); !ok || linalg.SolveUpper(ctx, u.T(), w) != nil {
		return nil, false
	}
	diagonal := make([]float64, l) // of G without the block
	for k := range diagonal {
		diagonal[k] = s.g.Row(k)[k]
		for i := range q {
			diagonal[k] -= w.Row(i)[k] * w.Row(i)[k]
		}
	}
	residual := make([]float64, q)
	for machine, y := range s.targets {
		f := make([]float64, l)
		copy(f, s.a[machine])
		for i := range q {
			residual[i] = w.Row(i)[l+machine]
			vec.Axpy(-residual[i], w.Row(i)[:l], f)
		}
		for k := range f {
			f[k] = y[k] - f[k]/diagonal[k]
		}
		_ = linalg.SolveUpper(ctx, u, linalg.FromSlice(q, 1, residual))
		for i, p := range block {
			f[p] = y[p] - residual[i]
			diagonal[p] = 1 // no label of its own is left out
		}
		outputs = append(outputs, f)
	}
	return outputs, !slices.ContainsFunc(diagonal, func(d float64) bool { return !(d > 0) })
}
