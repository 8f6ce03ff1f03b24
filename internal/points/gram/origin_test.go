package gram

import (
	"math"
	"testing"

	"lapsvm/kernel"
	"lapsvm/points"
)

// A point whose kernel value is 0, as the origin of a linear kernel, leaves the matrix its inverse: Δ is above 0 and finite.
func TestLandmarksWithTheOrigin(t *testing.T) {
	const n, d = 40, 3
	values := make([]float64, n*d)
	for i := range values {
		if i >= 5*d { // the first five points are the origin
			values[i] = math.Sin(float64(7*i + 1))
		}
	}
	p := points.Dense(n, d, values)
	for _, precision := range []Precision{Single, Double} {
		l, err := NewLandmarks(t.Context(), p, kernel.Linear{}, n, 1, precision, nil)
		if err != nil {
			t.Fatal(err)
		}
		for i, v := range l.Delta() {
			if !(v > 0) || math.IsInf(1/v, 0) {
				t.Errorf("precision %d: point %d has %g", precision, i+1, v)
			}
		}
		l.Close()
	}
}
