package summary

import (
	"context"
	"fmt"

	"lapsvm"
	"lapsvm/app/report"
	"lapsvm/internal/machines/task"
)

// kind is a row of the kinds of label: the pages of a kind.
type kind struct {
	compares   bool // with a supervised machine
	training   func(f *trainingPage, ctx context.Context) (report.Page, error)
	evaluation func(e Evaluation) (report.Page, error)
	// labels says how many labels there are of a class of a model, or of all where labels are no classes.
	labels func(m *lapsvm.Model, class, n int) string
}

// kindOf returns the row of a kind of label.
func kindOf(k task.Kind) kind {
	switch k.Name {
	case task.OfNumbers:
		return kind{false, (*trainingPage).numbersPage, Evaluation.numbersPage, func(_ *lapsvm.Model, _, n int) string { return count(n, "number", "numbers") }}
	case task.OfSeveral:
		return kind{true, (*trainingPage).severalPage, Evaluation.severalPage, func(_ *lapsvm.Model, _, n int) string { return count(n, "label", "labels") }}
	}
	return kind{true, (*trainingPage).classesPage, Evaluation.classesPage, func(m *lapsvm.Model, class, n int) string { return fmt.Sprintf("%s: %d", name(m.Classes()[class]), n) }}
}
