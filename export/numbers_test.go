package export_test

import (
	"math"
	"os/exec"
	"strconv"
	"strings"
	"testing"

	"lapsvm/export"
	"lapsvm/internal/machines/task"
	"lapsvm/internal/points/gram"
)

// ofNumbers are the examples with one machine as regressions.
func ofNumbers(t *testing.T) map[string]example {
	all := make(map[string]example)
	for name, e := range examples(t) {
		if rest, is := strings.CutSuffix(name, " -1"); is {
			e.Kind, e.Classes, e.Calibration = task.OfNumbers, nil, nil
			all[rest+" numbers"] = e
		}
	}
	if len(all) != 42 {
		t.Fatalf("%d examples of numbers", len(all))
	}
	return all
}

// near compares values of a regression with those of the definition.
func (e example) near(t *testing.T, name string, got []float64, tolerance float64) {
	t.Helper()
	f, size := e.values()
	if len(got) != len(f) {
		t.Fatalf("%s: %d values of %d points", name, len(got), len(f))
	}
	for i, row := range f {
		if !(math.Abs(got[i]-row[0]) <= tolerance*size[i][0]) {
			t.Errorf("%s: point %d has %v, want %v", name, i, got[i], row[0])
		}
	}
}

// A regression has the one output value, which is the definition's by the rules of the operators and by onnxruntime.
func TestONNXNumbers(t *testing.T) {
	var jobs []job
	var all []trial
	for name, e := range ofNumbers(t) {
		for precision, tolerance := range map[gram.Precision]float64{gram.Double: doubleTolerance, gram.Single: singleTolerance} {
			if precision == gram.Single {
				e.points = rounded(e.points)
			}
			one := trial{e, name, precision, tolerance, onnx(t, name, e.Contents, precision)}
			m := decode(t, one.file)
			for _, other := range []string{"label", "scores", "probabilities"} {
				if m.declared[other] != "" {
					t.Errorf("%s declares %s", name, other)
				}
			}
			if _, named := m.metadata["classes"]; named {
				t.Errorf("%s names classes", name)
			}
			e.near(t, name, m.run(t, e.points).Scores, tolerance)
			all, jobs = append(all, one), append(jobs, newJob(t, one.file, e.points, precision))
		}
	}
	needRuntime(t)
	for k, got := range runtime(t, jobs) {
		all[k].near(t, all[k].name+" in onnxruntime", got.Scores, all[k].tolerance)
	}
}

// The documented loader has the numbers of the definition.
func TestNumPyLoaderNumbers(t *testing.T) {
	var jobs []job
	var all []example
	for _, e := range ofNumbers(t) {
		var b strings.Builder
		if err := export.JSON(&b, e.Contents); err != nil {
			t.Fatal(err)
		}
		jobs, all = append(jobs, job{Model: saved(t, "m.json", []byte(b.String())), Points: saved(t, "points", raw(e.points)), D: e.Basis.Dim()}), append(all, e)
	}
	for k, got := range numPy(t, jobs) {
		all[k].near(t, "numpy", got.Scores, doubleTolerance)
		for i, label := range got.Label {
			if v, err := strconv.ParseFloat(label, 64); err != nil || v != got.Scores[i] {
				t.Fatalf("row %d is predicted as %q, its value is %v", i, label, got.Scores[i])
			}
		}
	}
}

// A regression is an epsilon_svr, whose numbers svm-predict writes.
func TestLIBSVMNumbers(t *testing.T) {
	predict, err := exec.LookPath("svm-predict")
	if err != nil {
		t.Skip("svm-predict is not installed (Debian package libsvm-tools)")
	}
	tried := 0
	for name, e := range ofNumbers(t) {
		if !e.fitsLIBSVM() {
			continue
		}
		file, sides := libsvm(t, name, e.Contents)
		if !strings.HasPrefix(string(file), "svm_type epsilon_svr\n") || sides[export.SideLabels] != "" {
			t.Fatalf("%s: %.60s", name, file)
		}
		model, data, tolerance := saved(t, "m.model", file), saved(t, "points", text(e.points)), 1e-5 // of six digits
		if limits, scaled := sides[export.SideRange]; scaled {
			if data = svmScale(t, limits, data); data == "" {
				continue
			}
			tolerance = 1e-3
		}
		out := saved(t, "out", nil)
		if message, err := exec.Command(predict, data, model, out).CombinedOutput(); err != nil {
			t.Fatalf("%s: svm-predict: %v\n%s", name, err, message)
		}
		var got []float64
		for _, word := range strings.Fields(read(t, out)) {
			v, err := strconv.ParseFloat(word, 64)
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, v)
		}
		e.near(t, name, got, tolerance)
		tried++
	}
	if tried != 16 && tried != 24 {
		t.Errorf("%d models were tried", tried)
	}
}
