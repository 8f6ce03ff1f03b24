package selection

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"lapsvm/internal/machines/train"
)

// The gain of repeats is the mean, and its standard error that of the labels drawn and of the rows.
func TestGain(t *testing.T) {
	equal := func(name string, got, want float64) {
		t.Helper()
		if !(math.Abs(got-want) <= 1e-3*math.Max(1, math.Abs(want))) && !(math.IsNaN(got) && math.IsNaN(want)) {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
	nan := math.NaN()
	// Of 10 hidden rows each, repeats have gains of 20 and 10: row 1 counts twice, row 2 and row 3 against it.
	two := []Result{{Hidden: 10, Unlabelled: 10, BaselineUnlabelled: 30, Better: []int{1, 2}}, {Hidden: 10, Unlabelled: 10, BaselineUnlabelled: 20, Better: []int{1, 4}, Worse: []int{3}}}
	g := Gain(two)
	equal("mean", g.Mean, 15)
	within, between := (0.2+0.3-0.2*0.2-0.1*0.1)/2, (1+3*0.25)/10-0.15*0.15
	want := 100 * math.Sqrt(0.0025+between/10-(within-between)/10)
	equal("error", g.Error, want)
	equal("low", g.Low, 15-12.7062*want)
	equal("high", g.High, 15+12.7062*want)
	for name, c := range map[string]struct {
		results []Result
		mean    float64
		want    train.Verdict
	}{
		"two":                      {two, 15, train.CannotBeTold},
		"two alike":                {[]Result{two[0], two[0]}, 20, train.CannotBeTold}, // the rows may be chance
		"one":                      {two[:1], 20, train.CannotBeTold},
		"no baseline":              {[]Result{{Hidden: 10, BaselineUnlabelled: nan}, {Hidden: 10, BaselineUnlabelled: nan}}, nan, ""},
		"supervised":               {[]Result{{Hidden: 10, Recipe: train.Recipe{Supervised: true}}, {Hidden: 10, Recipe: train.Recipe{Supervised: true}}}, 0, ""},
		"nothing hidden":           {[]Result{{Unlabelled: nan, BaselineUnlabelled: nan}}, nan, ""},
		"the same rows are wrong":  {[]Result{{Hidden: 10}, {Hidden: 10}, {Hidden: 10}}, 0, train.CannotBeTold},
		"few rows, always better":  {slices.Repeat([]Result{{Hidden: 4, BaselineUnlabelled: 100, Better: []int{1, 2, 3, 4}}}, 9), 100, train.CannotBeTold},
		"many rows, always better": {equalRepeats(4, 30, 0), 30, train.Helps},
		"many rows, always worse":  {equalRepeats(4, 0, 30), -30, train.Harms},
	} {
		g := Gain(c.results)
		equal(name, g.Mean, c.mean)
		if g.Verdict != c.want {
			t.Errorf("%s: %q, want %q", name, g.Verdict, c.want)
		}
		if len(c.results) == 1 && !(math.IsNaN(g.Error) && math.IsNaN(g.Low) && math.IsNaN(g.High)) {
			t.Errorf("%s: %+v tells more than one repeat can", name, g)
		}
	}
}

// equalRepeats returns repeats on 100 hidden rows, of which the model alone gets some right, and others
// the baseline alone.
func equalRepeats(repeats, better, worse int) []Result {
	r := Result{Hidden: 100, Unlabelled: float64(worse), BaselineUnlabelled: float64(better)}
	for i := range better {
		r.Better = append(r.Better, i)
	}
	for i := range worse {
		r.Worse = append(r.Worse, 50+i)
	}
	all := make([]Result, repeats)
	for k := range all {
		all[k] = r
	}
	return all
}

// Where rows and draws of labels differ by chance alone, a verdict is wrong in one of twenty cases.
func TestGainOfChance(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 9))
	for _, repeats := range []int{2, 3, 5, 10, 30} {
		const trials, rows = 800, 60
		wrong := 0
		for range trials {
			var easy [rows]float64 // for the model
			for i := range easy {
				easy[i] = rng.NormFloat64()
			}
			results := make([]Result, repeats)
			for k := range results {
				r, lucky := &results[k], rng.NormFloat64()
				r.Hidden = rows
				for i := range easy {
					switch v := easy[i] + lucky + 2*rng.NormFloat64(); {
					case v > 2:
						r.Better = append(r.Better, i)
					case v < -2:
						r.Worse = append(r.Worse, i)
					}
				}
				r.BaselineUnlabelled = 100 * float64(len(r.Better)) / rows
				r.Unlabelled = 100 * float64(len(r.Worse)) / rows
			}
			if Gain(results).Verdict != train.CannotBeTold {
				wrong++
			}
		}
		if share := float64(wrong) / trials; share > 0.06 {
			t.Errorf("%d repeats: %.3f of the verdicts are wrong", repeats, share)
		}
	}
}

// The quantiles are those of printed tables.
func TestStudent(t *testing.T) {
	for freedom, want := range map[int]float64{1: 12.7062, 2: 4.30265, 3: 3.18245, 4: 2.77645, 5: 2.57058, 9: 2.26216, 10: 2.22814, 19: 2.09302, 29: 2.04523, 120: 1.97993, 1000: 1.96234} {
		if got := student(freedom); !(math.Abs(got-want) <= 1e-5*want) {
			t.Errorf("%d degrees of freedom: %v, want %v", freedom, got, want)
		}
	}
}

// Thousands of labels have a verdict too.
func TestSignTestOfMany(t *testing.T) {
	for _, c := range []struct {
		better, worse int
		low, high     float64
	}{{5000, 5000, 1, 1}, {5200, 4800, 6.0e-5, 6.8e-5}, {0, 3000, 0, 1e-300}} {
		if got := signTest(c.better, c.worse); !(got >= c.low && got <= c.high) {
			t.Errorf("%d of %d: %v, want %v to %v", c.better, c.better+c.worse, got, c.low, c.high)
		}
	}
}
