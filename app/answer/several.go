package answer

import (
	"context"
	"fmt"
	"slices"

	"lapsvm"
	"lapsvm/dataset"
	"lapsvm/internal/machines/selection"
	"lapsvm/points"
)

// several is labels that list any number of classes.
type several struct{ classes }

func (several) Single() bool { return false }
func (several) Each() bool   { return true }

func (s several) Refuses(o Output) Refusal {
	switch o {
	case OfFolders:
		return Refusal{File: "a row may have several classes of %s, and so several folders: leave --sort-into out"}
	case OfValidation:
		return Refusal{Recipe: "%s is of rows of one class, which those of --multi-label are not: leave it out, and labels are held out"}
	}
	return s.classes.Refuses(o)
}

func (several) Tensors(n int) []Tensor {
	return []Tensor{{Name: "labels", Datatype: "INT64", Columns: n}, {Name: "scores", Datatype: "FP64", Columns: n}, {"probabilities", "FP64", n, OfProbabilities}}
}

func (s several) Labels(n int) (trained, column string) {
	return count(n, "class", "classes") + ", several at once", "lists of classes"
}

func (several) Listed(names string) string { return names + "; a row may have several" }

func (several) Seen(t lapsvm.Training) (line, clause string) {
	return fmt.Sprintf("wrong answers for the classes of labelled points %.4g %%", t.TrainingError), fmt.Sprintf("%.2f %% of the answers for the classes of labels it saw are wrong", t.TrainingError)
}

func (several) Expected(e *lapsvm.Expected, _ *lapsvm.ExpectedNumbers, held string) string {
	return expected(e, "the answers of "+held, "each label", "the error of answers")
}

func (s several) Tuned(r lapsvm.Recipe) Tuned {
	t := s.classes.Tuned(r)
	t.What, t.Title = "wrong answers in percent, one for each class,", "wrong answers of %d held-out labels, one for each class, in percent"
	return t
}

func (several) Measures(baseline bool) []Measure {
	all := []Measure{
		{"error_unlabelled", "answers whether a row has a class, unlabelled", func(r selection.Result) float64 { return r.Unlabelled }},
		{"error_test", "answers, test", func(r selection.Result) float64 { return r.Test }},
		{"error_baseline_unlabelled", "SVM: answers, unlabelled", func(r selection.Result) float64 { return r.BaselineUnlabelled }},
		{"f1_micro", "F1, all classes together", func(r selection.Result) float64 { return r.Several.MicroF1 }},
		{"f1_macro", "F1, mean of classes", func(r selection.Result) float64 { return r.Several.MacroF1 }},
		{"subset_accuracy", "share of rows with all classes right", func(r selection.Result) float64 { return r.Several.Subset }},
		{"ranking", "precision of the ranking of classes", func(r selection.Result) float64 { return r.Several.Ranking }},
		{"set_coverage", "share of answers that sets do not deny", func(r selection.Result) float64 { return r.Sets.Coverage }},
		{"set_told", "share of answers that sets tell", func(r selection.Result) float64 { return r.Sets.Told }},
		{"set_size", "classes that a row may have, mean", func(r selection.Result) float64 { return r.Sets.Size }},
		{"set_sure", "classes that a row surely has, mean", func(r selection.Result) float64 { return r.Sets.Sure }},
	}
	if baseline {
		all = append(all, Measure{"f1_micro_baseline", "SVM: F1, all classes together", func(r selection.Result) float64 { return r.BaselineSeveral.MicroF1 }},
			Measure{"f1_macro_baseline", "SVM: F1, mean of classes", func(r selection.Result) float64 { return r.BaselineSeveral.MacroF1 }},
			Measure{"subset_accuracy_baseline", "SVM: share of rows with all classes right", func(r selection.Result) float64 { return r.BaselineSeveral.Subset }},
			Measure{"ranking_baseline", "SVM: precision of the ranking", func(r selection.Result) float64 { return r.BaselineSeveral.Ranking }})
	}
	return all
}

func (several) Erred(r selection.Result) string {
	return fmt.Sprintf("%.3g %% of the answers wrong", r.Unlabelled)
}

func (several) Sums(parts string, _ []string) string {
	return fmt.Sprintf("Each class of a row has a decision value, the sum of %s.\nA row has the classes whose value is above their limit. What is positive speaks for the class.", parts)
}

func (several) Explained(x lapsvm.ShareExplanation, class, _ string) string {
	has := "lacks"
	if x.Value > x.Limit {
		has = "has"
	}
	return fmt.Sprintf("%s %s, decision value %.6g, limit %.6g", has, class, x.Value, x.Limit)
}

func (s several) Decided(x lapsvm.Explanation, class, _ string) (text string, way float64) {
	if x.Value > x.Limit {
		return class, 1
	}
	return s.Against(class), -1
}

func (several) Against(class string) string { return "not " + class }

func (s several) decide(_ context.Context, m *lapsvm.Model, _ *points.Points, scores [][]float64, _ float64, p *Predictions) error {
	p.Labels, p.Several, p.Separator = m.Decide(scores), m.Predictor().Has(scores), m.Kind().Separator
	return nil
}

func (several) has(p *Predictions, row int) []int { return p.Several[row] }

// collect sends for each row and class whether the row has the class.
func (several) collect(ctx context.Context, d *dataset.Dataset, rows []int, p *Predictions) error {
	width := len(p.Classes)
	own := make([]uint8, width*len(p.Several))
	for i, classes := range p.Several {
		for _, class := range classes {
			own[i*width+class] = 1
		}
	}
	all, err := dataset.Collect(ctx, d, rows, own, width)
	p.Labels, p.Several = slices.Repeat([]int{dataset.Unlabelled}, len(all)/width), make([][]int, len(all)/width)
	for at, has := range all {
		if p.Several[at/width] == nil {
			p.Several[at/width] = []int{}
		}
		if has > 0 {
			p.Several[at/width] = append(p.Several[at/width], at%width)
		}
	}
	return err
}

func (several) scored(classes []string) (names []string, which []int) { return scoredEach(classes) }

func (s several) label(p *Predictions, row int) string { return s.joined(p, p.Several[row]) }

func (several) joined(p *Predictions, classes []int) string {
	return dataset.JoinSeveral(p.Names(classes), nil, p.Separator)
}

func (several) result(p *Predictions, r *Result) {
	for _, classes := range p.Several {
		r.LabelSets = append(r.LabelSets, p.Names(classes))
	}
}

func (several) sets(m *lapsvm.Model, p *Predictions, probabilities [][]float64, far []bool, level float64) (err error) {
	p.Sets, p.Sure, err = m.SetsSeveralOf(probabilities, far, level)
	return err
}

// limit leaves the other classes as they are: each is decided for itself.
func (several) limit(_ *lapsvm.Model, p *Predictions, probabilities [][]float64, t Threshold) {
	for i, row := range probabilities {
		at, has := slices.BinarySearch(p.Several[i], t.Class)
		switch wanted := row[t.Class] >= t.Least; {
		case wanted && !has:
			p.Several[i] = slices.Insert(p.Several[i], at, t.Class)
		case has && !wanted:
			p.Several[i] = slices.Delete(p.Several[i], at, at+1)
		}
	}
}

func (several) called(e Shares, x lapsvm.ShareExplanation, label int) string {
	return []string{lapsvm.Lacking: "without ", lapsvm.Having: "with "}[label] + e.Class(x.Class)
}
