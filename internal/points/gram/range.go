package gram

import (
	"math"

	"lapsvm/kernel"
	"lapsvm/points"
)

// The range of the largest k(x_i, x_i) of a Gram matrix, which bounds all its values. Within it,
// sums of squares in the solvers are in the range of float64.
const (
	LargestValue = 1e90
	LeastValue   = 1e-90
)

// SingleHolds reports whether values up to largest can be stored in Single precision,
// and multiplied there.
func SingleHolds(largest float64) bool {
	return largest == 0 || largest > 0x1p-100 && largest < 0x1p110
}

// Self returns the largest k(x_i, x_i) of p and the first point that has it, or NaN where one is
// not finite. For a kernel with given values it returns the largest magnitude of all values. A
// kernel of differences, or of given distances, has the same k(x_i, x_i) for all points, and 1 is returned. Cost: n kernel
// maps.
func Self(p *points.Points, k kernel.Kernel) (largest float64, at int) {
	switch {
	case k.Kind().Shift, k.Kind().Statistic == points.Entries:
		return 1, 0
	case inTable(k):
		at, _, v := p.LargestValue()
		return math.Abs(v), at
	}
	value := make([]float64, 1)
	for i := range p.Len() {
		square := p.Squares()[i : i+1]
		value[0] = points.Self(k.Kind().Statistic, square[0])
		k.Map(value, square[0], square)
		if v := value[0]; math.IsNaN(v) || math.IsInf(v, 0) {
			return math.NaN(), i
		} else if v > largest {
			largest, at = v, i
		}
	}
	return largest, at
}

// unlike is the kernel value below which two points have nothing in common: the
// least normal number of float32.
const unlike = 0x1p-126

// Alone reports whether the kernel is nearly zero between all points that differ, and the least
// distance of two such points. The kernel has a width, and the distance is that of its statistic.
// Cost: up to n²·d/2 differences where it does, as a rule those of the first few points.
func Alone(p *points.Points, k kernel.Kernel) (nearest float64, alone bool) {
	s := byDifferences(p, k)
	if s == nil {
		return 0, false
	}
	var w differencesScratch
	value, least := make([]float64, 1), math.Inf(1)
	for i := range p.Len() {
		for j := range i {
			s.row(&w, value, p, i, j, j+1)
			switch {
			case value[0] < unlike:
				least = min(least, p.Distance(k.Kind().Statistic, i, p, j))
			case !p.EqualRows(i, j):
				return 0, false
			}
		}
	}
	return least, !math.IsInf(least, 1)
}
