package xml

import (
	"bytes"
	stdxml "encoding/xml"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"strings"
	"testing"
	"testing/iotest"

	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/unicode"
)

var wide = Bounds{Token: 1 << 20, Depth: 100}

// told returns what a scanner says of a document, in one line for each token, with texts joined.
func told(r io.Reader, b Bounds) (string, error) { return toldOf(NewScanner(r, b)) }

func toldOf(s *Scanner) (string, error) {
	var out, text strings.Builder
	flush := func() {
		if text.Len() > 0 {
			fmt.Fprintf(&out, "text %q\n", text.String())
			text.Reset()
		}
	}
	for {
		kind, err := s.Next()
		if err == io.EOF {
			return out.String(), nil
		}
		if err != nil {
			return "", err
		}
		switch kind {
		case Text:
			text.Write(s.Text())
		case Start:
			flush()
			fmt.Fprintf(&out, "start %s|%s", s.Name().Prefix, s.Name().Local)
			for _, a := range s.Attrs() {
				fmt.Fprintf(&out, " %s|%s=%q", a.Name.Prefix, a.Name.Local, a.Value)
			}
			out.WriteString("\n")
		case End:
			flush()
			fmt.Fprintf(&out, "end %s|%s\n", s.Name().Prefix, s.Name().Local)
		}
	}
}

// toldByGo returns the same of encoding/xml.
func toldByGo(document []byte) (string, error) {
	d := stdxml.NewDecoder(bytes.NewReader(bytes.TrimPrefix(document, []byte("\xef\xbb\xbf"))))
	var out, text strings.Builder
	flush := func() {
		if text.Len() > 0 {
			fmt.Fprintf(&out, "text %q\n", text.String())
			text.Reset()
		}
	}
	depth := 0
	for {
		t, err := d.RawToken()
		if err == io.EOF {
			return out.String(), nil
		}
		if err != nil {
			return "", err
		}
		switch t := t.(type) {
		case stdxml.CharData:
			if depth > 0 {
				text.Write(t)
			}
		case stdxml.StartElement:
			flush()
			depth++
			fmt.Fprintf(&out, "start %s|%s", t.Name.Space, t.Name.Local)
			for _, a := range t.Attr {
				fmt.Fprintf(&out, " %s|%s=%q", a.Name.Space, a.Name.Local, a.Value)
			}
			out.WriteString("\n")
		case stdxml.EndElement:
			flush()
			depth--
			fmt.Fprintf(&out, "end %s|%s\n", t.Name.Space, t.Name.Local)
		}
	}
}

// document writes a random one.
type document struct {
	*rand.Rand
	strings.Builder
}

func (d *document) one(of ...string) string { return of[d.IntN(len(of))] }

func (d *document) text(most int, further ...string) {
	for range d.IntN(most) {
		d.WriteString(d.one(append([]string{"a", "12.5", " ", "\n", "\t", "\r\n", "\r", "ü", "日本", "\U0001f600", "&lt;", "&amp;", "&#65;", "&#x1F600;", "&quot;", ">", "]", "]]", "abcdefghijklmnopqrstuvwxyz"}, further...)...))
	}
}

func (d *document) blank() string { return d.one("", "", " ", "\n", "\t ") }

func (d *document) element(depth int) {
	name := d.one("a", "b", "t:cell", "t:row", "x-y.z", "grün", "_1")
	d.WriteString("<" + name)
	for k, attr := range []string{"r", "s", "o:value", "o:type", "längs", "xmlns:q"} {
		if d.IntN(3) == 0 {
			quote := d.one(`"`, `'`)
			d.WriteString(d.one(" ", "\n ") + attr + d.blank() + "=" + d.blank() + quote)
			d.text(k + 2)
			d.WriteString(quote)
		}
	}
	d.WriteString(d.blank())
	if d.IntN(4) == 0 {
		d.WriteString("/>")
		return
	}
	d.WriteString(">")
	for range d.IntN(5) {
		switch d.IntN(6) {
		case 0:
			d.text(8, `"`, `'`)
			d.WriteString(" ")
		case 1:
			d.WriteString("<!-- a - b <c> & -->")
		case 2:
			d.WriteString("<![CDATA[ <x> & ]] > \r\n\r ]]>")
		case 3:
			d.WriteString("<?go on <a> ?>")
		default:
			if depth < 6 {
				d.element(depth + 1)
			}
		}
	}
	d.WriteString("</" + name + d.blank() + ">")
}

// Of random documents the scanner tells what encoding/xml does, however they come.
func TestScannerAsGo(t *testing.T) {
	for seed := range uint64(300) {
		d := &document{Rand: rand.New(rand.NewPCG(seed, 1))}
		d.WriteString(d.one("", "\xef\xbb\xbf") + d.one("", "<?xml version=\"1.0\" encoding='UTF-8'?>") + d.one("", "\n", "<!-- x -->") + d.one("", "<!DOCTYPE a [<!ELEMENT a (#PCDATA)> <!-- > ' --> ]>"))
		d.element(0)
		d.WriteString(d.one("", "\n", "<!-- y -->", "<?z?>"))
		text := d.String()
		want, err := toldByGo([]byte(text))
		if err != nil {
			t.Fatalf("%q: %v", text, err)
		}
		for name, r := range map[string]io.Reader{"whole": strings.NewReader(text), "bytes": iotest.OneByteReader(strings.NewReader(text)), "late end": iotest.DataErrReader(strings.NewReader(text))} {
			if got, err := told(r, wide); err != nil || got != want {
				t.Fatalf("%s %q: %v\n%s\nwant\n%s", name, text, err, got, want)
			}
		}
		// Each place where more has to be read
		for cut := 1; cut < len(text); cut += 1 + len(text)/12 {
			s := NewScanner(strings.NewReader(text[cut:]), wide)
			s.buf = []byte(text[:cut])
			if got, err := toldOf(s); err != nil || got != want {
				t.Fatalf("cut at %d %q: %v\n%s\nwant\n%s", cut, text, err, got, want)
			}
			if _, err := told(strings.NewReader(text[:cut]), wide); err == nil && strings.Count(text[cut:], ">") > 1 {
				t.Fatalf("%q is taken for whole", text[:cut])
			}
		}
	}
}

func TestScannerRefuses(t *testing.T) {
	for document, want := range map[string]Cause{
		"":                                  Damaged,
		"text":                              Damaged,
		"<a>":                               Damaged,
		"<a></b>":                           Damaged,
		"<a></ab>":                          Damaged,
		"</a>":                              Damaged,
		"<a/><b/>":                          Damaged,
		"<a/>text":                          Damaged,
		"<a b=c/>":                          Damaged,
		"<a b/>":                            Damaged,
		`<a b="1"c="2"/>`:                   Damaged,
		`<a b="1" b="2"/>`:                  Damaged,
		`<a b="<"/>`:                        Damaged,
		"<a>&b;</a>":                        Damaged,
		"<a>& b</a>":                        Damaged,
		"<a>&#0;</a>":                       Damaged,
		"<a>&#xD800;</a>":                   Damaged,
		"<a>&#xFFFFFFFFFFFFFFF;</a>":        Damaged,
		"<a>]]></a>":                        Damaged,
		"<a>\x01</a>":                       Damaged,
		"<a><!-- -- --></a>":                Damaged,
		"<a:b:c/>":                          Damaged,
		"<:a/>":                             Damaged,
		"<1/>":                              Damaged,
		"< a/>":                             Damaged,
		"<a><!DOCTYPE a></a>":               Damaged,
		"<a><!x></a>":                       Damaged,
		"<a><?xml version='1.0'?></a>":      Damaged,
		"<?xml version='1.1'?><a/>":         Damaged,
		"<a>\xff</a>":                       Encoded,
		"<a b='\xc3'/>":                     Encoded,
		"<?xml encoding='x-none'?><a/>":     Encoded,
		"<?xml encoding='UTF-16'?><a/>":     Encoded,
		"<?xml encoding='gb18030'?><a>\xff": Encoded,
		"<a>" + strings.Repeat("b", 3<<20):  TooMuch,
		strings.Repeat("<a>", 200):          TooMuch,
		"<a b='" + strings.Repeat("b", 3<<20) + "'/>":  TooMuch,
		"<a><!--" + strings.Repeat("b", 3<<20) + "-->": TooMuch,
		`<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>`:     Damaged,
	} {
		_, err := told(strings.NewReader(document), wide)
		var e *Error
		if !errors.As(err, &e) || e.Cause != want {
			t.Errorf("%.60q: %v", document, err)
		}
	}
	idle := NewScanner(strings.NewReader("<a>"+strings.Repeat("<b/>", 1<<20)), Bounds{Token: 100, Depth: 9, Idle: 1 << 20})
	if _, err := toldOf(idle); err == nil || !strings.Contains(err.Error(), "1 MiB hold no value") {
		t.Error(err)
	}
	many := "<a>"
	for k := range 40_000 {
		many += fmt.Sprintf("<n%d/>", k)
	}
	if _, err := told(strings.NewReader(many), wide); err == nil || !strings.Contains(err.Error(), "names") {
		t.Error(err)
	}
	if _, err := told(iotest.ErrReader(os.ErrPermission), wide); err != os.ErrPermission {
		t.Error(err)
	}
}

// A document in another encoding is read as it says, and its line is that of the file.
func TestEncodings(t *testing.T) {
	const text = "<a b=\"ü\">\nœ&#65;</a>"
	const want = "start |a |b=\"ü\"\ntext \"\\nœA\"\nend |a\n"
	for name, document := range map[string]string{
		"mark":   "\xef\xbb\xbf" + text,
		"latin":  "<?xml version='1.0' encoding='windows-1252'?>" + encoded(t, charmap.Windows1252.NewEncoder().String, text),
		"big":    encoded(t, unicode.UTF16(unicode.BigEndian, unicode.ExpectBOM).NewEncoder().String, "<?xml version='1.0' encoding='UTF-16'?>"+text),
		"little": encoded(t, unicode.UTF16(unicode.LittleEndian, unicode.ExpectBOM).NewEncoder().String, text),
		"bare":   encoded(t, unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM).NewEncoder().String, text),
	} {
		if got, err := told(strings.NewReader(document), wide); err != nil || got != want {
			t.Errorf("%s: %v %s", name, err, got)
		}
	}
	s := NewScanner(strings.NewReader("<?xml version='1.0' encoding='ISO-8859-1'?>"+text), wide)
	s.Decoded()
	if got, err := toldOf(s); err != nil || got != want {
		t.Error(err, got)
	}
}

func encoded(t *testing.T, encode func(string) (string, error), text string) string {
	t.Helper()
	out, err := encode(text)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// A prefix stands for the namespace that is declared last around it.
func TestSpaces(t *testing.T) {
	s := NewScanner(strings.NewReader(`<a xmlns="u" xmlns:p="v"><p:b/><p:b xmlns:p="w"><p:b/></p:b><p:b/><q:b/><c xmlns=""/><c/></a>`), wide)
	var got []string
	for {
		kind, err := s.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		if kind == Start {
			got = append(got, s.Space(s.Name()))
		}
	}
	if want := "u v w w v q  u"; strings.Join(got, " ") != want {
		t.Errorf("%q", got)
	}
}

// Where a document is, and what is around.
func TestPlaces(t *testing.T) {
	s := NewScanner(strings.NewReader("<a>\n<b\n><c/>\n<d>x<e>y</e></d></b>\n</a>"), wide)
	var got strings.Builder
	for {
		kind, err := s.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		if kind != Start {
			continue
		}
		fmt.Fprintf(&got, "%s %d %d", s.Name().Local, s.Line(), s.Depth())
		if p := s.Parent(1); p != nil {
			got.WriteString(" in " + p.Local)
		}
		got.WriteString("; ")
		if s.Name().Local == "d" {
			if err := s.Skip(); err != nil || s.Depth() != 2 {
				t.Error(err, s.Depth())
			}
		}
	}
	if got.String() != "a 1 1; b 3 2 in a; c 3 3 in b; d 4 3 in b; " {
		t.Error(got.String())
	}
}

// What the scanner reads is what encoding/xml reads.
func FuzzScanner(f *testing.F) {
	for seed := range uint64(20) {
		d := &document{Rand: rand.New(rand.NewPCG(seed, 2))}
		d.element(3)
		f.Add([]byte(d.String()))
	}
	f.Add([]byte("<?xml version='1.0' encoding='utf-8'?><!DOCTYPE a [<!ENTITY b 'c'>]><a/>"))
	for _, inside := range []string{`a "b>" '>'`, "a [<!ENTITY b '<'> <!-- ' > -->]", "a <b <c> d>", "a [<?b c?>]", `a [<?b "?>]`, "a [<?b <c?>]", "a <?>", "a <!-->-->", `a "<?"`, "<!-'--'>"} {
		f.Add([]byte("<!DOCTYPE " + inside + "><a>b</a>"))
	}
	f.Fuzz(func(t *testing.T, document []byte) {
		got, err := told(bytes.NewReader(document), Bounds{Token: 1 << 16, Depth: 50})
		if slow, other := told(iotest.OneByteReader(bytes.NewReader(document)), Bounds{Token: 1 << 16, Depth: 50}); slow != got || (err == nil) != (other == nil) {
			t.Fatalf("%v %v\n%s\n%s", err, other, got, slow)
		}
		if err != nil {
			return
		}
		want, other := toldByGo(document)
		if other != nil && !strings.Contains(other.Error(), "encoding") && !strings.Contains(other.Error(), "name") && document[0] != 0xff && document[0] != 0xfe && !bytes.Contains(document, []byte{0}) {
			t.Fatalf("encoding/xml refuses it: %v\n%s", other, got)
		}
		if other == nil && got != want {
			t.Fatalf("%s\nwant\n%s", got, want)
		}
	})
}
