package lapsvm

import (
	"context"
	"slices"
	"time"

	"lapsvm/calibrate"
	"lapsvm/internal/vec"
	"lapsvm/solve"
)

// mostFolds is the most parts that the labels are held out in, and onePass the
// most machines without some labels that a large problem is solved for beside
// its own: so many columns go through K in one pass.
const (
	mostFolds = 5
	onePass   = 16
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
		f.training.HeldOut = &HeldOut{values, y}
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
// the points themselves stay in K and in the graph. The machines without a fold
// are exact where the training was; else they are further columns of one
// problem, for as many iterations as the training took, and beyond 3,000 points
// only as many folds are held out as make 16 columns, at least one. The only
// label of a class is never held out, as nothing would be left to learn the
// class from: with one label of every class there are no values.
func (f *fit) heldOut(ctx context.Context) (values [][]float64, y []int, err error) {
	parts := folds(f.y, len(f.classes), mostFolds)
	if len(parts) == 0 {
		return nil, nil, nil
	}
	if f.solved == nil && f.p.Len() > exactLimit {
		parts = parts[:min(len(parts), max(1, onePass/f.machines()))]
	}
	outputs, err := f.withoutFolds(ctx, parts)
	if err != nil {
		return nil, nil, err
	}
	for part, fold := range parts {
		f.shiftBy(outputs[part])
		for i, row := range scores(outputs[part], len(f.classes)) {
			values, y = append(values, row), append(y, f.y[fold[i]])
		}
	}
	return values, y, nil
}

// withoutFolds returns the outputs [fold][machine][label of the fold] of
// machines that are trained without the labels of the fold.
func (f *fit) withoutFolds(ctx context.Context, parts [][]int) ([][][]float64, error) {
	outputs := make([][][]float64, len(parts))
	if f.solved != nil {
		for part, fold := range parts {
			outputs[part] = make([][]float64, len(f.target.Targets))
			for column := range outputs[part] {
				outputs[part][column] = make([]float64, len(fold))
				for _, s := range f.solved {
					vec.Axpy(s.weight, f.machine(s.cell, column).HeldOut(ctx, s.at[column], fold), outputs[part][column])
				}
			}
		}
		return outputs, ctx.Err()
	}
	p := *f.target
	p.Targets = nil
	for _, fold := range parts {
		for _, targets := range f.target.Targets {
			masked := slices.Clone(targets)
			for _, k := range fold {
				masked[k] = 0
			}
			p.Targets = append(p.Targets, masked)
		}
	}
	o := solve.Options{Stop: solve.None, MaxIterations: slices.Max(f.solution.Iterations)}
	if f.t.Solver == Newton {
		o = solve.Options{LineSearch: f.options.LineSearch, MaxIterations: f.options.MaxIterations}
	}
	if report := f.t.Progress; report != nil && f.t.Solver == PCG {
		o.Progress = func(s *solve.Step) { report("learning probabilities", s.Iteration, o.MaxIterations) }
	}
	solution, err := f.minimise(ctx, &p, o)
	if err != nil {
		return nil, err
	}
	for part, fold := range parts {
		for machine := range f.target.Targets {
			values := make([]float64, len(fold))
			for i, k := range fold {
				values[i] = solution.F[part*len(f.target.Targets)+machine][f.labelled[k]]
			}
			outputs[part] = append(outputs[part], values)
		}
	}
	return outputs, nil
}

// folds divides the labelled points of all classes that have at least two into
// at most so many parts, none of which holds all of a class.
func folds(y []int, classes, most int) [][]int {
	size, number := make([]int, classes), 0
	for _, c := range y {
		size[c]++
		number = max(number, min(size[c], most))
	}
	if number < 2 {
		return nil
	}
	return deal(y, classes, number)
}

// deal divides the labelled points of all classes that have at least two among
// parts, class after class, one point to each part in turn.
func deal(y []int, classes, number int) [][]int {
	members := make([][]int, classes)
	for k, c := range y {
		members[c] = append(members[c], k)
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
