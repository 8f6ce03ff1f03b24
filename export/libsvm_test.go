package export_test

import (
	"bytes"
	"fmt"
	"os/exec"
	"strconv"
	"strings"
	"testing"

	"lapsvm/export"
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
	values := libsvmValues(t)
	seen, largest := 0, 0.0
	for name, e := range examples(t) {
		if e.Scaling.Kind != "" && e.Scaling.Kind != points.AsIs {
			continue
		}
		seen++
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
		f, size := e.values()
		if len(labels) != len(f) {
			t.Fatalf("%s: %d labels of %d points", name, len(labels), len(f))
		}
		for i, row := range f {
			if want := libsvmLabel(e.Contents, row); labels[i] != want {
				t.Errorf("%s: point %d: label %s, want %s (%v)", name, i, labels[i], want, row)
			}
		}
		if values == nil {
			continue
		}
		for i, got := range values(t, model, data) {
			want := ofPairs(f[i])
			if len(got) != len(want) {
				t.Fatalf("%s: %d values of %d", name, len(got), len(want))
			}
			for k, v := range want {
				off := abs(got[k]-v) / largestOf(size[i])
				if largest = max(largest, off); !(off <= doubleTolerance) {
					t.Errorf("%s: point %d: value %v, want %v", name, i, got[k], v)
				}
			}
		}
	}
	if seen != 30 {
		t.Errorf("%d models were tried", seen)
	}
	if values == nil {
		t.Log("values were not compared: python3 with LIBSVM's svmutil is not there (Debian package python3-libsvm)")
		return
	}
	t.Logf("largest difference of values %.2g", largest)
}

// libsvmValues returns a function that has LIBSVM compute decision values, or
// nil where its Python interface is not there.
func libsvmValues(t *testing.T) func(t *testing.T, model, data string) [][]float64 {
	t.Helper()
	python := pythonWith("svmutil")
	if python == "" {
		return nil
	}
	return func(t *testing.T, model, data string) [][]float64 {
		t.Helper()
		script := `import sys, svmutil
y, x = svmutil.svm_read_problem(sys.argv[2])
for row in svmutil.svm_predict(y, x, svmutil.svm_load_model(sys.argv[1]), '-q')[2]:
    print(*map(repr, row))`
		out, err := exec.Command(python, "-c", script, model, data).Output()
		if err != nil {
			t.Fatal(err)
		}
		return numbers(t, string(out))
	}
}

// What LIBSVM's text cannot hold is refused with the reason.
func TestLIBSVMRefuses(t *testing.T) {
	for want, spoil := range map[string]func(c *modelfile.Contents){
		"standardisation (unit-norm)": func(c *modelfile.Contents) { c.Scaling.Kind = points.UnitNorm },
		`the class "red" is none`:     func(c *modelfile.Contents) { c.Classes = []string{"1", "red"} },
		`the class "1.5" is none`:     func(c *modelfile.Contents) { c.Classes = []string{"1", "1.5"} },
		`the class "1e10" is none`:    func(c *modelfile.Contents) { c.Classes = []string{"1", "1e10"} },
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
