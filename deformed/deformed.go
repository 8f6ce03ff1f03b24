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

	"lapsvm/internal/linalg"
	"lapsvm/internal/parallel"
	"lapsvm/objective"
)

// Bytes estimates the memory in bytes that a [Factor] of n points, [View]s on it up to
// the given power of the Laplacian and the machines of so many ratios of the weights
// take with labelled points, while they are made: the factor, its ⌈p/2⌉ products, A and
// its reduction, and for each ratio a band, the solution and the outputs.
func Bytes(n, degree, labelled, ratios int) int64 {
	square, band := int64(n)*int64(n), int64(n)*int64(labelled+1)
	return 8 * (square*int64(3+(degree+1)/2) + band*int64(3*ratios+5))
}

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
func NewFactor(ctx context.Context, k objective.Rows, tolerance float64) (*Factor, error) {
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
	order, rank, err := linalg.PivotedCholesky(ctx, linalg.Of(n, n, u), tolerance*largest)
	if err != nil {
		return nil, err
	}
	f := &Factor{n: n, rank: rank, ct: make([]float64, rank*n)}
	for r := range rank {
		row, of := f.ct[r*n:(r+1)*n], u[r*n:(r+1)*n]
		for i := r; i < n; i++ {
			row[order[i]] = of[i]
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
			r1 := min(r0+columnsPerProduct, f.rank)
			if err := p.l.Mul(ctx, rows(next, f.n, r0, r1), rows(last, f.n, r0, r1)); err != nil {
				return nil, err
			}
		}
		p.b = append(p.b, next)
	}
	v.a = make([]float64, f.rank*f.rank)
	if err := linalg.Gemmt(ctx, 1, linalg.Of(f.rank, f.n, p.b[degree/2]), linalg.Of(f.rank, f.n, p.b[(degree+1)/2]).T(), 0, linalg.Of(f.rank, f.rank, v.a)); err != nil {
		return nil, err
	}
	if bias == objective.BiasInNorm {
		ones := make([]float64, f.n)
		for i := range ones {
			ones[i] = 1
		}
		products, err := v.intrinsic(ctx, [][]float64{ones})
		if err != nil {
			return nil, err
		}
		l1 := products[0]
		column := make([]float64, f.rank)
		linalg.MulVec(ctx, column, linalg.Of(f.rank, f.n, f.ct), l1)
		for r, x := range column {
			v.right[r*v.width+v.width-1] = x
		}
		for _, x := range l1 {
			v.one += x
		}
	}
	return v, ctx.Err()
}

// intrinsic returns L^p·x of every column x.
func (v *View) intrinsic(ctx context.Context, x [][]float64) ([][]float64, error) {
	for range v.degree {
		y := rows(make([]float64, len(x)*v.f.n), v.f.n, 0, len(x))
		if err := v.l.Mul(ctx, y, x); err != nil {
			return nil, err
		}
		x = y
	}
	return x, nil
}

// rows returns the rows from ≤ r < to of a matrix.
func rows(x []float64, n, from, to int) [][]float64 {
	var all [][]float64
	for r := from; r < to; r++ {
		all = append(all, x[r*n:(r+1)*n])
	}
	return all
}

// Gammas are the weights of the ambient and of the intrinsic norm.
type Gammas struct{ A, I float64 }

// ratio is what a factorization depends on.
func (g Gammas) ratio() float64 { return g.I / g.A }

// Each calls do for every cell, those of equal γI/γA one after the other, which
// share a factorization. It stops at the first error, of do, of ctx, or of a
// matrix that is numerically indefinite. Cost: rank³/3 + rank²·l flops per
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
	visit := func(r int, s *ratioProblem, err error) error {
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
		s, err := v.ratioProblem(ctx, ratio, nil)
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
	all, errs := make([]*ratioProblem, len(inBand)), make([]error, len(inBand))
	parallel.Do(ctx, len(inBand), func(_, k int) { all[k], errs[k] = v.ratioProblem(ctx, ratios[inBand[k]], b) })
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
