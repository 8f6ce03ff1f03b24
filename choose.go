package lapsvm

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"lapsvm/dataset"
	"lapsvm/deformed"
	"lapsvm/gram"
	"lapsvm/graph"
	"lapsvm/kernel"
	"lapsvm/objective"
	"lapsvm/points"
	"lapsvm/solve"
)

// Choice is what [Trainer.Choose] chose, and why.
type Choice struct {
	Sigma           float64 `json:"sigma,omitempty"` // width of the kernel, where it has one
	Neighbours      int     `json:"neighbours,omitempty"`
	LaplacianDegree int     `json:"laplacian_degree,omitempty"`
	GammaA          float64 `json:"gamma_a"`
	GammaI          float64 `json:"gamma_i"`
	Loss            float64 `json:"loss"`       // squared hinge per held-out label, summed over the machines
	Error           float64 `json:"error"`      // percent of the held-out labels
	Candidates      int     `json:"candidates"` // machines that were compared
	Points          int     `json:"points"`     // of the comparison
	Averaged        int     `json:"averaged"`   // machines whose mean is the model
	HeldOut         string  `json:"held_out"`   // how labels were held out
	Reason          string  `json:"reason"`     // in words
	SupervisedSigma float64 `json:"svm_sigma,omitempty"`
	SupervisedGamma float64 `json:"svm_gamma_a"` // the best supervised machine's γA
	SupervisedError float64 `json:"svm_error"`   // its error on the held-out labels
	// Gain is by how many percent points fewer held-out labels the choice gets
	// wrong than the supervised machine, GainError the standard error of that.
	Gain      float64 `json:"gain"`
	GainError float64 `json:"gain_error"`

	average []member // with the chosen kernel, by graph and degree; nil where the comparison was on a part
}

// What Choose compares.
const (
	choicePoints   = 1600 // most points
	choiceLabels   = 150  // most labels, or two of every class if that is more
	twoClassLabels = 200  // the same for two classes, which are one machine
	choiceClasses  = 30   // most classes
)

var (
	choiceNeighbours = []int{2, 3, 5, 10, 20, 50}
	choiceDegrees    = []int{1, 2, 5}
	choiceGammas     = []float64{1e-6, 1e-4, 1e-2, 1, 100}
)

// Choose returns a Trainer in which the parameters that t leaves open are
// chosen from the data: the width of a Gaussian kernel, Graph.Neighbours,
// Graph.Degree, GammaA and GammaI where they are 0. supervised keeps GammaI at
// 0. It compares exact machines by the squared hinge loss on held-out labels,
// those of t.Validation or each of d's in turn:
//
//	σ          mean distance of the 5 nearest neighbours, half the median distance, the median distance
//	neighbours 2, 3, 5, 10, 20, 50
//	degree     1, 2, 5
//	γA, γI     1e-6, 1e-4, 0.01, 1, 100
//
// With few labels the best machine is partly luck. So [Trainer.Fit] returns the
// weighted mean of those with the chosen σ, weights exp(−l·(h − h_min)/(2 h_min))
// with h the mean held-out loss of l labels; it is one kernel expansion.
//
// Of more than 150 labels (200 of two classes) it sees so many, or two of every
// class, drawn by t.Seed: the cost of leaving each out grows with the third
// power of their number. With so many labels the best machine is taken.
//
// Of more than 1,600 points it takes these and others drawn so, 1,600 together. The
// graph of a part says little about that of all: 10 neighbours and degree 2 are
// then taken as they are, and nothing is averaged. The weights are those of
// [DefaultGrid], and they are compared on half of the part too: what counts is the
// loss that twice the points would have, if it fell on as from half to all, and of
// those within 5 % of the least the largest γI, then the smallest σ, for PCG is
// the soonest there.
//
// With one label in every class, and for one class, nothing can be held out, and
// more than 30 classes would take too long: the choice is then σ the mean
// distance between neighbours, 10 neighbours, degree 2, γA 1e-4 and γI 0.01. The
// result depends on d, t and the seed alone. It fails where [Trainer.Fit] does.
// Cost: seconds.
func (t Trainer) Choose(ctx context.Context, d *dataset.Dataset, supervised bool) (Trainer, error) {
	c := &chooser{t: t, supervised: supervised, points: choicePoints, progress: new(progress)}
	if err := c.prepare(ctx, d); err != nil {
		return t, err
	}
	if c.why != "" {
		return c.byRule(), nil
	}
	half, err := c.half(ctx, d)
	if err != nil {
		return t, err
	}
	all := []*chooser{c}
	if half != nil {
		all = append(all, half)
	}
	for _, one := range all {
		c.of += len(one.kernels) * (len(one.graphs)*len(one.gammas) + len(one.ambient))
	}
	for _, one := range all {
		if err := one.compare(ctx); err != nil {
			return t, err
		}
	}
	if half != nil {
		c.follow(half)
	}
	return c.chosen(), nil
}

// chooser is a comparison under way.
type chooser struct {
	t          Trainer
	supervised bool
	points     int    // most points of the comparison
	why        string // nothing can be compared, because
	f          *fit
	held       *holdOut
	kernels    []kernel.Kernel
	graphs     []graph.Options
	gammas     []deformed.Gammas
	ambient    []deformed.Gammas // of supervised machines
	all        *graph.Neighbours // of the largest number
	part       bool              // the comparison is on a part of the points
	unseen     int               // labels that it does not see
	tried      int               // machines compared
	machines   []candidate       // measured, and
	alone      []candidate       // supervised ones
	*progress
}

// progress counts the machines of all comparisons.
type progress struct{ done, of int }

// candidate is one machine of the comparison.
type candidate struct {
	kernel int // its number
	member
	measurement
	fall float64 // of the mean loss with the second half of the points
}

// best returns the first candidate of the smallest loss.
func best(all []candidate) candidate {
	return slices.MinFunc(all, func(a, b candidate) int { return cmp.Compare(mean(a.loss), mean(b.loss)) })
}

// prepare takes the points of the comparison and lists the candidates.
func (c *chooser) prepare(ctx context.Context, d *dataset.Dataset) error {
	trial := c.t
	trial.Solve = solve.Options{} // its conditions are of no concern here
	trial, err := trial.withDefaults()
	if err != nil {
		return ofKind(ErrParameter, err)
	}
	if trial.Loss == objective.Hinge {
		trial.Loss = objective.SquaredHinge // the parameters of one serve the other
	}
	trial.GammaI = 1 // unlabelled points take part
	if c.supervised {
		trial.GammaI = 0
	}
	c.f = &fit{t: trial, d: d}
	if err := c.f.check(ctx); err != nil {
		return ofKind(ErrData, err)
	}
	if c.why = c.cannot(); c.why != "" {
		return nil
	}
	scaling, err := points.FitScaling(trial.Standardise, d.Points)
	if err != nil {
		return ofKind(ErrParameter, err)
	}
	rows, seen := c.take()
	sub := d.Subset(rows)
	for k, row := range rows {
		if !seen[row] {
			sub.Y[k] = dataset.Unlabelled
		}
	}
	sub.Points = scaling.Apply(sub.Points)
	c.f = &fit{t: trial, d: sub, p: sub.Points}
	if err := c.f.check(ctx); err != nil {
		return ofKind(ErrData, err)
	}
	if len(c.f.rows) < len(rows) {
		c.f.p = sub.Points.Subset(c.f.rows)
	}
	if v := trial.Validation; v != nil {
		scaled := *v
		scaled.Points = scaling.Apply(v.Points)
		c.f.t.Validation = &scaled
	}
	c.f.setTargets()
	return c.candidates(ctx)
}

// compare measures all candidates, and supervised machines beside them.
func (c *chooser) compare(ctx context.Context) error {
	f := c.f
	for number, k := range c.kernels {
		factor, err := c.factor(ctx, k)
		if err != nil {
			return err
		}
		f.kernel = k
		if f.t.Validation != nil {
			if c.held, err = f.holdOut(ctx, f.t.Validation, 0); err != nil {
				return err
			}
		}
		v, err := factor.View(ctx, nil, f.labelled, f.t.Bias)
		if err != nil {
			return err
		}
		if err := v.Each(ctx, c.ambient, func(i int, cell *deformed.Cell) error {
			return c.add(ctx, &c.alone, cell, candidate{kernel: number, member: member{gammas: c.ambient[i]}})
		}); err != nil {
			return ofKind(ErrParameter, err)
		}
		var powers *deformed.Powers
		for i, o := range c.graphs {
			if i == 0 || o.Neighbours != c.graphs[i-1].Neighbours {
				powers = factor.Powers(c.laplacian(o))
			}
			v, err := powers.View(ctx, o.Degree, f.labelled, f.t.Bias)
			if err != nil {
				return err
			}
			if err := v.Each(ctx, c.gammas, func(i int, cell *deformed.Cell) error {
				return c.add(ctx, &c.machines, cell, candidate{kernel: number, member: member{graph: o, gammas: c.gammas[i]}})
			}); err != nil {
				return ofKind(ErrParameter, err)
			}
		}
	}
	return nil
}

// add measures a candidate and adds it to those of its sort, unless its loss is
// so much larger than the least of them that it would have no weight.
func (c *chooser) add(ctx context.Context, all *[]candidate, cell *deformed.Cell, one candidate) error {
	c.tried++
	c.done++
	if c.t.Compared != nil {
		c.t.Compared(c.done, c.of)
	}
	// The sum depends on the order of the machines in its last bits: a candidate
	// on the limit itself has no weight either way.
	most, slack := math.Inf(1), 1+1e-9
	if l := float64(len(c.held.count)); len(*all) > 0 {
		most = mean(best(*all).loss) * (l - 2*math.Log(leastWeight)) * slack
	}
	var ok bool
	var err error
	if one.measurement, ok, err = c.held.measure(ctx, c.f, cell, most); err != nil {
		return err
	}
	if ok {
		*all = append(*all, one)
	}
	return ctx.Err()
}

func (c *chooser) factor(ctx context.Context, k kernel.Kernel) (*deformed.Factor, error) {
	h, err := gram.NewHalf(ctx, c.f.p, k, gram.Double)
	if err != nil {
		return nil, ofKind(ErrParameter, err)
	}
	defer h.Close()
	factor, err := deformed.NewFactor(ctx, h, 0)
	return factor, ofKind(ErrParameter, err)
}

func (c *chooser) laplacian(o graph.Options) *graph.Laplacian {
	w, _ := graph.Connect(c.all.First(o.Neighbours), o.Weights, o.HeatWidth)
	return graph.NewLaplacian(w, o.Unnormalised, 1)
}

// byRule returns the trainer with the parameters for data that cannot be
// compared on.
func (c *chooser) byRule() Trainer {
	t := c.t
	if t.GammaI == 0 && !c.supervised {
		t.GammaI = ruleGammaI
	}
	t.Choice = &Choice{GammaA: t.GammaA, GammaI: t.GammaI, Reason: "rules of thumb, because " + c.why}
	if t.GammaA == 0 {
		t.Choice.GammaA = DefaultGammaA
	}
	return t
}

// ruleGammaI is the weight of the intrinsic norm where nothing can be compared.
const ruleGammaI = 1e-2

// chosen returns the trainer with the best candidate's parameters.
func (c *chooser) chosen() Trainer {
	t, svm := c.t, best(c.alone)
	first := svm
	if !c.supervised {
		first = c.first()
		t.Graph.Neighbours, t.Graph.Degree = first.graph.Neighbours, first.graph.Degree
	}
	t.Kernel, t.GammaA, t.GammaI = c.kernels[first.kernel], first.gammas.A, first.gammas.I
	choice := &Choice{
		Neighbours: t.Graph.Neighbours, LaplacianDegree: t.Graph.Degree, GammaA: t.GammaA, GammaI: t.GammaI,
		Loss: mean(first.loss), Error: 100 * mean(first.wrong), Candidates: c.tried, Points: c.f.p.Len(), HeldOut: c.held.name,
		SupervisedGamma: svm.gammas.A, SupervisedError: 100 * mean(svm.wrong),
	}
	choice.Sigma, choice.SupervisedSigma = t.Kernel.Parameters().Sigma, c.kernels[svm.kernel].Parameters().Sigma
	choice.Gain, choice.GainError = paired(svm.wrong, first.wrong)
	choice.Gain, choice.GainError = 100*choice.Gain, 100*choice.GainError
	choice.Reason = fmt.Sprintf("smallest squared hinge of %d machines on %d held-out labels (%s), %d points", c.tried, len(c.held.count), c.held.name, c.f.p.Len())
	if c.part {
		choice.Reason += ", as it would go on with more"
	}
	t.Choice = choice
	if !c.part && c.unseen == 0 && !c.supervised {
		choice.average = c.average(first)
		choice.Averaged = len(choice.average)
	}
	return t
}

// half returns a comparison on half of the points, the same labels among them,
// where the comparison is on a part: what the other half brings tells what all
// points may bring. It returns nil where there is too little to halve.
func (c *chooser) half(ctx context.Context, d *dataset.Dataset) (*chooser, error) {
	most := c.f.p.Len() / 2
	if !c.part || c.supervised || most < 2*len(c.f.labelled) {
		return nil, nil
	}
	half := &chooser{t: c.t, points: most, progress: c.progress}
	if err := half.prepare(ctx, d); err != nil || half.why != "" {
		return nil, err
	}
	half.kernels = c.kernels
	return half, nil
}

// follow takes down how the losses fell from half of the points on. Where half of
// them gave up on a machine it is taken not to have fallen.
func (c *chooser) follow(half *chooser) {
	for i := range c.machines {
		m := &c.machines[i]
		for _, h := range half.machines {
			if h.kernel == m.kernel && h.graph == m.graph && h.gammas == m.gammas {
				m.fall = mean(h.loss) - mean(m.loss)
			}
		}
	}
}

// closeLoss is how much larger than the least a loss on a part of the points may
// be to count as equal.
const closeLoss = 0.05

// first returns the machine to be taken: the best one, or, on a part of the points,
// of those whose loss would be least or nearly so with twice as many points, if it
// went on to fall as it did, the one with the largest weight of the graph and then
// the narrowest kernel: conjugate gradient is the soonest there.
func (c *chooser) first() candidate {
	if !c.part {
		return best(c.machines)
	}
	expected := func(m candidate) float64 { return mean(m.loss) - m.fall }
	order := func(a, b candidate) int { return cmp.Compare(expected(a), expected(b)) }
	least := expected(slices.MinFunc(c.machines, order))
	near := slices.DeleteFunc(slices.Clone(c.machines), func(m candidate) bool {
		return expected(m) > least+closeLoss*math.Abs(least)
	})
	return slices.MinFunc(near, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(b.gammas.I, a.gammas.I), cmp.Compare(c.width(a), c.width(b)), order(a, b))
	})
}

// width returns the width of a candidate's kernel, 0 where it has none.
func (c *chooser) width(m candidate) float64 { return c.kernels[m.kernel].Parameters().Sigma }

// leastWeight is the least weight of a machine in a mean, of the best one's.
const leastWeight = 1e-3

// average returns the machines with the chosen kernel that the labels support,
// weighted by exp(−l·(h − h_min)/(2 h_min)), h the mean held-out loss of l
// labels: the likelihood of independent errors of variance h_min. With few
// labels the best machine is partly luck. Weights below leastWeight are left out.
func (c *chooser) average(first candidate) []member {
	least := mean(first.loss)
	var members []member
	sum := 0.0
	for _, m := range c.machines {
		if m.kernel != first.kernel {
			continue
		}
		m.weight = 1
		if loss := mean(m.loss); loss > least {
			m.weight = math.Exp(-float64(len(c.held.count)) * (loss - least) / (2 * least))
		}
		if m.weight >= leastWeight {
			members = append(members, m.member)
			sum += m.weight
		}
	}
	for i := range members {
		members[i].weight /= sum
	}
	return members
}
