package files

import (
	"bufio"
	"context"
	"encoding/csv"
	"fmt"
	"io"
	"math"
	"strconv"

	"lapsvm/dataset"
	"lapsvm/dataset/internal/number"
)

// WriteSeriesFile writes columns to a file, whole or not at all, as where ctx is done
// before, compressed where its name ends in .gz or .zst. The format is CSV, TSV, NPY, NPZ, JSON, JSONL, Parquet or Arrow;
// "" takes it from the name.
//
//   - A table has a header, and numbers in the shortest form that is read back
//     to the same bits.
//   - JSON and JSON lines have an object per row; no value is null, and text is a number
//     or a boolean where it is that one's only spelling, else a string.
//   - Parquet and Arrow have a column of nullable strings or of doubles for each.
//   - A NumPy archive has an array for each, of float64 or of strings, and a NumPy array is of one.
//
// A name that is empty or comes twice is a [*dataset.Error] but in CSV and TSV.
func WriteSeriesFile(ctx context.Context, path, format string, all []dataset.Series) error {
	form, err := formatFor(format, path)
	if err != nil {
		return err
	}
	if err := checkSeries(path, form, all); err != nil {
		return err
	}
	return replace(ctx, output{path, func(w *bufio.Writer) error { return form.writeSeries(w, all) }})
}

// WriteSeries writes columns to a stream, uncompressed, in one of the formats of
// [WriteSeriesFile].
func WriteSeries(w io.Writer, format string, all []dataset.Series) error {
	form, err := FormatCalled(format)
	if err != nil {
		return err
	}
	if err := checkSeries("", form, all); err != nil {
		return err
	}
	b := bufio.NewWriterSize(w, bufferSize)
	if err := form.writeSeries(b, all); err != nil {
		return err
	}
	return b.Flush()
}

func checkSeries(file string, form Format, all []dataset.Series) error {
	if !form.CanWriteSeries() {
		return fmt.Errorf("results are written as %s, not as %s", alternatives("or", Format.CanWriteSeries), form.Name)
	}
	if form.one && len(all) != 1 {
		return &dataset.Error{File: file, Msg: dataset.Messagef("a file of %s has one column of results, not %d; write npz", form.Name, len(all))}
	}
	seen := map[string]bool{}
	for k := range all {
		s := &all[k]
		if s.Len() != all[0].Len() {
			panic(fmt.Sprintf("files: columns of %d and %d results", all[0].Len(), s.Len()))
		}
		if form.keyed && (s.Name == "" || seen[s.Name]) {
			return &dataset.Error{File: file, Msg: dataset.Messagef("column %d has no name of its own (%q); name it in the data, or write csv", k+1, s.Name)}
		}
		seen[s.Name] = true
	}
	return nil
}

func writeTextSeries(w *bufio.Writer, comma rune, all []dataset.Series) error {
	out := csv.NewWriter(w)
	out.Comma = comma
	record := make([]string, len(all))
	for k, s := range all {
		record[k] = s.Name
	}
	err := out.Write(record)
	for i := 0; err == nil && i < all[0].Len(); i++ {
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

func writeObjectSeries(w *bufio.Writer, all []dataset.Series, form string) error {
	keys := make([][]byte, len(all))
	for k, s := range all {
		keys[k] = append(quoted(s.Name), ':')
	}
	for i := range all[0].Len() {
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
		if _, err := w.WriteString(objectEnd(form, i, all[0].Len())); err != nil {
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
	if v, ok := number.Finite(s); ok && number.Format(v) == s {
		return []byte(s)
	}
	return quoted(s)
}
