package selection

import (
	"context"

	"lapsvm/internal/machines/task"
	"lapsvm/internal/machines/train"
)

// kind is a row of the kinds of label: how machines for labels of a kind are compared.
type kind struct {
	// measure fills in what the machines of a repeat of an evaluation are worth, and those beside them.
	measure func(e Evaluation, ctx context.Context, t *trial, fitted *train.Fitted, r *Result) error

	functions bool   // labels are numbers: what counts is how far functions are from them, in one unit, and neither decisions nor how these fit the graph
	each      bool   // a machine decides about one class of a point alone
	ranks     bool   // an error is a distance in ranks
	cannot    string // why machines cannot be compared; "" where they can
}

// kindOf returns the row of a kind of label.
func kindOf(k task.Kind) kind {
	switch k.Name {
	case task.OfOneClass:
		return kind{measure: Evaluation.measureClasses, cannot: "there is one class only"}
	case task.OfNumbers:
		return kind{measure: Evaluation.measureNumbers, functions: true}
	case task.OfSeveral:
		return kind{measure: Evaluation.measureSeveral, each: true}
	case task.OfOrdered:
		return kind{measure: Evaluation.measureClasses, ranks: true}
	}
	return kind{measure: Evaluation.measureClasses}
}

// kind returns the row of the labels of the task.
func (a *comparison) kind() kind { return kindOf(a.task.Kind) }

// classes returns how many classes a machine of the task tells apart.
func (a *comparison) classes() int {
	if a.kind().each {
		return 2
	}
	return len(a.task.Classes)
}
