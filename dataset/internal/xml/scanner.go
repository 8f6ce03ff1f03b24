// Package xml reads XML 1.0, fast and in bounded memory. It gives tags and texts one after another, follows no reference to another file, and knows
// no entities but the five of XML itself and characters by their numbers.
package xml

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"unicode/utf8"
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
	full          string

	// What came behind the name last, which comes again in most documents: of an attribute or a tag the next attribute, and of a tag the next tag.
	attr, tag *Name

	space string // of the prefix, as long as declared is the scanner's
	as    int
	in    int // tag that has had the attribute
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
		kind, err := s.token()
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

// token reads the token at s.at, and moves s.at behind it; 0 is for one that is left out.
func (s *Scanner) token() (Kind, error) {
	if !s.begun {
		if err := s.begin(); err != nil {
			return 0, err
		}
	}
	b, p := s.buf, s.at
	s.decoded = s.decoded[:0]
	if p >= len(b) {
		if s.ends() && len(s.open) == 0 {
			if !s.rooted {
				return 0, s.errorf(Damaged, "there is no element")
			}
			return 0, io.EOF
		}
		return 0, errShort
	}
	if b[p] != '<' {
		return s.character()
	}
	if p+1 >= len(b) {
		return 0, errShort
	}
	switch b[p+1] {
	case '/':
		return s.endTag()
	case '?':
		return 0, s.instruction()
	case '!':
		return s.declaration()
	}
	return s.startTag()
}

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

// endTag reads a tag such as </a>.
func (s *Scanner) endTag() (Kind, error) {
	b, p := s.buf, s.at+2
	if len(s.open) == 0 {
		return 0, s.errorf(Damaged, "a tag ends an element that has not begun")
	}
	full := s.open[len(s.open)-1].full
	if len(b)-p <= len(full) && !s.ends() {
		return 0, errShort
	}
	if !bytes.HasPrefix(b[p:], []byte(full)) {
		return 0, s.errorf(Damaged, "the element %q has not ended where another does", full)
	}
	for p += len(full); p < len(b); p++ {
		switch b[p] {
		case '>':
			s.at = p + 1
			s.end()
			return End, nil
		case ' ', '\t', '\r', '\n':
		default:
			return 0, s.errorf(Damaged, "the element %q has not ended where another does", full)
		}
	}
	return 0, errShort
}

// end ends the innermost element.
func (s *Scanner) end() {
	last := len(s.open) - 1
	s.name, s.open = s.open[last], s.open[:last]
	for k := len(s.spaces); k > 0 && s.spaces[k-1].depth > last; k-- {
		s.spaces = s.spaces[:k-1]
		s.declared++
	}
}

// startTag reads a tag such as <a b="c"> or <a/>.
func (s *Scanner) startTag() (Kind, error) {
	b := s.buf
	if len(s.open) == 0 && s.rooted {
		return 0, s.errorf(Damaged, "there is a second first element")
	}
	name, p, err := s.readName(s.at+1, s.last.tag)
	if err != nil {
		return 0, err
	}
	s.tags++
	s.last.tag = name
	before, declares := name, false
	s.attrs = s.attrs[:0]
	for {
		spaced := false
		for p < len(b) && class[b[p]]&blank != 0 {
			p, spaced = p+1, true
		}
		if p+1 >= len(b) && (p >= len(b) || b[p] != '>') {
			return 0, errShort
		}
		if b[p] == '>' {
			p++
			break
		}
		if b[p] == '/' && b[p+1] == '>' {
			p += 2
			s.closing = true
			break
		}
		if !spaced {
			return 0, s.errorf(Damaged, "something is in the tag of %q that is no attribute", name.full)
		}
		var attr *Name
		if attr, p, err = s.readName(p, before.attr); err != nil {
			return 0, err
		}
		before.attr = attr
		before = attr
		if attr.in == s.tags {
			return 0, s.errorf(Damaged, "the attribute %q is there twice", attr.full)
		}
		attr.in = s.tags
		if p+1 < len(b) && b[p] == '=' && (b[p+1] == '"' || b[p+1] == '\'') {
			p++ // nearly all
		} else if p, err = s.equals(p, attr); err != nil {
			return 0, err
		}
		var value []byte
		if value, p, err = s.value(p+1, b[p]); err != nil {
			return 0, err
		}
		if p >= len(b) {
			return 0, errShort
		}
		p++ // the quote
		s.attrs = append(s.attrs, Attr{attr, value})
		declares = declares || attr.Prefix == "xmlns" || attr.full == "xmlns"
	}
	if len(s.open) >= s.bounds.Depth {
		return 0, s.errorf(TooMuch, "more than %d elements are within each other", s.bounds.Depth)
	}
	s.at, s.name, s.last, s.rooted = p, name, name, true
	s.open = append(s.open, name)
	if declares {
		for _, a := range s.attrs {
			if a.Name.Prefix == "xmlns" {
				s.spaces = append(s.spaces, space{a.Name.Local, string(a.Value), len(s.open)})
			} else if a.Name.full == "xmlns" {
				s.spaces = append(s.spaces, space{"", string(a.Value), len(s.open)})
			}
		}
		s.declared++
	}
	return Start, nil
}

// equals reads the sign between an attribute and its value, up to the quote.
func (s *Scanner) equals(p int, attr *Name) (int, error) {
	b, sign := s.buf, false
	for ; p < len(b); p++ {
		switch c := b[p]; {
		case class[c]&blank != 0:
		case c == '=' && !sign:
			sign = true
		case (c == '"' || c == '\'') && sign:
			return p, nil
		default:
			return 0, s.errorf(Damaged, "the attribute %q has no value in quotes", attr.full)
		}
	}
	return 0, errShort
}

// readName reads the name at p, which may be the one that is guessed.
func (s *Scanner) readName(p int, guess *Name) (*Name, int, error) {
	b := s.buf
	if guess != nil {
		if q := p + len(guess.full); q < len(b) && string(b[p:q]) == guess.full && class[b[q]]&ofName == 0 {
			return guess, q, nil
		}
	}
	q := p
	for q < len(b) && class[b[q]]&ofName != 0 {
		q++
	}
	if q == len(b) {
		return nil, 0, errShort
	}
	if n := s.names[string(b[p:q])]; n != nil {
		return n, q, nil
	}
	const most = 1 << 22
	if s.taken += 200 + q - p; s.taken > most {
		return nil, 0, s.errorf(TooMuch, "the names of elements and attributes take more than %d MiB", most>>20)
	}
	n := &Name{full: string(b[p:q]), as: -1}
	prefix, local, cut := bytes.Cut(b[p:q], []byte{':'})
	if cut {
		n.Prefix, n.Local = string(prefix), string(local)
	} else {
		n.Local, local, prefix = n.full, prefix, nil
	}
	if !isName(local) || cut && !isName(prefix) {
		if q == p {
			return nil, 0, s.errorf(Damaged, "%q is where a name should begin", b[p:min(p+1, len(b))])
		}
		return nil, 0, s.errorf(Damaged, "%q is no name", n.full)
	}
	s.names[n.full] = n
	return n, q, nil
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
