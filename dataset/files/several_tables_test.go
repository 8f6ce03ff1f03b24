package files

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"

	"lapsvm/dataset"
	"lapsvm/internal/ranks/comm"
)

// patients returns rows of a table with columns of every kind, with gaps.
func patients(n int) (header []string, rows [][]string) {
	header = []string{"who", "age", "town", "since", "member", "note", "zip", "scan", "kind"}
	for i := range n {
		row := []string{
			fmt.Sprintf("c-%d", i), fmt.Sprint(float64(i*7%31) / 3), []string{"Ulm", "Bonn", "Köln", "?"}[i*i%4],
			fmt.Sprintf("2024-%02d-%02d", 1+i%12, 1+i%28), []string{"yes", "no"}[i/3%2],
			fmt.Sprintf("word%d of a, longer text%d", i%5, i%3), fmt.Sprintf("%05d", i*i), fmt.Sprintf("[%d, %g]", i%7, 0.1*float64(i)), "",
		}
		if i%5 == 2 {
			row[1+i%4], row[7] = "", ""
		}
		if i%3 == 0 {
			row[8] = []string{"cat", "dog", "Dog"}[i/3%3]
		}
		rows = append(rows, row)
	}
	return header, rows
}

// csvText writes a CSV table, the columns in an order; those with a comma in quotes.
func csvText(header []string, rows [][]string, order []int, end string) string {
	var b strings.Builder
	for _, row := range append([][]string{header}, rows...) {
		for k, c := range order {
			if k > 0 {
				b.WriteByte(',')
			}
			if strings.Contains(row[c], ",") {
				fmt.Fprintf(&b, "%q", row[c])
			} else {
				b.WriteString(row[c])
			}
		}
		b.WriteString(end)
	}
	return b.String()
}

func writeText(t *testing.T, path, text string) string {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// Of two and three files of any columns the encoding, the notes and every bit are those of
// one file.
func TestSeveralTablesLearnAsOne(t *testing.T) {
	header, rows := patients(90)
	same := []int{0, 1, 2, 3, 4, 5, 6, 7, 8}
	folder := t.TempDir()
	file := func(name, text string) string { return writeText(t, filepath.Join(folder, name), text) }
	one := file("one.csv", csvText(header, rows, same, "\n"))
	first, empty := file("1.csv", csvText(header, rows[:7], same, "\n")), file("0.csv", csvText(header, nil, same, "\n"))
	for name, paths := range map[string][]string{
		"two":                  {first, file("2.csv", csvText(header, rows[7:], same, "\n"))},
		"another order":        {first, file("3.csv", csvText(header, rows[7:], []int{3, 7, 0, 8, 5, 6, 1, 2, 4}, "\n"))},
		"three":                {first, file("4.csv", byteOrderMark+csvText(header, rows[7:50], []int{1, 0, 2, 3, 4, 5, 6, 7, 8}, "\r\n")), file("5.csv", csvText(header, rows[50:], same, "\r\n"))},
		"semicolons":           {first, file("6.csv", strings.NewReplacer(",", ";", "a, longer", "a, longer").Replace(csvText(header, rows[7:], same, "\n")))},
		"files without rows":   {empty, first, empty, file("8.csv", csvText(header, rows[7:], same, "\n"))},
		"another kind of file": {first, file("9.tsv", strings.NewReplacer("a, longer", "a, longer", ",", "\t").Replace(csvText(header, rows[7:], same, "\n")))},
	} {
		t.Run(name, func(t *testing.T) {
			for _, o := range []Options{{}, {FoldCase: true, Category: []string{"zip"}}, {Text: []string{"note"}, ID: []string{"who"}, Ignore: []string{"age"}, Label: "town"}} {
				if o.Category != nil {
					o.Category, o.Ignore = []string{"town"}, []string{"zip"}
				}
				sharesAre(t, one, paths, o)
			}
		})
	}
}

// Columns of numbers alone are found by name too, and codes and numbers of rows are those of all rows.
func TestSeveralTablesOfNumbersAreOne(t *testing.T) {
	var rows [][]string
	for i := range 40 {
		rows = append(rows, []string{fmt.Sprint(i), fmt.Sprintf("%04d", 100*i), fmt.Sprint(float64(i) / 7), []string{"1", "2", ""}[i%3]})
	}
	folder := t.TempDir()
	for _, header := range [][]string{{"a", "b", "c", "label"}, {"nr", "code", "c", "label"}} {
		one := writeText(t, filepath.Join(folder, "one.csv"), csvText(header, rows, []int{0, 1, 2, 3}, "\n"))
		paths := []string{writeText(t, filepath.Join(folder, "1.csv"), csvText(header, rows[:15], []int{0, 1, 2, 3}, "\n")), writeText(t, filepath.Join(folder, "2.csv"), csvText(header, rows[15:], []int{3, 2, 1, 0}, "\n"))}
		sharesAre(t, one, paths, Options{})
		sharesAre(t, one, paths, Options{AllFeatures: true})
	}
	// Without a header, also where a gap comes late.
	rows[33][2] = ""
	plain := func(rows [][]string) string { return csvText(rows[0], rows[1:], []int{0, 1, 2, 3}, "\n") }
	one := writeText(t, filepath.Join(folder, "one.csv"), plain(rows))
	sharesAre(t, one, []string{writeText(t, filepath.Join(folder, "1.csv"), plain(rows[:20])), writeText(t, filepath.Join(folder, "2.csv"), plain(rows[20:]))}, Options{})
}

// Objects have the keys of all files, also those that turn up in the last one.
func TestSeveralFilesOfObjectsAreOne(t *testing.T) {
	var lines []string
	for i := range 30 {
		line := fmt.Sprintf(`{"size": %d, "town": %q`, i*i, []string{"Ulm", "Bonn"}[i/2%2])
		if i > 20 {
			line += fmt.Sprintf(`, "deep": {"x": 1}, "weight": %d`, i%4)
		}
		if i%4 == 0 {
			line += fmt.Sprintf(`, "label": "%c"`, 'a'+i/4%2)
		}
		lines = append(lines, line+"}")
	}
	folder := t.TempDir()
	text := func(lines []string) string { return strings.Join(lines, "\n") + "\n" }
	one := writeText(t, filepath.Join(folder, "one.jsonl"), text(lines))
	paths := []string{writeText(t, filepath.Join(folder, "1.jsonl"), text(lines[:9])), writeText(t, filepath.Join(folder, "2.json"), "["+strings.Join(lines[9:18], ",\n")+"]"), writeText(t, filepath.Join(folder, "3.jsonl"), text(lines[18:]))}
	sharesAre(t, one, paths, Options{Ignore: []string{"deep"}})
	sharesAre(t, one, paths, Options{Ignore: []string{"deep", "weight"}, Category: []string{"town"}})
}

type parquetRow struct {
	Who   string   `parquet:"who"`
	Age   *float64 `parquet:"age,optional"`
	Town  string   `parquet:"town"`
	Label *string  `parquet:"label,optional"`
}

// The same columns in another order.
type parquetTurned struct {
	Town  string   `parquet:"town"`
	Label *string  `parquet:"label,optional"`
	Who   string   `parquet:"who"`
	Age   *float64 `parquet:"age,optional"`
}

// Parquet files with words, and those of numbers alone of which one has a gap, are one.
func TestSeveralParquetFilesAreOne(t *testing.T) {
	var rows []parquetRow
	for i := range 30 {
		age, label := float64(i)/4, string(rune('a'+i%2))
		row := parquetRow{fmt.Sprintf("c%d", i), &age, []string{"Ulm", "Bonn", "Rom"}[i%3], &label}
		if i == 25 {
			row.Age = nil
		}
		if i%3 > 0 {
			row.Label = nil
		}
		rows = append(rows, row)
	}
	folder := t.TempDir()
	var turned []parquetTurned
	for _, r := range rows[12:] {
		turned = append(turned, parquetTurned{r.Town, r.Label, r.Who, r.Age})
	}
	one, first, second := filepath.Join(folder, "one.parquet"), filepath.Join(folder, "1.parquet"), filepath.Join(folder, "2.parquet")
	if err := errors.Join(parquet.WriteFile(one, rows), parquet.WriteFile(first, rows[:12]), parquet.WriteFile(second, turned, parquet.MaxRowsPerRowGroup(4))); err != nil {
		t.Fatal(err)
	}
	// A part that has no row of the group with the gap sees it too.
	for _, o := range []Options{{}, {ID: []string{"who"}}, {Columns: []string{"age"}}, {Columns: []string{"age", "town"}}} {
		sharesAre(t, one, []string{first, second}, o)
	}
	d, err := ReadFiles([]string{first, second}, Options{Keep: true})
	if err != nil || d.Kept.None() || strings.Join(d.Kept.Rows[25], "|") != "c25||Bonn|" || strings.Join(d.Kept.Rows[12], "|") != "c12|3|Ulm|a" {
		t.Errorf("%v, %v", d, err)
	}
}

// What is wrong names the file, its line and its column, also where it is found when all
// rows are there.
func TestSeveralTablesThatDiffer(t *testing.T) {
	var good strings.Builder
	good.WriteString("n,day,word,label\n")
	for i := range 12 {
		fmt.Fprintf(&good, "%d,2024-01-%02d,%c,%c\n", i, i+1, 'p'+i%2, 'x'+i%2)
	}
	for other, want := range map[string]string{
		"n,day,label\n1,2024-01-01,x\n":                           `2.csv:1: the column "word" of `,
		"label,n,day,more,word\nx,1,2024-01-01,2,p\n":             `2.csv:1:4: `,
		"1,2024-01-01,p,x\n":                                      `2.csv:1: the column "n" of `,
		"word,n,day,label\np,1,2024-01-01\n":                      "2.csv:2:4: the row has 3 columns",
		"word,n,day,label\np,1,2024-01-01,x\np,2,yesterday,x\n":   `2.csv:3:3: "day": "yesterday" is no date`,
		"word,n,day,label\np,1,2024-01-01,x\n\"\n":                "2.csv:3:1: a quote opens here",
		"word,n,day,label\np,1,2024-01-01,x\np,1x,2024-01-01,x\n": `2.csv:3:2: "n": "1x"`,
		"word,n,day,label\np,1,2024-01-01,x\n\xff,1,2024-01-01,x": `2.csv:3:1: column "word": "\xff" is not UTF-8`,
		"": "2.csv: the file is empty",
	} {
		folder := t.TempDir()
		paths := []string{writeText(t, filepath.Join(folder, "1.csv"), good.String()), writeText(t, filepath.Join(folder, "2.csv"), other)}
		for size := 1; size <= 3; size++ {
			d, err := together(t, size, paths, Options{})
			told := fmt.Sprint(err)
			if err == nil { // the column is left out
				told = fmt.Sprint(d[0].Notes)
			}
			if !strings.Contains(told, want) {
				t.Errorf("%q on %d ranks: %s, want %s", other, size, told, want)
			}
		}
	}
	folder := t.TempDir()
	plain := writeText(t, filepath.Join(folder, "plain.csv"), "1,2,x\n3,?,y\n")
	named := writeText(t, filepath.Join(folder, "named.csv"), good.String())
	wide := writeText(t, filepath.Join(folder, "wide.csv"), "1,2,3,x\n")
	objects := writeText(t, filepath.Join(folder, "objects.jsonl"), `{"n":1,"day":"2024-01-01","word":"p","label":"x"}`+"\n")
	arrays := filepath.Join(folder, "arrays.npy")
	if err := WriteFile(t.Context(), arrays, dataset.TwoMoons(20, 0.1, 1), WriteOptions{}); err != nil {
		t.Fatal(err)
	}
	for want, paths := range map[string][]string{
		"named.csv:1: begins with names":   {plain, named},
		"wide.csv:1: there are 4 columns":  {plain, wide},
		"there is no such file":            {plain, filepath.Join(folder, "nowhere.csv")},
		"plain.csv: words, dates and gaps": {plain, arrays},
		"named.csv: words, dates and gaps": {named, objects},
		"named.csv and 1 more: every":      {named, named},
	} {
		if _, err := ReadFiles(paths, Options{Ignore: map[bool][]string{true: {"n", "day", "word"}}[strings.Contains(want, "every")]}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

// Classes that differ in case are told of files that are read apart.
func TestSeveralFilesWithClassesThatDifferInCase(t *testing.T) {
	folder := t.TempDir()
	paths := []string{writeText(t, filepath.Join(folder, "1.svm"), "x 1:1\ny 1:2\n"), writeText(t, filepath.Join(folder, "2.svm"), "X 1:1\n")}
	want := `the classes "X" and "x" of this and the other files look alike`
	if _, err := ReadFiles(paths, Options{FoldCase: true}); err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("%v, want %s", err, want)
	}
}

// Several files are encoded by the encoding of another table, as predict reads them.
func TestSeveralTablesByAnEncoding(t *testing.T) {
	path := writeText(t, filepath.Join(t.TempDir(), "words.csv"), "a,b,label\nred,2,x\nred,3,y\nblue,4,x\nblue,5,y\n")
	d, err := ReadFile(path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if d, err = ReadFiles([]string{path, path}, Options{Encoding: d.Encoding}); err != nil || d.Points.Len() != 8 || d.Missing.Rows != 8 {
		t.Error(d, err)
	}
}

// The memory of several tables is bounded together, and that of one file is given back.
func TestSeveralTablesBoundedMemory(t *testing.T) {
	folder := t.TempDir()
	var text strings.Builder
	text.WriteString("a,b,label\n")
	for i := range 4000 {
		fmt.Fprintf(&text, "%d,%c,%c\n", i%17, 'p'+i%3, 'x'+i%2)
	}
	var paths []string
	for k := range 8 {
		paths = append(paths, filepath.Join(folder, fmt.Sprintf("%d.csv.zst", k)))
		d, err := ReadFile(writeText(t, filepath.Join(folder, "plain.csv"), text.String()), Options{Columns: []string{"a"}})
		if err == nil {
			err = WriteFile(t.Context(), paths[k], d, WriteOptions{})
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	o := Options{Memory: 2 << 20, Category: []string{"a"}, Threads: 1}
	for n, fits := range map[int]bool{1: true, 8: false} {
		_, err := ReadFiles(paths[:n], o)
		if fits != (err == nil) || err != nil && !strings.Contains(err.Error(), "of memory") {
			t.Errorf("%d files: %v", n, err)
		}
	}
	o.Memory = 16 << 20
	if d, err := ReadFiles(paths, o); err != nil || d.Points.Len() != 32000 {
		t.Error(err)
	}
}

// Ranks that each read their part of several tables share what one process reads.
func TestSeveralTablesOnRanks(t *testing.T) {
	header, rows := patients(90)
	same := []int{0, 1, 2, 3, 4, 5, 6, 7, 8}
	folder := t.TempDir()
	one := writeText(t, filepath.Join(folder, "one.csv"), csvText(header, rows, same, "\n"))
	paths := []string{writeText(t, filepath.Join(folder, "1.csv"), csvText(header, rows[:30], same, "\n")), writeText(t, filepath.Join(folder, "2.csv"), csvText(header, rows[30:], []int{8, 7, 6, 5, 4, 3, 2, 1, 0}, "\n"))}
	want, err := ReadFile(one, Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, size := range []int{1, 2, 3} {
		err := comm.Goroutines(t.Context(), size, func(ctx context.Context, c *comm.Comm) error {
			d, err := ReadFiles(paths, Options{Ranks: dataset.NewRanks(ctx, c)})
			if err != nil {
				return err
			}
			if n := d.Points.Len(); n > 90/size+10 {
				return fmt.Errorf("%d rows on one rank", n)
			}
			s, err := d.Share(ctx, c)
			if err != nil {
				return err
			}
			all, err := s.All(ctx)
			if err != nil || c.Rank() > 0 {
				return err
			}
			for i := range 90 {
				if a, b := rowText(all, i), rowText(want, i); a != b {
					return fmt.Errorf("row %d: %s, want %s", i+1, a, b)
				}
			}
			return nil
		})
		if err != nil {
			t.Errorf("%d ranks: %v", size, err)
		}
	}
}
