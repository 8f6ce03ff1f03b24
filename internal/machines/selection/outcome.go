package selection

import (
	"fmt"

	"lapsvm/calibrate"
	"lapsvm/internal/machines/train"
)

// tell records what held-out labels say of the choice, and of the supervised machine
// beside it.
func (c *comparison) tell(choice *train.Choice, first candidate, wrong []float64) {
	if c.held == nil {
		choice.HeldOut = "none"
		choice.SupervisedSigma, choice.SupervisedGamma = choice.Sigma, train.DefaultGammaA
		if c.widest > 0 {
			choice.SupervisedSigma = c.kernels[c.widest-1].Parameters().Sigma
		}
		choice.Reason = fmt.Sprintf("the graph alone, as fewer than two classes have two labels: %d machines weighed by how well the classes they predict fit it, %d points", c.tried, c.geometry.Len())
		return
	}
	svm := best(c.alone)
	alone := c.testBest(belief{of: c.alone})
	choice.SupervisedSigma, choice.SupervisedGamma = c.kernels[svm.kernel].Parameters().Sigma, svm.GammaA
	choice.HeldOut, choice.Labels, choice.Loss = c.held.name, len(c.held.count), mean(first.loss)
	choice.Error, choice.SupervisedError = 100*mean(wrong), 100*mean(alone)
	low, high := calibrate.Wilson(mean(wrong), len(wrong))
	choice.ErrorLow, choice.ErrorHigh = 100*low, 100*high
	choice.Gain, choice.GainError = paired(alone, wrong)
	choice.Gain, choice.GainError = 100*choice.Gain, 100*choice.GainError
	choice.Reason = fmt.Sprintf("the squared hinge of %d machines on %d held-out labels (%s), %d points", c.tried, len(c.held.count), c.held.name, c.geometry.Len())
	if c.reference != nil {
		choice.Reason += ", and how the predicted classes fit the graph"
	}
	if c.late() {
		choice.Reason += "; the time was up before all were compared"
	}
	if c.part {
		choice.Reason += "; as it would go on with more"
	}
}
