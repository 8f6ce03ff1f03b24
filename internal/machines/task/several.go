package task

import (
	"cmp"
	"math"
	"slices"

	"lapsvm/dataset"
	"lapsvm/internal/system/fault"
)

// several is labels that list the classes of a point, in the words of [dataset.SeveralOf].
type several struct {
	classes
	separator string
}

// read fails without a labelled row. Every class needs a row that has it and one that has it not.
func (s several) read(d *dataset.Dataset) (*Task, error) {
	t, missing, err := s.varied(d)
	switch {
	case err != nil:
		return nil, err
	case missing != nil:
		return nil, missing
	case len(t.Classes) == 0:
		return nil, fault.NoLabels.Errorf("no labelled row has a class: label rows with their classes, separated by %q", s.separator)
	}
	return t, nil
}

func (s several) readSoFar(d *dataset.Dataset) (*Task, error) {
	t, _, err := s.varied(d)
	if err != nil || len(t.Classes) == 0 {
		return nil, err
	}
	return t, nil
}

// varied returns a task of the classes alone that some labelled rows have and others have not, and an error about the first of the others.
func (s several) varied(d *dataset.Dataset) (t *Task, missing, err error) {
	plain, err := s.classes.read(d)
	if err != nil {
		return nil, nil, err
	}
	listed, err := dataset.SeveralOf(plain.Classes, s.separator)
	if err != nil {
		return nil, nil, err
	}
	t = &Task{Kind: Several(s.separator), Points: plain.Points, Labelled: plain.Labelled, Class: make([]int, len(plain.Class)), Weights: plain.Weights}
	for class, name := range listed.Classes {
		answers := make([]float64, len(plain.Class))
		for k, label := range plain.Class {
			answers[k] = listed.Answers[class][label]
		}
		varied := true
		for _, one := range []struct {
			answer float64
			verb   string
		}{{1, "has"}, {-1, "lacks"}} {
			if !slices.Contains(answers, one.answer) {
				varied = false
				missing = cmp.Or(missing, fault.FewLabels.Errorf("no labelled row %s the class %q, so that nothing can be learnt of it: label one that does", one.verb, name))
			}
		}
		if varied {
			t.Classes, t.Answers = append(t.Classes, name), append(t.Answers, answers)
		}
	}
	return t, missing, nil
}

func (several) check(*Task) error { return nil }

func (several) unlabelled(*Task, *dataset.Dataset) []string { return nil }

func (several) coding(classes int) coding { return each{oneVsRest(classes)} }

func (several) known(t *Task) Known { return answered(t.Answers) }

func (several) knownOf(*Task, *dataset.Dataset) (Known, error) {
	return nil, fault.Errorf("validation points have one class each, not several: leave them out")
}

func (several) targets(t *Task) [][]float64 { return t.Answers }

func (several) groups(*Task) int { return 1 }

// compare has every part get labels with a class and labels without it.
func (several) compare(t *Task) func(k, j int) int {
	return func(k, j int) int {
		for _, answers := range t.Answers {
			if c := cmp.Compare(answers[k], answers[j]); c != 0 {
				return c
			}
		}
		return 0
	}
}

func (several) take(part, t *Task, kept []int) {
	part.Classes, part.Class, part.Answers = t.Classes, make([]int, len(kept)), make([][]float64, len(t.Answers))
	for class, answers := range t.Answers {
		for _, k := range kept {
			part.Answers[class] = append(part.Answers[class], answers[k])
		}
	}
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

func (a answered) Worst() float64 { return 1 }

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

// Complete returns the task with those labels alone that are known of every class. Other points count as
// unlabelled.
func (t *Task) Complete() *Task {
	if !t.Kind.Is(OfSeveral) {
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
	if !t.Kind.Is(OfSeveral) {
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
