package describe

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"lapsvm/internal/numbers/linalg"
	"lapsvm/points"
)

// Factors is the description of a table of numbers by the few components that rise above the noise.
const Factors = "factors"

const (
	// FewestFactored is the fewest columns that factors are learned of: the noise of fewer cannot be told.
	FewestFactored = 10

	factorRows = 250 // most rows, or most columns, of the matrix whose eigenvectors are computed
)

func factorKind() columnKind {
	return columnKind{name: Factors, of: ofAll, rows: "a table of numbers", whole: LearnFactors, describe: describeScaled, validate: func(p *Part, width int) error {
		if len(p.Components) == 0 || len(p.Components)%width != 0 || p.Dim() > maxComponents || !allFinite(p.Components) {
			return fmt.Errorf("%s has components of %d numbers for %d columns, or one that is not finite", p.Name, len(p.Components), width)
		}
		return validScaling(p, width)
	}}
}

// LearnFactors learns the description [Factors] of a dense table. The columns are scaled by [points.Columns], which looks at the columns
// together that belong together, and centred. With the singular values s and the right singular vectors V of the result, m×d, a row x becomes
//
//	z_j = xv_j √m/(s_j √k),   s_j > ω(β) median s,   ω(β) = 0.56β³ − 0.95β² + 1.82β + 1.43,   β = min(m, d)/max(m, d)
//
// for the k components above the limit, at most 128. The limit is optimal for components in white noise of unknown size (Gavish and Donoho, "The optimal
// hard threshold for singular values is 4/√3", 2014, equation 5). All factors weigh alike, as what tells the classes need not vary most, and over the rows a point has
// the mean square norm 1.
//
// It learns from 5,000 rows, drawn by the seed, and from 250 of more than 250 columns. Cost: d²·m multiply-adds, or d·m², and the
// eigenvectors of a matrix of at most 250 rows. It fails for a sparse table, for less than [FewestFactored] columns or rows, and without a component above the limit.
func LearnFactors(ctx context.Context, p *points.Points, seed uint64, together ...points.Group) (*OfColumns, error) {
	width := p.Dim()
	if p.Sparse() || min(width, p.Len()) < FewestFactored {
		return nil, errors.New("factors are of dense rows of ten columns or more")
	}
	most := numbersRows
	if width > factorRows {
		most = factorRows
	}
	part, err := learnNumbers(ctx, runs{{0, width}}, together, p, seed)
	if err != nil {
		return nil, err
	}
	if part.Scaling == nil {
		return nil, errors.New("all rows are equal, and have no factors")
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	rows := sample(p.Len(), most, rand.New(rand.NewPCG(seed, 2)))
	x := linalg.New(len(rows), width)
	for i, row := range rows {
		p.CopyRow(x.Row(i), row)
	}
	scaled, mean := part.Scaling.Apply(points.Dense(len(rows), width, x.Data)), make([]float64, width)
	for i := range rows {
		scaled.CopyRow(x.Row(i), i)
		for j, v := range x.Row(i) {
			mean[j] += v / float64(len(rows))
		}
	}
	for i := range rows {
		for j, m := range mean {
			x.Row(i)[j] -= m
		}
	}
	squares, right, err := singular(ctx, x)
	if err != nil {
		return nil, err
	}
	count := min(above(squares, x.Rows, x.Cols), maxComponents)
	if count == 0 {
		return nil, errors.New("no component is above the noise")
	}
	part.Name, part.Columns = Factors, runs{{0, width}}
	part.Components = make([]float32, width*count)
	for c := range count {
		v := right.Row(c)
		largest := slices.MaxFunc(v, func(a, b float64) int { return cmp.Compare(math.Abs(a), math.Abs(b)) })
		factor := math.Copysign(math.Sqrt(float64(len(rows))/squares[c]/float64(count)), largest)
		for j := range v {
			part.Components[j*count+c] = float32(factor * v[j])
		}
	}
	d := &OfColumns{Columns: width, Parts: []Part{part}}
	return d, d.Validate()
}

// singular returns the squares of the singular values of x, the largest first, and the right singular vectors as rows.
func singular(ctx context.Context, x linalg.Matrix) (squares []float64, right linalg.Matrix, err error) {
	wide := x.Cols > x.Rows
	rows := x
	if !wide {
		rows = x.T()
	}
	side := min(x.Rows, x.Cols)
	gram := linalg.New(side, side)
	if err = linalg.Gemm(ctx, 1, rows, rows.T(), 0, gram); err != nil {
		return nil, right, err
	}
	squares, vectors, err := linalg.Eigen(ctx, gram)
	if err != nil {
		return nil, right, err
	}
	right = linalg.New(side, x.Cols)
	if !wide {
		for c := range side {
			for j := range side {
				right.Row(c)[j] = vectors.Row(j)[c]
			}
		}
		return squares, right, nil
	}
	if err = linalg.Gemm(ctx, 1, vectors.T(), x, 0, right); err != nil {
		return nil, right, err
	}
	for c := range side {
		if norm := linalg.Norm(right.Row(c)); norm > 0 {
			for j := range right.Row(c) {
				right.Row(c)[j] /= norm
			}
		}
	}
	return squares, right, nil
}

// above returns how many of the squares of the singular values of an m×d matrix, the largest first, are above the noise. Those that are
// rounding, as of columns that depend on others, do not count.
func above(squares []float64, m, d int) int {
	const rounding = 1e-12
	known := slices.IndexFunc(squares, func(s float64) bool { return !(s > rounding*squares[0]) })
	if known < 0 {
		known = len(squares)
	}
	if known == 0 {
		return 0
	}
	beta := float64(min(m, d)) / float64(max(m, d))
	limit := (0.56*beta*beta*beta - 0.95*beta*beta + 1.82*beta + 1.43) * math.Sqrt(squares[known/2])
	count := 0
	for count < known && math.Sqrt(squares[count]) > limit {
		count++
	}
	return count
}
