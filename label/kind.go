package label

import (
	"context"

	"lapsvm/internal/machines/task"
	"lapsvm/internal/machines/train"
)

// kind is a row: what a labelling asks of its kind of label.
type kind interface {
	// few reports whether the labels of l, of which count has those of every class, are too few to choose parameters by.
	few(l *Labelling, count []int) bool
	// supervised reports whether labels that do not speak for a graph have the supervised machine that they choose though nobody is shown it.
	supervised() bool
	// calibrated reports whether a training has probabilities, or intervals, to learn.
	calibrated() bool
	// take fills in what d says, whose machines are on problems.
	take(ctx context.Context, l *Labelling, a *Answer, d *train.Decided, problems []train.ReducedProblem) error
	// resolve sets the rule that a rule stands for.
	resolve(s *suggesting, rule Rule)
	// unsure takes the points of [Uncertainty].
	unsure(ctx context.Context, s *suggesting)
	// between names in words what the machines hesitate between at a point.
	between(a *Answer, point int) string
	// audited reports whether [Labelling.Audit] judges labels.
	audited() bool
	// fits reports whether decisions may fit a graph.
	fits() bool
}

// kind returns the row of the labels.
func (l *Labelling) kind() kind {
	switch of := l.asked.Kind; of.Name {
	case task.OfOneClass:
		return oneClass{}
	case task.OfNumbers:
		return numbers{}
	case task.OfSeveral:
		return several{}
	case task.OfOrdered:
		return ordered{of: of}
	}
	return classes{}
}
