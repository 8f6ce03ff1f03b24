package export_test

import (
	"bytes"
	"context"
	"encoding/json"
	"math"
	"math/rand/v2"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"testing"

	"lapsvm/calibrate"
	"lapsvm/export"
	"lapsvm/internal/machines/modelfile"
	"lapsvm/internal/machines/task"
	"lapsvm/internal/points/gram"
	"lapsvm/kernel"
	"lapsvm/points"
)

// onnx is the file of a model.
func onnx(t *testing.T, name string, c *modelfile.Contents, precision gram.Precision) []byte {
	t.Helper()
	var b bytes.Buffer
	r, err := export.ONNX(t.Context(), &b, c, precision)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	if precision != 0 && r.Precision != precision {
		t.Fatalf("%s: precision %d where %d was asked for", name, r.Precision, precision)
	}
	return b.Bytes()
}

// job is a model, points to run it on, and the precision of its numbers; or inputs by their names.
type job struct {
	Model  string `json:"model"`
	Points string `json:"points"`
	D      int    `json:"d"`
	Bits   int    `json:"bits"`
	Inputs []feed `json:"inputs,omitempty"`
}

func newJob(t *testing.T, file []byte, p *points.Points, precision gram.Precision) job {
	t.Helper()
	return job{Model: saved(t, "model.onnx", file), Points: saved(t, "points", raw(p)), D: p.Dim(), Bits: int(precision)}
}

// runtime runs jobs in onnxruntime.
func runtime(t *testing.T, jobs []job) []results {
	t.Helper()
	text, err := json.Marshal(jobs)
	if err != nil {
		t.Fatal(err)
	}
	var out, stderr bytes.Buffer
	command := exec.Command("node", "testdata/onnx.js", saved(t, "jobs.json", text))
	command.Stdout, command.Stderr = &out, &stderr
	if err := command.Run(); err != nil {
		t.Fatalf("%v\n%s", err, stderr.String())
	}
	var r []results
	if err := json.Unmarshal(out.Bytes(), &r); err != nil {
		t.Fatal(err)
	}
	return r
}

func needRuntime(t *testing.T) {
	t.Helper()
	for _, name := range []string{"onnxruntime-node", "onnxruntime-web"} {
		if exec.Command("node", "-e", "require('"+name+"')").Run() == nil {
			return
		}
	}
	t.Skip("node with onnxruntime is not there (npm install onnxruntime-web, and NODE_PATH set to its node_modules)")
}

// The tolerances, in units of the sizes of a score's terms. The points of float32 are exact, so
// the error is that of the last rounding.
const (
	singleTolerance = 0x1p-23
	doubleTolerance = 1e-14
)

// trial is an example exported with a precision.
type trial struct {
	example
	name      string
	precision gram.Precision
	tolerance float64
	file      []byte
}

// trials are all examples in both precisions; for float32 with points that are
// float32 already.
func trials(t *testing.T) []trial {
	var all []trial
	for name, e := range examples(t) {
		all = append(all, trial{e, name + ", float64", gram.Double, doubleTolerance, onnx(t, name, e.Contents, gram.Double)})
		e.points = rounded(e.points)
		all = append(all, trial{e, name + ", float32", gram.Single, singleTolerance, onnx(t, name, e.Contents, gram.Single)})
	}
	return all
}

// onnxruntime gives the scores, labels and probabilities of the definition.
func TestONNXRuntime(t *testing.T) {
	needRuntime(t)
	all := trials(t)
	var jobs []job
	for _, e := range all {
		jobs = append(jobs, newJob(t, e.file, e.points, e.precision))
	}
	largest := map[gram.Precision]float64{}
	got := runtime(t, jobs)
	for k, e := range all {
		largest[e.precision] = max(largest[e.precision], e.compare(t, e.name, got[k], e.tolerance))
	}
	t.Logf("onnxruntime %s: largest differences %.2g in float32, %.2g in float64", got[0].Version, largest[gram.Single], largest[gram.Double])
}

// The graph computes the definition by the rules of its operators.
func TestONNXGraph(t *testing.T) {
	for _, e := range trials(t) {
		e.compare(t, e.name, decode(t, e.file).run(t, e.points), e.tolerance)
	}
}

// The distances of a Laplacian kernel are taken of parts of the basis.
func TestONNXDistancesInParts(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 7))
	const n, d, tries = 400, 100, 20
	c := &modelfile.Contents{Kernel: kernel.Laplacian{Sigma: 80}, Classes: []string{"a", "b"}, Calibration: &calibrate.Calibration{Slope: 1},
		Basis: points.Dense(n, d, normal(rng, n*d, 3, 1)), Coefficients: [][]float64{normal(rng, n, 0, 1)}, Bias: []float64{0.1}}
	e := example{c, points.Dense(tries, d, normal(rng, tries*d, 3, 1))}
	for precision, tolerance := range map[gram.Precision]float64{gram.Double: doubleTolerance, gram.Single: singleTolerance} {
		e.points = rounded(e.points)
		m := decode(t, onnx(t, "parts", c, precision))
		parts := 0
		for _, node := range m.nodes {
			if node.text(4) == "Abs" {
				parts++
			}
		}
		if parts != 3 { // of 163 points
			t.Errorf("%d parts", parts)
		}
		e.compare(t, "parts", m.run(t, e.points), tolerance)
	}
}

// rounded is the points as float32 has them, dense.
func rounded(p *points.Points) *points.Points {
	values := make([]float64, p.Len()*p.Dim())
	for i := range p.Len() {
		p.CopyRow(values[i*p.Dim():(i+1)*p.Dim()], i)
	}
	for k, v := range values {
		values[k] = float64(float32(v))
	}
	return points.Dense(p.Len(), p.Dim(), values)
}

// zscored is a Gaussian model of two classes on z-scored columns of the given
// centres and widths, and raw points.
func zscored(t *testing.T, centre, width []float64) example {
	t.Helper()
	const n, tries = 200, 2000
	rng, d := rand.New(rand.NewPCG(20, 20)), len(centre)
	draw := func(n int) *points.Points {
		var values []float64
		for range n {
			for j := range d {
				values = append(values, centre[j]+width[j]*rng.NormFloat64())
			}
		}
		return points.Dense(n, d, values)
	}
	training := draw(n)
	scaling, err := points.FitScaling(t.Context(), points.ZScore, training)
	if err != nil {
		t.Fatal(err)
	}
	return example{&modelfile.Contents{Kernel: kernel.Gaussian{Sigma: 2}, Scaling: scaling, Basis: scaling.Apply(training), Classes: []string{"a", "b"},
		Coefficients: [][]float64{normal(rng, n, 0, 1)}, Bias: []float64{0.1}}, draw(tries)}
}

// Columns of any units, and z-scored ones that are large beside their spread, such
// as years, keep their labels in float32.
func TestONNXFloat32KeepsLabels(t *testing.T) {
	for name, e := range map[string]example{
		"units": zscored(t, []float64{0, 0, 0, 0}, []float64{1e-6, 1, 1e3, 1e6}),
		"years": zscored(t, []float64{2020, 170, 70, 0}, []float64{1, 8, 12, 1}),
	} {
		var b bytes.Buffer
		r, err := export.ONNX(t.Context(), &b, e.Contents, 0)
		if err != nil || r.Precision != gram.Single || r.Tried < 500 || r.Changed != 0 || !(r.Largest <= 1e-2) {
			t.Errorf("%s: %+v, error %v", name, r, err)
			continue
		}
		f, _ := e.values()
		got := decode(t, b.Bytes()).run(t, rounded(e.points))
		for i, row := range f {
			if want := label(e.Contents, row); got.Label[i] != want {
				t.Errorf("%s: point %d: label %q, want %q of %v", name, i, got.Label[i], want, row)
			}
		}
	}
}

// Where float32 changes labels, float64 is taken; asked for float32, it is refused
// with what was measured.
func TestONNXFloat32Changes(t *testing.T) {
	linear := zscored(t, []float64{1e9, 5}, []float64{1, 1})
	linear.Kernel, linear.Basis, linear.Coefficients = kernel.Linear{}, points.Dense(1, 2, []float64{1, 1}), [][]float64{{1}}
	beyond := zscored(t, []float64{0, 0}, []float64{1, 1e200})
	for name, e := range map[string]example{"offset": zscored(t, []float64{1e9, 5}, []float64{1, 1}), "linear": linear, "beyond float32": beyond} {
		var b bytes.Buffer
		r, err := export.ONNX(t.Context(), &b, e.Contents, 0)
		if err != nil || r.Precision != gram.Double || r.Changed == 0 || r.Tried < 2*r.Changed && name != "beyond float32" {
			t.Errorf("%s: %+v, error %v", name, r, err)
			continue
		}
		e.compare(t, name, decode(t, b.Bytes()).run(t, e.points), 1e-13)
		b.Reset()
		if _, err := export.ONNX(t.Context(), &b, e.Contents, gram.Single); err == nil || !strings.Contains(err.Error(), "get other labels") || !strings.Contains(err.Error(), "take precision 64") || b.Len() > 0 {
			t.Errorf("%s: error %v, %d bytes", name, err, b.Len())
		}
		if r, err := export.ONNX(t.Context(), &b, e.Contents, gram.Double); err != nil || r != (export.Rounding{Precision: gram.Double}) {
			t.Errorf("%s, float64: %+v, error %v", name, r, err)
		}
	}
}

// Points are told apart that lie far from each other beside the width of the kernel,
// and far from the origin.
func TestONNXFarApart(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 4))
	var basis, tries []float64
	for k := range 100 {
		at := float64(k%10) * 1e6
		basis = append(basis, at+rng.NormFloat64(), 3e6+rng.NormFloat64())
		tries = append(tries, at+rng.NormFloat64(), 3e6+rng.NormFloat64())
	}
	e := example{&modelfile.Contents{Kernel: kernel.Gaussian{Sigma: 1}, Basis: points.Dense(100, 2, basis), Classes: []string{"a", "b"},
		Coefficients: [][]float64{normal(rng, 100, 0, 1)}, Bias: []float64{0.1}}, points.Dense(100, 2, tries)}
	e.compare(t, "far apart", decode(t, onnx(t, "far apart", e.Contents, gram.Double)).run(t, e.points), 1e-8)
}

// Sums of terms that nearly cancel have the digits of their result in float32 too.
func TestONNXFloat32CancellingSums(t *testing.T) {
	rng := rand.New(rand.NewPCG(6, 6))
	const pairs, d = 40, 5
	var basis, alpha []float64
	for range pairs {
		b, a := normal(rng, d, 0, 1), 1e4*rng.NormFloat64()
		basis, alpha = append(basis, b...), append(alpha, a, -a)
		for _, v := range b {
			basis = append(basis, v+1e-5*rng.NormFloat64())
		}
	}
	for _, k := range []kernel.Kernel{kernel.Gaussian{Sigma: 2}, kernel.Laplacian{Sigma: 4}, kernel.Polynomial{Degree: 3, Coef0: 1}} {
		e := example{&modelfile.Contents{Kernel: k, Basis: points.Dense(2*pairs, d, basis), Classes: []string{"a", "b"},
			Coefficients: [][]float64{alpha}, Bias: []float64{0}}, rounded(points.Dense(100, d, normal(rng, 100*d, 0, 1)))}
		f, size := e.values()
		got := decode(t, onnx(t, "cancelling", e.Contents, gram.Single)).run(t, e.points)
		cancels := 0
		for i, row := range f {
			if size[i][0] > 1e4*math.Abs(row[0]) {
				cancels++
			}
			if off := math.Abs(got.Scores[i] - row[0]); !(off <= 0x1p-23*math.Abs(row[0])+doubleTolerance*size[i][0]) || got.Label[i] != label(e.Contents, row) {
				t.Errorf("%v: point %d: score %v, want %v of terms of %g", k, i, got.Scores[i], row[0], size[i][0])
			}
		}
		if cancels < 50 {
			t.Errorf("%v: only %d scores cancel", k, cancels)
		}
	}
}

// Models at the ends of what there is are written, in the precision that can be.
func TestONNXOddModels(t *testing.T) {
	two := []string{"a", "b"}
	many := &modelfile.Contents{Kernel: kernel.Linear{}, Basis: points.Dense(1, 1, []float64{1}), Bias: make([]float64, 5000)}
	for k := range many.Bias {
		many.Classes, many.Coefficients = append(many.Classes, strconv.Itoa(k)), append(many.Coefficients, []float64{float64(k % 7)})
	}
	for name, c := range map[string]*modelfile.Contents{
		"one point":  {Kernel: kernel.Gaussian{Sigma: 1}, Kind: task.OfOneClass, Classes: two[:1], Basis: points.Dense(1, 1, []float64{1}), Coefficients: [][]float64{{1}}, Bias: []float64{0}},
		"no columns": {Kernel: kernel.Laplacian{Sigma: 1}, Classes: two, Basis: points.Dense(3, 0, nil), Coefficients: [][]float64{{1, 2, 3}}, Bias: []float64{0}},
		"degree": {Kernel: kernel.Polynomial{Degree: 1 << 30}, Classes: two, Scaling: points.Scaling{Kind: points.UnitNorm},
			Basis: points.Dense(2, 2, []float64{1, 0, 0.6, 0.8}), Coefficients: [][]float64{{1, -1}}, Bias: []float64{0}},
		"many classes":    many,
		"beyond, float64": {Kernel: kernel.Linear{}, Classes: two, Basis: points.Dense(1, 2, []float64{1e308, 1e308}), Coefficients: [][]float64{{1}}, Bias: []float64{0}},
		"many columns, float64": {Kernel: kernel.Linear{}, Classes: two, Basis: points.CSR(1<<22+1, []int{0, 1}, []int32{5}, []float64{1}),
			Coefficients: [][]float64{{1}}, Bias: []float64{0}},
	} {
		want := gram.Single
		if strings.HasSuffix(name, "float64") {
			want = gram.Double
		}
		var b bytes.Buffer
		if r, err := export.ONNX(t.Context(), &b, c, 0); err != nil || r.Precision != want || (r.Tried == 0) != (want == gram.Double) || r.Changed > 0 || b.Len() == 0 {
			t.Errorf("%s: %+v, %d bytes, error %v", name, r, b.Len(), err)
		}
	}
}

// What no graph can hold is refused, and nothing is written.
func TestONNXRefuses(t *testing.T) {
	stopped, stop := context.WithCancel(t.Context())
	stop()
	good := zscored(t, []float64{0}, []float64{1}).Contents
	infinite, huge := *good, *good
	infinite.Coefficients = [][]float64{slices.Repeat([]float64{math.Inf(1)}, good.Basis.Len())}
	huge.Basis = points.CSR(1<<30, []int{0, 0, 0, 0}, nil, nil)
	for _, c := range []struct {
		ctx       context.Context
		contents  *modelfile.Contents
		precision gram.Precision
		want      string
	}{
		{t.Context(), good, 16, "choose 32 or 64"}, {t.Context(), &infinite, gram.Double, "becomes +Inf"}, {t.Context(), &huge, 0, "2 GiB"}, {stopped, good, 0, "canceled"}, {stopped, good, gram.Double, "canceled"},
	} {
		var b bytes.Buffer
		if _, err := export.ONNX(c.ctx, &b, c.contents, c.precision); err == nil || !strings.Contains(err.Error(), c.want) || b.Len() > 0 {
			t.Errorf("precision %d: error %v, want %s, %d bytes", c.precision, err, c.want, b.Len())
		}
	}
}

// Declared shapes and types, column names, and constants' names are there.
func TestONNXDeclarations(t *testing.T) {
	e := examples(t)["gaussian zscore 3"]
	e.Features = []string{"a", "b", "c", "d", "e", "f", "g, \"quoted\""}
	m := decode(t, onnx(t, "declared", e.Contents, gram.Double))
	if got := m.declared; got["points"] != "11[N 7]" || got["scores"] != "11[N 4]" || got["label"] != "8[N]" || got["probabilities"] != "11[N 4]" || len(got) != 4 {
		t.Errorf("declared %v", got)
	}
	if m.metadata["features"] != `["a","b","c","d","e","f","g, \"quoted\""]` || len(m.operators) != 1 || m.operators[""] != 13 {
		t.Errorf("metadata %q, operator sets %v", m.metadata, m.operators)
	}
	m = decode(t, onnx(t, "declared", examples(t)["linear none 7"].Contents, gram.Single))
	if got := m.declared; got["points"] != "1[N 7]" || got["scores"] != "1[N 1]" || len(got) != 3 {
		t.Errorf("one class: declared %v", got)
	}
}
