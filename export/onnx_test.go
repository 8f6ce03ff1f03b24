package export_test

import (
	"bytes"
	"encoding/json"
	"math"
	"math/rand/v2"
	"os/exec"
	"strings"
	"testing"

	"lapsvm/calibrate"
	"lapsvm/export"
	"lapsvm/gram"
	"lapsvm/kernel"
	"lapsvm/modelfile"
	"lapsvm/points"
)

// onnx is the file of a model.
func onnx(t *testing.T, name string, c *modelfile.Contents, precision gram.Precision) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := export.ONNX(&b, c, precision); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return b.Bytes()
}

// job is a model, points to run it on, and the precision of its numbers.
type job struct {
	Model  string `json:"model"`
	Points string `json:"points"`
	D      int    `json:"d"`
	Bits   int    `json:"bits"`
}

func newJob(t *testing.T, file []byte, p *points.Points, precision gram.Precision) job {
	t.Helper()
	return job{saved(t, "model.onnx", file), saved(t, "points", raw(p)), p.Dim(), int(precision)}
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
	if err := exec.Command("node", "-e", "require('onnxruntime-node')").Run(); err != nil {
		t.Skip("node with onnxruntime-node is not there (npm install onnxruntime-node, and NODE_PATH set to its node_modules)")
	}
}

// The tolerances, in units of the sizes of a score's terms.
const (
	singleTolerance = 0x1p-18 // 4e-6
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

// Points far from the origin: float64 keeps the kernel, float32 is refused
// where it would not, and so are values beyond it.
func TestONNXFloat32(t *testing.T) {
	basis := points.Dense(3, 2, []float64{1e6, 2e6, 1e6 + 1, 2e6, 1e6, 2e6 + 2})
	far := func() *modelfile.Contents {
		return &modelfile.Contents{Kernel: kernel.Gaussian{Sigma: 1}, Basis: basis, Classes: []string{"a", "b"},
			Coefficients: [][]float64{{1, -2, 0.5}}, Bias: []float64{0.1}, Calibration: &calibrate.Calibration{Slope: 1}}
	}
	e := example{far(), basis}
	e.compare(t, "far, double", decode(t, onnx(t, "far", e.Contents, gram.Double)).run(t, basis), 1e-9)
	for name, spoil := range map[string]func(c *modelfile.Contents){
		"far from the origin": func(c *modelfile.Contents) {},
		"far apart":           func(c *modelfile.Contents) { c.Basis = points.Dense(3, 2, []float64{-20, 0, 20, 0, 0, 0}) },
		"far before scaling": func(c *modelfile.Contents) {
			c.Kernel, c.Basis = kernel.Linear{}, points.Dense(3, 2, make([]float64, 6))
			c.Scaling = points.Scaling{Kind: points.ZScore, Shift: []float64{1e6, 0}, Factor: []float64{1, 1}}
		},
		"weight beyond float32": func(c *modelfile.Contents) {
			c.Kernel, c.Basis = kernel.Linear{}, points.Dense(3, 2, []float64{0, 0, 1e39, 0, 0, 0})
		},
	} {
		c := far()
		spoil(c)
		var b bytes.Buffer
		if err := export.ONNX(&b, c, gram.Single); err == nil || !strings.Contains(err.Error(), "take precision 64") || b.Len() > 0 {
			t.Errorf("%s: error %v, %d bytes", name, err, b.Len())
		}
		if err := export.ONNX(&b, c, gram.Double); err != nil {
			t.Errorf("%s, double: %v", name, err)
		}
	}
	c := far()
	c.Coefficients[0][0] = math.Inf(1)
	for _, precision := range []gram.Precision{gram.Double, 16} {
		if err := export.ONNX(&bytes.Buffer{}, c, precision); err == nil {
			t.Errorf("precision %d: no error for infinity or the precision", precision)
		}
	}
	// 2 GiB are refused before they are laid out.
	c = far()
	c.Basis = points.CSR(1<<30, []int{0, 0, 0, 0}, nil, nil)
	if err := export.ONNX(&bytes.Buffer{}, c, 0); err == nil || !strings.Contains(err.Error(), "2 GiB") {
		t.Errorf("a huge basis: error %v", err)
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
	if m.metadata["features"] != `["a","b","c","d","e","f","g, \"quoted\""]` || m.operators != 13 {
		t.Errorf("metadata %q, operator set %d", m.metadata, m.operators)
	}
	m = decode(t, onnx(t, "declared", examples(t)["linear none 7"].Contents, 0))
	if got := m.declared; got["points"] != "1[N 7]" || got["scores"] != "1[N 1]" || len(got) != 3 {
		t.Errorf("one class: declared %v", got)
	}
}
