package answer

import (
	"cmp"
	"context"
	"fmt"

	"lapsvm"
	"lapsvm/dataset"
	"lapsvm/internal/machines/selection"
	"lapsvm/internal/machines/train"
	"lapsvm/points"
)

// numbers is labels that are numbers. Of what classes answer nothing else is asked.
type numbers struct{ classes }

func (numbers) Classes() bool { return false }
func (numbers) Single() bool  { return false }

func (numbers) Refuses(o Output) Refusal {
	switch o {
	case OfScores, OfProbabilities:
		return Refusal{File: "%s predicts numbers, which have no decision values or probabilities beside them: leave --scores and --proba out",
			Server: "%s predicts numbers, which have no scores or probabilities beside them: ask for an interval"}
	case OfSets:
		return Refusal{File: "%s predicts numbers, and --set is for classes: take --interval", Recipe: "%s is for classes: leave it out with --regression, which measures intervals"}
	case OfLikeliest:
		return Refusal{File: "%s predicts numbers, and --top and --threshold are for classes: leave them out", Server: "%s predicts numbers, and top and threshold are for classes: leave them out"}
	case OfFolders:
		return Refusal{File: "%s predicts numbers, which are no folders to sort into: leave --sort-into out"}
	}
	return Refusal{}
}

func (numbers) Tensors(int) []Tensor {
	return []Tensor{{Name: "value", Datatype: "FP64"}, {"low", "FP64", 0, OfIntervals}, {"high", "FP64", 0, OfIntervals}}
}

func (numbers) Labels(int) (trained, column string) { return "with numbers", "numbers" }

func (numbers) Listed(string) string { return "none: the labels are numbers" }

func (numbers) Seen(t lapsvm.Training) (line, clause string) {
	return fmt.Sprintf("root mean squared error on the labelled points %.4g", t.TrainingRMSE), fmt.Sprintf("the root mean squared error of the labels it saw is %.4g", t.TrainingRMSE)
}

func (numbers) Expected(_ *lapsvm.Expected, n *lapsvm.ExpectedNumbers, held string) string {
	if n == nil {
		return ""
	}
	return fmt.Sprintf("root mean squared error %.4g of %s, each predicted by machines chosen and trained without it; so that of points like these is between about %.3g and %.3g (95 %% confidence). Supervised machine chosen the same way: %.4g.",
		n.RMSE, held, n.RMSELow, n.RMSEHigh, n.SupervisedRMSE)
}

func (numbers) Tuned(r lapsvm.Recipe) Tuned {
	return Tuned{What: "root mean squared error", Title: "root mean squared error of %d held-out labels", Criterion: string(cmp.Or(r.Criterion, lapsvm.MeanSquared)) + " error", Machine: "machine", Cell: "%.4g", Error: "RMSE %.4g"}
}

func (numbers) Measures(bool) []Measure {
	return []Measure{
		{"rmse", "root mean squared error", func(r selection.Result) float64 { return r.Numbers.Hidden.RMSE }},
		{"mae", "mean absolute error", func(r selection.Result) float64 { return r.Numbers.Hidden.MAE }},
		{"r2", "R²", func(r selection.Result) float64 { return r.Numbers.Hidden.R2 }},
		{"coverage", "share of labels in their 90 % intervals", func(r selection.Result) float64 { return r.Numbers.Coverage }},
		{"width", "mean width of these intervals", func(r selection.Result) float64 { return r.Numbers.Width }},
		{"rmse_validation", "RMSE, validation", func(r selection.Result) float64 { return r.Numbers.Validation.RMSE }},
		{"rmse_test", "RMSE, test", func(r selection.Result) float64 { return r.Numbers.Test.RMSE }},
		{"rmse_supervised", "RMSE without the unlabelled points", func(r selection.Result) float64 { return r.Numbers.Supervised.RMSE }},
		{"rmse_ridge", "RMSE of ridge regression", func(r selection.Result) float64 { return r.Numbers.Ridge.RMSE }},
		{"rmse_mean", "RMSE of the mean of the labels", func(r selection.Result) float64 { return r.Numbers.Mean.RMSE }},
	}
}

func (numbers) Erred(r selection.Result) string {
	return fmt.Sprintf("an RMSE of %.3g", r.Numbers.Hidden.RMSE)
}

func (numbers) Sums(parts string, _ []string) string {
	return fmt.Sprintf("The number of a row is the sum of %s.", parts)
}

func (numbers) Explained(x lapsvm.ShareExplanation, _, _ string) string {
	return fmt.Sprintf("%.6g", x.Value)
}

func (numbers) Decided(x lapsvm.Explanation, _, _ string) (text string, way float64) {
	if x.Value < x.Usual {
		way = -1
	} else {
		way = 1
	}
	return fmt.Sprintf("%.6g (usual %.6g)", x.Value, x.Usual), way
}

func (numbers) Against(string) string { return "" }

func (numbers) decide(ctx context.Context, m *lapsvm.Model, x *points.Points, scores [][]float64, level float64, p *Predictions) error {
	if p.Values = train.ValuesOf(scores); level == 0 {
		return nil
	}
	x, err := m.Predictor().Describe(ctx, x)
	if err == nil {
		p.Low, p.High, err = m.Predictor().IntervalsAt(ctx, x, p.Values, level)
	}
	return err
}

func (numbers) has(*Predictions, int) []int { return nil }

func (numbers) collect(ctx context.Context, d *dataset.Dataset, rows []int, p *Predictions) (err error) {
	for k, own := range []*[]float64{&p.Values, &p.Low, &p.High} {
		if k > 0 && *own == nil { // not asked for
			continue
		}
		if *own, err = dataset.Collect(ctx, d, rows, *own, 1); err != nil {
			return err
		}
	}
	return nil
}

func (numbers) series(p *Predictions) []dataset.Series {
	result := []dataset.Series{{Name: p.answerName("value"), Numbers: p.Values}}
	if p.Low != nil {
		result = append(result, dataset.Series{Name: "low", Numbers: p.Low}, dataset.Series{Name: "high", Numbers: p.High})
	}
	return result
}

// class takes the place of a class: models do not keep the numbers of labels.
func (numbers) class(*Predictions, int) string { return "number" }

func (numbers) label(p *Predictions, row int) string { return full(p.Values[row]) }
