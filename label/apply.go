package label

import (
	"context"
	"fmt"
	"math"
	"slices"
	"time"

	"lapsvm/dataset"
	"lapsvm/internal/machines/task"
	"lapsvm/internal/machines/train"
	"lapsvm/internal/system/fault"
)

// Change gives a point a label, another label or, with dataset.Unlabelled, none.
type Change struct {
	Point int // index of the point, from 0
	Class int // class index, or dataset.Unlabelled
}

// Answer holds the decisions on all points that follow from the labels. It never changes.
type Answer struct {
	Classes []string // all of them; "" for one that was merged into another
	Labels  []int    // of every point, dataset.Unlabelled without one
	Count   []int    // labels of every class
	// Decided is the class of every point, and for a one-class machine dataset.Unlabelled
	// outside the class. It is nil where fewer than two classes have a label.
	Decided       []int
	Values        []float64   // the number of every point, of a regression, which has no decisions; nil with fewer than two labels that differ
	Several       *Several    // the classes of every point where it may have several, in place of decisions; nil without a class that some labels have and others have not
	Outputs       [][]float64 // decision values [class][point]; nil for a class without a label
	Probabilities [][]float32 // [class][point], summing to 1 over the classes; nil for a one-class machine
	LeftOut       []LeftOut   // of every labelled point that the geometry has, ascending
	Slope         float64     // s of the probabilities exp(s·f_c)/Σ_k exp(s·f_k)
	Converged     bool
	Seconds       float64 // time that the answer took

	calibration *train.Calibration // of Probabilities
	calibrated  []int              // class of the calibration → class of all
	intervals   *intervals         // of Values; nil without Options.Shown
	task        *task.Task         // nil where there are no decisions
	outputs     [][]float64        // of all points of the geometry, [machine][point]
	left        [][]float64        // outputs [machine][label] without the label
}

// Thresholds returns for every class the least probability by which a point may be of it. The classes
// of a point that reach theirs, and the most probable one, hold its class with a probability of about level, such as 0.9, see
// [calibrate.Calibration.Thresholds]. A class without a label has +Inf. Thresholds fails where lapsvm.Model.Sets does for
// the labels and the level, and where there are no probabilities.
func (a *Answer) Thresholds(level float64) ([]float64, error) {
	if a.calibration == nil {
		return nil, train.OfKind(train.ErrData, fault.OneClass.Errorf("there are no probabilities yet: label points of two classes"))
	}
	own, err := a.calibration.Thresholds(level)
	if err != nil {
		return nil, train.OfKind(train.ErrParameter, err)
	}
	all := slices.Repeat([]float64{math.Inf(1)}, len(a.Classes))
	for k, c := range a.calibrated {
		all[c] = own[k]
	}
	return all, nil
}

// HeldOut returns how many labels were held out for the probabilities: those of classes with two labels or more.
func (a *Answer) HeldOut() int {
	if a.calibration == nil {
		return 0
	}
	return a.calibration.HeldOut
}

// LeftOut compares a label with the decision on its point by machines that were trained
// without this label. The decision is exact, not approximated.
type LeftOut struct {
	Point, Class  int       // the label
	Decided       int       // the class without the label
	Outputs       []float64 // decision value of every class, 0 for a class without a label; nil where there are no decisions
	Probabilities []float64 // likewise; also nil for a one-class machine
	Value         float64   // of a regression: the number without the label
	Wrong         float64   // of several classes: the share of the label's answers that are wrong without it, of those that another label gives too; NaN where there are none
}

// Apply changes labels and returns the answer that follows. Of several changes of a point the
// last counts. Apply fails when ctx is done, if a prior or costs of errors do not fit the
// classes, or if numbers leave their range. The labels are then as before. It panics for
// a point or class that does not exist. Cost: a column for every labelled point that never had
// one; for each machine O(l³) and n·l multiply-adds with l labels and n points.
func (l *Labelling) Apply(ctx context.Context, changes []Change) (*Answer, error) {
	start := time.Now()
	y := slices.Clone(l.y)
	for _, c := range changes {
		if c.Point < 0 || c.Point >= len(y) {
			panic(fmt.Sprintf("label: there is no point %d of %d", c.Point, len(y)))
		}
		if c.Class != dataset.Unlabelled {
			l.checkClass(c.Class)
		}
		y[c.Point] = c.Class
	}
	a := &Answer{Classes: l.classes, Labels: y, Count: make([]int, len(l.classes)), Converged: true}
	var labelled []int
	for i, c := range y {
		if c == dataset.Unlabelled {
			continue
		}
		if a.Count[c]++; i < l.prepared() {
			labelled = append(labelled, i)
		}
	}
	t, err := l.task(y)
	if err != nil {
		return nil, err
	}
	if t == nil {
		for _, i := range labelled {
			a.LeftOut = append(a.LeftOut, LeftOut{Point: i, Class: y[i], Decided: dataset.Unlabelled})
		}
	} else if err := l.decide(ctx, a, t, l.ground.Recipe); err != nil {
		return nil, err
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	a.Seconds = time.Since(start).Seconds()
	l.y, l.answer = y, a
	return a, nil
}

// named returns the answer with other class names, possibly more of them.
func (a *Answer) named(classes []string) *Answer {
	b := *a
	b.Classes = classes
	for more := len(a.Classes); more < len(classes); more++ {
		b.Count = append(slices.Clone(b.Count), 0)
		if a.Outputs != nil {
			b.Outputs = append(slices.Clone(b.Outputs), nil)
		}
		if a.Probabilities != nil {
			b.Probabilities = append(slices.Clone(b.Probabilities), nil)
		}
		b.LeftOut = slices.Clone(b.LeftOut)
		for k := range b.LeftOut {
			one := &b.LeftOut[k]
			if one.Outputs != nil {
				one.Outputs = append(slices.Clone(one.Outputs), 0)
			}
			if one.Probabilities != nil {
				one.Probabilities = append(slices.Clone(one.Probabilities), 0)
			}
		}
	}
	return &b
}

// Prepare computes the columns of points that may be labelled next, such as suggested ones. A
// label on them then costs no column. It changes answers within the tolerance of the columns
// only, and may be cancelled. With the whole inverse it does nothing. Cost: that of one label
// for every 16 points.
func (l *Labelling) Prepare(ctx context.Context, next []int) error {
	for _, q := range l.inverses {
		if err := q.prepare(ctx, next, nil); err != nil {
			return err
		}
	}
	return nil
}

// task returns the task of the labels y, nil where they allow no decisions. It leaves out
// labels of points that Grow added.
func (l *Labelling) task(y []int) (*task.Task, error) {
	d := *l.data
	d.Y, d.Classes = y[:l.prepared()], l.classes
	t, err := l.ground.Recipe.Kind.ReadSoFar(&d)
	return t, train.OfKind(train.ErrData, err)
}

// decide solves the machines of a task and fills in the decisions of a.
func (l *Labelling) decide(ctx context.Context, a *Answer, t *task.Task, r train.Recipe) error {
	problems, err := l.problems(ctx, t.Labelled)
	if err != nil {
		return err
	}
	watched, end := l.begin("deciding on points", 1).over(ctx, 1)
	defer end()
	d, err := train.Decide(watched, t, r, problems, l.o.Run)
	if err == nil {
		err = l.decideNewcomers(ctx, d, problems)
	}
	if err != nil {
		return err
	}
	a.Converged, a.task, a.left, a.outputs = d.Converged, d.Task, d.LeaveOneOut, d.F
	return l.kind().take(ctx, l, a, d, problems)
}

// problems returns for each member of the recipe its problem reduced to the labelled points.
func (l *Labelling) problems(ctx context.Context, labelled []int) ([]train.ReducedProblem, error) {
	problems := make([]train.ReducedProblem, len(l.inverses))
	for k, q := range l.inverses {
		if err := q.prepare(ctx, labelled, l.likely); err != nil {
			return nil, err
		}
		var err error
		if problems[k], err = q.problem(ctx, labelled); err != nil {
			return nil, err
		}
	}
	return problems, nil
}
