package files

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/parquet-go/parquet-go"

	"lapsvm/dataset"
	"lapsvm/internal/ranks/comm"
	"lapsvm/points"
)

// rowText writes all that is of row i: the bits of its values, its label, and what is kept.
func rowText(d *dataset.Dataset, i int) string {
	text, row := "", make([]float64, d.Points.Dim())
	d.Points.CopyRow(row, i)
	for _, v := range row {
		text += fmt.Sprintf("%x ", math.Float64bits(v))
	}
	if d.Y[i] != dataset.Unlabelled {
		text += d.Classes[d.Y[i]]
	}
	return text + "|" + d.Kept.Name(i)
}

// ofAll writes what is of all rows together.
func ofAll(t *testing.T, d *dataset.Dataset) string {
	encoding, err := json.Marshal(d.Encoding)
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprintf("%q %q %q %q %d %v %v %s %v %v %v", d.Classes, d.Features, d.Label, d.Guessed, d.Points.Dim(), d.Points.Storage(), d.Points.Sparse(), encoding, d.Missing, d.Unseen, d.Image)
}

// together has goroutines read files as so many ranks, and returns what each has.
func together(t *testing.T, size int, paths []string, o Options) ([]*dataset.Dataset, error) {
	t.Helper()
	all, errs := make([]*dataset.Dataset, size), make([]error, size)
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute) // of ranks that wait for one another
	defer cancel()
	err := comm.Goroutines(ctx, size, func(ctx context.Context, c *comm.Comm) error {
		o := o
		o.Ranks = dataset.NewRanks(ctx, c)
		all[c.Rank()], errs[c.Rank()] = ReadFiles(paths, o)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for r, err := range errs {
		if fmt.Sprint(err) != fmt.Sprint(errs[0]) {
			t.Errorf("%s: rank %d of %d fails by %v, rank 0 by %v", paths[0], r, size, err, errs[0])
		}
	}
	return all, errs[0]
}

// sharesAre checks that one to four ranks together read the same from files as one process reads
// from one file, or fail with the same error.
func sharesAre(t *testing.T, one string, paths []string, o Options) {
	t.Helper()
	whole, wrong := ReadFile(one, o)
	for size := 1; size <= 4; size++ {
		parts, err := together(t, size, paths, o)
		if len(paths) == 1 && fmt.Sprint(err) != fmt.Sprint(wrong) || (err == nil) != (wrong == nil) {
			t.Errorf("%s: %d ranks fail by %v, one process by %v", one, size, err, wrong)
		}
		if err != nil || wrong != nil {
			continue
		}
		n := whole.Points.Len()
		got := make([]string, n)
		for rank, d := range parts {
			if size > 1 && d.Total != n || len(d.Rows()) != d.Points.Len() || len(d.Y) != d.Points.Len() || !slices.IsSorted(d.Rows()) {
				t.Errorf("%s, rank %d of %d: rows %v of %d, %d points", one, rank, size, d.Rows(), d.Total, d.Points.Len())
				return
			}
			if a, b := ofAll(t, d), ofAll(t, whole); a != b {
				t.Errorf("%s, rank %d of %d: %s, want %s", one, rank, size, a, b)
			}
			if !reflect.DeepEqual(d.Notes, whole.Notes) {
				t.Errorf("%s, rank %d of %d: notes %v, want %v", one, rank, size, d.Notes, whole.Notes)
			}
			for k, row := range d.Rows() {
				got[row] += rowText(d, k)
			}
		}
		for i := range n {
			if want := rowText(whole, i); got[i] != want {
				t.Errorf("%s on %d ranks, row %d: %s, want %s", one, size, i+1, got[i], want)
				return
			}
		}
	}
}

// Parts of a file are together what one process reads of it, in every format.
func TestSharesAreTheWhole(t *testing.T) {
	const n, width = 2047, 4
	whole := &dataset.Dataset{Classes: []string{"0", "1", "2"}, Features: []string{"a", "b", "c", "d"}}
	values := make([]float64, 0, n*width)
	for i := range n {
		for j := range width {
			values = append(values, math.Sin(float64(i*width+j)))
		}
		y := dataset.Unlabelled
		if i%10 == 0 {
			y = i / 10 % 3
		}
		whole.Y = append(whole.Y, y)
	}
	whole.Points = points.Dense(n, width, values)
	folder := t.TempDir()
	write := func(name string, d *dataset.Dataset) {
		path := filepath.Join(folder, name)
		if err := WriteFile(t.Context(), path, d, WriteOptions{}); err != nil {
			t.Fatal(err)
		}
		sharesAre(t, path, []string{path}, Options{})
	}
	for _, ending := range []string{"csv", "tsv", "svm", "npy", "npz", "mat", "json", "jsonl", "parquet", "arrow", "csv.gz", "npy.gz", "npz.zst", "parquet.gz", "jsonl.zst"} {
		write("points."+ending, whole)
	}
	write("x-images-idx3-ubyte", whole)
	write("y-images-idx3-ubyte.gz", whole)
	many := *whole
	many.Features = nil
	for _, ending := range []string{"jsonl", "parquet", "arrow"} { // vectors
		write("vectors."+ending, &many)
	}
	write("few.csv", whole.Subset([]int{0, 10}))
	write("few.npy", whole.Subset([]int{0, 10}))
	write("few.parquet", many.Subset([]int{0, 10}))
}

// What is learnt of the columns of a table is learnt from all rows, and what is kept is of
// the own ones.
func TestSharesOfTablesWithAnEncoding(t *testing.T) {
	var rows [][]string
	for i := range 120 {
		number := fmt.Sprint(float64(i*i%37) / 4)
		if i%11 == 5 {
			number = ""
		}
		label := ""
		if i%4 == 0 {
			label = []string{"x", "y"}[i/4%2]
		}
		rows = append(rows, []string{fmt.Sprint("row ", i), number, []string{"red", "green", "a, b"}[i*i%3], fmt.Sprintf("word%d and word%d and again", i%7, i%13), label})
	}
	folder := t.TempDir()
	var csv, late strings.Builder
	csv.WriteString("name,size,colour,text,label\n")
	late.WriteString("u,v,label\n")
	series := make([]dataset.Series, 5)
	for c, name := range []string{"name", "size", "colour", "text", "label"} {
		series[c].Name = name
	}
	for i, row := range rows {
		for c, field := range row {
			series[c].Text = append(series[c].Text, field)
			row[c] = `"` + field + `"`
		}
		if row[1] == `""` {
			row[1] = ""
		}
		csv.WriteString(strings.Join(row, ",") + "\n")
		gap := fmt.Sprint(i)
		if i == 100 {
			gap = ""
		}
		fmt.Fprintf(&late, "%d,%s,%s\n", i*i, gap, row[4])
	}
	for name, text := range map[string]string{"table.csv": csv.String(), "late.csv": late.String()} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"table.jsonl", "table.json.gz", "table.parquet", "table.arrow"} {
		if err := WriteSeriesFile(t.Context(), filepath.Join(folder, name), "", series); err != nil {
			t.Fatal(err)
		}
	}
	late2 := filepath.Join(folder, "late.csv")
	sharesAre(t, late2, []string{late2}, Options{})
	var encoding *dataset.Encoding
	for _, name := range []string{"table.csv", "table.jsonl", "table.json.gz", "table.parquet", "table.arrow"} {
		path := filepath.Join(folder, name)
		o := Options{ID: []string{"name"}, Text: []string{"text"}}
		if !strings.HasSuffix(name, "csv") {
			o.Ignore = []string{"size"} // strings there
		}
		sharesAre(t, path, []string{path}, o)
		sharesAre(t, path, []string{path}, Options{ID: []string{"name"}, Ignore: []string{"text", "size"}, Keep: true})
		if encoding == nil {
			d, err := ReadFile(path, o)
			if err != nil {
				t.Fatal(err)
			}
			encoding = d.Encoding
			sharesAre(t, path, []string{path}, Options{Encoding: encoding})
		}
	}
}

// Row groups of other parts are left out, where nothing is to be known of them.
func TestSharesOfRowGroups(t *testing.T) {
	type whole struct {
		A, B  int32
		Label string
	}
	type list struct {
		V     []float32 `parquet:"v,list"`
		Label string
	}
	folder := t.TempDir()
	create := func(name string) *os.File {
		f, err := os.Create(filepath.Join(folder, name))
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { f.Close() })
		return f
	}
	wholes := parquet.NewGenericWriter[whole](create("wholes.parquet"), parquet.MaxRowsPerRowGroup(30), parquet.PageBufferSize(64))
	lists := parquet.NewGenericWriter[list](create("lists.parquet"), parquet.MaxRowsPerRowGroup(30), parquet.PageBufferSize(64))
	for i := range int32(200) {
		label := []string{"", "x", "y", "z"}[i%4]
		if i == 199 {
			label = "the last row alone"
		}
		_, err := wholes.Write([]whole{{i * i, i, label}})
		if err == nil {
			_, err = lists.Write([]list{{[]float32{float32(i), 1, float32(-i)}, label}})
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(wholes.Close(), lists.Close()); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"wholes.parquet", "lists.parquet"} {
		path := filepath.Join(folder, name)
		sharesAre(t, path, []string{path}, Options{Label: "Label"})
		sharesAre(t, path, []string{path}, Options{Label: "Label", Encoding: new(dataset.Encoding)})
	}
	path := filepath.Join(folder, "wholes.parquet")
	sharesAre(t, path, []string{path}, Options{Columns: []string{"A", "B"}})
}

// What a rank reads takes its part of the memory: bytes allocated, not time.
func TestMemoryOfAShare(t *testing.T) {
	const n, width, of = 1 << 16, 32, 8
	d := &dataset.Dataset{Y: make([]int, n), Classes: []string{"0"}, Points: points.Dense(n, width, make([]float64, n*width))}
	folder := t.TempDir()
	for _, name := range []string{"a.npy", "a-images-idx3-ubyte", "a.parquet", "a.csv"} {
		path := filepath.Join(folder, name)
		if err := WriteFile(t.Context(), path, d, WriteOptions{}); err != nil {
			t.Fatal(err)
		}
		held := func(read func() ([]*dataset.Dataset, error)) float64 {
			before := collect()
			got, err := read()
			if err != nil {
				t.Fatal(err)
			}
			after := collect()
			runtime.KeepAlive(got)
			return after - before
		}
		alone := func() ([]*dataset.Dataset, error) {
			d, err := ReadFile(path, Options{})
			return []*dataset.Dataset{d}, err
		}
		held(alone) // what is allocated once
		whole := held(alone)
		parts := held(func() ([]*dataset.Dataset, error) { return together(t, of, []string{path}, Options{}) })
		if !(parts <= 1.5*whole) {
			t.Errorf("%s: %d parts hold %.0f bytes, the whole %.0f", name, of, parts, whole)
		}
		size := map[string]int64{"a.npy": 8, "a-images-idx3-ubyte": 1, "a.parquet": 8, "a.csv": 8}[name] * n * width
		if _, err := ReadFile(path, Options{Memory: size}); err == nil {
			t.Errorf("%s: the whole is read in %d bytes", name, size)
		}
		if _, err := together(t, of, []string{path}, Options{Memory: size}); err != nil {
			t.Errorf("%s: a part: %v", name, err)
		}
	}
}

// collect frees what nobody holds, and returns the bytes that are left. Pools keep theirs through one collection, and goroutines that
// are about to end keep what they had, so it goes on until a collection frees nothing.
func collect() float64 {
	var left runtime.MemStats
	for before := uint64(math.MaxUint64); ; before = left.HeapAlloc {
		runtime.GC()
		runtime.GC()
		if runtime.ReadMemStats(&left); left.HeapAlloc >= before {
			return float64(left.HeapAlloc)
		}
		time.Sleep(10 * time.Millisecond)
	}
}
