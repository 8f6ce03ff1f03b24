package summary

import (
	"fmt"
	"math"
	"strings"

	"lapsvm"
	"lapsvm/app/answer"
	"lapsvm/internal/machines/selection"
)

// ChoiceVerdict describes in words what the held-out labels show of a choice, and what they
// cannot show. It says nothing if no machines were compared, and nothing about unlabelled points
// if there are none.
func ChoiceVerdict(r lapsvm.Recipe, unlabelled int) []string {
	c := r.Choice
	if c == nil || c.Candidates == 0 {
		return nil
	}
	verdict, alone := c.Verdict, c.GammaI == 0 && c.Neighbours == 0
	if alone && verdict != lapsvm.Harms || !alone && unlabelled == 0 {
		verdict = ""
	}
	told := Told(r.Kind, c.Expected, c.Numbers, verdict, c.Labels)
	if alone && verdict == lapsvm.Harms {
		last := len(told) - 1
		without := "; so the model goes without them"
		if graphs := withGraphs(r.Beside); len(graphs) > 0 {
			without = fmt.Sprintf("; so the machine goes without them, and beside it these views take them: %s", strings.Join(graphs, ", "))
		}
		told[last] = strings.Replace(told[last], comparing, without, 1)
	}
	return told
}

// withGraphs names the views that unlabelled points take part in.
func withGraphs(views []lapsvm.View) (names []string) {
	for _, v := range views {
		if !v.Recipe.Supervised {
			names = append(names, v.Name)
		}
	}
	return names
}

// comparing is what to do where the unlabelled points do harm.
const comparing = "; compare with --gamma-i 0"

// Told says in words what so many held-out labels of a kind tell: the error to expect, of classes or of numbers, and the verdict on the
// unlabelled points, "" where these take no part. Both errors are nil if the labels tell none.
func Told(k lapsvm.Kind, e *lapsvm.Expected, numbers *lapsvm.ExpectedNumbers, verdict lapsvm.Verdict, labels int) []string {
	held, said := count(labels, "held-out label", "held-out labels"), ""
	if labels > 0 {
		said = answer.KindOf(k).Expected(e, numbers, held)
	}
	if said == "" {
		why, more := "No label could be held out, so nothing is known about the error", ": a second label of each class tells more than anything else"
		if labels > 0 {
			why, more = "The error cannot be told from "+held, ""
		}
		if labels > 0 && labels < selection.FewestReported {
			more = fmt.Sprintf(": %d are the fewest that tell", selection.FewestReported)
		}
		if verdict != "" {
			why += ", nor whether the unlabelled points help"
		}
		return []string{why + more + "."}
	}
	text := []string{said}
	switch {
	case verdict == "":
	case e != nil:
		gain, standardError, in := answer.KindOf(k).Gain(e)
		if verdict == lapsvm.CannotBeTold && gain < -2*standardError { // points say so, and labels do not
			standardError = math.NaN()
		}
		text = append(text, Verdict(verdict, gain, standardError, in, held)+".")
	case verdict == lapsvm.Helps:
		text = append(text, "The unlabelled points help.")
	case verdict == lapsvm.Harms:
		text = append(text, "The unlabelled points do harm"+comparing+".")
	default:
		text = append(text, fmt.Sprintf("Whether the unlabelled points help cannot be told from %s.", held))
	}
	return text
}

// Verdict is a verdict on the unlabelled points as a sentence, without its stop. The gain is how much fewer or smaller errors
// are than those of the SVM, beside its standard error. From names what it is told from, such as "20 held-out labels".
func Verdict(v lapsvm.Verdict, gain, standardError float64, in answer.Unit, from string) string {
	size := fmt.Sprintf("%.3g ± %.2g %s %s", math.Abs(gain), standardError, in.Name, in.Gain)
	switch {
	case gain < 0:
		size = fmt.Sprintf("%.3g ± %.2g %s %s", math.Abs(gain), standardError, in.Name, in.Loss)
	case gain == 0:
		size = fmt.Sprintf("%s, ± %.2g %s", in.None, standardError, in.Name)
	}
	switch {
	case v == lapsvm.Helps:
		return "The unlabelled points help: " + size
	case v == lapsvm.Harms:
		return "The unlabelled points do harm: " + size + comparing
	case math.IsNaN(standardError):
		return fmt.Sprintf("Whether the unlabelled points help cannot be told from %s", from)
	case gain == 0 && standardError == 0:
		return fmt.Sprintf("Whether the unlabelled points help cannot be told from %s: with and without them as many are wrong", from)
	}
	return fmt.Sprintf("Whether the unlabelled points help cannot be told from %s: %s", from, size)
}

// better says a verdict in a few words, beside the question whether a model is better than an SVM on the labels alone.
func better(v lapsvm.Verdict, gain, standardError float64, in answer.Unit, cannot string) string {
	switch v {
	case lapsvm.Helps:
		return fmt.Sprintf("yes, by %.3g ± %.2g %s", gain, standardError, in.Name)
	case lapsvm.Harms:
		return fmt.Sprintf("no, worse by %.3g ± %.2g %s", -gain, standardError, in.Name)
	}
	return cannot
}
