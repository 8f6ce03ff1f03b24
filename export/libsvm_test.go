package export_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os/exec"
	"strconv"
	"strings"
	"testing"

	"lapsvm/export"
	"lapsvm/kernel"
	"lapsvm/modelfile"
	"lapsvm/points"
)

// text is LIBSVM text of points, all with the label 0.
func text(p *points.Points) []byte {
	var b bytes.Buffer
	row := make([]float64, p.Dim())
	for i := range p.Len() {
		p.CopyRow(row, i)
		b.WriteByte('0')
		for j, v := range row {
			if v != 0 {
				fmt.Fprintf(&b, " %d:%s", j+1, strconv.FormatFloat(v, 'g', -1, 64))
			}
		}
		b.WriteByte('\n')
	}
	return b.Bytes()
}

// ofPairs turns rows of scores into what LIBSVM computes: the scores as they
// are for one machine, else the differences of all pairs.
func ofPairs(f []float64) []float64 {
	if len(f) == 1 {
		return f
	}
	var pairs []float64
	for a := range f {
		for b := a + 1; b < len(f); b++ {
			pairs = append(pairs, f[a]-f[b])
		}
	}
	return pairs
}

// libsvmLabel is what LIBSVM calls a class: 1 and −1 inside and outside of one.
func libsvmLabel(c *modelfile.Contents, f []float64) string {
	switch name := label(c, f); {
	case c.OneClass && name == "":
		return "-1"
	case c.OneClass:
		return "1"
	default:
		return name
	}
}

// svm-predict gives the labels of the definition, and LIBSVM's library its
// values.
func TestLIBSVM(t *testing.T) {
	predict, err := exec.LookPath("svm-predict")
	if err != nil {
		t.Skip("svm-predict is not installed (Debian package libsvm-tools)")
	}
	var names, files []string
	for name, e := range examples(t) {
		if e.Scaling.Kind != "" && e.Scaling.Kind != points.AsIs || e.Kernel.Kind().Name == "laplacian" {
			continue
		}
		var b bytes.Buffer
		if err := export.LIBSVM(&b, e.Contents); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		model, data := saved(t, "m.model", b.Bytes()), saved(t, "points", text(e.points))
		out := saved(t, "out", nil)
		if message, err := exec.Command(predict, data, model, out).CombinedOutput(); err != nil {
			t.Fatalf("%s: svm-predict: %v\n%s", name, err, message)
		}
		labels := strings.Fields(read(t, out))
		f, _ := e.values()
		if len(labels) != len(f) {
			t.Fatalf("%s: %d labels of %d points", name, len(labels), len(f))
		}
		for i, row := range f {
			if want := libsvmLabel(e.Contents, row); labels[i] != want {
				t.Errorf("%s: point %d: label %s, want %s (%v)", name, i, labels[i], want, row)
			}
		}
		names, files = append(names, name), append(files, model, data)
	}
	if len(names) != 36 {
		t.Errorf("%d models were tried", len(names))
	}
	largest, all := 0.0, examples(t)
	for m, rows := range libsvmValues(t, files...) {
		f, size := all[names[m]].values()
		for i, got := range rows {
			want := ofPairs(f[i])
			if len(got) != len(want) || len(rows) != len(f) {
				t.Fatalf("%s: %d values of %d, %d rows of %d", names[m], len(got), len(want), len(rows), len(f))
			}
			for k, v := range want {
				off := abs(got[k]-v) / largestOf(size[i])
				if largest = max(largest, off); !(off <= doubleTolerance) {
					t.Errorf("%s: point %d: value %v, want %v", names[m], i, got[k], v)
				}
			}
		}
	}
	t.Logf("largest difference of values %.2g", largest)
}

// libsvmValues has LIBSVM compute decision values: files are models, each
// followed by its points, and the answers [model][point][pair]. The test is
// skipped where its Python interface is not there.
func libsvmValues(t *testing.T, files ...string) [][][]float64 {
	t.Helper()
	python := pythonWith("svmutil")
	if python == "" {
		t.Skip("only labels are compared: python3 with LIBSVM's svmutil is not there (Debian package python3-libsvm)")
	}
	script := `import json, sys, svmutil
def values(model, data):
    y, x = svmutil.svm_read_problem(data)
    return [list(row) for row in svmutil.svm_predict(y, x, svmutil.svm_load_model(model), '-q')[2]]
print(json.dumps([values(*pair) for pair in zip(sys.argv[1::2], sys.argv[2::2])]))`
	out, err := exec.Command(python, append([]string{"-c", script}, files...)...).Output()
	if err != nil {
		t.Fatal(err)
	}
	var all [][][]float64
	if err := json.Unmarshal(out, &all); err != nil {
		t.Fatal(err)
	}
	if len(all) != len(files)/2 {
		t.Fatalf("values of %d models of %d", len(all), len(files)/2)
	}
	return all
}

// What LIBSVM's text cannot hold is refused with the reason.
func TestLIBSVMRefuses(t *testing.T) {
	for want, spoil := range map[string]func(c *modelfile.Contents){
		"standardisation (unit-norm)": func(c *modelfile.Contents) { c.Scaling.Kind = points.UnitNorm },
		`the class "red" is none`:     func(c *modelfile.Contents) { c.Classes = []string{"1", "red"} },
		`the class "1.5" is none`:     func(c *modelfile.Contents) { c.Classes = []string{"1", "1.5"} },
		`the class "1e10" is none`:    func(c *modelfile.Contents) { c.Classes = []string{"1", "1e10"} },
		"no kernel like laplacian":    func(c *modelfile.Contents) { c.Kernel = kernel.Laplacian{Sigma: 1} },
		"the same number 1":           func(c *modelfile.Contents) { c.Classes = []string{"1", "1.0"} },
	} {
		c := *examples(t)["gaussian none -1"].Contents
		spoil(&c)
		var b bytes.Buffer
		if err := export.LIBSVM(&b, &c); err == nil || !strings.Contains(err.Error(), want) || b.Len() > 0 {
			t.Errorf("%s: error %v, %d bytes", want, err, b.Len())
		}
	}
}

// A text of too many pairs of classes is refused before it is begun.
func TestLIBSVMTooManyClasses(t *testing.T) {
	const classes = 200_000
	c := &modelfile.Contents{Kernel: kernel.Linear{}, Basis: points.Dense(1, 1, []float64{1}), Bias: make([]float64, classes)}
	for k := range classes {
		c.Classes = append(c.Classes, strconv.Itoa(k))
		c.Coefficients = append(c.Coefficients, []float64{0})
	}
	var b bytes.Buffer
	if err := export.LIBSVM(&b, c); err == nil || !strings.Contains(err.Error(), "200000 classes") || b.Len() > 0 {
		t.Errorf("%d bytes, error %v", b.Len(), err)
	}
}

// stopping fails after some bytes.
type stopping struct{ left int }

var errStopped = errors.New("stopped")

func (w *stopping) Write(b []byte) (int, error) {
	if w.left -= len(b); w.left < 0 {
		return 0, errStopped
	}
	return len(b), nil
}

// Writing ends with the first error of the writer.
func TestLIBSVMStops(t *testing.T) {
	const classes = 300
	c := &modelfile.Contents{Kernel: kernel.Linear{}, Basis: points.Dense(1, 1, []float64{1}), Bias: make([]float64, classes)}
	for k := range classes {
		c.Classes = append(c.Classes, strconv.Itoa(k))
		c.Coefficients = append(c.Coefficients, []float64{1})
	}
	for _, after := range []int{0, 10_000, 100_000} {
		if err := export.LIBSVM(&stopping{after}, c); !errors.Is(err, errStopped) {
			t.Errorf("after %d bytes: error %v", after, err)
		}
	}
}
