package describe

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"

	"lapsvm/internal/numbers/linalg"
	"lapsvm/points"
)

// HalfWhitened is the description of vectors in which the deviations of all directions are the roots of what they were.
const HalfWhitened = "half-whitened"

const (
	fewestWhitened = 2    // rows
	mostWhitened   = 1024 // columns: the eigenvectors of their covariance are computed
)

func halfWhitenedKind() columnKind {
	return columnKind{name: HalfWhitened, of: ofAll, rows: "a table of numbers", whole: learnHalfWhitened, describe: describeScaled, validate: func(p *Part, width int) error {
		if len(p.Components) != width*width || !allFinite(p.Components) {
			return fmt.Errorf("%s has components of %d numbers for %d columns, or one that is not finite", p.Name, len(p.Components), width)
		}
		return validScaling(p, width)
	}}
}

// learnHalfWhitened learns the description [HalfWhitened] of a dense table. A row x becomes
//
//	z = c·S^(−¼)(x − mean),   S = (1 − ρ)C + ρ(tr C/d)I,   ρ = min(1, Σ_i ‖x̃_i x̃_iᵀ − C‖²/(m²‖C − (tr C/d)I‖²))
//
// with the covariance C of m rows x̃ = x − mean. ρ is the shrinkage with the least expected
// error (Ledoit and Wolf, "A well-conditioned estimator for large-dimensional covariance matrices", 2004). By c the rows have
// the mean square norm 1.
//
// It learns from 5,000 rows, drawn by the seed. Cost: d²·m multiply-adds, and the eigenvectors of a d×d matrix. It fails for a sparse table, for more than
// 1,024 columns, and where all rows are equal.
func learnHalfWhitened(ctx context.Context, p *points.Points, seed uint64, _ ...points.Group) (*OfColumns, error) {
	width := p.Dim()
	if p.Sparse() || width > mostWhitened || p.Len() < fewestWhitened {
		return nil, fmt.Errorf("%s is of dense rows of up to %d columns, and of two rows or more", HalfWhitened, mostWhitened)
	}
	rows := sample(p.Len(), numbersRows, rand.New(rand.NewPCG(seed, 3)))
	x := linalg.New(len(rows), width)
	mean := make([]float64, width)
	for i, row := range rows {
		p.CopyRow(x.Row(i), row)
		for j, v := range x.Row(i) {
			mean[j] += v / float64(len(rows))
		}
	}
	for i := range rows {
		for j, m := range mean {
			x.Row(i)[j] -= m
		}
	}
	matrix, err := shrunkPower(ctx, x, -0.25)
	if err != nil {
		return nil, err
	}
	// Numbers beyond [Beyond] deviations are cut off, and components are float32: both are of rows with the mean square 1.
	size, length := 0.0, 0.0
	for _, v := range x.Data {
		size += v * v / float64(len(x.Data))
	}
	described := linalg.New(len(rows), width)
	if err := linalg.Gemm(ctx, 1, x, matrix, 0, described); err != nil {
		return nil, err
	}
	for _, v := range described.Data {
		length += v * v / float64(len(rows))
	}
	size, length = math.Sqrt(size), math.Sqrt(length)
	if !(size > 0 && length > 0) || math.IsInf(size, 1) || math.IsInf(length, 1) {
		return nil, errors.New("all rows are equal, or their squares leave the range of numbers")
	}
	part := Part{Name: HalfWhitened, Columns: runs{{0, width}}, Components: make([]float32, width*width),
		Scaling: &points.Scaling{Kind: points.Columns, Shift: mean, Factor: make([]float64, width), Centre: make([]float64, width), Width: make([]float64, width)}}
	for j := range width {
		part.Scaling.Factor[j] = 1 / size
	}
	for k, v := range matrix.Data {
		part.Components[k] = float32(v * size / length)
	}
	d := &OfColumns{Columns: width, Parts: []Part{part}}
	return d, d.Validate()
}

// shrunkPower returns a power of the shrunk covariance of centred rows.
func shrunkPower(ctx context.Context, x linalg.Matrix, power float64) (linalg.Matrix, error) {
	m, d := float64(x.Rows), float64(x.Cols)
	c := linalg.New(x.Cols, x.Cols)
	if err := linalg.Gemm(ctx, 1/m, x.T(), x, 0, c); err != nil {
		return c, err
	}
	trace, squares, fourth := 0.0, 0.0, 0.0
	for j := range c.Rows {
		trace += c.Row(j)[j]
	}
	for _, v := range c.Data {
		squares += v * v
	}
	for i := range x.Rows {
		norm := linalg.Norm(x.Row(i))
		fourth += norm * norm * norm * norm
	}
	rho := 1.0
	if apart := squares - trace*trace/d; apart > 0 {
		rho = min(1, (fourth/m-squares)/(m*apart))
	}
	values, vectors, err := linalg.Eigen(ctx, c)
	if err != nil {
		return c, err
	}
	scaled := linalg.New(x.Cols, x.Cols)
	for i := range scaled.Rows {
		for k, v := range vectors.Row(i) {
			scaled.Row(i)[k] = v * math.Pow((1-rho)*max(values[k], 0)+rho*trace/d, power)
		}
	}
	return c, linalg.Gemm(ctx, 1, scaled, vectors.T(), 0, c)
}
