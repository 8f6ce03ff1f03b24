package summary

import (
	"fmt"

	"lapsvm"
	"lapsvm/app/answer"
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
	if h == nil || f.of.Outside() {
		return nil, 0
	}
	wrong := make([]float64, len(h.Class))
	apart, worst := f.recipe.Kind.Apart(f.Model.Classes())
	for k, class := range f.Model.Decide(h.Scores) {
		wrong[k] = apart(class, h.Class[k])
	}
	e, _ := selection.Expect(worst, wrong, wrong, nil, 1-1/float64(h.Parts), 1)
	return e, len(wrong)
}

// NothingHeldOut says that no held-out label tells of the error.
const NothingHeldOut = "What error to expect is not known, as no label was held out."

// lead states the expected error of the model and compares the model with an SVM.
func (f *trainingPage) lead() string {
	text := NothingHeldOut
	switch e, labels := f.expected(); {
	case e != nil:
		text = fmt.Sprintf("Expect %.3g %% of new points like the labelled ones to be classified wrongly, and with 95 %% confidence between %s and %s %%: that is the error on %s.",
			e.Error, answer.Rough(e.ErrorLow), answer.Rough(e.ErrorHigh), count(labels, "held-out label", "held-out labels"))
	case labels > 0:
		text = fmt.Sprintf("What error to expect is not known: %s too few to tell it.", count(labels, "held-out label is", "held-out labels are"))
	}
	if f.svm == nil && !f.of.Outside() {
		text += " The model is an SVM on the labels alone: the unlabelled points take no part."
	}
	if f.svm == nil || len(f.open) == 0 {
		return text
	}
	if verdict := ChoiceVerdict(f.recipe, len(f.open)); len(verdict) > 1 {
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
	case c.Expected == nil:
		return count(c.Labels, "label cannot tell", "labels cannot tell")
	}
	gain, standardError, in := f.of.Gain(c.Expected)
	return better(c.Verdict, gain, standardError, in, count(c.Labels, "label cannot tell", "labels cannot tell"))
}

// firstSteps returns the problems, and what to say of more labels where there are rows without one.
func (f *trainingPage) firstSteps(more string) (list []string) {
	for _, finding := range f.findings {
		list = append(list, finding.Text)
	}
	if len(f.open) > 0 && more != "" {
		list = append(list, more)
	}
	return list
}

// next returns the next steps, first those about problems.
func (f *trainingPage) next() []string {
	more := "More labels tell more of the error, and mostly make it smaller. lapsvm suggest names rows whose labels are likely to teach much, and lapsvm label asks for them on a page."
	if f.of.Outside() {
		more = ""
	}
	list := f.firstSteps(more)
	if c := f.recipe.Choice; f.svm != nil && len(f.open) > 0 && (c == nil || c.Verdict == "" || c.Verdict == lapsvm.CannotBeTold) {
		list = append(list, "Whether the unlabelled points help, data whose labels are all known may tell: lapsvm evaluate hides them and counts.")
	}
	return append(list, "The model classifies new rows by lapsvm predict. It tells where they are unlike those of the training.")
}
