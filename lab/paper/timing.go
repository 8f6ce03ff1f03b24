package paper

import (
	"context"
	"math"
	"time"

	"lapsvm/internal/machines/deformed"
	"lapsvm/internal/machines/solve"
	"lapsvm/internal/numbers/objective"
	"lapsvm/internal/points/gram"
)

// Timing is one timed training of a split with weights that were selected.
type Timing struct {
	Method  Method  `json:"method"`
	Seconds float64 `json:"seconds"` // with K and L there, as the paper measures
	Cell
}

// Clocked is the times measured on one split.
type Clocked struct {
	Selected selected `json:"selected"`
	Gram     float64  `json:"gram"`  // seconds, with the search for neighbours
	Graph    float64  `json:"graph"` // seconds of weights and Laplacian
	Trained  []Timing `json:"trained"`
	Grid     float64  `json:"grid,omitempty"` // seconds of all cells of the grid, exactly, with K and L there; 0 where not run
	GridSize int      `json:"grid_size,omitempty"`
	Trace    *Trace   `json:"trace,omitempty"`
}

// Trace is a run of PCG without a stop. It has, at the start and after every
// iteration, the errors in percent and, relative to the start, the objective
// and the norms of the gradients, over all machines.
type Trace struct {
	L              []float64 `json:"l"`
	U              []float64 `json:"u"`
	V              []float64 `json:"v"`
	T              []float64 `json:"t"`
	Objective      []float64 `json:"objective"`
	Gradient       []float64 `json:"gradient"`
	Preconditioned []float64 `json:"preconditioned"`
	Product        []float64 `json:"product"`
}

// selected are the weights that a method was given by validation.
type selected map[Method]deformed.Gammas

// stopwatch times trainings of a split.
type stopwatch struct {
	explorer
	seconds map[owner]float64
	out     *Clocked
}

// timed trains one split with the selected weights, one method after the other:
// PCG with the weights selected for its check, and again with the weights of
// Newton's method where they differ. With exact it also runs the exact methods
// and the grid. With trace it traces a run of PCG that nothing stops.
func timed(ctx context.Context, pr *problem, s selected, exact, trace bool) (*Clocked, error) {
	c := &stopwatch{explorer: explorer{pr: pr, found: make(map[Method][]Cell)}, seconds: make(map[owner]float64),
		out: &Clocked{Selected: s, Gram: pr.geometry.Seconds().Gram, Graph: pr.graphSeconds}}
	if exact {
		if err := c.exact(ctx, s); err != nil {
			return nil, err
		}
	}
	newton, ok := s[Newton]
	if !ok {
		newton, ok = s[Stability]
	}
	for _, m := range []Method{Stability, Validation, Mixed, Auto} {
		chosen, selected := s[m]
		if selected {
			if err := c.early(ctx, m, chosen); err != nil {
				return nil, err
			}
		}
		if ok && !(selected && newton == chosen) {
			if err := c.early(ctx, m, newton); err != nil {
				return nil, err
			}
		}
	}
	if err := c.evaluate(ctx); err != nil {
		return nil, err
	}
	for _, o := range c.owners {
		c.out.Trained = append(c.out.Trained, Timing{o.m, c.seconds[o], c.found[o.m][o.cell]})
	}
	if trace && ok {
		var err error
		if c.out.Trace, err = traced(ctx, pr, newton); err != nil {
			return nil, err
		}
	}
	return c.out, nil
}

// add takes in a solution and the time that passed.
func (c *stopwatch) add(m Method, g deformed.Gammas, elapsed time.Duration, alpha [][]float64, b []float64, f [][]float64, iterations, lineSearch float64) {
	c.seconds[owner{m, len(c.found[m])}] = elapsed.Seconds()
	c.explorer.add(m, g, alpha, b, f, iterations, lineSearch)
}

// exact times Newton's method, the dual, and the whole grid.
func (c *stopwatch) exact(ctx context.Context, s selected) error {
	pr := c.pr
	k, err := pr.double(ctx)
	if err != nil {
		return err
	}
	defer k.Close()
	if g, ok := s[Newton]; ok {
		start := time.Now()
		solution, err := solve.Newton(ctx, pr.objective(k.Gram(), g.A, g.I), solve.Options{})
		if err != nil {
			return err
		}
		steps, _ := perMachine(solution.Iterations, solution.LineSearchSteps)
		c.add(Newton, g, time.Since(start), solution.Alpha, solution.B, solution.F, steps, 0)
	}
	if g, ok := s[Dual]; ok {
		start := time.Now()
		view, err := pr.view(ctx, k)
		if err != nil {
			return err
		}
		cell, err := view.Problem(ctx, g)
		if err != nil {
			return err
		}
		alpha, b, f, err := pr.machines(ctx, cell, objective.Hinge)
		if err != nil {
			return err
		}
		c.add(Dual, g, time.Since(start), alpha, b, f, 0, 0)
	}
	start := time.Now()
	view, err := pr.view(ctx, k)
	if err != nil {
		return err
	}
	cells := gridOf(pr.set.Grid, true)[Newton]
	if err := view.Each(ctx, cells, func(_ int, cell *deformed.Problem) error {
		for _, targets := range pr.targets {
			(&deformed.Machine{Problem: cell, Loss: objective.SquaredHinge, Targets: targets}).Solve(ctx, nil)
		}
		return ctx.Err()
	}); err != nil {
		return err
	}
	c.out.Grid, c.out.GridSize = time.Since(start).Seconds(), len(cells)
	return nil
}

// early times PCG with one of the stopping checks.
func (c *stopwatch) early(ctx context.Context, m Method, g deformed.Gammas) error {
	p := c.pr.objective(c.pr.geometry.Gram(), g.A, g.I)
	groups := [][][]float64{p.Targets}
	if c.pr.set.Alone {
		groups = nil
		for _, targets := range p.Targets {
			groups = append(groups, [][]float64{targets})
		}
	}
	var all solve.Solution
	start := time.Now()
	for k, targets := range groups {
		var o solve.Options
		if m != Auto {
			var err error
			if o, err = c.pr.options(m); err != nil {
				return err
			}
		}
		if c.pr.set.Alone {
			o.ValidationErrors = func(alpha [][]float64, _ []float64) int { return c.pr.machineErrors(k, alpha[0]) }
		}
		problem := *p
		problem.Targets = targets
		s, err := solve.PCG(ctx, &problem, o)
		if err != nil {
			return err
		}
		all.Alpha, all.B, all.F = append(all.Alpha, s.Alpha...), append(all.B, s.B...), append(all.F, s.F...)
		all.Iterations, all.LineSearchSteps = append(all.Iterations, s.Iterations...), append(all.LineSearchSteps, s.LineSearchSteps...)
	}
	elapsed := time.Since(start)
	iterations, lineSearch := perMachine(all.Iterations, all.LineSearchSteps)
	c.add(m, g, elapsed, all.Alpha, all.B, all.F, iterations, lineSearch)
	return nil
}

// traced runs PCG for about five checks of the paper.
func traced(ctx context.Context, pr *problem, g deformed.Gammas) (*Trace, error) {
	cross, err := gram.NewCross(ctx, pr.outside, pr.geometry.Points(), pr.set.Kernel)
	if err != nil {
		return nil, err
	}
	limit := int(math.Ceil(5 * math.Sqrt(float64(pr.geometry.Points().Len())) / 2))
	trace := &Trace{}
	values := make([][]float64, len(pr.targets))
	for c := range values {
		values[c] = make([]float64, len(pr.outsideY))
	}
	norm := func(s *solve.Step, get func(c solve.ColumnStep) float64) float64 {
		sum := 0.0
		for _, c := range s.Columns {
			sum += get(c) * get(c)
		}
		return math.Sqrt(sum)
	}
	o := solve.Options{Stop: solve.None, MaxIterations: limit, Progress: func(s *solve.Step) {
		trace.L = append(trace.L, pr.at(pr.task.Labelled, s.F))
		trace.U = append(trace.U, pr.at(pr.hidden, s.F))
		for c, v := range values {
			cross.MulTo(ctx, v, s.Alpha[c])
		}
		v, t := pr.beyond(values)
		trace.V, trace.T = append(trace.V, v), append(trace.T, t)
		objective := 0.0
		for _, c := range s.Columns {
			objective += c.Objective
		}
		trace.Objective = append(trace.Objective, objective)
		trace.Gradient = append(trace.Gradient, norm(s, func(c solve.ColumnStep) float64 { return c.Gradient }))
		trace.Preconditioned = append(trace.Preconditioned, norm(s, func(c solve.ColumnStep) float64 { return c.Preconditioned }))
		trace.Product = append(trace.Product, norm(s, func(c solve.ColumnStep) float64 { return c.Product }))
	}}
	if _, err := solve.PCG(ctx, pr.objective(pr.geometry.Gram(), g.A, g.I), o); err != nil {
		return nil, err
	}
	for _, values := range [][]float64{trace.Objective, trace.Gradient, trace.Preconditioned, trace.Product} {
		first := values[0]
		for i := range values {
			values[i] /= first
		}
		finite(values)
	}
	return trace, nil
}
