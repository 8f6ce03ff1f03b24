package train

import (
	"fmt"

	"lapsvm/dataset"
	"lapsvm/points"
	"lapsvm/task"
)

// Data is the points and the task of a data set.
type Data struct {
	Rows    []int // of the data, that take part
	Scaling points.Scaling
	Points  *points.Points // scaled, those that take part
	Task    *task.Task
}

// Prepare takes points and task of d as a recipe asks for them: scaled, and for a
// supervised machine without the unlabelled rows.
func Prepare(d *dataset.Dataset, r Recipe, run Run) (*Data, error) {
	t, err := TaskOf(d, r, run)
	if err != nil {
		return nil, OfKind(ErrData, err)
	}
	s := &Data{Task: t}
	if s.Scaling, err = points.FitScaling(r.Standardise, d.Points); err != nil {
		return nil, OfKind(ErrParameter, err)
	}
	s.Points = s.Scaling.Apply(d.Points)
	if r.Supervised {
		s.Rows, s.Task = t.Labelled, t.Alone()
		if len(s.Rows) < s.Points.Len() {
			s.Points = s.Points.Subset(s.Rows)
		}
		return s, nil
	}
	s.Rows = make([]int, d.Points.Len())
	for i := range s.Rows {
		s.Rows[i] = i
	}
	return s, nil
}

// TaskOf returns the task of all rows of d, or what is wrong with these.
func TaskOf(d *dataset.Dataset, r Recipe, run Run) (*task.Task, error) {
	if d.Points.Len() == 0 {
		return nil, fmt.Errorf("there are no points to train on")
	}
	if d.Points.Dim() == 0 {
		return nil, fmt.Errorf("the points have no features")
	}
	if i, j, found := d.Points.FirstNotFinite(); found {
		return nil, fmt.Errorf("row %d, feature %d is not a finite number: mend or drop the row", i+1, j+1)
	}
	t, err := task.New(d)
	if err != nil {
		return nil, err
	}
	run.warnOfUnlabelled(d, t)
	switch {
	case len(t.Classes) == 1 && !r.OneClass:
		return nil, fmt.Errorf("only the class %q is labelled: label a point of another class, or train a one-class machine", t.Classes[0])
	case len(t.Classes) > 1 && r.OneClass:
		return nil, fmt.Errorf("a one-class machine takes labels of one class, not of %d", len(t.Classes))
	}
	return t, nil
}

// Validation is labelled points that a training does not see, scaled as its own.
type Validation struct {
	Points *points.Points
	Class  []int // of each, an index into the classes of the task; −1 for a class that it does not know
}

// NewValidation takes the labelled rows of v for a task on points with this
// scaling. It fails where there are none, and for another number of features.
func NewValidation(v *dataset.Dataset, s points.Scaling, t *task.Task, features int) (*Validation, error) {
	if v.Points.Dim() != features {
		return nil, fmt.Errorf("the validation points have %d features, the training points %d", v.Points.Dim(), features)
	}
	rows := v.Labelled()
	if len(rows) == 0 {
		return nil, fmt.Errorf("no validation point is labelled")
	}
	y := make([]int, len(rows))
	for k, i := range rows {
		y[k] = v.Y[i]
	}
	return &Validation{Points: s.Apply(v.Points.Subset(rows)), Class: t.Recode(y, v.Classes)}, nil
}
