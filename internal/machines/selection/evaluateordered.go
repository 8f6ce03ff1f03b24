package selection

import (
	"context"
	"math"

	"lapsvm/dataset"
	"lapsvm/internal/machines/task"
	"lapsvm/internal/machines/train"
)

// RanksResult is what one repeat measured of ordered classes: mean distances of the predicted ranks from the true ones, NaN where there was nothing
// to measure on. Of other kinds of label all are NaN.
type RanksResult struct {
	Unlabelled, Validation, Test     float64
	BaselineUnlabelled, BaselineTest float64
}

// checkOrder reports a label of d outside of the order that a recipe has, which a repeat may hide from its training.
func checkOrder(of task.Kind, d *dataset.Dataset, labels []int) error {
	if !of.Is(task.OfOrdered) {
		return nil
	}
	if _, err := of.Read(&dataset.Dataset{Y: labels, Classes: d.Classes}); err != nil {
		return train.OfKind(train.ErrData, err)
	}
	return nil
}

// distance returns the mean distance of ranks of rows of decision values from the labels y of d, NaN of other kinds and of no label.
func (m machine) distance(scores [][]float64, d *dataset.Dataset, y []int) (float64, error) {
	if !m.task.Kind.Is(task.OfOrdered) {
		return math.NaN(), nil
	}
	of := &dataset.Dataset{Classes: d.Classes}
	outputs := make([][]float64, m.Coding().Machines())
	var labels []int
	for i, class := range y {
		if class == dataset.Unlabelled {
			continue
		}
		labels, of.Y = append(labels, len(labels)), append(of.Y, class)
		for machine, f := range m.Coding().Outputs(scores[i]) {
			outputs[machine] = append(outputs[machine], f)
		}
	}
	known, err := m.task.KnownOf(of)
	if err != nil {
		return 0, train.OfKind(train.ErrData, err)
	}
	return known.Error(labels, outputs), nil
}

// errorOn returns the error on the labelled rows of d in percent, and of ordered classes the mean distance in ranks; NaN where there are none.
func (m machine) errorOn(ctx context.Context, d *dataset.Dataset) (wrong, distance float64, err error) {
	if d == nil || len(d.Y) == 0 {
		return math.NaN(), math.NaN(), nil
	}
	scores, err := m.Scores(ctx, d.Points)
	if err != nil {
		return 0, 0, err
	}
	if distance, err = m.distance(scores, d, d.Y); err != nil {
		return 0, 0, err
	}
	m.classes = d.Classes
	return errorOf(m.confusion(m.Decide(scores), d.Y)), distance, nil
}
