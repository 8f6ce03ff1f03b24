package label_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"lapsvm/dataset"
	"lapsvm/internal/machines/train"
	"lapsvm/internal/numbers/objective"
	"lapsvm/internal/points/gram"
	"lapsvm/internal/points/graph"
	"lapsvm/internal/testing/detector"
	"lapsvm/internal/testing/drawn"
	"lapsvm/kernel"
	"lapsvm/label"
	"lapsvm/points"
)

// growing are recipes with the whole inverse and on landmarks, to rounding.
func growing() map[string]train.Recipe {
	whole := train.Recipe{Kernel: kernel.Gaussian{Sigma: 1.5}, Standardise: points.ZScore, GammaA: 1e-2, GammaI: 0.1, Graph: graph.Options{Neighbours: 6, Degree: 2}}
	outside := whole
	outside.Bias, outside.Prior = objective.BiasOutside, train.BalancedPrior
	members := whole
	members.GammaA, members.GammaI, members.Graph = 0, 0, graph.Options{}
	members.Members = []train.Member{{Neighbours: 5, LaplacianDegree: 1, GammaA: 1e-2, GammaI: 1, Weight: 0.4}, {Neighbours: 8, LaplacianDegree: 2, GammaA: 1e-3, GammaI: 0.01, Weight: 0.6}}
	landmarks := whole
	landmarks.Solver, landmarks.Landmarks, landmarks.Precision, landmarks.Tolerance = train.Landmarks, 40, gram.Double, 1e-24
	landmarks.Kernel = kernel.Gaussian{Sigma: 0.5}
	tuned := landmarks
	tuned.Graph.Metric = graph.SelfTuning
	return map[string]train.Recipe{"self-tuning": tuned, "whole": whole, "bias outside, prior": outside, "members": members, "landmarks": landmarks}
}

// near holds decision values [class][point], from a point on, against others.
func near(t *testing.T, when string, got, want [][]float64, from int) {
	t.Helper()
	for c := range want {
		if len(got[c]) != len(want[c])+from {
			t.Fatalf("%s: %d values of class %d, want %d", when, len(got[c]), c, len(want[c])+from)
		}
		for i, v := range want[c] {
			if !(math.Abs(got[c][from+i]-v) <= 1e-9*max(1, math.Abs(v))) {
				t.Fatalf("%s: class %d at point %d has %v, want %v", when, c, from+i, got[c][from+i], v)
			}
		}
	}
}

// Added points at once have the decision values of a model of the earlier points. After a
// rebuild the labelling is that of all points, with the labels given meanwhile, also to new
// points.
func TestGrow(t *testing.T) {
	detector.Spare(t)
	const n, more = 120, 30
	for name, r := range growing() {
		for _, classes := range []int{2, 10} {
			t.Run(fmt.Sprintf("%s/%d", name, classes), func(t *testing.T) {
				all, truth := clusters(n+more, classes)
				few := all.Subset(indicesTo(n))
				few.Column = nil
				l := opened(t, few, r, label.Options{})
				var labels []label.Change
				for i := range 30 {
					labels = append(labels, label.Change{Point: i, Class: truth[i]})
				}
				old := apply(t, l, labels...)
				a, err := l.Grow(t.Context(), all)
				if err != nil {
					t.Fatal(err)
				}
				near(t, "points there were", old.Outputs, firstOf(a.Outputs, n), 0)
				if len(a.Decided) != n+more || len(a.Labels) != n+more || len(a.Probabilities[0]) != n+more || l.Len() != n+more || l.Dataset().Points.Len() != n+more {
					t.Fatalf("%d decisions, %d labels, %d points", len(a.Decided), len(a.Labels), l.Len())
				}
				if r.Solver != train.Landmarks { // whose models choose between two functions
					near(t, "new points", a.Outputs, modelled(t, l, few, all), n)
				}
				a = apply(t, l, label.Change{Point: n + 1, Class: truth[n+1]}, label.Change{Point: 40, Class: truth[40]})
				if a.Labels[n+1] != truth[n+1] || len(a.LeftOut) != 31 {
					t.Errorf("a new point has the label %d, and %d labels are learnt", a.Labels[n+1], len(a.LeftOut))
				}

				rebuild := l.Rebuild(train.Run{})
				apply(t, l, label.Change{Point: n + 2, Class: truth[n+2]}, label.Change{Point: 3, Class: dataset.Unlabelled})
				next, err := rebuild(t.Context())
				if err != nil {
					t.Fatal(err)
				}
				defer next.Close()
				a = apply(t, next, next.Towards(l.Labels())...)
				if len(a.LeftOut) != 32 || len(a.Decided) != n+more {
					t.Errorf("%d labels are learnt of %d points", len(a.LeftOut), len(a.Decided))
				}
				if r.Solver != train.Landmarks {
					agrees(t, "made anew", next, a)
					return
				}
				anew := opened(t, l.Dataset(), l.Recipe(), label.Options{})
				near(t, "made anew", a.Outputs, anew.Answer().Outputs, 0)
			})
		}
	}
}

func indicesTo(n int) []int {
	all := make([]int, n)
	for i := range all {
		all[i] = i
	}
	return all
}

func firstOf(values [][]float64, n int) [][]float64 {
	some := make([][]float64, len(values))
	for c, v := range values {
		if v != nil {
			some[c] = v[:n]
		}
	}
	return some
}

// modelled returns the decision values [class][point] of a model of few points at those that all has more.
func modelled(t *testing.T, l *label.Labelling, few, all *dataset.Dataset) [][]float64 {
	t.Helper()
	d := *few
	d.Y = l.Labels()[:few.Points.Len()]
	f, err := train.Fit(t.Context(), &d, l.Recipe(), train.Run{})
	if err != nil {
		t.Fatal(err)
	}
	scores, err := f.Predictor().Scores(t.Context(), all.Points.Slice(few.Points.Len(), all.Points.Len()))
	if err != nil {
		t.Fatal(err)
	}
	values := make([][]float64, len(d.Classes))
	for k, name := range f.Task.Classes {
		for c := range d.Classes {
			for i := range scores {
				if d.Classes[c] == name {
					values[c] = append(values[c], scores[i][k])
				}
			}
		}
	}
	return values
}

// A point that comes and is like one there is, is decided like it; suggestions, the map and similar points
// know of it, and all that judges labels goes on.
func TestNewcomersAreSuggested(t *testing.T) {
	const n, more = 150, 12
	for name, r := range growing() {
		t.Run(name, func(t *testing.T) {
			all, truth := clusters(n, 3)
			values := make([]float64, 0, 3*(n+more))
			for i := range n + more {
				row := make([]float64, 3)
				all.Points.CopyRow(row, i%n)
				if i >= n {
					row[0] += 1e-6
				}
				values = append(values, row...)
			}
			grown := &dataset.Dataset{Points: points.Dense(n+more, 3, values), Classes: all.Classes}
			l := opened(t, all, r, label.Options{})
			var labels []label.Change
			for i := range 40 {
				labels = append(labels, label.Change{Point: i, Class: truth[i]})
			}
			apply(t, l, labels...)
			a, err := l.Grow(t.Context(), grown)
			if err != nil {
				t.Fatal(err)
			}
			for i := range more {
				if a.Decided[n+i] != a.Decided[i] {
					t.Errorf("the point like %d is of class %d, not %d", i, a.Decided[n+i], a.Decided[i])
				}
				if near := l.Similar(n+i, 3); len(near) != 3 || near[0] != i {
					t.Errorf("similar to the point like %d are %v", i, near)
				}
			}
			for _, rule := range label.Rules() {
				some, err := l.Suggest(t.Context(), rule, more+2)
				if err != nil || len(some) != more+2 {
					t.Fatalf("%s: %v, %v", rule, some, err)
				}
			}
			if places, err := l.Layout(t.Context()); err != nil || len(places) != 2*(n+more) {
				t.Errorf("%d places, %v", len(places)/2, err)
			}
			if _, err := l.Audit(t.Context()); err != nil {
				t.Error(err)
			}
			if _, err := l.Replaces(t.Context(), l); err != nil {
				t.Error(err)
			}
		})
	}
}

// Similar points are found by any goroutine while points come.
func TestSimilarWhileGrowing(t *testing.T) {
	all, _ := clusters(60, 2)
	l := opened(t, all.Subset(indicesTo(40)), plain(), label.Options{})
	done := make(chan int)
	go func() {
		defer close(done)
		for i := range 40 {
			done <- len(l.Similar(i, 3))
		}
	}()
	for n := 41; n <= 60; n++ {
		if _, err := l.Grow(t.Context(), all.Subset(indicesTo(n))); err != nil {
			t.Fatal(err)
		}
		if found := <-done; found != 3 {
			t.Errorf("%d points are similar", found)
		}
	}
	for range done {
	}
}

// What does not fit the points there are is refused, and nothing has changed.
func TestGrowRefuses(t *testing.T) {
	d, truth := clusters(40, 2)
	l := opened(t, d, plain(), label.Options{})
	before := apply(t, l, label.Change{Point: 0, Class: truth[0]})
	for name, p := range map[string]*points.Points{
		"columns": points.Dense(50, 2, make([]float64, 100)),
		"numbers": points.Stack(d.Points, points.Dense(1, 3, []float64{1, math.NaN(), 2})),
	} {
		if _, err := l.Grow(t.Context(), &dataset.Dataset{Points: p}); err == nil || l.Len() != 40 || l.Answer() != before {
			t.Errorf("%s: %v, and there are %d points", name, err, l.Len())
		}
	}
	if a, err := l.Grow(t.Context(), d); err != nil || a != before {
		t.Errorf("without new points there is another answer, %v", err)
	}
}

// A point that comes on landmarks and equals five points or more has their decision values, however
// far the landmarks alone are from these.
func TestNewcomersEqualToOthers(t *testing.T) {
	few, truth := clusters(40, 2)
	var rows []int
	for i := range 200 {
		rows = append(rows, i%40)
	}
	d := few.Subset(rows)
	d.Column = nil
	r := plain()
	r.Solver, r.Landmarks, r.Graph.Neighbours, r.GammaI = train.Landmarks, 5, 8, 1
	l := opened(t, d, r, label.Options{})
	var labels []label.Change
	for i := range 10 {
		labels = append(labels, label.Change{Point: i, Class: truth[i]})
	}
	apply(t, l, labels...)
	a, err := l.Grow(t.Context(), &dataset.Dataset{Points: points.Stack(d.Points, few.Points)})
	if err != nil {
		t.Fatal(err)
	}
	for c, f := range a.Outputs {
		for i := range 40 {
			mean := 0.0
			for k := range 5 {
				mean += f[i+40*k] / 5
			}
			if !(math.Abs(f[200+i]-mean) <= 1e-6*(1+math.Abs(mean))) {
				t.Fatalf("class %d: point %d has %v, those equal to it %v", c, 200+i, f[200+i], mean)
			}
		}
	}
}

// A prior moves what is decided without a label by as much as what is decided with all.
func TestPriorMovesLeftOutOutputs(t *testing.T) {
	d, truth := clusters(150, 3)
	moved := plain()
	moved.Prior = train.ClassPrior{"class 0": 0.6, "class 1": 0.3, "class 2": 0.1}
	var answers [2]*label.Answer
	for k, r := range []train.Recipe{plain(), moved} {
		l := opened(t, d, r, label.Options{})
		var labels []label.Change
		for i := range 20 {
			labels = append(labels, label.Change{Point: i, Class: truth[i]})
		}
		answers[k] = apply(t, l, labels...)
	}
	most := 0.0
	for c := range 3 {
		shift := answers[1].Outputs[c][0] - answers[0].Outputs[c][0]
		most = max(most, math.Abs(shift))
		for k, one := range answers[1].LeftOut {
			if got := one.Outputs[c] - answers[0].LeftOut[k].Outputs[c]; !(math.Abs(got-shift) <= 1e-9) {
				t.Fatalf("class %d, point %d: without its label it is moved by %v, with it by %v", c, one.Point, got, shift)
			}
		}
	}
	if !(most > 0.05) {
		t.Errorf("nothing is moved: at most by %v", most)
	}
}

// Pictures that come are described as the present ones are, whether they come as dots or described already. The
// same holds when the labelling is made anew.
func TestGrowDescribed(t *testing.T) {
	const n, more = 80, 20
	all := drawn.Bars(n+more, 16, 3)
	truth := all.Y
	all.Y = slices.Repeat([]int{dataset.Unlabelled}, n+more)
	few := all.Subset(indicesTo(n))
	few.Column = nil
	for i := range 10 {
		few.Y[i] = truth[i]
	}
	l := opened(t, few, train.Recipe{Describe: "hog", GammaA: 1e-2, GammaI: 0.1, Graph: graph.Options{Neighbours: 6, Degree: 2}, Precision: gram.Double, Tolerance: 1e-24}, label.Options{})
	if r := l.Recipe(); r.Describe != "hog" || !l.Dataset().Described() {
		t.Fatalf("described by %q", r.Describe)
	}
	a, err := l.Grow(t.Context(), all)
	if err != nil {
		t.Fatal(err)
	}
	near(t, "new pictures", a.Outputs, modelled(t, l, few, all), n)
	wrong := 0
	for i, class := range a.Decided {
		if class != truth[i] {
			wrong++
		}
	}
	if wrong > 1 {
		t.Errorf("%d of %d pictures wrong", wrong, n+more)
	}
	next, err := l.Rebuild(train.Run{})(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer next.Close()
	anew := apply(t, next, next.Towards(l.Labels())...)
	if d := next.Dataset(); len(anew.Decided) != n+more || !d.Described() || d.Points.Len() != n+more || d.AsRead().Len() != n+more {
		t.Errorf("made anew, %d points", len(anew.Decided))
	}
	if _, err := next.Grow(t.Context(), l.Dataset()); err != nil {
		t.Errorf("the same pictures: %v", err)
	}
	narrow := drawn.Bars(n+more+1, 15, 3)
	if _, err := l.Grow(t.Context(), narrow); err == nil || !strings.Contains(err.Error(), "have 225 columns, the earlier ones 256") {
		t.Errorf("smaller pictures: %v", err)
	}
}
