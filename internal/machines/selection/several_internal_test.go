package selection

import (
	"math"
	"slices"
	"testing"

	"lapsvm/dataset"
	"lapsvm/internal/machines/geometry"
	"lapsvm/internal/machines/task"
	"lapsvm/internal/machines/train"
	"lapsvm/points"
)

// The numbers are those of scikit-learn 1.2.1: f1_score, accuracy_score, label_ranking_average_precision_score of the rows with a
// class, and hamming_loss.
func TestMeasuresOfSeveral(t *testing.T) {
	answers := [][]float64{{1, -1, 1, -1, -1, 1}, {-1, 1, 1, -1, -1, -1}, {1, -1, -1, -1, 1, -1}}
	decided := [][]int{{0}, {1, 2}, {0, 1}, {1}, {2}, {2}}
	scores := [][]float64{{.9, .2, .4}, {.1, .8, .7}, {.6, .9, .3}, {.2, .55, .1}, {.3, .4, .51}, {.45, .1, .7}}
	wrong, r := severalOf(answers, []int{0, 1, 2}, decided, scores)
	for name, v := range map[string][2]float64{"micro": {r.MicroF1, 0.6666666666666666}, "macro": {r.MacroF1, 0.6666666666666666}, "subset": {r.Subset, 0.3333333333333333}, "ranking": {r.Ranking, 0.9}, "wrong": {wrong / 100, 0.2777777777777778}} {
		if !(math.Abs(v[0]-v[1]) <= 1e-12) {
			t.Errorf("%s %v, want %v", name, v[0], v[1])
		}
	}
	// What is unknown counts for nothing, and a class that the machine does not know is never predicted.
	answers[0][5], answers[2][5] = math.NaN(), math.NaN()
	wrong, r = severalOf(answers, []int{0, 1, -1}, decided, scores)
	if !(math.Abs(wrong-100*3./16) <= 1e-9) || !(math.Abs(r.MacroF1-(1+0.8+0)/3) <= 1e-12) || !(math.Abs(r.Subset-3./6) <= 1e-12) {
		t.Errorf("%v %% wrong, %+v", wrong, r)
	}
}

// Labels are drawn as those of the rarest class that they list.
func TestSplitsOfSeveral(t *testing.T) {
	d := &dataset.Dataset{Classes: []string{"a", "a;b", "a;b;c", ";"}}
	for i := range 60 {
		d.Y = append(d.Y, []int{0, 0, 0, 1, 1, 3}[i%6])
	}
	d.Y[10], d.Y[20] = 2, 2
	splits, err := Splits(d, Plan{Labelled: 8, Repeats: 5, Seed: 2, Several: ";"})
	if err != nil {
		t.Fatal(err)
	}
	for s := range splits {
		count := make([]int, 4)
		for _, i := range s.Labelled {
			count[d.Y[i]]++
		}
		if len(s.Labelled) != 8 || count[1] == 0 || count[2] == 0 || count[0] == 0 || count[3] == 0 {
			t.Errorf("labels %v", count)
		}
	}
}

// severals is ten labels of so many classes, all had, in two blocks.
func severals(t *testing.T, classes int) *comparison {
	t.Helper()
	g, err := geometry.New(t.Context(), points.Dense(10, 1, make([]float64, 10)), geometry.Options{})
	if err != nil {
		t.Fatal(err)
	}
	of := &task.Task{Kind: task.Several(";"), Class: make([]int, 10), Labelled: seq(10), Classes: make([]string, classes)}
	for range classes {
		of.Answers = append(of.Answers, slices.Repeat([]float64{1}, 10))
	}
	a := &comparison{task: of, held: hold(of), recipe: train.Recipe{Solver: train.PCG}, geometry: g}
	a.columns.Targets, a.held.count = of.Answers, seq(10)
	a.held.blocks = []block{{labels: seq(10)[:5], count: seq(10)[5:]}, {labels: seq(10)[5:], count: seq(10)[:5]}}
	return a
}

// A machine of one of several classes tells two apart, so ten labels are five of each: the odds of supervised machines are ½, however many classes there are.
func TestSupervisedBesideSeveral(t *testing.T) {
	for _, classes := range []int{1, 2, 6} {
		a := severals(t, classes)
		graph, baselines := measured{losses: make([]float64, 10)}, measured{losses: make([]float64, 10)}
		graph.Neighbours = 6
		got := a.mixBaselines([]weighted{{&graph, 1}}, []measured{baselines}, -1)
		if len(got) != 2 || !(math.Abs(got[0].weight-2./3) <= 1e-12) || !(math.Abs(got[1].weight-1./3) <= 1e-12) {
			t.Errorf("%d classes: %+v", classes, got)
		}
	}
}
