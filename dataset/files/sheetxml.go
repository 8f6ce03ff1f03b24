package files

import (
	"archive/zip"
	"encoding/xml"
	"io"
	"strings"

	"lapsvm/dataset/internal/quote"
)

// maxToken is how many bytes of XML one tag or one run of text may take.
const maxToken = 1 << 22

// sheetXML reads the XML of a part of a workbook, tag by tag, in bounded memory. Entities other than those of XML
// itself are errors, so that none expands.
type sheetXML struct {
	src   *source
	name  string // of the part
	r     io.ReadCloser
	dec   *xml.Decoder
	since int // bytes read since the last token
}

// openXML opens a part of a workbook.
func (s *source) openXML(f *zip.File) (*sheetXML, error) {
	x := &sheetXML{src: s, name: f.Name}
	if f.Flags&1 != 0 {
		return nil, s.Errorf(0, 0, "the part %q is encrypted; save the workbook without a password", f.Name)
	}
	var err error
	if x.r, err = f.Open(); err != nil {
		return nil, x.damaged(err)
	}
	x.dec = xml.NewDecoder(x)
	x.dec.CharsetReader = func(charset string, r io.Reader) (io.Reader, error) {
		if strings.EqualFold(charset, "us-ascii") {
			return r, nil
		}
		return nil, s.Errorf(0, 0, "the part %q is written in %s; save the workbook again, which makes it UTF-8", f.Name, quote.Field([]byte(charset)))
	}
	return x, nil
}

func (x *sheetXML) Read(p []byte) (int, error) {
	if x.since > maxToken {
		return 0, x.src.Errorf(0, 0, "a cell or a tag of the part %q is longer than %d MiB; check how the file was made", x.name, maxToken>>20)
	}
	if err := x.src.Going(0); err != nil {
		return 0, err
	}
	n, err := x.r.Read(p)
	x.since += n
	return n, err
}

// next returns the next tag or text, valid until the next call; io.EOF after the last.
func (x *sheetXML) next() (xml.Token, error) {
	t, err := x.dec.RawToken()
	x.since = 0
	if err != nil && err != io.EOF {
		return nil, x.damaged(err)
	}
	return t, err
}

// within calls f for the tags and texts up to the end of the part.
func (x *sheetXML) each(f func(xml.Token) error) error {
	for {
		t, err := x.next()
		if err == io.EOF {
			return nil
		}
		if err == nil {
			err = f(t)
		}
		if err != nil {
			return err
		}
	}
}

// tag returns the next tag or text, where there must be one.
func (x *sheetXML) tag() (xml.Token, error) {
	t, err := x.next()
	if err == io.EOF {
		return nil, x.damaged(io.ErrUnexpectedEOF)
	}
	return t, err
}

func (x *sheetXML) damaged(err error) error {
	if err == io.EOF { // of the zip archive
		err = io.ErrUnexpectedEOF
	}
	return checkedReader{nil, x.src, "the part " + quote.Field([]byte(x.name)) + " is damaged or cut off (%v); fetch or save the file again"}.wrap(err)
}

// attr returns an attribute of a tag by its name, whatever its prefix; "" where it is missing.
func attr(t xml.StartElement, name string) string {
	for k := range t.Attr {
		if t.Attr[k].Name.Local == name {
			return t.Attr[k].Value
		}
	}
	return ""
}
