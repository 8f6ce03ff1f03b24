package label

import (
	"context"
	"errors"
	"math"
	"slices"

	"lapsvm/calibrate"
	"lapsvm/internal/machines/deformed"
	"lapsvm/internal/machines/task"
	"lapsvm/internal/machines/train"
	"lapsvm/internal/numbers/objective"
	"lapsvm/internal/points/gram"
	"lapsvm/internal/system/fault"
	"lapsvm/kernel"
)

// auditor is a set of machines that judge labels: the problems of a recipe with equal weights of
// all labels.
type auditor struct {
	recipe   train.Recipe
	problems []train.ReducedProblem
	weight   float64
}

// Constants of the weighing of labels.
const (
	auditRounds = 3
	leastTrust  = 0.02
	temper      = 0.3 // of the likelihood of labels, of which some are wrong
)

// judging begins to judge the labels of so many tasks, in the unit of an auditor's round.
func (l *Labelling) judging(tasks int) *stage {
	auditors := 4 * (1 + 4) // with those of the labelled points alone
	if l.ground.Related() {
		auditors = 4
	}
	return l.begin("judging labels", float64(tasks*auditRounds*auditors))
}

// judge returns the probability of every class for every labelled point, by machines trained
// without its label. They have the squared loss, whose leave-one-out value is y_i − a_i/H_ii.
//
// Wrong labels must not confirm each other. So judge averages machines that trust their labels
// much, little and very little, and Gaussian machines of the labelled points alone. A machine's
// weight is the likelihood of the labels by its probabilities, Π p_i^0.3. Each label is then
// weighed by p_i over the largest probability of its row, and the judging is repeated.
//
// Of a training it is [Labelling.judgeByTraining].
func (l *Labelling) judge(ctx context.Context, t *task.Task, work *stage) ([][]float64, error) {
	if l.trained() {
		return l.judgeByTraining(ctx, t)
	}
	all, err := l.auditors(ctx, t)
	if err != nil {
		return nil, err
	}
	trust := slices.Repeat([]float64{1}, len(t.Labelled))
	var mean [][]float64
	for range auditRounds {
		judged, losses := make([][][]float64, len(all)), make([]float64, len(all))
		for k, a := range all {
			if judged[k], losses[k], err = a.judge(ctx, t, trust); err != nil {
				return nil, err
			}
			work.add(1)
		}
		least, sum := slices.Min(losses), 0.0
		for k := range losses {
			losses[k] = math.Exp(temper * (least - losses[k]))
			sum += losses[k]
		}
		mean = make([][]float64, len(t.Labelled))
		for i := range mean {
			mean[i] = make([]float64, len(t.Classes))
			for k := range all {
				for c, v := range judged[k][i] {
					mean[i][c] += losses[k] / sum * v
				}
			}
			trust[i] = max(mean[i][t.Class[i]]/slices.Max(mean[i]), leastTrust)
		}
	}
	return mean, nil
}

// judge returns the probabilities of the classes by one auditor, and −Σ ln p_i over the labels.
func (a auditor) judge(ctx context.Context, t *task.Task, trust []float64) ([][]float64, float64, error) {
	p, err := a.without(ctx, t, trust)
	if err != nil {
		return nil, 0, err
	}
	if err := toProbabilities(p, t.Class); err != nil {
		return nil, 0, err
	}
	loss := 0.0
	for k, row := range p {
		loss -= math.Log(max(row[t.Class[k]], 1e-12))
	}
	return p, loss, nil
}

// toProbabilities makes the probabilities of classes of decision values [label][class].
func toProbabilities(p [][]float64, class []int) error {
	c, err := calibrate.Fit(p, class)
	if err != nil {
		return errors.Join(errLost, err)
	}
	for _, row := range p {
		c.Probabilities(row, row)
	}
	return nil
}

// without returns decision values [label][class], each by machines without the label. trust is a factor of the labels' weights.
func (a auditor) without(ctx context.Context, t *task.Task, trust []float64) ([][]float64, error) {
	weighed := *t
	weighed.Weights = make([]float64, len(trust))
	for k, v := range trust {
		weighed.Weights[k] = a.weight * v
	}
	p, err := train.LeaveOneOut(ctx, &weighed, a.recipe, a.problems)
	if errors.Is(err, deformed.ErrRounding) {
		return nil, errLost
	}
	return p, err
}

var errLost = fault.Rounding.Errorf("the labels cannot be audited: their machines are lost in rounding; raise gamma-a")

// auditors returns the auditors of the recipe, and Gaussian machines of the labelled points
// alone.
func (l *Labelling) auditors(ctx context.Context, t *task.Task) ([]auditor, error) {
	recipe := l.ground.Recipe
	problems, err := l.problems(ctx, t.Labelled)
	if err != nil {
		return nil, err
	}
	var all []auditor
	for _, weight := range []float64{1, 0.1, 0.01, 1e-3} {
		all = append(all, auditor{recipe, problems, weight})
	}
	if l.ground.Related() {
		return all, nil
	}
	p := l.ground.Geometry.Points().Subset(t.Labelled)
	var squares []float64
	for i := range p.Len() {
		for j := range i {
			if d := p.SquaredDistance(i, p, j); d > 0 {
				squares = append(squares, d)
			}
		}
	}
	if len(squares) == 0 {
		return all, nil
	}
	slices.Sort(squares)
	median := math.Sqrt(squares[len(squares)/2])
	alone := train.Recipe{Supervised: true, Bias: objective.BiasOutside, GammaA: 1}
	for _, width := range []float64{0.25, 0.5, 1, 2} {
		k, err := gram.NewHalf(ctx, p, kernel.Gaussian{Sigma: width * median}, gram.Double)
		if err != nil {
			return nil, err
		}
		factor, err := deformed.NewFactor(ctx, k, 0)
		if err != nil {
			return nil, err
		}
		view, err := factor.Reduction(ctx, nil, factor.Every(), objective.BiasOutside)
		if err != nil {
			return nil, err
		}
		problem, err := view.Problem(ctx, deformed.Gammas{A: 1})
		if err != nil {
			return nil, err
		}
		for _, weight := range []float64{100, 10, 1, 0.1} {
			all = append(all, auditor{alone, []train.ReducedProblem{problem}, weight})
		}
	}
	return all, nil
}
