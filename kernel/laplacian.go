package kernel

import (
	"fmt"

	"lapsvm/internal/numbers/vec"
	"lapsvm/points"
)

// Laplacian is k(x, y) = exp(−‖x − y‖₁ / Sigma), Sigma > 0 in the unit of the L1
// distance of points, between [Least] and [Largest]. It is a product over the coordinates, and
// not smooth at x = y. It suits features that count one by one, such as those of histograms. It
// is unrelated to the graph Laplacian.
type Laplacian struct{ Sigma float64 }

// Kind returns what is common to Laplacian kernels.
func (Laplacian) Kind() Kind {
	return Kind{
		Name: "laplacian", Formula: "exp(−‖x−y‖₁/σ)", Parameters: []string{"sigma"},
		Statistic: points.L1, Shift: true,
		New: func(p Parameters) Kernel { return Laplacian{Sigma: p.Sigma} },
	}
}

// Parameters returns Sigma.
func (l Laplacian) Parameters() Parameters { return Parameters{Sigma: l.Sigma} }

// Validate reports a Sigma out of its range.
func (l Laplacian) Validate() error { return validWidth("Laplacian", l.Sigma) }

func (l Laplacian) String() string { return fmt.Sprintf("laplacian, sigma %.6g", l.Sigma) }

// Map computes exp(−v/Sigma) of every distance v, with a relative error of one
// to two units in the last place times 1 + v/Sigma.
func (l Laplacian) Map(values []float64, xx float64, yy []float64) {
	rate := -1 / l.Sigma
	for j := range values {
		values[j] *= rate
	}
	vec.Exp(values, values)
}

// Map32 is Map in float32.
func (l Laplacian) Map32(values []float32, xx float32, yy []float32) {
	rate := float32(-1 / l.Sigma)
	for j := range values {
		values[j] *= rate
	}
	vec.Exp(values, values)
}
