package train

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	"lapsvm/dataset"
	"lapsvm/internal/describe"
	"lapsvm/internal/machines/geometry"
	"lapsvm/internal/machines/solve"
	"lapsvm/internal/machines/task"
	"lapsvm/internal/numbers/parallel"
	"lapsvm/internal/points/gram"
	"lapsvm/points"
)

// Fitted is the result of a training: a kernel expansion per machine, the calibration to
// probabilities, and a summary.
type Fitted struct {
	Recipe      Recipe // whole
	Task        *task.Task
	Description describe.Description // of the data, before the scaling; nil for none
	Scaling     points.Scaling
	Expansion   gram.Expansion
	Uncertainty
	Rows         []int       // of the data, that the basis points are; nil where it is a weight vector per machine
	Class        []int       // of each of these, dataset.Unlabelled without a label
	Answers      []string    // of each of these for several classes at once, see [task.Task.Signs]; nil else
	LocalRows    []int       // of the data, that the points of Expansion.Local are; nil without
	LocalClass   []int       // of each of these, dataset.Unlabelled without a label
	LocalAnswers []string    // of each of these, as Answers
	LabelShares  [][]float64 // [machine][label·basis point] what the label of each labelled basis point adds to the coefficients; nil where not kept
	Summary      Summary
	Beside       []FittedView     // the others of a mean of views; nil for one machine
	Mean         *Uncertainty     // of the mean; nil for one machine
	Data         *dataset.Dataset // the rows that it is made of: those trained on, of ranks as rank 0 has gathered them
}

// Fit trains on d by a recipe: of what is open the width is found in the points,
// and the rest set by rules of thumb. It fails for data that cannot be trained on,
// for a recipe outside its range, for a problem larger than the memory allowed,
// and with the context's error when ctx is done. A solver that stops before it
// converges is no error: see [Summary.Status]. Where storage in Single precision loses
// the decision values a process alone trains again: with more γA if the recipe has RaiseGammaA, else or then in Double.
//
// Ranks that share d train together by the solver Landmarks. Each has the graph, the features and
// the functions of its own rows. The result is that of one process, but for the order of sums. It
// is returned on rank 0, which gathers the points and their functions; other ranks return nil. For
// a compact model of more than 100,000 rows rank 0 gathers only 100,000 rows, drawn by the seed,
// and all labelled ones. With any other solver, where up to 20,000 of the rows take part, and on up to 20,000 rows where
// parameters are chosen or no solver is asked for, rank 0 trains alone.
func Fit(ctx context.Context, d *dataset.Dataset, r Recipe, run Run) (*Fitted, error) {
	d, err := Describe(ctx, d, r, run)
	if err != nil {
		return nil, err
	}
	if len(r.Beside) > 0 {
		return fitViews(ctx, d, r, run)
	}
	ranks := d.Ranks()
	if d, err = r.placed(ctx, d, run); err != nil || d == nil {
		return nil, err
	}
	if d.Ranks().Alone() {
		defer run.WhileOthersWait(ranks)()
	}
	if some, is := r.onFewer(d); is {
		if f, err := fitRaised(ctx, d, some, run); !errors.Is(err, errFewDecideOtherwise) {
			return f, err
		}
		run.log().Info("so few points decide otherwise than a quarter of them, so more take part", "points", some.MostPoints)
	}
	r.Pending.Fewer = 0
	return fitRaised(ctx, d, r, run)
}

// fitRaised fits with as much γA, and in such precision, as keeps the functions from being lost in rounding.
func fitRaised(ctx context.Context, d *dataset.Dataset, r Recipe, run Run) (*Fitted, error) {
	raised := 0
	if r.Pending.RaiseGammaA && d.Ranks().Alone() {
		raised = timesRaised
	}
	r.Pending.RaiseGammaA = false
	f, err := fit(ctx, d, r, run)
	for ; raised > 0 && isRounding(err); raised-- {
		r = r.withAmbient(raising)
		run.log().Warn("the functions that were chosen are lost in rounding, so the weight of the ambient norm is raised", "gamma_a", r.Leading().GammaA)
		f, err = fit(ctx, d, r, run)
	}
	if r.Precision = cmp.Or(r.Precision, gram.Single); r.Precision == gram.Single && isRounding(err) && d.Ranks().Alone() {
		run.log().Warn("single precision loses the decision values, so the Gram matrix is stored in double", "why", err)
		r.Precision = gram.Double
		f, err = fit(ctx, d, r, run)
	}
	if f != nil {
		f.Recipe.Pending = Pending{}
	}
	return f, err
}

// How often [Fit] raises the ambient weight that was chosen, and by which factor.
const (
	timesRaised = 4
	raising     = 10
)

// withAmbient returns a recipe with a multiple of the ambient weight, in what is told of its choice and for its challenger too.
func (r Recipe) withAmbient(factor float64) Recipe {
	r = r.Clone()
	r.GammaA *= factor
	for k := range r.Members {
		r.Members[k].GammaA *= factor
	}
	r.Tell(func(c *Choice) { c.GammaA *= factor })
	if r.Pending.Challenger != nil {
		r.Pending.Challenger.GammaA *= factor
	}
	return r
}

func fit(ctx context.Context, d *dataset.Dataset, r Recipe, run Run) (*Fitted, error) {
	p, err := Begin(ctx, d, r, run)
	if err != nil {
		return nil, err
	}
	defer p.Geometry.Close()
	p.holdsDouble = func() bool {
		double := r
		double.Precision = gram.Double
		_, err := PlanFit(ctx, d, double, run)
		return err == nil
	}
	var v *Validation
	if run.Validation != nil {
		if v, err = NewValidation(ctx, run.Validation, p.Preprocessing, p.Task); err != nil {
			return nil, OfKind(ErrData, err)
		}
	}
	return p.Solve(ctx, v, run)
}

// Begin does the work of [Fit] before it solves. It prepares the data, computes the geometry and
// states the problem. The caller closes the geometry.
func Begin(ctx context.Context, d *dataset.Dataset, r Recipe, run Run) (*Problem, error) {
	r, err := r.WithDefaults()
	if err != nil {
		return nil, OfKind(ErrParameter, err)
	}
	sent := newTally(d.Ranks())
	set, err := Prepare(ctx, d, r, run)
	if err != nil {
		return nil, err
	}
	if !r.leavesPointsOut(d) {
		r.MostPoints = 0 // the recipe of the model tells what was done
	}
	if !d.Ranks().Alone() {
		r.Solver = Landmarks
		if set, err = set.deal(ctx, r, run); err != nil {
			return nil, err
		}
	}
	sent.stage("deal")
	plan, err := set.Plan(r.ByRule().weighEdges(d), run.Memory)
	if err != nil {
		return nil, OfKind(ErrParameter, err)
	}
	if err := plan.agree(ctx, d.Ranks()); err != nil {
		return nil, err
	}
	if err := plan.Recipe.checkStop(plan.N, run); err != nil {
		return nil, OfKind(ErrParameter, err)
	}
	run.logPlan(ctx, plan)
	if run.Planned != nil {
		run.Planned(plan)
	}
	var g *geometry.Geometry
	var kept []string
	known := run.Work.take(plan, set)
	if known != nil {
		g = known.Geometry
	} else if g, kept, err = set.build(ctx, plan, run); err != nil {
		return nil, err
	}
	sent.stage("neighbours")
	p, err := set.pose(ctx, g, plan, run, sent)
	if err != nil {
		g.Close()
		return nil, err
	}
	sent.stage("graph")
	if known != nil {
		p.known = known.Problems
	}
	p.Preprocessing, p.data, p.rows, p.reason, p.kept = set.Preprocessing, set.data, set.Rows, plan.Gram.Reason, kept
	return p, nil
}

// pose states the problem of the task on a geometry, and tells of a graph that ranks share.
func (s *Data) pose(ctx context.Context, g *geometry.Geometry, plan Plan, run Run, sent *tally) (*Problem, error) {
	t, err := numbered(ctx, s.Task, g, s.data.Own())
	if err != nil {
		return nil, err
	}
	p, err := Pose(ctx, g, t, plan.Recipe, run)
	if err != nil {
		return nil, err
	}
	p.all, p.sent = s.Task, sent
	return p, sent.graph(ctx, p)
}

// Solve minimises the objective for all machines at once, shifts the biases to the prior if there
// is one, and calibrates if asked. v is for the stopping checks that need validation points. It
// fails where [Fit] does. Of ranks rank 0 has the result, and others nil.
func (p *Problem) Solve(ctx context.Context, v *Validation, run Run) (*Fitted, error) {
	if _, err := p.Recipe.classPrior(p.Task); err != nil {
		return nil, OfKind(ErrParameter, err)
	}
	m, err := p.minimise(parallel.Successive(run.Watch(ctx, "solving")), v, run)
	defer func(s *sample) { s.close() }(m.sample)
	if err != nil {
		return nil, OfKind(ErrParameter, err)
	}
	if err := p.enough(m); err != nil {
		return nil, err
	}
	out, err := p.holdOutIfAsked(ctx, m, run)
	if err != nil {
		return nil, OfKind(ErrParameter, err)
	}
	if err := p.check(ctx, m, run); err != nil {
		return nil, OfKind(ErrParameter, err)
	}
	whole, m, err := p.gathered(ctx, m, run)
	if err != nil || whole == nil {
		return nil, err
	}
	if run.Gathered != nil {
		run.Gathered(whole.data)
	}
	if p.sent != nil {
		defer run.WhileOthersWait(p.sent.ranks)()
	}
	f, err := whole.conclude(ctx, m, out, run)
	if err != nil {
		return nil, err
	}
	p.sent.tell(&f.Summary, p.data)
	return f, nil
}

// holdOutIfAsked is holdOut where the recipe asks for probabilities; else nil.
func (p *Problem) holdOutIfAsked(ctx context.Context, m *minimum, run Run) (*outOfFold, error) {
	if hold := p.Recipe.kind().holdOut; p.Recipe.Calibrate && hold != nil {
		return hold(p, ctx, m, run)
	}
	return nil, nil
}

// conclude makes the fitted machines from a minimum, and from outputs without some labels.
func (p *Problem) conclude(ctx context.Context, m *minimum, out *outOfFold, run Run) (*Fitted, error) {
	t, r := p.Task, &p.Recipe
	f := &Fitted{Task: t, Description: p.Description, Scaling: p.Scaling, Summary: p.summarise(m, run), Data: p.data}
	if r.ByEdges {
		if err := p.byFeatures(ctx, m); err != nil {
			return nil, OfKind(ErrParameter, err)
		}
	}
	shift, err := p.followPrior(m, run)
	if err != nil {
		return nil, OfKind(ErrParameter, err)
	}
	f.Summary.decide(t, m.F, r.Supervised || r.MostPoints > 0)
	if f.Summary.Graph != nil {
		for k, i := range f.Summary.Graph.Isolated {
			f.Summary.Graph.Isolated[k] = rowOf(p.rows, i)
		}
	}
	if out != nil {
		start := time.Now()
		if f.Uncertainty, f.Summary.HeldOut, err = r.kind().learn(p, ctx, m, out, shift); err != nil {
			return nil, OfKind(ErrParameter, err)
		}
		f.Summary.Seconds.Calibrate = out.seconds + time.Since(start).Seconds()
		run.log().Info("calibrate", "parts", len(out.folds), "seconds", f.Summary.Seconds.Calibrate)
	}
	if f.Intervals != nil {
		f.Summary.LeftOut, f.Summary.LeftParts = out.numbers(len(t.Labelled), t.Unit), len(out.folds)
		f.Summary.LeftAsNew = out.asNew
	}
	f.Recipe = *r
	if m.residual != nil {
		if err := p.forNewPoints(run.Watch(ctx, "new points"), f, m, run); err != nil {
			return nil, OfKind(ErrParameter, err)
		}
	}
	if f.Summary.Edges, err = p.edgesWeigh(ctx); err != nil {
		return nil, err
	}
	f.Summary.Unused = r.Supervised && p.data.Edges.Given()
	p.expand(f, m)
	if r.kind().residuals {
		f.inUnitOf(t.Unit)
	}
	return f, nil
}

// expand sets the expansion of f to that of a minimum, in as few points as possible, and records
// these points. Machines without a fold are in the same points.
func (p *Problem) expand(f *Fitted, m *minimum) {
	var used []int
	f.Expansion, used = gram.Compact(p.expansionOf(m))
	if machines, e := len(m.F), &f.Expansion; len(m.without.f) > 0 {
		f.Intervals.Coefficients, f.Intervals.Bias = e.Coefficients[machines:], e.Bias[machines:]
		e.Coefficients, e.Bias = e.Coefficients[:machines:machines], e.Bias[:machines:machines]
	}
	f.Expansion = p.Preprocessing.expand(f.Expansion)
	labels, signs := p.Task.Labels(), p.Task.Signs()
	for _, i := range used {
		if m.basis != nil {
			i = m.basis[i]
		}
		f.Rows, f.Class = append(f.Rows, rowOf(p.rows, i)), append(f.Class, labels[i])
		if signs != nil {
			f.Answers = append(f.Answers, signs[i])
		}
	}
	f.LabelShares = sharesOfUsed(m.labelShares, p.Task.Labelled, used, p.Geometry.Len())
}

// expansionOf returns a minimum as an expansion, in all points where it is not made of
// landmarks.
func (p *Problem) expansionOf(m *minimum) gram.Expansion {
	if m.basis == nil {
		all := m.all()
		return gram.Expansion{Kernel: p.Recipe.Kernel, Basis: p.Geometry.Points(), Coefficients: all.alpha, Bias: all.b}
	}
	e := m.expansion
	e.Bias = m.B // which a prior moved
	return e
}

// minimum is a solution with what later steps need of how it was found.
type minimum struct {
	*solve.Solution
	method      method
	options     solve.Options // of PCG and Newton
	members     []solvedMember
	labelShares [][]float64 // [machine][label·point]; nil where they are not kept
	// On landmarks, in place of coefficients: the expansion in them, their points, and the
	// residuals of the outputs, [machine][point].
	expansion gram.Expansion
	basis     []int
	residual  [][]float64
	spaces    []solvedSpace // of members that have no cell
	sample    *sample       // that labels are left out of; nil for all points
	folds     [][]int       // of the labels of a regression
	without   functions     // machines without each fold; none where there is no room
	seconds   float64
}

// functions are those of some machines: coefficients and outputs at all points, and biases.
type functions struct {
	alpha, f [][]float64
	b        []float64
}

// all returns the functions of the machines, and behind them of those without a fold.
func (m *minimum) all() functions {
	w := m.without
	return functions{slices.Concat(m.Alpha, w.alpha), slices.Concat(m.F, w.f), slices.Concat(m.B, w.b)}
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
func (p *Problem) minimise(ctx context.Context, v *Validation, run Run) (*minimum, error) {
	start := time.Now()
	m := &minimum{options: p.Recipe.options(run), folds: p.foldsOfNumbers()}
	m.method, _ = methodOf(p.Recipe.Solver)
	err := m.method.minimise(ctx, p, m, v, run)
	m.seconds = time.Since(start).Seconds()
	return m, err
}

// checkStop reports a goal condition, or numbers beside it, that PCG would refuse:
// before anything is computed, and for every solver.
func (r Recipe) checkStop(n int, run Run) error {
	o := r.options(run)
	if run.Validation != nil {
		o.ValidationErrors, o.ValidationSize = func([][]float64, []float64) int { return 0 }, 1
	}
	_, err := o.WithDefaults(n)
	return err
}

// options are those of PCG and Newton. Numbers are no decisions that a rule could compare, nor are several classes.
func (r Recipe) options(run Run) solve.Options {
	if r.kind().changes != "" && r.Stop == "" {
		r.Stop = solve.Objective
	}
	return solve.Options{Stop: r.Stop, CheckEvery: r.CheckEvery, MaxIterations: r.MaxIterations, Tolerance: r.Tolerance,
		BiasWeight: r.BiasWeight, LineSearch: r.LineSearch, Start: run.Start, Time: run.Time, Progress: run.Step}
}
