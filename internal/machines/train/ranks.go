package train

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"lapsvm/dataset"
	"lapsvm/internal/machines/deformed"
	"lapsvm/internal/machines/geometry"
	"lapsvm/internal/machines/nystrom"
	"lapsvm/internal/machines/task"
	"lapsvm/internal/points/gram"
	"lapsvm/internal/points/graph"
	"lapsvm/internal/ranks/comm"
)

// A training of ranks is that of one process, see [Fit], with four steps more. Rows are dealt out
// before the geometry is computed. Settings are agreed on. Labelled points get their numbers among
// the points of all ranks. In the end rank 0 gathers the parts of a model.

// RanksSummary tells of ranks that trained together. Bytes are counted on the rank that sends the
// most.
type RanksSummary struct {
	Size             int              `json:"size"`
	Points           int              `json:"points"`             // the most of a rank
	Halo             int              `json:"halo"`               // points of others that a rank has the values of, at most
	Cut              float64          `json:"cut"`                // share of the edges of the graph that are between ranks
	Sent             map[string]int64 `json:"sent"`               // bytes by stage: deal, neighbours, graph, solve, gather
	SentPerIteration int64            `json:"sent_per_iteration"` // bytes of an iteration for a panel of columns
}

// tally counts what a rank sends. Nil is that of a process alone, which sends nothing.
type tally struct {
	RanksSummary
	ranks  *comm.Comm
	before int64 // sent up to the end of the last stage
}

func newTally(c *comm.Comm) *tally {
	if c.Alone() {
		return nil
	}
	return &tally{RanksSummary: RanksSummary{Size: c.Size(), Sent: make(map[string]int64)}, ranks: c, before: c.Sent()}
}

// stage takes down what was sent since the last stage.
func (t *tally) stage(name string) {
	if t == nil {
		return
	}
	now := t.ranks.Sent()
	t.Sent[name] += now - t.before
	t.before = now
}

// graph takes down what there is to say of a graph.
func (t *tally) graph(ctx context.Context, p *Problem) (err error) {
	if t == nil {
		return nil
	}
	t.Points, t.Halo = p.Geometry.Len(), p.laplacian.Halo()
	t.Cut, err = p.laplacian.Cut(ctx)
	return err
}

// agree has all ranks tell the most of any.
func (t *tally) agree(ctx context.Context) error {
	most := []float64{float64(t.Points), float64(t.Halo), float64(t.SentPerIteration)}
	stages := slices.Sorted(maps.Keys(t.Sent))
	for _, name := range stages {
		most = append(most, float64(t.Sent[name]))
	}
	err := t.ranks.Max(ctx, most)
	t.Points, t.Halo, t.SentPerIteration = int(most[0]), int(most[1]), int64(most[2])
	for k, name := range stages {
		t.Sent[name] = int64(most[3+k])
	}
	return err
}

// tell completes the summary of a model that was made of some rows of d.
func (t *tally) tell(s *Summary, d *dataset.Dataset) {
	if t == nil {
		return
	}
	if rows := d.Len(); s.N < rows {
		s.N, s.Unlabelled, s.Scores = rows, rows-s.Labelled, nil
	}
	s.Ranks = &t.RanksSummary
}

// FewRows is the most rows that parameters are chosen on. Rank 0 trains alone on no more where they are chosen, or no solver is asked for. With 20,000 rows of 20 columns one process takes 6.0 and
// 6.2 CPU-seconds with one and with two threads. Of two ranks that train together rank 0 takes 5.5 by itself, mostly for choosing and
// the end.
const FewRows = 20000

// fewForRanks reports whether so many rows are trained on by rank 0 alone, as that takes it less time.
func (r Recipe) fewForRanks(rows int) bool {
	return (r.Baseline != Baseline{} || r.Solver == "" || r.Solver == Auto) && rows <= FewRows
}

// placed returns the data set on which a process trains. Ranks that share d train together by the
// solver Landmarks alone, and where more than a few rows take part. Else rank 0 has all rows and trains alone, and other ranks get
// nil.
func (r Recipe) placed(ctx context.Context, d *dataset.Dataset, run Run) (*dataset.Dataset, error) {
	if d.Ranks().Alone() {
		return d, nil
	}
	rows, _, _, err := d.Labels(ctx)
	if err != nil {
		return nil, err
	}
	if !r.Supervised && r.SolverFor(d.Len(), len(rows)) == Landmarks {
		few := fmt.Sprintf("%d rows are few", d.Len())
		switch {
		case r.leavesPointsOut(d):
			few = fmt.Sprintf("%d of %d rows take part, few", r.MostPoints, d.Len())
		case !r.fewForRanks(d.Len()):
			return d, nil
		}
		if d.Ranks().Rank() == 0 {
			run.log().Warn(fmt.Sprintf("%s for %d ranks, so rank 0 trains alone", few, d.Ranks().Size()))
		}
	}
	all, err := d.All(ctx)
	if d.Ranks().Rank() != 0 {
		all = nil
	}
	return all, err
}

// deal has ranks exchange rows, so that near points share a rank.
func (s *Data) deal(ctx context.Context, r Recipe, run Run) (*Data, error) {
	to, err := graph.Deal(run.Watch(ctx, "dealing"), s.data.Ranks(), s.Points, r.Seed)
	if err != nil {
		return nil, err
	}
	dealt, err := s.data.Send(ctx, to)
	if err != nil {
		return nil, err
	}
	run.Log = nil // what there is to say of the data is said
	return Prepare(ctx, dealt, r, run)
}

// agree has ranks take the same settings: the least number of landmarks with room on every rank,
// and double precision where the points of any rank need it.
func (p *Plan) agree(ctx context.Context, c *comm.Comm) error {
	most := []float64{-float64(p.Recipe.Landmarks), float64(p.Recipe.Precision)}
	err := c.Max(ctx, most)
	p.Recipe.Landmarks, p.Recipe.Precision = int(-most[0]), gram.Precision(most[1])
	return err
}

// planRanks is [PlanFit] of ranks. It does all of a training but the iterations, and so knows the
// bytes sent in one iteration and in all other stages. Of the stage solve it counts the bytes sent
// before the first iteration.
func planRanks(ctx context.Context, d *dataset.Dataset, r Recipe, run Run) (plan Plan, err error) {
	run.Planned = func(p Plan) { plan = p }
	p, err := Begin(ctx, d, r, run)
	if err != nil {
		return plan, err
	}
	defer p.Geometry.Close()
	space, err := nystrom.New(run.Watch(ctx, "products with the Laplacian"), p.Geometry.Landmarks(), p.laplacian)
	if err != nil {
		return plan, OfKind(ErrParameter, err)
	}
	columns, err := space.Columns(ctx, deformed.Gammas{A: p.Problem.GammaA, I: p.Problem.GammaI}, p.Problem.Bias, p.Recipe.Precision, nystrom.Options{})
	if err != nil {
		return plan, OfKind(ErrParameter, err)
	}
	defer columns.Close()
	p.sent.stage("solve")
	p.sent.SentPerIteration, p.sent.Sent["gather"] = columns.SentPerIteration(plan.Labelled+columns.Beside()), p.toGather()
	plan.Ranks = &p.sent.RanksSummary
	return plan, p.sent.agree(ctx)
}

// numbered returns the task of all rows with the numbers of labelled points among those of a
// geometry, of which this rank has some.
func numbered(ctx context.Context, t *task.Task, g *geometry.Geometry, own []int) (*task.Task, error) {
	ranks, shares := g.Shared()
	if ranks.Alone() {
		return t, nil
	}
	first, _ := shares.Range(ranks.Rank())
	found := make([]float64, len(t.Labelled))
	for k, row := range t.Labelled {
		if i, has := slices.BinarySearch(own, row); has {
			found[k] = float64(first + i)
		}
	}
	if err := ranks.Sum(ctx, found); err != nil {
		return nil, err
	}
	n := *t
	n.Labelled = make([]int, len(found))
	for k, v := range found {
		n.Labelled[k] = int(v)
	}
	return &n, nil
}

// gatheredRows returns, ascending, the rows from which rank 0 makes the model: all, or the rows to
// which a compact form is fitted.
func (p *Problem) gatheredRows() []int {
	if !p.Recipe.Compact || p.data.Len() <= mostFitted {
		return p.data.AllRows()
	}
	return drawn(p.data.Len(), mostFitted, p.all.Labelled, p.Recipe.Seed)
}

// toGather returns how many bytes go to rank 0 in the end, about: features, row, class,
// output and residual of every machine. Where all rows are gathered, neighbours and the reach of the graph go too.
func (p *Problem) toGather() int64 {
	own := int64(p.Geometry.Len())
	if p.data.Ranks().Rank() == 0 || own == 0 {
		return 0
	}
	const number, text = 8, 10 // bytes, of a number and of what is said of a row
	rows, all := len(p.gatheredRows()), p.data.Len()
	each := p.data.Points.Bytes()/own + text + number + 2*number*int64(len(p.Problem.Targets))
	if rows == all {
		each += number + (number+4)*int64(p.Geometry.Neighbours().K)
		each += number + 2*4 // of the reach: row, degree and component
	}
	return each * own * int64(rows) / int64(all)
}

// gathered returns, on rank 0, the problem and its minimum with rows of all ranks; on others nil. A
// process alone has them already.
func (p *Problem) gathered(ctx context.Context, m *minimum, run Run) (*Problem, *minimum, error) {
	if p.sent == nil {
		return p, m, nil
	}
	p.sent.stage("solve")
	run.Watch(ctx, "gathering")
	whole, joined, err := p.gather(ctx, p.gatheredRows(), m)
	if err != nil {
		return nil, nil, err
	}
	p.sent.stage("gather")
	p.sent.SentPerIteration = p.sentPerIteration
	return whole, joined, p.sent.agree(ctx)
}

// gatheredAtOnce is how many machines are gathered together: each time the rows are named too.
const gatheredAtOnce = 8

// gather gathers some rows. Neighbours, and the graph's health, are of all rows alone. The geometry
// on rank 0 holds no memory to be given back.
func (p *Problem) gather(ctx context.Context, rows []int, m *minimum) (*Problem, *minimum, error) {
	ranks := p.data.Ranks()
	all, err := p.data.Gather(ctx, rows, ranks.Rank() == 0)
	if err != nil {
		return nil, nil, err
	}
	joined, solution := *m, *m.Solution
	joined.Solution = &solution
	joined.F, joined.residual = make([][]float64, len(m.F)), make([][]float64, len(m.F))
	for from := 0; from < len(m.F); from += gatheredAtOnce {
		to := min(from+gatheredAtOnce, len(m.F))
		values := make([]float64, 0, 2*(to-from)*p.Geometry.Len()) // of each point, the output and the residual of some machines
		for i := range p.Geometry.Len() {
			for c := from; c < to; c++ {
				values = append(values, m.F[c][i], m.residual[c][i])
			}
		}
		if values, err = dataset.Collect(ctx, p.data, rows, values, 2*(to-from)); err != nil {
			return nil, nil, err
		}
		for c := from; c < to && values != nil; c++ {
			f, residual := make([]float64, len(rows)), make([]float64, len(rows))
			for i := range rows {
				at := 2 * (i*(to-from) + c - from)
				f[i], residual[i] = values[at], values[at+1]
			}
			joined.F[c], joined.residual[c] = f, residual
		}
	}
	var nb *graph.Neighbours
	var reach *graph.Reach
	if len(rows) == p.data.Len() {
		if nb, err = p.Geometry.Neighbours().Gather(ctx, p.data.Own()); err != nil {
			return nil, nil, err
		}
		if reach, err = gatherReach(ctx, p.data, rows, p.reach); err != nil {
			return nil, nil, err
		}
	}
	if ranks.Rank() != 0 {
		return nil, nil, nil
	}
	whole := *p
	whole.data, whole.rows, whole.Task = all, rows, p.all.Subset(rows, func(int) bool { return true })
	whole.Geometry = p.Geometry.Assembled(p.Preprocessing.Points(all.Points, nil), nb, p.Recipe.Graph)
	if reach != nil {
		if whole.health, err = reach.Health(ctx, whole.Geometry.Points(), whole.Task.Labels(), whole.Task.Groups()); err != nil {
			return nil, nil, err
		}
	}
	return &whole, &joined, nil
}

// gatherReach returns on rank 0 what the graph tells of the points of all rows.
func gatherReach(ctx context.Context, d *dataset.Dataset, rows []int, own *graph.Reach) (*graph.Reach, error) {
	pairs := make([]int32, 0, 2*len(own.Degree))
	for i, degree := range own.Degree {
		pairs = append(pairs, degree, own.Component[i])
	}
	pairs, err := dataset.Collect(ctx, d, rows, pairs, 2)
	if err != nil {
		return nil, err
	}
	all := &graph.Reach{Degree: make([]int32, len(pairs)/2), Component: make([]int32, len(pairs)/2), Loops: own.Loops}
	for i := range all.Degree {
		all.Degree[i], all.Component[i] = pairs[2*i], pairs[2*i+1]
	}
	return all, nil
}
