package train

import (
	"cmp"
	"context"
	"fmt"

	"lapsvm/internal/machines/nystrom"
	"lapsvm/internal/numbers/objective"
	"lapsvm/internal/numbers/parallel"
)

// minimiseBest trains the machine of the recipe and its challenger on all points, one after the
// other. It takes the machine with the smaller loss on left-out labels, and returns
// its weights of landmarks. The machine of the recipe stands where no label can be left out, and
// where the columns of the challenger are lost in rounding.
func (p *Problem) minimiseBest(ctx context.Context, m *minimum, weights [][]float64, k nystrom.Landmarks, run Run) ([][]float64, error) {
	challenger := *p.Recipe.Pending.Challenger
	p.Recipe.Pending.Challenger = nil
	space, err := nystrom.New(run.Watch(ctx, "products with the Laplacian"), k, p.laplacian)
	if err != nil {
		return nil, err
	}
	loss, err := p.solveAlone(ctx, m, weights, space, run, 0)
	if err != nil || len(p.Task.Repeated()) == 0 {
		return weights, err
	}
	rival := *p
	if err := rival.setMember(challenger); err != nil {
		return nil, err
	}
	other := &minimum{method: m.method, options: m.options}
	itsWeights := rival.startOnLandmarks(other, k)
	if err := space.SetPower(run.Watch(ctx, "products with the Laplacian"), rival.laplacian); err != nil {
		return nil, err
	}
	its, err := rival.solveAlone(ctx, other, itsWeights, space, run, 0.5)
	if isRounding(err) {
		return weights, nil
	}
	if err != nil || !(its < loss) {
		return weights, err
	}
	*p = rival
	p.Recipe.recordLosses(p.Task.Points, loss, its)
	*m = *other
	return itsWeights, nil
}

// setMember gives the problem another power of the Laplacian and other weights, on the same graph.
func (p *Problem) setMember(m Member) error {
	problem := *p.Problem
	p.Recipe = p.Recipe.with(m)
	p.laplacian = p.laplacian.Power(m.LaplacianDegree)
	problem.GammaA, problem.GammaI, problem.L = m.GammaA, m.GammaI, p.laplacian
	p.Problem = &problem
	return p.checkNorm()
}

// with returns the recipe with another power of the Laplacian and other weights.
func (r Recipe) with(m Member) Recipe {
	r.GammaA, r.GammaI, r.Graph.Degree = m.GammaA, m.GammaI, m.LaplacianDegree
	return r
}

// recordLosses writes into the choice that the challenger had less loss on so many points.
func (r *Recipe) recordLosses(points int, before, now float64) {
	r.Tell(func(c *Choice) {
		c.LaplacianDegree, c.GammaA, c.GammaI = r.Graph.Degree, r.GammaA, r.GammaI
		c.Reason += fmt.Sprintf("; on %d points the power %d of the Laplacian had less loss of held-out labels (%.2f, not %.2f)", points, r.Graph.Degree, now, before)
	})
}

// solveAlone solves the one machine of the recipe on columns, adds it to the mean, and
// returns the loss of labels that are left out. Solving is told from a share on, half of it.
func (p *Problem) solveAlone(ctx context.Context, m *minimum, weights [][]float64, space *nystrom.Space, run Run, from float64) (loss float64, err error) {
	one, err := p.solveReduced(ctx, space, p.Recipe.Leading(), nystrom.Options{Tolerance: cmp.Or(p.Recipe.Tolerance, p.rough), MaxIterations: p.Recipe.MaxIterations, Progress: run.share("solving", from, from+0.5)})
	if err != nil {
		return 0, err
	}
	loss = p.leftOutLoss(ctx, one.solvedMember)
	return loss, p.addReduced(ctx, m, weights, one)
}

// leftOutLoss returns the mean squared hinge loss on left-out labels, of classes with several
// labels, or what the errors of numbers cost by the criterion of the recipe.
func (p *Problem) leftOutLoss(ctx context.Context, one solvedMember) float64 {
	repeated, known := p.Task.Repeated(), p.Task.Known()
	losses := make([]float64, len(p.Problem.Targets))
	parallel.Do(ctx, len(losses), func(_, column int) {
		outputs := p.Columns().Machine(one.cell, column).LeaveOneOut(ctx, one.at[column])
		for _, label := range repeated {
			if objective.IsLeftOut(p.Problem.Targets[column][label]) {
				continue
			}
			loss := p.Recipe.Criterion.LossOf(known, column, label, outputs[label]) * p.Problem.Weights.At(label)
			losses[column] += loss
		}
	})
	sum := 0.0
	for _, loss := range losses {
		sum += loss
	}
	return sum / float64(len(repeated))
}
