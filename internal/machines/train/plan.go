package train

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"strings"

	"lapsvm/dataset"
	"lapsvm/internal/machines/geometry"
	"lapsvm/internal/points/gram"
	"lapsvm/internal/points/graph"
	"lapsvm/internal/system/fault"
	"lapsvm/internal/system/size"
	"lapsvm/kernel"
	"lapsvm/points"
)

// Plan tells how [Fit] trains on a data set, and the cost.
type Plan struct {
	N, D     int           // points that take part, and their features
	Labelled int           // of the points
	Machines int           // trained together: 1 for two classes, else one for each
	Recipe   Recipe        // its solver, precision, graph and form of the Gram matrix resolved
	Gram     gram.Storage  // form of the Gram matrix, with its memory
	Points   int64         // bytes for the points, as they were read, scaled and laid out
	Beside   int64         // bytes for the solver, beside these and the Gram matrix
	Ranks    *RanksSummary // of ranks that train together; nil of one process

	all       int            // points of all ranks; N of one process
	storage   points.Storage // of the data
	searching int64          // bytes that the search for neighbours takes
	edges     bool           // are given
	unlike    bool           // the rows are, see [Recipe.Unlike]
}

// MemoryOfPoints returns the bytes that a training takes for the points: as they were
// read, scaled, and laid out in float32 for both sides of a product. Points of bytes
// or float32 are scaled as they are read, but for columns of long tails.
func MemoryOfPoints(p *points.Points) int64 {
	if p.Storage() == points.Float64 {
		return 3 * p.Bytes()
	}
	return p.Bytes() + 8*int64(p.Stored()) + 16*int64(p.Len())
}

// PlanFit tells how [Fit] would train on d. It fails where Fit would find bad labels
// or values, a recipe outside its range or too little memory. A process alone computes
// nothing else, but landmarks of themselves. Cost: a pass over the points, and a scaled copy of them. Where fewer points may serve, the
// plan is of these.
//
// Ranks that would train together do all of the training but the iterations, to measure the bytes
// that they send. Each gets the plan of its own points, and all get the bytes in [Plan].Ranks.
func PlanFit(ctx context.Context, d *dataset.Dataset, r Recipe, run Run) (Plan, error) {
	if err := run.Check(d); err != nil {
		return Plan{}, err
	}
	d, err := Describe(ctx, d, r, run)
	if err != nil {
		return Plan{}, err
	}
	if d, err = r.placed(ctx, d, Run{}); err != nil || d == nil {
		return Plan{}, err
	}
	if !d.Ranks().Alone() {
		return planRanks(ctx, d, r, run)
	}
	if r, err = r.WithDefaults(); err != nil {
		return Plan{}, OfKind(ErrParameter, err)
	}
	if some, is := r.onFewer(d); is {
		r = some
	}
	run.Log = nil // Fit says it
	set, err := Prepare(ctx, d, r, run)
	if err != nil {
		return Plan{}, err
	}
	p, err := set.Plan(r.ByRule().weighEdges(d), run.Memory)
	if err == nil && p.Gram.Form == gram.FormLandmarks && !kernel.Open(p.Recipe.Kernel) {
		err = p.drawLandmarks(ctx, set.Points)
	}
	return p, OfKind(ErrParameter, err)
}

// drawLandmarks leaves out landmarks that the others determine, as the training will do: of few columns a few landmarks determine all.
func (p *Plan) drawLandmarks(ctx context.Context, x *points.Points) error {
	drawn, err := gram.DrawLandmarks(ctx, x, p.Recipe.Kernel, p.Recipe.Landmarks, p.Recipe.Seed, p.Recipe.Precision)
	if err != nil {
		return err
	}
	p.Recipe.Landmarks, p.Recipe.Precision = drawn.Rank(), drawn.Precision()
	p.Gram.Bytes, p.Beside = p.phiBytes(), landmarkBytes(*p)
	return nil
}

// Plan resolves the solver, the graph and the form of the Gram matrix of a recipe
// for the points and the task, and compares the memory needed with that allowed, 0
// meaning any.
func (s *Data) Plan(r Recipe, memory int64) (Plan, error) {
	return s.planFor(r, len(s.Task.Labelled), memory)
}

// planFor is Plan for a given number of labels.
func (s *Data) planFor(r Recipe, labels int, memory int64) (Plan, error) {
	p := Plan{N: s.Points.Len(), all: s.Task.Points, D: s.Points.Dim(), Machines: s.Task.Coding().Machines(), Labelled: labels, edges: s.data.Edges.Given(), unlike: r.Unlike(s.data)}
	p.Recipe = r.resolveSolver(p.N, p.Labelled, p.unlike)
	p.Recipe = p.Recipe.By(p.Recipe.Solver)
	if p.Recipe.Solver != Landmarks || p.ByNewton() || len(r.Members) > 0 {
		p.Recipe.Pending.Challenger = nil
	}
	var err error
	if p.Recipe.Graph, err = graphOf(r, p.N); err != nil {
		return p, err
	}
	if _, err := r.classPrior(s.Task); err != nil {
		return p, err
	}
	largest, err := s.largestValue(r)
	if err != nil {
		return p, err
	}
	if !gram.SingleHolds(largest) {
		p.Recipe.Precision = gram.Double
	}
	solver, _ := methodOf(p.Recipe.Solver)
	if r.keepsLabelShares() && !solver.exact {
		return p, fault.Errorf("only the solvers %s compute label shares, and their time grows with the cube of the %d points: choose one of these solvers, or at most %d points", strings.Join(exactSolvers(), " and "), p.N, exactLimit)
	}
	form := r.Gram
	if solver.form != "" {
		form = solver.form
	}
	if p.Points, p.storage = MemoryOfPoints(s.Points), s.data.Points.Storage(); form == gram.FormLandmarks {
		p.Points = s.bytes()
		sought, _ := p.options().Sought(p.N)
		p.searching = graph.SearchBytes(s.Points, sought, graph.Search{Recall: r.Graph.Recall, Seed: r.Seed})
		if err := p.fitLandmarks(r, memory); err != nil {
			return p, err
		}
		p.Beside = solver.bytes(p)
	} else {
		p.Beside = 12*8*int64(p.N)*int64(p.Machines) + solver.bytes(p)
	}
	if memory > 0 {
		need := p.Beside + p.Points
		if memory -= need; memory <= 0 {
			return p, fault.Memory.Errorf("training on %d points of %d features needs about %s beside the Gram matrix, but %s may be used: take fewer points, the solver pcg, or allow more memory",
				p.N, p.D, size.Text(need), size.Text(memory+need))
		}
	}
	reason := p.Gram.Reason
	if p.Gram, err = gram.Choose(s.Points, r.Kernel, p.Recipe.Precision, gram.Demand{Memory: memory, Rows: solver.exact || solver.rows, Form: form, Landmarks: p.Recipe.Landmarks}); err != nil {
		return p, err
	}
	p.Recipe.Gram = p.Gram.Form
	p.Gram.Reason = cmp.Or(reason, p.Gram.Reason)
	return p, nil
}

// largestValue returns the largest value of the Gram matrix. It fails where this value is out of
// the range of the solvers.
func (s *Data) largestValue(r Recipe) (float64, error) {
	largest, i := gram.Self(s.Points, r.Kernel)
	j := 0
	if !s.Related() {
		_, j, _ = s.Points.Slice(i, i+1).LargestValue()
	}
	where := fmt.Sprintf("row %d, whose largest value is in %s", rowOf(s.Rows, i)+1, s.data.ColumnName(j))
	switch {
	case s.Related() && largest > gram.LargestValue:
		return 0, fault.Value.Errorf("row %d has a kernel value of magnitude %.3g: divide all values, so that they are at most %g", rowOf(s.Rows, i)+1, largest, gram.LargestValue)
	case !(largest <= gram.LargestValue):
		return 0, fault.Errorf("the kernel (%v) of %s, with itself is above %g: rescale the column, standardise (zscore), or choose other parameters of the kernel", r.Kernel, where, gram.LargestValue)
	}
	if _, _, v := s.Points.LargestValue(); v != 0 && largest < gram.LeastValue {
		return 0, fault.Errorf("the values of the kernel (%v) are below %g, those of %s: rescale the columns, standardise (zscore), or choose other parameters of the kernel", r.Kernel, gram.LeastValue, where)
	}
	return largest, nil
}

// graphOf returns the options of the graph for n points, all of them resolved but the heat width. A
// supervised machine has no graph. Where the width of its kernel is open, neighbours are needed for
// their distance.
func graphOf(r Recipe, n int) (graph.Options, error) {
	if r.Supervised && !kernel.Open(r.Kernel) {
		return r.Graph, nil
	}
	o := r.Graph
	if len(r.Members) > 0 {
		o.Neighbours, o.Degree = r.Leading().Neighbours, r.Leading().LaplacianDegree // only to check the rest
	}
	o, err := o.WithDefaults(n)
	if len(r.Members) > 0 {
		o.Neighbours, o.Degree = 0, 0
	}
	return o, err
}

// options are those of the geometry that the plan needs: with as many neighbours
// as the largest of its graphs.
func (p Plan) options() geometry.Options {
	o := geometry.Options{Kernel: p.Recipe.Kernel, Precision: p.Recipe.Precision, Form: p.Gram.Form, Landmarks: p.Recipe.Landmarks, Seed: p.Recipe.Seed, Graph: p.Recipe.Graph, WidthAlone: p.Recipe.Supervised}
	if p.unlike || p.Recipe.Supervised && !kernel.Open(p.Recipe.Kernel) {
		o.Graph.Neighbours = 0
		return o
	}
	for _, m := range p.Recipe.Members {
		o.Graph.Neighbours = max(o.Graph.Neighbours, m.Neighbours)
	}
	return o
}

// logPlan tells how the Gram matrix will be had.
func (run Run) logPlan(ctx context.Context, p Plan) {
	level := slog.LevelInfo
	if p.Gram.Form == gram.FormStreamed {
		level = slog.LevelWarn // slow
	}
	run.log().Log(ctx, level, "gram matrix", "form", p.Gram.Form, "bytes", p.Gram.Bytes, "why", p.Gram.Reason)
}
