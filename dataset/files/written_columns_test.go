package files

import (
	"bytes"
	"encoding/csv"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"

	"lapsvm/dataset"
	"lapsvm/internal/testing/detector"
)

// writtenFiles are files of other programs, each with the table of the same in CSV, as DuckDB wrote it.
var writtenFiles = map[string][]string{
	"parquet/rows.csv": {"parquet/duckdb1.parquet", "parquet/duckdb2.parquet", "parquet/arrow-rs-delta.parquet", "parquet/arrow-rs-delta-length.parquet",
		"parquet/arrow-rs-dictionary.parquet", "parquet/arrow-rs-split.parquet", "parquet/polars.parquet",
		"arrow/arrow-rs.arrows", "arrow/polars-lz4.arrow", "arrow/polars-zstd.arrows", "arrow/polars-categorical.arrow"},
	"parquet/numbers.csv":  {"parquet/numbers1.parquet", "parquet/numbers2.parquet"},
	"parquet/required.csv": {"parquet/required.parquet"},
	"arrow/arrow-js.csv":   {"arrow/arrow-js.arrow", "parquet/arrow-rs-wide.parquet"},
}

// Every column of every writer, codec and encoding has the text that DuckDB gives its values.
func TestWrittenColumns(t *testing.T) {
	for table, names := range writtenFiles {
		text, err := os.ReadFile(filepath.Join(writtenFolder, table))
		if err != nil {
			t.Fatal(err)
		}
		want, err := csv.NewReader(bytes.NewReader(text)).ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range names {
			d, err := ReadFile(filepath.Join(writtenFolder, name), Options{TextAlone: true, Keep: true})
			if err != nil {
				t.Error(err)
				continue
			}
			if len(d.Kept.Rows) != len(want)-1 || len(d.Kept.Names) < 2 {
				t.Errorf("%s: %d rows of %q, want %d", name, len(d.Kept.Rows), d.Kept.Names, len(want)-1)
				continue
			}
			for c, column := range d.Kept.Names {
				at := slices.Index(want[0], column)
				for i, row := range d.Kept.Rows {
					if !sameValue(row[c], want[1+i][at]) {
						t.Errorf("%s: row %d, column %s is %q, want %q", name, i+1, column, row[c], want[1+i][at])
						break
					}
				}
			}
		}
	}
}

// sameValue reports whether fields are the same, or floats with a fraction of the same value.
func sameValue(got, want string) bool {
	if got == want {
		return true
	}
	a, err := strconv.ParseFloat(got, 64)
	b, wrong := strconv.ParseFloat(want, 64)
	return err == nil && wrong == nil && a == b && strings.HasSuffix(want, ".0")
}

// Numbers of every type are features, and what is text with one meaning is a label.
func TestWrittenTypes(t *testing.T) {
	for _, name := range []string{"parquet/duckdb1.parquet", "parquet/duckdb2.parquet", "arrow/polars-lz4.arrow"} {
		path := filepath.Join(writtenFolder, name)
		for column, want := range map[string][4]string{
			"dec4": {"-10", "-8.83", "-7.66", ""}, "dec9": {"-500000", "-468377.224", "-436754.448", ""},
			"dec38": {"-5000015000000000000000000", "-4683786285299864016486201", "-4367557570599728032972402", ""},
			"day":   {"1969-11-11", "1972-08-04", "1975-04-28", ""}, "clock": {"00:00:07", "00:46:38", "01:33:09", ""},
			"u64": {"0", "7943282347242822117", "15886564694485644234", ""}, "f32": {"-4", "-0.375", "3.25", ""}, "word": {"é0", "abé1", "ababé2", ""},
		} {
			d, err := ReadFile(path, Options{Label: column, Category: []string{"truth"}, Columns: []string{"truth"}})
			if err != nil {
				t.Error(err)
				continue
			}
			if got := labels(d)[:4]; !slices.Equal(got, want[:]) {
				t.Errorf("%s: labels of %s are %q, want %q", name, column, got, want)
			}
		}
		d, err := ReadFile(path, Options{Label: "word", Columns: []string{"dec4", "dec18"}})
		if err != nil {
			t.Fatal(err)
		}
		if got := d.Points.DenseRow(1); !slices.Equal(got, []float64{-8.83, -468377223398.3163}) {
			t.Errorf("%s: decimals %v", name, got)
		}
	}
	for _, name := range []string{"parquet/arrow-rs-wide.parquet", "arrow/arrow-js.arrow"} {
		d, err := ReadFile(filepath.Join(writtenFolder, name), Options{Label: "half", Columns: []string{"d256"}})
		if err != nil {
			t.Fatal(err)
		}
		if want := []string{"0", "1", "-2.5", "0.125", "0.001", "65504", "3", "4"}; !slices.Equal(labels(d), want) || !(d.Points.DenseRow(3)[0] == 12345678901234567.890) {
			t.Errorf("%s: %q, %v", name, labels(d), values(d.Points))
		}
	}
	d, err := ReadFile(filepath.Join(writtenFolder, "parquet/required.parquet"), Options{Label: "name", Encoding: new(dataset.Encoding), Columns: []string{"half", "r32", "count"}})
	if err != nil {
		t.Fatal(err)
	}
	if got := d.Points.DenseRow(19); !slices.Equal(got, []float64{4.5625, 13.6875, 19000057}) {
		t.Errorf("required: %v", got)
	}
}

// Types that no writer at hand writes. They are decimals of 4 and 8 bytes in Arrow, and of any length in Parquet, most significant
// byte first. Others are a scale below 0, timestamps of 12 bytes, and times of day of every unit.
func TestValueTypes(t *testing.T) {
	for _, c := range []struct {
		t           valueType
		bytes       string
		text, label string
	}{
		{valueType{value: valueDecimal, bytes: 4, scale: 2}, "\x96\x00\x00\x00", "1.50", "1.5"},
		{valueType{value: valueDecimal, bytes: 8, scale: 2}, "\x9c\xff\xff\xff\xff\xff\xff\xff", "-1.00", "-1"},
		{valueType{value: valueDecimal, scale: 3, bigEndian: true}, "\xff", "-0.001", "-0.001"},
		{valueType{value: valueDecimal, scale: 3, bigEndian: true}, "\x00\xff\x00", "65.280", "65.28"},
		{valueType{value: valueDecimal, scale: 1, bigEndian: true}, "\x01\x00\x00\x00\x00\x00\x00\x00\x00", "1844674407370955161.6", "1844674407370955161.6"},
		{valueType{value: valueDecimal, scale: 1, bigEndian: true}, "\xff\x00\x00\x00\x00\x00\x00\x00\x00", "-1844674407370955161.6", "-1844674407370955161.6"},
		{valueType{value: valueDecimal, bytes: 4, scale: -2}, "\x07\x00\x00\x00", "700", "700"},
		{valueType{value: valueDecimal, bytes: 4, scale: 0}, "\x64\x00\x00\x00", "100", "100"},
		{valueType{value: valueDecimal, bytes: 4, scale: 2}, "\x00\x00\x00\x00", "0.00", "0"},
		{valueType{value: valueJulian, bytes: 12}, "\x00\xca\x9a\x3b\x00\x00\x00\x00\x8d\x3d\x25\x00", "1970-01-02T00:00:01Z", "1970-01-02T00:00:01Z"},
		{valueType{value: valueClock, bytes: 4, unit: 1}, "\xff\x5b\x26\x05", "23:59:59.999", "23:59:59.999"},
		{valueType{value: valueClock, bytes: 8, unit: 3}, "\x01\x00\x00\x00\x00\x00\x00\x00", "00:00:00.000000001", "00:00:00.000000001"},
		{valueType{value: valueFloat, bytes: 4}, "\xcd\xcc\xcc\x3d", "0.10000000149011612", "0.1"},
		{valueType{value: valueWhole, bytes: 8, unsigned: true}, "\xff\xff\xff\xff\xff\xff\xff\xff", "18446744073709551615", "18446744073709551615"},
	} {
		if text, label := string(c.t.appendField(nil, []byte(c.bytes))), string(c.t.appendLabel(nil, []byte(c.bytes))); text != c.text || label != c.label {
			t.Errorf("%+v: %q is %s and labels %s, want %s and %s", c.t, c.bytes, text, label, c.text, c.label)
		}
		if want, err := strconv.ParseFloat(c.text, 64); err == nil && !(c.t.float([]byte(c.bytes)) == want) {
			t.Errorf("%+v: %q is %v, want %v", c.t, c.bytes, c.t.float([]byte(c.bytes)), want)
		}
	}
}

// What cannot be read of a file is said and left out, unless an option asks for it; decimals in lists are
// numbers.
func TestWrittenNested(t *testing.T) {
	for _, name := range []string{"parquet/nested.parquet", "arrow/nested.arrows"} {
		path := filepath.Join(writtenFolder, name)
		d, err := ReadFile(path, Options{})
		if err != nil {
			t.Fatal(err)
		}
		const note = "these columns are not read, because they hold neither numbers nor strings, booleans, dates, times or lists of numbers or words: pair, m, deep, span"
		if len(d.Notes) == 0 || !slices.ContainsFunc(d.Notes, func(n dataset.Note) bool { return n.Error() == note }) {
			t.Errorf("%s: notes %v", name, d.Notes)
		}
		if want := []string{"a", "decs[1]", "decs[2]"}; d.Label != "label" || !slices.Equal(d.Features, want) || !slices.Equal(d.Points.DenseRow(3)[1:], []float64{1.25, 0.75}) {
			t.Errorf("%s: %q by %q: %v", name, d.Features, d.Label, values(d.Points))
		}
		byNumber, err := ReadFile(path, Options{Label: "7", Columns: []string{"a"}})
		if err != nil || byNumber.Label != "label" || len(byNumber.Notes) != 0 {
			t.Errorf("%s: %v %v", name, byNumber, err)
		}
		_, err = ReadFile(path, Options{Label: "m"})
		checkError(t, err, path+`: the label column "m" holds neither strings nor numbers, booleans, dates or times; choose another with Options.Label`)
	}
	path := filepath.Join(writtenFolder, "parquet/arrow-rs-lz4.parquet")
	_, err := ReadFile(path, Options{Columns: []string{"i8"}})
	checkError(t, err, path+`: the column "i8" is compressed by the codec LZ4, which is not read; write the file again with zstd, snappy, gzip, brotli, lz4_raw or none`)
}

// Lists of words, empty ones and none at all are the same in every format, as features and as several classes.
func TestWrittenTags(t *testing.T) {
	want := [][]float64{{0, 0, 0, 0, 0, 0, 0, 0}, {1, 0, 0, 0, 0, 0, 0, 0}, {2, 0, 1, 1, 0, 1, 0, 0}, {3, 1, 0, 0, 1, 0, 1, 1}}
	classes := []string{"", "[]", `["grün","red, blue","a\\b",null]`, `["red","say \"hi\"","\tx","\u0001"]`}
	for _, name := range []string{"parquet/tags.jsonl", "parquet/duckdb-tags.parquet", "parquet/polars-tags.parquet", "arrow/arrow-rs-tags.arrows", "arrow/polars-tags.arrow", "arrow/arrow-js-tags.arrow"} {
		path := filepath.Join(writtenFolder, name)
		d, err := ReadFile(path, Options{Label: "kind"})
		if err != nil || !slices.Equal(d.Features, []string{"size", "tags=\x01", "tags=a\\b", "tags=grün", "tags=red", "tags=red, blue", "tags=say \"hi\"", "tags=x"}) || !reflect.DeepEqual(values(d.Points)[:4], want) {
			t.Errorf("%s: %v, %v", name, d, err)
		}
		d, err = ReadFile(path, Options{Label: "tags", Several: ";", Columns: []string{"size"}})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		for i, label := range labels(d)[:4] {
			has, unknown, err := dataset.Listed(label, ";")
			same, _, _ := dataset.Listed(classes[i], ";")
			if err != nil || unknown != nil || !slices.Equal(has, same) || (label == "") != (i == 0) {
				t.Errorf("%s: row %d has the classes %q, %q, %v", name, i, label, has, err)
			}
		}
		if _, err := ReadFile(path, Options{Label: "tags"}); err == nil || !strings.Contains(err.Error(), "list") && !strings.Contains(err.Error(), "array") {
			t.Errorf("%s as one class: %v", name, err)
		}
	}
}

// A whole number that no float64 holds is said of a feature, and kept in a text.
func TestWrittenBeyondExact(t *testing.T) {
	for _, name := range []string{"parquet/duckdb2.parquet", "arrow/polars-zstd.arrows"} {
		d, err := ReadFile(filepath.Join(writtenFolder, name), Options{Label: "word", Columns: []string{"u64", "u32"}})
		if err != nil {
			t.Fatal(err)
		}
		if len(d.Notes) != 1 || !strings.HasPrefix(d.Notes[0].Error(), `the column "u64" has whole numbers from 2⁵³ on, which are rounded to doubles`) {
			t.Errorf("%s: notes %v", name, d.Notes)
		}
	}
}

// Damaged pages of every codec are refused, or read as something, within the memory that is allowed.
func TestWrittenDamaged(t *testing.T) {
	detector.Spare(t)
	const allowed, most = 4 << 20, 64 << 20
	path := filepath.Join(writtenFolder, "parquet/numbers1.parquet")
	numbers, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for k := range 40 {
		numbers[300+k] ^= 0x5a
	}
	_, err = Read(bytes.NewReader(numbers), "f", Options{Format: Parquet, Label: "u32"})
	if err == nil || !strings.HasPrefix(err.Error(), `f: the column "x" is damaged or cut off (`) {
		t.Error(err)
	}
	random := rand.New(rand.NewPCG(1, 2))
	for _, name := range slices.Concat(writtenFiles["parquet/rows.csv"], writtenFiles["parquet/numbers.csv"], writtenFiles["parquet/required.csv"]) {
		whole, err := os.ReadFile(filepath.Join(writtenFolder, name))
		if err != nil {
			t.Fatal(err)
		}
		format := Parquet
		if strings.HasPrefix(name, "arrow") {
			format = Arrow
		}
		for range 60 {
			data := slices.Clone(whole)
			for range 1 + random.IntN(3) {
				data[random.IntN(len(data))] ^= byte(1 + random.IntN(255))
			}
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			d, err := Read(bytes.NewReader(data), "f", Options{Format: format, TextAlone: true, Keep: true, Memory: allowed})
			runtime.ReadMemStats(&after)
			var e *dataset.Error
			if err != nil && !errors.As(err, &e) {
				t.Fatalf("%s: %T %v", name, err, err)
			}
			if rows := map[int]bool{30: true, 250: true, 20: true, 8: true}; err == nil && format == Parquet && !rows[len(d.Kept.Rows)] {
				t.Errorf("%s: %d rows are read", name, len(d.Kept.Rows))
			}
			if grown := after.TotalAlloc - before.TotalAlloc; grown > most {
				t.Errorf("%s: %d bytes allocated (%v)", name, grown, err)
			}
		}
	}
}
