package files

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

func TestQuotingNone(t *testing.T) {
	table := "size,n,label\n5\" pipe,1,a\n5\" pipe,2,b\n\"odd,3,\n\"odd,4,\n"
	for _, text := range []string{table, "size,n,label\n\"a\"b,1,a\n", "size,label\n\"a,1\n"} {
		if _, err := Read(strings.NewReader(text), "f.csv", Options{}); err == nil || !strings.Contains(err.Error(), `Options{Quoting: "none"}`) {
			t.Errorf("%q: %v", text, err)
		}
	}
	d := mustRead(t, "f.csv", table, Options{Quoting: QuotingNone})
	if got := d.Features; !reflect.DeepEqual(got, []string{`size="odd`, `size=5" pipe`, "n"}) {
		t.Errorf("%q", got)
	}
}

// A file whose name tells nothing is looked into.
func TestLookIntoFiles(t *testing.T) {
	want := mustRead(t, "f.csv", "1,2,3\n4,5,6\n7,8,\n", Options{Header: HeaderNo})
	folder := t.TempDir()
	packed := func(format string) string {
		var b bytes.Buffer
		if err := Write(&b, want, WriteOptions{Format: format}); err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	for k, c := range []struct{ name, text, format string }{
		{"a.data", "1,2,3\r\n4,5,6\r\n7,8,\r\n", CSV}, {"a", "1\t2\t3\n4\t5\t6\n7\t8\t\n", CSV}, {"a.txt", "1;2;3\n4;5;6\n7;8;\n", CSV},
		{"a.dat", " 1  2 3\n4 5\t6\n7 8 ?\n", CSV}, {"a.txt", "3 1:1 2:2\n6 1:4 2:5\n? 1:7 2:8\n", SVM},
		{"a.bin", packed(NPY), NPY}, {"b", packed(NPZ), NPZ}, {"c", packed(Parquet), Parquet}, {"d", packed(JSON), JSONL}, {"e", packed(MAT), MAT}, {"f", packed(Arrow), Arrow},
	} {
		path := filepath.Join(folder, fmt.Sprint(k)+c.name)
		if err := os.WriteFile(path, []byte(c.text), 0o600); err != nil {
			t.Fatal(err)
		}
		d, err := ReadFile(path, Options{})
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		told := len(d.Notes) > 0 && strings.HasPrefix(d.Notes[len(d.Notes)-1].Error(), "read as "+c.format+", by its first bytes")
		if !told || !reflect.DeepEqual(values(d.Points), values(want.Points)) || !reflect.DeepEqual(labels(d), labels(want)) {
			t.Errorf("%s, %s: %v %q %v", c.name, c.format, values(d.Points), labels(d), d.Notes)
		}
	}
	for text, problem := range map[string]string{"\x00\x01\x02\x03": "neither the name", "word": "neither the name", "\xff\xfea\x00": "neither the name", "a\x00b\x00": "UTF-16", "": "empty"} {
		path := filepath.Join(folder, "unknown")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := ReadFile(path, Options{}); err == nil || !strings.Contains(err.Error(), problem) {
			t.Errorf("%q: %v, want %s", text, err, problem)
		}
	}
}

// Rows of several dimensions are flattened in C's order, whatever the file's.
func TestArraysOfImages(t *testing.T) {
	array := func(fortran string, v ...byte) string {
		text := fmt.Sprintf("{'descr': '|u1', 'fortran_order': %s, 'shape': (2, 2, 3), }", fortran)
		return "\x93NUMPY\x01\x00" + string([]byte{byte(len(text)), 0}) + text + string(v)
	}
	want := [][]float64{{0, 1, 2, 3, 4, 5}, {6, 7, 8, 9, 10, 11}}
	c := array("False", 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11)
	f := array("True", 0, 6, 3, 9, 1, 7, 4, 10, 2, 8, 5, 11)
	y := "{'descr': '|u1', 'fortran_order': False, 'shape': (2,), }"
	y = "\x93NUMPY\x01\x00" + string([]byte{byte(len(y)), 0}) + y + "\x03\x08"
	for _, x := range []string{c, f} {
		d := mustRead(t, "a.npy", x, Options{})
		if !reflect.DeepEqual(values(d.Points), want) || len(d.Classes) != 0 || len(d.Notes) != 1 || !strings.HasPrefix(d.Notes[0].Error(), "the array is 2×2×3: each of its 2 rows is flattened to 6 features") {
			t.Errorf("%v %v", values(d.Points), d.Notes)
		}
		d = mustRead(t, "a.npz", zipped(t, "x_train", x, "y_train", y, "x_test", x, "y_test", y), Options{})
		if !reflect.DeepEqual(values(d.Points), want) || !reflect.DeepEqual(labels(d), []string{"3", "8"}) || len(d.Notes) != 2 || !strings.HasPrefix(d.Notes[1].Error(), "read x_train (2×2×3) and the labels y_train (2); not read: x_test (2×2×3), y_test (2) (FILE#NAME") {
			t.Errorf("%v %q %v", values(d.Points), labels(d), d.Notes)
		}
	}
}

// What editors and spreadsheets do to a table.
func TestTablesOfOtherPrograms(t *testing.T) {
	d := mustRead(t, "f.csv", "\ufeffa,label\r\n1,x\r\n2,\r\n", Options{})
	if d.Features[0] != "a" || !reflect.DeepEqual(labels(d), []string{"x", ""}) {
		t.Errorf("%q %q", d.Features, labels(d))
	}
	for _, c := range [][3]string{
		{"f.tsv", "a\tb\tlabel\n1\t2\tx\n1\t2\n", "f.tsv:3:3: the row has 2 columns, but line 1 has 3"},
		{"f.csv", "", "f.csv: the file is empty"},
		{"f.csv", "a,b,label\n", "f.csv:1: the table has a header but no rows"},
	} {
		if _, err := Read(strings.NewReader(c[1]), c[0], Options{}); err == nil || !strings.HasPrefix(err.Error(), c[2]) {
			t.Errorf("%q: %v, want %s", c[1], err, c[2])
		}
	}
}
