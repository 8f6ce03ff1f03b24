package dataset

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// rowReader takes the rows of a table: to learn what its columns are, or by an
// encoding that is known.
type rowReader interface {
	add(fields [][]byte, line int) error // a row, and the line where it begins
	finish(rows int, d *Dataset) error   // sets Points, Features and Encoding
}

// tableReader makes a dataset of rows of fields, whatever file they come from.
// A field is text: a number in any notation that is read back to its bits, true
// or false, a date, a word; empty where there is no value.
type tableReader struct {
	src    *source
	lay    layout
	rows   rowReader
	labels *labeller
	kept   *Kept
}

// newTableReader finds out what width columns are, called header unless that is
// nil; top is the line of the header or of the first row.
func newTableReader(src *source, header []string, width, top int, o Options) (*tableReader, error) {
	lay, err := src.layoutOf(header, width, top, o)
	if err != nil {
		return nil, err
	}
	t := &tableReader{src: src, lay: lay, labels: newLabeller(false, o.Unlabelled)}
	if o.Encoding.known() {
		t.rows = newApplier(src, lay, header, top, o.Encoding)
	} else {
		t.rows = newLearner(src, lay, header, top, o.Encoding != nil)
	}
	t.kept = t.lay.keep(header, width, o.Keep)
	return t, nil
}

// add takes a row, which is at a line, or has a number.
func (t *tableReader) add(fields [][]byte, line int) error {
	if err := t.rows.add(fields, line); err != nil {
		return err
	}
	if t.kept != nil {
		if err := t.kept.add(t.src, fields, t.lay.kept); err != nil {
			return err
		}
	}
	if t.lay.label >= 0 {
		t.labels.add(fields[t.lay.label])
	} else {
		t.labels.addNone()
	}
	return nil
}

func (t *tableReader) finish() (*Dataset, error) {
	y, classes := t.labels.finish()
	d := &Dataset{Y: y, Classes: classes, Label: t.lay.labelName, Kept: t.kept}
	if err := t.rows.finish(len(y), d); err != nil {
		return nil, err
	}
	return d, nil
}

// separatorOf returns what separates the columns of a CSV table that begins with
// head: ',', or where the first line has none outside of quotes, that of ';', tab
// and '|' which it has most of.
func separatorOf(head []byte) byte {
	var count [256]int
	quoted := false
	for _, c := range bytes.TrimLeft(bytes.TrimPrefix(head, []byte(byteOrderMark)), " \r\n") {
		quoted = quoted != (c == '"')
		if c == '\n' && !quoted {
			break
		}
		if !quoted {
			count[c]++
		}
	}
	best := byte(',')
	for _, c := range []byte(";\t|") {
		if count[','] == 0 && count[c] > count[best] {
			best = c
		}
	}
	return best
}

// readTable reads a CSV or TSV table. See [Options] for which column is what;
// errors count columns, not bytes.
func readTable(src *source, comma byte, o Options) (*Dataset, error) {
	rec := records{lines: lines{src: src}, comma: comma}
	fields, err := rec.next()
	if err == io.EOF {
		return nil, src.errorf(0, 0, "the file has no rows; check how it was made")
	}
	if err != nil {
		return nil, err
	}
	width, top := len(fields), rec.line
	if err := src.separator(fields, comma, top); err != nil {
		return nil, err
	}
	if o.Encoding.known() {
		o.Columns = nil
		if o.Encoding.Named {
			o.Columns = o.Encoding.needed()
		}
	}
	var header []string
	if isHeader(fields, o) {
		for _, f := range fields {
			header = append(header, string(f))
		}
		if err := src.uniqueNames(header, top); err != nil {
			return nil, err
		}
	}
	table, err := newTableReader(src, header, width, top, o)
	if err != nil {
		return nil, err
	}
	if header != nil {
		fields, err = rec.next()
	}
	for ; err == nil; fields, err = rec.next() {
		if len(fields) != width {
			return nil, src.errorf(rec.line, min(len(fields), width)+1, "the row has %d columns, but line %d has %d; make them equal (a value with a %q needs quotes, a number a decimal point)", len(fields), top, width, comma)
		}
		if err := table.add(fields, rec.line); err != nil {
			return nil, err
		}
	}
	if err != io.EOF {
		return nil, err
	}
	if len(table.labels.y) == 0 {
		return nil, src.errorf(top, 0, "the table has a header but no rows; check how it was made")
	}
	return table.finish()
}

// featureError says why a field is no number and what to do; otherwise is
// something else that can be done where it is a word.
func (s *source) featureError(line, c int, text []byte, err error, header []string, first bool, otherwise string) error {
	msg, word := valueProblem(text, err)
	if word {
		msg += fmt.Sprintf("; if the column holds the labels, give --label %s%s", s.flagFor(c, header), otherwise)
	}
	if first {
		msg += "; if the first line is a header, give --header yes"
	}
	return s.fieldErrorf(line, c, header, "%s", msg)
}

// flagFor returns how a flag names a column: by its name, or by its number where
// it has no name or the name would be taken for several.
func (s *source) flagFor(c int, header []string) string {
	if header == nil || header[c] == "" || s.rows != byLine && strings.ContainsAny(header[c], `,"`) {
		return strconv.Itoa(c + 1)
	}
	name := header[c]
	if strings.ContainsFunc(name, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("_-.:=+", r)
	}) {
		return "'" + strings.ReplaceAll(name, "'", `'\''`) + "'" // as a shell takes it
	}
	return name
}

// separator refuses a single column of a TSV table that is several of a CSV table.
func (s *source) separator(fields [][]byte, comma byte, line int) error {
	at := bytes.IndexAny(fields[0], ",;|")
	if comma != '\t' || len(fields) > 1 || at < 0 {
		return nil
	}
	return s.errorf(line, 1, "looks separated by %q: read it with --format csv", fields[0][at])
}

// isHeader reports whether the first fields of a table are column names; see
// [Header].
func isHeader(fields [][]byte, o Options) bool {
	switch o.Header {
	case HeaderYes:
		return true
	case HeaderNo:
		return false
	}
	texts := make([]string, len(fields))
	for c, f := range fields {
		texts[c] = string(f)
	}
	_, numeric := number(o.Label)
	if slices.Contains(texts, "label") || o.Label != "" && !numeric && slices.Contains(texts, o.Label) {
		return true
	}
	if len(o.Columns) > 0 && !slices.ContainsFunc(o.Columns, func(name string) bool { return !slices.Contains(texts, name) }) {
		return true
	}
	return looksLikeNames(texts)
}

// looksLikeNames reports whether no field is a number or a missing value.
func looksLikeNames(fields []string) bool {
	return !slices.ContainsFunc(fields, func(s string) bool {
		_, err := parse(s)
		return err == nil || isMissing(s)
	})
}

// writeTable writes a table with a header and the labels in its last column,
// empty where there is none. Without names the features are called x1 to xd.
// The label column is called d.Label, or "label" where that is empty or the
// header would not be recognised.
func writeTable(w *bufio.Writer, d *Dataset, comma byte, name string) error {
	width := d.Points.Dim()
	header := slices.Clone(d.Features)
	for j := len(header); j < width; j++ {
		header = append(header, "x"+strconv.Itoa(j+1))
	}
	label := d.Label
	if label == "" || !looksLikeNames(header) || !looksLikeNames([]string{label}) {
		label = "label"
	}
	header = append(header, label)
	if err := (&source{name: name}).uniqueNames(header, 0); err != nil {
		return err
	}
	for j, name := range header {
		if j > 0 {
			w.WriteByte(comma)
		}
		writeField(w, name, comma)
	}
	w.WriteByte('\n')

	row := make([]float64, width)
	for i := range d.Points.Len() {
		d.Points.CopyRow(row, i)
		for _, v := range row {
			w.Write(append(appendNumber(w.AvailableBuffer(), v), comma))
		}
		if y := d.Y[i]; y != Unlabelled {
			writeField(w, d.Classes[y], comma)
		}
		if err := w.WriteByte('\n'); err != nil {
			return err
		}
	}
	return nil
}

// writeField writes text, in quotes unless it is plain ASCII without a
// separator, a quote, or a blank at either end.
func writeField(w *bufio.Writer, s string, comma byte) {
	plain := s == strings.Trim(s, " ")
	for i := range len(s) {
		plain = plain && s[i] >= ' ' && s[i] < 0x7f && s[i] != '"' && s[i] != comma
	}
	if plain {
		w.WriteString(s)
		return
	}
	w.WriteByte('"')
	w.WriteString(strings.ReplaceAll(s, `"`, `""`))
	w.WriteByte('"')
}
