package lapsvm_test

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"lapsvm"
	"lapsvm/dataset"
	"lapsvm/dataset/files"
	"lapsvm/internal/describe"
)

// roadTable is a table of fields as text, with the labels in its last column.
type roadTable struct {
	header []string
	rows   [][]string
	kinds  []byte // of each column: 'n' for numbers, 'w' for words, 'b' for true and false, 'd' for dates, 'm' for moments, 't' for times of day, 'l' for lists of words
}

// text returns the text of a table, whose fields have a separator between them.
func (r *roadTable) text(separator rune) string {
	var b strings.Builder
	w := csv.NewWriter(&b)
	w.Comma = separator
	if err := w.WriteAll(append([][]string{r.header}, r.rows...)); err != nil {
		panic(err)
	}
	return b.String()
}

// maps returns the rows as a program has them.
func (r *roadTable) maps(t *testing.T) []map[string]any {
	var all []map[string]any
	for _, row := range r.rows {
		one := map[string]any{}
		for c, field := range row {
			switch {
			case field == "":
				one[r.header[c]] = nil
			case r.kinds[c] == 'n':
				v, err := strconv.ParseFloat(field, 64)
				if err != nil {
					t.Fatal(err)
				}
				one[r.header[c]] = v
			case r.kinds[c] == 'b':
				one[r.header[c]] = field == "true"
			case r.kinds[c] == 'd', r.kinds[c] == 'm':
				one[r.header[c]] = momentOf(t, field)
			case r.kinds[c] == 'l':
				var words []string
				if err := json.Unmarshal([]byte(field), &words); err != nil {
					t.Fatal(err)
				}
				one[r.header[c]] = words
			default:
				one[r.header[c]] = field
			}
		}
		all = append(all, one)
	}
	return all
}

// momentOf returns the time of a date or a moment.
func momentOf(t *testing.T, field string) time.Time {
	at, err := time.Parse(time.RFC3339, field)
	if err != nil {
		at, err = time.Parse(time.DateOnly, field)
	}
	if err != nil {
		t.Fatal(err)
	}
	return at
}

// series returns the columns of a table.
func (r *roadTable) series() (all []dataset.Series) {
	for c, name := range r.header {
		s := dataset.Series{Name: name}
		for _, row := range r.rows {
			if r.kinds[c] == 'n' {
				v, err := strconv.ParseFloat(row[c], 64)
				if err != nil {
					v = math.NaN()
				}
				s.Numbers = append(s.Numbers, v)
			} else {
				s.Text = append(s.Text, row[c])
			}
		}
		all = append(all, s)
	}
	return all
}

// road is a way by which a table becomes a data set. A format of tables is one more row of roads; its file is made of the table's own
// text or columns.
type road struct {
	name    string
	numbers bool // it takes tables of numbers alone
	read    func(t *testing.T, r *roadTable) (*dataset.Dataset, error)
}

func roads() []road {
	text := func(name string, separator rune) road {
		return road{name, false, func(_ *testing.T, r *roadTable) (*dataset.Dataset, error) {
			return files.Read(strings.NewReader(r.text(separator)), "f", files.Options{Format: name})
		}}
	}
	columns := func(form string) road {
		return road{form, false, func(t *testing.T, r *roadTable) (*dataset.Dataset, error) {
			var b bytes.Buffer
			if err := files.WriteSeries(&b, form, r.series()); err != nil {
				t.Fatal(err)
			}
			return files.Read(&b, "f", files.Options{Format: form})
		}}
	}
	arrays := func(form string) road { // of the points of the table, dense or sparse as they are
		return road{form, true, func(t *testing.T, r *roadTable) (*dataset.Dataset, error) {
			d, err := files.Read(strings.NewReader(r.text(',')), "f.csv", files.Options{Encoding: new(dataset.Encoding)})
			if err != nil {
				t.Fatal(err)
			}
			var b bytes.Buffer
			if err := files.Write(&b, d, files.WriteOptions{Format: form}); err != nil {
				t.Fatal(err)
			}
			return files.Read(&b, "f", files.Options{Format: form})
		}}
	}
	sparse := func(form string) road {
		return road{"sparse " + form, true, func(t *testing.T, r *roadTable) (*dataset.Dataset, error) {
			var svm strings.Builder
			for _, row := range r.rows {
				label := row[len(row)-1]
				if label == "" {
					label = "nan"
				}
				svm.WriteString(label)
				for c, field := range row[:len(row)-1] {
					if field != "0" {
						fmt.Fprintf(&svm, " %d:%s", c+1, field)
					}
				}
				svm.WriteByte('\n')
			}
			d, err := files.Read(strings.NewReader(svm.String()), "f.svm", files.Options{Features: len(r.header) - 1})
			if err != nil || form == files.SVM {
				return d, err
			}
			var b bytes.Buffer
			if err := files.Write(&b, d, files.WriteOptions{Format: form}); err != nil {
				t.Fatal(err)
			}
			return files.Read(&b, "f", files.Options{Format: form})
		}}
	}
	typed := func(form string, write func(*testing.T, *roadTable) []byte) road { // of values that have types
		return road{"typed " + form, false, func(t *testing.T, r *roadTable) (*dataset.Dataset, error) {
			return files.Read(bytes.NewReader(write(t, r)), "f", files.Options{Format: form})
		}}
	}
	return []road{
		text(files.CSV, ','), text(files.TSV, '\t'),
		columns(files.Parquet), columns(files.Arrow), columns(files.JSONL),
		arrays(files.NPZ), arrays(files.MAT), arrays(files.NPY), arrays(files.SVM),
		sparse(files.SVM), sparse(files.NPZ), sparse(files.MAT),
		typed(files.XLSX, xlsxOf), typed(files.ODS, odsOf), typed(files.SQLite, sqliteOf), typed(files.Parquet, parquetOf), typed(files.JSONL, jsonOf),
		{"rows of a program", false, func(t *testing.T, r *roadTable) (*dataset.Dataset, error) {
			return dataset.FromMaps(r.maps(t), dataset.TableOptions{})
		}},
	}
}

// bag is a table of counts of words, by topics, in columns whose order is that of their names.
func bag() *roadTable {
	const n, words = 80, 240
	random := rand.New(rand.NewPCG(5, 0))
	r := &roadTable{}
	for j := range words {
		r.header, r.kinds = append(r.header, fmt.Sprintf("w%03d", j)), append(r.kinds, 'n')
	}
	r.header, r.kinds = append(r.header, "zlabel"), append(r.kinds, 'n')
	r.header[words] = "label"
	for i := range n {
		counts := make([]int, words)
		for range 4 + random.IntN(8) {
			j := random.IntN(words)
			if random.IntN(3) > 0 {
				j = (j/2 + i%2*words/2) % words
			}
			counts[j]++
		}
		var row []string
		for _, count := range counts {
			row = append(row, strconv.Itoa(count))
		}
		label := strconv.Itoa(i % 2)
		if i > 24 {
			label = ""
		}
		r.rows = append(r.rows, append(row, label))
	}
	return r
}

// mixedColumns is a table of numbers with gaps, categories, dates and texts.
func mixedColumns() *roadTable {
	random := rand.New(rand.NewPCG(6, 0))
	r := &roadTable{header: []string{"age", "born", "colour", "label", "note", "size"}, kinds: []byte("nwwwwn")}
	for i := range 60 {
		age := strconv.Itoa(20 + random.IntN(50))
		if i%7 == 0 {
			age = ""
		}
		label := []string{"yes1", "no1"}[i%2]
		if i > 24 {
			label = ""
		}
		about := []string{"the red house by the old river", "a small boat on the wide sea"}[(i+random.IntN(5)/4)%2]
		r.rows = append(r.rows, []string{age, fmt.Sprintf("2024-%02d-%02d", 1+i%12, 1+i%28), []string{"red", "blue", "green"}[random.IntN(3)], label,
			about, strconv.FormatFloat(random.NormFloat64()+float64(i%2), 'g', -1, 64)})
	}
	return r
}

// allKinds is a table of columns of every kind, each with gaps where its kind may have some.
func allKinds() *roadTable {
	random := rand.New(rand.NewPCG(7, 0))
	r := &roadTable{header: []string{"at", "born", "colour", "label", "member", "paid", "share", "size", "tags", "woke"}, kinds: []byte("mdwwbwwnlt")}
	for i := range 60 {
		k := i % 2
		row := []string{
			fmt.Sprintf("2024-%02d-%02dT%02d:%02d:%02dZ", 1+i%12, 1+i%28, i%24, 7*i%60, 11*i%60),
			fmt.Sprintf("19%02d-%02d-%02d", 50+random.IntN(40)+10*k, 1+i%12, 1+i%28),
			[]string{"red", "blue", "green"}[random.IntN(3)],
			[]string{"1.0", "+2"}[k],
			strconv.FormatBool(random.IntN(4)+2*k > 2),
			fmt.Sprintf("%d.%02d EUR", 100+random.IntN(900)+300*k, random.IntN(100)),
			fmt.Sprintf("%d%%", random.IntN(100)),
			strconv.FormatFloat(random.NormFloat64()+float64(k), 'g', -1, 64),
			[]string{`["round","red, \"dark\""]`, `[]`, `["red, \"dark\""]`, `["ünique","round"]`, `["round"]`}[random.IntN(5)],
			fmt.Sprintf("%02d:%02d:%02d", random.IntN(24), random.IntN(60), random.IntN(60)),
		}
		for c := range row {
			if (i+3*c)%11 == 0 {
				row[c] = ""
			}
		}
		if i > 24 {
			row[3] = ""
		}
		r.rows = append(r.rows, row)
	}
	return r
}

// rare returns a table of numbers of which few are not 0, with a column that changes one row.
func rare(change func(row []string, i int)) *roadTable {
	r := bag()
	for i, row := range r.rows {
		change(row, i)
	}
	return r
}

// The same table gives the same points, the same description and the same model, whatever road it takes.
func TestRoads(t *testing.T) {
	for name, table := range map[string]*roadTable{
		"counts of words": bag(), "mixed columns": mixedColumns(), "all kinds": allKinds(),
		"rare numbers and a full column": rare(func(row []string, i int) { row[0] = strconv.Itoa(20 + i%50) }),
		"rare numbers, one below 0":      rare(func(row []string, i int) { row[5] = []string{"0", "-2.5"}[i/79] }),
	} {
		var first *dataset.Dataset
		var model []byte
		for _, road := range roads() {
			if road.numbers && slices.Contains(table.kinds, 'w') {
				continue
			}
			d, err := road.read(t, table)
			if err != nil {
				t.Errorf("%s by %s: %v", name, road.name, err)
				continue
			}
			m, err := lapsvm.Trainer{}.Fit(t.Context(), d)
			if err != nil {
				t.Fatal(err)
			}
			scores, err := m.Scores(t.Context(), d.Points)
			if err != nil {
				t.Fatal(err)
			}
			var all []byte
			for _, s := range scores {
				all = fmt.Append(all, s)
			}
			if first == nil {
				first, model = d, all
				if by := m.Recipe().Describe; name == "counts of words" && !strings.Contains(string(by), describe.Latent) {
					t.Logf("%s are described by %q", name, by)
				}
				continue
			}
			if d.Points.Sparse() != first.Points.Sparse() || !slices.EqualFunc(valuesOf(d), valuesOf(first), slices.Equal) {
				t.Errorf("%s by %s: other points, sparse %v and not %v", name, road.name, d.Points.Sparse(), first.Points.Sparse())
			}
			if got, want := columnsOf(t, d), columnsOf(t, first); got != want {
				t.Errorf("%s by %s: columns\n%s, want\n%s", name, road.name, got, want)
			}
			if !slices.Equal(d.Y, first.Y) || !slices.Equal(d.Classes, first.Classes) {
				t.Errorf("%s by %s: other labels", name, road.name)
			}
			if !bytes.Equal(all, model) {
				t.Errorf("%s by %s: another model", name, road.name)
			}
		}
	}
}

// columnsOf returns what is known of the columns of a table.
func columnsOf(t *testing.T, d *dataset.Dataset) string {
	if d.Encoding == nil {
		return ""
	}
	text, err := json.Marshal(d.Encoding.Columns)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// valuesOf returns all rows of the points.
func valuesOf(d *dataset.Dataset) (rows [][]float64) {
	for i := range d.Points.Len() {
		row := make([]float64, d.Points.Dim())
		d.Points.CopyRow(row, i)
		rows = append(rows, row)
	}
	return rows
}
