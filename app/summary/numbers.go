package summary

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"

	"lapsvm"
	"lapsvm/app/answer"
	"lapsvm/app/report"
	"lapsvm/internal/machines/selection"
	"lapsvm/internal/system/size"
)

// digits writes a number of a regression with four figures.
func digits(v float64) string { return strconv.FormatFloat(v, 'g', 4, 64) }

// numbersPage makes the page of a regression.
func (f *trainingPage) numbersPage(ctx context.Context) (report.Page, error) {
	f.findings, f.open = Findings(ctx, f.Model, f.Data, nil, name), f.Data.Unlabelled()
	page := report.Page{Title: "Training on " + plainName(f.Source), Lead: NothingHeldOut, Facts: f.numbersFacts()}
	if c := f.recipe.Choice; c != nil && c.Numbers != nil {
		page.Lead = fmt.Sprintf("Expect a root mean squared error of %s on new points like the labelled ones, and with 95 %% confidence between %s and %s: that is the error on %s.",
			digits(c.Numbers.RMSE), digits(c.Numbers.RMSELow), digits(c.Numbers.RMSEHigh), count(c.Labels, "held-out label", "held-out labels"))
	}
	if f.recipe.Supervised {
		page.Lead += " The model is of the labels alone: the unlabelled points take no part."
	} else if verdict := ChoiceVerdict(f.recipe, len(f.open)); len(verdict) > 1 {
		page.Lead += " " + verdict[1]
	}
	why := func() (report.Section, error) { return f.why(ctx, f.some()) }
	leftOut, err := f.leftOut()
	if err != nil {
		return report.Page{}, err
	}
	if page.Glance, err = f.lookAtNumbers(ctx, leftOut.Figures); err != nil {
		return report.Page{}, err
	}
	leftOut.Figures = nil
	err = add(&page, f.numbersAdvice, func() (report.Section, error) { return leftOut, nil }, f.numberColumns, why, f.parameters, f.neighbours, f.solver, f.costs, f.repeat)
	return page, err
}

func (f *trainingPage) numbersFacts() []report.Fact {
	expected, alone := "not known", "not known"
	if c := f.recipe.Choice; c != nil && c.Numbers != nil {
		expected, alone = fmt.Sprintf("%s, from %s to %s", digits(c.Numbers.RMSE), digits(c.Numbers.RMSELow), digits(c.Numbers.RMSEHigh)), digits(c.Numbers.SupervisedRMSE)
	}
	return append([]report.Fact{{Name: "Expected root mean squared error", Value: expected}, {Name: "Expected of a machine without the unlabelled points", Value: alone}},
		f.known("Labels", whole(f.summary.Labelled))...)
}

func (f *trainingPage) numbersAdvice() (report.Section, error) {
	return report.Section{Title: "What to do next", Text: append(f.firstSteps("More labels tell more of the error, and mostly make it smaller. lapsvm suggest --regression names rows whose labels are likely to teach much."), "lapsvm audit --regression lists labels that look wrong.",
		"The model predicts new rows by lapsvm predict; --interval 0.9 says how sure it is of each.")}, nil
}

// farthest is how many labels a table lists.
const farthest = 10

// leftOut compares the labels with what machines without them predict.
func (f *trainingPage) leftOut() (report.Section, error) {
	left := f.summary.LeftOut
	if left == nil {
		return report.Section{}, nil
	}
	rows := f.Data.Labelled()
	all, err := f.Data.Numbers()
	if err != nil {
		return report.Section{}, err
	}
	truth := make([]float64, len(rows))
	order := make([]int, len(rows))
	for k, i := range rows {
		truth[k], order[k] = all[i], k
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(math.Abs(truth[b]-left[b]), math.Abs(truth[a]-left[a])) })
	t := report.Table{Name: "farthest", Title: "Labels farthest from their predictions", Header: []string{"row", "label", "without it", "difference"}}
	for _, k := range order[:min(len(order), farthest)] {
		t.Rows = append(t.Rows, headedByRow(f.Data, rows[k], digits(truth[k]), digits(left[k]), digits(truth[k]-left[k])))
	}
	e := selection.ErrorsOf(truth, left)
	figure, err := predictedByTrue("labels left out", truth, left)
	return report.Section{Title: "Labels left out", Figures: []report.Figure{figure}, Tables: []report.Table{t},
		Text: []string{fmt.Sprintf("Each label is predicted by the machine trained without it. The root mean squared error is %s, the mean absolute error %s, and R² %s. These labels have chosen the parameters, so new points have somewhat larger errors.",
			digits(e.RMSE), digits(e.MAE), digits(e.R2))}}, err
}

// predictedByTrue draws predictions over true numbers, with the line of equal ones.
func predictedByTrue(what string, truth, predicted []float64) (report.Figure, error) {
	low, high := min(slices.Min(truth), slices.Min(predicted)), max(slices.Max(truth), slices.Max(predicted))
	const steps = 40
	line := report.Curve{Name: "equal"}
	for k := range steps + 1 {
		at := low + (high-low)*float64(k)/steps
		line.X, line.Y = append(line.X, at), append(line.Y, at)
	}
	return draw("predicted", "Predicted by true", "Predictions of "+what+" over the true numbers: points on the line of equal ones are right.",
		report.Chart{XTitle: "true", YTitle: "predicted", Dots: true, Curves: []report.Curve{{Name: what, X: truth, Y: predicted}, line}})
}

// numberColumns lists what the columns of a table do to numbers.
func (f *trainingPage) numberColumns() (report.Section, error) {
	all := f.Model.Importance()
	if all == nil {
		return report.Section{}, nil
	}
	t := report.Table{Name: "columns", Title: "Effects of columns", Caption: "Mean change of the number.", Header: []string{"column", "as usual", "effect", "direction"}}
	for _, i := range all {
		t.Rows = append(t.Rows, headed(plainName(i.Column), plainName(i.Usual), fmt.Sprintf("%.3g", i.Effect), escaped(answer.Direction(f.Model, i))))
	}
	text := "One column of each row is set to what is usual in it, and the row is predicted again: the median of a number, the commonest value of a category, no word of a text, the mean of vectors."
	return report.Section{Title: "What the columns do", Text: []string{text}, Tables: []report.Table{t}}, nil
}

// numbersPage makes the page of an evaluation of a regression.
func (e Evaluation) numbersPage() (report.Page, error) {
	rmse, sd := selection.MeanSD(e.Results, func(r selection.Result) float64 { return r.Numbers.Hidden.RMSE })
	alone, _ := selection.MeanSD(e.Results, func(r selection.Result) float64 { return r.Numbers.Supervised.RMSE })
	page := report.Page{Title: "Evaluation on " + plainName(e.Source), Lead: "No label was hidden: there is nothing to measure on."}
	first := e.Results[0]
	if !math.IsNaN(rmse) {
		page.Lead = fmt.Sprintf("With %s, the root mean squared error on the hidden labels is %s", count(first.Labelled, "label", "labels"), digits(rmse))
		if len(e.Results) > 1 {
			page.Lead += fmt.Sprintf(" (standard deviation %s over %d repeats)", digits(sd), len(e.Results))
		}
		if page.Lead += "."; !math.IsNaN(alone) {
			page.Lead = page.Lead[:len(page.Lead)-1] + fmt.Sprintf("; without the unlabelled points %s.", digits(alone))
		}
	}
	page.Facts = []report.Fact{
		{Name: "Rows, features", Value: whole(len(e.Data.Y)) + ", " + whole(e.Data.Points.Dim())},
		{Name: "Labels kept, hidden", Value: whole(first.Labelled) + ", " + whole(first.Hidden)},
		{Name: "Repeats", Value: whole(len(e.Results))},
		{Name: "Time, most memory", Value: seconds(e.Seconds) + " s, " + size.Text(e.PeakBytes)},
	}
	predicted, err := e.predicted()
	if err != nil {
		return page, err
	}
	page.Glance = append(predicted, e.lookAtErrors()...)
	return page, add(&page, e.numberErrors, e.repeat)
}

// besideNumbers are the machines of an evaluation of a regression.
var besideNumbers = []struct {
	name string
	of   func(n *selection.NumbersResult) selection.NumberErrors
}{
	{"the model", func(n *selection.NumbersResult) selection.NumberErrors { return n.Hidden }},
	{"without the unlabelled points", func(n *selection.NumbersResult) selection.NumberErrors { return n.Supervised }},
	{"ridge regression", func(n *selection.NumbersResult) selection.NumberErrors { return n.Ridge }},
	{"the mean of the labels", func(n *selection.NumbersResult) selection.NumberErrors { return n.Mean }},
}

// lookAtErrors draws the root mean squared errors of an evaluation.
func (e Evaluation) lookAtErrors() []report.Figure {
	var b report.Bars
	for _, other := range besideNumbers {
		if v, _ := selection.MeanSD(e.Results, func(r selection.Result) float64 { return other.of(r.Numbers).RMSE }); !math.IsNaN(v) {
			b.Bars = append(b.Bars, report.Bar{Name: other.name, Value: v, Text: digits(v), Group: report.Others})
		}
	}
	if b.Bars == nil {
		return nil
	}
	return []report.Figure{b.Draw(report.Figure{Name: "errors-bars", Title: "Root mean squared errors", Caption: "On the hidden labels, means of the repeats: the shorter the better."})}
}

// numberErrors lists the errors beside those of other methods.
func (e Evaluation) numberErrors() (report.Section, error) {
	t := report.Table{Name: "errors", Title: "Errors on the hidden labels", Header: []string{"machine", "RMSE", "mean absolute error", "R²"},
		Caption: "Means of the repeats."}
	for _, other := range besideNumbers {
		mean := func(of func(e selection.NumberErrors) float64) string {
			v, _ := selection.MeanSD(e.Results, func(r selection.Result) float64 { return of(other.of(r.Numbers)) })
			if math.IsNaN(v) {
				return "–"
			}
			return digits(v)
		}
		t.Rows = append(t.Rows, headed(other.name, mean(func(e selection.NumberErrors) float64 { return e.RMSE }),
			mean(func(e selection.NumberErrors) float64 { return e.MAE }), mean(func(e selection.NumberErrors) float64 { return e.R2 })))
	}
	s := report.Section{Title: "Errors", Tables: []report.Table{t}}
	coverage, _ := selection.MeanSD(e.Results, func(r selection.Result) float64 { return r.Numbers.Coverage })
	wide, _ := selection.MeanSD(e.Results, func(r selection.Result) float64 { return r.Numbers.Width })
	if !math.IsNaN(coverage) {
		s.Text = []string{fmt.Sprintf("Intervals of %g %% hold %.3g %% of the hidden labels. Their mean width is %s.", 100*selection.CoverageLevel, 100*coverage, digits(wide))}
	}
	return s, nil
}

// predicted draws the predictions of the first repeat.
func (e Evaluation) predicted() ([]report.Figure, error) {
	n := e.Results[0].Numbers
	if len(n.True) == 0 {
		return nil, nil
	}
	figure, err := predictedByTrue("hidden labels of repeat 1", n.True, n.Predicted)
	return []report.Figure{figure}, err
}

// labelCounts are the labels of a component of the graph: by class, or together where they are numbers or list several classes.
func labelCounts(m *lapsvm.Model, counts []int) []string {
	var labels []string
	for class, n := range counts {
		if n > 0 {
			labels = append(labels, kindOf(m.Kind()).labels(m, class, n))
		}
	}
	return labels
}
