package lapsvm

import (
	"context"

	"lapsvm/deformed"
	"lapsvm/solve"
)

// reduced solves the problem in the space of its labelled points.
func (f *fit) reduced(ctx context.Context) (*solve.Solution, error) {
	p := f.target
	factor, err := deformed.NewFactor(ctx, f.k.Matrix.(deformed.Matrix), 0)
	if err != nil {
		return nil, err
	}
	view, err := factor.View(ctx, p.L, p.Labelled, p.Bias)
	if err != nil {
		return nil, err
	}
	cell, err := view.Cell(ctx, deformed.Gammas{A: p.GammaA, I: p.GammaI})
	if err != nil {
		return nil, err
	}
	f.t.Log.Info("deformed kernel", "rank", factor.Rank(), "points", factor.Len())
	s := &solve.Solution{}
	for _, targets := range p.Targets {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		m := &deformed.Machine{Cell: cell, Loss: p.Loss, Targets: targets, Weights: p.Weights, OneClass: p.OneClass, Tolerance: f.t.Solve.Tolerance}
		at := m.Solve(nil)
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
