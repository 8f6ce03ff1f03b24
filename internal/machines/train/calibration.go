package train

import (
	"context"
	"slices"
	"time"

	"lapsvm/calibrate"
	"lapsvm/internal/numbers/parallel"
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
	Class  []int       // of each point, its label; nil of several classes at once
	Label  []int       // of each point, its number among the labelled points
	Parts  int         // that all labels were divided into; each machine lacks one
}

// learnProbabilities finds how decision values become probabilities. It learns from the held-out
// values of the labelled points, plus the shift of the machines. Where no fold is held out, it uses
// the values of all training points.
func (p *Problem) learnProbabilities(_ context.Context, m *minimum, out *outOfFold, shift []float64) (Uncertainty, *HeldOut, error) {
	if len(out.folds) == 0 {
		c, err := calibrate.Assume(p.Task.Coding().Scores(m.F))
		return Uncertainty{Calibration: c}, nil, err
	}
	heldOut := &HeldOut{Parts: out.parts}
	for k, fold := range out.folds {
		addTo(out.outputs[k], shift)
		for i, row := range p.Task.Coding().Scores(out.outputs[k]) {
			heldOut.Scores, heldOut.Class, heldOut.Label = append(heldOut.Scores, row), append(heldOut.Class, p.Task.Class[fold[i]]), append(heldOut.Label, fold[i])
		}
	}
	c, err := calibrate.Fit(heldOut.Scores, heldOut.Class)
	c.Doubt(p.Recipe.Optimism)
	return Uncertainty{Calibration: c}, heldOut, err
}

// learnEach finds how decision values of several classes become probabilities, each for itself.
func (p *Problem) learnEach(_ context.Context, _ *minimum, out *outOfFold, _ []float64) (Uncertainty, *HeldOut, error) {
	heldOut := &HeldOut{Parts: out.parts}
	answers := make([][]float64, len(p.Task.Answers))
	for k, fold := range out.folds {
		heldOut.Scores, heldOut.Label = append(heldOut.Scores, p.Task.Coding().Scores(out.outputs[k])...), append(heldOut.Label, fold...)
		for class, of := range p.Task.Answers {
			for _, label := range fold {
				answers[class] = append(answers[class], of[label])
			}
		}
	}
	e, err := calibrate.FitEach(heldOut.Scores, answers)
	if err == nil && p.Recipe.Criterion == WrongAnswers {
		for class := range e.Threshold {
			e.Threshold[class] = 0.5
		}
	}
	return Uncertainty{Each: e}, heldOut, err
}

// outOfFold is outputs of machines without some labels, which they were not trained on.
type outOfFold struct {
	folds   [][]int       // of labels
	outputs [][][]float64 // [fold][machine][label of the fold]
	asNew   []float64     // [label], of a regression: as at a new row, in the unit of the labels
	parts   int           // that the labels are divided into, of which the folds are the first
	seconds float64
}

// holdOut returns outputs of labelled points by machines trained without their labels. The labels
// are divided into at most five folds, every class evenly; the points themselves stay in K and in
// the graph. There are no folds where every class has a single label: no label would be left to
// learn the class from. The machines without a fold are exact where the training was. Otherwise
// they are further columns of one problem, for as many iterations as the training took. Beyond
// 3,000 points only as many folds are held out as make 16 columns, at least one; with [Run.HoldsAll] the others follow.
func (p *Problem) holdOut(ctx context.Context, m *minimum, run Run) (*outOfFold, error) {
	start := time.Now()
	ctx = parallel.Successive(run.Watch(ctx, "learning probabilities"))
	t := p.Task
	out := &outOfFold{folds: t.Folds(mostFolds)}
	if out.parts = len(out.folds); out.parts == 0 {
		return out, nil
	}
	pass := len(out.folds)
	if (!m.method.reduced || len(m.spaces) > 0) && t.Points > allFoldsPoints {
		pass = min(pass, foldsInOnePass(t.Coding().Machines()))
	}
	if !run.HoldsAll {
		out.folds = out.folds[:pass]
	}
	for folds := range slices.Chunk(out.folds, pass) {
		outputs, err := m.method.without(ctx, p, m, folds, run)
		if err != nil {
			return nil, err
		}
		out.outputs = append(out.outputs, outputs...)
	}
	out.seconds = time.Since(start).Seconds()
	return out, nil
}

// Machines returns the outputs of the machines, [machine][point], that scores of points are made of, in the unit that the machines
// learn numbers in.
func (f *Fitted) Machines(scores [][]float64) [][]float64 {
	coding := f.Task.Coding()
	outputs := make([][]float64, coding.Machines())
	for _, row := range scores {
		for machine, v := range coding.Outputs(row) {
			if f.Recipe.kind().residuals {
				v = f.Task.Unit.To(v)
			}
			outputs[machine] = append(outputs[machine], v)
		}
	}
	return outputs
}

// Without sets outputs at labels, [machine][label] as [Fitted.Machines] has them, to those of machines without the label, where the
// training has such.
func (f *Fitted) Without(outputs [][]float64) {
	for k, value := range f.Summary.LeftOut {
		outputs[0][k] = f.Task.Unit.To(value)
	}
	if h := f.Summary.HeldOut; h != nil {
		for machine, values := range f.Machines(h.Scores) {
			for at, k := range h.Label {
				outputs[machine][k] = values[at]
			}
		}
	}
}
