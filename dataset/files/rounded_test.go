package files

import (
	"encoding/binary"
	"fmt"
	"strings"
	"testing"

	"lapsvm/dataset"
)

// Names of rows are told apart where doubles are not, and kept by all of their digits.
func TestLongNumbersNameRows(t *testing.T) {
	const first = 1234567890123456780
	for _, c := range []struct {
		header string
		step   int
	}{{"id", 1}, {"id", -7}, {"user_id", 1 << 40}, {"index", 1}} {
		d := mustRead(t, "f.csv", named(c.header, func(i int) string { return fmt.Sprint(first + i*c.step) }), Options{})
		if d.Points.Dim() != 1 || len(d.Notes) != 1 || d.Notes[0].Doubtful || d.Kept.Rows[1][0] != fmt.Sprint(first+c.step) {
			t.Errorf("%s by %d: %d features, notes %v", c.header, c.step, d.Points.Dim(), d.Notes)
		}
	}
	d := mustRead(t, "f.csv", named("user_id", func(i int) string { return fmt.Sprint(first + i%3) }), Options{})
	if c := d.Encoding.Columns[0]; c.Kind != dataset.Category || len(c.Values) != 3 {
		t.Errorf("names that repeat: %+v", c)
	}
}

// Features that are rounded to doubles are doubted, in every format of numbers.
func TestRoundedNumbersAreDoubted(t *testing.T) {
	const large, exact = 1 << 60, 1<<53 - 1
	table := func(n int) string {
		return rowsOf("nanoseconds,x,label", 12, func(i int) string { return fmt.Sprintf("%d,%d,%d", n, i%3, i%2) })
	}
	gaps := rowsOf("nanoseconds,x,label", 12, func(i int) string {
		return fmt.Sprintf("%s,%d,%d", []string{fmt.Sprint(-large - i), ""}[i%2], i%3, i%2)
	})
	array := func(descr string, v float64) string {
		return encodeNPY(descr, false, 1, "(2, 2)", []float64{v, 0, 1, 1})
	}
	matrix := func(class uint32, kind int, bytes string) string {
		o := binary.LittleEndian
		return matFile(o, matVariable(o, "X", class, []int{1, 1}, matElementOf(o, kind, bytes)))
	}
	for _, c := range []struct {
		name, text string
		doubt      string
	}{
		{"f.csv", table(large), `the column "nanoseconds" has whole numbers from 2⁵³ on`},
		{"f.csv", gaps, `the column "nanoseconds" has whole numbers from 2⁵³ on`},
		{"f.csv", table(exact), ""},
		{"f.jsonl", strings.Repeat(fmt.Sprintf(`{"t":%d,"label":"a"}`, large)+"\n"+`{"t":1,"label":"b"}`+"\n", 6), `the column "t" has whole numbers from 2⁵³ on`},
		{"f.npy", array("<i8", large), "column 1; if they name the rows, save the points without them"},
		{"f.npy", array("<u8", 1<<63), "column 1; if they name"},
		{"f.npy", array("<i8", exact), ""},
		{"f.npy", array("<f8", large), ""},
		{"f.npz", zipped(t, "X", array("<i8", large)), "column 1; if they name"},
		{"f.mat", matrix(14, 12, "\x00\x00\x00\x00\x00\x00\x00\x10"), "column 1; if they name"},
		{"f.mat", matrix(6, 9, "\x00\x00\x00\x00\x00\x00\xb0\x43"), ""},
	} {
		d := mustRead(t, c.name, c.text, Options{})
		said := ""
		for _, note := range d.Notes {
			if note.Doubtful && strings.Contains(note.Error(), "2⁵³") {
				said += note.Error()
			}
		}
		if (said != "") != (c.doubt != "") || !strings.Contains(said, c.doubt) {
			t.Errorf("%s %.60q: %v", c.name, c.text, d.Notes)
		}
	}
}
