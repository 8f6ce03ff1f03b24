package files

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"lapsvm/dataset"
	"lapsvm/internal/testing/drawn"
)

// Rows that are dots of pictures get the whole of their last line, whether one process reads them or several ranks. Other rows end with
// the largest index, and Features says otherwise.
func TestLIBSVMEndsWithALine(t *testing.T) {
	const side, empty = 12, 5 // the last dots are 0 in all pictures
	d := drawn.Bars(340, side, 1).Points
	write := func(name string, place func(k int) int) string {
		var b strings.Builder
		for i := range d.Len() {
			fmt.Fprint(&b, i%2)
			row := d.DenseRow(i)
			for k := range side*side - empty {
				fmt.Fprintf(&b, " %d:%g", k+1, row[place(k)])
			}
			b.WriteByte('\n')
		}
		path := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(path, []byte(b.String()), 0o666); err != nil {
			t.Fatal(err)
		}
		return path
	}
	pictures := write("pictures.svm", func(k int) int { return k })
	mixed := write("mixed.svm", func(k int) int { return 55 * k % (side * side) })
	for _, c := range []struct {
		path           string
		features, want int
	}{{pictures, 0, side * side}, {pictures, side*side - empty, side*side - empty}, {pictures, 200, 200}, {mixed, 0, side*side - empty}} {
		read, err := ReadFile(c.path, Options{Features: c.features})
		if err != nil || read.Points.Dim() != c.want {
			t.Errorf("%s, %d features asked for: %v, %v", c.path, c.features, read, err)
		}
		sharesAre(t, c.path, []string{c.path}, Options{Features: c.features})
	}
}

// Rows of a kernel as svm-train takes them begin with 0 and the number of their point.
func TestLIBSVMKernels(t *testing.T) {
	for _, c := range []struct {
		text   string
		column []int
		want   string // of an error
	}{
		{"1 0:1 1:4 2:2\n-1 0:2 1:2 2:5\n", nil, ""},
		{"1 0:2 1:4 2:2\n-1 0:1 1:2 2:5\n", []int{1, 0}, ""},
		{"1 0:3 1:4 2:2 3:1\n-1 0:1 1:2 2:5 3:2\n", []int{2, 0}, ""},
		{"1 0:1 1:4 2:2\n-1 0:1 1:2 2:5\n", nil, "index 0"},
		{"1 0:1 1:4 2:2\n-1 0:3 1:2 2:5\n", nil, "index 0"},
		{"1 0:1 2:2\n-1 0:2 1:2 2:5\n", nil, "index 0"},
		{"1 0:1 1:4 2:2\n-1 1:2 2:5\n", nil, "index 0"},
		{"1 0:1 1:4\n-1 0:2 1:2 2:5\n", nil, "index 0"},
		{"1 0:1.5 1:4\n-1 0:2 1:2\n", nil, "index 0"},
	} {
		d, err := Read(strings.NewReader(c.text), "k.svm", Options{})
		if c.want != "" {
			if err == nil || !strings.HasPrefix(err.Error(), "k.svm:1:3: "+c.want) {
				t.Errorf("%q: %v, want %s", c.text, err, c.want)
			}
			continue
		}
		if err != nil || !slices.Equal(d.Column, c.column) || len(d.Notes) != 1 || d.Points.At(0, 0) != 4 {
			t.Errorf("%q: %+v, %v, want %v", c.text, d, err, c.column)
		}
	}
	if d, err := Read(strings.NewReader("1 0:7 1:4 2:2\n"), "k.svm", Options{Features: 2, Encoding: new(dataset.Encoding)}); err != nil || d.Points.Dim() != 2 || d.Column != nil {
		t.Errorf("a row to predict: %+v, %v", d, err)
	}
}
