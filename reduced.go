package lapsvm

import (
	"context"

	"lapsvm/deformed"
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

// reduced solves the problem in the space of its labelled points.
func (f *fit) reduced(ctx context.Context) (*solve.Solution, error) {
	_, view, err := f.view(ctx)
	if err != nil {
		return nil, err
	}
	cell, err := view.Cell(ctx, deformed.Gammas{A: f.target.GammaA, I: f.target.GammaI})
	if err != nil {
		return nil, err
	}
	f.cell = cell
	s := &solve.Solution{}
	for c := range f.target.Targets {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		m := f.machine(cell, c)
		at := m.Solve(nil)
		f.at = append(f.at, at)
		alpha, values := cell.Expansion(at.A, at.B)
		s.Alpha, s.B, s.F = append(s.Alpha, alpha), append(s.B, at.B), append(s.F, values)
		s.Objective = append(s.Objective, m.Value(at))
		s.ErrorVectors = append(s.ErrorVectors, m.ErrorVectors(at))
		s.Iterations, s.LineSearchSteps = append(s.Iterations, at.Steps), append(s.LineSearchSteps, 0)
		status := solve.Converged
		if !at.Converged {
			status = solve.IterationLimit
		}
		s.Status = append(s.Status, status)
	}
	return s, nil
}
