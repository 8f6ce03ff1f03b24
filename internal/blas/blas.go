// Package blas gives gonum's LAPACK the matrix kernels of package vec.
//
// A program registers it once, in main:
//
//	blas64.Use(blas.Implementation{Threads: threads})
//
// after which mat.Cholesky, mat.LU, mat.EigenSym and all else in gonum runs
// on it. Nothing registers itself.
package blas

import (
	"context"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/gonum"

	"lapsvm/internal/parallel"
)

// Implementation is gonum's BLAS with the products and triangular solves of
// package vec in place of its own. It keeps the BLAS contract: which triangle
// is read, strides, panics on bad arguments, and beta = 0 overwriting NaN.
// Two things differ from gonum: sums run in another order, so the last bits
// do; and a zero in a matrix does not hide a NaN or Inf it is multiplied with.
//
// Results do not depend on Threads. Implementation is safe for concurrent use.
type Implementation struct {
	gonum.Implementation

	// Threads is the number of goroutines one call may use; 0 means as many
	// as GOMAXPROCS.
	Threads int
}

var (
	_ blas.Float64 = Implementation{}
	_ blas.Float32 = Implementation{}
)

// context limits the goroutines.
func (b Implementation) context() context.Context {
	return parallel.WithLimit(context.Background(), b.Threads)
}

// Below these sizes gonum's loops are faster than the preparations for a
// kernel: multiply-adds of a product or solve, and elements of a matrix in
// products with a vector and in rank-one updates.
const (
	smallProduct = 1000
	smallMatrix  = 2500
	smallUpdate  = 700
)

// fits says whether length numbers hold a rows×cols matrix with this stride.
func fits(rows, cols, length, ld int) bool {
	return ld >= max(1, cols) && length >= (rows-1)*ld+cols
}

// isTrans reads a transpose flag; ok is false when it is none.
func isTrans(t blas.Transpose) (trans, ok bool) {
	switch t {
	case blas.NoTrans:
		return false, true
	case blas.Trans, blas.ConjTrans:
		return true, true
	}
	return false, false
}

// isUpper reads a triangle's flag; ok is false when it is none.
func isUpper(u blas.Uplo) (up, ok bool) {
	return u == blas.Upper, u == blas.Upper || u == blas.Lower
}

// shape returns rows and columns as stored.
func shape(trans bool, rows, cols int) (int, int) {
	if trans {
		return cols, rows
	}
	return rows, cols
}
