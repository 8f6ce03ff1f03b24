package calibrate_test

import (
	"testing"

	"lapsvm/calibrate"
)

// A rank is ⌈level·n⌉ of the decimal numbers: 0.55·100 is 55, though it is more in binary.
func TestRank(t *testing.T) {
	for percent := 1; percent < 100; percent++ {
		for n := 1; n <= 1000; n++ {
			if got, want := calibrate.Rank(float64(percent)/100, n), (percent*n+99)/100; got != want {
				t.Fatalf("%d %% of %d is rank %d, want %d", percent, n, got, want)
			}
		}
	}
}
