package lapsvm_test

import (
	"bytes"
	"encoding/json"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"lapsvm"
	"lapsvm/dataset"
	"lapsvm/internal/numbers/parallel"
	"lapsvm/points"
)

// directions returns rows of twelve numbers in one unit around the directions of three classes, with a few labels, and all classes.
func directions(n int) (d *dataset.Dataset, truth []int) {
	const columns = 12
	random := rand.New(rand.NewPCG(11, 3))
	d = &dataset.Dataset{Classes: []string{"north", "east", "south"}}
	values := make([]float64, 0, n*columns)
	for i := range n {
		class, length := i%3, math.Exp(random.NormFloat64()/2)
		for j := range columns {
			v := 0.7 * random.NormFloat64()
			if j/4 == class {
				v++
			}
			values = append(values, length*v)
		}
		truth = append(truth, class)
		if d.Y = append(d.Y, dataset.Unlabelled); i < 15 {
			d.Y[i] = class
		}
	}
	d.Points = points.Dense(n, columns, values)
	return d, truth
}

// A mean of views is chosen by what the rows are. Its error is announced of the mean, the file keeps its bits, and its recipe trains it again.
func TestViews(t *testing.T) {
	d, truth := directions(150)
	r, err := lapsvm.Trainer{Recipe: lapsvm.Recipe{Calibrate: true}}.Choose(t.Context(), d)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, v := range r.Beside {
		names = append(names, v.Name)
	}
	if !slices.Equal(names, []string{"unit length", "half-whitened"}) || r.Choice.Expected == nil {
		t.Fatalf("views %q, expected %+v", names, r.Choice.Expected)
	}
	m, err := lapsvm.Trainer{Recipe: r}.Fit(t.Context(), d)
	if err != nil {
		t.Fatal(err)
	}
	if m.Views() != 3 {
		t.Errorf("%d views", m.Views())
	}
	alone, err := lapsvm.Trainer{Recipe: lapsvm.Recipe{MostViews: 1}}.Fit(t.Context(), d)
	if err != nil {
		t.Fatal(err)
	}
	if of, one := wrong(t, m, d.Points, truth), wrong(t, alone, d.Points, truth); alone.Views() != 1 || of >= one {
		t.Errorf("%d wrong by the mean, %d by one machine of %d", of, one, alone.Views())
	}
	var shares []float64 // of three views, each of about a third
	if _, err := m.Scores(parallel.Watch(t.Context(), func(done, total int) { shares = append(shares, float64(done)/float64(total)) }), d.Points); err != nil {
		t.Fatal(err)
	}
	if !slices.IsSorted(shares) || len(shares) < 3 || shares[0] > 0.5 || shares[len(shares)-1] < 0.99 {
		t.Errorf("of the predictions are done %v", shares)
	}
	scores, err := m.Scores(t.Context(), d.Points)
	if err != nil {
		t.Fatal(err)
	}
	same := func(what string, other *lapsvm.Model, err error) {
		t.Helper()
		if err != nil {
			t.Fatalf("%s: %v", what, err)
		}
		got, err := other.Scores(t.Context(), d.Points)
		if err != nil {
			t.Fatalf("%s: %v", what, err)
		}
		for i := range got {
			if !slices.Equal(got[i], scores[i]) {
				t.Fatalf("%s: row %d has %v, want %v", what, i, got[i], scores[i])
			}
		}
		if !reflect.DeepEqual(other.Calibration(), m.Calibration()) {
			t.Errorf("%s: calibration %+v, want %+v", what, other.Calibration(), m.Calibration())
		}
	}
	var file bytes.Buffer
	if err := m.Write(&file); err != nil {
		t.Fatal(err)
	}
	read, err := lapsvm.Read(bytes.NewReader(file.Bytes()))
	same("read", read, err)
	text, err := json.Marshal(m.Recipe())
	if err != nil {
		t.Fatal(err)
	}
	var again lapsvm.Recipe
	if err := json.Unmarshal(text, &again); err != nil {
		t.Fatal(err)
	}
	other, err := lapsvm.Trainer{Recipe: again}.Fit(t.Context(), d)
	same("trained again", other, err)
	if _, _, err := m.Prune(t.Context(), 1e-3); err == nil || !strings.Contains(err.Error(), "3 views") {
		t.Errorf("pruned: %v", err)
	}
	if _, err := m.ExplainShares(t.Context(), d.Points, lapsvm.ShareOptions{}); err == nil || !strings.Contains(err.Error(), "3 views") {
		t.Errorf("shares: %v", err)
	}
	all, err := m.Explain(t.Context(), d.Points.Slice(0, 2))
	if err != nil || len(all) != 2 || len(all[0].Reasons) != 12 || !(math.Abs(all[0].Value-scores[0][all[0].Class]) <= 1e-9) {
		t.Errorf("%v: %+v", err, all)
	}
}

// twins returns the model that is read from the file of a model, and the one that its recipe trains again.
func twins(t *testing.T, m *lapsvm.Model, d *dataset.Dataset) map[string]*lapsvm.Model {
	t.Helper()
	var file bytes.Buffer
	if err := m.Write(&file); err != nil {
		t.Fatal(err)
	}
	read, err := lapsvm.Read(bytes.NewReader(file.Bytes()))
	if err != nil {
		t.Fatal(err)
	}
	again, err := lapsvm.Trainer{Recipe: m.Recipe()}.Fit(t.Context(), d)
	if err != nil {
		t.Fatal(err)
	}
	return map[string]*lapsvm.Model{"read": read, "trained again": again}
}

// The mean of numbers weighs views by how far labels are from them that had no part in their choices: the linear one has much of a plane with noise, and little of a wave. Its
// file keeps the bits of numbers and intervals.
func TestViewsOfNumbers(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	const n, columns = 120, 4
	values := make([]float64, 0, n*columns)
	for range n * columns {
		values = append(values, random.NormFloat64())
	}
	for name, truth := range map[string]func(x []float64) float64{
		"plane": func(x []float64) float64 { return 20 + 3*x[0] - 2*x[1] + x[2] },
		"wave":  func(x []float64) float64 { return 20 + 3*math.Sin(2*x[0]) },
	} {
		d := &dataset.Dataset{Points: points.Dense(n, columns, values)}
		for i := range n {
			y := truth(values[i*columns:]) + 0.5*random.NormFloat64()
			if d.Y = append(d.Y, dataset.Unlabelled); i < 40 {
				d.Y[i] = i
				d.Classes = append(d.Classes, strconv.FormatFloat(y, 'g', -1, 64))
			}
		}
		m, err := lapsvm.Trainer{Recipe: lapsvm.Recipe{Kind: lapsvm.Numbers(), Calibrate: true}}.Fit(t.Context(), d)
		if err != nil {
			t.Fatal(err)
		}
		alone, err := lapsvm.Trainer{Recipe: lapsvm.Recipe{Kind: lapsvm.Numbers(), MostViews: 1}}.Fit(t.Context(), d)
		if err != nil {
			t.Fatal(err)
		}
		weight := map[string]float64{}
		for _, v := range m.Recipe().Beside {
			weight[v.Name] = v.Weight
		}
		if alone.Views() != 1 || (weight["linear"] > 0.3) != (name == "plane") {
			t.Errorf("%s: weights %v beside the machine, and %d views of one", name, weight, alone.Views())
		}
		off := func(m *lapsvm.Model) (square float64) {
			all, err := m.Values(t.Context(), d.Points)
			if err != nil {
				t.Fatal(err)
			}
			for i := 40; i < n; i++ {
				e := all[i] - truth(values[i*columns:])
				square += e * e / (n - 40)
			}
			return math.Sqrt(square)
		}
		if mean, one := off(m), off(alone); !(mean < 1.1*one) {
			t.Errorf("%s: the mean is off by %v, one machine by %v", name, mean, one)
		}
		if of := m.Recipe().Choice.Numbers; of == nil || of.RMSE == alone.Recipe().Choice.Numbers.RMSE {
			t.Errorf("%s: expected %+v", name, of)
		}
		supervised := m.Recipe().Supervised && !slices.ContainsFunc(m.Recipe().Beside, func(v lapsvm.View) bool { return !v.Recipe.Supervised })
		if of := m.Recipe().Choice.Numbers; of != nil && (of.SupervisedRMSE == of.RMSE) != supervised { // a mean without graphs is supervised itself
			t.Errorf("%s: expected %+v of a mean that is supervised: %v", name, of, supervised)
		}
		value, low, high, err := m.Intervals(t.Context(), d.Points, 0.9)
		if err != nil {
			t.Fatal(err)
		}
		for what, other := range twins(t, m, d) {
			v, l, h, err := other.Intervals(t.Context(), d.Points, 0.9)
			if err != nil || !slices.Equal(v, value) || !slices.Equal(l, low) || !slices.Equal(h, high) {
				t.Errorf("%s, %s: other numbers or intervals, %v", name, what, err)
			}
		}
		all, err := m.Explain(t.Context(), d.Points.Slice(0, 2))
		if err != nil || !(math.Abs(all[1].Value-value[1]) <= 1e-9) {
			t.Errorf("%s: %v, %+v", name, err, all)
		}
		if _, _, err := m.Prune(t.Context(), 1e-3); err == nil || !strings.Contains(err.Error(), "views") {
			t.Errorf("%s pruned: %v", name, err)
		}
	}
}

// Several classes of a row are a mean of views too. The file keeps the bits of values, probabilities and sets, and its recipe trains them again.
func TestViewsOfSeveral(t *testing.T) {
	d, truth := directions(150)
	d.Classes = []string{"north;cold", "east", ";"}
	m, err := lapsvm.Trainer{Recipe: lapsvm.Recipe{Kind: lapsvm.Several(";"), Calibrate: true}}.Fit(t.Context(), d)
	if err != nil {
		t.Fatal(err)
	}
	if m.Views() != 3 || m.Recipe().Choice.Expected == nil || !slices.Equal(m.Classes(), []string{"cold", "east", "north"}) {
		t.Fatalf("%d views of %q, expected %+v", m.Views(), m.Classes(), m.Recipe().Choice.Expected)
	}
	scores, err := m.Scores(t.Context(), d.Points)
	if err != nil {
		t.Fatal(err)
	}
	off := 0
	for i, has := range m.Predictor().Has(scores) {
		if !slices.Equal(has, [][]int{{0, 2}, {1}, {}}[truth[i]]) {
			off++
		}
	}
	if off > 30 {
		t.Errorf("%d of 150 rows have other classes", off)
	}
	for what, other := range twins(t, m, d) {
		got, err := other.Scores(t.Context(), d.Points)
		if err != nil || !reflect.DeepEqual(got, scores) || !reflect.DeepEqual(other.Predictor().Each(), m.Predictor().Each()) {
			t.Errorf("%s: other values or probabilities, %v", what, err)
		}
	}
	may, sure, err := m.SetsSeveral(t.Context(), d.Points, 0.8)
	if err != nil || len(may) != 150 || len(sure[0]) > len(may[0]) {
		t.Errorf("sets: %v", err)
	}
	all, err := m.Explain(t.Context(), d.Points.Slice(0, 2))
	if err != nil || len(all) == 0 || !(math.Abs(all[0].Value-scores[all[0].Point][all[0].Class]) <= 1e-9) {
		t.Errorf("%v: %+v", err, all)
	}
	if _, _, err := m.Prune(t.Context(), 1e-3); err == nil || !strings.Contains(err.Error(), "3 views") {
		t.Errorf("pruned: %v", err)
	}
}

// Rows in a plane, and what is asked for by hand, have one view.
func TestOneView(t *testing.T) {
	d, _ := directions(60)
	flat, _ := moons(60, 3, 4)
	for name, c := range map[string]struct {
		d *dataset.Dataset
		r lapsvm.Recipe
	}{
		"a plane":    {flat, lapsvm.Recipe{}},
		"a scaling":  {d, lapsvm.Recipe{Standardise: points.ZScore}},
		"a prior":    {d, lapsvm.Recipe{Prior: lapsvm.BalancedPrior}},
		"by thumb":   {d, lapsvm.Recipe{RulesOfThumb: true}},
		"supervised": {d, lapsvm.Recipe{Supervised: true}},
		"shares":     {d, lapsvm.Recipe{LabelShares: true}},
	} {
		r, err := lapsvm.Trainer{Recipe: c.r}.Choose(t.Context(), c.d)
		if err != nil || r.Views() != 1 {
			t.Errorf("%s: %d views, %v", name, r.Views(), err)
		}
	}
	if r, err := (lapsvm.Trainer{Recipe: lapsvm.Recipe{MostViews: 2}}).Choose(t.Context(), d); err != nil || r.Views() != 2 {
		t.Errorf("%d views of two, %v", r.Views(), err)
	}
}

// A view that has no result, such as a linear machine in columns a billion from zero, is left out, and the model stands.
func TestViewsWithoutResult(t *testing.T) {
	const n, columns = 120, 5
	random := rand.New(rand.NewPCG(5, 2))
	values, numbers := make([]float64, 0, n*columns), make([]float64, n)
	for i := range numbers {
		for j := range columns {
			v := random.NormFloat64()
			values = append(values, 1e9+v)
			numbers[i] += float64(j) * v
		}
	}
	d := &dataset.Dataset{Points: points.Dense(n, columns, values)}
	for i, y := range numbers {
		if d.Y = append(d.Y, dataset.Unlabelled); i < 40 {
			d.Y[i] = i
			d.Classes = append(d.Classes, strconv.FormatFloat(y, 'g', -1, 64))
		}
	}
	m, err := lapsvm.Trainer{Recipe: lapsvm.Recipe{Kind: lapsvm.Numbers()}}.Fit(t.Context(), d)
	if err != nil {
		t.Fatal(err)
	}
	all, err := m.Values(t.Context(), d.Points)
	if err != nil {
		t.Fatal(err)
	}
	square := 0.0
	for i := 40; i < n; i++ {
		square += (all[i] - numbers[i]) * (all[i] - numbers[i]) / (n - 40)
	}
	if off := math.Sqrt(square); !(off < 1.5) {
		t.Errorf("numbers of deviation 5.5 are off by %v", off)
	}
}
