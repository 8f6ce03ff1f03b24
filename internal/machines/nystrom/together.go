package nystrom

import (
	"context"
	"math"
	"slices"

	"lapsvm/internal/machines/deformed"
	"lapsvm/internal/numbers/linalg"
	"lapsvm/internal/numbers/objective"
	"lapsvm/internal/points/gram"
)

// The columns of machines are corrected once by default. Of 10,000 points 9 are then decided otherwise than with a column for
// every label, and without a correction 19. For a lower tolerance they are corrected until the machines are exact.
const (
	fewRounds  = 2
	manyRounds = 10
)

// Together finds machines in about a column for each in place of one for every label, given a guess of S such as
// that of a part of the points. With the coefficients that machines have in the guess, it solves for
//
//	f = Q⁻¹J_Lᵀa
//
// and minimises J among all functions of this kind and that of the bias. At the minimum the coefficients are D(t − f). Where
// they differ by Δ from those that the functions are made of, columns for η = (I + DŜ)⁻¹Δ are added, with Ŝ the guess, and
// machines are minimised again. The problem is as [Columns.Spanned]. Cost: a panel as in [Columns.Add], and about half
// as much for the correction.
func (s *Space) Together(ctx context.Context, g deformed.Gammas, labelled []int, machines deformed.Columns, guess *deformed.Problem, bias objective.Bias, precision gram.Precision, o Options) (*Problem, error) {
	all, err := s.Columns(ctx, g, bias, precision, o)
	if err != nil {
		return nil, err
	}
	a := make([][]float64, len(machines.Targets))
	for m := range a {
		a[m] = machines.Machine(guess, m).Solve(ctx, nil).A
	}
	rounds := fewRounds
	if all.o.Tolerance < columnTolerance {
		rounds = manyRounds
	}
	var problem *Problem
	for round := range rounds {
		all.o.Progress = o.halving(round, rounds)
		for m := 0; m < len(a) && round > 0 && err == nil; m++ {
			machine := machines.Machine(problem.Problem, m)
			a[m], err = problem.correction(ctx, machine, machine.Solve(ctx, nil), guess)
		}
		if err == nil {
			err = all.addTogether(ctx, labelled, a)
		}
		if err == nil {
			problem, err = all.Spanned(ctx, labelled)
		}
	}
	if err != nil {
		all.Close()
		return nil, err
	}
	return problem, nil
}

// halving returns the progress of one of several rounds, each of which takes half of the time of the one before.
func (o Options) halving(round, rounds int) func(done, most int) {
	if o.Progress == nil {
		return nil
	}
	return func(done, most int) {
		share := 1 - math.Ldexp(1-float64(done)/float64(2*max(most, 1)), -round)
		o.Progress(int(1000*share/(1-math.Ldexp(1, -rounds))), 1000)
	}
}

// correction returns η of a machine at its minimum in the problem.
func (c *Problem) correction(ctx context.Context, m *deformed.Machine, at *deformed.Solution, guess *deformed.Problem) ([]float64, error) {
	l := len(at.A)
	eta := slices.Clone(at.A)
	for column, y := range c.coefficients(at) {
		for i, by := range c.all.rightSides[column].by {
			eta[i] -= y * by
		}
	}
	system, pieces := linalg.New(l, l), m.Loss.Pieces()
	for i := range l { // I + √D Ŝ √D
		copy(system.Row(i), guess.Kernel[i*l:(i+1)*l])
	}
	root := make([]float64, l)
	for i, y := range m.Targets {
		if q := pieces.PieceAt(y, at.F[i]); q != nil {
			root[i] = math.Sqrt(q.Square) * math.Sqrt(m.Weights.At(i))
		}
	}
	for i := range l {
		row := system.Row(i)
		for j := range row {
			row[j] *= root[i] * root[j]
		}
		row[i]++
	}
	if definite, err := linalg.Cholesky(ctx, system); err != nil || !definite {
		return eta, err
	}
	for i, r := range root {
		if r > 0 {
			eta[i] /= r
		}
	}
	linalg.CholeskySolve(system, eta)
	for i, r := range root {
		if r > 0 {
			eta[i] *= r
		}
	}
	return eta, nil
}
