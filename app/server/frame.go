package server

import (
	"cmp"
	"context"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"
)

// frame goes through the JSON of a request once: only what the request may have
// is kept, and counted before there is more of it. What is long, as data are, is a part of the
// body, and read later as numbers.
type frame struct{ scanner }

// Most of what the JSON of a request may have.
const (
	longestName = 16 << 10 // bytes of a name, an id or a datatype
	mostSides   = 16       // of a shape
	mostOutputs = 16
	spareInputs = 16 // beyond those that the model takes, which an error names
)

func frameOf(ctx context.Context, body []byte) *frame {
	return &frame{scanner{ctx: ctx, body: body}}
}

// span is a part of a body.
type span struct {
	text []byte
	at   int // bytes before it
}

// wrong says that a value is of another type than it must be.
func (f *frame) wrong(field, want string) error {
	kind := map[byte]string{'n': "null", 't': "bool", 'f': "bool", '"': "string", '[': "array", '{': "object"}[f.next()]
	at := f.at
	if err := f.skip(); err != nil {
		return err
	}
	return wrongType(at, cmp.Or(kind, "number"), field, want)
}

func wrongType(at int, kind, field, want string) error {
	return bad("the JSON has the wrong type at byte %d, %s for %s (%s): see /openapi.json", at+1, kind, want, field)
}

// object calls member with the key of each member of the object that comes; what no member
// takes is to be left out by [scanner.skip].
func (f *frame) object(field string, member func(key string) error) error {
	if f.isNull() {
		return nil
	}
	if f.next() != '{' {
		return f.wrong(field, "an object")
	}
	return f.each('{', func() error {
		key, err := f.key()
		if err != nil {
			return err
		}
		return member(keyOf(key))
	})
}

// elements calls element for each element of the array that comes, of which there must be no more
// than most.
func (f *frame) elements(field string, most int, element func() error) error {
	if f.isNull() {
		return nil
	}
	if f.next() != '[' {
		return f.wrong(field, "an array")
	}
	n := 0
	return f.each('[', func() error {
		if n++; n > most {
			return problemf(413, "the request has more than %d %s: see /openapi.json", most, field)
		}
		return element()
	})
}

// text reads a short text.
func (f *frame) text(field string, to *string) error {
	if f.isNull() {
		return nil
	}
	if f.next() != '"' {
		return f.wrong(field, "a text")
	}
	quoted, err := f.scalar()
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
func (f *frame) whole(field string, to *int64) error {
	if c := f.next(); c != '-' && !isDigit(c) {
		return f.wrong(field, "a whole number")
	}
	number, err := f.scalar()
	if err != nil {
		return err
	}
	if *to, err = strconv.ParseInt(string(number.text[:min(len(number.text), 20)]), 10, 64); err != nil || len(number.text) > 20 {
		return wrongType(f.at-len(number.text), "number "+shown(number.text), field, "a whole number")
	}
	return nil
}

// number reads a number.
func (f *frame) number(field string, to *float64) error {
	if f.isNull() {
		return nil
	}
	if c := f.next(); c != '-' && !isDigit(c) {
		return f.wrong(field, "a number")
	}
	number, err := f.scalar()
	if err != nil {
		return err
	}
	if *to, err = strconv.ParseFloat(string(number.text[:min(len(number.text), longestName)]), 64); err != nil || len(number.text) > longestName {
		return wrongType(f.at-len(number.text), "number "+shown(number.text), field, "a number of double precision")
	}
	return nil
}

// boolean reads true or false.
func (f *frame) boolean(field string, to *bool) error {
	if f.isNull() {
		return nil
	}
	kind := f.next()
	if kind != 't' && kind != 'f' {
		return f.wrong(field, "true or false")
	}
	*to = kind == 't'
	return f.skip()
}

// end reports what comes behind the JSON.
func (f *frame) end() error {
	if f.next(); f.at < len(f.body) {
		return broken(f.at, "something follows the object")
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
				switch key {
				case "binary_data_output":
					return f.boolean(key, &request.Parameters.Binary)
				case "interval":
					return f.number(key, &request.Parameters.Interval)
				}
				return f.skip()
			})
		case "inputs":
			if request.Inputs != nil {
				return bad("the request has inputs twice: give one array of them")
			}
			return f.elements("inputs", inputs+spareInputs, func() error {
				request.Inputs = append(request.Inputs, inputTensor{})
				return f.input(&request.Inputs[len(request.Inputs)-1])
			})
		case "outputs":
			request.Outputs = nil
			return f.elements("outputs", mostOutputs, func() error {
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
func (f *frame) input(t *inputTensor) error {
	return f.object("input", func(key string) error {
		switch key {
		case "name":
			return f.text("name of an input", &t.Name)
		case "datatype":
			return f.text("datatype", &t.Datatype)
		case "shape":
			t.Shape = nil
			return f.elements("sides of a shape", mostSides, func() error {
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
			switch {
			case t.Data != nil:
				return bad("input %q has data twice: give one", t.Name)
			case f.isNull():
				return nil
			case f.next() != '[':
				return f.wrong("data", "an array")
			}
			data, err := f.array()
			t.Data, t.at = data.text, data.at
			return err
		}
		return f.skip()
	})
}

// output reads what is asked of an output.
func (f *frame) output(t *wantedTensor) error {
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
