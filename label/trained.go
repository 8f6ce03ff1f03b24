package label

import (
	"context"
	"fmt"
	"slices"

	"lapsvm/dataset"
	"lapsvm/internal/machines/selection"
	"lapsvm/internal/machines/task"
	"lapsvm/internal/machines/train"
	"lapsvm/kernel"
)

// mostEach is the most labels of which each has a column of an inverse where labels are fixed. Audit takes 60 solutions of O(l³) by these.
// From about so many labels on that costs more than the choice of parameters and a training.
const mostEach = 1000

// trained reports whether the answer is that of a training. There are no inverses then.
func (l *Labelling) trained() bool { return l.o.Fixed && l.Labelled() > mostEach }

// byTraining trains by a recipe without open parameters, and fills in the answer for the present labels. What machines say without a
// label is by machines without a part of the labels.
func (l *Labelling) byTraining(ctx context.Context, whole train.Recipe) (*Labelling, error) {
	whole.Calibrate = l.kind().calibrated()
	run := l.o.Run
	run.HoldsAll = true
	f, err := selection.Fit(ctx, l.data, whole, run)
	if err != nil {
		return nil, err
	}
	scores, err := f.Predictor().ScoresOf(ctx, l.data)
	if err != nil {
		return nil, err
	}
	if err := l.lay(ctx, f.Recipe); err != nil {
		return nil, err
	}
	t, err := l.task(l.y)
	if err != nil {
		return nil, err
	}
	if len(t.Labelled) != len(f.Task.Labelled) {
		panic(fmt.Sprintf("label: a training on %d of %d labels", len(f.Task.Labelled), len(t.Labelled)))
	}
	d := &train.Decided{Task: t, F: f.Machines(scores), Uncertainty: f.Uncertainty, Converged: true}
	for _, outputs := range d.F {
		d.LeaveOneOut = append(d.LeaveOneOut, of(outputs, t.Labelled))
	}
	f.Without(d.LeaveOneOut)
	a := &Answer{Classes: l.classes, Labels: slices.Clone(l.y), Count: make([]int, len(l.classes)), Converged: true, task: t, left: d.LeaveOneOut, outputs: d.F}
	for _, c := range l.y {
		if c != dataset.Unlabelled {
			a.Count[c]++
		}
	}
	l.answer, l.by = a, f.Recipe
	return l, l.kind().take(ctx, l, a, d, nil)
}

// of returns the values at some indices.
func of(values []float64, at []int) []float64 {
	some := make([]float64, len(at))
	for k, i := range at {
		some[k] = values[i]
	}
	return some
}

// lay computes the points and their graph by the recipe of a training. A supervised one has the graph of rules of thumb.
func (l *Labelling) lay(ctx context.Context, r train.Recipe) (err error) {
	if r.Supervised {
		if l.data, r, err = l.withGraph(ctx, l.asked, r); err != nil {
			return err
		}
	}
	r.MostPoints = 0
	if l.ground, err = train.NewGround(ctx, l.data, r, l.Labelled(), l.o.Run); err != nil {
		return err
	}
	l.ground.Geometry.Close() // points and graph stay
	return l.connect(ctx)
}

// judgeByTraining returns the probability of every class for every labelled point by machines without its label. Wrong labels must not
// confirm each other: so another training has none of the labels that look wrong, and all labels are judged by it.
func (l *Labelling) judgeByTraining(ctx context.Context, t *task.Task) ([][]float64, error) {
	p := t.Coding().Scores(l.answer.left)
	if err := toProbabilities(p, t.Class); err != nil {
		return nil, err
	}
	d := *l.data
	d.Y = slices.Clone(l.y)
	kept := leave(d.Y, t, p)
	if len(kept) == len(t.Labelled) {
		return p, nil
	}
	r := l.by
	r.Calibrate = true
	run := l.o.Run
	run.HoldsAll = true
	f, err := train.Fit(ctx, &d, onLandmarks(r), run)
	if err != nil && ctx.Err() == nil { // landmarks lose some functions in rounding
		f, err = train.Fit(ctx, &d, r, run)
	}
	if err != nil {
		return nil, err
	}
	scores, err := f.Predictor().ScoresOf(ctx, l.data)
	if err != nil {
		return nil, err
	}
	for k, i := range t.Labelled {
		p[k] = scores[i]
	}
	if h := f.Summary.HeldOut; h != nil {
		for at, k := range h.Label {
			p[kept[k]] = h.Scores[at]
		}
	}
	return p, toProbabilities(p, t.Class)
}

// onLandmarks returns a recipe that conjugate gradient minimises by the solver on landmarks. It takes a tenth of the time, and finds as
// many wrong labels.
func onLandmarks(r train.Recipe) train.Recipe {
	if r.Solver != train.PCG || !kernel.OfFeatures(r.Kernel) || !r.Kernel.Kind().BasisPoints() {
		return r
	}
	r = r.By(train.Landmarks)
	r.LabelShares, r.Stop, r.CheckEvery, r.MaxIterations, r.Tolerance = false, "", 0, 0, 0 // of the other solver
	return r
}

// doubted is the share of the largest probability of a row below which the label is left out. Fewer wrong labels are found without those
// of a suspicion of 0.2 or 0.5, or without all that are decided otherwise (measured on four sets of 600 labels).
const doubted = 0.3

// leave takes the labels that probabilities without them speak against from y, and returns the numbers of the others. A class keeps
// more than half of its labels, or all.
func leave(y []int, t *task.Task, p [][]float64) (kept []int) {
	size, lost, against := make([]int, len(t.Classes)), make([]int, len(t.Classes)), make([]bool, len(p))
	for k, c := range t.Class {
		size[c]++
		if against[k] = p[k][c] < doubted*slices.Max(p[k]); against[k] {
			lost[c]++
		}
	}
	for k, c := range t.Class {
		if against[k] && 2*lost[c] < size[c] {
			y[t.Labelled[k]] = dataset.Unlabelled
		} else {
			kept = append(kept, k)
		}
	}
	return kept
}
