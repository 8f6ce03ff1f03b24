package label_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"lapsvm"
	"lapsvm/dataset"
	"lapsvm/internal/machines/train"
	"lapsvm/internal/numbers/objective"
	"lapsvm/internal/points/gram"
	"lapsvm/internal/points/graph"
	"lapsvm/internal/testing/detector"
	"lapsvm/kernel"
	"lapsvm/label"
	"lapsvm/points"
)

// clusters are n points around centres on a circle, a class each, of which none is labelled; and
// their classes.
func clusters(n, classes int) (*dataset.Dataset, []int) {
	r := rand.New(rand.NewPCG(3, uint64(n)))
	values, truth := make([]float64, 3*n), make([]int, n)
	d := &dataset.Dataset{Y: make([]int, n)}
	for i := range n {
		c := r.IntN(classes)
		truth[i], d.Y[i] = c, dataset.Unlabelled
		angle := 2 * math.Pi * float64(c) / float64(classes)
		values[3*i] = 3*math.Cos(angle) + 0.6*r.NormFloat64()
		values[3*i+1] = 3*math.Sin(angle) + 0.6*r.NormFloat64()
		values[3*i+2] = 0.3 * r.NormFloat64()
	}
	for c := range classes {
		d.Classes = append(d.Classes, fmt.Sprintf("class %d", c))
	}
	d.Points = points.Dense(n, 3, values)
	return d, truth
}

// trained returns the decision values [class][point] that a training anew gives.
func trained(t *testing.T, l *label.Labelling) ([][]float64, float64) {
	t.Helper()
	d := l.Dataset()
	f, err := train.Fit(context.Background(), d, l.Recipe(), train.Run{})
	if err != nil {
		t.Fatal(err)
	}
	outputs := make([][]float64, f.Task.Coding().Machines())
	for c := range outputs {
		outputs[c] = make([]float64, d.Points.Len())
	}
	if err := f.Expansion.Values(context.Background(), outputs, f.Scaling.Apply(d.Points), gram.Double); err != nil {
		t.Fatal(err)
	}
	scores := f.Task.Coding().Scores(outputs)
	all := make([][]float64, len(d.Classes))
	for k, name := range f.Task.Classes {
		for c := range d.Classes {
			if d.Classes[c] == name {
				for i := range scores {
					all[c] = append(all[c], scores[i][k])
				}
			}
		}
	}
	slope := 0.0
	if f.Calibration != nil {
		slope = f.Calibration.Slope
	}
	return all, slope
}

// agrees holds an answer against a training anew.
func agrees(t *testing.T, when string, l *label.Labelling, a *label.Answer) {
	t.Helper()
	want, slope := trained(t, l)
	for c := range want {
		if len(a.Outputs[c]) != len(want[c]) {
			t.Fatalf("%s: class %d has %d decision values, want %d", when, c, len(a.Outputs[c]), len(want[c]))
		}
		for i, v := range want[c] {
			if !(math.Abs(a.Outputs[c][i]-v) <= 1e-9*max(1, math.Abs(v))) {
				t.Fatalf("%s: class %d at point %d has %v, a training anew %v", when, c, i, a.Outputs[c][i], v)
			}
		}
	}
	if !(math.Abs(a.Slope-slope) <= 1e-9*slope) {
		t.Errorf("%s: the slope is %v, of a training anew %v", when, a.Slope, slope)
	}
	if r := l.Recipe(); r.Prior != nil || r.ClassWeight != nil {
		return // which move with the labels, but not with one that is left out
	}
	// A label of a class that keeps others is left out by withdrawing it.
	for k, one := range a.LeftOut {
		if k%4 != 0 || a.Count[one.Class] < 2 {
			continue
		}
		without, err := l.Apply(context.Background(), []label.Change{{Point: one.Point, Class: dataset.Unlabelled}})
		if err != nil {
			t.Fatal(err)
		}
		for c, f := range without.Outputs {
			if f != nil && !(math.Abs(f[one.Point]-one.Outputs[c]) <= 1e-9*max(1, math.Abs(f[one.Point]))) {
				t.Errorf("%s: without its label point %d has %v of class %d, left out %v", when, one.Point, f[one.Point], c, one.Outputs[c])
			}
		}
		if _, err := l.Apply(context.Background(), []label.Change{{Point: one.Point, Class: one.Class}}); err != nil {
			t.Fatal(err)
		}
	}
}

// After labels are added, changed and withdrawn, and classes added and merged, the answer is
// that of a new training by the recipe on the present labels.
func TestEqualsTrainingAnew(t *testing.T) {
	detector.Spare(t)
	ctx := context.Background()
	base := train.Recipe{Kernel: kernel.Gaussian{Sigma: 1.5}, Standardise: points.AsIs, GammaA: 1e-2, GammaI: 0.1, Graph: graph.Options{Neighbours: 6, Degree: 2}, Solver: train.Deformed}
	recipes := map[string]func(train.Recipe) train.Recipe{
		"bias in the norm": func(r train.Recipe) train.Recipe { return r },
		"bias outside":     func(r train.Recipe) train.Recipe { r.Bias = objective.BiasOutside; return r },
		"no bias":          func(r train.Recipe) train.Recipe { r.Bias = objective.NoBias; return r },
		"squared loss":     func(r train.Recipe) train.Recipe { r.Loss = objective.Squared; return r },
		"polynomial": func(r train.Recipe) train.Recipe {
			r.Kernel, r.Standardise = kernel.Polynomial{Degree: 3}, points.UnitNorm
			return r
		},
		"members": func(r train.Recipe) train.Recipe {
			r.GammaA, r.GammaI, r.Graph.Neighbours, r.Graph.Degree = 0, 0, 0, 0
			r.Members = []train.Member{{Neighbours: 5, LaplacianDegree: 1, GammaA: 1e-2, GammaI: 1, Weight: 0.5}, {Neighbours: 8, LaplacianDegree: 2, GammaA: 1e-3, GammaI: 0.01, Weight: 0.3}, {Neighbours: 8, LaplacianDegree: 2, GammaA: 1e-2, GammaI: 0.1, Weight: 0.2}}
			return r
		},
		"members of the labels alone": func(r train.Recipe) train.Recipe {
			r.GammaA, r.GammaI, r.Graph.Neighbours, r.Graph.Degree = 0, 0, 0, 0
			r.Members = []train.Member{{Neighbours: 5, LaplacianDegree: 1, GammaA: 1e-2, GammaI: 1, Weight: 0.5}, {Neighbours: 8, LaplacianDegree: 2, GammaA: 1e-3, GammaI: 0.01, Weight: 0.3}, {Neighbours: 8, LaplacianDegree: 2, GammaA: 1e-2, Weight: 0.2}}
			return r
		},
		"prior":         func(r train.Recipe) train.Recipe { r.Prior = train.BalancedPrior; return r },
		"class weights": func(r train.Recipe) train.Recipe { r.ClassWeight = train.BalancedWeights; return r },
	}
	for name, of := range recipes {
		for _, classes := range []int{2, 10} {
			t.Run(fmt.Sprintf("%s/%d", name, classes), func(t *testing.T) {
				d, truth := clusters(150, classes)
				l, err := label.Open(ctx, d, of(base), label.Options{})
				if err != nil {
					t.Fatal(err)
				}
				defer l.Close()
				var first []label.Change
				for i := range 25 {
					first = append(first, label.Change{Point: i, Class: truth[i]})
				}
				if a, err := l.Apply(ctx, nil); err != nil || a.Decided != nil {
					t.Fatalf("without a label the decisions are %v, %v", a.Decided, err)
				}
				a, err := l.Apply(ctx, first[:1])
				if err != nil || a.Decided != nil {
					t.Fatalf("with one class the decisions are %v, %v", a.Decided, err)
				}
				if a, err = l.Apply(ctx, first); err != nil {
					t.Fatal(err)
				}
				agrees(t, "25 labels", l, a)
				a, err = l.Apply(ctx, []label.Change{{Point: 3, Class: 1 - truth[3]%2}, {Point: 7, Class: dataset.Unlabelled}, {Point: 60, Class: truth[60]}})
				if err != nil {
					t.Fatal(err)
				}
				agrees(t, "one changed, one withdrawn, one more", l, a)
				late, err := l.AddClass("late")
				if err != nil {
					t.Fatal(err)
				}
				if a, err = l.Apply(ctx, []label.Change{{Point: 90, Class: late}, {Point: 91, Class: late}, {Point: 7, Class: truth[7]}}); err != nil {
					t.Fatal(err)
				}
				agrees(t, "a class that comes later", l, a)
				if a, err = l.MergeClass(ctx, late, 0); err != nil {
					t.Fatal(err)
				}
				agrees(t, "a class merged", l, a)
			})
		}
	}
}

// The set of a point by the thresholds is that of a model trained by the same labels. A class without a label is in no
// set, and too few labels have none.
func TestThresholds(t *testing.T) {
	d, truth := clusters(120, 3)
	d.Classes = append(d.Classes, "never seen")
	r := train.Recipe{Kernel: kernel.Gaussian{Sigma: 1}, GammaA: 1e-2, GammaI: 1e-2, Standardise: points.AsIs, Graph: graph.Options{Neighbours: 6, Degree: 1}}
	l, err := label.Open(t.Context(), d, r, label.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	if _, err := l.Answer().Thresholds(0.9); err == nil || l.Answer().HeldOut() != 0 {
		t.Error("no label has thresholds")
	}
	labelled := func(from, to int) *label.Answer {
		t.Helper()
		var changes []label.Change
		for i := from; i < to; i++ {
			changes = append(changes, label.Change{Point: i, Class: truth[i]})
		}
		a, err := l.Apply(t.Context(), changes)
		if err != nil {
			t.Fatal(err)
		}
		return a
	}
	if a := labelled(0, 8); a.HeldOut() > 8 {
		t.Errorf("%d labels of 8 are held out", a.HeldOut())
	} else if _, err := a.Thresholds(0.9); err == nil || !strings.Contains(err.Error(), "takes 9 held-out labels") {
		t.Errorf("8 labels have thresholds: %v", err)
	}
	a := labelled(8, 40)
	m, err := lapsvm.Trainer{Recipe: l.Recipe()}.Fit(t.Context(), l.Dataset())
	if err != nil {
		t.Fatal(err)
	}
	for _, level := range []float64{0.6, 0.8, 0.9} {
		limits, err := a.Thresholds(level)
		if err != nil {
			t.Fatal(err)
		}
		sets, err := m.Sets(t.Context(), d.Points, level)
		if err != nil {
			t.Fatal(err)
		}
		probabilities, err := m.Probabilities(t.Context(), d.Points)
		if err != nil {
			t.Fatal(err)
		}
		if !math.IsInf(limits[3], 1) {
			t.Errorf("the class without a label has the threshold %v", limits[3])
		}
		for i, set := range sets {
			for c, p := range probabilities[i] {
				near := math.Abs(p-limits[c]) < 1e-4 // of one and the other rounding
				if in := float64(a.Probabilities[c][i]) >= limits[c] || p == slices.Max(probabilities[i]); in != slices.Contains(set, c) && !near {
					t.Errorf("level %v, point %d: class %d with %v of %v is not as in the set %v of the model", level, i, c, p, limits[c], set)
				}
			}
		}
	}
}
