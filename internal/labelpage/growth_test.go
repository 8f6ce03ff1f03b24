package labelpage

import "testing"

// Predictions are held against those of two thirds of the labels, or a few less, also after
// labels were taken back.
func TestGrowth(t *testing.T) {
	var g growth
	decided := func(labels int) []int { // point i is decided for good by 3·i labels
		all := make([]int, 100)
		for i := range all {
			if 3*i < labels {
				all[i] = 1
			}
		}
		return all
	}
	if g = g.by(1, nil); g.Since != 0 || g.past != nil {
		t.Errorf("%+v without predictions", g)
	}
	for labels := 4; labels <= 240; labels++ {
		g = g.by(labels, decided(labels))
		if labels < 6 {
			if g.Since != 0 {
				t.Errorf("%d labels: since %d", labels, g.Since)
			}
			continue
		}
		if low, high := float64(labels)/1.5/1.11-1, float64(labels)/1.5; !(low <= float64(g.Since) && float64(g.Since) <= high) {
			t.Errorf("%d labels: since %d", labels, g.Since)
		}
		if want := differing(decided(g.Since), decided(labels)); g.Changed != want || len(g.past) > 8 {
			t.Errorf("%d labels: changed %v, want %v; %d are kept", labels, g.Changed, want, len(g.past))
		}
	}
	if g = g.by(236, decided(236)); g.Since < 140 || g.Since > 157 || g.past[len(g.past)-1].labels > 236 {
		t.Errorf("after labels were taken back: %+v", g)
	}
}
