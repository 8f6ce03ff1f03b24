package calibrate_test

import (
	"math"
	"testing"

	"lapsvm/calibrate"
)

// Decision values that hardly differ give a slope that is a number.
func TestSlopeOfTinyDifferences(t *testing.T) {
	for _, v := range []float64{5e-324, 1e-310, 1e-250, 1e-150} {
		scores := [][]float64{{v, -v}, {-v, v}, {v, 0}}
		fitted, err := calibrate.Fit(scores, []int{0, 1, 0})
		if err != nil {
			t.Fatal(err)
		}
		assumed, err := calibrate.Assume(scores)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range []*calibrate.Calibration{fitted, assumed} {
			if !(c.Slope > 0) || math.IsInf(c.Slope, 1) {
				t.Errorf("differences of %v: the slope %v", v, c.Slope)
			}
		}
	}
}
