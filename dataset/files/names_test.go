package files

import (
	"bytes"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"lapsvm/dataset"
)

// named is a table of 20 rows whose first column is called so and holds what a row gives.
func named(header string, row func(i int) string) string {
	return rowsOf(header+",x,label", 20, func(i int) string { return fmt.Sprintf("%s,%d.5,%d", row(i), i%7, i%2) })
}

// A column that names the rows is left out and kept as text, as if it had been asked for,
// also in files of Windows.
func TestColumnsThatNameRows(t *testing.T) {
	for _, c := range []struct {
		header string
		row    func(i int) string
	}{
		{"customer", func(i int) string { return fmt.Sprintf("C%d", 70-i) }},
		{"id", func(i int) string { return fmt.Sprint(1000 + 7*i) }},
		{"orderId", func(i int) string { return fmt.Sprint(40 - i) }},
		{"id", func(i int) string { return []string{"", "A"}[i%2] + fmt.Sprint(i) }},
		{"uuid", func(i int) string { return fmt.Sprintf("36d71c3f-%04x-4e5", i) }},
		{"customer_id", func(i int) string { return fmt.Sprintf("row %d", i) }},
		{"index", func(i int) string { return fmt.Sprint(i) }},
		{"who", func(i int) string { return fmt.Sprint("P", max(i, 1)) }}, // about as many words as rows
		{"who", func(i int) string { return strings.TrimPrefix(fmt.Sprint("P", i), "P7") }},
		{"", func(i int) string { return fmt.Sprint(i + 1) }},
	} {
		text := named(c.header, c.row)
		for _, text := range []string{text, "\ufeff" + strings.ReplaceAll(text, "\n", "\r\n")} {
			d := mustRead(t, "f.csv", text, Options{})
			asked := mustRead(t, "f.csv", text, Options{ID: []string{"1"}})
			if len(d.Notes) != 1 || d.Notes[0].Doubtful || !strings.Contains(fmt.Sprint(d.Notes[0].Message), "names the rows") {
				t.Errorf("%s: notes %v", c.header, d.Notes)
			}
			if !reflect.DeepEqual(d.Kept, asked.Kept) || !reflect.DeepEqual(d.Encoding, asked.Encoding) || !reflect.DeepEqual(values(d.Points), values(asked.Points)) {
				t.Errorf("%s: %+v, %+v; asked for %+v, %+v", c.header, d.Encoding, d.Kept, asked.Encoding, asked.Kept)
			}
			if later := mustRead(t, "f.csv", "x,label\n2.5,1\n", Options{Encoding: d.Encoding}); later.Points.Dim() != 1 {
				t.Errorf("%s: a later table has %d features", c.header, later.Points.Dim())
			}
		}
	}
}

// What repeats, measures or is missing names no rows.
func TestColumnsThatNameNoRows(t *testing.T) {
	number := func(i int) string { return fmt.Sprint(3 * i * i) }
	for _, c := range []struct {
		header string
		row    func(i int) string
		o      Options
	}{
		{"PAID", number, Options{}},
		{"COVID", number, Options{}},
		{"index", number, Options{}},
		{"id", func(i int) string { return fmt.Sprint(i / 2) }, Options{}},
		{"id", func(i int) string { return fmt.Sprint(float64(i) + 0.5) }, Options{}},
		{"id", func(i int) string { return fmt.Sprintf("%03d", i) }, Options{}},
		{"id", func(i int) string { return strings.TrimPrefix(number(i), "0") }, Options{}},
		{"id", number, Options{Columns: []string{"id", "x"}}},
		{"id", number, Options{AllFeatures: true}},
		{"since", func(i int) string { return fmt.Sprintf("2024-01-%02d", i+1) }, Options{}},
	} {
		if d := mustRead(t, "f.csv", named(c.header, c.row), c.o); d.Points.Dim() != 2 {
			t.Errorf("%s such as %s: %d features", c.header, c.row(1), d.Points.Dim())
		}
	}
	for name, text := range map[string]string{
		"words with blanks": named("who", func(i int) string { return fmt.Sprintf("Ann %d", i) }),
		"words that repeat": named("who", func(i int) string { return fmt.Sprint("P", max(i, 2)) }),
		"few rows":          rowsOf("id,x,label", 9, func(i int) string { return fmt.Sprintf("P%d,%d,%d", i, i%3, i%2) }),
	} {
		if d := mustRead(t, "f.csv", text, Options{}); d.Points.Dim() != 1 || len(d.Notes) != 1 || !strings.Contains(d.Notes[0].Error(), "too many for a category") || !d.Kept.None() {
			t.Errorf("%s: %v", name, d.Notes)
		}
	}
}

// Rows are named alike whatever the format.
func TestColumnsThatNameRowsOfOtherFormats(t *testing.T) {
	text := named("id", func(i int) string { return fmt.Sprint(90 - i) })
	want := mustRead(t, "f.csv", text, Options{})
	all := mustRead(t, "f.csv", text, Options{AllFeatures: true})
	if note := `the column "id" names the rows, and is taken for a feature; give Options{ID: []string{"id"}} or Options{Ignore: []string{"id"}} if it is none`; len(all.Notes) != 1 || all.Notes[0].Error() != note {
		t.Errorf("all features: %v", all.Notes)
	}
	for _, format := range []string{Parquet, JSONL} {
		var file bytes.Buffer
		if err := Write(&file, all, WriteOptions{Format: format}); err != nil {
			t.Fatal(err)
		}
		d, err := Read(&file, "f", Options{Format: format})
		if err != nil {
			t.Fatalf("%s: %v", format, err)
		}
		if d.Kept.None() || !reflect.DeepEqual(d.Kept.Rows, want.Kept.Rows) || d.Encoding.Columns[0].Kind != dataset.ID {
			t.Errorf("%s: %+v, %+v", format, d.Encoding, d.Kept)
		}
	}
}
