// Package lapsvm trains classifiers, and regressions, from many points of which few are labelled. It
// implements Laplacian support vector machines and their relatives LapRLSC, SVM and RLSC.
// (Melacci and Belkin, "Laplacian Support Vector Machines Trained in the Primal", JMLR 12,
// 2011.)
//
// With l of n points labelled, targets y_i ∈ {−1, +1}, costs c_i, Gram matrix K, graph
// Laplacian L of degree p and f = Kα + b·1, a training minimises
//
//	J(α, b) = ½ [ Σ_i c_i·loss(y_i, f_i) + γA αᵀKα + γI fᵀL^p f ]
//
// over the labelled points i, plus b/2 for a single class. The ambient norm αᵀKα keeps f small,
// and the intrinsic norm fᵀL^p f keeps f smooth along the graph of nearest neighbours.
//
// A [Trainer] takes a data set to a [Model] in one call. Its zero value chooses all
// parameters by held-out labels and the graph, as the command does:
//
//	d, err := files.ReadFile("points.csv", files.Options{})
//	m, err := lapsvm.Trainer{}.Fit(ctx, d)
//	classes, err := m.Predict(ctx, d.Points)
//
// A [Recipe] holds all parameters of a training. A Trainer chooses those that are left
// open. [Model.Recipe] has none open, and training by it again, on the same data, gives the
// same bits. [Trainer.Choose] returns the recipe that Fit would train by. [Trainer.Tune]
// measures a grid of γA and γI by held-out labels.
//
// A Model is a kernel expansion per machine: one machine for one class or for two, else one
// for each class (one-vs-rest). It is immutable and safe for concurrent use.
// [Model.Scores], [Model.Probabilities] and [Model.Explain] say more about a decision than
// [Model.Predict]. [Model.Save] and [Load] keep a model in a file.
//
// Package label trains again at once when labels are added, and suggests points to label.
// Package export writes models for other tools.
package lapsvm

import (
	"context"

	"lapsvm/dataset"
	"lapsvm/internal/machines/selection"
	"lapsvm/internal/machines/train"
)

// A Trainer trains models. Its zero value chooses all parameters and has no limits.
type Trainer struct {
	Recipe Recipe // the parameters; those that are open are chosen
	Run           // validation data, limits and observers
}

// The parts of a Trainer, and its results.
type (
	// Recipe holds all parameters of a training, as plain data. The result depends on the recipe
	// and the data alone, except for Validation, Start and Time of [Run]. The groups are what is wished, by which machinery, and how it came about.
	//
	//	Kind              Kind                of the labels: OneClass, Numbers, Several or Ordered; default a class each
	//	Criterion         Criterion           of numbers and of several classes, what counts; default MeanSquared, MeanF1
	//	ClassWeight       ClassWeight         costs c_i by class: BalancedWeights or ClassWeights; nil: equal
	//	Prior             Prior               class shares that predictions on unlabelled points get: BalancedPrior, LabelledPrior or ClassPrior; nil: any
	//	Describe          Descriptions        what pictures are described by, kept in the model; "": open
	//	Standardise       points.Standardise  scaling of the points, kept in the model; "": open
	//	Kernel            kernel.Kernel       default kernel.Gaussian with its width open; kernel.Linear for a table with text
	//	GammaA, GammaI    float64             weights γA, γI of the ambient and the intrinsic norm, 1e-30 to 1e30; 0: open
	//	Supervised        bool                no intrinsic norm: an SVM or RLSC of the labelled points alone
	//	Graph             Graph               neighbour graph and Laplacian; Neighbours 0 and Degree 0: open
	//	Members           []Member            machines whose mean is the model, in place of the one of GammaA, GammaI and Graph
	//	Loss              Loss                default SquaredHinge; with the solver Dual Hinge
	//	Bias              Bias                default BiasInNorm
	//	Centred           bool                every machine has the mean 0 over all points; chosen where given edges alone decide
	//	ByEdges           bool                given edges alone decide rows that they join to a label, and features all others; chosen along given edges
	//	Beside            []View              machines whose mean with this one the model is; none in the recipe of one machine
	//	MostViews         int                 most machines of that mean, with this one; 0: by what the rows are
	//	MostPoints        int                 points that take part, drawn by the seed, beside all labelled ones; 0: all, but a choice may take a part of many points
	//	Calibrate         bool                learn probabilities too, from labels held out in at most five folds
	//	LabelShares       bool                keep what each label adds to a decision value; solvers Deformed and Dual
	//	Optimism          float64             factor of the residuals in intervals, and of −log p in sets, for labels that chose parameters; 0: 1
	//
	//	Solver            Solver              default Auto
	//	Stop              Stop                stopping rule of PCG; default StopAuto
	//	CheckEvery        int                 iterations between the checks of Stop; 0: ½√n, with StopAuto at least 16
	//	MaxIterations     int                 0: max(n, 1000) for PCG, 100 for Newton
	//	Tolerance         float64             threshold of Stop, or of the solver Dual; 0: by the rule, see StopAuto
	//	BiasWeight        float64             weight of the bias in the preconditioner of PCG; 0: from the data
	//	LineSearch        bool                Newton takes the exact minimum along its step
	//	Precision         Precision           of the Gram matrix; default Single; Double where views are averaged
	//	Gram              GramForm            the only form of the Gram matrix to use; "": by kernel and memory
	//	Landmarks         int                 most landmarks of the solver Landmarks; 0: 500, or as many as memory allows
	//	Compact           bool                with the solver Landmarks: a model without training points, of at least 3,000 landmarks
	//	RulesOfThumb      bool                set open parameters without comparing machines
	//	Seed              uint64              of all random draws
	//	Pending           Pending             what a choice leaves for the training to decide; none in the recipe of a model
	//	Baseline          Baseline            the supervised machine that was chosen beside, for what compares with it
	//
	//	StandardiseReason string              why Standardise was chosen; it has no effect
	//	Choice            *Choice             how open parameters were chosen; it has no effect
	//
	// Fields that exclude each other are an error that names both, such as Landmarks and the
	// Solver PCG.
	Recipe = train.Recipe

	// Member is a machine of a mean: its Neighbours, LaplacianDegree, GammaA and GammaI, and
	// its Weight in the mean. The weights sum to 1, and all members have one kernel. One with
	// GammaI 0 is that of the labels alone.
	Member = train.Member

	// View is a machine beside that of a recipe. It sees the same rows by another description, scaling or kernel. It has a Name, its
	// Weight in the mean, and its whole Recipe.
	View = train.View

	// Pending is what a choice made on some of the points or labels leaves for the training on all of them to decide.
	Pending = train.Pending

	// Run holds what a training has beside its recipe. Its zero value has no data, limits or
	// observers.
	//
	//	Validation  *dataset.Dataset  labelled points, for StopValidation, StopMixed and the choice of parameters
	//	Start       *Start            warm start of PCG and Newton
	//	Memory      int64             bytes that the training may use; 0: any number
	//	Time        time.Duration     limit of the choice, and again of the iterations; 0: none. It makes results depend on the machine
	//	Checkpoint  string            folder that keeps neighbours and landmarks for the next training on the same points; "": none
	//	Work        *Work             what [Trainer.Prepare] leaves for [Trainer.Fit]; nil: nothing
	//	Observer    Observer          is embedded
	Run = train.Run

	// Observer is told of a training while it runs. Each field may be nil.
	//
	//	Log       *slog.Logger
	//	Progress  func(part string, done, of int)  called often; of is 0 where the length of a part is unknown
	//	Step      func(*Step)                      after every iteration of PCG and Newton
	//	Planned   func(Plan)                       before anything is computed
	//	Compared  func(done, of int)               after each machine that the choice compares
	//	Alone     func(alone bool)                 on rank 0, when other ranks begin and end to wait for it
	//	Gathered  func(*dataset.Dataset)           on rank 0, with the rows that the model is made of
	Observer = train.Observer

	// Choice records how the open parameters of a recipe were chosen. It has the best machine, its
	// held-out loss (squared hinge per label, summed over the machines), and the number of machines compared. It says what to expect on new
	// points, and whether the unlabelled points help.
	Choice = train.Choice

	// Expected is what labels tell of new points that had no part in the choice: the error in percent
	// with its 95 % interval, and the same of a supervised machine. A [Choice] has none by fewer than
	// ten labels.
	Expected = train.Expected

	// Criterion is what counts of answers: the mean squared or absolute error of labels of a regression that are left out, and
	// of several classes at once F1 or wrong answers.
	Criterion = train.Criterion

	// ExpectedNumbers is what labels tell of the numbers of new points, in the unit of the labels: the
	// root mean squared error with its 95 % interval, and that of a supervised machine.
	ExpectedNumbers = train.ExpectedNumbers

	// Verdict is what labels tell of the unlabelled points: [Helps], [Harms] or [CannotBeTold]; "" of a
	// supervised machine.
	Verdict = train.Verdict

	// Training summarises a training: numbers of points and labels, objective, iterations,
	// why the solver stopped, training error in percent, form of the Gram matrix, seconds.
	Training = train.Summary

	// Plan tells how a training will run, before it runs: the recipe with solver, precision
	// and form of the Gram matrix resolved, and the memory in bytes ([Plan.Bytes]).
	Plan = train.Plan

	// Grid lists the weights that [Trainer.Tune] tries, and how it holds labels out.
	//
	//	GammaA, GammaI  []float64  default 1e-6, 1e-4, 0.01, 0.1, 1, 10 and 100 each
	//	Folds           int        parts in which labels are held out; 0: one label at a time
	Grid = selection.Grid

	// Tuning is the result of [Trainer.Tune]: Cells with the held-out error in percent and the
	// loss of every pair of weights, Best by loss, Recommended the smoothest of those within a
	// standard error of the best, and Recipe with the recommended weights. Expected and Verdict are
	// those of weights that are chosen again without blocks of labels.
	Tuning = selection.Tuning

	// Solver is the algorithm that minimises the objective.
	Solver = train.Solver

	// Prior is the shares of the classes that predictions on the unlabelled training points are
	// to have: a PriorRule, or a ClassPrior.
	Prior = train.Prior

	// PriorRule is a prior by its name: BalancedPrior or LabelledPrior.
	PriorRule = train.PriorRule

	// ClassPrior is the share of every class by its name. The shares sum to 1.
	ClassPrior = train.ClassPrior

	// ClassWeight is the costs of errors by class: a WeightRule, or ClassWeights.
	ClassWeight = train.ClassWeight

	// WeightRule is costs by the name of their rule: BalancedWeights.
	WeightRule = train.WeightRule

	// ClassWeights is the cost of errors on each class by its name. Other classes have 1.
	ClassWeights = train.ClassWeights
)

// The solvers, for n points of which l are labelled. The empty Solver is Auto.
//
// Auto takes Dual for the loss Hinge, and Deformed for several members. For a supervised
// machine of up to 4,000 labelled points it takes Newton, and of numbers Deformed. Up to 6,000 points it takes
// Deformed for label shares, for numbers, and for parameters that were chosen by comparing machines, as long as the squares of the
// labels are at most 32,000,000 in all machines together. It takes Landmarks where the recipe sets Landmarks or Compact. For a
// kernel that is neither linear nor given it also takes Landmarks: beyond 6,000 points
// for parameters that were chosen, and beyond 15,000 points for all. Else it takes PCG. Stop, CheckEvery, MaxIterations and Tolerance
// exclude Deformed, and Stop and CheckEvery exclude Landmarks.
const (
	Auto      = train.Auto
	PCG       = train.PCG       // preconditioned conjugate gradient in the primal: O(n²) per iteration
	Newton    = train.Newton    // Newton's method in the primal: O(n³) per step
	Deformed  = train.Deformed  // exact, in the space of the labelled points: O(n³) once, in float64
	Dual      = train.Dual      // as Deformed, for the loss Hinge of the original LapSVM; BiasOutside
	Landmarks = train.Landmarks // K is approximated through Recipe.Landmarks points: O(n) per iteration
)

// The priors. A prior shifts the biases after the training.
const (
	BalancedPrior = train.BalancedPrior // equal shares
	LabelledPrior = train.LabelledPrior // the shares of the labels
)

// The verdicts on the unlabelled points. The first two are for differences beyond chance.
const (
	Helps        = train.Helps
	Harms        = train.Harms
	CannotBeTold = train.CannotBeTold
)

// The costs of errors. They multiply the weights of labels.
const (
	BalancedWeights = train.BalancedWeights // l/(C·l_c) for a class with l_c of the l labels of C classes, as in scikit-learn
)

// The criteria. The empty Criterion is the first of numbers, and of several classes.
const (
	MeanSquared  = train.MeanSquared  // of numbers, (y − f)²
	MeanAbsolute = train.MeanAbsolute // of numbers, |y − f|
	MeanF1       = train.MeanF1       // of several classes: as many rows have a class as are to be expected
	WrongAnswers = train.WrongAnswers // of several classes: a row has a class that it has more probably than not
)

// Fit trains on d and returns the model. It chooses the open parameters, as
// [Trainer.Choose] does, and scales the points. It builds the neighbour graph and the Gram
// matrix, and minimises the objective for all machines at once. Where the recipe asks for
// it, it shifts the biases to a prior and calibrates probabilities. Before it computes
// anything it decides on a solver and a form of the Gram matrix that fit Run.Memory.
//
// Fit fails with [ErrData] for data that cannot be trained on, and with [ErrParameter] for a
// parameter outside its range. It also fails for a problem larger than the memory allowed,
// and with the context's error when ctx is done. A solver that stops before it converges is
// no error: Training.Status says why it stopped.
//
// Where ranks share d, see [dataset.Dataset.Share], all call Fit, and rank 0 returns the model;
// the other ranks return nil. With the solver Landmarks all ranks compute; with any other solver,
// and on up to 20,000 rows where parameters are chosen or no solver is asked for, rank 0 trains alone.
func (t Trainer) Fit(ctx context.Context, d *dataset.Dataset) (*Model, error) {
	if t.Work == nil {
		t.Work = new(Work)
	}
	d, r, err := t.Prepare(ctx, d)
	if err != nil {
		return nil, err
	}
	f, err := selection.Fit(ctx, d, r, t.Run)
	if err != nil || f == nil {
		return nil, err
	}
	defer t.WhileOthersWait(d.Ranks())()
	return newModel(ctx, f, f.Data)
}

// Choose returns the trainer's recipe with the open parameters chosen from d: those that
// [Trainer.Fit] trains by. It takes the scaling by the units of the columns and by held-out
// labels. It takes σ, Graph.Neighbours, Graph.Degree, Graph.Metric, γA and γI from 240 machines, on at
// most 1,600 points, with 200 labels of 50 classes, by their loss on held-out labels and by
// how well their classes fit the graph:
//
//	σ           mean distance of the 5 nearest neighbours, the median distance
//	metric      Euclidean, SelfTuning
//	neighbours  2, 3, 5, 10, 20
//	degree      1, 2, 5; where given edges alone tell of rows 2, 5, 10
//	γA          1e-4
//	γI          1e-4, 0.01, 1, 100
//
// It measures machines with the squared loss in closed form; of these, those of the two best
// graphs can be members of a mean. It begins with the graphs of 5 neighbours and degree 2, and
// goes on to the graphs beside the best two, until these are the best. Of more than 400 points it
// takes 400 for that. Of the best σ and metric it then measures, on all points, the machines of the two best graphs that have a weight. The
// labels held out are those of Run.Validation, or each label of d in turn. The recipe becomes
// a mean of several machines (Members) that the labels cannot tell apart. For more than 6,400
// points this comparison is on 400 of them, with 10 neighbours and degree 2. Its best machines and other graphs are
// then compared on 2,500 points by the solver Landmarks. Of many points in fewer than six dimensions, and of more than two million, it sets MostPoints. In more dimensions Fit begins with 100,000 points, and may end with these. Supervised machines are measured beside
// the others. They have the share k/(k + 10) of a mean, with k labels per class, or less where these speak against them.
//
// Rows of four columns or more, numbers as labels of any table, up to 6,400 rows, get views beside that machine: other scalings and kernels, see [View]. What is expected is that of
// their mean. A kernel, a scaling or a description that is given, edges, a prior and MostViews 1 leave one machine.
//
// With one class nothing is compared. The recipe then has γA 1e-4 and γI 0.01; the rest
// follows the rules of RulesOfThumb: σ is the mean distance between neighbours, of which there
// are 10, and the degree is 2.
//
// The result depends on d, the recipe and its seed alone, unless Run.Time ends the
// comparison. It fails where Fit does. Cost: seconds.
//
// Where ranks share d, rank 0 chooses and sends the recipe to the others. It sees all rows up
// to 20,000; of more rows it sees 20,000, drawn by the seed, and all labelled rows.
func (t Trainer) Choose(ctx context.Context, d *dataset.Dataset) (Recipe, error) {
	_, r, err := t.Prepare(ctx, d)
	return r, err
}

// Prepare returns the recipe of [Trainer.Choose], and d as that recipe describes it: the same d where the
// recipe has no description. A Trainer with that recipe takes either data set for the other, so a program that plans or
// trains more than once describes its pictures once.
func (t Trainer) Prepare(ctx context.Context, d *dataset.Dataset) (*dataset.Dataset, Recipe, error) {
	return selection.Fill(ctx, d, t.Recipe, t.Run)
}

// Tune trains on d with every pair of weights of the grid, exactly, and measures each by
// held-out labels: those of Run.Validation, or each label of d in turn or in folds. Points
// whose labels are held out stay, unlabelled. GammaA, GammaI and Solver of the recipe are
// ignored, and rules of thumb set its other open parameters, but for the scaling, which is
// chosen as by [Trainer.Choose]. It fails where [Trainer.Fit] does. Cost: a few trainings by
// Newton's method, with the memory of the solver Deformed, for the whole grid.
func (t Trainer) Tune(ctx context.Context, d *dataset.Dataset, g Grid) (*Tuning, error) {
	return selection.Tune(ctx, d, t.Recipe, g, t.Run)
}

// Plan tells how [Trainer.Fit] would train on d after the choice: the solver, the form of
// the Gram matrix and the memory of both. It trains nothing. It fails where Fit would find
// bad labels or values, a parameter outside its range or too little memory. Cost: a pass
// over the points, and a scaled copy of them.
//
// Where ranks share d and would train together, the plan is that of the rank's own points. Its
// Ranks has the bytes that the ranks exchange, the same on all ranks. Plan measures them: it runs
// the training up to the first iteration.
func (t Trainer) Plan(ctx context.Context, d *dataset.Dataset) (Plan, error) {
	return train.PlanFit(ctx, d, t.Recipe, t.Run)
}
