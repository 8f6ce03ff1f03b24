package selection

import (
	"testing"

	"lapsvm/internal/machines/train"
	"lapsvm/points"
)

// A machine for many points is challenged on all of them by the next power of the Laplacian, with a
// weight ten times as large unless a weight was asked for.
func TestChallenged(t *testing.T) {
	chosen := train.Recipe{GammaA: 1e-3, GammaI: 0.3}
	chosen.Graph.Neighbours, chosen.Graph.Degree = 10, 2
	for name, c := range map[string]struct {
		change func(a *arena, r *train.Recipe)
		gammaI float64 // of the challenger; 0 where there is none
	}{
		"open":                     {func(*arena, *train.Recipe) {}, 3},
		"a weight was asked for":   {func(a *arena, _ *train.Recipe) { a.asked.GammaI = 0.3 }, 0.3},
		"a power was asked for":    {func(a *arena, _ *train.Recipe) { a.asked.Graph.Degree = 2 }, 0},
		"supervised":               {func(_ *arena, r *train.Recipe) { r.Supervised = true }, 0},
		"no label can be held out": {func(a *arena, _ *train.Recipe) { a.held = nil }, 0},
		"validation points":        {func(a *arena, _ *train.Recipe) { a.held.validation = points.Dense(1, 1, []float64{1}) }, 0},
		"a prior":                  {func(a *arena, _ *train.Recipe) { a.asked.Prior = train.BalancedPrior }, 0},
		"fewer points":             {func(a *arena, _ *train.Recipe) { a.points = 15_999 }, 0},
	} {
		a, r := toyArena(t, train.Recipe{}, 16_000), chosen
		c.change(a, &r)
		got := a.challenged(r).Challenger
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
