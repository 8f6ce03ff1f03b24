package objective_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"lapsvm/internal/numbers/objective"
)

// formulas are the losses as their files state them, of the shortfall e.
func formulas() map[objective.Loss]func(e float64) float64 {
	ramp := func(e float64) float64 { return math.Max(0, e) }
	return map[objective.Loss]func(e float64) float64{
		objective.SquaredHinge: func(e float64) float64 { return ramp(e) * ramp(e) },
		objective.Squared:      func(e float64) float64 { return e * e },
		objective.Hinge:        ramp,
		objective.HuberisedHinge: func(e float64) float64 {
			if e > 1 {
				return 2*e - 1
			}
			return ramp(e) * ramp(e)
		},
		objective.Huber: func(e float64) float64 {
			if e = math.Abs(e); e > 0.5 {
				return e - 0.25
			}
			return e * e
		},
		objective.SquaredInsensitive: func(e float64) float64 { return ramp(math.Abs(e)-0.0625) * ramp(math.Abs(e)-0.0625) },
	}
}

// shortfall is e as the losses state it: of margins 1 − y·f, of residuals y − f.
func shortfall(loss objective.Loss, y, f float64) float64 {
	if loss.OfResiduals() {
		return y - f
	}
	return 1 - y*f
}

// Value, derivative and curvature of every loss are those of its formula.
func TestPieces(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 8))
	all := formulas()
	if len(all) != len(objective.Losses()) {
		t.Fatalf("%d formulas for %d losses", len(all), len(objective.Losses()))
	}
	for _, loss := range objective.Losses() {
		pieces, v := loss.Pieces(), all[loss]
		for range 2000 {
			y, f, c := float64(1-2*rng.IntN(2)), 4*rng.NormFloat64(), 0.5+rng.Float64()
			if loss.OfResiduals() {
				y = 3 * rng.NormFloat64()
			}
			e := shortfall(loss, y, f)
			const h = 1e-4
			between := false // a piece begins nearby
			for _, q := range pieces[1:] {
				between = between || math.Abs(e-q.From) < 2*h
			}
			if between {
				continue
			}
			q := pieces.PieceAt(y, f)
			for what, pair := range map[string][2]float64{
				"cost":      {q.Cost(c, e), c * v(e)},
				"slope":     {pieces.Slope(q, y, f), (v(shortfall(loss, y, f+h)) - v(shortfall(loss, y, f-h))) / (4 * h)},
				"curvature": {q.Square, (v(e+h) + v(e-h) - 2*v(e)) / (2 * h * h)},
			} {
				if !(math.Abs(pair[0]-pair[1]) <= 1e-5*(1+math.Abs(pair[1]))) {
					t.Errorf("%s: target %v, output %v: %s %v, by the formula %v", loss, y, f, what, pair[0], pair[1])
				}
			}
			if q.Flat() != (pieces.Slope(q, y, f) == 0 && q.Square == 0) {
				t.Errorf("%s: output %v: flat is %v", loss, f, q.Flat())
			}
		}
		// Convex, continuous, and from −∞ on.
		if !math.IsInf(pieces[0].From, -1) {
			t.Errorf("%s begins at %v", loss, pieces[0].From)
		}
		for i := 1; i < len(pieces); i++ {
			before, after := pieces[i-1], pieces[i]
			at := after.From
			if !(at > before.From) || before.Cost(1, at) != after.Cost(1, at) || before.Square < 0 || after.Square < 0 ||
				2*before.Square*at+before.Linear > 2*after.Square*at+after.Linear {
				t.Errorf("%s: pieces %+v and %+v do not continue to a convex function", loss, before, after)
			}
			if pieces.At(at) != i-1 || pieces.At(math.Nextafter(at, math.Inf(1))) != i {
				t.Errorf("%s: at %v the pieces are %d and %d", loss, at, pieces.At(at), pieces.At(math.Nextafter(at, math.Inf(1))))
			}
		}
		if loss.OfResiduals() {
			for e := -2.0; e < 2; e += 0.01 {
				if v(e) != v(-e) {
					t.Errorf("%s is not even at %v", loss, e)
				}
			}
		}
		if pieces.PieceAt(objective.LeftOut(), 1) != nil || pieces.At(math.NaN()) != 0 || pieces.At(math.Inf(-1)) != 0 || pieces.At(math.Inf(1)) != len(pieces)-1 {
			t.Errorf("%s: a label that is left out, or a shortfall without bounds, is on the wrong piece", loss)
		}
		if loss.About() == "" || !loss.Valid() {
			t.Errorf("%s: there is nothing about it", loss)
		}
	}
}

// What solvers ask for: whether gradients lead to the minimum, the bound of the dual variables, and
// which targets there are.
func TestSmoothAndRamp(t *testing.T) {
	for _, loss := range objective.Losses() {
		ramp := 0.0
		if loss == objective.Hinge {
			ramp = 1
		}
		if loss.Ramp() != ramp || loss.Smooth() != (ramp == 0) {
			t.Errorf("%s: smooth %v, ramp %v", loss, loss.Smooth(), loss.Ramp())
		}
		numbers := loss == objective.Squared || loss == objective.Huber || loss == objective.SquaredInsensitive
		if loss.OfResiduals() != numbers {
			t.Errorf("%s: of residuals %v", loss, loss.OfResiduals())
		}
	}
	unknown := objective.Loss("log")
	if unknown.Valid() || unknown.Smooth() || unknown.Ramp() != 0 || unknown.OfResiduals() || unknown.About() != "" {
		t.Error("a loss that there is not has properties")
	}
	if first := objective.Losses()[0]; &objective.Loss("").Pieces()[0] != &first.Pieces()[0] {
		t.Error("the empty loss is not the first")
	}
}
