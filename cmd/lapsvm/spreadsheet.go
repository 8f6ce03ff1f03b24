package main

import (
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

// unformulated returns a field with an apostrophe before what would be a formula,
// which makes it text in a spreadsheet.
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
