package deformed

import (
	"context"
	"fmt"
	"math"
	"slices"
	"sync"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/lapack/lapack64"

	"lapsvm/objective"
)

// solved is what follows from one ratio ρ = γI/γA.
type solved struct {
	v     *View
	x     func() []float64 // (I + ρA)⁻¹ [C_Lᵀ, CᵀL1], rank×width, on demand
	s     []float64        // C_L (I + ρA)⁻¹ C_Lᵀ, l×l
	u     []float64        // the column of the bias; nil without one
	kappa float64          // 1ᵀL1 − ρ (CᵀL1)ᵀ(I + ρA)⁻¹CᵀL1
}

// at solves for one ratio, by the band if there is one.
func (v *View) at(ratio float64, b *band) (*solved, error) {
	r, w, l := v.f.rank, v.width, len(v.labelled)
	s := &solved{v: v}
	root := general(r, w, v.right) // the products of its columns are those of right with x
	ok := true
	switch {
	case !(ratio > 0) || v.l == nil:
		s.x = func() []float64 { return v.right }
	case b != nil:
		var factor blas64.TriangularBand
		if factor, ok = b.factor(ratio); ok {
			root = b.corner(factor)
			s.x = sync.OnceValue(func() []float64 { return b.solve(factor) })
		}
	default:
		m := make([]float64, r*r)
		for i := range r {
			for j := i; j < r; j++ {
				m[i*r+j] = ratio * v.a[i*r+j]
			}
			m[i*r+i]++
		}
		var factor blas64.Triangular
		if factor, ok = lapack64.Potrf(blas64.Symmetric{N: r, Stride: r, Data: m, Uplo: blas.Upper}); ok {
			root.Data = slices.Clone(v.right)
			blas64.Trsm(blas.Left, blas.Trans, 1, factor, root)
			s.x = sync.OnceValue(func() []float64 {
				x := general(r, w, slices.Clone(root.Data))
				blas64.Trsm(blas.Left, blas.NoTrans, 1, factor, x)
				return x.Data
			})
		}
	}
	if !ok {
		return nil, fmt.Errorf("γI/γA = %g is too large for double precision: raise gamma-a or lower gamma-i", ratio)
	}
	products := make([]float64, w*w)
	blas64.Syrk(blas.Trans, 1, root, 0, blas64.Symmetric{N: w, Stride: w, Data: products, Uplo: blas.Upper})
	s.s = make([]float64, l*l)
	for i := range l {
		for j := i; j < l; j++ {
			s.s[i*l+j], s.s[j*l+i] = products[i*w+j], products[i*w+j]
		}
	}
	switch v.bias {
	case objective.NoBias:
		return s, nil
	case objective.BiasOutside:
		s.u = make([]float64, l)
		for i := range s.u {
			s.u[i] = 1
		}
	default:
		s.u = make([]float64, l)
		for i := range s.u {
			s.u[i] = 1 - ratio*products[i*w+l]
		}
		s.kappa = v.one - ratio*products[l*w+l]
	}
	return s, nil
}

func (s *solved) cell(g Gammas) *Cell {
	c := &Cell{Gammas: g, solved: s, Kernel: make([]float64, len(s.s)), Bias: s.u, Kappa: g.I * math.Max(s.kappa, 0)}
	for i, x := range s.s {
		c.Kernel[i] = x / g.A
	}
	return c
}

// Cell is the reduced problem for one pair of weights: over a ∈ Rˡ and b,
//
//	½ Σ_i c_i·loss(y_i, f_i) + ½ aᵀSa + ½ κ b²,   f = Sa + b·u
//
// Without a bias there is no b; with the bias outside the norm u = 1 and
// κ = 0; with the bias in the norm
//
//	u = 1 − γI C_L (γA I + γI A)⁻¹ CᵀL1,   κ = γI 1ᵀL1 − γI² (CᵀL1)ᵀ(γA I + γI A)⁻¹CᵀL1.
type Cell struct {
	Gammas
	Kernel []float64 // S, l×l
	Bias   []float64 // u; nil without a bias
	Kappa  float64   // κ
	solved *solved

	lock    sync.Mutex
	systems map[systemKey]*system
}

// Expansion returns the coefficients α of f = Kα + b over all n points, and f,
// of a solution (a, b) of the cell:
//
//	g = (γA I + γI A)⁻¹ (C_Lᵀ a − γI b CᵀL1),   f = Cg + b,   α = (J_Lᵀ a − γI L h) / γA
//
// where h is f, or Cg with the bias outside the norm. Cost: 4n·rank flops and a
// product with L. It fails when ctx is done or the product does.
func (c *Cell) Expansion(ctx context.Context, a []float64, b float64) (alpha, f []float64, err error) {
	v := c.solved.v
	n, r := v.f.n, v.f.rank
	right := make([]float64, v.width)
	for k, x := range a {
		right[k] = x / c.A
	}
	if v.bias == objective.BiasInNorm {
		right[len(a)] = -c.ratio() * b
	}
	g, f, alpha := make([]float64, r), make([]float64, n), make([]float64, n)
	blas64.Gemv(blas.NoTrans, 1, general(r, v.width, c.solved.x()), vector(right), 0, vector(g))
	blas64.Gemv(blas.Trans, 1, general(r, n, v.f.ct), vector(g), 0, vector(f))
	if v.bias == objective.BiasInNorm {
		for i := range f {
			f[i] += b
		}
	}
	if v.l != nil && c.I > 0 {
		products, err := v.intrinsic(ctx, [][]float64{f})
		if err != nil {
			return nil, nil, err
		}
		for i, x := range products[0] {
			alpha[i] = -c.ratio() * x
		}
	}
	for k, i := range v.labelled {
		alpha[i] += a[k] / c.A
	}
	if v.bias == objective.BiasOutside {
		for i := range f {
			f[i] += b
		}
	}
	return alpha, f, nil
}

// Units returns what a unit of each labelled point's a is worth: the coefficients
// of [Cell.Expansion] are Σ_k a_k·units[k], and with the bias in the norm a
// multiple of b more. It fails when ctx is done or a product does. Cost:
// 2n·rank·l flops and l products with L.
func (c *Cell) Units(ctx context.Context) ([][]float64, error) {
	v := c.solved.v
	n, l := v.f.n, len(v.labelled)
	values := make([]float64, l*n) // the outputs of each unit
	if v.l != nil && c.I > 0 {
		x := general(v.f.rank, v.width, c.solved.x())
		x.Cols = l // without the column of the bias
		blas64.Gemm(blas.Trans, blas.NoTrans, 1/c.A, x, general(v.f.rank, n, v.f.ct), 0, general(l, n, values))
	}
	units := rows(values, n, 0, l)
	if v.l != nil && c.I > 0 {
		var err error
		if units, err = v.intrinsic(ctx, units); err != nil {
			return nil, err
		}
		for _, unit := range units {
			blas64.Scal(-c.ratio(), vector(unit))
		}
	}
	for k, i := range v.labelled {
		units[k][i] += 1 / c.A
	}
	return units, nil
}

func vector(x []float64) blas64.Vector { return blas64.Vector{N: len(x), Inc: 1, Data: x} }
