package xml

import (
	"bytes"
	"unicode/utf8"
)

// character reads a text up to the next tag.
func (s *Scanner) character() (Kind, error) {
	text, p, err := s.value(s.at, '<')
	if err != nil {
		return 0, err
	}
	s.at = p
	if len(s.open) == 0 {
		if len(bytes.TrimLeft(text, " \t\r\n")) > 0 {
			return 0, s.errorf(Damaged, "text is outside of the first element")
		}
		return 0, nil
	}
	s.text = text
	return Text, nil
}

// value reads a text up to what ends it: a quote of an attribute, or the < of the next tag.
func (s *Scanner) value(p int, end byte) (text []byte, q int, err error) {
	b := s.buf
	from, kept := p, -1 // kept is where the text begins in s.decoded, where it is not as it is written
	for {
		for p < len(b) && class[b[p]]&special == 0 {
			p++
		}
		if p >= len(b) {
			if end == '<' && s.ends() && len(s.open) == 0 {
				break
			}
			return nil, 0, errShort
		}
		c := b[p]
		if c == end {
			break
		}
		switch {
		case c == '\'' || c == '"':
			p++
		case c == '<':
			return nil, 0, s.errorf(Damaged, "a < is in the value of an attribute")
		case c == '&', c == '\r':
			if kept < 0 {
				kept = len(s.decoded)
			}
			s.decoded = append(s.decoded, b[from:p]...)
			if c == '&' {
				if p, err = s.entity(p); err != nil {
					return nil, 0, err
				}
			} else if p++; p >= len(b) && !s.ends() {
				return nil, 0, errShort
			} else if p >= len(b) || b[p] != '\n' {
				s.decoded = append(s.decoded, '\n')
			}
			from = p
		case c == ']':
			if len(b)-p < 3 && !s.ends() {
				return nil, 0, errShort
			}
			if end == '<' && bytes.HasPrefix(b[p:], []byte("]]>")) {
				return nil, 0, s.errorf(Damaged, "]]> is in a text")
			}
			p++
		default:
			n, err := s.rune(p)
			if err != nil {
				return nil, 0, err
			}
			p += n
		}
	}
	if kept < 0 {
		return b[from:p], p, nil
	}
	s.decoded = append(s.decoded, b[from:p]...)
	return s.decoded[kept:len(s.decoded):len(s.decoded)], p, nil
}

// rune returns the length of the character at p, which is a control character or not of ASCII.
func (s *Scanner) rune(p int) (int, error) {
	b := s.buf[p:]
	r, n := utf8.DecodeRune(b)
	switch {
	case r == utf8.RuneError && n == 1 && !utf8.FullRune(b) && !s.ends():
		return 0, errShort
	case r == utf8.RuneError && n == 1:
		return 0, s.errorf(Encoded, "the byte %#x is not in UTF-8", b[0])
	case r == utf8.RuneError && s.other:
		return 0, s.errorf(Encoded, "there are bytes that are not in the encoding that is declared")
	case !isCharacter(r):
		return 0, s.errorf(Damaged, "the character %U is not allowed", r)
	}
	return n, nil
}

// entity decodes what stands for a character, from its & on.
func (s *Scanner) entity(p int) (int, error) {
	const longest = 40
	b := s.buf
	n := bytes.IndexByte(b[p:min(len(b), p+longest)], ';')
	if n < 0 {
		if len(b)-p < longest && !s.ends() {
			return 0, errShort
		}
		return 0, s.errorf(Damaged, "an & stands alone, in place of &amp;")
	}
	name := b[p+1 : p+n]
	switch string(name) {
	case "lt":
		s.decoded = append(s.decoded, '<')
	case "gt":
		s.decoded = append(s.decoded, '>')
	case "amp":
		s.decoded = append(s.decoded, '&')
	case "apos":
		s.decoded = append(s.decoded, '\'')
	case "quot":
		s.decoded = append(s.decoded, '"')
	default:
		r, ok := number(name)
		if !ok || !isCharacter(r) {
			return 0, s.errorf(Damaged, "%q is no entity of XML itself, and no character", b[p:p+n+1])
		}
		s.decoded = utf8.AppendRune(s.decoded, r)
	}
	return p + n + 1, nil
}

// number returns the character of a number such as #65 or #x41.
func number(name []byte) (r rune, ok bool) {
	digits, is := bytes.CutPrefix(name, []byte("#"))
	base := rune(10)
	if hexadecimal, x := bytes.CutPrefix(digits, []byte("x")); x {
		digits, base = hexadecimal, 16
	}
	if !is || len(digits) == 0 {
		return 0, false
	}
	for _, c := range digits {
		d := rune(99)
		switch {
		case c >= '0' && c <= '9':
			d = rune(c - '0')
		case c >= 'a' && c <= 'f':
			d = rune(c-'a') + 10
		case c >= 'A' && c <= 'F':
			d = rune(c-'A') + 10
		}
		if d >= base {
			return 0, false
		}
		if r = r*base + d; r > utf8.MaxRune {
			return 0, false
		}
	}
	return r, true
}

// valid fails for bytes that are not of UTF-8, or not allowed in XML.
func (s *Scanner) valid(text []byte) error {
	for k := 0; k < len(text); {
		if c := text[k]; c < utf8.RuneSelf && class[c]&control == 0 {
			k++
			continue
		}
		r, n := utf8.DecodeRune(text[k:])
		if r == utf8.RuneError && n == 1 {
			return s.errorf(Encoded, "the byte %#x is not in UTF-8", text[k])
		}
		if !isCharacter(r) {
			return s.errorf(Damaged, "the character %U is not allowed", r)
		}
		k += n
	}
	return nil
}

// isCharacter reports whether a document may have a character.
// Source: "Extensible Markup Language (XML) 1.0", 2.2.
func isCharacter(r rune) bool {
	return r == '\t' || r == '\n' || r == '\r' || r >= ' ' && r <= 0xd7ff || r >= 0xe000 && r <= 0xfffd || r >= 0x10000 && r <= utf8.MaxRune
}

// What a byte may be.
const (
	blank   = 1 << iota
	ofName  // of a name, or of a character beyond ASCII
	special // in a text: it may end it, or is to be looked at
	control // not allowed
)

// class says what each byte may be. It is a constant.
var class = func() (c [256]uint8) {
	for k := range c {
		b := byte(k)
		switch {
		case b == ' ', b == '\t', b == '\n':
			c[k] = blank
		case b == '\r':
			c[k] = blank | special
		case b < ' ':
			c[k] = special | control
		case b >= utf8.RuneSelf:
			c[k] = ofName | special
		case b|0x20 >= 'a' && b|0x20 <= 'z', b >= '0' && b <= '9', b == '_', b == ':', b == '-', b == '.':
			c[k] = ofName
		case b == '<', b == '&', b == '"', b == '\'', b == ']':
			c[k] = special
		}
	}
	return c
}()
