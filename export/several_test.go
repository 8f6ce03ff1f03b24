package export_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"lapsvm/calibrate"
	"lapsvm/export"
	"lapsvm/internal/machines/modelfile"
	"lapsvm/internal/machines/task"
	"lapsvm/internal/points/gram"
)

// ofSeveral are the examples with many machines as models of several classes at once, half of them with probabilities.
func ofSeveral(t *testing.T) map[string]example {
	all := make(map[string]example)
	for name, e := range examples(t) {
		if rest, is := strings.CutSuffix(name, " 3"); is {
			e.Calibration, e.Kind = nil, task.OfSeveral
			if e.Each = nil; len(rest)%2 == 0 {
				e.Each = &calibrate.Each{Slope: []float64{0.7, 2, 1, 0.3}, Offset: []float64{0.1, -1, 0, -0.2}, Threshold: []float64{0.5, 0.2, 0.4, 0.45}, HeldOut: 9}
			}
			all[rest+" several"] = e
		}
	}
	if len(all) != 42 {
		t.Fatalf("%d examples of several classes", len(all))
	}
	return all
}

// has compares scores, classes and probabilities with those of the definition, the classes where the scores are not too close to a limit.
func (e example) has(t *testing.T, name string, scores, labels, probabilities []float64, tolerance float64) {
	t.Helper()
	f, size := e.values()
	m := len(e.Bias)
	want := m * len(f)
	if e.Each == nil {
		want = 0
	}
	if len(scores) != m*len(f) || len(labels) != m*len(f) || len(probabilities) != want {
		t.Fatalf("%s: %d scores, %d labels and %d probabilities of %d points and %d machines", name, len(scores), len(labels), len(probabilities), len(f), m)
	}
	sure := 0
	for i, row := range f {
		for c, v := range row {
			k, wide := i*m+c, tolerance*size[i][c]
			if !(math.Abs(scores[k]-v) <= wide) {
				t.Fatalf("%s: point %d, class %d: score %v, want %v", name, i, c, scores[k], v)
			}
			odds, limit := v, 0.0 // their logarithms
			if e.Each != nil {
				odds = e.Each.Slope[c]*v + e.Each.Offset[c]
				limit = math.Log(e.Each.Threshold[c] / (1 - e.Each.Threshold[c]))
				if p := 1 / (1 + math.Exp(-odds)); !(math.Abs(probabilities[k]-p) <= 2*tolerance+wide) {
					t.Errorf("%s: point %d, class %d: probability %v, want %v", name, i, c, probabilities[k], p)
				}
			}
			if math.Abs(odds-limit) <= 4*wide+tolerance {
				continue
			}
			if sure++; labels[k] != map[bool]float64{true: 1, false: 0}[odds > limit] {
				t.Errorf("%s: point %d has the odds e^%v of class %d, whose threshold is e^%v, and its label is %v", name, i, odds, c, limit, labels[k])
			}
		}
	}
	if 10*sure < 9*m*len(f) {
		t.Errorf("%s: only %d of %d labels can be compared", name, sure, m*len(f))
	}
}

// A model of several classes has them in the output labels, by the rules of the operators and by onnxruntime.
func TestONNXSeveral(t *testing.T) {
	var jobs []job
	var all []trial
	for name, e := range ofSeveral(t) {
		for precision, tolerance := range map[gram.Precision]float64{gram.Double: doubleTolerance, gram.Single: singleTolerance} {
			if precision == gram.Single {
				e.points = rounded(e.points)
			}
			one := trial{e, name, precision, tolerance, onnx(t, name, e.Contents, precision)}
			m := decode(t, one.file)
			if m.declared["label"] != "" || m.declared["labels"] != "7[N 4]" || m.metadata["classes"] != `["3","4","10","25"]` {
				t.Errorf("%s declares %v with %v", name, m.declared, m.metadata)
			}
			got := m.run(t, e.points)
			e.has(t, name, got.Scores, got.Labels, got.Probabilities, tolerance)
			all, jobs = append(all, one), append(jobs, newJob(t, one.file, e.points, precision))
		}
	}
	needRuntime(t)
	for k, got := range runtime(t, jobs) {
		all[k].has(t, all[k].name+" in onnxruntime", got.Scores, got.Labels, got.Probabilities, all[k].tolerance)
	}
}

// The documented loader has the classes of the definition, and refuses to be read by programs that know one class of a point.
func TestNumPyLoaderSeveral(t *testing.T) {
	var jobs []job
	var all []example
	for _, e := range ofSeveral(t) {
		var b strings.Builder
		if err := export.JSON(&b, e.Contents); err != nil {
			t.Fatal(err)
		}
		if !strings.HasPrefix(b.String(), `{"format":"lapsvm-json","version":5,`) {
			t.Fatalf("the file begins with %.60s", b.String())
		}
		jobs, all = append(jobs, job{Model: saved(t, "m.json", []byte(b.String())), Points: saved(t, "points", raw(e.points)), D: e.Basis.Dim()}), append(all, e)
	}
	for k, got := range numPy(t, jobs) {
		var labels []float64
		for _, text := range got.Label {
			var names []string
			if err := json.Unmarshal([]byte(strings.ReplaceAll(text, "'", `"`)), &names); err != nil {
				t.Fatal(err)
			}
			for _, class := range all[k].Classes {
				labels = append(labels, map[bool]float64{true: 1, false: 0}[slices.Contains(names, class)])
			}
		}
		all[k].has(t, fmt.Sprint("numpy ", k), got.Scores, labels, got.Probabilities, doubleTolerance)
	}
}

// svm-predict gives a point one class.
func TestLIBSVMSeveral(t *testing.T) {
	for name, e := range ofSeveral(t) {
		var b bytes.Buffer
		if _, err := export.LIBSVM(&b, e.Contents); err == nil || !strings.Contains(err.Error(), "export to onnx or json") || b.Len() > 0 {
			t.Fatalf("%s: error %v, %d bytes", name, err, b.Len())
		}
	}
}

// float32 is taken where no class of a point changes by it.
func TestONNXSeveralInFloat32(t *testing.T) {
	for want, e := range map[gram.Precision]example{
		gram.Single: zscored(t, []float64{2020, 170, 0}, []float64{1, 8, 1}),
		gram.Double: zscored(t, []float64{1e9, 5, 0}, []float64{1, 1, 1}),
	} {
		second := slices.Clone(e.Coefficients[0])
		slices.Reverse(second)
		several := modelfile.Contents{Kernel: e.Kernel, Scaling: e.Scaling, Basis: e.Basis, Classes: e.Classes, Kind: task.OfSeveral,
			Coefficients: [][]float64{e.Coefficients[0], second}, Bias: []float64{0.1, -0.2}}
		var b bytes.Buffer
		r, err := export.ONNX(t.Context(), &b, &several, 0)
		if err != nil || r.Precision != want || r.Tried < 500 || (r.Changed > 0) != (want == gram.Double) {
			t.Errorf("%+v, error %v, where %d bits are expected", r, err, want)
		}
	}
}
