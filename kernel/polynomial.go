package kernel

import (
	"fmt"

	"lapsvm/internal/numbers/vec"
	"lapsvm/points"
)

// MaxDegree is the largest degree D of a [Polynomial]: the largest exponent of float64. Beyond it
// (γ x·y + c)^D is infinite for a base of 2 or more, and nearly 0 for a base of ½ or less.
const MaxDegree = 1023

// Polynomial is k(x, y) = (Gamma·⟨x, y⟩ + Coef0)^Degree with Degree from 1 to [MaxDegree],
// Gamma > 0 and Coef0 ≥ 0, both between [Least] and [Largest]. A zero Gamma means 1.
type Polynomial struct {
	Degree int
	Gamma  float64
	Coef0  float64
}

// Kind returns what is common to polynomial kernels.
func (Polynomial) Kind() Kind {
	return Kind{
		Name: "poly", Formula: "(γ x·y + c)^D", Parameters: []string{"degree", "gamma", "coef0"},
		Statistic: points.Products,
		New:       func(p Parameters) Kernel { return Polynomial{p.Degree, p.Gamma, p.Coef0} },
	}
}

// Parameters returns Degree, Gamma and Coef0.
func (p Polynomial) Parameters() Parameters {
	return Parameters{Degree: p.Degree, Gamma: p.gamma(), Coef0: p.Coef0}
}

func (p Polynomial) gamma() float64 {
	if p.Gamma == 0 {
		return 1
	}
	return p.Gamma
}

// Validate reports a degree below 1 or above [MaxDegree], a negative coef0 (the kernel would not be
// positive semi-definite) and a gamma that is not positive.
func (p Polynomial) Validate() error {
	switch {
	case p.Degree < 1:
		return fmt.Errorf("the polynomial kernel needs a degree of at least 1, not %d", p.Degree)
	case p.Degree > MaxDegree:
		return fmt.Errorf("the polynomial kernel takes a degree of at most %d, not %d: above, its values leave the range of float64", MaxDegree, p.Degree)
	case !inRange(p.gamma()):
		return fmt.Errorf("the polynomial kernel needs gamma > 0, between %g and %g, not %v", Least, Largest, p.Gamma)
	case p.Coef0 != 0 && !inRange(p.Coef0):
		return fmt.Errorf("the polynomial kernel needs coef0 ≥ 0, and above 0 between %g and %g, not %v", Least, Largest, p.Coef0)
	}
	return nil
}

func (p Polynomial) String() string {
	return fmt.Sprintf("polynomial (%g·x·y + %g)^%d", p.gamma(), p.Coef0, p.Degree)
}

// Map raises Gamma·⟨x, y⟩ + Coef0 to the Degree by repeated squaring.
func (p Polynomial) Map(values []float64, xx float64, yy []float64) {
	vec.PowerRow(values, values, p.gamma(), p.Coef0, p.Degree)
}

// Map32 is Map in float32, its rounding errors 1 to 2·Degree units in the last
// place on top of those of the inner products.
func (p Polynomial) Map32(values []float32, xx float32, yy []float32) {
	vec.PowerRow(values, values, float32(p.gamma()), float32(p.Coef0), p.Degree)
}
