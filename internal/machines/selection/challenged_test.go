package selection

import (
	"testing"

	"lapsvm/internal/machines/train"
	"lapsvm/points"
)

// A challenger that was measured far behind the best is outdone. One that was not measured, or that is as good as others,
// is not.
func TestOutdone(t *testing.T) {
	a := toyComparison(t, train.Recipe{}, 30_001)
	best := machineOf(0, 10, 1e-3, 0.3, 0.1, 0, 1)
	rival := func(kernel role, loss float64) measured {
		m := machineOf(kernel, 10, 1e-3, 3, loss, 0, 1)
		m.LaplacianDegree = 2
		return m
	}
	for name, c := range map[string]struct {
		others []measured
		want   bool
	}{
		"not measured":             {nil, false},
		"as good":                  {[]measured{rival(0, 0.1)}, false},
		"behind":                   {[]measured{rival(0, 0.27)}, false}, // by a log score of 1.92
		"far behind":               {[]measured{rival(0, 0.29)}, true},  // by 2.08
		"of other neighbours":      {[]measured{machineOf(0, 20, 1e-3, 0.3, 0.1, 0, 1), rival(0, 0.29)}, true},
		"of another kernel":        {[]measured{rival(1, 0.42)}, false},
		"far behind another":       {[]measured{rival(0, 0.27), machineOf(1, 10, 1e-3, 3, 0.09, 0, 1)}, true},
		"better, others are worse": {[]measured{rival(0, 0.05), machineOf(1, 10, 1e-3, 3, 0.9, 0, 1)}, false},
	} {
		if got := a.outdone(best.candidate, append([]measured{best}, c.others...)); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

// A machine for many points is challenged on all of them by the next power of the Laplacian, with a
// weight ten times as large unless a weight was asked for.
func TestChallenged(t *testing.T) {
	chosen := train.Recipe{GammaA: 1e-3, GammaI: 0.3}
	chosen.Graph.Neighbours, chosen.Graph.Degree = 10, 2
	for name, c := range map[string]struct {
		change func(a *comparison, r *train.Recipe)
		gammaI float64 // of the challenger; 0 where there is none
	}{
		"open":                     {func(*comparison, *train.Recipe) {}, 3},
		"a weight was asked for":   {func(a *comparison, _ *train.Recipe) { a.asked.GammaI = 0.3 }, 0.3},
		"a power was asked for":    {func(a *comparison, _ *train.Recipe) { a.asked.Graph.Degree = 2 }, 0},
		"supervised":               {func(_ *comparison, r *train.Recipe) { r.Supervised = true }, 0},
		"no label can be held out": {func(a *comparison, _ *train.Recipe) { a.held = nil }, 0},
		"validation points":        {func(a *comparison, _ *train.Recipe) { a.held.validation = points.Dense(1, 1, []float64{1}) }, 0},
		"a prior":                  {func(a *comparison, _ *train.Recipe) { a.asked.Prior = train.BalancedPrior }, 0},
		"fewer points":             {func(a *comparison, _ *train.Recipe) { a.points = 30_000 }, 0},
	} {
		a, r := toyComparison(t, train.Recipe{}, 30_001), chosen
		c.change(a, &r)
		got := a.challenged(r).Pending.Challenger
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
