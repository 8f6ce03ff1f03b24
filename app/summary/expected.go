package summary

import (
	"fmt"
	"strconv"

	"lapsvm"
	"lapsvm/internal/machines/selection"
)

// expected returns what to expect on new points, and of how many held-out labels; nil where these are
// too few to tell. Where held-out labels chose the parameters, it is the error of that choice, as train
// prints it. The final machines without a label do not count: the label has chosen their parameters.
// All of the page takes this error, so that it has one count.
func (f *trainingPage) expected() (*lapsvm.Expected, int) {
	if c := f.recipe.Choice; c != nil && c.Candidates > 0 {
		return c.Expected, c.Labels
	}
	h := f.summary.HeldOut
	if h == nil || f.Model.OneClass() {
		return nil, 0
	}
	wrong := make([]float64, len(h.Class))
	for k, class := range f.Model.Decide(h.Scores) {
		if class != h.Class[k] {
			wrong[k] = 1
		}
	}
	e, _ := selection.Expect(wrong, wrong)
	return e, len(wrong)
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
	switch e, labels := f.expected(); {
	case e != nil:
		text = fmt.Sprintf("Expect %.3g %% of new points to be classified wrongly, and with 95 %% confidence between %s and %s %%: that is the error on %s.",
			e.Error, rough(e.ErrorLow), rough(e.ErrorHigh), count(labels, "held-out label", "held-out labels"))
	case labels > 0:
		text = fmt.Sprintf("What error to expect is not known: %s too few to tell it.", count(labels, "held-out label is", "held-out labels are"))
	}
	if f.svm == nil && !f.Model.OneClass() {
		text += " The model is an SVM on the labels alone: the unlabelled points take no part."
	}
	if f.svm == nil || len(f.open) == 0 {
		return text
	}
	if verdict := ChoiceVerdict(f.recipe.Choice, len(f.open)); len(verdict) > 1 {
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
	case c.Expected != nil && c.Verdict == lapsvm.Helps:
		return fmt.Sprintf("yes, by %.3g ± %.2g percent points", c.Expected.Gain, c.Expected.GainError)
	case c.Expected != nil && c.Verdict == lapsvm.Harms:
		return fmt.Sprintf("no, worse by %.3g ± %.2g percent points", -c.Expected.Gain, c.Expected.GainError)
	}
	return count(c.Labels, "label cannot tell", "labels cannot tell")
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
	if c := f.recipe.Choice; f.svm != nil && len(f.open) > 0 && (c == nil || c.Verdict == "" || c.Verdict == lapsvm.CannotBeTold) {
		list = append(list, "Whether the unlabelled points help, data whose labels are all known can tell: lapsvm evaluate hides them and counts.")
	}
	return append(list, "The model classifies new rows by lapsvm predict. It tells where they are unlike those of the training.")
}
