package task

import "math"

// Known is labels that are held against outputs of machines which do not see them: the labels of a task, or those of
// validation points. Errors of labels are counted here and nowhere else.
type Known interface {
	// Len returns the number of labels.
	Len() int
	// Target returns what a machine is to say of label k: −1 or +1, or a number in the unit of the task. It is NaN where that is not known.
	Target(machine, k int) float64
	// Loss returns what the output f of a machine loses at label k: the squared hinge max(0, 1 − y·f)², and of numbers (y − f)². An
	// output whose target is not known loses NaN.
	Loss(machine, k int, f float64) float64
	// Wrong returns how wrong the outputs of all machines are at label k: 1 or 0 for a class, the share of the classes that are
	// decided wrongly of a label of several, and |y − f| for a number. It is NaN where an answer is not known.
	Wrong(k int, outputs []float64) float64
	// Error returns the error of some labels by the outputs [machine][at] at these: how many classes or answers are wrong, in percent, or of
	// numbers the root of the mean square in the unit of the table. What is not known does not count. It is NaN of no label.
	Error(labels []int, outputs [][]float64) float64
}

// Known returns the labels of the task.
func (t *Task) Known() Known {
	switch {
	case t.Values != nil:
		return Numbered{t.Values, t.Unit}
	case t.Answers != nil:
		return answered(t.Answers)
	}
	return t.Classed(t.Class)
}

// Classed returns labels that are each one of the classes of the task, −1 for a class that it does not know.
func (t *Task) Classed(class []int) Known { return classed{t.Coding(), class} }

// classed is labels that are each one class.
type classed struct {
	coding Coding
	class  []int
}

func (c classed) Len() int { return len(c.class) }

func (c classed) Target(machine, k int) float64 { return c.coding.Target(machine, c.class[k]) }

func (c classed) Loss(machine, k int, f float64) float64 { return hinge(c.Target(machine, k), f) }

func (c classed) Wrong(k int, outputs []float64) float64 {
	if c.coding.decide(outputs, tied) != c.class[k] {
		return 1
	}
	return 0
}

func (c classed) Error(labels []int, outputs [][]float64) float64 {
	sum := 0.0
	for _, wrong := range Errors(c, labels, outputs) {
		sum += wrong
	}
	return 100 * sum / float64(len(labels))
}

// answered is labels of several classes, [class][label], as [Task].Answers.
type answered [][]float64

func (a answered) Len() int { return len(a[0]) }

func (a answered) Target(machine, k int) float64 { return a[machine][k] }

func (a answered) Loss(machine, k int, f float64) float64 { return hinge(a[machine][k], f) }

func (a answered) Wrong(k int, outputs []float64) (share float64) {
	for class, f := range outputs {
		switch answer := a[class][k]; {
		case math.IsNaN(answer):
			return math.NaN()
		case f > 0 != (answer > 0):
			share += 1 / float64(len(outputs))
		}
	}
	return share
}

func (a answered) Error(labels []int, outputs [][]float64) float64 {
	wrong, known := 0, 0
	for class, answers := range a {
		for at, k := range labels {
			if math.IsNaN(answers[k]) {
				continue
			}
			if known++; outputs[class][at] > 0 != (answers[k] > 0) {
				wrong++
			}
		}
	}
	return 100 * float64(wrong) / float64(known)
}

// Numbered is labels that are numbers.
type Numbered struct {
	Values []float64 // in the unit
	Unit   Unit
}

func (n Numbered) Len() int { return len(n.Values) }

func (n Numbered) Target(_, k int) float64 { return n.Values[k] }

func (n Numbered) Loss(_, k int, f float64) float64 {
	e := n.Values[k] - f
	return e * e
}

func (n Numbered) Wrong(k int, outputs []float64) float64 { return math.Abs(n.Values[k] - outputs[0]) }

func (n Numbered) Error(labels []int, outputs [][]float64) float64 {
	square := 0.0
	for _, e := range Errors(n, labels, outputs) {
		square += e * e / float64(len(labels))
	}
	if len(labels) == 0 {
		return math.NaN()
	}
	return n.Unit.Scale * math.Sqrt(square)
}

// hinge is the squared hinge of an output.
func hinge(target, f float64) float64 {
	e := math.Max(0, 1-target*f)
	return e * e
}

// Errors returns [Known.Wrong] of some labels by outputs [machine][at] at these.
func Errors(known Known, labels []int, outputs [][]float64) []float64 {
	wrong, row := make([]float64, len(labels)), make([]float64, len(outputs))
	for at, k := range labels {
		for machine := range outputs {
			row[machine] = outputs[machine][at]
		}
		wrong[at] = known.Wrong(k, row)
	}
	return wrong
}
