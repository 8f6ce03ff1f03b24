// Package deformed solves the training problem in the space of its labelled
// points. With the Gram matrix K, the power L of the graph Laplacian and J_L
// the rows of the l labelled points, all other points can be eliminated from
//
//	½ Σ_i c_i·loss(y_i, f_i) + ½ γA αᵀKα + ½ γI hᵀLh
//
// What remains is an ordinary problem of l variables with the deformed kernel
//
//	S = J_L (γA K⁻¹ + γI L)⁻¹ J_Lᵀ = C_L (γA I + γI A)⁻¹ C_Lᵀ,   K = CCᵀ,  A = CᵀLC
//
// (Sindhwani, Niyogi and Belkin, "Beyond the Point Cloud", ICML 2005). One
// matrix A serves every (γA, γI), every column of targets and every
// leave-one-out round: a [Factor] holds C, a [View] A, a [Cell] one S, and a
// [Machine] solves one column on it, exactly.
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

	"lapsvm/internal/parallel"
	"lapsvm/objective"
)

// Matrix is a symmetric positive semi-definite matrix that gives its rows.
type Matrix interface {
	// Len returns the number of rows.
	Len() int
	// Row writes row i into dst, Len values.
	Row(dst []float64, i int)
}

// Bytes estimates the memory in bytes that a [Factor] of n points and a [View]
// on it take while they are made.
func Bytes(n int) int64 { return 4 * 8 * int64(n) * int64(n) }

// Factor is a factor C of a Gram matrix, K = CCᵀ.
type Factor struct {
	n, rank int
	ct      []float64 // Cᵀ, rank×n
}

// NewFactor factors k by Cholesky with complete pivoting. It stops when no
// pivot is larger than tolerance·max K_ii: what is left of K has no larger
// entry. A tolerance of 0 means n·2⁻⁵², the rounding of the factorization; K
// itself should be as accurate, so float64. It fails for a matrix that is not
// finite or zero, and when ctx is done. Cost: n·rank² flops, 16n² bytes.
func NewFactor(ctx context.Context, k Matrix, tolerance float64) (*Factor, error) {
	n := k.Len()
	u := make([]float64, n*n)
	largest := 0.0
	for i := range n {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		k.Row(u[i*n:(i+1)*n], i)
		largest = math.Max(largest, u[i*n+i])
		if v := u[i*n+i]; math.IsNaN(v) || math.IsInf(v, 0) {
			return nil, fmt.Errorf("the kernel of point %d with itself is %v: scale the points, or choose another kernel", i+1, v)
		}
	}
	if !(largest > 0) {
		return nil, fmt.Errorf("the Gram matrix is zero: choose another kernel")
	}
	if tolerance == 0 {
		tolerance = float64(n) * 0x1p-52
	}
	pivots := make([]int, n)
	_, rank, _ := lapack64.Pstrf(blas64.Symmetric{N: n, Stride: n, Data: u, Uplo: blas.Upper}, pivots, tolerance*largest, make([]float64, 2*n))
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	f := &Factor{n: n, rank: rank, ct: make([]float64, rank*n)}
	for r := range rank {
		row, of := f.ct[r*n:(r+1)*n], u[r*n:(r+1)*n]
		for i := r; i < n; i++ {
			row[pivots[i]] = of[i]
		}
	}
	return f, nil
}

// Len returns the number of points.
func (f *Factor) Len() int { return f.n }

// Rank returns the number of columns of C.
func (f *Factor) Rank() int { return f.rank }

// View is the problem of a factor, a power of a Laplacian and the labelled
// points, for any weights of the norms.
type View struct {
	f        *Factor
	l        objective.Operator // nil without an intrinsic norm
	degree   int                // its power
	labelled []int
	bias     objective.Bias
	a        []float64 // A = CᵀL^pC, rank×rank, its upper half
	right    []float64 // [C_Lᵀ, CᵀL^p1], rank×width
	width    int       // l, and one more where the bias is in the norm
	one      float64   // 1ᵀL^p1
}

// Powers are the products of the powers of a Laplacian with a factor, L^jC,
// which the views of several degrees share.
type Powers struct {
	f *Factor
	l objective.Operator
	b [][]float64 // (L^jC)ᵀ, rank×n
}

// Powers starts the products of the factor with the powers of l; nil has no
// intrinsic norm.
func (f *Factor) Powers(l objective.Operator) *Powers {
	return &Powers{f: f, l: l, b: [][]float64{f.ct}}
}

// View is [Powers.View] of the first power of l.
func (f *Factor) View(ctx context.Context, l objective.Operator, labelled []int, bias objective.Bias) (*View, error) {
	return f.Powers(l).View(ctx, 1, labelled, bias)
}

// columnsPerProduct is how many columns of C the Laplacian gets at once.
const columnsPerProduct = 64

// View computes A = CᵀL^pC for the power p ≥ 1 and the labelled points. It
// fails when ctx is done. Cost: ⌈p/2⌉·rank products with L, less those that an
// earlier view has made, and n·rank² flops; 8(⌈p/2⌉·n·rank + rank²) bytes.
func (p *Powers) View(ctx context.Context, degree int, labelled []int, bias objective.Bias) (*View, error) {
	f := p.f
	if p.l == nil && bias == objective.BiasInNorm {
		bias = objective.BiasOutside // there is no norm to be in
	}
	v := &View{f: f, l: p.l, degree: degree, labelled: labelled, bias: bias, width: len(labelled)}
	if bias == objective.BiasInNorm {
		v.width++
	}
	v.right = make([]float64, f.rank*v.width)
	for r := range f.rank {
		for k, i := range labelled {
			v.right[r*v.width+k] = f.ct[r*f.n+i]
		}
	}
	if p.l == nil {
		return v, nil
	}
	// L^p = L^⌊p/2⌋·L^⌈p/2⌉.
	for len(p.b) <= (degree+1)/2 {
		last, next := p.b[len(p.b)-1], make([]float64, f.rank*f.n)
		for r0 := 0; r0 < f.rank; r0 += columnsPerProduct {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			r1 := min(r0+columnsPerProduct, f.rank)
			p.l.Mul(rows(next, f.n, r0, r1), rows(last, f.n, r0, r1))
		}
		p.b = append(p.b, next)
	}
	v.a = make([]float64, f.rank*f.rank)
	upperProduct(general(f.rank, f.rank, v.a), general(f.rank, f.n, p.b[degree/2]), general(f.rank, f.n, p.b[(degree+1)/2]))
	if bias == objective.BiasInNorm {
		ones := make([]float64, f.n)
		for i := range ones {
			ones[i] = 1
		}
		l1 := v.intrinsic([][]float64{ones})[0]
		column := make([]float64, f.rank)
		blas64.Gemv(blas.NoTrans, 1, general(f.rank, f.n, f.ct), vector(l1), 0, vector(column))
		for r, x := range column {
			v.right[r*v.width+v.width-1] = x
		}
		for _, x := range l1 {
			v.one += x
		}
	}
	return v, ctx.Err()
}

// upperProduct writes the upper half of the symmetric xyᵀ into out.
func upperProduct(out, x, y blas64.General) {
	const block = 256
	for i0 := 0; i0 < out.Rows; i0 += block {
		rows := min(block, out.Rows-i0)
		blas64.Gemm(blas.NoTrans, blas.Trans, 1, part(x, i0, rows, 0, x.Cols), part(y, i0, y.Rows-i0, 0, y.Cols), 0, part(out, i0, rows, i0, out.Cols-i0))
	}
}

// part returns a block of a matrix.
func part(x blas64.General, row, rows, column, columns int) blas64.General {
	return blas64.General{Rows: rows, Cols: columns, Stride: x.Stride, Data: x.Data[row*x.Stride+column:]}
}

// intrinsic returns L^p·x of every column x.
func (v *View) intrinsic(x [][]float64) [][]float64 {
	for range v.degree {
		y := rows(make([]float64, len(x)*v.f.n), v.f.n, 0, len(x))
		v.l.Mul(y, x)
		x = y
	}
	return x
}

// rows returns the rows from ≤ r < to of a matrix.
func rows(x []float64, n, from, to int) [][]float64 {
	var all [][]float64
	for r := from; r < to; r++ {
		all = append(all, x[r*n:(r+1)*n])
	}
	return all
}

func general(rows, cols int, data []float64) blas64.General {
	return blas64.General{Rows: rows, Cols: cols, Stride: max(cols, 1), Data: data}
}

// Gammas are the weights of the ambient and of the intrinsic norm.
type Gammas struct{ A, I float64 }

// ratio is what a factorization depends on.
func (g Gammas) ratio() float64 { return g.I / g.A }

// Each calls do for every cell, those of equal γI/γA one after the other, which
// share a factorization. It stops at the first error, of do, of ctx, or of a
// matrix that is numerically indefinite. Cost: rank³/3 + 4·rank²·l flops per
// distinct ratio, or, from about six of them on, 4/3·rank³ + 2·rank²·l once and
// rank·l² for each; little per cell; 8·rank² bytes.
func (v *View) Each(ctx context.Context, cells []Gammas, do func(i int, c *Cell) error) error {
	var ratios []float64
	of := make([]int, len(cells)) // the ratio of a cell
	for i, g := range cells {
		of[i] = slices.IndexFunc(ratios, func(r float64) bool { return sameRatio(r, g.ratio()) })
		if of[i] < 0 {
			of[i] = len(ratios)
			ratios = append(ratios, g.ratio())
		}
	}
	visit := func(r int, s *solved, err error) error {
		for i := 0; i < len(cells) && err == nil; i++ {
			if of[i] == r {
				err = do(i, s.cell(cells[i]))
			}
		}
		return err
	}
	inBand := v.inBand(ratios)
	for r, ratio := range ratios {
		if slices.Contains(inBand, r) {
			continue
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		s, err := v.at(ratio, nil)
		if err := visit(r, s, err); err != nil {
			return err
		}
	}
	if len(inBand) == 0 {
		return nil
	}
	b, err := reduce(ctx, v.f.rank, slices.Clone(v.a), v.width, v.right)
	if err != nil {
		return err
	}
	all, errs := make([]*solved, len(inBand)), make([]error, len(inBand))
	parallel.Do(len(inBand), 0, func(_, k int) { all[k], errs[k] = v.at(ratios[inBand[k]], b) })
	for k, r := range inBand {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := visit(r, all[k], errs[k]); err != nil {
			return err
		}
	}
	return nil
}

// sameRatio reports whether two ratios differ by the rounding of their
// quotients alone.
func sameRatio(x, y float64) bool { return math.Abs(x-y) <= 4*0x1p-52*math.Abs(y) }

// Cell returns the cell of one pair of weights.
func (v *View) Cell(ctx context.Context, g Gammas) (*Cell, error) {
	var cell *Cell
	err := v.Each(ctx, []Gammas{g}, func(_ int, c *Cell) error {
		cell = c
		return nil
	})
	return cell, err
}

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
// product with L.
func (c *Cell) Expansion(a []float64, b float64) (alpha, f []float64) {
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
		for i, x := range v.intrinsic([][]float64{f})[0] {
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
	return alpha, f
}

// Units returns what a unit of each labelled point's a is worth: the coefficients
// of [Cell.Expansion] are Σ_k a_k·units[k], and with the bias in the norm a
// multiple of b more. Cost: 2n·rank·l flops and l products with L.
func (c *Cell) Units() [][]float64 {
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
		units = v.intrinsic(units)
		for _, unit := range units {
			blas64.Scal(-c.ratio(), vector(unit))
		}
	}
	for k, i := range v.labelled {
		units[k][i] += 1 / c.A
	}
	return units
}

func vector(x []float64) blas64.Vector { return blas64.Vector{N: len(x), Inc: 1, Data: x} }
