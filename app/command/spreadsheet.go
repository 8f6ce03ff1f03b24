package command

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"lapsvm/dataset"
)

// isFormula reports whether a spreadsheet that opens a table would take a field for a
// formula: it begins with one of = + - @, a tab or a carriage return, and is no
// number.
func isFormula(field string) bool {
	if field == "" || !strings.Contains("=+-@\t\r", field[:1]) {
		return false
	}
	_, err := strconv.ParseFloat(field, 64)
	return err != nil
}

// unformulated puts an apostrophe before a field that would be a formula: a
// spreadsheet then takes the field for text.
func unformulated(field string) string {
	if isFormula(field) {
		return "'" + field
	}
	return field
}

// formulaIn returns the first field of a table that would be a formula.
func formulaIn(table []dataset.Series) (field string, found bool) {
	for _, s := range table {
		if isFormula(s.Name) {
			return s.Name, true
		}
		if k := slices.IndexFunc(s.Text, isFormula); k >= 0 {
			return s.Text[k], true
		}
	}
	return "", false
}

// csvSafeHelp is the help of --csv-safe.
const csvSafeHelp = "put an apostrophe before text that a spreadsheet would run as a formula, in csv and tsv; labels are then no longer exact"

// warnOfFormula warns of text in a table that would be a formula.
func (p *Program) warnOfFormula(table []dataset.Series, output *OutputFlags) {
	if field, found := formulaIn(table); found {
		p.warnings(output).Warn("a spreadsheet would run text of this result as a formula; --csv-safe makes it text there", "such as", fmt.Sprintf("%.60q", field))
	}
}

// textOf returns the text of a data set that a table has.
func textOf(d *dataset.Dataset) []dataset.Series {
	return []dataset.Series{{Name: d.Label, Text: d.Features}, {Text: d.Classes}}
}

// withText returns a data set with other text than textOf gave.
func withText(d *dataset.Dataset, text []dataset.Series) *dataset.Dataset {
	other := *d
	other.Label, other.Features, other.Classes = text[0].Name, text[0].Text, text[1].Text
	return &other
}

// forSpreadsheets returns a table without formulas.
func forSpreadsheets(table []dataset.Series) []dataset.Series {
	safe := slices.Clone(table)
	for k := range safe {
		s := &safe[k]
		s.Name = unformulated(s.Name)
		if slices.ContainsFunc(s.Text, isFormula) {
			s.Text = slices.Clone(s.Text)
			for i, field := range s.Text {
				s.Text[i] = unformulated(field)
			}
		}
	}
	return safe
}
