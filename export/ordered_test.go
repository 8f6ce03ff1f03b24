package export_test

import (
	"strings"
	"testing"

	"lapsvm/export"
	"lapsvm/internal/machines/task"
	"lapsvm/internal/points/gram"
)

// ordered returns the examples with many machines in two forms. models have a machine between neighbouring classes: the
// first ones of the example. byClass have a machine for each class c. Its decision values are Σ_m y_m(c)·f_m of the machines m
// of the other form, with y_m(c) = 1 above machine m, else −1.
func ordered(t *testing.T) (models, byClass map[string]example) {
	t.Helper()
	models, byClass = make(map[string]example), make(map[string]example)
	for name, e := range examples(t) {
		rest, is := strings.CutSuffix(name, " 3")
		if !is {
			continue
		}
		of, as := *e.Contents, *e.Contents
		machines := len(of.Classes) - 1
		of.Kind, as.Kind = task.OfOrdered, task.OfOrdered
		of.Bias, of.Coefficients = of.Bias[:machines], of.Coefficients[:machines]
		as.Bias, as.Coefficients = make([]float64, len(of.Classes)), make([][]float64, len(of.Classes))
		for c := range of.Classes {
			as.Coefficients[c] = make([]float64, of.Basis.Len())
			for m := range machines {
				y := -1.0
				if c > m {
					y = 1
				}
				as.Bias[c] += y * of.Bias[m]
				for j, a := range of.Coefficients[m] {
					as.Coefficients[c][j] += y * a
				}
			}
		}
		name = rest + " ordered"
		models[name], byClass[name] = example{&of, e.points}, example{&as, e.points}
	}
	if len(models) != 42 {
		t.Fatalf("%d examples of ordered classes", len(models))
	}
	return models, byClass
}

// A graph of ordered classes has the decision values, labels and probabilities of the definition, by the rules of the operators and by
// onnxruntime, and tells the order.
func TestONNXOrdered(t *testing.T) {
	models, byClass := ordered(t)
	var jobs []job
	var all []trial
	for name, e := range models {
		for precision, tolerance := range map[gram.Precision]float64{gram.Double: doubleTolerance, gram.Single: singleTolerance} {
			want := byClass[name]
			if precision == gram.Single {
				want.points = rounded(e.points)
			}
			one := trial{want, name, precision, tolerance, onnx(t, name, e.Contents, precision)}
			m := decode(t, one.file)
			if m.declared["label"] != "8[N]" || !strings.HasSuffix(m.declared["scores"], "[N 4]") || m.metadata["classes"] != `["3","4","10","25"]` {
				t.Errorf("%s declares %v with %v", name, m.declared, m.metadata)
			}
			want.compare(t, name, m.run(t, want.points), tolerance)
			all, jobs = append(all, one), append(jobs, newJob(t, one.file, want.points, precision))
		}
	}
	needRuntime(t)
	for k, got := range runtime(t, jobs) {
		all[k].compare(t, all[k].name+" in onnxruntime", got, all[k].tolerance)
	}
}

// Classes that are all as probable have the median that is the lower of the two in the middle, as predictions have it.
func TestONNXOrderedTies(t *testing.T) {
	models, _ := ordered(t)
	e := models["gaussian zscore ordered"]
	e.Bias, e.Coefficients = make([]float64, len(e.Bias)), [][]float64{make([]float64, e.Basis.Len()), make([]float64, e.Basis.Len()), make([]float64, e.Basis.Len())}
	for _, precision := range []gram.Precision{gram.Double, gram.Single} {
		for i, label := range decode(t, onnx(t, "ties", e.Contents, precision)).run(t, e.points).Label {
			if label != "4" {
				t.Fatalf("point %d in %d bits: the median of 3, 4, 10 and 25 is %s", i, precision, label)
			}
		}
	}
}

// Two ordered classes are two classes.
func TestTwoOrderedClassesAreTwoClasses(t *testing.T) {
	e := examples(t)["gaussian zscore -1"]
	for name, write := range map[string]func(*strings.Builder) error{
		"json":   func(b *strings.Builder) error { return export.JSON(b, e.Contents) },
		"libsvm": func(b *strings.Builder) error { _, err := export.LIBSVM(b, e.Contents); return err },
	} {
		var files [2]strings.Builder
		for k, kind := range []task.Name{task.OfClasses, task.OfOrdered} {
			e.Kind = kind
			if err := write(&files[k]); err != nil {
				t.Fatal(name, err)
			}
		}
		if want, got := files[0].String(), strings.Replace(files[1].String(), `"ordered":true,`, "", 1); got != want {
			t.Errorf("%s: %.300s, want %.300s", name, got, want)
		}
	}
	e.compare(t, "onnx", decode(t, onnx(t, "two", e.Contents, gram.Double)).run(t, e.points), doubleTolerance)
}

// The documented loader decides as the definition does, and earlier ones refuse the file.
func TestNumPyLoaderOrdered(t *testing.T) {
	models, byClass := ordered(t)
	var jobs []job
	var names []string
	for name, e := range models {
		var b strings.Builder
		if err := export.JSON(&b, e.Contents); err != nil {
			t.Fatal(err)
		}
		if !strings.HasPrefix(b.String(), `{"format":"lapsvm-json","version":7,`) || !strings.Contains(b.String(), `"ordered":true`) {
			t.Fatalf("the file begins with %.60s", b.String())
		}
		jobs, names = append(jobs, job{Model: saved(t, "m.json", []byte(b.String())), Points: saved(t, "points", raw(e.points)), D: e.Basis.Dim()}), append(names, name)
	}
	for k, got := range numPy(t, jobs) {
		byClass[names[k]].compare(t, names[k], got, doubleTolerance)
	}
}

// svm-predict decides by votes, which are not for the median.
func TestLIBSVMOrdered(t *testing.T) {
	models, _ := ordered(t)
	for name, e := range models {
		var b strings.Builder
		if _, err := export.LIBSVM(&b, e.Contents); err == nil || !strings.Contains(err.Error(), "export to onnx or json") || b.Len() > 0 {
			t.Fatalf("%s: error %v, %d bytes", name, err, b.Len())
		}
	}
}
