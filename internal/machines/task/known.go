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
	// decided wrongly of a label of several, the distance of ranks of ordered classes, and |y − f| for a number. It is NaN where an answer is not known.
	Wrong(k int, outputs []float64) float64
	// Worst returns the largest that Wrong may be: 1, of ordered classes the number of ranks less one, and of numbers infinity.
	Worst() float64
	// Error returns the error of some labels by the outputs [machine][at] at these. It is the percentage of classes or answers that are wrong. Ordered
	// classes have the mean distance of ranks, and numbers the root of the mean square in the unit of the table. What is not known does not count. It is NaN of no label.
	Error(labels []int, outputs [][]float64) float64
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
