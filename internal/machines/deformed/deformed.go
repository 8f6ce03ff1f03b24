// Package deformed solves the training problem in the space of its labelled points. K is the Gram
// matrix, L a power of the graph Laplacian, and J_L holds the rows of the l labelled points. All
// other points can be eliminated from
//
//	½ Σ_i c_i·loss(y_i, f_i) + ½ γA αᵀKα + ½ γI hᵀLh
//
// What remains is an ordinary problem of l variables with the deformed kernel
//
//	S = J_L (γA K⁻¹ + γI L)⁻¹ J_Lᵀ = C_L (γA I + γI A)⁻¹ C_Lᵀ,   K = CCᵀ,  A = CᵀLC
//
// (Sindhwani, Niyogi and Belkin, "Beyond the Point Cloud", ICML 2005). One matrix A serves every
// (γA, γI), every column of targets and every leave-one-out round. A [Factor] holds C, a [Reduction] A
// and a [Problem] one S. A [Machine] solves one column on a problem, exactly.
package deformed

import (
	"cmp"
	"context"
	"errors"
	"math"
	"slices"

	"lapsvm/internal/numbers/linalg"
	"lapsvm/internal/numbers/objective"
	"lapsvm/internal/numbers/parallel"
	"lapsvm/internal/system/fault"
)

// Reduction is the problem of a factor, a power of a Laplacian and the labelled
// points, for any weights of the norms.
type Reduction struct {
	f        *Factor
	l        objective.Operator // L^p in the order of the pivots; nil without an intrinsic norm
	labelled []int
	bias     objective.Bias
	b        []float64   // (L^pC)ᵀ, rank×n
	largest  float64     // of A's diagonal
	a        []float64   // A = CᵀL^pC, rank×rank, its upper half; nil once it is reduced to a band
	taken    [][]float64 // where it is, and bands that were made of it
	right    []float64   // [C_Lᵀ, CᵀL^p1], rank×width
	root     []float64   // memory of that size which the last ratio has left; nil for none
	width    int         // l, and one more where the bias is in the norm
	one      float64     // 1ᵀL^p1
}

// Powers makes the reductions of several powers of a Laplacian, from L^jC of the last
// of them on where the next has a higher power.
type Powers struct {
	f      *Factor
	power  func(degree int) objective.Operator
	degree int       // j
	b      []float64 // (L^jC)ᵀ, rank×n, in the order of the pivots
}

// Powers starts with the factor itself. power returns L^p for p ≥ 1, with the points in the
// factor's [Factor.Order], of its own for every call; nil has no intrinsic norm.
func (f *Factor) Powers(power func(degree int) objective.Operator) *Powers {
	return &Powers{f: f, power: power, b: f.ct}
}

// Reduction is [Powers.Reduction] of l alone, which has the points in their own order.
func (f *Factor) Reduction(ctx context.Context, l objective.Operator, labelled []int, bias objective.Bias) (*Reduction, error) {
	if l == nil {
		return f.Powers(nil).Reduction(ctx, 1, labelled, bias)
	}
	return f.Powers(func(int) objective.Operator { return pivoted{l, f} }).Reduction(ctx, 1, labelled, bias)
}

// pivoted is an operator with its points in the order of the pivots of a factor.
type pivoted struct {
	objective.Operator
	f *Factor
}

func (p pivoted) Mul(ctx context.Context, dst, src [][]float64) error {
	n := p.f.n
	x, y := rows(make([]float64, len(src)*n), n, 0, len(src)), rows(make([]float64, len(src)*n), n, 0, len(src))
	for c := range src {
		p.f.toPoints(x[c], src[c])
	}
	if err := p.Operator.Mul(ctx, y, x); err != nil {
		return err
	}
	for c := range dst {
		for k, i := range p.f.order {
			dst[c][k] = y[c][i]
		}
	}
	return nil
}

// Reduction computes A = CᵀL^pC for the power p ≥ 1 and the labelled points. It
// fails when ctx is done. Cost: p·rank products with L, less those that an
// earlier reduction has made, and n·rank² − ⅔·rank³ flops; 8(n·rank + rank²) bytes.
func (p *Powers) Reduction(ctx context.Context, degree int, labelled []int, bias objective.Bias) (*Reduction, error) {
	f := p.f
	if p.power == nil && bias == objective.BiasInNorm {
		bias = objective.BiasOutside // there is no norm to be in
	}
	v := &Reduction{f: f, labelled: labelled, bias: bias, width: len(labelled)}
	if bias == objective.BiasInNorm {
		v.width++
	}
	v.right = make([]float64, f.rank*v.width)
	place := make([]int, f.n)
	for k, i := range f.order {
		place[i] = k
	}
	for r := range f.rank {
		for k, i := range labelled {
			v.right[r*v.width+k] = f.ct[r*f.n+place[i]]
		}
	}
	if p.power == nil {
		return v, nil
	}
	v.l = p.power(degree)
	if err := p.raise(ctx, degree); err != nil {
		return nil, err
	}
	v.b = p.b
	if err := v.multiply(ctx); err != nil {
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
		l1, column := products[0], make([]float64, f.rank)
		linalg.MulVec(ctx, column, linalg.FromSlice(f.rank, f.n, f.ct), l1)
		for r, x := range column {
			v.right[r*v.width+v.width-1] = x
		}
		for _, x := range l1 {
			v.one += x
		}
	}
	return v, ctx.Err()
}

// multiply makes A, unless it is there.
func (v *Reduction) multiply(ctx context.Context) error {
	if v.a != nil {
		return nil
	}
	f := v.f
	memory := f.take()
	v.taken = append(v.taken, memory)
	a := linalg.FromSlice(f.rank, f.rank, memory[:f.rank*f.rank])
	if err := linalg.GemmtUpper(ctx, linalg.FromSlice(f.rank, f.n, v.b), linalg.FromSlice(f.rank, f.n, f.ct), a); err != nil {
		return err
	}
	v.a, v.largest = a.Data, 0
	for i := range f.rank {
		v.largest = max(v.largest, a.Data[i*f.rank+i])
	}
	return nil
}

// columnsPerProduct is how many columns of C the Laplacian gets at once.
const columnsPerProduct = 64

// raise makes L^jC of another degree j.
func (p *Powers) raise(ctx context.Context, degree int) error {
	f, n := p.f, p.f.n
	if degree < p.degree {
		p.degree, p.b = 0, f.ct
	}
	if degree == p.degree {
		return nil
	}
	l, b := p.power(degree-p.degree), f.take()
	for r0 := 0; r0 < f.rank; r0 += columnsPerProduct {
		r1 := min(r0+columnsPerProduct, f.rank)
		if err := l.Mul(ctx, rows(b, n, r0, r1), rows(p.b, n, r0, r1)); err != nil {
			return err
		}
	}
	p.degree, p.b = degree, b
	return nil
}

// Close leaves the memory of the products to other reductions of the factor. No reduction that p
// has made may be used any more.
func (p *Powers) Close() {
	if p.degree > 0 {
		p.f.giveBack(p.b)
	}
	p.degree, p.b = 0, p.f.ct
}

// Close leaves the memory of A to other reductions of the factor. Neither the reduction nor its
// problems may be used any more.
func (v *Reduction) Close() {
	v.f.giveBack(v.taken...)
	v.a, v.b, v.taken = nil, nil, nil
}

// intrinsic returns L^p·x of every column x, in the order of the pivots.
func (v *Reduction) intrinsic(ctx context.Context, x [][]float64) ([][]float64, error) {
	y := rows(make([]float64, len(x)*v.f.n), v.f.n, 0, len(x))
	return y, v.l.Mul(ctx, y, x)
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

// ErrRounding is the error for a ratio γI/γA whose matrix is numerically indefinite.
var ErrRounding = fault.Rounding.Errorf("too large for double precision")

// Each calls do for every problem, those of equal γI/γA one after the other, as [Reduction.Groups] does for groups of
// them.
func (v *Reduction) Each(ctx context.Context, grid []Gammas, do func(i int, c *Problem) error) error {
	return v.Groups(ctx, grid, func(which []int, some []*Problem) error {
		for k, c := range some {
			if err := do(which[k], c); err != nil {
				return err
			}
		}
		return nil
	})
}

// Groups calls do for groups of problems, with their places in the list. Problems of equal γI/γA share a
// factorization, or those of all ratios share a band. [Outputs] takes problems of one group together. It stops at the
// first error, of do or of ctx. Problems of a matrix that is
// numerically indefinite are passed over, and Groups fails with [ErrRounding] after the others. When do has returned, its problems
// have their reduced problems alone, see [Problem.Reduced], as the next ratio takes the memory of their factorization.
// Cost: rank³/3 + rank²·l flops per
// distinct ratio, or, from about six of them on, 4/3·rank³ + 2·rank²·l once and
// rank·l² for each, after which another call makes A again; little per problem.
func (v *Reduction) Groups(ctx context.Context, grid []Gammas, do func(which []int, some []*Problem) error) error {
	var ratios []float64
	var with [][]int // the problems of each
	for i, g := range grid {
		at := slices.IndexFunc(ratios, func(r float64) bool { return sameRatio(r, g.ratio()) })
		if at < 0 {
			at, ratios, with = len(ratios), append(ratios, g.ratio()), append(with, nil)
		}
		with[at] = append(with[at], i)
	}
	var indefinite error
	var which []int
	var some []*Problem
	take := func(r int, s *ratioProblem, err error) error {
		if errors.Is(err, ErrRounding) {
			indefinite = cmp.Or(indefinite, err)
			return nil
		}
		if err != nil {
			return err
		}
		for _, i := range with[r] {
			which, some = append(which, i), append(some, s.problem(grid[i]))
		}
		return nil
	}
	visit := func() error {
		if len(some) == 0 {
			return nil
		}
		err := do(which, some)
		which, some = nil, nil
		return err
	}
	inBand := v.inBand(ratios)
	if v.l != nil {
		if err := v.multiply(ctx); err != nil {
			return err
		}
	}
	for r, ratio := range ratios {
		if slices.Contains(inBand, r) {
			continue
		}
		s, err := v.ratioProblem(ctx, ratio, nil)
		if err := cmp.Or(take(r, s, err), visit()); err != nil {
			return err
		}
		if s != nil && s.factored != nil {
			v.f.giveBack(s.factored)
			v.root = s.root
		}
	}
	if len(inBand) == 0 {
		return indefinite
	}
	a := v.a
	v.a = nil
	b, err := reduce(ctx, v.f.rank, a, v.width, v.right)
	if err != nil {
		return err
	}
	all, errs := make([]*ratioProblem, len(inBand)), make([]error, len(inBand))
	parallel.Do(ctx, len(inBand), func(_, k int) { all[k], errs[k] = v.ratioProblem(ctx, ratios[inBand[k]], b) })
	if err := ctx.Err(); err != nil {
		return err
	}
	for k, r := range inBand {
		if err := take(r, all[k], errs[k]); err != nil {
			return err
		}
	}
	return cmp.Or(visit(), indefinite)
}

// sameRatio reports whether two ratios differ by the rounding of their
// quotients alone.
func sameRatio(x, y float64) bool { return math.Abs(x-y) <= 4*0x1p-52*math.Abs(y) }

// Problem returns the problem of one pair of weights. It fails with [ErrRounding] where the matrix is numerically indefinite. Cost: as one
// of [Reduction.Groups].
func (v *Reduction) Problem(ctx context.Context, g Gammas) (*Problem, error) {
	if v.l != nil {
		if err := v.multiply(ctx); err != nil {
			return nil, err
		}
	}
	s, err := v.ratioProblem(ctx, g.ratio(), nil)
	if err != nil {
		return nil, err
	}
	return s.problem(g), nil
}
