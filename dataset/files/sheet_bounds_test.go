package files

import (
	"bytes"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"lapsvm/dataset"
)

// What holds no value is refused early, however many tags it has.
func TestTagsWithoutValues(t *testing.T) {
	row := func(s string) string { return "<worksheet><sheetData><row>" + s + "</row></sheetData></worksheet>" }
	odsRow := func(s string) string {
		return `<table:table table:name="S"><table:table-row>` + s + `</table:table-row></table:table>`
	}
	const table = "<row><c><v>1</v></c><c><v>2</v></c></row><row><c><v>3</v></c><c><v>4</v></c></row>"
	const odsTwo = `<table:table-row><table:table-cell office:value-type="float" office:value="1" table:number-columns-repeated="2"/></table:table-row>`
	many := func(s string, size int) string { return strings.Repeat(s, size/len(s)) }
	const long = 70 << 20
	for name, c := range map[string]struct {
		file []byte
		want string
	}{
		"b.xlsx#cells":    {bookOf(t, row(many("<c/>", 1<<20))), "16384 columns"},
		"b.xlsx#tags":     {bookOf(t, row(many("<x/>", long))), "hold no value"},
		"b.xlsx#comments": {bookOf(t, row("<c><v>1</v>"+many("<!-- x -->", long)+"</c>")), "hold no value"},
		"b.xlsx#behind":   {bookOf(t, "<worksheet><sheetData>"+table+"</sheetData>"+many("<mergeCell/>", long)+"</worksheet>"), "hold no value"},
		"b.ods#cells":     {odsOf(t, odsRow(many("<table:table-cell/>", 1<<20))), "16384 columns"},
		"b.ods#tags":      {odsOf(t, odsRow(many("<x/>", long))), "hold no value"},
		"b.ods#rows":      {odsOf(t, `<table:table table:name="S">`+odsTwo+odsTwo+many("<table:table-row/>", 50<<20)+`</table:table>`), "1048576 rows"},
		"b.ods#columns":   {odsOf(t, `<table:table table:name="S">`+many("<table:table-column/>", long)+`</table:table>`), "hold no value"},
	} {
		file, _, _ := strings.Cut(name, "#")
		_, err := Read(bytes.NewReader(c.file), file, Options{MayLackLabels: true})
		isRefused(t, name, err, c.want)
	}
}

// An archive that is a file of another format than it is called is not read member by member.
func TestCalledOtherwise(t *testing.T) {
	workbook, err := os.ReadFile("../../testdata/written/sheets/libreoffice.xlsx")
	if err != nil {
		t.Fatal(err)
	}
	spreadsheet, err := os.ReadFile("../../testdata/written/sheets/libreoffice.ods")
	if err != nil {
		t.Fatal(err)
	}
	for name, is := range map[string]string{"a.csv": XLSX, "b.csv": ODS, "c.xlsx": ODS, "d.ods": XLSX, "e.npz": XLSX, "f.svm": ODS, "g.parquet": ODS, "h.db": XLSX, "i.arff": XLSX, "j.jsonl": ODS} {
		file := workbook
		if is == ODS {
			file = spreadsheet
		}
		_, err := Read(bytes.NewReader(file), name, Options{})
		isRefused(t, name, err, `Options{Format: "`+is+`"}`)
	}
	packed := zipOf(t, "t.csv", "x,y\n1,a\n2,b\n")
	if d, err := Read(bytes.NewReader(packed), "t.csv", Options{}); err != nil || d.Points.Len() != 2 {
		t.Error(err)
	}
}

// A time that passed is a number of seconds, and a time of day is as a clock shows it, whichever program wrote them.
func TestTimesOfSheets(t *testing.T) {
	want := [][]string{{"43200", "06:00:00", "a"}, {"151200", "12:00:00", "b"}, {"183600", "23:59:59", "a"}, {"5400", "00:00:00", "b"}}
	for _, name := range []string{"openpyxl.xlsx", "libreoffice.ods", "gnumeric.ods"} {
		path := filepath.Join("../../testdata/written/sheets", "durations."+name)
		d, err := ReadFile(path, Options{TextAlone: true})
		rows, said := textOfRows(t, d, err)
		if !reflect.DeepEqual(rows, want) {
			t.Errorf("%s: %q", name, rows)
		}
		hasAll(t, said, "4 cells are durations, read in seconds")
		d, err = ReadFile(path, Options{})
		if err != nil || d.Encoding == nil || !reflect.DeepEqual(d.Features, []string{"spent", "cos(at)", "sin(at)"}) {
			t.Errorf("%s: %v %v", name, err, d)
			continue
		}
		if k := d.Encoding.Columns; len(k) == 0 || k[len(k)-1].Kind != dataset.TimeOfDay {
			t.Errorf("%s: %+v", name, k)
		}
	}
}

// The style of a time may be that of its row or its column, or come from another style; more than a day is no time of day.
func TestStylesOfTimes(t *testing.T) {
	sheet := `<office:automatic-styles xmlns:number="n" xmlns:style="s"><number:time-style style:name="N1" number:truncate-on-overflow="false"/><number:time-style style:name="N2"/>
<style:style style:name="long" style:data-style-name="N1"/><style:style style:name="child" style:parent-style-name="long"/><style:style style:name="day" style:data-style-name="N2" style:parent-style-name="long"/></office:automatic-styles>
<table:table table:name="S"><table:table-column table:number-columns-repeated="2" table:default-cell-style-name="Default"/><table:table-column table:default-cell-style-name="child"/>
<table:table-row>CELLday"/>CELLchild"/>BARE</table:table-row>
<table:table-row table:default-cell-style-name="long">CELLday"/>BAREBARE</table:table-row>
<table:table-row table:default-cell-style-name="day">BAREOVERLESSs</table:table-row></table:table>`
	sheet = strings.NewReplacer("CELL", `<table:table-cell office:value-type="time" office:time-value="PT01H02M03.5000S" table:style-name="`,
		"BARE", `<table:table-cell office:value-type="time" office:time-value="PT1H2M3.5S"/>`,
		"OVER", `<table:table-cell office:value-type="time" office:time-value="P1DT1M"/>`,
		"LESSs", `<table:table-cell office:value-type="time" office:time-value="-PT1H"/>`).Replace(sheet)
	d, err := Read(bytes.NewReader(odsOf(t, sheet)), "b.ods", Options{TextAlone: true, Header: HeaderNo})
	want := [][]string{{"01:02:03.5", "3723.5", "3723.5"}, {"01:02:03.5", "3723.5", "3723.5"}, {"01:02:03.5", "86460", "-3600"}}
	if rows, _ := textOfRows(t, d, err); !reflect.DeepEqual(rows, want) {
		t.Errorf("%q", rows)
	}
}
