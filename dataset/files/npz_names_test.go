package files

import (
	"archive/zip"
	"bufio"
	"bytes"
	"strings"
	"testing"

	"lapsvm/dataset"
	"lapsvm/points"
)

// Names of columns that do not fit are told, and no column is taken for another.
func TestNamesOfArchives(t *testing.T) {
	for _, c := range []struct {
		names   []string
		columns string
		want    string
	}{
		{[]string{"a", "b"}, "a b", ""},
		{[]string{"a", "b"}, "", ""},
		{[]string{"a", "b"}, "b a", "and b, a are asked for"},
		{[]string{"a", "a"}, "", `both called "a"`},
		{[]string{"a", "b", "c"}, "", "3 names for points of 2 columns"},
		{nil, "a b", "are numbers"},
	} {
		var b bytes.Buffer
		archive := npzWriter{zip: zip.NewWriter(&b)}
		archive.entry("X", "<f8", "(1, 2)", func(w *bufio.Writer) { writeFloats(w, []float64{1, 2}) })
		if c.names == nil {
			archive.entry(namesArray, "<f8", "(2,)", func(w *bufio.Writer) { writeFloats(w, []float64{1, 2}) })
		}
		archive.names(&dataset.Dataset{Points: points.Dense(1, 2, []float64{1, 2}), Features: c.names})
		if err := archive.close(); err != nil {
			t.Fatal(err)
		}
		d, err := Read(&b, "f", Options{Format: NPZ, Columns: strings.Fields(c.columns)})
		if c.want == "" && (err != nil || strings.Join(d.Features, " ") != "a b") || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%q for %q: %v, want %q", c.names, c.columns, err, c.want)
		}
	}
}
