package blas_test

import (
	"fmt"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"

	"lapsvm/internal/blas"
)

func ExampleImplementation() {
	old := blas64.Implementation()
	defer blas64.Use(old)
	blas64.Use(blas.Implementation{Threads: 2})

	var c mat.Cholesky
	ok := c.Factorize(mat.NewSymDense(2, []float64{4, 2, 2, 5}))
	fmt.Printf("%v %.4f\n", ok, c.Det())
	// Output: true 16.0000
}
