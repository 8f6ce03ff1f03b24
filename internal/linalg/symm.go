package linalg

import (
	"context"
	"fmt"

	"lapsvm/internal/vec"
)

// symmBlock is how many rows of the upper half [Symm] reads at a time, twice, once as
// they are and once as columns.
const symmBlock = 256

// Symm computes C = B·A for a symmetric matrix A n×n of which it reads the upper half, C
// and B k×n. It writes into the lower half, near the diagonal, what stands above. The
// scratch is n×k. Cost: 2·k·n² flops.
//
// A block of rows of the upper half counts twice: right of its diagonal block as columns
// of A too.
func Symm(ctx context.Context, b, a, c, scratch Matrix) error {
	a.mustBeSquare("Symm")
	n, k := a.Rows, b.Rows
	if b.Cols != n || c.Rows != k || c.Cols != n || scratch.Rows != n || scratch.Cols != k {
		panic(fmt.Sprintf("linalg: Symm of %d×%d and %d×%d into %d×%d by %d×%d", k, b.Cols, n, a.Cols, c.Rows, c.Cols, scratch.Rows, scratch.Cols))
	}
	for i := range k {
		clear(c.Row(i))
	}
	for first := 0; first < n; first += symmBlock {
		rows := min(symmBlock, n-first)
		end := first + rows
		Mirror(ctx, a.Block(first, rows, first, rows))
		if err := Gemm(ctx, 1, a.Block(first, rows, first, n-first), b.Block(0, k, first, n-first).T(), 0, scratch.Block(first, rows, 0, k)); err != nil {
			return err
		}
		if err := Gemm(ctx, 1, b.Block(0, k, first, rows), a.Block(first, rows, end, n-end), 1, c.Block(0, k, end, n-end)); err != nil {
			return err
		}
	}
	addTranspose(c, scratch)
	return nil
}

// addTranspose adds the transpose of b to a, in blocks that stay in the cache.
func addTranspose(a, b Matrix) {
	const rows, cols = 8, 32
	var block [rows * cols]float64
	for j0 := 0; j0 < a.Cols; j0 += cols {
		count := min(cols, a.Cols-j0)
		for i0 := 0; i0 < a.Rows; i0 += rows {
			of := b.Block(j0, count, i0, min(rows, a.Rows-i0))
			vec.Transpose(count, of.Cols, of.Data, of.Stride, block[:], cols)
			for i := range of.Cols {
				row := a.Row(i0 + i)[j0 : j0+count]
				for j, v := range block[i*cols : i*cols+count] {
					row[j] += v
				}
			}
		}
	}
}
