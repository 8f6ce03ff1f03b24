package train

import (
	"context"
	"fmt"
	"time"

	"lapsvm/dataset"
	"lapsvm/deformed"
	"lapsvm/geometry"
	"lapsvm/gram"
	"lapsvm/graph"
	"lapsvm/objective"
	"lapsvm/points"
	"lapsvm/solve"
	"lapsvm/task"
)

// Fitted is what a training made: a kernel expansion per machine, how its values
// become probabilities, and what there is to tell.
type Fitted struct {
	Recipe      Recipe // whole
	Task        *task.Task
	Scaling     points.Scaling
	Expansion   gram.Expansion
	Calibration *Calibration // nil without probabilities
	Rows        []int        // of the data, that the basis points are; nil where it is a weight vector per machine
	Class       []int        // of each of these, dataset.Unlabelled without a label
	LabelShares [][]float64  // [machine][label·basis point] what the label of each labelled basis point adds to the coefficients; nil where not kept
	Summary     Summary
}

// Fit trains on d by a recipe: of what is open the width is found in the points,
// and the rest set by rules of thumb. It fails for data that cannot be trained on,
// for a recipe outside its range, for a problem larger than the memory allowed,
// and with the context's error when ctx is done. A solver that stops before it
// converges is no error: see [Summary.Status].
func Fit(ctx context.Context, d *dataset.Dataset, r Recipe, run Run) (*Fitted, error) {
	p, err := Begin(ctx, d, r, run)
	if err != nil {
		return nil, err
	}
	defer p.Geometry.Close()
	var v *Validation
	if run.Validation != nil {
		if v, err = NewValidation(run.Validation, p.Frame, p.Task); err != nil {
			return nil, OfKind(ErrParameter, err)
		}
	}
	return p.Solve(ctx, v, run)
}

// Begin does what [Fit] does before it solves: it prepares the data, computes the
// geometry, which the caller closes, and states the problem.
func Begin(ctx context.Context, d *dataset.Dataset, r Recipe, run Run) (*Posed, error) {
	r, err := r.WithDefaults()
	if err != nil {
		return nil, OfKind(ErrParameter, err)
	}
	set, err := Prepare(d, r, run)
	if err != nil {
		return nil, err
	}
	plan, err := set.Plan(r.ByRule(), run.Memory)
	if err != nil {
		return nil, OfKind(ErrParameter, err)
	}
	run.logPlan(ctx, plan)
	g, err := geometry.New(run.watch(ctx, "neighbours and Gram matrix"), set.Points, plan.options())
	if err != nil {
		return nil, OfKind(ErrParameter, err)
	}
	run.log().Info("gram", "kernel", g.Kernel().String(), "seconds", g.Seconds().Gram)
	p, err := Pose(ctx, g, set.Task, plan.Recipe, run)
	if err != nil {
		g.Close()
		return nil, err
	}
	p.Frame, p.rows, p.reason = set.Frame, set.Rows, plan.Gram.Reason
	return p, nil
}

// Set is the points and the task of a data set.
type Set struct {
	Frame
	Rows   []int          // of the data, that take part
	Points *points.Points // as the frame has them
	Task   *task.Task
}

// Prepare takes points and task of d as a recipe asks for them: scaled, and for a
// supervised machine without the unlabelled rows.
func Prepare(d *dataset.Dataset, r Recipe, run Run) (*Set, error) {
	t, err := TaskOf(d, r, run)
	if err != nil {
		return nil, OfKind(ErrData, err)
	}
	s := &Set{Task: t}
	if r.Supervised {
		s.Rows, s.Task = t.Labelled, t.Alone()
	} else {
		s.Rows = make([]int, d.Points.Len())
		for i := range s.Rows {
			s.Rows[i] = i
		}
	}
	if s.Frame, s.Points, err = NewFrame(d, r, s.Rows); err != nil {
		return nil, OfKind(ErrParameter, err)
	}
	return s, nil
}

// TaskOf returns the task of all rows of d, or what is wrong with these.
func TaskOf(d *dataset.Dataset, r Recipe, run Run) (*task.Task, error) {
	if d.Points.Len() == 0 {
		return nil, fmt.Errorf("there are no points to train on")
	}
	if d.Points.Dim() == 0 {
		return nil, fmt.Errorf("the points have no features")
	}
	if i, j, found := d.Points.FirstNotFinite(); found {
		return nil, fmt.Errorf("row %d, feature %d is not a finite number: mend or drop the row", i+1, j+1)
	}
	t, err := task.New(d)
	if err != nil {
		return nil, err
	}
	run.warnOfUnlabelled(d, t)
	switch {
	case len(t.Classes) == 1 && !r.OneClass:
		return nil, fmt.Errorf("only the class %q is labelled: label a point of another class, or train a one-class machine", t.Classes[0])
	case len(t.Classes) > 1 && r.OneClass:
		return nil, fmt.Errorf("a one-class machine takes labels of one class, not of %d", len(t.Classes))
	}
	return t, nil
}

// Posed is a task on a geometry, stated as a problem.
type Posed struct {
	Frame
	Recipe   Recipe // with nothing open
	Geometry *geometry.Geometry
	Task     *task.Task
	Problem  *objective.Problem // of the leading member
	report   *graph.Report      // nil without a graph
	rows     []int              // of the data, that the points of the geometry are; nil means all
	reason   string             // for the form of the Gram matrix
}

// Pose states the problem of a task on a geometry by a recipe of which nothing is
// open but the width of its kernel, which is that of the geometry.
func Pose(ctx context.Context, g *geometry.Geometry, t *task.Task, r Recipe, run Run) (*Posed, error) {
	leading := r.Leading()
	r.Kernel = g.Kernel()
	p := &Posed{Geometry: g, Task: t, Problem: &objective.Problem{K: g.Gram(), Labelled: t.Labelled, Targets: t.Targets(), Weights: t.Weights,
		GammaA: leading.GammaA, GammaI: leading.GammaI, Loss: r.Loss, Bias: r.Bias, OneClass: r.OneClass}}
	if !r.Supervised {
		run.watch(ctx, "graph")
		w, width := g.Graph(leading.Neighbours)
		if len(r.Machines()) == 1 {
			r.Graph.HeatWidth = width
		}
		p.Problem.L = g.Laplacian(w, leading.LaplacianDegree)
		p.report = graph.NewReport(w, g.Points(), t.Labels(), len(t.Classes))
		run.logGraph(p.report)
	}
	p.Recipe = r
	valid := *p.Problem
	if valid.Loss == objective.Hinge {
		valid.Loss = "" // the dual minimises it, not the primal solvers
	}
	return p, OfKind(ErrParameter, valid.Validate())
}

// Columns are the machines of the problem, for cells.
func (p *Posed) Columns() deformed.Columns {
	return deformed.Columns{Targets: p.Problem.Targets, Weights: p.Problem.Weights, Loss: p.Problem.Loss, OneClass: p.Problem.OneClass, Tolerance: p.Recipe.Tolerance}
}

// Solve minimises the objective for all machines at once, shifts the biases to the
// prior where there is one, and calibrates where it is asked to. v is for the
// stopping checks that need it. It fails where [Fit] does.
func (p *Posed) Solve(ctx context.Context, v *Validation, run Run) (*Fitted, error) {
	t, r := p.Task, &p.Recipe
	pi, err := r.classPrior(t)
	if err != nil {
		return nil, OfKind(ErrParameter, err)
	}
	m, err := p.minimise(run.watch(ctx, "solving"), v, run)
	if err != nil {
		return nil, OfKind(ErrParameter, err)
	}
	f := &Fitted{Task: t, Scaling: p.Scaling, Summary: p.summarise(m, run)}
	var shift []float64
	if pi != nil {
		if shift, err = priorShift(t, m.F, pi); err != nil {
			return nil, OfKind(ErrParameter, err)
		}
		run.log().Info("prior", "shares", pi, "shift", shift)
		m.move(shift)
	}
	f.Summary.decide(t, m.F, r.Supervised)
	if r.Calibrate && !r.OneClass {
		start := time.Now()
		if f.Calibration, f.Summary.HeldOut, err = p.learnProbabilities(run.watch(ctx, "learning probabilities"), m, shift, run); err != nil {
			return nil, OfKind(ErrParameter, err)
		}
		f.Summary.Seconds.Calibrate = time.Since(start).Seconds()
		run.log().Info("calibrate", "slope", f.Calibration.Slope, "held_out", f.Calibration.HeldOut, "seconds", f.Summary.Seconds.Calibrate)
	}
	f.Recipe = *r
	p.expand(f, m)
	return f, nil
}

// expand gives what was fitted the expansion of a minimum, in as few points as it
// takes, and says which they are.
func (p *Posed) expand(f *Fitted, m *minimum) {
	var used []int
	f.Expansion, used = gram.Compact(gram.Expansion{Kernel: p.Recipe.Kernel, Basis: p.Geometry.Points(), Coefficients: m.Alpha, Bias: m.B})
	f.Expansion = p.Frame.expand(f.Expansion)
	labels := p.Task.Labels()
	for _, i := range used {
		row := i
		if p.rows != nil {
			row = p.rows[i]
		}
		f.Rows, f.Class = append(f.Rows, row), append(f.Class, labels[i])
	}
	f.LabelShares = sharesOfUsed(m.labelShares, p.Task.Labelled, used, p.Geometry.Len())
}

// minimum is a solution with what later steps need of how it was found.
type minimum struct {
	*solve.Solution
	method      method
	options     solve.Options // of PCG and Newton
	members     []solvedMember
	labelShares [][]float64 // [machine][label·point]; nil where they are not kept
	seconds     float64
}

// move adds a shift of every machine to outputs and biases.
func (m *minimum) move(shift []float64) {
	addTo(m.F, shift)
	for machine, v := range shift {
		m.B[machine] += v
	}
}

// minimise solves the problem with the solver of the recipe, whose defaults it
// fills in there.
func (p *Posed) minimise(ctx context.Context, v *Validation, run Run) (*minimum, error) {
	start := time.Now()
	m := &minimum{options: p.Recipe.options(run)}
	m.method, _ = methodOf(p.Recipe.Solver)
	err := m.method.minimise(ctx, p, m, v, run)
	m.seconds = time.Since(start).Seconds()
	return m, err
}

// options are those of PCG and Newton.
func (r Recipe) options(run Run) solve.Options {
	return solve.Options{Stop: r.Stop, CheckEvery: r.CheckEvery, MaxIterations: r.MaxIterations, Tolerance: r.Tolerance,
		BiasWeight: r.BiasWeight, LineSearch: r.LineSearch, Start: run.Start, Progress: run.Step}
}
