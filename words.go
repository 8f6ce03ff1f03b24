package lapsvm

import (
	"lapsvm/internal/machines/drift"
	"lapsvm/internal/machines/modelfile"
	"lapsvm/internal/machines/solve"
	"lapsvm/internal/machines/train"
	"lapsvm/internal/numbers/objective"
	"lapsvm/internal/points/gram"
	"lapsvm/internal/points/graph"
)

// What the fields of a [Recipe] and of a [Run] are.
type (
	Graph       = graph.Options      // the neighbour graph and its Laplacian
	Metric      = graph.Metric       // what is near in the graph
	EdgeWeights = graph.Weights      // of the graph, by the distance of two neighbours
	Loss        = objective.Loss     // penalty of a labelled point
	Bias        = objective.Bias     // how the constant enters a decision value
	Stop        = solve.Condition    // goal condition of PCG
	Start       = solve.Start        // where a solver begins
	Step        = solve.Step         // an iteration, as an Observer is told of it
	Precision   = gram.Precision     // storage of the Gram matrix
	GramForm    = gram.Form          // way of having the Gram matrix
	Predictor   = train.Predictor    // what computes decision values
	Local       = gram.Local         // what the nearest training points add to decision values
	Drift       = drift.Report       // how points differ from those of the training
	Profile     = drift.Profile      // what a model keeps of its training points for that
	Contents    = modelfile.Contents // the parts of a model, as its file has them
)

// The values of these fields. The first of each group is the default.
const (
	Euclidean    = graph.Euclidean
	Cosine       = graph.Cosine
	KernelMetric = graph.Kernel // of the kernel precomputed alone

	Heat     = graph.Heat
	Binary   = graph.Binary
	Distance = graph.Distance

	SquaredHinge = objective.SquaredHinge
	Squared      = objective.Squared
	Hinge        = objective.Hinge // of the solver Dual alone

	BiasInNorm  = objective.BiasInNorm
	BiasOutside = objective.BiasOutside
	NoBias      = objective.NoBias

	StopAuto           = solve.Auto
	StopStability      = solve.Stability
	StopValidation     = solve.Validation
	StopMixed          = solve.Mixed
	StopGradient       = solve.Gradient
	StopPreconditioned = solve.Preconditioned
	StopProduct        = solve.Product
	StopObjective      = solve.Objective
	StopNone           = solve.None

	Single = gram.Single
	Double = gram.Double

	GramPrecomputed = gram.FormPrecomputed
	GramPoints      = gram.FormPoints
	GramHalf        = gram.FormHalf
	GramStreamed    = gram.FormStreamed
	GramLandmarks   = gram.FormLandmarks
)
