package lapsvm

import (
	"lapsvm/internal/machines/drift"
	"lapsvm/internal/machines/modelfile"
	"lapsvm/internal/machines/solve"
	"lapsvm/internal/machines/task"
	"lapsvm/internal/machines/train"
	"lapsvm/internal/numbers/objective"
	"lapsvm/internal/points/gram"
	"lapsvm/internal/points/graph"
)

// The types of the fields of [Recipe], [Run] and [Model].
type (
	// Graph describes the neighbour graph and its Laplacian. Its zero value is the default.
	//
	//	Neighbours   int          k; each point has edges to its k nearest points and to those that it is one of the k nearest of; 0: open, by rule 10
	//	Metric       Metric       distance of two points; open: Euclidean or SelfTuning, chosen; where nothing else is open Euclidean
	//	Weights      EdgeWeights  weight of an edge; default Heat
	//	HeatWidth    float64      t of Heat, in the unit of the distances, 1e-300 to 1e300; 0: the mean of all non-zero distances between neighbours
	//	Unnormalised bool         L = D − W in place of L = I − D^−½ W D^−½
	//	Recall       float64      share of the true neighbours that an approximate search must find; 0: 0.97
	//	EdgesAlone   bool         the edges of [dataset.Dataset].Edges, and none of neighbours
	//	EdgeWeight   float64      weight of given edges, of the mean magnitude 1, beside those of neighbours; 0: open, by rule 1
	//	Degree       int          p, the power of the Laplacian L^p, at most 100; 0: open, by rule 2
	//
	// W holds the weights of the edges, and the diagonal matrix D their sums at each point.
	Graph = graph.Options

	// Metric is the distance by which the graph finds neighbours.
	Metric = graph.Metric

	// EdgeWeights turns the distance of two neighbours into the weight of their edge.
	EdgeWeights = graph.Weights

	// Kind is what the labels are. The zero value is classes, of which a point has one; others are [OneClass], [Numbers], [Several] and [Ordered].
	Kind = task.Kind

	// Baseline is the supervised machine that a choice found best: SupervisedGamma, its γA; SupervisedSigma, the width of its kernel; and
	// SupervisedLinear, where it has the linear kernel and machines with graphs another.
	Baseline = train.Baseline

	// KindName is the word for a kind of label.
	KindName = task.Name

	// Loss is the penalty of a labelled point with target y and decision value f. The target is −1 or
	// +1, or the number of a regression.
	Loss = objective.Loss

	// Bias says how the constant b enters the decision value f and the intrinsic norm.
	Bias = objective.Bias

	// Stop is the stopping rule of the solver PCG.
	Stop = solve.Condition

	// Start is a warm start of PCG or Newton: the coefficients Alpha [machine][point] and
	// the biases B [machine].
	Start = solve.Start

	// Step reports one iteration of PCG or Newton to an Observer; iteration 0 is the start.
	// It has per machine the objective, the number of error vectors, the step length and the
	// norms of the gradient; and Alpha and F, the current coefficients and decision values
	// [machine][point]. A Step is valid during the call only.
	Step = solve.Step

	// Precision is the storage of a Gram entry in bits.
	Precision = gram.Precision

	// GramForm is the way in which the Gram matrix K is had, such as half (one triangle is stored) and streamed (computed anew for every
	// product). The empty GramForm takes the fastest that fits the kernel and the memory allowed.
	GramForm = gram.Form

	// Descriptions are the names of descriptions, side by side, separated by
	// commas. Of pictures hog is the orientations of gradients in cells, and patches is filters learned
	// from the pictures. The empty Descriptions are open.
	Descriptions = train.Descriptions

	// Predictor computes decision values and probabilities of new points. Its first call lays
	// the basis out for fast products and keeps that copy. It is safe for concurrent use.
	Predictor = train.Predictor

	// Local is a correction by neighbours, which a model trained on landmarks may have. It
	// adds to every decision value the mean residual e_i of the k nearest training points:
	//
	//	f(x) = Σ_j α_j·k(x_j, x) + b + (1/k) Σ_{i ∈ N_k(x)} e_i
	//
	// Points holds all training points, Residuals e [machine][point], Neighbours k. It is
	// immutable and safe for concurrent use.
	Local = gram.Local

	// Work is what a choice leaves for the training by it on the same data. Its zero value has nothing.
	Work = train.Work

	// Drift is a report on how points differ from the training points: Columns has their
	// ranges, Rows the rows far from all training points, Classes the shares of the predicted
	// classes, Missing the shares of missing values. Each part has Drifted and Chance, the
	// probability of such a difference between points of the same source, or a bound of it.
	Drift = drift.Report

	// Profile is the summary of the training points that a model keeps to measure [Drift]:
	// deciles of the columns, distances between rows, counts of the predicted classes.
	Profile = drift.Profile

	// Contents holds the parts of a model, as [Model.Save] writes them and package export
	// converts them.
	Contents = modelfile.Contents
)

// Undescribed leaves points the features that they are.
const Undescribed = train.Undescribed

// The metrics of [Graph]. The empty Metric is open: see [Graph].
const (
	Euclidean       = graph.Euclidean // ‖x − y‖
	Cosine          = graph.Cosine    // 1 − ⟨x, y⟩/(‖x‖·‖y‖); 1 where x or y is zero
	KernelMetric    = graph.Kernel    // √(k_ii + k_jj − 2k_ij), with the kernel precomputed only, whose default it is
	DistancesMetric = graph.Distances // the values of the table, with the kernel distances only, whose default it is

	// SelfTuning is ‖x − y‖/√(s_x s_y), where s is the distance of a point to its 7th nearest
	// neighbour: neighbours are as far in dense parts of the data as in thin ones.
	SelfTuning = graph.SelfTuning
)

// The weights of an edge. The empty EdgeWeights is Heat.
const (
	Heat     = graph.Heat     // exp(−distance²/(2t²)) with t = Graph.HeatWidth
	Binary   = graph.Binary   // 1
	Distance = graph.Distance // the distance itself, so that duplicates have no edge
)

// The losses. The empty Loss is SquaredHinge, or Hinge with the solver Dual.
const (
	SquaredHinge   = objective.SquaredHinge   // max(0, 1 − y·f)²: LapSVM in the primal, SVM
	Squared        = objective.Squared        // (y − f)²: LapRLSC, RLSC
	Hinge          = objective.Hinge          // max(0, 1 − y·f): the original LapSVM; with the solver Dual only
	HuberisedHinge = objective.HuberisedHinge // the squared hinge where y·f ≥ 0, and 1 − 2y·f below

	// Of a regression, in units of the standard deviation of the labels:
	Huber              = objective.Huber              // (y − f)² up to |y − f| = ½, and straight beyond
	SquaredInsensitive = objective.SquaredInsensitive // max(0, |y − f| − 1/16)²
)

// OneClass is labels of a single class: a point is inside of it or not.
func OneClass() Kind { return task.OneClass() }

// Numbers is labels that are numbers, as predictions are: the training is a regression.
func Numbers() Kind { return task.Numbers() }

// Several is labels of any number of classes, with a separator between these, such as a semicolon.
func Several(separator string) Kind { return task.Several(separator) }

// Ordered is labels of one class each, whose classes have ranks: they are named from the lowest to the highest. Without a name the classes are
// numbers, and their values are the order.
func Ordered(classes ...string) Kind { return task.Ordered(classes...) }

// Losses returns all losses, the default first.
func Losses() []Loss { return objective.Losses() }

// The ways of the bias b, which is not regularised. The zero Bias is BiasInNorm. The solver
// Dual takes BiasOutside in its place.
const (
	BiasInNorm  = objective.BiasInNorm  // f = Kα + b, intrinsic norm fᵀLf
	BiasOutside = objective.BiasOutside // f = Kα + b, intrinsic norm (Kα)ᵀL(Kα)
	NoBias      = objective.NoBias      // f = Kα
)

// The stopping rules of PCG. The empty Stop is StopAuto. StopAuto, StopStability,
// StopValidation and StopMixed compare decisions at some iterations and stop all machines
// together; the others compare numbers of each machine at every iteration and stop it alone.
// ∇ is the gradient, ∇̂ the preconditioned gradient, and ⁰ marks the start. The comments give
// Tolerance by default.
const (
	StopAuto           = solve.Auto           // as many iterations again would change a share of the decisions below Tolerance, 0.015, by extrapolation
	StopStability      = solve.Stability      // the share of unlabelled decisions that changed since the last check is below Tolerance, 0.015
	StopValidation     = solve.Validation     // the errors on Run.Validation no longer fall from check to check
	StopMixed          = solve.Mixed          // StopStability and StopValidation at the same check
	StopGradient       = solve.Gradient       // ‖∇‖ < Tolerance·‖∇⁰‖, 1e-3
	StopPreconditioned = solve.Preconditioned // ‖∇̂‖ < Tolerance·‖∇̂⁰‖, 1e-3
	StopProduct        = solve.Product        // √(∇̂ᵀ∇) < Tolerance·√(∇̂⁰ᵀ∇⁰), 1e-3
	StopObjective      = solve.Objective      // an iteration lowers the objective J by less than Tolerance·|J|, 1e-6
	StopNone           = solve.None           // MaxIterations, or no further decrease in this precision
)

// The precisions of the Gram matrix. The zero Precision is Single. The solvers Deformed and
// Dual always use Double.
const (
	Single = gram.Single // float32 entries; products with several columns have a relative error of about 2e-7
	Double = gram.Double // float64 entries and sums
)
