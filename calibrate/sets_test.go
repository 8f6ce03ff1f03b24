package calibrate_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"lapsvm/calibrate"
)

// fitted returns a calibration to decision values drawn around each label, with so many labels of each class.
func fitted(t *testing.T, rng *rand.Rand, labels []int) *calibrate.Calibration {
	t.Helper()
	var scores [][]float64
	var y []int
	for class, count := range labels {
		for range count {
			scores, y = append(scores, around(rng, len(labels), class)), append(y, class)
		}
	}
	c, err := calibrate.Fit(scores, y)
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Validate(); err != nil {
		t.Fatal(err)
	}
	return c
}

func around(rng *rand.Rand, classes, class int) []float64 {
	row := make([]float64, classes)
	for k := range row {
		row[k] = rng.NormFloat64()
	}
	row[class] += 1.5
	return row
}

// A class is in a set where its p-value exceeds 1 − level. The p-value of a class with l labels is (1 + k)/(1 + l), where k
// of them have at most the probability of the point. The most probable class is in the set.
func TestSets(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 44))
	for range 100 {
		c := fitted(t, rng, []int{rng.IntN(40), 2 + rng.IntN(40), 5, 12})
		level := 0.3 + 0.6*rng.Float64()
		groups := c.Groups(level)
		var classes []int
		for _, g := range groups {
			classes = append(classes, g...)
		}
		slices.Sort(classes)
		if !slices.Equal(classes, []int{0, 1, 2, 3}) {
			t.Fatalf("groups %v", groups)
		}
		for range 20 {
			p := make([]float64, 4)
			c.Probabilities(p, around(rng, 4, rng.IntN(4)))
			sets, err := c.Sets([][]float64{p}, level)
			if err != nil {
				t.Fatal(err)
			}
			for _, group := range groups {
				for _, class := range group {
					atMost, all := 0, 0
					for _, other := range group {
						for _, own := range c.Own[other] {
							if all++; own <= p[class] {
								atMost++
							}
						}
					}
					want := float64(1+atMost)/float64(1+all) > 1-level
					if slices.Contains(sets[0], class) != (want || p[class] == slices.Max(p)) {
						t.Errorf("level %v, class %d of %v: p-value of %d among %d, in the set %v", level, class, groups, atMost, all, sets[0])
					}
				}
			}
			if !slices.IsSortedFunc(sets[0], func(a, b int) int { return int(math.Copysign(1, p[b]-p[a])) }) {
				t.Errorf("set %v of %v is not by probability", sets[0], p)
			}
		}
	}
}

// Labels that lose as much as others do times an optimism have the probabilities of these, and the order of probabilities stays.
func TestDoubt(t *testing.T) {
	c := &calibrate.Calibration{Slope: 1, HeldOut: 3, Own: [][]float64{{0.25, 0.81}, {1}}}
	c.Doubt(0.5)
	c.Doubt(0)
	if !slices.Equal(c.Own[0], []float64{0.25, 0.81}) {
		t.Errorf("without optimism %v", c.Own)
	}
	c.Doubt(1.5)
	if want := []float64{0.125, 0.729}; !(math.Abs(c.Own[0][0]-want[0])+math.Abs(c.Own[0][1]-want[1]) <= 1e-12) || c.Own[1][0] != 1 || c.Validate() != nil {
		t.Errorf("%v, %v", c.Own, c.Validate())
	}
}

// New points of the distribution of the labels are in their sets as often as the level says, in the mean over draws of
// labels: of every class with labels enough, and of the others together.
func TestSetsKeepTheirLevel(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 44))
	labels, level := []int{19, 39, 5, 6, 8}, 0.9
	const draws, points = 400, 20
	right, count := make([]float64, len(labels)), make([]float64, len(labels))
	for range draws {
		c := fitted(t, rng, labels)
		if groups := c.Groups(level); len(groups) != 3 || !slices.Equal(groups[2], []int{2, 3, 4}) {
			t.Fatalf("groups %v", groups)
		}
		for class, of := range labels {
			for range points * of {
				p := make([]float64, len(labels))
				c.Probabilities(p, around(rng, len(labels), class))
				sets, err := c.Sets([][]float64{p}, level)
				if err != nil {
					t.Fatal(err)
				}
				if count[class]++; slices.Contains(sets[0], class) {
					right[class]++
				}
			}
		}
	}
	for class := range 2 {
		if coverage := right[class] / count[class]; !(math.Abs(coverage-level) <= 0.012) {
			t.Errorf("class %d: coverage %.3f", class, coverage)
		}
	}
	// 2 of 20 ranks of the 19 labels of three classes are left out.
	if coverage := (right[2] + right[3] + right[4]) / (count[2] + count[3] + count[4]); !(math.Abs(coverage-0.9) <= 0.012) {
		t.Errorf("three classes together: coverage %.3f", coverage)
	}
}

// Labels bound the level. Classes that lack labels share a threshold with the next in number.
func TestLevelsOfSets(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 44))
	eight := fitted(t, rng, []int{4, 4})
	if err := eight.CheckLevel(0.95); err == nil || !strings.Contains(err.Error(), "takes 19 held-out labels, of which there are 8") || !strings.Contains(err.Error(), "at most 0.88") {
		t.Errorf("0.95 of eight labels: %v", err)
	}
	if err := eight.CheckLevel(0.88); err != nil {
		t.Error(err)
	}
	if groups := eight.Groups(0.88); len(groups) != 1 || !slices.Equal(groups[0], []int{0, 1}) {
		t.Errorf("groups %v", groups)
	}
	if groups := fitted(t, rng, []int{9, 20, 3}).Groups(0.9); len(groups) != 2 || !slices.Equal(groups[0], []int{1}) || !slices.Equal(groups[1], []int{0, 2}) {
		t.Errorf("groups %v: the class of 3 labels is to share with that of 9", groups)
	}
	for level, want := range map[float64]int{0.5: 1, 0.8: 4, 0.9: 9, 0.95: 19, 0.99: 99, 0.9999: 9999} {
		if got := calibrate.LeastLabels(level); got != want {
			t.Errorf("level %v takes %d labels, want %d", level, got, want)
		}
	}
	for _, level := range []float64{0, 1, -1, 2, math.NaN()} {
		if eight.CheckLevel(level) == nil {
			t.Errorf("the level %v is taken", level)
		}
	}
	assumed, err := calibrate.Assume([][]float64{{1, 2}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := assumed.Sets([][]float64{{0.5, 0.5}}, 0.5); err == nil || !strings.Contains(err.Error(), "no label was held out") {
		t.Errorf("sets of an assumed calibration: %v", err)
	}
	for _, own := range [][][]float64{{{0.2}, nil}, {{0.4, 0.2}, nil}, {{-0.1, 0.2}, nil}, {{0.1, 1.2}, nil}, {{0.1, math.NaN()}, nil}} {
		if (&calibrate.Calibration{Slope: 1, HeldOut: 2, Own: own}).Validate() == nil {
			t.Errorf("own probabilities %v are taken", own)
		}
	}
}
