package lapsvm

import (
	"slices"
	"strings"

	"lapsvm/internal/machines/task"
	"lapsvm/internal/machines/train"
	"lapsvm/internal/system/fault"
)

// kind is a row of the kinds of label: what a model says of a point.
type kind struct {
	says   string   // in words
	by     []string // methods that return it
	each   bool     // every class has a decision of its own, and labelled points have the class, or lack it
	shares bool     // classes have shares of the points
}

// kind returns the row of the labels of the model.
func (m *Model) kind() kind {
	switch m.recipe.Kind.Name {
	case task.OfNumbers:
		return kind{says: "the model predicts numbers", by: []string{"Values", "Intervals"}}
	case task.OfSeveral:
		return kind{says: "a point may have several classes of the model", by: []string{"PredictSeveral", "SetsSeveral"}, each: true}
	}
	return kind{says: "a point has one class of the model", by: []string{"Predict", "Sets"}, shares: true}
}

// answers reports a method that is not for the labels of the model, and a model of no training.
func (m *Model) answers(method string) error {
	if m.predictor == nil {
		return train.ErrNoModel
	}
	if of := m.kind(); !slices.Contains(of.by, method) {
		return train.OfKind(ErrParameter, fault.Lacks.Errorf("%s: take %s", of.says, strings.Join(of.by, " or ")))
	}
	return nil
}

// about returns the classes that the decision about a point is of, which has the classes in has: one, or the only one there is. Where each is decided, it is every class.
func (m *Model) about(has []int) []int {
	of := []int{0}
	switch {
	case m.kind().each:
		of = nil
		for class := range m.classes {
			of = append(of, class)
		}
	case len(has) > 0:
		of = has
	}
	return of
}
