package files

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"lapsvm/dataset"
	"lapsvm/internal/testing/detector"
)

// readBySteps reads a table record by record, as [readTable] does for one of which the
// text is kept.
func readBySteps(text, name string, o Options) (*dataset.Dataset, error) {
	o.Keep = true
	d, err := Read(strings.NewReader(text), name, o)
	if d != nil {
		d.Kept = dataset.Kept{}
	}
	return d, err
}

// numberTable writes rows of numbers with a label, several blocks of them.
func numberTable(rows int, quoted bool) *strings.Builder {
	rng := rand.New(rand.NewPCG(17, 6))
	var b strings.Builder
	b.WriteString("\xef\xbb\xbfx,y,z,label\n")
	for i := range rows {
		label := []string{"a", "b", ""}[rng.IntN(3)]
		if quoted && i%3 == 0 {
			label = "\"a \"\"label\"\"\n, of two lines\""
		}
		end := []string{"\n", "\r\n", "\n\n"}[rng.IntN(3)]
		fmt.Fprintf(&b, "%v, %d,%v ,%s%s", rng.NormFloat64(), 100+rng.IntN(900), rng.Float32(), label, end)
	}
	return &b
}

// gaps leaves a value out of every third row of a table.
func gaps(text string) string {
	rows := strings.SplitAfter(text, "\n")
	for i, row := range rows {
		if fields := strings.SplitN(row, ",", 4); i > 0 && i%3 == 0 && len(fields) == 4 {
			fields[i%2] = []string{"", "nan", " NA "}[i/3%3]
			rows[i] = strings.Join(fields, ",")
		}
	}
	return strings.Join(rows, "")
}

// What is read of a table, and what is wrong with it, is the same for any number of
// goroutines and as record by record. The race detector watches one table of each way
// that blocks take.
func TestBlocks(t *testing.T) {
	const rows = 40_000 // seven blocks
	plain, quoted := numberTable(rows, false).String(), numberTable(rows, true).String()
	half := len(plain) / 2
	half += strings.IndexByte(plain[half:], '\n') + 1
	with := func(row string) string { return plain[:half] + row + plain[half:] }
	long := strings.Repeat("a", 5<<20)
	for name, text := range map[string]string{
		"numbers":          plain,
		"quotes":           quoted,
		"no last line end": plain + "1,2,3,a",
		"a quoted row":     with("1,2,3,\"a\nb\"\n"),
		"a missing value":  with("1,,3,a\n"),
		"gaps":             gaps(plain),
		"a word":           with("1,word,3,a\n"),
		"too few columns":  with("1,2,a\n"),
		"too many columns": with("1,2,3,4,a\n"),
		"an open quote":    with("1,2,3,\"a\n"),
		"a quote inside":   with("1,2,3,a\"b\n"),
		"text behind":      with("1,2,3,\"a\"b\n"),
		"a long label":     with("1,2,3," + long + "\n"),
		"no UTF-8":         with("1,\xff,3,a\n"),
		"codes":            strings.ReplaceAll(plain, ", ", ",00"),
		"no header":        plain[strings.IndexByte(plain, '\n')+1:],
		"one row":          "x,label\n1,a\n",
		"a header alone":   "x,label\n",
	} {
		t.Run(name, func(t *testing.T) {
			if !slices.Contains([]string{"numbers", "gaps", "a word"}, name) {
				detector.Spare(t)
			}
			for _, o := range []Options{{}, {Memory: 64 << 20}, {Memory: 1 << 20}, {Encoding: new(dataset.Encoding)}, {Quoting: QuotingNone}} {
				want, wrong := readBySteps(text, "a.csv", o)
				for _, threads := range []int{1, 2, 7} {
					o.Threads = threads
					got, err := Read(strings.NewReader(text), "a.csv", o)
					if fmt.Sprint(err) != fmt.Sprint(wrong) && o.Memory != 1<<20 {
						t.Fatalf("%d goroutines: error %v, want %v", threads, err, wrong)
					}
					if o.Memory == 1<<20 && (err == nil) != (wrong == nil) {
						t.Fatalf("%d goroutines in 1 MB: error %v, want %v", threads, err, wrong)
					}
					if !reflect.DeepEqual(got, want) {
						t.Fatalf("%d goroutines: another dataset", threads)
					}
				}
			}
		})
	}
}

// A source that fails is told after what is wrong with the records before.
func TestBlocksOfAFailingSource(t *testing.T) {
	text := numberTable(40_000, false).String()
	failure := errors.New("the disk is gone")
	for name, want := range map[string]string{"": "the disk is gone", "1,2\n": "the row has 2 columns"} {
		half := strings.LastIndexByte(text[:len(text)/2], '\n') + 1
		r := io.MultiReader(strings.NewReader(text[:half]+name+"1,2,3"), failed{failure})
		for _, threads := range []int{1, 3} {
			if _, err := Read(r, "a.csv", Options{Threads: threads}); err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("error %v, want %q", err, want)
			}
			r = io.MultiReader(strings.NewReader(text[:half]+name+"1,2,3"), failed{failure})
		}
	}
}

// Blocks end where records do.
func TestLastRecord(t *testing.T) {
	for _, c := range []struct {
		text   string
		end    int
		quoted bool
	}{
		{"", 0, false}, {"a,b", 0, false}, {"a\nb", 2, false}, {"a\n\"b\nc", 2, true}, {"a\n\"b\nc\"", 2, true},
		{"\"b\nc\"\nd", 6, true}, {"\"\"\"\n\"\nd", 6, true}, {"\"b\nc\"\n\"\n", 6, true},
	} {
		if end, quoted := lastRecord([]byte(c.text), true); end != c.end || quoted != c.quoted {
			t.Errorf("%q ends at %d, quoted: %v, want %d, %v", c.text, end, quoted, c.end, c.quoted)
		}
	}
	if end, quoted := lastRecord([]byte("\"a\nb"), false); end != 3 || quoted {
		t.Errorf("quotes that are text: %d, %v", end, quoted)
	}
}

// FuzzLastRecord cuts a table where a record ends: the parts have its records, and
// what is wrong with it.
func FuzzLastRecord(f *testing.F) {
	for _, text := range []string{"a,b\nc", "a,\"b\nc\"\n\nd,e\n", "\"\"\"\n\"\n\"a\n", "a\"b\nc\n", "\"a\"b\n", " \"a\" ,b\r\n\"", "\n\n"} {
		f.Add(text, true)
		f.Add(text, false)
	}
	f.Fuzz(func(t *testing.T, text string, quotes bool) {
		if strings.Contains(text, "\xff\xfe") || strings.Contains(text, "\xfe\xff") || strings.Contains(text, byteOrderMark) {
			t.Skip("the beginning of a file is another matter")
		}
		want, wrong := allRecords(text, quotes)
		end, _ := lastRecord([]byte(text), quotes)
		got, err := allRecords(text[:end], quotes)
		if err == nil {
			var rest []string
			rest, err = allRecords(text[end:], quotes)
			got = append(got, rest...)
		}
		if !slices.Equal(got, want) || (err == nil) != (wrong == nil) {
			t.Fatalf("%q cut at %d: %q, %v; want %q, %v", text, end, got, err, want, wrong)
		}
	})
}

// allRecords returns the fields of records up to what is wrong.
func allRecords(text string, quotes bool) (all []string, err error) {
	src := &source{Reader: bufio.NewReader(strings.NewReader(text))}
	for rec := (records{lines: lines{src: src}, comma: ',', quotes: quotes}); ; {
		fields, err := rec.next()
		if err == io.EOF {
			return all, nil
		}
		if err != nil {
			return all, err
		}
		all = append(all, fmt.Sprintf("%q", fields))
	}
}
