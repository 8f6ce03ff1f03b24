package train

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"lapsvm/calibrate"
	"lapsvm/dataset"
	"lapsvm/internal/machines/task"
	"lapsvm/internal/system/fault"
)

// Prior is the shares of the classes that predictions on the unlabelled training points are to have:
// a [PriorRule] or a [ClassPrior]. Where it is nil, predictions have the shares they have.
type Prior interface {
	String() string
	check() error                           // whatever the classes are
	shares(t *task.Task) ([]float64, error) // of all classes, in their order
}

// PriorRule is a prior by its name.
type PriorRule string

// The rules.
const (
	BalancedPrior PriorRule = "balanced" // equal shares
	LabelledPrior PriorRule = "labelled" // the shares of the labels, and those that predictions have while labels are few
)

// ClassPrior is the share of every class by its name. The shares sum to 1.
type ClassPrior map[string]float64

// String returns the name of the rule.
func (p PriorRule) String() string { return string(p) }

// String returns the shares as in A=0.3,B=0.7.
func (p ClassPrior) String() string { return byClass(p) }

func (p PriorRule) check() error {
	if p != BalancedPrior && p != LabelledPrior {
		return fault.Errorf("unknown prior %q: choose balanced or labelled, or give the share of every class", string(p))
	}
	return nil
}

func (p ClassPrior) check() error {
	for _, name := range slices.Sorted(maps.Keys(p)) {
		if share := p[name]; !(share > 0 && share <= 1) {
			return fault.Errorf("the prior gives the class %q the share %v: shares are above 0 and at most 1; leave a class out by selecting the others", name, share)
		}
	}
	return nil
}

// classPrior returns the share of every class that the recipe asks for, nil
// without a prior. The recipe must be valid.
func (r Recipe) classPrior(t *task.Task) ([]float64, error) {
	switch {
	case r.Prior == nil:
		return nil, nil
	case len(t.Labelled) == t.Points:
		return nil, fault.Errorf("a prior shifts the predictions on unlabelled points, and there are none: leave the prior out")
	}
	return r.Prior.shares(t)
}

func (p PriorRule) shares(t *task.Task) ([]float64, error) {
	pi := make([]float64, len(t.Classes))
	if p == BalancedPrior {
		for c := range pi {
			pi[c] = 1 / float64(len(pi))
		}
		return pi, nil
	}
	for _, c := range t.Class {
		pi[c] += 1 / float64(len(t.Class))
	}
	return pi, nil
}

func (p ClassPrior) shares(t *task.Task) ([]float64, error) {
	pi, named, sum := make([]float64, len(t.Classes)), make([]bool, len(t.Classes)), 0.0
	for _, name := range slices.Sorted(maps.Keys(p)) {
		class := dataset.FindClass(t.Classes, name)
		if class < 0 {
			return nil, fmt.Errorf("the prior names %q, which is no labelled class; the classes are %s", name, strings.Join(t.Classes, ", "))
		}
		if named[class] {
			return nil, fault.Errorf("the prior names the class %q twice: leave one of them out", t.Classes[class])
		}
		pi[class], named[class] = p[name], true
		sum += p[name]
	}
	for c, name := range t.Classes {
		if !named[c] {
			return nil, fault.Errorf("the prior does not name the class %q: give the share of every class", name)
		}
		pi[c] /= sum
	}
	if math.Abs(sum-1) > priorTolerance {
		return nil, fmt.Errorf("the shares of the prior sum to %v: they must sum to 1", sum)
	}
	return pi, nil
}

// priorTolerance is how far from 1 the sum of given shares may be: three times ⅓,
// written as 0.333, is a prior.
const priorTolerance = 0.005

// followPrior moves the machines to the prior of the recipe, and returns their shifts, nil without a prior.
func (p *Problem) followPrior(m *minimum, run Run) (shift []float64, err error) {
	shares, err := p.Recipe.classPrior(p.Task)
	if err != nil {
		return nil, err
	}
	if p.Recipe.Centred && !p.Recipe.Supervised {
		shift = Centre(m.F)
		m.move(shift)
	}
	if shares == nil {
		return shift, nil
	}
	more, err := priorShift(p.Task, m.F, p.Recipe.Prior, shares)
	if err != nil {
		return nil, err
	}
	m.move(more)
	run.log().Info("prior", "shares", shares, "shift", more)
	for machine, v := range shift {
		more[machine] += v
	}
	return more, nil
}

// MayCentre reports whether machines of a recipe may be centred on d, see [Centre].
func (r Recipe) MayCentre(d *dataset.Dataset) bool {
	return r.Unlike(d) && !r.Supervised && r.kind().without == ""
}

// Centre returns the shifts by which outputs [machine][point] have the mean 0. Given edges tell where a cut lies. Few
// labels tell the class of each side. The bias is hardly known: a label of many edges moves it by more than one of few.
func Centre(outputs [][]float64) []float64 {
	shift := make([]float64, len(outputs))
	for c, f := range outputs {
		for _, v := range f {
			shift[c] -= v / float64(len(f))
		}
	}
	return shift
}

// predictedLabels is how many labels the predictions are worth that tell the shares of the classes.
const predictedLabels = 200

// with returns the shares of the labels that a task has so many of, drawn towards those of predictions: (l π + 200 q)/(l + 200). Shares of few labels are
// chance, or the number that was asked for of each class.
func (p PriorRule) with(pi []float64, labels int, scores [][]float64) []float64 {
	if p != LabelledPrior || len(scores) == 0 {
		return pi
	}
	q := make([]float64, len(pi))
	for _, row := range scores {
		q[indexOfLargest(row)] += 1 / float64(len(scores))
	}
	l := float64(labels)
	for c := range q {
		q[c] = (l*pi[c] + predictedLabels*q[c]) / (l + predictedLabels)
	}
	return q
}

// indexOfLargest returns the index of the largest value, the first of equal ones.
func indexOfLargest(row []float64) int { return slices.Index(row, slices.Max(row)) }

// priorShift returns the shifts of the outputs [machine][point] of all machines
// for which the predictions on the unlabelled points have the shares pi of a prior. Shares
// become whole points by largest remainders. For two classes the shift moves
// the threshold to a quantile of f. A machine without an unregularised bias is
// shifted too.
func priorShift(t *task.Task, outputs [][]float64, p Prior, pi []float64) ([]float64, error) {
	scores := t.Coding().Scores(outputs)
	var open [][]float64
	for _, i := range t.Unlabelled() {
		open = append(open, scores[i])
	}
	if rule, is := p.(PriorRule); is {
		pi = rule.with(pi, len(t.Class), open)
	}
	b, err := calibrate.Offsets(open, apportion(pi, len(open)))
	if err != nil {
		return nil, err
	}
	return t.Coding().Outputs(b), nil
}

// addTo adds a shift of every machine to outputs [machine][point]; nil adds
// nothing.
func addTo(outputs [][]float64, shift []float64) {
	for machine, v := range shift {
		for i := range outputs[machine] {
			outputs[machine][i] += v
		}
	}
}

// apportion divides n in the given shares, which sum to 1: ⌊n·share⌋ each, and
// one more for the largest remainders, the first of equal ones.
func apportion(shares []float64, n int) []int {
	counts, order := make([]int, len(shares)), make([]int, len(shares))
	left := n
	for c, share := range shares {
		counts[c] = int(share*float64(n) + 1e-9)
		left -= counts[c]
		order[c] = c
	}
	remainder := func(c int) float64 { return shares[c]*float64(n) - float64(counts[c]) }
	slices.SortStableFunc(order, func(a, b int) int {
		switch d := remainder(b) - remainder(a); {
		case d > 1e-9:
			return 1
		case d < -1e-9:
			return -1
		}
		return 0
	})
	for _, c := range order[:left] {
		counts[c]++
	}
	return counts
}
