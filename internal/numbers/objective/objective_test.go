package objective_test

import (
	"context"
	"math"
	"testing"

	"lapsvm/internal/numbers/objective"
)

// matrix is a dense symmetric operator.
type matrix [][]float64

func (m matrix) Len() int { return len(m) }

func (m matrix) Mul(_ context.Context, dst, src [][]float64) error {
	for c := range src {
		for i, row := range m {
			dst[c][i] = 0
			for j, v := range row {
				dst[c][i] += v * src[c][j]
			}
		}
	}
	return nil
}

func TestValidate(t *testing.T) {
	good := func() *objective.Problem {
		return &objective.Problem{K: matrix{{1, 0}, {0, 1}}, L: matrix{{1, -1}, {-1, 1}}, Labelled: []int{0, 1},
			Targets: [][]float64{{1, -1}}, GammaA: 1, GammaI: 1}
	}
	if err := good().Validate(); err != nil {
		t.Fatal(err)
	}
	numbers := good()
	numbers.Loss, numbers.Targets = objective.Huber, [][]float64{{0, -3.5}, {objective.LeftOut(), 2}}
	if err := numbers.Validate(); err != nil {
		t.Fatal(err)
	}
	for name, spoil := range map[string]func(p *objective.Problem){
		"no labels":        func(p *objective.Problem) { p.Labelled, p.Targets[0] = nil, nil },
		"gamma-a":          func(p *objective.Problem) { p.GammaA = 0 },
		"gamma-a NaN":      func(p *objective.Problem) { p.GammaA = math.NaN() },
		"gamma-i":          func(p *objective.Problem) { p.GammaI = -1 },
		"no graph":         func(p *objective.Problem) { p.L = nil },
		"sizes":            func(p *objective.Problem) { p.L = matrix{{1}} },
		"loss":             func(p *objective.Problem) { p.Loss = "log" },
		"one class":        func(p *objective.Problem) { p.OneClass = true },
		"one class, bias":  func(p *objective.Problem) { p.OneClass, p.Bias = true, objective.NoBias },
		"number of weight": func(p *objective.Problem) { p.Weights = []float64{1} },
		"weight":           func(p *objective.Problem) { p.Weights = []float64{1, 0} },
		"target":           func(p *objective.Problem) { p.Targets[0][0] = 2 },
		"no number":        func(p *objective.Problem) { p.Loss, p.Targets[0][0] = objective.Squared, math.Inf(1) },
		"number, class": func(p *objective.Problem) {
			p.Loss, p.OneClass, p.Targets[0] = objective.Squared, true, []float64{1, 2}
		},
		"targets":          func(p *objective.Problem) { p.Targets[0] = p.Targets[0][:1] },
		"beyond the last":  func(p *objective.Problem) { p.Labelled[1] = 2 },
		"before the first": func(p *objective.Problem) { p.Labelled[0] = -1 },
		"twice":            func(p *objective.Problem) { p.Labelled[1] = 0 },
		"beyond all ranks": func(p *objective.Problem) { p.All, p.Labelled[1] = 5, 5 },
		"no columns":       func(p *objective.Problem) { p.Targets = nil },
	} {
		p := good()
		spoil(p)
		if p.Validate() == nil {
			t.Errorf("%s: no error", name)
		}
	}
}
