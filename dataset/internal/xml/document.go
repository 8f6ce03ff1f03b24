package xml

import (
	"bytes"
	"io"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/htmlindex"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"
)

// begin finds out by the first bytes whether the document is in UTF-16.
func (s *Scanner) begin() error {
	if len(s.buf) < 4 && s.failed == nil {
		return errShort
	}
	s.begun = true
	has := func(mark string) bool { return bytes.HasPrefix(s.buf, []byte(mark)) }
	switch {
	case has("\xef\xbb\xbf"):
		s.at, s.start = 3, 3
	case has("\xff\xfe"), has("<\x00"):
		s.decode(unicode.UTF16(unicode.LittleEndian, unicode.UseBOM))
	case has("\xfe\xff"), has("\x00<"):
		s.decode(unicode.UTF16(unicode.BigEndian, unicode.UseBOM))
	default:
		return nil
	}
	return nil
}

// decode reads what is at s.at, and all behind it, from another encoding.
func (s *Scanner) decode(e encoding.Encoding) {
	read := []io.Reader{bytes.NewReader(bytes.Clone(s.buf[s.at:]))}
	if s.failed == nil {
		read = append(read, s.r)
	} else if s.failed != io.EOF {
		read = append(read, failed{s.failed})
	}
	s.r, s.failed, s.other = transform.NewReader(io.MultiReader(read...), e.NewDecoder()), nil, true
	s.buf = s.buf[:s.at]
}

// failed is a reader that fails.
type failed struct{ err error }

func (f failed) Read([]byte) (int, error) { return 0, f.err }

// until returns what is before an end, from p on.
func (s *Scanner) until(p int, end string) (inside []byte, err error) {
	if p <= len(s.buf) {
		if n := bytes.Index(s.buf[p:], []byte(end)); n >= 0 {
			return s.buf[p : p+n], nil
		}
	}
	return nil, errShort
}

// instruction reads a tag such as <?a b?>, of which the first may say the encoding.
func (s *Scanner) instruction() error {
	inside, err := s.until(s.at+2, "?>")
	if err != nil {
		return err
	}
	first := s.Offset() == s.start
	target, rest := inside, []byte(nil)
	if n := bytes.IndexAny(inside, " \t\r\n"); n >= 0 {
		target, rest = inside[:n], inside[n:]
	}
	if !isName(target) {
		return s.errorf(Damaged, "%q is no name of an instruction", target)
	}
	if err := s.valid(inside); err != nil {
		return err
	}
	s.at += 2 + len(inside) + 2
	if !strings.EqualFold(string(target), "xml") {
		return nil
	}
	if !first {
		return s.errorf(Damaged, "the declaration of XML is not at the beginning")
	}
	declared, ok := declarations(string(rest))
	if !ok {
		return s.errorf(Damaged, "the declaration of XML is damaged")
	}
	if v := declared["version"]; v != "" && v != "1.0" {
		return s.errorf(Damaged, "the version of XML is %q, and 1.0 alone is read", v)
	}
	return s.declares(declared["encoding"])
}

// declares goes on in the encoding of a name.
func (s *Scanner) declares(name string) error {
	if name == "" || s.given {
		return nil
	}
	e, err := htmlindex.Get(name)
	if err != nil {
		return s.errorf(Encoded, "the encoding %q is not known", name)
	}
	switch canonical, _ := htmlindex.Name(e); {
	case strings.HasPrefix(canonical, "utf-16"):
		if !s.other {
			return s.errorf(Encoded, "the encoding is declared as %s, and the text is not", canonical)
		}
	case s.other:
		return s.errorf(Encoded, "the encoding is declared as %s, and the text is UTF-16", canonical)
	case canonical != "utf-8" && !strings.EqualFold(name, "us-ascii") && !strings.EqualFold(name, "ascii"):
		s.decode(e)
	}
	return nil
}

// declarations returns the values of version, encoding and standalone in a declaration of XML, such as ` version="1.0"`. ok is false for anything
// else, and for one of them twice.
func declarations(text string) (values map[string]string, ok bool) {
	const blanks = " \t\r\n"
	values = make(map[string]string)
	for {
		rest := strings.TrimLeft(text, blanks)
		if rest == "" {
			return values, true
		}
		name, value, found := strings.Cut(rest, "=")
		name, value = strings.TrimRight(name, blanks), strings.TrimLeft(value, blanks)
		_, twice := values[name]
		if !found || twice || len(rest) == len(text) || name != "version" && name != "encoding" && name != "standalone" || value == "" || value[0] != '"' && value[0] != '\'' {
			return nil, false
		}
		value, text, found = strings.Cut(value[1:], value[:1])
		if !found {
			return nil, false
		}
		values[name] = value
	}
}

// declaration reads a comment, a text in CDATA, or what a DOCTYPE says.
func (s *Scanner) declaration() (Kind, error) {
	const comment, data, doctype = "<!--", "<![CDATA[", "<!DOCTYPE"
	b := s.buf[s.at:]
	switch {
	case bytes.HasPrefix(b, []byte(comment)):
		inside, err := s.until(s.at+len(comment), "--")
		if err != nil {
			return 0, err
		}
		end := s.at + len(comment) + len(inside) + 2
		if end >= len(s.buf) {
			return 0, errShort
		}
		if s.buf[end] != '>' {
			return 0, s.errorf(Damaged, "two hyphens are in a comment")
		}
		if err := s.valid(inside); err != nil {
			return 0, err
		}
		s.at = end + 1
		return 0, nil
	case bytes.HasPrefix(b, []byte(data)):
		inside, err := s.until(s.at+len(data), "]]>")
		if err != nil {
			return 0, err
		}
		if len(s.open) == 0 {
			return 0, s.errorf(Damaged, "text is outside of the first element")
		}
		if err := s.valid(inside); err != nil {
			return 0, err
		}
		s.at += len(data) + len(inside) + 3
		if s.text = inside; bytes.IndexByte(inside, '\r') >= 0 {
			s.text = bytes.ReplaceAll(bytes.ReplaceAll(inside, []byte("\r\n"), []byte("\n")), []byte("\r"), []byte("\n"))
		}
		return Text, nil
	case bytes.HasPrefix(b, []byte(doctype)):
		if s.rooted {
			return 0, s.errorf(Damaged, "a DOCTYPE is behind the first element")
		}
		n, err := s.lengthOfDoctype(b)
		if err != nil {
			return 0, err
		}
		s.at += n
		return 0, nil
	case len(b) < len(doctype) && !s.ends():
		return 0, errShort
	}
	return 0, s.errorf(Damaged, "<! begins no comment, no CDATA and no DOCTYPE")
}

// lengthOfDoctype returns the length of a DOCTYPE, with what is declared in it. An instruction in it is refused where its quotes and brackets could be
// taken for those of the DOCTYPE.
func (s *Scanner) lengthOfDoctype(b []byte) (int, error) {
	depth := 0
	for k := 0; k < len(b); k++ {
		inside, end := 0, "" // of what is passed over
		switch c := b[k]; {
		case c == '"' || c == '\'':
			inside, end = 1, string(c)
		case bytes.HasPrefix(b[k:], []byte("<!--")):
			inside, end = 4, "-->"
		case bytes.HasPrefix(b[k:], []byte("<?")):
			inside, end = 2, "?>"
		case c == '<':
			depth++
		case c == '>':
			if depth--; depth == 0 {
				return k + 1, nil
			}
		}
		if end == "" {
			continue
		}
		text, _, found := bytes.Cut(b[min(k+inside, len(b)):], []byte(end))
		if !found {
			break
		}
		if end == "?>" && bytes.ContainsAny(text, `"'<>`) {
			return 0, s.errorf(Damaged, "an instruction in the DOCTYPE has a quote or a bracket")
		}
		k += inside + len(text) + len(end) - 1
	}
	return 0, errShort
}

// isName reports whether text is a name without a colon.
// Source: "Extensible Markup Language (XML) 1.0", 2.3.
func isName(text []byte) bool {
	for k, r := range string(text) {
		switch {
		case r == '_', r|0x20 >= 'a' && r|0x20 <= 'z':
		case r == utf8.RuneError:
			return false
		case r >= 0xc0 && r <= 0x2ff && r != 0xd7 && r != 0xf7, r >= 0x370 && r <= 0x1fff && r != 0x37e, r == 0x200c, r == 0x200d,
			r >= 0x2070 && r <= 0x218f, r >= 0x2c00 && r <= 0x2fef, r >= 0x3001 && r <= 0xd7ff, r >= 0xf900 && r <= 0xfdcf, r >= 0xfdf0 && r <= 0xfffd, r >= 0x10000 && r <= 0xeffff:
		case k > 0 && (r == '-' || r == '.' || r >= '0' && r <= '9' || r == 0xb7 || r >= 0x300 && r <= 0x36f || r == 0x203f || r == 0x2040):
		default:
			return false
		}
	}
	return len(text) > 0
}
