package train

import (
	"context"
	"slices"

	"lapsvm/deformed"
	"lapsvm/internal/vec"
	"lapsvm/objective"
	"lapsvm/solve"
)

// deformedKernel is the row of the solver in the space of the labelled points.
func deformedKernel() method {
	return method{name: Deformed, one: true, exact: true, rows: true, bytes: exactBytes, minimise: minimiseMembers, without: withoutExactly}
}

// dual is the row of the same for the hinge loss.
func dual() method {
	m := deformedKernel()
	m.name, m.loss, m.outer, m.one = Dual, objective.Hinge, true, false
	return m
}

func exactBytes(p Plan) int64 {
	degree := 0
	members := p.Recipe.Machines()
	for _, m := range members {
		degree = max(degree, m.LaplacianDegree)
	}
	need := deformed.Bytes(p.N, degree, p.labelled, len(members))
	if p.Recipe.keepsLabelShares() {
		need += 8 * int64(p.N) * int64(p.labelled) * int64(p.Machines+2)
	}
	return need
}

// solvedMember is a member of a mean with the solutions of its columns.
type solvedMember struct {
	Member
	cell *deformed.Cell
	at   []*deformed.Point // of every column
}

// minimiseMembers solves the problem for every member of the recipe, and takes the
// mean.
func minimiseMembers(ctx context.Context, p *Posed, m *minimum, _ *Validation, _ Run) error {
	var err error
	if members := p.Recipe.Machines(); len(members) == 1 {
		err = p.solveOne(ctx, m, members)
	} else {
		err = p.eachView(ctx, members, func(view *deformed.View, of []Member) error { return p.solveOn(ctx, m, view, of) })
	}
	if err != nil {
		return err
	}
	if m.Solution, err = p.mean(ctx, m.members); err != nil || !p.Recipe.keepsLabelShares() {
		return err
	}
	m.labelShares, err = p.labelShares(ctx, m.members)
	return err
}

// solveOne solves a single member, whose Laplacian is that of the problem.
func (p *Posed) solveOne(ctx context.Context, m *minimum, member []Member) error {
	factor, err := p.Geometry.Factor(ctx)
	if err != nil {
		return err
	}
	view, err := factor.View(ctx, p.Problem.L, p.Task.Labelled, p.Problem.Bias)
	if err != nil {
		return err
	}
	return p.solveOn(ctx, m, view, member)
}

// withoutExactly returns the outputs of the members without the labels of a fold.
func withoutExactly(ctx context.Context, p *Posed, m *minimum, folds [][]int, _ Run) ([][][]float64, error) {
	outputs := make([][][]float64, len(folds))
	for k, fold := range folds {
		outputs[k] = make([][]float64, len(p.Problem.Targets))
		for column := range outputs[k] {
			outputs[k][column] = make([]float64, len(fold))
			for _, s := range m.members {
				vec.Axpy(s.Weight, p.Columns().Machine(s.cell, column).HeldOut(ctx, s.at[column], fold), outputs[k][column])
			}
		}
	}
	return outputs, ctx.Err()
}

// eachView calls do with the view of every graph and degree, and the members that
// have these. Members of one graph share the products with its Laplacian, those of
// one degree too the view, where they follow each other.
func (p *Posed) eachView(ctx context.Context, members []Member, do func(*deformed.View, []Member) error) error {
	for graph := range groups(members, func(m Member) int { return m.Neighbours }) {
		powers, err := p.Geometry.Powers(ctx, graph[0].Neighbours)
		if err != nil {
			return err
		}
		for same := range groups(graph, func(m Member) int { return m.LaplacianDegree }) {
			view, err := powers.View(ctx, same[0].LaplacianDegree, p.Task.Labelled, p.Problem.Bias)
			if err != nil {
				return err
			}
			if err := do(view, same); err != nil {
				return err
			}
		}
	}
	return nil
}

// groups goes through the runs of members of equal key.
func groups(members []Member, key func(Member) int) func(yield func([]Member) bool) {
	return func(yield func([]Member) bool) {
		for len(members) > 0 {
			end := slices.IndexFunc(members, func(m Member) bool { return key(m) != key(members[0]) })
			if end < 0 {
				end = len(members)
			}
			if !yield(members[:end]) {
				return
			}
			members = members[end:]
		}
	}
}

// solveOn solves members of one view.
func (p *Posed) solveOn(ctx context.Context, m *minimum, view *deformed.View, members []Member) error {
	cells := make([]deformed.Gammas, len(members))
	for i, member := range members {
		cells[i] = deformed.Gammas{A: member.GammaA, I: member.GammaI}
	}
	return view.Each(ctx, cells, func(i int, c *deformed.Cell) error {
		s := solvedMember{Member: members[i], cell: c}
		for column := range p.Problem.Targets {
			s.at = append(s.at, p.Columns().Machine(c, column).Solve(ctx, nil))
		}
		m.members = append(m.members, s)
		return ctx.Err()
	})
}

// mean makes the solution of the members: mean coefficients, bias and outputs; the
// objective is their mean too, error vectors and steps are those of the member
// with the largest weight.
func (p *Posed) mean(ctx context.Context, members []solvedMember) (*solve.Solution, error) {
	leading, n := members[0], p.Geometry.Len()
	for _, s := range members {
		if s.Weight > leading.Weight {
			leading = s
		}
	}
	solution := &solve.Solution{}
	for column := range p.Problem.Targets {
		alpha, values, b, value, status := make([]float64, n), make([]float64, n), 0.0, 0.0, solve.Converged
		for _, s := range members {
			at := s.at[column]
			a, v, err := s.cell.Expansion(ctx, at.A, at.B)
			if err != nil {
				return nil, err
			}
			vec.Axpy(s.Weight, a, alpha)
			vec.Axpy(s.Weight, v, values)
			b += s.Weight * at.B
			value += s.Weight * p.Columns().Machine(s.cell, column).Value(at)
			if !at.Converged {
				status = solve.IterationLimit
			}
		}
		solution.Alpha, solution.B, solution.F = append(solution.Alpha, alpha), append(solution.B, b), append(solution.F, values)
		solution.Objective = append(solution.Objective, value)
		solution.ErrorVectors = append(solution.ErrorVectors, p.Columns().Machine(leading.cell, column).ErrorVectors(leading.at[column]))
		solution.Iterations = append(solution.Iterations, leading.at[column].Steps)
		solution.LineSearchSteps = append(solution.LineSearchSteps, 0)
		solution.Status = append(solution.Status, status)
	}
	return solution, nil
}

// keepsLabelShares reports whether a model is to keep what every label adds. A
// supervised machine has no other points.
func (r Recipe) keepsLabelShares() bool { return r.LabelShares && !r.Supervised }

// labelShares takes the mean coefficients apart into what every label adds,
// [machine][label·point].
func (p *Posed) labelShares(ctx context.Context, members []solvedMember) ([][]float64, error) {
	n := p.Geometry.Len()
	var shares [][]float64
	for range p.Problem.Targets {
		shares = append(shares, make([]float64, len(p.Task.Labelled)*n))
	}
	for _, s := range members {
		units, err := s.cell.Units(ctx)
		if err != nil {
			return nil, err
		}
		for k, unit := range units {
			for column, at := range s.at {
				vec.Axpy(s.Weight*at.A[k], unit, shares[column][k*n:(k+1)*n])
			}
		}
	}
	return shares, nil
}

// sharesOfUsed returns what the labels of the used points add to the coefficients
// of these, [machine][label·used point], of what all labels add to all of n points.
func sharesOfUsed(all [][]float64, labelled, used []int, n int) [][]float64 {
	var shares [][]float64
	for _, of := range all {
		var machine []float64
		for k, i := range labelled {
			if _, isUsed := slices.BinarySearch(used, i); !isUsed {
				continue // it adds nothing
			}
			for _, j := range used {
				machine = append(machine, of[k*n+j])
			}
		}
		shares = append(shares, machine)
	}
	return shares
}
