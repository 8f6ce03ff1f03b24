package report

import (
	"math"
	"strconv"
	"testing"

	"gonum.org/v1/plot"
)

// checkTicks checks that labels are distinct, say the ticks' values and stand
// apart on an axis.
func checkTicks(t *testing.T, ticks []plot.Tick, low, high float64, place func(float64) float64) {
	t.Helper()
	labels := map[string]bool{}
	last := math.Inf(-1)
	count := 0
	for _, k := range ticks {
		if slack := 1e-6 * (high - low); k.Value < low-slack || k.Value > high+slack {
			t.Errorf("from %g to %g: a tick at %g", low, high, k.Value)
		}
		if k.IsMinor() {
			continue
		}
		count++
		if labels[k.Label] {
			t.Errorf("from %g to %g: two labels %s", low, high, k.Label)
		}
		labels[k.Label] = true
		v, err := strconv.ParseFloat(k.Label, 64)
		if err != nil || math.Abs(v-k.Value) > 1e-3*(high-low) {
			t.Errorf("from %g to %g: the label %s at %g", low, high, k.Label, k.Value)
		}
		at := (place(k.Value) - place(low)) / (place(high) - place(low))
		if at-last < 0.08 {
			t.Errorf("from %g to %g: the label %s is only %.3f of the axis from the one before", low, high, k.Label, at-last)
		}
		last = at
	}
	if count < 2 || count > 8 {
		t.Errorf("from %g to %g: %d labels", low, high, count)
	}
}

func TestLinearTicks(t *testing.T) {
	for _, r := range [][2]float64{{0, 1}, {-1, 1}, {0, 0.05}, {3, 4}, {99.5, 100.5}, {0, 1e6}, {1e6, 1e6 + 10}, {0, 3e-7}, {-5e9, 2e9}, {0, 64}, {2, 64}, {0.1, 0.7}, {1e-300, 3e-300}} {
		checkTicks(t, linearTicks(r[0], r[1], 6), r[0], r[1], func(v float64) float64 { return v })
	}
}

func TestLogTicks(t *testing.T) {
	for low := -12.0; low < 6; low += 0.37 {
		for _, span := range []float64{0.05, 0.2, 0.5, 0.9, 1, 1.3, 1.99, 2, 2.5, 4, 6.1, 9, 15, 40} {
			a, b := math.Pow(10, low), math.Pow(10, low+span)
			ticks := logTicks(a, b)
			if span >= 0.5 {
				for _, k := range ticks {
					if v, _ := strconv.ParseFloat(k.Label, 64); k.Label != "" && math.Abs(v/k.Value-1) > 1e-6 {
						t.Errorf("the label %s at %g", k.Label, k.Value)
					}
				}
			}
			checkTicks(t, ticks, a, b, math.Log)
		}
	}
	for k, want := range map[int]string{0: "1", -1: "0.1", -2: "0.01", -3: "1e-3", 3: "1000", 4: "1e4"} {
		if got := decimal(1, k); got != want {
			t.Errorf("10^%d is %s, want %s", k, got, want)
		}
	}
}
