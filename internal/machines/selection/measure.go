package selection

import (
	"cmp"
	"context"
	"errors"
	"math"
	"slices"
	"sync"

	"lapsvm/internal/machines/deformed"
	"lapsvm/internal/machines/geometry"
	"lapsvm/internal/machines/nystrom"
	"lapsvm/internal/machines/train"
	"lapsvm/internal/numbers/objective"
	"lapsvm/internal/numbers/parallel"
	"lapsvm/internal/numbers/vec"
	"lapsvm/internal/points/gram"
	"lapsvm/kernel"
)

// measured is a candidate with what speaks for it.
type measured struct {
	candidate
	losses     []float64         // of the held-out labels that count
	modularity float64           // of the classes that it predicts, in the reference graph
	alongEdges float64           // the part of it in given edges that no candidate has
	chance     float64           // that of labels in another order, where the comparison asks for it
	scale      float64           // root mean square of its outputs, or their size
	unseen     []heldOutEstimate // without each block of labels
	pace       nystrom.Pace
	left       []float64 // its outputs at the held-out labels, of a regression
}

// loss is the mean loss of the labels that count.
func (m *measured) loss() float64 { return mean(m.losses) }

// counter counts the candidates that were measured.
type counter struct {
	lock     sync.Mutex
	done, of int
	report   func(done, of int)
}

func (c *counter) count() {
	c.lock.Lock()
	defer c.lock.Unlock()
	c.done++
	if c.report != nil {
		c.report(c.done, c.of)
	}
}

// expect adds machines that will be measured.
func (c *counter) expect(more int) {
	c.lock.Lock()
	defer c.lock.Unlock()
	c.of += more
}

// measure returns candidates with what speaks for them, by kernel and graph, else in the order of the
// list. They have the squared loss, whatever the loss of the recipe. Its outputs at labels that are left out, one by
// one and in blocks, have a closed form. Left out
// are candidates without a result in double precision, and those that the time did not suffice for. So are linear ones of more effective parameters than the labels are worth
// independent ones. One with as many as labels goes through them all, and by luck labels that are left out say well of it: of ten labels and eight columns one was 4.3 deviations off.
func (a *comparison) measure(ctx context.Context, list []candidate, counter *counter) ([]measured, error) {
	counter.expect(len(list))
	list = slices.SortedStableFunc(slices.Values(list), func(c, o candidate) int {
		return cmp.Or(cmp.Compare(c.kernel, o.kernel), cmp.Compare(c.metric, o.metric), cmp.Compare(c.edges, o.edges), cmp.Compare(c.Neighbours, o.Neighbours), cmp.Compare(c.LaplacianDegree, o.LaplacianDegree))
	})
	all := make([]*measured, len(list))
	for _, part := range successive(list, func(c, o candidate) bool { return c.kernel == o.kernel && c.supervised() == o.supervised() }) {
		if part.from > 0 && a.late() {
			break
		}
		m := measuring{comparison: a, list: list[part.from:part.to], into: all[part.from:part.to], counter: counter}
		if err := m.kernel(ctx); err != nil {
			return nil, train.OfKind(train.ErrParameter, err)
		}
	}
	var those []measured
	for _, m := range all {
		if m != nil {
			those = append(those, *m)
		}
	}
	return those, ctx.Err()
}

// measuring is the measuring of candidates of one kernel, all of them with graphs or all supervised.
type measuring struct {
	*comparison
	list    []candidate
	into    []*measured                                            // nil where there is no result
	values  ofProblem                                              // outputs at validation points; nil without
	shift   func(candidate, *deformed.Smoother) ([]float64, error) // of the outputs of machines; nil for none
	counter *counter
}

// part is successive candidates, from ≤ i < to.
type part struct{ from, to int }

// successive divides a list into parts of candidates that are alike.
func successive(list []candidate, alike func(c, o candidate) bool) (parts []part) {
	for i := range list {
		if i == 0 || !alike(list[i-1], list[i]) {
			parts = append(parts, part{i, i})
		}
		parts[len(parts)-1].to++
	}
	return parts
}

// kernel measures candidates of one kernel, several graphs at a time.
func (m measuring) kernel(ctx context.Context) error {
	k := m.kernels[m.list[0].kernel]
	if m.list[0].supervised() {
		return m.supervised(ctx, k)
	}
	if m.landmarks > 0 {
		return m.onLandmarks(ctx, k)
	}
	g, err := m.factor(ctx, m.list[0].kernel)
	if err != nil {
		return err
	}
	if err := m.predict(ctx, k, func(ctx context.Context, cell *deformed.Problem, at []*deformed.Solution) ([][]float64, error) {
		alpha, _, err := cell.Expansions(ctx, at)
		return alpha, err
	}); err != nil {
		return err
	}
	graphs := successive(m.list, func(c, o candidate) bool {
		return c.metric == o.metric && c.edges == o.edges && c.Neighbours == o.Neighbours
	})
	failing, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	side := max(1, min(m.side, len(graphs)))
	each := parallel.WithLimit(failing, max(1, parallel.Threads(ctx)/side))
	_ = parallel.Step(parallel.WithLimit(failing, side), len(graphs), func(_, i int) {
		if i > 0 && m.late() {
			return
		}
		if err := m.graph(each, g, graphs[i]); err != nil {
			stop(err)
		}
	})
	if err := ctx.Err(); err != nil {
		return err
	}
	return context.Cause(failing)
}

// factor returns the geometry with the factor of a kernel's Gram matrix. It is computed once, for other views too.
func (a *comparison) factor(ctx context.Context, kernel role) (*geometry.Geometry, error) {
	if g := a.factors[kernel]; g != nil {
		return g, nil
	}
	if g := a.left.factored(a.geometry, a.kernels[kernel]); g != nil {
		a.factors[kernel] = g
		return g, nil
	}
	g, err := a.geometry.WithKernel(ctx, a.kernels[kernel], gram.Double)
	if err != nil {
		return nil, err
	}
	f, err := g.Factor(ctx)
	g.Close() // all that follows is on the factor
	if err != nil {
		return g, err
	}
	a.left.inherit(f)
	for _, other := range a.factors {
		from, err := other.Factor(ctx)
		if err != nil {
			return g, err
		}
		f.Inherit(from)
	}
	a.factors[kernel] = g
	return g, nil
}

// graph measures the candidates of one graph.
func (m measuring) graph(ctx context.Context, g *geometry.Geometry, of part) error {
	list, into := m.list[of.from:of.to], m.into[of.from:of.to]
	powers, err := g.WithGraphs(list[0].metric, list[0].edges).Powers(ctx, list[0].Neighbours)
	if err != nil {
		return err
	}
	defer powers.Close()
	for _, part := range successive(list, func(c, o candidate) bool { return c.LaplacianDegree == o.LaplacianDegree }) {
		view, err := powers.Reduction(ctx, list[part.from].LaplacianDegree, m.task.Labelled, m.recipe.Bias)
		if err != nil {
			return err
		}
		weights := make([]deformed.Gammas, 0, part.to-part.from)
		for _, c := range list[part.from:part.to] {
			weights = append(weights, deformed.Gammas{A: c.GammaA, I: c.GammaI})
		}
		err = view.Groups(ctx, weights, func(which []int, cells []*deformed.Problem) error {
			return m.group(ctx, list[part.from:], into[part.from:], which, cells)
		})
		view.Close()
		if err != nil && !errors.Is(err, deformed.ErrRounding) { // such machines have no result
			return err
		}
	}
	return nil
}

// group measures candidates whose cells are a group: those of the list at some places. Their outputs at all points are
// computed at once, of those that may have a weight.
func (m measuring) group(ctx context.Context, list []candidate, into []*measured, which []int, problems []*deformed.Problem) error {
	var those []*measured
	var with []*deformed.Problem
	var by []*deformed.Smoother
	for k, i := range which {
		one, squared, err := m.measureOne(ctx, list[i], problems[k])
		if err != nil {
			return err
		}
		if into[i] = one; one != nil {
			those, with, by = append(those, one), append(with, problems[k]), append(by, squared)
		}
	}
	near := m.unpruned(those)
	those, with, by = of(those, near), of(with, near), of(by, near)
	outputs, err := outputsOf(ctx, with, by, nil)
	if err != nil {
		return err
	}
	for k, one := range those {
		m.fit(one, outputs[k])
		if err := m.left.keep(ctx, m.comparison, one, with[k]); err != nil {
			return err
		}
	}
	if m.shuffled {
		return m.chance(ctx, those, with, by)
	}
	return nil
}

// outputsOf returns the outputs [measureOne][machine][point] of machines of the squared loss of some cells of a group, for targets
// [machine][label], nil meaning their own.
func outputsOf(ctx context.Context, problems []*deformed.Problem, by []*deformed.Smoother, targets [][]float64) ([][][]float64, error) {
	solutions := make([][]*deformed.Solution, len(by))
	for i, squared := range by {
		solutions[i] = squared.Solutions(ctx, targets)
	}
	return deformed.Outputs(ctx, problems, solutions)
}

// unpruned returns which of some machines may have a weight. The log score of labels for another one is less than the most by over
// the logarithm of leastWeight and all that modularity adds, whichever block is left out.
func (a *comparison) unpruned(some []*measured) (those []int) {
	known, is := make([]measured, len(some)), make([]bool, len(some))
	for i, m := range some {
		known[i], is[i] = *m, a.held == nil || a.kind().functions
	}
	for block := -1; a.held != nil && len(some) > 0 && block < len(a.held.blocks); block++ {
		logScores := a.logScores(known, block)
		least := slices.Max(logScores) + math.Log(leastWeight) - modularityScore(len(a.held.counted(block)))
		for i, e := range logScores {
			is[i] = is[i] || e >= least
		}
	}
	for i, near := range is {
		if near {
			those = append(those, i)
		}
	}
	return those
}

// supervised measures supervised candidates, whose functions the labelled points span.
func (m measuring) supervised(ctx context.Context, k kernel.Kernel) error {
	p, labelled := m.geometry.Points(), m.task.Labelled
	cross, err := gram.NewCross(ctx, p.Subset(labelled), p, k)
	if err != nil {
		return err
	}
	if err := m.predict(ctx, k, func(_ context.Context, cell *deformed.Problem, at []*deformed.Solution) ([][]float64, error) {
		all := make([][]float64, len(at))
		for machine, one := range at {
			all[machine] = make([]float64, p.Len())
			for i, v := range one.A {
				all[machine][labelled[i]] = v / cell.A
			}
		}
		return all, nil
	}); err != nil {
		return err
	}
	for i, c := range m.list {
		cell := &deformed.Problem{Gammas: deformed.Gammas{A: c.GammaA}}
		for row := range labelled {
			for _, j := range labelled {
				cell.Kernel = append(cell.Kernel, cross.Row(row)[j]/c.GammaA)
			}
			if m.recipe.Bias != objective.NoBias {
				cell.Bias = append(cell.Bias, 1)
			}
		}
		one, squared, err := m.measureOne(ctx, c, cell)
		if err != nil {
			return err
		}
		if one != nil && m.reference != nil && (m.kind().functions || c.kernel.withGraphs()) { // it may be a member of a mean
			m.fit(one, ofLabels(cross, cell, squared.Solutions(ctx, nil)))
		}
		m.into[i] = one
	}
	return nil
}

// ofLabels returns the outputs [machine][point] of solutions of a supervised cell. cross is the kernel's values
// [label][point].
func ofLabels(cross *gram.Cross, problem *deformed.Problem, at []*deformed.Solution) [][]float64 {
	outputs := make([][]float64, len(at))
	for machine, p := range at {
		outputs[machine] = slices.Repeat([]float64{p.B}, len(cross.Row(0)))
		for label, v := range p.A {
			vec.Axpy(v/problem.A, cross.Row(label), outputs[machine])
		}
	}
	return outputs
}

// ofProblem returns values of solutions of a cell, such as the outputs [machine][validation point].
type ofProblem func(ctx context.Context, cell *deformed.Problem, at []*deformed.Solution) ([][]float64, error)

// predict sets what gives the outputs at validation points, if there are any. coefficients are those
// [machine][point] of solutions over all points.
func (m *measuring) predict(ctx context.Context, k kernel.Kernel, coefficients ofProblem) error {
	if m.held == nil || m.held.validation == nil {
		return nil
	}
	cross, err := gram.NewCross(ctx, m.held.validation, m.geometry.Points(), k)
	if err != nil {
		return err
	}
	m.values = func(ctx context.Context, cell *deformed.Problem, at []*deformed.Solution) ([][]float64, error) {
		alpha, err := coefficients(ctx, cell, at)
		if err != nil {
			return nil, err
		}
		outputs := make([][]float64, len(at))
		for machine, p := range at {
			outputs[machine] = make([]float64, m.held.Len())
			for i := range outputs[machine] {
				outputs[machine][i] = cross.Dot(i, alpha[machine]) + p.B
			}
		}
		return outputs, nil
	}
	return nil
}

// addShift adds a shift of every machine to outputs [machine][at]; nil adds nothing.
func addShift(outputs [][]float64, shift []float64) {
	for machine, v := range shift {
		for at := range outputs[machine] {
			outputs[machine][at] += v
		}
	}
}

// measureOne measures the machines of a cell, but for their fit, and returns them. It returns nil where rounding
// leaves none.
func (m measuring) measureOne(ctx context.Context, c candidate, problem *deformed.Problem) (one *measured, squared *deformed.Smoother, err error) {
	defer m.counter.count()
	if squared = problem.Smoother(ctx, m.columns); squared == nil {
		return nil, nil, ctx.Err()
	}
	one = &measured{candidate: c}
	if c.kernel == ridge && squared.Parameters() > sampleSizePerLabel*float64(len(m.task.Labelled)) {
		return nil, nil, ctx.Err()
	}
	var shift []float64
	if m.shift != nil {
		if shift, err = m.shift(c, squared); err != nil {
			return nil, nil, err
		}
	}
	h := m.held
	if h == nil {
		return one, squared, ctx.Err()
	}
	outputs, ok := [][]float64(nil), true
	if m.values != nil {
		outputs, err = m.values(ctx, problem, squared.Solutions(ctx, nil))
	} else {
		outputs, ok = squared.Without(ctx, nil)
	}
	if err != nil || !ok {
		return nil, nil, cmp.Or(err, ctx.Err())
	}
	addShift(outputs, shift)
	if one.losses = h.losses(outputs, h.count); h.numbers() {
		one.left = outputs[0]
	}
	if one.unseen = h.withoutBlocks(ctx, squared, outputs, shift); one.unseen == nil && h.blocks != nil {
		return nil, nil, ctx.Err()
	}
	return one, squared, ctx.Err()
}
