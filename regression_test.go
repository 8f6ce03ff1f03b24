package lapsvm_test

import (
	"cmp"
	"errors"
	"fmt"
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
	"lapsvm/internal/points/gram"
	"lapsvm/kernel"
	"lapsvm/points"
)

// sine draws n points in the plane near a circle. The labels are the sine of twice their angle, times scale
// and from shift on. Every seventh row keeps its label.
func sine(n int, shift, scale float64, seed uint64) (d *dataset.Dataset, truth []float64) {
	rng := rand.New(rand.NewPCG(seed, 34))
	values := make([]float64, 0, 2*n)
	truth = make([]float64, n)
	d = &dataset.Dataset{Y: make([]int, n)}
	for i := range n {
		a := 2 * math.Pi * rng.Float64()
		values = append(values, math.Cos(a)+0.05*rng.NormFloat64(), math.Sin(a)+0.05*rng.NormFloat64())
		truth[i] = shift + scale*math.Sin(2*a)
		if d.Y[i] = dataset.Unlabelled; i%7 == 0 {
			d.Y[i] = len(d.Classes)
			d.Classes = append(d.Classes, strconv.FormatFloat(truth[i], 'g', -1, 64))
		}
	}
	d.Points = points.Dense(n, 2, values)
	return d, truth
}

// given is a recipe with nothing open.
func given(loss lapsvm.Loss, solver lapsvm.Solver) lapsvm.Recipe {
	return lapsvm.Recipe{Kind: task.Numbers(), Loss: loss, Solver: solver, Kernel: kernel.Gaussian{Sigma: 0.6}, GammaA: 0.01, GammaI: 0.1, Standardise: points.AsIs,
		Describe: lapsvm.Undescribed, Precision: gram.Double, Graph: lapsvm.Graph{Neighbours: 4, Degree: 2, Metric: lapsvm.Euclidean, Weights: lapsvm.Binary}}
}

// solved returns x of Ax = b, by elimination with partial pivoting.
func solved(a [][]float64, b []float64) []float64 {
	n := len(b)
	for c := range n {
		p := c
		for i := c + 1; i < n; i++ {
			if math.Abs(a[i][c]) > math.Abs(a[p][c]) {
				p = i
			}
		}
		a[c], a[p], b[c], b[p] = a[p], a[c], b[p], b[c]
		for i := c + 1; i < n; i++ {
			f := a[i][c] / a[c][c]
			for j := c; j < n; j++ {
				a[i][j] -= f * a[c][j]
			}
			b[i] -= f * b[c]
		}
	}
	for c := n - 1; c >= 0; c-- {
		for j := c + 1; j < n; j++ {
			b[c] -= a[c][j] * b[j]
		}
		b[c] /= a[c][c]
	}
	return b
}

// naive returns f of new points as the documentation has it, by the recipe given and no solver of the program.
// The graph is by all distances. The loss is minimised by repeated weighted least squares in (α, b). Residuals
// choose its pieces.
func naive(d *dataset.Dataset, truth []float64, loss lapsvm.Loss, x *points.Points) []float64 {
	return naiveIn(d, truth, loss, x, naiveUnit(d, truth))
}

// naiveUnit returns the mean of the labels and their standard deviation.
func naiveUnit(d *dataset.Dataset, truth []float64) (unit [2]float64) {
	labelled := d.Labelled()
	for _, i := range labelled {
		unit[0] += truth[i] / float64(len(labelled))
	}
	for _, i := range labelled {
		unit[1] += (truth[i] - unit[0]) * (truth[i] - unit[0]) / float64(len(labelled))
	}
	unit[1] = math.Sqrt(unit[1])
	return unit
}

// naiveIn is naive for a unit.
func naiveIn(d *dataset.Dataset, truth []float64, loss lapsvm.Loss, x *points.Points, unit [2]float64) []float64 {
	n := d.Points.Len()
	k := func(p *points.Points, i, j int) float64 {
		return math.Exp(-p.SquaredDistance(i, d.Points, j) / (2 * 0.6 * 0.6))
	}
	w := make([][]float64, n)
	for i := range w {
		w[i] = make([]float64, n)
	}
	for i := range n {
		order := make([]int, 0, n-1)
		for j := range n {
			if j != i {
				order = append(order, j)
			}
		}
		slices.SortFunc(order, func(a, b int) int {
			return cmp.Compare(d.Points.SquaredDistance(i, d.Points, a), d.Points.SquaredDistance(i, d.Points, b))
		})
		for _, j := range order[:4] {
			w[i][j], w[j][i] = 1, 1
		}
	}
	l := make([][]float64, n)
	degree := make([]float64, n)
	for i := range n {
		for _, v := range w[i] {
			degree[i] += v
		}
	}
	for i := range n {
		l[i] = make([]float64, n)
		for j := range n {
			if l[i][j] = -w[i][j] / math.Sqrt(degree[i]*degree[j]); i == j {
				l[i][j]++
			}
		}
	}
	power := make([][]float64, n)
	for i := range n {
		power[i] = make([]float64, n)
		for j := range n {
			for m := range n {
				power[i][j] += l[i][m] * l[m][j]
			}
		}
	}
	var labelled []int
	var y []float64
	for i, label := range d.Y {
		if label != dataset.Unlabelled {
			labelled, y = append(labelled, i), append(y, truth[i])
		}
	}
	for i := range y {
		y[i] = (y[i] - unit[0]) / unit[1]
	}
	// The derivative of ½V in f is curved·f − pull.
	curved, pull := make([]float64, len(y)), make([]float64, len(y))
	for i, v := range y {
		curved[i], pull[i] = 1, v
	}
	gram, smooth := make([][]float64, n), make([][]float64, n) // K, and L²K
	for i := range n {
		gram[i], smooth[i] = make([]float64, n), make([]float64, n)
		for j := range n {
			gram[i][j] = k(d.Points, i, j)
		}
	}
	for i := range n {
		for j := range n {
			for m := range n {
				smooth[i][j] += power[i][m] * gram[m][j]
			}
		}
	}
	var at []float64
	for range 200 {
		// D(Kα + b1) + γA α + γI L²(Kα + b1) = t, 1ᵀα = 0 times γA by the sum of the rows.
		a, b := make([][]float64, n+1), make([]float64, n+1)
		for i := range a {
			a[i] = make([]float64, n+1)
		}
		for i := range n {
			for j := range n {
				a[i][j] += 0.1 * smooth[i][j]
				a[i][n] += 0.1 * power[i][j]
			}
			a[i][i] += 0.01
			a[n][i] = 1
		}
		for p, i := range labelled {
			for j := range n {
				a[i][j] += curved[p] * gram[i][j]
			}
			a[i][n] += curved[p]
			b[i] = pull[p]
		}
		at = solved(a, b)
		same := true
		for p, i := range labelled {
			f := at[n]
			for j := range n {
				f += at[j] * gram[i][j]
			}
			e, c, t := y[p]-f, 1.0, y[p]
			switch {
			case loss == lapsvm.Huber && math.Abs(e) > 0.5:
				c, t = 0, math.Copysign(0.5, e)
			case loss == lapsvm.SquaredInsensitive && math.Abs(e) <= 0.0625:
				c, t = 0, 0
			case loss == lapsvm.SquaredInsensitive:
				t = y[p] - math.Copysign(0.0625, e)
			}
			same = same && c == curved[p] && t == pull[p]
			curved[p], pull[p] = c, t
		}
		if same {
			break
		}
	}
	values := make([]float64, x.Len())
	for i := range values {
		f := at[n]
		for j := range n {
			f += at[j] * k(x, i, j)
		}
		values[i] = unit[0] + unit[1]*f
	}
	return values
}

// Every loss of residuals has, by every solver, the values of the naive solver.
func TestRegressionIsNaive(t *testing.T) {
	d, truth := sine(70, 100, 30, 1)
	x, _ := sine(20, 0, 1, 2)
	for _, loss := range []lapsvm.Loss{lapsvm.Squared, lapsvm.Huber, lapsvm.SquaredInsensitive} {
		want := naive(d, truth, loss, x.Points)
		for _, solver := range []lapsvm.Solver{lapsvm.Deformed, lapsvm.Newton, lapsvm.PCG} {
			r := given(loss, solver)
			tolerance := 1e-8
			if solver == lapsvm.PCG {
				r.Stop, r.Tolerance, r.MaxIterations, tolerance = lapsvm.StopGradient, 1e-10, 5000, 1e-5
			}
			m, err := lapsvm.Trainer{Recipe: r}.Fit(t.Context(), d)
			if err != nil {
				t.Fatal(err)
			}
			got, err := m.Values(t.Context(), x.Points)
			if err != nil {
				t.Fatal(err)
			}
			for i := range got {
				if !(math.Abs(got[i]-want[i]) <= tolerance*30) {
					t.Errorf("%s by %s: point %d has %v, naively %v", loss, solver, i, got[i], want[i])
				}
			}
			trained, err := m.Values(t.Context(), d.Points)
			if err != nil {
				t.Fatal(err)
			}
			for i, row := range m.Training().Scores {
				if !(math.Abs(row[0]-trained[i]) <= 1e-7*30) {
					t.Errorf("%s by %s: row %d has %v in the training, %v as a new point", loss, solver, i, row[0], trained[i])
				}
			}
		}
	}
}

// Numbers times a factor and from a shift on have the predictions times the factor and from the shift on,
// also at the ends of the range.
func TestRegressionUnit(t *testing.T) {
	base, _ := sine(70, 0, 1, 1)
	fit := func(d *dataset.Dataset) []float64 {
		m, err := lapsvm.Trainer{Recipe: given(lapsvm.Squared, lapsvm.Deformed)}.Fit(t.Context(), d)
		if err != nil {
			t.Fatal(err)
		}
		values, err := m.Values(t.Context(), base.Points)
		if err != nil {
			t.Fatal(err)
		}
		return values
	}
	want := fit(base)
	for _, c := range []struct{ shift, scale float64 }{{1000, 1}, {-5, 1e-6}, {0, 1e29}, {0, 1e-29}} {
		d, _ := sine(70, c.shift, c.scale, 1)
		for i, v := range fit(d) {
			if w := c.shift + c.scale*want[i]; !(math.Abs(v-w) <= 1e-9*c.scale*(1+math.Abs(c.shift))) {
				t.Fatalf("from %g on times %g: row %d has %v, want %v", c.shift, c.scale, i, v, w)
			}
		}
	}
}

// What is chosen is nearer to the truth than the mean of the labels, the same twice, and in a file.
func TestRegressionChosen(t *testing.T) {
	d, truth := sine(210, 7, 2, 3)
	for _, by := range []lapsvm.Criterion{"", lapsvm.MeanAbsolute} {
		trainer := lapsvm.Trainer{Recipe: lapsvm.Recipe{Kind: task.Numbers(), Criterion: by, Calibrate: true}}
		m, err := trainer.Fit(t.Context(), d)
		if err != nil {
			t.Fatal(err)
		}
		values, err := m.Values(t.Context(), d.Points)
		if err != nil {
			t.Fatal(err)
		}
		square := 0.0
		for i, v := range values {
			square += (v - truth[i]) * (v - truth[i]) / float64(len(truth))
		}
		if root := math.Sqrt(square); !(root < 0.3) { // of labels with a deviation of 1.4
			t.Errorf("criterion %q: RMSE %v", by, root)
		}
		if got, err := m.Predict(t.Context(), d.Points); !errors.Is(err, lapsvm.ErrParameter) || !strings.Contains(err.Error(), "take Values or Intervals") {
			t.Errorf("numbers have the classes %v, %v", got, err)
		}
		if !m.Regression() || m.OneClass() || m.Machines() != 1 || len(m.Classes()) != 0 {
			t.Errorf("regression %v, one class %v, %d machines, classes %v", m.Regression(), m.OneClass(), m.Machines(), m.Classes())
		}
		c := m.Recipe().Choice
		if c.Numbers == nil || !(c.Numbers.RMSELow <= c.Numbers.RMSE && c.Numbers.RMSE <= c.Numbers.RMSEHigh) || c.Expected != nil || c.Labels != 30 {
			t.Errorf("criterion %q: choice %+v of numbers %+v", by, c, c.Numbers)
		}
		read := readBack(t, m)
		again, err := read.Values(t.Context(), d.Points)
		if err != nil {
			t.Fatal(err)
		}
		anew, err := lapsvm.Trainer{Recipe: read.Recipe()}.Fit(t.Context(), d)
		if err != nil {
			t.Fatal(err)
		}
		trained, err := anew.Values(t.Context(), d.Points)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(values, again) || !slices.Equal(values, trained) {
			t.Errorf("criterion %q: the model in a file, or trained anew by its recipe, has other values", by)
		}
		if numbers := read.Recipe().Choice.Numbers; numbers == nil || *numbers != *c.Numbers {
			t.Errorf("the file has %+v of the choice, not %+v", numbers, c.Numbers)
		}
	}
}

// Labels that are no numbers, and settings that are not for them, are refused by name.
func TestRegressionErrors(t *testing.T) {
	for name, c := range map[string]struct {
		labels []string
		want   string
	}{
		"text":      {[]string{"1", "", "dog"}, `row 3 has the label "dog", which is no number`},
		"one label": {[]string{"", "4", ""}, "at least two labels"},
		"equal":     {[]string{"4", "4.0", "4"}, "all 3 labels are 4"},
		"huge":      {[]string{"1", "2", "-1e31"}, "row 3 has the label -1e+31: numbers are at most 1e+30"},
		"close":     {[]string{"1e-31", "3e-31", "0"}, "multiply all labels"},
		"infinite":  {[]string{"1", "inf", "2"}, `the label "inf"`},
		"none":      {[]string{"", "", ""}, "takes at least two labels, and there are 0"},
	} {
		d := &dataset.Dataset{Points: points.Dense(3, 1, []float64{1, 2, 3})}
		for _, label := range c.labels {
			switch at := slices.Index(d.Classes, label); {
			case label == "":
				d.Y = append(d.Y, dataset.Unlabelled)
			case at >= 0:
				d.Y = append(d.Y, at)
			default:
				d.Y, d.Classes = append(d.Y, len(d.Classes)), append(d.Classes, label)
			}
		}
		if _, err := (lapsvm.Trainer{Recipe: lapsvm.Recipe{Kind: task.Numbers()}}).Fit(t.Context(), d); !errors.Is(err, lapsvm.ErrData) || !strings.Contains(fmt.Sprint(err), c.want) {
			t.Errorf("%s: error %v, want %q", name, err, c.want)
		}
	}
	for want, r := range map[string]lapsvm.Recipe{
		"is for numbers":    {Loss: lapsvm.Huber},
		"criterion":         {Criterion: lapsvm.MeanAbsolute},
		"unknown criterion": {Kind: task.Numbers(), Criterion: "median"},
	} {
		if err := r.Validate(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: error %v, want %q", r, err, want)
		}
	}
	d, _ := moons(60, 5, 1)
	m, err := lapsvm.Trainer{Recipe: lapsvm.Recipe{RulesOfThumb: true}}.Fit(t.Context(), d)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := m.Values(t.Context(), d.Points); !errors.Is(err, lapsvm.ErrParameter) {
		t.Errorf("numbers of a model of classes: error %v", err)
	}
}

// The machines of intervals are those that are trained anew without the label. The row stays, unlabelled.
// Intervals of rows trained on are those of the definition.
func TestIntervalsAreTrainedAnew(t *testing.T) {
	d, truth := sine(84, 50, 5, 4)
	x, _ := sine(15, 0, 1, 5)
	for _, loss := range []lapsvm.Loss{lapsvm.Squared, lapsvm.Huber, lapsvm.SquaredInsensitive} {
		r := given(loss, lapsvm.Deformed)
		r.Calibrate = true
		m, err := train.Fit(t.Context(), d, r, train.Run{})
		if err != nil {
			t.Fatal(err)
		}
		unit := naiveUnit(d, truth)
		labelled := d.Labelled()
		var lows, highs [][]float64 // [label][point]
		for _, i := range labelled {
			without := *d
			without.Y = slices.Clone(d.Y)
			without.Y[i] = dataset.Unlabelled
			// The unit stays that of all labels.
			values := naiveIn(&without, truth, loss, points.Stack(x.Points, d.Points.Subset([]int{i})), unit)
			residual := math.Abs(truth[i] - values[len(values)-1])
			low, high := make([]float64, x.Points.Len()), make([]float64, x.Points.Len())
			for j := range low {
				low[j], high[j] = values[j]-residual, values[j]+residual
			}
			lows, highs = append(lows, low), append(highs, high)
		}
		p := m.Predictor().With(train.Uncertainty{Intervals: m.IntervalsAmong()})
		scores, err := p.Scores(t.Context(), x.Points)
		if err != nil {
			t.Fatal(err)
		}
		low, high, err := p.IntervalsAt(t.Context(), x.Points, train.ValuesOf(scores), 0.8)
		if err != nil {
			t.Fatal(err)
		}
		for j := range low {
			var a, b []float64
			for k := range lows {
				a, b = append(a, lows[k][j]), append(b, highs[k][j])
			}
			slices.Sort(a)
			slices.Sort(b)
			l := float64(len(labelled))
			wantLow, wantHigh := a[int(math.Floor(0.2*(l+1)+1e-9))-1], b[int(math.Ceil(0.8*(l+1)-1e-9))-1]
			if !(math.Abs(low[j]-wantLow) <= 1e-7*5) || !(math.Abs(high[j]-wantHigh) <= 1e-7*5) {
				t.Errorf("%s: point %d is from %v to %v, trained anew from %v to %v", loss, j, low[j], high[j], wantLow, wantHigh)
			}
		}
	}
}

// Every solver and kernel has intervals of about the right coverage. A file keeps them, and a training without
// Calibrate has none.
func TestIntervals(t *testing.T) {
	d, truth := sine(280, 0, 1, 6)
	rng := rand.New(rand.NewPCG(6, 6))
	for i := range truth {
		truth[i] += 0.2 * rng.NormFloat64()
		if d.Y[i] != dataset.Unlabelled {
			d.Classes[d.Y[i]] = strconv.FormatFloat(truth[i], 'g', -1, 64)
		}
	}
	for name, change := range map[string]func(r *lapsvm.Recipe){
		"deformed":   func(r *lapsvm.Recipe) {},
		"supervised": func(r *lapsvm.Recipe) { r.Supervised, r.GammaI, r.Graph = true, 0, lapsvm.Graph{} },
		"newton":     func(r *lapsvm.Recipe) { r.Solver = lapsvm.Newton },
		"pcg":        func(r *lapsvm.Recipe) { r.Solver = lapsvm.PCG },
		"landmarks":  func(r *lapsvm.Recipe) { r.Solver, r.Landmarks, r.Precision = lapsvm.Landmarks, 100, gram.Single },
		"linear":     func(r *lapsvm.Recipe) { r.Kernel = kernel.Linear{} },
	} {
		r := given(lapsvm.Squared, lapsvm.Deformed)
		r.Calibrate = true
		change(&r)
		m, err := lapsvm.Trainer{Recipe: r}.Fit(t.Context(), d)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		values, low, high, err := m.Intervals(t.Context(), d.Points, 0.9)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		held := 0
		for i, y := range truth {
			if low[i] <= y && y <= high[i] {
				held++
			}
			if !(low[i] <= values[i] && values[i] <= high[i]) {
				t.Errorf("%s: %v is not from %v to %v", name, values[i], low[i], high[i])
			}
		}
		if share := float64(held) / float64(len(truth)); !(share > 0.8) {
			t.Errorf("%s: 90 %% intervals hold %.2f", name, share)
		}
		read := readBack(t, m)
		_, low2, high2, err := read.Intervals(t.Context(), d.Points, 0.9)
		if err != nil || !slices.Equal(low, low2) || !slices.Equal(high, high2) {
			t.Errorf("%s: the file has other intervals: %v", name, err)
		}
		if _, _, _, err := m.Intervals(t.Context(), d.Points, 0.99); err == nil {
			t.Errorf("%s: 40 labels have intervals of 0.99", name)
		}
		r.Calibrate = false
		if m, err = (lapsvm.Trainer{Recipe: r}).Fit(t.Context(), d); err != nil {
			t.Fatal(err)
		}
		if _, _, _, err := m.Intervals(t.Context(), d.Points, 0.9); !errors.Is(err, lapsvm.ErrParameter) {
			t.Errorf("%s: intervals without Calibrate: %v", name, err)
		}
	}
}
