package linalg

import (
	"context"
	"fmt"

	"lapsvm/internal/numbers/vec"
)

// The sizes up to which a matrix is factored at once, and a factor inverted
// column by column.
const (
	choleskyBase = 256
	inverseBase  = 32
)

// Cholesky factors a symmetric positive definite matrix, A = UᵀU. It reads the
// upper half of a and overwrites it by U; the lower half stays. It is not ok
// where A is not positive definite, up to rounding, or not finite. It works by
// halving, so that nearly all of a large one is products. Cost: n³/3 flops.
func Cholesky(ctx context.Context, a Matrix) (ok bool, err error) {
	a.mustBeSquare("Cholesky")
	n := a.Rows
	if n <= choleskyBase {
		return vec.Cholesky(n, a.Data, a.Stride), ctx.Err()
	}
	const whole = 16 // fills vectors
	half := n / 2 / whole * whole
	u11, u12, a22 := a.Block(0, half, 0, half), a.Block(0, half, half, n-half), a.Block(half, n-half, half, n-half)
	if ok, err := Cholesky(ctx, u11); !ok || err != nil {
		return ok, err
	}
	if err := SolveUpper(ctx, u11.T(), u12); err != nil {
		return false, err
	}
	if err := Syrk(ctx, -1, u12.T(), 1, a22); err != nil {
		return false, err
	}
	return Cholesky(ctx, a22)
}

func scale(x []float64, by float64) {
	for i := range x {
		x[i] *= by
	}
}

// CholeskySolve overwrites x by A⁻¹x for the factor U of A = UᵀU. Cost: 2n²
// flops.
func CholeskySolve(u Matrix, x []float64) {
	u.mustBeSquare("CholeskySolve")
	if len(x) != u.Rows {
		panic(fmt.Sprintf("linalg: CholeskySolve of %d×%d with %d values", u.Rows, u.Cols, len(x)))
	}
	for i := range x { // Uᵀy = x
		row := u.Row(i)
		x[i] /= row[i]
		vec.Axpy(-x[i], row[i+1:], x[i+1:])
	}
	solveUpperVector(u, x)
}

// solveUpperVector overwrites x by U⁻¹x.
func solveUpperVector(u Matrix, x []float64) {
	for i := len(x) - 1; i >= 0; i-- {
		row := u.Row(i)
		x[i] = (x[i] - vec.Dot(row[i+1:], x[i+1:])) / row[i]
	}
}

// CholeskyInverse returns the inverse of A = UᵀU, both halves. It works by
// halving: with W = U11⁻¹U12 and S = (U22ᵀU22)⁻¹ it is
//
//	( (U11ᵀU11)⁻¹ + WSWᵀ   −WS )
//	( −SWᵀ                   S )
//
// Cost: 5/6·n³ flops and n² values beside the result.
func CholeskyInverse(ctx context.Context, u Matrix) (Matrix, error) {
	u.mustBeSquare("CholeskyInverse")
	inverse, scratch := New(u.Rows, u.Rows), New(u.Rows, u.Rows)
	if err := invert(ctx, u, inverse, scratch); err != nil {
		return Matrix{}, err
	}
	// A full product is symmetric only up to rounding.
	Mirror(ctx, inverse)
	return inverse, nil
}

func invert(ctx context.Context, u, inverse, scratch Matrix) error {
	n := u.Rows
	if n <= inverseBase {
		invertSmall(u, inverse)
		return ctx.Err()
	}
	half := n / 2
	part := func(a Matrix, i, j int) Matrix { // 0 is the first half, 1 the second
		from, size := [2]int{0, half}, [2]int{half, n - half}
		return a.Block(from[i], size[i], from[j], size[j])
	}
	if err := invert(ctx, part(u, 1, 1), part(inverse, 1, 1), part(scratch, 1, 1)); err != nil {
		return err
	}
	s := part(inverse, 1, 1)
	Mirror(ctx, s)
	if err := invert(ctx, part(u, 0, 0), part(inverse, 0, 0), part(scratch, 0, 0)); err != nil {
		return err
	}
	w, ws := part(scratch, 0, 1), part(inverse, 0, 1) // ws is −WS
	for i := range half {
		copy(w.Row(i), part(u, 0, 1).Row(i))
	}
	if err := SolveUpper(ctx, part(u, 0, 0), w); err != nil {
		return err
	}
	if err := Gemm(ctx, -1, w, s, 0, ws); err != nil {
		return err
	}
	return Gemm(ctx, -1, ws, w.T(), 1, part(inverse, 0, 0))
}

// invertSmall writes (UᵀU)⁻¹ = XXᵀ, X = U⁻¹, into the upper half of out, and
// leaves nothing else there.
func invertSmall(u, out Matrix) {
	n := u.Rows
	x := New(n, n)
	for i := n - 1; i >= 0; i-- { // row i of UX = I
		row, of := x.Row(i), u.Row(i)
		row[i] = 1
		for k := i + 1; k < n; k++ {
			vec.Axpy(-of[k], x.Row(k)[k:], row[k:])
		}
		scale(row[i:], 1/of[i])
	}
	for i := range n {
		row, of := out.Row(i), x.Row(i)
		clear(row)
		for j := i; j < n; j++ {
			row[j] = vec.Dot(of[j:], x.Row(j)[j:])
		}
	}
}
