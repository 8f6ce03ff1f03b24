package answer

import (
	"fmt"
	"slices"

	"lapsvm"
	"lapsvm/internal/machines/selection"
)

// ordered is labels of one class each, whose classes have ranks. They are listed from the lowest, and errors are distances of ranks.
type ordered struct{ classes }

func (ordered) Ordered() bool { return true }

func (ordered) Labels(n int) (trained, column string) {
	text := count(n, "ordered class", "ordered classes")
	return text, text
}

func (ordered) Listed(names string) string { return names + ", from the lowest to the highest" }

func (ordered) Seen(t lapsvm.Training) (line, clause string) {
	return fmt.Sprintf("mean distance in ranks on the labelled points %.4g, %.4g %% wrong", t.TrainingDistance, t.TrainingError),
		fmt.Sprintf("the mean distance in ranks of the labels it saw is %.4g, and %.2f %% are wrong", t.TrainingDistance, t.TrainingError)
}

func (o ordered) Expected(e *lapsvm.Expected, n *lapsvm.ExpectedNumbers, held string) string {
	if e == nil || e.Ranks == nil {
		return o.classes.Expected(e, n, held)
	}
	return fmt.Sprintf("mean distance in ranks %.3g of %s, and %.3g %% wrong, each predicted by machines chosen and trained without it; so the distance on points like these is between %.2g and %.2g, and the error between %s and %s %% (95 %% confidence). Supervised SVM chosen the same way: %.3g and %.3g %%.",
		e.Ranks.Distance, held, e.Error, e.Ranks.DistanceLow, e.Ranks.DistanceHigh, Rough(e.ErrorLow), Rough(e.ErrorHigh), e.Ranks.SupervisedDistance, e.SupervisedError)
}

func (o ordered) Gain(e *lapsvm.Expected) (gain, standardError float64, in Unit) {
	if e.Ranks == nil { // of two classes
		return o.classes.Gain(e)
	}
	return e.Ranks.Gain, e.Ranks.GainError, o.Repeated()
}

func (ordered) Repeated() Unit {
	return Unit{"ranks", "nearer in the mean", "farther in the mean", "as near in the mean"}
}

func (o ordered) Tuned(r lapsvm.Recipe) Tuned {
	t := o.classes.Tuned(r)
	t.What, t.Title, t.Cell, t.Error = "mean distance in ranks", "mean distance in ranks of %d held-out labels", "%.2f", "mean distance %.3g"
	return t
}

func (o ordered) Measures(baseline bool) []Measure {
	return slices.Concat([]Measure{
		{"rank_distance", "mean distance in ranks", func(r selection.Result) float64 { return r.Ranks.Unlabelled }},
		{"rank_distance_validation", "mean distance, validation", func(r selection.Result) float64 { return r.Ranks.Validation }},
		{"rank_distance_test", "mean distance, test", func(r selection.Result) float64 { return r.Ranks.Test }},
		{"rank_distance_baseline", "SVM: mean distance", func(r selection.Result) float64 { return r.Ranks.BaselineUnlabelled }},
		{"rank_distance_baseline_test", "SVM: mean distance, test", func(r selection.Result) float64 { return r.Ranks.BaselineTest }},
	}, o.classes.Measures(baseline))
}

func (ordered) Erred(r selection.Result) string {
	return fmt.Sprintf("a mean distance of %.3g ranks", r.Ranks.Unlabelled)
}
