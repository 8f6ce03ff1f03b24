// Package linalg factors dense float64 matrices and solves with the factors: Cholesky's
// factorization, as it is and with complete pivoting, LU, LQ, and the products that they and their
// callers are made of.
//
// Long operations take a context. Its limit is that of the goroutines ([parallel.WithLimit]). Once
// the context is done a function ends between two blocks with its error, and its output is
// undefined. The bits of a result do not depend on the limit. Functions panic where shapes do not
// fit.
package linalg

import (
	"context"
	"fmt"

	"lapsvm/internal/numbers/parallel"
	"lapsvm/internal/numbers/vec"
)

// Matrix is a matrix whose rows lie Stride values apart, or the transpose of one.
type Matrix struct {
	Rows, Cols int
	Stride     int
	Data       []float64
	transposed bool // Data holds the columns
}

// New returns a matrix of zeros.
func New(rows, cols int) Matrix { return FromSlice(rows, cols, make([]float64, rows*cols)) }

// FromSlice returns the matrix whose rows lie one after the other in data, which it
// keeps.
func FromSlice(rows, cols int, data []float64) Matrix {
	if len(data) < rows*cols {
		panic(fmt.Sprintf("linalg: a %d×%d matrix of %d values", rows, cols, len(data)))
	}
	return Matrix{Rows: rows, Cols: cols, Stride: max(cols, 1), Data: data}
}

// T returns the transpose, which shares the data. Only products take it.
func (a Matrix) T() Matrix {
	a.Rows, a.Cols, a.transposed = a.Cols, a.Rows, !a.transposed
	return a
}

// Block returns the block of rows×cols elements from (i, j) on, which shares the data.
func (a Matrix) Block(i, rows, j, cols int) Matrix {
	a.mustBePlain("Block")
	if i < 0 || j < 0 || i+rows > a.Rows || j+cols > a.Cols {
		panic(fmt.Sprintf("linalg: a %d×%d block at (%d, %d) of a %d×%d matrix", rows, cols, i, j, a.Rows, a.Cols))
	}
	start := min(i*a.Stride+j, len(a.Data)) // an empty block may begin behind the end
	return Matrix{Rows: rows, Cols: cols, Stride: a.Stride, Data: a.Data[start:]}
}

// Row returns row i, which shares the data.
func (a Matrix) Row(i int) []float64 {
	a.mustBePlain("Row")
	if a.Cols == 0 {
		return nil
	}
	return a.Data[i*a.Stride : i*a.Stride+a.Cols]
}

func (a Matrix) mustBePlain(name string) {
	if a.transposed {
		panic("linalg: " + name + " of a transpose")
	}
}

func (a Matrix) mustBeSquare(name string) {
	a.mustBePlain(name)
	if a.Rows != a.Cols {
		panic(fmt.Sprintf("linalg: %s of a %d×%d matrix", name, a.Rows, a.Cols))
	}
}

// Gemm computes C = alpha·A·B + beta·C. With beta = 0 the old contents of C do
// not matter. C must not overlap A or B. Cost: 2·m·n·k flops.
func Gemm(ctx context.Context, alpha float64, a, b Matrix, beta float64, c Matrix) error {
	c.mustBePlain("Gemm into a transpose, which is the product")
	if a.Rows != c.Rows || a.Cols != b.Rows || b.Cols != c.Cols {
		panic(fmt.Sprintf("linalg: Gemm of %d×%d and %d×%d into %d×%d", a.Rows, a.Cols, b.Rows, b.Cols, c.Rows, c.Cols))
	}
	return vec.Gemm(ctx, a.transposed, b.transposed, c.Rows, c.Cols, a.Cols, alpha, a.Data, a.Stride, b.Data, b.Stride, beta, c.Data, c.Stride)
}

// Gemmt computes the upper half of a square C = alpha·A·B + beta·C. Cost: n²·k flops for
// A n×k.
func Gemmt(ctx context.Context, alpha float64, a, b Matrix, beta float64, c Matrix) error {
	c.mustBeSquare("Gemmt into a transpose, which is the product")
	if a.Rows != c.Rows || a.Cols != b.Rows || b.Cols != c.Cols {
		panic(fmt.Sprintf("linalg: Gemmt of %d×%d and %d×%d into %d×%d", a.Rows, a.Cols, b.Rows, b.Cols, c.Rows, c.Cols))
	}
	return vec.Gemmt(ctx, true, a.transposed, b.transposed, c.Rows, a.Cols, alpha, a.Data, a.Stride, b.Data, b.Stride, beta, c.Data, c.Stride)
}

// upperDepth is how many columns of a triangle [GemmtUpper] takes at a time.
const upperDepth = 128

// GemmtUpper computes the upper half of a square C = A·Uᵀ, n×n, for A and U n×k, k ≥ n, and U upper
// triangular. It skips the zeros of U, but for zeros near the diagonal, which must be stored. Cost:
// n²·k − ⅔·n³ flops.
func GemmtUpper(ctx context.Context, a, u, c Matrix) error {
	if a.Rows != u.Rows || a.Cols != u.Cols || c.Rows != u.Rows || u.Cols < u.Rows {
		panic(fmt.Sprintf("linalg: GemmtUpper of %d×%d and %d×%d into %d×%d", a.Rows, a.Cols, u.Rows, u.Cols, c.Rows, c.Cols))
	}
	beta := 0. // the last columns of U are not zero in any row
	for end := u.Cols; end > 0; end -= upperDepth {
		first := max(0, end-upperDepth)
		rows := min(end, u.Rows)
		if err := Gemmt(ctx, 1, a.Block(0, rows, first, end-first), u.Block(0, rows, first, end-first).T(), beta, c.Block(0, rows, 0, rows)); err != nil {
			return err
		}
		beta = 1
	}
	return nil
}

// upperColumns is how many columns [GemmUpper] computes at a time.
const upperColumns = 240

// GemmUpper computes C = A·U for A m×k and an upper triangular U k×n. It skips the zeros of U, but
// for zeros near the diagonal, which must be stored. Cost: 2·m·n·k − m·k² flops.
func GemmUpper(ctx context.Context, a, u, c Matrix) error {
	if a.Cols != u.Rows || c.Rows != a.Rows || c.Cols != u.Cols {
		panic(fmt.Sprintf("linalg: GemmUpper of %d×%d and %d×%d into %d×%d", a.Rows, a.Cols, u.Rows, u.Cols, c.Rows, c.Cols))
	}
	for first := 0; first < u.Cols; first += upperColumns {
		count := min(upperColumns, u.Cols-first)
		depth := min(first+count, u.Rows)
		left := a
		left.Cols = depth // of a transpose too, whose rows lie Stride apart
		if err := Gemm(ctx, 1, left, u.Block(0, depth, first, count), 0, c.Block(0, c.Rows, first, count)); err != nil {
			return err
		}
	}
	return nil
}

// Syrk computes the upper half of C = alpha·A·Aᵀ + beta·C. Cost: n²·k flops for
// A n×k.
func Syrk(ctx context.Context, alpha float64, a Matrix, beta float64, c Matrix) error {
	c.mustBeSquare("Syrk into a transpose, which is the product")
	if a.Rows != c.Rows {
		panic(fmt.Sprintf("linalg: Syrk of %d×%d into %d×%d", a.Rows, a.Cols, c.Rows, c.Cols))
	}
	return vec.Syrk(ctx, true, a.transposed, c.Rows, a.Cols, alpha, a.Data, a.Stride, beta, c.Data, c.Stride)
}

// Symm computes C = B·A for a symmetric matrix A n×n of which it reads the upper half, C
// and B k×n. It writes into the lower half, near the diagonal, what stands above. Cost:
// 2·k·n² flops.
func Symm(ctx context.Context, b, a, c Matrix) error {
	a.mustBeSquare("Symm")
	b.mustBePlain("Symm")
	c.mustBePlain("Symm")
	if b.Cols != a.Rows || c.Rows != b.Rows || c.Cols != a.Rows {
		panic(fmt.Sprintf("linalg: Symm of %d×%d and %d×%d into %d×%d", b.Rows, b.Cols, a.Rows, a.Rows, c.Rows, c.Cols))
	}
	return vec.Symm(ctx, b.Rows, b.Cols, b.Data, b.Stride, a.Data, a.Stride, c.Data, c.Stride)
}

// manyElements is the size of a matrix that is worth several goroutines in a
// product with a vector.
const manyElements = 1 << 17

// MulVec computes dst = A·x; they must not overlap. It is not interrupted. Cost:
// 2·m·n flops.
func MulVec(ctx context.Context, dst []float64, a Matrix, x []float64) {
	if len(dst) != a.Rows || len(x) != a.Cols {
		panic(fmt.Sprintf("linalg: MulVec of %d×%d and %d values into %d", a.Rows, a.Cols, len(x), len(dst)))
	}
	clear(dst)
	if len(dst) == 0 || len(x) == 0 {
		return
	}
	// Parts begin at multiples of 64, so that no sum depends on them.
	part := len(dst)
	if len(dst)*len(x) >= manyElements {
		part = (part/8 + 64) &^ 63
	}
	parallel.Do(ctx, (len(dst)+part-1)/part, func(_, piece int) {
		i := piece * part
		sums := dst[i:min(i+part, len(dst))]
		if a.transposed {
			vec.MulTileTrans(len(x), len(sums), a.Data[i:], a.Stride, sums, x)
		} else {
			vec.MulTile(len(sums), len(x), a.Data[i*a.Stride:], a.Stride, sums, x)
		}
	})
}

// SolveUpper solves U·X = B, or UᵀX = B where u is a transpose, in place, for the
// upper triangle U of a square matrix. Cost: n² flops per column of B.
func SolveUpper(ctx context.Context, u, b Matrix) error {
	b.mustBePlain("SolveUpper")
	if u.Rows != u.Cols || u.Rows != b.Rows {
		panic(fmt.Sprintf("linalg: SolveUpper of %d×%d with %d×%d", u.Rows, u.Cols, b.Rows, b.Cols))
	}
	return vec.Trsm(ctx, true, true, u.transposed, false, b.Rows, b.Cols, 1, u.Data, u.Stride, b.Data, b.Stride)
}

// Mirror copies the upper half of a square matrix to the lower one. It is not
// interrupted.
func Mirror(ctx context.Context, a Matrix) {
	a.mustBeSquare("Mirror")
	const side, blocksPerPiece = 8, 4 // a line of the cache holds eight values
	blocks := (a.Rows + side - 1) / side
	parallel.Do(ctx, (blocks+blocksPerPiece-1)/blocksPerPiece, func(_, piece int) {
		for block := piece * blocksPerPiece; block < min((piece+1)*blocksPerPiece, blocks); block++ {
			first := block * side
			end := min(first+side, a.Rows)
			for i := first; i < end; i++ {
				for j := i + 1; j < end; j++ {
					a.Data[j*a.Stride+i] = a.Data[i*a.Stride+j]
				}
			}
			if end == a.Rows {
				break
			}
			vec.Transpose(side, a.Rows-end, a.Data[first*a.Stride+end:], a.Stride, a.Data[end*a.Stride+first:], a.Stride)
		}
	})
}
