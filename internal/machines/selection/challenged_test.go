package selection

import (
	"testing"

	"lapsvm/internal/machines/train"
)

// A machine that was chosen on less than half of the points is challenged on all of them by the
// next power of the Laplacian, with a weight ten times as large unless a weight was asked for.
func TestChallenged(t *testing.T) {
	chosen := train.Recipe{GammaA: 1e-3, GammaI: 0.3}
	chosen.Graph.Neighbours, chosen.Graph.Degree = 10, 2
	for name, c := range map[string]struct {
		change func(f *far, r *train.Recipe)
		gammaI float64 // of the challenger; 0 where there is none
	}{
		"open":                         {func(*far, *train.Recipe) {}, 3},
		"a weight was asked for":       {func(f *far, _ *train.Recipe) { f.asked.GammaI = 0.3 }, 0.3},
		"a power was asked for":        {func(f *far, _ *train.Recipe) { f.asked.Graph.Degree = 2 }, 0},
		"supervised":                   {func(_ *far, r *train.Recipe) { r.Supervised = true }, 0},
		"no label can be held out":     {func(f *far, _ *train.Recipe) { f.held = nil }, 0},
		"more than half of the points": {func(f *far, _ *train.Recipe) { f.points = 2*f.geometry.Len() - 1 }, 0},
	} {
		part, why, err := newComparison(t.Context(), labelledMoons(500, 12, false), train.Recipe{Standardise: "none"}, train.Run{}, 250, 50)
		if err != nil || why != "" {
			t.Fatal(why, err)
		}
		f, r := &far{comparison: part}, chosen
		if f.geometry.Len() != 250 || f.points != 500 {
			t.Fatalf("%d points of %d", f.geometry.Len(), f.points)
		}
		c.change(f, &r)
		got := f.challenged(r).Challenger
		if c.gammaI == 0 {
			if got != nil {
				t.Errorf("%s: challenged by %+v", name, *got)
			}
			continue
		}
		want := train.Member{Neighbours: 10, LaplacianDegree: 3, GammaA: 1e-3, GammaI: c.gammaI, Weight: 1}
		if got == nil || *got != want {
			t.Errorf("%s: challenged by %+v, want %+v", name, got, want)
		}
	}
}
