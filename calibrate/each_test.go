package calibrate_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"lapsvm/calibrate"
)

// The derivatives of the cross-entropy, computed here, are zero at slopes and offsets. These stay finite for rows that are told apart,
// for rows that are not, and for one of a kind.
func TestFitEach(t *testing.T) {
	rng := rand.New(rand.NewPCG(6, 45))
	const rows = 60
	answers := make([][]float64, 5)
	scores := make([][]float64, rows)
	for i := range scores {
		scores[i] = make([]float64, len(answers))
		for class := range answers {
			answer := float64(2*rng.IntN(2) - 1)
			switch class {
			case 0:
				scores[i][class] = answer - 0.5 + rng.NormFloat64()
			case 1: // told apart
				scores[i][class] = 3*answer + rng.Float64()
			case 2: // one of a kind
				answer = -1
				if i == 7 {
					answer = 1
				}
				scores[i][class] = rng.NormFloat64()
			case 3: // the wrong way
				scores[i][class] = -answer + 0.1*rng.NormFloat64()
			case 4: // in another unit
				scores[i][class] = 1e-9 * (answer + rng.NormFloat64())
			}
			if i%9 == class {
				answer = math.NaN()
			}
			answers[class] = append(answers[class], answer)
		}
	}
	e, err := calibrate.FitEach(scores, answers)
	if err != nil {
		t.Fatal(err)
	}
	if err := e.Validate(len(answers)); err != nil || e.HeldOut != rows {
		t.Fatal(err, e.HeldOut)
	}
	for class, of := range answers {
		with, without := 0.0, 0.0
		for _, answer := range of {
			if answer > 0 {
				with++
			} else if answer < 0 {
				without++
			}
		}
		slope, offset, scale := 0.0, 0.0, 0.0
		p := make([]float64, len(answers))
		for i, answer := range of {
			if math.IsNaN(answer) {
				continue
			}
			e.Probabilities(p, scores[i])
			target := 1 / (without + 2)
			if answer > 0 {
				target = (with + 1) / (with + 2)
			}
			slope, offset = slope+(p[class]-target)*scores[i][class], offset+p[class]-target
			scale = max(scale, math.Abs(scores[i][class]))
		}
		above, expected := 0, 0.0
		for i, answer := range of {
			if e.Probabilities(p, scores[i]); !math.IsNaN(answer) {
				if expected += p[class]; p[class] > e.Threshold[class] {
					above++
				}
			}
		}
		if most := max(1, math.Round(expected)); float64(above) < most || e.Threshold[class] < 0.5 && float64(above) != most {
			t.Errorf("class %d: %d rows above the threshold %v, %v to be expected", class, above, e.Threshold[class], expected)
		}
		if !(math.Abs(offset) <= 1e-6) || class != 3 && !(math.Abs(slope)/scale <= 1e-6) || class == 3 && !(math.Abs(e.Slope[class]*scale-1e-3) <= 1e-12) {
			t.Errorf("class %d: slope %v, offset %v, derivatives %v and %v", class, e.Slope[class], e.Offset[class], slope/scale, offset)
		}
	}
	if _, err := calibrate.FitEach([][]float64{{math.Inf(1)}}, [][]float64{{1}}); err == nil {
		t.Error("an infinite value is taken")
	}
	for _, e := range []calibrate.Each{{}, {Slope: []float64{0}, Offset: []float64{1}, Threshold: []float64{0.5}}, {Slope: []float64{1}, Offset: []float64{math.NaN()}, Threshold: []float64{0.5}},
		{Slope: []float64{1}, Offset: []float64{1}}, {Slope: []float64{1}, Offset: []float64{1}, Threshold: []float64{0.7}}} {
		if e.Validate(1) == nil {
			t.Errorf("%+v is taken", e)
		}
	}
}
