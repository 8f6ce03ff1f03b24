package files

import (
	"bytes"
	"errors"
	"io"
	"math"
	"slices"

	"github.com/go-json-experiment/json/jsontext"

	"lapsvm/dataset/internal/number"
	"lapsvm/dataset/internal/quote"
)

// jsonObject is one object, on one line or on several. It may be read more than once.
type jsonObject struct {
	src    *source
	line   int // where the object begins
	column int // bytes before it on that line
	text   []byte

	decoder *jsontext.Decoder
	buffer  bytes.Buffer // what the decoder reads: text, which is not copied
	at      int          // where the value last read begins in text
}

// from makes o the object of some text.
func (o *jsonObject) from(src *source, line, column int, text []byte) *jsonObject {
	o.src, o.line, o.column, o.text = src, line, column, text
	return o
}

// errorf returns an error at a byte of the object.
func (o *jsonObject) errorf(at int, message string, args ...any) error {
	before := o.text[:at]
	if k := bytes.LastIndexByte(before, '\n'); k >= 0 {
		return o.src.Errorf(o.line+bytes.Count(before, []byte("\n")), at-k, message, args...)
	}
	return o.src.Errorf(o.line, o.column+at+1, message, args...)
}

// broken returns the error of text that the decoder cannot read.
func (o *jsonObject) broken(err error) error {
	begin := int(o.decoder.InputOffset())
	at := len(o.text)
	if e, is := errors.AsType[*jsontext.SyntacticError](err); is {
		at, err = int(e.ByteOffset), e.Err
	}
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		if begin += len(o.text[begin:]) - len(bytes.TrimLeft(o.text[begin:], blanks+",:")); begin < at && bytes.IndexByte([]byte(`"[{`), o.text[begin]) >= 0 {
			return o.errorf(begin, "%c opens here and is never closed; close it", o.text[begin])
		}
		return o.errorf(at, "the object's } is missing; write one JSON object on each line")
	}
	const delimiters = blanks + ",:\"[]{}"
	first, word := bytes.LastIndexAny(o.text[:at], delimiters)+1, o.text[at:]
	if k := bytes.IndexAny(word, delimiters); k >= 0 {
		word = word[:k]
	}
	word = o.text[first : at+len(word)]
	before := o.text[min(begin, first):first] // of the word, behind what was read
	quoted, apart := bytes.Count(before, []byte{'"'})%2 == 1, first < begin || bytes.ContainsAny(before, ",:[")
	if apart && !quoted && len(word) > 0 && !jsontext.Value(word).IsValid() {
		return o.errorf(first, "%s is no JSON value; write a number, a string in double quotes, true, false or null", quote.Field(word))
	}
	return o.errorf(at, "this is no JSON object (%v); correct it", err)
}

// members calls f with each key and the byte where the key begins; f reads the value. The keys of an
// object inside, as far as these lie no deeper than deepestKey, stand behind its own and a point.
func (o *jsonObject) members(f func(key []byte, at int) error) error {
	o.buffer = *bytes.NewBuffer(o.text)
	if o.decoder == nil {
		o.decoder = new(jsontext.Decoder)
	}
	o.decoder.Reset(&o.buffer, jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	if o.decoder.PeekKind() != '{' {
		return o.errorf(len(o.text)-len(bytes.TrimLeft(o.text, blanks)), "the object's { is missing; write one JSON object on each line")
	}
	if _, err := o.decoder.ReadToken(); err != nil {
		return o.broken(err)
	}
	if err := o.inside(nil, 1, f); err != nil {
		return err
	}
	if rest := bytes.TrimLeft(o.text[o.decoder.InputOffset():], blanks); len(rest) > 0 {
		return o.errorf(len(o.text)-len(rest), "something follows the object; write one JSON object on each line")
	}
	return nil
}

// deepestKey is how deep objects lie whose keys are columns.
const deepestKey = 8

// inside is members for an object whose { has been read, at a depth and under a key, with the point
// behind it.
func (o *jsonObject) inside(under []byte, depth int, f func(key []byte, at int) error) error {
	for o.decoder.PeekKind() != '}' {
		key, _, err := o.value()
		if err != nil {
			return err
		}
		at := o.at
		if depth > 1 {
			key = append(under[:len(under):cap(under)], key...)
		}
		if o.decoder.PeekKind() != '{' || depth == deepestKey || o.src.closed[string(key)] {
			err = f(key, at)
		} else if _, err = o.decoder.ReadToken(); err != nil {
			err = o.broken(err)
		} else {
			err = o.inside(append(slices.Clip(key), '.'), depth+1, f)
		}
		if err != nil {
			return err
		}
	}
	if _, err := o.decoder.ReadToken(); err != nil {
		return o.broken(err)
	}
	return nil
}

// blanks are the characters that may be between JSON's.
const blanks = " \t\r\n"

// value reads a value. It returns the text of the value, which is what a string says, and the kind.
func (o *jsonObject) value() (text []byte, kind jsontext.Kind, err error) {
	text, err = o.decoder.ReadValue()
	if err != nil {
		return nil, 0, o.broken(err)
	}
	o.at = int(o.decoder.InputOffset()) - len(text)
	if kind = jsontext.Value(text).Kind(); kind == '"' {
		text = unquoted(text)
	}
	return text, kind, nil
}

// unquoted returns what a string says.
func unquoted(text []byte) []byte {
	if bytes.IndexByte(text, '\\') < 0 {
		return text[1 : len(text)-1]
	}
	text, _ = jsontext.AppendUnquote(nil, text) // what is no UTF-8 is replaced
	return text
}

// numbers appends an array of numbers, where booleans are 1 and 0.
func (o *jsonObject) numbers(to *[]float64) error {
	text, kind, err := o.value()
	switch {
	case err != nil:
		return err
	case kind != '[':
		return o.errorf(o.at, "the array of numbers is missing; write one JSON object on each line")
	}
	for at := 1; ; at++ { // behind the bracket or a comma
		for isBlank(text[at]) {
			at++
		}
		from := at
		for text[at] != ',' && text[at] != ']' && !isBlank(text[at]) {
			at++
		}
		if at == from { // the array is empty
			return nil
		}
		v, err := o.element(text[from:at], o.at+from)
		if err != nil {
			return err
		}
		if err := o.src.Take(8, "the numbers of the vectors"); err != nil {
			return err
		}
		*to = append(*to, v)
		for isBlank(text[at]) {
			at++
		}
		if text[at] == ']' {
			return nil
		}
	}
}

func isBlank(c byte) bool { return c == ' ' || c == '\t' || c == '\r' || c == '\n' }

// element reads a number or boolean of a vector. Of another element text is the beginning.
func (o *jsonObject) element(text []byte, at int) (float64, error) {
	switch text[0] {
	case 't':
		return 1, nil
	case 'f':
		return 0, nil
	case '"', '[', '{', 'n':
		whole, _ := jsontext.NewDecoder(bytes.NewBuffer(o.text[at:]), jsontext.AllowInvalidUTF8(true), jsontext.AllowDuplicateNames(true)).ReadValue()
		if text[0] == '"' {
			whole = unquoted(whole)
		}
		return 0, o.errorf(at, "the vector holds %s; give it numbers only", quote.Field(whole))
	}
	v, err := number.ParseBytes(text)
	if err != nil || math.IsInf(v, 0) {
		problem, _ := number.Problem(text, err)
		return 0, o.errorf(at, "%q: %s", vectorKey, problem)
	}
	return v, nil
}
