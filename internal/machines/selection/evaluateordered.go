package selection

import (
	"context"
	"fmt"
	"math"
	"slices"
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

// wrong returns how wrong decided classes are for the labels y of d that there are: 1 or 0, and of ordered classes the distance in ranks.
func (m machine) wrong(decided []int, d *dataset.Dataset, y []int) ([]float64, error) {
	own := m.task.Classes
	apart, _ := m.task.Kind.Apart(slices.Concat(own, d.Classes))
	var wrong []float64
	for i, class := range y {
		if class == dataset.Unlabelled {
			continue
		}
		off := 1.0 // outside of the only class
		if decided[i] != dataset.Unlabelled {
			off = apart(decided[i], len(own)+class)
		}
		if math.IsNaN(off) {
			return nil, train.OfKind(train.ErrData, fmt.Errorf("row %d has the class %q, which is not in the order %s", d.RowNumber(i), d.Classes[class], strings.Join(m.task.Kind.Order, ", ")))
		}
		wrong = append(wrong, off)
	}
	return wrong, nil
}

// distance returns the mean of distances in ranks, NaN of other kinds and of no label.
func (m machine) distance(wrong []float64) float64 {
	if !kindOf(m.task.Kind).ranks {
		return math.NaN()
	}
	sum := 0.0
	for _, ranks := range wrong {
		sum += ranks
	}
	return sum / float64(len(wrong))
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
	off, err := m.wrong(decided, d, d.Y)
	m.classes = d.Classes
	return errorOf(m.confusion(decided, d.Y)), m.distance(off), err
}
