package cli

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

// Unformulated puts an apostrophe before a field that would be a formula: a
// spreadsheet then takes the field for text.
func Unformulated(field string) string {
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

// CSVSafeHelp is the help of --csv-safe.
const CSVSafeHelp = "put an apostrophe before text that a spreadsheet would run as a formula, in csv and tsv; labels are then no longer exact"

// WarnOfFormula warns of text in a table that would be a formula.
func (p *Program) WarnOfFormula(table []dataset.Series, output *OutputFlags) {
	if field, found := formulaIn(table); found {
		p.Warnings(output).Warn("a spreadsheet would run text of this result as a formula; --csv-safe makes it text there", "such as", fmt.Sprintf("%.60q", field))
	}
}

// ForSpreadsheets returns a table without formulas.
func ForSpreadsheets(table []dataset.Series) []dataset.Series {
	safe := slices.Clone(table)
	for k := range safe {
		s := &safe[k]
		s.Name = Unformulated(s.Name)
		if slices.ContainsFunc(s.Text, isFormula) {
			s.Text = slices.Clone(s.Text)
			for i, field := range s.Text {
				s.Text[i] = Unformulated(field)
			}
		}
	}
	return safe
}
