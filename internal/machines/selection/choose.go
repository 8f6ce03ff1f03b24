package selection

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"lapsvm/dataset"
	"lapsvm/internal/machines/train"
	"lapsvm/internal/system/fault"
	"lapsvm/kernel"
)

// alongEdges sets what is open of a recipe for given edges alone. The values are those that labels left out choose of fewer points where
// edges say much of the classes.
func alongEdges(r train.Recipe) train.Recipe {
	degree, intrinsic := edgesGraph()
	r.GammaA, r.GammaI, r.Graph.Degree = cmp.Or(r.GammaA, 1e-6), cmp.Or(r.GammaI, intrinsic), cmp.Or(r.Graph.Degree, degree)
	return r
}

// comparisonOf returns the comparison of a choice. Where edges are given it has all points, as some of them have few of the edges: beyond manyPoints
// their machines are on landmarks. Of more than chosenPoints points the weight of the edges alone is compared. It says why where there is nothing to compare.
func comparisonOf(ctx context.Context, d *dataset.Dataset, r train.Recipe, run train.Run) (a *comparison, why string, err error) {
	n, landmarks := d.Points.Len(), 0
	switch {
	case !d.Edges.Given() || r.Supervised:
		most := somePoints
		if n > mostWhole {
			most = fewPoints
		}
		return newComparison(ctx, d, r, run, most, 0)
	case n > chosenPoints && r.Graph.EdgesAlone && !r.Unlike(d):
		return nil, fmt.Sprintf("edges are given, and %d points are too many to compare by all of them", n), nil
	case r.Unlike(d):
		landmarks = 1
	case n > manyPoints:
		landmarks = edgesLandmarks
	}
	if a, why, err = newComparison(ctx, d, r, run, n, landmarks); err == nil && why == "" && a.geometry.Len() < a.points {
		why = fmt.Sprintf("edges are given, and of %d of the %d points too few are left to compare by", a.geometry.Len(), a.points)
	}
	return a, why, err
}

// choose returns a recipe with a scaling with its other open settings chosen from the data: the width
// of a Gaussian kernel, Graph.Metric unless there is a heat width, Graph.Neighbours, Graph.Degree,
// GammaA and GammaI. It compares machines with
//
//	σ          mean distance of the 5 nearest neighbours, the median distance; for numbers also their geometric mean
//	metric     Euclidean, self-tuning (up to 6,400 points)
//	neighbours 2, 3, 5, 10, 20
//	degree     1, 2, 5; where given edges alone tell of rows 2, 5, 10
//	γA         1e-4
//	γI         1e-4, 0.01, 1, 100
//
// Of each it measures h, the mean squared hinge loss of the labels of run.Validation, or of l labels
// of d, each left out in turn. Machines have the squared loss for this: what they say of labels that are left out has
// a closed form. It also measures Q, the modularity of the classes predicted for all
// points, in the graph of 10 neighbours. Q makes half allowance for uneven classes.
//
// It climbs from graph to graph. After those with 5 neighbours and degree 2 come
// those that differ by one step from the two with the highest log score, until there are none. Above 400
// points it climbs on 400 of them. Then it measures on all points the machines of the best σ and metric, on the two best
// graphs of these, that have a weight as below. The best machine is partly luck. So the recipe has
// members, those with the σ and metric of the largest weight, each with
//
//	w ∝ exp(β Q + (l + 4)/p ln((l + 4)h_min/(l h + 4h_min))) / rms f,   β = 20·min(1, 10/l),   p = 2, of absolute errors 1
//
// Their mean is one kernel expansion. Unless two classes have two labels each, Q alone weighs: labels of
// a single class favour any machine that assigns that class to all points. Supervised machines
// are measured beside them, with 0.5 and 4 times the median distance for σ too. With k labels per class those with
// the σ of the members are the share k/(k + 10) of the mean, or less where held-out labels speak against them.
//
// The Choice of the recipe has Expected and Verdict, of labels that had no part in the choice: it is made
// again without each of at most ten blocks of labels, of the machines measured on all points. Where these labels say that the
// unlabelled points do harm, the supervised machine is taken, unless the points are part of many more.
//
// The comparison is on at most 1,600 points with 200 labels of 50 classes, drawn by the seed, and on 400 of more than 6,400. Where edges are given it is on all
// points: it climbs by machines on 100 landmarks, and beyond 2,500 points takes the best of these, of graphs with 10 neighbours and degree 2 or 5, beyond 20,000 of degree 5 and γI 1. Candidates lack a fifth of the edges, and the modularity in these is added to Q. All n
// points lie closer together than m of them: the narrow σ is measured on all, and the neighbours are
// ∛(n/m) times as many. The graph of less than a quarter of the points says little about the
// graph of all: 10 neighbours and degree 2 are then taken unmeasured. The best of these machines are
// compared again on 2,500 points, with 250 landmarks, the best of all with other graphs too. Where 100 landmarks say as much of the best there, the training
// takes 200 in place of [train.DefaultLandmarks]. Of more than 20,000 points the machine with the next power of the
// Laplacian is compared there too. Where labels are held out of a sample of the points the recipe has it for a
// [train.Recipe].Challenger, unless the log score on the 2,500 against it is decisive. The training takes the challenger if
// the labels held out favour it.
//
// Nothing is compared for one class, and for a supervised machine without two classes of two labels.
// The choice is then by rule of thumb, γA 1e-4 and γI 0.01, and leaves the rest to [train.Fit]. The
// result depends on d, the recipe and its seed alone, unless run.Time ends the comparison. It fails
// where Fit does. Cost: seconds.
func choose(ctx context.Context, d *dataset.Dataset, r train.Recipe, run train.Run) (train.Recipe, *nested, error) {
	a, why, err := comparisonOf(ctx, d, r, run)
	if err != nil {
		return r, nil, err
	}
	if why != "" {
		r.Pending.RaiseGammaA = r.GammaA == 0
		if d.Edges.Given() && r.Graph.EdgesAlone {
			r = alongEdges(r)
		}
		r = r.ByRule()
		r.Choice, r.Baseline = &train.Choice{GammaA: r.GammaA, GammaI: r.GammaI, Reason: "rules of thumb, because " + why}, train.Baseline{}
		return r, nil, nil
	}
	a.left = a.leftovers(run)
	if a.screening, err = a.screeningSample(ctx); err != nil {
		return r, nil, err
	}
	machines, baselines, err := a.compare(ctx, run.Compared)
	if err != nil {
		return r, nil, err
	}
	some, told, numbers := machines, machines, a.crossValidateNumbers(machines, baselines)
	switch {
	case r.Supervised || numbers != nil && numbers.supervised:
		some = baselines
	case a.kind().each && a.nested(machines, baselines).alone(0, 0):
		some, told = baselines, baselines
	case a.harmed(machines, baselines):
		some = baselines
	}
	if len(some) == 0 || len(baselines) == 0 {
		return r, nil, train.OfKind(train.ErrParameter, fault.Rounding.Errorf("no machine has a result in double precision: give gamma-a and gamma-i, or another kernel"))
	}
	taken := a.take(some, baselines, -1)
	r = a.recipeOf(r, taken)
	asked := a.nested(some, baselines)
	r.Optimism, r.Baseline = cmp.Or(a.optimism(numbers, taken), asked.optimism()), a.baseline(baselines)
	r.Tell(func(c *train.Choice) { a.report(c, r, told, baselines, numbers) })
	r.Tell(func(c *train.Choice) { a.rival.tell(c, a.kernels) })
	if a.held != nil {
		r.Pending.Unseen, r.Pending.Labels, r.Pending.KeepsAll = a.unusedLabels(), len(a.seen), a.keepsAll()
	}
	if a.isPart() {
		r, err = a.final(ctx, d, a.challenged(r), machines, run)
		return r, nil, err
	}
	if asked == nil && a.hidden != nil && a.held == nil {
		asked = &nested{of: a, alongEdges: alongEdgesOf(taken)}
	}
	a.left.leave(a, r)
	r, err = a.carried(ctx, d, r)
	return r, asked, err
}

// compare measures machines with graphs, and supervised ones beside them.
func (a *comparison) compare(ctx context.Context, report func(done, of int)) (machines, baselines []measured, err error) {
	counter := &counter{report: report}
	if baselines, err = a.measure(ctx, a.baselines, counter); err == nil {
		machines, err = a.screen(ctx, counter)
	}
	if err == nil {
		err = a.measureOutOfSample(ctx, machines)
	}
	a.compared = counter.done
	return machines, baselines, err
}

// recipeOf returns the recipe with its open settings as in the machines taken.
func (a *comparison) recipeOf(r train.Recipe, taken []weighted) train.Recipe {
	graphs := slices.DeleteFunc(slices.Clone(taken), func(m weighted) bool { return m.supervised() })
	if len(graphs) == 0 {
		graphs = taken
	}
	first := heaviestOf(graphs)
	r.Kernel = a.kernels[first.kernel]
	r.Choice = &train.Choice{Candidates: a.compared, Points: a.geometry.Len()}
	r.Tell(func(c *train.Choice) { first.tell(c, r.Kernel) })
	r.GammaA, r.Pending.RaiseGammaA = first.GammaA, a.asked.GammaA == 0
	if first.supervised() {
		r.Supervised, r.ByEdges = true, false
		return r
	}
	labels := a.labels()
	switch {
	case a.recipe.Solver != train.Auto:
	case (a.onAllEdges() || a.unlike) && a.recipe.AllowsLandmarks(a.unlike): // as the machines that were compared
		r = r.By(train.Landmarks)
	case a.recipe.PrefersExact(a.points, labels, a.outputs):
		r = r.By(train.Deformed)
	case a.recipe.PrefersLandmarks(a.points):
		r = r.By(train.Landmarks)
	}
	if len(a.metrics) > 1 {
		r.Graph.Metric = first.metric
	}
	r.Graph.EdgeWeight, r.Centred = first.edges, first.centred
	r.GammaI, r.Graph.Neighbours, r.Graph.Degree = first.GammaI, first.Neighbours, first.LaplacianDegree
	if a.geometry.Len() < a.points && r.MaxIterations == 0 && r.SolverFor(a.points, labels) == train.PCG {
		r.MaxIterations = sampleIterations
	}
	if len(taken) > 1 {
		r.GammaA, r.GammaI, r.Graph.Neighbours, r.Graph.Degree = 0, 0, 0, 0
		for _, m := range taken {
			member := m.Member
			member.Weight = m.weight
			if m.supervised() { // which shares the graph of another, as it makes no use of it
				member.Neighbours, member.LaplacianDegree, member.GammaI = first.Neighbours, first.LaplacianDegree, 0
			}
			r.Members = append(r.Members, member)
		}
		slices.SortStableFunc(r.Members, func(m, o train.Member) int {
			return cmp.Or(cmp.Compare(m.Neighbours, o.Neighbours), cmp.Compare(m.LaplacianDegree, o.LaplacianDegree))
		})
		r.Tell(func(c *train.Choice) { c.Averaged = len(taken) })
	}
	return r
}

// tell writes into a choice which machine is the best, and which kernel it has.
func (m measured) tell(c *train.Choice, k kernel.Kernel) {
	c.Sigma, c.Neighbours, c.LaplacianDegree, c.GammaA, c.GammaI = k.Parameters().Sigma, m.Neighbours, m.LaplacianDegree, m.GammaA, m.GammaI
	if c.Loss, c.Pace = 0, m.pace; m.losses != nil {
		c.Loss = m.loss()
	}
}

// sampleIterations limits the iterations of conjugate gradient for parameters chosen on some of the
// points: a machine that needs more is seldom worth it.
const sampleIterations = 500

// carried returns the recipe for all points, given one chosen on some of them. All points lie
// closer together, so two settings change. A width that was the mean distance of neighbours is
// measured anew. Neighbours, k for m points, become k·∛(n/m) for n: they reach less far than
// before, and are more. The weights stay, and so do settings given by the caller. Cost: where that
// width was chosen, a search of neighbours.
func (a *comparison) carried(ctx context.Context, d *dataset.Dataset, r train.Recipe) (train.Recipe, error) {
	m := a.geometry.Len()
	if m >= a.points || r.Supervised {
		return r, nil
	}
	r.Members = slices.Clone(r.Members)
	if a.asked.Graph.Neighbours == 0 {
		growth := math.Cbrt(float64(a.points) / float64(m))
		scale := func(k int) int { return int(math.Round(growth * float64(k))) }
		r.Graph.Neighbours = scale(r.Graph.Neighbours)
		r.Tell(func(c *train.Choice) { c.Neighbours = scale(c.Neighbours) })
		for i := range r.Members {
			r.Members[i].Neighbours = scale(r.Members[i].Neighbours)
		}
	}
	if narrow := a.kernels[nearest]; narrow != nil && r.Kernel == narrow {
		_, p, err := train.NewPreprocessing(ctx, d, a.recipe, nil)
		if err != nil {
			return r, train.OfKind(train.ErrParameter, err)
		}
		k, err := a.nearestKernel(ctx, p, nil)
		if err != nil {
			return r, train.OfKind(train.ErrData, err)
		}
		if k.Validate() == nil {
			r.Kernel = k
			r.Tell(func(c *train.Choice) { c.Sigma = k.Parameters().Sigma })
		}
	}
	r.Tell(func(c *train.Choice) {
		c.Reason += fmt.Sprintf("; with neighbours and widths as %d points have them", a.points)
	})
	return r, nil
}

// challenged returns the recipe with the challenger of its machine, where a sample decides about it. Of fewer points it was
// measured beside the others on 2,500.
func (a *comparison) challenged(r train.Recipe) train.Recipe {
	r.Pending.Challenger = nil
	if m, ok := a.challenger(r.Leading()); ok && r.Samples(a.points, a.labels()) {
		r.Pending.Challenger = &m
	}
	return r
}

// challenger returns the machine that challenges another one, if all points are far more than those
// compared. It has the next power of the Laplacian: on so many more points it leaves a
// function as smooth. Its weight is ten times as large, as the small eigenvalues are about a tenth.
// Held-out labels decide.
func (a *comparison) challenger(m train.Member) (train.Member, bool) {
	if a.held == nil || a.held.validation != nil || a.asked.Graph.Degree > 0 || a.points <= chosenPoints || a.asked.Prior != nil {
		return m, false
	}
	m.LaplacianDegree++
	if a.asked.GammaI == 0 {
		m.GammaI *= 10
	}
	return m, true
}
