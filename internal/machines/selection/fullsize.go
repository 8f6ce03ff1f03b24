package selection

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"lapsvm/dataset"
	"lapsvm/internal/machines/deformed"
	"lapsvm/internal/machines/functionspace"
	"lapsvm/internal/machines/train"
	"lapsvm/internal/numbers/objective"
	"lapsvm/internal/points/gram"
	"lapsvm/kernel"
	"lapsvm/points"
)

// What was chosen on a part of the points is compared again on many more of them, in function
// space, with landmarks. The number of finalists is such that about farPanels panels of 16 labelled
// points are solved for, from fewFinalists to manyFinalists.
const (
	farPoints     = 8000
	farLandmarks  = 500
	farPanels     = 24
	fewFinalists  = 3
	manyFinalists = 8
)

// finalists returns the number of machines to compare, with the given number of labelled points,
// before other graphs are compared.
func finalists(labelled int) int {
	return min(max(panelsFor(labelled), fewFinalists), manyFinalists)
}

// panelsFor returns how many times the panels of the labelled points fit into farPanels.
func panelsFor(labelled int) int { return farPanels / (labelled/16 + 1) }

// partIterations limits the iterations of conjugate gradient for parameters chosen on a part: a
// machine that needs more is seldom worth it.
const partIterations = 500

// finalist is a machine on many points.
type finalist struct {
	candidate
	supervised bool
	wrong      float64 // share of the held-out labels
	loss       float64 // of them, mean; 0 where there are none
	labels     int     // held out
	doubt      float64
}

// meet compares the best machines of a part, and the supervised one, on many points, and returns
// the recipe of the best. It compares them by labels held out there, and by the fit of the
// predicted classes to the graph of these points. A choice made on a part may not suit all: weights
// and widths mean something else among more points. The best machine is compared with other graphs
// too.
func (c *comparison) meet(ctx context.Context, d *dataset.Dataset, chosen train.Recipe, run train.Run, openScaling bool) (train.Recipe, error) {
	if !c.part || c.recipe.Supervised || chosen.Supervised || c.validation != nil || c.late() || c.asked.Prior != nil {
		return chosen, nil
	}
	many, why, err := newComparison(ctx, d, c.asked, run, farPoints, farLandmarks)
	if err != nil || why != "" || many.geometry.Len() <= c.geometry.Len() {
		return chosen, err
	}
	if run.Progress != nil {
		run.Progress("comparing the best on more points", 0, 0)
	}
	far := &far{comparison: many, ofPart: c.kernels, landmarks: make(map[int]*gram.Landmarks)}
	many.kernels, many.until = far.widthsOf(c), c.until
	defer far.close()
	if err := far.measureAll(ctx, c.shortlist(chosen)); err != nil {
		return chosen, train.OfKind(train.ErrParameter, err)
	}
	if len(far.all) == 0 {
		return chosen, nil
	}
	if err := far.measureAll(ctx, far.otherGraphs(far.all[strongest(far.all)])); err != nil {
		return chosen, train.OfKind(train.ErrParameter, err)
	}
	if c.mayBeSupervised() && len(c.alone) > 0 {
		if err := far.addSupervised(ctx, best(c.alone)); err != nil {
			return chosen, train.OfKind(train.ErrParameter, err)
		}
	}
	r := far.challenged(far.result(chosen))
	if r.Supervised {
		_, alone := c.ask()
		r.Choice.Expected, _ = Expect(alone, alone)
		r.Choice.Verdict = ""
	}
	if openScaling && r.Standardise == points.AsIs {
		return far.ofUnitLength(ctx, d, c.asked, r, run)
	}
	return r, nil
}

// challenged returns the recipe with a challenger, where all points are far more than those
// compared. The challenger has the next power of the Laplacian: on so many more points it leaves a
// function as smooth. Its weight is ten times as large, as the small eigenvalues are about a tenth.
// Held-out labels decide on all points.
func (f *far) challenged(r train.Recipe) train.Recipe {
	if r.Supervised || f.held == nil || f.asked.Graph.Degree > 0 || f.points < 2*f.geometry.Len() {
		return r
	}
	m := r.Leading()
	m.LaplacianDegree++
	if f.asked.GammaI == 0 {
		m.GammaI *= 10
	}
	r.Challenger = &m
	return r
}

// shortlist returns the machines to compare on many points. They are the machine chosen on the
// part, the best by labels alone, the best with another kernel, the best with another weight of the
// graph, and then any, by evidence.
func (c *comparison) shortlist(chosen train.Recipe) []candidate {
	b := belief{of: c.measured, modularity: c.partition()}
	evidence := c.evidence(b, -1)
	order := make([]int, len(b.of))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(evidence[j], evidence[i]) })
	var all []candidate
	most := finalists(len(c.task.Labelled))
	add := func(m candidate, unlike func(o candidate) bool) {
		if len(all) < most && !slices.ContainsFunc(all, func(o candidate) bool { return !unlike(o) }) {
			all = append(all, m)
		}
	}
	for _, m := range c.measured {
		if c.kernels[m.kernel] == chosen.Kernel && m.GammaA == chosen.GammaA && m.GammaI == chosen.GammaI && m.Neighbours == chosen.Graph.Neighbours {
			add(m, func(candidate) bool { return true })
		}
	}
	if c.held != nil {
		m := c.first(belief{of: c.measured})
		add(m, func(o candidate) bool { return o.kernel != m.kernel || o.Member != m.Member })
	}
	for _, i := range order {
		add(b.of[i], func(o candidate) bool { return o.kernel != b.of[i].kernel })
	}
	for _, i := range order {
		add(b.of[i], func(o candidate) bool { return o.GammaI != b.of[i].GammaI })
	}
	for _, i := range order {
		add(b.of[i], func(o candidate) bool { return o.kernel != b.of[i].kernel || o.Member != b.of[i].Member })
	}
	return all
}

// far is a comparison on many points.
type far struct {
	*comparison
	ofPart    []kernel.Kernel         // of the part, as the supervised machine has them
	landmarks map[int]*gram.Landmarks // by kernel
	all       []finalist
	compared  int // machines, also those that are not among them any more
}

// widthsOf returns the kernels of a part for these points. These points lie closer together, so the
// kernel as wide as neighbours are apart is another one.
func (f *far) widthsOf(part *comparison) []kernel.Kernel {
	kernels := slices.Clone(part.kernels)
	if part.nearest >= 0 && f.nearest >= 0 {
		kernels[part.nearest] = f.kernels[f.nearest]
	}
	return kernels
}

func (f *far) close() {
	for _, k := range f.landmarks {
		k.Close()
	}
}

// otherGraphs returns a finalist with other graphs, as far as these are open.
func (f *far) otherGraphs(best finalist) []candidate {
	m := best.Member
	var all []candidate
	with := func(neighbours, degree int) {
		if neighbours < f.geometry.Len() && len(f.all)+len(all) < panelsFor(len(f.task.Labelled))+fewFinalists {
			one := candidate{kernel: best.kernel, Member: m}
			one.Neighbours, one.LaplacianDegree = neighbours, degree
			all = append(all, one)
		}
	}
	if f.asked.Graph.Neighbours == 0 {
		with(m.Neighbours/2, m.LaplacianDegree)
		with(2*m.Neighbours, m.LaplacianDegree)
	}
	if f.asked.Graph.Degree == 0 {
		with(m.Neighbours, 1)
		with(m.Neighbours, 3)
	}
	return all
}

// measureAll measures machines, those of one kernel and graph one after the other.
func (f *far) measureAll(ctx context.Context, some []candidate) error {
	same := func(a, b candidate) int {
		return cmp.Or(cmp.Compare(a.kernel, b.kernel), cmp.Compare(a.Neighbours, b.Neighbours), cmp.Compare(a.LaplacianDegree, b.LaplacianDegree))
	}
	slices.SortStableFunc(some, same)
	var space *functionspace.Space
	for i, m := range some {
		if len(f.all) > 0 && f.late() {
			return nil
		}
		if i == 0 || same(some[i-1], m) != 0 {
			k, err := f.kernel(ctx, m.kernel)
			if err != nil {
				return err
			}
			w, _, err := f.geometry.Graph(ctx, m.Neighbours)
			if err != nil {
				return err
			}
			if space, err = functionspace.New(ctx, k, f.geometry.Laplacian(w, m.LaplacianDegree)); err != nil {
				return err
			}
		}
		if err := f.measureOne(ctx, space, m); err != nil {
			return err
		}
	}
	return nil
}

// kernel returns the matrix of a kernel, which it makes once.
func (f *far) kernel(ctx context.Context, number int) (*gram.Landmarks, error) {
	if k := f.landmarks[number]; k != nil {
		return k, nil
	}
	k, err := gram.NewLandmarks(ctx, f.geometry.Points(), f.kernels[number], farLandmarks, f.recipe.Seed, gram.Single, nil)
	if err == nil {
		f.landmarks[number] = k
	}
	return k, err
}

// measureOne measures a machine by held-out labels, and the classes it predicts by the
// graph.
func (f *far) measureOne(ctx context.Context, space *functionspace.Space, m candidate) error {
	cell, err := space.Cell(ctx, deformed.Gammas{A: m.GammaA, I: m.GammaI}, f.task.Labelled, f.recipe.Bias, gram.Single, functionspace.Options{Tolerance: 1e-2})
	if errors.Is(err, functionspace.ErrRounding) {
		return nil // it is none to be taken
	}
	if err != nil {
		return err
	}
	defer cell.Close()
	one := finalist{candidate: candidate{kernel: m.kernel, Member: m.Member}}
	if f.held == nil {
		one.at = f.solve(ctx, cell.Cell)
	} else if one.measurement, _, err = f.held.measure(ctx, cell.Cell, math.Inf(1)); err != nil {
		return err
	}
	functions, err := cell.Functions(ctx, one.at)
	if err != nil {
		return err
	}
	outputs := make([][]float64, len(functions))
	for c, function := range functions {
		outputs[c] = function.Values
	}
	f.enter(one, outputs)
	return nil
}

// solve returns the solutions of all machines of a cell.
func (f *far) solve(ctx context.Context, cell *deformed.Cell) (at []*deformed.Point) {
	for column := range f.columns.Targets {
		at = append(at, f.columns.Machine(cell, column).Solve(ctx, nil))
	}
	return at
}

// enter adds a finalist with its outputs [machine][point].
func (f *far) enter(one finalist, outputs [][]float64) {
	f.fit(&one.candidate, outputs)
	if one.labels = len(one.measurement.wrong); one.labels > 0 {
		one.wrong, one.loss = mean(one.measurement.wrong), mean(one.measurement.loss)
	}
	one.at = nil
	f.all = append(f.all, one)
	f.compared++
}

// addSupervised adds the supervised machine, whose held-out labels are measured already.
func (f *far) addSupervised(ctx context.Context, m candidate) error {
	labelled := f.geometry.Points().Subset(f.task.Labelled)
	k := f.ofPart[m.kernel]
	cross, err := gram.NewCross(ctx, labelled, labelled, k)
	if err != nil {
		return err
	}
	cell := &deformed.Cell{Gammas: deformed.Gammas{A: m.GammaA}}
	for i := range labelled.Len() {
		for _, v := range cross.Row(i) {
			cell.Kernel = append(cell.Kernel, v/m.GammaA)
		}
		if f.recipe.Bias != objective.NoBias {
			cell.Bias = append(cell.Bias, 1)
		}
	}
	e := gram.Expansion{Kernel: k, Basis: labelled}
	var outputs [][]float64
	for _, p := range f.solve(ctx, cell) {
		coefficients := make([]float64, len(p.A))
		for i, v := range p.A {
			coefficients[i] = v / m.GammaA
		}
		e.Coefficients, e.Bias = append(e.Coefficients, coefficients), append(e.Bias, p.B)
		outputs = append(outputs, make([]float64, f.geometry.Len()))
	}
	if err := e.Values(ctx, outputs, f.geometry.Points(), gram.Single); err != nil {
		return err
	}
	f.enter(finalist{candidate: candidate{kernel: m.kernel, Member: m.Member, measurement: m.measurement}, supervised: true, doubt: doubt}, outputs)
	return nil
}

// result returns the recipe of the strongest finalist.
func (f *far) result(chosen train.Recipe) train.Recipe {
	best := f.all[strongest(f.all)]
	r, choice := chosen, *chosen.Choice
	r.Kernel, r.GammaA, r.GammaI, r.Graph.Neighbours, r.Graph.Degree = f.kernels[best.kernel], best.GammaA, best.GammaI, best.Neighbours, best.LaplacianDegree
	if best.supervised {
		r = f.asked
		r.Supervised, r.Kernel, r.GammaA, r.GammaI, r.Graph.Neighbours, r.Graph.Degree = true, f.ofPart[best.kernel], best.GammaA, 0, 0, 0
	}
	choice.Reason += fmt.Sprintf("; %d of them, and other graphs, were compared again on %d points", f.compared, f.geometry.Len())
	choice.Sigma, choice.Neighbours, choice.LaplacianDegree, choice.GammaA, choice.GammaI = r.Kernel.Parameters().Sigma, best.Neighbours, best.LaplacianDegree, best.GammaA, best.GammaI
	if best.labels > 0 {
		choice.Loss = best.loss
	}
	r.Choice = &choice
	return r
}

// strongest returns the finalist with the most evidence, among equals the one with the least loss,
// then the first. One held-out label is weak evidence: a machine with one more wrong is preferred
// if both its loss and its fit to the graph are better.
func strongest(all []finalist) int {
	evidence := func(f finalist) float64 { return Evidence(f.labels, f.wrong, f.modularity) - f.doubt }
	strongestOf := func(those func(f finalist) bool) int {
		best := -1
		for i, f := range all {
			if !those(f) {
				continue
			}
			if best < 0 {
				best = i
			} else if d := evidence(f) - evidence(all[best]); d > 0 || d == 0 && f.loss < all[best].loss {
				best = i
			}
		}
		return best
	}
	first := strongestOf(func(finalist) bool { return true })
	least := evidence(all[first]) - math.Log((1-surprise)/surprise)
	better := strongestOf(func(f finalist) bool {
		return !f.supervised && f.loss < all[first].loss && f.modularity > all[first].modularity && evidence(f) >= least
	})
	if better >= 0 {
		return better
	}
	return first
}

// Evidence is the evidence for a machine by its share of wrong decisions on held-out labels, and by
// the modularity Q of its classes for all points in the graph of 10 neighbours:
//
//	β Q − l·wrong·ln 9,   β = 30·min(1, 30/l)
//
// The difference between two machines is a log-likelihood ratio: every label differs from the right
// machine's decision with the chance of a tenth. The number of wrong labels counts, not their loss.
// Machines that follow the graph have a large loss, as their outputs are small, though they decide
// right.
func Evidence(labels int, wrong, modularity float64) float64 {
	return graphEvidence(labels)*modularity + float64(labels)*wrong*math.Log(surprise/(1-surprise))
}
