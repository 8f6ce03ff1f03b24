package files

import (
	"bufio"
	"bytes"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/htmlindex"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/encoding/unicode/utf32"
	"golang.org/x/text/transform"

	"lapsvm/dataset"
)

// Charset returns the name of an encoding of text as the standard has it (https://encoding.spec.whatwg.org), or an error for another name.
// UTF-32 counts too.
func Charset(name string) (string, error) {
	if _, is := utf32s[name]; is {
		return name, nil
	}
	e, err := htmlindex.Get(name)
	if err != nil {
		return "", dataset.Messagef("unknown encoding %q; choose such as utf-8, utf-16le, windows-1252 or shift_jis", name)
	}
	return htmlindex.Name(e)
}

// utf32s are the encodings that the standard leaves out.
var utf32s = map[string]encoding.Encoding{
	"utf-32le": utf32.UTF32(utf32.LittleEndian, utf32.IgnoreBOM), "utf-32be": utf32.UTF32(utf32.BigEndian, utf32.IgnoreBOM),
}

// charsetMarks are what texts of other encodings than UTF-8 begin with. The longer marks come first.
var charsetMarks = []mark{{"\xff\xfe\x00\x00", "utf-32le"}, {"\x00\x00\xfe\xff", "utf-32be"}, {"\xff\xfe", "utf-16le"}, {"\xfe\xff", "utf-16be"}}

type mark struct{ mark, name string }

// charsetMark returns the mark of an encoding that a text begins with, of the one of a name or of any; the zero mark for none.
func charsetMark(head []byte, name string) mark {
	for _, m := range charsetMarks {
		if bytes.HasPrefix(head, []byte(m.mark)) && (name == "" || name == m.name) {
			return m
		}
	}
	return mark{}
}

// decodeMarked has a text read as UTF-8 where its mark tells UTF-16 or UTF-32, and with line ends where a text has carriage returns alone. All else
// stays as it is.
func (s *source) decodeMarked() error {
	head, _ := s.Peek(bufferSize) // an error comes again
	if charsetMark(head, "").name == "" {
		const cut = 3 // bytes of a letter whose rest is behind the head
		if returnsAlone(head) && bytes.IndexByte(head, 0) < 0 && len(bytes.ToValidUTF8(head, nil)) >= len(head)-cut {
			s.through(lineEnds{})
		}
		return nil
	}
	_, err := s.decode(Options{}, false)
	s.unmarked = true
	return err
}

// decode has a text read as UTF-8, whose encoding the option or its mark tells. Without either, text with no letter of UTF-8 is taken for
// windows-1252 if guess is set. Lines that end in a carriage return alone get line ends. It returns what was taken for granted.
func (s *source) decode(o Options, guess bool) (notes []dataset.Note, err error) {
	head, err := s.Peek(bufferSize)
	if err != nil && len(head) == 0 {
		return nil, nil // it comes again
	}
	name := ""
	if o.Charset != "" {
		if name, err = Charset(o.Charset); err != nil {
			return nil, err
		}
	}
	if m := charsetMark(head, name); m.name != "" {
		name = m.name
		if _, err := s.Discard(len(m.mark)); err != nil {
			return nil, err
		}
	}
	taken := guess && name == "" && isWindows1252(head)
	if taken {
		name = "windows-1252"
		notes = append(notes, dataset.Note{Message: dataset.Messagef("the text is no UTF-8, and is read as %s; for another encoding give %s", name, dataset.Option{Name: "Charset"})})
	}
	if name != "" && name != "utf-8" {
		var e encoding.Encoding = charmap.Windows1252
		switch {
		case utf32s[name] != nil:
			e = utf32s[name]
		case name == "utf-16le":
			e = unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM)
		case name == "utf-16be":
			e = unicode.UTF16(unicode.BigEndian, unicode.IgnoreBOM)
		case !taken:
			if e, err = htmlindex.Get(name); err != nil {
				return nil, err
			}
		}
		s.through(e.NewDecoder())
	}
	if head, _ := s.Peek(bufferSize); returnsAlone(head) {
		s.through(lineEnds{})
	}
	return notes, nil
}

// through has what is still to be read go through a transformer.
func (s *source) through(t transform.Transformer) {
	s.Reader = bufio.NewReaderSize(transform.NewReader(s.Reader, t), bufferSize)
	s.file, s.whole, s.ahead = nil, nil, nil
}

// recoded reports whether a file that ranks would cut has to be decoded as a whole.
func (s *source) recoded(o Options) bool {
	head, _ := s.Peek(bufferSize) // an error comes again
	return charsetMark(head, "").name != "" || o.Charset != "" || isWindows1252(head) || returnsAlone(head)
}

// returnsAlone reports whether the lines of a text end in carriage returns alone, as on old Macs.
func returnsAlone(head []byte) bool {
	return bytes.IndexByte(head, '\r') >= 0 && bytes.IndexByte(head, '\n') < 0
}

// isWindows1252 reports whether a text, or its beginning, has bytes beyond ASCII of which none are letters in UTF-8, all are in windows-1252, and
// no control characters but those of text.
func isWindows1252(head []byte) bool {
	beyond, cut := false, len(head) == bufferSize
	for len(head) > 0 {
		r, size := utf8.DecodeRune(head)
		switch c := head[0]; {
		case cut && !utf8.FullRune(head):
			return beyond // a letter of UTF-8 whose rest is not here, if it is one
		case size > 1, c < ' ' && c != '\t' && c != '\r' && c != '\n' && c != '\f' && c != 0x1a, bytes.IndexByte([]byte("\x81\x8d\x8f\x90\x9d"), c) >= 0:
			return false
		case r == utf8.RuneError:
			beyond = true
		}
		head = head[size:]
	}
	return beyond
}

// lineEnds makes a line end of each carriage return.
type lineEnds struct{ transform.NopResetter }

func (lineEnds) Transform(dst, src []byte, _ bool) (written, read int, err error) {
	n := copy(dst, src)
	for k, c := range dst[:n] {
		if c == '\r' {
			dst[k] = '\n'
		}
	}
	if n < len(src) {
		err = transform.ErrShortDst
	}
	return n, n, err
}
