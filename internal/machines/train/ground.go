package train

import (
	"context"
	"errors"

	"lapsvm/dataset"
	"lapsvm/internal/machines/geometry"
	"lapsvm/internal/machines/task"
	"lapsvm/internal/points/checkpoint"
	"lapsvm/internal/points/gram"
	"lapsvm/internal/system/fault"
	"lapsvm/points"
)

// Ground is the part of a training that depends on no label: points scaled by a recipe, and their
// geometry. The caller closes the geometry.
type Ground struct {
	Preprocessing
	Recipe   Recipe // with nothing open
	Geometry *geometry.Geometry
}

// NewGround prepares the points of d as a recipe asks for them, whatever their labels. Open
// settings of the recipe follow rules of thumb. It fails where [Fit] fails for the points. It also
// fails for a supervised machine, as that uses no unlabelled points, and where the memory allowed
// does not hold the problem of so many labels.
func NewGround(ctx context.Context, d *dataset.Dataset, r Recipe, labels int, run Run) (*Ground, error) {
	r, err := r.WithDefaults()
	if err == nil && r.Supervised {
		err = fault.Errorf("a supervised machine says nothing of points without labels: give a gamma-i above 0")
	}
	if err != nil {
		return nil, OfKind(ErrParameter, err)
	}
	if err := checkPoints(d); err != nil {
		return nil, OfKind(ErrData, err)
	}
	s := &Data{Task: &task.Task{Points: d.Points.Len()}, data: d}
	if s.Preprocessing, s.Points, err = NewPreprocessing(ctx, d, r, nil); err != nil {
		return nil, OfKind(ErrParameter, err)
	}
	if err := r.checkEdges(d); err != nil {
		return nil, err
	}
	r = r.ByRule().weighEdges(d)
	prior := r.Prior
	r.Prior = nil // which a plan holds against the labels
	plan, err := s.planFor(r, labels, run.Memory)
	if err != nil {
		return nil, OfKind(ErrParameter, err)
	}
	run.logPlan(ctx, plan)
	g, _, err := s.build(ctx, plan, run)
	if err != nil {
		return nil, err
	}
	r = plan.Recipe
	r.Prior, r.Kernel = prior, g.Kernel()
	if len(r.Members) == 0 && g.Neighbours() != nil {
		if _, r.Graph.HeatWidth, err = g.Graph(ctx, r.Graph.Neighbours); err != nil {
			g.Close()
			return nil, err
		}
	}
	return &Ground{Preprocessing: s.Preprocessing, Recipe: r, Geometry: g}, nil
}

// build computes the geometry of a plan, and tells what became of checkpoints.
func (s *Data) build(ctx context.Context, plan Plan, run Run) (g *geometry.Geometry, kept []string, err error) {
	options, err := run.optionsOf(ctx, plan, s.data, s.Points)
	if err != nil {
		return nil, nil, err
	}
	options.Edges, options.Terms = EdgesOf(s.data, s.Rows), TermsOf(s.data, s.Rows)
	if g, err = geometry.New(ctx, s.Points, options); err != nil {
		if errors.Is(err, gram.ErrNoWidth) {
			return nil, nil, OfKind(ErrData, err)
		}
		return nil, nil, OfKind(ErrParameter, err)
	}
	run.log().Info("gram", "kernel", g.Kernel().String(), "seconds", g.Seconds().Gram)
	if !s.data.Ranks().Alone() { // the points of a rank say little of all
		return g, options.Keep.Notes(), nil
	}
	if nearest, alone := gram.Alone(s.Points, g.Kernel()); alone && !plan.Recipe.Supervised { // labels alone may be far apart
		g.Close()
		return nil, nil, OfKind(ErrParameter, fault.Errorf("sigma is too small: with the kernel (%v) no two points are alike, and the nearest two are %.3g apart: give a sigma of about that distance, or leave it open", g.Kernel(), nearest))
	}
	return g, options.Keep.Notes(), nil
}

// optionsOf returns the options of the geometry of p; each rank asks for its own points. They have
// the open folder for checkpoints, and the function that hears of parts.
func (run Run) optionsOf(ctx context.Context, plan Plan, d *dataset.Dataset, p *points.Points) (geometry.Options, error) {
	o := plan.options()
	o.Begin, o.Ranks, o.Rows = run.Watch, d.Ranks(), d.Own()
	var err error
	if run.Checkpoint != "" {
		o.Keep, err = checkpoint.Open(run.Watch(ctx, "checkpoint"), o.Ranks, run.Checkpoint, p)
	}
	return o, OfKind(ErrParameter, err)
}
