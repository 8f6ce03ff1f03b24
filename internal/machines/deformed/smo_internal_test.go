package deformed

import (
	"slices"
	"testing"

	"lapsvm/internal/numbers/objective"
)

// One move of the dual solves problems of one and two labels. The cases cover
// the bounds ½c_i, the steps, the bias and left-out labels.
func TestDualOfTwo(t *testing.T) {
	for _, c := range []struct {
		name   string
		kernel []float64
		bias   []float64
		y, c   []float64
		out    []bool
		a      []float64
		b      float64
		steps  int
	}{
		{"one label, at its bound", []float64{1}, nil, []float64{-1}, nil, nil, []float64{-0.5}, 0, 1},
		{"one label, free", []float64{4}, nil, []float64{1}, nil, nil, []float64{0.25}, 0, 1},
		{"one label, of weight 3", []float64{0.5}, nil, []float64{1}, []float64{3}, nil, []float64{1.5}, 0, 1},
		{"two labels, at their bounds", []float64{1, 0, 0, 1}, []float64{1, 1}, []float64{1, -1}, nil, nil, []float64{0.5, -0.5}, 0, 1},
		{"two labels, free", []float64{8, 0, 0, 8}, []float64{1, 1}, []float64{1, -1}, nil, nil, []float64{0.125, -0.125}, 0, 1},
		{"one of two left out, with a bias", []float64{8, 0, 0, 8}, []float64{1, 1}, []float64{1, -1}, nil, []bool{false, true}, []float64{0, 0}, 1, 0},
		{"one of two left out, without", []float64{8, 0, 0, 8}, nil, []float64{1, -1}, nil, []bool{false, true}, []float64{0.125, 0}, 0, 1},
	} {
		m := &Machine{Problem: &Problem{Kernel: c.kernel, Bias: c.bias}, Loss: objective.Hinge, Targets: c.y, Weights: c.c}
		p := m.smo(t.Context(), c.out)
		if !p.Converged || p.Steps != c.steps || !slices.Equal(p.A, c.a) || p.B != c.b {
			t.Errorf("%s: a = %v, b = %v after %d steps (converged %v), want %v and %v after %d", c.name, p.A, p.B, p.Steps, p.Converged, c.a, c.b, c.steps)
		}
	}
}
