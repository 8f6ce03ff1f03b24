package kernel

import "lapsvm/points"

// Precomputed is the kernel whose values the caller has computed. Row i of the table of points
// holds the values k(x_i, x_j) with all n training points x_j. So the table of the training
// points is their n×n Gram matrix, and a table of m other points is m×n. A machine
// f(x) = Σ_j α_j k(x, x_j) + b is linear in these values.
type Precomputed struct{}

// Kind returns what is common to precomputed kernels.
func (Precomputed) Kind() Kind {
	return Kind{
		Name: "precomputed", Formula: "the values in DATA",
		Statistic: points.Products, Linear: true, Given: true,
		New: func(Parameters) Kernel { return Precomputed{} },
	}
}

// Parameters returns none.
func (Precomputed) Parameters() Parameters { return Parameters{} }

// Validate returns nil.
func (Precomputed) Validate() error { return nil }

func (Precomputed) String() string { return "precomputed" }

// Map leaves the inner products of kernel values with weights as they are.
func (Precomputed) Map(values []float64, xx float64, yy []float64) {}

// Map32 leaves them as they are.
func (Precomputed) Map32(values []float32, xx float32, yy []float32) {}
