package selection

import (
	"context"
	"errors"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"lapsvm/dataset"
	"lapsvm/internal/machines/train"
	"lapsvm/internal/numbers/objective"
	"lapsvm/internal/numbers/parallel"
	"lapsvm/internal/points/graph"
	"lapsvm/kernel"
	"lapsvm/points"
)

func compared(t *testing.T, ctx context.Context, side int, r train.Recipe) (a *comparison, machines, baselines []measured) {
	t.Helper()
	a, why, err := newComparison(ctx, labelledMoons(90, 12, false), r, train.Run{}, somePoints, 0)
	if err != nil || why != "" {
		t.Fatal(why, err)
	}
	a.side = side
	last, announced := 0, 0
	machines, baselines, err = a.compare(ctx, func(done, of int) {
		if done != last+1 || done > of {
			t.Errorf("%d of %d after %d", done, of, last)
		}
		last, announced = done, of
	})
	if err != nil {
		t.Fatal(err)
	}
	if last != announced {
		t.Errorf("%d machines counted, %d announced", last, announced)
	}
	return a, machines, baselines
}

// What is measured does not depend, bit by bit, on how many graphs are taken up side by side, nor on the
// threads.
func TestRace(t *testing.T) {
	a, machines, baselines := compared(t, t.Context(), 1, train.Recipe{Seed: 1})
	wrong, baselineWrong := a.nested(machines, baselines).wrong()
	for _, side := range []int{1, 2, 5} {
		for _, threads := range []int{1, 2, 7} {
			b, again, againAlone := compared(t, parallel.WithLimit(t.Context(), threads), side, train.Recipe{Seed: 1})
			if !reflect.DeepEqual(again, machines) || !reflect.DeepEqual(againAlone, baselines) {
				t.Errorf("%d graphs at once on %d threads: other machines", side, threads)
			}
			if w, v := b.nested(again, againAlone).wrong(); !slices.Equal(w, wrong) || !slices.Equal(v, baselineWrong) {
				t.Errorf("%d graphs at once on %d threads: %v and %v are wrong", side, threads, w, v)
			}
		}
	}
}

// On few points all that is climbed can be chosen, without each block of labels too, and all supervised machines. A list of one graph for each kernel and metric is measured whole.
func TestClimbedIsChosenFrom(t *testing.T) {
	a, machines, baselines := compared(t, t.Context(), 2, train.Recipe{Seed: 1})
	first, err := a.hillClimb(t.Context(), new(counter))
	if err != nil || len(machines) >= len(a.machines) || !reflect.DeepEqual(first, machines) {
		t.Fatalf("%d of %d machines are climbed, %d can be chosen, %v", len(first), len(a.machines), len(machines), err)
	}
	if a.compared != len(machines)+len(a.baselines) || len(baselines) != 4*5 || slices.ContainsFunc(slices.Concat(machines, baselines), func(m measured) bool { return len(m.unseen) != len(a.held.blocks) }) {
		t.Errorf("%d compared, %d supervised", a.compared, len(baselines))
	}
	_, few, _ := compared(t, t.Context(), 2, train.Recipe{Seed: 1, Kernel: kernel.Gaussian{Sigma: 0.5}, GammaI: 1, Graph: graph.Options{Neighbours: 5, Degree: 2}})
	if len(few) != 2 {
		t.Errorf("%d of 2 machines are measured", len(few))
	}
}

func candidatesOf(some []measured) (list []candidate) {
	for _, m := range some {
		list = append(list, m.candidate)
	}
	return list
}

// Machines have the losses at labels of machines trained without the label, with the squared loss. Modularity and size are those of what is predicted for all points. A
// label that is alone in its class does not count. Validation points have the losses of machines trained
// with all labels.
func TestMeasure(t *testing.T) {
	asked := train.Recipe{Kernel: kernel.Gaussian{Sigma: 0.5}, Graph: graph.Options{Neighbours: 4, Degree: 2}, Standardise: points.AsIs}
	v := labelledMoons(60, 60, false).Subset([]int{50, 53, 57, 58})
	for name, c := range map[string]struct {
		lone bool
		loss objective.Loss
		bias objective.Bias
		run  train.Run
	}{
		"two classes":    {},
		"three classes":  {lone: true},
		"without a bias": {bias: objective.NoBias},
		"a Huber loss":   {loss: objective.HuberisedHinge},
		"validation":     {run: train.Run{Validation: v}},
	} {
		t.Run(name, func(t *testing.T) {
			d, r := labelledMoons(50, 9, c.lone), asked
			r.Loss, r.Bias = c.loss, c.bias
			a, why, err := newComparison(t.Context(), d, r, c.run, somePoints, 0)
			if err != nil || why != "" {
				t.Fatal(why, err)
			}
			some := []candidate{a.machines[0], a.machines[1], a.machines[3], a.baselines[1], a.baselines[3]}
			all, err := a.measure(t.Context(), some, new(counter))
			if err != nil || !slices.Equal(candidatesOf(all), slices.Concat(some[3:], some[:3])) {
				t.Fatalf("%+v, %v", all, err)
			}
			r.Loss = objective.Squared
			for _, m := range all {
				recipe := recipeFor(r, m.Member)
				scores := func(d *dataset.Dataset, p *points.Points) [][]float64 {
					f, err := train.Fit(t.Context(), d, recipe, train.Run{})
					if err != nil {
						t.Fatal(err)
					}
					scores, err := f.Predictor().Scores(t.Context(), p)
					if err != nil || len(f.Task.Classes) != len(a.task.Classes) {
						t.Fatal(f.Task.Classes, err)
					}
					return scores
				}
				hinges := func(scores []float64, class string) (loss float64) {
					if len(scores) == 2 {
						scores = scores[1:]
					}
					for machine, f := range scores {
						y := -1.0
						if len(scores) == 1 && class == a.task.Classes[1] || len(scores) > 1 && class == a.task.Classes[machine] {
							y = 1
						}
						e := max(0, 1-y*f)
						loss += e * e
					}
					return loss
				}
				var want []float64
				if c.run.Validation != nil {
					for i, row := range scores(d, v.Points) {
						want = append(want, hinges(row, v.Classes[v.Y[i]]))
					}
				} else {
					for _, k := range a.task.Repeated() {
						i := a.task.Labelled[k]
						want = append(want, hinges(scores(unlabelled(d, a.task, []int{k}), d.Points.Subset([]int{i}))[0], d.Classes[d.Y[i]]))
					}
				}
				if !slices.EqualFunc(m.losses, want, equalButForRounding) || len(m.unseen) != len(a.held.blocks) {
					t.Errorf("%+v has the losses %v, trained %v", m.Member, m.losses, want)
				}
				class, square, machines := make([]int, 50), 0.0, 0
				for i, row := range scores(d, d.Points) {
					if class[i] = slices.Index(row, slices.Max(row)); len(row) == 2 {
						row = row[1:]
					}
					for _, f := range row {
						square += f * f
						machines++
					}
				}
				q := 0.0 // of supervised machines, which labels alone weigh
				if !m.supervised() {
					q = evened(a.reference, class, len(a.task.Classes))
				}
				if !equalButForRounding(m.modularity, q) || !equalButForRounding(m.scale, math.Sqrt(square/float64(machines))) {
					t.Errorf("%+v: modularity %v and size %v, of the trained machine %v and %v", m.Member, m.modularity, m.scale, q, math.Sqrt(square/float64(machines)))
				}
			}
		})
	}
}

// What is measured on landmarks does not depend, bit by bit, on the number of threads.
func TestLandmarksOnThreads(t *testing.T) {
	d := labelledMoons(120, 12, false)
	var first []measured
	for _, threads := range []int{1, 2, 7} {
		ctx := parallel.WithLimit(t.Context(), threads)
		a, why, err := newComparison(ctx, d, train.Recipe{Standardise: points.AsIs, GammaA: 1e-2, Graph: graph.Options{Neighbours: 5}}, train.Run{}, somePoints, 40)
		if err != nil || why != "" {
			t.Fatal(why, err)
		}
		got, err := a.measure(ctx, a.machines, new(counter))
		if err != nil || len(got) != 2*2*3*4 {
			t.Fatalf("%d machines, %v", len(got), err)
		}
		if first == nil {
			first = got
		}
		if !reflect.DeepEqual(got, first) {
			t.Errorf("%d threads: other machines", threads)
		}
	}
}

// Once the time is up no further kernel and no further graph is taken up, and there is a choice of what was
// measured.
func TestTimeIsUp(t *testing.T) {
	d := labelledMoons(90, 12, false)
	a, why, err := newComparison(t.Context(), d, train.Recipe{Seed: 1}, train.Run{Time: 1}, somePoints, 0)
	if err != nil || why != "" {
		t.Fatal(why, err)
	}
	for !a.late() {
		time.Sleep(time.Millisecond)
	}
	machines, baselines, err := a.compare(t.Context(), nil)
	if err != nil || len(machines) != 4 || len(baselines) != 5 || a.compared != 4+5 {
		t.Errorf("%d and %d machines, %d compared, %v", len(machines), len(baselines), a.compared, err)
	}
	for _, m := range slices.Concat(machines, baselines) {
		if m.kernel != nearest || m.graph() != (candidate{nearest, graph.Euclidean, 0, train.Member{Neighbours: 5, LaplacianDegree: 2}, false}) && !m.supervised() {
			t.Errorf("%+v was taken up", m.candidate)
		}
	}
	r, err := ChosenBy(t.Context(), d, train.Recipe{}, train.Run{Time: 1})
	if err != nil || r.Open() || r.Choice.Candidates != 4+5 || !strings.Contains(r.Choice.Reason, "the time was up") {
		t.Errorf("%+v, %v", r.Choice, err)
	}
}

// A comparison whose context is done ends with its error, in whatever round.
func TestRaceStops(t *testing.T) {
	for _, at := range []int{1, 40, 100} {
		ctx, cancel := context.WithCancel(t.Context())
		a, _, err := newComparison(ctx, labelledMoons(90, 12, false), train.Recipe{Seed: 1}, train.Run{}, somePoints, 0)
		if err != nil {
			t.Fatal(err)
		}
		count := 0
		_, _, err = a.compare(ctx, func(done, _ int) {
			if count = done; done == at {
				cancel()
			}
		})
		if !errors.Is(err, context.Canceled) || count > at+2 {
			t.Errorf("cancelled at %d: error %v after %d machines", at, err, count)
		}
	}
}

// What fails with one kernel ends the race with that error.
func TestRaceFails(t *testing.T) {
	a := comparisonOn(t, labelledMoons(90, 12, false), train.Recipe{Seed: 1}, train.Run{}, somePoints, 0)
	a.kernels[median] = kernel.Gaussian{Sigma: math.NaN()}
	if machines, _, err := a.compare(t.Context(), nil); !errors.Is(err, train.ErrParameter) {
		t.Errorf("%d machines, error %v", len(machines), err)
	}
}

// Machines without a result in double precision are passed over, and the others measured.
func TestRoundingIsPassedOver(t *testing.T) {
	a := comparisonOn(t, labelledMoons(90, 12, false), train.Recipe{Seed: 1}, train.Run{}, somePoints, 0)
	var some, want []candidate
	for i, c := range a.machines {
		if i%3 > 0 {
			c.GammaA, c.GammaI = 1e-30, 1e30
		} else {
			want = append(want, c)
		}
		some = append(some, c)
	}
	machines, err := a.measure(t.Context(), some, new(counter))
	if err != nil || len(machines) == len(some) {
		t.Errorf("%d of %d machines have a result, %v", len(machines), len(some), err)
	}
	got := slices.DeleteFunc(candidatesOf(machines), func(c candidate) bool { return c.GammaI == 1e30 })
	if !slices.Equal(got, want) {
		t.Errorf("measured are %v, want %v", got, want)
	}
}

// Distances of thousands for weights give Laplacians with whose powers few machines have a result. One of them
// is chosen, and trained.
func TestLargeLaplacian(t *testing.T) {
	d := labelledMoons(90, 12, false)
	x := make([]float64, 0, 2*90)
	for i := range 90 {
		for _, v := range d.Points.Row(i, d.Points.Scratch(1)) {
			x = append(x, 1e4*v)
		}
	}
	d.Points = points.Dense(90, 2, x)
	r := train.Recipe{Standardise: points.AsIs, Graph: graph.Options{Unnormalised: true, Weights: graph.Distance}}
	chosen, err := ChosenBy(t.Context(), d, r, train.Run{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := train.Fit(t.Context(), d, chosen, train.Run{}); err != nil {
		t.Errorf("%+v: %v", chosen.Machines(), err)
	}
}

// The time for comparing is one of all comparisons: description, scaling and choice have it together.
func TestTimeIsOfAllComparisons(t *testing.T) {
	run := train.Run{Time: time.Hour}.Comparing()
	again := run.Comparing()
	if run.Until().IsZero() || !again.Until().Equal(run.Until()) {
		t.Errorf("the time is up at %v, and then at %v", run.Until(), again.Until())
	}
	a, why, err := newComparison(t.Context(), labelledMoons(90, 12, false), train.Recipe{Seed: 1}, again, somePoints, 0)
	if err != nil || why != "" || !a.until.Equal(run.Until()) {
		t.Errorf("a comparison goes on until %v, want %v: %s, %v", a.until, run.Until(), why, err)
	}
	if never := (train.Run{}).Comparing(); !never.Until().IsZero() {
		t.Errorf("without a time it is up at %v", never.Until())
	}
}
