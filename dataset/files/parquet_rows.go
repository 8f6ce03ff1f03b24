package files

import (
	"errors"
	"io"
)

// fieldText appends a value that is not null to the text of a field.
type fieldText func(to, value []byte) []byte

// eachRow reads the columns side by side, a page of each at a time.
func (r *parquetReader) eachRow(from, to int, wanted []bool, label int, f func(fields [][]byte) error) error {
	fields, texts := make([][]byte, len(r.columns)), make([]fieldText, len(r.columns))
	for c, column := range r.columns {
		switch {
		case (wanted[c] || c == label) && column.words():
			texts[c] = appendWord
		case c == label:
			texts[c] = column.appendLabel
		case wanted[c] && column.list:
			texts[c] = func(to, value []byte) []byte { return appendFloat(to, column.float(value)) }
		case wanted[c] && column.text():
			texts[c] = column.appendField
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
	cursors := make([]*cursor, len(r.columns))
	for c, column := range r.columns {
		if texts[c] == nil {
			continue
		}
		chunk, err := r.chunk(group, column)
		if err != nil {
			return err
		}
		defer chunk.close()
		cursors[c] = &cursor{parquetChunk: chunk}
	}
	for row := 0; row < g.to || g.to == g.rows; row++ {
		ended, read := 0, 0
		for c, at := range cursors {
			if at == nil {
				continue
			}
			var err error
			fields[c], err = at.field(fields[c][:0], texts[c])
			if err == io.EOF {
				ended++
				continue
			}
			if err != nil {
				return at.damaged(err)
			}
			read++
		}
		switch {
		case read == 0 && (ended == 0 || row == g.rows):
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

// cursor goes through the rows of a column of a row group.
type cursor struct {
	*parquetChunk
	ahead  parquetValue // the first value of the next list, where a list was read
	end    error        // what came with it
	looked bool
}

// field appends the text of the next row, which is nothing for null, and counts the memory. After the last row the error is
// io.EOF.
func (c *cursor) field(to []byte, text fieldText) ([]byte, error) {
	room := cap(to)
	count := func() error {
		more := cap(to) - room
		room = cap(to)
		return c.r.src.Take(more, "the text of a row")
	}
	v, err := c.ahead, c.end
	if !c.looked {
		v, err = c.next()
	}
	switch {
	case err != nil:
		c.looked, c.end = true, err
		return to, err
	case !c.column.list && v.null:
		return to, nil
	case !c.column.list:
		to = text(to, v.bytes)
		return to, count()
	case v.reps > 0:
		return to, errors.New("a column begins inside a list")
	}
	missing := v.null && v.def < c.column.listed
	empty := missing && c.column.words() && v.def == c.column.listed-1
	to = append(to, '[')
	for first := true; ; first = false {
		if !first {
			to = append(to, ',')
		}
		switch {
		case missing:
		case v.null:
			to = append(to, "null"...)
		default:
			to = text(to, v.bytes)
		}
		if err := count(); err != nil {
			return to, err
		}
		v, err = c.next()
		if err != nil && err != io.EOF {
			return to, err
		}
		if err == io.EOF || v.reps == 0 {
			break
		}
	}
	c.looked, c.ahead, c.end = true, v, err
	if missing && !empty {
		return to[:0], nil
	}
	return append(to, ']'), nil
}
