package selection

import (
	"errors"
	"math"
	"slices"

	"lapsvm/internal/machines/task"
	"lapsvm/internal/machines/train"
	"lapsvm/internal/numbers/vec"
	"lapsvm/points"
)

// heldOut is labels that machines are measured by which do not see them: those of validation
// points, or those of a task, each left out in turn.
type heldOut struct {
	name       string
	task       *task.Task
	class      []int          // of every label, −1 for one that the task does not know
	values     []float64      // of every label, its number in the unit of the task, of a regression; else nil
	absolute   bool           // errors of numbers count as they are, not squared
	count      []int          // the labels that count
	validation *points.Points // nil for the labels of the task
	blocks     []block
	scaled     bool // losses are those of outputs at their best scale; there are several machines, and no numbers
}

// errNoneHeldOut is the error where no label can be held out.
var errNoneHeldOut = errors.New("fewer than two classes have two labels, so that none can be held out: label more points, or give validation points")

// newHeldOut returns the labels of validation points, or those of the task where v is nil. It
// returns nil where none can be held out.
func newHeldOut(t *task.Task, v *train.Validation, by train.Criterion) *heldOut {
	h := &heldOut{name: "leave-one-out", task: t, class: t.Class, values: t.Values, count: t.Repeated(), absolute: by == train.MeanAbsolute}
	if v != nil {
		h.name, h.class, h.values, h.count, h.validation = "validation points", v.Class, v.Values, nil, v.Points
		for k := range v.Class {
			h.count = append(h.count, k)
		}
	}
	if len(h.count) == 0 {
		return nil
	}
	h.divide()
	return h
}

// loss is the squared hinge of an output for label k, times its weight. For a number it is the squared
// or absolute error.
func (h *heldOut) loss(machine, k int, output float64) float64 {
	if h.values != nil {
		return h.weight(k) * h.cost(math.Abs(h.values[k]-output))
	}
	target := 0.0
	if h.task.Answers != nil {
		target = h.task.Answers[machine][k]
	} else {
		target = h.task.Coding().Target(machine, h.class[k])
	}
	e := math.Max(0, 1-target*output)
	return h.weight(k) * e * e
}

// cost is what an error of a number costs by the criterion.
func (h *heldOut) cost(e float64) float64 {
	if h.absolute {
		return e
	}
	return e * e
}

// weight is the weight of label k beside the mean of all: what an error costs there counts in the
// choice as it does in the training. Validation points have none.
func (h *heldOut) weight(k int) float64 {
	if h.validation != nil || len(h.task.Weights) == 0 {
		return 1
	}
	return h.task.Weights[k] / mean(h.task.Weights)
}

// losses returns the losses of the given labels by outputs [machine][label], summed over the
// machines.
func (h *heldOut) losses(outputs [][]float64, labels []int) []float64 {
	if h.scaled {
		return h.lossesAtBestScale(outputs, labels)
	}
	losses := make([]float64, len(labels))
	for machine, values := range outputs {
		for at, k := range labels {
			losses[at] += h.loss(machine, k, values[k])
		}
	}
	return losses
}

// lossesAtBestScale returns what is lost of the decision between classes, which neither a factor nor a summand
// common to all outputs of a label changes:
//
//	Σ_c (t_c − s o_c)²,   s = max(0, Σ t o / Σ o²)
//
// with targets t and outputs o less their means over the machines. Functions near −1 everywhere have a small hinge where
// classes are many. Here they lose as much as any that tell nothing.
func (h *heldOut) lossesAtBestScale(outputs [][]float64, labels []int) []float64 {
	targets, values := make([][]float64, len(labels)), make([][]float64, len(labels))
	var products, squares float64
	for at, k := range labels {
		t, o := make([]float64, len(outputs)), make([]float64, len(outputs))
		for machine := range outputs {
			t[machine], o[machine] = h.task.Coding().Target(machine, h.class[k]), outputs[machine][k]
		}
		for _, x := range [][]float64{t, o} {
			middle := mean(x)
			for machine := range x {
				x[machine] -= middle
			}
		}
		products += h.weight(k) * vec.Dot(t, o)
		squares += h.weight(k) * vec.Dot(o, o)
		targets[at], values[at] = t, o
	}
	scale := 0.0
	if products > 0 {
		scale = products / squares
	}
	losses := make([]float64, len(labels))
	for at, k := range labels {
		for machine, t := range targets[at] {
			e := t - scale*values[at][machine]
			losses[at] += h.weight(k) * e * e
		}
	}
	return losses
}

// wrong returns 1 for every one of some labels that outputs [machine][at] at these labels decide
// against, else 0. For numbers it returns |y − f|, for several classes the share of the classes that are decided wrongly.
func (h *heldOut) wrong(outputs [][]float64, labels []int) []float64 {
	wrong, row := make([]float64, len(labels)), make([]float64, len(outputs))
	for at, k := range labels {
		for machine := range outputs {
			row[machine] = outputs[machine][at]
		}
		switch {
		case h.values != nil:
			wrong[at] = math.Abs(h.values[k] - row[0])
		case h.task.Answers != nil:
			wrong[at] = wrongAnswers(row, h.task, k)
		case h.task.Coding().Decide(level(row)) != h.class[k]:
			wrong[at] = 1
		}
	}
	return wrong
}

// wrongAnswers returns the share of the classes that values decide wrongly of a label that lists several. It is NaN where an answer is
// not known.
func wrongAnswers(values []float64, t *task.Task, label int) (share float64) {
	for class, f := range values {
		switch answer := t.Answers[class][label]; {
		case math.IsNaN(answer):
			return math.NaN()
		case f > 0 != (answer > 0):
			share += 1 / float64(len(values))
		}
	}
	return share
}

// tied is a difference of outputs that rounding makes. Outputs at labels left out are computed from targets of magnitude 1, so that their
// rounding knows the class.
const tied = 1e-9

// level makes outputs equal that differ from the largest, or a single one from 0, by rounding alone. It changes them, and returns them.
func level(outputs []float64) []float64 {
	largest := slices.Max(outputs)
	if len(outputs) == 1 {
		largest = 0
	}
	for machine, f := range outputs {
		if math.Abs(f-largest) <= tied {
			outputs[machine] = largest
		}
	}
	return outputs
}

// errorOf returns the error of what [heldOut.wrong] returned: in percent, or of numbers the root of the mean square in
// the unit of the table.
func (h *heldOut) errorOf(wrong []float64) float64 {
	if h.values == nil {
		return 100 * mean(wrong)
	}
	return h.task.Unit.Scale * math.Sqrt(mean(squares(wrong)))
}

// outputsAt returns outputs [machine][at] of outputs [machine][label].
func outputsAt(outputs [][]float64, labels []int) [][]float64 {
	at := make([][]float64, len(outputs))
	for machine, values := range outputs {
		at[machine] = of(values, labels)
	}
	return at
}

// paired returns the mean of x − y and its standard error.
func paired(x, y []float64) (difference, standardError float64) {
	d := make([]float64, len(x))
	for i := range x {
		d[i] = x[i] - y[i]
	}
	difference = mean(d)
	if len(d) < 2 {
		return difference, 0
	}
	for _, v := range d {
		standardError += (v - difference) * (v - difference)
	}
	n := float64(len(d))
	return difference, math.Sqrt(standardError / (n - 1) / n)
}

// squares returns the squares of numbers.
func squares(x []float64) []float64 {
	all := make([]float64, len(x))
	for k, v := range x {
		all[k] = v * v
	}
	return all
}

func sum(x []float64) float64 {
	s := 0.0
	for _, v := range x {
		s += v
	}
	return s
}

func mean(x []float64) float64 { return sum(x) / float64(len(x)) }
