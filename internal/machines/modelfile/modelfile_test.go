package modelfile_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"lapsvm/calibrate"
	"lapsvm/dataset"
	"lapsvm/internal/machines/drift"
	"lapsvm/internal/machines/modelfile"
	"lapsvm/internal/machines/task"
	"lapsvm/kernel"
	"lapsvm/points"
)

// values draws n numbers, among them those that text would not keep.
func values(rng *rand.Rand, n int) []float64 {
	special := []float64{math.Copysign(0, -1), 5e-324, math.MaxFloat64, -math.MaxFloat64, 0.1, 1.0 / 3}
	x := make([]float64, n)
	for i := range x {
		if x[i] = rng.NormFloat64(); rng.IntN(3) == 0 {
			x[i] = special[rng.IntN(len(special))]
		}
	}
	return x
}

// encoding has a column of every kind and five features.
func encoding() *dataset.Encoding {
	return &dataset.Encoding{Named: true, Columns: []dataset.Column{
		{Name: "größe", Kind: dataset.Number, Missing: 3, Fill: math.Copysign(0, -1), Low: -1.0 / 3, High: 1e300},
		{Name: "צבע", Kind: dataset.Category, Values: []string{"dark\r\n\"red\"", "\u2028"}},
		{Name: "", Kind: dataset.ID},
		{Name: "x", Kind: dataset.Dropped, Reason: "it is constant", Missing: 1},
		{Name: "yes", Kind: dataset.Boolean, Fill: 1},
		{Name: "t", Kind: dataset.Text, Guessed: true, Words: []string{"naïve"}, IDF: []float64{math.Log(4.0/3) + 1}},
	}}
}

// examples are models of every kernel, scaling, storage and number of classes.
func examples() map[string]*modelfile.Contents {
	all := map[string]*modelfile.Contents{}
	rng := rand.New(rand.NewPCG(151, 1))
	const n, d = 3, 2
	for _, k := range []kernel.Kernel{kernel.Linear{}, kernel.Precomputed{}, kernel.Distances{Sigma: 2}, kernel.Gaussian{Sigma: 0.1}, kernel.Laplacian{Sigma: 0.7}, kernel.Polynomial{Degree: 3, Gamma: 1}, kernel.Polynomial{Degree: 2, Gamma: 1.0 / 3, Coef0: 1e-300}} {
		for _, kind := range []points.Standardise{"", points.AsIs, points.UnitNorm, points.ZScore, points.MinMax, points.Columns} {
			for _, classes := range [][]string{{"Ja"}, {"no", "yes"}, {"", "Größe, \"<&>\"\n", "日本語 \u2028", "\x00", "🙂"}} {
				for _, sparse := range []bool{false, true} {
					c := &modelfile.Contents{Kernel: k, Classes: classes, Kind: kindOf(classes), Basis: points.Dense(n, d, values(rng, n*d))}
					c.Scaling.Kind = kind
					if kind == points.ZScore || kind == points.MinMax || kind == points.Columns {
						c.Scaling.Shift, c.Scaling.Factor = values(rng, d), values(rng, d)
					}
					if kind == points.Columns {
						c.Scaling.Centre, c.Scaling.Width = values(rng, d), []float64{0, 5e-324}
					}
					if sparse {
						c.Basis = points.CSR(5, []int{0, 2, 2, 3}, []int32{1, 4, 0}, values(rng, 3))
						if c.Scaling.Shift != nil {
							c.Scaling.Shift, c.Scaling.Factor = values(rng, 5), values(rng, 5)
						}
						if kind == points.Columns {
							c.Scaling.Centre, c.Scaling.Width = values(rng, 5), []float64{0, 1, 2, 0, 1.0 / 3}
						}
					}
					machines := len(classes)
					if machines == 5 && !sparse && kind == points.ZScore {
						c.Kind, machines = task.OfOrdered, 4
					}
					if machines == 2 {
						if kind == points.MinMax {
							c.Kind = task.OfOrdered
						}
						machines = 1
						c.Label = "höher?"
						for j := range c.Basis.Dim() {
							c.Features = append(c.Features, fmt.Sprintf("x%d µm", j))
						}
						if sparse {
							c.Encoding = encoding()
							c.Features = c.Encoding.Features()
						}
						c.Recipe = json.RawMessage(`{"gamma_a":0.1}`)
						c.Training = json.RawMessage(`[1,null,"\u003c"]`)
						c.Profile = &drift.Profile{Points: 9, Columns: []drift.Column{{Feature: drift.WholeRow, Deciles: [11]float64{-1.0 / 3, 0, 0, 0, 0, 0, 0, 0, 0, 0.1, 1e300}}},
							Rows: drift.NewRows(drift.Distance, []float64{0.1, 5e-324}), Classes: []int{0, 9}}
						c.Calibration = &calibrate.Calibration{Slope: 1.0 / 3, HeldOut: 3, Own: append(make([][]float64, len(c.Classes)-1), []float64{0, 1.0 / 3, 1})}
						c.Origin = &modelfile.Origin{Rows: []int{0, 4, 9}, Class: []int{-1, 1, 0}}
					}
					if machines > 2 {
						c.Calibration = &calibrate.Calibration{Slope: 5e-324}
						c.Origin = &modelfile.Origin{Rows: []int{0, 1, 2}, Class: []int{-1, -1, -1}}
						if sparse {
							c.Origin.Class, c.Origin.Answers = []int{0, -1, 0}, []string{"+-?+-", "", "-----"}
							c.Kind, c.Calibration, c.Each = task.OfSeveral, nil, &calibrate.Each{Slope: []float64{1.0 / 3, 5e-324, 1, 2, 3}, Offset: []float64{0, -1.0 / 3, 7, 1, 0}, Threshold: []float64{0.5, 1.0 / 3, 0.1, 0.2, 0.3}, HeldOut: 3,
								Has: [][]float64{{0.1, 0.2}, {1.0 / 3}, nil, {1}, nil}, Lacks: [][]float64{{5e-324}, {0.1, 1}, {0.5, 0.5, 0.5}, nil, nil}}
						}
					}
					for range machines {
						c.Coefficients = append(c.Coefficients, values(rng, n))
					}
					c.Bias = values(rng, machines)
					if machines > 2 && kind == points.UnitNorm {
						c.Attachment = &modelfile.Attachment{}
						if sparse {
							c.Attachment.Names = []string{"p\u20281", "Größe"}
						}
						for range machines {
							c.Attachment.Values = append(c.Attachment.Values, values(rng, 2))
						}
					}
					if c.Calibration != nil && machines == 1 {
						for range machines {
							c.LabelShares = append(c.LabelShares, values(rng, n*len(c.Origin.Labelled())))
						}
					}
					all[fmt.Sprintf("%v, %q, %d classes, sparse %v", k, kind, len(classes), sparse)] = c
				}
			}
		}
	}
	return all
}

func write(t testing.TB, c *modelfile.Contents) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := modelfile.Write(&b, c); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func read(t testing.TB, b []byte) *modelfile.Contents {
	t.Helper()
	c, err := modelfile.Read(bytes.NewReader(b))
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// What is written comes back, to the last bit, and gives the same file again.
func TestWriteReadWrite(t *testing.T) {
	for name, c := range examples() {
		file := write(t, c)
		got := read(t, file)
		if !reflect.DeepEqual(got, c) {
			t.Errorf("%s: came back as\n%+v\nnot\n%+v", name, got, c)
		}
		if !bytes.Equal(write(t, got), file) { // −0 included
			t.Errorf("%s: another file after reading", name)
		}
	}
}

// A model of many blocks of the writer and the reader.
func TestLargeModel(t *testing.T) {
	rng := rand.New(rand.NewPCG(152, 1))
	const n, d = 3000, 40
	start, index := []int{0}, []int32(nil)
	for range n {
		for j := range d {
			if rng.IntN(2) == 0 {
				index = append(index, int32(j))
			}
		}
		start = append(start, len(index))
	}
	for name, basis := range map[string]*points.Points{
		"dense":  points.Dense(n, d, values(rng, n*d)),
		"sparse": points.CSR(d, start, index, values(rng, len(index))),
	} {
		c := &modelfile.Contents{Kernel: kernel.Linear{}, Kind: task.OfClasses, Basis: basis, Classes: []string{"a", "b"}, Coefficients: [][]float64{values(rng, n)}, Bias: []float64{1}}
		if !reflect.DeepEqual(read(t, write(t, c)), c) {
			t.Errorf("%s: came back as something else", name)
		}
	}
}

// custom is a kernel of a program's own.
type custom struct{ kernel.Linear }

func TestWriteErrors(t *testing.T) {
	good := func() *modelfile.Contents {
		return &modelfile.Contents{Kernel: kernel.Gaussian{Sigma: 1}, Basis: points.Dense(2, 1, []float64{1, 2}), Classes: []string{"a", "b"},
			Coefficients: [][]float64{{1, 2}}, Bias: []float64{0}}
	}
	write(t, good())
	for name, spoil := range map[string]func(c *modelfile.Contents){
		"kernel of its own":  func(c *modelfile.Contents) { c.Kernel = custom{} },
		"kernel parameter":   func(c *modelfile.Contents) { c.Kernel = kernel.Gaussian{} },
		"calibrated numbers": func(c *modelfile.Contents) { c.Classes, c.Calibration = nil, &calibrate.Calibration{Slope: 1} },
		"several machines":   func(c *modelfile.Contents) { c.Kind = task.OfSeveral },
		"each of one class": func(c *modelfile.Contents) {
			c.Each = &calibrate.Each{Slope: []float64{1}, Offset: []float64{0}, Threshold: []float64{0.5}}
		},
		"one class, not said": func(c *modelfile.Contents) { c.Classes = c.Classes[:1] },
		"one class of two":    func(c *modelfile.Contents) { c.Kind = task.OfOneClass },
		"machines":            func(c *modelfile.Contents) { c.Classes = []string{"a", "b", "c"} },
		"biases":              func(c *modelfile.Contents) { c.Coefficients = nil },
		"coefficients":        func(c *modelfile.Contents) { c.Coefficients[0] = []float64{1} },
		"no basis points":     func(c *modelfile.Contents) { c.Basis, c.Coefficients[0] = points.Dense(0, 1, nil), nil },
		"feature names":       func(c *modelfile.Contents) { c.Features = []string{"x", "y"} },
		"scaling":             func(c *modelfile.Contents) { c.Scaling.Kind = "log" },
		"scaling numbers":     func(c *modelfile.Contents) { c.Scaling.Kind = points.ZScore },
		"numbers, no scaling": func(c *modelfile.Contents) { c.Scaling.Shift, c.Scaling.Factor = []float64{1}, []float64{1} },
		"columns, no widths": func(c *modelfile.Contents) {
			c.Scaling.Kind, c.Scaling.Shift, c.Scaling.Factor = points.Columns, []float64{1}, []float64{1}
		},
		"joins, no outputs": func(c *modelfile.Contents) { c.Attachment = &modelfile.Attachment{Values: [][]float64{{}}} },
		"joins, machines":   func(c *modelfile.Contents) { c.Attachment = &modelfile.Attachment{Values: [][]float64{{1}, {1}}} },
		"joins, names": func(c *modelfile.Contents) {
			c.Attachment = &modelfile.Attachment{Names: []string{"a"}, Values: [][]float64{{1, 2}}}
		},
		"joins, infinite": func(c *modelfile.Contents) { c.Attachment = &modelfile.Attachment{Values: [][]float64{{math.Inf(1)}}} },
		"negative width": func(c *modelfile.Contents) {
			one := []float64{1}
			c.Scaling = points.Scaling{Kind: points.Columns, Shift: one, Factor: one, Centre: one, Width: []float64{-1}}
		},
		"class name in Latin":  func(c *modelfile.Contents) { c.Classes[1] = "caf\xe9" },
		"feature not in UTF-8": func(c *modelfile.Contents) { c.Features = []string{"\xff"} },
		"label not in UTF-8":   func(c *modelfile.Contents) { c.Label = "\xff" },
		"features, no encoding's": func(c *modelfile.Contents) {
			c.Features, c.Encoding = []string{"y"}, &dataset.Encoding{Columns: []dataset.Column{{Name: "x", Kind: dataset.Boolean}}}
		},
		"encoding": func(c *modelfile.Contents) {
			c.Features, c.Encoding = []string{"x"}, &dataset.Encoding{Columns: []dataset.Column{{Name: "x", Kind: dataset.Number}}}
		},
		"calibration": func(c *modelfile.Contents) { c.Calibration = &calibrate.Calibration{} },
		"calibration of one": func(c *modelfile.Contents) {
			c.Classes, c.Kind, c.Calibration = c.Classes[:1], task.OfOneClass, &calibrate.Calibration{Slope: 1}
		},
		"origin of fewer":     func(c *modelfile.Contents) { c.Origin = &modelfile.Origin{Rows: []int{0}, Class: []int{0}} },
		"shares of no labels": func(c *modelfile.Contents) { c.LabelShares = [][]float64{{}} },
		"shares of fewer": func(c *modelfile.Contents) {
			c.Origin = &modelfile.Origin{Rows: []int{0, 1}, Class: []int{0, -1}}
			c.LabelShares = [][]float64{{1}}
		},
		"origin descending": func(c *modelfile.Contents) { c.Origin = &modelfile.Origin{Rows: []int{1, 1}, Class: []int{0, 0}} },
		"origin's class":    func(c *modelfile.Contents) { c.Origin = &modelfile.Origin{Rows: []int{0, 1}, Class: []int{0, 2}} },
		"profile": func(c *modelfile.Contents) {
			c.Profile = &drift.Profile{Points: 1, Columns: []drift.Column{{Feature: 1}}}
		},
		"missing values": func(c *modelfile.Contents) {
			c.Profile = &drift.Profile{Points: 1, Missing: []int{0}, MissingOf: 1}
		},
		"recipe": func(c *modelfile.Contents) { c.Recipe = json.RawMessage(`{`) },
	} {
		c := good()
		spoil(c)
		var b bytes.Buffer
		if err := modelfile.Write(&b, c); err == nil {
			t.Errorf("%s: no error", name)
		} else if b.Len() > 0 {
			t.Errorf("%s: %d bytes were written before the error %v", name, b.Len(), err)
		}
	}
}

// failing takes some bytes, then fails.
type failing int

func (w *failing) Write(b []byte) (int, error) {
	if *w -= failing(len(b)); *w < 0 {
		return 0, errors.New("the disk is full")
	}
	return len(b), nil
}

func TestWriteReportsTheWriter(t *testing.T) {
	rng := rand.New(rand.NewPCG(153, 1))
	c := &modelfile.Contents{Kernel: kernel.Linear{}, Kind: task.OfClasses, Basis: points.Dense(5000, 10, values(rng, 50000)), Classes: []string{"a", "b"},
		Coefficients: [][]float64{values(rng, 5000)}, Bias: []float64{0}}
	size := len(write(t, c))
	for _, room := range []int{0, 100, 70000, size - 33, size - 1} {
		w := failing(room)
		if err := modelfile.Write(&w, c); err == nil || err.Error() != "the disk is full" {
			t.Errorf("room for %d of %d bytes: error %v", room, size, err)
		}
	}
}

func TestFiles(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "model.lapsvm")
	for name, c := range examples() {
		if err := modelfile.WriteFile(path, c); err != nil {
			t.Fatal(err)
		}
		got, err := modelfile.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(got, c) {
			t.Errorf("%s: came back from a file as something else", name)
		}
	}
	before, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := modelfile.WriteFile(path, &modelfile.Contents{Kernel: custom{}, Basis: points.Dense(1, 1, []float64{1})}); err == nil || !strings.Contains(err.Error(), path) {
		t.Errorf("writing a bad model: error %v", err)
	}
	if after, err := os.ReadFile(path); err != nil || !bytes.Equal(after, before) {
		t.Errorf("a failed write changed the file (error %v)", err)
	}

	if _, err := modelfile.ReadFile(folder); err == nil || !strings.Contains(err.Error(), "folder") || !strings.Contains(err.Error(), folder) {
		t.Errorf("reading a folder: error %v", err)
	}
	missing := filepath.Join(folder, "none")
	if _, err := modelfile.ReadFile(missing); !errors.Is(err, fs.ErrNotExist) || !strings.Contains(err.Error(), missing) {
		t.Errorf("reading what is not there: error %v", err)
	}
	other := filepath.Join(folder, "other.csv")
	if err := os.WriteFile(other, []byte("a,b\n1,2\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := modelfile.ReadFile(other); !errors.Is(err, modelfile.ErrNotModel) || !strings.Contains(err.Error(), other) {
		t.Errorf("reading a table: error %v", err)
	}
}

// kindOf returns the kind of label of some classes, none for numbers.
func kindOf(classes []string) task.Name {
	switch len(classes) {
	case 0:
		return task.OfNumbers
	case 1:
		return task.OfOneClass
	}
	return task.OfClasses
}
