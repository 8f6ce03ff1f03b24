package summary

import (
	"fmt"
	"math"

	"lapsvm"
)

// worseThanGuessing reports whether held-out labels are predicted too badly to estimate the
// error on new points. This happens with few labels in classes of equal size: holding a label
// out makes its class the smaller one.
func worseThanGuessing(low float64, classes int) bool {
	return classes > 1 && low > 100*(1-1/float64(classes))
}

// ChoiceVerdict describes in words what the held-out labels show of a choice, and what they
// cannot show. It says nothing if no machines were compared, and nothing about unlabelled points
// if there are none.
func ChoiceVerdict(c *lapsvm.Choice, classes, unlabelled int) []string {
	switch {
	case c == nil || c.Candidates == 0:
		return nil
	case c.Labels == 0 && unlabelled == 0:
		return []string{"No label could be held out, so nothing is known about the error: a second label of each class tells more than anything else."}
	case c.Labels == 0:
		return []string{"No label could be held out, so nothing is known about the error, nor whether the unlabelled points help: a second label of each class tells more than anything else."}
	}
	held := count(c.Labels, "held-out label", "held-out labels")
	tells := fmt.Sprintf("so the error on new points is between %s and %s %% (95 %% confidence)", rough(c.ErrorLow), rough(c.ErrorHigh))
	if worseThanGuessing(c.ErrorLow, classes) {
		tells = "that is worse than guessing, so these labels do not tell the error on new points, and more are needed"
	}
	text := []string{fmt.Sprintf("%.3g %% of %s wrong, each predicted by machines chosen without it; %s. Supervised SVM chosen the same way: %.3g %%.",
		c.Error, held, tells, c.SupervisedError)}
	switch {
	case c.GammaI == 0 && c.Neighbours == 0 || unlabelled == 0:
		return text[:1]
	case math.Abs(c.Gain) > 2*c.GainError:
		text = append(text, Verdict(c.Gain, c.GainError))
	case c.Gain == 0 && c.GainError == 0:
		text = append(text, fmt.Sprintf("Whether the unlabelled points help cannot be told: with and without them the same of %s are wrong.", held))
	default:
		more := "fewer"
		if c.Gain < 0 {
			more = "more"
		}
		text = append(text, fmt.Sprintf("Whether the unlabelled points help cannot be told from %s: %.3g ± %.2g percent points %s errors%s.",
			held, math.Abs(c.Gain), c.GainError, more, settled(c)))
	}
	return text
}

// settled says how many labels would distinguish a difference of the observed size from none:
// its standard error falls with the root of their number.
func settled(c *lapsvm.Choice) string {
	need := math.Ceil(float64(c.Labels) * 4 * c.GainError * c.GainError / (c.Gain * c.Gain))
	if !(need <= 10000) {
		return ""
	}
	return fmt.Sprintf("; if it is what it seems, about %.0f labels would tell", need)
}
