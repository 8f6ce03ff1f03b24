package selection

import (
	"context"
	"fmt"
	"math"
	"strings"

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

// distance returns the mean distance of ranks of decided classes from the labels y of d, NaN of other kinds and of no label.
func (m machine) distance(decided []int, d *dataset.Dataset, y []int) (float64, error) {
	own, ranks := m.task.Kind.Ranks(m.task.Classes), m.task.Kind.Ranks(d.Classes)
	if own == nil {
		return math.NaN(), nil
	}
	sum, n := 0.0, 0.0
	for i, class := range y {
		switch {
		case class == dataset.Unlabelled:
			continue
		case ranks[class] < 0:
			return 0, train.OfKind(train.ErrData, fmt.Errorf("row %d has the class %q, which is not in the order %s", d.RowNumber(i), d.Classes[class], strings.Join(m.task.Kind.Order, ", ")))
		}
		sum, n = sum+math.Abs(float64(own[decided[i]]-ranks[class])), n+1
	}
	return sum / n, nil
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
	decided := m.Decide(scores)
	if distance, err = m.distance(decided, d, d.Y); err != nil {
		return 0, 0, err
	}
	m.classes = d.Classes
	return errorOf(m.confusion(decided, d.Y)), distance, nil
}
