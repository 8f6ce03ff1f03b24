package answer

import (
	"context"
	"slices"
	"strings"

	"lapsvm"
	"lapsvm/dataset"
	"lapsvm/internal/machines/train"
	"lapsvm/points"
)

// Label is the class name of a predicted index; a point outside the class
// of a one-class model has no label.
func Label(classes []string, class int) string {
	if class == dataset.Unlabelled {
		return ""
	}
	return classes[class]
}

// ScoreNames are the names of the score columns, and which scores they are, of rows with one class or several.
func ScoreNames(classes []string, several bool) (names []string, which []int) {
	switch {
	case several:
	case len(classes) == 1:
		return []string{"score"}, []int{0}
	case len(classes) == 2:
		return []string{"score"}, []int{1}
	}
	for c, name := range classes {
		names = append(names, "score_"+name)
		which = append(which, c)
	}
	return names, which
}

// Probabilities turns decision values into probabilities.
func Probabilities(m *lapsvm.Model, scores [][]float64) [][]float64 {
	rows := make([][]float64, len(scores))
	for i, row := range scores {
		rows[i] = slices.Clone(row)
	}
	m.Predictor().ToProbabilities(rows)
	return rows
}

// Predictions are the outputs for points: labels, and the other requested
// results.
type Predictions struct {
	Classes       []string    // of the model
	Labels        []int       // an index into these, dataset.Unlabelled for a point outside of the one class
	Scores, Proba [][]float64 // [row][class]; nil where not asked for
	Several       [][]int     // of several classes at once, those of each row, in place of a label; nil else
	Separator     string      // between these in a column of text
	Sets          [][]int     // classes that each row may belong to, the most probable first; nil where not asked for
	Sure          [][]int     // with Sets of several classes at once: those that each row is told to have
	Values        []float64   // the numbers of a regression, in place of labels; nil of classes
	Low, High     []float64   // their intervals; nil where not asked for
	Explained     Explanations
	Kept          *dataset.Kept // columns to repeat; nil where there are none
}

// Of returns what decision values of points say: labels, lists of several classes, or the numbers of a regression with their intervals of a level, 0 for none.
func Of(ctx context.Context, m *lapsvm.Model, p *points.Points, scores [][]float64, level float64) (said Predictions, err error) {
	said.Classes = m.Classes()
	if !m.Regression() {
		said.Labels = m.Decide(scores)
		if m.MultiLabel() {
			said.Several, said.Separator = m.Predictor().DecideSeveral(scores), m.Recipe().Kind.Separator
		}
		return said, nil
	}
	if said.Values = train.ValuesOf(scores); level == 0 {
		return said, nil
	}
	if p, err = m.Predictor().Describe(ctx, p); err != nil {
		return said, err
	}
	said.Low, said.High, err = m.Predictor().IntervalsAt(ctx, p, said.Values, level)
	return said, err
}

// AddSets adds the sets of a level, by the probabilities of all rows and by which are far from the training points, nil where none is known to be.
func (p *Predictions) AddSets(m *lapsvm.Model, probabilities [][]float64, far []bool, level float64) (err error) {
	if m.MultiLabel() {
		p.Sets, p.Sure, err = m.SetsSeveralOf(probabilities, far, level)
	} else {
		p.Sets, err = m.SetsOf(probabilities, far, level)
	}
	return err
}

// Series returns the columns of the result, the repeated ones first.
func (p Predictions) Series() []dataset.Series {
	if p.Values != nil {
		result := []dataset.Series{{Name: "value", Numbers: p.Values}}
		if p.Low != nil {
			result = append(result, dataset.Series{Name: "low", Numbers: p.Low}, dataset.Series{Name: "high", Numbers: p.High})
		}
		return p.beside(result)
	}
	label := dataset.Series{Name: "label", Text: make([]string, len(p.Labels))}
	for i := range p.Labels {
		label.Text[i] = p.label(i)
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
		names, which := ScoreNames(p.Classes, p.Several != nil)
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
			if p.Several != nil {
				s.Text[i] = dataset.JoinSeveral(p.Names(set), nil, p.Separator)
			} else {
				s.Text[i] = strings.Join(p.Names(set), SetSeparator)
			}
		}
		result = append(result, s)
	}
	lists("set", p.Sets)
	lists("sure", p.Sure)
	return p.beside(result)
}

// label is the label of a row as text.
func (p Predictions) label(row int) string {
	if p.Several != nil {
		return dataset.JoinSeveral(p.Names(p.Several[row]), nil, p.Separator)
	}
	return Label(p.Classes, p.Labels[row])
}

// SetSeparator is between the classes of a set in a column of text.
const SetSeparator = ";"

// named returns the names of the classes of all sets, nil without sets.
func (p Predictions) named(sets [][]int) [][]string {
	if sets == nil {
		return nil
	}
	all := make([][]string, len(sets))
	for i, set := range sets {
		all[i] = p.Names(set)
	}
	return all
}

// Names returns the names of some classes.
func (p Predictions) Names(classes []int) []string {
	names := []string{}
	for _, class := range classes {
		names = append(names, p.Classes[class])
	}
	return names
}

// beside puts the repeated columns before a result.
func (p Predictions) beside(result []dataset.Series) []dataset.Series {
	if p.Kept == nil {
		return result
	}
	for k := range result {
		result[k].Name = Column(result[k].Name, p.Kept)
	}
	return append(p.Kept.Series(), result...)
}

// Column returns the name of a column of results beside the columns repeated
// from the data.
func Column(name string, kept *dataset.Kept) string {
	for slices.Contains(kept.Names, name) {
		name = "predicted_" + name
	}
	return name
}

// Result is the JSON of predictions.
type Result struct {
	Classes      []string            `json:"classes,omitempty"`
	Labels       []string            `json:"labels,omitempty"`
	LabelSets    [][]string          `json:"label_sets,omitempty"` // of several classes at once, in place of labels
	Values       []float64           `json:"values,omitempty"`     // of a regression
	Low          []float64           `json:"low,omitempty"`        // of their intervals
	High         []float64           `json:"high,omitempty"`
	Scores       [][]float64         `json:"scores,omitempty"`
	Proba        [][]float64         `json:"proba,omitempty"`
	Sets         [][]string          `json:"sets,omitempty"`
	Sure         [][]string          `json:"sure,omitempty"` // of several classes at once, those of the sets that rows are told to have
	Explanations []ExplanationResult `json:"explanations,omitempty"`
	Columns      []string            `json:"columns,omitempty"` // repeated ones
	Rows         [][]string          `json:"rows,omitempty"`    // and their text
}

// Result returns the predictions as JSON has them.
func (p Predictions) Result() Result {
	result := Result{Classes: p.Classes, Labels: make([]string, len(p.Labels)), Values: p.Values, Low: p.Low, High: p.High, Scores: p.Scores, Proba: p.Proba, Sets: p.named(p.Sets), Sure: p.named(p.Sure), Explanations: p.Explained.Results()}
	if p.Kept != nil {
		result.Columns, result.Rows = p.Kept.Names, p.Kept.Rows
	}
	if p.Several != nil {
		result.Labels = nil
		for _, classes := range p.Several {
			result.LabelSets = append(result.LabelSets, p.Names(classes))
		}
		return result
	}
	for i, class := range p.Labels {
		result.Labels[i] = Label(p.Classes, class)
	}
	return result
}
