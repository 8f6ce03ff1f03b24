package selection

import (
	"fmt"
	"math"

	"lapsvm/calibrate"
	"lapsvm/internal/machines/train"
)

// FewestTold is the fewest held-out labels that an error is announced by.
const FewestTold = 10

const (
	// worth is what a held-out label is worth of an independent one: all are predicted by machines
	// that share most of their labels. The error had 1.9 times the variance of that of independent ones.
	worth = 0.5
	// chance is how probable a difference at least as large is, either way, for a verdict, if
	// there is none.
	chance = 0.05
)

// tell records what held-out labels say of the choice, and of the supervised machine beside it.
func (a *arena) tell(choice *train.Choice, machines, alone []measured) {
	n, candidates := a.geometry.Len(), len(a.candidates)
	if a.held == nil {
		choice.HeldOut = "none"
		choice.SupervisedSigma, choice.SupervisedGamma = a.kernels[len(a.kernels)-1].Parameters().Sigma, train.DefaultGammaA
		if m := a.nearest + 1; m < len(a.kernels) {
			choice.SupervisedSigma = a.kernels[m].Parameters().Sigma
		}
		choice.Reason = fmt.Sprintf("the graph alone, as fewer than two classes have two labels: %d machines weighed by how well the classes they predict fit it, %d points", candidates, n)
		return
	}
	svm := a.take(alone, -1)[0]
	choice.SupervisedSigma, choice.SupervisedGamma = a.kernels[svm.kernel].Parameters().Sigma, svm.GammaA
	choice.HeldOut, choice.Labels = a.held.name, len(a.held.count)
	choice.Reason = fmt.Sprintf("%d machines on %d held-out labels (%s), %d points", candidates, len(a.held.count), a.held.name, n)
	if a.recipe.Supervised {
		wrong, _ := a.ask(alone, alone)
		choice.Expected, _ = Expect(wrong, wrong)
	} else {
		choice.Expected, choice.Verdict = Expect(a.ask(machines, alone))
		choice.Reason += ", and how the predicted classes fit the graph"
	}
	if a.late() {
		choice.Reason += "; the time was up before all were compared"
	}
}

// Expect returns what labels tell of new points. They had no part in the machines that predict them.
// wrong is 1 for every label that the choice gets wrong, else 0. alone is the same of the supervised machine. The
// interval is Wilson's, and the verdict is by the sign test. Both are for as many independent labels
// as these are worth. Fewer than FewestTold labels tell nothing, and nil is returned.
func Expect(wrong, alone []float64) (*train.Expected, train.Verdict) {
	if len(wrong) < FewestTold {
		return nil, train.CannotBeTold
	}
	e := &train.Expected{Error: 100 * mean(wrong), SupervisedError: 100 * mean(alone)}
	low, high := calibrate.Wilson(mean(wrong), worthOf(len(wrong)))
	e.ErrorLow, e.ErrorHigh = 100*low, 100*high
	gain, standardError := paired(alone, wrong)
	e.Gain, e.GainError = 100*gain, 100*standardError/math.Sqrt(worth)
	better, worse := 0, 0
	for i, w := range wrong {
		switch {
		case w < alone[i]:
			better++
		case w > alone[i]:
			worse++
		}
	}
	switch {
	case signTest(worthOf(better), worthOf(worse)) > chance:
		return e, train.CannotBeTold
	case better > worse:
		return e, train.Helps
	}
	return e, train.Harms
}

// worthOf returns how many independent labels so many are worth.
func worthOf(labels int) int { return int(math.Round(worth * float64(labels))) }

// signTest returns how probable it is that so many of better + worse fair coins, or more, show the
// same side.
func signTest(better, worse int) float64 {
	tosses, p, sum := better+worse, 1.0, 0.0
	for k := 0; k <= min(better, worse); k++ { // p is binomial(tosses, k)
		sum += p
		p *= float64(tosses-k) / float64(k+1)
	}
	return min(1, 2*sum*math.Exp2(-float64(tosses)))
}
