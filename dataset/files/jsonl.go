package files

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"lapsvm/dataset"
	"lapsvm/dataset/internal/number"
)

// The names of the formats of this file.
const (
	JSON  = "json"  // an array of JSON objects; read as JSONL is
	JSONL = "jsonl" // one JSON object a line; an array of objects is read too
)

func jsonFormat() Format {
	f := objectsFormat(JSON)
	f.Endings, f.Holds = []string{"json"}, "array of JSON objects, one for each row"
	return f
}

func jsonlFormat() Format {
	f := objectsFormat(JSONL)
	f.Endings, f.Holds = []string{"jsonl", "ndjson"}, "JSON objects, one a line for each row"
	return f
}

func objectsFormat(name string) Format {
	return Format{
		Name:  name,
		Table: true, text: true,
		read: readObjectsFile,
		cut: func(head []byte, _ Options) cut {
			if text := bytes.TrimLeft(bytes.TrimPrefix(head, []byte(byteOrderMark)), " \t\r\n"); len(text) == 0 || text[0] == '[' {
				return uncut
			}
			return cutLines
		},
		write: func(w *bufio.Writer, d *dataset.Dataset, _ classes) error {
			return writeObjects(w, d, name)
		},
		loses: objectsLose,
		writeSeries: func(w *bufio.Writer, all []dataset.Series) error {
			return writeObjectSeries(w, all, name)
		},
		keyed: true,
	}
}

// Keys with a fixed meaning: vectorKey holds all features as one array, and the column textKey is
// always text.
const (
	vectorKey = "vector"
	textKey   = "text"
)

// readObjectsFile reads one JSON object a line, blank lines skipped, or one array of
// objects, laid out in any way.
//
// Where the first object has an array of numbers called vector, and beside it the label and
// Options.ID alone, this array is the features. Every object must then have one of the same length,
// and other keys are no features. Else the objects are a table whose columns are all their keys.
// Features are sorted by name; kept columns are in the order in which keys turn up. Strings, numbers,
// booleans and arrays of numbers are fields as in a CSV table. Null and a missing key are fields
// without a value. The keys of an object inside are those of columns too, behind its own key and a
// point. A key of other arrays must be ignored or not be wanted.
//
// The label is under the key label or Options.Label alone. The reader takes the keys of the first
// object for all keys. When another key turns up it reads the file again, and for that keeps
// compressed text and streams in memory.
func readObjectsFile(src *source, o Options) (*dataset.Dataset, error) {
	src.Rows = dataset.Objects
	src.closed = nameSet(append(o.left(), labelKey(o)))
	first := objectsOf(src)
	line, err := first.next()
	if err == io.EOF {
		return nil, src.noRows()
	}
	if err != nil {
		return nil, err
	}
	kinds := map[string]jsontext.Kind{}
	keys, err := line.keys(nil, kinds)
	if err != nil {
		return nil, err
	}
	if way := pandasWay(kinds); way != "" {
		return nil, src.Errorf(line.line, 0, "is one object, as pandas writes a table with orient=%q; write an object for each row, with df.to_json(FILE, orient='records')", way)
	}
	named := o.TextAlone || o.Encoding.Learnt() || slices.Contains(o.left(), vectorKey) || slices.ContainsFunc(o.Columns, func(name string) bool { return kinds[name] != 0 })
	vectors := kinds[vectorKey] == '[' && !named && o.Label != vectorKey && (o.Encoding != nil || !o.shaped() && !slices.ContainsFunc(keys, func(key string) bool {
		return key != vectorKey && key != labelKey(o) && !slices.Contains(o.left(), key) && !slices.Contains(o.ID, key)
	}))
	if vectors && src.set != nil {
		return nil, errApart
	}
	if vectors && len(o.ID) == 0 && !o.Keep {
		r := vectorReader{objects: first, o: o, label: labelKey(o), labels: dataset.NewLabels(&src.Origin, false, o.rules())}
		return r.read(line)
	}
	again, err := src.rereadable(append(bytes.Repeat([]byte("\n"), first.from-1), first.raw...))
	if err != nil {
		return nil, err
	}
	first.free()
	room := src.Memory.Room()
	if vectors {
		return readKeptVectors(again, line, o)
	}
	if t := src.set; t != nil {
		return nil, t.readObjects(again, keys, o)
	}
	in := again()
	table, err := readObjects(in, keys, false, o)
	d, err := in.finish(table, err, src.noRows())
	var dataErr *dataset.Error
	if err == nil || err != errOtherKeys && !(errors.As(err, &dataErr) && dataErr.Line == 0) {
		return d, err
	}
	src.Give(int(room - src.Memory.Room()))
	if keys, err = keysOfAll(again()); err != nil {
		return nil, err
	}
	in = again()
	table, err = readObjects(in, keys, true, o)
	return in.finish(table, err, src.noRows())
}

// pandasWay returns how pandas has written a whole table as an object with some keys: by columns, by index, split or as a table; "" for the object of a row.
func pandasWay(kinds map[string]jsontext.Kind) string {
	has := func(names ...string) bool {
		return len(kinds) == len(names) && !slices.ContainsFunc(names, func(name string) bool { return kinds[name] == 0 })
	}
	switch {
	case has("columns", "index", "data") && kinds["data"] == '[', has("columns", "data") && kinds["data"] == '[':
		return "split"
	case kinds["data"] == '[' && slices.ContainsFunc(slices.Collect(maps.Keys(kinds)), func(key string) bool { return strings.HasPrefix(key, "schema.") }):
		return "table"
	}
	columns, index := len(kinds) > 1, len(kinds) > 1
	for key, kind := range kinds {
		outer, inner, inside := strings.Cut(key, ".")
		if kind == '{' { // of the labels, whose inside is no column
			inner, inside = "0", true
		}
		_, numbered := parseIndex([]byte(inner))
		columns = columns && inside && numbered
		_, numbered = parseIndex([]byte(outer))
		index = index && inside && numbered
	}
	switch {
	case columns && slices.ContainsFunc(slices.Collect(maps.Keys(kinds)), func(key string) bool { return strings.HasSuffix(key, ".0") }):
		return "columns"
	case index && slices.ContainsFunc(slices.Collect(maps.Keys(kinds)), func(key string) bool { return strings.HasPrefix(key, "0.") }):
		return "index"
	}
	return ""
}

func labelKey(o Options) string {
	if o.Label == "" {
		return "label"
	}
	return o.Label
}

// rereadable returns a function that gives the text from its start at each call;
// consumed is what was read of it.
func (s *source) rereadable(consumed []byte) (func() *source, error) {
	at, size := s.file, s.size
	switch {
	case at != nil || s.extent != nil:
	case s.whole != nil:
		at, size = s.whole, s.whole.Size()
	default:
		all, err := s.all(io.MultiReader(bytes.NewReader(consumed), s))
		if err != nil {
			return nil, err
		}
		at, size = bytes.NewReader(all), int64(len(all))
	}
	return func() *source {
		in := s.inner("", io.NewSectionReader(at, 0, size), bufferSize, unreadable)
		in.read = s.read
		in.narrow(0, 0)
		before := s.close
		s.close = func() { before(); in.close() }
		return in
	}, nil
}

// keys appends the keys of an object that are not among kinds, and adds the kinds
// of their values.
func (o *jsonObject) keys(keys []string, kinds map[string]jsontext.Kind) ([]string, error) {
	err := o.members(func(key []byte, _ int) error {
		_, kind, err := o.value()
		if kinds[string(key)] == 0 {
			const entry = 150 // bytes of a key beside its text
			if err := o.src.Take(entry+len(key), "the different keys"); err != nil {
				return err
			}
			keys = append(keys, string(key))
		}
		kinds[string(key)] = kind
		return err
	})
	return keys, err
}

// keysOfAll returns the keys of the objects of all ranks, in the order in which they turn up.
func keysOfAll(src *source) ([]string, error) {
	own, err := allKeys(src)
	if _, err := src.Ranks.Settle(0, err); err != nil {
		return nil, err
	}
	parts, err := dataset.All(src.Ranks, own)
	if err != nil {
		return nil, err
	}
	var all fileSet
	for _, keys := range parts {
		all.addKeys(keys)
	}
	return all.more, nil
}

// allKeys returns the keys of all objects, in the order in which they turn up.
func allKeys(src *source) ([]string, error) {
	kinds := map[string]jsontext.Kind{}
	var keys []string
	rows := 0
	for all := (objectsOf(src)); ; rows++ {
		line, err := all.next()
		if err == io.EOF {
			all.free()
			return keys, nil
		}
		if err == nil {
			err = src.Going(rows)
		}
		if err == nil {
			keys, err = line.keys(keys, kinds)
		}
		if err != nil {
			return nil, err
		}
	}
}

// errOtherKeys tells that an object has a key that the header has not.
var errOtherKeys = errors.New("files: keys that are not in the header")

// readObjects reads objects as the rows of a table. Where complete, header has
// the keys of all; else errOtherKeys is returned where it has not.
func readObjects(src *source, header []string, complete bool, o Options) (*dataset.Table, error) {
	layout, err := src.layout(header, len(header), 0, o)
	if err != nil {
		return nil, err
	}
	table, err := src.begin(layout)
	if err != nil {
		return nil, err
	}
	r := objectReader{table: table, label: layout.Label, header: header, complete: complete, plain: o.strict(), several: o.Several != "",
		index: make(map[string]int, len(header)), fields: make([][]byte, len(header)), seen: make([]int, len(header)), used: make([]bool, len(header)), lists: make([]bool, len(header))}
	for c, key := range header {
		r.index[key] = c
	}
	for _, c := range layout.Features {
		if c >= 0 {
			r.used[c], r.lists[c] = !layout.Asked(c).Featureless(), layout.MayBeList(c)
		}
	}
	for all := (objectsOf(src)); ; {
		line, err := all.next()
		if err == io.EOF {
			return table, nil
		}
		if err == nil {
			err = all.named(r.row(line))
		}
		if err != nil {
			return table, err
		}
	}
}

// objectReader makes fields of objects.
type objectReader struct {
	table    *dataset.Table
	label    int // column of the labels, or −1
	header   []string
	complete bool
	plain    bool // booleans are the numbers 1 and 0
	several  bool // a label may be an array, of classes
	index    map[string]int
	fields   [][]byte
	seen     []int  // by column: the row that last had it, from 1
	lists    []bool // by column: it may hold lists of numbers
	used     []bool // by column: it gives features
	rows     int
	values   int // in all rows
}

// row reads an object.
func (r *objectReader) row(o *jsonObject) error {
	// Objects with few of many keys would make a table out of proportion to the
	// file.
	const allowance, most = 1 << 20, 256 // fields, and more of them for each value
	if r.rows++; r.rows*len(r.header) > allowance+most*r.values {
		return o.errorf(0, "the objects have %d different keys, but few objects have the same keys; write a file that has the wanted keys alone, and name them with %s", len(r.header), dataset.Option{Name: "Columns"})
	}
	clear(r.fields)
	err := o.members(func(key []byte, at int) error {
		c, ok := r.index[string(key)]
		switch {
		case !ok && r.complete:
			return o.errorf(at, "the file was changed while it was read; read it again")
		case !ok:
			return errOtherKeys
		case r.seen[c] == r.rows:
			return o.errorf(at, "the key %q comes twice; keep one", key)
		}
		r.seen[c] = r.rows
		r.values++
		text, kind, err := o.value()
		switch {
		case err != nil:
			return err
		case kind == 'n':
			return nil
		case c == r.label:
			text, err = o.label(text, kind, r.several)
		case kind == '[' && r.used[c] && (ofWords(text) || !r.lists[c] && len(bytes.TrimSpace(text[1:len(text)-1])) == 0): // a field as in a CSV table
		case kind == '[' && r.used[c] && (!r.lists[c] || bytes.ContainsAny(text[1:], `"[{ntf`)):
			return o.errorf(at, "%q is a list, and no vector: a vector is a list of numbers, in a column of them; give %s, or correct it", key, dataset.Option{Name: "Ignore", Value: []string{string(key)}})
		case kind == '{' && r.used[c]:
			return o.errorf(at, "%q is an object too deep inside others for a feature; give %s, or lay it out flatter", key, dataset.Option{Name: "Ignore", Value: []string{string(key)}})
		case (kind == 't' || kind == 'f') && r.plain:
			text = map[bool][]byte{true: {'1'}, false: {'0'}}[kind == 't']
		}
		r.fields[c] = text
		return err
	})
	if err != nil {
		return err
	}
	return r.table.Add(r.fields, o.line)
}

// ofWords reports whether an array has words alone.
func ofWords(text []byte) bool {
	d := jsontext.NewDecoder(bytes.NewReader(text))
	if _, err := d.ReadToken(); err != nil {
		return false
	}
	for words := 0; ; {
		switch d.PeekKind() {
		case '"':
			words++
		case 'n': // no word
		default:
			return d.PeekKind() == ']' && words > 0
		}
		if err := d.SkipValue(); err != nil {
			return false
		}
	}
}

// label returns a value as a label: numbers in their one spelling, nothing for
// null. Where a label may be several classes, it may be an array of them.
func (o *jsonObject) label(text []byte, kind jsontext.Kind, several bool) ([]byte, error) {
	switch kind {
	case '[':
		if several {
			return text, nil
		}
	case '"', 't', 'f':
		return text, nil
	case '0':
		return []byte(number.Canonical(string(text))), nil
	case 'n':
		return nil, nil
	}
	return nil, o.errorf(o.at, "the label is an array or object; give a string, a number, or null for no label")
}
