package nystrom

import (
	"math"
	"testing"
)

// The polynomial has the relative error that it says, on all of the interval, and is positive: a
// preconditioner has to be. It takes few steps where few suffice. Where the most do not suffice, it
// is the inverse for a larger c.
func TestInverse(t *testing.T) {
	most := degreesTried[len(degreesTried)-1]
	for _, c := range []struct {
		gammaI, common, bound float64
		degree, most          int
	}{{0.1, 1e-6, 2, 3, 40}, {0.1, 1e-4, 2, 2, 26}, {1, 1, 2, 1, 6}, {1e-2, 1e-3, 2, 1, 12}, {0.5, 1e-2, 37, 2, most}, {0.1, 1e-6, 2, 1, most}} {
		q := invert(c.gammaI, c.degree, c.common, c.bound)
		if steps := len(q.coefficients) - 1; steps > c.most || !(q.off <= goodEnough) || q.c != c.common && c.most < most || !(q.c >= c.common) {
			t.Errorf("%+v: %d steps, off by %v of %v", c, steps, q.off, q.c)
		}
		for k := range 20001 {
			x := c.bound * math.Pow(float64(k)/20000, 4) // closest at 0
			sum := 0.0
			for j, a := range q.coefficients {
				sum += a * math.Cos(float64(j)*math.Acos(max(-1, min(1, 2*x/c.bound-1))))
			}
			product := sum * (c.gammaI*math.Pow(x, float64(c.degree)) + q.c)
			if off := math.Abs(1 - product); !(off <= q.off*1.05+1e-9) || !(product > 0) {
				t.Fatalf("%+v: at %v the product is %v, said to be within %v of 1", c, x, product, q.off)
			}
		}
	}
}
