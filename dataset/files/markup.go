package files

import (
	"archive/zip"
	"bytes"
	"errors"
	"io"
	"strings"

	"lapsvm/dataset/internal/quote"
	"lapsvm/dataset/internal/xml"
)

// markup reads the XML of a file, or of a part of a workbook, tag by tag.
type markup struct {
	*xml.Scanner
	src  *source
	part string // of the workbook; "" for the file itself
	text io.ReadCloser
}

// The bounds of a part of a workbook.
const (
	maxToken = 1 << 22 // bytes of a tag, or of a text
	maxIdle  = 1 << 26 // bytes of tags and comments that hold no value
)

// newMarkup reads the file itself.
func newMarkup(src *source) *markup {
	m := &markup{Scanner: xml.NewScanner(src, xml.Bounds{Token: longestPiece, Depth: 100}), src: src}
	if src.unmarked {
		m.Decoded()
	}
	return m
}

// openXML opens a part of a workbook.
func (s *source) openXML(f *zip.File) (*markup, error) {
	if f.Flags&1 != 0 {
		return nil, s.Errorf(0, 0, "the part %q is encrypted; save the workbook without a password", f.Name)
	}
	m := &markup{src: s, part: f.Name}
	text, err := s.openMember(f)
	if err != nil {
		return nil, m.wrap(err)
	}
	m.text = text
	m.Scanner = xml.NewScanner(checkedReader{text, s, m.unreadable()}, xml.Bounds{Token: maxToken, Depth: 1000, Idle: maxIdle})
	return m, nil
}

func (m *markup) unreadable() string {
	return "the part " + quote.Field([]byte(m.part)) + " is damaged or cut off (%v); fetch or save the file again"
}

// close closes a part.
func (m *markup) close() { m.text.Close() }

// next returns the next beginning or end of an element, or text. After the last the error is io.EOF.
func (m *markup) next() (xml.Kind, error) {
	kind, err := m.Next()
	if err != nil && err != io.EOF {
		err = m.wrap(err)
	}
	return kind, err
}

// tag is next where there must be a tag or a text.
func (m *markup) tag() (xml.Kind, error) {
	kind, err := m.Next()
	if err == io.EOF {
		return 0, m.ended()
	}
	if err != nil {
		return 0, m.wrap(err)
	}
	return kind, nil
}

// each calls f for the tags and texts up to the end.
func (m *markup) each(f func(xml.Kind) error) error {
	for {
		kind, err := m.next()
		if err == io.EOF {
			return nil
		}
		if err == nil {
			err = f(kind)
		}
		if err != nil {
			return err
		}
	}
}

// wrap returns an error of the scanner as one of the file.
func (m *markup) wrap(err error) error {
	var e *xml.Error
	switch is := errors.As(err, &e); {
	case !is && m.part == "":
		return checkedReader{src: m.src, message: unreadable}.wrap(err)
	case !is || m.part != "" && e.Cause == xml.Damaged:
		return checkedReader{src: m.src, message: m.unreadable()}.wrap(cmpEnd(err))
	case m.part != "" && e.Cause == xml.TooMuch:
		return m.src.Errorf(0, 0, "in the part %q %s; check how the file was made", m.part, e.Text)
	case m.part != "":
		return m.src.Errorf(0, 0, "in the part %q %s; save the workbook again, which makes it UTF-8", m.part, e.Text)
	case e.Cause == xml.TooMuch:
		return m.src.Errorf(e.Line, 0, "%s; check how the file was made", e.Text)
	case e.Cause == xml.Encoded:
		return m.src.Errorf(e.Line, 0, "%s; save the file as UTF-8", e.Text)
	}
	return m.src.Errorf(e.Line, 0, "the XML is damaged or cut off (%s); write the file again", e.Text)
}

// cmpEnd has the end of an archive as one that comes too early.
func cmpEnd(err error) error {
	if err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
}

// ended words the end of the file among its elements.
func (m *markup) ended() error {
	if m.part != "" {
		return m.wrap(io.ErrUnexpectedEOF)
	}
	return m.src.Damagedf("the XML is cut off; fetch or write the file again")
}

// within reports whether an element that has begun is within those of the names, the innermost last.
func (m *markup) within(names ...string) bool {
	for k, name := range names {
		if around := m.Parent(len(names) - k); around == nil || around.Local != name {
			return false
		}
	}
	return true
}

// skip leaves out what is left of an element that has begun.
func (m *markup) skip() error {
	if err := m.Skip(); err != nil {
		return m.wrap(err)
	}
	return nil
}

// content returns the text of an element that has begun, without elements in it.
func (m *markup) content() (string, error) {
	var b strings.Builder
	for depth := m.Depth(); m.Depth() >= depth; {
		kind, err := m.tag()
		if err != nil {
			return "", err
		}
		if kind == xml.Text && m.Depth() == depth {
			if b.Len()+len(m.Text()) > longestPiece {
				return "", m.src.Errorf(m.Line(), 0, "a text is longer than %d MiB; check how the file was made", longestPiece>>20)
			}
			b.Write(m.Text())
		}
	}
	return strings.TrimSpace(b.String()), nil
}

// attr returns an attribute of an element that has begun, "" where it has none.
func (m *markup) attr(name string) string { return string(bytes.TrimSpace(m.Attr(name))) }

// hasRoot returns what reports whether a text is XML whose first element has a name, with the prefix of a namespace or without.
func hasRoot(name string) func(head []byte) bool {
	return func(head []byte) bool {
		if len(head) == 0 || head[0] != '<' {
			return false
		}
		s := xml.NewScanner(bytes.NewReader(head), xml.Bounds{Token: len(head), Depth: 1})
		kind, err := s.Next()
		return err == nil && kind == xml.Start && s.Name().Local == name
	}
}
