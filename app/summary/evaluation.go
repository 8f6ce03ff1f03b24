package summary

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"

	"lapsvm"
	"lapsvm/app/answer"
	"lapsvm/app/report"
	"lapsvm/calibrate"
	"lapsvm/dataset"
	"lapsvm/internal/machines/selection"
	"lapsvm/internal/system/size"
)

// Evaluation is the input of an evaluation's page.
type Evaluation struct {
	Source    string // what was read, such as the file's name
	Command   string // that repeats the evaluation
	Data      *dataset.Dataset
	Results   []selection.Result // of the repeats, at least one
	Seconds   float64            // that all repeats took
	PeakBytes int64              // 0 where it is not known
}

// Page makes the page.
func (e Evaluation) Page() (report.Page, error) {
	return kindOf(e.Results[0].Recipe.Kind).evaluation(e)
}

// classesPage makes the page where a row has a class.
func (e Evaluation) classesPage() (report.Page, error) {
	page := report.Page{Title: "Evaluation on " + plainName(e.Source), Lead: e.lead(), Facts: e.facts(), Glance: e.lookAtRates()}
	err := add(&page, e.advice, e.errors, e.confusion, e.images, e.probabilities, e.choices, e.repeat)
	return page, err
}

// facts returns the results, and then the data of the measurement.
func (e Evaluation) facts() []report.Fact {
	first := e.Results[0]
	f1, _ := selection.MeanSD(e.Results, selection.Result.MacroF1)
	area, _ := selection.MeanSD(e.Results, func(r selection.Result) float64 { return r.AUC })
	mean, sd := selection.MeanSD(e.Results, func(r selection.Result) float64 { return r.Unlabelled })
	svm, _ := selection.MeanSD(e.Results, func(r selection.Result) float64 { return r.BaselineUnlabelled })
	expected := percent(mean) + " %"
	if len(e.Results) > 1 {
		expected += ", standard deviation " + percent(sd)
	}
	facts := []report.Fact{{Name: "Error", Value: expected}}
	if mean, _ := selection.MeanSD(e.Results, func(r selection.Result) float64 { return r.Ranks.Unlabelled }); e.kind().Ordered() {
		facts = append(facts, report.Fact{Name: "Mean distance in ranks", Value: number(mean)})
	}
	if e.baseline() && len(e.Data.Classes) > 1 {
		facts = append(facts, report.Fact{Name: "Error of an SVM", Value: percent(svm) + " %"}, report.Fact{Name: "Better than an SVM?", Value: e.better()})
	}
	return append(facts,
		report.Fact{Name: "F1, area under the ROC curve, means of the classes", Value: number(f1) + ", " + number(area)},
		report.Fact{Name: "Rows, features", Value: whole(len(e.Data.Y)) + ", " + whole(e.Data.Points.Dim())},
		report.Fact{Name: "Labels kept, hidden", Value: whole(first.Labelled) + ", " + whole(first.Hidden)},
		report.Fact{Name: "For validation, for testing", Value: whole(first.ValidationSize) + ", " + whole(first.Tested)},
		report.Fact{Name: "Repeats", Value: whole(len(e.Results))},
		report.Fact{Name: "Time, most memory", Value: seconds(e.Seconds) + " s, " + size.Text(e.PeakBytes)})
}

// better says in a few words whether the model is better than an SVM on the labels alone.
func (e Evaluation) better() string {
	g := selection.Gain(e.Results)
	if g.Verdict == "" {
		return "it is one: unlabelled points took no part"
	}
	return better(g.Verdict, g.Mean, g.Error, e.kind().Repeated(), count(len(e.Results), "repeat cannot tell", "repeats cannot tell"))
}

// advice returns the next steps, where labels were hidden.
func (e Evaluation) advice() (report.Section, error) {
	if e.Results[0].Hidden == 0 {
		return report.Section{}, nil
	}
	var list []string
	if e.baseline() && len(e.Data.Classes) > 1 {
		switch selection.Gain(e.Results).Verdict {
		case lapsvm.Harms:
			list = append(list, "Leave the unlabelled points out, by --gamma-i 0, or look at the neighbour graph by lapsvm graph: it may join what does not belong together.")
		case lapsvm.CannotBeTold:
			list = append(list, "More --repeats, each of which draws other labels, may tell whether the unlabelled points help.")
		}
	}
	list = append(list, "To see what more labels would bring, give a larger --labelled. Where labels can be had, lapsvm suggest names rows that are likely to teach much.",
		"The model to use is trained with all labels there are: lapsvm train.")
	return report.Section{Title: "What to do next", Text: list}, nil
}

func (e Evaluation) repeat() (report.Section, error) {
	if e.Command == "" {
		return report.Section{}, nil
	}
	return report.Section{Title: "To repeat it", Code: e.Command,
		Text: []string{"The splits depend on the seed alone. What is auto is chosen anew in every repeat, by its own labels."}}, nil
}

// kind is what the labels are.
func (e Evaluation) kind() answer.Kind { return answer.KindOf(e.Results[0].Recipe.Kind) }

func (e Evaluation) baseline() bool { return e.Results[0].BaselineConfusion != nil }

func (e Evaluation) lead() string {
	mean, sd := selection.MeanSD(e.Results, func(r selection.Result) float64 { return r.Unlabelled })
	if math.IsNaN(mean) {
		return "No label was hidden: there is nothing to measure on."
	}
	text := fmt.Sprintf("With %s, %s %% of the hidden labels are predicted wrongly", count(e.Results[0].Labelled, "label", "labels"), percent(mean))
	if len(e.Results) > 1 {
		text += fmt.Sprintf(" (standard deviation %s over %d repeats)", percent(sd), len(e.Results))
	}
	if len(e.Data.Classes) == 1 {
		return text + ". All these points belong to the class. A machine that calls every point inside makes no error on them, so the error does not measure what the machine lets in."
	}
	if !e.baseline() {
		return text + "."
	}
	other, _ := selection.MeanSD(e.Results, func(r selection.Result) float64 { return r.BaselineUnlabelled })
	text += fmt.Sprintf("; by an SVM on the labels alone %s %%.", percent(other))
	if said := RepeatsTell(e.Results); said != "" {
		text += " " + said + "."
	}
	return text
}

// RepeatsTell says in a sentence without its stop what repeats tell of the unlabelled points; "" where these
// took no part, or without an SVM beside.
func RepeatsTell(results []selection.Result) string {
	g := selection.Gain(results)
	if g.Verdict == "" {
		return ""
	}
	return Verdict(g.Verdict, g.Mean, g.Error, answer.KindOf(results[0].Recipe.Kind).Repeated(), count(len(results), "repeat", "repeats"))
}

// measure is a column of a table of repeats.
type measure struct {
	title string
	get   func(selection.Result) float64
}

// errors are those of every repeat, with the difference to the baseline.
func (e Evaluation) errors() (report.Section, error) {
	columns := []measure{
		{"unlabelled", func(r selection.Result) float64 { return r.Unlabelled }},
		{"validation", func(r selection.Result) float64 { return r.Validation }},
		{"test", func(r selection.Result) float64 { return r.Test }},
		{"SVM: unlabelled", func(r selection.Result) float64 { return r.BaselineUnlabelled }},
		{"SVM: test", func(r selection.Result) float64 { return r.BaselineTest }},
		{"fewer than the SVM", func(r selection.Result) float64 { return r.BaselineUnlabelled - r.Unlabelled }},
	}
	columns = slices.DeleteFunc(columns, func(c measure) bool {
		mean, _ := selection.MeanSD(e.Results, c.get)
		return math.IsNaN(mean)
	})
	t := report.Table{Name: "errors", Title: "Errors of the repeats", Caption: "Percent of the rows, on the unlabelled points of the training, on validation points and on test points that the training never saw.",
		Header: []string{"repeat"}}
	for _, c := range columns {
		t.Header = append(t.Header, c.title)
	}
	t.Header = append(t.Header, "iterations", "seconds")
	means, deviation := headed("mean"), headed("standard deviation")
	for _, c := range columns {
		m, sd := selection.MeanSD(e.Results, c.get)
		means, deviation = append(means, cells(percent(m))...), append(deviation, cells(percent(sd))...)
	}
	iterations, iterationsSD := selection.MeanSD(e.Results, func(r selection.Result) float64 { return r.Training.Iterations })
	elapsed, elapsedSD := selection.MeanSD(e.Results, func(r selection.Result) float64 { return r.Seconds })
	t.Rows = append(t.Rows, append(means, cells(number(iterations), seconds(elapsed))...))
	if len(e.Results) > 1 {
		t.Rows = append(t.Rows, append(deviation, cells(number(iterationsSD), seconds(elapsedSD))...))
	}
	for _, r := range e.Results {
		row := headed(whole(r.Repeat))
		for _, c := range columns {
			row = append(row, cells(percent(c.get(r)))...)
		}
		t.Rows = append(t.Rows, append(row, cells(number(r.Training.Iterations), seconds(r.Seconds))...))
	}
	s := report.Section{Title: "Errors", Tables: []report.Table{t}}
	if len(e.Results) < 2 || math.IsNaN(e.Results[0].Unlabelled) {
		return s, nil
	}
	curve := func(name string, get func(selection.Result) float64) report.Curve {
		c := report.Curve{Name: name}
		for _, r := range e.Results {
			c.X, c.Y = append(c.X, float64(r.Repeat)), append(c.Y, get(r))
		}
		return c
	}
	chart := report.Chart{XTitle: "repeat", WholeX: true, YTitle: "wrong on unlabelled points, %", Dots: true, Curves: []report.Curve{curve("model", func(r selection.Result) float64 { return r.Unlabelled })}}
	if e.baseline() {
		chart.Curves = append(chart.Curves, curve("SVM on the labels", func(r selection.Result) float64 { return r.BaselineUnlabelled }))
	}
	figure, err := draw("errors-chart", "Errors, repeat by repeat", "On the hidden labels.", chart)
	if err != nil {
		return s, err
	}
	s.Figures = append(s.Figures, figure)
	if !e.baseline() {
		return s, nil
	}
	g, in := selection.Gain(e.Results), e.kind().Repeated()
	figure, err = draw("difference", "Difference to the SVM, repeat by repeat",
		fmt.Sprintf("Above 0 predictions are better with the unlabelled points. Mean %.3g, its 95 %% interval from %.3g to %.3g %s.", g.Mean, g.Low, g.High, in.Name),
		report.Chart{XTitle: "repeat", WholeX: true, YTitle: in.Gain + " than the SVM, " + in.Name, Dots: true,
			Curves: []report.Curve{curve("difference", selection.Result.Gain)},
			Levels: []report.Level{{Name: "no difference", At: 0}, {Name: "mean", At: g.Mean}}})
	s.Figures = append(s.Figures, figure)
	return s, err
}

// What a page shows of a confusion.
const (
	matrixClasses = 15 // most classes of a matrix
	pairsShown    = 20
)

// mean writes a mean of counts.
func mean(sum, repeats int) string {
	if repeats == 1 {
		return whole(sum)
	}
	return strconv.FormatFloat(float64(sum)/float64(repeats), 'f', 1, 64)
}

// confusion is the mean confusion on the hidden labels, and rates by class.
func (e Evaluation) confusion() (report.Section, error) {
	classes, repeats := e.Data.Classes, len(e.Results)
	model := selection.Pooled(e.Results, func(r selection.Result) [][]int { return r.Confusion })
	var svm [][]int
	if e.baseline() {
		svm = selection.Pooled(e.Results, func(r selection.Result) [][]int { return r.BaselineConfusion })
	}
	hidden := 0
	for _, row := range model {
		hidden += total(row)
	}
	if hidden == 0 {
		return report.Section{}, nil
	}
	s := report.Section{Title: "Classes", Tables: []report.Table{classRates(classes, model, svm, repeats)}}
	if len(classes) <= matrixClasses {
		s.Tables = append(s.Tables, confusionMatrix(classes, model, repeats))
	}
	if len(classes) > 2 {
		s.Tables = append(s.Tables, confused(classes, model, repeats)...)
	}
	return s, nil
}

func total(counts []int) int {
	sum := 0
	for _, n := range counts {
		sum += n
	}
	return sum
}

// classRates lists recall, precision and F1 by class, those of the SVM too where it
// has any.
func classRates(classes []string, model, svm [][]int, repeats int) report.Table {
	t := report.Table{Name: "class-rates", Title: "Rates by class", Caption: "On the hidden labels of all repeats. Recall is the share of the rows of the class that are predicted as the class. Precision is the share of these predictions that are right. F1 is the harmonic mean of both.",
		Header: []string{"class", "hidden labels, mean", "recall, %", "precision, %", "F1, %"}}
	if svm != nil {
		t.Header = append(t.Header, "SVM: recall, %", "SVM: precision, %", "SVM: F1, %")
	}
	shares := func(r selection.ClassRates) []report.Cell {
		return cells(percent(100*r.Recall), percent(100*r.Precision), percent(100*r.F1))
	}
	rates, beside := selection.RatesOf(model), selection.RatesOf(svm)
	for c, class := range classes {
		row := append(headed(plainName(class), mean(rates[c].Rows, repeats)), shares(rates[c])...)
		if svm != nil {
			row = append(row, shares(beside[c])...)
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// confusionMatrix shows a summed confusion as means. The column of points outside
// of all classes is there only if there are some.
func confusionMatrix(classes []string, m [][]int, repeats int) report.Table {
	t := report.Table{Name: "confusion", Title: "Confusion", Caption: "Hidden labels in rows, predictions in columns: mean number over the repeats.", Header: []string{"class"}}
	outside := 0
	for c, class := range classes {
		t.Header = append(t.Header, plainName(class))
		outside += m[c][len(classes)]
	}
	shown := len(classes)
	if outside > 0 {
		t.Header = append(t.Header, "outside")
		shown++
	}
	for c, class := range classes {
		row := headed(plainName(class))
		for k, n := range m[c][:shown] {
			cell := report.Cell{Text: mean(n, repeats)}
			if k == c {
				cell.Mark = report.Agrees
			}
			row = append(row, cell)
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// confused lists the most frequent confusions; nothing where there are none.
func confused(classes []string, m [][]int, repeats int) []report.Table {
	type pair struct{ truth, predicted, n int }
	var pairs []pair
	for truth, row := range m {
		for predicted, n := range row[:len(classes)] {
			if n > 0 && truth != predicted {
				pairs = append(pairs, pair{truth, predicted, n})
			}
		}
	}
	if len(pairs) == 0 {
		return nil
	}
	slices.SortStableFunc(pairs, func(a, b pair) int { return cmp.Compare(b.n, a.n) })
	t := report.Table{Name: "confused", Title: "Most frequent confusions", Header: []string{"class", "predicted", "mean number"}}
	if len(pairs) > pairsShown {
		t.Note = fmt.Sprintf("The first %d of %d.", pairsShown, len(pairs))
		pairs = pairs[:pairsShown]
	}
	for _, p := range pairs {
		t.Rows = append(t.Rows, cells(plainName(classes[p.truth]), plainName(classes[p.predicted]), mean(p.n, repeats)))
	}
	return []report.Table{t}
}

// probabilities shows how reliable they are on the hidden labels of all
// repeats.
func (e Evaluation) probabilities() (report.Section, error) {
	all := e.bins()
	if all == nil {
		return report.Section{}, nil
	}
	figure, table, err := reliability("hidden", "hidden labels", all)
	return report.Section{Title: "Probabilities", Tables: []report.Table{table}, Figures: []report.Figure{figure},
		Text: []string{fmt.Sprintf("On the hidden labels of all repeats, which no training saw. The mean distance of probabilities from how often they are right is %s percent points. Rows of one repeat stand or fall together, so the intervals are too narrow.",
			percent(100*calibrate.CalibrationError(all)))}}, err
}

// bins are the predictions of all repeats by their probability, nil without any.
func (e Evaluation) bins() (all []calibrate.Bin) {
	total := 0
	for _, r := range e.Results {
		if all == nil {
			all = make([]calibrate.Bin, len(r.Reliability))
		}
		for k, b := range r.Reliability {
			all[k].Low, all[k].High = b.Low, b.High
			all[k].Count += b.Count
			all[k].Right += b.Right
			all[k].Sum += b.Sum
			total += b.Count
		}
	}
	if total == 0 {
		return nil
	}
	return all
}

// choices are the parameters of every repeat.
func (e Evaluation) choices() (report.Section, error) {
	t := report.Table{Name: "choices", Title: "Parameters of the repeats", Caption: "Errors are those on held-out labels, in percent.",
		Header: []string{"repeat", "σ", "neighbours", "degree", "γA", "γI", "averaged", "wrong", "SVM wrong"}}
	reason := ""
	for _, r := range e.Results {
		c := r.Recipe.Choice
		if c == nil {
			return report.Section{}, nil
		}
		reason = c.Reason
		positive := func(v float64, text string) string {
			if v == 0 {
				return "–"
			}
			return text
		}
		wrong, svm := "–", "–"
		if c.Expected != nil {
			wrong, svm = percent(c.Expected.Error), percent(c.Expected.SupervisedError)
		}
		t.Rows = append(t.Rows, headed(whole(r.Repeat), positive(c.Sigma, number(c.Sigma)), positive(float64(c.Neighbours), whole(c.Neighbours)),
			positive(float64(c.LaplacianDegree), whole(c.LaplacianDegree)), number(c.GammaA), number(c.GammaI), positive(float64(c.Averaged), whole(c.Averaged)), wrong, svm))
	}
	return report.Section{Title: "What was chosen", Tables: []report.Table{t}, Text: []string{fmt.Sprintf("In the last repeat by %s.", reason)}}, nil
}
