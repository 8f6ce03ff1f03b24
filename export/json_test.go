package export_test

import (
	"bytes"
	"encoding/json"
	"math"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"lapsvm/export"
	"lapsvm/internal/machines/task"
	"lapsvm/points"
)

func abs(v float64) float64 { return math.Abs(v) }

func largestOf(x []float64) float64 { return slices.Max(x) }

func read(t *testing.T, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// pythonWith returns a Python that has a module, or "".
func pythonWith(module string) string {
	for _, python := range []string{"python3", "/usr/bin/python3"} {
		if exec.Command(python, "-c", "import "+module).Run() == nil {
			return python
		}
	}
	return ""
}

// loader is the NumPy program of docs/export.md: the model, and what describes points.
func loader(t *testing.T) string {
	t.Helper()
	parts := strings.Split(read(t, "../docs/export.md"), "```python\n")
	program := ""
	for _, part := range parts[1:] {
		block, _, found := strings.Cut(part, "```\n")
		if lines := strings.Count(block, "\n"); !found || lines < 10 || lines > 80 {
			t.Fatalf("docs/export.md has a part of the loader of %d lines", lines)
		}
		program += block
	}
	if len(parts) != 3 {
		t.Fatalf("docs/export.md has a loader in %d parts", len(parts)-1)
	}
	return program
}

// numPy runs jobs with the loader of docs/export.md; the test is skipped where
// NumPy is not there.
func numPy(t *testing.T, jobs []job) []results {
	t.Helper()
	program := loader(t) + `
import sys
for job in json.load(open(sys.argv[1])):
    model = Model(job["model"])
    x, p, s, label = np.fromfile(job["points"]).reshape(-1, job["d"]), [], [], []
    for part in np.split(x, range(1000, len(x), 1000)):
        s += model.scores(part).ravel().tolist()
        label += map(str, model.predict(part))
        if model.calibration or model.each:
            p += model.probabilities(part).ravel().tolist()
    print(json.dumps({"label": label, "scores": s, "probabilities": p}))
`
	python := pythonWith("numpy")
	if python == "" {
		t.Skip("python3 with numpy is not there (Debian package python3-numpy)")
	}
	file, err := json.Marshal(jobs)
	if err != nil {
		t.Fatal(err)
	}
	var out, stderr bytes.Buffer
	command := exec.Command(python, saved(t, "loader.py", []byte(program)), saved(t, "jobs.json", file))
	command.Stdout, command.Stderr = &out, &stderr
	if err := command.Run(); err != nil {
		t.Fatalf("%v\n%s", err, stderr.String())
	}
	all := make([]results, len(jobs))
	decoder := json.NewDecoder(&out)
	for k := range all {
		if err := decoder.Decode(&all[k]); err != nil {
			t.Fatal(err)
		}
	}
	return all
}

// The documented loader computes every model as the definition does.
func TestNumPyLoader(t *testing.T) {
	var jobs []job
	var all []example
	var names []string
	for name, e := range examples(t) {
		var b bytes.Buffer
		if err := export.JSON(&b, e.Contents); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		jobs = append(jobs, job{Model: saved(t, "m.json", b.Bytes()), Points: saved(t, "points", raw(e.points)), D: e.Basis.Dim()})
		all, names = append(all, e), append(names, name)
	}
	largest, got := 0.0, numPy(t, jobs)
	for k, e := range all {
		largest = max(largest, e.compare(t, names[k], got[k], doubleTolerance))
	}
	t.Logf("largest difference %.2g", largest)
}

// Every number comes back with all its bits, and every part is there.
func TestJSON(t *testing.T) {
	for name, e := range examples(t) {
		e.Features, e.Label = []string{"a", "b", "<c>", "d", "e", "f", "g"}, "class"
		var b bytes.Buffer
		if err := export.JSON(&b, e.Contents); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		var got struct {
			Format            string
			Version           int
			Kernel            struct{ Name string }
			Scaling           struct{ Shift, Factor, Centre, Width []float64 }
			Classes, Features []string
			Label             string
			OneClass          bool `json:"one_class"`
			Calibration       *struct{ Slope float64 }
			Bias              []float64
			Coefficients      [][]float64
			Basis             struct {
				Rows, Columns int
				Dense         [][]float64
				Start, Index  []int
				Value         []float64
			}
		}
		if err := json.Unmarshal(b.Bytes(), &got); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		version := 1
		if name := got.Kernel.Name; name == "laplacian" || name == "precomputed" {
			version = 2 // readers of version 1 do not know it
		}
		if e.Scaling.Kind == points.Columns {
			version = 3
		}
		same := got.Format == "lapsvm-json" && got.Version == version && got.Kernel.Name == e.Kernel.Kind().Name && got.Label == "class" && got.OneClass == (e.Kind == task.OfOneClass) &&
			slices.Equal(got.Classes, e.Classes) && slices.Equal(got.Features, e.Features) && slices.Equal(got.Bias, e.Bias) &&
			slices.Equal(got.Scaling.Shift, e.Scaling.Shift) && slices.Equal(got.Scaling.Factor, e.Scaling.Factor) &&
			slices.Equal(got.Scaling.Centre, e.Scaling.Centre) && slices.Equal(got.Scaling.Width, e.Scaling.Width) &&
			(got.Calibration == nil) == (e.Calibration == nil) && (got.Calibration == nil || got.Calibration.Slope == e.Calibration.Slope) &&
			slices.EqualFunc(got.Coefficients, e.Coefficients, slices.Equal[[]float64]) &&
			got.Basis.Rows == e.Basis.Len() && got.Basis.Columns == e.Basis.Dim()
		if !same {
			t.Errorf("%s: came back as %+v", name, got)
		}
		for i := range e.Basis.Len() {
			want, row := make([]float64, e.Basis.Dim()), make([]float64, e.Basis.Dim())
			e.Basis.CopyRow(want, i)
			if got.Basis.Dense != nil {
				row = got.Basis.Dense[i]
			} else {
				for k := got.Basis.Start[i]; k < got.Basis.Start[i+1]; k++ {
					row[got.Basis.Index[k]] = got.Basis.Value[k]
				}
			}
			if !slices.Equal(row, want) {
				t.Errorf("%s: basis point %d is %v, want %v", name, i, row, want)
			}
		}
		if !strings.Contains(b.String(), `"<c>"`) {
			t.Errorf("%s: names are escaped", name)
		}
	}
}
