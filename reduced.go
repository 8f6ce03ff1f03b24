package lapsvm

import (
	"context"
	"slices"

	"lapsvm/deformed"
	"lapsvm/graph"
	"lapsvm/internal/vec"
	"lapsvm/solve"
)

// view makes the l×l view of the problem.
func (f *fit) view(ctx context.Context) (*deformed.Factor, *deformed.View, error) {
	factor, err := deformed.NewFactor(ctx, f.k.Matrix.(deformed.Matrix), 0)
	if err != nil {
		return nil, nil, err
	}
	v, err := factor.View(ctx, f.target.L, f.target.Labelled, f.target.Bias)
	f.t.Log.Info("deformed kernel", "rank", factor.Rank(), "points", factor.Len())
	return factor, v, err
}

// machine is one column of the problem in a cell of the view.
func (f *fit) machine(c *deformed.Cell, column int) *deformed.Machine {
	p := f.target
	return &deformed.Machine{Cell: c, Loss: p.Loss, Targets: p.Targets[column], Weights: p.Weights, OneClass: p.OneClass,
		Tolerance: f.t.Solve.Tolerance}
}

// member is one of several machines whose outputs are averaged: they have the
// kernel in common, so that their mean is one expansion.
type member struct {
	graph  graph.Options
	gammas deformed.Gammas
	weight float64 // all sum to 1
}

// solved is a member with the solutions of its columns.
type solved struct {
	member
	cell *deformed.Cell
	at   []*deformed.Point
}

// members returns what to average: what was chosen, where it was chosen for
// these parameters, else the one machine that is asked for.
func (f *fit) members() []member {
	gammas := deformed.Gammas{A: f.target.GammaA, I: f.target.GammaI}
	if c := f.t.Choice; c != nil && f.t.Solver == Deformed && len(c.average) > 1 && gammas == (deformed.Gammas{A: c.GammaA, I: c.GammaI}) &&
		f.graph.Neighbours == c.Neighbours && f.graph.Degree == c.LaplacianDegree {
		return c.average
	}
	return []member{{f.graph, gammas, 1}}
}

// reduced solves the problem in the space of its labelled points.
func (f *fit) reduced(ctx context.Context) (*solve.Solution, error) {
	members := f.members()
	if len(members) == 1 {
		_, view, err := f.view(ctx)
		if err != nil {
			return nil, err
		}
		if err := f.solveCells(ctx, view, members); err != nil {
			return nil, err
		}
		return f.averaged(ctx)
	}
	factor, err := deformed.NewFactor(ctx, f.k.Matrix.(deformed.Matrix), 0)
	if err != nil {
		return nil, err
	}
	most := 0
	for _, m := range members {
		most = max(most, m.graph.Neighbours)
	}
	nb, err := graph.FindNeighbours(ctx, f.p, most, f.graph.Metric)
	if err != nil {
		return nil, err
	}
	// Members of one graph share the products with its Laplacian, those of one
	// degree the view.
	for len(members) > 0 {
		k := members[0].graph.Neighbours
		w, _ := graph.Connect(nb.First(k), f.graph.Weights, f.graph.HeatWidth)
		powers := factor.Powers(graph.NewLaplacian(w, f.graph.Unnormalised, 1))
		for len(members) > 0 && members[0].graph.Neighbours == k {
			degree, same := members[0].graph.Degree, 0
			for same < len(members) && members[same].graph.Neighbours == k && members[same].graph.Degree == degree {
				same++
			}
			view, err := powers.View(ctx, degree, f.target.Labelled, f.target.Bias)
			if err != nil {
				return nil, err
			}
			if err := f.solveCells(ctx, view, members[:same]); err != nil {
				return nil, err
			}
			members = members[same:]
		}
	}
	return f.averaged(ctx)
}

// solveCells solves members of one view.
func (f *fit) solveCells(ctx context.Context, view *deformed.View, members []member) error {
	cells := make([]deformed.Gammas, len(members))
	for i, m := range members {
		cells[i] = m.gammas
	}
	return view.Each(ctx, cells, func(i int, c *deformed.Cell) error {
		s := solved{member: members[i], cell: c}
		for column := range f.target.Targets {
			s.at = append(s.at, f.machine(c, column).Solve(ctx, nil))
		}
		f.solved = append(f.solved, s)
		return ctx.Err()
	})
}

// averaged makes the solution of the members: mean coefficients, bias and
// outputs; the objective is their mean too, error vectors and steps are those
// of the member with the largest weight.
func (f *fit) averaged(ctx context.Context) (*solve.Solution, error) {
	first := f.solved[0]
	for _, s := range f.solved {
		if s.weight > first.weight {
			first = s
		}
	}
	solution := &solve.Solution{}
	for column := range f.target.Targets {
		n := f.p.Len()
		alpha, values, b, objective, status := make([]float64, n), make([]float64, n), 0.0, 0.0, solve.Converged
		for _, s := range f.solved {
			at := s.at[column]
			a, v, err := s.cell.Expansion(ctx, at.A, at.B)
			if err != nil {
				return nil, err
			}
			vec.Axpy(s.weight, a, alpha)
			vec.Axpy(s.weight, v, values)
			b += s.weight * at.B
			objective += s.weight * f.machine(s.cell, column).Value(at)
			if !at.Converged {
				status = solve.IterationLimit
			}
		}
		solution.Alpha, solution.B, solution.F = append(solution.Alpha, alpha), append(solution.B, b), append(solution.F, values)
		solution.Objective = append(solution.Objective, objective)
		solution.ErrorVectors = append(solution.ErrorVectors, f.machine(first.cell, column).ErrorVectors(first.at[column]))
		solution.Iterations = append(solution.Iterations, first.at[column].Steps)
		solution.LineSearchSteps = append(solution.LineSearchSteps, 0)
		solution.Status = append(solution.Status, status)
	}
	if f.sharesLabels() {
		return solution, f.shareLabels(ctx)
	}
	return solution, nil
}

// labelSharesOf returns what the labels of the used points add to the
// coefficients of these: [machine][label·used point].
func (f *fit) labelSharesOf(used []int) [][]float64 {
	var shares [][]float64
	n := f.p.Len()
	for _, all := range f.labelShares {
		var machine []float64
		for k, i := range f.labelled {
			if _, isUsed := slices.BinarySearch(used, i); !isUsed {
				continue // it adds nothing
			}
			for _, j := range used {
				machine = append(machine, all[k*n+j])
			}
		}
		shares = append(shares, machine)
	}
	return shares
}

// shareLabels takes the mean coefficients apart into what every label adds.
func (f *fit) shareLabels(ctx context.Context) error {
	n := f.p.Len()
	for range f.target.Targets {
		f.labelShares = append(f.labelShares, make([]float64, len(f.labelled)*n))
	}
	for _, s := range f.solved {
		units, err := s.cell.Units(ctx)
		if err != nil {
			return err
		}
		for k, unit := range units {
			for column, at := range s.at {
				vec.Axpy(s.weight*at.A[k], unit, f.labelShares[column][k*n:(k+1)*n])
			}
		}
	}
	return nil
}
