package files

import (
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"lapsvm/dataset"
)

// What spreadsheets and databases wrote of one table is that table. testdata/written/README.md has the programs.
func TestWrittenSheets(t *testing.T) {
	folder := filepath.Join(writtenFolder, "sheets")
	label := Options{Label: "kind"}
	want, err := ReadFile(filepath.Join(folder, "table.csv"), label)
	if err != nil || want.Len() != 8 || want.Points.Dim() != 6 {
		t.Fatal(err, want)
	}
	for name, note := range map[string]string{
		"pandas.openpyxl.xlsx": "", "pandas.xlsxwriter.xlsx": "", "gnumeric.xlsx": "", "libreoffice.xlsx": "", "sheetjs.xlsx": "",
		"pandas.ods": "", "gnumeric.ods": "", "libreoffice.ods": "", "sheets.ods": "read the sheet Data; not read: Notes, Old (hidden)", "pandas.sqlite": "", "r.arff": "",
		"sheets.xlsx": "read the sheet Data; not read: Notes, Old (hidden)", "sheets.xlsx#Data": "read the sheet Data", "mac1904.xlsx": "not read: Notes",
		"shell.db#t": "read the table t; not read:",
	} {
		d, err := ReadFile(filepath.Join(folder, name), label)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		said := ""
		for _, n := range d.Notes {
			said += n.Error() + "\n"
		}
		if !reflect.DeepEqual(d.Features, want.Features) || !reflect.DeepEqual(values(d.Points), values(want.Points)) || !reflect.DeepEqual(labels(d), labels(want)) || !strings.Contains(said, note) {
			t.Errorf("%s: %q %v %q, said %s", name, d.Features, values(d.Points), labels(d), said)
		}
	}
	for name, problem := range map[string]string{"sheets.xlsx#None": `there is no sheet "None"`, "sheets.ods#None": `there is no sheet "None"`, "shell.db#none": `there is no table "none"`} {
		_, err := ReadFile(filepath.Join(folder, name), label)
		var e *dataset.Error
		if !errors.As(err, &e) || !strings.Contains(err.Error(), problem) {
			t.Errorf("%s: %v, want %s", name, err, problem)
		}
	}
}

// A damaged sheet, database or ARFF file is an error of the file, in bounded memory.
func FuzzSheets(f *testing.F) {
	kinds := []string{".xlsx", ".ods", ".sqlite", ".arff"}
	for _, name := range []string{"pandas.openpyxl.xlsx", "sheets.xlsx", "sheets.ods", "durations.libreoffice.ods", "pandas.sqlite", "r.arff"} {
		b, err := os.ReadFile(filepath.Join(writtenFolder, "sheets", name))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b)
	}
	f.Add([]byte("@relation r\n@attribute a numeric\n@attribute c {x,y}\n@data\n{0 1}\n1,y\n"))
	f.Fuzz(func(t *testing.T, b []byte) {
		for _, kind := range kinds {
			path := filepath.Join(t.TempDir(), "f"+kind)
			if err := os.WriteFile(path, b, 0o600); err != nil {
				t.Fatal(err)
			}
			d, err := ReadFile(path, Options{MayLackLabels: true, Memory: 50 << 20})
			var e *dataset.Error
			if err == nil && d.Len() == 0 || err != nil && !errors.As(err, &e) {
				t.Errorf("%s: %v", kind, err)
			}
		}
	})
}
