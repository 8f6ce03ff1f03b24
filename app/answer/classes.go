package answer

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"lapsvm"
	"lapsvm/dataset"
	"lapsvm/internal/machines/selection"
	"lapsvm/points"
)

// classes is labels of one class each.
type classes struct{}

func (classes) Classes() bool { return true }
func (classes) Single() bool  { return true }
func (classes) Each() bool    { return false }
func (classes) Outside() bool { return false }
func (classes) Ordered() bool { return false }

func (classes) Refuses(o Output) Refusal {
	if o == OfIntervals {
		return Refusal{File: "%s predicts classes, and --interval is for numbers: take --proba", Server: "%s predicts classes, and intervals are of numbers: ask for probabilities"}
	}
	return Refusal{}
}

func (c classes) Tensors(n int) []Tensor {
	columns := n
	if n <= 2 {
		columns = 1
	}
	return []Tensor{{Name: "label", Datatype: "BYTES"}, {Name: "scores", Datatype: "FP64", Columns: columns}, {"probabilities", "FP64", n, OfProbabilities}}
}

func (classes) Labels(n int) (trained, column string) {
	text := count(n, "class", "classes")
	return text, text
}

func (classes) Listed(names string) string { return names }

func (classes) Seen(t lapsvm.Training) (line, clause string) {
	return fmt.Sprintf("error on the labelled points %.4g %%", t.TrainingError), fmt.Sprintf("%.2f %% of the labels it saw are wrong", t.TrainingError)
}

func (classes) Expected(e *lapsvm.Expected, _ *lapsvm.ExpectedNumbers, held string) string {
	return expected(e, held, "each", "the error")
}

// expected says what share of some labels to expect to be wrong, in the words for these labels, for each, and for the share.
func expected(e *lapsvm.Expected, of, each, that string) string {
	if e == nil {
		return ""
	}
	return fmt.Sprintf("%.3g %% of %s wrong, %s predicted by machines chosen and trained without it; so %s on points like these is between %s and %s %% (95 %% confidence). Supervised SVM chosen the same way: %.3g %%.",
		e.Error, of, each, that, Rough(e.ErrorLow), Rough(e.ErrorHigh), e.SupervisedError)
}

func (classes) Gain(e *lapsvm.Expected) (gain, standardError float64, in Unit) {
	return e.Gain, e.GainError, classes{}.Repeated()
}

func (classes) Repeated() Unit {
	return Unit{"percent points", "fewer errors", "more errors", "as many errors"}
}

func (classes) Tuned(lapsvm.Recipe) Tuned {
	return Tuned{What: "error in percent", Title: "wrong of %d held-out labels, in percent", Criterion: "squared hinge", Machine: "SVM", Cell: "%.1f", Error: "%.3g %% wrong"}
}

func (classes) Measures(bool) []Measure {
	return []Measure{
		{"error_unlabelled", "unlabelled", func(r selection.Result) float64 { return r.Unlabelled }},
		{"error_validation", "validation", func(r selection.Result) float64 { return r.Validation }},
		{"error_test", "test", func(r selection.Result) float64 { return r.Test }},
		{"error_baseline_unlabelled", "SVM: unlabelled", func(r selection.Result) float64 { return r.BaselineUnlabelled }},
		{"error_baseline_test", "SVM: test", func(r selection.Result) float64 { return r.BaselineTest }},
		{"error_commonest_unlabelled", "commonest class: unlabelled", selection.Result.Commonest},
		{"f1_macro", "F1, mean of classes", selection.Result.MacroF1},
		{"auc", "area under ROC curve, mean of classes", func(r selection.Result) float64 { return r.AUC }},
		{"set_coverage", "share of labels in their sets", func(r selection.Result) float64 { return r.Sets.Coverage }},
		{"set_size", "classes in a set, mean", func(r selection.Result) float64 { return r.Sets.Size }},
	}
}

func (classes) Erred(r selection.Result) string { return fmt.Sprintf("%.3g %% wrong", r.Unlabelled) }

func (classes) Sums(parts string, classes []string) string {
	text := fmt.Sprintf("The decision value of a row's class is the sum of %s.\nWhat is positive speaks for that class.", parts)
	if len(classes) == 2 {
		text += fmt.Sprintf(" --scores shows the value of %s, which is minus that of %s.", classes[1], classes[0])
	}
	return text
}

func (classes) Explained(x lapsvm.ShareExplanation, _, label string) string {
	return fmt.Sprintf("%s, decision value %.6g", cmp.Or(label, outside), x.Value)
}

func (classes) Decided(_ lapsvm.Explanation, _, label string) (text string, way float64) {
	if label == "" {
		return outside, -1
	}
	return label, 1
}

// outside stands for the label of what is not of the only class.
const outside = "outside"

func (classes) Against(string) string { return outside }

func (classes) decide(_ context.Context, m *lapsvm.Model, _ *points.Points, scores [][]float64, _ float64, p *Predictions) error {
	p.Labels = m.Decide(scores)
	return nil
}

func (classes) has(p *Predictions, row int) []int {
	if p.Labels[row] == dataset.Unlabelled {
		return nil
	}
	return p.Labels[row : row+1]
}

func (classes) collect(ctx context.Context, d *dataset.Dataset, rows []int, p *Predictions) (err error) {
	p.Labels, err = dataset.Collect(ctx, d, rows, p.Labels, 1)
	return err
}

func (classes) scored(classes []string) (names []string, which []int) {
	switch len(classes) {
	case 1:
		return []string{"score"}, []int{0}
	case 2:
		return []string{"score"}, []int{1}
	}
	return scoredEach(classes)
}

// scoredEach returns a column of decision values for each class.
func scoredEach(classes []string) (names []string, which []int) {
	for c, name := range classes {
		names = append(names, "score_"+name)
		which = append(which, c)
	}
	return names, which
}

func (classes) series(p *Predictions) []dataset.Series {
	of := KindOf(p.Kind)
	label := dataset.Series{Name: p.answerName("label"), Text: make([]string, len(p.Labels))}
	for i := range p.Labels {
		label.Text[i] = of.label(p, i)
	}
	result := []dataset.Series{label}
	column := func(name string, rows [][]float64, c int) {
		s := dataset.Series{Name: name, Numbers: make([]float64, len(rows))}
		for i, row := range rows {
			s.Numbers[i] = row[c]
		}
		result = append(result, s)
	}
	if p.Scores != nil {
		names, which := of.scored(p.Classes)
		for k, name := range names {
			column(name, p.Scores, which[k])
		}
	}
	if p.Proba != nil {
		for c, name := range p.Classes {
			column("proba_"+name, p.Proba, c)
		}
	}
	lists := func(name string, sets [][]int) {
		if sets == nil {
			return
		}
		s := dataset.Series{Name: name, Text: make([]string, len(sets))}
		for i, set := range sets {
			s.Text[i] = of.joined(p, set)
		}
		result = append(result, s)
	}
	for k := range p.Top.Columns {
		name := fmt.Sprintf("top_%d", k+1)
		s := dataset.Series{Name: name, Text: make([]string, len(p.Top.Classes))}
		for i, classes := range p.Top.Classes {
			s.Text[i] = p.Classes[classes[k]]
		}
		result = append(result, s)
		column(name+"_"+p.Top.What(), p.Top.Values, k)
	}
	lists("set", p.Sets)
	lists("sure", p.Sure)
	return result
}

func (classes) label(p *Predictions, row int) string { return Label(p.Classes, p.Labels[row]) }

func (classes) joined(p *Predictions, classes []int) string {
	return strings.Join(p.Names(classes), SetSeparator)
}

func (classes) result(p *Predictions, r *Result) {
	r.Labels = make([]string, len(p.Labels))
	for i, class := range p.Labels {
		r.Labels[i] = Label(p.Classes, class)
	}
}

func (classes) sets(m *lapsvm.Model, p *Predictions, probabilities [][]float64, far []bool, level float64) (err error) {
	p.Sets, err = m.SetsOf(probabilities, far, level)
	return err
}

func (classes) limit(m *lapsvm.Model, p *Predictions, probabilities [][]float64, t Threshold) {
	for i, row := range probabilities {
		switch {
		case row[t.Class] >= t.Least:
			p.Labels[i] = t.Class
		case p.Labels[i] == t.Class:
			p.Labels[i] = m.Predictor().Coding().Among(row, t.Class)
		}
	}
}

func (classes) class(p *Predictions, class int) string { return p.Classes[class] }

func (classes) called(e Shares, _ lapsvm.ShareExplanation, label int) string { return e.Class(label) }
