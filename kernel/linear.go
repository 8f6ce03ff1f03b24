package kernel

import "lapsvm/points"

// Linear is k(x, y) = ⟨x, y⟩.
type Linear struct{}

// Kind returns what is common to linear kernels.
func (Linear) Kind() Kind {
	return Kind{
		Name: "linear", Formula: "x·y",
		Statistic: points.Products, Linear: true,
		New: func(Parameters) Kernel { return Linear{} },
	}
}

// Parameters returns none.
func (Linear) Parameters() Parameters { return Parameters{} }

// Validate returns nil.
func (Linear) Validate() error { return nil }

func (Linear) String() string { return "linear" }

// Map leaves the inner products as they are.
func (Linear) Map(values []float64, xx float64, yy []float64) {}

// Map32 leaves the inner products as they are.
func (Linear) Map32(values []float32, xx float32, yy []float32) {}
