package export_test

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"lapsvm"
	"lapsvm/dataset"
	"lapsvm/dataset/files"
	"lapsvm/export"
	"lapsvm/internal/machines/modelfile"
	"lapsvm/internal/machines/task"
	"lapsvm/internal/points/gram"
)

// encoded is [export.Encoded] of a model of one view.
func encoded(t *testing.T, c *modelfile.Contents) *modelfile.Contents {
	t.Helper()
	of, err := export.Encoded(c)
	if err != nil {
		t.Fatal(err)
	}
	return of
}

// viewsTables are tables of three classes, of which a recipe with nothing said makes a mean: numbers in one unit, of which factors or directions tell, and columns with words and gaps.
func viewsTables(rows int, seed uint64, labelled int) map[string]string {
	random := rand.New(rand.NewPCG(seed, 8))
	var numbers, directions, columns strings.Builder
	for j := range 12 {
		fmt.Fprintf(&numbers, "d%d,", j)
	}
	numbers.WriteString("class\n")
	directions.WriteString(numbers.String())
	columns.WriteString("size,colour,weight,class\n")
	for i := range rows {
		class, name, length := i%3, "", math.Exp(random.NormFloat64()/2)
		if i < labelled {
			name = []string{"low", "mid", "high"}[class]
		}
		for j := range 12 {
			v := 0.7 * random.NormFloat64()
			if j/4 == class {
				v++
			}
			fmt.Fprintf(&numbers, "%.4f,", v)
			fmt.Fprintf(&directions, "%.4f,", length*v)
		}
		fmt.Fprintf(&numbers, "%s\n", name)
		fmt.Fprintf(&directions, "%s\n", name)
		weight := fmt.Sprintf("%.3f", 20*random.NormFloat64()+15*float64(class))
		if i%17 == 5 {
			weight = ""
		}
		fmt.Fprintf(&columns, "%.4f,%s,%s,%s\n", random.NormFloat64()+1.2*float64(class), []string{"red", "blue", "green"}[(class+random.IntN(4)/3)%3], weight, name)
	}
	return map[string]string{"numbers": numbers.String(), "directions": directions.String(), "columns": columns.String()}
}

// viewed is a mean of views with rows to try it on, and what the program says of them.
type viewed struct {
	*modelfile.Contents
	table string
	data  *dataset.Dataset
	want  results
}

// answer keeps what a model says of the rows.
func (v *viewed) answer(t *testing.T, m *lapsvm.Model) {
	t.Helper()
	scores, err := m.Scores(t.Context(), v.data.Points)
	if err != nil {
		t.Fatal(err)
	}
	if m.Regression() {
		for _, row := range scores {
			v.want.Scores = append(v.want.Scores, row...)
		}
		return
	}
	for _, has := range m.Predictor().Has(scores) {
		if !m.MultiLabel() {
			v.want.Label = append(v.want.Label, v.Classes[has[0]])
			continue
		}
		for class := range v.Classes {
			v.want.Labels = append(v.want.Labels, map[bool]float64{true: 1}[slices.Contains(has, class)])
		}
	}
	for _, row := range scores {
		if len(row) == 2 && !m.MultiLabel() {
			row = row[1:]
		}
		v.want.Scores = append(v.want.Scores, row...)
	}
	probabilities, err := m.Probabilities(t.Context(), v.data.Points)
	if err != nil {
		t.Fatal(err)
	}
	v.want.Probabilities = slices.Concat(probabilities...)
}

// agrees compares what another tool makes of the rows with what the program says of them.
func (v viewed) agrees(t *testing.T, name string, got results) {
	t.Helper()
	switch {
	case v.Kind == task.OfNumbers:
		got.Label = nil // the numbers as text
	case v.Kind == task.OfSeveral && got.Labels == nil: // lists of names as text
		for _, row := range got.Label {
			for _, class := range v.Classes {
				got.Labels = append(got.Labels, map[bool]float64{true: 1}[strings.Contains(row, "'"+class+"'")])
			}
		}
		got.Label = nil
	}
	tolerance := 1e-9
	if slices.ContainsFunc(v.Machines(), func(of modelfile.View) bool { return of.Description != nil }) {
		tolerance = viewsTolerance
	}
	got.same(t, name, v.want, tolerance)
	if len(got.Probabilities) != len(v.want.Probabilities) {
		t.Fatalf("%s: %d probabilities of %d", name, len(got.Probabilities), len(v.want.Probabilities))
	}
	for k, p := range v.want.Probabilities {
		if !(math.Abs(got.Probabilities[k]-p) <= tolerance) {
			t.Fatalf("%s: probability %d is %v, want %v", name, k, got.Probabilities[k], p)
		}
	}
}

// viewsTolerance is that of decision values of described rows, which are float32 in the program.
const viewsTolerance = 1e-6

// viewedModels are means of views of two, three, three ordered and two of several classes, and of numbers.
func viewedModels(t *testing.T) map[string]viewed {
	t.Helper()
	all, seen := make(map[string]viewed), make(map[string]bool)
	later := viewsTables(60, 2, 0)
	for of, table := range viewsTables(120, 1, 30) {
		for _, kind := range []string{"two", "three", "ordered", "several", "of numbers"} {
			name, table := of+" "+kind, table
			recipe, options := lapsvm.Recipe{Calibrate: true}, files.Options{}
			switch kind {
			case "two":
				table = strings.ReplaceAll(table, ",high\n", ",mid\n")
			case "ordered":
				recipe.Kind = lapsvm.Ordered("low", "mid", "high")
			case "several":
				recipe.Kind, options.Several = lapsvm.Several(";"), ";"
				table = strings.ReplaceAll(table, ",mid\n", ",low;high\n")
			case "of numbers":
				recipe.Kind, options.Numbers = lapsvm.Numbers(), true
				table = strings.NewReplacer(",low\n", ",-1\n", ",mid\n", ",3.5\n", ",high\n", ",4\n").Replace(table)
			}
			d, err := files.Read(strings.NewReader(table), "training.csv", options)
			if err != nil {
				t.Fatal(err)
			}
			m, err := lapsvm.Trainer{Recipe: recipe}.Fit(t.Context(), d)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			v := viewed{table: later[of]}
			if v.Contents, err = m.Contents(); err != nil || len(v.Views) < 1 {
				t.Fatalf("%s: %d views beside, error %v", name, len(v.Views), err)
			}
			if v.data, err = files.Read(strings.NewReader(v.table), "later.csv", files.Options{Encoding: m.Encoding(), Label: m.Label(), MayLackLabels: true}); err != nil {
				t.Fatal(err)
			}
			for _, v := range m.Recipe().Beside {
				seen[v.Name] = true
			}
			v.answer(t, m)
			all[name] = v
		}
	}
	for _, name := range []string{"unit length", "half-whitened", "columns", "linear", "width of the supervised machine", "Laplacian"} {
		if !seen[name] {
			t.Errorf("no model has the view %q", name)
		}
	}
	return all
}

// A graph of a mean of views gives what the program does, by the rules of the operators and in onnxruntime.
func TestONNXViews(t *testing.T) {
	var jobs []job
	var want []viewed
	for name, v := range viewedModels(t) {
		file := onnx(t, name, v.Contents, gram.Double)
		m := decode(t, file)
		if of := v.Encoding.Learnt(); of != strings.HasPrefix(name, "columns") {
			t.Fatalf("%s: encoded %v", name, of)
		}
		of := newJob(t, file, v.data.Points, gram.Double)
		if v.Encoding.Learnt() {
			feeds := m.feeds(t, v.table)
			of = job{Model: of.Model, Bits: of.Bits, Inputs: feeds}
			v.agrees(t, name, m.runOn(t, tensors(feeds)))
		} else {
			v.agrees(t, name, m.run(t, v.data.Points))
		}
		jobs, want = append(jobs, of), append(want, v)
		var b bytes.Buffer
		r, err := export.ONNX(t.Context(), &b, v.Contents, 0)
		if err != nil || r.Precision == gram.Single && (r.Tried == 0 || r.Changed > 0) {
			t.Errorf("%s: %+v, error %v", name, r, err)
		}
	}
	needRuntime(t)
	for k, got := range runtime(t, jobs) {
		want[k].agrees(t, "onnxruntime", got)
	}
}

// So does the documented loader of JSON, and readers of earlier versions refuse the file.
func TestNumPyViews(t *testing.T) {
	var jobs []job
	var want []viewed
	for name, v := range viewedModels(t) {
		var b bytes.Buffer
		if err := export.JSON(&b, v.Contents); err != nil {
			t.Fatal(err)
		}
		if version := map[bool]int{false: 8, true: 9}[v.Kind == task.OfSeveral]; !bytes.HasPrefix(b.Bytes(), fmt.Appendf(nil, `{"format":"lapsvm-json","version":%d,`, version)) {
			t.Errorf("%s begins with %.60s", name, b.String())
		}
		jobs, want = append(jobs, job{Model: saved(t, "m.json", b.Bytes()), Points: saved(t, "points", raw(v.data.Points)), D: v.data.Points.Dim()}), append(want, v)
	}
	for k, got := range numPy(t, jobs) {
		want[k].agrees(t, fmt.Sprint("numpy ", k), got)
	}
}

// LIBSVM has one machine, and the points that encode writes are of one view: both are refused with what to do.
func TestViewsRefused(t *testing.T) {
	for name, v := range viewedModels(t) {
		var b bytes.Buffer
		_, err := export.LIBSVM(&b, v.Contents)
		_, other := export.Encoded(v.Contents)
		if unknown := map[task.Name]string{task.OfSeveral: "several classes", task.OfOrdered: "are ordered"}[v.Kind]; unknown != "" { // of one machine too
			if err == nil || !strings.Contains(err.Error(), unknown) {
				t.Errorf("%s: %v", name, err)
			}
			err = other
		}
		for _, err := range []error{err, other} {
			if err == nil || !strings.Contains(err.Error(), fmt.Sprintf("the model is the mean of %d views", 1+len(v.Views))) || !strings.Contains(err.Error(), "MostViews") || b.Len() > 0 {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
	machines := viewedModels(t)["numbers three"].Machines()
	if len(machines) < 3 || machines[0].Views != nil || slices.ContainsFunc(machines, func(v modelfile.View) bool { return v.Weight < 0.1 }) {
		t.Errorf("%d machines", len(machines))
	}
}
