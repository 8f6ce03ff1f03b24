// Package kernel holds the kernel functions. Each is a scalar map of the inner
// product ⟨x, y⟩ and the squared norms ‖x‖², ‖y‖², so that a Gram matrix is a
// matrix product followed by one map over its entries.
package kernel

import (
	"fmt"
	"math"

	"lapsvm/internal/vec"
)

// Kernel is a symmetric positive semi-definite function of two points.
// Linear, Gaussian and Polynomial implement it; a program may add its own, but
// a model with such a kernel cannot be written to a file.
type Kernel interface {
	// Map replaces every inner product dots[j] = ⟨x, y_j⟩ by k(x, y_j), given
	// xx = ‖x‖² and yy[j] = ‖y_j‖². dots and yy have the same length.
	Map(dots []float64, xx float64, yy []float64)
	// Validate reports parameters outside the kernel's domain.
	Validate() error
	// String names the kernel with its parameters, for people.
	String() string
}

// Linear is k(x, y) = ⟨x, y⟩.
type Linear struct{}

// Map leaves the inner products as they are.
func (Linear) Map(dots []float64, xx float64, yy []float64) {}

// Validate returns nil.
func (Linear) Validate() error { return nil }

func (Linear) String() string { return "linear" }

// Gaussian is k(x, y) = exp(−‖x − y‖² / (2·Sigma²)), Sigma > 0 in the unit of
// the points. The paper prints the norm without its square; its experiments
// use the square, as everybody does.
type Gaussian struct{ Sigma float64 }

// Map computes the Gaussian from ‖x − y‖² = ‖x‖² + ‖y‖² − 2⟨x, y⟩, cut at 0.
// Far from the origin that difference cancels: centre such points first.
func (g Gaussian) Map(dots []float64, xx float64, yy []float64) {
	vec.GaussRow(dots, dots, yy, xx, 1/(2*g.Sigma*g.Sigma))
}

// Validate reports a Sigma that is not a positive number.
func (g Gaussian) Validate() error {
	if !(g.Sigma > 0) || math.IsInf(g.Sigma, 1) {
		return fmt.Errorf("the Gaussian kernel needs sigma > 0, not %v; the mean distance between neighbours is a good start", g.Sigma)
	}
	return nil
}

func (g Gaussian) String() string { return fmt.Sprintf("gaussian, sigma %.6g", g.Sigma) }

// Polynomial is k(x, y) = (Gamma·⟨x, y⟩ + Coef0)^Degree with Degree ≥ 1,
// Gamma > 0 and Coef0 ≥ 0. A zero Gamma means 1.
type Polynomial struct {
	Degree int
	Gamma  float64
	Coef0  float64
}

func (p Polynomial) gamma() float64 {
	if p.Gamma == 0 {
		return 1
	}
	return p.Gamma
}

// Map raises Gamma·⟨x, y⟩ + Coef0 to the Degree by repeated squaring.
func (p Polynomial) Map(dots []float64, xx float64, yy []float64) {
	vec.PowerRow(dots, dots, p.gamma(), p.Coef0, p.Degree)
}

// Validate reports a degree below 1, a negative coef0 (the kernel would not be
// positive semi-definite) and a gamma that is not positive.
func (p Polynomial) Validate() error {
	switch {
	case p.Degree < 1:
		return fmt.Errorf("the polynomial kernel needs a degree of at least 1, not %d", p.Degree)
	case !(p.gamma() > 0) || math.IsInf(p.Gamma, 1):
		return fmt.Errorf("the polynomial kernel needs gamma > 0, not %v", p.Gamma)
	case !(p.Coef0 >= 0) || math.IsInf(p.Coef0, 1):
		return fmt.Errorf("the polynomial kernel needs coef0 ≥ 0, not %v", p.Coef0)
	}
	return nil
}

func (p Polynomial) String() string {
	return fmt.Sprintf("polynomial (%g·x·y + %g)^%d", p.gamma(), p.Coef0, p.Degree)
}

// Map32 is Kernel.Map in float32, for rows of a Gram matrix that is stored so.
// Gaussian and Polynomial are computed in float32 throughout, with relative
// errors of about 1e-6 on top of those of the inner products; a kernel of the
// program's own is computed in float64 and rounded.
func Map32(k Kernel, dots []float32, xx float32, yy []float32) {
	switch k := k.(type) {
	case Linear:
	case Gaussian:
		vec.GaussRow(dots, dots, yy, xx, float32(1/(2*k.Sigma*k.Sigma)))
	case Polynomial:
		vec.PowerRow(dots, dots, float32(k.gamma()), float32(k.Coef0), k.Degree)
	default:
		d, y := make([]float64, len(dots)), make([]float64, len(dots))
		vec.Widen(d, dots)
		vec.Widen(y, yy)
		k.Map(d, float64(xx), y)
		vec.Narrow(dots, d)
	}
}

// Radial reports whether k is known to depend on x − y alone, so that moving
// all points by the same vector leaves it as it is.
func Radial(k Kernel) bool {
	_, ok := k.(Gaussian)
	return ok
}
