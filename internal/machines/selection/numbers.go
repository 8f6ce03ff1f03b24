package selection

import (
	"math"

	"lapsvm/internal/machines/task"
	"lapsvm/internal/machines/train"
)

// withoutGraph reports whether a regression goes without the unlabelled points. It does unless the machines with
// graphs, chosen again without each block of labels, predict the block better than the supervised machine, in the
// mean by more than a standard error. A weight of the intrinsic norm that is given stands.
func (a *arena) withoutGraph(machines, alone []measured) bool {
	if a.task.Values == nil || a.asked.GammaI > 0 || len(alone) == 0 {
		return false
	}
	with, without := a.ask(machines, alone)
	gain, standardError := paired(a.held.costs(without), a.held.costs(with))
	return !(gain > standardError)
}

// mostOptimism bounds optimism: of few labels its parts are themselves uncertain.
const mostOptimism = 3

// optimism returns by how much errors left out are too small, as the machines were chosen by them. It is the mean error
// of labels that had no part in the choice, over that of labels left out of the machines taken. It is from 1 to mostOptimism, or 0 for classes and for few labels.
func (a *arena) optimism(some []measured, taken []weighted) float64 {
	if a.task.Values == nil || len(a.held.count) < FewestTold || a.held.validation != nil {
		return 0
	}
	nested, _ := a.ask(some, some)
	left := make([]float64, len(a.held.values))
	for k, y := range a.held.values {
		for _, m := range taken {
			left[k] += m.weight * m.left[k]
		}
		left[k] = math.Abs(y - left[k])
	}
	return min(max(1, mean(nested)/mean(left)), mostOptimism)
}

// costs returns what errors cost.
func (h *heldOut) costs(errors []float64) []float64 {
	costs := make([]float64, len(errors))
	for k, e := range errors {
		costs[k] = h.cost(e)
	}
	return costs
}

// expectNumbers returns what labels tell of the numbers of new points, by the errors |y − f| of the choice and of the
// supervised machine on the same labels, in a unit, and the verdict. The interval is that of the mean squared error, for
// as many independent labels as these are worth. Fewer labels than FewestTold tell nothing, and nil is returned.
func expectNumbers(errors, alone []float64, unit task.Unit) (*train.ExpectedNumbers, train.Verdict) {
	_, verdict := Expect(errors, alone)
	if len(errors) < FewestTold {
		return nil, verdict
	}
	of := squares(errors)
	_, standardError := paired(of, make([]float64, len(of)))
	const confidence = 1.96 // standard errors
	half := confidence * standardError / math.Sqrt(worth)
	root := func(square float64) float64 { return unit.Scale * math.Sqrt(max(0, square)) }
	return &train.ExpectedNumbers{RMSE: root(mean(of)), RMSELow: root(mean(of) - half), RMSEHigh: root(mean(of) + half), SupervisedRMSE: root(mean(squares(alone)))}, verdict
}

// tellNumbers is the end of tell, of a regression.
func (a *arena) tellNumbers(choice *train.Choice, machines, alone []measured) {
	if a.recipe.Supervised {
		errors, _ := a.ask(alone, alone)
		choice.Numbers, _ = expectNumbers(errors, errors, a.task.Unit)
		return
	}
	errors, without := a.ask(machines, alone)
	if choice.Neighbours > 0 {
		choice.Numbers, choice.Verdict = expectNumbers(errors, without, a.task.Unit)
		return
	}
	_, choice.Verdict = expectNumbers(errors, without, a.task.Unit)
	choice.Numbers, _ = expectNumbers(without, without, a.task.Unit)
	choice.Reason += "; the machine is supervised, since machines with graphs predict these labels no better"
}
