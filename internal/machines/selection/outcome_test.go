package selection

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"lapsvm/internal/machines/task"
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
	two := []Result{{Hidden: 10, Unlabelled: 10, BaselineUnlabelled: 30, Gains: map[int]float64{1: 1, 2: 1}}, {Hidden: 10, Unlabelled: 10, BaselineUnlabelled: 20, Gains: map[int]float64{1: 1, 3: -1, 4: 1}}}
	g := Gain(two)
	equal("mean", g.Mean, 15)
	within, between := (0.2+0.3-0.2*0.2-0.1*0.1)/2, (1+3*0.25)/10-0.15*0.15
	want := 100 * math.Sqrt(0.0025+between/10-(within-between)/10)
	equal("error", g.Error, want)
	equal("low", g.Low, 15-12.7062*want)
	equal("high", g.High, 15+12.7062*want)
	// Of ordered classes a row counts by its ranks: row 1 for two and one, row 3 for −2.
	ofRanks := func(alone, beside float64, gains map[int]float64) Result {
		return Result{Hidden: 10, Recipe: train.Recipe{Kind: task.Ordered()}, Gains: gains, Ranks: RanksResult{Unlabelled: beside, BaselineUnlabelled: alone}}
	}
	g = Gain([]Result{ofRanks(0.8, 0.5, map[int]float64{1: 2, 2: 1}), ofRanks(0.6, 0.6, map[int]float64{1: 1, 3: -2, 4: 1})})
	equal("mean in ranks", g.Mean, 0.15)
	within, between = (0.5-0.3*0.3+0.6)/2, (1.5*1.5+0.5*0.5+1+0.5*0.5)/10-0.15*0.15
	equal("error in ranks", g.Error, math.Sqrt(0.0225+between/10-(within-between)/10))
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
		"few rows, always better":  {slices.Repeat([]Result{{Hidden: 4, BaselineUnlabelled: 100, Gains: map[int]float64{1: 1, 2: 1, 3: 1, 4: 1}}}, 9), 100, train.CannotBeTold},
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
	r := Result{Hidden: 100, Unlabelled: float64(worse), BaselineUnlabelled: float64(better), Gains: make(map[int]float64)}
	for i := range better {
		r.Gains[i] = 1
	}
	for i := range worse {
		r.Gains[50+i] = -1
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
				r.Hidden, r.Gains = rows, make(map[int]float64)
				for i := range easy {
					switch v := easy[i] + lucky + 2*rng.NormFloat64(); {
					case v > 2:
						r.Gains[i], r.BaselineUnlabelled = 1, r.BaselineUnlabelled+100./rows
					case v < -2:
						r.Gains[i], r.Unlabelled = -1, r.Unlabelled+100./rows
					}
				}
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

// With as many labels of each class as the blocks are, an error falls as 1 + 1/k. A supervised machine is better for it, and unlabelled points do
// harm only where they do so without it.
func TestExpectWithAllLabels(t *testing.T) {
	share := func(of, labels int) []float64 { // the first are wrong
		wrong := make([]float64, labels)
		for k := range of {
			wrong[k] = 1
		}
		return wrong
	}
	for _, c := range []struct {
		wrong, baselines, labels int
		learnt                   float64
		gain                     float64
		want                     train.Verdict
	}{
		{6, 20, 40, 1, 35, train.Helps}, {6, 20, 40, 0.9, 30, train.Helps},
		{10, 18, 40, 1, 20, train.Helps}, {10, 18, 40, 0.8, 11, train.CannotBeTold},
		{20, 6, 40, 1, -35, train.Harms}, {20, 6, 40, 0.9, -36.5, train.Harms},
		{20, 20, 40, 0.9, -5, train.CannotBeTold}, {40, 40, 40, 0.9, -10, train.CannotBeTold},
		{0, 1, 4000, 1, 0.025, train.CannotBeTold}, {0, 40, 4000, 1, 1, train.Helps},
	} {
		e, got := Expect(1, share(c.wrong, c.labels), share(c.baselines, c.labels), nil, 1, c.learnt)
		if got != c.want || !(math.Abs(e.Gain-c.gain) <= 1e-9) || !(math.Abs(e.SupervisedError-100*c.learnt*float64(c.baselines)/float64(c.labels)) <= 1e-9) {
			t.Errorf("%+v: %s, %+v", c, got, e)
		}
	}
	a := &comparison{task: &task.Task{Classes: []string{"a", "b"}, Labelled: make([]int, 6)}, held: &heldOut{blocks: make([]block, 3)}}
	if got := a.learnt(); !(math.Abs(got-(1+1./3)/(1+1./2)) <= 1e-12) { // three labels of each class, and two
		t.Errorf("%v", got)
	}
}
