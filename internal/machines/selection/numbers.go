package selection

import (
	"cmp"
	"math"
	"slices"

	"lapsvm/internal/machines/task"
	"lapsvm/internal/machines/train"
)

// excess is a factor of the loss of a machine for numbers, else 1. A function may be larger at all points than the labels are,
// whose deviation is 1. The factor is then what an error of its size costs. Labels are drawn from the points,
// so such a function is wrong at the others. (After Schuurmans and Southey, "Metric-based methods for adaptive model selection and
// regularization", Machine Learning 2002.) A machine with a graph has the factor of new rows too, see askBeyond.
func (a *comparison) excess(m *measured) float64 {
	if !a.kind().functions {
		return 1
	}
	factor := 1.0
	if m.scale > 1 {
		factor = a.held.criterion.CostOf(m.scale)
	}
	if !m.supervised() {
		factor *= cmp.Or(a.beyond[m.kernel], 1)
	}
	return factor
}

// size returns the size of a function with the given values: the fourth root of ⅓ of the mean fourth power. Of values that are normal it is
// their deviation, and few values that are far off count.
func size(values []float64) float64 {
	sum := 0.0
	for _, v := range values {
		sum += v * v * v * v
	}
	return math.Sqrt(math.Sqrt(sum / float64(3*len(values))))
}

// nestedNumbers is what labels tell of a regression that had no part in its choice: errors |y − f| in the order of the
// blocks. It is nil of classes.
type nestedNumbers struct {
	with, without []float64 // of machines with graphs and of the supervised machine, each chosen without the block; nil where none can be asked
	whole         []float64 // of the choice between the two, made without the block
	supervised    bool      // the supervised machine is chosen
}

// crossValidateNumbers asks the labels of a regression, and decides whether it goes without the unlabelled points.
func (a *comparison) crossValidateNumbers(machines, baselines []measured) *nestedNumbers {
	if !a.kind().functions || a.held == nil || len(baselines) == 0 {
		return nil
	}
	if len(machines) == 0 {
		errors, _ := a.nested(baselines, baselines).wrong()
		return &nestedNumbers{errors, errors, errors, true}
	}
	n, nested := new(nestedNumbers), a.nested(machines, baselines)
	n.with, n.without = nested.wrong()
	n.supervised = nested.alone(0, 0)
	from := 0
	for _, b := range a.held.blocks {
		to := from + len(b.labels)
		errors := n.with
		if nested.alone(from, to) {
			errors = n.without
		}
		n.whole = append(n.whole, errors[from:to]...)
		from = to
	}
	return n
}

// mostOptimism bounds optimism: of few labels its parts are themselves uncertain.
const mostOptimism = 3

// leastOptimism returns the least optimism of so many numbers. The best of many machines is lucky, and few labels seldom show by how much.
func leastOptimism(labels int) float64 { return 1 + 4/float64(labels) }

// optimism returns by how much errors left out are too small, as the machines were chosen by them. One error is that of labels
// without a part in the choice, the other that of labels left out of the machines taken. Optimism is the ratio of the
// two, for the mean of all labels or of the largest fifth, whichever is more. It is from leastOptimism to mostOptimism, or 0 for classes and for few labels.
func (a *comparison) optimism(n *nestedNumbers, taken []weighted) float64 {
	if n == nil || len(a.held.count) < FewestReported || a.held.validation != nil {
		return 0
	}
	left := make([]float64, a.held.Len())
	for k := range left {
		for _, m := range taken {
			left[k] += m.weight * m.left[k]
		}
		left[k] = a.held.Wrong(k, left[k:k+1])
	}
	return optimismOf(n.whole, left)
}

// optimismOfNumbers is optimism of a mean of views.
func (n *nested) optimismOfNumbers() float64 {
	if n == nil || n.of.held.validation != nil || len(n.labels) < FewestReported {
		return 0
	}
	whole, _ := n.wrong()
	return optimismOf(whole, n.of.held.wrong(n.left, n.labels))
}

// optimismOf returns the ratio of errors of labels without a part in a choice and of those with one.
func optimismOf(whole, left []float64) float64 {
	far := func(errors []float64) float64 {
		return mean(slices.Sorted(slices.Values(errors))[len(errors)-max(2, len(errors)/5):])
	}
	return min(max(leastOptimism(len(left)), mean(whole)/mean(left), far(whole)/far(left)), mostOptimism)
}

// expectNumbers returns what labels tell of a mean of views, or nil where they tell nothing of one machine. The supervised machine is that of one. A
// mean without graphs is supervised itself.
func (n *nested) expectNumbers(one *train.ExpectedNumbers, graphs bool) *train.ExpectedNumbers {
	if n == nil || one == nil {
		return one
	}
	errors, _ := n.wrong()
	mean, _ := expectNumbers(errors, errors, n.of.task.Unit, n.of.share()*n.of.held.share())
	if mean != nil && graphs {
		mean.SupervisedRMSE = one.SupervisedRMSE
	}
	return mean
}

// expectNumbers returns what labels tell of the numbers of new points, by the errors |y − f| of the choice and of the
// supervised machine on the same labels, in a unit, and the verdict. The interval is that of the mean squared error, for
// as many independent labels as these are worth, its lower end as in [Expect]. Fewer labels than FewestTold tell nothing, and nil is returned.
func expectNumbers(errors, baselines []float64, unit task.Unit, share float64) (*train.ExpectedNumbers, train.Verdict) {
	if len(errors) < FewestReported {
		return nil, train.CannotBeTold
	}
	of := squares(errors)
	_, standardError := paired(of, make([]float64, len(of)))
	half := normal() * standardError / math.Sqrt(sampleSizePerLabel)
	root := func(square float64) float64 { return unit.Scale * math.Sqrt(max(0, square)) }
	return &train.ExpectedNumbers{RMSE: root(mean(of)), RMSELow: root(share * (mean(of) - half)), RMSEHigh: root(mean(of) + half), SupervisedRMSE: root(mean(squares(baselines)))}, helped(errors, baselines, equalWeights(len(errors)))
}

// reportNumbers is the end of report, of a regression.
func (a *comparison) reportNumbers(choice *train.Choice, n *nestedNumbers) {
	choice.Numbers, _ = expectNumbers(n.whole, n.without, a.task.Unit, a.share()*a.held.share())
	if a.recipe.Supervised {
		return
	}
	if _, choice.Verdict = expectNumbers(n.with, n.without, a.task.Unit, a.share()*a.held.share()); n.supervised {
		choice.Reason += "; the machine is supervised, since the labels do not speak for machines with graphs"
	}
}
