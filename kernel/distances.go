package kernel

import (
	"fmt"

	"lapsvm/internal/numbers/vec"
	"lapsvm/points"
)

// Distances is k(x, y) = exp(−d² / (2·Sigma²)) of distances d that the caller has computed, with
// Sigma > 0 in their unit, between [Least] and [Largest]. A Sigma of 0 is open: it is chosen from
// the data. Row i of the table of points holds the distances of point i to all n training points,
// so the table of the training points is n×n, symmetric, with a diagonal of zeros. The kernel is
// positive semi-definite where the distances are those of points in a Euclidean space. For others
// it may not be, and then a wide Sigma may fail.
type Distances struct{ Sigma float64 }

// Kind returns what is common to kernels of distances.
func (Distances) Kind() Kind {
	return Kind{
		Name: "distances", Formula: "exp(−d²/2σ²) of the distances d in DATA", Parameters: []string{"sigma"},
		Statistic: points.Entries, Given: true,
		New: func(p Parameters) Kernel { return Distances{Sigma: p.Sigma} },
	}
}

// Parameters returns Sigma.
func (d Distances) Parameters() Parameters { return Parameters{Sigma: d.Sigma} }

// Validate reports a Sigma out of its range.
func (d Distances) Validate() error { return validWidth("distances", d.Sigma) }

func (d Distances) String() string { return fmt.Sprintf("distances, sigma %.6g", d.Sigma) }

// Map computes exp(−v²/2Sigma²) of every distance v.
func (d Distances) Map(values []float64, xx float64, yy []float64) {
	for j, v := range values {
		v /= d.Sigma
		values[j] = -v * v / 2
	}
	vec.Exp(values, values)
}

// Map32 is Map in float32.
func (d Distances) Map32(values []float32, xx float32, yy []float32) {
	sigma := float32(d.Sigma)
	for j, v := range values {
		v /= sigma
		values[j] = -v * v / 2
	}
	vec.Exp(values, values)
}
