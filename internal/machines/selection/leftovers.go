package selection

import (
	"context"
	"sync"

	"lapsvm/internal/machines/deformed"
	"lapsvm/internal/machines/geometry"
	"lapsvm/internal/machines/train"
	"lapsvm/kernel"
)

// leftovers is the reduced problems of machines that may have a weight, which the training does not make again. nil has none.
type leftovers struct {
	work     *train.Work
	lock     sync.Mutex
	measured []measured
	problems map[candidate]*deformed.Problem
}

// leftovers returns where a comparison leaves problems for the training: it needs all points and labels.
func (a *comparison) leftovers(run train.Run) *leftovers {
	all := a.geometry.Len() == a.points && a.unseen == 0 && a.edges == nil && a.terms == nil && a.landmarks == 0
	if run.Work == nil || !all || a.kind().functions || !train.KeepsProblems(a.points, len(a.task.Labelled)) {
		return nil
	}
	return &leftovers{work: run.Work, problems: make(map[candidate]*deformed.Problem)}
}

// inherit has a factor take over the memory that those of earlier choices have to spare.
func (l *leftovers) inherit(f *deformed.Factor) {
	if l != nil {
		l.work.Inherit(f)
	}
}

// factored returns a geometry with the factor of a kernel that an earlier choice left; nil for none.
func (l *leftovers) factored(g *geometry.Geometry, k kernel.Kernel) *geometry.Geometry {
	if l == nil {
		return nil
	}
	return l.work.Factored(g, k)
}

// keep keeps the problem of a candidate, unless the machines measured before leave it no weight.
func (l *leftovers) keep(ctx context.Context, a *comparison, m *measured, problem *deformed.Problem) error {
	if l == nil {
		return nil
	}
	l.lock.Lock()
	l.measured = append(l.measured, *m)
	weights := weightsOf(a.logScores(l.measured, -1))
	l.lock.Unlock()
	if weights[len(weights)-1] < leastWeight {
		return nil
	}
	kept, err := problem.Kept(ctx)
	if err != nil {
		return err
	}
	l.lock.Lock()
	defer l.lock.Unlock()
	l.problems[m.candidate] = kept
	return nil
}

// leave leaves those that a recipe may have for members.
func (l *leftovers) leave(a *comparison, r train.Recipe) {
	if l == nil || r.Supervised {
		return
	}
	left := train.Measured{Labelled: a.task.Labelled, Bias: a.recipe.Bias, Problems: make(map[train.Member]*deformed.Problem)}
	for c, problem := range l.problems {
		if a.kernels[c.kernel] == r.Kernel && (len(a.metrics) == 1 || c.metric == r.Graph.Metric) {
			left.Geometry, left.Factor, left.Problems[c.Member] = a.factors[c.kernel].WithGraphs(c.metric, 0), problem.Factor(), problem
		}
	}
	if left.Geometry != nil {
		l.work.Keep(left)
	}
}
