package label_test

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"lapsvm/dataset"
	"lapsvm/internal/machines/train"
	"lapsvm/internal/points/gram"
	"lapsvm/internal/points/graph"
	"lapsvm/kernel"
	"lapsvm/label"
	"lapsvm/points"
)

// plain is a recipe for clusters.
func plain() train.Recipe {
	return train.Recipe{Kernel: kernel.Gaussian{Sigma: 1.5}, Standardise: points.AsIs, GammaA: 1e-2, GammaI: 0.1, Graph: graph.Options{Neighbours: 6, Degree: 2}}
}

func opened(t *testing.T, d *dataset.Dataset, r train.Recipe, o label.Options) *label.Labelling {
	t.Helper()
	l, err := label.Open(context.Background(), d, r, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(l.Close)
	return l
}

func apply(t *testing.T, l *label.Labelling, changes ...label.Change) *label.Answer {
	t.Helper()
	a, err := l.Apply(context.Background(), changes)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// removes is what rules of variance say of a point, with one digit of a small share.
var removes = regexp.MustCompile(`^labelling this one would remove (about (0\.0*[1-9]|[1-9][0-9]?|100)|less than 0\.001) % of the model's remaining uncertainty|^no point of its part of the graph`)

// Without a label every rule suggests points, none twice, the same ones when asked again;
// with labels none of these; both with the whole inverse and on landmarks.
func TestSuggestEveryRule(t *testing.T) {
	d, truth := clusters(220, 4)
	for _, exact := range []int{0, 100} {
		for _, rule := range label.Rules() {
			l := opened(t, d, plain(), label.Options{Exact: exact})
			for round := range 3 {
				some, err := l.Suggest(t.Context(), rule, 9)
				if err != nil {
					t.Fatal(err)
				}
				again, err := l.Suggest(t.Context(), rule, 9)
				if err != nil || !slices.Equal(some, again) {
					t.Errorf("%s: %v and then %v, %v", rule, some, again, err)
				}
				if len(some) != 9 {
					t.Fatalf("%s: %d suggestions, want 9", rule, len(some))
				}
				seen, labels := map[int]bool{}, l.Labels()
				var changes []label.Change
				for _, s := range some {
					if seen[s.Point] || labels[s.Point] != dataset.Unlabelled || s.Reason == "" {
						t.Errorf("%s, round %d: %+v is suggested twice, labelled or without a reason", rule, round, s)
					}
					if variance := rule != label.Uncertainty && rule != label.Density && rule != label.Random; variance && !removes.MatchString(s.Reason) {
						t.Errorf("%s: the reason is %q", rule, s.Reason)
					}
					seen[s.Point] = true
					changes = append(changes, label.Change{Point: s.Point, Class: truth[s.Point]})
				}
				apply(t, l, changes...)
			}
		}
	}
	l := opened(t, d, plain(), label.Options{})
	if _, err := l.Suggest(t.Context(), "best", 1); err == nil {
		t.Error("a rule that there is not is taken")
	}
	if some, err := l.Suggest(t.Context(), label.VOpt, 500); err != nil || len(some) != 220 {
		t.Errorf("of 220 points %d are suggested, %v", len(some), err)
	}
}

// Four clusters have a point each among the first four that variance asks for.
func TestSuggestionsSpread(t *testing.T) {
	d, truth := clusters(300, 4)
	l := opened(t, d, plain(), label.Options{})
	some, err := l.Suggest(t.Context(), label.Auto, 4)
	if err != nil {
		t.Fatal(err)
	}
	found := map[int]bool{}
	for _, s := range some {
		found[truth[s.Point]] = true
	}
	if len(found) != 4 {
		t.Errorf("the first four suggestions are of %d clusters, want 4: %v", len(found), some)
	}
}

// With two classes variance alone chooses up to nineteen labels, and model change from
// twenty on.
func TestTwoClassesBeginByVariance(t *testing.T) {
	d, truth := clusters(220, 2)
	l := opened(t, d, plain(), label.Options{})
	order := rand.New(rand.NewPCG(3, 3)).Perm(220)
	for count, want := range map[int]label.Rule{4: label.VOpt, 10: label.VOpt, 19: label.VOpt, 20: label.MCVOpt, 30: label.MCVOpt} {
		labels := slices.Repeat([]int{dataset.Unlabelled}, 220)
		for _, i := range order[:count] {
			labels[i] = truth[i]
		}
		apply(t, l, l.Towards(labels)...)
		got, err := l.Suggest(t.Context(), label.Auto, 5)
		if err != nil {
			t.Fatal(err)
		}
		if as, err := l.Suggest(t.Context(), want, 5); err != nil || !slices.Equal(got, as) {
			t.Errorf("%d labels: %v, of %s %v, %v", count, got, want, as, err)
		}
	}
}

// A class that was merged into another asks for no labels: of ten classes two labels each are enough
// to go on by model change.
func TestMergedClassesAskForNoLabels(t *testing.T) {
	d, truth := clusters(220, 10)
	l := opened(t, d, plain(), label.Options{})
	var changes []label.Change
	var count [10]int
	for i, c := range truth {
		if count[c]++; count[c] <= 2 {
			changes = append(changes, label.Change{Point: i, Class: c})
		}
	}
	apply(t, l, changes...)
	late, err := l.AddClass("late")
	if err != nil {
		t.Fatal(err)
	}
	first := func(rule label.Rule) label.Suggestion {
		t.Helper()
		some, err := l.Suggest(t.Context(), rule, 1)
		if err != nil || len(some) != 1 {
			t.Fatal(some, err)
		}
		return some[0]
	}
	if got := first(label.Auto); got != first(label.VOpt) || !strings.Contains(got.Reason, `"late" has no label yet`) {
		t.Errorf("with a class that has no label: %v", got)
	}
	if _, err := l.MergeClass(t.Context(), late, 0); err != nil {
		t.Fatal(err)
	}
	if got := first(label.Auto); got != first(label.MCVOpt) || got == first(label.VOpt) || strings.Contains(got.Reason, "no label yet") {
		t.Errorf("with the class merged: %v", got)
	}
}

// A part of the graph without a label comes first, and a class without one is named.
func TestEmptyPartsFirst(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	const n = 200
	values, d := make([]float64, 2*n), &dataset.Dataset{Y: slices.Repeat([]int{dataset.Unlabelled}, n), Classes: []string{"a", "b", "c"}}
	for i := range n {
		values[2*i], values[2*i+1] = r.NormFloat64(), r.NormFloat64()
		if i >= 150 { // far off
			values[2*i] += 1000
		}
	}
	d.Points = points.Dense(n, 2, values)
	l := opened(t, d, plain(), label.Options{})
	apply(t, l, label.Change{Point: 1, Class: 0}, label.Change{Point: 2, Class: 1})
	some, err := l.Suggest(t.Context(), label.Auto, 2)
	if err != nil {
		t.Fatal(err)
	}
	if some[0].Point < 150 || !strings.Contains(some[0].Reason, "holds 50 points") || !strings.Contains(some[0].Reason, `"c" has no label yet`) || some[1].Point >= 150 {
		t.Errorf("suggested: %+v", some)
	}
}

// On landmarks, solved to the end in double, labels one after the other leave what a
// training anew finds.
func TestLandmarksEqualTrainingAnew(t *testing.T) {
	d, truth := clusters(200, 3)
	r := plain()
	r.Kernel = kernel.Gaussian{Sigma: 0.5}
	r.Solver, r.Precision, r.Tolerance, r.Landmarks = train.Landmarks, gram.Double, 1e-20, 50
	r.GammaA, r.GammaI, r.Graph.Neighbours, r.Graph.Degree = 0, 0, 0, 0
	r.Members = []train.Member{{Neighbours: 6, LaplacianDegree: 2, GammaA: 1e-2, GammaI: 0.1, Weight: 0.6}, {Neighbours: 8, LaplacianDegree: 1, GammaA: 1e-2, GammaI: 1, Weight: 0.4}}
	l := opened(t, d, r, label.Options{})
	for i := range 20 {
		apply(t, l, label.Change{Point: i, Class: truth[i]})
	}
	got := apply(t, l, label.Change{Point: 4, Class: dataset.Unlabelled}, label.Change{Point: 5, Class: (truth[5] + 1) % 3})
	anew := opened(t, l.Dataset(), l.Recipe(), label.Options{}).Answer()
	fitted, err := train.Fit(t.Context(), l.Dataset(), l.Recipe(), train.Run{})
	if err != nil {
		t.Fatal(err)
	}
	if !(math.Abs(fitted.Calibration.Slope-got.Slope) <= 1e-9*got.Slope) {
		t.Errorf("the slope is %v, of a training anew %v", got.Slope, fitted.Calibration.Slope)
	}
	for c, f := range anew.Outputs {
		for i, v := range f {
			if !(math.Abs(got.Outputs[c][i]-v) <= 1e-9) {
				t.Fatalf("class %d at point %d has %v, opened anew %v", c, i, got.Outputs[c][i], v)
			}
		}
	}
}

// What fails changes nothing.
func TestApplyCancelled(t *testing.T) {
	d, truth := clusters(100, 2)
	l := opened(t, d, plain(), label.Options{})
	before := apply(t, l, label.Change{Point: 0, Class: truth[0]}, label.Change{Point: 1, Class: 1 - truth[0]})
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := l.Apply(ctx, []label.Change{{Point: 7, Class: 0}}); !errors.Is(err, context.Canceled) {
		t.Errorf("the error is %v, want that of the context", err)
	}
	if l.Labels()[7] != dataset.Unlabelled || l.Answer() != before {
		t.Error("a label that failed was taken")
	}
}

// A label that is turned is the most suspicious, with the class that it had; equal points
// with other labels are told; and two classes in one place are alike.
func TestAudit(t *testing.T) {
	d, truth := clusters(240, 3)
	l := opened(t, d, plain(), label.Options{})
	if all, err := l.Audit(t.Context()); err != nil || len(all) != 0 {
		t.Errorf("without labels %v are suspicious, %v", all, err)
	}
	var changes []label.Change
	for i := range 60 {
		changes = append(changes, label.Change{Point: i, Class: truth[i]})
	}
	for _, i := range []int{11, 30} {
		changes[i].Class = (truth[i] + 1) % 3
	}
	apply(t, l, changes...)
	all, err := l.Audit(t.Context())
	if err != nil || len(all) != 60 {
		t.Fatalf("%d of 60 labels are judged, %v", len(all), err)
	}
	for _, s := range all[:2] {
		if s.Point != 11 && s.Point != 30 || s.Suggested != truth[s.Point] || !(s.Suspicion > 0.5) || s.Why == "" {
			t.Errorf("the most suspicious are %+v", s)
		}
	}
	if !(all[59].Suspicion < 0.5) {
		t.Errorf("the least suspicious is %+v", all[59])
	}
	if pairs := l.Alike(); len(pairs) != 0 {
		t.Errorf("%v cannot be told apart", pairs)
	}
	twin, err := l.AddClass("twin")
	if err != nil {
		t.Fatal(err)
	}
	for i := range 60 { // every other label of a class becomes the other's
		if truth[i] == 0 && i%2 == 0 {
			apply(t, l, label.Change{Point: i, Class: twin})
		}
	}
	if pairs := l.Alike(); len(pairs) != 1 || pairs[0].A != 0 || pairs[0].B != twin {
		t.Errorf("%v cannot be told apart, want class 0 and %d", pairs, twin)
	}
}

// On landmarks a labelling for an audit alone judges as others do, by rougher columns.
func TestAudited(t *testing.T) {
	d, truth := clusters(400, 3)
	d.Y = slices.Clone(d.Y)
	copy(d.Y, truth[:60])
	d.Y[11] = (truth[11] + 1) % 3
	suspicion := func(o label.Options) (of [60]float64, outputs []float64) {
		r := plain()
		r.Landmarks = 20
		l := opened(t, d, r, o)
		all, err := l.Audit(t.Context())
		if err != nil || len(all) != 60 || all[0].Point != 11 {
			t.Fatalf("%d of 60 labels are judged, %v", len(all), err)
		}
		for _, s := range all {
			of[s.Point] = s.Suspicion
		}
		return of, l.Answer().Outputs[0]
	}
	want, fine := suspicion(label.Options{Exact: 100, Fixed: true})
	got, rough := suspicion(label.Options{Exact: 100, Fixed: true, Audited: true})
	for i, v := range want {
		if off := math.Abs(got[i] - v); !(off <= 0.02) {
			t.Errorf("the label of point %d has suspicion %v, without Audited %v", i, got[i], v)
		}
	}
	if slices.Equal(rough, fine) {
		t.Error("the columns are no rougher")
	}
}

// The only label of a class cannot be judged. It comes last, however sure the others are.
func TestAuditOfTheOnlyLabelOfAClass(t *testing.T) {
	d, truth := clusters(150, 3)
	l := opened(t, d, plain(), label.Options{})
	var changes []label.Change
	only := slices.Index(truth, 2)
	for i, c := range truth[:30] {
		if c != 2 || i == only {
			changes = append(changes, label.Change{Point: i, Class: c})
		}
	}
	apply(t, l, changes...)
	all, err := l.Audit(t.Context())
	if err != nil || len(all) != len(changes) {
		t.Fatalf("%d of %d labels are judged, %v", len(all), len(changes), err)
	}
	if last := all[len(all)-1]; last.Point != only || last.Suspicion != 0 || !strings.Contains(last.Why, "no other point is labelled") {
		t.Errorf("the last is %+v, want point %d", last, only)
	}
	for k, s := range all[:len(all)-1] {
		if k > 0 && s.Suspicion > all[k-1].Suspicion {
			t.Errorf("point %d is more suspicious than the one before it", s.Point)
		}
	}
}

// A map has a place for every point, the same one each time, and keeps clusters apart.
func TestLayout(t *testing.T) {
	d, truth := clusters(400, 4)
	l := opened(t, d, plain(), label.Options{})
	xy, err := l.Layout(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	again, err := l.Layout(t.Context())
	if err != nil || !slices.Equal(xy, again) {
		t.Errorf("another map with the same seed, %v", err)
	}
	near, far, nears, fars := 0.0, 0.0, 0, 0
	for i := range 400 {
		if x, y := xy[2*i], xy[2*i+1]; !(x >= 0 && x <= 1 && y >= 0 && y <= 1) {
			t.Fatalf("point %d is at %v, %v", i, x, y)
		}
		for j := range i {
			distance := math.Hypot(float64(xy[2*i]-xy[2*j]), float64(xy[2*i+1]-xy[2*j+1]))
			if truth[i] == truth[j] {
				near, nears = near+distance, nears+1
			} else {
				far, fars = far+distance, fars+1
			}
		}
	}
	if !(2*near/float64(nears) < far/float64(fars)) {
		t.Errorf("points of a cluster are %.3f apart, of different ones %.3f", near/float64(nears), far/float64(fars))
	}
}

// Few points have places too: their graph has fewer smooth directions than are looked for, which made all places NaN.
func TestLayoutOfFewPoints(t *testing.T) {
	d := &dataset.Dataset{Classes: []string{"a"}}
	var x []float64
	for i := range 60 {
		x, d.Y = append(x, float64(i), float64(i*i%17)), append(d.Y, 0)
	}
	d.Points = points.Dense(60, 2, x)
	l := opened(t, d, train.Recipe{RulesOfThumb: true}, label.Options{})
	xy, err := l.Layout(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	ends, middle := 0.0, 0.0
	for i := range 10 {
		at := func(j int) float64 { return math.Hypot(float64(xy[2*i]-xy[2*j]), float64(xy[2*i+1]-xy[2*j+1])) }
		ends, middle = ends+at(59-i), middle+at(i+10)
	}
	if !(middle > 0 && ends > 2*middle) {
		t.Errorf("the ends are %v apart, a sixth of the way %v", ends/10, middle/10)
	}
}

// Similar points are nearest first, and of the same cluster.
func TestSimilar(t *testing.T) {
	d, truth := clusters(300, 3)
	l := opened(t, d, plain(), label.Options{})
	near := l.Similar(5, 10)
	if len(near) != 10 || slices.Contains(near, 5) {
		t.Fatalf("similar to 5 are %v", near)
	}
	for _, i := range near {
		if truth[i] != truth[5] {
			t.Errorf("point %d is of another cluster", i)
		}
	}
}
