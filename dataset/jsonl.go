package dataset

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"math"
	"slices"
	"strings"

	"lapsvm/points"
)

// The keys that have a meaning of their own.
const (
	vectorKey = "vector"
	textKey   = "text"
)

// readJSONL reads one JSON object a line. The key vector holds the features as
// an array of numbers, and further keys are ignored; without it all keys with
// numbers and booleans are features, called by their names and sorted by them,
// or Options.Columns are. The key label, or Options.Label, holds a string, a
// number or a boolean; null, and no such key, mean no label. All objects must
// have the same features. Blank lines are skipped.
func readJSONL(src *source, o Options) (*Dataset, error) {
	key := o.Label
	if key == "" {
		key = "label"
	}
	r := jsonReader{o: o, label: key, labels: newLabeller(false, o.Unlabelled)}
	text := lines{src: src}
	for {
		line, err := text.next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, err
		}
		if line = chomp(line); len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		scan := jsonScanner{src: src, line: text.n, text: line}
		if r.index == nil {
			if err := r.survey(scan); err != nil {
				return nil, err
			}
		}
		if err := r.row(scan); err != nil {
			return nil, err
		}
	}
	n := len(r.labels.y)
	switch {
	case n == 0:
		return nil, src.errorf(0, 0, "the file has no rows; check how it was made")
	case o.Label != "" && !r.labelled && o.Features == 0:
		return nil, src.errorf(0, 0, "no object has the key %q; choose the labels' key with --label", o.Label)
	}
	y, classes := r.labels.finish()
	d := &Dataset{Points: points.Dense(n, r.width, r.values), Y: y, Classes: classes, Features: r.names}
	if r.labelled {
		d.Label = key
	}
	return d, nil
}

type jsonReader struct {
	o        Options
	label    string // key of the labels
	labels   *labeller
	labelled bool // the key was seen

	// The features, from the first object on.
	vector bool
	names  []string       // nil for vectors
	index  map[string]int // places of the names; empty for vectors
	width  int            // 0 for vectors before the first
	extra  bool           // other keys are allowed
	row0   int            // line of the first object

	seen   []int // by feature: the row that last had it
	values []float64
}

// survey finds out from the first object what the features are.
func (r *jsonReader) survey(s jsonScanner) error {
	r.row0, r.index = s.line, map[string]int{}
	kinds := map[string]byte{}
	var names []string
	var odd error // a key that is no feature
	err := s.object(func(key []byte, at int) error {
		name := string(key)
		value, kind, err := s.value()
		if err != nil {
			return err
		}
		kinds[name] = kind
		if name == r.label {
			return nil
		}
		names = append(names, name)
		if odd == nil && kind != 'n' && kind != 'b' {
			odd = s.notAFeature(name, kind, value, at)
		}
		return nil
	})
	if err != nil {
		return err
	}
	wanted := len(r.o.Columns) > 0 && !slices.ContainsFunc(r.o.Columns, func(name string) bool { _, ok := kinds[name]; return !ok })
	switch {
	case kinds[vectorKey] == '[' && !wanted:
		r.vector, r.extra = true, true
		return nil
	case len(r.o.Columns) > 0:
		r.names, r.extra = slices.Clone(r.o.Columns), true
	case odd != nil:
		return odd
	default:
		slices.Sort(names)
		r.names = names
	}
	r.width = len(r.names)
	switch {
	case r.width == 0:
		return s.errorf(0, "the object has no features; give an array of numbers as vector, or numbers by name")
	case r.o.Features > 0 && r.width != r.o.Features:
		return s.errorf(0, "there are %d features, but %d are expected; give a file with %d", r.width, r.o.Features, r.o.Features)
	}
	for j, name := range r.names {
		r.index[name] = j
	}
	r.seen = make([]int, r.width)
	return nil
}

// notAFeature says why the value of a key is no feature and what to do.
func (s *jsonScanner) notAFeature(name string, kind byte, value []byte, at int) error {
	switch {
	case name == textKey && kind == 's':
		return s.errorf(at, "texts are no features here; turn them into numbers first, such as embeddings under the key vector")
	case kind == '0':
		return s.errorf(at, "%q is null; fill it in or remove the row", name)
	case kind == 's':
		return s.errorf(at, "%q is the string %s, and features are numbers; name the features with --columns, or give --label %s if these are the labels", name, shown(value), name)
	}
	return s.errorf(at, "%q is an array or object, and features are numbers; give an array of numbers as vector, or name the features with --columns", name)
}

// row reads an object.
func (r *jsonReader) row(s jsonScanner) error {
	row, start := len(r.labels.y)+1, len(r.values)
	if !r.vector {
		r.values = append(r.values, make([]float64, r.width)...)
	}
	labelled, vectors, found := false, 0, 0
	err := s.object(func(key []byte, at int) error {
		if string(key) == r.label {
			if labelled {
				return s.errorf(at, "the key %q comes twice; keep one", r.label)
			}
			labelled, r.labelled = true, true
			return r.addLabel(&s)
		}
		if r.vector && string(key) == vectorKey {
			if vectors++; vectors > 1 {
				return s.errorf(at, "the key %q comes twice; keep one", key)
			}
			return s.numbers(&r.values)
		}
		j, ok := r.index[string(key)]
		switch {
		case !ok && !r.extra:
			return s.errorf(at, "the key %q is not in the first object, on line %d; give all objects the same features", key, r.row0)
		case !ok:
			_, _, err := s.value()
			return err
		case r.seen[j] == row:
			return s.errorf(at, "the key %q comes twice; keep one", key)
		}
		r.seen[j] = row
		found++
		v, err := s.feature(r.names[j])
		r.values[start+j] = v
		return err
	})
	if err != nil {
		return err
	}
	if !labelled {
		r.labels.addNone()
	}
	switch width := len(r.values) - start; {
	case r.vector && vectors == 0:
		return s.errorf(0, "the object has no vector, but that on line %d has one; give all objects the same features", r.row0)
	case r.vector && r.width == 0 && width == 0:
		return s.errorf(0, "the vector is empty; give at least one number")
	case r.vector && r.width == 0 && r.o.Features > 0 && width != r.o.Features:
		return s.errorf(0, "there are %d features, but %d are expected; give a file with %d", width, r.o.Features, r.o.Features)
	case r.vector && r.width == 0:
		r.width = width
	case width != r.width:
		return s.errorf(0, "the vector has %d numbers, but that on line %d has %d; make them equal", width, r.row0, r.width)
	case !r.vector && found < r.width:
		var missing []string
		for j, name := range r.names {
			if r.seen[j] != row {
				missing = append(missing, name)
			}
		}
		return s.errorf(0, "these features are missing: %s; give all objects the same features", list(missing))
	}
	return nil
}

func (r *jsonReader) addLabel(s *jsonScanner) error {
	at := s.pos
	value, kind, err := s.value()
	if err != nil {
		return err
	}
	switch kind {
	case 's', 'b':
		r.labels.add(value)
	case 'n':
		r.labels.add([]byte(canonical(string(value))))
	case '0':
		r.labels.addNone()
	default:
		return s.errorf(at, "the label is an array or object; give a string, a number, or null for no label")
	}
	return nil
}

// writeJSONL writes one object a row, with the features by their names where
// they have names that can be told apart, else as a vector. Labels that are
// numbers are written as such, other class names as strings, null where there is
// none.
func writeJSONL(w *bufio.Writer, d *Dataset) error {
	key, names := jsonNames(d)
	for j, name := range names {
		names[j] = string(quoted(name)) + ":"
	}
	label := append([]byte(`,`), append(quoted(key), ':')...)
	classes := make([][]byte, len(d.Classes))
	for k, name := range d.Classes {
		if v, ok := number(name); ok && formatNumber(v) == name {
			classes[k] = []byte(name)
		} else {
			classes[k] = quoted(name)
		}
	}
	row := make([]float64, d.Points.Dim())
	for i, y := range d.Y {
		d.Points.CopyRow(row, i)
		w.WriteByte('{')
		if names == nil {
			w.WriteString(`"` + vectorKey + `":[`)
		}
		for j, v := range row {
			if j > 0 {
				w.WriteByte(',')
			}
			if names != nil {
				w.WriteString(names[j])
			}
			w.Write(appendNumber(w.AvailableBuffer(), v))
		}
		if names == nil {
			w.WriteByte(']')
		}
		w.Write(label)
		if y == Unlabelled {
			w.WriteString("null")
		} else {
			w.Write(classes[y])
		}
		if _, err := w.WriteString("}\n"); err != nil {
			return err
		}
	}
	return nil
}

// jsonNames returns the key of the labels and a copy of the names of the
// features, nil where they are written as a vector.
func jsonNames(d *Dataset) (label string, names []string) {
	label = d.Label
	if label == "" || label == vectorKey {
		label = "label"
	}
	seen := map[string]bool{"": true, label: true, vectorKey: true, textKey: true}
	for _, name := range d.Features {
		if seen[name] {
			return label, nil
		}
		seen[name] = true
	}
	return label, slices.Clone(d.Features)
}

// quoted writes text as a JSON string.
func quoted(s string) []byte {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(s); err != nil {
		panic("dataset: " + err.Error()) // a string can always be encoded
	}
	return []byte(strings.TrimSuffix(b.String(), "\n"))
}

// jsonScanner goes through one line.
type jsonScanner struct {
	src  *source
	line int
	text []byte
	pos  int
}

// errorf returns an error at a byte of the line.
func (s *jsonScanner) errorf(at int, message string, args ...any) error {
	return s.src.errorf(s.line, at+1, message, args...)
}

// peek skips blanks and returns the next byte, 0 at the end.
func (s *jsonScanner) peek() byte {
	for s.pos < len(s.text) {
		switch c := s.text[s.pos]; c {
		case ' ', '\t', '\r':
			s.pos++
		default:
			return c
		}
	}
	return 0
}

func (s *jsonScanner) expect(c byte, what string) error {
	if s.peek() != c {
		return s.errorf(s.pos, "%s is missing; write one JSON object on each line", what)
	}
	s.pos++
	return nil
}

// object reads the object that is the line; f reads the value of a key that
// starts at a byte.
func (s *jsonScanner) object(f func(key []byte, at int) error) error {
	if err := s.expect('{', "the object's {"); err != nil {
		return err
	}
	for more := s.peek() != '}'; more; {
		s.peek()
		at := s.pos
		key, err := s.string()
		if err != nil {
			return err
		}
		if err := s.expect(':', "the colon after a key"); err != nil {
			return err
		}
		s.peek()
		if err := f(key, at); err != nil {
			return err
		}
		if more = s.peek() == ','; more {
			s.pos++
		}
	}
	if err := s.expect('}', "the comma between keys or the object's }"); err != nil {
		return err
	}
	if s.peek() != 0 {
		return s.errorf(s.pos, "something follows the object; write one JSON object on each line")
	}
	return nil
}

// string reads a string.
func (s *jsonScanner) string() ([]byte, error) {
	at := s.pos
	if s.peek() != '"' {
		return nil, s.errorf(s.pos, "a string in double quotes is missing; write one JSON object on each line")
	}
	escaped := false
	for k := s.pos + 1; k < len(s.text); k++ {
		switch c := s.text[k]; {
		case c == '\\':
			escaped = true
			k++
		case c < ' ':
			return nil, s.errorf(k, "the string has a control character; escape it")
		case c == '"':
			raw := s.text[s.pos : k+1]
			s.pos = k + 1
			if !escaped {
				return raw[1 : len(raw)-1], nil
			}
			var text string
			if err := json.Unmarshal(raw, &text); err != nil {
				return nil, s.errorf(at, "%s is no JSON string (%v); correct it", shown(raw), err)
			}
			return []byte(text), nil
		}
	}
	return nil, s.errorf(at, "a quote opens here and is never closed; close it")
}

// value reads any value and returns its text, of a string what it says, and
// its kind: 's' string, 'n' number, 'b' boolean, '0' null, '[' or '{'.
func (s *jsonScanner) value() (text []byte, kind byte, err error) {
	at := s.pos
	switch c := s.peek(); c {
	case '"':
		text, err = s.string()
		return text, 's', err
	case '[', '{':
		for depth := 0; ; {
			switch s.peek() {
			case 0:
				return nil, 0, s.errorf(at, "a bracket opens here and is never closed; close it")
			case '"':
				if _, err := s.string(); err != nil {
					return nil, 0, err
				}
				continue
			case '[', '{':
				depth++
			case ']', '}':
				depth--
			}
			s.pos++
			if depth == 0 {
				break
			}
		}
		if text = s.text[at:s.pos]; !json.Valid(text) {
			return nil, 0, s.errorf(at, "%s is no JSON; correct it", shown(text))
		}
		return text, c, nil
	}
	switch text = s.word(); {
	case string(text) == "null":
		return text, '0', nil
	case string(text) == "true", string(text) == "false":
		return text, 'b', nil
	case isJSONNumber(text):
		return text, 'n', nil
	}
	return nil, 0, s.errorf(at, "%s is no JSON value; write a number, a string in double quotes, true, false or null", shown(text))
}

// word reads up to a delimiter.
func (s *jsonScanner) word() []byte {
	at := s.pos
	for s.pos < len(s.text) {
		switch s.text[s.pos] {
		case ',', ']', '}', ' ', '\t', '\r', '"', '[', '{', ':':
			return s.text[at:s.pos]
		}
		s.pos++
	}
	return s.text[at:]
}

// isJSONNumber reports whether text follows JSON's grammar of numbers.
func isJSONNumber(text []byte) bool {
	first := 0
	if len(text) > 0 && text[0] == '-' {
		first = 1
	}
	k := skipDigits(text, first)
	if k == first || text[first] == '0' && k > first+1 {
		return false
	}
	if k < len(text) && text[k] == '.' {
		first = k + 1
		if k = skipDigits(text, first); k == first {
			return false
		}
	}
	if k < len(text) && (text[k] == 'e' || text[k] == 'E') {
		first = k + 1
		if first < len(text) && (text[first] == '+' || text[first] == '-') {
			first++
		}
		if k = skipDigits(text, first); k == first {
			return false
		}
	}
	return k == len(text)
}

// skipDigits returns the place of the first byte from k on that is no digit.
func skipDigits(text []byte, k int) int {
	for k < len(text) && '0' <= text[k] && text[k] <= '9' {
		k++
	}
	return k
}

// feature reads a number or boolean.
func (s *jsonScanner) feature(name string) (float64, error) {
	at := s.pos
	switch s.peek() {
	case '"', '[', '{', 'n', 't', 'f':
		text, kind, err := s.value()
		switch {
		case err != nil:
			return 0, err
		case kind != 'b':
			return 0, s.notAFeature(name, kind, text, at)
		case text[0] == 't':
			return 1, nil
		}
		return 0, nil
	}
	text := s.word()
	v, err := parseFloat(text)
	if !isJSONNumber(text) || err != nil || math.IsInf(v, 0) {
		problem, _ := valueProblem(text, err)
		return 0, s.errorf(at, "%q: %s", name, problem)
	}
	return v, nil
}

// numbers appends an array of numbers.
func (s *jsonScanner) numbers(to *[]float64) error {
	if err := s.expect('[', "the array of numbers"); err != nil {
		return err
	}
	for more := s.peek() != ']'; more; {
		s.peek()
		v, err := s.feature(vectorKey)
		if err != nil {
			return err
		}
		*to = append(*to, v)
		if more = s.peek() == ','; more {
			s.pos++
		}
	}
	return s.expect(']', "the comma between numbers or the array's ]")
}
