package lapsvm

import (
	"context"
	"time"

	"lapsvm/calibrate"
	"lapsvm/objective"
)

// The labels are held out in up to mostFolds parts, until enough of them were.
const (
	mostFolds = 5
	enough    = 100
)

// calibrate finds how decision values become probabilities, from the held-out
// values of the labelled points or, where there are none, from those of all
// training points. One class has no probabilities.
func (f *fit) calibrate(ctx context.Context) error {
	if !f.t.Calibrate || f.t.OneClass {
		return nil
	}
	start := time.Now()
	values, y, err := f.heldOut(ctx)
	if err != nil {
		return err
	}
	if len(y) == 0 {
		f.calibration, err = calibrate.Assume(scores(f.solution.F, len(f.classes)))
	} else {
		f.calibration, err = calibrate.Fit(values, y)
	}
	if err != nil {
		return err
	}
	f.training.Seconds.Calibrate = time.Since(start).Seconds()
	f.t.Log.Info("calibrate", "slope", f.calibration.Slope, "held_out", f.calibration.HeldOut, "seconds", f.training.Seconds.Calibrate)
	return nil
}

// heldOut returns decision values [point][class] of labelled points from
// machines that were trained without their labels, and the classes of these
// points. The labels are divided into at most five folds, every class evenly;
// the problem is solved anew without the labels of a fold, which leaves the
// points themselves in K and in the graph, one fold after another until 100
// values are known. The only label of a class is never held out, as nothing
// would be left to learn the class from: with one label of every class there
// are no values.
func (f *fit) heldOut(ctx context.Context) (values [][]float64, y []int, err error) {
	o := f.options
	o.Progress, o.Start = nil, nil
	for _, fold := range folds(f.y, len(f.classes), mostFolds) {
		if len(y) >= enough {
			break
		}
		held := make([]bool, len(f.y))
		for _, k := range fold {
			held[k] = true
		}
		solution, err := f.minimise(ctx, without(f.target, held), o)
		if err != nil {
			return nil, nil, err
		}
		f.shiftBy(solution.F)
		rows := scores(solution.F, len(f.classes))
		for _, k := range fold {
			values, y = append(values, rows[f.labelled[k]]), append(y, f.y[k])
		}
	}
	return values, y, nil
}

// folds divides the labelled points of all classes that have at least two into
// at most so many parts, in turn, so that each class is spread evenly and
// never all in one part.
func folds(y []int, classes, most int) [][]int {
	members := make([][]int, classes)
	for k, c := range y {
		members[c] = append(members[c], k)
	}
	number := 0
	for _, class := range members {
		number = max(number, min(len(class), most))
	}
	if number < 2 {
		return nil
	}
	parts := make([][]int, number)
	next := 0
	for _, class := range members {
		if len(class) < 2 {
			continue
		}
		for _, k := range class {
			parts[next%number] = append(parts[next%number], k)
			next++
		}
	}
	return parts
}

// without returns the problem without the labels of the points held out.
func without(p *objective.Problem, held []bool) *objective.Problem {
	q := *p
	q.Labelled, q.Targets, q.Weights = nil, make([][]float64, len(p.Targets)), nil
	for k, i := range p.Labelled {
		if held[k] {
			continue
		}
		q.Labelled = append(q.Labelled, i)
		for c := range p.Targets {
			q.Targets[c] = append(q.Targets[c], p.Targets[c][k])
		}
		if p.Weights != nil {
			q.Weights = append(q.Weights, p.Weights[k])
		}
	}
	return &q
}
