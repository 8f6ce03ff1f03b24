package train

import (
	"context"
	"slices"

	"lapsvm/internal/machines/deformed"
	"lapsvm/internal/machines/solve"
	"lapsvm/internal/numbers/objective"
	"lapsvm/internal/numbers/vec"
)

// deformedKernel is the row of the solver in the space of the labelled points.
func deformedKernel() method {
	return method{name: Deformed, minimises: objective.Loss.Smooth, one: true, reduced: true, exact: true, rows: true, bytes: exactBytes, minimise: minimiseMembers, without: withoutExactly}
}

// dual is the row of the same for losses like the hinge.
func dual() method {
	m := deformedKernel()
	m.name, m.outer, m.one = Dual, true, false
	m.minimises = func(l objective.Loss) bool { return l.Ramp() > 0 }
	return m
}

func exactBytes(p Plan) int64 {
	need := deformed.Bytes(p.N, p.Labelled, len(p.Recipe.Machines()))
	if p.Recipe.keepsLabelShares() {
		need += 8 * int64(p.N) * int64(p.Labelled) * int64(p.Machines+2)
	}
	return need
}

// solvedMember is a member of a mean with the solutions of its columns, and its
// reduced problem.
type solvedMember struct {
	Member
	cell *deformed.Problem
	at   []*deformed.Solution // of every column
}

// minimiseMembers solves the problem for every member of the recipe, and takes the
// mean.
func minimiseMembers(ctx context.Context, p *Problem, m *minimum, _ *Validation, _ Run) error {
	m.Solution = p.noSolution()
	if p.keepsWithout() {
		for range m.folds {
			w := &m.without
			w.alpha, w.f, w.b = append(w.alpha, make([]float64, p.Task.Points)), append(w.f, make([]float64, p.Task.Points)), append(w.b, 0)
		}
	}
	if p.Recipe.keepsLabelShares() {
		for range p.Problem.Targets {
			m.labelShares = append(m.labelShares, make([]float64, len(p.Task.Labelled)*p.Geometry.Len()))
		}
	}
	return p.eachProblem(ctx, p.Recipe.Machines(), func(member Member, c *deformed.Problem) error { return p.solveMember(ctx, m, member, c) })
}

// withoutExactly returns the outputs of the members without the labels of a fold.
func withoutExactly(ctx context.Context, p *Problem, m *minimum, folds [][]int, _ Run) ([][][]float64, error) {
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

// eachProblem calls do with every member and its reduced problem, graph by graph, and in each degree by degree. Successive members of one graph
// share the products with its Laplacian, and those of one degree the reduction. Problems that a choice left are not made again.
func (p *Problem) eachProblem(ctx context.Context, members []Member, do func(Member, *deformed.Problem) error) error {
	keeps := KeepsProblems(p.Geometry.Len(), len(p.Task.Labelled))
	for graph := range groups(members, func(m Member) int { return m.Neighbours }) {
		var powers *deformed.Powers
		for same := range groups(graph, func(m Member) int { return m.LaplacianDegree }) {
			var with, alone []Member
			var weights []deformed.Gammas
			for _, m := range same {
				bare := m
				bare.Weight = 0
				known := p.known[bare]
				switch {
				case known != nil:
					if err := do(m, known); err != nil {
						return err
					}
				case m.GammaI == 0:
					alone = append(alone, m)
				default:
					with, weights = append(with, m), append(weights, deformed.Gammas{A: m.GammaA, I: m.GammaI})
				}
			}
			if len(with) > 0 {
				if powers == nil {
					var err error
					if powers, err = p.Geometry.Powers(ctx, graph[0].Neighbours); err != nil {
						return err
					}
				}
				reduction, err := powers.Reduction(ctx, same[0].LaplacianDegree, p.Task.Labelled, p.Problem.Bias)
				if err != nil {
					return err
				}
				err = reduction.Each(ctx, weights, func(i int, c *deformed.Problem) (err error) {
					if keeps { // as a choice does, so that its problems have the same bits
						if c, err = c.Kept(ctx); err != nil {
							return err
						}
					}
					return do(with[i], c)
				})
				reduction.Close()
				if err != nil {
					return err
				}
			}
			for _, m := range alone {
				c, err := p.withoutGraph(ctx, m)
				if err != nil {
					return err
				}
				if err := do(m, c); err != nil {
					return err
				}
			}
		}
		if powers != nil {
			powers.Close()
		}
	}
	return nil
}

// withoutGraph returns the reduced problem of a member of the labels alone.
func (p *Problem) withoutGraph(ctx context.Context, m Member) (*deformed.Problem, error) {
	powers, err := p.Geometry.Powers(ctx, 0)
	if err != nil {
		return nil, err
	}
	reduction, err := powers.Reduction(ctx, 1, p.Task.Labelled, p.Problem.Bias)
	if err != nil {
		return nil, err
	}
	return reduction.Problem(ctx, deformed.Gammas{A: m.GammaA})
}

// groups goes through the runs of members of equal key.
func groups[K comparable](members []Member, key func(Member) K) func(yield func([]Member) bool) {
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

// solveMember solves a member and adds it to the mean. What remains of it is small: its share of coefficients and outputs is added at once.
func (p *Problem) solveMember(ctx context.Context, m *minimum, member Member, c *deformed.Problem) error {
	s := solvedMember{Member: member, cell: c}
	for column := range p.Problem.Targets {
		s.at = append(s.at, p.Columns().Machine(c, column).Solve(ctx, nil))
	}
	if err := p.add(ctx, m, s); err != nil {
		return err
	}
	if p.keepsWithout() {
		if err := p.addWithout(ctx, m, s); err != nil {
			return err
		}
	}
	s.cell = c.Reduced()
	m.members = append(m.members, s)
	return ctx.Err()
}

// noSolution is the mean of no members.
func (p *Problem) noSolution() *solve.Solution {
	columns, n := len(p.Problem.Targets), p.Task.Points
	s := &solve.Solution{B: make([]float64, columns), Objective: make([]float64, columns), ErrorVectors: make([]int, columns),
		Iterations: make([]int, columns), LineSearchSteps: make([]int, columns), Status: make([]solve.Status, columns)}
	for column := range columns {
		s.Alpha, s.F, s.Status[column] = append(s.Alpha, make([]float64, n)), append(s.F, make([]float64, n)), solve.Converged
	}
	return s
}

// add adds a member to the mean: coefficients, bias, outputs and objective by its
// weight, and what every label adds to the coefficients; error vectors and steps are
// those of the leading member.
func (p *Problem) add(ctx context.Context, m *minimum, s solvedMember) error {
	p.addMachines(m, s)
	alpha, f, err := s.cell.Expansions(ctx, s.at)
	if err != nil {
		return err
	}
	for column := range s.at {
		vec.Axpy(s.Weight, alpha[column], m.Alpha[column])
		vec.Axpy(s.Weight, f[column], m.F[column])
	}
	if m.labelShares == nil {
		return nil
	}
	units, err := s.cell.Units(ctx)
	if err != nil {
		return err
	}
	n := p.Geometry.Len()
	for k, unit := range units {
		for column, at := range s.at {
			vec.Axpy(s.Weight*at.A[k], unit, m.labelShares[column][k*n:(k+1)*n])
		}
	}
	return nil
}

// addMachines adds bias and objective of a member to the mean.
func (p *Problem) addMachines(m *minimum, s solvedMember) {
	leads := s.Member == p.Recipe.Leading()
	for column, at := range s.at {
		machine := p.Columns().Machine(s.cell, column)
		m.B[column] += s.Weight * at.B
		m.Objective[column] += s.Weight * machine.Value(at)
		if !at.Converged {
			m.Status[column] = solve.IterationLimit
		}
		if leads {
			m.ErrorVectors[column], m.Iterations[column] = machine.ErrorVectors(at), at.Steps
		}
	}
}

// keepsLabelShares reports whether a model is to keep what every label adds. A
// supervised machine has no other points.
func (r Recipe) keepsLabelShares() bool { return r.LabelShares && !r.Supervised }

// sharesOfUsed returns what the labels of the used points add to the coefficients of these points,
// [machine][label·used point]. It selects this from all, the contributions of all labels to all n
// points.
func sharesOfUsed(all [][]float64, labelled, used []int, n int) [][]float64 {
	var shares [][]float64
	for _, contributions := range all {
		var machine []float64
		for k, i := range labelled {
			if _, isUsed := slices.BinarySearch(used, i); !isUsed {
				continue // it adds nothing
			}
			for _, j := range used {
				machine = append(machine, contributions[k*n+j])
			}
		}
		shares = append(shares, machine)
	}
	return shares
}
