package files

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"lapsvm/dataset"
	"lapsvm/internal/testing/detector"
)

// Ranks together read the same from awkward tables as one process, and fail with the same errors.
func TestRanksReadAwkwardTables(t *testing.T) {
	detector.Spare(t)
	lines := func(n int, line func(i int) string) string {
		var b strings.Builder
		for i := range n {
			b.WriteString(line(i))
		}
		return b.String()
	}
	plain := lines(40, func(i int) string { return fmt.Sprintf("%d,%d.5,%c\n", i*i, i, 'a'+i%2) })
	wordy := lines(40, func(i int) string { return fmt.Sprintf("%d,w%d,%c\n", i*i%17, i%3, 'a'+i%2) })
	quoted := lines(40, func(i int) string { return fmt.Sprintf("\"%d\n\"\"\n\",\"%d\",%c\n", i%3, i*i%29, 'a'+i%2) })
	for name, c := range map[string]struct {
		text string
		o    Options
	}{
		"numbers":                  {"x,y,label\n" + plain, Options{}},
		"no header":                {plain, Options{}},
		"CRLF and a mark":          {byteOrderMark + "x,y,label\r\n" + strings.ReplaceAll(plain, "\n", "\r\n"), Options{}},
		"blank lines":              {"\n\nx,y,label\n\n" + strings.ReplaceAll(plain, "\n", "\n\n\n"), Options{}},
		"no last line end":         {"x,y,label\n" + strings.TrimSuffix(plain, "\n"), Options{}},
		"line breaks in quotes":    {"\"x\n,\",y,label\n" + quoted, Options{}},
		"a long quoted field":      {"x,y,label\nq,1,a\n\"" + strings.Repeat("\n", 3000) + "\",2,b\nq,3,a\n", Options{}},
		"quotes that are text":     {"x,y,label\n" + strings.ReplaceAll(wordy, ",w", ",\"w"), Options{Quoting: QuotingNone}},
		"a gap in the last row":    {"x,y,label\n" + plain + "1,,a\n", Options{}},
		"a gap in the first row":   {"x,y,label\n,1,a\n" + plain, Options{}},
		"a word in the last row":   {"x,y,label\n" + plain + "1,word,a\n", Options{}},
		"a class in the last row":  {"x,y,label\n" + plain + "1,2,last\n", Options{}},
		"labels in the last rows":  {"x,y,label\n" + strings.ReplaceAll(strings.ReplaceAll(plain, ",a\n", ",\n"), ",b\n", ",None\n") + "1,2,a\n1,3,A \n", Options{}},
		"classes made one":         {"x,y,label\n" + plain + "1,2,A\n1,3,B\n1,2,B\n", Options{FoldCase: true}},
		"words":                    {"x,y,label\n" + wordy, Options{}},
		"a category of numbers":    {"x,y,label\n" + wordy + "1.0,w1,a\n01,w1,a\n", Options{Category: []string{"x"}}},
		"too many for a category":  {"x,label\n" + lines(1200, func(i int) string { return fmt.Sprintf("w%d,%c\n", i, 'a'+i%2) }), Options{Category: []string{"x"}}},
		"dates":                    {"x,d,label\n" + lines(40, func(i int) string { return fmt.Sprintf("%d,2024-01-%02d,%c\n", i*i%7, 1+i%28, 'a'+i%2) }), Options{}},
		"an order told at the end": {"x,d,label\n" + lines(40, func(i int) string { return fmt.Sprintf("%d,%d/1/2024,%c\n", i*i%7, 1+i%12, 'a'+i%2) }) + "1,31/1/2024,a\n", Options{}},
		"no order":                 {"x,d,label\n" + lines(40, func(i int) string { return fmt.Sprintf("%d,%d/1/2024,%c\n", i*i%7, 1+i%12, 'a'+i%2) }), Options{}},
		"no date":                  {"x,d,label\n" + lines(40, func(i int) string { return fmt.Sprintf("%d,2024-01-%02d,%c\n", i*i%7, 1+i%28, 'a'+i%2) }) + "1,soon,a\n1,later,a\n", Options{}},
		"booleans":                 {"x,y,label\n" + lines(40, func(i int) string { return fmt.Sprintf("%d,%s,%c\n", i*i%7, []string{"no", "", "n/a"}[i%3], 'a'+i%2) }) + "1,yes,a\n", Options{}},
		"words for nothing":        {"x,y,label\n" + plain + "n/a,3,a\nnull,null,b\n", Options{}},
		"mostly numbers":           {"x,y,label\n" + plain + "1x,3,a\n", Options{}},
		"text":                     {"t,label\n" + lines(60, func(i int) string { return fmt.Sprintf("word%d and word%d then it,%c\n", i%7, i%13, 'a'+i%2) }) + "only here and here,a\n", Options{}},
		"pairs and triples":        {"t,label\n" + lines(60, func(i int) string { return fmt.Sprintf("word%d 日本%d then it,%c\n", i%7, i%13, 'a'+i%2) }), Options{}},
		"names":                    {"id,y,label\n" + lines(40, func(i int) string { return fmt.Sprintf("%d,%d,%c\n", 100+i, i*i%7, 'a'+i%2) }), Options{}},
		"names twice":              {"id,y,label\n" + lines(40, func(i int) string { return fmt.Sprintf("%d,%d,%c\n", 100+i%39, i*i%7, 'a'+i%2) }), Options{}},
		"names that are words":     {"who,y,label\n" + lines(40, func(i int) string { return fmt.Sprintf("c-%d,%d,%c\n", i, i*i%7, 'a'+i%2) }), Options{}},
		"words that are no names":  {"who,y,label\n" + lines(40, func(i int) string { return fmt.Sprintf("c-%d,%d,%c\n", i%39, i*i%7, 'a'+i%2) }), Options{}},
		"a column of names":        {"who,y,label\n" + wordy, Options{ID: []string{"who"}}},
		"numbers of the rows":      {lines(40, func(i int) string { return fmt.Sprintf("%d,%d,%c\n", i, i*i%7, 'a'+i%2) }), Options{}},
		"codes":                    {"x,y,label\n" + lines(40, func(i int) string { return fmt.Sprintf("%05d,%d,%c\n", i*i, i*i%7, 'a'+i%2) }), Options{}},
		"constant":                 {"x,y,label\n" + lines(40, func(i int) string { return fmt.Sprintf("same,%d,%c\n", i*i%7, 'a'+i%2) }), Options{}},
		"all kept":                 {"x,y,label\n" + wordy, Options{Keep: true}},
		"numbers only":             {"x,y,label\n" + plain, Options{Encoding: new(dataset.Encoding)}},
		"one row":                  {"x,label\n1,a\n", Options{}},
		"a header alone":           {"x,label\n", Options{}},
		"nothing":                  {"", Options{}},
		"a bad value":              {"x,y,label\n" + plain + "1,word,a\n" + plain, Options{Encoding: new(dataset.Encoding)}},
		"two bad values":           {"x,y,label\n1,first,a\n" + plain + "1,second,a\n", Options{Encoding: new(dataset.Encoding)}},
		"a short row":              {"x,y,label\n" + plain + plain + "1,a\n", Options{}},
		"an open quote":            {"x,y,label\n" + plain + "\"1,2,a\n" + plain + plain, Options{}},
		"a quote inside":           {"x,y,label\n" + plain + "1\"2,2,a\n" + quoted, Options{}},
		"text behind a quote":      {"x,y,label\n" + quoted + "\"1\"2,2,a\n" + quoted, Options{}},
		"no UTF-8":                 {"x,y,label\n" + wordy + "1,\xff,a\n" + wordy, Options{}},
		"a class that is no UTF-8": {"x,y,label\n" + plain + "1,1,\xff\n" + plain, Options{}},
		"too little memory":        {"x,y,label\n" + plain, Options{Memory: 1000}},
		"no such column":           {"x,y,label\n" + plain, Options{Label: "z"}},
	} {
		path := writeText(t, filepath.Join(t.TempDir(), "a.csv"), c.text)
		t.Run(name, func(t *testing.T) { sharesAre(t, path, []string{path}, c.o) })
	}
}

// Files that are no tables of separated columns are cut likewise.
func TestRanksReadOtherText(t *testing.T) {
	svm := strings.Repeat("a 1:1 3:2\n# nothing\n\nb 2:5\n", 30)
	objects := strings.Repeat("{\"x\": 1, \"y\": \"w\", \"label\": \"a\"}\n\n{\"x\": 2, \"y\": \"v\"}\n", 30)
	vectors := strings.Repeat("{\"vector\": [1, 2], \"label\": \"a\", \"id\": 1}\n{\"vector\": [3, 4]}\n", 30)
	for name, text := range map[string]string{
		"dense.svm": svm, "sparse.svm": svm + "b 1000:1\n", "bad.svm": svm + "a 2:1 1:1\n" + svm, "blank.svm": "\n\n", "label.svm": svm + "a,1 1:1\n",
		"same.jsonl": objects, "keys.jsonl": objects + "{\"z\": 1}\n" + objects, "bad.jsonl": objects + "{\"x\": }\n" + objects, "twice.jsonl": objects + "{\"x\": 1, \"x\": 2}\n",
		"array.json": "[" + strings.Join(strings.Split(strings.TrimSpace(strings.ReplaceAll(objects, "\n\n", "\n")), "\n"), ",\n") + "]\n", "list.jsonl": objects + "{\"x\": [1]}\n",
		"vectors.jsonl": vectors, "longer.jsonl": vectors + "{\"vector\": [1]}\n" + vectors, "none.jsonl": vectors + "{\"label\": \"b\"}\n", "one.jsonl": "{\"vector\": [1]}\n",
		"blanks.data": strings.Repeat("1 2.5 a\n3   4 b\n5 \"6 a\n7 8 b\n", 20), "points.data": strings.Repeat("1,2.5,a\n3,4,b\n", 20), "same.tsv": strings.Repeat("1\t2.5\ta\n3\t4\tb\n", 20),
	} {
		path := writeText(t, filepath.Join(t.TempDir(), name), text)
		t.Run(name, func(t *testing.T) {
			sharesAre(t, path, []string{path}, Options{})
			if strings.HasPrefix(name, "vectors") {
				sharesAre(t, path, []string{path}, Options{ID: []string{"id"}})
			}
		})
	}
}

// Random tables, alone and cut into several files, give ranks what they give one process.
func TestRanksReadRandomTables(t *testing.T) {
	detector.Spare(t)
	rng := rand.New(rand.NewPCG(3, 11))
	field := []func() string{
		func() string { return fmt.Sprint(rng.IntN(1000)) },
		func() string { return fmt.Sprintf("%.3g", rng.NormFloat64()) },
		func() string { return []string{"red", "green", "blue", "\"two\nlines\"", ""}[rng.IntN(5)] },
		func() string { return fmt.Sprintf("2024-%02d-%02d", 1+rng.IntN(12), 1+rng.IntN(28)) },
		func() string { return []string{"yes", "no", "N/A"}[rng.IntN(3)] },
		func() string {
			return fmt.Sprintf("\"a text %d, of word%d\n and word%d\"", rng.IntN(4), rng.IntN(9), rng.IntN(9))
		},
		func() string { return fmt.Sprintf("key%d", rng.IntN(1_000_000)) },
		func() string { return []string{"1", "-0", "0", "", "null", "7.5"}[rng.IntN(6)] },
		func() string {
			return []string{fmt.Sprintf("\"[%.3g, %d]\"", rng.NormFloat64(), rng.IntN(9)), fmt.Sprintf("[%d %g]", rng.IntN(9), rng.Float64()), "", "N/A"}[rng.IntN(4)]
		},
	}
	for round := range 40 {
		kinds := make([]func() string, 1+rng.IntN(4))
		header := ""
		for c := range kinds {
			kinds[c] = field[rng.IntN(len(field))]
			header += fmt.Sprintf("c%d,", c)
		}
		header += "label\n"
		var rows []string
		for range 1 + rng.IntN(40) {
			row := ""
			for _, kind := range kinds {
				row += kind() + ","
			}
			rows = append(rows, row+[]string{"a", "b", ""}[rng.IntN(3)]+[]string{"\n", "\r\n", "\n\n"}[rng.IntN(3)])
		}
		folder := t.TempDir()
		one := writeText(t, filepath.Join(folder, "one.csv"), header+strings.Join(rows, ""))
		cut := rng.IntN(len(rows) + 1)
		paths := []string{writeText(t, filepath.Join(folder, "1.csv"), header+strings.Join(rows[:cut], "")), writeText(t, filepath.Join(folder, "2.csv"), header+strings.Join(rows[cut:], ""))}
		sharesAre(t, one, []string{one}, Options{})
		sharesAre(t, one, paths, Options{})
		if t.Failed() {
			t.Fatalf("round %d: %q", round, header+strings.Join(rows, ""))
		}
	}
}

// Compressed text is cut into parts that follow one another, quotes and all.
func TestRanksReadCompressedText(t *testing.T) {
	detector.Spare(t)
	var b strings.Builder
	b.WriteString("x,y,label\n")
	for i := range 60_000 {
		fmt.Fprintf(&b, "\"a\n%d\",%d.%05d,%c\n", i%7, i, i, 'a'+i%2)
	}
	for _, ending := range []string{".gz", ".zst"} {
		path := filepath.Join(t.TempDir(), "a.csv"+ending)
		var packed bytes.Buffer
		w, err := pack(&packed, ending)
		if err == nil {
			_, err = io.WriteString(w, b.String())
		}
		if err != nil || w.Close() != nil {
			t.Fatal(err)
		}
		writeText(t, path, packed.String())
		sharesAre(t, path, []string{path}, Options{})
		all, err := together(t, 2, []string{path}, Options{})
		if err != nil || all[0].Points.Len() < 5_000 || all[1].Points.Len() < 5_000 {
			t.Errorf("%s: %v", ending, err)
		}
	}
}
