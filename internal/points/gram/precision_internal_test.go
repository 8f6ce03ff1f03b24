package gram

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"lapsvm/kernel"
	"lapsvm/points"
)

// What docs/decisions/0005 states: the error of an exponent that is let pass, and
// the rounding of a float32.
const (
	statedError = 2e-5
	unit        = 0x1p-24
)

// Inner products and distances are computed in float32 up to the squared norms at
// which the stated bounds on the error of the exponent are met, and not beyond:
//
//	8·2⁻²⁴·largest ≤ 2e-5·σ²          of a kernel of squared distances
//	2·2⁻²⁴·√(d·largest) ≤ 2e-5·σ      of one of L1 distances
//
// Kernels that have no exponent of differences take float32 always.
func TestSingleSufficesUpToItsBound(t *testing.T) {
	const n, d = 8, 5
	p := points.Dense(n, d, make([]float64, n*d))
	for _, sigma := range []float64{0.01, 1, 300} {
		for _, c := range []struct {
			k     kernel.Kernel
			bound float64 // of the largest squared norm
		}{
			{kernel.Gaussian{Sigma: sigma}, statedError * sigma * sigma / (8 * unit)},
			{kernel.Laplacian{Sigma: sigma}, math.Pow(statedError*sigma/(2*unit), 2) / d},
		} {
			for _, factor := range []float64{1e-3, 1 - 1e-9, 1 + 1e-9, 2, 900, 1e6} {
				if got := suffices[float32](p, factor*c.bound, c.k); got != (factor < 1) {
					t.Errorf("%v: %v times the bound: float32 %v", c.k, factor, got)
				}
			}
		}
	}
	for _, k := range []kernel.Kernel{kernel.Linear{}, kernel.Polynomial{Degree: 3, Gamma: 1, Coef0: 1}} {
		if !suffices[float32](p, 1e20, k) {
			t.Errorf("%v: no float32", k)
		}
	}
}

// The values of a Gaussian are within 1e-5 of those of float64, plus the
// rounding of the map and of the storage. That holds whatever the spread of the
// points in widths: below the bound by float32, beyond it by float64. Half of
// the points are on either side of their mean, so that those of a side are near
// one another and far from the origin.
func TestGaussianInSingle(t *testing.T) {
	const n, d, sigma = 60, 8, 0.5
	const bound = 1e-5 + 4e-7
	inSingle := map[bool]int{}
	for _, factor := range []float64{1e-4, 0.1, 0.6, 1.3, 20, 400, 900} {
		rng := rand.New(rand.NewPCG(98, 1))
		radius := math.Sqrt(factor * statedError * sigma * sigma / (8 * unit))
		values := make([]float64, n*d)
		for i := range n {
			for j := range d {
				side := float64(1 - 2*(i%2))
				values[i*d+j] = side*radius/math.Sqrt(d) + 0.3*sigma*rng.NormFloat64()
			}
		}
		p := points.Dense(n, d, values)
		k := kernel.Gaussian{Sigma: sigma}
		single, err := NewHalf(t.Context(), p, k, Single)
		if err != nil {
			t.Fatal(err)
		}
		double, err := NewHalf(t.Context(), p, k, Double)
		if err != nil {
			t.Fatal(err)
		}
		row, want := make([]float64, n), make([]float64, n)
		worst, visible := 0.0, 0
		for i := range n {
			single.Row(row, i)
			double.Row(want, i)
			for j, v := range row {
				worst = max(worst, math.Abs(v-want[j]))
				if v > 0.1 && i != j {
					visible++
				}
			}
		}
		src, err := newSource[float32](t.Context(), p, k)
		if err != nil {
			t.Fatal(err)
		}
		suffices := suffices[float32](p, src.left.Largest(), k)
		inSingle[suffices]++
		what := fmt.Sprintf("%v times the bound (float32 %v)", factor, suffices)
		t.Logf("%s: off by %.1e", what, worst)
		if !(worst <= bound) {
			t.Errorf("%s: off by %.1e, at most %.1e is stated", what, worst, bound)
		}
		if visible < n {
			t.Errorf("%s: only %d values can show an error: this is no test", what, visible)
		}
		single.Close()
		double.Close()
	}
	if inSingle[true] < 3 || inSingle[false] < 3 {
		t.Errorf("by float32 and not: %v: this is no test", inSingle)
	}
}
