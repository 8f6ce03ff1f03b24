package tasks

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"unicode/utf8"

	"lapsvm/dataset"
)

// values are the JSON values of a text, one after the other or the elements of an array, of which one at a time is in memory.
type values struct {
	origin *dataset.Origin
	in     *bufio.Reader
	json   *json.Decoder
	array  bool
	lines  lineCounter
}

// longestValue is the most bytes of one value.
const longestValue = 256 << 20

// newValues begins the values of a text, less a mark of its encoding.
func newValues(r io.Reader, origin *dataset.Origin) *values {
	v := &values{origin: origin, in: bufio.NewReader(r)}
	if mark, _ := v.in.Peek(3); bytes.Equal(mark, []byte("\ufeff")) {
		v.in.Discard(len(mark))
	}
	v.lines = lineCounter{r: v.in, origin: origin}
	return v
}

// start returns the first bytes that are not blank, and leaves them to be read.
func (v *values) start() string {
	for {
		c, err := v.in.ReadByte()
		if err != nil {
			return ""
		}
		if c == '\n' {
			v.lines.before++
		}
		if !strings.ContainsRune(" \t\r\n", rune(c)) {
			v.in.UnreadByte()
			start, _ := v.in.Peek(16)
			v.json = json.NewDecoder(&v.lines)
			return string(start)
		}
	}
}

// open begins an array.
func (v *values) open() error {
	v.array = true
	_, err := v.json.Token()
	return v.wrong(err)
}

// next returns the next value, which is valid until the next call, and the line where it begins. The error after the last is io.EOF.
func (v *values) next() (value json.RawMessage, line int, err error) {
	v.lines.value = v.lines.read
	if v.array && !v.json.More() {
		if _, err := v.json.Token(); err != nil {
			return nil, 0, v.wrong(err)
		}
		if _, err := v.json.Token(); err != io.EOF {
			return nil, 0, v.origin.Errorf(0, 0, "something follows the array; export it again")
		}
		return nil, 0, io.EOF
	}
	err = v.json.Decode(&value)
	if err == io.EOF && !v.array {
		return nil, 0, err
	}
	if err != nil {
		return nil, 0, v.wrong(err)
	}
	line = v.lines.at(v.json.InputOffset() - int64(len(value)))
	if !utf8.Valid(value) { // else letters become U+FFFD
		return nil, 0, v.origin.Errorf(line, 0, "the text is not UTF-8; save the file as UTF-8")
	}
	return value, line, nil
}

// wrong makes an error of one in the text.
func (v *values) wrong(err error) error {
	var own *dataset.Error
	if err == nil || errors.As(err, &own) {
		return err
	}
	if err == io.EOF {
		err = io.ErrUnexpectedEOF
	}
	offset := v.json.InputOffset()
	var syntax *json.SyntaxError
	if errors.As(err, &syntax) {
		offset = max(offset, syntax.Offset-1)
	}
	return v.origin.Errorf(v.lines.at(offset), 0, "this is no JSON: %v; export it again", err)
}

// lineCounter reads a text, and knows the line of a place in it that is asked for in ascending order. It bounds what is read for one value.
type lineCounter struct {
	r      io.Reader
	origin *dataset.Origin
	before int // line ends before the first place that can still be asked for
	ends   []int64
	read   int64
	value  int64 // bytes that had been read before the value
}

func (l *lineCounter) Read(p []byte) (int, error) {
	switch size := l.read - l.value; {
	case size > longestValue:
		return 0, l.origin.Errorf(0, 0, "a task is longer than %d MiB; check that its } is there", longestValue>>20)
	case size > l.origin.Memory.Room():
		return 0, l.origin.Take(int(size), "one task of the file")
	}
	n, err := l.r.Read(p)
	for k, c := range p[:n] {
		if c == '\n' {
			l.ends = append(l.ends, l.read+int64(k))
		}
	}
	l.read += int64(n)
	return n, err
}

// at returns the line of the byte at an offset, from 1.
func (l *lineCounter) at(offset int64) int {
	k := 0
	for k < len(l.ends) && l.ends[k] < offset {
		k++
	}
	l.before += k
	l.ends = l.ends[k:]
	return l.before + 1
}
