package files

import (
	"bytes"

	"lapsvm/dataset"
)

// comments are lines of a table that are no rows. They begin with # or %, as the first of the file does.
type comments struct {
	width  int // fields of a row; 0 where no row begins like a comment
	below  int // the line below which comments are
	passed int // so many
}

// isComment reports whether a line may be a comment.
func isComment(line []byte) bool { return len(line) > 0 && (line[0] == '#' || line[0] == '%') }

// passes reports whether a line is a comment. It fails for one that has as many fields as a row: it may be a row.
func (c *comments) passes(src *source, line []byte, n int, comma byte) (bool, error) {
	if c == nil || n <= c.below || !isComment(line) {
		return false, nil
	}
	if c.width > 0 && mayHave(c.width, line, comma) {
		return false, src.Errorf(n, 1, "the line begins with %c, as the comments above the table do, and has %d fields, as rows have; remove it, or if it is a row give %s", line[0], c.width, dataset.Option{Name: "SkipLines", Value: c.below - 1})
	}
	c.passed++
	return true, nil
}

// mayHave reports whether a line has so many fields, with quotes or without any.
func mayHave(width int, line []byte, comma byte) bool {
	if comma == ' ' {
		return len(bytes.Fields(line)) == width
	}
	count, _ := separatorsIn(line)
	return count[comma]+1 == width || bytes.Count(line, []byte{comma})+1 == width
}

// passComments leaves out the comments that a table begins with, whose fields are others than those of the first two rows. Then there may be comments
// among the rows. separator finds what separates the columns of a text.
func (s *source) passComments(separator func(head []byte) byte, o Options) error {
	head, _ := s.Peek(s.Size()) // an error comes again
	text := bytes.TrimPrefix(head, []byte(byteOrderMark))
	if s.comments != nil || s.extent != nil || s.cells || !isComment(text) {
		return nil
	}
	var above [][]byte
	for isComment(text) {
		line, rest, whole := bytes.Cut(text, []byte{'\n'})
		if !whole {
			return nil
		}
		above, text = append(above, line), rest
	}
	comma := separator(text)
	in := s.inner("", bytes.NewReader(text), bufferSize, "%v")
	rec := records{lines: linesOf(in), comma: comma, quotes: o.Quoting != QuotingNone}
	first, err := rec.next()
	if err != nil {
		return nil // it comes again
	}
	width := len(first)
	in.comments = &comments{width: width}
	second, err := rec.next()
	if named := len(second) - width; err != nil || width < 2 || named != 0 && named != 1 { // a row may begin with its name, which a header has not
		return nil
	}
	n := 0
	for n < len(above) && !mayHave(width, above[n], comma) {
		n++
	}
	if n == 0 {
		return nil
	}
	if err := s.skipLines(n); err != nil {
		return err
	}
	s.comments = &comments{width: len(second), below: s.line + 1, passed: n}
	return nil
}

// noteComments says how many comments were passed over.
func (s *source) noteComments(d *dataset.Dataset) {
	c := s.comments
	if c == nil || c.width == 0 || d == nil && s.set == nil {
		return
	}
	where := ""
	if s.set != nil { // of which each file has its own
		where = s.File + ": "
	}
	lines := "lines are comments, as they begin with # or %, and are"
	if c.passed == 1 {
		lines = "line is a comment, as it begins with # or %, and is"
	}
	s.note(d, dataset.Note{Message: dataset.Messagef("%s%d %s passed over", where, c.passed, lines)})
}
