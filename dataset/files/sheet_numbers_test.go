package files

import (
	"archive/zip"
	"bytes"
	"context"
	"database/sql"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

// workbookOf is a workbook of one sheet with these rows, as programs without a table of texts write it.
func workbookOf(t *testing.T, calculation, rows string) *bytes.Reader {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	const relations = `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/`
	for name, text := range map[string]string{
		"[Content_Types].xml":        `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>`,
		"_rels/.rels":                relations + `officeDocument" Target="xl/workbook.xml"/></Relationships>`,
		"xl/_rels/workbook.xml.rels": relations + `worksheet" Target="worksheets/sheet1.xml"/></Relationships>`,
		"xl/workbook.xml":            `<workbook xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><sheets><sheet name="s" sheetId="1" r:id="r1"/></sheets>` + calculation + `</workbook>`,
		"xl/worksheets/sheet1.xml":   `<worksheet><sheetData>` + rows + `</sheetData></worksheet>`,
	} {
		w, err := z.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		w.Write([]byte(text))
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return bytes.NewReader(b.Bytes())
}

const sheetHeader = `<row><c t="inlineStr"><is><t>id</t></is></c><c t="inlineStr"><is><t>x</t></is></c><c t="inlineStr"><is><t>label</t></is></c></row>`

// A number names the same row and class however its program spells it: Java writes 1.2345678E7, and a database has
// 12345678.0.
func TestNumbersOfCells(t *testing.T) {
	names := [][]string{{"12345678"}, {"12345679"}, {"12345680"}, {"9007199254740993"}}
	classes := []string{"1", "2000000"}
	o := Options{ID: []string{"id"}}
	d, err := Read(workbookOf(t, "", sheetHeader+`<row><c><v>1.2345678E7</v></c><c><v>1.0</v></c><c><v>1.0</v></c></row><row><c><v>12345679.0</v></c><c><v>2.5</v></c><c><v>2000000.0</v></c></row>`+
		`<row><c><v>12345680</v></c><c><v>1E-7</v></c><c><v>1</v></c></row><row><c><v>9007199254740993</v></c><c><v>3</v></c><c><v>2E6</v></c></row>`), "f.xlsx", o)
	if err != nil || !reflect.DeepEqual(d.Kept.Rows, names) || !reflect.DeepEqual(d.Classes, classes) || d.Points.DenseRow(2)[0] != 1e-7 {
		t.Errorf("%v, %+v", err, d)
	}
	path := filepath.Join(t.TempDir(), "a.sqlite")
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := db.ExecContext(context.Background(), "create table t(id, x, label); insert into t values (12345678.0, 1, 1.0), (12345679.0, 2.5, 2000000.0), (12345680, 1e-7, 1), (9007199254740993, 3, 2e6)"); err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	d, err = ReadFile(path, o)
	if err != nil || !reflect.DeepEqual(d.Kept.Rows, names) || !reflect.DeepEqual(d.Classes, classes) || d.Points.DenseRow(2)[0] != 1e-7 {
		t.Errorf("%v, %+v", err, d)
	}
}

// Some programs store 0 with a formula that they cannot calculate, and ask whoever opens the file to calculate it.
func TestFormulasNeverCalculated(t *testing.T) {
	const rows = sheetHeader + `<row><c><v>1</v></c><c><f>A2*2</f><v>0</v></c><c><v>1</v></c></row><row><c><v>2</v></c><c><f>A3*2</f><v>4</v></c><c><v>2</v></c></row>`
	for calculation, want := range map[string]bool{`<calcPr calcId="124519" fullCalcOnLoad="1"/>`: true, `<calcPr calcId="124519"/>`: false} {
		d, err := Read(workbookOf(t, calculation, rows), "f.xlsx", Options{})
		if err != nil {
			t.Fatal(err)
		}
		said := ""
		for _, n := range d.Notes {
			said += n.Error()
		}
		if strings.Contains(said, "one formula has the value 0 in a workbook that asks to be calculated") != want {
			t.Errorf("%s: %s", calculation, said)
		}
	}
}

// Weka has six decimals. Its sparse rows leave out the first value of an attribute.
func TestWrittenWeka(t *testing.T) {
	folder := filepath.Join(writtenFolder, "sheets")
	o := Options{Label: "kind", Ignore: []string{"when"}}
	want, err := ReadFile(filepath.Join(folder, "table.csv"), o)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"weka.arff", "weka.sparse.arff"} {
		d, err := ReadFile(filepath.Join(folder, name), o)
		if err != nil || !reflect.DeepEqual(d.Features, want.Features) || !reflect.DeepEqual(labels(d), labels(want)) {
			t.Errorf("%s: %v, %+v", name, err, d)
			continue
		}
		for i, row := range values(d.Points) {
			for j, v := range row {
				if !(math.Abs(v-values(want.Points)[i][j]) < 1e-6) {
					t.Errorf("%s: row %d is %v", name, i+1, row)
				}
			}
		}
	}
}

// The one label that MULAN names is taken, and of several the error says how to give them, by what a list of columns takes.
func TestLabelsOfMULAN(t *testing.T) {
	const attributes = "@attribute p {0,1}\n@attribute x numeric\n@attribute 'q, red' {0,1}\n@attribute y numeric\n@data\n1,5,0,1\n0,2,1,2\n1,4,1,3\n"
	xml := func(names ...string) string {
		text := `<?xml version="1.0" encoding="utf-8"?><labels xmlns="http://mulan.sourceforge.net/labels">`
		for _, name := range names {
			text += `<label name="` + name + `"></label>`
		}
		return text + "</labels>"
	}
	for _, c := range []struct{ relation, xml, want string }{
		{"'r: -C 1'", "", "p"}, {"'r: -C -1'", "", "y"}, {"r", xml("q, red"), "q, red"}, {"'Music: -C 1 -split-number 9'", xml("y"), "p"},
		{"'r: -C 2'", "", `2 attributes are labels by the relation (-C): p, x; give Options{Label: []string{"1-2"}} for several classes in a row where all of them are 0 and 1, or Options{Label: "p"} Options{Ignore: []string{"x"}} for one of them`},
		{"r", xml("p", "q, red"), `.xml: p, q, red; give Options{Label: []string{"p", "q, red"}} for several classes in a row, or Options{Label: "p"} Options{Ignore: []string{"q, red"}} for one of them`},
		{"r", xml("p", "y"), `give Options{Label: []string{"p", "y"}} for several classes in a row where`},
	} {
		path := filepath.Join(t.TempDir(), "r.arff")
		if err := os.WriteFile(path, []byte("@relation "+c.relation+"\n"+attributes), 0o600); err != nil {
			t.Fatal(err)
		}
		if c.xml != "" {
			if err := os.WriteFile(strings.TrimSuffix(path, ".arff")+".xml", []byte(c.xml), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		d, err := ReadFile(path, Options{})
		if err != nil {
			isRefused(t, c.relation, err, c.want)
		} else if d.Label != c.want || d.Points.Dim() != 3 {
			t.Errorf("%s: the label is %q of %d columns, want %q", c.relation, d.Label, d.Points.Dim(), c.want)
		}
	}
}

// Rows of text alone need no labels, so that none are asked for.
func TestTextOfMULAN(t *testing.T) {
	const text = "@relation 'r: -C 2'\n@attribute a {0,1}\n@attribute b {0,1}\n@attribute c numeric\n@data\n1,0,2\n"
	if d, err := Read(strings.NewReader(text), "f.arff", Options{TextAlone: true}); err != nil || !reflect.DeepEqual(d.Kept.Rows, [][]string{{"1", "0", "2"}}) {
		t.Error(err)
	}
	if _, err := Read(strings.NewReader(text), "f.arff", Options{}); err == nil || !strings.Contains(err.Error(), `Options{Label: []string{"1-2"}}`) {
		t.Error(err)
	}
}
