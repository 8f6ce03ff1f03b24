package files

import (
	"bytes"
	"fmt"
	"io"

	"lapsvm/dataset"
)

// records splits the lines of a table into fields (RFC 4180, for any one-byte
// separator). Fields in quotes may hold separators, line ends and doubled
// quotes and are taken as they are; blanks around other fields are left out.
// Blank lines are skipped.
type records struct {
	lines  lines
	comma  byte // ' ' stands for runs of blanks and tabs
	quotes bool // fields may be in quotes
	line   int  // where the record last returned starts
	fields [][]byte
	buf    []byte // text of the fields of a record with quotes
	ends   []int  // of the fields in buf
}

// next returns the fields of the next record, valid until the next call. After
// the last record the error is io.EOF.
func (r *records) next() ([][]byte, error) {
	for {
		line, err := r.lines.next()
		if err != nil {
			return nil, err
		}
		r.line = r.lines.n
		if passed, err := r.lines.src.comments.passes(r.lines.src, line, r.line, r.comma); err != nil {
			return nil, err
		} else if passed {
			continue
		}
		if r.quotes && bytes.IndexByte(line, '"') >= 0 {
			if r.comma == ' ' {
				return r.amongBlanks(chomp(line))
			}
			return r.quoted(line)
		}
		if line = chomp(line); len(bytes.Trim(line, " ")) > 0 {
			if err := r.room(line); err != nil {
				return nil, err
			}
			return r.plain(line), nil
		}
	}
}

// room makes room for the fields of a line without quotes.
func (r *records) room(line []byte) error {
	if len(line) < cap(r.fields) { // a field has a byte, or a separator behind it
		return nil
	}
	fields := bytes.Count(line, []byte{r.comma}) + 1
	if r.comma == ' ' {
		fields = 0
		for range bytes.FieldsSeq(line) {
			fields++
		}
	}
	return r.grow(fields)
}

// grow makes room for so many fields.
func (r *records) grow(fields int) error {
	const field = 24 // bytes, without its text
	more := fields - cap(r.fields)
	if more <= 0 {
		return nil
	}
	if err := r.lines.src.Take(field*more, fmt.Sprintf("the %d fields of line %d", fields, r.line)); err != nil {
		return err
	}
	r.fields = make([][]byte, 0, fields)
	return nil
}

// plain splits a line that has no quotes.
func (r *records) plain(line []byte) [][]byte {
	r.fields = r.fields[:0]
	if r.comma == ' ' {
		for field := range bytes.FieldsFuncSeq(line, func(c rune) bool { return c == ' ' || c == '\t' }) {
			r.fields = append(r.fields, field)
		}
		return r.fields
	}
	for {
		i := bytes.IndexByte(line, r.comma)
		if i < 0 {
			r.fields = append(r.fields, trim(line))
			return r.fields
		}
		r.fields = append(r.fields, trim(line[:i]))
		line = line[i+1:]
	}
}

// amongBlanks splits a line whose fields have blanks between them, and may be in quotes, as R writes them: a quote inside is doubled, or behind a backslash.
func (r *records) amongBlanks(line []byte) ([][]byte, error) {
	r.buf, r.ends = r.buf[:0], r.ends[:0]
	for line = bytes.TrimLeft(line, " \t"); len(line) > 0; line = bytes.TrimLeft(line, " \t") {
		if line[0] != '"' {
			end := bytes.IndexAny(line, " \t")
			if end < 0 {
				end = len(line)
			}
			if err := r.text(line[:end]); err != nil {
				return nil, err
			}
			line = line[end:]
		} else {
			k, closed := 1, false
			for ; k < len(line) && !closed; k++ {
				if c := line[k]; (c == '"' || c == '\\') && k+1 < len(line) && line[k+1] == '"' {
					k++
				} else if closed = c == '"'; closed {
					break
				}
				if err := r.text(line[k : k+1]); err != nil {
					return nil, err
				}
			}
			if !closed {
				return nil, r.lines.src.Errorf(r.line, len(r.ends)+1, "a quote opens here and is not closed in its line; close it, or give %s if quotes are text", quotingNone())
			}
			line = line[k+1:]
		}
		if r.ends = append(r.ends, len(r.buf)); len(r.ends) > cap(r.fields) {
			if err := r.grow(2 * len(r.ends)); err != nil {
				return nil, err
			}
		}
	}
	r.fields = r.fields[:0]
	begin := 0
	for _, end := range r.ends {
		r.fields = append(r.fields, r.buf[begin:end])
		begin = end
	}
	return r.fields, nil
}

// quoted splits a record with quotes; it starts in line and may take more.
func (r *records) quoted(line []byte) ([][]byte, error) {
	r.buf, r.ends = r.buf[:0], r.ends[:0]
	for more := true; more; {
		var err error
		if start := bytes.TrimLeft(line, " "); len(start) > 0 && start[0] == '"' {
			if line, err = r.quotedField(start[1:]); err != nil {
				return nil, err
			}
			line = bytes.TrimLeft(line, " ")
			more = len(chomp(line)) > 0
			if more && line[0] != r.comma {
				return nil, r.lines.src.Errorf(r.lines.n, len(r.ends)+1, "text follows the closing quote of a field; double the quotes inside a quoted field, or give %s if quotes are text", quotingNone())
			}
		} else {
			i := bytes.IndexByte(line, r.comma)
			if more = i >= 0; !more {
				line = chomp(line)
				i = len(line)
			}
			if bytes.IndexByte(line[:i], '"') >= 0 {
				return nil, r.lines.src.Errorf(r.lines.n, len(r.ends)+1, "a quote stands inside a field without quotes; put the field in quotes and double the inner ones, or give %s if quotes are text", quotingNone())
			}
			if err := r.text(trim(line[:i])); err != nil {
				return nil, err
			}
			line = line[i:]
		}
		r.ends = append(r.ends, len(r.buf))
		if len(r.ends) > cap(r.fields) {
			if err := r.grow(2 * len(r.ends)); err != nil {
				return nil, err
			}
		}
		if more {
			line = line[1:] // the separator
		}
	}
	if r.lines.src.cells {
		r.lines.n = r.line
	}
	r.fields = r.fields[:0]
	begin := 0
	for _, end := range r.ends {
		r.fields = append(r.fields, r.buf[begin:end])
		begin = end
	}
	return r.fields, nil
}

// quotedField appends a field to buf, from behind its opening quote, and
// returns what follows its closing one.
func (r *records) quotedField(line []byte) ([]byte, error) {
	opened, begin := r.lines.n, len(r.buf)
	for {
		i := bytes.IndexByte(line, '"')
		if i >= 0 {
			if err := r.text(line[:i]); err != nil {
				return nil, err
			}
			line = line[i+1:]
			if len(line) == 0 || line[0] != '"' {
				return line, nil
			}
			if err := r.text(line[:1]); err != nil {
				return nil, err
			}
			line = line[1:]
			continue
		}
		err := r.text(line)
		if err != nil {
			return nil, err
		}
		if line, err = r.lines.next(); err == io.EOF || err == nil && len(r.buf)-begin > maxLine {
			return nil, r.lines.src.Errorf(opened, len(r.ends)+1, "a quote opens here and is never closed; close it, double it if it belongs to the text, or give %s if quotes are text", quotingNone())
		}
		if err != nil {
			return nil, err
		}
	}
}

// text appends text of fields to buf.
func (r *records) text(part []byte) error {
	var err error
	r.buf, err = r.lines.src.extend(r.buf, part, func() string { return fmt.Sprintf("the fields from line %d on", r.line) })
	return err
}

func quotingNone() dataset.Option { return dataset.Option{Name: "Quoting", Value: string(QuotingNone)} }

// trim leaves out blanks and tabs at both ends.
func trim(field []byte) []byte {
	if n := len(field); n > 0 && field[0] > ' ' && field[n-1] > ' ' {
		return field // nearly all
	}
	return bytes.Trim(field, " \t")
}
