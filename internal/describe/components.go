package describe

import (
	"context"
	"math"
	"math/rand/v2"

	"lapsvm/internal/numbers/linalg"
	"lapsvm/internal/numbers/vec"
)

// The components that are kept: as many as hold this share of the variance, and no more than
// maxComponents.
const (
	keptShare     = 0.95
	maxComponents = 128
)

// components returns the mean of the rows of a table X of the given length, and their first
// principal components as the columns of a matrix, times the factor that gives the described rows
// a mean square norm of 1. It returns no components where the rows are equal. It subtracts the
// mean from the rows.
//
// The space of the components is that of subspace iteration, Z ← XᵀXZ, from a random start of a
// few columns more (Halko, Martinsson and Tropp, 2011, algorithm 4.4). The entry of each component
// with the largest magnitude is positive. Cost: seven products of X with 138 columns.
func components(ctx context.Context, x []float32, length int, random *rand.Rand) (mean, kept []float32, err error) {
	n := len(x) / length
	mean, variance := centre(x, length)
	if variance == 0 {
		return mean, nil, nil
	}
	const more, iterations = 10, 3
	m := min(maxComponents+more, n, length)
	z := linalg.New(m, length)
	for i := range z.Data {
		z.Data[i] = random.NormFloat64()
	}
	single, y := make([]float32, m*length), make([]float32, n*m)
	for step := 0; ; step++ {
		if z, err = orthonormal(ctx, z); err != nil {
			return nil, nil, err
		}
		vec.Narrow(single, z.Data)
		if err = vec.Gemm(ctx, false, true, n, m, length, 1, x, length, single, length, 0, y, m); err != nil {
			return nil, nil, err
		}
		if step == iterations {
			break
		}
		if err = vec.Gemm(ctx, true, false, m, length, n, 1, y, m, x, length, 0, single, length); err != nil {
			return nil, nil, err
		}
		vec.Widen(z.Data, single)
	}
	wide, gram := linalg.New(n, m), linalg.New(m, m)
	vec.Widen(wide.Data, y)
	if err = linalg.Gemm(ctx, 1, wide.T(), wide, 0, gram); err != nil {
		return nil, nil, err
	}
	values, vectors, err := linalg.Eigen(ctx, gram)
	if err != nil {
		return nil, nil, err
	}
	count, sum := 0, 0.0
	for count < min(m, maxComponents) && sum < keptShare*variance && values[count] > 0 {
		sum += values[count]
		count++
	}
	factor := math.Sqrt(float64(n) / sum)
	all := linalg.New(m, length)
	if err = linalg.Gemm(ctx, 1, vectors.T(), z, 0, all); err != nil {
		return nil, nil, err
	}
	kept = make([]float32, length*count)
	for c := range count {
		row := all.Row(c)
		largest := 0.0
		for _, v := range row {
			if math.Abs(v) > math.Abs(largest) {
				largest = v
			}
		}
		for j, v := range row {
			kept[j*count+c] = float32(math.Copysign(factor, largest) * v)
		}
	}
	return mean, kept, nil
}

// centre subtracts the mean of the rows from them, and returns it with the sum of the squares that
// are left.
func centre(x []float32, length int) (mean []float32, squares float64) {
	n := len(x) / length
	sum := make([]float64, length)
	for i := range n {
		vec.AddWide(sum, x[i*length:(i+1)*length])
	}
	mean = make([]float32, length)
	for j, s := range sum {
		mean[j] = float32(s / float64(n))
	}
	for i := range n {
		row := x[i*length : (i+1)*length]
		for j, m := range mean {
			row[j] -= m
			squares += float64(row[j]) * float64(row[j])
		}
	}
	return mean, squares
}

// leastApart is the distance of a row of length 1 to the span of those before it, below which Cholesky's method is too
// inaccurate to make rows orthonormal: the error is about 1e-16 over the square.
const leastApart = 1e-4

// orthonormal returns a matrix with orthonormal rows. Their span contains that of the rows of a,
// which it overwrites. a has at most as many rows as columns. With AAᵀ = UᵀU the rows are those of U⁻ᵀA. Rows that nearly depend on
// others are reflected instead, which takes four times as long.
func orthonormal(ctx context.Context, a linalg.Matrix) (linalg.Matrix, error) {
	m, length := a.Rows, a.Cols
	apart := true
	for i := range m {
		norm := linalg.Norm(a.Row(i))
		if apart = apart && norm > 0; norm > 0 {
			vec.Divide(a.Row(i), norm)
		}
	}
	if apart {
		u := linalg.New(m, m)
		if err := linalg.Syrk(ctx, 1, a, 0, u); err != nil {
			return linalg.Matrix{}, err
		}
		ok, err := linalg.Cholesky(ctx, u)
		if err != nil {
			return linalg.Matrix{}, err
		}
		for i := range m {
			ok = ok && u.Row(i)[i] > leastApart
		}
		if ok {
			return a, linalg.SolveUpper(ctx, u.T(), a)
		}
	}
	v := linalg.New(m, length)
	t, err := linalg.LQ(ctx, a, v)
	if err != nil {
		return linalg.Matrix{}, err
	}
	x := linalg.New(length, m)
	for i := range m {
		x.Row(i)[i] = 1
	}
	if err := linalg.Reflect(ctx, v, t, x); err != nil {
		return linalg.Matrix{}, err
	}
	vec.Transpose(length, m, x.Data, m, a.Data, length)
	return a, nil
}
