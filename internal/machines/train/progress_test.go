package train

import (
	"testing"

	"lapsvm/internal/points/gram"
)

// No part tells of less than it did, as the passes within it would: not with a challenger, nor by the exact solver.
func TestProgressNeverFalls(t *testing.T) {
	d, landmarks := fewLabels(300, 40)
	challenged := landmarks
	challenged.Pending.Challenger = &Member{Neighbours: 6, LaplacianDegree: 1, GammaA: 10, GammaI: 1e3}
	exact := landmarks
	exact.Solver, exact.Landmarks, exact.Gram, exact.Precision = Deformed, 0, "", gram.Double
	for name, r := range map[string]Recipe{"landmarks": landmarks, "challenger": challenged, "exact": exact} {
		r.Calibrate = true
		part, share, told, halfway := "", 0.0, 0, map[string]bool{}
		run := Run{Observer: Observer{Progress: func(now string, done, of int) {
			at := float64(done) / float64(max(of, 1))
			if now == part && at < share {
				t.Errorf("%s: %s falls from %.3f to %.3f", name, now, share, at)
			}
			if at > 1 {
				t.Errorf("%s: %s has done %d of %d", name, now, done, of)
			}
			part, share = now, at
			halfway[now] = halfway[now] || 0 < at && at < 1
			told++
		}}}
		if _, err := Fit(t.Context(), d, r, run); err != nil {
			t.Fatal(name, err)
		}
		if told == 0 {
			t.Errorf("%s: nothing is told", name)
		}
		if !halfway["graph"] {
			t.Errorf("%s: the graph has no share", name)
		}
	}
}
