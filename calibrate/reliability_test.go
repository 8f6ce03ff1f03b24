package calibrate

import (
	"math"
	"testing"
)

func TestReliability(t *testing.T) {
	proba := [][]float64{{0.9, 0.1}, {0.94, 0.06}, {0.5, 0.5}, {0, 1}, {0.41, 0.59}, {0.3, 0.7}}
	bins := Reliability(proba, []int{0, 1, 0, 1, 1, -1})
	if len(bins) != 10 || bins[0].Low != 0.5 || bins[9].High != 1 {
		t.Fatalf("bins %+v", bins)
	}
	for k, want := range map[int]Bin{0: {Count: 1, Right: 1, Sum: 0.5}, 1: {Count: 1, Right: 1, Sum: 0.59}, 3: {}, 4: {Count: 1, Sum: 0.7}, 8: {Count: 2, Right: 1, Sum: 1.84}, 9: {Count: 1, Right: 1, Sum: 1}} {
		if b := bins[k]; b.Count != want.Count || b.Right != want.Right || math.Abs(b.Sum-want.Sum) > 1e-15 {
			t.Errorf("bin %d is %+v, want %+v", k, b, want)
		}
	}
	if got, want := CalibrationError(bins), (0.5+0.41+0.7+0.84+0)/6; math.Abs(got-want) > 1e-15 {
		t.Errorf("calibration error %v, want %v", got, want)
	}
	if Reliability(nil, nil) != nil || !math.IsNaN(CalibrationError(nil)) {
		t.Error("no rows have no bins and no error")
	}
	// Three classes begin at a third.
	if bins := Reliability([][]float64{{0.2, 0.4, 0.4}}, []int{1}); bins[1].Count != 1 || bins[1].Right != 1 || bins[0].Low != 1.0/3 {
		t.Errorf("bins of three classes: %+v", bins)
	}
	defer func() {
		if recover() == nil {
			t.Error("lengths that differ: no panic")
		}
	}()
	Reliability(proba, []int{1})
}

// Wilson's interval holds what the normal one does not: no error in 6 trials is no
// proof of none, and figures of the literature.
func TestWilson(t *testing.T) {
	for _, c := range []struct {
		share     float64
		trials    int
		low, high float64
	}{{0, 6, 0, 0.3903}, {1, 6, 0.6097, 1}, {0.1, 10, 0.0179, 0.4042}, {0.8, 10, 0.4902, 0.9433}, {0.5, 100, 0.4038, 0.5962}} {
		if low, high := Wilson(c.share, c.trials); !(math.Abs(low-c.low) <= 1e-4) || !(math.Abs(high-c.high) <= 1e-4) {
			t.Errorf("%v of %d: %v to %v, want %v to %v", c.share, c.trials, low, high, c.low, c.high)
		}
	}
}
