// Package task holds what the labels of points ask of a training: classes,
// targets, weights, and labels that are held out. It knows no points, so that
// many tasks can share one geometry. A changed label makes a new task and
// nothing else.
package task

import (
	"lapsvm/dataset"
	"lapsvm/internal/numbers/objective"
)

// Task is a classification of n points of which some are labelled, by one class or by several at once, or a regression. It must not
// be changed once it is in use.
type Task struct {
	Kind     Kind              // of its labels
	Points   int               // n
	Classes  []string          // those with a labelled point, in the order of the data or of their ranks; none of a regression
	Labelled []int             // the labelled points, ascending
	Class    []int             // of each of these, an index into Classes; 0 of a regression, and with Answers
	Values   []float64         // of each of these, its number in the unit, of a regression; else nil
	Unit     Unit              // of the numbers
	Answers  [][]float64       // [class][of each of these] 1 where it has the class, −1 where it has not, NaN where that is unknown; nil where a point has one class
	Weights  objective.Weights // c of each of these, positive
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
		weighted.Weights[k] = cost[class] * t.Weights.At(k)
	}
	return &weighted
}

// Known returns the labels of the task.
func (t *Task) Known() Known { return t.Kind.of().known(t) }

// KnownOf returns the labels of other rows, which are all labelled, by the classes or the unit of the task. It fails for labels that are not of
// its kind. It fails for several classes too, as other rows may have others.
func (t *Task) KnownOf(d *dataset.Dataset) (Known, error) { return t.Kind.of().knownOf(t, d) }

// Check reports a task that a training does not take.
func (t *Task) Check() error { return t.Kind.of().check(t) }

// UnlabelledClasses returns the classes of d, whose labels are those of the task, that are left out for want of a label.
func (t *Task) UnlabelledClasses(d *dataset.Dataset) []string { return t.Kind.of().unlabelled(t, d) }

// Coding returns the code of the task's classes.
func (t *Task) Coding() OutputCoding { return t.Kind.Coding(len(t.Classes)) }

// Targets returns y of every labelled point for every machine,
// [machine][labelled point]: −1 or +1, or the numbers of a regression. NaN is a class that is not known of the point.
func (t *Task) Targets() [][]float64 { return t.Kind.of().targets(t) }

// Groups returns how many groups of labels there are that are held out, drawn and counted each for
// itself: the classes. The numbers of a regression are a single one, and so are labels of several classes.
func (t *Task) Groups() int { return t.Kind.of().groups(t) }

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

// Subset returns the task of some of the points, ascending, with those of their
// labels that keep lets through; labelled points go by their number among these.
// Classes that lose all labels are left out.
func (t *Task) Subset(points []int, keep func(k int) bool) *Task {
	at := make(map[int]int, len(points))
	for position, i := range points {
		at[i] = position
	}
	part := &Task{Points: len(points), Kind: t.Kind}
	var kept []int
	for k, i := range t.Labelled {
		if _, among := at[i]; among && keep(k) {
			kept, part.Labelled = append(kept, k), append(part.Labelled, at[i])
		}
	}
	part.Weights = t.Weights.Of(kept)
	t.Kind.of().take(part, t, kept)
	return part
}
