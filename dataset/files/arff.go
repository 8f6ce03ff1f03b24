package files

import (
	"bytes"
	"io"
	"strconv"
	"strings"
	"time"

	"lapsvm/dataset"
	"lapsvm/dataset/internal/quote"
)

// ARFF is the name of the format of this file: tables of Weka and MULAN.
const ARFF = "arff"

func arffFormat() Format {
	return Format{
		Name: ARFF, Endings: []string{"arff"}, Holds: "table of Weka, with sparse rows or not", Table: true, text: true,
		read: readARFF,
	}
}

// arff reads the rows of an ARFF file.
// Source: Weka 3.9, "Attribute-Relation File Format", and its weka.core.converters.ArffLoader.
type arff struct {
	src        *source
	lines      lines
	attributes []arffColumn
	labels     int // of MULAN: attributes that are labels, first, or where negative last
	weights    int // rows that have one
	fields     []string
}

// arffColumn is an attribute.
type arffColumn struct {
	name   string
	kind   string // numeric, nominal, string or date
	values []string
	known  map[string]bool // of values
	layout string          // of dates; "" for ISO
}

func readARFF(src *source, o Options) (*dataset.Dataset, error) {
	a := &arff{src: src, lines: linesOf(src)}
	defer a.lines.free()
	if err := a.readHeader(); err != nil {
		return nil, err
	}
	var header []string
	for _, at := range a.attributes {
		header = append(header, at.name)
	}
	if o.Encoding == nil && o.Label == "" && !o.TextAlone {
		label, err := a.labelsOf(header)
		if err != nil {
			return nil, err
		}
		o.Label = label
	}
	src.Declared = a.declared
	d, err := src.readCells(cellTable{header: header, rows: a.next, lines: true}, o)
	if err == nil && a.weights > 0 {
		src.note(d, dataset.Note{Message: dataset.Messagef("%d rows have weights, which are not used", a.weights)})
	}
	return d, err
}

// readHeader reads the lines up to @data.
func (a *arff) readHeader() error {
	for {
		line, err := a.line()
		if err == io.EOF {
			return a.src.Errorf(0, 0, "there is no line @data; check that this is an ARFF file")
		}
		if err != nil {
			return err
		}
		word, rest := firstWord(line)
		switch strings.ToLower(word) {
		case "@relation":
			name, _, err := a.token(rest, "")
			if err != nil {
				return err
			}
			if k := strings.LastIndex(name, "-C "); k >= 0 {
				n, _ := firstWord(name[k+3:])
				if a.labels, err = strconv.Atoi(n); err != nil {
					a.labels = 0
				}
			} else if k := strings.LastIndex(rest, "-C "); k >= 0 { // a name without quotes
				n, _ := firstWord(strings.Trim(rest[k+3:], `'"`))
				if a.labels, err = strconv.Atoi(n); err != nil {
					a.labels = 0
				}
			}
		case "@attribute":
			if err := a.addAttribute(rest); err != nil {
				return err
			}
		case "@data":
			if len(a.attributes) == 0 {
				return a.src.Errorf(a.lines.n, 0, "there are no attributes above @data; check how the file was made")
			}
			if n := len(a.attributes); a.labels >= n || -a.labels >= n {
				return a.src.Errorf(0, 0, "the relation says that %d attributes are labels, and there are %d", max(a.labels, -a.labels), n)
			}
			a.fields = make([]string, len(a.attributes))
			return nil
		default:
			return a.src.Errorf(a.lines.n, 1, "begins with %s, where @relation, @attribute or @data is due; check that this is an ARFF file", quote.Field([]byte(word)))
		}
	}
}

// line returns the next line that is no comment, without blanks around it.
func (a *arff) line() (string, error) {
	for {
		line, err := a.lines.next()
		if err != nil {
			return "", err
		}
		if line = bytes.TrimSpace(line); len(line) > 0 && line[0] != '%' {
			return string(line), nil
		}
	}
}

// firstWord cuts the first word off a line.
func firstWord(s string) (word, rest string) {
	s = strings.TrimLeft(s, " \t")
	k := strings.IndexAny(s, " \t")
	if k < 0 {
		return s, ""
	}
	return s[:k], strings.TrimLeft(s[k:], " \t")
}

func (a *arff) addAttribute(rest string) error {
	name, rest, err := a.token(rest, "{")
	if err != nil {
		return err
	}
	at := arffColumn{name: name}
	rest = strings.TrimLeft(rest, " \t")
	kind, more := firstWord(rest)
	switch lower := strings.ToLower(kind); {
	case strings.HasPrefix(rest, "{"):
		at.kind, at.known = "nominal", map[string]bool{}
		for rest = rest[1:]; ; {
			if rest = strings.TrimLeft(rest, " \t,"); rest == "" {
				return a.src.Errorf(a.lines.n, 0, "the values of the attribute %q have no } behind them; check how the file was made", name)
			}
			if rest[0] == '}' {
				break
			}
			var value string
			if value, rest, err = a.token(rest, ",}"); err != nil {
				return err
			}
			at.values, at.known[value] = append(at.values, value), true
			if err := a.src.Take(100+len(value), "the values of the attributes"); err != nil {
				return err
			}
		}
		if len(at.values) == 0 {
			at.values = []string{""}
		}
	case lower == "numeric" || lower == "real" || lower == "integer":
		at.kind = "numeric"
	case lower == "string":
		at.kind = "string"
	case lower == "date":
		at.kind = "date"
		if more != "" {
			pattern, _, err := a.token(more, "")
			if err != nil {
				return err
			}
			at.layout = goLayout(pattern)
		}
	default:
		return a.src.Errorf(a.lines.n, 0, "the attribute %q is of kind %s; numeric, nominal, string and date are read", name, quote.Field([]byte(kind)))
	}
	a.attributes = append(a.attributes, at)
	return a.src.Take(200+len(name), "the attributes")
}

// goLayout returns a pattern of Java's dates as Go has them.
func goLayout(pattern string) string {
	return strings.NewReplacer("yyyy", "2006", "MM", "01", "dd", "02", "HH", "15", "mm", "04", "ss", "05", "SSS", "000", "yy", "06", "'T'", "T", "'Z'", "Z", "Z", "-0700", "X", "Z07:00").Replace(pattern)
}

// token cuts the first value off a text: in quotes, with escapes, or up to a blank or one of ends.
func (a *arff) token(s, ends string) (value, rest string, err error) {
	s = strings.TrimLeft(s, " \t")
	if s == "" || s[0] != '\'' && s[0] != '"' {
		k := strings.IndexAny(s, " \t"+ends)
		if k < 0 {
			k = len(s)
		}
		return s[:k], s[k:], nil
	}
	mark := s[0]
	if k := strings.IndexAny(s[1:], string(mark)+`\`); k >= 0 && s[k+1] == mark {
		return s[1 : k+1], s[k+2:], nil // nearly all
	}
	var b strings.Builder
	for k := 1; k < len(s); k++ {
		switch c := s[k]; {
		case c == mark:
			return b.String(), s[k+1:], nil
		case c == '\\' && k+1 < len(s):
			k++
			switch s[k] {
			case 'n':
				b.WriteByte('\n')
			case 'r':
				b.WriteByte('\r')
			case 't':
				b.WriteByte('\t')
			case 'u':
				if n, err := strconv.ParseUint(s[k+1:min(k+5, len(s))], 16, 16); err == nil && k+5 <= len(s) {
					b.WriteRune(rune(n))
					k += 4
					continue
				}
				b.WriteByte('u')
			default:
				b.WriteByte(s[k])
			}
		default:
			b.WriteByte(c)
		}
	}
	return "", "", a.src.Errorf(a.lines.n, 0, "a quote opens and is never closed; close it, or put a \\ before it if it belongs to the text")
}

// next is a cellRows; rows are counted as lines.
func (a *arff) next() ([]string, int, error) {
	line, err := a.line()
	if err != nil {
		return nil, 0, err
	}
	if line[0] == '{' {
		err = a.sparse(line[1:])
	} else {
		err = a.dense(line)
	}
	return a.fields, a.lines.n, err
}

func (a *arff) dense(s string) error {
	c := 0
	for ; s != ""; c++ {
		if c == len(a.fields) {
			return a.weight(s)
		}
		value, rest, err := a.token(s, ",")
		if err != nil {
			return err
		}
		if err := a.set(c, value, s[0] == '\'' || s[0] == '"'); err != nil {
			return err
		}
		s = strings.TrimLeft(rest, " \t")
		if strings.HasPrefix(s, ",") {
			if s = strings.TrimLeft(s[1:], " \t"); s == "" && c+1 < len(a.fields) {
				a.fields[c+1], c = "", c+1
			}
		}
	}
	if c < len(a.fields) {
		return a.src.Errorf(a.lines.n, 0, "the row has %d values, but there are %d attributes; check how the file was made", c, len(a.fields))
	}
	return nil
}

// weight reads the weight behind a row.
func (a *arff) weight(s string) error {
	s = strings.TrimSpace(strings.TrimLeft(s, ", \t"))
	if s == "" || s[0] == '%' {
		return nil
	}
	if s[0] != '{' {
		return a.src.Errorf(a.lines.n, 0, "the row has more than %d values, one for each attribute; check how the file was made", len(a.fields))
	}
	if strings.TrimSpace(strings.Trim(s, "{}")) != "1" {
		a.weights++
	}
	return nil
}

// sparse reads the values of a row that are not zero, behind their indices; of nominal attributes zero is the first value.
func (a *arff) sparse(s string) error {
	for c := range a.fields {
		switch at := &a.attributes[c]; at.kind {
		case "numeric":
			a.fields[c] = "0"
		case "nominal":
			a.fields[c] = at.values[0]
		case "date":
			a.fields[c] = string(appendTime(nil, time.Unix(0, 0)))
		default:
			a.fields[c] = ""
		}
	}
	last := -1
	for {
		s = strings.TrimLeft(s, " \t,")
		if s == "" {
			return a.src.Errorf(a.lines.n, 0, "the row has no } at its end; check how the file was made")
		}
		if s[0] == '}' {
			return a.weight(s[1:])
		}
		index, rest := firstWord(s)
		c, err := strconv.Atoi(index)
		if err != nil || c <= last || c >= len(a.fields) {
			return a.src.Errorf(a.lines.n, 0, "%s is no index of an attribute from %d to %d, in rising order; check how the file was made", quote.Field([]byte(index)), last+1, len(a.fields)-1)
		}
		last = c
		value, after, err := a.token(rest, ",}")
		if err != nil {
			return err
		}
		if err := a.set(c, value, rest != "" && (rest[0] == '\'' || rest[0] == '"')); err != nil {
			return err
		}
		s = after
	}
}

// set sets the value of an attribute, which may be in quotes.
func (a *arff) set(c int, value string, quoted bool) error {
	at := &a.attributes[c]
	if value == "?" && !quoted {
		a.fields[c] = ""
		return nil
	}
	switch {
	case at.kind == "nominal" && value != "" && !at.known[value]:
		return a.src.Errorf(a.lines.n, 0, "%s is no value of the attribute %q; there are %s", quote.Field([]byte(value)), at.name, quote.Names(at.values))
	case at.kind == "date" && at.layout != "":
		t, err := time.Parse(at.layout, value)
		if err != nil {
			return a.src.Errorf(a.lines.n, 0, "%s is no date of the attribute %q as its pattern has them; check how the file was made", quote.Field([]byte(value)), at.name)
		}
		value = string(appendTime(nil, t))
	}
	a.fields[c] = value
	return nil
}
