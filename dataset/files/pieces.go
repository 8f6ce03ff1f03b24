package files

import (
	"encoding/xml"
	"errors"
	"io"
	"strings"
)

// longestPiece is how many bytes of a text are read for one of its elements, whose attributes and words are kept at once.
const longestPiece = 1 << 24

// pieces reads a source for a decoder that keeps one piece of it at a time.
type pieces struct {
	src  *source
	left int // bytes that the piece may still have
}

// next begins another piece.
func (p *pieces) next() { p.left = longestPiece }

func (p *pieces) Read(b []byte) (int, error) {
	if p.left <= 0 {
		return 0, p.src.Errorf(0, 0, "an element is longer than %d MiB; check how the file was made", longestPiece>>20)
	}
	n, err := p.src.Read(b[:min(len(b), p.left)])
	p.left -= n
	return n, err
}

// markup reads the elements of XML. It follows no reference to another file.
type markup struct {
	pieces
	dec  *xml.Decoder
	path []string // names of the elements that are open
}

func newMarkup(src *source) *markup {
	m := &markup{pieces: pieces{src: src}}
	m.dec = xml.NewDecoder(&m.pieces)
	m.dec.CharsetReader = func(charset string, text io.Reader) (io.Reader, error) {
		if src.unmarked {
			return text, nil
		}
		return nil, src.Errorf(1, 0, "the encoding is %q; save the file as UTF-8", charset)
	}
	return m
}

// next returns the next beginning or end of an element, or text. After the last the error is io.EOF.
func (m *markup) next() (xml.Token, error) {
	const deepest = 100
	for {
		m.pieces.next()
		token, err := m.dec.Token()
		if err == io.EOF {
			return nil, err
		}
		var syntax *xml.SyntaxError
		if errors.As(err, &syntax) {
			return nil, m.src.Errorf(syntax.Line, 0, "the XML is damaged or cut off (%s); write the file again", syntax.Msg)
		}
		if err != nil {
			return nil, m.wrap(err)
		}
		switch t := token.(type) {
		case xml.StartElement:
			if m.path = append(m.path, t.Name.Local); len(m.path) > deepest {
				return nil, m.src.Errorf(m.line(), 0, "more than %d elements are within each other; check how the file was made", deepest)
			}
			return t, nil
		case xml.EndElement:
			m.path = m.path[:len(m.path)-1]
			return t, nil
		case xml.CharData:
			return t, nil
		}
	}
}

// wrap returns an error of the decoder as one of the file.
func (m *markup) wrap(err error) error {
	return checkedReader{src: m.src, message: "the XML cannot be read (%v); save it as UTF-8, as XML 1.0"}.wrap(err)
}

// line returns the line where the decoder is.
func (m *markup) line() int {
	line, _ := m.dec.InputPos()
	return line
}

// within reports whether an element that has begun is within those of the names, the innermost last.
func (m *markup) within(names ...string) bool {
	at := len(m.path) - 1 - len(names)
	if at < 0 {
		return false
	}
	for k, name := range names {
		if m.path[at+k] != name {
			return false
		}
	}
	return true
}

// skip leaves out what is left of an element that has begun.
func (m *markup) skip() error {
	for depth := len(m.path); len(m.path) >= depth; {
		if _, err := m.next(); err != nil {
			return m.ended(err)
		}
	}
	return nil
}

// text returns the text of an element that has begun, without elements in it.
func (m *markup) text() (string, error) {
	var b strings.Builder
	for depth := len(m.path); len(m.path) >= depth; {
		token, err := m.next()
		if err != nil {
			return "", m.ended(err)
		}
		if text, is := token.(xml.CharData); is && len(m.path) == depth {
			if b.Len()+len(text) > longestPiece {
				return "", m.src.Errorf(m.line(), 0, "a text is longer than %d MiB; check how the file was made", longestPiece>>20)
			}
			b.Write(text)
		}
	}
	return strings.TrimSpace(b.String()), nil
}

// ended words the end of the file among its elements.
func (m *markup) ended(err error) error {
	if err == io.EOF {
		return m.src.Errorf(0, 0, "the XML is cut off; fetch or write the file again")
	}
	return err
}

// attribute returns an attribute of an element, "" where it has none.
func attribute(e xml.StartElement, name string) string {
	for _, a := range e.Attr {
		if a.Name.Local == name {
			return strings.TrimSpace(a.Value)
		}
	}
	return ""
}

// hasRoot returns what reports whether a text is XML whose first element has a name, with the prefix of a namespace or without.
func hasRoot(name string) func(head []byte) bool {
	return func(head []byte) bool {
		dec := xml.NewDecoder(strings.NewReader(string(head)))
		dec.CharsetReader = func(_ string, text io.Reader) (io.Reader, error) { return text, nil }
		if len(head) == 0 || head[0] != '<' {
			return false
		}
		for {
			token, err := dec.RawToken()
			if err != nil {
				return false
			}
			if e, is := token.(xml.StartElement); is {
				return e.Name.Local == name
			}
		}
	}
}
