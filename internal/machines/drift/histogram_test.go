package drift

import (
	"math"
	"testing"
)

// The shares of values that are evenly spread are equal, those of one value are in one bar, and what lies far out is in the outermost bars.
func TestHistogram(t *testing.T) {
	var even, one, far [11]float64
	for k := range even {
		even[k], one[k], far[k] = float64(k), 5, float64(k)
	}
	far[10] = 1e9
	low, high, training, now := (&ColumnReport{Column: Column{Deciles: even}, Now: one}).Histogram(20)
	if low != 0 || high != 10 {
		t.Fatalf("from %v to %v, want 0 to 10", low, high)
	}
	for k, v := range training {
		if !(math.Abs(v-0.05) <= 1e-12) {
			t.Errorf("bar %d has %v, want 0.05", k, v)
		}
	}
	for k, v := range now { // a value at the edge of two bars is in the upper one
		if want := map[bool]float64{true: 1}[k == 10]; v != want {
			t.Errorf("bar %d of one value has %v, want %v", k, v, want)
		}
	}
	low, high, _, now = (&ColumnReport{Column: Column{Deciles: even}, Now: far}).Histogram(13)
	sum := 0.0
	for _, v := range now {
		sum += v
	}
	if low != 0 || high != 13 || !(math.Abs(sum-1) <= 1e-12) || !(math.Abs(now[12]-0.1) <= 1e-6) || !(math.Abs(now[11]) <= 1e-6) {
		t.Errorf("from %v to %v, %v in all, the last bars %v", low, high, sum, now[11:])
	}
	if _, _, training, now = (&ColumnReport{Column: Column{Deciles: one}, Now: one}).Histogram(4); training[3] != 1 || now[3] != 1 {
		t.Errorf("equal values have %v and %v", training, now)
	}
}
