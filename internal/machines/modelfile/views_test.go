package modelfile_test

import (
	"bytes"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"lapsvm/calibrate"
	"lapsvm/dataset"
	"lapsvm/internal/machines/modelfile"
	"lapsvm/internal/machines/task"
	"lapsvm/kernel"
	"lapsvm/points"
)

// mean returns a model of three views of two classes.
func mean() *modelfile.Contents {
	one := func(k kernel.Kernel, basis ...float64) *modelfile.Contents {
		return &modelfile.Contents{Kernel: k, Kind: task.OfClasses, Classes: []string{"no", "yes"}, Basis: points.Dense(len(basis)/2, 2, basis), Coefficients: [][]float64{basis[:len(basis)/2]}, Bias: []float64{0.1},
			Calibration: &calibrate.Calibration{Slope: 2, HeldOut: 3}}
	}
	c := one(kernel.Gaussian{Sigma: 1}, 1, 2, 3, 4)
	c.Views = []modelfile.View{{Weight: 0.25, Contents: one(kernel.Linear{}, 5, 6)}, {Weight: 1.0 / 3, Contents: one(kernel.Gaussian{Sigma: 3}, 1, 2, 5, 6, 7, 8)}}
	c.Views[1].Scaling.Kind = points.UnitNorm
	c.Mean = &calibrate.Calibration{Slope: 1, HeldOut: 3, Own: [][]float64{{0.5}, {0.25, 0.75}}}
	return c
}

// unfit tries models with changes that neither a writer nor a reader takes, by what the error says.
func unfit(t *testing.T, of func() *modelfile.Contents, changes map[string]func(c *modelfile.Contents)) {
	t.Helper()
	for says, change := range changes {
		c := of()
		change(c)
		var file bytes.Buffer
		err := modelfile.Write(&file, c)
		if err == nil {
			_, err = modelfile.Read(bytes.NewReader(file.Bytes()))
		}
		if err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%v does not say %q", err, says)
		}
	}
}

// The views of a mean come back as they were.
func TestViews(t *testing.T) {
	want := mean()
	got, err := modelfile.Read(bytes.NewReader(write(t, want)))
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(got.Mean, want.Mean) || len(got.Views) != 2 {
		t.Fatalf("%+v and %d views", got.Mean, len(got.Views))
	}
	for k, v := range got.Views {
		of := want.Views[k]
		if v.Weight != of.Weight || v.Kernel != of.Kernel || !reflect.DeepEqual(v.Coefficients, of.Coefficients) || v.Scaling.Kind != of.Scaling.Kind || !reflect.DeepEqual(v.Calibration, of.Calibration) || !reflect.DeepEqual(v.Basis.Squares(), of.Basis.Squares()) {
			t.Errorf("view %d is %+v, want %+v", k, v.Contents, of.Contents)
		}
	}
	if again := write(t, got); !bytes.Equal(again, write(t, want)) {
		t.Error("written again it is another file")
	}
}

// numbers returns a model of three views of numbers.
func numbers() *modelfile.Contents {
	c := mean()
	for _, v := range append(slices.Clone(c.Views), modelfile.View{Contents: c}) {
		v.Kind, v.Classes, v.Calibration = task.OfNumbers, nil, nil
	}
	c.Mean, c.Intervals = nil, &calibrate.Intervals{Residual: []float64{0.5, 2}}
	return c
}

// So do those of numbers, which have no probabilities. Intervals are those of the mean.
func TestViewsOfNumbers(t *testing.T) {
	want := numbers()
	got, err := modelfile.Read(bytes.NewReader(write(t, want)))
	if err != nil {
		t.Fatal(err)
	}
	if got.Mean != nil || len(got.Views) != 2 || got.Views[1].Weight != 1.0/3 || !reflect.DeepEqual(got.Intervals.Residual, want.Intervals.Residual) || !bytes.Equal(write(t, got), write(t, want)) {
		t.Errorf("%+v with %d views", got, len(got.Views))
	}
	unfit(t, numbers, map[string]func(c *modelfile.Contents){
		"without a calibration": func(c *modelfile.Contents) { c.Mean = &calibrate.Calibration{Slope: 1} },
		"intervals of one machine": func(c *modelfile.Contents) {
			c.Intervals = &calibrate.Intervals{Residual: []float64{1}, Machine: []int{0}, Bias: []float64{1}, Coefficients: [][]float64{{1, 2}}}
		},
		"view 1 has more": func(c *modelfile.Contents) { c.Views[0].Intervals = &calibrate.Intervals{Residual: []float64{1}} },
		"view 1 is of other labels": func(c *modelfile.Contents) {
			c.Views[0].Kind, c.Views[0].Classes, c.Views[0].Calibration = task.OfClasses, []string{"a", "b"}, c.Mean
		},
	})
}

// several returns a model of three views of several classes, of which each has probabilities of its own.
func several() *modelfile.Contents {
	c := mean()
	each := func(threshold float64) *calibrate.Each {
		return &calibrate.Each{Slope: []float64{2, 3}, Offset: []float64{0, -1}, Threshold: []float64{0.5, threshold}, HeldOut: 3, Has: [][]float64{{0.5}, {0.25, 0.75}}, Lacks: [][]float64{{0.5, 0.75}, {0.125}}}
	}
	for k, v := range append(slices.Clone(c.Views), modelfile.View{Contents: c}) {
		v.Kind, v.Calibration, v.Each = task.OfSeveral, nil, each(0.25+float64(k)/16)
		v.Bias, v.Coefficients = []float64{0.1, 0.2}, [][]float64{v.Coefficients[0], v.Coefficients[0]}
	}
	c.Mean, c.MeanEach = nil, each(0.125)
	return c
}

// So do those of several classes. Programs that know of other means alone refuse the file by the name of a part.
func TestViewsOfSeveral(t *testing.T) {
	want := several()
	file := write(t, want)
	got, err := modelfile.Read(bytes.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(got.MeanEach, want.MeanEach) || !reflect.DeepEqual(got.Each, want.Each) || got.Mean != nil || len(got.Views) != 2 || !reflect.DeepEqual(got.Views[1].Each, want.Views[1].Each) {
		t.Errorf("%+v with %d views", got, len(got.Views))
	}
	if !bytes.Equal(write(t, got), file) {
		t.Error("written again it is another file")
	}
	if !bytes.Contains(file, []byte(`{"name":"mean-each"}`)) || bytes.Contains(write(t, mean()), []byte("mean-each")) {
		t.Error("the part mean-each is not that of several classes alone")
	}
	unfit(t, several, map[string]func(c *modelfile.Contents){
		"without a calibration":     func(c *modelfile.Contents) { c.MeanEach = nil },
		"view 1 is of other labels": func(c *modelfile.Contents) { c.Views[0].Each = nil },
		"2 slopes":                  func(c *modelfile.Contents) { c.MeanEach.Offset = nil },
	})
}

// A mean whose parts do not fit together is neither written nor read.
func TestWrongViews(t *testing.T) {
	unfit(t, mean, map[string]func(c *modelfile.Contents){
		"a view of the weight 0":   func(c *modelfile.Contents) { c.Views[0].Weight = 0 },
		"a view of the weight NaN": func(c *modelfile.Contents) { c.Views[0].Weight = math.NaN() },
		"do not fit":               func(c *modelfile.Contents) { c.Views[0].Weight = 0.75 },
		"without a calibration":    func(c *modelfile.Contents) { c.Mean = nil },
		"has 3 columns of 2":       func(c *modelfile.Contents) { c.Views[0].Basis = points.Dense(1, 3, []float64{1, 2, 3}) },
		"other labels": func(c *modelfile.Contents) {
			c.Views[0].Classes = []string{"a", "b", "c"}
			c.Views[0].Bias = make([]float64, 3)
			c.Views[0].Coefficients = [][]float64{{1}, {1}, {1}}
		},
		"view 1 has more": func(c *modelfile.Contents) {
			c.Views[0].Encoding = &dataset.Encoding{Columns: []dataset.Column{{Name: "a", Kind: dataset.Number, High: 1}, {Name: "b", Kind: dataset.Number, High: 1}}}
			c.Views[0].Features = []string{"a", "b"}
		},
		"view 1 is of": func(c *modelfile.Contents) { c.Views[0].Calibration = nil },
	})
}
