package lapsvm_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"lapsvm"
	"lapsvm/dataset"
	"lapsvm/dataset/files"
)

// mixed is a table with a column of every kind, of two classes.
func mixed() string {
	var b strings.Builder
	b.WriteString("size,paid,colour,day,note,place,label\n")
	for i := range 40 {
		class, colour, note := "cat", "red", "purrs and sleeps all day"
		if i%2 == 1 {
			class, colour, note = "dog", "blue", "barks and runs all day"
		}
		if i >= 8 {
			class = ""
		}
		fmt.Fprintf(&b, "%g,%t,%s,2026-01-%02d,%s number %d,[%d %g],%s\n", 0.1*float64(i)+5*float64(i%2), i%3 == 0, colour, 1+i%28, note, i%4, i%5, 0.1*float64(i), class)
	}
	return b.String()
}

// Rows of a program give the points of the same rows in a file, to the bit: numbers,
// booleans, categories, dates, text, and what is missing or unknown.
func TestRowsAsFromFile(t *testing.T) {
	folder := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(folder, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	day := time.Date(2026, 1, 9, 0, 0, 0, 0, time.UTC)
	third := 1. / 3
	var none *float64
	for name, c := range map[string]struct {
		table string
		o     files.Options
		rows  []map[string]any
		lines string // the same in a file
	}{
		"every kind": {mixed(), files.Options{Text: []string{"note"}, Category: []string{"colour"}},
			[]map[string]any{
				{"size": 1. / 3, "paid": true, "colour": "red", "day": day, "note": "sleeps number 1", "place": []float64{1. / 3, -2}, "label": "dog", "unknown": []int{1}},
				{"size": float32(0.1), "paid": nil, "colour": "green", "day": "2026-01-09T12:00:00Z", "note": "", "place": [2]float32{0.1, 7}},
				{"size": json.Number("7"), "paid": false, "colour": nil, "day": day.Add(time.Hour)},
				{"size": none, "day": &day, "place": []int(nil)},
				{"size": &third, "colour": "blue"},
				{"size": math.NaN()},
			},
			`{"size":0.3333333333333333,"paid":true,"colour":"red","day":"2026-01-09","note":"sleeps number 1","place":[0.3333333333333333,-2],"label":"dog"}
{"size":0.10000000149011612,"paid":null,"colour":"green","day":"2026-01-09T12:00:00Z","note":"","place":[0.10000000149011612,7]}
{"size":7,"paid":false,"day":"2026-01-09T01:00:00Z"}
{"day":"2026-01-09"}
{"size":0.3333333333333333,"colour":"blue"}
{}
`},
		"numbers": {"b,a,label\n1,2,x\n3,4,y\n2,2,x\n3,5,y\n1.5,2.5,\n", files.Options{},
			[]map[string]any{{"a": 1. / 3, "b": int64(1) << 60}, {"b": uint8(200), "a": math.Copysign(0, -1), "label": 1.0}, {"a": true, "b": false}},
			"{\"a\":0.3333333333333333,\"b\":1152921504606846976}\n{\"b\":200,\"a\":-0,\"label\":1}\n{\"a\":true,\"b\":false}\n"},
	} {
		t.Run(name, func(t *testing.T) {
			d, err := files.ReadFile(write(name+".csv", c.table), c.o)
			if err != nil {
				t.Fatal(err)
			}
			m, err := lapsvm.Trainer{Recipe: lapsvm.Recipe{RulesOfThumb: true}}.Fit(t.Context(), d)
			if err != nil {
				t.Fatal(err)
			}
			got, err := m.Rows(c.rows...)
			if err != nil {
				t.Fatal(err)
			}
			encoding := m.Encoding()
			if encoding == nil {
				encoding = new(dataset.Encoding)
			}
			want, err := files.ReadFile(write(name+".jsonl", c.lines), files.Options{Label: m.Label(), Columns: m.Features(), Encoding: encoding})
			if err != nil {
				t.Fatal(err)
			}
			if a, b := fmt.Sprint(got.Classes, got.Y, got.Unseen, got.Missing), fmt.Sprint(want.Classes, want.Y, want.Unseen, want.Missing); a != b {
				t.Errorf("labels, unseen and missing values %s, want %s", a, b)
			}
			for i := range c.rows {
				if one := []int{i}; !bytes.Equal(got.Points.AppendRows(nil, one), want.Points.AppendRows(nil, one)) {
					t.Errorf("row %d has other features than in the file", i+1)
				}
			}
			a, err := m.Scores(t.Context(), got.Points)
			if err != nil {
				t.Fatal(err)
			}
			b, err := m.Scores(t.Context(), want.Points)
			if err != nil || !slices.EqualFunc(a, b, slices.Equal[[]float64]) {
				t.Errorf("decision values %v, want %v, %v", a, b, err)
			}
		})
	}
}

// What rows cannot be says what to do.
func TestRowsRefused(t *testing.T) {
	fit := func(text string) *lapsvm.Model {
		path := filepath.Join(t.TempDir(), "points.csv")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		d, err := files.ReadFile(path, files.Options{})
		if err != nil {
			t.Fatal(err)
		}
		m, err := lapsvm.Trainer{Recipe: lapsvm.Recipe{RulesOfThumb: true}}.Fit(t.Context(), d)
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	named, bare := fit("b,a,label\n1,2,x\n3,4,y\n2,2,x\n3,5,y\n"), fit("1,2,x\n3,4,y\n2,2,x\n3,5,y\n")
	for want, rows := range map[string][]map[string]any{
		`there are no rows`:                     nil,
		`these feature columns are missing: b;`: {{"a": 1}},
		`2: "a" is a []float64; give text, a number, a boolean, a time, a slice of words, a slice of numbers in a column of such, or nil`: {{"a": 1, "b": 2}, {"a": []float64{1}, "b": 2}},
		`rows:1: column "a": "much" is not a number`: {{"a": "much", "b": 2}},
		`1: "b" is a map[string]int; give text, a number, a boolean, a time, a slice of words, a slice of numbers in a column of such, or nil`: {{"a": 1, "b": map[string]int{}}},
	} {
		if _, err := named.Rows(rows...); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: %v, want %q", rows, err, want)
		}
	}
	if _, err := bare.Rows(map[string]any{"x1": 1}); err == nil || !strings.Contains(err.Error(), "have no names") {
		t.Errorf("a model without names: %v", err)
	}
}
