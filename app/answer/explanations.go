package answer

import (
	"context"
	"encoding/csv"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"lapsvm"
	"lapsvm/dataset"
	"lapsvm/points"
)

// Explanations are the output of predict --explain: the predictions of the first rows and the columns that decide.
type Explanations struct {
	Said *Predictions // of these rows and maybe more
	All  []lapsvm.Explanation
}

// NewExplanations says why a model says what it does of points, by edges too where there are any.
func NewExplanations(ctx context.Context, m *lapsvm.Model, p *points.Points, arcs []dataset.Arc, said *Predictions) (Explanations, error) {
	var all []lapsvm.Explanation
	var err error
	if arcs == nil {
		all, err = m.Explain(ctx, p)
	} else {
		all, err = m.ExplainByEdges(ctx, p, arcs)
	}
	return Explanations{said, all}, err
}

func (e Explanations) kind() Kind { return KindOf(e.Said.Kind) }

// label is what is predicted for a row.
func (e Explanations) label(row int) string { return e.kind().label(e.Said, row) }

// Class names the class that a reason speaks for, "" of numbers.
func (e Explanations) Class(x lapsvm.Explanation, r lapsvm.Reason) string {
	if r.Class != dataset.Unlabelled {
		return e.Said.Classes[r.Class]
	}
	return e.kind().Against(e.kind().class(e.Said, x.Class))
}

// longest is how many characters of a name or a value are in a sentence.
const longest = 40

// brief cuts a long name.
func brief(name string) string {
	if all := []rune(name); len(all) > longest {
		return string(all[:longest]) + "…"
	}
	return name
}

// reasonText says what a reason is, as in: tenure = 2 (usual 29).
func reasonText(r lapsvm.Reason) string {
	r.Column, r.Value, r.Usual = brief(r.Column), brief(r.Value), brief(r.Usual)
	switch {
	case r.Value == lapsvm.OtherWords:
		return "other words in " + r.Column
	case r.What == lapsvm.OfWord:
		return fmt.Sprintf("%q in %s", r.Value, r.Column)
	case r.What == lapsvm.OfPart:
		return "the part in " + r.Value
	case r.What == lapsvm.OfNeighbour:
		return "the edge to " + r.Value
	case r.Value == "" && r.Usual == "":
		return r.Column
	case r.Value == "":
		return fmt.Sprintf("%s missing or not seen in training (usual %s)", r.Column, r.Usual) // a category has the same features of both
	case r.Usual == "":
		return fmt.Sprintf("%s = %s", r.Column, r.Value)
	}
	return fmt.Sprintf("%s = %s (usual %s)", r.Column, r.Value, r.Usual)
}

// mentioned is how many reasons a sentence has at most, and each does at least half of what the first does.
const mentioned = 3

// Decided is what is decided of a row, or of the class that is explained.
func (e Explanations) Decided(x lapsvm.Explanation) string {
	text, _ := e.decided(x)
	return text
}

func (e Explanations) decided(x lapsvm.Explanation) (text string, way float64) {
	return e.kind().Decided(x, brief(e.kind().class(e.Said, x.Class)), brief(e.label(x.Point)))
}

// Sentence says why in a sentence, as in: No, mostly because tenure = 2 (usual 29).
func (e Explanations) Sentence(x lapsvm.Explanation) string {
	text, way := e.decided(x)
	largest := func(way float64) (some []lapsvm.Reason) {
		for _, r := range x.Reasons {
			if way*r.Effect > 0 && len(some) < mentioned && (some == nil || math.Abs(r.Effect) >= math.Abs(some[0].Effect)/2) {
				some = append(some, r)
			}
		}
		return some
	}
	list := func(some []lapsvm.Reason) string {
		var words []string
		for _, r := range some {
			words = append(words, reasonText(r))
		}
		if len(words) > 1 {
			words = append(words[:len(words)-2], words[len(words)-2]+" and "+words[len(words)-1])
		}
		return strings.Join(words, ", ")
	}
	reasons, against := largest(way), largest(-way)
	speak := func(some []lapsvm.Reason) string {
		verb, class := "speak", e.Class(x, some[0])
		if len(some) == 1 {
			verb = "speaks"
		}
		if class == "" || slices.ContainsFunc(some, func(r lapsvm.Reason) bool { return e.Class(x, r) != class }) {
			return verb + " against it"
		}
		return verb + " for " + brief(class)
	}
	size := func(some []lapsvm.Reason) float64 {
		if some == nil {
			return 0
		}
		return math.Abs(some[0].Effect)
	}
	beside := func(some, others []lapsvm.Reason) string { // others that do at least half as much
		if others == nil || size(others) < size(some)/2 {
			return ""
		}
		return "; " + list(others) + " " + speak(others)
	}
	usual := e.kind().Against("") != "" && way*(x.Usual-x.Limit) > way*(x.Value-x.Usual) // the usual row has most of it
	switch {
	case usual && reasons != nil && size(reasons) >= size(against):
		text += ", as is usual; " + list(reasons) + " " + speak(reasons) + beside(reasons, against)
	case !usual && reasons != nil && way*(x.Value-x.Usual) > 0:
		text += ", mostly because " + list(reasons) + beside(reasons, against)
	case against != nil:
		text += ", as is usual, though " + list(against) + " " + speak(against) + beside(against, reasons)
	case len(x.Reasons) > 0:
		text += ", as many columns say together"
	default:
		text += ", as is usual: no column is unlike the usual row"
	}
	return text
}

// ExplanationResult is the JSON of an explanation. Rows count from 1.
type ExplanationResult struct {
	Row      int            `json:"row"`
	Label    string         `json:"label"`           // predicted, or the number as text
	Class    string         `json:"class"`           // whose decision value it is: the label's, the only one, or number
	Decision float64        `json:"decision"`        // the decision value
	Usual    float64        `json:"usual_decision"`  // that of the usual row
	Limit    *float64       `json:"limit,omitempty"` // of several classes: the row has the class where its value is above this
	Sentence string         `json:"sentence"`
	Columns  []ReasonResult `json:"columns"`
	Rest     float64        `json:"rest,omitempty"` // effect of all that columns does not have
}

// ReasonResult is the JSON of a reason. Of a text there is one for each word, of a picture for each part, and of edges for each neighbour.
type ReasonResult struct {
	Column string  `json:"column"`
	Value  string  `json:"value"`
	Usual  string  `json:"usual"`
	Class  string  `json:"class,omitempty"` // that it speaks for
	Effect float64 `json:"effect"`
	Part   []int   `json:"part,omitempty"` // top, left, height and width, in dots from 0
}

// Results returns the explanations as JSON has them, nil of none.
func (e Explanations) Results() (all []ExplanationResult) {
	for _, x := range e.All {
		r := ExplanationResult{Row: x.Point + 1, Label: e.label(x.Point), Class: e.kind().class(e.Said, x.Class), Decision: x.Value, Usual: x.Usual, Sentence: e.Sentence(x), Columns: []ReasonResult{}, Rest: x.Rest}
		if e.kind().Each() {
			r.Limit = &x.Limit
		}
		for _, why := range x.Reasons {
			result := ReasonResult{Column: why.Column, Value: why.Value, Usual: why.Usual, Class: e.Class(x, why), Effect: why.Effect}
			if p := why.Part; p != nil {
				result.Part = []int{p.Top, p.Left, p.Height, p.Width}
			}
			r.Columns = append(r.Columns, result)
		}
		all = append(all, r)
	}
	return all
}

// others names in CSV what has no line of its own.
const others = "(others)"

// WriteCSV writes one line for each reason. With the usual decision value the effects of a row add up to its decision value. Unless text is nil it rewrites every field.
func (e Explanations) WriteCSV(w io.Writer, text func(string) string) error {
	out, kept, each := csv.NewWriter(w), e.Said.Kept, e.kind().Each()
	line := func(fields []string) error {
		if text != nil {
			for k, field := range fields {
				fields[k] = text(field)
			}
		}
		return out.Write(fields)
	}
	header := []string{"row", "label", "decision", "usual_decision", "column", "value", "usual", "class", "effect"}
	if each {
		header = slices.Insert(header, 2, "of_class", "limit")
	}
	for k := range header {
		header[k] = Column(header[k], kept)
	}
	if err := line(slices.Insert(header, 1, kept.Names...)); err != nil {
		return err
	}
	for _, x := range e.All {
		write := func(column, value, usual, class string, effect float64) error {
			fields := slices.Concat([]string{strconv.Itoa(x.Point + 1)}, kept.Row(x.Point), []string{e.label(x.Point)})
			if each {
				fields = append(fields, e.kind().class(e.Said, x.Class), full(x.Limit))
			}
			return line(append(fields, full(x.Value), full(x.Usual), column, value, usual, class, full(effect)))
		}
		for _, r := range x.Reasons {
			if err := write(r.Column, r.Value, r.Usual, e.Class(x, r), r.Effect); err != nil {
				return err
			}
		}
		if x.Rest != 0 || len(x.Reasons) == 0 {
			if err := write(others, "", "", "", x.Rest); err != nil {
				return err
			}
		}
	}
	out.Flush()
	return out.Error()
}
