package files

import (
	"archive/zip"
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"lapsvm/dataset"
)

const writtenFolder = "../../testdata/written"

// What bzip2, xz and zip wrote is the table that they were given.
func TestPackedByOthers(t *testing.T) {
	folder := filepath.Join(writtenFolder, "packed")
	want, err := ReadFile(filepath.Join(folder, "table.csv"), Options{})
	if err != nil {
		t.Fatal(err)
	}
	for name, note := range map[string]string{
		"table.csv.bz2": "", "table.csv.xz": "", "filtered.csv.xz": "", "one.zip": "", "one.zip#table.csv": "",
		"several.zip":          "read the member table.csv; not read: notes.txt",
		"tables.zip#other.csv": "read the member other.csv; not read: table.csv",
		"tables.zip#OTHER.CSV": "read the member other.csv; not read: table.csv",
	} {
		d, err := ReadFile(filepath.Join(folder, name), Options{})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		said := ""
		for _, n := range d.Notes {
			if strings.HasPrefix(n.Error(), "read the member") {
				said = n.Error()
			}
		}
		if !reflect.DeepEqual(values(d.Points), values(want.Points)) || !reflect.DeepEqual(labels(d), labels(want)) || !strings.HasPrefix(said, note) || (said == "") != (note == "") {
			t.Errorf("%s: %v %q, said %q", name, values(d.Points), labels(d), said)
		}
	}
	for name, problem := range map[string]string{
		"tables.zip":          `name one, as in "` + folder + `/tables.zip#table.csv"`,
		"tables.zip#none.csv": `there is no member "none.csv"; there are table.csv, other.csv`,
		"table.csv#sheet":     "format csv has none",
	} {
		_, err := ReadFile(filepath.Join(folder, name), Options{})
		var e *dataset.Error
		if !errors.As(err, &e) || !strings.Contains(err.Error(), problem) {
			t.Errorf("%s: %v, want %s", name, err, problem)
		}
	}
}

// An archive is read from a stream too, and in several files that are one table.
func TestArchives(t *testing.T) {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for name, text := range map[string]string{"folder/": "", "folder/t.csv": "a,b,label\n1,2,x\n3,4,\n", "__MACOSX/folder/._t.csv": "\x00"} {
		w, err := z.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		w.Write([]byte(text))
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	d, err := Read(bytes.NewReader(b.Bytes()), "standard input", Options{Format: CSV})
	if err != nil || d.Len() != 2 || d.Points.Dim() != 2 {
		t.Fatal(d, err)
	}
	folder := t.TempDir()
	archive, plain := filepath.Join(folder, "a.zip"), filepath.Join(folder, "b.csv")
	if err := errors.Join(os.WriteFile(archive, b.Bytes(), 0o600), os.WriteFile(plain, []byte("b,a,label\n6,5,y\n"), 0o600)); err != nil {
		t.Fatal(err)
	}
	if d, err = ReadFiles([]string{archive, plain}, Options{}); err != nil || !reflect.DeepEqual(values(d.Points), [][]float64{{1, 2}, {3, 4}, {5, 6}}) {
		t.Fatal(err, d)
	}
	for n := range b.Len() { // damage is told, whatever it is
		if _, err := Read(bytes.NewReader(b.Bytes()[:n]), "standard input", Options{Format: CSV}); err == nil {
			t.Fatalf("the first %d bytes are read", n)
		}
	}
}

// A file whose name has the sign of a part is meant whole.
func TestLocate(t *testing.T) {
	folder := t.TempDir()
	name := filepath.Join(folder, "a#b.csv")
	if err := os.WriteFile(name, []byte("1,2\n3,4\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range [][3]string{{name, name, ""}, {name + "#x", name, "x"}, {folder + "/none#x", folder + "/none#x", ""}, {"#x", "#x", ""}} {
		if file, part := Locate(c[0]); file != c[1] || part != c[2] {
			t.Errorf("%s: %s, %s", c[0], file, part)
		}
	}
}

// What xz keeps counts as memory, and what is read alone is not written.
func TestPackedBounds(t *testing.T) {
	folder := filepath.Join(writtenFolder, "packed")
	_, err := ReadFile(filepath.Join(folder, "table.csv.xz"), Options{Memory: 4 << 20})
	if !errors.Is(err, dataset.ErrMemory) {
		t.Error("8 MB of history in 4:", err)
	}
	d, err := ReadFile(filepath.Join(folder, "table.csv"), Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, ending := range []string{".bz2", ".xz"} {
		if err := WriteFile(t.Context(), filepath.Join(t.TempDir(), "t.csv"+ending), d, WriteOptions{}); err == nil || !strings.Contains(err.Error(), "are read alone") {
			t.Errorf("%s: %v", ending, err)
		}
	}
}
