package calibrate_test

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"lapsvm/calibrate"
)

// argmax returns the first of the largest values.
func argmax(row []float64) int {
	best := 0
	for c, v := range row {
		if v > row[best] {
			best = c
		}
	}
	return best
}

// score draws a decision value; some are equal, next to each other, tiny or
// extreme.
func score(rng *rand.Rand) float64 {
	switch rng.IntN(8) {
	case 0:
		return float64(rng.IntN(3) - 1)
	case 1:
		return math.Nextafter(1, 2)
	case 2:
		return math.Ldexp(rng.NormFloat64(), -1060)
	case 3:
		return math.Ldexp(rng.NormFloat64(), 1020)
	case 4:
		return 1 + 1e-15*rng.NormFloat64()
	case 5:
		return math.Inf(2*rng.IntN(2) - 1)
	}
	return rng.NormFloat64()
}

// The most probable class is the predicted one for any scores and any slope,
// and the probabilities are probabilities.
func TestArgmaxIsKept(t *testing.T) {
	rng := rand.New(rand.NewPCG(61, 1))
	slopes := []float64{5e-324, 1e-300, 1e-9, 1e-3, 1, 30, 1e9, math.MaxFloat64}
	for range 200000 {
		row := make([]float64, 2+rng.IntN(6))
		for c := range row {
			row[c] = score(rng)
		}
		if len(row) == 2 {
			row[0] = -row[1]
		}
		c := calibrate.Calibration{Slope: slopes[rng.IntN(len(slopes))]}
		p := make([]float64, len(row))
		c.Probabilities(p, row)
		sum := 0.0
		for _, v := range p {
			if !(v >= 0 && v <= 1) {
				t.Fatalf("scores %v, slope %v: probabilities %v", row, c.Slope, p)
			}
			sum += v
		}
		if !(math.Abs(sum-1) <= 1e-14) {
			t.Fatalf("scores %v, slope %v: the probabilities %v sum to %v", row, c.Slope, p, sum)
		}
		if argmax(p) != argmax(row) {
			t.Fatalf("scores %v, slope %v: probabilities %v", row, c.Slope, p)
		}
		c.Probabilities(row, row)
		for k := range p {
			if row[k] != p[k] {
				t.Fatalf("in place %v, else %v", row, p)
			}
		}
	}
}

// The formula of the doc comment, and Platt's sigmoid for two classes.
func TestProbabilitiesByDefinition(t *testing.T) {
	c := calibrate.Calibration{Slope: 1.7}
	row, p := []float64{0.3, -0.2, 0.9}, make([]float64, 3)
	c.Probabilities(p, row)
	sum := math.Exp(1.7*0.3) + math.Exp(-1.7*0.2) + math.Exp(1.7*0.9)
	for k, f := range row {
		if want := math.Exp(1.7*f) / sum; !(math.Abs(p[k]-want) <= 1e-15) {
			t.Errorf("class %d: %v, want %v", k, p[k], want)
		}
	}
	c.Probabilities(p[:2], []float64{-0.4, 0.4})
	if want := 1 / (1 + math.Exp(-2*1.7*0.4)); !(math.Abs(p[1]-want) <= 1e-15) {
		t.Errorf("two classes: %v, want %v", p[1], want)
	}
}

// crossEntropy is what Fit minimises, as its comment has it.
func crossEntropy(scores [][]float64, y []int, slope float64) float64 {
	n, sum := float64(len(scores)), 0.0
	for i, row := range scores {
		z := 0.0
		for _, f := range row {
			z += math.Exp(slope * f)
		}
		for c, f := range row {
			target := 1 / ((n + 2) * float64(len(row)-1))
			if c == y[i] {
				target = (n + 1) / (n + 2)
			}
			sum -= target * math.Log(math.Exp(slope*f)/z)
		}
	}
	return sum
}

// draw makes rows of Gaussian decision values in which the label leads by lead.
func draw(rng *rand.Rand, n, classes int, lead, scale float64) (scores [][]float64, y []int) {
	for i := range n {
		row := make([]float64, classes)
		for c := range row {
			row[c] = scale * rng.NormFloat64()
		}
		row[i%classes] += scale * lead
		scores, y = append(scores, row), append(y, i%classes)
	}
	return scores, y
}

func TestFitIsTheMinimum(t *testing.T) {
	rng := rand.New(rand.NewPCG(62, 1))
	for _, n := range []int{1, 2, 5, 40, 300} {
		for _, classes := range []int{2, 3, 10} {
			for _, lead := range []float64{0.2, 1, 3, 8} {
				scores, y := draw(rng, n, classes, lead, 0.3)
				c, err := calibrate.Fit(scores, y)
				if err != nil {
					t.Fatal(err)
				}
				if err := c.Validate(); err != nil || c.HeldOut != n {
					t.Fatalf("%+v: %v", c, err)
				}
				at := crossEntropy(scores, y, c.Slope)
				for _, factor := range []float64{0.5, 0.99, 1.01, 2} {
					if c.Slope < 0.01 && factor < 1 {
						continue // the bound
					}
					if other := crossEntropy(scores, y, c.Slope*factor); !(at <= other+1e-12*other) {
						t.Errorf("n %d, %d classes, lead %v: cross-entropy %v at the slope %v, %v at %v", n, classes, lead, at, c.Slope, other, c.Slope*factor)
					}
				}
			}
		}
	}
}

// With scores drawn so that the true slope is known it is found, and scores in
// other units have the slope in other units.
func TestFitFindsTheSlope(t *testing.T) {
	rng := rand.New(rand.NewPCG(63, 1))
	const slope = 4.0
	var scores, large [][]float64
	var y []int
	for range 20000 {
		row := []float64{rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64()}
		p := make([]float64, 3)
		(&calibrate.Calibration{Slope: slope}).Probabilities(p, row)
		u, class := rng.Float64(), 0
		for ; class < 2 && u > p[class]; class++ {
			u -= p[class]
		}
		scores, y = append(scores, row), append(y, class)
		large = append(large, []float64{1e150 * row[0], 1e150 * row[1], 1e150 * row[2]})
	}
	c, err := calibrate.Fit(scores, y)
	if err != nil || !(math.Abs(c.Slope-slope) <= 0.15) {
		t.Errorf("slope %+v (%v), want %v", c, err, slope)
	}
	d, err := calibrate.Fit(large, y)
	if err != nil || !(math.Abs(d.Slope*1e150/c.Slope-1) <= 1e-8) {
		t.Errorf("in other units %+v (%v), want %v", d, err, c.Slope*1e-150)
	}
}

// Values that point the wrong way, or nowhere, and the most extreme ones still
// give a usable slope.
func TestFitDegenerate(t *testing.T) {
	for name, c := range map[string]struct {
		scores [][]float64
		y      []int
	}{
		"all wrong":   {[][]float64{{1, -1}, {-1, 1}, {2, -2}}, []int{1, 0, 1}},
		"all equal":   {[][]float64{{1, 1}, {0, 0}}, []int{0, 1}},
		"one row":     {[][]float64{{0, 1, 0}}, []int{1}},
		"huge":        {[][]float64{{1e300, -1e300}, {-1e300, 1e300}}, []int{0, 1}},
		"tiny":        {[][]float64{{1e-300, -1e-300}, {-1e-300, 1e-300}}, []int{0, 1}},
		"of all kind": {[][]float64{{1e12, -1e12}, {-1e-12, 1e-12}, {0, 0}}, []int{0, 1, 1}},
	} {
		k, err := calibrate.Fit(c.scores, c.y)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if err := k.Validate(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if name == "all wrong" && !(k.Slope <= 0.01) {
			t.Errorf("%s: slope %v, want the least", name, k.Slope)
		}
	}
}

func TestErrors(t *testing.T) {
	for name, c := range map[string]struct {
		scores [][]float64
		y      []int
		want   string
	}{
		"no rows":      {nil, nil, "no decision values"},
		"one class":    {[][]float64{{1}}, []int{0}, "at least two"},
		"ragged":       {[][]float64{{1, 2}, {1, 2, 3}}, []int{0, 1}, "point 1"},
		"NaN":          {[][]float64{{1, math.NaN()}}, []int{0}, "finite"},
		"infinite":     {[][]float64{{1, math.Inf(-1)}}, []int{0}, "finite"},
		"overflow":     {[][]float64{{1.7e308, -1.7e308}}, []int{0}, "finite"},
		"few labels":   {[][]float64{{1, 2}}, nil, "0 labels"},
		"label beyond": {[][]float64{{1, 2}}, []int{2}, "class 2 of 2"},
		"no label":     {[][]float64{{1, 2}}, []int{-1}, "class -1"},
	} {
		if _, err := calibrate.Fit(c.scores, c.y); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want %q", name, err, c.want)
		}
		if strings.Contains(name, "label") {
			continue
		}
		if _, err := calibrate.Assume(c.scores); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v of Assume, want %q", name, err, c.want)
		}
	}
	for _, c := range []calibrate.Calibration{{}, {Slope: -1}, {Slope: math.NaN()}, {Slope: math.Inf(1)}, {Slope: 1, HeldOut: -1}} {
		if c.Validate() == nil {
			t.Errorf("%+v is valid", c)
		}
	}
}

// The assumed calibration gives predictions ⅔ in the mean, whatever the unit
// of the scores, and stays finite where hardly any row tells classes apart.
func TestAssume(t *testing.T) {
	rng := rand.New(rand.NewPCG(64, 1))
	for _, classes := range []int{2, 3, 20} {
		for _, scale := range []float64{1e-8, 1, 1e8} {
			scores, _ := draw(rng, 500, classes, 2, scale)
			c, err := calibrate.Assume(scores)
			if err != nil || c.HeldOut != 0 {
				t.Fatalf("%+v, %v", c, err)
			}
			mean, p := 0.0, make([]float64, classes)
			for _, row := range scores {
				c.Probabilities(p, row)
				mean += p[argmax(row)] / 500
			}
			if !(math.Abs(mean-2.0/3) <= 1e-8) {
				t.Errorf("%d classes, scale %v: mean %v", classes, scale, mean)
			}
		}
	}
	ties := make([][]float64, 100)
	for i := range ties {
		ties[i] = []float64{0, 0}
	}
	c, err := calibrate.Assume(ties)
	if err != nil || c.Slope != 1 {
		t.Errorf("all tied: %+v, %v", c, err)
	}
	ties[3] = []float64{-1, 1}
	c, err = calibrate.Assume(ties)
	if err != nil || !(math.Abs(c.Slope-5000) <= 1e-3) {
		t.Errorf("all but one tied: %+v, %v", c, err)
	}
}
