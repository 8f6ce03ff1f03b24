package export_test

import (
	"bytes"
	"encoding/json"
	"io"
	"math"
	"slices"
	"strings"
	"testing"

	"lapsvm/export"
	"lapsvm/internal/machines/modelfile"
	"lapsvm/kernel"
	"lapsvm/points"
)

// scaledByColumns is a model of columns scaled each by what it is.
func scaledByColumns(t *testing.T, longTails bool) *modelfile.Contents {
	t.Helper()
	const n = 200
	values := make([]float64, 2*n)
	for i := range n {
		values[2*i], values[2*i+1] = float64(i%7), float64(i%2)
		if longTails {
			values[2*i] = math.Exp(float64(i) / 20)
		}
	}
	p := points.Dense(n, 2, values)
	s, err := points.FitScaling(t.Context(), points.Columns, p)
	if err != nil {
		t.Fatal(err)
	}
	return &modelfile.Contents{Kernel: kernel.Gaussian{Sigma: 1}, Scaling: s, Basis: s.Apply(p), Coefficients: [][]float64{make([]float64, n)}, Bias: []float64{1}, Classes: []string{"1", "2"}}
}

func TestColumnsToOtherTools(t *testing.T) {
	for _, longTails := range []bool{false, true} {
		c := scaledByColumns(t, longTails)
		var b bytes.Buffer
		if err := export.JSON(&b, c); err != nil {
			t.Fatal(err)
		}
		var got struct {
			Version int
			Scaling struct {
				Kind                         string
				Shift, Factor, Centre, Width []float64
			}
		}
		if err := json.Unmarshal(b.Bytes(), &got); err != nil || got.Version != 3 || got.Scaling.Kind != "columns" {
			t.Errorf("%+v, %v", got, err)
		}
		s := got.Scaling
		if !slices.Equal(s.Shift, c.Scaling.Shift) || !slices.Equal(s.Factor, c.Scaling.Factor) || !slices.Equal(s.Centre, c.Scaling.Centre) || !slices.Equal(s.Width, c.Scaling.Width) {
			t.Errorf("%+v comes back as %+v", c.Scaling, s)
		}
		if _, err := export.LIBSVM(io.Discard, c); (err != nil) != longTails || err != nil && !strings.Contains(err.Error(), "standardisation (columns)") {
			t.Errorf("LIBSVM, long tails %v: %v", longTails, err)
		}
	}
}
