package selection

import (
	"math"

	"lapsvm/internal/machines/task"
	"lapsvm/internal/machines/train"
	"lapsvm/internal/numbers/objective"
	"lapsvm/internal/numbers/vec"
	"lapsvm/internal/system/fault"
	"lapsvm/points"
)

// heldOut is labels that machines are measured by which do not see them: those of validation
// points, or those of a task, each left out in turn.
type heldOut struct {
	task.Known
	name       string
	task       *task.Task
	criterion  train.Criterion   // of numbers
	weights    objective.Weights // of the labels beside the mean of all: what an error costs there counts in the choice as it does in the training
	count      []int             // the labels that count
	validation *points.Points    // nil for the labels of the task
	blocks     []block
	scaled     bool // losses are those of outputs at their best scale; there are several machines, and no numbers
}

// errNoneHeldOut is the error where no label can be held out.
var errNoneHeldOut = fault.FewLabels.Errorf("fewer than two classes have two labels, so that none can be held out: label more points, or give validation points")

// newHeldOut returns the labels of validation points, or those of the task where v is nil. It
// returns nil where none can be held out.
func newHeldOut(t *task.Task, v *train.Validation, by train.Criterion) *heldOut {
	h := hold(t)
	h.count, h.criterion = t.Repeated(), by
	if v != nil {
		h.name, h.Known, h.validation = "validation points", v.Known, v.Points
		h.count = make([]int, v.Known.Len())
		for k := range h.count {
			h.count[k] = k
		}
		h.weights = nil
	}
	if len(h.count) == 0 {
		return nil
	}
	h.divide()
	return h
}

// hold returns the labels of a task, each left out in turn, of which none counts yet.
func hold(t *task.Task) *heldOut {
	h := &heldOut{Known: t.Known(), name: "leave-one-out", task: t}
	if len(t.Weights) > 0 {
		each := mean(t.Weights)
		for _, w := range t.Weights {
			h.weights = append(h.weights, w/each)
		}
	}
	return h
}

// numbers reports whether the labels are numbers.
func (h *heldOut) numbers() bool { return kindOf(h.task.Kind).functions }

// tells reports whether label k tells a machine anything.
func (h *heldOut) tells(k int) bool {
	for machine := range h.task.Coding().Machines() {
		if !math.IsNaN(h.Target(machine, k)) {
			return true
		}
	}
	return false
}

// loss is what an output for label k loses by the criterion, times the weight of the label. Where the label tells the machine nothing, nothing is lost.
func (h *heldOut) loss(machine, k int, output float64) float64 {
	if math.IsNaN(h.Target(machine, k)) {
		return 0
	}
	return h.weights.At(k) * h.criterion.LossOf(h.Known, machine, k, output)
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
			t[machine], o[machine] = h.Target(machine, k), outputs[machine][k]
		}
		for _, x := range [][]float64{t, o} {
			middle := mean(x)
			for machine := range x {
				x[machine] -= middle
			}
		}
		products += h.weights.At(k) * vec.Dot(t, o)
		squares += h.weights.At(k) * vec.Dot(o, o)
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
			losses[at] += h.weights.At(k) * e * e
		}
	}
	return losses
}

// wrong returns [task.Known.Wrong] of some labels by outputs [machine][at] at these.
func (h *heldOut) wrong(outputs [][]float64, labels []int) []float64 {
	return task.Errors(h.Known, labels, outputs)
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
