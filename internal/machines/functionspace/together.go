package functionspace

import (
	"context"
	"math"

	"lapsvm/internal/machines/deformed"
	"lapsvm/internal/numbers/linalg"
	"lapsvm/internal/numbers/objective"
	"lapsvm/internal/numbers/vec"
	"lapsvm/internal/points/gram"
)

const (
	// mostRounds bounds how often the coefficients of machines together are corrected.
	mostRounds = 10
	// togetherTolerance is that of the columns of machines together. Their errors are those of the machines.
	togetherTolerance = 1e-2
)

// Together finds machines in about a column for each in place of one for every label, given a guess of S such as
// that of a part of the points. With the coefficients that machines have in the guess, it solves for
//
//	f = Q⁻¹J_Lᵀa
//
// and minimises J among all functions of this kind and that of the bias. At the minimum the coefficients are D(t − f). Where
// they differ by Δ from those that the functions are made of, columns for η = (I + DŜ)⁻¹Δ are added, with Ŝ the guess, and
// machines are minimised again. It ends when the next correction would move no output of a labelled point by more than a
// third of the root of the tolerance, which is 0.03 of a margin by default. The cell is as [Columns.Spanned]. Cost: for 16 machines a panel as in [Columns.Add], and about half as much for every
// correction.
func (s *Space) Together(ctx context.Context, g deformed.Gammas, labelled []int, machines deformed.Columns, guess *deformed.Cell, bias objective.Bias, precision gram.Precision, o Options) (*Cell, error) {
	all, err := s.Columns(ctx, g, bias, precision, o.withDefaults(togetherTolerance))
	if err != nil {
		return nil, err
	}
	a := make([][]float64, len(machines.Targets))
	for m := range a {
		a[m] = machines.Machine(guess, m).Solve(ctx, nil).A
	}
	for round := 1; ; round++ {
		var cell *Cell
		if err = all.AddTogether(ctx, labelled, a); err == nil {
			cell, err = all.Spanned(ctx, labelled)
		}
		moved := 0.0
		for m := 0; m < len(a) && err == nil; m++ {
			machine := machines.Machine(cell.Cell, m)
			var most float64
			a[m], most, err = cell.correction(ctx, machine, machine.Solve(ctx, nil), guess)
			moved = max(moved, most)
		}
		if err != nil {
			all.Close()
			return nil, err
		}
		if moved <= math.Sqrt(all.o.Tolerance)/3 || round == mostRounds {
			return cell, nil
		}
	}
}

// correction returns η of a machine at its minimum in the cell, and by how much it moves an output of the guess, at most.
func (c *Cell) correction(ctx context.Context, m *deformed.Machine, at *deformed.Point, guess *deformed.Cell) (eta []float64, moved float64, err error) {
	l := len(at.A)
	eta = append(eta, at.A...)
	for column, y := range c.coefficients(at) {
		for i, by := range c.all.sides[column].by {
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
			root[i] = math.Sqrt(q.Square)
			if m.Weights != nil {
				root[i] *= math.Sqrt(m.Weights[i])
			}
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
		return eta, 0, err
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
	for i := range l {
		moved = max(moved, math.Abs(vec.Dot(guess.Kernel[i*l:(i+1)*l], eta)))
	}
	return eta, moved, nil
}
