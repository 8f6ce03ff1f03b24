package train

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"lapsvm/dataset"
	"lapsvm/internal/machines/deformed"
	"lapsvm/internal/machines/functionspace"
	"lapsvm/internal/machines/geometry"
	"lapsvm/internal/machines/task"
	"lapsvm/internal/numbers/parallel"
	"lapsvm/internal/points/gram"
	"lapsvm/internal/points/graph"
	"lapsvm/internal/ranks/comm"
	"lapsvm/points"
)

// RanksSummary tells of ranks that trained together. Bytes are counted on the rank that sends the
// most.
type RanksSummary struct {
	Size             int              `json:"size"`
	Points           int              `json:"points"`             // the most of a rank
	Halo             int              `json:"halo"`               // points of others that a rank has the values of, at most
	Cut              float64          `json:"cut"`                // share of the edges of the graph that are between ranks
	Sent             map[string]int64 `json:"sent"`               // bytes by stage: deal, neighbours, graph, solve, gather
	SentPerIteration int64            `json:"sent_per_iteration"` // bytes of an iteration for 16 columns
}

// shared is a training of ranks that share a data set, up to where its problem is stated.
type shared struct {
	*Posed
	share *dataset.Share // as it was dealt
	task  *task.Task     // of all rows
	told  *RanksSummary
	sent  int64 // so far
}

// stage takes down what was sent since the last stage.
func (s *shared) stage(name string) {
	now := s.share.Ranks().Sent()
	s.told.Sent[name] += now - s.sent
	s.sent = now
}

// FitShare is [Fit] on ranks that share a data set, by the solver Landmarks. Each rank has the
// graph, the features and the functions of its own rows. The result is that of one process, but for
// the order of sums.
//
// The model is made on rank 0, which gathers the points and their functions. FitShare returns it
// there with the data set gathered, and nil on other ranks. For a compact model of more than
// 100,000 rows rank 0 gathers only 100,000 rows, drawn by the seed, with the labelled ones among
// them.
func FitShare(ctx context.Context, s *dataset.Share, r Recipe, run Run) (*Fitted, *dataset.Dataset, error) {
	ranks := s.Ranks()
	p, err := beginShare(ctx, s, r, run)
	if err != nil {
		return nil, nil, err
	}
	defer p.Geometry.Close()
	m, err := p.minimise(parallel.Successive(run.watch(ctx, "solving")), nil, run)
	if err != nil {
		return nil, nil, OfKind(ErrParameter, err)
	}
	if err := p.check(ctx, m, run); err != nil {
		return nil, nil, OfKind(ErrParameter, err)
	}
	held, err := p.holdOutIfAsked(ctx, m, run)
	if err != nil {
		return nil, nil, OfKind(ErrParameter, err)
	}
	p.stage("solve")
	run.watch(ctx, "gathering")
	rows := p.gatheredRows()
	all, err := p.share.Gather(ctx, rows, ranks.Rank() == 0)
	if err != nil {
		return nil, nil, err
	}
	whole, of, err := p.gathered(ctx, rows, all, m)
	if err != nil {
		return nil, nil, err
	}
	p.stage("gather")
	p.told.SentPerIteration = p.sentPerIteration
	if err := p.told.agree(ctx, ranks); err != nil || ranks.Rank() != 0 {
		return nil, nil, err
	}
	defer whole.Geometry.Close()
	f, err := whole.conclude(ctx, of, held, run)
	if err != nil {
		return nil, nil, err
	}
	f.Summary.Ranks = p.told
	if f.Summary.N = s.Total; len(rows) < s.Total {
		f.Summary.Unlabelled, f.Summary.Scores = s.Total-f.Summary.Labelled, nil
	}
	return f, all.Dataset, nil
}

// PlanShare returns how [FitShare] would train, and the cost to a rank. It does everything but the
// iterations, and so knows the bytes sent in one iteration and in all other stages. Of the stage
// solve it counts the bytes sent before the first iteration. The result is the same on all ranks
// except for the plan, which is of the rank's own points.
func PlanShare(ctx context.Context, s *dataset.Share, r Recipe, run Run) (Plan, *RanksSummary, error) {
	var plan Plan
	run.Planned = func(p Plan) { plan = p }
	p, err := beginShare(ctx, s, r, run)
	if err != nil {
		return plan, nil, err
	}
	defer p.Geometry.Close()
	space, err := functionspace.New(run.watch(ctx, "products with the Laplacian"), p.Geometry.Gram().(*gram.Landmarks), p.Problem.L.(*graph.Laplacian))
	if err != nil {
		return plan, nil, OfKind(ErrParameter, err)
	}
	columns, err := space.Columns(ctx, deformed.Gammas{A: p.Problem.GammaA, I: p.Problem.GammaI}, p.Problem.Bias, p.Recipe.Precision, functionspace.Options{})
	if err != nil {
		return plan, nil, OfKind(ErrParameter, err)
	}
	defer columns.Close()
	p.stage("solve")
	p.told.SentPerIteration, p.told.Sent["gather"] = columns.SentPerIteration(), p.toGather()
	return plan, p.told, p.told.agree(ctx, s.Ranks())
}

// beginShare deals the rows, computes the geometry, which the caller closes, and states
// the problem.
func beginShare(ctx context.Context, s *dataset.Share, r Recipe, run Run) (*shared, error) {
	r, err := r.WithDefaults()
	if err != nil {
		return nil, OfKind(ErrParameter, err)
	}
	r.Solver = Landmarks
	ranks := s.Ranks()
	p := &shared{told: &RanksSummary{Size: ranks.Size(), Sent: make(map[string]int64)}, sent: ranks.Sent()}
	own, _, err := prepareShare(ctx, s, r, run)
	if err != nil {
		return nil, err
	}
	to, err := graph.Deal(run.watch(ctx, "dealing"), ranks, own.Points, r.Seed)
	if err != nil {
		return nil, err
	}
	if p.share, err = s.Send(ctx, to); err != nil {
		return nil, err
	}
	said := run
	said.Log = nil // what there is to say of the data is said
	if own, p.task, err = prepareShare(ctx, p.share, r, said); err != nil {
		return nil, err
	}
	p.stage("deal")
	plan, err := own.Plan(r.ByRule(), run.Memory)
	if err != nil {
		return nil, OfKind(ErrParameter, err)
	}
	if err := plan.agree(ctx, ranks); err != nil {
		return nil, err
	}
	run.logPlan(ctx, plan)
	if run.Planned != nil {
		run.Planned(plan)
	}
	options, err := run.optionsOf(ctx, plan, ranks, own.Points)
	if err != nil {
		return nil, err
	}
	g, err := geometry.NewShare(ctx, ranks, own.Points, p.share.Rows, options)
	if err != nil {
		return nil, OfKind(ErrParameter, err)
	}
	p.stage("neighbours")
	if err := p.pose(ctx, g, plan, run); err != nil {
		g.Close()
		return nil, err
	}
	p.Frame, p.reason, p.kept = own.Frame, plan.Gram.Reason, options.Keep.Told()
	p.stage("graph")
	return p, nil
}

// pose states the problem, and tells of the graph.
func (p *shared) pose(ctx context.Context, g *geometry.Geometry, plan Plan, run Run) error {
	t := *p.task
	var err error
	if t.Labelled, err = numbers(ctx, g, p.share.Rows, t.Labelled); err != nil {
		return err
	}
	if p.Posed, err = Pose(ctx, g, &t, plan.Recipe, run); err != nil {
		return err
	}
	l := p.Problem.L.(*graph.Laplacian)
	p.told.Points, p.told.Halo = g.Len(), l.Halo()
	p.told.Cut, err = l.Cut(ctx)
	return err
}

// agree has all ranks tell the most of any.
func (r *RanksSummary) agree(ctx context.Context, c *comm.Comm) error {
	most := []float64{float64(r.Points), float64(r.Halo), float64(r.SentPerIteration)}
	stages := slices.Sorted(maps.Keys(r.Sent))
	for _, name := range stages {
		most = append(most, float64(r.Sent[name]))
	}
	err := c.Max(ctx, most)
	r.Points, r.Halo, r.SentPerIteration = int(most[0]), int(most[1]), int64(most[2])
	for k, name := range stages {
		r.Sent[name] = int64(most[3+k])
	}
	return err
}

// agree has ranks take the same settings: the least number of landmarks with room on every rank,
// and double precision where the points of any rank need it.
func (p *Plan) agree(ctx context.Context, c *comm.Comm) error {
	most := []float64{-float64(p.Recipe.Landmarks), float64(p.Recipe.Precision)}
	err := c.Max(ctx, most)
	p.Recipe.Landmarks, p.Recipe.Precision = int(-most[0]), gram.Precision(most[1])
	return err
}

// prepareShare takes the points of a share as the recipe asks for them, and the task of
// all rows.
func prepareShare(ctx context.Context, s *dataset.Share, r Recipe, run Run) (*Data, *task.Task, error) {
	rows, class, weights, err := s.Labels(ctx)
	if err != nil {
		return nil, nil, err
	}
	if s.Points.Dim() == 0 {
		return nil, nil, OfKind(ErrData, fmt.Errorf("the points have no features"))
	}
	if i, j, found := s.Points.FirstNotFinite(); found {
		return nil, nil, OfKind(ErrData, fmt.Errorf("row %d, feature %d is not a finite number: mend or drop the row", s.Rows[i]+1, j+1))
	}
	// A data set of the labelled rows alone has their task.
	labels := &dataset.Dataset{Points: points.Dense(len(rows), 1, make([]float64, len(rows))), Y: class, Classes: s.Classes, Weights: weights}
	t, err := TaskOf(labels, r, run)
	if err != nil {
		return nil, nil, OfKind(ErrData, err)
	}
	t.Points, t.Labelled = s.Total, rows
	d := &Data{Task: t, data: s.Dataset, all: s.Total}
	for i := range s.Points.Len() {
		d.Rows = append(d.Rows, i)
	}
	if d.Frame, err = frameOfShare(ctx, s, r); err != nil {
		return nil, nil, OfKind(ErrParameter, err)
	}
	d.Points = d.Frame.Points(s.Points, nil)
	return d, t, checkMagnitudes(s.Dataset, d.Points, d.Rows)
}

// scaledRows is how many rows, drawn by the seed, a scaling that is learnt is learnt from.
const scaledRows = 20000

// frameOfShare learns the scaling of a recipe.
func frameOfShare(ctx context.Context, s *dataset.Share, r Recipe) (Frame, error) {
	scaling, err := ScalingShare(ctx, s, r.Standardise, r.Seed)
	return Frame{Scaling: scaling, width: s.Points.Dim()}, err
}

// ScalingShare is [points.FitScaling] on ranks that share the points. With more than 20,000 points
// it is learnt from 20,000 drawn by the seed. It is the same on all.
func ScalingShare(ctx context.Context, s *dataset.Share, kind points.Standardise, seed uint64) (points.Scaling, error) {
	if kind == points.AsIs || kind == points.UnitNorm {
		return points.Scaling{Kind: kind}, nil
	}
	drawn, err := s.Gather(ctx, gram.DrawRows(s.Total, scaledRows, seed), true)
	if err != nil {
		return points.Scaling{}, err
	}
	return fitScaling(drawn.Dataset, kind)
}

// numbers returns, on all ranks, the numbers of rows among the points of a geometry, of
// which this rank has some.
func numbers(ctx context.Context, g *geometry.Geometry, own, rows []int) ([]int, error) {
	ranks, shares := g.Shared()
	first, _ := shares.Of(ranks.Rank())
	found := make([]float64, len(rows))
	for k, row := range rows {
		if i, has := slices.BinarySearch(own, row); has {
			found[k] = float64(first + i)
		}
	}
	if err := ranks.Sum(ctx, found); err != nil {
		return nil, err
	}
	at := make([]int, len(rows))
	for k, v := range found {
		at[k] = int(v)
	}
	return at, nil
}
