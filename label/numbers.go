package label

import (
	"context"

	"lapsvm/dataset"
	"lapsvm/internal/machines/train"
)

// numbers is labels that are numbers.
type numbers struct{ classes }

func (numbers) few(l *Labelling, _ []int) bool { return l.Labelled() < 2 }

func (numbers) supervised() bool { return false }

func (numbers) take(ctx context.Context, l *Labelling, a *Answer, d *train.Decided, problems []train.ReducedProblem) (err error) {
	t := d.Task
	a.Values = make([]float64, len(d.F[0]))
	for i, f := range d.F[0] {
		a.Values[i] = t.Unit.From(f)
	}
	for k, i := range t.Labelled {
		a.LeftOut = append(a.LeftOut, LeftOut{Point: i, Class: a.Labels[i], Decided: dataset.Unlabelled, Value: t.Unit.From(d.LeaveOneOut[0][k])})
	}
	if l.o.Shown {
		a.intervals, err = l.intervals(ctx, d, problems)
	}
	return err
}

// resolve has the variance in place of the doubt about classes.
func (numbers) resolve(s *suggesting, rule Rule) {
	if s.rule = rule; rule == Auto || rule == MCVOpt {
		s.rule = VOpt
	}
}

func (numbers) unsure(ctx context.Context, s *suggesting) {
	s.byVariance(ctx, func(k int) float64 { return s.pool.variance[k] })
}

func (numbers) audited() bool { return false }

func (numbers) fits() bool { return false }
