package label_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"lapsvm"
	"lapsvm/dataset"
	"lapsvm/internal/machines/task"
	"lapsvm/internal/machines/train"
	"lapsvm/internal/points/graph"
	"lapsvm/kernel"
	"lapsvm/label"
	"lapsvm/points"
)

// rings is points on a circle, the sine of three times their angle with noise, and a number for every third. Some are off by three.
func rings(n int, off ...int) (*dataset.Dataset, []float64) {
	rng := rand.New(rand.NewPCG(8, 34))
	d := &dataset.Dataset{}
	var x, y []float64
	for i := range n {
		a := 2 * math.Pi * float64(i) / float64(n)
		x, y = append(x, math.Cos(a), math.Sin(a)), append(y, math.Sin(3*a)+0.05*rng.NormFloat64())
		if slices.Contains(off, i) {
			y[i] += 3
		}
		if i%3 > 0 {
			d.Y = append(d.Y, dataset.Unlabelled)
			continue
		}
		d.Y, d.Classes = append(d.Y, len(d.Classes)), append(d.Classes, strconv.FormatFloat(y[i], 'g', -1, 64))
	}
	d.Points = points.Dense(n, 2, x)
	return d, y
}

// ofNumbers is a recipe of a regression without open parameters.
func ofNumbers() train.Recipe {
	return train.Recipe{Kind: task.Numbers(), Kernel: kernel.Gaussian{Sigma: 0.5}, GammaA: 1e-3, GammaI: 1e-2, Standardise: points.AsIs, Seed: 1,
		Graph: graph.Options{Neighbours: 6, Degree: 2, Metric: graph.Euclidean}}
}

// Numbers of all points are those of a training, and so they are without a label. A label that comes changes them.
func TestNumbersAreThoseOfATraining(t *testing.T) {
	d, _ := rings(120)
	l, err := label.Open(t.Context(), d, ofNumbers(), label.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	compare := func(a *label.Answer, y []int) {
		t.Helper()
		data := *d
		data.Y = y
		r := ofNumbers()
		r.Solver = train.Deformed
		f, err := train.Fit(t.Context(), &data, r, train.Run{})
		if err != nil {
			t.Fatal(err)
		}
		if a.Decided != nil || a.Outputs != nil || len(a.Values) != 120 {
			t.Fatalf("the answer has decisions, or %d numbers", len(a.Values))
		}
		for i, v := range a.Values {
			if want := f.Summary.Scores[i][0]; !(math.Abs(v-want) <= 1e-6) {
				t.Fatalf("point %d has %v, in a training %v", i, v, want)
			}
		}
	}
	compare(l.Answer(), d.Y)
	one := l.Answer().LeftOut[7]
	y := slices.Clone(d.Y)
	y[one.Point] = dataset.Unlabelled
	a, err := l.Apply(t.Context(), []label.Change{{Point: one.Point, Class: dataset.Unlabelled}})
	if err != nil {
		t.Fatal(err)
	}
	compare(a, y)
	if v := a.Values[one.Point]; !(math.Abs(v-one.Value) <= 0.02) { // the unit is of one label less
		t.Errorf("without its label point %d has %v, and left out %v", one.Point, v, one.Value)
	}
}

// Labels that are off are found, and no others; those are the most suspicious.
func TestAuditOfNumbers(t *testing.T) {
	off := []int{9, 48, 90}
	d, y := rings(120, off...)
	l, err := label.Open(t.Context(), d, train.Recipe{Kind: task.Numbers(), Seed: 1}, label.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	all, err := l.AuditNumbers(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if len(all) != 40 {
		t.Fatalf("%d labels of 40", len(all))
	}
	for k, one := range all {
		is := slices.Contains(off, one.Point)
		if is != (k < len(off)) || is && !(one.Suspicion > 0.9) || !is && !(one.Suspicion < 0.5) {
			t.Errorf("label %d, of point %d, has the suspicion %v: %s", k, one.Point, one.Suspicion, one.Why)
		}
		if one.Given != y[one.Point] || is && !(math.Abs(one.Given-3-one.Predicted) < 0.5) {
			t.Errorf("point %d: %+v, its number is %v", one.Point, one, y[one.Point])
		}
	}
	if few, err := func() ([]label.Odd, error) {
		data := *d
		data.Y = slices.Repeat([]int{dataset.Unlabelled}, 120)
		copy(data.Y, d.Y[:7])
		l, err := label.Open(t.Context(), &data, ofNumbers(), label.Options{})
		if err != nil {
			t.Fatal(err)
		}
		defer l.Close()
		return l.AuditNumbers(t.Context())
	}(); err != nil || few != nil {
		t.Errorf("three labels are audited as %v: %v", few, err)
	}
}

// Suggestions go where no number is near. They need no label, and do not repeat.
func TestSuggestionsForNumbers(t *testing.T) {
	d, _ := rings(120)
	for i := range d.Y {
		if i > 40 { // a third of the circle has all labels
			d.Y[i] = dataset.Unlabelled
		}
	}
	l, err := label.Open(t.Context(), d, ofNumbers(), label.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	for _, rule := range []label.Rule{label.Auto, label.VOpt, label.MCVOpt, label.Uncertainty, label.Density, label.Random} {
		all, err := l.Suggest(t.Context(), rule, 5)
		if err != nil || len(all) != 5 {
			t.Fatalf("%s: %d suggestions: %v", rule, len(all), err)
		}
		seen := map[int]bool{}
		for _, s := range all {
			if seen[s.Point] || d.Y[s.Point] != dataset.Unlabelled {
				t.Errorf("%s: point %d is suggested again, or has a label", rule, s.Point)
			}
			seen[s.Point] = true
		}
		if first := all[0].Point; rule != label.Density && rule != label.Random && (first < 55 || first > 105) {
			t.Errorf("%s begins with point %d, which is near labels", rule, first)
		}
	}
	none := *d
	none.Y = slices.Repeat([]int{dataset.Unlabelled}, 120)
	empty, err := label.Open(t.Context(), &none, train.Recipe{Kind: task.Numbers()}, label.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer empty.Close()
	if all, err := empty.Suggest(t.Context(), label.Auto, 3); err != nil || len(all) != 3 {
		t.Errorf("without labels: %d suggestions: %v", len(all), err)
	}
}

// Intervals are those of a model trained by the same labels. Points that came since have residuals alone, and too few labels
// have none.
func TestIntervals(t *testing.T) {
	d, _ := rings(120)
	l, err := label.Open(t.Context(), d.Subset(indices(110)), ofNumbers(), label.Options{Shown: true})
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	r := l.Recipe()
	r.Optimism = 0
	m, err := lapsvm.Trainer{Recipe: r}.Fit(t.Context(), l.Dataset())
	if err != nil {
		t.Fatal(err)
	}
	for _, level := range []float64{0.5, 0.9, 0.97} {
		_, low, high, err := m.Intervals(t.Context(), d.Points.Slice(0, 110), level)
		if err != nil {
			t.Fatal(err)
		}
		for i := range low {
			a, b, err := l.Answer().Interval(i, level)
			if err != nil || !(math.Abs(a-low[i]) <= 1e-4) || !(math.Abs(b-high[i]) <= 1e-4) {
				t.Fatalf("level %v, point %d: %v to %v, of the model %v to %v: %v", level, i, a, b, low[i], high[i], err)
			}
		}
	}
	if _, _, err := l.Answer().Interval(3, 0.99); err == nil || !strings.Contains(err.Error(), "ask for at most 0.97") {
		t.Errorf("37 labels promise 99 %%: %v", err)
	}
	a, err := l.Grow(t.Context(), d)
	if err != nil {
		t.Fatal(err)
	}
	low, high, err := a.Interval(115, 0.9)
	if v := a.Values[115]; err != nil || !(low < v) || !(math.Abs(low+high-2*v) <= 1e-9) {
		t.Errorf("a new point has %v, and %v to %v: %v", v, low, high, err)
	}
	if none, err := label.Open(t.Context(), d, ofNumbers(), label.Options{}); err != nil {
		t.Error(err)
	} else if _, _, err := none.Answer().Interval(3, 0.9); err == nil {
		t.Error("an interval that was not asked for")
	}
}

// indices returns 0, 1, …, n − 1.
func indices(n int) []int {
	all := make([]int, n)
	for i := range all {
		all[i] = i
	}
	return all
}

// A recipe that fits the numbers takes the place of one that is nearly constant, and a labelling is stale once its labels have grown by half.
func TestNumbersReplace(t *testing.T) {
	d, y := rings(120)
	by := func(gammaA float64) *label.Labelling {
		r := ofNumbers()
		r.GammaA = gammaA
		l := opened(t, d, r, label.Options{})
		if l.Stale() {
			t.Error("a recipe without open parameters is stale")
		}
		return l
	}
	if !replaces(t, by(1e-3), by(1e3)) {
		t.Error("a machine that is nearly constant stands")
	}
	few := *d
	few.Y = slices.Repeat([]int{dataset.Unlabelled}, 120)
	copy(few.Y, d.Y[:13]) // five labels
	l, err := label.Open(t.Context(), &few, train.Recipe{Kind: task.Numbers()}, label.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	for k, want := range []bool{false, false, true} { // with six, seven and eight labels
		class, err := l.AddClass("100" + strconv.Itoa(k))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := l.Apply(t.Context(), []label.Change{{Point: 20 + k, Class: class}}); err != nil {
			t.Fatal(err)
		}
		if l.Stale() != want {
			t.Errorf("with %d labels of %d it is stale: %v", l.Labelled(), len(y), l.Stale())
		}
	}
}

// Numbers that are shown are those of the training by the same labels, also where the labels do not speak for a graph, by the whole
// inverse and on landmarks.
func TestShownNumbersAreThoseOfTheChoice(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 34))
	d := &dataset.Dataset{}
	var x []float64
	for i := range 300 { // a plane without noise, which no graph knows better than a linear kernel
		a, b := rng.NormFloat64(), rng.NormFloat64()
		x = append(x, a, b)
		if i > 20 {
			d.Y = append(d.Y, dataset.Unlabelled)
			continue
		}
		d.Y, d.Classes = append(d.Y, len(d.Classes)), append(d.Classes, strconv.FormatFloat(3*a-2*b+7, 'g', -1, 64))
	}
	d.Points = points.Dense(300, 2, x)
	m, err := lapsvm.Trainer{Recipe: train.Recipe{Kind: task.Numbers()}}.Fit(t.Context(), d)
	if err != nil {
		t.Fatal(err)
	}
	if r := m.Recipe(); !r.Supervised {
		t.Fatalf("a graph is chosen: %+v", r)
	}
	values, err := m.Values(t.Context(), d.Points)
	if err != nil {
		t.Fatal(err)
	}
	far := func(o label.Options) (most float64) {
		t.Helper()
		l, err := label.Open(t.Context(), d, train.Recipe{Kind: task.Numbers()}, o)
		if err != nil {
			t.Fatal(err)
		}
		defer l.Close()
		for i, v := range l.Answer().Values {
			most = max(most, math.Abs(v-values[i]))
		}
		more := *d
		more.Points, more.Y = points.Stack(d.Points, d.Points.Slice(0, 5)), append(slices.Clone(d.Y), d.Y[:5]...)
		a, err := l.Grow(t.Context(), &more)
		if err != nil {
			t.Fatal(err)
		}
		for i, v := range a.Values[300:] {
			if off := math.Abs(v - a.Values[i]); !(off <= 1e-3) {
				t.Errorf("a row that comes in differs by %v from its like", off)
			}
		}
		if r := l.Recipe(); r.Supervised != o.Shown || o.Shown && (r.Choice == nil || r.Choice.Numbers == nil) {
			t.Errorf("the recipe is %+v", r)
		}
		return most
	}
	for _, exact := range []int{0, 100} {
		if off := far(label.Options{Shown: true, Exact: exact}); !(off <= 1e-6) {
			t.Errorf("numbers that are shown differ by %v from those of the training, exact %d", off, exact)
		}
	}
	if off := far(label.Options{}); !(off > 0.1) {
		t.Errorf("numbers by rules of thumb differ by %v only", off)
	}
}
