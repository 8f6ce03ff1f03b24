package calibrate_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"lapsvm/calibrate"
)

// drawnAnswers returns decision values [row][class] of rows that have a class or lack it, so many of each, and the answers
// [class][row]. Other answers are not known.
func drawnAnswers(rng *rand.Rand, has, lacks []int) (scores, answers [][]float64) {
	scores, answers = make([][]float64, slices.Max(has)+slices.Max(lacks)), make([][]float64, len(has))
	for class := range has {
		for i := range scores {
			answer := math.NaN()
			switch {
			case i < has[class]:
				answer = 1
			case i < has[class]+lacks[class]:
				answer = -1
			}
			scores[i], answers[class] = append(scores[i], meanOf(answer)+rng.NormFloat64()), append(answers[class], answer)
		}
	}
	return scores, answers
}

// meanOf is the mean decision value of rows with an answer.
func meanOf(answer float64) float64 {
	if math.IsNaN(answer) {
		return 0
	}
	return answer
}

// A class may be had, or lacked, where the p-value of that answer exceeds 1 − level. The p-value of l rows with the answer is
// (1 + k)/(1 + l), where k of them had at most the probability of the row.
func TestEachSets(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 44))
	for range 100 {
		scores, answers := drawnAnswers(rng, []int{3 + rng.IntN(30), 2, 15}, []int{20, 40, 1 + rng.IntN(20)})
		e, err := calibrate.FitEach(scores, answers)
		if err != nil {
			t.Fatal(err)
		}
		if err := e.Validate(3); err != nil {
			t.Fatal(err)
		}
		level := 0.3 + 0.6*rng.Float64()
		for i := range 20 {
			p := make([]float64, 3)
			e.Probabilities(p, []float64{3 * rng.NormFloat64(), 3 * rng.NormFloat64(), 3 * rng.NormFloat64()})
			may, sure, err := e.Sets([][]float64{p}, level)
			if err != nil {
				t.Fatal(err)
			}
			for class := range p {
				likely := func(answer float64) bool {
					atMost, all, own := 0, 0, func(v float64) float64 {
						if answer > 0 {
							return v
						}
						return 1 - v
					}
					for row, of := range answers[class] {
						if of == answer {
							if all++; own(e.Probability(class, scores[row][class])) <= own(p[class]) {
								atMost++
							}
						}
					}
					return float64(1+atMost)/float64(1+all) > 1-level
				}
				has, lacks := likely(1), likely(-1)
				if slices.Contains(sure[0], class) != (has && !lacks) || slices.Contains(may[0], class) != (has || !lacks) {
					t.Errorf("level %v, point %d, class %d: has %v, lacks %v, but %v of %v", level, i, class, has, lacks, sure[0], may[0])
				}
			}
			for _, set := range [][]int{may[0], sure[0]} {
				if !slices.IsSortedFunc(set, func(a, b int) int { return int(math.Copysign(1, p[b]-p[a])) }) {
					t.Errorf("set %v of %v is not by probability", set, p)
				}
			}
		}
	}
}

// New rows that have a class are told to lack it as rarely as the level says, in the mean over draws of labels. So are rows that lack it told
// to have it. Of a class that few have, none is told to lack it.
func TestEachSetsKeepTheirLevel(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 44))
	has, lacks, level := []int{19, 8}, []int{59, 70}, 0.9
	const draws, points = 300, 200
	var wrong, told [2][2]float64 // [class][lacks, has]
	for range draws {
		scores, answers := drawnAnswers(rng, has, lacks)
		e, err := calibrate.FitEach(scores, answers)
		if err != nil {
			t.Fatal(err)
		}
		for answer := range 2 {
			rows := make([][]float64, points)
			for i := range rows {
				rows[i] = make([]float64, 2)
				e.Probabilities(rows[i], []float64{float64(2*answer-1) + rng.NormFloat64(), float64(2*answer-1) + rng.NormFloat64()})
			}
			may, sure, err := e.Sets(rows, level)
			if err != nil {
				t.Fatal(err)
			}
			for i := range rows {
				for class := range 2 {
					saysHas, saysLacks := slices.Contains(sure[i], class), !slices.Contains(may[i], class)
					if saysHas || saysLacks {
						told[class][answer]++
					}
					if answer == 1 && saysLacks || answer == 0 && saysHas {
						wrong[class][answer]++
					}
				}
			}
		}
	}
	const all = draws * points
	for class := range 2 {
		if share := wrong[class][0] / all; !(share > 0.05) || !(share <= 0.11) {
			t.Errorf("class %d: %.3f of the rows that lack it are told to have it", class, share)
		}
	}
	if share := wrong[0][1] / all; !(share > 0.05) || !(share <= 0.11) {
		t.Errorf("%.3f of the rows that have a class are told to lack it", share)
	}
	if wrong[1][1] > 0 || !(told[1][1] > 0) || !(told[0][0] > all/3) {
		t.Errorf("wrong %v of %v that are told something", wrong, told)
	}
}

// Rows bound the level.
func TestLevelsOfEachSets(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 44))
	e, err := calibrate.FitEach(drawnAnswers(rng, []int{4, 5}, []int{12, 11}))
	if err != nil {
		t.Fatal(err)
	}
	if err := e.CheckLevel(0.92); err != nil {
		t.Error(err)
	}
	for level, want := range map[float64]string{0.95: "takes 19 held-out rows that have, or lack, a class, and no class has more than 12: ask for at most 0.92", 1: "between 0 and 1", 0: "between 0 and 1"} {
		if _, _, err := e.Thresholds(level); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("level %v: %v", level, err)
		}
	}
	none, err := calibrate.FitEach(nil, make([][]float64, 2))
	if err != nil {
		t.Fatal(err)
	}
	if err := none.CheckLevel(0.5); err == nil || !strings.Contains(err.Error(), "no row was held out") {
		t.Errorf("no rows: %v", err)
	}
	older := *e
	if older.Has, older.Lacks = nil, nil; older.Validate(2) != nil || older.CheckLevel(0.5) == nil {
		t.Errorf("of an older program: %v and %v", older.Validate(2), older.CheckLevel(0.5))
	}
	for name, change := range map[string]func(e *calibrate.Each){
		"one class":       func(e *calibrate.Each) { e.Has = e.Has[:1] },
		"only one answer": func(e *calibrate.Each) { e.Lacks = nil },
		"too many":        func(e *calibrate.Each) { e.HeldOut = 15 },
		"not ascending":   func(e *calibrate.Each) { e.Has = [][]float64{{0.5, 0.4}, nil} },
		"above 1":         func(e *calibrate.Each) { e.Lacks = [][]float64{{0.5, 1.4}, nil} },
	} {
		wrong := *e
		if change(&wrong); wrong.Validate(2) == nil {
			t.Errorf("%s is taken", name)
		}
	}
}

// A probability at a threshold is not below it: a class with both at theirs may be had and may be lacked.
func TestEachSetsAtThresholds(t *testing.T) {
	own := []float64{0.25, 0.5, 0.75}
	e := &calibrate.Each{Slope: []float64{1}, Offset: []float64{0}, Threshold: []float64{0.5}, HeldOut: 6, Has: [][]float64{own}, Lacks: [][]float64{own}}
	has, lacks, err := e.Thresholds(0.5)
	if err != nil || has[0] != 0.5 || lacks[0] != 0.5 {
		t.Fatalf("thresholds %v and %v, %v", has, lacks, err)
	}
	may, sure, err := e.Sets([][]float64{{0.5}, {0.625}, {0.375}}, 0.5)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range [][2]int{{1, 0}, {1, 1}, {0, 0}} {
		if len(may[i]) != want[0] || len(sure[i]) != want[1] {
			t.Errorf("row %d may have %v and has %v, want %v", i, may[i], sure[i], want)
		}
	}
}
