package summary

import (
	"fmt"
	"math"
	"strconv"

	"lapsvm/calibrate"
)

// expectation is the error to expect on new points, in percent. It is measured on held-out
// labels, unseen by the machines that predicted them.
type expectation struct {
	error, low, high float64 // low to high with a confidence of 95 %
	labels           int
}

// expected returns it, and whether anything is known. Where held-out labels chose the parameters,
// it is the error of that choice, as train prints it. The final machines without a label do not
// count: the label has chosen their parameters. All of the page takes this error, so that it has
// one count.
func (f *trainingPage) expected() (expectation, bool) {
	if c := f.recipe.Choice; c != nil && c.Candidates > 0 {
		return expectation{c.Error, c.ErrorLow, c.ErrorHigh, c.Labels}, c.Labels > 0
	}
	h := f.summary.HeldOut
	if h == nil || len(h.Class) == 0 || f.Model.OneClass() {
		return expectation{}, false
	}
	wrong := 0
	for k, class := range f.Model.Decide(h.Scores) {
		if class != h.Class[k] {
			wrong++
		}
	}
	share := float64(wrong) / float64(len(h.Class))
	low, high := calibrate.Wilson(share, len(h.Class))
	return expectation{100 * share, 100 * low, 100 * high, len(h.Class)}, true
}

// rough writes a bound, in percent, with two digits, and 100 as it is.
func rough(v float64) string {
	if v >= 99.5 {
		return "100"
	}
	return strconv.FormatFloat(v, 'g', 2, 64)
}

// lead states the expected error of the model and compares the model with an SVM.
func (f *trainingPage) lead() string {
	text := "What error to expect is not known, as no label was held out."
	switch e, known := f.expected(); {
	case known && worseThanGuessing(e.low, len(f.Model.Classes())):
		text = fmt.Sprintf("What error to expect is not known: %.3g %% of %s predicted wrongly, which is worse than guessing. So few labels do not tell these classes apart by these features.",
			e.error, count(e.labels, "held-out label was", "held-out labels were"))
	case known:
		text = fmt.Sprintf("Expect %.3g %% of new points to be classified wrongly, and with 95 %% confidence between %s and %s %%: that is the error on %s.",
			e.error, rough(e.low), rough(e.high), count(e.labels, "held-out label", "held-out labels"))
	}
	if f.svm == nil && !f.Model.OneClass() {
		text += " The model is an SVM on the labels alone: the unlabelled points take no part."
	}
	if f.svm == nil || len(f.open) == 0 {
		return text
	}
	if verdict := ChoiceVerdict(f.recipe.Choice, len(f.Model.Classes()), len(f.open)); len(verdict) > 1 {
		return text + " " + verdict[1]
	}
	return text + fmt.Sprintf(" The model decides differently from an SVM on the labels alone for %s of the %s unlabelled points (%s %%).",
		whole(f.differing()), whole(len(f.open)), share(f.differing(), len(f.open)))
}

// better says in a few words whether the model is better than an SVM on the labels alone.
func (f *trainingPage) better() string {
	c := f.recipe.Choice
	switch {
	case f.svm == nil:
		return "it is one: unlabelled points took no part"
	case c == nil || c.Candidates == 0 || c.Labels == 0:
		return "not measured"
	case c.Gain == 0 || math.Abs(c.Gain) <= 2*c.GainError:
		return count(c.Labels, "label cannot tell", "labels cannot tell")
	case c.Gain > 0:
		return fmt.Sprintf("yes, by %.3g ± %.2g percent points", c.Gain, c.GainError)
	}
	return fmt.Sprintf("no, worse by %.3g ± %.2g percent points", -c.Gain, c.GainError)
}

// next returns the next steps, first those about problems.
func (f *trainingPage) next() []string {
	var list []string
	for _, finding := range Findings(f.Model, f.Data, f.scores, name) {
		list = append(list, finding.Text)
	}
	if len(f.open) > 0 && !f.Model.OneClass() {
		list = append(list, "More labels make the model better and tell more of its error. lapsvm suggest names the rows whose labels would teach most, and lapsvm label asks for them on a page.")
	}
	if b := f.better(); f.svm != nil && len(f.open) > 0 && (b == "not measured" || f.recipe.Choice.Gain == 0) {
		list = append(list, "Whether the unlabelled points help, data whose labels are all known can tell: lapsvm evaluate hides them and counts.")
	}
	return append(list, "The model classifies new rows by lapsvm predict. It tells where they are unlike those of the training.")
}
