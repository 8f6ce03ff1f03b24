package files

import (
	"bytes"
	"math"
	"os"
	"path/filepath"
	"reflect"
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
