package selection

import (
	"context"
	"errors"

	"lapsvm/internal/machines/deformed"
	"lapsvm/internal/machines/train"
	"lapsvm/internal/numbers/objective"
	"lapsvm/internal/points/gram"
)

// measureOutOfSample measures, for each kernel of machines for numbers with graphs, how many times as large the loss is where half of the rows are new.
// A row that is trained on has a place in the graph. A new row has the kernel alone, which says little of it where the kernel is narrow. The machine with the highest log score
// stands for all of its kernel. Nothing is measured of kernels without a weight, of validation points, which are new rows, and on landmarks. Cost: for each kernel that of
// [train.OutOfSample], and a graph taken up.
func (a *comparison) measureOutOfSample(ctx context.Context, machines []measured) error {
	if !a.kind().functions || a.held == nil || a.held.validation != nil || a.landmarks > 0 || len(machines) == 0 {
		return nil
	}
	weights := weightsOf(a.logScores(machines, -1))
	a.beyond = make(map[role]float64)
	for _, k := range a.kernels.roles() {
		best := -1
		for i, m := range machines {
			if m.kernel == k && (best < 0 || weights[i] > weights[best]) {
				best = i
			}
		}
		if best < 0 || weights[best] < leastWeight {
			continue
		}
		at, err := a.outOfSample(ctx, machines[best].candidate)
		if err != nil {
			return err
		}
		if at == nil {
			continue
		}
		if known := machines[best].loss(); known > 0 {
			a.beyond[k] = max(1, (1+mean(a.held.losses([][]float64{at}, a.held.count))/known)/2)
		}
	}
	return nil
}

// outOfSample returns what a machine without it would say of each label, were its row a new one. It is nil where rounding leaves no machine.
func (a *comparison) outOfSample(ctx context.Context, c candidate) ([]float64, error) {
	without, err := a.leavingOut(ctx, c)
	if err != nil || without == nil {
		return nil, err
	}
	p := a.geometry.Points()
	k, err := gram.NewCross(ctx, p, p, a.kernels[c.kernel])
	if err != nil {
		return nil, err
	}
	return train.OutOfSample(ctx, p.Len(), func(dst []float64, i int) { copy(dst, k.Row(i)) }, a.task.Labelled, without)
}

// leavingOut returns machines of the squared loss without each label. It is nil where rounding leaves none.
func (a *comparison) leavingOut(ctx context.Context, c candidate) ([]train.Left, error) {
	g, err := a.factor(ctx, c.kernel)
	if err != nil {
		return nil, err
	}
	powers, err := g.WithGraphs(c.metric, c.edges).Powers(ctx, c.Neighbours)
	if err != nil {
		return nil, err
	}
	defer powers.Close()
	view, err := powers.Reduction(ctx, c.LaplacianDegree, a.task.Labelled, a.recipe.Bias)
	if err != nil {
		return nil, err
	}
	defer view.Close()
	cell, err := view.Problem(ctx, deformed.Gammas{A: c.GammaA, I: c.GammaI})
	if errors.Is(err, deformed.ErrRounding) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	columns := a.columns
	columns.Loss = objective.Squared
	machine := columns.Machine(cell, 0)
	all := machine.Solve(ctx, nil)
	some := make([]*deformed.Solution, len(a.task.Labelled))
	for label := range some {
		some[label] = machine.Without(ctx, all, []int{label})
	}
	_, f, err := cell.Expansions(ctx, some)
	if err != nil {
		return nil, err
	}
	without := make([]train.Left, len(some))
	for label, p := range some {
		without[label] = train.Left{Labels: []int{label}, F: f[label], B: p.B}
	}
	return without, nil
}
