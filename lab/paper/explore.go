package paper

import (
	"context"
	"slices"

	"lapsvm/internal/machines/deformed"
	"lapsvm/internal/machines/geometry"
	"lapsvm/internal/machines/solve"
	"lapsvm/internal/numbers/objective"
	"lapsvm/internal/points/gram"
)

// Cell is the result of a method on one split with one pair of weights: errors in
// percent. For PCG it also has the iterations, mean per machine, and the intervals
// tried by the line search per iteration.
type Cell struct {
	GammaA     float64 `json:"gamma_a"`
	GammaI     float64 `json:"gamma_i"`
	L          float64 `json:"l"`
	U          float64 `json:"u"`
	V          float64 `json:"v"`
	T          float64 `json:"t"`
	Iterations float64 `json:"iterations,omitempty"`
	LineSearch float64 `json:"line_search,omitempty"`
}

func (c Cell) gammas() deformed.Gammas { return deformed.Gammas{A: c.GammaA, I: c.GammaI} }

// candidates says which weights each method tries.
type candidates map[Method][]deformed.Gammas

// gridOf tries the whole grid with every method.
func gridOf(values []float64, exact bool) candidates {
	c := make(candidates)
	var pairs, single []deformed.Gammas
	for _, a := range values {
		single = append(single, deformed.Gammas{A: a})
		for _, i := range values {
			pairs = append(pairs, deformed.Gammas{A: a, I: i})
		}
	}
	for _, m := range methods() {
		switch {
		case m.supervised():
			c[m] = single
		case m == Auto:
			// takes the weights of the stability check
		case exact || m.early():
			c[m] = pairs
		}
	}
	return c
}

// appendixOf tries the weights of Appendix A alone.
func appendixOf(set string, exact bool) candidates {
	c := make(candidates)
	for _, m := range methods() {
		if !exact && !m.supervised() && !m.early() {
			continue
		}
		if g, ok := publishedGammas(set, m); ok {
			c[m] = []deformed.Gammas{g}
		}
	}
	return c
}

// publishedGammas returns the weights of Appendix A.
func publishedGammas(set string, m Method) (deformed.Gammas, bool) {
	table := "parameters"
	if m.early() {
		table = "early-parameters"
	}
	a, ok := published(table, set, m, "gamma-a")
	i, _ := published(table, set, m, "gamma-i")
	return deformed.Gammas{A: a.Mean, I: i.Mean}, ok
}

// explorer tries candidates on one split.
type explorer struct {
	pr     *problem
	found  map[Method][]Cell
	alphas [][]float64 // of all candidates and machines, to be evaluated together
	bs     []float64
	owners []owner
}

// owner says whose the next machines among the coefficients are.
type owner struct {
	m    Method
	cell int
}

// explore trains with all candidates. Its exact methods minimise the same
// objective as Newton's method, LapRLSC and the dual, in the space of the
// labelled points.
func explore(ctx context.Context, pr *problem, c candidates) (map[Method][]Cell, error) {
	e := &explorer{pr: pr, found: make(map[Method][]Cell)}
	for _, step := range []func(context.Context, candidates) error{e.supervised, e.exact, e.checked} {
		if err := step(ctx, c); err != nil {
			return nil, err
		}
	}
	return e.found, e.evaluate(ctx)
}

// add takes in a solution over the training points: outputs f.
func (e *explorer) add(m Method, g deformed.Gammas, alpha [][]float64, b []float64, f [][]float64, iterations, lineSearch float64) {
	e.owners = append(e.owners, owner{m, len(e.found[m])})
	e.found[m] = append(e.found[m], Cell{GammaA: g.A, GammaI: g.I, L: e.pr.at(e.pr.task.Labelled, f), U: e.pr.at(e.pr.hidden, f),
		Iterations: iterations, LineSearch: lineSearch})
	for c := range alpha {
		e.alphas, e.bs = append(e.alphas, alpha[c]), append(e.bs, b[c])
	}
}

// evaluate computes the errors outside the training points, for all candidates
// in one pass over the kernel.
func (e *explorer) evaluate(ctx context.Context) error {
	pr := e.pr
	values := make([][]float64, len(e.alphas))
	for c := range values {
		values[c] = make([]float64, len(pr.outsideY))
	}
	all := gram.Expansion{Kernel: pr.set.Kernel, Basis: pr.geometry.Points(), Coefficients: e.alphas, Bias: e.bs}
	if err := all.Values(ctx, values, pr.outside, gram.Double); err != nil {
		return err
	}
	for k, o := range e.owners {
		at := k * len(pr.targets)
		cell := &e.found[o.m][o.cell]
		cell.V, cell.T = pr.beyond(values[at : at+len(pr.targets)])
	}
	return nil
}

// supervised trains SVM and RLSC, which see the labelled points alone.
func (e *explorer) supervised(ctx context.Context, c candidates) error {
	pr := e.pr
	inside := pr.geometry.Points().Subset(pr.task.Labelled)
	g, err := geometry.New(ctx, inside, geometry.Options{Kernel: pr.set.Kernel, Precision: gram.Double, Form: gram.FormHalf})
	if err != nil {
		return err
	}
	defer g.Close()
	factor, err := g.Factor(ctx)
	if err != nil {
		return err
	}
	view, err := factor.Reduction(ctx, nil, pr.task.Alone().Labelled, objective.NoBias)
	if err != nil {
		return err
	}
	cross, err := gram.NewCross(ctx, pr.geometry.Points(), inside, pr.set.Kernel)
	if err != nil {
		return err
	}
	for m, loss := range map[Method]objective.Loss{SVM: objective.SquaredHinge, RLSC: objective.Squared} {
		err := view.Each(ctx, c[m], func(i int, cell *deformed.Problem) error {
			expansions, _, _, err := pr.machines(ctx, cell, loss)
			if err != nil {
				return err
			}
			var alphas, fs [][]float64
			for _, coefficients := range expansions {
				alpha, f := make([]float64, pr.geometry.Points().Len()), make([]float64, pr.geometry.Points().Len())
				for k, row := range pr.task.Labelled {
					alpha[row] = coefficients[k]
				}
				for row := range f {
					f[row] = cross.Dot(row, coefficients)
				}
				alphas, fs = append(alphas, alpha), append(fs, f)
			}
			e.add(m, c[m][i], alphas, make([]float64, len(alphas)), fs, 0, 0)
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// reduced are the methods that are solved in the space of the labelled points.
// The dual has no bias either: with one, which is outside the intrinsic norm,
// it cannot have the paper's errors outside the training points (COIL20: 64 %
// of the test points, the paper has 11 %; without one 12 %).
var reduced = []struct {
	m    Method
	loss objective.Loss
}{{LapRLSC, objective.Squared}, {Newton, objective.SquaredHinge}, {Dual, objective.Hinge}}

// double returns the geometry with its Gram matrix in float64, which exact methods
// need.
func (pr *problem) double(ctx context.Context) (*geometry.Geometry, error) {
	return pr.geometry.WithKernel(ctx, pr.set.Kernel, gram.Double)
}

// view makes the problem in the space of the labelled points, from the factor of
// the Gram matrix on: timings count that too.
func (pr *problem) view(ctx context.Context, double *geometry.Geometry) (*deformed.Reduction, error) {
	factor, err := deformed.NewFactor(ctx, double.Gram().(objective.Rows), 0)
	if err != nil {
		return nil, err
	}
	return factor.Reduction(ctx, pr.laplacian, pr.task.Labelled, objective.NoBias)
}

func (e *explorer) exact(ctx context.Context, c candidates) error {
	// All methods share the factorization of a ratio of the weights.
	var cells []deformed.Gammas
	for _, r := range reduced {
		for _, g := range c[r.m] {
			if !slices.Contains(cells, g) {
				cells = append(cells, g)
			}
		}
	}
	if len(cells) == 0 {
		return nil
	}
	k, err := e.pr.double(ctx)
	if err != nil {
		return err
	}
	defer k.Close()
	view, err := e.pr.view(ctx, k)
	if err != nil {
		return err
	}
	return view.Each(ctx, cells, func(i int, cell *deformed.Problem) error {
		for _, r := range reduced {
			if !slices.Contains(c[r.m], cells[i]) {
				continue
			}
			alphas, b, f, err := e.pr.machines(ctx, cell, r.loss)
			if err != nil {
				return err
			}
			e.add(r.m, cells[i], alphas, b, f, 0, 0)
		}
		return ctx.Err()
	})
}

// machines solves all machines of a cell.
func (pr *problem) machines(ctx context.Context, cell *deformed.Problem, loss objective.Loss) (alphas [][]float64, bs []float64, fs [][]float64, err error) {
	var at []*deformed.Solution
	for _, targets := range pr.targets {
		at = append(at, (&deformed.Machine{Problem: cell, Loss: loss, Targets: targets}).Solve(ctx, nil))
		bs = append(bs, at[len(at)-1].B)
	}
	alphas, fs, err = cell.Expansions(ctx, at)
	return alphas, bs, fs, err
}

// checked runs PCG until the mixed check stops it, and records the state at the
// stop of each of the three checks. The mixed check never stops before the other
// two.
func (e *explorer) checked(ctx context.Context, c candidates) error {
	var cells []deformed.Gammas
	for _, m := range []Method{Stability, Validation, Mixed} {
		for _, g := range c[m] {
			if !slices.Contains(cells, g) {
				cells = append(cells, g)
			}
		}
	}
	watches, problems, options := make([]*watch, len(cells)), make([]*objective.Problem, len(cells)), make([]solve.Options, len(cells))
	for i, g := range cells {
		var err error
		if options[i], err = e.pr.options(Mixed); err != nil {
			return err
		}
		watches[i], problems[i] = e.pr.newWatch(options[i].Tolerance), e.pr.objective(e.pr.geometry.Gram(), g.A, g.I)
		options[i].Progress = watches[i].step
	}
	solutions, err := solve.Together(ctx, problems, options)
	if err != nil {
		return err
	}
	for i, s := range solutions {
		watches[i].end(s)
		for _, m := range []Method{Stability, Validation, Mixed} {
			if slices.Contains(c[m], cells[i]) {
				stop := watches[i].stops[m]
				e.add(m, cells[i], stop.alpha, make([]float64, len(stop.alpha)), stop.f, stop.iterations, stop.lineSearch)
			}
		}
	}
	return nil
}

// checksLarge bounds the iterations on a large set, in checks. Weights that make
// all outputs vanish have decisions that never settle.
const checksLarge = 5

// options returns those of PCG with a check of the paper's, defaults filled in.
func (pr *problem) options(m Method) (solve.Options, error) {
	o, err := solve.Options{Stop: solve.Condition(m), ValidationErrors: pr.validationErrors, ValidationSize: pr.validation}.WithDefaults(pr.geometry.Points().Len())
	if pr.set.Large {
		o.MaxIterations = checksLarge * o.CheckEvery
	}
	return o, err
}

// perMachine returns mean iterations, and intervals tried per iteration.
func perMachine(iterations, intervals []int) (mean, perIteration float64) {
	all, tried := 0, 0
	for c := range iterations {
		all, tried = all+iterations[c], tried+intervals[c]
	}
	return float64(all) / float64(len(iterations)), float64(tried) / float64(max(all, 1))
}

// stop is the state of PCG when a check would have stopped it.
type stop struct {
	alpha, f               [][]float64
	iterations, lineSearch float64
}

// watch follows a run of PCG that the mixed check stops.
type watch struct {
	unlabelled int
	tolerance  float64 // share of the decisions that may change
	stops      map[Method]*stop
	checks     int
	errors     int    // validation errors at the last check
	running    []bool // by machine
	iterations []int
	intervals  []int
}

func (pr *problem) newWatch(tolerance float64) *watch {
	m := len(pr.targets)
	w := &watch{unlabelled: len(pr.hidden), tolerance: tolerance, errors: pr.validation, stops: make(map[Method]*stop), running: make([]bool, m),
		iterations: make([]int, m), intervals: make([]int, m)}
	for c := range w.running {
		w.running[c] = true
	}
	return w
}

// step records the state at the first check that meets a condition, by the rules
// of [solve.PCG]. At the first check, the stability check has nothing to compare
// with, and the validation check compares with all validation points wrong.
func (w *watch) step(s *solve.Step) {
	if s.Iteration > 0 {
		for c, column := range s.Columns {
			if w.running[c] {
				w.iterations[c]++
				w.intervals[c] += column.Intervals
			}
			w.running[c] = column.Active
		}
	}
	if !s.Checked {
		return
	}
	w.checks++
	stable := w.checks > 1 && float64(s.ChangedSinceCheck) < w.tolerance*float64(w.unlabelled)
	valid := s.ValidationErrors >= w.errors
	w.errors = s.ValidationErrors
	for m, met := range map[Method]bool{Stability: stable, Validation: valid, Mixed: stable && valid} {
		if met && w.stops[m] == nil {
			w.stops[m] = w.state(s.Alpha, s.F)
		}
	}
}

func (w *watch) state(alpha, f [][]float64) *stop {
	s := &stop{alpha: copied(alpha), f: copied(f)}
	s.iterations, s.lineSearch = perMachine(w.iterations, w.intervals)
	return s
}

// end gives the conditions that were not met the final state.
func (w *watch) end(s *solve.Solution) {
	for _, m := range []Method{Stability, Validation, Mixed} {
		if w.stops[m] == nil {
			w.stops[m] = &stop{alpha: s.Alpha, f: s.F}
			w.stops[m].iterations, w.stops[m].lineSearch = perMachine(s.Iterations, s.LineSearchSteps)
		}
	}
}

func copied(x [][]float64) [][]float64 {
	y := make([][]float64, len(x))
	for c := range x {
		y[c] = slices.Clone(x[c])
	}
	return y
}
