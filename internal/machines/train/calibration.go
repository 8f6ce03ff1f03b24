package train

import (
	"context"
	"slices"
	"time"

	"lapsvm/calibrate"
	"lapsvm/internal/machines/task"
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
	if len(out.folds) == 0 && !p.Recipe.kind().each {
		c, err := calibrate.Assume(p.Task.Coding().Scores(m.F))
		return Uncertainty{Calibration: c}, nil, err
	}
	heldOut := &HeldOut{Parts: out.parts}
	for k, fold := range out.folds {
		addTo(out.outputs[k], shift)
		heldOut.Scores, heldOut.Label = append(heldOut.Scores, p.Task.Coding().Scores(out.outputs[k])...), append(heldOut.Label, fold...)
	}
	u, err := p.Recipe.kind().probable(p.Recipe, p.Task, heldOut, false)
	return u, heldOut, err
}

// calibrated has one slope for all classes, of which a point has one.
func calibrated(r Recipe, t *task.Task, h *HeldOut, mean bool) (u Uncertainty, err error) {
	h.Class = make([]int, len(h.Label))
	for at, k := range h.Label {
		h.Class[at] = t.Class[k]
	}
	if mean {
		u.Calibration, err = calibrate.WithSlope(1, h.Scores, h.Class)
	} else {
		u.Calibration, err = calibrate.Fit(h.Scores, h.Class)
	}
	u.Calibration.Doubt(r.Optimism)
	return u, err
}

// calibratedEach has a slope, an offset and a threshold for each of several classes.
func calibratedEach(r Recipe, t *task.Task, h *HeldOut, mean bool) (u Uncertainty, err error) {
	answers := make([][]float64, len(t.Answers))
	for class, of := range t.Answers {
		for _, k := range h.Label {
			answers[class] = append(answers[class], of[k])
		}
	}
	fit := calibrate.FitEach
	if mean {
		fit = calibrate.EachOfLogOdds
	}
	if u.Each, err = fit(h.Scores, answers); err == nil && r.Criterion == WrongAnswers {
		for class := range u.Each.Threshold {
			u.Each.Threshold[class] = 0.5
		}
	}
	return u, err
}

// ProbabilitiesBy returns how decision values [at][class] become probabilities, by these at labels that the machines did not see.
func ProbabilitiesBy(t *task.Task, scores [][]float64, labels []int) (Probabilities, error) {
	u, err := kindOf(t.Kind).probable(Recipe{}, t, &HeldOut{Scores: scores, Label: labels}, false)
	return u.Probabilities(), err
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
