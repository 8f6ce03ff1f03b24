package train

import (
	"context"

	"lapsvm/calibrate"
)

// Calibration is how decision values become probabilities.
type Calibration = calibrate.Calibration

// mostFolds is the most parts that the labels are held out in.
const mostFolds = 5

// allFoldsPoints is the number of points up to which conjugate gradient holds out all
// of them.
const allFoldsPoints = 3000

// HeldOut are decision values of labelled points by machines that were trained
// without their labels.
type HeldOut struct {
	Scores [][]float64 // [point][class]
	Class  []int       // of each point, its label
	Label  []int       // of each point, its number among the labelled points
}

// learnProbabilities finds how decision values become probabilities, from the
// held-out values of the labelled points or, where there are none, from those of
// all training points.
func (p *Posed) learnProbabilities(ctx context.Context, m *minimum, shift []float64, run Run) (*Calibration, *HeldOut, error) {
	held, err := p.holdOut(ctx, m, shift, run)
	if err != nil {
		return nil, nil, err
	}
	if held == nil {
		c, err := calibrate.Assume(p.Task.Coding().Scores(m.F))
		return c, nil, err
	}
	c, err := calibrate.Fit(held.Scores, held.Class)
	return c, held, err
}

// holdOut returns decision values of labelled points from machines that were
// trained without their labels; nil where every class has a single one, without
// which nothing would be left to learn the class from. The labels are divided into
// at most five folds, every class evenly; the points themselves stay in K and in
// the graph. The machines without a fold are exact where the training was; else
// they are further columns of one problem, for as many iterations as the training
// took, and beyond 3,000 points only as many folds are held out as make 16
// columns, at least one.
func (p *Posed) holdOut(ctx context.Context, m *minimum, shift []float64, run Run) (*HeldOut, error) {
	t := p.Task
	folds := t.Folds(mostFolds)
	if len(folds) == 0 {
		return nil, nil
	}
	if (!m.method.reduced || len(m.spaces) > 0) && p.Geometry.Len() > allFoldsPoints {
		folds = folds[:min(len(folds), max(1, onePass/t.Coding().Machines()))]
	}
	outputs, err := m.method.without(ctx, p, m, folds, run)
	if err != nil {
		return nil, err
	}
	held := &HeldOut{}
	for k, fold := range folds {
		addTo(outputs[k], shift)
		for i, row := range t.Coding().Scores(outputs[k]) {
			held.Scores, held.Class = append(held.Scores, row), append(held.Class, t.Class[fold[i]])
			held.Label = append(held.Label, fold[i])
		}
	}
	return held, nil
}
