package summary

import (
	"fmt"
	"math"

	"lapsvm"
	"lapsvm/internal/machines/selection"
)

// ChoiceVerdict describes in words what the held-out labels show of a choice, and what they
// cannot show. It says nothing if no machines were compared, and nothing about unlabelled points
// if there are none.
func ChoiceVerdict(c *lapsvm.Choice, unlabelled int) []string {
	if c == nil || c.Candidates == 0 {
		return nil
	}
	supervised := c.GammaI == 0 && c.Neighbours == 0 || unlabelled == 0
	held := count(c.Labels, "held-out label", "held-out labels")
	if c.Labels == 0 || c.Expected == nil {
		why, more := "No label could be held out, so nothing is known about the error", "a second label of each class tells more than anything else"
		if c.Labels > 0 {
			why, more = "The error cannot be told from "+held, fmt.Sprintf("%d are the fewest that tell", selection.FewestTold)
		}
		if !supervised {
			why += ", nor whether the unlabelled points help"
		}
		return []string{why + ": " + more + "."}
	}
	e := c.Expected
	text := []string{fmt.Sprintf("%.3g %% of %s wrong, each predicted by machines chosen and trained without it; so the error on new points is between %s and %s %% (95 %% confidence). Supervised SVM chosen the same way: %.3g %%.",
		e.Error, held, rough(e.ErrorLow), rough(e.ErrorHigh), e.SupervisedError)}
	switch {
	case supervised:
		return text
	case c.Verdict == lapsvm.Helps:
		return append(text, fmt.Sprintf("The unlabelled points help: %s.", difference(e)))
	case c.Verdict == lapsvm.Harms:
		return append(text, fmt.Sprintf("The unlabelled points do harm: %s; compare with --gamma-i 0.", difference(e)))
	case e.Gain == 0 && e.GainError == 0:
		return append(text, fmt.Sprintf("Whether the unlabelled points help cannot be told: with and without them the same of %s are wrong.", held))
	}
	return append(text, fmt.Sprintf("Whether the unlabelled points help cannot be told from %s: %s%s.", held, difference(e), settled(e, c.Labels)))
}

// difference says by how much the choice and the supervised machine differ on held-out labels.
func difference(e *lapsvm.Expected) string {
	more := "fewer"
	if e.Gain < 0 {
		more = "more"
	}
	return fmt.Sprintf("%.3g ± %.2g percent points %s errors", math.Abs(e.Gain), e.GainError, more)
}

// settled says how many labels would distinguish a difference of the observed size from none:
// its standard error falls with the root of their number.
func settled(e *lapsvm.Expected, labels int) string {
	need := math.Ceil(float64(labels) * 4 * e.GainError * e.GainError / (e.Gain * e.Gain))
	if !(need > float64(labels) && need <= 10000) {
		return ""
	}
	return fmt.Sprintf("; if it is what it seems, about %.0f labels would tell", need)
}
