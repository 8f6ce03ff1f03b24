// Package task holds what the labels of points ask of a training: classes,
// targets, weights, and labels that are held out. It knows no points, so that
// many tasks can share one geometry. A changed label makes a new task and
// nothing else.
package task

import (
	"fmt"

	"lapsvm/dataset"
)

// Task is a classification of n points of which some are labelled, by one class or by several at once, or a regression. It must not
// be changed once it is in use.
type Task struct {
	Points   int         // n
	Classes  []string    // those with a labelled point, sorted; none of a regression
	Labelled []int       // the labelled points, ascending
	Class    []int       // of each of these, an index into Classes; 0 of a regression, and with Answers
	Values   []float64   // of each of these, its number in the unit, of a regression; else nil
	Unit     Unit        // of the numbers
	Answers  [][]float64 // [class][of each of these] 1 where it has the class, −1 where it has not, NaN where that is unknown; nil where a point has one class
	Weights  []float64   // c of each of these, positive; nil means 1
}

// New returns the task of the labels of d, whose rows are the points. Classes
// of d without a labelled row are left out of it. It fails without a labelled
// row, and for weights that do not fit.
func New(d *dataset.Dataset) (*Task, error) {
	if err := d.CheckWeights(); err != nil {
		return nil, err
	}
	labels := make([]bool, len(d.Classes))
	for _, y := range d.Y {
		if y != dataset.Unlabelled {
			labels[y] = true
		}
	}
	t := &Task{Points: len(d.Y)}
	index := make([]int, len(d.Classes))
	for c, name := range d.Classes {
		if labels[c] {
			index[c] = len(t.Classes)
			t.Classes = append(t.Classes, name)
		}
	}
	if len(t.Classes) == 0 {
		return nil, fmt.Errorf("no point is labelled: label at least one point of every class")
	}
	for i, y := range d.Y {
		if y == dataset.Unlabelled {
			continue
		}
		t.Labelled, t.Class = append(t.Labelled, i), append(t.Class, index[y])
		if d.Weights != nil {
			t.Weights = append(t.Weights, d.Weights[i])
		}
	}
	return t, nil
}

// Alone returns the task of the labelled points without the others, which it
// numbers anew in their order.
func (t *Task) Alone() *Task {
	alone := *t
	alone.Points, alone.Labelled = len(t.Labelled), make([]int, len(t.Labelled))
	for k := range alone.Labelled {
		alone.Labelled[k] = k
	}
	return &alone
}

// Weighted returns the task with the weights of its labels multiplied by the costs
// of their classes, which are positive.
func (t *Task) Weighted(cost []float64) *Task {
	weighted := *t
	weighted.Weights = make([]float64, len(t.Class))
	for k, class := range t.Class {
		weighted.Weights[k] = cost[class]
		if t.Weights != nil {
			weighted.Weights[k] *= t.Weights[k]
		}
	}
	return &weighted
}

// Coding returns the code of the task's classes.
func (t *Task) Coding() Coding {
	if t.Answers != nil {
		return SeveralOf(len(t.Classes))
	}
	return Coding(len(t.Classes))
}

// Targets returns y of every labelled point for every machine,
// [machine][labelled point]: −1 or +1, or the numbers of a regression. NaN is a class that is not known of the point.
func (t *Task) Targets() [][]float64 {
	if t.Answers != nil {
		return t.Answers
	}
	if t.Values != nil {
		return [][]float64{t.Values}
	}
	targets := make([][]float64, t.Coding().Machines())
	for machine := range targets {
		targets[machine] = make([]float64, len(t.Class))
		for k, class := range t.Class {
			targets[machine][k] = t.Coding().Target(machine, class)
		}
	}
	return targets
}

// Groups returns how many groups of labels there are that are held out, drawn and counted each for
// itself: the classes. The numbers of a regression are a single one, and so are labels of several classes.
func (t *Task) Groups() int {
	if t.Answers != nil {
		return 1
	}
	return max(1, len(t.Classes))
}

// Labels returns the class of every point, dataset.Unlabelled without one. Numbers are a class, 0.
func (t *Task) Labels() []int {
	y := make([]int, t.Points)
	for i := range y {
		y[i] = dataset.Unlabelled
	}
	for k, i := range t.Labelled {
		y[i] = t.Class[k]
	}
	return y
}

// Unlabelled returns the points without a label, ascending.
func (t *Task) Unlabelled() []int {
	var open []int
	for i, y := range t.Labels() {
		if y == dataset.Unlabelled {
			open = append(open, i)
		}
	}
	return open
}

// Recode returns the task's class of class indices into names; −1 for a class
// that the task does not know.
func (t *Task) Recode(y []int, names []string) []int {
	class := make([]int, len(y))
	for k, c := range y {
		class[k] = dataset.FindClass(t.Classes, names[c])
	}
	return class
}

// Subset returns the task of some of the points, ascending, with those of their
// labels that keep lets through; labelled points go by their number among these.
// Classes that lose all labels are left out.
func (t *Task) Subset(points []int, keep func(k int) bool) *Task {
	at := make(map[int]int, len(points))
	for position, i := range points {
		at[i] = position
	}
	s := &Task{Points: len(points), Unit: t.Unit}
	renumber := make([]int, t.Groups())
	var kept []int
	for k, i := range t.Labelled {
		if _, among := at[i]; among && keep(k) {
			kept = append(kept, k)
			renumber[t.Class[k]]++
		}
	}
	for c, count := range renumber {
		if count > 0 && t.Values == nil && t.Answers == nil {
			renumber[c] = len(s.Classes)
			s.Classes = append(s.Classes, t.Classes[c])
		}
	}
	if t.Values != nil {
		renumber[0], s.Values = 0, make([]float64, 0, len(kept))
	}
	if t.Answers != nil {
		renumber[0], s.Classes, s.Answers = 0, t.Classes, make([][]float64, len(t.Answers))
		for class, answers := range t.Answers {
			for _, k := range kept {
				s.Answers[class] = append(s.Answers[class], answers[k])
			}
		}
	}
	for _, k := range kept {
		if t.Values != nil {
			s.Values = append(s.Values, t.Values[k])
		}
		s.Labelled, s.Class = append(s.Labelled, at[t.Labelled[k]]), append(s.Class, renumber[t.Class[k]])
		if t.Weights != nil {
			s.Weights = append(s.Weights, t.Weights[k])
		}
	}
	return s
}
