package files

import (
	"bytes"
	"encoding/csv"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"lapsvm/dataset"
	"lapsvm/internal/testing/detector"
	"lapsvm/points"
)

// arrowFiles hold the rows of rows.csv, as written by Apache's library for Go. They have a
// column of every type that is read, a column of an unknown type, nulls, and dictionaries that grow
// or are replaced. They have one or two batches, and plain or compressed buffers.
var arrowFiles = []string{"testdata/arrow/plain.arrow", "testdata/arrow/lz4.feather", "testdata/arrow/zstd.arrows", "testdata/arrow/replaced.arrows"}

// Columns that another writer has written become the same text, and by it the same
// features, to the last bit, as a CSV table with the same fields.
func TestArrowOfOthers(t *testing.T) {
	text, err := os.ReadFile("testdata/arrow/rows.csv")
	if err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(bytes.NewReader(text)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	names := []string{"word", "view", "colour", "s", "ms", "us", "ns"}
	table := mustRead(t, "rows.csv", string(text), Options{ID: names, Category: []string{"day"}})
	for _, name := range arrowFiles {
		d, err := ReadFile(name, Options{ID: names, Category: []string{"day"}, Ignore: []string{"nested", "vector"}})
		if err != nil {
			t.Fatal(err)
		}
		if !equal(d, table) || !reflect.DeepEqual(d.Encoding.Columns[:3], table.Encoding.Columns[:3]) || d.Label != "label" {
			t.Errorf("%s: read\n%v %q %v\nwant\n%v %q %v", name, values(d.Points), d.Features, d.Y, values(table.Points), table.Features, table.Y)
		}
		all, err := ReadFile(name, Options{ID: names, Category: []string{"day"}, Ignore: []string{"nested", "vector"}, Keep: true})
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(all.Kept.Names, rows[0]) || !reflect.DeepEqual(all.Kept.Rows, rows[1:]) {
			t.Errorf("%s: kept %q, want %q", name, all.Kept, rows)
		}
		lists, err := ReadFile(name, Options{Columns: []string{"vector"}})
		if err != nil {
			t.Fatal(err)
		}
		for i := range 8 {
			want := []float64{float64(i), float64(float32(i) + float32(1)/10), float64(float32(i) + float32(2)/10)}
			if !slices.Equal(lists.Points.DenseRow(i), want) {
				t.Errorf("%s: list %d is %v, want %v", name, i, lists.Points.DenseRow(i), want)
			}
		}
		beside, err := ReadFile(name, Options{Label: "colour", Columns: []string{"f64", "vector"}})
		if err != nil {
			t.Fatal(err)
		}
		if want := []string{"f64", "vector[1]", "vector[2]", "vector[3]"}; !slices.Equal(beside.Features, want) || !slices.Equal(beside.Points.DenseRow(5)[1:], lists.Points.DenseRow(5)) {
			t.Errorf("%s: %q %v", name, beside.Features, values(beside.Points))
		}
		numbers, err := ReadFile(name, Options{Columns: []string{"f32", "i8", "f16"}, Encoding: new(dataset.Encoding), Label: "colour"})
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(numbers.Points.DenseRow(1), []float64{float64(float32(1) / 3), -2, -0.66650390625}) ||
			!slices.Equal(labels(numbers), []string{"red", "blue", "red", "", "red", "blue", "green", "green"}) {
			t.Errorf("%s: %v, labelled %q", name, values(numbers.Points), labels(numbers))
		}
	}
}

func TestArrowErrors(t *testing.T) {
	name := arrowFiles[0]
	for _, c := range []struct {
		o    Options
		want string
	}{
		{Options{Columns: []string{"f64", "nested"}}, `: these columns hold neither numbers nor strings, booleans, dates, times or lists of numbers or words: nested; leave them out with Options.Ignore, or write them as one of these`},
		{Options{Ignore: []string{"vector"}, Label: "nested"}, `: the label column "nested" holds neither strings nor numbers, booleans, dates or times; choose another with Options.Label`},
		{Options{Columns: []string{"f64"}, Encoding: new(dataset.Encoding)}, `: row 5, column "f64" holds no value; fill in a number or remove the row`},
		{Options{Columns: []string{"word"}, Encoding: new(dataset.Encoding)}, `: these columns hold no numbers: word; leave them out by naming the features with Options.Columns, or give Options.Label if one holds the labels`},
	} {
		_, err := ReadFile(name, c.o)
		checkError(t, err, name+c.want)
	}
	_, err := Read(strings.NewReader("no Arrow file"), "a.arrow", Options{})
	checkError(t, err, "a.arrow: this is no Arrow file, or it is damaged or cut off (it ends inside a message); fetch or write it again")
}

// Files of other writers that are cut or changed, at every third byte, are refused, or
// read as something; a stream may end after any batch.
func TestArrowDamaged(t *testing.T) {
	detector.Spare(t)
	for _, name := range arrowFiles {
		whole, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, o := range []Options{{Ignore: []string{"nested", "vector"}, ID: []string{"word", "view", "colour"}, Keep: true}, {Columns: []string{"f64", "vector"}}, {Columns: []string{"vector"}}} {
			read := func(data []byte) *dataset.Dataset {
				d, err := Read(bytes.NewReader(data), "f.arrow", o)
				var known *dataset.Error
				if err != nil && (!errors.As(err, &known) || known.File != "f.arrow") {
					t.Fatalf("%s: %v", name, err)
				}
				return d
			}
			for cut := 0; cut < len(whole); cut += 3 {
				if d := read(whole[:cut]); d != nil && (!strings.HasSuffix(name, "s") || d.Points.Len() != 4 && cut < len(whole)-8) {
					t.Fatalf("%s cut to %d of %d is read", name, cut, len(whole))
				}
			}
			for i := 0; i < len(whole); i += 3 {
				damaged := bytes.Clone(whole)
				damaged[i] ^= 1 << (i % 8)
				read(damaged)
			}
		}
	}
}

// A file of many batches is read back to the bit, and a name that ends in .arrows
// is that of a stream.
func TestArrowBatches(t *testing.T) {
	const n = arrowRows/2 + 3
	v := make([]float64, 2*n)
	y := make([]int, n)
	for i := range n {
		v[2*i], v[2*i+1], y[i] = float64(i)/3, -float64(i), i%3-1
	}
	d := &dataset.Dataset{Points: points.Dense(n, 2, v), Y: y, Classes: []string{"a", "b"}, Features: []string{"x", "y"}, Label: "label"}
	for file, mark := range map[string]string{"a.arrow": arrowMark, "a.arrows": "\xff\xff\xff\xff"} {
		path := filepath.Join(t.TempDir(), file)
		if err := WriteFile(t.Context(), path, d, WriteOptions{}); err != nil {
			t.Fatal(err)
		}
		if data, err := os.ReadFile(path); err != nil || !strings.HasPrefix(string(data), mark) {
			t.Errorf("%s begins with %q, %v", file, data[:8], err)
		}
		back, err := ReadFile(path, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if !equal(d, back) || !slices.Equal(back.Features, d.Features) {
			t.Errorf("%s does not come back equal", file)
		}
	}
}

// Lists of another library, and lists of one length, are vectors, also where the schema is in the index
// alone. Files that are cut or changed, at every third byte, are refused, or read as something.
func TestArrowVectors(t *testing.T) {
	var first *dataset.Dataset
	for _, name := range []string{"testdata/vectors/lists.arrow", "testdata/vectors/fixed.arrows", "testdata/vectors/vectors.parquet"} {
		d, err := ReadFile(name, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if first == nil {
			first = d
		}
		if want := []int{0, 0, 1}; !slices.Equal(d.Missing.Columns, want) || d.Points.Dim() != 7 || !reflect.DeepEqual(values(d.Points), values(first.Points)) || !slices.Equal(d.Y, first.Y) {
			t.Errorf("%s: missing %d, %v", name, d.Missing.Columns, values(d.Points))
		}
		if strings.HasSuffix(name, "parquet") {
			continue
		}
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for k := 0; k < len(text); k += 3 {
			changed := slices.Clone(text)
			changed[k] ^= 0x55
			for _, data := range [][]byte{changed, text[:k]} {
				_, err := Read(bytes.NewReader(data), "a.arrow", Options{Memory: 64 << 20})
				var dataErr *dataset.Error
				if err != nil && !errors.As(err, &dataErr) {
					t.Fatalf("%s, byte %d: %v", name, k, err)
				}
			}
		}
	}
}
