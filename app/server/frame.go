package server

import (
	"bytes"
	"context"
	"errors"
	"io"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"
)

// frame goes through the JSON of a request once, token by token: only what the request may have
// is kept, and counted before there is more of it. What is long, as data are, is a part of the
// body, and read later as numbers.
type frame struct {
	*jsontext.Decoder
	ctx  context.Context // of the request
	body []byte
}

// Most of what the JSON of a request may have.
const (
	longestName = 16 << 10 // bytes of a name, an id or a datatype
	mostSides   = 16       // of a shape
	mostOutputs = 16
	spareInputs = 16 // beyond those that the model takes, which an error names
)

func frameOf(ctx context.Context, body []byte) frame {
	return frame{jsontext.NewDecoder(bytes.NewBuffer(body), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true)), ctx, body}
}

// span is a part of a body.
type span struct {
	text []byte
	at   int // bytes before it
}

// value returns the next value as it is written.
func (f frame) value() (span, error) {
	text, err := f.ReadValue()
	if err != nil {
		return span{}, f.broken(err)
	}
	return span{text, int(f.InputOffset()) - len(text)}, nil
}

// skip leaves a value out.
func (f frame) skip() error { return f.broken(f.SkipValue()) }

// broken says in words why the JSON cannot be read.
func (f frame) broken(err error) error {
	var e *jsontext.SyntacticError
	switch {
	case err == nil:
		return nil
	case !errors.As(err, &e) || errors.Is(err, io.ErrUnexpectedEOF):
		return bad("the JSON is broken at byte %d: it ends before its end", len(f.body))
	}
	at := min(int(e.ByteOffset), len(f.body))
	if why := noJSON(f.body[at:]); why != "" {
		return broken(at, why)
	}
	return broken(at, e.Err.Error())
}

// wrong says that a value is of another type than it must be.
func (f frame) wrong(field, want string) error {
	kinds := map[byte]string{'n': "null", 't': "bool", 'f': "bool", '"': "string", '0': "number", '[': "array", '{': "object"}
	kind, known := kinds[byte(f.PeekKind())]
	if !known {
		return f.skip() // which is broken
	}
	at := int(f.InputOffset())
	return wrongType(at+skipped(f.body[at:]), kind, field, want)
}

func wrongType(at int, kind, field, want string) error {
	return bad("the JSON is of another type than it must be at byte %d, %s for %s (%s): see /openapi.json", at+1, kind, want, field)
}

// skipped returns how many bytes come before the next value.
func skipped(text []byte) int {
	at := blanks(text)
	if at < len(text) && (text[at] == ',' || text[at] == ':') {
		at++
		at += blanks(text[at:])
	}
	return at
}

// isNull reports whether null comes, and leaves it out: it is as good as nothing.
func (f frame) isNull() bool { return f.PeekKind() == 'n' && f.SkipValue() == nil }

// object calls member with the key of each member of the object that comes; what no member
// takes is to be left out by [frame.skip].
func (f frame) object(field string, member func(key string) error) error {
	if f.isNull() {
		return nil
	}
	if f.PeekKind() != '{' {
		return f.wrong(field, "an object")
	}
	_, _ = f.ReadToken()
	for n := 1; f.PeekKind() != '}'; n++ {
		if n%1024 == 0 && f.ctx.Err() != nil {
			return f.ctx.Err()
		}
		key, err := f.value()
		if err != nil {
			return err
		}
		if err := member(keyOf(key.text)); err != nil {
			return err
		}
	}
	_, err := f.ReadToken()
	return f.broken(err)
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

// array calls element for each element of the array that comes, of which there must be no more
// than most.
func (f frame) array(field string, most int, element func() error) error {
	if f.isNull() {
		return nil
	}
	if f.PeekKind() != '[' {
		return f.wrong(field, "an array")
	}
	_, _ = f.ReadToken()
	for n := 0; f.PeekKind() != ']'; n++ {
		if n == most {
			return problemf(413, "the request has more than %d %s: see /openapi.json", most, field)
		}
		if err := element(); err != nil {
			return err
		}
	}
	_, err := f.ReadToken()
	return f.broken(err)
}

// text reads a short text.
func (f frame) text(field string, to *string) error {
	if f.isNull() {
		return nil
	}
	if f.PeekKind() != '"' {
		return f.wrong(field, "a text")
	}
	quoted, err := f.value()
	if err != nil {
		return err
	}
	if len(quoted.text) > longestName {
		return bad("the %s has %d bytes, %d at most: shorten it", field, len(quoted.text), longestName)
	}
	text, _ := jsontext.AppendUnquote(nil, quoted.text) // what is no UTF-8 is replaced
	*to = string(text)
	return nil
}

// whole reads a whole number.
func (f frame) whole(field string, to *int64) error {
	if f.PeekKind() != '0' {
		return f.wrong(field, "a whole number")
	}
	number, err := f.value()
	if err != nil {
		return err
	}
	if *to, err = strconv.ParseInt(string(number.text[:min(len(number.text), 20)]), 10, 64); err != nil || len(number.text) > 20 {
		return wrongType(number.at, "number "+shown(number.text), field, "a whole number")
	}
	return nil
}

// boolean reads true or false.
func (f frame) boolean(field string, to *bool) error {
	if f.isNull() {
		return nil
	}
	kind := f.PeekKind()
	if kind != 't' && kind != 'f' {
		return f.wrong(field, "true or false")
	}
	*to = kind == 't'
	return f.skip()
}

// end reports what comes behind the JSON.
func (f frame) end() error {
	if _, err := f.ReadToken(); err != io.EOF {
		return broken(int(f.InputOffset())+blanks(f.body[f.InputOffset():]), "something follows the object")
	}
	return nil
}

// readFrame reads the JSON of an inference by a model of so many inputs.
func readFrame(ctx context.Context, body []byte, inputs int) (*inferRequest, error) {
	f, request := frameOf(ctx, body), new(inferRequest)
	err := f.object("the request", func(key string) error {
		switch key {
		case "id":
			return f.text("id", &request.ID)
		case "parameters":
			return f.object("parameters", func(key string) error {
				if key == "binary_data_output" {
					return f.boolean(key, &request.Parameters.Binary)
				}
				return f.skip()
			})
		case "inputs":
			request.Inputs = nil
			return f.array("inputs", inputs+spareInputs, func() error {
				request.Inputs = append(request.Inputs, inputTensor{})
				return f.input(&request.Inputs[len(request.Inputs)-1])
			})
		case "outputs":
			request.Outputs = nil
			return f.array("outputs", mostOutputs, func() error {
				request.Outputs = append(request.Outputs, wantedTensor{})
				return f.output(&request.Outputs[len(request.Outputs)-1])
			})
		}
		return f.skip()
	})
	if err != nil {
		return nil, err
	}
	return request, f.end()
}

// input reads a tensor.
func (f frame) input(t *inputTensor) error {
	return f.object("input", func(key string) error {
		switch key {
		case "name":
			return f.text("name of an input", &t.Name)
		case "datatype":
			return f.text("datatype", &t.Datatype)
		case "shape":
			t.Shape = nil
			return f.array("sides of a shape", mostSides, func() error {
				t.Shape = append(t.Shape, 0)
				return f.whole("shape", &t.Shape[len(t.Shape)-1])
			})
		case "parameters":
			return f.object("parameters", func(key string) error {
				switch {
				case key != "binary_data_size":
					return f.skip()
				case f.isNull():
					return nil
				}
				t.Parameters.Size = new(int64)
				return f.whole(key, t.Parameters.Size)
			})
		case "data":
			if f.isNull() {
				return nil
			}
			data, err := f.value()
			t.Data, t.at = []byte(data.text), data.at
			return err
		}
		return f.skip()
	})
}

// output reads what is asked of an output.
func (f frame) output(t *wantedTensor) error {
	return f.object("output", func(key string) error {
		switch key {
		case "name":
			return f.text("name of an output", &t.Name)
		case "parameters":
			return f.object("parameters", func(key string) error {
				switch {
				case key != "binary_data":
					return f.skip()
				case f.isNull():
					return nil
				}
				t.Parameters.Binary = new(bool)
				return f.boolean(key, t.Parameters.Binary)
			})
		}
		return f.skip()
	})
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
