package lapsvm

import (
	"context"
	"fmt"
	"slices"
	"time"

	"lapsvm/calibrate"
	"lapsvm/dataset"
	"lapsvm/gram"
	"lapsvm/graph"
	"lapsvm/internal/parallel"
	"lapsvm/kernel"
	"lapsvm/objective"
	"lapsvm/points"
	"lapsvm/solve"
)

// Fit trains on d: scale the points, build the neighbour graph and the Gram
// matrix, minimise the objective for all machines at once; where asked to, shift
// the biases to a prior, and calibrate. It fails for data that cannot be trained
// on, for parameters outside their range, for a problem larger than the memory
// allowed, and with the context's error when ctx is done. A solver that stops
// before it converges is no error: see [Training.Status].
func (t Trainer) Fit(ctx context.Context, d *dataset.Dataset) (*Model, error) {
	t, err := t.withDefaults()
	if err != nil {
		return nil, ofKind(ErrParameter, err)
	}
	f := &fit{t: t, d: d}
	defer f.close()
	steps := append(f.setUp(), step{"solving", f.solve, ErrParameter}, step{"", f.followPrior, ErrParameter}, step{"", f.decide, nil},
		step{"learning probabilities", f.calibrate, ErrParameter})
	if err := f.run(ctx, steps); err != nil {
		return nil, err
	}
	return f.model(), nil
}

// step is a part of a training.
type step struct {
	name string // for Trainer.Progress; "" for a short one
	do   func(context.Context) error
	kind error // of its errors
}

// setUp are the steps up to the statement of the problem.
func (f *fit) setUp() []step {
	return []step{{"", f.check, ErrData}, {"", f.prior, ErrParameter}, {"", f.prepare, ErrParameter}, {"neighbours and Gram matrix", f.products, ErrParameter},
		{"graph", f.connect, nil}, {"", f.problem, ErrParameter}}
}

func (f *fit) run(ctx context.Context, steps []step) error {
	for _, s := range steps {
		if err := s.do(f.watch(ctx, s.name)); err != nil {
			return ofKind(s.kind, err)
		}
	}
	return nil
}

// watch tells Trainer.Progress that a part begins, and returns the context under
// which it tells how far the part is.
func (f *fit) watch(ctx context.Context, part string) context.Context {
	report := f.t.Progress
	if report == nil || part == "" {
		return ctx
	}
	report(part, 0, 0)
	return parallel.Watch(ctx, func(done, of int) { report(part, done, of) })
}

// fit is a training under way.
type fit struct {
	t           Trainer
	d           *dataset.Dataset
	classes     []string // the labelled ones
	rows        []int    // rows of d that take part
	p           *points.Points
	scaling     points.Scaling
	labelled    []int     // positions in rows
	y           []int     // class of every labelled point, an index into classes
	shares      []float64 // of the classes, by the prior; nil without one
	kernel      kernel.Kernel
	graph       graph.Options
	neighbours  *graph.Neighbours
	laplacian   *graph.Laplacian
	k           *gram.Opened
	choice      gram.Choice
	target      *objective.Problem
	options     solve.Options // resolved
	solution    *solve.Solution
	solved      []solved    // by the solvers in the space of the labelled points
	labelShares [][]float64 // [machine][label·point]: what every label adds to the coefficients; nil where they are not kept
	shift       []float64   // what the prior adds to the values of every machine; nil without one
	calibration *calibrate.Calibration
	config      Config
	training    Training
}

// close gives back what the model does not need.
func (f *fit) close() {
	if f.k != nil {
		f.k.Close()
	}
}

func (f *fit) supervised() bool { return f.t.GammaI == 0 }

// check looks at labels and values, and decides on the classes.
func (f *fit) check(context.Context) error {
	d := f.d
	if d.Points.Len() == 0 {
		return fmt.Errorf("there are no points to train on")
	}
	if d.Points.Dim() == 0 {
		return fmt.Errorf("the points have no features")
	}
	if i, j, found := d.Points.FirstNotFinite(); found {
		return fmt.Errorf("row %d, feature %d is not a finite number: mend or drop the row", i+1, j+1)
	}
	if f.t.Weights != nil && len(f.t.Weights) != d.Points.Len() {
		return fmt.Errorf("%d weights for %d points", len(f.t.Weights), d.Points.Len())
	}
	count := make([]int, len(d.Classes))
	for _, y := range d.Y {
		if y != dataset.Unlabelled {
			count[y]++
		}
	}
	index := make([]int, len(d.Classes))
	for c, name := range d.Classes {
		if count[c] == 0 {
			if f.t.Validation == nil || !slices.Contains(f.t.Validation.Classes, name) {
				f.t.Log.Warn("class without a labelled point is left out", "class", name)
			}
			continue
		}
		index[c] = len(f.classes)
		f.classes = append(f.classes, name)
	}
	switch {
	case len(f.classes) == 0:
		return fmt.Errorf("no point is labelled: label at least one point of every class")
	case len(f.classes) == 1 && !f.t.OneClass:
		return fmt.Errorf("only the class %q is labelled: label a point of another class, or train a one-class machine", f.classes[0])
	case len(f.classes) > 1 && f.t.OneClass:
		return fmt.Errorf("a one-class machine takes labels of one class, not of %d", len(f.classes))
	}
	for i, y := range d.Y {
		if y == dataset.Unlabelled && f.supervised() {
			continue // takes no part
		}
		if y != dataset.Unlabelled {
			f.labelled = append(f.labelled, len(f.rows))
			f.y = append(f.y, index[y])
		}
		f.rows = append(f.rows, i)
	}
	f.training = Training{Choice: f.t.Choice, N: len(f.rows), D: d.Points.Dim(), Labelled: len(f.labelled), Unlabelled: len(f.rows) - len(f.labelled)}
	return nil
}

// prepare scales the points and plans the work on them.
func (f *fit) prepare(ctx context.Context) error {
	p := f.d.Points
	var err error
	if f.scaling, err = points.FitScaling(f.t.Standardise, p); err != nil {
		return err
	}
	p = f.scaling.Apply(p)
	if len(f.rows) < p.Len() {
		p = p.Subset(f.rows)
	}
	f.p = p
	return f.plan(ctx)
}

func (f *fit) machines() int {
	if len(f.classes) == 2 {
		return 1
	}
	return len(f.classes)
}

// products computes the Gram matrix and the neighbours. One pass of inner
// products serves both where neighbours are sought by Euclidean distance and
// the matrix is stored. A kernel whose width is open gets the mean distance
// between neighbours.
func (f *fit) products(ctx context.Context) error {
	start := time.Now()
	request := gram.Request{Kernel: f.t.Kernel, Precision: f.t.Precision}
	var err error
	if !f.supervised() || kernel.Open(f.t.Kernel) {
		if f.graph, err = f.t.Graph.WithDefaults(f.p.Len()); err != nil {
			return err
		}
		if f.graph.Metric == graph.Euclidean {
			request.Neighbours = f.graph.Neighbours
		} else {
			if f.neighbours, err = graph.FindNeighbours(ctx, f.p, f.graph.Neighbours, f.graph.Metric); err != nil {
				return err
			}
			request.Found = f.neighbours
		}
	}
	f.training.Seconds.Graph = time.Since(start).Seconds()
	start = time.Now()
	if f.k, err = gram.Open(ctx, f.p, request, f.choice); err != nil {
		return err
	}
	f.kernel = f.k.Kernel
	if f.k.Neighbours != nil {
		f.neighbours = f.k.Neighbours
	}
	f.training.Seconds.Gram = time.Since(start).Seconds()
	f.t.Log.Info("gram", "kernel", f.kernel.String(), "seconds", f.training.Seconds.Gram)
	return nil
}

// connect makes the graph of the neighbours and its Laplacian.
func (f *fit) connect(context.Context) error {
	if f.supervised() {
		return nil
	}
	start := time.Now()
	o := f.graph
	w, width := graph.Connect(f.neighbours, o.Weights, o.HeatWidth)
	f.laplacian = graph.NewLaplacian(w, o.Unnormalised, o.Degree)
	y := make([]int, f.p.Len())
	for i := range y {
		y[i] = dataset.Unlabelled
	}
	for k, i := range f.labelled {
		y[i] = f.y[k]
	}
	r := graph.NewReport(w, f.p, y, len(f.classes))
	f.training.Graph = r
	f.training.Seconds.Graph += time.Since(start).Seconds()
	f.config.Neighbours, f.config.Metric, f.config.Weights, f.config.Heat = o.Neighbours, string(o.Metric), string(o.Weights), width
	f.config.Laplacian, f.config.LaplacianDegree = "normalised", o.Degree
	if o.Unnormalised {
		f.config.Laplacian = "unnormalised"
	}
	f.t.Log.Info("graph", "points", r.Points, "edges", r.Edges, "components", len(r.Components), "seconds", f.training.Seconds.Graph)
	if r.WithoutLabel > 0 {
		f.t.Log.Warn("some components of the graph have no labelled point; the kernel alone decides there",
			"points", r.WithoutLabel, "components", len(r.Components))
	}
	return nil
}

// problem states the objective.
func (f *fit) problem(context.Context) error {
	f.setTargets()
	f.target.K, f.target.GammaA, f.target.GammaI = f.k.Matrix, f.t.GammaA, f.t.GammaI
	if f.laplacian != nil {
		f.target.L = f.laplacian
	}
	p := *f.target
	if p.Loss == objective.Hinge {
		p.Loss = "" // the dual minimises it, not the primal solvers
	}
	return p.Validate()
}

// setTargets states the part of the problem that the labels make.
func (f *fit) setTargets() {
	f.target = &objective.Problem{Labelled: f.labelled, Loss: f.t.Loss, Bias: f.t.Bias, OneClass: f.t.OneClass}
	if f.t.Weights != nil {
		for _, i := range f.labelled {
			f.target.Weights = append(f.target.Weights, f.t.Weights[f.rows[i]])
		}
	}
	for c := range f.machines() {
		targets := make([]float64, len(f.y))
		for k, y := range f.y {
			targets[k] = f.sign(c, y)
		}
		f.target.Targets = append(f.target.Targets, targets)
	}
}

// sign is the target of a class for a machine. Two classes share one machine,
// positive for the second of them.
func (f *fit) sign(machine, class int) float64 {
	positive := machine
	if len(f.classes) == 2 {
		positive = 1
	}
	if class == positive {
		return 1
	}
	return -1
}

func (f *fit) solve(ctx context.Context) error {
	start := time.Now()
	f.options = f.t.Solve
	var err error
	if o := &f.options; f.t.Solver == PCG {
		if f.t.Validation != nil {
			if o.ValidationErrors, o.ValidationSize, err = f.validation(ctx); err != nil {
				return err
			}
		}
		if *o, err = o.WithDefaults(f.p.Len()); err != nil {
			return err
		}
		f.config.Stop, f.config.CheckEvery = string(o.Stop), o.CheckEvery
		f.config.MaxIterations, f.config.Tolerance = o.MaxIterations, o.Tolerance
	}
	if f.solution, err = f.minimise(ctx, f.target, f.options); err != nil {
		return err
	}
	f.summarise(time.Since(start).Seconds())
	f.t.Log.Info("solve", "solver", f.t.Solver, "iterations", f.training.Iterations, "objective", f.training.Objective,
		"status", f.training.Status, "seconds", f.training.Seconds.Solve)
	return nil
}

// minimise solves a problem with the solver of the training.
func (f *fit) minimise(ctx context.Context, p *objective.Problem, o solve.Options) (*solve.Solution, error) {
	switch f.t.Solver {
	case Newton:
		return solve.Newton(ctx, p, o)
	case Deformed, Dual:
		return f.reduced(ctx)
	}
	return solve.PCG(ctx, p, o)
}

func (f *fit) summarise(seconds float64) {
	s, t := f.solution, &f.training
	iterations, lineSearchSteps := 0, 0
	for c := range s.Objective {
		t.Objective += s.Objective[c]
		t.ErrorVectors += s.ErrorVectors[c]
		iterations += s.Iterations[c]
		lineSearchSteps += s.LineSearchSteps[c]
	}
	machines := float64(f.machines())
	t.Iterations, t.LineSearchSteps = float64(iterations)/machines, float64(lineSearchSteps)/machines
	t.Status = string(s.Status[0])
	for _, status := range s.Status {
		if status == solve.IterationLimit {
			t.Status = string(status)
		}
	}
	t.Seconds.Solve = seconds
}

// decide records what the machines, as they now are, say of the training
// points.
func (f *fit) decide(context.Context) error {
	s, t := f.solution, &f.training
	if !f.supervised() {
		t.Scores = scores(s.F, len(f.classes))
	}
	wrong := 0
	values := make([]float64, len(s.F))
	for k, i := range f.labelled {
		for c := range values {
			values[c] = s.F[c][i]
		}
		if decide(values, f.t.OneClass) != f.y[k] {
			wrong++
		}
	}
	t.TrainingError = 100 * float64(wrong) / float64(len(f.labelled))
	return nil
}

// resolve completes the configuration.
func (f *fit) resolve() {
	f.config.setKernel(f.kernel)
	f.config.GammaA, f.config.GammaI = f.t.GammaA, f.t.GammaI
	f.config.Loss, f.config.Solver = string(f.t.Loss), string(f.t.Solver)
	f.config.Bias, f.config.BiasInNorm = f.t.Bias != objective.NoBias, f.t.Bias == objective.BiasInNorm
	f.config.OneClass, f.config.Standardise, f.config.Precision = f.t.OneClass, string(f.t.Standardise), int(f.t.Precision)
}

// model makes the model of the solution.
func (f *fit) model() *Model {
	basis, coefficients, used := compact(f.p, f.kernel, f.solution.Alpha)
	f.resolve()
	return &Model{
		kernel: f.kernel, scaling: f.scaling, basis: basis, coefficients: coefficients, bias: f.solution.B,
		oneClass: f.t.OneClass, classes: f.classes, features: f.d.Features, label: f.d.Label, encoding: f.d.Encoding, image: f.d.Image,
		calibration: f.calibration, origin: f.origin(used), labelShares: f.labelSharesOf(used), config: f.config, training: f.training,
	}
}
