package files

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"io"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"lapsvm/dataset"
)

func TestWriteSeries(t *testing.T) {
	text := []string{"", "1.50", "7", "true", "שלום\n\"x\"\t"}
	third := []float64{1.0 / 3, math.Copysign(0, -1), 1e300, 2, math.SmallestNonzeroFloat64}
	all := []dataset.Series{{Name: "text, ü", Text: text}, {Name: "v", Numbers: third}}
	for form, want := range map[string]string{
		CSV: "\"text, ü\",v\n,0.3333333333333333\n1.50,-0\n7,1e+300\ntrue,2\n\"שלום\n\"\"x\"\"\t\",5e-324\n",
		TSV: "text, ü\tv\n\t0.3333333333333333\n1.50\t-0\n7\t1e+300\ntrue\t2\n\"שלום\n\"\"x\"\"\t\"\t5e-324\n",
		JSONL: `{"text, ü":null,"v":0.3333333333333333}` + "\n" + `{"text, ü":"1.50","v":-0}` + "\n" +
			`{"text, ü":7,"v":1e+300}` + "\n" + `{"text, ü":true,"v":2}` + "\n" + `{"text, ü":"שלום\n\"x\"\t","v":5e-324}` + "\n",
		JSON: "[\n" + `{"text, ü":null,"v":0.3333333333333333}` + ",\n" + `{"text, ü":"1.50","v":-0}` + ",\n" +
			`{"text, ü":7,"v":1e+300}` + ",\n" + `{"text, ü":true,"v":2}` + ",\n" + `{"text, ü":"שלום\n\"x\"\t","v":5e-324}` + "\n]\n",
	} {
		var b bytes.Buffer
		if err := WriteSeries(&b, form, all); err != nil || b.String() != want {
			t.Errorf("%s: %v, %q, want %q", form, err, b.String(), want)
		}
	}
	// What is read back has the same text and the same bits.
	for _, name := range []string{"a.csv", "a.tsv.gz", "a.json", "a.jsonl.zst", "a.parquet", "a.parquet.gz", "a.ipc", "a.arrow.zst"} {
		path := filepath.Join(t.TempDir(), name)
		if err := WriteSeriesFile(t.Context(), path, "", all); err != nil {
			t.Fatal(err)
		}
		d, err := ReadFile(path, Options{ID: []string{"text, ü"}, Columns: []string{"text, ü", "v"}})
		if err != nil {
			t.Fatal(err)
		}
		for i, v := range third {
			if got := d.Points.DenseRow(i)[0]; math.Float64bits(got) != math.Float64bits(v) || d.Kept.Rows[i][0] != text[i] {
				t.Errorf("%s: row %d: %v, %q", name, i+1, got, d.Kept.Rows[i])
			}
		}
		if !reflect.DeepEqual(d.Features, []string{"v"}) {
			t.Errorf("%s: features %q", name, d.Features)
		}
	}
	var b bytes.Buffer
	if err := WriteSeries(&b, CSV, []dataset.Series{{Name: "label", Text: []string{"", "a"}}}); err != nil || b.String() != "label\n\"\"\na\n" {
		t.Errorf("%v, %q", err, b.String())
	}
	b.Reset()
	if err := WriteSeries(&b, JSONL, []dataset.Series{{Name: "v", Numbers: []float64{math.Inf(1), math.NaN()}}}); err != nil || b.String() != "{\"v\":null}\n{\"v\":null}\n" {
		t.Errorf("%v, %q", err, b.String())
	}
	path := filepath.Join(t.TempDir(), "a.jsonl")
	for _, names := range [][2]string{{"a", "a"}, {"a", ""}} {
		err := WriteSeriesFile(t.Context(), path, "", []dataset.Series{{Name: names[0], Text: text}, {Name: names[1], Text: text}})
		checkError(t, err, path+`: column 2 has no name of its own ("`+names[1]+`"); name it in the data, or write csv`)
	}
	if err := WriteSeriesFile(t.Context(), path, NPY, all); err == nil {
		t.Error("npy was written")
	}
	if _, err := os.Stat(path); err == nil {
		t.Error("a file was left behind")
	}
}

// An archive has an array for each column, numbers to the bit and text as it is.
func TestWriteSeriesAsArrays(t *testing.T) {
	text, numbers := []string{"", "שלום", "b"}, []float64{1.0 / 3, math.Copysign(0, -1), math.NaN()}
	path := filepath.Join(t.TempDir(), "a.npz")
	if err := WriteSeriesFile(t.Context(), path, "", []dataset.Series{{Name: "score_a/b", Numbers: numbers}, {Name: "label", Text: text}}); err != nil {
		t.Fatal(err)
	}
	archive, err := zip.OpenReader(path)
	if err != nil {
		t.Fatal(err)
	}
	defer archive.Close()
	var got [][]byte
	for k, name := range []string{"score_a/b.npy", "label.npy"} {
		f, err := archive.File[k].Open()
		if err != nil || archive.File[k].Name != name {
			t.Fatalf("%v, array %d is %s", err, k, archive.File[k].Name)
		}
		b, err := io.ReadAll(f)
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, b)
	}
	for k, descr := range []string{"'descr': '<f8'", "'descr': '<U4'"} {
		if !strings.Contains(string(got[k][:128]), descr) || !strings.Contains(string(got[k][:128]), "(3,)") {
			t.Errorf("header %q", got[k][:128])
		}
	}
	for i, v := range numbers {
		if bits := binary.LittleEndian.Uint64(got[0][128+8*i:]); bits != math.Float64bits(v) {
			t.Errorf("number %d is %v", i, math.Float64frombits(bits))
		}
	}
	for i, want := range text {
		word := ""
		for k := range 4 {
			if r := rune(binary.LittleEndian.Uint32(got[1][128+16*i+4*k:])); r != 0 {
				word += string(r)
			}
		}
		if word != want {
			t.Errorf("text %d is %q", i, word)
		}
	}
}

// An array has one column, numbers to the bit or text as it is. The bytes are those that numpy.save of NumPy 1.24 writes.
func TestWriteSeriesAsOneArray(t *testing.T) {
	for _, c := range []struct {
		series dataset.Series
		want   string
	}{
		{dataset.Series{Name: "label", Numbers: []float64{1, -0.1}}, "{'descr': '<f8', 'fortran_order': False, 'shape': (2,), }|\x00\x00\x00\x00\x00\x00\xf0?\x9a\x99\x99\x99\x99\x99\xb9\xbf"},
		{dataset.Series{Name: "label", Text: []string{"no", "ü"}}, "{'descr': '<U2', 'fortran_order': False, 'shape': (2,), }|n\x00\x00\x00o\x00\x00\x00\xfc\x00\x00\x00\x00\x00\x00\x00"},
	} {
		path := filepath.Join(t.TempDir(), "a.npy")
		if err := WriteSeriesFile(t.Context(), path, "", []dataset.Series{c.series}); err != nil {
			t.Fatal(err)
		}
		got, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		header, values := strings.TrimRight(string(got[10:128]), " \n"), string(got[128:])
		if header+"|"+values != c.want || string(got[:8]) != npyMagic+"\x01\x00" {
			t.Errorf("%q, want %q", header+"|"+values, c.want)
		}
	}
	path := filepath.Join(t.TempDir(), "a.npy")
	two := []dataset.Series{{Name: "label", Text: []string{"a"}}, {Name: "score", Numbers: []float64{1}}}
	checkError(t, WriteSeriesFile(t.Context(), path, "", two), path+": a file of npy has one column of results, not 2; write npz")
	if _, err := os.Stat(path); err == nil {
		t.Error("a file was left behind")
	}
}
