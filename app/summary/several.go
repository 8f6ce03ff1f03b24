package summary

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"lapsvm/app/answer"
	"lapsvm/app/report"
	"lapsvm/dataset"
	"lapsvm/internal/machines/selection"
	"lapsvm/internal/system/size"
)

// severalPage is a page of a training with several classes of a row at once.
type severalPage struct {
	*trainingPage
	answers    [][]float64 // of every class of the model and label of the data: 1, −1 or NaN
	has, bySVM [][]int     // classes of every row; the second nil where the model is an SVM
	labels     []int       // rows with a label
}

// severalPage makes the page of a training with several classes at once.
func (f *trainingPage) severalPage(ctx context.Context) (report.Page, error) {
	p := &severalPage{trainingPage: f, labels: f.Data.Labelled()}
	if err := p.decide(ctx); err != nil {
		return report.Page{}, err
	}
	page := report.Page{Title: "Training on " + plainName(f.Source), Lead: p.lead(), Facts: p.facts()}
	var err error
	if page.Glance, err = p.lookAtSeveral(ctx); err != nil {
		return report.Page{}, err
	}
	why := func() (report.Section, error) { return f.why(ctx, f.some()) }
	err = add(&page, p.advice, p.classes, p.leftOut, p.unsure, f.columns, why, f.parameters, f.neighbours, f.solver, f.costs, f.repeat)
	return page, err
}

// decide finds the classes of all rows, and what is known of them.
func (p *severalPage) decide(ctx context.Context) error {
	d := p.Data
	p.open = d.Unlabelled()
	all, err := dataset.SeveralOf(d.Classes, p.recipe.Kind.Separator)
	if err != nil {
		return err
	}
	for _, name := range p.Model.Classes() {
		p.answers = append(p.answers, all.Answers[dataset.FindClass(all.Classes, name)])
	}
	if p.scores = p.summary.Scores; p.scores == nil {
		if p.scores, err = p.Model.Predictor().ScoresOf(ctx, d); err != nil {
			return err
		}
	}
	p.has = p.Model.Predictor().Has(p.scores)
	if p.SVM != nil {
		scores, err := p.SVM.Predictor().ScoresOf(ctx, d)
		if err != nil {
			return err
		}
		p.bySVM = p.SVM.Predictor().Has(scores)
	}
	p.findings = Findings(ctx, p.Model, d, nil, name)
	return nil
}

// lead states the expected error and whether the unlabelled points help.
func (p *severalPage) lead() string {
	text := NothingHeldOut
	c := p.recipe.Choice
	if c != nil && c.Expected != nil {
		text = fmt.Sprintf("Of the answers whether a new row has a class, expect %.3g %% to be wrong, and with 95 %% confidence between %s and %s %%: that is the error on %s.",
			c.Expected.Error, answer.Rough(c.Expected.ErrorLow), answer.Rough(c.Expected.ErrorHigh), count(c.Labels, "held-out label", "held-out labels"))
	}
	if p.recipe.Supervised {
		return text + " The model is an SVM on the labels alone: the unlabelled points take no part."
	}
	if verdict := ChoiceVerdict(p.recipe, len(p.open)); len(verdict) > 1 {
		text += " " + verdict[1]
	}
	return text
}

func (p *severalPage) facts() []report.Fact {
	expected, svm := "not known", "not known"
	if c := p.recipe.Choice; c != nil && c.Expected != nil {
		expected = fmt.Sprintf("%.3g %%, from %s to %s %%", c.Expected.Error, answer.Rough(c.Expected.ErrorLow), answer.Rough(c.Expected.ErrorHigh))
		svm = fmt.Sprintf("%.3g %%", c.Expected.SupervisedError)
	}
	return append([]report.Fact{{Name: "Expected of the answers, wrong", Value: expected}, {Name: "Expected of an SVM", Value: svm}},
		p.known("Labels, classes", whole(p.summary.Labelled)+", "+whole(len(p.Model.Classes()))+", several at once")...)
}

func (p *severalPage) advice() (report.Section, error) {
	return report.Section{Title: "What to do next", Text: append(p.firstSteps("More labels tell more of the error, and mostly make it smaller."), "The model lists the classes of new rows by lapsvm predict; --proba says how sure it is of each.")}, nil
}

// counted is how often something is so of a class.
func counted(rows [][]int, of []int, class int) (n int) {
	for _, i := range of {
		if slices.Contains(rows[i], class) {
			n++
		}
	}
	return n
}

// classes lists how many rows have each class.
func (p *severalPage) classes() (report.Section, error) {
	t := report.Table{Name: "classes", Title: "Classes", Caption: "Labels with the class, without it, and of which that is not known; then predictions on the unlabelled points; shares in percent.",
		Header: []string{"class", "with", "without", "not known", "predicted", "share"}}
	each := p.Model.Predictor().Each()
	if p.bySVM != nil {
		t.Header = append(t.Header, "by the SVM", "share")
	}
	if each != nil {
		t.Header = append(t.Header, "threshold")
	}
	for c, name := range p.Model.Classes() {
		var counts [3]int // with, without, not known
		for _, i := range p.labels {
			switch answer := p.answers[c][p.Data.Y[i]]; {
			case answer > 0:
				counts[0]++
			case answer < 0:
				counts[1]++
			default:
				counts[2]++
			}
		}
		predicted := counted(p.has, p.open, c)
		row := headed(plainName(name), whole(counts[0]), whole(counts[1]), whole(counts[2]), whole(predicted), share(predicted, len(p.open)))
		if p.bySVM != nil {
			svm := counted(p.bySVM, p.open, c)
			row = append(row, cells(whole(svm), share(svm, len(p.open)))...)
		}
		if each != nil {
			row = append(row, cells(number(each.Threshold[c]))...)
		}
		t.Rows = append(t.Rows, row)
	}
	text := fmt.Sprintf("From %s: %s with %s. %s labelled and %s not. A row may have several classes, or none.", name(p.Source), count(len(p.Data.Y), "row", "rows"),
		count(p.Data.Points.Dim(), "feature", "features"), whole(len(p.labels)), whole(len(p.open)))
	if each != nil {
		text += " A row has the classes whose probability is above their threshold, by which as many held-out labels have each class as are to be expected."
	}
	return report.Section{Title: "Data and classes", Text: []string{text}, Tables: []report.Table{t}}, nil
}

// leftOut compares held-out labels with what machines without them say.
func (p *severalPage) leftOut() (report.Section, error) {
	held := p.summary.HeldOut
	if held == nil {
		return report.Section{}, nil
	}
	decided := p.Model.Predictor().Has(held.Scores)
	t := report.Table{Name: "held", Title: "Held-out labels by class", Header: []string{"class", "with", "found", "said", "right", "F1"},
		Caption: "How many labels have the class, the share of these that is found; how many are said to have it, the share of these that is right; in percent. F1 is the harmonic mean of both shares."}
	for c, name := range p.Model.Classes() {
		with, said, both := 0, 0, 0
		for k, classes := range decided {
			answer, is := p.answers[c][p.Data.Y[p.labels[held.Label[k]]]], slices.Contains(classes, c)
			if math.IsNaN(answer) {
				continue
			}
			if answer > 0 {
				with++
			}
			if is {
				said++
			}
			if is && answer > 0 {
				both++
			}
		}
		t.Rows = append(t.Rows, headed(plainName(name), whole(with), share(both, with), whole(said), share(both, said), number(2*float64(both)/float64(with+said))))
	}
	return report.Section{Title: "Labels left out", Tables: []report.Table{t},
		Text: []string{fmt.Sprintf("%s predicted by machines trained without them. Parameters and thresholds are chosen by these labels, so new rows have somewhat more errors.", count(len(decided), "label is", "labels are"))}}, nil
}

// unsureShown is how many rows the table of those has.
const unsureShown = 10

// unsure lists unlabelled rows with a class that the model is least sure of.
func (p *severalPage) unsure() (report.Section, error) {
	each := p.Model.Predictor().Each()
	if each == nil || len(p.open) == 0 {
		return report.Section{}, nil
	}
	limits := each.Limits()
	class, near := make([]int, len(p.scores)), make([]float64, len(p.scores))
	for i, row := range p.scores {
		near[i] = math.Inf(1)
		for c, f := range row {
			if off := each.Slope[c] * math.Abs(f-limits[c]); off < near[i] {
				class[i], near[i] = c, off
			}
		}
	}
	order := slices.Clone(p.open)
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(near[a], near[b]) })
	t := report.Table{Name: "unsure", Title: "Rows and their least sure class", Header: []string{"row", "classes", "least sure of", "probability", "threshold"}}
	probabilities := make([]float64, len(limits))
	for _, i := range order[:min(len(order), unsureShown)] {
		var names []string
		for _, c := range p.has[i] {
			names = append(names, plainName(p.Model.Classes()[c]))
		}
		each.Probabilities(probabilities, p.scores[i])
		t.Rows = append(t.Rows, headedByRow(p.Data, i, cmp.Or(strings.Join(names, ", "), "none"), plainName(p.Model.Classes()[class[i]]), number(probabilities[class[i]]), number(each.Threshold[class[i]])))
	}
	return report.Section{Title: "Least sure rows", Tables: []report.Table{t},
		Text: []string{"The unlabelled rows with a class whose probability is nearest to its threshold, on the scale of decision values. Their labels teach much."}}, nil
}

// severalPage makes the page of an evaluation with several classes at once.
func (e Evaluation) severalPage() (report.Page, error) {
	first := e.Results[0]
	wrong, sd := selection.MeanSD(e.Results, func(r selection.Result) float64 { return r.Unlabelled })
	page := report.Page{Title: "Evaluation on " + plainName(e.Source), Lead: "No label was hidden: there is nothing to measure on."}
	if !math.IsNaN(wrong) {
		page.Lead = fmt.Sprintf("With %s, %s %% of the answers whether a hidden row has a class are wrong", count(first.Labelled, "label", "labels"), percent(wrong))
		if len(e.Results) > 1 {
			page.Lead += fmt.Sprintf(" (standard deviation %s over %d repeats)", percent(sd), len(e.Results))
		}
		if page.Lead += "."; first.BaselineSeveral != nil {
			svm, _ := selection.MeanSD(e.Results, func(r selection.Result) float64 { return r.BaselineUnlabelled })
			page.Lead = page.Lead[:len(page.Lead)-1] + fmt.Sprintf("; by an SVM on the labels alone %s %%.", percent(svm))
		}
	}
	page.Facts = []report.Fact{
		{Name: "Rows, features", Value: whole(len(e.Data.Y)) + ", " + whole(e.Data.Points.Dim())},
		{Name: "Labels kept, hidden", Value: whole(first.Labelled) + ", " + whole(first.Hidden)},
		{Name: "Repeats", Value: whole(len(e.Results))},
		{Name: "Time, most memory", Value: seconds(e.Seconds) + " s, " + size.Text(e.PeakBytes)},
	}
	page.Glance = e.lookAtMeasured()
	err := add(&page, e.severalMeasures, e.repeat)
	return page, err
}

// severalMeasured is what is measured of several classes at once. All but the first are shares of 1.
var severalMeasured = []struct {
	name string
	of   func(wrong float64, r *selection.SeveralResult) float64
}{
	{"wrong answers, %", func(wrong float64, _ *selection.SeveralResult) float64 { return wrong }},
	{"F1, all classes together", func(_ float64, r *selection.SeveralResult) float64 { return r.MicroF1 }},
	{"F1, mean of classes", func(_ float64, r *selection.SeveralResult) float64 { return r.MacroF1 }},
	{"share of rows with all classes right", func(_ float64, r *selection.SeveralResult) float64 { return r.Subset }},
	{"precision of the ranking of classes", func(_ float64, r *selection.SeveralResult) float64 { return r.Ranking }},
}

// lookAtMeasured draws what is measured, beside that of an SVM.
func (e Evaluation) lookAtMeasured() []report.Figure {
	b, caption := report.Bars{Most: 1}, "On the hidden labels, means of the repeats: the longer the better."
	if e.Results[0].BaselineSeveral != nil {
		caption += " The marks are those of an SVM on the labels alone."
	}
	for _, m := range severalMeasured[1:] {
		v, _ := selection.MeanSD(e.Results, func(r selection.Result) float64 { return m.of(r.Unlabelled, r.Several) })
		if math.IsNaN(v) {
			continue
		}
		bar := report.Bar{Name: m.name, Value: v, Text: number(v), Group: report.Others}
		if e.Results[0].BaselineSeveral != nil {
			svm, _ := selection.MeanSD(e.Results, func(r selection.Result) float64 { return m.of(r.BaselineUnlabelled, r.BaselineSeveral) })
			bar.Beside, bar.Words = svm, "an SVM "+number(svm)
		}
		b.Bars = append(b.Bars, bar)
	}
	if b.Bars == nil {
		return nil
	}
	return []report.Figure{b.Draw(report.Figure{Name: "measured", Title: "What was measured", Caption: caption})}
}

// severalMeasures lists what was measured, beside an SVM.
func (e Evaluation) severalMeasures() (report.Section, error) {
	t := report.Table{Name: "measures", Title: "Hidden labels", Header: []string{"", "the model", "standard deviation"}, Caption: "Means of the repeats."}
	baseline := e.Results[0].BaselineSeveral != nil
	if baseline {
		t.Header = append(t.Header, "an SVM", "standard deviation")
	}
	for _, m := range severalMeasured {
		mean, sd := selection.MeanSD(e.Results, func(r selection.Result) float64 { return m.of(r.Unlabelled, r.Several) })
		row := headed(m.name, number(mean), number(sd))
		if baseline {
			mean, sd = selection.MeanSD(e.Results, func(r selection.Result) float64 { return m.of(r.BaselineUnlabelled, r.BaselineSeveral) })
			row = append(row, cells(number(mean), number(sd))...)
		}
		t.Rows = append(t.Rows, row)
	}
	return report.Section{Title: "Measured", Tables: []report.Table{t}}, nil
}
