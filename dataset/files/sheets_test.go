package files

import (
	"archive/zip"
	"bytes"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"lapsvm/dataset"
)

const (
	bookStart = `<workbook xmlns:r="r"><workbookPr/><sheets><sheet name="S" sheetId="1" r:id="rId1"/></sheets></workbook>`
	bookLinks = `<Relationships><Relationship Id="rId1" Type="x/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Type="x/styles" Target="styles.xml"/><Relationship Id="rId3" Type="x/sharedStrings" Target="sharedStrings.xml"/></Relationships>`
	// Styles 1 to 4: a day, a time, a clock, a duration.
	bookStyles = `<styleSheet><numFmts><numFmt numFmtId="164" formatCode="[h]:mm:ss"/><numFmt numFmtId="165" formatCode="0.0&quot; days&quot;"/></numFmts><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs>` +
		`<cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="22"/><xf numFmtId="21"/><xf numFmtId="164"/><xf numFmtId="165"/></cellXfs></styleSheet>`
	bookTexts = `<sst><si><t>plain</t></si><si><r><t>one </t></r><r><t>two</t></r><rPh><t>no</t></rPh></si><si><t>a_x000D_b</t></si></sst>`
)

// zipOf returns an archive of files, each behind its name.
func zipOf(t testing.TB, files ...string) []byte {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for k := 0; k < len(files); k += 2 {
		w, err := z.Create(files[k])
		if err != nil {
			t.Fatal(err)
		}
		w.Write([]byte(files[k+1]))
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func bookOf(t testing.TB, sheet string) []byte {
	return zipOf(t, "[Content_Types].xml", "<Types/>", "xl/workbook.xml", bookStart, "xl/_rels/workbook.xml.rels", bookLinks,
		"xl/styles.xml", bookStyles, "xl/sharedStrings.xml", bookTexts, "xl/worksheets/sheet1.xml", sheet)
}

func odsOf(t testing.TB, sheets string) []byte {
	return zipOf(t, "mimetype", "application/vnd.oasis.opendocument.spreadsheet", "META-INF/manifest.xml", "<m/>", "content.xml",
		`<office:document-content xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0" xmlns:text="x">`+sheets+`</office:document-content>`)
}

// textOfRows returns the text of all cells but those without any on the right, and the notes.
func textOfRows(t testing.TB, d *dataset.Dataset, err error) ([][]string, string) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	said := ""
	for _, n := range d.Notes {
		said += n.Error() + "\n"
	}
	return d.Kept.Rows, said
}

func hasAll(t testing.TB, said string, wanted ...string) {
	t.Helper()
	for _, want := range wanted {
		if !strings.Contains(said, want) {
			t.Errorf("%q has no %q", said, want)
		}
	}
}

// isRefused checks that reading fails as of a bad file.
func isRefused(t testing.TB, what string, err error, want string) {
	t.Helper()
	var e *dataset.Error
	if !errors.As(err, &e) || !strings.Contains(err.Error(), want) {
		t.Errorf("%s: %v, want %s", what, err, want)
	}
}

// Each kind of cell has the text that a spreadsheet program shows, or with which it is written as CSV.
func TestCellsOfWorkbook(t *testing.T) {
	v := func(value string) string { return "<v>" + value + "</v>" }
	cases := []struct{ attributes, inner, want string }{
		{`t="s"`, v("1"), "one two"},
		{`t="s"`, v("2"), "a\rb"},
		{`t="inlineStr"`, "<is><r><t>in</t></r><r><t>line</t></r><rPh><t>no</t></rPh></is>", "inline"},
		{`t="inlineStr"`, "", ""},
		{`t="str"`, "<f>A1</f>" + v("x"), "x"},
		{`t="b"`, v("1"), "true"},
		{`t="b"`, v("0"), "false"},
		{`t="e"`, v("#N/A"), ""},
		{`t="d"`, v("2024-02-29T12:00:00"), "2024-02-29T12:00:00"},
		{``, v("0.30000000000000004"), "0.30000000000000004"},
		{`t="n"`, v("1E-7"), "1e-07"},
		{``, "<f>SUM(A1)</f>", ""},
		{`s="1"`, v("45351"), "2024-02-29"},
		{`s="1"`, v("1"), "1900-01-01"},
		{`s="1"`, v("61"), "1900-03-01"},
		{`s="2"`, v("45351.6041666667"), "2024-02-29T14:30:00Z"},
		{`s="3"`, v("0.395833333333333"), "09:30:00"},
		{`s="4"`, v("1.5"), "129600"},
		{`s="5"`, v("2.5"), "2.5"},
		{`s="1"`, v("-5"), "-5"},
	}
	sheet := `<worksheet><cols><col min="2" max="3" hidden="1"/></cols><sheetData>`
	hidden := ` hidden="1"`
	for k, c := range cases {
		sheet += fmt.Sprintf(`<row r="%d"%s><c t="inlineStr"><is><t>q</t></is></c><c r="C%d" %s>%s</c><c t="inlineStr"><is><t>r</t></is></c></row>`, 2*k+1, hidden, 2*k+1, c.attributes, c.inner)
		hidden = ""
	}
	sheet += `</sheetData><mergeCells><mergeCell ref="A1:B1"/></mergeCells></worksheet>`
	d, err := Read(bytes.NewReader(bookOf(t, sheet)), "b.xlsx", Options{Keep: true, MayLackFeatures: true, Header: HeaderNo, Label: "4", ID: []string{"1", "2", "3"}})
	rows, said := textOfRows(t, d, err)
	if len(rows) != len(cases) {
		t.Fatal(rows)
	}
	for k, c := range cases {
		if want := []string{"q", "", c.want, "r"}; !reflect.DeepEqual(rows[k], want) {
			t.Errorf("%s %s: %q, want %q", c.attributes, c.inner, rows[k], want)
		}
	}
	hasAll(t, said, "one row is hidden", "2 columns are hidden", "cells are merged", "one formula has no value", "one cell has the error #N/A", "one cell is a duration")
}

// The letters of dates count outside of quotes, brackets and escapes alone.
func TestFormatsOfCells(t *testing.T) {
	for code, want := range map[string]cellFormat{
		"General": plainNumber, "0.00": plainNumber, `0" days"`: plainNumber, `[Red]0.0;[Blue]-0.0`: plainNumber, `0\d`: plainNumber, `0.0_d`: plainNumber, "0.00E+00": plainNumber, "@": plainNumber, `[$USD] 0.00`: plainNumber,
		"yyyy-mm-dd": asDay, "mmm yy": asDay, "[$-409]d/m/yy;@": asDay, "mmmm": asDay, "DD.MM.YYYY HH:MM": asTime, "h:mm AM/PM": asClock, "mm:ss.0": asClock, "[h]:mm": asDuration, "[mm]:ss": asDuration,
	} {
		if got := cellFormatOf(code); got != want {
			t.Errorf("%s: %d, want %d", code, got, want)
		}
	}
}

func TestBadWorkbooks(t *testing.T) {
	text := func(s string) string { return `<c t="inlineStr"><is><t>` + s + `</t></is></c>` }
	rows := func(s string) string { return "<worksheet><sheetData>" + s + "</sheetData></worksheet>" }
	two := "<row>" + text("a") + text("b") + "</row><row><c><v>1</v></c><c><v>2</v></c></row>"
	texts := "<sst>" + strings.Repeat("<si><t>aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa</t></si>", 400_000) + "</sst>"
	for name, c := range map[string]struct {
		book   []byte
		memory int64
		want   string
	}{
		"title":   {bookOf(t, rows("<row>"+text("Trees of 2024")+"</row>"+two)), 0, "Skip"},
		"row":     {bookOf(t, rows(two+`<row r="1048577"><c><v>1</v></c></row>`)), 0, "1048577"},
		"column":  {bookOf(t, rows(two+`<row><c r="XFE3"><v>1</v></c></row>`)), 0, "16384 columns"},
		"corner":  {bookOf(t, rows(two+`<row r="1048576"><c r="XFD1048576"><v>1</v></c></row>`)), 0, "columns"},
		"order":   {bookOf(t, rows(two+`<row r="1"><c><v>1</v></c></row>`)), 0, "in order"},
		"cut off": {bookOf(t, "<worksheet><sheetData>"+two), 0, "cut off"},
		"entity":  {bookOf(t, `<!DOCTYPE w [<!ENTITY a "b">]>`+rows("<row>"+text("&a;")+text("b")+"</row>"+two)), 0, "damaged"},
		"number":  {bookOf(t, rows(two+"<row><c><v>x</v></c></row>")), 0, `holds "x"`},
		"text":    {bookOf(t, rows(two+`<row><c t="s"><v>3</v></c></row>`)), 0, `"3" of 3`},
		"empty":   {bookOf(t, rows("")), 0, "no sheet has a table"},
		"old":     {append([]byte("\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"), make([]byte, 512)...), 0, ".xls"},
		"binary": {zipOf(t, "[Content_Types].xml", "<Types/>", "_rels/.rels", `<Relationships><Relationship Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="xl/workbook.bin" Id="a"/></Relationships>`,
			"xl/workbook.bin", "\x83\x01\x00"), 0, "is a binary workbook of Excel (.xlsb), which is not read"},
		"no zip":     {[]byte("a,b\n1,2\n"), 0, "no workbook"},
		"other zip":  {zipOf(t, "a.txt", "x"), 0, "no workbook"},
		"long token": {bookOf(t, rows("<row>"+text(strings.Repeat(" ", 9<<20))+text("b")+"</row>")), 0, "longer than 4 MiB"},
		"many texts": {zipOf(t, "[Content_Types].xml", "<Types/>", "xl/workbook.xml", bookStart, "xl/_rels/workbook.xml.rels", bookLinks, "xl/sharedStrings.xml", texts, "xl/worksheets/sheet1.xml", rows(two)), 16 << 20, "memory"},
		"long row":   {bookOf(t, rows("<row>"+strings.Repeat(text(strings.Repeat("x", 1<<20)), 40)+"</row>"+two)), 16 << 20, "memory"},
	} {
		_, err := Read(bytes.NewReader(c.book), "b.xlsx", Options{Memory: c.memory, MayLackLabels: true})
		isRefused(t, name, err, c.want)
	}
}

// Repeated rows and columns are what they stand for, and never more than the used part of a sheet.
func TestCellsOfSpreadsheet(t *testing.T) {
	sheet := `<office:automatic-styles><style:style xmlns:style="s" style:name="h"><style:table-properties table:display="false"/></style:style></office:automatic-styles>
<table:table table:name="Old" table:style-name="h"><table:table-row><table:table-cell office:value-type="string"><text:p>z</text:p></table:table-cell></table:table-row></table:table>
<table:table table:name="S"><table:table-column table:visibility="collapse"/>
<table:table-row table:number-rows-repeated="2"><table:table-cell office:value-type="float" office:value="1.5" table:number-columns-repeated="2"><text:p>1,5</text:p></table:table-cell><table:table-cell table:number-columns-repeated="16000"/></table:table-row>
<table:table-row table:number-rows-repeated="1000000"><table:table-cell table:number-columns-repeated="16384"/></table:table-row>
<table:table-row><table:table-cell table:number-columns-spanned="2" office:value-type="string"><office:annotation><text:p>note</text:p></office:annotation><text:p>a<text:s text:c="2"/><text:span>b</text:span></text:p><text:p>c</text:p></table:table-cell><table:covered-table-cell office:value-type="string"><text:p>under</text:p></table:covered-table-cell><table:table-cell office:value-type="boolean" office:value="true"/></table:table-row>
<table:table-row><table:table-cell office:value-type="date" office:date-value="2024-02-29"/><table:table-cell office:value-type="time" office:time-value="PT09H30M00S"/><table:table-cell office:value-type="boolean" office:boolean-value="false"/></table:table-row>
<table:table-row><table:table-cell table:formula="of:=1/0" office:value-type="string"><text:p>#DIV/0!</text:p></table:table-cell><table:table-cell/><table:table-cell table:formula="of:=A1"/></table:table-row>
<table:table-row><table:table-cell/><table:table-cell/><table:table-cell office:value-type="string"><text:p>z</text:p></table:table-cell></table:table-row>
</table:table>`
	d, err := Read(bytes.NewReader(odsOf(t, sheet)), "b.ods", Options{Keep: true, MayLackFeatures: true, Header: HeaderNo, Label: "3", ID: []string{"1", "2"}})
	rows, said := textOfRows(t, d, err)
	want := [][]string{{"1.5", "1.5", ""}, {"1.5", "1.5", ""}, {"a  b\nc", "", "true"}, {"2024-02-29", "09:30:00", "false"}, {"", "", "z"}}
	if !reflect.DeepEqual(rows, want) {
		t.Errorf("%q, want %q", rows, want)
	}
	hasAll(t, said, "read the sheet S; not read: Old (hidden)", "one column is hidden", "cells are merged", "one formula has no value", "one cell has the error #DIV/0!")
	cell := `<table:table table:name="S"><table:table-row table:number-rows-repeated="ROWS"><table:table-cell table:number-columns-repeated="COLUMNS" office:value-type="float" office:value="1"/></table:table-row></table:table>`
	for text, want := range map[string]string{
		strings.NewReplacer("ROWS", "2000000000", "COLUMNS", "1").Replace(cell):  "b.ods",
		strings.NewReplacer("ROWS", "1", "COLUMNS", "2000000000").Replace(cell):  "columns at most",
		strings.NewReplacer("ROWS", "1000000", "COLUMNS", "16384").Replace(cell): "memory",
		`<table:table table:name="S"><table:table-row>`:                          "damaged",
		``: "no sheets",
	} {
		_, err := Read(bytes.NewReader(odsOf(t, text)), "b.ods", Options{MayLackLabels: true, Memory: 32 << 20})
		isRefused(t, text, err, want)
	}
}

// A column of a database holds what each row has, whatever it is declared as. Rows may be in the log beside it.
func TestCellsOfDatabase(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a b#c?.sqlite")
	db, err := sql.Open("sqlite", "file:"+strings.NewReplacer("#", "%23", "?", "%3f", " ", "%20").Replace(path))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	for _, s := range []string{`pragma journal_mode=wal`, `create table t (seen timestamp, ok boolean, "odd ""name" real, b blob, kind text)`,
		`insert into t values ('2024-02-29 12:00:00', 1, 0.1, x'00', 'a'), (5, 0, 3.0, null, 'b,c'), ('never', null, 9007199254740993, null, null)`,
		`create view v as select kind, "odd ""name" * 2 as twice from t`, `create virtual table words using fts5(x)`} {
		if _, err := db.Exec(s); err != nil {
			t.Fatal(s, err)
		}
	}
	before, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	o := Options{Keep: true, MayLackLabels: true}
	d, err := ReadFile(path, o)
	rows, said := textOfRows(t, d, err)
	want := [][]string{{"2024-02-29 12:00:00", "true", "0.1", "", "a"}, {"5", "false", "3", "", "b,c"}, {"never", "", "9007199254740992", "", ""}}
	if !reflect.DeepEqual(rows, want) {
		t.Errorf("%q, want %q", rows, want)
	}
	hasAll(t, said, "read the table t; not read: words, v", `the column "b" has 1 value of bytes`)
	d, err = ReadFile(path+"#v", o)
	if rows, _ := textOfRows(t, d, err); !reflect.DeepEqual(rows, [][]string{{"a", "0.2"}, {"b,c", "6"}, {"", "18014398509481984"}}) {
		t.Errorf("%q", rows)
	}
	_, err = ReadFile(path+"#none", Options{})
	isRefused(t, "part", err, `no table "none"`)
	if after, err := os.ReadFile(path); err != nil || !bytes.Equal(before, after) {
		t.Error("the database was written to", err)
	}
	for name, b := range map[string][]byte{"text": []byte("a,b\n1,2\n"), "damaged": append([]byte(sqliteMagic), make([]byte, 4096)...), "cut off": []byte(sqliteMagic)} {
		_, err := Read(bytes.NewReader(b), "f.db", Options{})
		isRefused(t, name, err, "f.db")
	}
}

// A view that finds no row, or none after some, ends in time with an error that names it.
func TestViewsWithoutAnEnd(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.sqlite")
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	for _, s := range []string{`create view none as with recursive c(x, y) as (select 1, 2 union all select x + 1, y from c) select x, y from c where x < 0`,
		`create view three as with recursive c(x, y) as (select 1, 2 union all select x + 1, y from c) select x, y from c where x < 4`} {
		if _, err := db.Exec(s); err != nil {
			t.Fatal(s, err)
		}
	}
	for view, want := range map[string]string{"none": `no row of "none" after row 0 for 100ms`, "three": `no row of "three" after row 3 for 100ms`} {
		f, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		src, err := open(f, path, dataset.NewMemory(0), nil)
		if err != nil {
			t.Fatal(err)
		}
		q := newQuery(src, 100*time.Millisecond)
		defer q.close()
		if err := q.open(path); err != nil {
			t.Fatal(err)
		}
		err = q.begin(view)
		for begun := time.Now(); err == nil && time.Since(begun) < 10*time.Second; {
			_, _, err = q.next()
		}
		isRefused(t, view, err, want)
	}
}

// Weka's own rules: blanks separate, a missing index of a sparse row is the first value of a nominal attribute.
func TestCellsOfARFF(t *testing.T) {
	head := "% by hand\n@RELATION 'it, \\'quoted\\''\n\n@attribute 'a b' numeric\n@Attribute c {x, 'y \\'z', \"?\"}\n@attribute s string\n@attribute d date \"dd.MM.yyyy HH:mm\"\n@DATA\n"
	d, err := Read(strings.NewReader(head+"1.5, x , 'p, \\\"q', \"29.02.2024 12:30\"\n% no row\n?,'y \\'z',?,?,{2}\n{0 2, 1 'y \\'z'}\n{ }, {1}\n"), "f.arff", Options{Keep: true, MayLackLabels: true})
	rows, said := textOfRows(t, d, err)
	want := [][]string{{"1.5", "x", `p, "q`, "2024-02-29T12:30:00Z"}, {"", "y 'z", "", ""}, {"2", "y 'z", "", "1970-01-01T00:00:00Z"}, {"0", "x", "", "1970-01-01T00:00:00Z"}}
	if !reflect.DeepEqual(rows, want) {
		t.Errorf("%q, want %q", rows, want)
	}
	hasAll(t, said, "1 rows have weights")
	mulan := "@relation 'birds: -C -2'\n@attribute x numeric\n@attribute p {0,1}\n@attribute q {0,1}\n@data\n1,0,1\n2,1,0\n"
	for text, want := range map[string]string{
		mulan: "2-3", strings.Replace(mulan, "-C -2", "-C 2", 1): "1-2", strings.Replace(mulan, "'birds: -C -2'", "birds", 1) + "3,2,1\n": `"2" is no value of the attribute "p"`,
		head + "1,w,s,?\n": `"w" is no value`, head + "1,x\n": "2 values, but there are 4", head + "{9 1}\n": "no index", head + "1,x,'p,?\n": "never closed", "@relation r\n": "no line @data",
		"@relation r\n@attribute a relational\n": "of kind", "@relation r\n@attribute a {x\n": "no }", "a,b\n1,2\n": "begins with",
	} {
		_, err := Read(strings.NewReader(text), "f.arff", Options{})
		isRefused(t, text, err, want)
	}
	path := filepath.Join(t.TempDir(), "birds.arff")
	for name, text := range map[string]string{path: strings.Replace(mulan, "-C -2", "", 1), strings.TrimSuffix(path, ".arff") + ".xml": `<labels xmlns="http://mulan.sourceforge.net/labels"><label name="p"/><label name="q"></label></labels>`} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	_, err = ReadFile(path, Options{})
	isRefused(t, "beside", err, "2-3")
	isRefused(t, "beside", err, "birds.xml")
}
