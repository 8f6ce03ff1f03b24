package deformed

import (
	"context"
	"math"
	"slices"
	"sync"

	"lapsvm/internal/numbers/linalg"
	"lapsvm/internal/numbers/objective"
	"lapsvm/internal/system/fault"
)

// ratioProblem is what the reduced problems of all weights with one ratio
// ρ = γI/γA have in common.
type ratioProblem struct {
	v     *Reduction
	s     []float64 // C_L (I + ρA)⁻¹ C_Lᵀ, l×l
	u     []float64 // the column of the bias; nil without one
	kappa float64   // 1ᵀL1 − ρ (CᵀL1)ᵀ(I + ρA)⁻¹CᵀL1

	// inBasis returns (I + ρA)⁻¹ [C_Lᵀ, CᵀL1] T, rank×columns, for T of width×columns, in the basis of the band
	// if there is one. A T without rows is the identity.
	inBasis func(ctx context.Context, t linalg.Matrix) (linalg.Matrix, error)
	band    *band

	factored []float64 // memory of [Factor.take] that inBasis reads; nil for none
	root     []float64 // and that of the right sides
}

// of returns X·T, or X for a T without rows.
func of(ctx context.Context, x, t linalg.Matrix) (linalg.Matrix, error) {
	if t.Rows == 0 {
		return x, nil
	}
	product := linalg.New(x.Rows, t.Cols)
	return product, linalg.Gemm(ctx, 1, x, t, 0, product)
}

// ratioProblem makes that of one ratio, by the band if there is one.
func (v *Reduction) ratioProblem(ctx context.Context, ratio float64, b *band) (*ratioProblem, error) {
	r, w, l := v.f.rank, v.width, len(v.labelled)
	s := &ratioProblem{v: v, band: b}
	root := linalg.FromSlice(r, w, v.right) // the products of its columns are those of right with x
	ok := true
	var err error
	switch {
	case !(ratio > 0) || v.l == nil:
		s.inBasis = func(ctx context.Context, t linalg.Matrix) (linalg.Matrix, error) { return of(ctx, root, t) }
	case b != nil:
		var factor linalg.Matrix
		if factor, ok = b.factor(ratio); ok {
			root, err = b.corner(ctx, factor)
			s.inBasis = func(ctx context.Context, t linalg.Matrix) (linalg.Matrix, error) { return b.solve(ctx, factor, t) }
		}
	default:
		s.factored = v.f.take()
		m := linalg.FromSlice(r, r, s.factored[:r*r])
		for i := range r {
			row := m.Row(i)[i:]
			for j, x := range v.a[i*r+i : i*r+i+len(row)] {
				row[j] = ratio * x
			}
			row[0]++
		}
		if ok, err = linalg.Cholesky(ctx, m); ok && err == nil {
			s.root, v.root = append(v.root[:0], v.right...), nil
			root.Data = s.root
			err = linalg.SolveUpper(ctx, m.T(), root)
			s.inBasis = func(ctx context.Context, t linalg.Matrix) (linalg.Matrix, error) {
				x, err := of(ctx, root, t)
				if err != nil {
					return x, err
				}
				if t.Rows == 0 {
					x = linalg.FromSlice(r, w, slices.Clone(root.Data))
				}
				return x, linalg.SolveUpper(ctx, m, x)
			}
		}
	}
	if err != nil {
		return nil, err
	}
	if !ok {
		return nil, indefinite(ratio)
	}
	symmetric := linalg.New(w, w)
	if err := linalg.Syrk(ctx, 1, root.T(), 0, symmetric); err != nil {
		return nil, err
	}
	linalg.Mirror(ctx, symmetric)
	products := symmetric.Data
	switch v.bias {
	case objective.NoBias:
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
	for i := range l { // the column of the bias leaves
		copy(products[i*l:(i+1)*l], products[i*w:])
	}
	s.s = products[:l*l]
	return s, nil
}

// indefinite is the error for a ratio whose matrix is numerically indefinite.
func indefinite(ratio float64) error {
	return fault.Rounding.Errorf("γI/γA = %g is %w: raise gamma-a or lower gamma-i", ratio, ErrRounding)
}

func (s *ratioProblem) problem(g Gammas) *Problem {
	c := &Problem{Gammas: g, shared: s, Kernel: make([]float64, len(s.s)), Bias: s.u, Kappa: g.I * math.Max(s.kappa, 0)}
	for i, x := range s.s {
		c.Kernel[i] = x / g.A
	}
	return c
}

// Problem is the reduced problem of one pair of weights: over a ∈ Rˡ and b,
//
//	½ Σ_i c_i·loss(y_i, f_i) + ½ aᵀSa + ½ κ b²,   f = Sa + b·u
//
// Without a bias there is no b; with the bias outside the norm u = 1 and
// κ = 0; with the bias in the norm
//
//	u = 1 − γI C_L (γA I + γI A)⁻¹ CᵀL1,   κ = γI 1ᵀL1 − γI² (CᵀL1)ᵀ(γA I + γI A)⁻¹CᵀL1.
type Problem struct {
	Gammas
	Kernel []float64 // S, l×l
	Bias   []float64 // u; nil without a bias
	Kappa  float64   // κ
	shared *ratioProblem

	lock    sync.Mutex
	systems map[string]*system
	recent  []string // their keys, those asked for last at the end
}

// Reduced returns the reduced problem alone: machines solve it, but all points are
// forgotten, so that [Problem.Expansions], [Problem.Outputs] and [Problem.Units] panic.
func (c *Problem) Reduced() *Problem {
	return &Problem{Gammas: c.Gammas, Kernel: c.Kernel, Bias: c.Bias, Kappa: c.Kappa}
}

// Kept returns the problem with (I + ρA)⁻¹ [C_Lᵀ, CᵀL1] in place of a factorization. It outlives its reduction and its group. It fails when ctx is
// done. Cost: rank²·l multiply-adds, and rank·l values.
func (c *Problem) Kept(ctx context.Context) (*Problem, error) {
	x, err := c.shared.inBasis(ctx, linalg.Matrix{})
	if err != nil {
		return nil, err
	}
	if err := c.shared.band.turnBack(ctx, x); err != nil {
		return nil, err
	}
	own := *c.shared
	own.band, own.factored = nil, nil
	own.inBasis = func(ctx context.Context, t linalg.Matrix) (linalg.Matrix, error) { return of(ctx, x, t) }
	kept := c.Reduced()
	kept.shared = &own
	return kept, nil
}

// Factor returns the factor that the problem is made of.
func (c *Problem) Factor() *Factor { return c.shared.v.f }

// Expansions returns the coefficients α of f = Kα + b over all n points, and f, both [solution][point],
// of solutions (a, b) of the problem:
//
//	g = (γA I + γI A)⁻¹ (C_Lᵀ a − γI b CᵀL1),   f = Cg + b,   α = (J_Lᵀ a − γI L h) / γA
//
// where h is f, or Cg with the bias outside the norm. It fails when ctx is done or a product with L does. Cost for each
// solution: that of [Outputs], and a product with L.
func (c *Problem) Expansions(ctx context.Context, at []*Solution) (alpha, f [][]float64, err error) {
	v, n := c.shared.v, c.shared.v.f.n
	pivots, err := functions(ctx, []*Problem{c}, [][]*Solution{at})
	if err != nil {
		return nil, nil, err
	}
	h := rows(pivots.Data, n, 0, len(at))
	alpha, f = rows(make([]float64, len(at)*n), n, 0, len(at)), rows(make([]float64, len(at)*n), n, 0, len(at))
	for k, p := range at {
		v.f.toPoints(f[k], h[k])
		if v.bias == objective.BiasInNorm {
			addTo(h[k], p.B)
		}
		if v.bias != objective.NoBias {
			addTo(f[k], p.B)
		}
	}
	if v.l != nil && c.I > 0 {
		products, err := v.intrinsic(ctx, h)
		if err != nil {
			return nil, nil, err
		}
		for k := range at {
			v.f.toPoints(alpha[k], products[k])
			for i := range alpha[k] {
				alpha[k][i] *= -c.ratio()
			}
		}
	}
	for k, p := range at {
		for label, i := range v.labelled {
			alpha[k][i] += p.A[label] / c.A
		}
	}
	return alpha, f, nil
}

// addTo adds a number to all elements.
func addTo(x []float64, v float64) {
	for i := range x {
		x[i] += v
	}
}

// Outputs returns f at all n points of some solutions of the problem, as
// [Problem.Expansions] does, without the coefficients, and as the function [Outputs].
func (c *Problem) Outputs(ctx context.Context, at []*Solution) ([][]float64, error) {
	all, err := Outputs(ctx, []*Problem{c}, [][]*Solution{at})
	if err != nil {
		return nil, err
	}
	return all[0], nil
}

// Outputs returns f at all n points [problem][solution][point] of solutions at [problem][solution] of some problems of one group,
// see [Reduction.Groups]. It fails when ctx is done. Cost:
// 2n·rank + 2·rank² flops for each solution. Those of many problems at once take less time.
func Outputs(ctx context.Context, problems []*Problem, at [][]*Solution) ([][][]float64, error) {
	if len(problems) == 0 {
		return nil, ctx.Err()
	}
	v := problems[0].shared.v
	pivots, err := functions(ctx, problems, at)
	if err != nil {
		return nil, err
	}
	f, column := rows(make([]float64, len(pivots.Data)), v.f.n, 0, pivots.Rows), 0
	all := make([][][]float64, len(problems))
	for c, solutions := range at {
		for _, p := range solutions {
			v.f.toPoints(f[column], pivots.Row(column))
			if v.bias != objective.NoBias {
				addTo(f[column], p.B)
			}
			all[c], column = append(all[c], f[column]), column+1
		}
	}
	return all, nil
}

// functions returns Cg of solutions of some problems of one group, by rows, in the order of the pivots.
func functions(ctx context.Context, problems []*Problem, at [][]*Solution) (linalg.Matrix, error) {
	v, b := problems[0].shared.v, problems[0].shared.band
	columns := 0
	for _, solutions := range at {
		columns += len(solutions)
	}
	x, column := linalg.New(v.f.rank, columns), 0
	for from := 0; from < len(problems); { // problems of one ratio
		s, to := problems[from].shared, from
		var right [][]float64
		for ; to < len(problems) && problems[to].shared == s; to++ {
			for _, p := range at[to] {
				right = append(right, problems[to].right(p))
			}
		}
		t := linalg.New(v.width, len(right))
		for k, values := range right {
			for i, value := range values {
				t.Row(i)[k] = value
			}
		}
		some, err := s.inBasis(ctx, t)
		if err != nil {
			return some, err
		}
		for r := range v.f.rank {
			copy(x.Row(r)[column:], some.Row(r))
		}
		from, column = to, column+len(right)
	}
	if err := b.turnBack(ctx, x); err != nil {
		return x, err
	}
	pivots := linalg.New(columns, v.f.n)
	return pivots, linalg.GemmUpper(ctx, x.T(), linalg.FromSlice(v.f.rank, v.f.n, v.f.ct), pivots)
}

// right returns what (I + ρA)⁻¹ [C_Lᵀ, CᵀL1] is multiplied by for a solution.
func (c *Problem) right(p *Solution) []float64 {
	v := c.shared.v
	right := make([]float64, v.width)
	for i, a := range p.A {
		right[i] = a / c.A
	}
	if v.bias == objective.BiasInNorm {
		right[v.width-1] = -c.ratio() * p.B
	}
	return right
}

// Units returns the coefficients of one unit of each labelled point's a. The coefficients of
// [Problem.Expansions] are Σ_k a_k·units[k], plus a multiple of b with the bias in the norm. It fails
// when ctx is done or a product does. Cost: 2n·rank·l flops and l products with L.
func (c *Problem) Units(ctx context.Context) ([][]float64, error) {
	v := c.shared.v
	n, l := v.f.n, len(v.labelled)
	units := rows(make([]float64, l*n), n, 0, l)
	if v.l != nil && c.I > 0 {
		x, err := c.shared.inBasis(ctx, linalg.Matrix{})
		if err == nil {
			err = c.shared.band.turnBack(ctx, x)
		}
		if err != nil {
			return nil, err
		}
		x = x.Block(0, x.Rows, 0, l) // without the column of the bias
		pivots := linalg.New(l, n)   // the outputs of each unit
		if err := linalg.Gemm(ctx, 1/c.A, x.T(), linalg.FromSlice(v.f.rank, n, v.f.ct), 0, pivots); err != nil {
			return nil, err
		}
		products, err := v.intrinsic(ctx, rows(pivots.Data, n, 0, l))
		if err != nil {
			return nil, err
		}
		for k, unit := range units {
			v.f.toPoints(unit, products[k])
			for i := range unit {
				unit[i] *= -c.ratio()
			}
		}
	}
	for k, i := range v.labelled {
		units[k][i] += 1 / c.A
	}
	return units, nil
}
