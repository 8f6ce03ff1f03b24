package selection

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"lapsvm/dataset"
	"lapsvm/internal/machines/task"
	"lapsvm/internal/machines/train"
	"lapsvm/points"
)

// Outputs that differ by rounding alone decide for the first class. Else a machine that knows nothing is right by rounding.
func TestWrongOfTies(t *testing.T) {
	three := &task.Task{Class: []int{0, 1, 2, 2}, Classes: []string{"a", "b", "c"}}
	two := &task.Task{Class: []int{0, 1, 1}, Classes: []string{"a", "b"}}
	for _, c := range []struct {
		task    *task.Task
		outputs [][]float64
		want    []float64
	}{
		{three, [][]float64{{-0.3, -0.3, -0.3, -0.3}, {-0.3 - 1e-12, -0.3 + 1e-12, -0.3, -0.3}, {-0.3, -0.3, -0.3 + 1e-11, -0.3 + 1e-8}}, []float64{0, 1, 1, 0}},
		{two, [][]float64{{-1e-12, 1e-12, 1e-8}}, []float64{0, 1, 0}},
	} {
		h := hold(c.task)
		labels := []int{0, 1, 2, 3}[:len(c.task.Class)]
		if got := h.wrong(c.outputs, labels); !slices.Equal(got, c.want) {
			t.Errorf("%d classes: %v are wrong, want %v", len(c.task.Classes), got, c.want)
		}
	}
}

// Losses at the best scale are those of the formula. Neither a factor of all outputs nor a summand of a label's outputs changes
// them. Outputs that say nothing lose what the targets are. Perfect outputs lose nothing.
func TestLossesAtBestScale(t *testing.T) {
	const classes = 12
	of := &task.Task{Class: slices.Repeat([]int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}, 2)}
	for class := range classes {
		of.Classes = append(of.Classes, string(rune('a'+class)))
	}
	h := newHeldOut(of, nil, "")
	h.scaled = true
	random := rand.New(rand.NewPCG(3, 4))
	outputs, moved, targets, flat := make([][]float64, classes), make([][]float64, classes), make([][]float64, classes), make([][]float64, classes)
	summand := make([]float64, len(of.Class))
	for k := range summand {
		summand[k] = random.NormFloat64()
	}
	for machine := range classes {
		for k, class := range of.Class {
			target := of.Coding().Target(machine, class)
			f := target + 2*random.NormFloat64()
			outputs[machine], moved[machine] = append(outputs[machine], f), append(moved[machine], 0.01*f+summand[k])
			targets[machine], flat[machine] = append(targets[machine], target), append(flat[machine], -0.9)
		}
	}
	want, nothing := h.losses(outputs, h.count), 4*(1-1./classes) // of one target 2 − 2/C and the others −2/C
	for k, got := range h.losses(moved, h.count) {
		if math.Abs(got-want[k]) > 1e-9 {
			t.Errorf("label %d loses %v, and %v by another scale", k, want[k], got)
		}
	}
	for k, got := range h.losses(flat, h.count) {
		if math.Abs(got-nothing) > 1e-9 {
			t.Errorf("label %d loses %v by outputs that say nothing, want %v", k, got, nothing)
		}
	}
	if got := mean(h.losses(targets, h.count)); got > 1e-9 {
		t.Errorf("perfect outputs lose %v", got)
	}
	if got := mean(want); !(got > 0 && got < nothing) {
		t.Errorf("noisy outputs lose %v", got)
	}
	for machine, values := range outputs {
		for k := range values {
			outputs[machine][k] = -targets[machine][k]
		}
	}
	if got := mean(h.losses(outputs, h.count)); math.Abs(got-nothing) > 1e-9 {
		t.Errorf("wrong outputs lose %v, want %v, as no scale is negative", got, nothing)
	}
}

// The best scale is for many points of several machines.
func TestWhereLossesAreScaled(t *testing.T) {
	for _, classes := range []int{2, 3} {
		random := rand.New(rand.NewPCG(5, 5))
		d := &dataset.Dataset{}
		var values []float64
		for class := range classes {
			d.Classes = append(d.Classes, string(rune('a'+class)))
		}
		for i := range 300 {
			d.Y = append(d.Y, dataset.Unlabelled)
			if i < 2*classes {
				d.Y[i] = i % classes
			}
			values = append(values, float64(i%classes)+0.1*random.NormFloat64(), random.NormFloat64())
		}
		d.Points = points.Dense(len(d.Y), 2, values)
		few, many := comparisonOn(t, d, train.Recipe{}, train.Run{}, 200, 0), comparisonOn(t, d, train.Recipe{}, train.Run{}, 200, 50)
		if few.held.scaled || many.held.scaled != (classes > 2) {
			t.Errorf("%d classes: scaled on few points %v, on many %v", classes, few.held.scaled, many.held.scaled)
		}
	}
}
