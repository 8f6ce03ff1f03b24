package deformed

import (
	"context"
	"fmt"

	"lapsvm/internal/numbers/linalg"
	"lapsvm/internal/numbers/parallel"
	"lapsvm/internal/numbers/vec"
)

// Whole is the reduced problem of a pair of weights with every point labelled. Its n×n matrix S is
// (γA K⁻¹ + γI L)⁻¹ itself, so that the problem of any labels is a block of it. A label added or
// removed costs no more than the machines of the labelled points.
type Whole struct {
	Gammas
	s     linalg.Matrix // S
	u     []float64     // of the bias, at every point; nil without one
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

// Whole makes the problem of all points. It panics unless the reduction has all points as labelled, in
// their order. It fails as [Reduction.Each] does. Cost: rank³/3 + 2·n·rank² flops; 8n² bytes, and 40n²
// while it is made.
func (v *Reduction) Whole(ctx context.Context, g Gammas) (*Whole, error) {
	if len(v.labelled) != v.f.n {
		panic(fmt.Sprintf("deformed: the whole problem of a reduction with %d of %d points", len(v.labelled), v.f.n))
	}
	c, err := v.Problem(ctx, g)
	if err != nil {
		return nil, err
	}
	return &Whole{Gammas: g, s: linalg.FromSlice(v.f.n, v.f.n, c.Kernel), u: c.Bias, kappa: c.Kappa}, nil
}

// Block is the problem of some labelled points of a [Whole]: a [Problem], which is embedded,
// with the outputs of the others.
type Block struct {
	*Problem
	whole    *Whole
	labelled []int
}

// Problem returns the problem of labelled points. Cost: l² values.
func (w *Whole) Problem(labelled []int) *Block {
	l := len(labelled)
	c := &Problem{Gammas: w.Gammas, Kernel: make([]float64, 0, l*l), Kappa: w.kappa}
	for _, i := range labelled {
		for _, j := range labelled {
			c.Kernel = append(c.Kernel, w.s.Row(i)[j])
		}
		if w.u != nil {
			c.Bias = append(c.Bias, w.u[i])
		}
	}
	return &Block{Problem: c, whole: w, labelled: labelled}
}

// Outputs returns f at all n points for solutions of machines of the block,
// f = Σ_k a_k S_k + b·u. Cost: n·l multiply-adds for each.
func (b *Block) Outputs(ctx context.Context, at []*Solution) ([][]float64, error) {
	w, l := b.whole, len(b.labelled)
	a, f := linalg.New(len(at), l), linalg.New(len(at), w.s.Cols)
	for k, p := range at {
		copy(a.Row(k), p.A)
	}
	if err := linalg.Gemm(ctx, 1, a, w.rows(b.labelled), 0, f); err != nil {
		return nil, err
	}
	for k, p := range at {
		if w.u != nil {
			for i, u := range w.u {
				f.Row(k)[i] += p.B * u
			}
		}
	}
	return rows(f.Data, f.Cols, 0, len(at)), nil
}

// Covariance is S between some points and others, and S², over all points.
type Covariance struct {
	w      *Whole
	points []int
}

// Covariance returns that of some points.
func (w *Whole) Covariance(points []int) *Covariance { return &Covariance{w, points} }

// Variances returns the diagonals of both over its points. Cost: n·p multiply-adds.
func (v *Covariance) Variances(context.Context) (variance, square []float64, err error) {
	for _, i := range v.points {
		row := v.w.s.Row(i)
		variance, square = append(variance, row[i]), append(square, vec.Dot(row, row))
	}
	return variance, square, nil
}

// Columns writes both between its points and some of them, a row for each of these. It reads S once for all: of the 1,500 points of a pool, 32 rows stay in
// the second-level cache. It panics for rows of other lengths than the number of points. Cost: n·p multiply-adds for each row.
func (v *Covariance) Columns(ctx context.Context, covariance, square [][]float64, of []int) {
	for c := range of {
		if len(covariance[c]) != len(v.points) || len(square[c]) != len(v.points) {
			panic(fmt.Sprintf("deformed: columns of %d and %d values of %d points", len(covariance[c]), len(square[c]), len(v.points)))
		}
	}
	parallel.Do(ctx, len(v.points), func(_, j int) {
		row := v.w.s.Row(v.points[j])
		for c, k := range of {
			other := v.w.s.Row(v.points[k])
			covariance[c][j], square[c][j] = other[v.points[j]], vec.Dot(other, row)
		}
	})
}

// rows returns a copy of rows of S.
func (w *Whole) rows(points []int) linalg.Matrix {
	some := linalg.New(len(points), w.s.Cols)
	for k, i := range points {
		copy(some.Row(k), w.s.Row(i))
	}
	return some
}
