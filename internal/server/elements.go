package server

import (
	"cmp"
	"encoding/json"
)

// each calls visit with every element of the tensor's JSON, which must be n: a flat array,
// or arrays nested as the shape is.
func (t *inputTensor) each(n int, visit func(token []byte) error) error {
	text := t.Data // valid JSON, of encoding/json
	if len(text) == 0 || text[0] != '[' {
		return bad("input %q has no data: give an array, or binary_data_size and the bytes behind the JSON", t.Name)
	}
	var counts []int64 // of the elements of the arrays that are open
	seen, nested, flat := 0, false, false
	for at := 0; at < len(text); {
		switch c := text[at]; c {
		case ' ', '\t', '\r', '\n', ',':
			at++
		case '[':
			if len(counts) > 0 {
				counts[len(counts)-1]++
				nested = true
			}
			if counts = append(counts, 0); len(counts) > len(t.Shape) {
				return t.wrongNesting()
			}
			at++
		case ']':
			depth := len(counts) - 1
			if nested && counts[depth] != t.Shape[depth] {
				return t.wrongNesting()
			}
			counts = counts[:depth]
			at++
		case '{':
			return bad("input %q has an object among its data: give numbers or texts", t.Name)
		default:
			end := at + tokenLength(text[at:])
			if seen++; seen > n {
				return bad("input %q has more elements than the %d of its shape %v", t.Name, n, t.Shape)
			}
			counts[len(counts)-1]++
			flat = flat || len(counts) == 1
			if nested && (flat || len(counts) != len(t.Shape)) {
				return t.wrongNesting()
			}
			if err := visit(text[at:end]); err != nil {
				return err
			}
			at = end
		}
	}
	if seen != n {
		return bad("input %q has %d elements, its shape %v says %d", t.Name, seen, t.Shape, n)
	}
	if nested && flat {
		return t.wrongNesting()
	}
	return nil
}

func (t *inputTensor) wrongNesting() error {
	return bad("input %q: the arrays of its data are not nested as its shape %v says: nest them so, or give one flat array", t.Name, t.Shape)
}

// tokenLength returns the length of the number, word or text that valid JSON begins with.
func tokenLength(text []byte) int {
	if text[0] != '"' {
		for at, c := range text {
			if c == ',' || c == ']' || c == ' ' || c == '\n' || c == '\t' || c == '\r' {
				return max(at, 1)
			}
		}
		return len(text)
	}
	for at := 1; at < len(text); at++ {
		switch text[at] {
		case '\\':
			at++
		case '"':
			return at + 1
		}
	}
	return len(text)
}

// unmarshal reads JSON of a request, and says in words what is wrong with it.
func unmarshal(text []byte, to any) error {
	err := json.Unmarshal(text, to)
	switch e := err.(type) {
	case nil:
		return nil
	case *json.SyntaxError:
		return bad("the JSON is broken at byte %d: %v", e.Offset, e)
	case *json.UnmarshalTypeError:
		return bad("the JSON is of another type than it must be at byte %d, %s for %s: see /openapi.json", e.Offset, e.Value, cmp.Or(e.Field, "an object"))
	}
	return bad("the JSON is broken: %v", err)
}
