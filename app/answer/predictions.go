package answer

import (
	"context"
	"slices"

	"lapsvm"
	"lapsvm/dataset"
	"lapsvm/internal/machines/task"
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

// ScoreNames are the names of the score columns of a kind, and which scores they are.
func ScoreNames(k task.Kind, classes []string) (names []string, which []int) {
	return KindOf(k).scored(classes)
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
	Kind          task.Kind    // of the labels of the model
	Classes       []string     // of the model
	Labels        []int        // an index into these, dataset.Unlabelled for a point outside of the one class
	Scores, Proba [][]float64  // [row][class]; nil where not asked for
	Several       [][]int      // of several classes at once, those of each row, in place of a label; nil else
	Separator     string       // between these in a column of text
	Sets          [][]int      // classes that each row may belong to, the most probable first; nil where not asked for
	Sure          [][]int      // with Sets of several classes at once: those that each row is told to have
	Top           Top          // the likeliest classes of each row; none where not asked for
	AnswerColumn  string       // name of the column of answers; "" for label, or value of numbers
	Values        []float64    // the numbers of a regression, in place of labels; nil of classes
	Low, High     []float64    // their intervals; nil where not asked for
	Explained     Explanations // of the first rows; none where not asked for
	Shares        Shares       // likewise
	Kept          dataset.Kept // columns to repeat
	Unseen        []dataset.Unseen
}

// Of returns what decision values of points say: labels, lists of several classes, or the numbers of a regression with their intervals of a level, 0 for none.
func Of(ctx context.Context, m *lapsvm.Model, p *points.Points, scores [][]float64, level float64) (said Predictions, err error) {
	said.Kind, said.Classes = m.Kind(), m.Classes()
	return said, KindOf(said.Kind).decide(ctx, m, p, scores, level, &said)
}

// AddSets adds the sets of a level, by the probabilities of all rows and by which are far from the training points, nil where none is known to be.
func (p *Predictions) AddSets(m *lapsvm.Model, probabilities [][]float64, far []bool, level float64) error {
	return KindOf(p.Kind).sets(m, p, probabilities, far, level)
}

// Series returns the columns of the result, the repeated ones first.
func (p Predictions) Series() []dataset.Series { return p.beside(KindOf(p.Kind).series(&p)) }

// Has returns the classes that a row is said to have.
func (p Predictions) Has(row int) []int { return KindOf(p.Kind).has(&p, row) }

// Collect has the first rank have the predictions of all rows of d, in their order, as far as there are any; other ranks have none.
func (p *Predictions) Collect(ctx context.Context, d *dataset.Dataset) (err error) {
	rows, width := d.AllRows(), len(p.Classes)
	if err := KindOf(p.Kind).collect(ctx, d, rows, p); err != nil {
		return err
	}
	if p.Kept, err = d.CollectKept(ctx); err != nil {
		return err
	}
	for _, own := range []*[][]float64{&p.Scores, &p.Proba} {
		if *own == nil {
			continue
		}
		all, err := dataset.Collect(ctx, d, rows, slices.Concat(*own...), width)
		if err != nil {
			return err
		}
		*own = slices.Collect(slices.Chunk(all, width))
	}
	return nil
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
	for k := range result {
		result[k].Name = Column(result[k].Name, p.Kept)
	}
	return append(p.Kept.Series(), result...)
}

// Column returns the name of a column of results beside the columns repeated
// from the data.
func Column(name string, kept dataset.Kept) string {
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
	Top          [][]TopResult       `json:"top,omitempty"`  // the likeliest classes of each row
	Sure         [][]string          `json:"sure,omitempty"` // of several classes at once, those of the sets that rows are told to have
	Explanations []ExplanationResult `json:"explanations,omitempty"`
	Shares       []SharesResult      `json:"shares,omitempty"`
	Unseen       []UnseenResult      `json:"unseen,omitempty"`  // values that the training did not have, which are taken as missing
	Columns      []string            `json:"columns,omitempty"` // repeated ones
	Rows         [][]string          `json:"rows,omitempty"`    // and their text
}

// Result returns the predictions as JSON has them.
func (p Predictions) Result() Result {
	result := Result{Classes: p.Classes, Values: p.Values, Low: p.Low, High: p.High, Scores: p.Scores, Proba: p.Proba, Sets: p.named(p.Sets), Sure: p.named(p.Sure), Top: p.topResults(), Explanations: p.Explained.Results(), Shares: p.Shares.Results(), Unseen: UnseenResults(p.Unseen),
		Columns: p.Kept.Names, Rows: p.Kept.Rows}
	KindOf(p.Kind).result(&p, &result)
	return result
}

// UnseenResult is the JSON of a column with values that the training did not have.
type UnseenResult struct {
	Column string `json:"column"`
	Value  string `json:"value"` // the first one
	Rows   int    `json:"rows"`  // that have such values
}

// UnseenResults returns what JSON has of unseen values, long ones cut.
func UnseenResults(all []dataset.Unseen) (results []UnseenResult) {
	for _, u := range all {
		results = append(results, UnseenResult{u.Column, brief(u.Value), u.Rows})
	}
	return results
}
