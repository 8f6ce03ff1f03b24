package files

import (
	"bytes"
	"io"
	"slices"
	"strings"

	"lapsvm/dataset"
	"lapsvm/dataset/internal/number"
)

// cellRows returns the fields of the next row of cells, valid until the next call, and its number from 1. Rows
// without fields may be left out. After the last row the error is io.EOF.
type cellRows func() (fields []string, row int, err error)

// cellTable is a table of cells, as a sheet or a database has it.
type cellTable struct {
	part   string   // of the file; "" for its only one
	header []string // names of columns beside the rows; nil where the first row may have them
	rows   cellRows
	lines  bool // rows have the numbers of lines of a text, in which the header is above them
}

// readCells reads a table of cells. They go the way of the fields of CSV, as text of it, so that the same table
// gives the same points.
func (s *source) readCells(c cellTable, o Options) (*dataset.Dataset, error) {
	text := &cellText{src: s, rows: c.rows, exact: c.header != nil}
	in := s.inner(c.part, text, bufferSize, "cannot be read (%v); check how the file was made")
	text.src = in
	in.Rows, in.part = dataset.Records, s.part
	in.cells = true
	if c.header != nil {
		o.Header, text.width = HeaderYes, len(c.header)
		if c.lines {
			in.Rows = dataset.Lines
		} else {
			in.line, text.before = -1, 1 // rows are counted without the header
		}
		if err := text.add(c.header, 1); err != nil {
			return nil, err
		}
	} else if err := text.look(o); err != nil {
		return nil, err
	}
	o.SkipLines, o.Quoting = 0, ""
	d, err := readTable(in, ',', o)
	if s.set == nil || err != nil {
		return d, err
	}
	return nil, nil
}

// cellText is rows of cells as the text of a CSV table, with a line for each row up to the last.
type cellText struct {
	src   *source
	rows  cellRows
	exact bool // rows without text are rows
	width int  // of the table

	before int        // lines before the first row
	first  [][]string // rows that were looked at
	number []int      // of them
	line   int        // written last
	text   []byte
	at     int // read of text
	err    error
}

// How far a sheet is looked at ahead.
const (
	cellRowsAhead  = 200
	cellBytesAhead = 1 << 20
	maxSheetGap    = 1 << 24 // rows without cells between others
)

// look finds the width of the table in its first rows, and refuses a title above it.
func (t *cellText) look(o Options) error {
	size := 0
	for len(t.first) < cellRowsAhead && size < cellBytesAhead {
		fields, row, err := t.rows()
		if err == io.EOF {
			break
		}
		if err != nil {
			return t.wrap(err)
		}
		fields = trimCells(fields)
		if row <= o.SkipLines || len(fields) == 0 {
			continue
		}
		t.width = max(t.width, len(fields))
		for _, f := range fields {
			size += 16 + len(f)
		}
		t.first, t.number = append(t.first, slices.Clone(fields)), append(t.number, row)
	}
	if len(t.first) == 0 {
		return t.src.noRows()
	}
	if o.Header != HeaderNo && t.src.set == nil {
		for k, fields := range t.first[:len(t.first)-1] {
			if filled(fields) > 1 {
				break
			}
			if filled(t.first[k+1]) > 1 {
				return t.src.Errorf(t.number[k], 0, "the row has one cell, and the next has %d: if it is a title, give %s", filled(t.first[k+1]), dataset.Option{Name: "SkipLines", Value: t.number[k]})
			}
		}
	}
	return nil
}

// filled returns how many cells have text.
func filled(fields []string) int {
	n := 0
	for _, f := range fields {
		if f != "" {
			n++
		}
	}
	return n
}

// trimCells leaves out empty cells behind the others.
func trimCells(fields []string) []string {
	n := len(fields)
	for n > 0 && fields[n-1] == "" {
		n--
	}
	return fields[:n]
}

func (t *cellText) wrap(err error) error {
	return checkedReader{nil, t.src, "cannot be read (%v); check how the file was made"}.wrap(err)
}

func (t *cellText) Read(p []byte) (int, error) {
	for t.at == len(t.text) {
		if t.err != nil {
			return 0, t.err
		}
		t.text, t.at = t.text[:0], 0
		for len(t.text) < 1<<15 && t.err == nil {
			t.err = t.next()
		}
	}
	n := copy(p, t.text[t.at:])
	t.at += n
	return n, nil
}

// next writes the next row.
func (t *cellText) next() error {
	if len(t.first) > 0 {
		fields, row := t.first[0], t.number[0]
		t.first, t.number = t.first[1:], t.number[1:]
		return t.add(fields, row)
	}
	fields, row, err := t.rows()
	if err != nil {
		return err
	}
	return t.add(fields, row+t.before)
}

// add writes a row as a line.
func (t *cellText) add(fields []string, row int) error {
	if !t.exact {
		if fields = trimCells(fields); len(fields) == 0 {
			return nil
		}
	}
	if row-t.line > maxSheetGap {
		return t.src.Errorf(row, 0, "there are %d rows without cells before the row; save the table alone", row-t.line-1)
	}
	for ; t.line < row-1; t.line++ {
		t.text = append(t.text, '\n')
	}
	t.line = row
	for k := range max(t.width, len(fields)) {
		field := ""
		if k < len(fields) {
			field = fields[k]
		}
		if more := 2*len(field) + 6; len(t.text)+more > cap(t.text) { // with quotes, a comma and the end of the line
			if err := t.room(more); err != nil {
				return err
			}
		}
		if k > 0 {
			t.text = append(t.text, ',')
		}
		t.text = appendCell(t.text, field)
	}
	if t.width <= 1 && len(fields) <= 1 && (len(fields) == 0 || fields[0] == "") {
		t.text = append(t.text, `""`...) // a row, not an empty line
	}
	t.text = append(t.text, '\n')
	return nil
}

// room makes room for more text, and counts it.
func (t *cellText) room(more int) error {
	room := max(len(t.text)+more, 2*cap(t.text))
	if err := t.src.Take(room-cap(t.text), "the text of a row"); err != nil {
		return err
	}
	t.text = append(make([]byte, 0, room), t.text...)
	return nil
}

// cellRoom counts what the fields of a row take.
type cellRoom struct{ row, taken int }

// add counts a field.
func (c *cellRoom) add(src *source, bytes int) error {
	const step = 1 << 20
	if c.row += bytes; c.row <= c.taken {
		return nil
	}
	c.taken += step + c.row
	return src.Take(step+c.row, "the text of a row")
}

// cellRow collects the fields of a row, whose texts are together.
type cellRow struct {
	src    *source
	room   cellRoom
	text   []byte
	spans  [][2]int // of the fields in text
	fields []string
}

// begin begins a row.
func (c *cellRow) begin() { c.text, c.spans, c.room.row = c.text[:0], c.spans[:0], 0 }

// add adds a text so many times, from a column on, counted from 0; the columns in front of it are empty.
func (c *cellRow) add(col, times int, text []byte) error {
	if err := c.room.add(c.src, len(text)); err != nil {
		return err
	}
	for len(c.spans) < col {
		c.spans = append(c.spans, [2]int{})
	}
	begin := len(c.text)
	c.text = append(c.text, text...)
	for range times {
		c.spans = append(c.spans, [2]int{begin, len(c.text)})
	}
	return nil
}

// end returns the fields of the row.
func (c *cellRow) end() []string {
	text := string(c.text)
	c.fields = c.fields[:0]
	for _, span := range c.spans {
		c.fields = append(c.fields, text[span[0]:span[1]])
	}
	return c.fields
}

// appendCell appends a field of CSV.
func appendCell(to []byte, s string) []byte {
	plain := true
	for k := range len(s) {
		if c := s[k]; c == '"' || c == ',' || c == '\r' || c == '\n' {
			plain = false
			break
		}
	}
	if plain {
		return append(to, s...)
	}
	to = append(to, '"')
	to = append(to, strings.ReplaceAll(s, `"`, `""`)...)
	return append(to, '"')
}

// appendSpelt appends a number as its value is spelt, whatever its program wrote: 1234567 for 1.234567E6 and for 1234567.0, so that it names the same
// row or class everywhere. Whole numbers keep all their digits. What is no number is taken as it is.
func appendSpelt(to, written []byte) []byte {
	if isSpelt(written) {
		return append(to, written...)
	}
	if v, finite := number.Finite(string(written)); finite {
		return append(to, number.Format(v)...)
	}
	return append(to, written...)
}

// isSpelt reports whether a number is whole, or so short that it is spelt as [number.Format] spells it.
func isSpelt(written []byte) bool {
	const exact = 15 // digits that a number keeps
	digits := bytes.TrimPrefix(written, []byte{'-'})
	point, other := -1, false
	for k, c := range digits {
		if c == '.' && point < 0 {
			point = k
		} else if c < '0' || c > '9' {
			other = true
		}
	}
	switch {
	case other || len(digits) == 0:
		return false
	case point < 0:
		return len(digits) == len(written) || len(digits) <= exact && digits[0] != '0'
	case point == 0, digits[0] == '0' && point > 1, len(digits) > exact+1, digits[len(digits)-1] == '0', digits[len(digits)-1] == '.':
		return false
	}
	return digits[0] != '0' || !bytes.HasPrefix(digits, []byte("0.00000"))
}
