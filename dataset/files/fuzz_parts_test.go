package files

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	"golang.org/x/text/encoding/unicode"

	"lapsvm/dataset"
)

// partsOf returns some parts of a zip archive, in the order of their names.
func partsOf(f *testing.F, path string, names ...string) (parts []string) {
	archive, err := zip.OpenReader(path)
	if err != nil {
		f.Fatal(err)
	}
	defer archive.Close()
	for _, name := range names {
		text := []byte{}
		if part, err := archive.Open(name); err == nil { // not all workbooks have texts or styles
			if text, err = io.ReadAll(part); err != nil {
				f.Fatal(err)
			}
		}
		parts = append(parts, string(text))
	}
	return parts
}

// archived returns a zip archive of texts by their names.
func archived(t *testing.T, parts map[string]string) []byte {
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for name, text := range parts {
		part, err := w.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Store})
		if err == nil {
			_, err = io.WriteString(part, text)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// readable reads a file in little memory: it has rows, or is an error of the file.
func readable(t *testing.T, format string, data []byte) {
	t.Helper()
	d, err := Read(bytes.NewReader(data), "f", Options{Format: format, MayLackLabels: true, Memory: 20 << 20})
	var e *dataset.Error
	if err == nil && d.Len() == 0 || err != nil && (!errors.As(err, &e) || !strings.HasPrefix(e.File, "f") || e.Msg.Error() == "") {
		t.Fatalf("%s: %T %v", format, err, err)
	}
}

// Whatever the parts of a workbook say, it is read or an error of the file.
func FuzzSheetParts(f *testing.F) {
	names := []string{"xl/workbook.xml", "xl/worksheets/sheet2.xml", "xl/sharedStrings.xml", "xl/styles.xml"}
	for _, name := range []string{"sheets.xlsx", "sheetjs.xlsx", "gnumeric.xlsx", "mac1904.xlsx"} {
		if name != "sheets.xlsx" {
			names[1] = "xl/worksheets/sheet1.xml"
		}
		p := partsOf(f, filepath.Join(writtenFolder, "sheets", name), names...)
		f.Add(p[0], p[1], p[2], p[3])
	}
	f.Fuzz(func(t *testing.T, book, cells, texts, styles string) {
		const to = `<Relationship Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/`
		readable(t, XLSX, archived(t, map[string]string{
			"[Content_Types].xml": "<Types/>", "xl/workbook.xml": book, "xl/sharedStrings.xml": texts, "xl/styles.xml": styles, "xl/worksheets/sheet1.xml": cells,
			"xl/_rels/workbook.xml.rels": "<Relationships>" + to + `worksheet" Target="worksheets/sheet1.xml" Id="rId1"/>` + to + `worksheet" Target="worksheets/sheet1.xml" Id="rId2"/>` +
				to + `styles" Target="styles.xml" Id="rId8"/>` + to + `sharedStrings" Target="sharedStrings.xml" Id="rId9"/></Relationships>`,
		}))
	})
}

// Whatever the cells of a spreadsheet say, it is read or an error of the file.
func FuzzSpreadsheetCells(f *testing.F) {
	for _, name := range []string{"sheets.ods", "pandas.ods", "gnumeric.ods", "libreoffice.ods"} {
		f.Add(partsOf(f, filepath.Join(writtenFolder, "sheets", name), "content.xml")[0])
	}
	f.Fuzz(func(t *testing.T, cells string) {
		readable(t, ODS, archived(t, map[string]string{"mimetype": "application/vnd.oasis.opendocument.spreadsheet", "content.xml": cells}))
	})
}

// Cells are the same by the pattern of a cell before them as by their tags, and so is what is said of them.
func FuzzSpreadsheetPatterns(f *testing.F) {
	for _, name := range []string{"sheets.ods", "pandas.ods", "gnumeric.ods", "durations.libreoffice.ods"} {
		f.Add(partsOf(f, filepath.Join(writtenFolder, "sheets", name), "content.xml")[0])
	}
	const cell, number, end = `<table-cell value-type="string"><p>`, `<table-cell value-type="float" value="`, `</p></table-cell>`
	f.Add(`<x xmlns="` + odsTable + `"><table name="s"><table-row>` + cell + `a` + end + cell + `b` + end + number + `1"><p>1` + end + number + `02"><p>2,0` + end + `</table-row></table></x>`)
	f.Fuzz(func(t *testing.T, content string) {
		read := func(learnt int) (all []string, said said) {
			src, err := open(strings.NewReader(content), "f", dataset.NewMemory(20<<20), nil)
			if err != nil {
				return []string{err.Error()}, said
			}
			r := newODSRows(&openDocument{src: src, styles: newODSStyles(src)}, newMarkup(src), -1)
			r.learnt = learnt
			for err = r.toSheet(0); err == nil && len(all) < 1000; {
				var fields []string
				var row int
				if fields, row, err = r.next(); err == nil {
					all = append(all, fmt.Sprintf("%d %q", row, fields))
				}
			}
			if err != nil {
				all = append(all, err.Error())
			}
			return all, r.said
		}
		tags, saidByTags := read(math.MaxInt)
		got, said := read(0)
		if !reflect.DeepEqual(got, tags) || !reflect.DeepEqual(said, saidByTags) {
			t.Fatalf("%q: %s, %v; by tags %s, %v", content, got, said, tags, saidByTags)
		}
	})
}

// Attributes and rows of any text are read or an error of the file.
func FuzzARFF(f *testing.F) {
	for _, name := range []string{"r.arff", "weka.arff", "weka.sparse.arff"} {
		text, err := os.ReadFile(filepath.Join(writtenFolder, "sheets", name))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
	}
	f.Add([]byte("@relation 'a b' % c\n@attribute 'x\\'y' {a, 'b c', \"d\"}\n@ATTRIBUTE when date \"yyyy-MM-dd\"\n@attribute s string\n@data\n?,2024-01-02,'it\\'s', {3}\n{0 a,2 t}\n"))
	f.Fuzz(func(t *testing.T, text []byte) { readable(t, ARFF, text) })
}

// Damaged archives and compressed tables are errors of the file, in bounded memory.
func FuzzPacked(f *testing.F) {
	names, err := filepath.Glob(filepath.Join(writtenFolder, "packed", "*"))
	if err != nil || len(names) == 0 {
		f.Fatal(names, err)
	}
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		readInLittle(t, data, CSV)
		readable(t, CSV, data)
	})
}

// A table in UTF-16 is the same as in UTF-8, wherever a buffer of it ends; and any bytes are a table or an error of the file.
func FuzzCharsets(f *testing.F) {
	for _, text := range []string{"höhe,größe,art\n1,2,äöü\n2,3,\n3,4,ß\n", "a;b\r1,5;x\r2,5;y\r", "x,l\n1,\"\U0001f600\n\"\n2,\u2028\n"} {
		f.Add([]byte(text))
		for _, order := range []unicode.Endianness{unicode.LittleEndian, unicode.BigEndian} {
			wide, err := unicode.UTF16(order, unicode.UseBOM).NewEncoder().String(text)
			if err != nil {
				f.Fatal(err)
			}
			f.Add([]byte(wide))
		}
	}
	f.Add([]byte("h\xf6he,art\n1,\x80\n2,\x85\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		readable(t, CSV, data)
		text := string(data)
		if !utf8.ValidString(text) || strings.HasPrefix(text, byteOrderMark) || strings.Contains(text, "\x00") { // in UTF-8 a zero byte tells that it is another encoding
			return
		}
		wide, err := unicode.UTF16(unicode.LittleEndian, unicode.UseBOM).NewEncoder().String(text)
		if err != nil {
			t.Fatal(err)
		}
		options := Options{Format: CSV, MayLackLabels: true}
		narrow, err := Read(strings.NewReader(text), "f", options)
		other, failed := Read(strings.NewReader(wide), "f", options)
		if (err == nil) != (failed == nil) || err == nil && (!reflect.DeepEqual(values(narrow.Points), values(other.Points)) || !reflect.DeepEqual(narrow.Classes, other.Classes)) {
			t.Fatalf("%v, but as UTF-16 %v", err, failed)
		}
	})
}

// The parts of a workbook may lie in no folder.
func TestWorkbookWithoutFolder(t *testing.T) {
	const to = `Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/`
	book := archived(t, map[string]string{
		"_rels/.rels":             `<Relationships><Relationship ` + to + `officeDocument" Target="workbook.xml" Id="rId1"/></Relationships>`,
		"workbook.xml":            `<workbook xmlns:r="r"><sheets><sheet name="a" sheetId="1" r:id="rId1"/></sheets></workbook>`,
		"_rels/workbook.xml.rels": `<Relationships><Relationship ` + to + `worksheet" Target="sheet1.xml" Id="rId1"/></Relationships>`,
		"sheet1.xml":              `<worksheet><sheetData><row><c><v>1</v></c><c><v>2.5</v></c></row><row><c><v>3</v></c><c><v>4</v></c></row></sheetData></worksheet>`,
		"[Content_Types].xml":     "<Types/>",
	})
	d, err := Read(bytes.NewReader(book), "f", Options{Format: XLSX, MayLackLabels: true, Label: "2"})
	if err != nil || !reflect.DeepEqual(values(d.Points), [][]float64{{1}, {3}}) || !reflect.DeepEqual(d.Classes, []string{"2.5", "4"}) {
		t.Error(d, err)
	}
}
