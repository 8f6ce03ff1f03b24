package command

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"lapsvm"
	"lapsvm/dataset"
	"lapsvm/internal/machines/solve"
	"lapsvm/internal/machines/train"
	"lapsvm/internal/numbers/objective"
	"lapsvm/internal/points/gram"
	"lapsvm/internal/points/graph"
	"lapsvm/points"
)

// trainFlags are the parameters of a training.
type trainFlags struct {
	kernelFlags
	standardise, metric, weights, laplacian, loss, solver, stop, bias, biasInNorm string
	neighbours, laplacianDegree, gammaA, gammaI                                   autoNumber
	heat, tolerance                                                               float64
	checkEvery, maxIterations, precision, landmarks                               int
	compact                                                                       bool
	oneClass                                                                      bool
	validation                                                                    string
	prior                                                                         []string
	classWeight                                                                   string
	seed                                                                          uint64
	recall                                                                        float64
	time                                                                          time.Duration
	checkpoint                                                                    string
}

// mostDegree is the largest power of the Laplacian that can be asked for. Every
// power costs a product an iteration, and 5 is already large.
const mostDegree = 100

// define defines the flags. A command adds the flags that matter for its result;
// the others keep their defaults.
func (f *trainFlags) define() *pflag.FlagSet {
	all := newSection("")
	f.neighbours.whole, f.laplacianDegree.whole = true, true
	under(all, "Preprocessing and kernel", f.defineKernel)
	under(all, "Graph", f.defineGraph)
	under(all, "Objective", f.defineObjective)
	under(all, "Solver", f.defineSolver)
	return all
}

func (f *trainFlags) defineKernel(flags *pflag.FlagSet) {
	addOneOf(flags, &f.standardise, "standardise", "auto", "preprocessing, stored in the model: none, unit-norm, zscore, minmax, or columns, each by what it is; auto chooses by the columns and by held-out labels",
		"auto", "none", "unit-norm", "zscore", "minmax", "columns")
	f.kernelFlags.define(flags)
}

func (f *trainFlags) defineGraph(flags *pflag.FlagSet) {
	flags.Var(&f.neighbours, "neighbours", "neighbours of every point in the graph")
	addOneOf(flags, &f.metric, "metric", "euclidean", "distance between neighbours: euclidean, cosine, or kernel, that of a square table of kernel values",
		"euclidean", "cosine", "kernel")
	addOneOf(flags, &f.weights, "weights", "heat", "edge weights: heat, binary or distance",
		"heat", "binary", "distance")
	flags.Float64Var(&f.recall, "recall", graph.DefaultRecall, "share of the nearest neighbours to be found where exact search takes long; 1 is exact")
	flags.Float64Var(&f.heat, "heat", 0, "width t of the heat weights exp(−d²/2t²); 0 is the mean neighbour distance")
	addOneOf(flags, &f.laplacian, "laplacian", "normalised", "graph Laplacian: normalised or unnormalised",
		"normalised", "unnormalised")
	flags.Var(&f.laplacianDegree, "laplacian-degree", "power of the Laplacian")
}

func (f *trainFlags) defineObjective(flags *pflag.FlagSet) {
	flags.Var(&f.gammaA, "gamma-a", "weight of the ambient norm")
	flags.Var(&f.gammaI, "gamma-i", "weight of the intrinsic norm; 0 is a supervised machine")
	names, about := objective.Losses(), []string(nil)
	for _, loss := range names {
		about = append(about, fmt.Sprintf("%s (%s)", loss, loss.About()))
	}
	addOneOf(flags, &f.loss, "loss", "", alternatives(about)+fmt.Sprintf(" (default %s; hinge with dual)", names[0]), textsOf(names)...)
	addOneOf(flags, &f.bias, "bias", "on", "unregularised bias: on, outside (not part of the intrinsic norm) or off",
		"on", "outside", "off")
	addOneOf(flags, &f.biasInNorm, "bias-in-norm", "on", "on, or off, which is --bias outside",
		"on", "off")
	_ = flags.MarkHidden("bias-in-norm") // kept for scripts
	flags.BoolVar(&f.oneClass, "one-class", false, "train on labels of one class: a point is inside it or not")
	flags.StringVar(&f.classWeight, "class-weight", "", "costs of errors by class: balanced, in inverse proportion to their numbers of labels, or a file with a line for each class, its name, a tab or comma and its weight (default: all equal)")
	flags.StringSliceVar(&f.prior, "prior", nil, "class shares that predictions on the unlabelled rows follow: balanced, labelled or A=0.3,B=0.7 (default: none)")
}

func (f *trainFlags) defineSolver(flags *pflag.FlagSet) {
	addOneOf(flags, &f.solver, "solver", "auto", "auto, pcg, newton, deformed (exact for few labels, O(n³) once), dual (the original LapSVM) or landmarks (for many points: a kernel matrix made of a few)",
		train.SolverNames()...)
	flags.IntVar(&f.landmarks, "landmarks", 0, "points that the kernel matrix is made of with the solver landmarks, at most (default 1000, or as many as fit into --memory)")
	flags.BoolVar(&f.compact, "compact", false, "with the solver landmarks: a model of landmarks alone, which keeps no other training points and can be exported; of new points it decides somewhat worse")
	addOneOf(flags, &f.stop, "stop", "", "goal condition of pcg. auto stops when twice the iterations would change few decisions; stability, validation and mixed are those of the paper; others are gradient, preconditioned, product, objective and none (default auto)",
		solve.ConditionNames()...)
	flags.IntVar(&f.checkEvery, "check-every", 0, "iterations between checks of decisions; for auto those before the first check (default ½√n, for auto at least 16)")
	flags.IntVar(&f.maxIterations, "max-iter", 0, "iteration limit (default: n or 1000 for pcg, 100 for newton)")
	flags.Float64Var(&f.tolerance, "tolerance", 0, "threshold of the goal condition (default 0.015 for auto, stability and mixed, 1e-6 for objective, else 1e-3)")
	flags.StringVar(&f.validation, "validation", "", "file of labelled points for the validation and mixed conditions")
	flags.IntVar(&f.precision, "precision", 32, "bits of a stored Gram entry: 32 or 64. Sums have 64; of more than 2 classes those within a tile have 32")
	flags.Uint64Var(&f.seed, "seed", 1, "seed of all random choices: the points that parameters are chosen on, and the splits of evaluate")
	flags.DurationVar(&f.time, "time", 0, "most time for comparing machines, and again for the solver's iterations, such as 60s: the best by then is taken (default: any time)")
	flags.StringVar(&f.checkpoint, "checkpoint", "", "folder that keeps neighbours and landmarks, made where it is missing: another training on the same points by the same settings starts at the solver; of ranks, by as many")
	flags.Int("threads", 0, "threads (default: all processors)")
}

// trainer returns the trainer described by the flags. Parameters to be chosen
// are zero.
func (f *trainFlags) trainer(ctx context.Context, data *DataFlags) (lapsvm.Trainer, error) {
	t := lapsvm.Trainer{Recipe: lapsvm.Recipe{
		GammaA: f.gammaA.or(0), GammaI: f.gammaI.or(0), Supervised: f.gammaI.value != nil && *f.gammaI.value == 0,
		Loss: objective.Loss(f.loss), OneClass: f.oneClass, Seed: f.seed,
		Solver: lapsvm.Solver(f.solver), Landmarks: f.landmarks, Compact: f.compact, Precision: gram.Precision(f.precision),
		Graph: graph.Options{
			Neighbours: int(f.neighbours.or(0)), Metric: graph.Metric(f.metric), Weights: graph.Weights(f.weights), HeatWidth: f.heat, Recall: f.recall,
			Unnormalised: f.laplacian == "unnormalised", Degree: int(f.laplacianDegree.or(0)),
		},
		Stop: solve.Condition(f.stop), CheckEvery: f.checkEvery, MaxIterations: f.maxIterations, Tolerance: f.tolerance,
	}}
	if t.Time = f.time; f.time < 0 {
		return t, Usagef("--time must not be negative: give how long comparing may take, such as 60s")
	}
	switch {
	case !(f.recall > 0 && f.recall <= 1):
		return t, Usagef("--recall must be above 0 and at most 1, which is exact search, not %v", f.recall)
	case f.gammaA.value != nil && !(*f.gammaA.value > 0):
		return t, Usagef("--gamma-a must be positive, not %v: it makes the problem well-posed; 1e-6 is small", *f.gammaA.value)
	case f.gammaI.value != nil && !(*f.gammaI.value >= 0):
		return t, Usagef("--gamma-i must not be negative, not %v; 0 gives the supervised machine", *f.gammaI.value)
	case f.landmarks < 0:
		return t, Usagef("--landmarks must not be negative, not %d; 0 means %d", f.landmarks, train.DefaultLandmarks)
	case f.landmarks > 0 && t.Solver != train.Auto && t.Solver != train.Landmarks:
		return t, Usagef("--landmarks belongs to the solver landmarks: %s takes all points; leave one of the two out", t.Solver)
	case f.compact && t.Solver != train.Auto && t.Solver != train.Landmarks:
		return t, Usagef("--compact belongs to the solver landmarks: models of %s are expansions in all points that count; export --prune makes one smaller", t.Solver)
	case f.neighbours.value != nil && *f.neighbours.value < 1:
		return t, Usagef("--neighbours must be at least 1, not %v", *f.neighbours.value)
	case f.laplacianDegree.value != nil && (*f.laplacianDegree.value < 1 || *f.laplacianDegree.value > mostDegree):
		return t, Usagef("--laplacian-degree must be from 1 to %d, not %v", mostDegree, *f.laplacianDegree.value)
	}
	if f.standardise != "auto" {
		t.Standardise = points.Standardise(f.standardise)
	}
	var err error
	if t.Kernel, err = f.kernelFlags.kernel(); err != nil {
		return t, err
	}
	if t.Bias, err = objective.ParseBias(f.bias); err != nil {
		return t, usageError{err}
	}
	if f.biasInNorm == "off" && t.Bias == objective.BiasInNorm {
		t.Bias = objective.BiasOutside
	}
	if t.Prior, t.ClassPrior, err = parsePrior(f.prior); err != nil {
		return t, err
	}
	if t.ClassWeight, t.ClassWeights, err = f.classWeights(ctx); err != nil {
		return t, err
	}
	t.Checkpoint = f.checkpoint
	if t.Memory, err = MemoryBudget(data.Memory); err != nil {
		return t, err
	}
	return t, nil
}

// readValidation reads the points of --validation as those of the training, d,
// were read.
func (f *trainFlags) readValidation(ctx context.Context, p *Program, data *DataFlags, d *dataset.Dataset, output *OutputFlags) (*dataset.Dataset, error) {
	if f.validation == "" {
		return nil, nil
	}
	v, err := p.Read(ctx, data.like(d), f.validation)
	if err != nil {
		return nil, err
	}
	p.warnUnseen(v, output)
	return v, nil
}

// parsePrior reads the name of a prior, or shares such as A=0.3.
func parsePrior(texts []string) (name lapsvm.Prior, shares map[string]float64, err error) {
	if len(texts) == 1 && !strings.Contains(texts[0], "=") {
		switch name = lapsvm.Prior(spelt(texts[0])); name {
		case lapsvm.BalancedPrior, lapsvm.LabelledPrior:
			return name, nil, nil
		}
	}
	if len(texts) == 0 {
		return "", nil, nil
	}
	if shares, err = train.ParseClassPrior(texts); err != nil {
		return "", nil, Usagef("--prior: %w", err)
	}
	return "", shares, nil
}
