package linesearch_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"lapsvm/internal/numbers/linesearch"
	"lapsvm/internal/numbers/objective"
)

// Points exactly on the margin move inwards, outwards or not at all. They are neither lost nor
// counted as a piece of the line. The step is the minimum of the sum of losses, and the intervals
// are the pieces up to it between changes of the error vectors.
func TestMinimiseFromTheMargin(t *testing.T) {
	rng := rand.New(rand.NewPCG(6, 1))
	var ls linesearch.Search
	moved := 0
	for range 3000 {
		l := 2 + rng.IntN(5)
		y, f, d, c := make([]float64, l), make([]float64, l), make([]float64, l), make([]float64, l)
		for k := range y {
			y[k], f[k], d[k], c[k] = 1, 1, float64(rng.IntN(5)-2), 1+float64(rng.IntN(3))
			if rng.IntN(2) == 0 {
				y[k], f[k] = -1, -1 // on the margin
			}
			if rng.IntN(3) == 0 {
				f[k] += float64(rng.IntN(9)-4) / 4
			}
		}
		at0, slope := -rng.Float64(), 0.1+rng.Float64()
		value := func(s float64) float64 {
			sum := at0*s + slope*s*s/2
			for k := range y {
				e := math.Max(0, 1-y[k]*(f[k]+s*d[k]))
				sum += c[k] * e * e / 2
			}
			return sum
		}
		step, intervals := ls.Minimise(objective.SquaredHinge, y, c, f, d, at0, slope)
		for _, other := range []float64{0, step / 2, step * (1 - 1e-4), step * (1 + 1e-4), 2 * step, step + 1e-3, 5} {
			if value(other) < value(step)-1e-12 {
				t.Fatalf("y %v, f %v, d %v, c %v: the step %v has %v, %v has %v", y, f, d, c, step, value(step), other, value(other))
			}
		}
		want := 1
		for k := range y {
			if change := (1 - y[k]*f[k]) / (y[k] * d[k]); d[k] != 0 && change > 0 && change < step*(1-1e-12) {
				want++
			}
		}
		// Points that change at the minimum itself may be on either side.
		at := 0
		for k := range y {
			if change := (1 - y[k]*f[k]) / (y[k] * d[k]); d[k] != 0 && step > 0 && math.Abs(change-step) <= 1e-12*step {
				at++
			}
		}
		onMargin := 0
		for k := range y {
			if y[k]*f[k] == 1 && d[k] != 0 {
				onMargin++
			}
		}
		if step > 0 && (intervals < want || intervals > want+at) {
			t.Fatalf("y %v, f %v, d %v: %d intervals up to %v, want %d", y, f, d, intervals, step, want)
		}
		if step > 0 && onMargin > 0 {
			moved++
		}
	}
	if moved < 100 {
		t.Errorf("%d lines leave the margin: little is tested", moved)
	}
}
