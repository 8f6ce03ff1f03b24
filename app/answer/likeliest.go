package answer

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"lapsvm"
	"lapsvm/dataset"
	"lapsvm/internal/system/fault"
)

// Threshold is a limit of the probability of a class, from which on a row has the class. Below it a row has what is decided among the others.
type Threshold struct {
	Class int
	Least float64
}

// ReadThreshold reads CLASS=P for a model.
func ReadThreshold(text string, m *lapsvm.Model) (t Threshold, err error) {
	at := strings.LastIndexByte(text, '=') // a class may have the sign in its name
	if at < 0 {
		return t, fault.Errorf("%q is no limit: give CLASS=P, such as %s=0.3", brief(text), m.Classes()[len(m.Classes())-1])
	}
	name := text[:at]
	if t.Class = dataset.FindClass(m.Classes(), name); t.Class < 0 {
		near := ""
		if word := fault.Nearest(name, m.Classes()); word != "" {
			near = ", did you mean " + word
		}
		return t, fault.Errorf("the model has no class %q%s: give one of its classes", brief(name), near)
	}
	if t.Least, err = strconv.ParseFloat(text[at+1:], 64); err != nil || !(t.Least > 0 && t.Least <= 1) {
		return t, fault.Errorf("%q is no probability: give a number above 0 and up to 1, such as 0.3", brief(text[at+1:]))
	}
	return t, nil
}

// Limit decides by thresholds what has been decided by the model, by the probabilities of all rows.
func (p *Predictions) Limit(m *lapsvm.Model, probabilities [][]float64, all []Threshold) {
	for _, t := range all {
		KindOf(p.Kind).limit(m, p, probabilities, t)
	}
}

// CheckThresholds refuses several thresholds where a row has one class.
func CheckThresholds(m *lapsvm.Model, all []Threshold) error {
	if len(all) > 1 && !KindOf(m.Kind()).Each() {
		return fault.Errorf("a row has one class, and two thresholds may both ask for it: give one threshold")
	}
	for k, t := range all {
		for _, other := range all[:k] {
			if other.Class == t.Class {
				return fault.Errorf("the class %s has two thresholds: give one", m.Classes()[t.Class])
			}
		}
	}
	return nil
}

// Top is the likeliest classes of every row, the first the likeliest, with their probabilities, or, of a model without them, with their decision values.
type Top struct {
	Classes [][]int
	Values  [][]float64
	Columns int  // classes of a row
	Scored  bool // values are decision values
}

// AddTop adds so many likeliest classes of every row, all of them where there are fewer, by the probabilities of all rows or their decision values. Of equal
// classes the first goes first.
func (p *Predictions) AddTop(most int, values [][]float64, scored bool) {
	t := Top{Classes: make([][]int, len(values)), Values: make([][]float64, len(values)), Columns: min(most, len(p.Classes)), Scored: scored}
	for i, row := range values {
		order := make([]int, len(row))
		for class := range order {
			order[class] = class
		}
		slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(row[b], row[a]) })
		t.Classes[i] = order[:t.Columns]
		for _, class := range t.Classes[i] {
			t.Values[i] = append(t.Values[i], row[class])
		}
	}
	p.Top = t
}

// What says what the values are.
func (t Top) What() string {
	if t.Scored {
		return "score"
	}
	return "proba"
}

// TopResult is the JSON of one of the likeliest classes.
type TopResult struct {
	Class string   `json:"class"`
	Proba *float64 `json:"proba,omitempty"`
	Score *float64 `json:"score,omitempty"` // of a model without probabilities
}

func (p Predictions) topResults() (all [][]TopResult) {
	for i, classes := range p.Top.Classes {
		row := make([]TopResult, len(classes))
		for k, class := range classes {
			row[k].Class = p.Classes[class]
			if v := &p.Top.Values[i][k]; p.Top.Scored {
				row[k].Score = v
			} else {
				row[k].Proba = v
			}
		}
		all = append(all, row)
	}
	return all
}

// AnswerColumn is the usual name of a model's column of answers.
func AnswerColumn(m *lapsvm.Model) string {
	return KindOf(m.Kind()).series(&Predictions{Kind: m.Kind(), Classes: m.Classes()})[0].Name
}

// answerName is the name of the column of answers.
func (p *Predictions) answerName(usual string) string { return cmp.Or(p.AnswerColumn, usual) }

// CheckAnswerColumn refuses a name for the column of answers that another column of the result has.
func (p Predictions) CheckAnswerColumn() error {
	if p.AnswerColumn == "" {
		return nil
	}
	p.Labels, p.Several, p.Scores, p.Proba, p.Sets, p.Sure = p.Labels[:0], p.Several[:0], p.Scores[:0], p.Proba[:0], p.Sets[:0], p.Sure[:0]
	p.Values, p.Low, p.High, p.Top.Classes, p.Top.Values = p.Values[:0], p.Low[:0], p.High[:0], nil, nil
	for k, s := range KindOf(p.Kind).series(&p) {
		if k > 0 && s.Name == p.AnswerColumn {
			return fault.Errorf("the result has another column called %s: choose another name for that of the answers", p.AnswerColumn)
		}
	}
	return nil
}
