package deformed

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"lapsvm/internal/numbers/linalg"
	"lapsvm/internal/numbers/objective"
	"lapsvm/internal/numbers/parallel"
	"lapsvm/internal/numbers/vec"
)

// Whole is the reduced problem of a pair of weights with every point labelled. Its n×n matrix S is
// (γA K⁻¹ + γI L)⁻¹ itself, so that the problem of any labels is a block of it. A label added or
// removed costs no more than the machines of the labelled points.
type Whole struct {
	Gammas
	f     *Factor
	place []int         // of every point in the order of the pivots
	s     linalg.Matrix // S, in that order
	u     []float64     // of the bias, at every point, in that order; nil without one
	kappa float64
}

// Every returns the points 0 … n − 1 of a factor, those of a reduction that [Reduction.Whole] takes.
func (f *Factor) Every() []int {
	all := make([]int, f.n)
	for i := range all {
		all[i] = i
	}
	return all
}

// Whole makes the problem of all points for the power p ≥ 1 of the Laplacian. I + ρA = VᵀV with a lower triangle V, from the last
// row to the first, leaves the triangle Cᵀ one: W = V⁻ᵀCᵀ, and S = WᵀW/γA. So this takes about half of what a [Reduction] of all points does.
// It fails as [Reduction.Problem] does. No reduction of the powers may be used any more. Cost:
// p·rank products with L and 5/3·n³ flops, less for a lower rank; 8n² bytes, and 24n² while it is made.
func (p *Powers) Whole(ctx context.Context, degree int, g Gammas, bias objective.Bias) (*Whole, error) {
	v, err := p.Reduction(ctx, degree, nil, bias)
	if err != nil {
		return nil, err
	}
	p.Close()
	f := p.f
	n, rank, ratio := f.n, f.rank, g.ratio()
	root, one := linalg.FromSlice(rank, n, f.take()), linalg.New(rank, v.width) // with their rows from the last to the first, W and V⁻ᵀCᵀL1
	for r := range rank {
		copy(root.Row(rank-1-r), f.ct[r*n:(r+1)*n])
		copy(one.Row(rank-1-r), v.right[r*v.width:(r+1)*v.width])
	}
	if ratio > 0 && v.l != nil {
		m := linalg.FromSlice(rank, rank, v.a)
		reverse(m)
		for r := range rank {
			row := m.Row(r)[r:]
			for j := range row {
				row[j] *= ratio
			}
			row[0]++
		}
		if ok, err := linalg.Cholesky(ctx, m); err != nil || !ok {
			return nil, cmp.Or(err, indefinite(ratio))
		}
		if err := linalg.SolveUpper(ctx, m.T(), one); err != nil {
			return nil, err
		}
		for from := 0; from < n; from += columnsPerBlock {
			count := min(columnsPerBlock, n-from)
			first := max(rank-from-count, 0) // row that is not 0
			if err := linalg.SolveUpper(ctx, m.Block(first, rank-first, first, rank-first).T(), root.Block(first, rank-first, from, count)); err != nil {
				return nil, err
			}
		}
	}
	w := &Whole{Gammas: g, f: f, place: make([]int, n)}
	for k, i := range f.order {
		w.place[i] = k
	}
	if v.bias != objective.NoBias {
		w.u = slices.Repeat([]float64{1}, n)
	}
	if v.bias == objective.BiasInNorm {
		at := make([]float64, n)
		linalg.MulVec(ctx, at, root.T(), one.Data)
		vec.Axpy(-ratio, at, w.u)
		w.kappa = g.I * math.Max(v.one-ratio*vec.Dot(one.Data, one.Data), 0)
	}
	v.Close()
	if rank < n {
		w.s = linalg.New(n, n)
	} else {
		w.s = linalg.FromSlice(n, n, f.take())
	}
	for from := 0; from < n; from += columnsPerBlock {
		count := min(columnsPerBlock, n-from)
		first := max(rank-from-count, 0)
		right := root.Block(first, rank-first, from, n-from)
		if err := linalg.Gemm(ctx, 1/g.A, right.Block(0, rank-first, 0, count).T(), right, 0, w.s.Block(from, count, from, n-from)); err != nil {
			return nil, err
		}
	}
	linalg.Mirror(ctx, w.s)
	return w, nil
}

// Alone makes the problem of all points of a supervised machine, whose S is K/γA. It fails when ctx is done. Cost: n² values of K.
func Alone(ctx context.Context, k objective.Rows, gammaA float64, bias objective.Bias) (*Whole, error) {
	n := k.Len()
	w := &Whole{Gammas: Gammas{A: gammaA}, f: &Factor{n: n, order: make([]int32, n)}, place: make([]int, n), s: linalg.New(n, n)}
	for i := range n {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		w.place[i], w.f.order[i] = i, int32(i)
		row := w.s.Row(i)
		k.Row(row, i)
		for j := range row {
			row[j] /= gammaA
		}
	}
	if bias != objective.NoBias {
		w.u = slices.Repeat([]float64{1}, n)
	}
	return w, nil
}

// columnsPerBlock is how many columns of a triangle are as high as the highest of them.
const columnsPerBlock = 128

// reverse turns the rows and columns of a symmetric matrix in its upper half, from the last to the first.
func reverse(a linalg.Matrix) {
	last := a.Rows - 1
	for i := range a.Rows {
		for j := i; j < last-i; j++ {
			x, y := &a.Row(i)[j], &a.Row(last - j)[last-i]
			*x, *y = *y, *x
		}
	}
}

// Block is the problem of some labelled points of a [Whole]: a [Problem], which is embedded,
// with the outputs of the others.
type Block struct {
	*Problem
	whole *Whole
	at    []int // the rows of its points
}

// Problem returns the problem of labelled points. Cost: l² values.
func (w *Whole) Problem(labelled []int) *Block {
	l, at := len(labelled), w.rowsOf(labelled)
	c := &Problem{Gammas: w.Gammas, Kernel: make([]float64, 0, l*l), Kappa: w.kappa}
	for _, i := range at {
		for _, j := range at {
			c.Kernel = append(c.Kernel, w.s.Row(i)[j])
		}
		if w.u != nil {
			c.Bias = append(c.Bias, w.u[i])
		}
	}
	return &Block{Problem: c, whole: w, at: at}
}

// rowsOf returns the rows of points.
func (w *Whole) rowsOf(points []int) []int {
	at := make([]int, len(points))
	for k, i := range points {
		at[k] = w.place[i]
	}
	return at
}

// Outputs returns f at all n points for solutions of machines of the block,
// f = Σ_k a_k S_k + b·u. Cost: n·l multiply-adds for each.
func (b *Block) Outputs(ctx context.Context, at []*Solution) ([][]float64, error) {
	w, n := b.whole, b.whole.f.n
	a, some, pivots := linalg.New(len(at), len(b.at)), linalg.New(len(b.at), n), linalg.New(len(at), n)
	for k, p := range at {
		copy(a.Row(k), p.A)
	}
	for k, i := range b.at {
		copy(some.Row(k), w.s.Row(i))
	}
	if err := linalg.Gemm(ctx, 1, a, some, 0, pivots); err != nil {
		return nil, err
	}
	f := rows(make([]float64, len(at)*n), n, 0, len(at))
	for k, p := range at {
		if w.u != nil {
			vec.Axpy(p.B, w.u, pivots.Row(k))
		}
		w.f.toPoints(f[k], pivots.Row(k))
	}
	return f, nil
}

// Covariance is S between some points and others, and S², over all points.
type Covariance struct {
	w  *Whole
	at []int // the rows of its points
}

// Covariance returns that of some points.
func (w *Whole) Covariance(points []int) *Covariance { return &Covariance{w, w.rowsOf(points)} }

// Variances returns the diagonals of both over its points. Cost: n·p multiply-adds.
func (v *Covariance) Variances(context.Context) (variance, square []float64, err error) {
	for _, i := range v.at {
		row := v.w.s.Row(i)
		variance, square = append(variance, row[i]), append(square, vec.Dot(row, row))
	}
	return variance, square, nil
}

// Columns writes both between its points and some of them, a row for each of these. It reads S once for all: of the 1,500 points of a pool, 32 rows stay in
// the second-level cache. It panics for rows of other lengths than the number of points. Cost: n·p multiply-adds for each row.
func (v *Covariance) Columns(ctx context.Context, covariance, square [][]float64, of []int) {
	for c := range of {
		if len(covariance[c]) != len(v.at) || len(square[c]) != len(v.at) {
			panic(fmt.Sprintf("deformed: columns of %d and %d values of %d points", len(covariance[c]), len(square[c]), len(v.at)))
		}
	}
	parallel.Do(ctx, len(v.at), func(_, j int) {
		row := v.w.s.Row(v.at[j])
		for c, k := range of {
			other := v.w.s.Row(v.at[k])
			covariance[c][j], square[c][j] = other[v.at[j]], vec.Dot(other, row)
		}
	})
}
