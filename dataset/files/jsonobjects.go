package files

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"lapsvm/dataset"
	"lapsvm/internal/system/fault"
)

// objects gives the objects of a file: one on each line, or the elements of an
// array. An object is valid until the next call.
type objects struct {
	lines
	object *jsonObject // the object last returned
	raw    []byte      // what was read for the object last returned, whole lines; of an array it is kept for the first element only
	from   int         // the line where raw begins
	array  bool
	text   []byte // of an array: the line last read,
	at     int    // read up to here
	some   bool   // an element has been read
	last   []byte // the element last returned, which may be of several lines
	row    int    // its number in the array, from 1,
	beside bool   // and whether it does not begin a line
}

// named returns an error of the element last returned with its number, where its line does not tell it.
func (o *objects) named(err error) error {
	var data *dataset.Error
	if o.row == 0 || !o.beside || !errors.As(err, &data) {
		return err
	}
	e := *data
	e.Msg = dataset.Messagef("row %d, %s", o.row, data.Msg)
	return &e
}

// objectsOf returns the objects of a source that are still to be read.
func objectsOf(src *source) objects { return objects{lines: linesOf(src), object: new(jsonObject)} }

func (o *objects) next() (*jsonObject, error) {
	for !o.array {
		line, err := o.lines.next()
		if err != nil {
			return nil, err
		}
		first := o.raw == nil
		o.raw, o.from = line, o.n
		line = chomp(line)
		switch start := len(line) - len(bytes.TrimLeft(line, " \t\r")); {
		case start == len(line):
			if first {
				o.raw = nil
			}
		case line[start] == '[' && first:
			o.array, o.text, o.at = true, line, start+1
			if o.raw, err = o.src.extend(nil, o.raw, o.what); err != nil {
				return nil, err
			}
		default:
			return o.object.from(o.src, o.n, 0, line), nil
		}
	}
	return o.element()
}

// element returns the next element of the array, and io.EOF after its end.
func (o *objects) element() (*jsonObject, error) {
	c, err := o.peek()
	comma := c == ',' && o.some
	if comma {
		o.at++
		c, err = o.peek()
	}
	switch {
	case err == errTextEnds:
		return nil, o.src.Errorf(o.n, len(o.text)+1, "the array's ] is missing; the file may be cut off")
	case err != nil:
		return nil, err
	case c == ']' && !comma:
		return nil, o.end()
	case o.some && !comma:
		return nil, o.src.Errorf(o.n, o.at+1, "the comma between objects or the array's ] is missing; write one array of objects")
	case c == '[':
		return nil, o.src.Errorf(o.n, o.at+1, "the row is a list, as pandas writes it with orient=\"values\"; write an object for each row, with df.to_json(FILE, orient='records')")
	case c != '{':
		return nil, o.src.Errorf(o.n, o.at+1, "the object's { is missing; write one array of objects, or one object on each line")
	}
	object := o.object.from(o.src, o.n, o.at, nil)
	o.row, o.beside = o.row+1, len(bytes.TrimSpace(o.text[:o.at])) > 0
	o.last = o.last[:0]
	for end := (braces{}); ; {
		k := end.find(o.text[o.at:])
		if err := o.keep(o.text[o.at : o.at+k]); err != nil {
			return nil, err
		}
		if o.at += k; end.found {
			break
		}
		if len(o.last) > maxLine {
			return nil, object.errorf(0, "the object is longer than %d MiB; check that its } is there", maxLine>>20)
		}
		if err := o.keep([]byte{'\n'}); err != nil {
			return nil, err
		}
		if err := o.line(); err == errTextEnds {
			return nil, object.errorf(0, "an object opens here and is never closed; the file may be cut off")
		} else if err != nil {
			return nil, err
		}
	}
	object.text, o.some = o.last, true
	return object, nil
}

// keep appends text to the element.
func (o *objects) keep(text []byte) error {
	var err error
	o.last, err = o.src.extend(o.last, text, o.what)
	return err
}

func (o *objects) what() string { return fmt.Sprintf("the objects up to line %d", o.n) }

// free gives the memory of the objects back, after the last of them.
func (o *objects) free() {
	o.lines.free()
	o.src.Give(cap(o.last))
	if o.array {
		o.src.Give(cap(o.raw))
	}
}

// end returns io.EOF if nothing follows the ] of the array.
func (o *objects) end() error {
	o.at++
	if _, err := o.peek(); err == errTextEnds {
		return io.EOF
	} else if err != nil {
		return err
	}
	return o.src.Errorf(o.n, o.at+1, "something follows the array; write one array of objects")
}

// errTextEnds tells that there are no more lines.
var errTextEnds = fault.Errorf("files: end of text")

// peek returns the next byte of the array that is not blank.
func (o *objects) peek() (byte, error) {
	for {
		for ; o.at < len(o.text); o.at++ {
			if c := o.text[o.at]; c != ' ' && c != '\t' && c != '\r' {
				return c, nil
			}
		}
		if err := o.line(); err != nil {
			return 0, err
		}
	}
}

// line reads another line of the array.
func (o *objects) line() error {
	line, err := o.lines.next()
	if err == io.EOF {
		return errTextEnds
	}
	if err != nil {
		return err
	}
	if !o.some {
		if o.raw, err = o.src.extend(o.raw, line, o.what); err != nil {
			return err
		}
	}
	o.text, o.at = chomp(line), 0
	return nil
}

// braces finds the end of an object.
type braces struct {
	depth                  int
	quoted, escaped, found bool
}

// find returns how many bytes of text belong to the object.
func (b *braces) find(text []byte) int {
	for k, c := range text {
		switch {
		case b.escaped:
			b.escaped = false
		case b.quoted:
			b.escaped = c == '\\'
			b.quoted = c != '"'
		case c == '"':
			b.quoted = true
		case c == '{' || c == '[':
			b.depth++
		case c == '}' || c == ']':
			if b.depth--; b.depth == 0 {
				b.found = true
				return k + 1
			}
		}
	}
	return len(text)
}
