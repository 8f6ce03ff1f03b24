// Package lapsvm trains classifiers from many points of which few are
// labelled, by manifold regularization: Laplacian support vector machines,
// trained in the primal by preconditioned conjugate gradient or by Newton's
// method, exactly in the space of the labelled points, or on landmarks where points
// are many, and their relatives LapRLSC, SVM and RLSC. (Melacci and Belkin, "Laplacian Support Vector Machines
// Trained in the Primal", JMLR 12, 2011.)
//
// A [Trainer] takes a data set to a [Model] in one call. Its zero value chooses
// all that is open by held-out labels and the graph, as the command does:
//
//	d, err := files.ReadFile("points.csv", files.Options{})
//	m, err := lapsvm.Trainer{}.Fit(ctx, d)
//	classes, err := m.Predict(ctx, d.Points)
//
// A [Recipe] is all that a training is made by, beside the data. A Trainer's may
// leave things open; [Model.Recipe] is whole, and training by it again gives the
// same bits. [Trainer.Choose] shows what would be chosen, and [Trainer.Tune] what
// held-out labels say about a grid of weights.
//
// A Model is immutable and safe to share. [Model.Scores], [Model.Probabilities] and
// [Model.Explain] say more about a decision than [Model.Predict]; [Model.Save] and
// [Load] keep a model in a file. It is a kernel expansion per machine: one machine
// for two classes, one for each of more (one-vs-rest), one for one class.
//
// Package train has the parts of a training: what follows from points, a geometry,
// and what labels ask, a task. Package selection chooses, tunes and measures
// trainings by labels that it hides, package export writes models for other tools.
package lapsvm

import (
	"context"

	"lapsvm/dataset"
	"lapsvm/internal/machines/selection"
	"lapsvm/internal/machines/train"
)

// A Trainer is a recipe, with what a training has beside it.
type Trainer struct {
	Recipe // what it leaves open is chosen
	Run    // data for checks, limits, observers
}

// The parts of a Trainer, and what it tells. They are those of packages train and
// selection.
type (
	Recipe   = train.Recipe     // all that a training is made by, beside the data
	Member   = train.Member     // one of several machines whose mean is a model
	Run      = train.Run        // what a training has beside its recipe
	Observer = train.Observer   // who is told of a training while it goes on
	Choice   = train.Choice     // how the open part of a recipe was chosen
	Training = train.Summary    // how a model was trained
	Plan     = train.Plan       // how a training will go, and what it takes
	Grid     = selection.Grid   // the weights that are tuned
	Tuning   = selection.Tuning // what tuning found
	Solver   = train.Solver
	Prior    = train.Prior

	ClassWeight = train.ClassWeight
)

// The solvers, the priors and the costs of errors, see [train.Solver], [train.Prior]
// and [train.ClassWeight].
const (
	Auto     = train.Auto
	PCG      = train.PCG
	Newton   = train.Newton
	Deformed = train.Deformed
	Dual     = train.Dual

	Landmarks = train.Landmarks

	NoPrior       = train.NoPrior
	BalancedPrior = train.BalancedPrior
	LabelledPrior = train.LabelledPrior

	EqualWeights    = train.EqualWeights
	BalancedWeights = train.BalancedWeights
)

// Errors of a training and of a model's predictions match one of these where their
// cause is known; errors.Is tells.
var (
	ErrData      = train.ErrData      // labels, values or shapes that cannot be used
	ErrParameter = train.ErrParameter // a field of the recipe outside its range
)

// Fit trains on d: it chooses what the recipe leaves open, see [selection.Choose],
// scales the points, builds the neighbour graph and the Gram matrix, minimises the
// objective for all machines at once; where asked to, it shifts the biases to a
// prior, and calibrates. With Recipe.RulesOfThumb nothing is compared: σ is the
// mean distance between neighbours, of which there are 10, the degree 2, γA 1e-4
// and γI 0.01.
//
// It fails for data that cannot be trained on, for a recipe outside its range, for
// a problem larger than the memory allowed, and with the context's error when ctx
// is done. A solver that stops before it converges is no error: see
// Training.Status.
func (t Trainer) Fit(ctx context.Context, d *dataset.Dataset) (*Model, error) {
	r, err := t.Choose(ctx, d)
	if err != nil {
		return nil, err
	}
	f, err := train.Fit(ctx, d, r, t.Run)
	if err != nil {
		return nil, err
	}
	return newModel(ctx, f, d)
}

// FitShare is Fit of ranks that share a data set, see [selection.FitShare]. The model is
// made on rank 0, and so is the data set of all rows; others return nil.
func (t Trainer) FitShare(ctx context.Context, s *dataset.Share) (*Model, *dataset.Dataset, error) {
	f, d, err := selection.FitShare(ctx, s, t.Recipe, t.Run)
	if err != nil || f == nil {
		return nil, nil, err
	}
	m, err := newModel(ctx, f, d)
	return m, d, err
}

// Choose returns the trainer's recipe as Fit trains by it: with what it leaves open
// chosen from d, see [selection.Choose].
func (t Trainer) Choose(ctx context.Context, d *dataset.Dataset) (Recipe, error) {
	return selection.Fill(ctx, d, t.Recipe, t.Run)
}

// ChooseShare is Choose of ranks that share a data set, see [selection.FillShare].
func (t Trainer) ChooseShare(ctx context.Context, s *dataset.Share) (Recipe, error) {
	return selection.FillShare(ctx, s, t.Recipe, t.Run)
}

// PlanShare is Plan of ranks that share a data set, see [train.PlanShare].
func (t Trainer) PlanShare(ctx context.Context, s *dataset.Share) (Plan, *train.RanksSummary, error) {
	return train.PlanShare(ctx, s, t.Recipe, t.Run)
}

// Tune trains on d with every pair of weights of a grid, and measures each by labels
// that it held out, see [selection.Tune].
func (t Trainer) Tune(ctx context.Context, d *dataset.Dataset, g Grid) (*Tuning, error) {
	return selection.Tune(ctx, d, t.Recipe, g, t.Run)
}

// Plan tells how Fit would train on d after the choice, without computing anything:
// the solver, the form of the Gram matrix, and the memory of both. See
// [train.PlanFit].
func (t Trainer) Plan(d *dataset.Dataset) (Plan, error) {
	return train.PlanFit(d, t.Recipe, t.Run)
}
