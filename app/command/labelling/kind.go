package labelling

import (
	"context"

	"lapsvm/internal/machines/task"
	"lapsvm/label"
)

// kind is a row: what the commands ask of their kind of label.
type kind interface {
	// check reports what command label does not take.
	check(r *labelRequest, column string) error
	// equal says that labels that are all equal cannot be audited, with a verb for them.
	equal() string
	// audit judges the labels.
	audit(ctx context.Context, in *labelled, l *label.Labelling) (*auditResult, error)
	// choices returns the classes that tasks for people ask for, and whether a row may have several. It fails where there are none.
	choices(in *labelled) (classes []string, several bool, err error)
	// decided returns the classes of a point and their probability, none without a decision.
	decided(a *label.Answer, point int) (classes []string, probability float64)
}

// of returns the row of a kind.
func of(k task.Kind) kind {
	switch k.Name {
	case task.OfOneClass:
		return oneClass{}
	case task.OfNumbers:
		return numbers{}
	case task.OfSeveral:
		return several{separator: k.Separator}
	case task.OfOrdered:
		return ordered{of: k}
	}
	return classes{}
}

// kind returns the row of the labels.
func (in *labelled) kind() kind { return of(in.trainer.Recipe.Kind) }
