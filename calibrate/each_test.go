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

// Logarithms of odds stay as they are: their sigmoid is the probability, and held-out rows tell of the threshold and of sets.
func TestEachOfLogOdds(t *testing.T) {
	scores := [][]float64{{2}, {1}, {-1}, {-2}, {-3}}
	answers := [][]float64{{1, -1, 1, -1, -1}}
	e, err := calibrate.EachOfLogOdds(scores, answers)
	if err != nil {
		t.Fatal(err)
	}
	p := func(f float64) float64 { return 1 / (1 + math.Exp(-f)) }
	near := func(got, want float64) bool { return math.Abs(got-want) < 1e-12 }
	if e.Slope[0] != 1 || e.Offset[0] != 0 || e.HeldOut != 5 || e.Validate(1) != nil {
		t.Errorf("%+v", e)
	}
	if !near(e.Threshold[0], 0.5) || len(e.Has[0]) != 2 || !near(e.Has[0][0], p(-1)) || len(e.Lacks[0]) != 3 || !near(e.Lacks[0][0], p(-1)) { // 2.07 rows are to be expected
		t.Errorf("%+v", e)
	}
	of := &calibrate.Each{Slope: []float64{2, 1}, Offset: []float64{-1, 500}}
	row := []float64{0.25, 3}
	of.LogOdds(row, row, 1e-4)
	if !near(row[0], -0.5) || !near(row[1], math.Log(9999)) {
		t.Errorf("logarithms of odds %v", row)
	}
	if of.LogOdds(row, []float64{-500, -503}, 1e-4); !near(row[0], -math.Log(9999)) || !near(row[1], -3) {
		t.Errorf("logarithms of odds %v", row)
	}
}

// Those of one calibration for all classes are less their mean, and no probability counts for less than the least.
func TestLogOddsOfClasses(t *testing.T) {
	row := []float64{0, 0, -500}
	(&calibrate.Calibration{Slope: 2}).LogOdds(row, row, 0.01)
	high, low := math.Log(0.5), math.Log(0.01)
	mean := (2*high + low) / 3
	for k, want := range []float64{high - mean, high - mean, low - mean} {
		if !(math.Abs(row[k]-want) < 1e-12) {
			t.Errorf("class %d has %v, want %v", k, row[k], want)
		}
	}
}
