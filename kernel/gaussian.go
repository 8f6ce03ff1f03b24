package kernel

import (
	"fmt"

	"lapsvm/internal/numbers/vec"
	"lapsvm/points"
)

// Gaussian is k(x, y) = exp(−‖x − y‖² / (2·Sigma²)) with Sigma > 0 in the unit of the points,
// between [Least] and [Largest]. A Sigma of 0 is open: it is chosen from the data. (Melacci and
// Belkin print the norm without its square; their experiments use the square.)
type Gaussian struct{ Sigma float64 }

// Kind returns what is common to Gaussians.
func (Gaussian) Kind() Kind {
	return Kind{
		Name: "gaussian", Formula: "exp(−‖x−y‖²/2σ²)", Parameters: []string{"sigma"},
		Statistic: points.Products, Shift: true,
		New: func(p Parameters) Kernel { return Gaussian{Sigma: p.Sigma} },
	}
}

// Parameters returns Sigma.
func (g Gaussian) Parameters() Parameters { return Parameters{Sigma: g.Sigma} }

// Validate reports a Sigma out of its range.
func (g Gaussian) Validate() error { return validWidth("Gaussian", g.Sigma) }

func (g Gaussian) String() string { return fmt.Sprintf("gaussian, sigma %.6g", g.Sigma) }

// Map computes the Gaussian from ‖x − y‖² = ‖x‖² + ‖y‖² − 2⟨x, y⟩, cut at 0.
// Far from the origin that difference cancels: centre such points first.
func (g Gaussian) Map(values []float64, xx float64, yy []float64) {
	vec.GaussRow(values, values, yy, xx, 1/(2*g.Sigma*g.Sigma))
}

// Map32 is Map in float32, with relative errors of about 1e-6 on top of those of
// the inner products.
func (g Gaussian) Map32(values []float32, xx float32, yy []float32) {
	vec.GaussRow(values, values, yy, xx, float32(1/(2*g.Sigma*g.Sigma)))
}
