package train

import (
	"context"
	"fmt"
	"slices"

	"lapsvm/dataset"
	"lapsvm/internal/machines/task"
	"lapsvm/internal/points/gram"
	"lapsvm/internal/system/fault"
	"lapsvm/points"
)

// Data is the points and the task of a data set. Ranks that share it each have their own points,
// and the task of all rows.
type Data struct {
	Preprocessing
	Rows   []int          // of the data, that take part; nil means all
	Points *points.Points // as the frame has them
	Task   *task.Task
	data   *dataset.Dataset
}

// Prepare takes points and task of d as a recipe asks for them: scaled, and for a
// supervised machine without the unlabelled rows.
func Prepare(ctx context.Context, d *dataset.Dataset, r Recipe, run Run) (*Data, error) {
	t, err := TaskOf(ctx, d, r, run)
	if err != nil {
		return nil, OfKind(ErrData, err)
	}
	s := &Data{Task: t, data: d, Rows: d.Own()}
	switch {
	case r.Supervised:
		s.Rows, s.Task = t.Labelled, t.Alone()
	case r.leavesPointsOut(d):
		s.Rows = drawn(d.Points.Len(), r.MostPoints, t.Labelled, r.Seed)
		s.Task = t.Subset(s.Rows, func(int) bool { return true })
	}
	if s.Preprocessing, s.Points, err = NewPreprocessing(ctx, d, r, s.Rows); err != nil {
		return nil, OfKind(ErrParameter, err)
	}
	return s, nil
}

// leavesPointsOut reports whether a training with a graph leaves points out. Ranks that share d leave some out where rank 0 trains on the others alone.
func (r Recipe) leavesPointsOut(d *dataset.Dataset) bool {
	return r.MostPoints > 0 && r.MostPoints < d.Len() && (d.Ranks().Alone() || r.MostPoints <= FewRows) && !d.Edges.Given()
}

// drawn returns so many rows of all, drawn by a seed, with all labelled ones, ascending.
func drawn(points, most int, labelled []int, seed uint64) []int {
	rows := append(gram.DrawRows(points, most, seed), labelled...)
	slices.Sort(rows)
	return slices.Compact(rows)
}

// TaskOf returns the task of all rows of d with the recipe's costs of errors. It fails where these
// are wrong. No task of a training is made elsewhere.
func TaskOf(ctx context.Context, d *dataset.Dataset, r Recipe, run Run) (*task.Task, error) {
	if err := checkPoints(d); err != nil {
		return nil, err
	}
	if err := r.checkEdges(d); err != nil {
		return nil, err
	}
	t, err := r.labelsOf(ctx, d)
	if err != nil {
		return nil, err
	}
	run.warnOfUnlabelled(d, t)
	if err := t.Check(); err != nil {
		return nil, err
	}
	if t, err = r.weigh(t); err != nil {
		return nil, err
	}
	return t, OfKind(ErrParameter, t.Weights.Check())
}

// labelsOf returns the task of the labels of all rows.
func (r Recipe) labelsOf(ctx context.Context, d *dataset.Dataset) (*task.Task, error) {
	if d.Ranks().Alone() {
		return r.Kind.Read(d)
	}
	rows, class, weights, err := d.Labels(ctx)
	if err != nil {
		return nil, err
	}
	t, err := r.Kind.Read(&dataset.Dataset{Y: class, Classes: d.Classes, Weights: weights, Column: rows})
	if err != nil {
		return nil, err
	}
	t.Points, t.Labelled = d.Len(), rows
	return t, nil
}

// Check reports a data set, or validation points, whose parts do not fit together. Whatever takes a data set to a machine asks it first.
func (run Run) Check(d *dataset.Dataset) error {
	if err := d.Check(); err != nil {
		return OfKind(ErrData, err)
	}
	if d.Len() == 0 {
		return OfKind(ErrData, fault.Errorf("there are no points to train on: give rows, some of them with labels"))
	}
	if run.Validation == nil {
		return nil
	}
	if err := run.Validation.Check(); err != nil {
		return OfKind(ErrData, fmt.Errorf("the validation points: %w", err))
	}
	return nil
}

// checkPoints reports points that nothing can be trained on.
func checkPoints(d *dataset.Dataset) error {
	if d.Len() == 0 {
		return fmt.Errorf("there are no points to train on")
	}
	if d.Points.Dim() == 0 {
		return fmt.Errorf("the points have no features")
	}
	if i, j, found := d.Points.FirstNotFinite(); found {
		return fault.Value.Errorf("row %d, feature %d is not a finite number: mend or drop the row", rowOf(d.Own(), i)+1, j+1)
	}
	return nil
}

// Validation is labelled points that a training does not see, scaled as its own.
type Validation struct {
	Points *points.Points
	Known  task.Known // their labels, by the classes or the unit of the task
}

// NewValidation takes the labelled rows of v for a task on points of a frame, and describes them. It fails
// where there are none, and for another number of features.
func NewValidation(ctx context.Context, v *dataset.Dataset, f Preprocessing, t *task.Task) (*Validation, error) {
	v, err := Described(ctx, v, f.Description)
	if err != nil {
		return nil, err
	}
	if v.Points.Dim() != f.width {
		return nil, fault.Columns.Errorf("the validation points have %d features, the training points %d", v.Points.Dim(), f.width)
	}
	rows := v.Labelled()
	if len(rows) == 0 {
		return nil, fault.NoLabels.Errorf("no validation point is labelled")
	}
	labelled := &Validation{Points: f.Points(v.Points, rows)}
	of := &dataset.Dataset{Classes: v.Classes, Y: make([]int, len(rows)), Column: make([]int, len(rows))}
	for k, i := range rows {
		of.Y[k], of.Column[k] = v.Y[i], v.RowNumber(i)-1
	}
	labelled.Known, err = t.KnownOf(of)
	return labelled, err
}
