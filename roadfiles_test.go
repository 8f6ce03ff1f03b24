package lapsvm_test

import (
	"archive/zip"
	"bytes"
	"database/sql"
	"encoding/json"
	"fmt"
	"html"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/parquet-go/parquet-go"
	_ "modernc.org/sqlite"
)

// zipOf returns an archive of files, each behind its name.
func zipOf(t *testing.T, files ...string) []byte {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for k := 0; k < len(files); k += 2 {
		w, err := z.Create(files[k])
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write([]byte(files[k+1])); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// daysOf returns the days of a time since the day 0 of Excel.
func daysOf(at time.Time) float64 {
	return at.Sub(time.Date(1899, 12, 30, 0, 0, 0, 0, time.UTC)).Hours() / 24
}

// clockOf returns a time of day as a duration.
func clockOf(t *testing.T, field string) time.Duration {
	at, err := time.Parse(time.TimeOnly, field)
	if err != nil {
		t.Fatal(err)
	}
	return at.Sub(at.Truncate(24 * time.Hour))
}

// xlsxOf writes a table as Excel does: dates and times of day are days that a style shows.
func xlsxOf(t *testing.T, r *roadTable) []byte {
	var b strings.Builder
	b.WriteString(`<worksheet><sheetData>`)
	for i, row := range append([][]string{r.header}, r.rows...) {
		fmt.Fprintf(&b, `<row r="%d">`, i+1)
		for c, field := range row {
			at, kind := fmt.Sprintf("%c%d", 'A'+c%26, i+1), r.kinds[c]
			if c >= 26 {
				at = fmt.Sprintf("%c%s", 'A'+c/26-1, at)
			}
			switch {
			case field == "":
			case i == 0 || kind == 'w' || kind == 'l':
				fmt.Fprintf(&b, `<c r="%s" t="inlineStr"><is><t>%s</t></is></c>`, at, html.EscapeString(field))
			case kind == 'n':
				fmt.Fprintf(&b, `<c r="%s"><v>%s</v></c>`, at, field)
			case kind == 'b':
				fmt.Fprintf(&b, `<c r="%s" t="b"><v>%d</v></c>`, at, map[string]int{"true": 1}[field])
			case kind == 't':
				fmt.Fprintf(&b, `<c r="%s" s="3"><v>%.17g</v></c>`, at, clockOf(t, field).Hours()/24)
			case kind == 'd':
				fmt.Fprintf(&b, `<c r="%s" s="1"><v>%.17g</v></c>`, at, daysOf(momentOf(t, field)))
			case kind == 'm':
				fmt.Fprintf(&b, `<c r="%s" s="2"><v>%.17g</v></c>`, at, daysOf(momentOf(t, field)))
			}
		}
		b.WriteString(`</row>`)
	}
	b.WriteString(`</sheetData></worksheet>`)
	return zipOf(t, "[Content_Types].xml", "<Types/>",
		"xl/workbook.xml", `<workbook xmlns:r="r"><sheets><sheet name="rows" r:id="rId1"/></sheets></workbook>`,
		"xl/_rels/workbook.xml.rels", `<Relationships><Relationship Id="rId1" Type="x/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Type="x/styles" Target="styles.xml"/></Relationships>`,
		"xl/styles.xml", `<styleSheet><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="22"/><xf numFmtId="21"/></cellXfs></styleSheet>`,
		"xl/worksheets/sheet1.xml", b.String())
}

// odsOf writes a table as LibreOffice does.
func odsOf(t *testing.T, r *roadTable) []byte {
	var b strings.Builder
	b.WriteString(`<office:document-content xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0" xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0"><table:table table:name="rows">`)
	for i, row := range append([][]string{r.header}, r.rows...) {
		b.WriteString(`<table:table-row>`)
		for c, field := range row {
			kind := r.kinds[c]
			if i == 0 {
				kind = 'w'
			}
			value := ""
			switch {
			case field == "":
			case kind == 'w', kind == 'l':
				value = `"string"`
			case kind == 'n':
				value = fmt.Sprintf(`"float" office:value="%s"`, field)
			case kind == 'b':
				value = fmt.Sprintf(`"boolean" office:boolean-value="%s"`, field)
			case kind == 't':
				at := clockOf(t, field)
				value = fmt.Sprintf(`"time" office:time-value="PT%02dH%02dM%02dS"`, int(at.Hours()), int(at.Minutes())%60, int(at.Seconds())%60)
			default:
				value = fmt.Sprintf(`"date" office:date-value="%s"`, strings.TrimSuffix(field, "Z"))
			}
			if value == "" {
				b.WriteString(`<table:table-cell/>`)
			} else {
				fmt.Fprintf(&b, `<table:table-cell office:value-type=%s><text:p>%s</text:p></table:table-cell>`, value, html.EscapeString(field))
			}
		}
		b.WriteString(`</table:table-row>`)
	}
	b.WriteString(`</table:table></office:document-content>`)
	return zipOf(t, "mimetype", "application/vnd.oasis.opendocument.spreadsheet", "content.xml", b.String())
}

// sqliteOf writes a table as a database.
func sqliteOf(t *testing.T, r *roadTable) []byte {
	path := filepath.Join(t.TempDir(), "rows.sqlite")
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	var columns []string
	for c, name := range r.header {
		columns = append(columns, strconv.Quote(name)+" "+map[byte]string{'n': "REAL", 'w': "TEXT", 'l': "TEXT", 'b': "BOOLEAN", 'd': "DATE", 'm': "DATETIME", 't': "TIME"}[r.kinds[c]])
	}
	if _, err := db.Exec("create table rows (" + strings.Join(columns, ", ") + ")"); err != nil {
		t.Fatal(err)
	}
	insert := "insert into rows values (?" + strings.Repeat(", ?", len(r.header)-1) + ")"
	for _, row := range r.rows {
		var values []any
		for c, field := range row {
			switch {
			case field == "":
				values = append(values, nil)
			case r.kinds[c] == 'n':
				v, err := strconv.ParseFloat(field, 64)
				if err != nil {
					t.Fatal(err)
				}
				values = append(values, v)
			case r.kinds[c] == 'b':
				values = append(values, field == "true")
			default:
				values = append(values, field)
			}
		}
		if _, err := db.Exec(insert, values...); err != nil {
			t.Fatal(err)
		}
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	all, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// parquetOf writes a table in the types of its columns.
func parquetOf(t *testing.T, r *roadTable) []byte {
	group := parquet.Group{}
	for c, name := range r.header {
		group[name] = parquet.Optional(map[byte]parquet.Node{
			'n': parquet.Leaf(parquet.DoubleType), 'w': parquet.String(), 'l': parquet.String(), 'b': parquet.Leaf(parquet.BooleanType),
			'd': parquet.Date(), 'm': parquet.Timestamp(parquet.Microsecond), 't': parquet.Time(parquet.Microsecond),
		}[r.kinds[c]])
	}
	var b bytes.Buffer
	schema := parquet.NewSchema("rows", group) // whose columns are in the order of their names
	w := parquet.NewGenericWriter[any](&b, schema)
	at := map[string]int{}
	for c, path := range schema.Columns() {
		at[path[0]] = c
	}
	for _, row := range r.rows {
		values := make(parquet.Row, len(row))
		for c, field := range row {
			var v parquet.Value
			switch {
			case field == "":
			case r.kinds[c] == 'n':
				number, err := strconv.ParseFloat(field, 64)
				if err != nil {
					t.Fatal(err)
				}
				v = parquet.DoubleValue(number)
			case r.kinds[c] == 'b':
				v = parquet.BooleanValue(field == "true")
			case r.kinds[c] == 'd':
				v = parquet.Int32Value(int32(momentOf(t, field).Unix() / 86400))
				if momentOf(t, field).Unix()%86400 != 0 {
					t.Fatal(field)
				}
			case r.kinds[c] == 'm':
				v = parquet.Int64Value(momentOf(t, field).UnixMicro())
			case r.kinds[c] == 't':
				v = parquet.Int64Value(clockOf(t, field).Microseconds())
			default:
				v = parquet.ByteArrayValue([]byte(field))
			}
			k := at[r.header[c]]
			values[k] = v.Level(0, map[bool]int{true: 1}[field != ""], k)
		}
		if _, err := w.WriteRows([]parquet.Row{values}); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// jsonOf writes a table as an object for each row; of a moment it has the text.
func jsonOf(t *testing.T, r *roadTable) []byte {
	var b bytes.Buffer
	for i, one := range r.maps(t) {
		for c, field := range r.rows[i] {
			if kind := r.kinds[c]; field != "" && (kind == 'd' || kind == 'm') {
				one[r.header[c]] = field
			}
		}
		if err := json.NewEncoder(&b).Encode(one); err != nil {
			t.Fatal(err)
		}
	}
	return b.Bytes()
}
