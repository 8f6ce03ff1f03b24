package train

import (
	"context"
	"fmt"

	"lapsvm/internal/machines/deformed"
	"lapsvm/internal/machines/task"
	"lapsvm/internal/numbers/objective"
	"lapsvm/internal/numbers/parallel"
	"lapsvm/internal/numbers/vec"
)

// ReducedProblem is the reduced problem of a task for one member of a recipe, with the functions at all
// points. It is a [deformed.Problem], or the Problem of package nystrom.
type ReducedProblem interface {
	Reduced() *deformed.Problem // the problem in the labelled points alone
	// Outputs returns f of all points for solutions, [solution][point].
	Outputs(ctx context.Context, at []*deformed.Solution) ([][]float64, error)
}

// Decided holds the decisions of a recipe's machines on the points.
type Decided struct {
	Task        *task.Task             // with the weights of the recipe
	F           [][]float64            // [machine][point], moved to the prior where there is one
	B           []float64              // biases of the machines, likewise
	Solutions   [][]*deformed.Solution // [member][machine] on the cell of the member, of which F is the mean
	LeaveOneOut [][]float64            // [machine][labelled point] by machines without its label, likewise
	Uncertainty                        // without intervals, and of several classes with too few labels to hold any out without probabilities
	Converged   bool
}

// Decide trains the machines of a task by a recipe with nothing open, on existing cells: one for
// each of r.Machines(). The outputs are those of [Fit] with the solver of the cells, but for
// rounding. The calibration is that of Fit too, and is learned whatever the recipe says. Outputs
// without a label are exact; for the mean of members they are the mean. The prior moves them by
// what it moves the machines with all labels. It fails for a task that does not fit the recipe,
// where numbers leave the range of float64, and when ctx is done. Cost: O(l³) a member and machine,
// and their outputs.
func Decide(ctx context.Context, t *task.Task, r Recipe, reduced []ReducedProblem, run Run) (*Decided, error) {
	if len(reduced) != len(r.Machines()) {
		panic(fmt.Sprintf("train: %d cells for %d members", len(reduced), len(r.Machines())))
	}
	err := t.Check()
	if err == nil {
		t, err = r.weigh(t)
	}
	if err != nil {
		return nil, OfKind(ErrData, err)
	}
	p := &Problem{Recipe: r, Task: t, Problem: &objective.Problem{Labelled: t.Labelled, Targets: t.Targets(), Weights: t.Weights,
		Loss: r.Loss, Bias: r.Bias, OneClass: kindOf(t.Kind).alone}}
	m := &minimum{method: deformedKernel(), Solution: p.noSolution()}
	d := &Decided{Task: t, F: m.F, B: m.B, Converged: true}
	for range m.F {
		d.LeaveOneOut = append(d.LeaveOneOut, make([]float64, len(t.Labelled)))
	}
	solved := 1.0 // share of the work; about as much again is that of held-out labels
	if of := kindOf(t.Kind); of.holdOut != nil && !of.residuals {
		solved = 0.5
	}
	members := float64(len(reduced))
	for k, member := range r.Machines() {
		if err := p.solveGiven(parallel.Share(ctx, solved*float64(k)/members, solved*float64(k+1)/members), m, d, member, reduced[k]); err != nil {
			return nil, err
		}
	}
	ctx = parallel.Successive(parallel.Share(ctx, solved, 1))
	if err := p.checkFinite(m); err != nil {
		return nil, OfKind(ErrParameter, err)
	}
	shift, err := p.followPrior(m, run)
	if err != nil {
		return nil, OfKind(ErrParameter, err)
	}
	addTo(d.LeaveOneOut, shift)
	if of := kindOf(t.Kind); of.holdOut != nil && !of.residuals {
		out, err := of.holdOut(p, ctx, m, run)
		if err == nil && (len(out.folds) > 0 || !of.each) {
			d.Uncertainty, _, err = of.learn(p, ctx, m, out, shift)
		}
		if err != nil {
			return nil, OfKind(ErrParameter, err)
		}
	}
	return d, ctx.Err()
}

// solveGiven solves a member on its cell, and adds it to the mean.
func (p *Problem) solveGiven(ctx context.Context, m *minimum, d *Decided, member Member, c ReducedProblem) error {
	s := solvedMember{Member: member, cell: c.Reduced(), at: make([]*deformed.Solution, len(m.F))}
	if err := parallel.Run(ctx, len(s.at), func(_, column int) {
		machine := p.Columns().Machine(s.cell, column)
		s.at[column] = machine.Solve(ctx, nil)
		vec.Axpy(member.Weight, machine.LeaveOneOut(ctx, s.at[column]), d.LeaveOneOut[column])
	}); err != nil {
		return err
	}
	outputs, err := c.Outputs(ctx, s.at)
	if err != nil {
		return err
	}
	for column, f := range outputs {
		vec.Axpy(member.Weight, f, m.F[column])
		m.B[column] += member.Weight * s.at[column].B
		d.Converged = d.Converged && s.at[column].Converged
	}
	m.members, d.Solutions = append(m.members, s), append(d.Solutions, s.at)
	return ctx.Err()
}

// LeaveOneOut returns decision values [labelled point][class of the task], each by machines without the label. The machines have the squared loss, the
// weights of the task, and no prior. It fails where rounding leaves no machine, and when ctx is done.
// Cost: O(l³) a member, and O(l²) a machine.
func LeaveOneOut(ctx context.Context, t *task.Task, r Recipe, reduced []ReducedProblem) ([][]float64, error) {
	columns := deformed.Columns{Targets: t.Targets(), Weights: t.Weights, Loss: objective.Squared}
	left := make([][]float64, len(columns.Targets))
	for c := range left {
		left[c] = make([]float64, len(t.Labelled))
	}
	for k, member := range r.Machines() {
		machines := reduced[k].Reduced().Smoother(ctx, columns)
		if machines == nil {
			return nil, deformed.ErrRounding
		}
		outputs, ok := machines.Without(ctx, nil)
		if !ok {
			return nil, deformed.ErrRounding
		}
		for c, f := range outputs {
			vec.Axpy(member.Weight, f, left[c])
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
	}
	return t.Coding().Scores(left), nil
}
