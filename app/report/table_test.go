package report

import (
	"bytes"
	"encoding/csv"
	"io"
	"reflect"
	"strings"
	"testing"
)

func table() Table {
	head := func(s string) Cell { return Cell{Text: s, Head: true} }
	return Table{Name: "errors", Title: "Errors & more", Caption: "In percent.", Note: "A note.",
		Header: []string{"data", "machine", "error", "remark"},
		Rows: [][]Cell{
			{head("G50C"), head("SVM"), {Text: "9.33", Detail: "paper 9.3 (2.0)", Mark: Agrees}, {Text: "a, b"}},
			{head("G50C"), head("LapSVM"), {Text: "5.4", Mark: Best}, {Text: `so "called"`}},
			{head("COIL"), head("LapSVM"), {Text: "8", Detail: "paper 9", Mark: Differs}, {Text: "two\nlines"}},
		}}
}

func TestWriteCSV(t *testing.T) {
	var b bytes.Buffer
	if err := table().WriteCSV(&b); err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(b.String(), "data,machine,error,error detail,remark\r\n") {
		t.Errorf("the file begins with %.50q", b.String())
	}
	got, err := csv.NewReader(&b).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	want := [][]string{
		{"data", "machine", "error", "error detail", "remark"},
		{"G50C", "SVM", "9.33", "paper 9.3 (2.0)", "a, b"},
		{"G50C", "LapSVM", "5.4", "", `so "called"`},
		{"COIL", "LapSVM", "8", "paper 9", "two\nlines"},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("read back as %q", got)
	}
}

func TestTableErrors(t *testing.T) {
	for want, change := range map[string]func(*Table){
		"name its columns":             func(t *Table) { t.Header = nil },
		"row 2 of table":               func(t *Table) { t.Rows[1] = t.Rows[1][:3] },
		"use one of agrees, differs a": func(t *Table) { t.Rows[2][2].Mark = "odd" },
	} {
		bad := table()
		change(&bad)
		if err := bad.WriteCSV(io.Discard); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one with %q", err, want)
		}
		if err := (Page{Sections: []Section{{Tables: []Table{bad}}}}).WriteHTML(io.Discard); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("in a page: error %v, want one with %q", err, want)
		}
	}
}

func TestNumericColumns(t *testing.T) {
	for text, want := range map[string]bool{"1": true, "-2.5": true, "−3e-7": true, "12,345": true, "9.3 ± 0.2": true, "≤ 5 %": true, "3.1×": true, "12 ms": true,
		"G50C": false, "5 nearest": false, "": false, "–": false} {
		c := Table{Header: []string{"a"}, Rows: [][]Cell{{{Text: text}}, {{Text: "–"}}}}
		if got := c.numeric(0); got != want {
			t.Errorf("%q: numeric %v", text, got)
		}
	}
}
