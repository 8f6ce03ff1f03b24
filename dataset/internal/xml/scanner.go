// Package xml reads XML 1.0, fast and in bounded memory. It gives tags and texts one after another, follows no reference to another file, and knows
// no entities but the five of XML itself and characters by their numbers.
package xml

import (
	"bytes"
	"errors"
	"fmt"
	"io"
)

// Kind is what a [Scanner] has come to.
type Kind int

// The kinds. A tag such as <a/> is a start and an end.
const (
	Start Kind = iota + 1
	End
	Text
)

// Bounds says how much a document may ask for.
type Bounds struct {
	Token int // bytes of a tag, or of a text between two
	Depth int // elements within each other
	Idle  int // bytes without a call of [Scanner.Use]; 0 for any
}

// Cause says why a document is not read.
type Cause int

// The causes.
const (
	Damaged Cause = iota // it is not well-formed, or ends too early
	TooMuch              // it is beyond the bounds
	Encoded              // its encoding is not known, or not the one that it declares
)

// Error is a fault of a document.
type Error struct {
	Cause Cause
	Line  int // from 1
	Text  string
}

func (e *Error) Error() string { return fmt.Sprintf("line %d: %s", e.Line, e.Text) }

// Name is the name of an element or an attribute. A scanner has one Name for each spelling.
type Name struct {
	Prefix, Local string
	Role          int // what the name is to whoever reads the document, who sets it; 0 before
	full          string

	// What came behind the name last, which comes again in most documents: of an attribute or a tag the next attribute, and of a tag the next tag.
	attr, tag *Name

	declares bool   // the namespace of a prefix
	space    string // of the prefix, as long as declared is the scanner's
	as       int
	in       int // tag that has had the attribute
}

// Attr is an attribute of a tag.
type Attr struct {
	Name  *Name
	Value []byte
}

// Scanner reads a document. What it returns is valid until its next token.
type Scanner struct {
	r      io.Reader
	bounds Bounds
	failed error // of r, behind what has been read
	given  bool  // the text is UTF-8, whatever it declares
	other  bool  // the text was in another encoding

	buf    []byte
	at     int   // of the next token in buf
	before int64 // bytes before buf
	start  int64 // bytes of a mark before the document
	used   int64 // bytes up to what was of use last
	lines  int   // line ends before buf[counted]
	counts int

	name    *Name
	attrs   []Attr
	text    []byte
	decoded []byte // texts and values of the token that are not as they are written

	names    map[string]*Name
	taken    int   // bytes of names
	last     *Name // of the tag before
	open     []*Name
	closing  bool // the tag was one such as <a/>
	begun    bool // the encoding is known
	rooted   bool // the first element has begun
	tags     int
	spaces   []space
	declared int // changes of spaces
}

// space is what a prefix stands for from a depth on.
type space struct {
	prefix, uri string
	depth       int
}

// NewScanner returns a scanner of a document, in UTF-8, in UTF-16 with a mark, or in what it declares.
func NewScanner(r io.Reader, b Bounds) *Scanner {
	return &Scanner{r: r, bounds: b, names: map[string]*Name{}, last: &Name{}}
}

// Decoded has the scanner take the text for UTF-8, whatever it declares, as it has been decoded.
func (s *Scanner) Decoded() { s.given = true }

// Name returns the name of the tag.
func (s *Scanner) Name() *Name { return s.name }

// Attrs returns the attributes of a start.
func (s *Scanner) Attrs() []Attr { return s.attrs }

// Attr returns the first attribute of a start with a name, whatever its prefix; nil where it has none.
func (s *Scanner) Attr(local string) []byte {
	for k := range s.attrs {
		if s.attrs[k].Name.Local == local {
			return s.attrs[k].Value
		}
	}
	return nil
}

// Text returns the text. A long one, one of CDATA or with a comment inside may come in parts.
func (s *Scanner) Text() []byte { return s.text }

// Depth returns how many elements are open: a start counts, and an end no more.
func (s *Scanner) Depth() int { return len(s.open) }

// Parent returns the name of the element that is so many levels around the innermost; nil where there is none.
func (s *Scanner) Parent(levels int) *Name {
	if k := len(s.open) - 1 - levels; k >= 0 {
		return s.open[k]
	}
	return nil
}

// Offset returns how many bytes are behind.
func (s *Scanner) Offset() int64 { return s.before + int64(s.at) }

// Use tells that what is behind was of use, see [Bounds].
func (s *Scanner) Use() { s.used = s.Offset() }

// Line returns the line of the end of the token, from 1.
func (s *Scanner) Line() int {
	s.count()
	return s.lines + 1
}

func (s *Scanner) count() {
	if s.counts < s.at {
		s.lines += bytes.Count(s.buf[s.counts:s.at], []byte{'\n'})
		s.counts = s.at
	}
}

// Space returns the namespace of a name in the element that is open. It is the prefix where that is not declared. Of an attribute without a prefix it is
// not to be asked for.
func (s *Scanner) Space(n *Name) string {
	if n.as != s.declared || n.space == "" {
		n.as, n.space = s.declared, n.Prefix
		for k := len(s.spaces) - 1; k >= 0; k-- {
			if s.spaces[k].prefix == n.Prefix {
				n.space = s.spaces[k].uri
				break
			}
		}
	}
	return n.space
}

// Skip leaves out what is left of the element that has begun last, with its end.
func (s *Scanner) Skip() error {
	for depth := len(s.open); len(s.open) >= depth; {
		if _, err := s.Next(); err != nil {
			if err == io.EOF {
				err = s.errorf(Damaged, "the document ends within an element")
			}
			return err
		}
	}
	return nil
}

func (s *Scanner) errorf(c Cause, format string, args ...any) error {
	return &Error{c, s.Line(), fmt.Sprintf(format, args...)}
}

// errShort is for a token that goes on behind what has been read.
var errShort = errors.New("xml: short")

// Next goes on to the next tag or text. Comments and instructions are left out. After the last the error is io.EOF; what is wrong with the
// document is an [*Error], and another error is one of reading.
func (s *Scanner) Next() (Kind, error) {
	if s.closing {
		s.closing = false
		s.end()
		return End, nil
	}
	for {
		var kind Kind
		var err error
		s.decoded = s.decoded[:0]
		switch b := s.buf[s.at:]; {
		case !s.begun:
			err = s.begin()
		case len(b) == 0:
			err = s.finish()
		case b[0] != '<':
			kind, err = s.character()
		case len(b) == 1:
			err = errShort
		case b[1] == '/':
			kind, err = s.endTag()
		case b[1] == '?':
			err = s.instruction()
		case b[1] == '!':
			kind, err = s.declaration()
		default:
			kind, err = s.startTag()
		}
		if err == nil && kind != 0 {
			return kind, nil
		}
		if err == errShort {
			err = s.more()
		}
		if err != nil {
			return 0, err
		}
	}
}

// more reads on, to have more of the token.
func (s *Scanner) more() error {
	const least = 1 << 16
	if s.failed != nil {
		if s.failed != io.EOF {
			return s.failed
		}
		return s.errorf(Damaged, "the document ends within an element or a tag")
	}
	held := len(s.buf) - s.at
	if held > s.bounds.Token {
		return s.errorf(TooMuch, "a tag or a text is longer than %.4g MiB", float64(s.bounds.Token)/(1<<20))
	}
	if s.bounds.Idle > 0 && s.Offset()-s.used > int64(s.bounds.Idle) {
		return s.errorf(TooMuch, "more than %.4g MiB hold no value", float64(s.bounds.Idle)/(1<<20))
	}
	s.count()
	room := s.buf[:cap(s.buf)]
	if held >= cap(s.buf)/2 {
		room = make([]byte, max(least, min(2*cap(s.buf), s.bounds.Token+least)))
	}
	copy(room, s.buf[s.at:])
	s.before += int64(s.at)
	s.at, s.counts = 0, 0
	idle := 0
	for held < len(room) && s.failed == nil {
		var n int
		n, s.failed = s.r.Read(room[held:])
		if held += n; n > 0 {
			idle = 0
		} else if idle++; idle > 100 && s.failed == nil {
			s.failed = io.ErrNoProgress
		}
	}
	s.buf = room[:held]
	return nil
}

// ends reports whether nothing comes behind what has been read.
func (s *Scanner) ends() bool { return s.failed == io.EOF }

// finish is io.EOF where the document may end.
func (s *Scanner) finish() error {
	switch {
	case !s.ends() || len(s.open) > 0:
		return errShort
	case !s.rooted:
		return s.errorf(Damaged, "there is no element")
	}
	return io.EOF
}
