package task

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"lapsvm/dataset"
)

// NewSeveral returns the task of labels that list the classes of a point, in the words of [dataset.SeveralOf].
// It fails without a labelled row. Every class needs a row that has it and one that has it not. It also fails for weights that
// do not fit.
func NewSeveral(d *dataset.Dataset, separator string) (*Task, error) {
	t, missing, err := several(d, separator)
	switch {
	case err != nil:
		return nil, err
	case missing != nil:
		return nil, missing
	case len(t.Classes) == 0:
		return nil, fmt.Errorf("no labelled row has a class: label rows with their classes, separated by %q", separator)
	}
	return t, nil
}

// NewVaried is [NewSeveral] of the classes alone that some labelled rows have and others have not. It returns nil where there are none.
func NewVaried(d *dataset.Dataset, separator string) (*Task, error) {
	t, _, err := several(d, separator)
	if err != nil || len(t.Classes) == 0 {
		return nil, err
	}
	return t, nil
}

// several returns a task of the classes that vary, and an error about the first that does not.
func several(d *dataset.Dataset, separator string) (t *Task, missing, err error) {
	plain, err := New(d)
	if err != nil {
		return nil, nil, err
	}
	s, err := dataset.SeveralOf(plain.Classes, separator)
	if err != nil {
		return nil, nil, err
	}
	t = &Task{Points: plain.Points, Labelled: plain.Labelled, Class: make([]int, len(plain.Class)), Weights: plain.Weights}
	for class, name := range s.Classes {
		answers := make([]float64, len(plain.Class))
		for k, label := range plain.Class {
			answers[k] = s.Answers[class][label]
		}
		varied := true
		for _, one := range []struct {
			answer float64
			verb   string
		}{{1, "has"}, {-1, "lacks"}} {
			if !slices.Contains(answers, one.answer) {
				varied = false
				missing = cmp.Or(missing, fmt.Errorf("no labelled row %s the class %q, so that nothing can be learnt of it: label one that does", one.verb, name))
			}
		}
		if varied {
			t.Classes, t.Answers = append(t.Classes, name), append(t.Answers, answers)
		}
	}
	return t, missing, nil
}

// Complete returns the task with those labels alone that are known of every class. Other points count as
// unlabelled.
func (t *Task) Complete() *Task {
	if t.Answers == nil {
		return t
	}
	all := make([]int, t.Points)
	for i := range all {
		all[i] = i
	}
	return t.Subset(all, func(k int) bool {
		return !slices.ContainsFunc(t.Answers, func(answers []float64) bool { return math.IsNaN(answers[k]) })
	})
}

// Varied reports whether every class has labelled points that have it and others that have it not.
func (t *Task) Varied() bool {
	return !slices.ContainsFunc(t.Answers, func(answers []float64) bool {
		return !slices.Contains(answers, 1) || !slices.Contains(answers, -1)
	})
}

// The signs of what is known of a point and a class.
const (
	Has      = '+'
	Lacks    = '-'
	NotKnown = '?'
)

// Signs returns what is known of every point, a sign for each class. A point without a label has "". Of a task of one class, or of numbers, it is nil.
func (t *Task) Signs() []string {
	if t.Answers == nil {
		return nil
	}
	all, signs := make([]string, t.Points), make([]byte, len(t.Answers))
	for k, i := range t.Labelled {
		for class, answers := range t.Answers {
			switch answer := answers[k]; {
			case math.IsNaN(answer):
				signs[class] = NotKnown
			case answer > 0:
				signs[class] = Has
			default:
				signs[class] = Lacks
			}
		}
		all[i] = string(signs)
	}
	return all
}

// compareAnswers orders labels by their classes.
func (t *Task) compareAnswers(k, j int) int {
	for class := range t.Answers {
		if c := cmp.Compare(t.Answers[class][k], t.Answers[class][j]); c != 0 {
			return c
		}
	}
	return 0
}
