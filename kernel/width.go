package kernel

import (
	"fmt"
	"math"

	"lapsvm/internal/system/fault"
)

// hasWidth reports whether the kernels have a width, Sigma, in the unit of the distance that
// belongs to their statistic. A width of 0 is open: it is chosen from the data.
func (k Kind) hasWidth() bool { return k.Has("sigma") }

// The range of the positive parameters of kernels.
const (
	Least   = 1e-300
	Largest = 1e300
)

// inRange reports whether a parameter is a number that kernels can work with.
func inRange(v float64) bool { return v >= Least && v <= Largest }

// validWidth reports a width that is not a positive number, or beyond the range of
// parameters.
func validWidth(name string, sigma float64) error {
	switch {
	case !(sigma > 0) || math.IsInf(sigma, 1):
		return fmt.Errorf("the %s kernel needs sigma > 0, not %v; the mean distance between neighbours is a good start", name, sigma)
	case !inRange(sigma):
		return fault.Errorf("the %s kernel takes a sigma between %g and %g, not %v: rescale the points", name, Least, Largest, sigma)
	}
	return nil
}

// Open reports whether the width of k is open: k has a Sigma, which is 0.
func Open(k Kernel) bool { return k.Kind().hasWidth() && k.Parameters().Sigma == 0 }

// WithWidth returns the kernel like k with the given width; k itself where it
// has none.
func WithWidth(k Kernel, width float64) Kernel {
	if !k.Kind().hasWidth() {
		return k
	}
	p := k.Parameters()
	p.Sigma = width
	return k.Kind().New(p)
}
