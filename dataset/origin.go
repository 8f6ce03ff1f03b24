package dataset

import (
	"math"
	"slices"

	"lapsvm/dataset/internal/number"
	"lapsvm/internal/system/fault"
	"lapsvm/internal/system/huge"
	"lapsvm/internal/system/size"
)

// Origin names the source of data in errors, and counts the memory that reading takes. The zero
// value has no name and no limit.
type Origin struct {
	File   string  // in errors; may be ""
	Part   string  // of the file, such as one of its arrays, in errors; may be ""
	Rows   Rows    // how errors tell where a field of a table is
	Memory *Memory // shared by all that is read together; nil is no limit
	Own    Own     // which rows are kept, for readers that know a row's number before they read it
	Ranks  *Ranks  // that each read rows of their own, if there are several

	// Decimal is the decimal separator of numbers: ',' or '.'; 0 means '.'. With a comma and rows
	// that are [Lines], a field with a point is no number.
	Decimal byte
	Guessed bool // the first rows tell Decimal, and no option does

	// Expect estimates the number of all values of a table after values have been read, or
	// returns 0 where it cannot yet. The table makes room for so many at once. It may be nil.
	Expect func(values int) int

	// First returns the first rows of a table, without its header, as many as are read quickly.
	// The label column is guessed from them. It fails where they take too much memory. It may be
	// nil.
	First func() ([][]string, error)

	// Declared returns the values that the file says a column may have, by the name of the column. They are classes where the column holds
	// the labels, even if they are words for "no label" such as none. A dictionary of Parquet or Arrow says nothing, as it is but how
	// values are stored. It may be nil.
	Declared func(column string) []string

	// Check, unless nil, is called while rows are read, with the number of rows so far, or of all
	// rows where the file gives it beforehand. An error of Check ends the reading, as the cause of
	// an [*Error].
	Check func(rows int) error

	sections []section // the files of a table that has several, see [Table.Next]
}

// ErrMemory is the cause of an [*Error] of [Origin.Take].
var ErrMemory error = fault.Memory

// Rows says what the rows of a table are.
type Rows int

// The kinds of rows.
const (
	Lines   Rows = iota // lines of a text with numbered columns
	Objects             // lines of a text with a key for every value; keys have no order
	Records             // rows of a file that is no text, counted from 1
)

// Memory is what reading may take, and how much it has taken.
type Memory struct {
	limit, taken int64
	whole        *Memory                 // the memory that this is a part of; may be nil
	share        func(bytes int64) error // takes or gives back memory that is shared with others; nil if nothing is shared
}

// NewMemory allows about so many bytes; 0 is no limit. What is read may take half
// of them: a table grows by moving to another place, and a copy of it is scaled.
func NewMemory(bytes int64) *Memory { return &Memory{limit: bytes / 2} }

// growing is how many times its size a table has while it moves to a larger place.
const growing = 3

// SharedMemory is NewMemory of bytes that other readings take too. It calls share with three
// times what is about to be read, and with less than nothing for what is given back. An error of share
// is the cause of the [*Error] of [Origin.Take].
func SharedMemory(bytes int64, share func(bytes int64) error) *Memory {
	return &Memory{limit: bytes / 2, share: share}
}

// Part returns what counts at m too, until it is freed.
func (m *Memory) Part() *Memory { return &Memory{limit: m.limit, whole: m, share: m.share} }

// Free gives back all that a part has taken.
func (m *Memory) Free() { m.give(m.taken) }

// take counts bytes, for which there is room. It fails where others have taken too much.
func (m *Memory) take(bytes int64) error {
	if m.share != nil {
		if err := m.share(growing * bytes); err != nil {
			return err
		}
	}
	m.taken += bytes
	if m.whole != nil {
		m.whole.taken += bytes
	}
	return nil
}

// give counts bytes that are not used any more.
func (m *Memory) give(bytes int64) {
	if m.share != nil {
		_ = m.share(-growing * bytes) // which there is room for
	}
	m.taken -= bytes
	if m.whole != nil {
		m.whole.taken -= bytes
	}
}

// all returns the memory of which m is a part, or m.
func (m *Memory) all() *Memory {
	if m.whole != nil {
		return m.whole
	}
	return m
}

// Take counts bytes that are about to be taken for something, which is named as in
// "the values of 5 rows". Too many are an [*Error] that says how many are needed, as
// far as the file has been read.
func (o *Origin) Take(bytes int, what string) error {
	if o == nil || o.Memory == nil {
		return nil
	}
	if o.Memory.Room() >= int64(bytes) {
		return o.stopped(o.Memory.take(int64(bytes)))
	}
	taken := float64(o.Memory.all().taken) + float64(bytes)
	if o.Expect != nil { // as the rest of the file will take
		taken = max(taken, float64(o.Expect(int(min(taken, math.MaxInt/2)))))
	}
	needed, allowed := "", size.Text(2*o.Memory.limit)
	if all := size.Text(int64(min(2*taken, math.MaxInt64/2))); all != allowed {
		needed = "about " + all + " "
	}
	e := o.Errorf(0, 0, "reading takes more than the %s of memory that may be used, %swith %s; take fewer rows or columns, or allow more with %s",
		allowed, needed, what, Option{Name: "Memory"}).(*Error)
	e.Err = ErrMemory
	return e
}

// ranks returns those that read together, nil for one alone.
func (o *Origin) ranks() *Ranks {
	if o == nil {
		return nil
	}
	return o.Ranks
}

// Give counts bytes that were taken and are not used any more.
func (o *Origin) Give(bytes int) {
	if o != nil && o.Memory != nil {
		o.Memory.give(int64(bytes))
	}
}

// parse reads a number as it is written here.
func (o *Origin) parse(text []byte) (float64, error) {
	if o.Decimal != ',' {
		return number.ParseBytes(text)
	}
	return number.ParseDecimal(string(text), o.Rows != Lines)
}

// Going asks [Origin.Check] whether reading goes on, with so many rows. It may be called of
// nil.
func (o *Origin) Going(rows int) error {
	if o == nil || o.Check == nil {
		return nil
	}
	return o.stopped(o.Check(rows))
}

// stopped is an [*Error] that has a cause outside of the file, nil without one.
func (o *Origin) stopped(cause error) error {
	if cause == nil {
		return nil
	}
	e := o.Errorf(0, 0, "%v", cause).(*Error)
	e.Err = cause
	return e
}

// Limited reports whether there is a limit.
func (m *Memory) Limited() bool { return m != nil && m.limit > 0 }

// Room returns how many more bytes may be taken.
func (m *Memory) Room() int64 {
	if !m.Limited() {
		return math.MaxInt64
	}
	return m.limit - m.all().taken
}

// grow returns values with room for more of them. Once it can be told how many
// there will be it makes room for all: what grows by and by is copied again and
// again.
func (o *Origin) grow(values []float64, more int) []float64 {
	if len(values)+more <= cap(values) {
		return values
	}
	all := 0
	if o.Expect != nil {
		all = o.Expect(len(values))
	}
	if all == 0 {
		return slices.Grow(values, more)
	}
	if o.Memory != nil && o.Memory.limit > 0 {
		all = min(all, int(o.Memory.limit/8)) // more is not to come
	}
	grown := make([]float64, len(values), max(all, len(values)+len(values)/8+more))
	huge.Prepare(grown[:cap(grown)])
	copy(grown, values)
	return grown
}

// Errorf returns an [*Error] at a line and column, or byte, from 1; 0 where there
// is none. The message is that of [Messagef].
func (o *Origin) Errorf(line, col int, format string, args ...any) error {
	msg := Messagef(format, args...)
	if o.Part != "" {
		msg = Messagef("%s: %s", o.Part, msg)
	}
	p := o.sectionOf(line)
	if p.place != nil && col > 0 {
		col = p.place[col-1] + 1
	}
	return &Error{File: p.file, Line: max(line-p.from, 0), Col: col, Msg: msg}
}

// Damagedf returns an [*Error] with the name of a damaged file, as Errorf does.
func (o *Origin) Damagedf(format string, args ...any) error {
	return o.Errorf(0, 0, "%s", fault.Damaged.Messagef(format, args...))
}

// OtherWidth returns the [*Error] of rows with other features than are expected.
func (o *Origin) OtherWidth(features, expected int) error {
	return o.Errorf(0, 0, "%s", fault.Columns.Messagef("there are %d features, but %d are expected; give a file with %d", features, expected, expected))
}

// site is where a field of a table is.
type site struct {
	File      string
	Line, Col int  // the row, and its column in the file
	Rows      Rows // what the row is
	Top       bool // it is the header or the first row
}

// site returns where the field of a row, by its line in the table, in column c is.
func (o *Origin) site(row, c int) site {
	p := o.sectionOf(row)
	if p.place != nil {
		c = p.place[c]
	}
	return site{File: p.file, Line: row - p.from, Col: c + 1, Rows: p.rows}
}

// fieldErrorf returns an [*Error] for a field in column c of a table: its row is a
// line, or else counts from 1; header are the columns' names, if any.
func (o *Origin) fieldErrorf(at site, c int, header []string, format string, args ...any) error {
	msg := fault.Value.Messagef(format, args...)
	if header != nil {
		msg = Messagef("column %q: %s", header[c], msg)
	}
	e := &Error{File: at.File}
	switch at.Rows {
	case Objects:
		e.Line = at.Line
	case Records:
		msg = Messagef("row %d, %s", at.Line, msg)
	default:
		e.Line, e.Col = at.Line, at.Col
	}
	if e.Msg = msg; o.Part != "" {
		e.Msg = Messagef("%s: %s", o.Part, msg)
	}
	return e
}
