package files

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
)

const (
	maxLine = 1 << 28 // bytes of one line, or of one quoted field

	byteOrderMark = "\xef\xbb\xbf"
)

// lines reads a source line by line.
type lines struct {
	src  *source
	n    int    // number of the line last returned, from 1
	read int64  // bytes of the lines so far
	long []byte // a line longer than the buffer
}

// linesOf returns the lines of a source that are still to be read.
func linesOf(src *source) lines { return lines{src: src, n: src.line} }

// next returns the next line with its end; a byte-order mark before the first
// line is left out. The line is valid until the next call. After the last line
// the error is io.EOF.
func (l *lines) next() ([]byte, error) {
	line, err := l.src.ReadSlice('\n')
	if err == bufio.ErrBufferFull {
		l.long = l.long[:0]
		if full := l.extend(line); full != nil {
			return nil, full
		}
		for err == bufio.ErrBufferFull {
			line, err = l.src.ReadSlice('\n')
			if full := l.extend(line); full != nil {
				return nil, full
			}
			if len(l.long) > maxLine {
				return nil, l.src.Errorf(l.n+1, 0, "the line is longer than %d MiB; check that this is a text file with line ends", maxLine>>20)
			}
		}
		line = l.long
	}
	if err != nil && err != io.EOF {
		return nil, err
	}
	if len(line) == 0 {
		return nil, io.EOF
	}
	l.n++
	l.read += int64(len(line))
	if l.n == 1 {
		line = bytes.TrimPrefix(line, []byte(byteOrderMark))
	}
	if !l.src.cells && bytes.IndexByte(line, 0) >= 0 { // text of a database or a sheet may have one
		return nil, l.src.Errorf(l.n, 0, "there is a zero byte: this is no text, or %s", unmarkedCharset(line))
	}
	return line, nil
}

// skipComments leaves out the lines of comments that a source begins with.
func (s *source) skipComments() error {
	for {
		if start, err := s.Peek(1); err != nil || !isComment(start) { // an error comes again
			return nil
		}
		l := linesOf(s)
		if _, err := l.next(); err != nil {
			return err
		}
		s.line = l.n
	}
}

// saysSeparator reports whether the first line of a table says what separates its columns.
func (s *source) saysSeparator() bool {
	head, _ := s.Peek(64) // an error comes again
	_, said := saidSeparator(head)
	return said
}

// skipLines leaves out lines.
func (s *source) skipLines(n int) error {
	for range n {
		l := linesOf(s)
		if _, err := l.next(); err == io.EOF {
			return s.noRows()
		} else if err != nil {
			return err
		}
		s.line = l.n
	}
	return nil
}

// extend appends a part of the line after that last returned to long.
func (l *lines) extend(part []byte) error {
	var err error
	l.long, err = l.src.extend(l.long, part, func() string { return fmt.Sprintf("line %d", l.n+1) })
	return err
}

// extend appends bytes to text, which holds something that is named as in
// [dataset.Origin.Take], and counts the memory.
func (s *source) extend(text, more []byte, what func() string) ([]byte, error) {
	if need := len(text) + len(more); need > cap(text) {
		room := max(need, 2*cap(text))
		if left := s.Memory.Room(); int64(room-cap(text)) > left {
			room = max(need, cap(text)+int(max(left, 0)))
		}
		if err := s.Take(room-cap(text), what()); err != nil {
			return text, err
		}
		text = append(make([]byte, 0, room), text...)
	}
	return append(text, more...), nil
}

// free gives the memory of the lines back, after the last of them.
func (l *lines) free() { l.src.Give(cap(l.long)) }

// chomp returns a line without its end, LF or CRLF.
func chomp(line []byte) []byte {
	line = bytes.TrimSuffix(line, []byte("\n"))
	return bytes.TrimSuffix(line, []byte("\r"))
}
