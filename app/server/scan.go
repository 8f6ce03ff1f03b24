package server

import (
	"bytes"
	"context"

	"github.com/go-json-experiment/json/jsontext"
)

// scanner goes through JSON once, and copies nothing. Positions are bytes of the body.
type scanner struct {
	ctx  context.Context // of the request
	body []byte
	at   int // bytes that are read
	seen int // members and elements that are read
	open int // arrays and objects that are read
}

// deepest is how many arrays and objects may be within each other, as in encoding/json.
const deepest = 10000

const tooDeep = "more arrays and objects are within each other than may be"

// next returns the byte that comes behind blanks, 0 at the end.
func (s *scanner) next() byte {
	s.at += blanks(s.body[s.at:])
	if s.at == len(s.body) {
		return 0
	}
	return s.body[s.at]
}

// broken says that the JSON ends here, or is broken here for a reason.
func (s *scanner) broken(why string) error {
	if s.next() == 0 && s.at == len(s.body) {
		return bad("the JSON is broken at byte %d: it ends before its end", len(s.body))
	}
	if word := noJSON(s.body[s.at:]); word != "" {
		why = word
	}
	return broken(s.at, why)
}

// late reports, at every some thousand calls, that the time of the request is over.
func (s *scanner) late() error {
	if s.seen++; s.seen%4096 == 0 {
		return s.ctx.Err()
	}
	return nil
}

// scalar returns the number, text or word that comes.
func (s *scanner) scalar() (token, error) {
	if s.next() != 0 {
		if e, is := readToken(s.body[s.at:]); is {
			s.at += len(e.text)
			return e, nil
		}
	}
	return token{}, s.broken("no value begins here")
}

// key returns the key that comes, as it is written, and goes on to its value.
func (s *scanner) key() ([]byte, error) {
	if s.next() != '"' {
		return nil, s.broken("a key is missing")
	}
	e, err := s.scalar()
	if err != nil {
		return nil, err
	}
	if s.next() != ':' {
		return nil, s.broken("a colon is missing")
	}
	s.at++
	return e.text, nil
}

// isNull reports whether null comes, and leaves it out: it is as good as nothing.
func (s *scanner) isNull() bool {
	if s.next() != 'n' {
		return false
	}
	e, err := s.scalar()
	return err == nil && string(e.text) == "null"
}

// each goes through the array or object that comes, whose first byte is open. It calls visit at
// each element or key.
func (s *scanner) each(open byte, visit func() error) error {
	closing := open + 2 // in ASCII, of brackets and of braces
	if s.open++; s.open > deepest {
		return s.broken(tooDeep)
	}
	defer func() { s.open-- }()
	s.at++
	if s.next() == closing {
		s.at++
		return nil
	}
	for {
		if err := s.late(); err != nil {
			return err
		}
		if err := visit(); err != nil {
			return err
		}
		switch s.next() {
		case closing:
			s.at++
			return nil
		case ',':
			s.at++
		default:
			return s.broken("a comma, or a closing bracket, is missing")
		}
	}
}

// skip leaves a value out, which must be JSON.
func (s *scanner) skip() error {
	open := s.next()
	if open != '[' && open != '{' {
		_, err := s.scalar()
		return err
	}
	return s.each(open, func() error {
		if open == '{' {
			if _, err := s.key(); err != nil {
				return err
			}
		}
		return s.skip()
	})
}

// array returns the array that comes, as it is written. It pairs brackets and skips texts; the
// reader of the elements checks that they are JSON.
func (s *scanner) array() (span, error) {
	text, from, depth := s.body, s.at, 0
	closing, quote := -1, -1 // the next ones
	for at := from; ; {
		if err := s.late(); err != nil {
			return span{}, err
		}
		if closing < at {
			closing = index(text, at, ']')
		}
		if quote < at {
			quote = index(text, at, '"')
		}
		depth += bytes.Count(text[at:min(closing, quote)], []byte{'['})
		switch {
		case quote < closing:
			n, _ := readText(text[quote:])
			at = quote + n
		case closing == len(text):
			s.at = len(text)
			return span{}, s.broken("")
		case depth > deepest:
			return span{}, s.broken(tooDeep)
		default:
			at = closing + 1
			if depth--; depth == 0 {
				s.at = at
				return span{text[from:at], from}, nil
			}
		}
	}
}

// index returns where a byte comes first from a place on, the length of the text for nowhere.
func index(text []byte, from int, c byte) int {
	if k := bytes.IndexByte(text[from:], c); k >= 0 {
		return from + k
	}
	return len(text)
}

// keyOf returns a key in lower case, "" for one that is longer than all that are known.
func keyOf(quoted []byte) string {
	var room [64]byte
	if len(quoted) > len(room) {
		return ""
	}
	key, err := jsontext.AppendUnquote(room[:0], quoted)
	if err != nil {
		return ""
	}
	return string(bytes.ToLower(key))
}

// blanks returns how many blanks come first.
func blanks(text []byte) int {
	for at, c := range text {
		if c != ' ' && c != '\n' && c != '\t' && c != '\r' {
			return at
		}
	}
	return len(text)
}
