package export_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"testing"

	"lapsvm/export"
	"lapsvm/internal/machines/modelfile"
	"lapsvm/internal/machines/task"
	"lapsvm/kernel"
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
	case c.Kind == task.OfOneClass && name == "":
		return "-1"
	case c.Kind == task.OfOneClass:
		return "1"
	default:
		return name
	}
}

// libsvm is the file of a model and those beside it, by their endings.
func libsvm(t *testing.T, name string, c *modelfile.Contents) (file []byte, sides map[string]string) {
	t.Helper()
	var b bytes.Buffer
	all, err := export.LIBSVM(&b, c)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	sides = map[string]string{}
	for _, side := range all {
		sides[side.Ending] = string(side.Content)
	}
	return b.Bytes(), sides
}

// fitsLIBSVM reports whether LIBSVM can do what a model does.
func (e example) fitsLIBSVM() bool {
	return e.Scaling.Kind != points.UnitNorm && e.Scaling.Kind != points.Columns && e.Kernel.Kind().Name != "laplacian"
}

// svm-predict gives the labels of the formula, after svm-scale where a model needs it. LIBSVM's
// library gives the decision values of the formula.
func TestLIBSVM(t *testing.T) {
	predict, err := exec.LookPath("svm-predict")
	if err != nil {
		t.Skip("svm-predict is not installed (Debian package libsvm-tools)")
	}
	var names, files []string
	tried := map[bool]int{} // whether svm-scale was needed
	for name, e := range examples(t) {
		if !e.fitsLIBSVM() {
			continue
		}
		file, sides := libsvm(t, name, e.Contents)
		model, data := saved(t, "m.model", file), saved(t, "points", text(e.points))
		limits, scaled := sides[export.SideRange]
		tolerance := 0.0
		if scaled {
			if data = svmScale(t, limits, data); data == "" {
				continue
			}
			tolerance = 1e-4 // svm-scale writes six digits
		}
		out := saved(t, "out", nil)
		if message, err := exec.Command(predict, data, model, out).CombinedOutput(); err != nil {
			t.Fatalf("%s: svm-predict: %v\n%s", name, err, message)
		}
		e.compareLabels(t, name, strings.Fields(read(t, out)), tolerance)
		tried[scaled]++
		if !scaled {
			names, files = append(names, name), append(files, model, data)
		}
	}
	if tried[false] != 48 || tried[true] != 24 && tried[true] != 0 {
		t.Errorf("%v models were tried", tried)
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
				if largest = max(largest, off); !(off <= 100*doubleTolerance) {
					t.Errorf("%s: point %d: value %v, want %v", names[m], i, got[k], v)
				}
			}
		}
	}
	t.Logf("largest difference of values %.2g", largest)
}

// svmScale has svm-scale scale points; without the tool it returns "".
func svmScale(t *testing.T, limits, data string) string {
	t.Helper()
	scale, err := exec.LookPath("svm-scale")
	if err != nil {
		t.Log("svm-scale is not installed (Debian package libsvm-tools)")
		return ""
	}
	out, err := exec.Command(scale, "-r", saved(t, "m.range", []byte(limits)), data).Output()
	if err != nil {
		t.Fatal(err)
	}
	return saved(t, "scaled", out)
}

// compareLabels checks LIBSVM's labels, but where values that are off by tolerance
// times the sizes of their terms could change them.
func (e example) compareLabels(t *testing.T, name string, labels []string, tolerance float64) {
	t.Helper()
	f, size := e.values()
	if len(labels) != len(f) {
		t.Fatalf("%s: %d labels of %d points", name, len(labels), len(f))
	}
	sure := 0
	for i, row := range f {
		lead := abs(row[0])
		if len(row) > 1 {
			sorted := slices.Sorted(slices.Values(row))
			lead = sorted[len(row)-1] - sorted[len(row)-2]
		}
		if lead <= 2*tolerance*largestOf(size[i]) {
			continue
		}
		sure++
		if want := libsvmLabel(e.Contents, row); labels[i] != want {
			t.Errorf("%s: point %d: label %s, want %s (%v)", name, i, labels[i], want, row)
		}
	}
	if 10*sure < 9*len(f) {
		t.Errorf("%s: only %d of %d labels can be compared", name, sure, len(f))
	}
}

// The standardisation of a linear model is in its weights and its bias.
func TestLIBSVMFoldsLinear(t *testing.T) {
	for _, name := range []string{"linear zscore -1", "linear minmax -1"} {
		e := examples(t)[name]
		file, sides := libsvm(t, name, e.Contents)
		if len(sides) > 0 {
			t.Errorf("%s: files beside it: %v", name, sides)
		}
		head, vectors, _ := strings.Cut(string(file), "SV\n")
		var rho float64
		for line := range strings.Lines(head) {
			fmt.Sscanf(line, "rho %g", &rho)
		}
		f, size := e.values()
		row := make([]float64, e.points.Dim())
		for i := range e.points.Len() {
			e.points.CopyRow(row, i)
			got := -rho
			for line := range strings.Lines(vectors) {
				var a, product float64
				for k, field := range strings.Fields(line) {
					if k == 0 {
						fmt.Sscan(field, &a)
						continue
					}
					var column int
					var v float64
					fmt.Sscanf(field, "%d:%g", &column, &v)
					product += v * row[column-1]
				}
				got += a * product
			}
			if off := abs(got-f[i][0]) / size[i][0]; !(off <= 1e-12) {
				t.Fatalf("%s: point %d: %v, want %v", name, i, got, f[i][0])
			}
		}
	}
}

// What svm-scale is told takes every column to what the model does with it,
// constant columns to nothing.
func TestLIBSVMRange(t *testing.T) {
	c := *examples(t)["gaussian none -1"].Contents
	c.Scaling = points.Scaling{Kind: points.ZScore, Shift: []float64{2020, -1e-6, 1e9, 7, 0, 0.1, 3}, Factor: []float64{0.5, 1e6, 1, 0, 1e-6, 3, 1e-300}}
	_, sides := libsvm(t, "range", &c)
	lines := strings.Split(strings.TrimSpace(sides[export.SideRange]), "\n")
	if len(lines) != 2+7 || lines[0] != "x" || lines[1] != "0 1" {
		t.Fatalf("range %q", lines)
	}
	for j, line := range lines[2:] {
		var column int
		var low, high float64
		fmt.Sscan(line, &column, &low, &high)
		if column != j+1 {
			t.Errorf("line %q of column %d", line, j+1)
		}
		if factor := c.Scaling.Factor[j]; factor == 0 {
			if low != high {
				t.Errorf("a constant column from %v to %v", low, high)
			}
			continue
		}
		for _, v := range []float64{-3, 0, 1, 2.5} {
			x := c.Scaling.Shift[j] + v/c.Scaling.Factor[j]
			if got := (x - low) / (high - low); !(abs(got-v) <= 1e-6) {
				t.Errorf("column %d: %v becomes %v, want %v", column, x, got, v)
			}
		}
	}
}

// Classes that are no whole numbers are numbered, and a file beside the model's says
// what the numbers are.
func TestLIBSVMLabels(t *testing.T) {
	for want, names := range map[string][]string{
		"1\tno\n2\tyes, \"but\" late\n": {"no", "yes, \"but\" late"},
		"1\t1\n2\tred\n3\ttab\tred\n":   {"1", "red", "tab\tred"},
		"1\t1\n2\t1.0\n":                {"1", "1.0"},
		"3\t03\n4\t4\n":                 {"03", "4"},
		"1\t1\n2\t1e10\n":               {"1", "1e10"},
		"":                              {"-1", "1"},
	} {
		c := *examples(t)["gaussian none -1"].Contents
		if c.Classes = names; len(names) > 2 {
			c.Coefficients, c.Bias = slices.Repeat(c.Coefficients, 3), slices.Repeat(c.Bias, 3)
		}
		file, sides := libsvm(t, want, &c)
		if got := sides[export.SideLabels]; got != want {
			t.Errorf("classes %q: %q, want %q", names, got, want)
		}
		var numbers []string
		for line := range strings.Lines(want) {
			number, _, _ := strings.Cut(line, "\t")
			numbers = append(numbers, number)
		}
		if len(names) == 2 {
			slices.Reverse(numbers)
		}
		if line := "\nlabel " + strings.Join(numbers, " ") + "\n"; want != "" && !bytes.Contains(file, []byte(line)) {
			t.Errorf("classes %q: no line %q", names, line)
		}
	}
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
		"no kernel like laplacian":    func(c *modelfile.Contents) { c.Kernel = kernel.Laplacian{Sigma: 1} },
		"line break":                  func(c *modelfile.Contents) { c.Classes = []string{"1", "red\ngreen"} },
		"feature 2, whose spread": func(c *modelfile.Contents) {
			c.Scaling = points.Scaling{Kind: points.ZScore, Shift: []float64{0, 1e20, 0, 0, 0, 0, 0}, Factor: []float64{1, 1, 1, 1, 1, 1, 1}}
		},
	} {
		c := *examples(t)["gaussian none -1"].Contents
		spoil(&c)
		var b bytes.Buffer
		if _, err := export.LIBSVM(&b, &c); err == nil || !strings.Contains(err.Error(), want) || b.Len() > 0 {
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
	if _, err := export.LIBSVM(&b, c); err == nil || !strings.Contains(err.Error(), "200000 classes") || b.Len() > 0 {
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
		if _, err := export.LIBSVM(&stopping{after}, c); !errors.Is(err, errStopped) {
			t.Errorf("after %d bytes: error %v", after, err)
		}
	}
}
