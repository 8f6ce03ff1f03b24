package files

import (
	"errors"
	"io"
	"strconv"
	"time"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/deprecated"
	parquetformat "github.com/parquet-go/parquet-go/format"
)

// fieldText appends a value that is not null to the text of a field.
type fieldText func(to []byte, v parquet.Value) []byte

// fieldTextOf returns how the values of a column become text, nil where they do
// not.
func fieldTextOf(c *parquet.Column) fieldText {
	if !c.Leaf() || c.Repeated() {
		return nil
	}
	kind := c.Type().Kind()
	asTime := func(since func(v parquet.Value) time.Time) fieldText {
		return func(to []byte, v parquet.Value) []byte {
			return appendTime(to, since(v))
		}
	}
	if numeric(c) {
		switch {
		case kind == parquet.Boolean:
			return func(to []byte, v parquet.Value) []byte { return strconv.AppendBool(to, v.Boolean()) }
		case kind == parquet.Float || kind == parquet.Double:
			asFloat := floatOf(c)
			return func(to []byte, v parquet.Value) []byte { return appendFloat(to, asFloat(v)) }
		}
		return wholeText(c)
	}
	var logical parquetformat.LogicalTypeValue
	if l := c.Type().LogicalType(); l != nil {
		logical = l.Value
	}
	converted := deprecated.ConvertedType(-1)
	if t := c.Type().ConvertedType(); t != nil {
		converted = *t
	}
	if kind == parquet.Int96 { // a timestamp of older writers: nanoseconds, and the Julian day
		return asTime(func(v parquet.Value) time.Time {
			const epoch = 2440588
			x := v.Int96()
			return time.Unix((int64(x[2])-epoch)*secondsPerDay, int64(uint64(x[1])<<32|uint64(x[0])))
		})
	}
	switch logical := logical.(type) {
	case *parquetformat.DateType:
		converted = deprecated.Date
	case *parquetformat.TimestampType:
		switch logical.Unit.Value.(type) {
		case *parquetformat.MilliSeconds:
			converted = deprecated.TimestampMillis
		case *parquetformat.MicroSeconds:
			converted = deprecated.TimestampMicros
		default:
			return asTime(func(v parquet.Value) time.Time { return time.Unix(0, v.Int64()) })
		}
	case *parquetformat.DecimalType:
		return nil
	}
	switch {
	case kind == parquet.ByteArray && converted != deprecated.Decimal:
		return func(to []byte, v parquet.Value) []byte { return append(to, v.ByteArray()...) }
	case kind == parquet.Int32 && converted == deprecated.Date:
		return func(to []byte, v parquet.Value) []byte {
			return appendDay(to, time.Unix(int64(v.Int32())*secondsPerDay, 0))
		}
	case kind == parquet.Int64 && converted == deprecated.TimestampMillis:
		return asTime(func(v parquet.Value) time.Time { return time.UnixMilli(v.Int64()) })
	case kind == parquet.Int64 && converted == deprecated.TimestampMicros:
		return asTime(func(v parquet.Value) time.Time { return time.UnixMicro(v.Int64()) })
	}
	return nil
}

// wholeText writes the integers of a leaf, to the last digit.
func wholeText(c *parquet.Column) fieldText {
	switch kind := c.Type().Kind(); {
	case unsigned(c) && kind == parquet.Int32:
		return func(to []byte, v parquet.Value) []byte { return strconv.AppendUint(to, uint64(v.Uint32()), 10) }
	case unsigned(c):
		return func(to []byte, v parquet.Value) []byte { return strconv.AppendUint(to, v.Uint64(), 10) }
	case kind == parquet.Int32:
		return func(to []byte, v parquet.Value) []byte { return strconv.AppendInt(to, int64(v.Int32()), 10) }
	}
	return func(to []byte, v parquet.Value) []byte { return strconv.AppendInt(to, v.Int64(), 10) }
}

// labelTextOf returns how the values of a column become labels: strings as they
// are, numbers in their one spelling; nil where they do not.
func labelTextOf(c *parquet.Column) fieldText {
	if !c.Leaf() || c.Repeated() {
		return nil
	}
	switch kind := c.Type().Kind(); {
	case kind == parquet.ByteArray:
		return func(to []byte, v parquet.Value) []byte { return append(to, v.ByteArray()...) }
	case !numeric(c):
		return nil
	case kind == parquet.Float || kind == parquet.Double:
		asFloat := floatOf(c)
		return func(to []byte, v parquet.Value) []byte { return appendLabel(to, asFloat(v)) }
	}
	return fieldTextOf(c)
}

// eachRow reads the columns side by side, a page of each at a time.
func (r *parquetReader) eachRow(from, to int, wanted []bool, label int, f func(fields [][]byte) error) error {
	fields, texts := make([][]byte, len(r.columns)), make([]fieldText, len(r.columns))
	for c, column := range r.columns {
		switch {
		case c == label:
			texts[c] = labelTextOf(column)
		case wanted[c] && isVector(column):
			texts[c] = numberText(vectorLeaf(column))
		case wanted[c]:
			texts[c] = fieldTextOf(column)
		}
	}
	for group, g := range r.groups(from, to) {
		if g.from == g.to && g.rows > 0 {
			continue
		}
		if err := r.eachRowOf(group, g, texts, fields, f); err != nil {
			return err
		}
	}
	return nil
}

// eachRowOf is eachRow for a row group, with room for its fields; a column without
// a way to become text is not read.
func (r *parquetReader) eachRowOf(group int, g groupRows, texts []fieldText, fields [][]byte, f func(fields [][]byte) error) error {
	chunks := r.file.RowGroups()[group].ColumnChunks()
	cursors := make([]*cursor, len(r.columns))
	for c, column := range r.columns {
		if texts[c] == nil {
			continue
		}
		leaf := column
		if isVector(column) {
			leaf = vectorLeaf(column)
		}
		taken, _, err := r.checkPages(group, leaf)
		if err != nil {
			return err
		}
		defer r.src.Give(taken)
		cursors[c] = &cursor{pages: chunks[leaf.Index()].Pages(), listed: listLevel(column)}
		defer cursors[c].close()
	}
	for row := 0; row < g.to || g.to == g.rows; row++ {
		ended, read := 0, 0
		for c, at := range cursors {
			if at == nil {
				continue
			}
			room := cap(fields[c])
			var err error
			fields[c], err = at.field(fields[c][:0], texts[c])
			if err == io.EOF {
				ended++
				continue
			}
			if err != nil {
				return err
			}
			read++
			if err := r.src.Take(cap(fields[c])-room, "the text of a row"); err != nil {
				return err
			}
		}
		switch {
		case read == 0:
			return nil
		case ended > 0:
			return r.src.Errorf(0, 0, "the columns differ in length; write the file again")
		}
		if row < g.from {
			continue
		}
		if err := f(fields); err != nil {
			return err
		}
	}
	return nil
}

// numberText returns how the numbers of a leaf become text.
func numberText(leaf *parquet.Column) fieldText {
	asFloat := floatOf(leaf)
	return func(to []byte, v parquet.Value) []byte { return appendFloat(to, asFloat(v)) }
}

// listLevel returns the definition level from which on a value is one of a list; 0 for a column that
// holds none.
func listLevel(c *parquet.Column) int {
	for ; !c.Leaf() && !c.Repeated(); c = c.Columns()[0] {
		if len(c.Columns()) != 1 {
			return 0
		}
	}
	if c.Repeated() {
		return c.MaxDefinitionLevel()
	}
	return 0
}

// cursor goes through the values of a column of a row group.
type cursor struct {
	listed int // the definition level of the values of lists, 0 for a column of single values
	pages  parquet.Pages
	page   parquet.Page // nil before the first
	values parquet.ValueReader
	batch  [64]parquet.Value
	left   []parquet.Value // of the batch
	last   error           // what came with the batch
}

// field appends the text of the next row, which is nothing for null. After the last row the error is
// io.EOF.
func (c *cursor) field(to []byte, text fieldText) ([]byte, error) {
	v, err := c.next()
	switch {
	case err != nil, v.IsNull() && (c.listed == 0 || v.DefinitionLevel() < c.listed):
		return to, err
	case c.listed == 0:
		return text(to, v), nil
	}
	if v.RepetitionLevel() > 0 {
		return to, errors.New("a column begins inside a list")
	}
	to = append(to, '[')
	for {
		if v.IsNull() {
			to = append(to, "null"...)
		} else {
			to = text(to, v)
		}
		if err := c.fill(); err != nil && err != io.EOF {
			return to, err
		} else if err == io.EOF || c.left[0].RepetitionLevel() == 0 {
			return append(to, ']'), nil
		}
		v, _ = c.next()
		to = append(to, ',')
	}
}

// next returns the next value, io.EOF after the last.
func (c *cursor) next() (parquet.Value, error) {
	if err := c.fill(); err != nil {
		return parquet.Value{}, err
	}
	v := c.left[0]
	c.left = c.left[1:]
	return v, nil
}

// fill makes the next value the first of c.left; io.EOF after the last.
func (c *cursor) fill() error {
	for len(c.left) == 0 {
		if c.page == nil || c.last == io.EOF {
			c.release()
			page, err := c.pages.ReadPage()
			if err != nil {
				return err
			}
			c.page, c.values = page, page.Values()
		} else if c.last != nil {
			return c.last
		}
		var n int
		n, c.last = c.values.ReadValues(c.batch[:])
		if n == 0 && c.last == nil {
			c.last = io.ErrNoProgress
		}
		c.left = c.batch[:n]
	}
	return nil
}

func (c *cursor) release() {
	if c.page != nil {
		parquet.Release(c.page)
		c.page = nil
	}
}

func (c *cursor) close() {
	c.release()
	c.pages.Close()
}
