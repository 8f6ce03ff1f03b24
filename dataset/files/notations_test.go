package files

import (
	"fmt"
	"strings"
	"testing"

	"lapsvm/dataset"
)

// Values in a notation that is not read name no rows and are no text: the column is doubted, with what to do.
func TestNotationsThatAreNotRead(t *testing.T) {
	for said, row := range map[string]func(i int) string{
		`"1/2/20" may be a date with a year of two digits; write all dates as 2024-12-31, or give `: func(i int) string { return fmt.Sprintf("%d/%d/%d", 1+i%12, 2+i%27, 20+i/12) },
		`"01.02.20" may be a date with a year`:                                                      func(i int) string { return fmt.Sprintf("%02d.02.%d", 1+i, 20+i) },
		`"01-Feb-2020" is a date with its month in letters`:                                         func(i int) string { return fmt.Sprintf("%02d-Feb-2020", 1+i) },
		`"March 1 2020" is a date with its month`:                                                   func(i int) string { return fmt.Sprintf("March %d 2020", 1+i) },
		`"2020-01-01 10:00:00 CET" is a date with the name of a zone`:                               func(i int) string { return fmt.Sprintf("2020-01-%02d 10:00:00 CET", 1+i) },
		`"PT0M" is a duration; write a number of seconds`:                                           func(i int) string { return fmt.Sprintf("PT%dM", i) },
		`"0 days 00:05:00" is a duration`:                                                           func(i int) string { return fmt.Sprintf("%d days 00:05:00", i) },
		`"24:05:00" is a duration, since not all`:                                                   func(i int) string { return fmt.Sprintf("%d:05:00", 24+i) },
		`"0x00" is a hexadecimal number`:                                                            func(i int) string { return fmt.Sprintf("0x%02X", i) },
		`"0/7" is a fraction, or a date without a year; write 3/4 as 0.75`:                          func(i int) string { return fmt.Sprintf("%d/7", i) },
		`"0.5D+01" is a number as Fortran writes it; write e in place of D, or give`:                func(i int) string { return fmt.Sprintf("%d.5D+01", i) },
	} {
		d := mustRead(t, "f.csv", named("value", row), Options{})
		if len(d.Notes) != 1 || !d.Notes[0].Doubtful || !strings.Contains(d.Notes[0].Error(), said) || d.Points.Dim() != 1 || !d.Kept.None() {
			t.Errorf("want %s: notes %v", said, d.Notes)
		}
		if d := mustRead(t, "f.csv", named("id", row), Options{}); d.Encoding.Columns[0].Kind != dataset.ID {
			t.Errorf("%s called id: %+v", row(0), d.Encoding.Columns[0])
		}
		if d := mustRead(t, "f.csv", named("value", func(i int) string { return row(i % 3) }), Options{}); d.Encoding.Columns[0].Kind != dataset.Category || d.Notes != nil {
			t.Errorf("three values such as %s: %+v, %v", row(0), d.Encoding.Columns[0], d.Notes)
		}
	}
	for _, row := range []func(i int) string{
		func(i int) string { return fmt.Sprint("P", i) },
		func(i int) string { return fmt.Sprint("Marc-", i) },
		func(i int) string { return fmt.Sprintf("0x%dz", i) },
		func(i int) string { return fmt.Sprintf("%d/B", i) },
	} {
		if d := mustRead(t, "f.csv", named("value", row), Options{}); d.Encoding.Columns[0].Kind != dataset.ID {
			t.Errorf("names such as %s: %v", row(0), d.Notes)
		}
	}
}
