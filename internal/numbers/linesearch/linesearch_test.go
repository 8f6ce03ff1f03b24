package linesearch

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"lapsvm/internal/numbers/objective"
)

// One labelled point with the target 1 and the output f, which moves at the
// rate d; at0 and slope are those of ½γ·f².
func TestMinimiseOnePoint(t *testing.T) {
	for _, c := range []struct {
		name            string
		f, d, at0       float64
		slope           float64
		want, intervals float64
	}{
		// ½max(0, 1 − f)² + ¼f² has its minimum at f = 2/3.
		{"from outside E", 1.5, -1, -0.75, 0.5, 1.5 - 2.0/3, 2},
		{"from the margin inwards", 1, -1, -0.5, 0.5, 1.0 / 3, 1},
		{"uphill", 0, -1, 0, 0.5, 0, 1},
		{"towards a flat part", 0, 0.25, 0, 0, 4, 1},
		// ψ(0) = 0 is no descent. The piece up to the margin has no slope either,
		// so that its zero would be 0/0.
		{"flat up to the margin", 2, -1, 0, 0, 0, 1},
		{"flat everywhere", 2, 1, 0, 0, 0, 1},
	} {
		var ls Search
		step, intervals := ls.Minimise(objective.SquaredHinge, []float64{1}, nil, []float64{c.f}, []float64{c.d}, c.at0, c.slope)
		if !(math.Abs(step-c.want) <= 1e-15) || float64(intervals) != c.intervals {
			t.Errorf("%s: step %v in %d intervals, want %v in %v", c.name, step, intervals, c.want, c.intervals)
		}
	}
}

// phi evaluates the documented formula.
func phi(loss objective.Loss, y, c, f, d []float64, at0, slope, s float64) float64 {
	sum := at0*s + slope*s*s/2
	for k := range y {
		at := f[k] + s*d[k]
		if objective.IsLeftOut(y[k]) {
			continue
		}
		weight := 1.0
		if c != nil {
			weight = c[k]
		}
		sum += loss.Pieces().PieceAt(y[k], at).Cost(weight, loss.Pieces().Shortfall(y[k], at)) / 2
	}
	return sum
}

// No step near the one found, and none far from it, is better.
func TestMinimise(t *testing.T) {
	var ls Search
	smooth := slices.DeleteFunc(objective.Losses(), func(l objective.Loss) bool { return !l.Smooth() })
	for seed := range uint64(300) {
		rng := rand.New(rand.NewPCG(seed, 4))
		l := 1 + rng.IntN(8)
		loss := smooth[seed%uint64(len(smooth))]
		y, f, d := make([]float64, l), make([]float64, l), make([]float64, l)
		var c []float64
		for k := range y {
			y[k], f[k], d[k] = float64(2*rng.IntN(2)-1), rng.NormFloat64(), rng.NormFloat64()
			if loss.OfResiduals() {
				y[k] = rng.NormFloat64()
			}
			if rng.IntN(3) == 0 {
				y[k] = objective.LeftOut()
			}
			if seed%2 == 0 {
				c = append(c, 0.5+rng.Float64())
			}
		}
		at0, slope := rng.NormFloat64(), 0.1+rng.Float64()
		step, intervals := ls.Minimise(loss, y, c, f, d, at0, slope)
		if intervals < 1 || loss == objective.Squared && intervals != 1 {
			t.Errorf("seed %d: %d intervals", seed, intervals)
		}
		best := phi(loss, y, c, f, d, at0, slope, step)
		for _, other := range []float64{0, step + 1e-5, max(0, step-1e-5), 2 * step, step / 2, step + 1} {
			if v := phi(loss, y, c, f, d, at0, slope, other); !(best <= v+1e-12*(1+math.Abs(best))) {
				t.Errorf("seed %d: φ(%v) = %v, but φ(%v) = %v", seed, step, best, other, v)
			}
		}
	}
}
