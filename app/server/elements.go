package server

import (
	"bytes"
	"cmp"
	"math"
	"strconv"
	"strings"
)

// token is an element as JSON has it: a number, word or text. An exact number is
// mantissa·10^power, below 0 if it begins with a minus.
type token struct {
	text     []byte
	mantissa uint64
	power    int
	exact    bool
}

// each calls visit with every element of the tensor's JSON, which must be n: a flat array,
// or arrays nested as the shape is. That the data are JSON has been seen.
func (t *inputTensor) each(n int, visit func(e token) error) error {
	text := t.Data
	if len(text) == 0 || text[0] != '[' {
		return bad("input %q has no data: give an array, or binary_data_size and the bytes behind the JSON", t.Name)
	}
	var counts []int64 // of the elements of the arrays that are open
	seen, nested, flat := 0, false, false
	behind := false // an element, so that a comma or bracket is to come
	for at := 0; at < len(text); {
		switch c := text[at]; {
		case c == ' ' || c == '\t' || c == '\r' || c == '\n':
			at++
		case c == ',' && behind:
			behind = false
			at++
			if next := at + blanks(text[at:]); next < len(text) && text[next] == ']' {
				return broken(t.at+next, "an element is missing behind the comma")
			}
		case c == ']':
			depth := len(counts) - 1
			if nested && counts[depth] != t.Shape[depth] {
				return t.wrongNesting()
			}
			counts, behind = counts[:depth], true
			if at++; depth == 0 && at < len(text) {
				return broken(t.at+at, "something follows the array")
			}
		case behind || c == ',' || c == '}':
			return broken(t.at+at, "a comma, or an element, is missing")
		case c == '[':
			if len(counts) > 0 {
				counts[len(counts)-1]++
				nested = true
			}
			if counts = append(counts, 0); len(counts) > len(t.Shape) {
				return t.wrongNesting()
			}
			at++
		case c == '{':
			return bad("input %q has an object among its data: give numbers or texts", t.Name)
		default:
			e, is := readToken(text[at:])
			if !is {
				return broken(t.at+at, noElement(text[at:]))
			}
			if seen++; seen > n {
				return bad("input %q has more elements than the %d of its shape %v", t.Name, n, t.Shape)
			}
			counts[len(counts)-1]++
			flat = flat || len(counts) == 1
			if nested && (flat || len(counts) != len(t.Shape)) {
				return t.wrongNesting()
			}
			if err := visit(e); err != nil {
				return err
			}
			at, behind = at+len(e.text), true
		}
	}
	if len(counts) > 0 {
		return broken(t.at+len(text), "a bracket is missing")
	}
	if seen != n {
		return bad("input %q has %d elements, its shape %v says %d", t.Name, seen, t.Shape, n)
	}
	if nested && flat {
		return t.wrongNesting()
	}
	return nil
}

// noElement says why no element begins here.
func noElement(text []byte) string {
	return cmp.Or(noJSON(text), "no number, text, true, false or null begins here")
}

// noJSON names a word that begins here and is none of JSON's, "" where there is none.
func noJSON(text []byte) string {
	for _, word := range []string{"NaN", "Infinity", "-Infinity"} {
		if bytes.HasPrefix(text, []byte(word)) {
			return word + " is no JSON, though some programs write it: drop the row, or send null where a column may have gaps"
		}
	}
	return ""
}

func (t *inputTensor) wrongNesting() error {
	return bad("input %q: the arrays of its data are not nested as its shape %v says: nest them so, or give one flat array", t.Name, t.Shape)
}

// readToken reads the element that some text begins with, as far as there is one.
func readToken(text []byte) (e token, is bool) {
	if text[0] == '-' || isDigit(text[0]) {
		return readNumber(text)
	}
	if text[0] == '"' {
		n, is := readText(text)
		return token{text: text[:n]}, is
	}
	for _, word := range []string{"true", "false", "null"} {
		if len(text) >= len(word) && string(text[:len(word)]) == word {
			return token{text: text[:len(word)]}, true
		}
	}
	return e, false
}

// readNumber reads the number that some text begins with.
func readNumber(text []byte) (e token, is bool) {
	const most = 19 // digits that a mantissa holds for certain
	at := 0
	if text[0] == '-' {
		at++
	}
	first := at
	for ; at < len(text) && isDigit(text[at]); at++ {
		e.mantissa = 10*e.mantissa + uint64(text[at]-'0')
	}
	digits := at - first
	if digits == 0 || digits > 1 && text[first] == '0' {
		return e, false
	}
	if at < len(text) && text[at] == '.' {
		at++
		first = at
		for ; at < len(text) && isDigit(text[at]); at++ {
			e.mantissa = 10*e.mantissa + uint64(text[at]-'0')
		}
		if e.power = first - at; e.power == 0 {
			return e, false
		}
	}
	e.exact = digits-e.power <= most
	if at < len(text) && (text[at] == 'e' || text[at] == 'E') {
		at++
		e.exact = false
		if at < len(text) && (text[at] == '+' || text[at] == '-') {
			at++
		}
		first = at
		for at < len(text) && isDigit(text[at]) {
			at++
		}
		if at == first {
			return e, false
		}
	}
	e.text = text[:at]
	return e, true
}

// tens are the powers of ten that float64 holds.
var tens = [...]float64{1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22}

// float returns a number as float64 holds it best, or float32 where bits is 32. It fails
// beyond the range of these. A quotient of two numbers that float64 holds is the
// nearest to that of all numbers.
func (e token) float(bits int) (float64, error) {
	if bits == 64 && e.exact && e.mantissa <= 1<<53 && -e.power < len(tens) {
		v := float64(e.mantissa) / tens[-e.power]
		if e.text[0] == '-' {
			v = math.Copysign(v, -1)
		}
		return v, nil
	}
	const most = 2000 // digits, beyond those that tell two numbers apart
	if len(e.text) > most {
		return 0, strconv.ErrRange
	}
	return strconv.ParseFloat(string(e.text), bits)
}

// readText returns the length of the quoted text that begins here, with its quotes, and whether
// it is as JSON has texts. A text without an end goes to the end of all.
func readText(text []byte) (n int, is bool) {
	is = true
	for at := 1; at < len(text); at++ {
		switch c := text[at]; {
		case c == '"':
			return at + 1, is
		case c == '\\':
			at++
			is = is && isEscape(text[at:])
		case c < ' ':
			is = false
		}
	}
	return len(text), false
}

// isEscape reports whether what follows a backslash makes a character.
func isEscape(text []byte) bool {
	if len(text) == 0 || text[0] != 'u' {
		return len(text) > 0 && strings.IndexByte(`"\/bfnrt`, text[0]) >= 0
	}
	for k := 1; k <= 4; k++ {
		if k == len(text) || !isDigit(text[k]) && (text[k]|' ' < 'a' || text[k]|' ' > 'f') {
			return false
		}
	}
	return true
}

// broken tells where JSON of a request is broken: behind so many bytes.
func broken(at int, why string) error { return bad("the JSON is broken at byte %d: %s", at+1, why) }
