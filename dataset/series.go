package dataset

import (
	"bufio"
	"encoding/csv"
	"fmt"
	"io"
	"math"
	"strconv"

	"github.com/parquet-go/parquet-go"
)

// Series is a named column of results beside others of the same length: of text,
// where "" is no value, or of numbers.
type Series struct {
	Name    string
	Text    []string
	Numbers []float64 // used where Text is nil
}

func (s *Series) len() int {
	if s.Text != nil {
		return len(s.Text)
	}
	return len(s.Numbers)
}

// WriteSeriesFile writes columns to a file, whole or not at all, compressed where
// its name ends in .gz or .zst. The format is CSV, TSV, JSON, JSONL or Parquet;
// "" takes it from the name.
//
//   - A table has a header, and numbers in the shortest form that is read back
//     to the same bits.
//   - JSON and JSON lines have an object per row; no value is null, and text is a number
//     or a boolean where it is that one's only spelling, else a string.
//   - Parquet has a column of nullable strings or of doubles for each.
//
// A name that is empty or comes twice is an [*Error] in JSON, JSON lines and Parquet.
func WriteSeriesFile(path, form string, all []Series) error {
	form, err := formatFor(form, path)
	if err != nil {
		return err
	}
	if err := checkSeries(path, form, all); err != nil {
		return err
	}
	return replace(output{path, func(w *bufio.Writer) error { return writeSeries(w, form, all) }})
}

// WriteSeries writes columns to a stream, uncompressed, in one of the formats of
// [WriteSeriesFile].
func WriteSeries(w io.Writer, form string, all []Series) error {
	form, err := format(form)
	if err != nil {
		return err
	}
	if err := checkSeries("", form, all); err != nil {
		return err
	}
	b := bufio.NewWriterSize(w, bufferSize)
	if err := writeSeries(b, form, all); err != nil {
		return err
	}
	return b.Flush()
}

func checkSeries(file, form string, all []Series) error {
	switch form {
	case CSV, TSV, JSON, JSONL, Parquet:
	default:
		return fmt.Errorf("results are written as csv, tsv, json, jsonl or parquet, not as %s", form)
	}
	seen := map[string]bool{}
	for k := range all {
		s := &all[k]
		if s.len() != all[0].len() {
			panic(fmt.Sprintf("dataset: columns of %d and %d results", all[0].len(), s.len()))
		}
		if (form == JSON || form == JSONL || form == Parquet) && (s.Name == "" || seen[s.Name]) {
			return &Error{File: file, Msg: fmt.Sprintf("column %d has no name of its own (%q); name it in the data, or write csv", k+1, s.Name)}
		}
		seen[s.Name] = true
	}
	return nil
}

func writeSeries(w *bufio.Writer, form string, all []Series) error {
	switch form {
	case CSV:
		return writeTextSeries(w, ',', all)
	case TSV:
		return writeTextSeries(w, '\t', all)
	case JSON, JSONL:
		return writeObjectSeries(w, all, form)
	}
	return writeParquetSeries(w, all)
}

func writeTextSeries(w *bufio.Writer, comma rune, all []Series) error {
	out := csv.NewWriter(w)
	out.Comma = comma
	record := make([]string, len(all))
	for k, s := range all {
		record[k] = s.Name
	}
	err := out.Write(record)
	for i := 0; err == nil && i < all[0].len(); i++ {
		for k, s := range all {
			if s.Text != nil {
				record[k] = s.Text[i]
			} else {
				record[k] = strconv.FormatFloat(s.Numbers[i], 'g', -1, 64)
			}
		}
		if len(record) > 1 || record[0] != "" {
			err = out.Write(record)
			continue
		}
		// encoding/csv quotes no empty field, and a reader would skip the empty
		// line.
		out.Flush()
		_, err = w.WriteString("\"\"\n")
	}
	out.Flush()
	if err != nil {
		return err
	}
	return out.Error()
}

func writeObjectSeries(w *bufio.Writer, all []Series, form string) error {
	keys := make([][]byte, len(all))
	for k, s := range all {
		keys[k] = append(quoted(s.Name), ':')
	}
	for i := range all[0].len() {
		for k, s := range all {
			if k == 0 {
				w.WriteString(objectStart(form, i))
			} else {
				w.WriteByte(',')
			}
			w.Write(keys[k])
			switch {
			case s.Text != nil && s.Text[i] == "":
				w.WriteString("null")
			case s.Text != nil:
				w.Write(jsonText(s.Text[i]))
			case math.IsNaN(s.Numbers[i]) || math.IsInf(s.Numbers[i], 0):
				w.WriteString("null")
			default:
				w.Write(appendNumber(w.AvailableBuffer(), s.Numbers[i]))
			}
		}
		if _, err := w.WriteString(objectEnd(form, i, all[0].len())); err != nil {
			return err
		}
	}
	return nil
}

// jsonText writes text as the number or the boolean whose one spelling it is,
// else as a string.
func jsonText(s string) []byte {
	if s == "true" || s == "false" {
		return []byte(s)
	}
	if v, ok := number(s); ok && formatNumber(v) == s {
		return []byte(s)
	}
	return quoted(s)
}

func writeParquetSeries(w *bufio.Writer, all []Series) error {
	columns := make(fields, len(all))
	for k, s := range all {
		columns[k] = field{parquet.Leaf(parquet.DoubleType), s.Name}
		if s.Text != nil {
			columns[k].Node = parquet.Optional(parquet.Encoded(parquet.String(), &parquet.RLEDictionary))
		}
	}
	const groupValues = 1 << 23
	to := parquet.NewGenericWriter[any](w, parquet.NewSchema("results", columns), parquet.Compression(&parquet.Snappy),
		parquet.CreatedBy("lapsvm", "", ""), parquet.MaxRowsPerRowGroup(max(1, int64(groupValues/len(all)))))
	row := make(parquet.Row, len(all))
	for i := range all[0].len() {
		for k, s := range all {
			switch {
			case s.Text == nil:
				row[k] = parquet.DoubleValue(s.Numbers[i]).Level(0, 0, k)
			case s.Text[i] == "":
				row[k] = parquet.NullValue().Level(0, 0, k)
			default:
				row[k] = parquet.ByteArrayValue([]byte(s.Text[i])).Level(0, 1, k)
			}
		}
		if _, err := to.WriteRows([]parquet.Row{row}); err != nil {
			return err
		}
	}
	return to.Close()
}

// Series returns the kept columns.
func (k *Kept) Series() []Series {
	var all []Series
	for c, name := range k.Names {
		s := Series{Name: name, Text: make([]string, len(k.Rows))}
		for i, row := range k.Rows {
			s.Text[i] = row[c]
		}
		all = append(all, s)
	}
	return all
}
