package files

import (
	"bytes"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"lapsvm/dataset"
)

// Decimal commas are read as points are, whatever else the file is like.
func TestDecimalCommas(t *testing.T) {
	const points = "size;colour;note;label\n1.5;red;a;u\n-2.25;blue;b;v\n;red;a;\n3e-1;blue;b;\n4;red;b;\n"
	commas := strings.ReplaceAll(points, ".", ",")
	want := mustRead(t, "f.csv", points, Options{})
	for name, c := range map[string]struct {
		name, text string
		o          Options
		told       bool
	}{
		"guessed":       {"f.csv", commas, Options{}, true},
		"BOM, CRLF":     {"f.csv", "\ufeff" + strings.ReplaceAll(commas, "\n", "\r\n"), Options{}, true},
		"bars":          {"f.csv", strings.ReplaceAll(commas, ";", "|"), Options{Decimal: ","}, false},
		"tabs":          {"f.tsv", strings.ReplaceAll(commas, ";", "\t"), Options{Decimal: ","}, false},
		"quotes":        {"f.csv", "size,colour,note,label\n\"1,5\",red,a,u\n\"-2,25\",blue,b,v\n,red,a,\n\"3e-1\",blue,b,\n4,red,b,\n", Options{Decimal: ","}, false},
		"quotes and ;":  {"f.csv", strings.Replace(commas, "1,5", "\"1,5\"", 1), Options{}, true},
		"model's":       {"f.csv", commas, Options{Encoding: want.Encoding}, false},
		"asked and had": {"f.csv", points, Options{Decimal: "."}, false},
		"strings of JSON": {"f.jsonl", `{"size":"1,5","colour":"red","note":"a","label":"u"}
{"size":"-2,25","colour":"blue","note":"b","label":"v"}
{"size":null,"colour":"red","note":"a"}
{"size":0.3,"colour":"blue","note":"b"}
{"size":4,"colour":"red","note":"b"}
`, Options{Decimal: ",", Encoding: want.Encoding}, false},
	} {
		d := mustRead(t, c.name, c.text, c.o)
		if !reflect.DeepEqual(values(d.Points), values(want.Points)) || !slices.Equal(labels(d), labels(want)) {
			t.Errorf("%s: %v %q, want %v", name, values(d.Points), labels(d), values(want.Points))
		}
		if told := len(d.Notes) == 1 && strings.HasPrefix(d.Notes[0].Error(), "decimals stand behind commas"); told != c.told {
			t.Errorf("%s: notes %v", name, d.Notes)
		}
	}
	// Without a header the commas of decimals separate no columns.
	if d := mustRead(t, "f.csv", "1,5;2;a\n2,5;3;b\n", Options{}); !reflect.DeepEqual(values(d.Points), [][]float64{{1.5, 2}, {2.5, 3}}) || d.Features != nil {
		t.Errorf("%v %q", values(d.Points), d.Features)
	}
	// A table of numbers alone, in blocks.
	var b strings.Builder
	for i := range 60000 {
		fmt.Fprintf(&b, "%d,5;%d;%d\n", i, i%7, i%2)
	}
	if d := mustRead(t, "f.csv", b.String(), Options{Threads: 3}); d.Points.Len() != 60000 || d.Points.DenseRow(59999)[0] != 59999.5 {
		t.Errorf("%d rows, the last %v", d.Points.Len(), d.Points.DenseRow(d.Points.Len()-1))
	}
	// Marks may stand between thousands.
	for _, text := range []string{"x;y;label\n1,5;2;a\n1.234,5;3;b\n2,5;3;b\n", "x,y,label\n1.5,2,a\n\"1,234.5\",3,b\n2.5,3,b\n"} {
		if d := mustRead(t, "f.csv", text, Options{}); !reflect.DeepEqual(values(d.Points), [][]float64{{1.5, 2}, {1234.5, 3}, {2.5, 3}}) {
			t.Errorf("%q: %v", text, values(d.Points))
		}
	}
	// A point before three digits stands between thousands where other columns have decimals behind commas, and that is doubted.
	for text, want := range map[string]float64{
		"x;y;label\n92,69;1.013;a\n1,5;950;b\n2,5;2.001;b\n": 1013,
		"x;y;label\n92,69;1.013;a\n1,5;2.5;b\n":              0, // 1.013 may be 1.013: refused
		"x;y;label\n92,69;0.013;a\n1,5;0.500;b\n":            0,
		"x;y;label\n1.013;1;a\n1,5;2;b\n":                    0,     // one column of both
		"x;y;label\n1,234;1.013;a\n1,500;2.001;b\n":          1.013, // as without commas, and the commas are doubted
		"x;y;label\n92,69;1.234.567;a\n1,5;2.001;b\n":        1234567,
	} {
		d, err := Read(strings.NewReader(text), "f.csv", Options{})
		doubts := 0
		if err == nil {
			for _, n := range d.Notes {
				if n.Doubtful {
					doubts++
				}
			}
		}
		if (err == nil) != (want > 0) || err == nil && (d.Points.DenseRow(0)[1] != want || (doubts == 1) != (want < 1e6)) {
			t.Errorf("%q: %v %v, want %v", text, err, d, want)
		}
	}
	for _, c := range []struct {
		text string
		o    Options
		want string
	}{
		{"x;y;label\n1,5;2;a\n1.5;3;b\n2,5;3;b\n", Options{}, `f.csv:2:1: column "x": "1,5" has a decimal comma; write numbers with a decimal point, or give Options{Decimal: ","}`},
		{"x;y;label\n1,5;2;a\n1.5;3;b\n2,5;3;b\n", Options{Decimal: ","}, `f.csv:3:1: column "x": "1.5" has a decimal point, but decimals stand behind commas here; write all of them with commas, or give Options{Decimal: "."}`},
		{"x,y,label\n1.5,2,a\n\"1,23.5\",3,b\n2.5,3,b\n", Options{}, `f.csv:3:1: column "x": "1,23.5" is not a number`},
	} {
		c.o.Ignore = []string{"y"} // else the column is left out
		_, err := Read(strings.NewReader(c.text), "f.csv", c.o)
		if err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%q: %v, want %s", c.text, err, c.want)
		}
	}
}

// Categories are called as they are written, and found by their value where a later table has
// numbers in their place.
func TestCategoriesAsWritten(t *testing.T) {
	const text = "zip,n,label\n01532,1,a\n10115,2,b\n01532,3,\n10115,4,\n,5,\n"
	o := Options{Category: []string{"zip"}}
	csv := mustRead(t, "f.csv", text, o)
	if c := csv.Encoding.Columns[0]; !slices.Equal(c.Values, []string{"01532", "10115"}) || c.Missing != 1 || csv.Encoding.Version() != 2 {
		t.Fatalf("%+v", c)
	}
	jsonl := "{\"zip\":\"01532\",\"n\":1}\n{\"zip\":\"10115\",\"n\":2}\n{\"zip\":1532,\"n\":3}\n{\"zip\":\"N/A\",\"n\":4}\n{\"zip\":\"1\",\"n\":4}\n"
	d := mustRead(t, "f.jsonl", jsonl, Options{Encoding: csv.Encoding})
	if want := [][]float64{{1, 0, 1}, {0, 1, 2}, {1, 0, 3}, {0, 0, 4}, {0, 0, 4}}; !reflect.DeepEqual(values(d.Points), want) || d.Missing.Columns[0] != 1 || len(d.Unseen) != 1 || d.Unseen[0].Value != "1" {
		t.Errorf("%v, missing %v, unseen %v", values(d.Points), d.Missing, d.Unseen)
	}
	// Two values that are one number are told apart, and neither is the number.
	two := mustRead(t, "f.csv", "v,n,label\n1.1,1,a\n1.10,2,b\n1.1,3,\n1.10,4,\n", Options{Category: []string{"v"}})
	d = mustRead(t, "f.csv", "v,n\n1.1,1\n1.10,1\n1.100,1\n", Options{Encoding: two.Encoding})
	if want := [][]float64{{1, 0, 1}, {0, 1, 1}, {0, 0, 1}}; !reflect.DeepEqual(values(d.Points), want) || d.Unseen[0].Value != "1.100" {
		t.Errorf("%v, unseen %v", values(d.Points), d.Unseen)
	}
}

// What models of old take for values of a category or words of a text stays so.
func TestOldEncodings(t *testing.T) {
	e := &dataset.Encoding{Named: true, Columns: []dataset.Column{
		{Name: "c", Kind: dataset.Category, Values: []string{"1532", "N/A", "None"}},
		{Name: "t", Kind: dataset.Text, Words: []string{"cat", "null"}, IDF: []float64{1, 1}},
	}}
	const text = "c,t\n01532,null\nN/A,cat\nNone,null\nnull,\n"
	d := mustRead(t, "f.csv", text, Options{Encoding: e})
	want := [][]float64{{1, 0, 0, 0, 1}, {0, 1, 0, 1, 0}, {0, 0, 1, 0, 1}, {0, 0, 0, 0, 0}}
	if !reflect.DeepEqual(values(d.Points), want) || d.Unseen != nil || !slices.Equal(d.Missing.Columns, []int{1, 1}) {
		t.Errorf("%v, missing %v, unseen %v", values(d.Points), d.Missing, d.Unseen)
	}
	e.Columns[1].Nothing = true // those of now
	if d = mustRead(t, "f.csv", text, Options{Encoding: e}); !reflect.DeepEqual(values(d.Points)[0], []float64{1, 0, 0, 0, 0}) || d.Missing.Columns[1] != 3 {
		t.Errorf("%v, missing %v", values(d.Points), d.Missing)
	}
}

// Spellings of missing values are the same in every column, and of every format.
func TestMissingInEveryColumn(t *testing.T) {
	words := []string{"", "?", "NA", "nan", "N/A", "n/a", "null", "NULL", "None", "<NA>", "#N/A", "-nan", "1.#IND"}
	for _, word := range words {
		var csv, jsonl bytes.Buffer
		csv.WriteString("n,b,d,c,t,label\r\n")
		for i := range 12 {
			row := []string{fmt.Sprint(i), []string{"yes", "no"}[i%2], fmt.Sprintf("2024-01-%02d", i+1), []string{"red", "blue"}[i%2], []string{"a cat sat", "the cat ran", "a dog sat"}[i%3], []string{"u", "v"}[i%2]}
			if i == 5 {
				row = slices.Repeat([]string{word}, len(row))
			}
			fmt.Fprintf(&csv, "%s\r\n", strings.Join(row, ","))
			fmt.Fprintf(&jsonl, "{\"n\":%q,\"b\":%q,\"d\":%q,\"c\":%q,\"t\":%q,\"label\":%q}\n", row[0], row[1], row[2], row[3], row[4], row[5])
		}
		o := Options{Text: []string{"t"}}
		d := mustRead(t, "f.csv", csv.String(), o)
		if !slices.Equal(d.Missing.Columns, []int{1, 1, 1, 1, 1}) || labels(d)[5] != "" || len(d.Classes) != 2 {
			t.Errorf("%q: missing %v, classes %q", word, d.Missing, d.Classes)
		}
		other := mustRead(t, "f.jsonl", jsonl.String(), o)
		if other.Points.Dim() != d.Points.Dim() || !slices.Equal(other.Y, d.Y) || !slices.Equal(slices.Sorted(slices.Values(other.Missing.Columns)), d.Missing.Columns) {
			t.Errorf("%q as JSON: missing %v, %d features", word, other.Missing, other.Points.Dim())
		}
	}
}

// Labels of a table with decimal commas are the numbers that they are in other files, unless they are lists.
func TestLabelsWithDecimalCommas(t *testing.T) {
	const text = "a;y\n1,5;1,0\n2,5;1\n3,5;0,5\n4,5;0,50\n5,5;-1,0\n"
	d := mustRead(t, "f.csv", text, Options{Unlabelled: []string{"-1"}})
	if want := []string{"1", "1", "0.5", "0.5", ""}; !slices.Equal(labels(d), want) {
		t.Errorf("%q, want %q", labels(d), want)
	}
	d = mustRead(t, "f.csv", "a;y\n1;1,0\n2;1\n3;1,0\n", Options{Decimal: "."})
	if want := []string{"1,0", "1", "1,0"}; !slices.Equal(labels(d), want) {
		t.Errorf("with points: %q, want %q", labels(d), want)
	}
	d = mustRead(t, "f.csv", text, Options{LabelValues: []string{"1,0", "0,5"}})
	if want := "1,0"; labels(d)[0] != want {
		t.Errorf("of classes with commas: %q, want %q", labels(d)[0], want)
	}
}
