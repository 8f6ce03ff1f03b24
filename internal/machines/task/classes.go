package task

import (
	"fmt"
	"slices"

	"lapsvm/dataset"
	"lapsvm/internal/system/fault"
)

// classes is labels that are each one class of at least two.
type classes struct{}

func (classes) validate() error { return nil }

func (classes) read(d *dataset.Dataset) (*Task, error) {
	labels := make([]bool, len(d.Classes))
	for _, y := range d.Y {
		if y != dataset.Unlabelled {
			labels[y] = true
		}
	}
	t := &Task{Points: len(d.Y)}
	index, at := make([]int, len(d.Classes)), make(map[string]int, len(d.Classes))
	for c, name := range d.Classes {
		if first, twice := at[name]; twice {
			return nil, fault.Errorf("classes %d and %d are both called %q: give every class one name, and Y the index of it", first+1, c+1, name)
		}
		if at[name] = c; labels[c] {
			index[c] = len(t.Classes)
			t.Classes = append(t.Classes, name)
		}
	}
	if len(t.Classes) == 0 {
		return nil, fault.NoLabels.Errorf("no point is labelled: label at least one point of every class")
	}
	for i, y := range d.Y {
		if y == dataset.Unlabelled {
			continue
		}
		t.Labelled, t.Class = append(t.Labelled, i), append(t.Class, index[y])
	}
	t.Weights = d.Weights.Of(t.Labelled)
	return t, nil
}

func (classes) fewest() int { return 2 }

func (c classes) readSoFar(d *dataset.Dataset) (*Task, error) { return c.read(d) }

func (classes) check(t *Task) error {
	if len(t.Classes) == 1 {
		return fault.OneClass.Errorf("only the class %q is labelled: label a point of another class, or train a one-class machine", t.Classes[0])
	}
	return nil
}

func (classes) unlabelled(t *Task, d *dataset.Dataset) (names []string) {
	for _, name := range d.Classes {
		if !slices.Contains(t.Classes, name) {
			names = append(names, name)
		}
	}
	return names
}

func (classes) coding(classes int) coding {
	if classes == 2 {
		return graded(classes)
	}
	return oneVsRest(classes)
}

func (classes) known(t *Task) Known { return classed{t.Coding(), t.Class} }

func (c classes) knownOf(t *Task, d *dataset.Dataset) (Known, error) {
	return classed{t.Coding(), t.recode(d)}, nil
}

func (classes) targets(t *Task) [][]float64 {
	coding := t.Coding()
	targets := make([][]float64, coding.Machines())
	for machine := range targets {
		targets[machine] = make([]float64, len(t.Class))
		for k, class := range t.Class {
			targets[machine][k] = coding.Target(machine, class)
		}
	}
	return targets
}

func (classes) apart(names []string) (of func(a, b int) float64, worst float64) {
	return func(a, b int) float64 {
		if names[a] == names[b] {
			return 0
		}
		return 1
	}, 1
}

func (classes) groups(t *Task) int { return max(1, len(t.Classes)) }

func (classes) compare(*Task) func(k, j int) int { return nil }

func (classes) take(part, t *Task, kept []int) {
	renumber := make([]int, len(t.Classes))
	for _, k := range kept {
		renumber[t.Class[k]]++
	}
	for c, count := range renumber {
		if count > 0 {
			renumber[c] = len(part.Classes)
			part.Classes = append(part.Classes, t.Classes[c])
		}
	}
	for _, k := range kept {
		part.Class = append(part.Class, renumber[t.Class[k]])
	}
}

// recode returns the task's class of the rows of d; −1 for a class that the task does not know.
func (t *Task) recode(d *dataset.Dataset) []int {
	class := make([]int, len(d.Y))
	for k, c := range d.Y {
		class[k] = dataset.FindClass(t.Classes, d.Classes[c])
	}
	return class
}

// oneClass is labels of the only class.
type oneClass struct{ classes }

func (o oneClass) read(d *dataset.Dataset) (*Task, error) {
	t, err := o.classes.read(d)
	if err == nil {
		t.Kind = OneClass()
	}
	return t, err
}

func (oneClass) fewest() int { return 1 }

func (o oneClass) readSoFar(d *dataset.Dataset) (*Task, error) { return o.read(d) }

func (oneClass) check(t *Task) error {
	if len(t.Classes) > 1 {
		return fmt.Errorf("a one-class machine takes labels of one class, not of %d", len(t.Classes))
	}
	return nil
}

// classed is labels that are each one class of a code.
type classed struct {
	coding OutputCoding
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

func (c classed) Worst() float64 { return 1 }

func (c classed) Error(labels []int, outputs [][]float64) float64 {
	return 100 * sum(c, labels, outputs) / float64(len(labels))
}

// sum returns the sum of [Known.Wrong] over some labels.
func sum(known Known, labels []int, outputs [][]float64) float64 {
	all := 0.0
	for _, wrong := range Errors(known, labels, outputs) {
		all += wrong
	}
	return all
}
