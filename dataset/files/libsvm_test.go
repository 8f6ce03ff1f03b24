package files

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

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
