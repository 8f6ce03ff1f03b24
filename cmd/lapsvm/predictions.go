package main

import (
	"io"
	"path/filepath"
	"slices"
	"strings"

	"lapsvm"
	"lapsvm/dataset"
	"lapsvm/dataset/files"
)

// labelName is the class name of a predicted index; a point outside the class
// of a one-class model has no label.
func labelName(classes []string, class int) string {
	if class == dataset.Unlabelled {
		return ""
	}
	return classes[class]
}

// scoreNames are the names of the score columns, and which scores they are.
func scoreNames(classes []string) (names []string, which []int) {
	switch len(classes) {
	case 1:
		return []string{"score"}, []int{0}
	case 2:
		return []string{"score"}, []int{1}
	}
	for c, name := range classes {
		names = append(names, "score_"+name)
		which = append(which, c)
	}
	return names, which
}

// probabilities turns decision values into probabilities.
func probabilities(m *lapsvm.Model, scores [][]float64) [][]float64 {
	calibration := m.Calibration()
	rows := make([][]float64, len(scores))
	for i, row := range scores {
		rows[i] = make([]float64, len(row))
		calibration.Probabilities(rows[i], row)
	}
	return rows
}

// predictions are what predict writes: labels, and what else was asked for.
type predictions struct {
	classes       []string    // of the model
	labels        []int       // an index into these, dataset.Unlabelled for a point outside of the one class
	scores, proba [][]float64 // [row][class]; nil where not asked for
	explained     explanations
	kept          *dataset.Kept // columns to repeat; nil where there are none
}

// series returns the columns of the result, the repeated ones first.
func (p predictions) series() []dataset.Series {
	label := dataset.Series{Name: "label", Text: make([]string, len(p.labels))}
	for i, class := range p.labels {
		label.Text[i] = labelName(p.classes, class)
	}
	result := []dataset.Series{label}
	column := func(name string, rows [][]float64, c int) {
		s := dataset.Series{Name: name, Numbers: make([]float64, len(rows))}
		for i, row := range rows {
			s.Numbers[i] = row[c]
		}
		result = append(result, s)
	}
	if p.scores != nil {
		names, which := scoreNames(p.classes)
		for k, name := range names {
			column(name, p.scores, which[k])
		}
	}
	if p.proba != nil {
		for c, name := range p.classes {
			column("proba_"+name, p.proba, c)
		}
	}
	if p.kept == nil {
		return result
	}
	for k := range result {
		result[k].Name = resultName(result[k].Name, p.kept)
	}
	return append(p.kept.Series(), result...)
}

// resultName is what a column of results is called beside the repeated ones.
func resultName(name string, kept *dataset.Kept) string {
	for slices.Contains(kept.Names, name) {
		name = "predicted_" + name
	}
	return name
}

// resultFormat returns the name of the format that the name of a file of results
// tells; a name without an ending, or with .txt, is one of CSV.
func resultFormat(name string) (string, error) {
	form, err := files.FormatOf(name)
	switch ending := filepath.Ext(strings.TrimSuffix(strings.TrimSuffix(name, ".gz"), ".zst")); {
	case name == "" || name == "-" || err != nil && (ending == "" || ending == ".txt"):
		return files.CSV, nil
	case err != nil:
		return "", usagef("the name %q does not tell the format of the results; end it in %s", name, resultEnds())
	case !form.CanWriteSeries():
		return "", usagef("results are written as %s, not as %s: choose another name than %s", alternatives(formatNames(files.Format.CanWriteSeries)), form.Name, name)
	}
	return form.Name, nil
}

// resultEnds lists what the name of a file of results may end in.
func resultEnds() string {
	names := formatNames(files.Format.CanWriteSeries)
	for k, name := range names {
		names[k] = "." + name
	}
	return alternatives(names)
}

func (p predictions) writeJSON(w io.Writer) error {
	result := struct {
		Classes      []string            `json:"classes"`
		Labels       []string            `json:"labels"`
		Scores       [][]float64         `json:"scores,omitempty"`
		Proba        [][]float64         `json:"proba,omitempty"`
		Explanations []explanationResult `json:"explanations,omitempty"`
		Columns      []string            `json:"columns,omitempty"` // repeated ones
		Rows         [][]string          `json:"rows,omitempty"`    // and their text
	}{Classes: p.classes, Labels: make([]string, len(p.labels)), Scores: p.scores, Proba: p.proba, Explanations: p.explained.results()}
	if p.kept != nil {
		result.Columns, result.Rows = p.kept.Names, p.kept.Rows
	}
	for i, class := range p.labels {
		result.Labels[i] = labelName(p.classes, class)
	}
	return printJSON(w, result)
}
