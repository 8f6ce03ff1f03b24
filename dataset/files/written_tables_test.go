package files

import (
	"math"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// What programs wrote of one table is that table. testdata/written/README.md has the programs.
func TestWrittenTables(t *testing.T) {
	folder := filepath.Join(writtenFolder, "csv")
	label := Options{Label: "kind"}
	want, err := ReadFile(filepath.Join(folder, "table.csv"), label)
	if err != nil || want.Len() != 6 || !reflect.DeepEqual(want.Features, []string{"size", "colour=blau", "colour=grün", "colour=rot"}) {
		t.Fatal(err, want)
	}
	for name, c := range map[string]struct {
		o     Options
		names bool // a column of its own names the rows
		note  string
	}{
		"pandas.index.csv": {names: true}, "pandas.tab.tsv": {names: true}, "pandas.utf16.csv": {}, "pandas.sig.csv": {}, "pandas.semicolon.csv": {note: "decimals stand behind commas"}, "pandas.quoted.csv": {},
		"pandas.cp1252.csv": {note: "read as windows-1252"}, "pandas.utf16le.csv": {o: Options{Charset: "utf-16le"}}, "excel.sep.csv": {}, "title.csv": {o: Options{SkipLines: 1}}, "mac.csv": {},
		"gnumeric.csv": {}, "libreoffice.utf16.csv": {}, "sqlite3.csv": {}, "r.csv.csv": {names: true}, "r.csv2.csv": {names: true, note: "decimals stand behind commas"}, "r.table.txt": {names: true}, "r.nonames.txt": {}, "r.comma.csv": {names: true}, "r.tab.tsv": {names: true},
	} {
		c.o.Label = label.Label
		d, err := ReadFile(filepath.Join(folder, name), c.o)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		said := ""
		for _, n := range d.Notes {
			said += n.Error() + "\n"
		}
		features := d.Features
		if c.names && len(features) > 4 { // six rows are too few to tell that a column names them
			features = features[1:]
		}
		got := values(d.Points)
		for i := range got {
			got[i] = got[i][len(got[i])-4:]
		}
		if !reflect.DeepEqual(features, want.Features) || !reflect.DeepEqual(got, values(want.Points)) || !reflect.DeepEqual(labels(d), labels(want)) || !strings.Contains(said, c.note) {
			t.Errorf("%s: %q %v %q, said %s", name, features, got, labels(d), said)
		}
	}
	for name, problem := range map[string]string{
		"title.csv":          "title.csv:1: the line has 1 field, but most below it have 3: if it is a title, give Options{SkipLines: 1}",
		"pandas.utf16le.csv": "there is a zero byte: this is no text, or UTF-16 without a mark",
	} {
		if _, err := ReadFile(filepath.Join(folder, name), label); err == nil || !strings.Contains(err.Error(), problem) {
			t.Errorf("%s: %v, want %s", name, err, problem)
		}
	}
}

// What spreadsheets show as money, percents, thousands and times of day is what is in their cells.
func TestWrittenAmounts(t *testing.T) {
	folder := filepath.Join(writtenFolder, "csv")
	plain, err := ReadFile(filepath.Join(folder, "amounts.plain.csv"), Options{Label: "kind"})
	if err != nil {
		t.Fatal(err)
	}
	var want [][]float64
	for _, row := range values(plain.Points) {
		sine, cosine := math.Sincos(row[5] / 12 * math.Pi)
		want = append(want, append(row[:5:5], cosine, sine))
	}
	for _, name := range []string{"amounts.gnumeric.csv", "amounts.libreoffice.csv"} {
		d, err := ReadFile(filepath.Join(folder, name), Options{Label: "kind"})
		if err != nil || !slices.Equal(d.Features, []string{"price", "euros", "share", "people", "balance", "cos(at)", "sin(at)"}) || !slices.Equal(labels(d), labels(plain)) || d.Notes != nil {
			t.Errorf("%s: %v, %v", name, err, d)
			continue
		}
		for i, row := range values(d.Points) {
			for j, v := range row {
				if !(math.Abs(v-want[i][j]) < 1e-12) {
					t.Errorf("%s: row %d has %v, want %v", name, i+1, row, want[i])
				}
			}
		}
	}
	for _, name := range []string{"octave.csv", "octave.dlm.txt"} {
		d, err := ReadFile(filepath.Join(folder, name), Options{Features: 2})
		if err != nil || !reflect.DeepEqual(values(d.Points), [][]float64{{1.5, 0}, {2.5, 1}, {3.25, 0}}) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A header is a field shorter than rows that all end in a separator.
func TestTrailingSeparators(t *testing.T) {
	want := [][]float64{{1, 0}, {2, 1}, {3, 0}, {4, 1}}
	for _, text := range []string{"x,y,label\n1,no,a,\n2,yes,b,\n3,no,,\n4,yes,,\n", "x,y,label,\n1,no,a,\n2,yes,b,\n3,no,,\n4,yes,,\n", "x,y,label\n1,no,a\n2,yes,b\n3,no,\n4,yes,\n"} {
		d, err := Read(strings.NewReader(text), "f.csv", Options{Label: "label"})
		if err != nil || !slices.Equal(d.Features, []string{"x", "y"}) || !reflect.DeepEqual(values(d.Points), want) || !slices.Equal(labels(d), []string{"a", "b", "", ""}) {
			t.Errorf("%q: %v, %v", text, d, err)
		}
	}
}

// A header may lack a name, or have that of sodium. A first row of values whose words come again is none.
func TestHeadersWithGaps(t *testing.T) {
	for text, want := range map[string][]string{
		",colour,kind\n1,red,a\n2,blue,b\n3,red,a\n":                            {"", "colour", "kind"},
		"\"\",\"colour\",\"kind\"\n\"1\",\"red\",\"a\"\n\"2\",\"blue\",\"b\"\n": {"", "colour", "kind"},
		"Na,K,kind\n1,2,a\n2,3,b\n":                                             {"Na", "K", "kind"},
		"a,,kind\n1,2,a\n2,3,b\n":                                               {"a", "", "kind"},
		",red,a\n1,red,a\n2,blue,b\n,blue,b\n":                                  nil,
		"x,red,a\ny,red,a\nz,blue,b\n":                                          {"x", "red", "a"},
		"1,red,a\n2,red,a\n":                                                    nil,
	} {
		d, err := Read(strings.NewReader(text), "f.csv", Options{TextAlone: true})
		if err != nil {
			t.Errorf("%q: %v", text, err)
			continue
		}
		if want == nil {
			want = []string{"x1", "x2", "x3"}
		}
		if !reflect.DeepEqual(d.Kept.Names, want) {
			t.Errorf("%q: %q, want %q", text, d.Kept.Names, want)
		}
	}
}

// Files of other programs are told by their first bytes, whatever they are called.
func TestForeignFiles(t *testing.T) {
	for mark, want := range map[string]string{
		"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1\x00": "an old Excel workbook (.xls), or one with a password", "\x89HDF\r\n\x1a\n\x00": "is HDF5", "<!DOCTYPE html><html>": "is a web page",
		"<stata_dta><header>": "Stata", "r\x02\x01\x00\x02": "Stata", "\x80\x02}q\x00": "a pickle", "%PDF-1.7\n": "is a PDF", "PAR1\x15\x04": "is no csv, but parquet by its first bytes", "\x93NUMPY\x01\x00": "is no csv, but npy", "version https://git-lfs.github.com/spec/v1\n": "Git LFS",
	} {
		if _, err := Read(strings.NewReader(mark), "f.csv", Options{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", mark, err, want)
		}
	}
}

// A first line that is a field shorter than all rows is a header as R writes it, or a title: the row below it tells.
func TestShortFirstLine(t *testing.T) {
	for name, c := range map[string]struct {
		text, label string
		title       bool
	}{
		"title above numbers":       {"Results\na,b\n1,2\n3,5\n4,2\n", "b", true},
		"title, decimal commas":     {"Results\na;b\n1,5;2,5\n3;5\n4;2\n", "b", true},
		"title above tabs":          {"Results\na\tb\n1\t2\n3\t5\n4\t2\n", "b", true},
		"title, gaps":               {"Results\na,b\n1,NA\n,5\n4,2\n", "b", true},
		"title above words":         {"Results\nname,kind\nn1,a\nn2,b\nn3,a\n", "kind", true},
		"title with a comma":        {"Results,trees\na,b,c\n1,2,x\n2,2,y\n3,7,x\n", "c", true},
		"title, no header":          {"Results\n0.5,a\n0.25,b\n0.75,a\n", "1", true},
		"numbers of R":              {"\"x\"\n\"1\",5\n\"2\",7\n\"3\",5\n", "x", false},
		"numbers of R, names":       {"\"x\"\n\"ash\",5\n\"elm\",7\n\"oak\",5\n", "x", false},
		"classes of R, names":       {"\"x\"\n\"ash\",\"a\"\n\"elm\",\"b\"\n\"oak\",\"a\"\n", "x", false},
		"two columns of R, no dots": {"\"x\",\"g\"\n\"1\",NA,\"a\"\n\"2\",4,\"b\"\n\"3\",6,\"b\"\n", "g", false},
	} {
		o := Options{Format: CSV, Label: c.label, TextAlone: true}
		d, err := Read(strings.NewReader(c.text), "x.csv", o)
		if c.title {
			if err == nil || !strings.Contains(err.Error(), "if it is a title, give Options{SkipLines: 1}; if it is a header and each row begins with its name, give Options{Header: \"yes\"}") {
				t.Errorf("%s: %v", name, err)
			}
			r := o
			r.Header, r.Label = HeaderYes, "1"
			if d, err := Read(strings.NewReader(c.text), "x.csv", r); err != nil || d.Len() != strings.Count(c.text, "\n")-1 {
				t.Errorf("%s, as a header of R: %v", name, err)
			}
			o.SkipLines = 1
			d, err = Read(strings.NewReader(c.text), "x.csv", o)
		}
		if err != nil || d.Len() != 3 {
			t.Errorf("%s: %v, %v", name, err, d)
		}
	}
}

// The line that says the separator is one of those that are left out.
func TestSkipSaidSeparator(t *testing.T) {
	const title = "x.csv:1: the line has 2 fields, but most below it have 3: if it is a title, give Options{SkipLines: 1}"
	if _, err := Read(strings.NewReader("Results,2024\na,b,c\n1,2,3\n3,5,6\n"), "x.csv", Options{Format: CSV}); err == nil || err.Error() != title {
		t.Errorf("%v, want %s", err, title)
	}
	for text, skip := range map[string]int{"sep=^\nResults\na^b\n1^2\n3^5\n": 2, "sep=^\na^b\n1^2\n3^5\n": 1, "Results\na;b\n1;2\n3;5\n": 1} {
		d, err := Read(strings.NewReader(text), "x.csv", Options{Format: CSV, Label: "b", SkipLines: skip})
		if err != nil || !slices.Equal(labels(d), []string{"2", "5"}) || !slices.Equal(d.Features, []string{"a"}) {
			t.Errorf("%q: %v, %v", text, err, d)
		}
	}
}

// write.table of R 4.2.2, as it is called without options: names of rows with blanks, and a single column.
func TestRNamesWithBlanks(t *testing.T) {
	for text, want := range map[string][]string{
		"\"mpg\" \"am\"\n\"Mazda RX4\" 21 1\n\"Mazda RX4 Wag\" 21 1\n\"Datsun 710\" 22.8 0\n": {"1", "1", "0"},
		"\"x\"\n\"1\" 5\n\"2\" 7\n\"3\" 5\n":                                                  {"5", "7", "5"},
	} {
		d, err := ReadFile(writeText(t, filepath.Join(t.TempDir(), "x.txt"), text), Options{})
		if err != nil || !slices.Equal(labels(d), want) {
			t.Errorf("%q: %v, %v", text, err, d)
		}
	}
}
