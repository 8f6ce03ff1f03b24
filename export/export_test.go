package export_test

import (
	"bytes"
	"encoding/binary"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"lapsvm/calibrate"
	"lapsvm/export"
	"lapsvm/internal/machines/modelfile"
	"lapsvm/internal/machines/task"
	"lapsvm/kernel"
	"lapsvm/points"
)

// example is a model and points to try it on.
type example struct {
	*modelfile.Contents
	points *points.Points
}

func normal(rng *rand.Rand, n int, centre, width float64) []float64 {
	x := make([]float64, n)
	for i := range x {
		x[i] = centre + width*rng.NormFloat64()
	}
	return x
}

// sparse makes points of which about a third of the values are stored.
func sparse(rng *rand.Rand, n, d int) *points.Points {
	start, index := []int{0}, []int32(nil)
	for range n {
		for j := range d {
			if rng.IntN(3) == 0 {
				index = append(index, int32(j))
			}
		}
		start = append(start, len(index))
	}
	return points.CSR(d, start, index, normal(rng, len(index), 0, 1))
}

// examples have every kernel, standardisation and number of classes, dense and
// sparse bases; they are the same at every call.
func examples(t *testing.T) map[string]example {
	t.Helper()
	const n, d, tries = 40, 7, 60
	names := [][]string{nil, {"7"}, {"-1", "1"}, {"3", "4", "10", "25"}}
	all := make(map[string]example)
	for _, named := range []struct {
		name   string
		kernel kernel.Kernel
	}{
		{"gaussian", kernel.Gaussian{Sigma: 2}},
		{"linear", kernel.Linear{}},
		{"precomputed", kernel.Precomputed{}},
		{"quartic", kernel.Polynomial{Degree: 4, Gamma: 0.3, Coef0: 0.5}},
		{"septic", kernel.Polynomial{Degree: 7}},
		{"affine", kernel.Polynomial{Degree: 1, Coef0: 1}},
		{"laplacian", kernel.Laplacian{Sigma: 5}},
	} {
		for _, kind := range []points.Standardise{points.AsIs, points.UnitNorm, points.ZScore, points.MinMax, points.Columns, "sparse"} {
			for classes := 1; classes < len(names); classes++ {
				rng := rand.New(rand.NewPCG(uint64(len(all)), 5))
				machines := len(names[classes])
				if machines == 2 {
					machines = 1
				}
				c := &modelfile.Contents{Kernel: named.kernel, Kind: kindOf(classes), Classes: names[classes], Bias: normal(rng, machines, 0, 0.1)}
				for range machines {
					alpha := normal(rng, n, 0, 1)
					alpha[rng.IntN(n)] = 0
					c.Coefficients = append(c.Coefficients, alpha)
				}
				if classes != 1 {
					c.Calibration = &calibrate.Calibration{Slope: 0.7, HeldOut: 4}
				}
				e := example{Contents: c}
				if kind == "sparse" {
					c.Basis, e.points = sparse(rng, n, d), sparse(rng, tries, d)
				} else {
					training := points.Dense(n, d, normal(rng, n*d, 10, 3))
					if kind == points.AsIs {
						training = points.Dense(n, d, normal(rng, n*d, 0.5, 1))
					}
					if kind == points.Columns { // with long tails
						values := normal(rng, n*d, 10, 3)
						for i := range values {
							if i%d > 1 {
								values[i] = math.Exp(values[i] / 2)
							}
						}
						training = points.Dense(n, d, values)
					}
					var err error
					if c.Scaling, err = points.FitScaling(t.Context(), kind, training); err != nil {
						t.Fatal(err)
					}
					c.Basis = c.Scaling.Apply(training)
					other := normal(rng, tries*d, 10, 3)
					if kind == points.AsIs {
						other = normal(rng, tries*d, 0.5, 1)
					}
					if kind == points.Columns {
						for i := range other {
							if i%d > 1 {
								other[i] = math.Exp(other[i]/2) - 5
							}
						}
					}
					if kind == points.UnitNorm {
						clear(other[:d]) // a row of zeros stays
						for j := range d {
							other[d+j] *= 1e-30 // squares vanish in float32
						}
					}
					e.points = points.Dense(tries, d, other)
				}
				all[strings.Join([]string{named.name, string(kind), names[classes][0]}, " ")] = e
			}
		}
	}
	return all
}

// values computes f of every machine at every point, [point][machine], from the
// definition, and the sum of the sizes of its terms, which is what rounding
// errors are relative to.
func (e example) values() (f, size [][]float64) {
	x := e.Scaling.Apply(e.points)
	n, d := e.Basis.Len(), e.Basis.Dim()
	dots := make([]float64, n)
	a, b := make([]float64, d), make([]float64, d)
	for i := range x.Len() {
		x.CopyRow(a, i)
		for j := range n {
			e.Basis.CopyRow(b, j)
			dots[j] = 0
			for c := range a {
				dots[j] += a[c] * b[c]
			}
			switch k := e.Kernel.(type) {
			case kernel.Gaussian:
				dots[j] = math.Exp(-x.SquaredDistance(i, e.Basis, j) / (2 * k.Sigma * k.Sigma))
			case kernel.Laplacian:
				dots[j] = 0
				for c := range a {
					dots[j] += math.Abs(a[c] - b[c])
				}
				dots[j] = math.Exp(-dots[j] / k.Sigma)
			case kernel.Polynomial:
				gamma := k.Gamma
				if gamma == 0 {
					gamma = 1
				}
				dots[j] = math.Pow(gamma*dots[j]+k.Coef0, float64(k.Degree))
			}
		}
		row, sum := slices.Clone(e.Bias), make([]float64, len(e.Bias))
		for c, alpha := range e.Coefficients {
			for j, k := range dots {
				row[c] += alpha[j] * k
				sum[c] += math.Abs(alpha[j] * k)
			}
			sum[c] += math.Abs(e.Bias[c])
		}
		f, size = append(f, row), append(size, sum)
	}
	return f, size
}

// label is the class name that belongs to a row of values.
func label(c *modelfile.Contents, f []float64) string {
	switch {
	case len(f) > 1 && c.Kind == task.OfOrdered:
		return c.Classes[slices.IndexFunc(append(odds(c, f), 0), func(above float64) bool { return above <= 0 })]
	case len(f) > 1:
		best := 0
		for k := range f {
			if f[k] > f[best] {
				best = k
			}
		}
		return c.Classes[best]
	case c.Kind == task.OfOneClass && f[0] > 0:
		return c.Classes[0]
	case c.Kind == task.OfOneClass:
		return ""
	case f[0] > 0:
		return c.Classes[1]
	}
	return c.Classes[0]
}

// odds are those of a point of ordered classes to lie above each class but the last, by probabilities of the slope 1 without a calibration: their
// logarithms, in units of decision values.
func odds(c *modelfile.Contents, f []float64) []float64 {
	slope := 1.0
	if c.Calibration != nil {
		slope = c.Calibration.Slope
	}
	together := func(f []float64) float64 {
		most, sum := slices.Max(f), 0.0
		for _, v := range f {
			sum += math.Exp(slope * (v - most))
		}
		return most + math.Log(sum)/slope
	}
	all := make([]float64, len(f)-1)
	for k := range all {
		all[k] = together(f[k+1:]) - together(f[:k+1])
	}
	return all
}

// proba is the probabilities of a row of values.
func proba(c *modelfile.Contents, f []float64) []float64 {
	if len(f) == 1 {
		f = []float64{-f[0], f[0]}
	}
	p := make([]float64, len(f))
	c.Calibration.Probabilities(p, f)
	return p
}

// results are what another tool makes of a model: rows after rows.
type results struct {
	Version       string
	Label         []string
	Labels        []float64 // of several classes of a point, 1 where it has one
	Scores        []float64
	Probabilities []float64
	Seconds       float64
}

// compare checks results against the definition: scores to within tolerance
// times the size of their terms, labels wherever scores that wrong cannot
// change them, and probabilities. It returns the largest difference of scores
// in that unit.
func (e example) compare(t *testing.T, name string, r results, tolerance float64) (largest float64) {
	t.Helper()
	f, size := e.values()
	m := len(e.Bias)
	if len(r.Scores) != m*len(f) || len(r.Label) != len(f) {
		t.Fatalf("%s: %d scores and %d labels of %d points and %d machines", name, len(r.Scores), len(r.Label), len(f), m)
	}
	sure := 0
	for i, row := range f {
		unit := slices.Max(size[i])
		for c, v := range row {
			off := math.Abs(v-r.Scores[i*m+c]) / unit
			if largest = max(largest, off); !(off <= tolerance) {
				t.Errorf("%s: point %d, machine %d: score %v, want %v, %.2g of its terms", name, i, c, r.Scores[i*m+c], v, off)
				return largest
			}
		}
		lead := math.Abs(row[0])
		if m > 1 {
			sorted := slices.Sorted(slices.Values(row))
			lead = sorted[m-1] - sorted[m-2]
		}
		if m > 1 && e.Kind == task.OfOrdered {
			lead = math.Inf(1)
			for _, above := range odds(e.Contents, row) {
				lead = min(lead, math.Abs(above)-1e-8)
			}
		}
		if lead > 2*tolerance*unit {
			sure++
			if want := label(e.Contents, row); r.Label[i] != want {
				t.Errorf("%s: point %d: label %q, want %q", name, i, r.Label[i], want)
			}
		}
		if e.Calibration == nil {
			continue
		}
		p := proba(e.Contents, row)
		if len(r.Probabilities) != len(p)*len(f) {
			t.Fatalf("%s: %d probabilities of %d points and %d classes", name, len(r.Probabilities), len(f), len(p))
		}
		for c, v := range p {
			if got := r.Probabilities[i*len(p)+c]; !(math.Abs(got-v) <= 2*tolerance*(1+unit)) {
				t.Errorf("%s: point %d, class %d: probability %v, want %v", name, i, c, got, v)
			}
		}
	}
	if 10*sure < 9*len(f) {
		t.Errorf("%s: only %d of %d labels can be compared", name, sure, len(f))
	}
	if e.Calibration == nil && len(r.Probabilities) > 0 {
		t.Errorf("%s: probabilities without a calibration", name)
	}
	return largest
}

// saved writes a file into the test's folder.
func saved(t *testing.T, name string, content []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, content, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// raw is the points as rows of float64.
func raw(p *points.Points) []byte {
	var b []byte
	row := make([]float64, p.Dim())
	for i := range p.Len() {
		p.CopyRow(row, i)
		for _, v := range row {
			b = binary.LittleEndian.AppendUint64(b, math.Float64bits(v))
		}
	}
	return b
}

// custom is a kernel of a program's own.
type custom struct{ kernel.Linear }

// A kernel that no format knows is refused, and nothing is written.
func TestOwnKernel(t *testing.T) {
	c := &modelfile.Contents{Kernel: custom{}, Classes: []string{"1", "2"}, Basis: points.Dense(1, 1, []float64{1}), Coefficients: [][]float64{{1}}, Bias: []float64{0}}
	var b bytes.Buffer
	_, onnx := export.ONNX(t.Context(), &b, c, 0)
	_, libsvm := export.LIBSVM(&b, c)
	for name, err := range map[string]error{"onnx": onnx, "libsvm": libsvm, "json": export.JSON(&b, c)} {
		if err == nil || !strings.Contains(err.Error(), "program's own") || b.Len() > 0 {
			t.Errorf("%s: error %v, %d bytes", name, err, b.Len())
		}
	}
}

func TestFormatOf(t *testing.T) {
	for path, want := range map[string]export.Format{
		"a/b.onnx": export.FormatONNX, "B.ONNX": export.FormatONNX, "m.libsvm": export.FormatLIBSVM, "m.model": export.FormatLIBSVM, "m.x.json": export.FormatJSON,
		"m": "", "onnx": "", "m.txt": "", "json/m.lapsvm": "",
	} {
		if got, err := export.FormatOf(path); got != want || (err == nil) != (want != "") {
			t.Errorf("%s: %q, error %v", path, got, err)
		}
	}
}

// kindOf returns the kind of label of so many classes, 0 for numbers.
func kindOf(classes int) task.Name {
	switch classes {
	case 0:
		return task.OfNumbers
	case 1:
		return task.OfOneClass
	}
	return task.OfClasses
}
