package lapsvm_test

import (
	"context"
	"fmt"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"lapsvm"
	"lapsvm/dataset"
	"lapsvm/internal/machines/drift"
	"lapsvm/internal/machines/task"
	"lapsvm/internal/points/gram"
	"lapsvm/internal/ranks/comm"
	"lapsvm/kernel"
	"lapsvm/points"
)

// changed returns d with another value in the first column.
func changed(d *dataset.Dataset, change func(v float64) float64) *dataset.Dataset {
	values := make([]float64, 0, d.Points.Len()*d.Points.Dim())
	for i := range d.Points.Len() {
		values = append(values, d.Points.DenseRow(i)...)
		values[i*d.Points.Dim()] = change(values[i*d.Points.Dim()])
	}
	other := *d
	other.Points = points.Dense(d.Points.Len(), d.Points.Dim(), values)
	return &other
}

// sharedDrift is [lapsvm.Model.Drift] of three ranks, to which the rows are dealt one by one.
func sharedDrift(t *testing.T, m *lapsvm.Model, d *dataset.Dataset) (report *drift.Report, scores [][]float64) {
	t.Helper()
	scores = make([][]float64, d.Points.Len())
	err := comm.Goroutines(t.Context(), 3, func(ctx context.Context, c *comm.Comm) error {
		var rows []int
		for i := c.Rank(); i < d.Points.Len(); i += 3 {
			rows = append(rows, i)
		}
		s, err := d.Subset(rows).Share(ctx, c)
		if err != nil {
			return err
		}
		own, values, err := m.Drift(ctx, s)
		for k, row := range rows {
			scores[row] = values[k]
		}
		if c.Rank() == 1 {
			report = own
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return report, scores
}

// A model tells points of its source from others, also to ranks that share them, whatever the kernel, the scaling,
// the number of machines and the precision; saved and pruned too. Its decision values
// are those of Scores to the last bit.
func TestDrift(t *testing.T) {
	d, _ := clusters(4, 60, 5)
	two, _ := moons(300, 4, 1)
	later, _ := moons(200, 1, 9)
	for name, c := range map[string]struct {
		d, same *dataset.Dataset
		recipe  lapsvm.Recipe
	}{
		"gaussian":    {two, later, lapsvm.Recipe{Kernel: kernel.Gaussian{Sigma: 0.4}}},
		"double":      {two, later, lapsvm.Recipe{Kernel: kernel.Gaussian{Sigma: 0.4}, Precision: gram.Double}},
		"laplacian":   {two, later, lapsvm.Recipe{Kernel: kernel.Laplacian{Sigma: 0.4}}},
		"polynomial":  {two, later, lapsvm.Recipe{Kernel: kernel.Polynomial{Degree: 3, Gamma: 1, Coef0: 1}}},
		"linear":      {two, later, lapsvm.Recipe{Kernel: kernel.Linear{}}},
		"zscore":      {two, later, lapsvm.Recipe{Kernel: kernel.Gaussian{Sigma: 0.4}, Standardise: points.ZScore}},
		"supervised":  {two, later, lapsvm.Recipe{Kernel: kernel.Gaussian{Sigma: 0.4}, Supervised: true}},
		"four":        {d, d, lapsvm.Recipe{Kernel: kernel.Gaussian{Sigma: 2}}},
		"ordered":     {d, d, lapsvm.Recipe{Kernel: kernel.Gaussian{Sigma: 2}, Kind: task.Ordered("d", "a", "c", "b")}},
		"four linear": {d, d, lapsvm.Recipe{Kernel: kernel.Linear{}}},
	} {
		r := c.recipe
		r.RulesOfThumb = true
		m, err := lapsvm.Trainer{Recipe: r}.Fit(t.Context(), c.d)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		path := filepath.Join(t.TempDir(), "m")
		if err := m.Save(path); err != nil {
			t.Fatal(err)
		}
		loaded, err := lapsvm.Load(path)
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(loaded.Profile(), m.Profile()) {
			t.Errorf("%s: the profile comes back as something else", name)
		}
		pruned, _, err := loaded.Prune(t.Context(), 0.01)
		if err != nil {
			t.Fatal(err)
		}
		for form, m := range map[string]*lapsvm.Model{"fitted": m, "loaded": loaded, "pruned": pruned} {
			report, scores, err := m.Drift(t.Context(), c.same)
			if err != nil {
				t.Fatal(err)
			}
			if want, err := m.Scores(t.Context(), c.same.Points); err != nil || !reflect.DeepEqual(scores, want) {
				t.Errorf("%s %s: other decision values (%v)", name, form, err)
			}
			if report.Drifted() {
				t.Errorf("%s %s: points of the same source drifted: %+v, rows %+v, classes %+v", name, form, report.Columns[0], report.Rows, report.Classes)
			}
			other := changed(c.same, func(v float64) float64 { return 1000 * v })
			report, scores, err = m.Drift(t.Context(), other)
			if err != nil {
				t.Fatal(err)
			}
			if of, values := sharedDrift(t, m, other); !reflect.DeepEqual(of, report) || !reflect.DeepEqual(values, scores) {
				t.Errorf("%s %s: ranks that share the points report %+v, want %+v", name, form, of, report)
			}
			if first := report.Columns[0]; !first.Drifted || first.Feature != 0 || !report.Rows.Drifted {
				t.Errorf("%s %s: another unit is not seen: %+v, rows %+v", name, form, first, report.Rows)
			}
		}
	}
}

// The classes of a profile are the decisions on unlabelled points where they are half of all or
// more, as labelled points may have been chosen by their class. Else they are those on all points.
func TestClassesOfAProfile(t *testing.T) {
	for perClass, want := range map[int]int{3: 94, 24: 52, 25: 50, 26: 100, 45: 100, 50: 100} {
		d, _ := moons(100, perClass, 1)
		m, err := lapsvm.Trainer{Recipe: lapsvm.Recipe{Kernel: kernel.Gaussian{Sigma: 0.4}, RulesOfThumb: true}}.Fit(t.Context(), d)
		if err != nil {
			t.Fatal(err)
		}
		for _, counts := range [][]int{m.Profile().Classes, m.Profile().Without} {
			sum := 0
			for _, n := range counts {
				sum += n
			}
			if sum != want {
				t.Errorf("%d labels of 100 points: the classes of %d points are counted, want %d", 2*perClass, sum, want)
			}
		}
	}
}

// A file of an older program knows nothing of drift, and predicts.
func TestDriftOfOlderFiles(t *testing.T) {
	m, err := lapsvm.Load("testdata/older/outside.lapsvm")
	if err != nil {
		t.Fatal(err)
	}
	p := m.Predictor().Expansion().Basis
	report, scores, err := m.Drift(t.Context(), &dataset.Dataset{Points: p})
	if err != nil || report != nil || len(scores) != p.Len() {
		t.Errorf("report %v of %d scores, error %v", report, len(scores), err)
	}
}

// What is kept of a table with text are the numbers beside it, told in their own units.
func TestDriftBesideText(t *testing.T) {
	table := func(seed, n int, unit float64) *dataset.Dataset {
		var rows [][]string
		for i := range n {
			k := (i*7 + seed) % 2
			label := ""
			if i < 20 {
				label = []string{"ham", "spam"}[k]
			}
			rows = append(rows, []string{fmt.Sprint(unit * float64(2000+(i*31+seed)%900)), strings.Repeat([]string{"dear friend hello there ", "buy cheap watches now "}[k], 1+i%3), label})
		}
		return readRows(t, rows, nil)
	}
	d := table(1, 200, 1)
	if !d.Points.Sparse() {
		t.Fatal("the points are dense")
	}
	m, err := lapsvm.Trainer{Recipe: lapsvm.Recipe{Kernel: kernel.Linear{}, RulesOfThumb: true}}.Fit(t.Context(), d)
	if err != nil {
		t.Fatal(err)
	}
	if n := len(m.Profile().Columns); n != 1 {
		t.Fatalf("%d columns are kept", n)
	}
	later := func(unit float64) *drift.Report {
		rows := table(3, 100, unit)
		other := readRows(t, rows.Kept.Rows, m.Encoding())
		report, _, err := m.Drift(t.Context(), other)
		if err != nil {
			t.Fatal(err)
		}
		return report
	}
	if r := later(1); r.Drifted() {
		t.Errorf("%+v", r)
	}
	r := later(0.001)
	if c := r.Columns[0]; !c.Drifted || !(c.Deciles[0] > 1999.9 && c.Deciles[0] < 2100) || !(c.Now[10] < 3 && c.Now[0] > 1.9) || !(c.Factor > 0.0009 && c.Factor < 0.0011) {
		t.Errorf("%+v", c)
	}
}

// readRows makes a data set of rows of weight, text and label.
func readRows(t *testing.T, rows [][]string, e *dataset.Encoding) *dataset.Dataset {
	t.Helper()
	names := []string{"weight", "text", "label"}
	layout, err := dataset.NewLayout(&dataset.Origin{File: "rows"}, names, len(names), 0, dataset.TableOptions{Text: []string{"text"}, Encoding: e, Keep: e == nil})
	if err != nil {
		t.Fatal(err)
	}
	table, err := dataset.NewTable(layout)
	if err != nil {
		t.Fatal(err)
	}
	for i, row := range rows {
		if err := table.Add([][]byte{[]byte(row[0]), []byte(row[1]), []byte(row[2])}, i+1); err != nil {
			t.Fatal(err)
		}
	}
	d, err := table.Finish()
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// Missing values that were few in the training are an alarm.
func TestDriftOfMissingValues(t *testing.T) {
	table := func(seed, gaps int, e *dataset.Encoding) *dataset.Dataset {
		layout, err := dataset.NewLayout(&dataset.Origin{File: "rows"}, []string{"x", "y", "label"}, 3, 0, dataset.TableOptions{Encoding: e})
		if err != nil {
			t.Fatal(err)
		}
		table, err := dataset.NewTable(layout)
		if err != nil {
			t.Fatal(err)
		}
		for i := range 200 {
			y, label := fmt.Sprint((i*13+seed)%89), ""
			if (i*7)%200 < gaps {
				y = ""
			}
			if i < 10 {
				label = []string{"a", "b"}[i%2]
			}
			if err := table.Add([][]byte{[]byte(fmt.Sprint((i*17 + seed) % 97)), []byte(y), []byte(label)}, i+1); err != nil {
				t.Fatal(err)
			}
		}
		d, err := table.Finish()
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
	m, err := lapsvm.Trainer{Recipe: lapsvm.Recipe{RulesOfThumb: true}}.Fit(t.Context(), table(0, 5, nil))
	if err != nil {
		t.Fatal(err)
	}
	for gaps, want := range map[int]bool{8: false, 60: true} {
		r, _, err := m.Drift(t.Context(), table(1, gaps, m.Encoding()))
		if err != nil {
			t.Fatal(err)
		}
		if r.Missing[1].Drifted != want || r.Missing[0].Drifted || r.Missing[1].Count != gaps || r.Missing[1].Training != 5 {
			t.Errorf("%d gaps: %+v", gaps, r.Missing)
		}
	}
}
