package lapsvm_test

import (
	"math"
	"testing"

	"lapsvm"
	"lapsvm/dataset"
	"lapsvm/internal/points/gram"
	"lapsvm/kernel"
)

// However little is allowed, down to the rounding of the values, a pruned model is
// as near as that, or it is the model itself.
func TestPruneWithinRounding(t *testing.T) {
	shrunk := 0
	for seed := range uint64(6) {
		d := dataset.TwoMoons(80, 0.1, seed)
		for i := 8; i < len(d.Y); i++ {
			d.Y[i] = dataset.Unlabelled
		}
		m, err := lapsvm.Trainer{Recipe: lapsvm.Recipe{Kernel: kernel.Gaussian{Sigma: 1.5}, GammaA: 1e-3, GammaI: 0.1, Precision: gram.Double, RulesOfThumb: true}}.Fit(t.Context(), d)
		if err != nil {
			t.Fatal(err)
		}
		for start := 1e-3; start > 1e-14; start /= 4 {
			// The greatest change below the one that the last limit led to has the same
			// points for a candidate, wrong by that much by rounding alone.
			for allowed, turn := start, 0; turn < 4; turn++ {
				pruned, change, err := m.Prune(t.Context(), allowed)
				if err != nil {
					t.Fatal(err)
				}
				if !(change <= allowed) {
					t.Errorf("seed %d: %v was allowed, the change is %v", seed, allowed, change)
				}
				if pruned == m || change == 0 {
					break
				}
				shrunk++
				if got := largestDifference(t, m, pruned, d.Points); !(got <= allowed+1e-13) {
					t.Errorf("seed %d: %v was allowed, the difference is %v", seed, allowed, got)
				}
				allowed = math.Nextafter(change, 0)
			}
		}
	}
	if shrunk < 20 {
		t.Errorf("%d models were pruned: little is tested", shrunk)
	}
}
