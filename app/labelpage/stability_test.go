package labelpage

import "testing"

// Predictions are compared with those of about thirty labels less, also after labels were taken
// back.
func TestStability(t *testing.T) {
	var g stability
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
		if labels < 34 {
			if g.Since != 0 {
				t.Errorf("%d labels: since %d", labels, g.Since)
			}
			continue
		}
		if !(labels-lately-5 < g.Since && g.Since <= labels-lately) {
			t.Errorf("%d labels: since %d", labels, g.Since)
		}
		if want := differing(decided(g.Since), decided(labels)); g.Changed != want || len(g.past) > 9 {
			t.Errorf("%d labels: changed %v, want %v; %d are kept", labels, g.Changed, want, len(g.past))
		}
	}
	if g = g.by(236, decided(236)); g.Since < 200 || g.Since > 206 || g.past[len(g.past)-1].labels > 236 {
		t.Errorf("after labels were taken back: %+v", g)
	}
}
