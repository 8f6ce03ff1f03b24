package files

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"lapsvm/dataset"
)

// Where a table begins with comments there may be more among its rows. They are passed over and counted, whatever stands in them, and the table is as
// without them; a line that may be a row is refused.
func TestComments(t *testing.T) {
	for name, c := range map[string]struct{ with, without, note string }{
		"above":     {"# by hand\n% of May, and \"June\na,b,y\n1,2,u\n3,4,v\n", "a,b,y\n1,2,u\n3,4,v\n", "2 lines are comments, as they begin with # or %, and are passed over"},
		"among":     {"# by hand\na,b,y\n1,2,u\n#\n# don't \"trust\n3,4,v\n% end", "a,b,y\n1,2,u\n3,4,v\n", "4 lines are comments, as they begin with # or %, and are passed over"},
		"one":       {"# by hand\r\n1;2;u\r\n3;4;v\r\n", "1;2;u\n3;4;v\n", "1 line is a comment, as it begins with # or %, and is passed over"},
		"a header":  {"# by hand\n#a,b,y\n1,2,u\n# c\n3,4,v\n", "#a,b,y\n1,2,u\n3,4,v\n", "2 lines are comments, as they begin with # or %, and are passed over"},
		"in quotes": {"# by hand\na,b,y\n\"#1\",2,u\n\"#1\",4,v\n\"#2\",2,v\n\"#2\",2,v\n", "a,b,y\n#1,2,u\n#1,4,v\n#2,2,v\n#2,2,v\n", "1 line is a comment, as it begins with # or %, and is passed over"},
		"rows of R": {"# by R\n\"x\" \"y\"\n\"1\" 2 \"a\"\n\"2\" 3 \"b\"\n", "\"x\" \"y\"\n\"1\" 2 \"a\"\n\"2\" 3 \"b\"\n", "1 line is a comment, as it begins with # or %, and is passed over"},
		"colours":   {"c,b,y\n#ff0000,2,u\n#00ff00,3,v\n#ff0000,2,u\n#00ff00,2,u\n", "c,b,y\n\"#ff0000\",2,u\n\"#00ff00\",3,v\n\"#ff0000\",2,u\n\"#00ff00\",2,u\n", ""},
	} {
		read := func(text string) *dataset.Dataset {
			if name != "rows of R" { // whose first bytes tell the blanks
				return mustRead(t, "f", text, Options{Format: CSV})
			}
			path := filepath.Join(t.TempDir(), "f.txt")
			if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			d, err := ReadFile(path, Options{})
			if err != nil {
				t.Fatal(err)
			}
			return d
		}
		d, want := read(c.with), read(c.without)
		note := ""
		if len(d.Notes) > len(want.Notes) {
			note = d.Notes[0].Error()
		}
		if !sameRows(d, want) || !reflect.DeepEqual(d.Features, want.Features) || note != c.note {
			t.Errorf("%s: %q %v %v; without comments %q %v %v", name, d.Features, values(d.Points), d.Notes, want.Features, values(want.Points), want.Notes)
		}
	}
	for text, want := range map[string]string{
		"# by hand\nc,b,y\n#ff0000,2,u\n#00ff00,3,v\n":   "f:1: the line has 1 field, but most below it have 3: if it is a title, give Options{SkipLines: 1}",
		"# by hand\na,b,y\n1,2,u\n#5,6,v\n3,4,v\n":       "f:4:1: the line begins with #, as the comments above the table do, and has 3 fields, as rows have; remove it, or if it is a row give Options{SkipLines: 1}",
		"# by hand\nc,b,y\n1,2,u\n#f,\"2,5\",u\n3,3,v\n": "f:4:1: the line begins with #, as the comments above the table do, and has 3 fields, as rows have; remove it, or if it is a row give Options{SkipLines: 1}",
		"a,b,y\n1,2,u\n# by hand\n3,4,v\n":               "f:3:1: the line begins with # and has 1 field, but line 1 has 3; remove it if it is a comment",
	} {
		_, err := Read(strings.NewReader(text), "f", Options{Format: CSV})
		checkError(t, err, want)
	}
	skipped := mustRead(t, "f", "# by hand\nc,b,y\n#ff0000,2,u\n#00ff00,3,v\n#ff0000,2,u\n#00ff00,2,v\n", Options{Format: CSV, SkipLines: 1})
	if want := []string{"c=#00ff00", "c=#ff0000", "b"}; !reflect.DeepEqual(skipped.Features, want) {
		t.Errorf("colours: %q, want %q", skipped.Features, want)
	}
}

// Comments are passed over wherever a buffer ends.
func TestCommentsInALongTable(t *testing.T) {
	var with, without strings.Builder
	with.WriteString("# many rows\n")
	for i := range 40_000 {
		row := fmt.Sprintf("%d,%d.5,%c\n", i%7, i, "ab"[i%2])
		with.WriteString(row)
		without.WriteString(row)
		if i%1000 == 0 {
			with.WriteString("# at " + strings.Repeat("\"", i%3) + "\n")
		}
	}
	d, want := mustRead(t, "f.csv", with.String(), Options{Threads: 4}), mustRead(t, "f.csv", without.String(), Options{})
	if !sameRows(d, want) || len(d.Notes) != 1 || d.Notes[0].Error() != "41 lines are comments, as they begin with # or %, and are passed over" {
		t.Errorf("%d rows, want %d; %v", d.Len(), want.Len(), d.Notes)
	}
}

// Of several tables each has comments of its own.
func TestCommentsOfSeveralTables(t *testing.T) {
	folder := t.TempDir()
	for name, text := range map[string]string{"a.csv": "# a\nx,y\n1,u\n# b\n2,v\n", "b.csv": "# a\nx,y\n3,u\n4,v\n", "c.csv": "x,y\n5,u\n"} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	d, err := ReadFiles([]string{filepath.Join(folder, "a.csv"), filepath.Join(folder, "b.csv"), filepath.Join(folder, "c.csv")}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	said := ""
	for _, n := range d.Notes {
		said += strings.ReplaceAll(n.Error(), folder+string(filepath.Separator), "") + "\n"
	}
	if want := "a.csv: 2 lines are comments, as they begin with # or %, and are passed over\nb.csv: 1 line is a comment, as it begins with # or %, and is passed over\n"; said != want || d.Len() != 5 {
		t.Errorf("%d rows; %s", d.Len(), said)
	}
}
