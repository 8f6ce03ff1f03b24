package files

import (
	"bytes"
	"encoding/json"
	"math"

	"lapsvm/dataset/internal/number"
	"lapsvm/dataset/internal/quote"
)

// jsonScanner goes through one object, on one line or on several.
type jsonScanner struct {
	src    *source
	line   int // where the object begins
	column int // bytes before it on that line
	text   []byte
	pos    int
}

// errorf returns an error at a byte of the object.
func (s *jsonScanner) errorf(at int, message string, args ...any) error {
	before := s.text[:at]
	if k := bytes.LastIndexByte(before, '\n'); k >= 0 {
		return s.src.Errorf(s.line+bytes.Count(before, []byte("\n")), at-k, message, args...)
	}
	return s.src.Errorf(s.line, s.column+at+1, message, args...)
}

// peek skips blanks and returns the next byte, 0 at the end.
func (s *jsonScanner) peek() byte {
	for s.pos < len(s.text) {
		switch c := s.text[s.pos]; c {
		case ' ', '\t', '\r', '\n':
			s.pos++
		default:
			return c
		}
	}
	return 0
}

func (s *jsonScanner) expect(c byte, what string) error {
	if s.peek() != c {
		return s.errorf(s.pos, "%s is missing; write one JSON object on each line", what)
	}
	s.pos++
	return nil
}

// object reads the object that is the line; f reads the value of a key that
// starts at a byte.
func (s *jsonScanner) object(f func(key []byte, at int) error) error {
	if err := s.expect('{', "the object's {"); err != nil {
		return err
	}
	for more := s.peek() != '}'; more; {
		s.peek()
		at := s.pos
		key, err := s.string()
		if err != nil {
			return err
		}
		if err := s.expect(':', "the colon after a key"); err != nil {
			return err
		}
		s.peek()
		if err := f(key, at); err != nil {
			return err
		}
		if more = s.peek() == ','; more {
			s.pos++
		}
	}
	if err := s.expect('}', "the comma between keys or the object's }"); err != nil {
		return err
	}
	if s.peek() != 0 {
		return s.errorf(s.pos, "something follows the object; write one JSON object on each line")
	}
	return nil
}

// string reads a string.
func (s *jsonScanner) string() ([]byte, error) {
	at := s.pos
	if s.peek() != '"' {
		return nil, s.errorf(s.pos, "a string in double quotes is missing; write one JSON object on each line")
	}
	escaped := false
	for k := s.pos + 1; k < len(s.text); k++ {
		switch c := s.text[k]; {
		case c == '\\':
			escaped = true
			k++
		case c < ' ':
			return nil, s.errorf(k, "the string has a control character; escape it")
		case c == '"':
			raw := s.text[s.pos : k+1]
			s.pos = k + 1
			if !escaped {
				return raw[1 : len(raw)-1], nil
			}
			var text string
			if err := json.Unmarshal(raw, &text); err != nil {
				return nil, s.errorf(at, "%s is no JSON string (%v); correct it", quote.Field(raw), err)
			}
			return []byte(text), nil
		}
	}
	return nil, s.errorf(at, "a quote opens here and is never closed; close it")
}

// value reads any value and returns its text, of a string what it says, and
// its kind: 's' string, 'n' number, 'b' boolean, '0' null, '[' or '{'.
func (s *jsonScanner) value() (text []byte, kind byte, err error) {
	at := s.pos
	switch c := s.peek(); c {
	case '"':
		text, err = s.string()
		return text, 's', err
	case '[', '{':
		for depth := 0; ; {
			switch s.peek() {
			case 0:
				return nil, 0, s.errorf(at, "a bracket opens here and is never closed; close it")
			case '"':
				if _, err := s.string(); err != nil {
					return nil, 0, err
				}
				continue
			case '[', '{':
				depth++
			case ']', '}':
				depth--
			}
			s.pos++
			if depth == 0 {
				break
			}
		}
		if text = s.text[at:s.pos]; !json.Valid(text) {
			return nil, 0, s.errorf(at, "%s is no JSON; correct it", quote.Field(text))
		}
		return text, c, nil
	}
	switch text = s.word(); {
	case string(text) == "null":
		return text, '0', nil
	case string(text) == "true", string(text) == "false":
		return text, 'b', nil
	case isJSONNumber(text):
		return text, 'n', nil
	}
	return nil, 0, s.errorf(at, "%s is no JSON value; write a number, a string in double quotes, true, false or null", quote.Field(text))
}

// word reads up to a delimiter.
func (s *jsonScanner) word() []byte {
	at := s.pos
	for s.pos < len(s.text) {
		switch s.text[s.pos] {
		case ',', ']', '}', ' ', '\t', '\r', '\n', '"', '[', '{', ':':
			return s.text[at:s.pos]
		}
		s.pos++
	}
	return s.text[at:]
}

// isJSONNumber reports whether text follows JSON's grammar of numbers.
func isJSONNumber(text []byte) bool {
	first := 0
	if len(text) > 0 && text[0] == '-' {
		first = 1
	}
	k := skipDigits(text, first)
	if k == first || text[first] == '0' && k > first+1 {
		return false
	}
	if k < len(text) && text[k] == '.' {
		first = k + 1
		if k = skipDigits(text, first); k == first {
			return false
		}
	}
	if k < len(text) && (text[k] == 'e' || text[k] == 'E') {
		first = k + 1
		if first < len(text) && (text[first] == '+' || text[first] == '-') {
			first++
		}
		if k = skipDigits(text, first); k == first {
			return false
		}
	}
	return k == len(text)
}

// skipDigits returns the place of the first byte from k on that is no digit.
func skipDigits(text []byte, k int) int {
	for k < len(text) && '0' <= text[k] && text[k] <= '9' {
		k++
	}
	return k
}

// element reads a number or boolean of a vector.
func (s *jsonScanner) element() (float64, error) {
	at := s.pos
	switch s.peek() {
	case '"', '[', '{', 'n', 't', 'f':
		text, kind, err := s.value()
		switch {
		case err != nil:
			return 0, err
		case kind != 'b':
			return 0, s.errorf(at, "the vector holds %s; give it numbers only", quote.Field(text))
		case text[0] == 't':
			return 1, nil
		}
		return 0, nil
	}
	text := s.word()
	v, err := number.ParseBytes(text)
	if !isJSONNumber(text) || err != nil || math.IsInf(v, 0) {
		problem, _ := number.Problem(text, err)
		return 0, s.errorf(at, "%q: %s", vectorKey, problem)
	}
	return v, nil
}

// numbers appends an array of numbers.
func (s *jsonScanner) numbers(to *[]float64) error {
	if err := s.expect('[', "the array of numbers"); err != nil {
		return err
	}
	for more := s.peek() != ']'; more; {
		s.peek()
		v, err := s.element()
		if err != nil {
			return err
		}
		if err := s.src.Take(8, "the numbers of the vectors"); err != nil {
			return err
		}
		*to = append(*to, v)
		if more = s.peek() == ','; more {
			s.pos++
		}
	}
	return s.expect(']', "the comma between numbers or the array's ]")
}
