package selection

import (
	"cmp"
	"context"
	"math"
	"slices"
	"time"

	"lapsvm/dataset"
	"lapsvm/internal/machines/deformed"
	"lapsvm/internal/machines/train"
	"lapsvm/internal/points/gram"
	"lapsvm/kernel"
)

// Choose returns r with its open settings chosen from the data: the scaling, see [Scale], the width
// of a Gaussian kernel, Graph.Neighbours, Graph.Degree, GammaA and GammaI. It compares exact
// machines by two measures. One is the squared hinge loss on held-out labels, those of
// run.Validation or each of d's in turn. The other is the modularity Q of the classes predicted for
// all points, in the graph of 10 neighbours:
//
//	σ          mean distance of the 5 nearest neighbours, half the median distance, the median distance, 4 times it
//	neighbours 2, 3, 5, 10, 20, 50
//	degree     1, 2, 5
//	γA, γI     1e-6, 1e-4, 0.01, 1, 100
//
// A graph and degree without evidence at the previous widths is not measured at a further width.
//
// With few labels the best machine is partly luck. So the recipe has members, those with the σ of
// the largest weight, each with
//
//	w ∝ exp(−l (h − h_min)/(2 h_min) + β Q) / rms f,   β = 30·min(1, 30/l)
//
// where h is the mean held-out loss of l labels; their mean is one kernel expansion. Two questions
// are tested by holding the labels out once more: whether Q is to count, and whether a supervised
// machine is better. Each label is predicted by machines weighed without it. Unless two classes
// have two labels each, Q alone weighs: labels of a single class favour any machine that assigns
// that class to all points.
//
// The Choice of the recipe has Expected and Verdict, of labels that had no part in the choice: it is made
// again without each of at most ten blocks of labels, by the same candidates with the squared loss.
//
// With more than 150 labels (200 for two classes) Choose uses that many, drawn by the seed, class
// by class: the cost of leaving each out grows with the third power of their number. With so many
// labels the best machine is taken.
//
// With more than 1,600 points it compares on 1,600 of them, drawn by the seed. All n points lie
// closer together: the narrowest σ is measured on all, and the neighbours are ∛(n/1600) times as
// many. The graph of less than a quarter of the points says little about the graph of all: 10
// neighbours and degree 2 are then taken unmeasured, and nothing is averaged. The weights are those
// of [DefaultGrid], compared on half of the part too. The loss is extrapolated to twice the points:
// it is taken to fall by as much as from half to the whole part. Among machines with nearly as much
// evidence, the largest γI wins, then the smallest σ.
//
// The best of these and the supervised machine are compared once more on 8,000 points, with
// landmarks, the best with other graphs too. It is also compared with rows of unit length, where
// points of one unit were left unscaled. Where all points are at least twice as many, the recipe
// has a [train.Recipe].Challenger, with the next power of the Laplacian. The training takes the
// challenger if labels held out on all points favour it.
//
// Nothing is compared for one class, for more than 30 classes, and for a supervised machine without
// two classes of two labels. The choice is then by rule of thumb, γA 1e-4 and γI 0.01, and leaves
// the rest to [train.Fit]. The result depends on d, the recipe and its seed alone, unless run.Time
// ends the comparison. It fails where Fit does. Cost: seconds.
func Choose(ctx context.Context, d *dataset.Dataset, r train.Recipe, run train.Run) (train.Recipe, error) {
	scaled, err := Scale(ctx, d, r, run)
	if err != nil {
		return scaled, err
	}
	return choose(ctx, d, scaled, run, r.Standardise == "")
}

// choose is Choose of a recipe with a scaling, which may have been left open.
func choose(ctx context.Context, d *dataset.Dataset, r train.Recipe, run train.Run, openScaling bool) (train.Recipe, error) {
	c, why, err := newComparison(ctx, d, r, run, choicePoints, 0)
	if err != nil {
		return r, err
	}
	if why != "" {
		r = r.ByRule()
		r.Choice = &train.Choice{GammaA: r.GammaA, GammaI: r.GammaI, Reason: "rules of thumb, because " + why}
		return r, nil
	}
	c.divide()
	half, err := c.half(ctx, d, run)
	if err != nil {
		return r, err
	}
	counter := &counter{of: c.machines(), report: run.Compared}
	if half != nil {
		counter.of += half.machines()
	}
	if err := c.compare(ctx, counter); err != nil {
		return r, err
	}
	if half != nil && !c.late() {
		half.until = c.until
		if err := half.compare(ctx, counter); err != nil {
			return r, err
		}
		c.follow(half)
	}
	chosen, err := c.carried(ctx, d, c.chosen(r))
	if err != nil {
		return r, err
	}
	return c.meet(ctx, d, chosen, run, openScaling)
}

// counter counts the machines of all comparisons.
type counter struct {
	done, of int
	report   func(done, of int)
}

func (c *counter) count() {
	c.done++
	if c.report != nil {
		c.report(c.done, c.of)
	}
}

// candidate is one machine of the comparison.
type candidate struct {
	kernel int // its number
	train.Member
	measurement
	modularity float64       // of the classes it predicts, in the reference graph
	scale      float64       // root mean square of its outputs; 0 where they were not computed
	fall       float64       // of the mean loss with the second half of the points
	unseen     []measurement // without each block; nil where the labels were not divided, or it has none
}

// best returns the first candidate of the smallest loss.
func best(all []candidate) candidate {
	return slices.MinFunc(all, func(a, b candidate) int { return cmp.Compare(mean(a.loss), mean(b.loss)) })
}

// machines returns how many machines are compared, with supervised ones.
func (c *comparison) machines() int {
	return len(c.kernels) * (len(c.graphs)*len(c.gammas) + len(c.ambient))
}

// compare measures all candidates, and supervised machines beside them.
func (c *comparison) compare(ctx context.Context, counter *counter) error {
	for number, k := range c.kernels {
		if number > 0 && c.late() {
			return nil
		}
		if err := c.compareWith(ctx, number, k, counter); err != nil {
			return train.OfKind(train.ErrParameter, err)
		}
	}
	return nil
}

// late reports whether the time for comparing is up.
func (c *comparison) late() bool { return !c.until.IsZero() && time.Now().After(c.until) }

// compareWith measures the candidates of one kernel.
func (c *comparison) compareWith(ctx context.Context, number int, k kernel.Kernel, counter *counter) error {
	g, err := c.geometry.WithKernel(ctx, k, gram.Double)
	if err != nil {
		return err
	}
	defer g.Close()
	factor, err := g.Factor(ctx)
	if err != nil {
		return err
	}
	g.Close() // all that follows is on the factor
	if c.validation != nil {
		if c.held, err = newHoldOutOf(ctx, c.validation, g, c.task, c.columns); err != nil {
			return err
		}
	}
	view, err := factor.View(ctx, nil, c.task.Labelled, c.recipe.Bias)
	if err != nil {
		return err
	}
	if err := c.visit(ctx, view, c.ambient, &c.alone, candidate{kernel: number}, func() {}, counter); err != nil {
		return err
	}
	return c.race(ctx, number, g, counter)
}

// add measures a candidate and appends it to all. A candidate is dropped if its loss leaves it
// without weight, whatever its modularity.
func (c *comparison) add(ctx context.Context, all *[]candidate, cell *deformed.Cell, one candidate) error {
	c.tried++
	if err := c.measure(ctx, all, cell, &one); err != nil || one.at == nil {
		return err
	}
	if c.reference != nil {
		if err := c.partitionOf(ctx, &one, cell); err != nil {
			return err
		}
	}
	if c.held != nil && c.blocks != nil {
		one.unseen = c.measureUnseen(ctx, cell, one.outputs)
	}
	one.at, one.outputs = nil, nil
	*all = append(*all, one)
	return ctx.Err()
}

// measure trains the machines of a candidate, and measures them where labels can be
// held out. One that is given up is left without.
func (c *comparison) measure(ctx context.Context, all *[]candidate, cell *deformed.Cell, one *candidate) error {
	if c.held == nil {
		for column := range c.columns.Targets {
			one.at = append(one.at, c.columns.Machine(cell, column).Solve(ctx, nil))
		}
		return nil
	}
	most := math.Inf(1)
	if l := float64(len(c.held.count)); len(*all) > 0 {
		// The sum depends on the order of the machines in its last bits: a candidate
		// on the limit itself has no weight either way.
		const slack = 1 + 1e-9
		b := belief{of: *all, modularity: c.partition()}
		best := slices.Max(c.evidence(b, -1)) // of −l(h − h_min)/(2 h_min) + βQ, and Q ≤ 1
		most = slices.Min(c.losses(*all, -1)) * (l + 2*(b.modularity-best-math.Log(leastWeight))) * slack
	}
	m, ok, err := c.held.measure(ctx, cell, most)
	if one.measurement = m; !ok {
		one.at = nil
	}
	return err
}

// chosen returns the recipe with its open settings as in the best candidate, or with all members
// that labels and graph support.
func (c *comparison) chosen(r train.Recipe) train.Recipe {
	choice := &train.Choice{Candidates: c.tried, Points: c.geometry.Len()}
	r.Choice = choice
	b := c.preferred()
	if b.supervised {
		r.Supervised = true // which the recipe may have asked for
		return c.supervised(r)
	}
	members := c.machinesOf(b)
	first := slices.MaxFunc(members, func(a, b candidate) int { return cmp.Compare(a.Weight, b.Weight) })
	r.Kernel = c.kernels[first.kernel]
	choice.Sigma, choice.Neighbours, choice.LaplacianDegree, choice.GammaA, choice.GammaI = r.Kernel.Parameters().Sigma, first.Neighbours, first.LaplacianDegree, first.GammaA, first.GammaI
	c.tell(choice, first)
	switch labelled := len(c.task.Labelled) + c.unseen; {
	case c.recipe.Solver != train.Auto:
	case c.recipe.PrefersExact(c.points):
		r = r.By(train.Deformed)
	case c.recipe.PrefersLandmarks(c.points, labelled):
		r = r.By(train.Landmarks)
	}
	r.GammaA, r.GammaI, r.Graph.Neighbours, r.Graph.Degree = first.GammaA, first.GammaI, first.Neighbours, first.LaplacianDegree
	if c.part && r.MaxIterations == 0 && r.SolverFor(c.points, len(c.task.Labelled)+c.unseen) == train.PCG {
		r.MaxIterations = partIterations
	}
	if len(members) > 1 && c.unseen == 0 && r.Solver == train.Deformed {
		r.GammaA, r.GammaI, r.Graph.Neighbours, r.Graph.Degree = 0, 0, 0, 0
		for _, m := range members {
			r.Members = append(r.Members, m.Member)
		}
		choice.Averaged = len(members)
	}
	return r
}

// equalScore is the relative difference up to which two beliefs explain the held-out labels equally
// well, so that the first counts. Where all machines agree on every label, the scores differ by the
// rounding of sums of weights alone, which is another on another processor.
const equalScore = 1e-9

// preferred returns the belief that explains the held-out labels best.
func (c *comparison) preferred() belief {
	if c.recipe.Supervised {
		return c.supervisedBelief()
	}
	beliefs := c.beliefs()
	b, most := beliefs[0], 0.0
	if c.held != nil {
		for k, one := range beliefs {
			if score := c.score(one); k == 0 || score > most+equalScore*math.Abs(most) {
				b, most = one, score
			}
		}
	}
	return b
}

// machinesOf returns the machines that are taken by a belief, with their weights in a mean.
func (c *comparison) machinesOf(b belief) []candidate {
	var one candidate
	switch {
	case b.supervised:
		one = best(b.of)
	case c.part:
		one = c.first(b)
	default:
		return c.members(b)
	}
	one.Weight = 1
	return []candidate{one}
}

// supervised returns the recipe of the best supervised machine.
func (c *comparison) supervised(r train.Recipe) train.Recipe {
	svm := best(c.alone)
	r.Kernel, r.GammaA = c.kernels[svm.kernel], svm.GammaA
	r.Choice.Sigma, r.Choice.GammaA = r.Kernel.Parameters().Sigma, svm.GammaA
	c.tell(r.Choice, svm)
	r.Choice.Verdict = ""
	return r
}

// half returns a comparison on half of the points, with the same labels, where the comparison is on
// a part of all points. The gain from the other half predicts the gain from all points. half
// returns nil where there are too few points to halve.
func (c *comparison) half(ctx context.Context, d *dataset.Dataset, run train.Run) (*comparison, error) {
	most := c.geometry.Len() / 2
	if !c.part || c.recipe.Supervised || c.held == nil || most < 2*len(c.task.Labelled) {
		return nil, nil
	}
	half, why, err := newComparison(ctx, d, c.asked, run, most, 0)
	if err != nil || why != "" {
		return nil, err
	}
	half.kernels, half.reference = c.kernels, nil // its losses alone count
	return half, nil
}

// follow takes down how the losses fell from half of the points on. Where half of
// them gave up on a machine it is taken not to have fallen.
func (c *comparison) follow(half *comparison) {
	for i := range c.measured {
		m := &c.measured[i]
		for _, h := range half.measured {
			if h.kernel == m.kernel && h.Member == m.Member {
				m.fall = mean(h.loss) - mean(m.loss)
			}
		}
	}
}

// closeEvidence is how much less than the most the evidence for a machine on a part of
// the points may be to count as equal.
const closeEvidence = 0.5

// first returns the machine to be taken alone: the one with the most evidence. On a part of the
// points it is, among machines with nearly as much evidence, the one with the largest weight of the
// graph and then the narrowest kernel: conjugate gradient converges soonest there.
func (c *comparison) first(b belief) candidate {
	evidence := c.evidence(b, -1)
	at := indexOfMax(evidence)
	if !c.part {
		return b.of[at]
	}
	most := evidence[at]
	for i, e := range evidence {
		one, taken := b.of[i], b.of[at]
		if e >= most-closeEvidence && cmp.Or(cmp.Compare(taken.GammaI, one.GammaI), cmp.Compare(c.width(one), c.width(taken)), cmp.Compare(evidence[at], e)) < 0 {
			at = i
		}
	}
	return b.of[at]
}

// indexOfMax returns the index of the largest value, the first of equal ones.
func indexOfMax(values []float64) int {
	return slices.Index(values, slices.Max(values))
}

// width returns the width of a candidate's kernel, 0 where it has none.
func (c *comparison) width(m candidate) float64 { return c.kernels[m.kernel].Parameters().Sigma }
