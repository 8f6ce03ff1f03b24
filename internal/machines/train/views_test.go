package train

import (
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"lapsvm/calibrate"
	"lapsvm/dataset"
	"lapsvm/internal/machines/task"
	"lapsvm/internal/numbers/vec"
	"lapsvm/internal/points/gram"
	"lapsvm/kernel"
	"lapsvm/points"
)

// viewed returns points around the corners of a square, of two classes, a few labelled.
func viewed(n, classes int) *dataset.Dataset {
	d := &dataset.Dataset{Classes: []string{"a", "b", "c"}[:classes]}
	var values []float64
	for i := range n {
		class := i % classes
		values = append(values, 3*float64(class)+math.Sin(float64(5*i)), math.Cos(float64(7*i)), float64(class)*math.Sin(float64(3*i)), 1+math.Sin(float64(11*i)))
		d.Y = append(d.Y, dataset.Unlabelled)
		if i < 8*classes {
			d.Y[i] = class
		}
	}
	d.Points = points.Dense(n, 4, values)
	return d
}

// ofViews returns a recipe of three views.
func ofViews(kind task.Kind) Recipe {
	own := Recipe{Kind: kind, Kernel: kernel.Gaussian{Sigma: 1}, Standardise: points.AsIs, Describe: Undescribed, GammaA: 1e-3, GammaI: 1e-2, Solver: Deformed, Seed: 1}
	own.Graph.Neighbours, own.Graph.Degree = 5, 2
	linear, unit := own, own
	linear.Kernel, unit.Standardise = kernel.Linear{}, points.UnitNorm
	own.Beside = []View{{"linear", 0.25, linear}, {"unit", 0.25, unit}}
	return own
}

// viewAlone trains a machine of a recipe without the others, the leading one first.
func viewAlone(t *testing.T, d *dataset.Dataset, r Recipe, k int) *Fitted {
	t.Helper()
	one := r.Clone()
	if k > 0 {
		one = r.Beside[k-1].Recipe
	}
	one.Beside, one.Calibrate, one.Precision = nil, true, gram.Double
	view, err := Fit(t.Context(), d, one, Run{})
	if err != nil {
		t.Fatal(err)
	}
	return view
}

// The decision values of a mean are the mean logarithms of the calibrated probabilities of its views, less their mean over the classes. Their softmax is the
// probabilities. They are the same at the training points, and by the classes in an order.
func TestMeanOfViews(t *testing.T) {
	for name, c := range map[string]struct {
		kind    task.Kind
		classes int
	}{"two": {task.Kind{}, 2}, "three": {task.Kind{}, 3}, "ordered": {task.Ordered("a", "b", "c"), 3}} {
		d, r := viewed(60, c.classes), ofViews(c.kind)
		f, err := Fit(t.Context(), d, r, Run{})
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		scores, err := f.Predictor().Scores(t.Context(), d.Points)
		if err != nil {
			t.Fatal(err)
		}
		probabilities, err := f.Predictor().Probabilities(t.Context(), d.Points)
		if err != nil {
			t.Fatal(err)
		}
		want := make([][]float64, d.Points.Len())
		for k, weight := range []float64{0.5, 0.25, 0.25} {
			view := viewAlone(t, d, r, k)
			rows, err := view.Predictor().Probabilities(t.Context(), d.Points)
			if err != nil {
				t.Fatal(err)
			}
			for i, row := range rows {
				if k == 0 {
					want[i] = make([]float64, c.classes)
				}
				for class, p := range row {
					want[i][class] += weight * math.Log(math.Max(p, 1e-4))
				}
			}
		}
		for i := range want {
			mean, all := 0.0, 0.0
			for _, v := range want[i] {
				mean, all = mean+v/float64(c.classes), all+math.Exp(v)
			}
			for class, v := range want[i] {
				if !(math.Abs(scores[i][class]-(v-mean)) < 1e-9) || !(math.Abs(probabilities[i][class]-math.Exp(v)/all) < 1e-9) {
					t.Fatalf("%s, point %d, class %d: %v and %v, want %v and %v", name, i, class, scores[i][class], probabilities[i][class], v-mean, math.Exp(v)/all)
				}
				if trained := f.Summary.Scores[i][class]; !(math.Abs(trained-scores[i][class]) < 1e-5) {
					t.Fatalf("%s, point %d: %v in the training, %v as a new point", name, i, trained, scores[i][class])
				}
			}
		}
		if f.Recipe.Views() != 3 || f.Summary.HeldOut == nil || len(f.Mean.Calibration.Own) != c.classes || f.Mean.Calibration.Slope != 1 {
			t.Errorf("%s: %d views, held out %v, calibration %+v", name, f.Recipe.Views(), f.Summary.HeldOut, f.Mean)
		}
	}
}

// Each of several classes has the mean logarithm of its odds in the views, bounded in each. Its threshold is by held-out labels of the mean.
func TestMeanOfSeveral(t *testing.T) {
	for _, by := range []Criterion{MeanF1, WrongAnswers} {
		d, r := viewed(60, 3), ofViews(task.Several(";"))
		d.Classes, r.Criterion = []string{"a", "a;b", ";"}, by
		f, err := Fit(t.Context(), d, r, Run{})
		if err != nil {
			t.Fatal(err)
		}
		p := f.Predictor()
		scores, err := p.Scores(t.Context(), d.Points)
		if err != nil {
			t.Fatal(err)
		}
		probabilities, err := p.Probabilities(t.Context(), d.Points)
		if err != nil {
			t.Fatal(err)
		}
		want, held := make([][2]float64, d.Points.Len()), make([][2]float64, len(d.Labelled()))
		for k, weight := range []float64{0.5, 0.25, 0.25} {
			view := viewAlone(t, d, r, k)
			rows, err := view.Predictor().Scores(t.Context(), d.Points)
			if err != nil {
				t.Fatal(err)
			}
			odds := func(class int, f float64) float64 {
				p := math.Min(math.Max(view.Each.Probability(class, f), 1e-4), 1-1e-4)
				return weight * math.Log(p/(1-p))
			}
			for i, row := range rows {
				for class, f := range row {
					want[i][class] += odds(class, f)
				}
			}
			for at, row := range view.Summary.HeldOut.Scores {
				for class, f := range row {
					held[at][class] += odds(class, f)
				}
			}
		}
		for i := range want {
			for class, v := range want[i] {
				if !(math.Abs(scores[i][class]-v) < 1e-9) || !(math.Abs(probabilities[i][class]-1/(1+math.Exp(-v))) < 1e-9) {
					t.Fatalf("%s, point %d, class %d: %v and %v, want the odds %v", by, i, class, scores[i][class], probabilities[i][class], v)
				}
				if trained := f.Summary.Scores[i][class]; !(math.Abs(trained-v) < 1e-5) {
					t.Fatalf("%s, point %d: %v in the training, %v as a new point", by, i, trained, v)
				}
			}
		}
		for class, threshold := range p.Each().Threshold {
			above, expected := 0, 0.0
			for at := range held {
				if got := f.Summary.HeldOut.Scores[at][class]; !(math.Abs(got-held[at][class]) < 1e-9) {
					t.Fatalf("%s: held out %v, want %v", by, got, held[at][class])
				}
				p := 1 / (1 + math.Exp(-held[at][class]))
				if expected += p; p > threshold {
					above++
				}
			}
			if by == WrongAnswers && threshold != 0.5 || by == MeanF1 && above != int(math.Round(expected)) && threshold != 0.5 {
				t.Errorf("%s: the threshold %v has %d of %v rows above", by, threshold, above, expected)
			}
		}
		if e := p.Each(); e.HeldOut != len(held) || e.Slope[1] != 1 || e.Offset[0] != 0 || len(e.Has[0])+len(e.Lacks[0]) != len(held) {
			t.Errorf("%s: %+v", by, e)
		}
	}
}

// The numbers of a mean are the mean of those of its views, at new points, in the training and where labels are left out. Intervals are made of what the mean
// leaves of each label.
func TestMeanOfNumbers(t *testing.T) {
	d := viewed(60, 1)
	d.Classes = nil
	for i, y := range d.Y {
		if y == dataset.Unlabelled {
			continue
		}
		d.Classes, d.Y[i] = append(d.Classes, strconv.Itoa(100+7*i*i)), i
	}
	r := ofViews(task.Numbers())
	r.Calibrate, r.Optimism = true, 1.5
	f, err := Fit(t.Context(), d, r, Run{})
	if err != nil {
		t.Fatal(err)
	}
	scores, err := f.Predictor().Scores(t.Context(), d.Points)
	if err != nil {
		t.Fatal(err)
	}
	y, err := d.Numbers()
	if err != nil {
		t.Fatal(err)
	}
	l := len(d.Labelled())
	want, left, asNew := make([]float64, d.Points.Len()), make([]float64, l), make([]float64, l)
	for k, weight := range []float64{0.5, 0.25, 0.25} {
		view := viewAlone(t, d, r, k)
		rows, err := view.Predictor().Scores(t.Context(), d.Points)
		if err != nil {
			t.Fatal(err)
		}
		vec.Axpy(weight, ValuesOf(rows), want)
		vec.Axpy(weight, view.Summary.LeftOut, left)
		vec.Axpy(weight, view.Summary.LeftAsNew, asNew)
	}
	near := func(what string, got, want float64) {
		t.Helper()
		if !(math.Abs(got-want) <= 1e-9*math.Max(1, math.Abs(want))) {
			t.Errorf("%s: %v, want %v", what, got, want)
		}
	}
	square := 0.0
	for i := range want {
		near("new point", scores[i][0], want[i])
		near("training point", f.Summary.Scores[i][0], want[i])
		if i < l {
			square += (want[i] - y[i]) * (want[i] - y[i]) / float64(l)
			near("left out", f.Summary.LeftOut[i], left[i])
			near("residual", f.Predictor().Intervals().Residual[i], 1.5*math.Abs(y[i]-asNew[i]))
			near("residual among the points", f.IntervalsAmong().Residual[i], 1.5*math.Abs(y[i]-left[i]))
		}
	}
	near("error", f.Summary.TrainingRMSE, math.Sqrt(square))
	p := f.Predictor().With(Uncertainty{Intervals: f.IntervalsAmong()})
	if again, err := p.Scores(t.Context(), d.Points); err != nil || !reflect.DeepEqual(again, scores) {
		t.Errorf("with other intervals it is another mean: %v", err)
	}
	low, high, err := f.Predictor().IntervalsAt(t.Context(), d.Points, ValuesOf(scores), 0.8)
	if err != nil {
		t.Fatal(err)
	}
	residuals := slices.Sorted(slices.Values(f.Intervals.Residual))
	half := residuals[int(math.Ceil(0.8*float64(l+1)))-1]
	near("low", low[3], want[3]-half)
	near("high", high[3], want[3]+half)
	r.Calibrate = false
	if f, err = Fit(t.Context(), d, r, Run{}); err != nil || f.Intervals != nil || f.Predictor().Intervals() != nil {
		t.Errorf("intervals %v that were not asked for, %v", f.Intervals, err)
	}
}

// No view rules a class out alone.
func TestLeastProbability(t *testing.T) {
	sure := &calibrate.Calibration{Slope: 1}
	got := MeanOf([]Probabilities{sure, sure}, []float64{1, 1}, [][][]float64{{{-500, 500}}, {{3, -3}}})
	p := 1 / (1 + math.Exp(-6.0))
	want := (math.Log(1e-4) + math.Log(p) - math.Log(1) - math.Log(1-p)) / 4
	if !(math.Abs(got[0][0]-want) < 1e-9) || !(math.Abs(got[0][1]+got[0][0]) < 1e-15) {
		t.Errorf("%v, want ±%v", got[0], want)
	}
}

func TestWrongViews(t *testing.T) {
	for says, change := range map[string]func(r *Recipe){
		"has the weight 1":              func(r *Recipe) { r.Beside[0].Weight = 1 },
		"has the weight NaN":            func(r *Recipe) { r.Beside[0].Weight = math.NaN() },
		"leave nothing for the machine": func(r *Recipe) { r.Beside[0].Weight, r.Beside[1].Weight = 0.5, 0.5 },
		"has views of its own":          func(r *Recipe) { r.Beside[0].Recipe.Beside = []View{{}} },
		"which one class has not":       func(r *Recipe) { r.Kind = task.OneClass() },
		"no prior":                      func(r *Recipe) { r.Prior = BalancedPrior },
		`the view "linear"`:             func(r *Recipe) { r.Beside[0].Recipe.GammaA = -1 },
	} {
		r := ofViews(task.Kind{})
		change(&r)
		if err := r.Validate(); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%v does not say %q", err, says)
		}
	}
	if r := ofViews(task.Kind{}); r.Validate() != nil {
		t.Error(r.Validate())
	}
}

// Views whose machines were held out by other labels have no mean.
func TestViewsHeldOutAlike(t *testing.T) {
	n := allFoldsPoints + 120
	d := &dataset.Dataset{Classes: []string{"a", "b", "c", "d"}, Y: make([]int, n)}
	values := make([]float64, 0, 4*n)
	for i := range n {
		values = append(values, float64(i%4)+math.Sin(float64(5*i)), math.Cos(float64(7*i)), math.Sin(float64(3*i)), math.Sin(float64(11*i)))
		if d.Y[i] = dataset.Unlabelled; i < 40 {
			d.Y[i] = i % 4
		}
	}
	d.Points = points.Dense(n, 4, values)
	r := ofViews(task.Kind{})
	r.Beside = r.Beside[:1]
	r.Beside[0].Recipe.Solver = PCG
	if _, err := Fit(t.Context(), d, r, Run{}); err == nil || !strings.Contains(err.Error(), "give both one solver") {
		t.Errorf("the exact solver has %d parts, and conjugate gradient 4: %v", mostFolds, err)
	}
}
