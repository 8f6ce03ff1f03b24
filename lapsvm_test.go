package lapsvm_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"lapsvm"
	"lapsvm/dataset"
	"lapsvm/dataset/files"
	"lapsvm/internal/machines/selection"
	"lapsvm/internal/machines/solve"
	"lapsvm/internal/machines/task"
	"lapsvm/internal/numbers/objective"
	"lapsvm/internal/points/gram"
	"lapsvm/kernel"
	"lapsvm/label"
	"lapsvm/points"
)

// moons is two moons with perClass labels each, and the truth.
func moons(n, perClass int, seed uint64) (d *dataset.Dataset, truth []int) {
	d = dataset.TwoMoons(n, 0.07, seed)
	truth = slices.Clone(d.Y)
	for i := 2 * perClass; i < n; i++ {
		d.Y[i] = dataset.Unlabelled
	}
	return d, truth
}

// readBack returns a model as its file has it.
func readBack(t *testing.T, m *lapsvm.Model) *lapsvm.Model {
	t.Helper()
	var file bytes.Buffer
	if err := m.Write(&file); err != nil {
		t.Fatal(err)
	}
	read, err := lapsvm.Read(&file)
	if err != nil {
		t.Fatal(err)
	}
	return read
}

// clusters is a data set of well separated clusters in space, one per class,
// on the three axes in turn.
func clusters(classes, size, perClass int) (d *dataset.Dataset, truth []int) {
	d = &dataset.Dataset{}
	var values []float64
	for c := range classes {
		d.Classes = append(d.Classes, string(rune('a'+c)))
		for i := range size {
			x := []float64{math.Sin(float64(i)), math.Cos(float64(3*i + c)), float64(i%5) / 5}
			x[c%3] += 10 * float64(1+c/3)
			values = append(values, x...)
			truth = append(truth, c)
			y := c
			if i >= perClass {
				y = dataset.Unlabelled
			}
			d.Y = append(d.Y, y)
		}
	}
	d.Points = points.Dense(classes*size, 3, values)
	return d, truth
}

// wrong counts the predictions that differ from the truth.
func wrong(t *testing.T, m *lapsvm.Model, p *points.Points, truth []int) int {
	t.Helper()
	predicted, err := m.Predict(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	count := 0
	for i, y := range truth {
		if predicted[i] != y {
			count++
		}
	}
	return count
}

// smoothLosses lists the losses of solvers that follow gradients, for classes.
func smoothLosses() []lapsvm.Loss {
	return slices.DeleteFunc(lapsvm.Losses(), func(l lapsvm.Loss) bool { return !l.Smooth() || l == lapsvm.Huber || l == lapsvm.SquaredInsensitive })
}

func TestFitTwoMoons(t *testing.T) {
	d, truth := moons(300, 2, 3)
	unseen := dataset.TwoMoons(200, 0.07, 4)
	for _, bias := range []objective.Bias{objective.BiasInNorm, objective.BiasOutside, objective.NoBias} {
		for _, solver := range []lapsvm.Solver{lapsvm.PCG, lapsvm.Newton} {
			for _, loss := range smoothLosses() {
				trainer := lapsvm.Trainer{Recipe: lapsvm.Recipe{Kernel: kernel.Gaussian{Sigma: 0.35}, GammaI: 1, Bias: bias, Solver: solver, Loss: loss, RulesOfThumb: true}}
				trainer.Recipe.Graph.Degree = 1
				m, err := trainer.Fit(t.Context(), d)
				if err != nil {
					t.Fatal(err)
				}
				if n := wrong(t, m, d.Points, truth); n > 9 {
					t.Errorf("bias %v, %s, %s: %d of 300 wrong", bias, solver, loss, n)
				}
				if n := wrong(t, m, unseen.Points, unseen.Y); n > 8 {
					t.Errorf("bias %v, %s, %s: %d of 200 unseen points wrong", bias, solver, loss, n)
				}
				// The outputs of the training are those of the expansion, up to the
				// precision of the stored matrix.
				scores, err := m.Scores(t.Context(), d.Points)
				if err != nil {
					t.Fatal(err)
				}
				for i, row := range m.Training().Scores {
					f := row[1]
					if !(math.Abs(scores[i][1]-f) <= 1e-3) || scores[i][0] != -scores[i][1] {
						t.Fatalf("bias %v, %s, %s: row %d has the scores %v, in training %v", bias, solver, loss, i, scores[i], f)
					}
				}
			}
		}
	}
}

func TestFitManyClasses(t *testing.T) {
	d, truth := clusters(5, 30, 2)
	var steps int
	trainer := lapsvm.Trainer{Recipe: lapsvm.Recipe{GammaI: 0.1, Standardise: points.ZScore, RulesOfThumb: true}}
	trainer.Step = func(s *solve.Step) { steps = s.Iteration }
	m, err := trainer.Fit(t.Context(), d)
	if err != nil {
		t.Fatal(err)
	}
	if n := wrong(t, m, d.Points, truth); n != 0 {
		t.Errorf("%d of 150 wrong", n)
	}
	r := m.Training()
	if m.Machines() != 5 || r.N != 150 || r.D != 3 || r.Labelled != 10 || r.Unlabelled != 140 || r.TrainingError != 0 || steps != int(r.Iterations) {
		t.Errorf("%d machines, %+v after %d steps", m.Machines(), r, steps)
	}
	if c := m.Recipe(); c.Stop != "auto" || c.CheckEvery != 16 || c.MaxIterations != 1000 || c.Tolerance != 0.015 {
		t.Errorf("resolved configuration %+v", c)
	}
	if len(r.Graph.Components) != 5 || r.Graph.WithoutLabel != 0 {
		t.Errorf("graph: %d components, %d points without a label", len(r.Graph.Components), r.Graph.WithoutLabel)
	}
	// A class without a labelled point is left out; the others keep their names.
	for i, y := range d.Y {
		if y == 1 {
			d.Y[i] = dataset.Unlabelled
		}
	}
	var log bytes.Buffer
	m, err = lapsvm.Trainer{Recipe: lapsvm.Recipe{GammaI: 0.1, RulesOfThumb: true}, Run: lapsvm.Run{Observer: lapsvm.Observer{Log: slog.New(slog.NewTextHandler(&log, nil))}}}.Fit(t.Context(), d)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(m.Classes(), []string{"a", "c", "d", "e"}) {
		t.Errorf("classes %v", m.Classes())
	}
	if n := wrong(t, m, d.Points.Subset([]int{60, 119, 149}), []int{1, 2, 3}); n != 0 {
		t.Errorf("%d wrong after a class was left out", n)
	}
	if !strings.Contains(log.String(), "class=b") || !strings.Contains(log.String(), "no labelled point") {
		t.Errorf("log: %s", log.String())
	}
}

// A supervised machine is the same whether or not unlabelled points are there,
// and uses none of them.
func TestFitSupervised(t *testing.T) {
	d, _ := moons(100, 6, 5)
	labelled := d.Subset(d.Labelled())
	trainer := lapsvm.Trainer{Recipe: lapsvm.Recipe{Kernel: kernel.Gaussian{Sigma: 0.5}, Precision: gram.Double, Supervised: true, RulesOfThumb: true}}
	with, err := trainer.Fit(t.Context(), d)
	if err != nil {
		t.Fatal(err)
	}
	without, err := trainer.Fit(t.Context(), labelled)
	if err != nil {
		t.Fatal(err)
	}
	a, _ := with.Scores(t.Context(), d.Points)
	b, _ := without.Scores(t.Context(), d.Points)
	for i := range a {
		if a[i][1] != b[i][1] {
			t.Fatalf("row %d: %v with unlabelled points, %v without", i, a[i][1], b[i][1])
		}
	}
	if with.Basis() > 12 || with.Recipe().Solver != lapsvm.Newton {
		t.Errorf("%d basis points, solver %s", with.Basis(), with.Recipe().Solver)
	}
	trainer.Recipe.Solver, trainer.Recipe.Stop = lapsvm.PCG, solve.None
	byPCG, err := trainer.Fit(t.Context(), d)
	if err != nil {
		t.Fatal(err)
	}
	if x, y := byPCG.Training().Objective, with.Training().Objective; !(math.Abs(x-y) <= 1e-9*y) {
		t.Errorf("objective %v by PCG, %v by Newton", x, y)
	}
}

func TestFitOneClass(t *testing.T) {
	d, _ := clusters(1, 40, 10)
	for _, gammaI := range []float64{0, 0.1} {
		m, err := lapsvm.Trainer{Recipe: lapsvm.Recipe{Kind: task.OneClass(), Kernel: kernel.Gaussian{Sigma: 2}, GammaA: 0.1, GammaI: gammaI, Supervised: gammaI == 0, RulesOfThumb: true}}.Fit(t.Context(), d)
		if err != nil {
			t.Fatal(err)
		}
		inside, _ := m.Predict(t.Context(), d.Points)
		outside, _ := m.Predict(t.Context(), points.Dense(1, 3, []float64{100, 100, 100}))
		if slices.Contains(inside, dataset.Unlabelled) || outside[0] != dataset.Unlabelled {
			t.Errorf("gamma-i %v: inside %v, outside %v", gammaI, inside, outside)
		}
		scores, _ := m.Scores(t.Context(), d.Points)
		if len(scores[0]) != 1 || !(scores[0][0] > 0) {
			t.Errorf("scores %v", scores[0])
		}
	}
}

// A row with weight 2 counts like the row twice.
func TestFitWeights(t *testing.T) {
	d, _ := moons(30, 5, 6)
	labelled := d.Subset(d.Labelled())
	weights := make([]float64, 10)
	for i := range weights {
		weights[i] = 1
	}
	weights[3] = 2
	twice := labelled.Subset([]int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 3})
	trainer := lapsvm.Trainer{Recipe: lapsvm.Recipe{Kernel: kernel.Gaussian{Sigma: 0.5}, GammaA: 0.1, Precision: gram.Double, Supervised: true}}
	b, err := trainer.Fit(t.Context(), twice)
	if err != nil {
		t.Fatal(err)
	}
	labelled.Weights = weights
	a, err := trainer.Fit(t.Context(), labelled)
	if err != nil {
		t.Fatal(err)
	}
	x, _ := a.Scores(t.Context(), d.Points)
	y, _ := b.Scores(t.Context(), d.Points)
	for i := range x {
		if !(math.Abs(x[i][1]-y[i][1]) <= 1e-10) {
			t.Fatalf("row %d: %v with weight 2, %v twice", i, x[i][1], y[i][1])
		}
	}
}

// Dense and sparse points give the same model; the linear kernel collapses.
func TestFitSparseAndLinear(t *testing.T) {
	d, truth := clusters(3, 20, 3)
	start, index, value := []int{0}, []int32{}, []float64{}
	for i := range d.Points.Len() {
		for j, v := range d.Points.DenseRow(i) {
			if v != 0 {
				index, value = append(index, int32(j)), append(value, v)
			}
		}
		start = append(start, len(index))
	}
	sparse := *d
	sparse.Points = points.CSR(3, start, index, value)
	for _, k := range []kernel.Kernel{kernel.Linear{}, kernel.Polynomial{Degree: 2, Coef0: 1}, kernel.Gaussian{Sigma: 3}} {
		trainer := lapsvm.Trainer{Recipe: lapsvm.Recipe{Kernel: k, GammaI: 0.01, Precision: gram.Double, Solver: lapsvm.Newton, Standardise: points.UnitNorm, RulesOfThumb: true}}
		a, err := trainer.Fit(t.Context(), d)
		if err != nil {
			t.Fatal(err)
		}
		b, err := trainer.Fit(t.Context(), &sparse)
		if err != nil {
			t.Fatal(err)
		}
		x, _ := a.Scores(t.Context(), d.Points)
		y, err := b.Scores(t.Context(), sparse.Points)
		if err != nil {
			t.Fatal(err)
		}
		for i := range x {
			for c := range x[i] {
				if !(math.Abs(x[i][c]-y[i][c]) <= 1e-6) {
					t.Fatalf("%v, row %d: dense %v, sparse %v", k, i, x[i], y[i])
				}
			}
		}
		if k == (kernel.Linear{}) {
			if a.Basis() != 3 {
				t.Errorf("the linear model has %d basis points, want one per machine", a.Basis())
			}
			for i, row := range a.Training().Scores {
				f := row[0]
				if !(math.Abs(x[i][0]-f) <= 1e-8) {
					t.Fatalf("linear, row %d: %v by its weights, %v in training", i, x[i][0], f)
				}
			}
		}
		if n := wrong(t, a, d.Points, truth); n > 3 {
			t.Errorf("%v: %d of 60 wrong", k, n)
		}
	}
	// Fewer columns than the model has are filled up with zeros.
	m, err := lapsvm.Trainer{Recipe: lapsvm.Recipe{Kernel: kernel.Gaussian{Sigma: 3}, GammaI: 0.01, RulesOfThumb: true}}.Fit(t.Context(), &sparse)
	if err != nil {
		t.Fatal(err)
	}
	narrow := points.CSR(1, []int{0, 1}, []int32{0}, []float64{10})
	full := points.Dense(1, 3, []float64{10, 0, 0})
	p, err := m.Scores(t.Context(), narrow)
	if err != nil {
		t.Fatal(err)
	}
	q, _ := m.Scores(t.Context(), full)
	if !(math.Abs(p[0][0]-q[0][0]) <= 1e-12) {
		t.Errorf("narrow %v, full %v", p, q)
	}
}

// Threads change nothing, not a bit, and neither do they in what is chosen.
func TestFitDoesNotDependOnThreads(t *testing.T) {
	large, _ := moons(500, 3, 8)
	small, _ := moons(60, 3, 8)
	for name, c := range map[string]struct {
		recipe lapsvm.Recipe
		d      *dataset.Dataset
	}{
		"pcg":    {lapsvm.Recipe{GammaI: 1, RulesOfThumb: true}, large},
		"chosen": {lapsvm.Recipe{Calibrate: true}, small},
	} {
		var want [][]float64
		for _, threads := range []int{1, 2, 5} {
			ctx := lapsvm.WithThreads(t.Context(), threads)
			m, err := lapsvm.Trainer{Recipe: c.recipe}.Fit(ctx, c.d)
			if err != nil {
				t.Fatal(err)
			}
			got, _ := m.Scores(ctx, c.d.Points)
			if want == nil {
				want = got
			}
			for i := range got {
				if got[i][1] != want[i][1] {
					t.Fatalf("%s, %d threads, row %d: %v, with one thread %v", name, threads, i, got[i][1], want[i][1])
				}
			}
		}
	}
}

func TestSaveAndLoad(t *testing.T) {
	d, _ := clusters(4, 15, 2)
	d.Features, d.Label = []string{"x", "y", "z"}, "kind"
	m, err := lapsvm.Trainer{Recipe: lapsvm.Recipe{GammaI: 0.1, Standardise: points.MinMax, RulesOfThumb: true}}.Fit(t.Context(), d)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "model")
	if err := m.Save(path); err != nil {
		t.Fatal(err)
	}
	again, err := lapsvm.Load(path)
	if err != nil {
		t.Fatal(err)
	}
	third := readBack(t, m)
	x, _ := m.Scores(t.Context(), d.Points)
	for _, other := range []*lapsvm.Model{again, third} {
		y, err := other.Scores(t.Context(), d.Points)
		if err != nil {
			t.Fatal(err)
		}
		for i := range x {
			if !slices.Equal(x[i], y[i]) {
				t.Fatalf("row %d: %v, after reading %v", i, x[i], y[i])
			}
		}
		if !slices.Equal(other.Features(), d.Features) || other.Label() != "kind" || !reflect.DeepEqual(other.Recipe(), m.Recipe()) ||
			!slices.Equal(other.Classes(), m.Classes()) || other.Training().Objective != m.Training().Objective {
			t.Error("names, configuration or summary changed")
		}
	}
}

// A model of a table with columns of every kind scores a new table the same
// from memory and from its file, and with or without text beside them.
func TestEncodedTable(t *testing.T) {
	var b strings.Builder
	b.WriteString("size,kind,fresh,bought,note,name,label\n")
	for i := range 60 {
		side := i % 2
		size, label := fmt.Sprint(float64(i)/10+10*float64(side)), ""
		if i%7 == 0 {
			size = ""
		}
		if i < 10 {
			label = []string{"low", "high"}[side]
		}
		fmt.Fprintf(&b, "%s,%s,%s,2024-%02d-01,%s,n%d,%s\n", size, [][]string{{"a", "b"}, {"b", "c", ""}}[side][i%5%(2+side)], []string{"yes", "no", ""}[i%3], 1+i%12,
			[][]string{{"low and small", "a small thing"}, {"very high thing", "tall and high"}}[side][i/2%2], i, label)
	}
	for _, o := range []files.Options{{ID: []string{"name"}}, {ID: []string{"name"}, Text: []string{"note"}}} {
		d, err := files.Read(strings.NewReader(b.String()), "a.csv", o)
		if err != nil {
			t.Fatal(err)
		}
		trainer := lapsvm.Trainer{Recipe: lapsvm.Recipe{GammaA: 1e-3, GammaI: 0.1, Standardise: points.ZScore, RulesOfThumb: true}}
		if d.Points.Sparse() {
			trainer.Recipe.Standardise = points.AsIs
		}
		m, err := trainer.Fit(t.Context(), d)
		if err != nil {
			t.Fatal(err)
		}
		again := readBack(t, m)
		if !reflect.DeepEqual(again.Encoding(), d.Encoding) || m.Encoding() != d.Encoding {
			t.Fatalf("encoding %+v, after reading %+v", d.Encoding, again.Encoding())
		}
		later := "note,bought,kind,size,fresh\nhigh again,2024-05-05T08:00,c,18,yes\n,,z,,\nsmall,2024-03-01,a,1,no\n"
		var want [][]float64
		for _, model := range []*lapsvm.Model{m, again} {
			p, err := files.Read(strings.NewReader(later), "b.csv", files.Options{Encoding: model.Encoding()})
			if err != nil {
				t.Fatal(err)
			}
			got, err := model.Scores(t.Context(), p.Points)
			if err != nil {
				t.Fatal(err)
			}
			if want == nil {
				want = got
			}
			if !reflect.DeepEqual(got, want) {
				t.Errorf("scores %v from memory, %v from the file", want, got)
			}
		}
		high := slices.Index(m.Classes(), "high")
		if !(want[0][high] > 0 && want[2][high] < 0) {
			t.Errorf("scores %v of a high and a low thing", want)
		}
	}
}

// custom is a kernel that no file format knows.
type custom struct{ kernel.Linear }

func (custom) String() string { return "custom" }

// second returns the error of two results.
func second[T any](_ T, err error) error { return err }

func TestFitErrors(t *testing.T) {
	d, _ := moons(40, 2, 9)
	bad := func(change func(d *dataset.Dataset)) *dataset.Dataset {
		c := *d
		c.Y = slices.Clone(d.Y)
		change(&c)
		return &c
	}
	hide := func(class int) *dataset.Dataset {
		return bad(func(d *dataset.Dataset) {
			for i, y := range d.Y {
				if y == class {
					d.Y[i] = dataset.Unlabelled
				}
			}
		})
	}
	constant := bad(func(d *dataset.Dataset) { d.Points = points.Dense(40, 2, make([]float64, 80)) })
	for _, c := range []struct {
		name    string
		trainer lapsvm.Trainer
		d       *dataset.Dataset
		kind    error
		want    string
	}{
		{"none", lapsvm.Trainer{}, nil, lapsvm.ErrData, "no data set with points: set Points"},
		{"empty", lapsvm.Trainer{}, &dataset.Dataset{}, lapsvm.ErrData, "no data set with points: set Points"},
		{"labels missing", lapsvm.Trainer{}, bad(func(d *dataset.Dataset) { d.Y = nil }), lapsvm.ErrData, "0 labels for 40 points: give Y one"},
		{"fewer labels", lapsvm.Trainer{}, bad(func(d *dataset.Dataset) { d.Y = d.Y[:39] }), lapsvm.ErrData, "39 labels for 40 points: give Y one"},
		{"more labels", lapsvm.Trainer{}, bad(func(d *dataset.Dataset) { d.Y = append(d.Y, 0) }), lapsvm.ErrData, "41 labels for 40 points: give Y one"},
		{"class too high", lapsvm.Trainer{}, bad(func(d *dataset.Dataset) { d.Y[4] = 2 }), lapsvm.ErrData, "row 5 has the class index 2 of 2 classes: give Y an index"},
		{"class too low", lapsvm.Trainer{}, bad(func(d *dataset.Dataset) { d.Y[4] = -5 }), lapsvm.ErrData, "row 5 has the class index -5 of 2 classes: give Y an index"},
		{"no classes", lapsvm.Trainer{}, bad(func(d *dataset.Dataset) { d.Classes = nil }), lapsvm.ErrData, "of 0 classes: give Y an index"},
		{"names of other columns", lapsvm.Trainer{}, bad(func(d *dataset.Dataset) { d.Features = []string{"a"} }), lapsvm.ErrColumns, "1 names of columns for 2 columns: give Features"},
		{"numbers of fewer rows", lapsvm.Trainer{}, bad(func(d *dataset.Dataset) { d.Column = []int{1, 2} }), lapsvm.ErrData, "2 numbers of rows for 40 points: give Column"},
		{"text of fewer rows", lapsvm.Trainer{}, bad(func(d *dataset.Dataset) { d.Kept = dataset.Kept{Names: []string{"id"}, Rows: [][]string{{"a"}}} }), lapsvm.ErrData, "kept of 1 rows for 40 points: give Kept.Rows"},
		{"edges without an end", lapsvm.Trainer{}, bad(func(d *dataset.Dataset) {
			d.Edges = dataset.Edges{From: []int32{0, 1}, To: []int32{5}, Weight: []float64{1}}
		}), lapsvm.ErrData, "from 2 rows to 1 with 1 weights: give From"},
		{"classes of one name", lapsvm.Trainer{}, bad(func(d *dataset.Dataset) { d.Classes = []string{"a", "a"} }), lapsvm.ErrData, `classes 1 and 2 are both called "a": give every class`},
		{"pictures of another size", lapsvm.Trainer{}, bad(func(d *dataset.Dataset) { d.Image = dataset.Image{Width: 3, Height: 1} }), lapsvm.ErrColumns, "2 columns are no pictures 3 dots wide and 1 high with 1 value a dot: let"},
		{"pictures of no size", lapsvm.Trainer{}, bad(func(d *dataset.Dataset) { d.Image = dataset.Image{Width: -1, Height: -2} }), lapsvm.ErrColumns, "2 columns are no pictures -1 dots wide"},
		{"an empty encoding", lapsvm.Trainer{}, bad(func(d *dataset.Dataset) { d.Encoding = new(dataset.Encoding) }), lapsvm.ErrColumns, "the encoding has 0 features, and the points 2: give the Encoding"},
		{"no rows", lapsvm.Trainer{}, bad(func(d *dataset.Dataset) { d.Points, d.Y = points.Dense(0, 2, nil), nil }), lapsvm.ErrData, "no points to train on: give rows"},
		{"validation without labels", lapsvm.Trainer{Run: lapsvm.Run{Validation: &dataset.Dataset{Points: d.Points}}}, d, lapsvm.ErrData, "the validation points: 0 labels for 40 points"},
		{"no points", lapsvm.Trainer{Recipe: lapsvm.Recipe{Supervised: true, RulesOfThumb: true}}, &dataset.Dataset{Points: points.Dense(0, 2, nil)}, lapsvm.ErrData, "no points"},
		{"no features", lapsvm.Trainer{Recipe: lapsvm.Recipe{Supervised: true, RulesOfThumb: true}}, &dataset.Dataset{Points: points.Dense(1, 0, nil), Y: []int{0}, Classes: []string{"a"}}, lapsvm.ErrData, "no features"},
		{"no labels", lapsvm.Trainer{Recipe: lapsvm.Recipe{Supervised: true, RulesOfThumb: true}}, bad(func(d *dataset.Dataset) {
			for i := range d.Y {
				d.Y[i] = dataset.Unlabelled
			}
		}), lapsvm.ErrData, "no point is labelled"},
		{"one class", lapsvm.Trainer{Recipe: lapsvm.Recipe{Supervised: true, RulesOfThumb: true}}, hide(0), lapsvm.ErrData, "label a point of another class"},
		{"two classes for one", lapsvm.Trainer{Recipe: lapsvm.Recipe{Kind: task.OneClass(), Supervised: true, RulesOfThumb: true}}, d, lapsvm.ErrData, "labels of one class"},
		{"not finite", lapsvm.Trainer{Recipe: lapsvm.Recipe{Supervised: true, RulesOfThumb: true}}, bad(func(d *dataset.Dataset) {
			d.Points = points.Dense(40, 2, append(make([]float64, 79), math.NaN()))
		}), lapsvm.ErrData, "row 40, feature 2"},
		{"weights", lapsvm.Trainer{Recipe: lapsvm.Recipe{Supervised: true, RulesOfThumb: true}}, bad(func(d *dataset.Dataset) { d.Weights = []float64{1} }), lapsvm.ErrData, "1 weights for 40 points"},
		{"negative weight", lapsvm.Trainer{Recipe: lapsvm.Recipe{Kernel: kernel.Linear{}, Supervised: true, RulesOfThumb: true}}, bad(func(d *dataset.Dataset) { d.Weights = make([]float64, 40) }), lapsvm.ErrParameter, "weights must be positive"},
		{"constant points", lapsvm.Trainer{Recipe: lapsvm.Recipe{GammaI: 1, RulesOfThumb: true}}, constant, lapsvm.ErrData, "no kernel width can be chosen"},
		{"gamma-a", lapsvm.Trainer{Recipe: lapsvm.Recipe{GammaA: -1, Kernel: kernel.Linear{}, Supervised: true}}, d, lapsvm.ErrParameter, "gamma-a"},
		{"kernel", lapsvm.Trainer{Recipe: lapsvm.Recipe{Kernel: kernel.Polynomial{}, Supervised: true, RulesOfThumb: true}}, d, lapsvm.ErrParameter, "degree"},
		{"solver", lapsvm.Trainer{Recipe: lapsvm.Recipe{Solver: "magic", Supervised: true, RulesOfThumb: true}}, d, lapsvm.ErrParameter, "unknown solver"},
		{"stop without validation", lapsvm.Trainer{Recipe: lapsvm.Recipe{GammaI: 1, Stop: solve.Mixed, RulesOfThumb: true}}, d, lapsvm.ErrParameter, "validation points"},
		{"validation of another width", lapsvm.Trainer{Recipe: lapsvm.Recipe{GammaI: 1, RulesOfThumb: true}, Run: lapsvm.Run{Validation: &dataset.Dataset{Points: points.Dense(1, 1, []float64{1}), Y: []int{0}, Classes: []string{"0"}}}}, d, lapsvm.ErrData, "1 features"},
		{"memory", lapsvm.Trainer{Recipe: lapsvm.Recipe{GammaI: 1, RulesOfThumb: true}, Run: lapsvm.Run{Memory: 1000}}, d, lapsvm.ErrParameter, "allow more memory"},
	} {
		_, err := c.trainer.Fit(t.Context(), c.d)
		if err == nil || !errors.Is(err, c.kind) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want %v with %q", c.name, err, c.kind, c.want)
		}
		// So it is where machines are compared first.
		for _, supervised := range []bool{c.trainer.Recipe.Supervised, false} {
			c.trainer.Recipe.RulesOfThumb, c.trainer.Recipe.Supervised = false, supervised
			_, err := c.trainer.Fit(t.Context(), c.d)
			if err == nil || !errors.Is(err, c.kind) || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%s, chosen, supervised %v: error %v, want %q", c.name, supervised, err, c.want)
			}
		}
	}
	broken := bad(func(d *dataset.Dataset) { d.Y = d.Y[:39] })
	for door, err := range map[string]error{
		"Choose":  second(lapsvm.Trainer{}.Choose(t.Context(), broken)),
		"Plan":    second(lapsvm.Trainer{}.Plan(t.Context(), broken)),
		"Tune":    second(lapsvm.Trainer{}.Tune(t.Context(), broken, lapsvm.Grid{})),
		"label":   second(label.Open(t.Context(), broken, lapsvm.Recipe{}, label.Options{})),
		"measure": second(selection.Evaluation{}.Run(t.Context(), broken, nil)),
	} {
		if !errors.Is(err, lapsvm.ErrData) || !strings.Contains(err.Error(), "39 labels for 40 points") {
			t.Errorf("%s of fewer labels than points: %v", door, err)
		}
	}
	for method, err := range map[string]error{
		"Predict":       second(new(lapsvm.Model).Predict(t.Context(), d.Points)),
		"Scores":        second(new(lapsvm.Model).Scores(t.Context(), d.Points)),
		"Probabilities": second(new(lapsvm.Model).Probabilities(t.Context(), d.Points)),
		"Sets":          second(new(lapsvm.Model).Sets(t.Context(), d.Points, 0.9)),
	} {
		if err == nil || !strings.Contains(err.Error(), "the model is empty: take one") {
			t.Errorf("%s of a zero model: %v", method, err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := (lapsvm.Trainer{Recipe: lapsvm.Recipe{GammaI: 1, RulesOfThumb: true}}).Fit(ctx, d); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	m, err := lapsvm.Trainer{Recipe: lapsvm.Recipe{Kernel: custom{}, Supervised: true, RulesOfThumb: true}}.Fit(t.Context(), d)
	if err != nil {
		t.Fatal(err)
	}
	if err := m.Save(filepath.Join(t.TempDir(), "m")); err == nil || !strings.Contains(err.Error(), "custom") {
		t.Errorf("a kernel that cannot be written: %v", err)
	}
	if _, err := m.Scores(t.Context(), points.Dense(1, 3, []float64{1, 2, 3})); !errors.Is(err, lapsvm.ErrData) {
		t.Errorf("points of another width: %v", err)
	}
	if _, err := m.Predict(t.Context(), nil); !errors.Is(err, lapsvm.ErrData) || !strings.Contains(err.Error(), "there are no points: make them") {
		t.Errorf("no points: %v", err)
	}
	if _, err := m.Predict(t.Context(), points.Dense(1, 2, []float64{1, math.Inf(1)})); !errors.Is(err, lapsvm.ErrData) {
		t.Errorf("infinite points: %v", err)
	}
}

// With too little memory for the matrix every product computes it anew: the
// model is the same, and the choice is told.
func TestFitInLittleMemory(t *testing.T) {
	d, truth := moons(700, 4, 10)
	trainer := lapsvm.Trainer{Recipe: lapsvm.Recipe{Kernel: kernel.Gaussian{Sigma: 0.35}, GammaI: 1, Precision: gram.Double, RulesOfThumb: true}}
	stored, err := trainer.Fit(t.Context(), d)
	if err != nil {
		t.Fatal(err)
	}
	var log bytes.Buffer
	trainer.Memory, trainer.Log = 1<<20, slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelWarn}))
	streamed, err := trainer.Fit(t.Context(), d)
	if err != nil {
		t.Fatal(err)
	}
	if stored.Recipe().Gram != "half" || streamed.Recipe().Gram != "streamed" || !strings.Contains(log.String(), "anew") {
		t.Errorf("%s and %s, log %s", stored.Recipe().Gram, streamed.Recipe().Gram, log.String())
	}
	if !sameBits(t, stored, streamed, d.Points) {
		t.Error("a matrix that is computed anew gives another model")
	}
	if a, b := stored.Training(), streamed.Training(); a.Iterations != b.Iterations || a.Objective != b.Objective {
		t.Errorf("stored %v iterations to %v, streamed %v to %v", a.Iterations, a.Objective, b.Iterations, b.Objective)
	}
	if a, b := wrong(t, stored, d.Points, truth), wrong(t, streamed, d.Points, truth); a != b || a > 116 {
		t.Errorf("%d of 700 wrong stored, %d streamed", a, b)
	}
}
