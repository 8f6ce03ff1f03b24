package dataset

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"lapsvm/dataset/internal/number"
	"lapsvm/dataset/internal/quote"
	"lapsvm/dataset/internal/sparse"
	"lapsvm/internal/system/huge"
	"lapsvm/points"
)

// cell is a field of a table as the encoder takes it: a finite number, or text,
// or missing (NaN, and no text).
type cell struct {
	number float64
	text   string // as it is written; "" of a number whose text is not known
}

// cell reads a field. Of the spellings of missing values those that no category is called
// by have no text.
func (o *Origin) cell(field []byte) cell {
	s := string(field)
	if v, err := o.parse(field); err == nil && v-v == 0 {
		return cell{v, s}
	}
	if number.Common(s) {
		return cell{number: math.NaN()}
	}
	return cell{math.NaN(), s}
}

func (c cell) isNumber() bool { return !math.IsNaN(c.number) }
func (c cell) isMissing() bool {
	return math.IsNaN(c.number) && c.text == ""
}

// spelling returns a cell as a text has it, and a category that is not called as the cell is
// written: numbers by their value, so that 1.0 and 01 are 1.
func (c cell) spelling() string {
	if c.isNumber() {
		return number.Format(c.number)
	}
	return c.text
}

// encoder makes features of cells, row by row and in a row column by column.
// Learning and applying an encoding both end here.
type encoder struct {
	origin *Origin
	e      *Encoding
	start  []int               // first feature of each column
	lookup []map[string]int32  // of each category or text: place of a value or word in it
	number []map[float64]int32 // of each category: place of a value that is a number, −1 if two values are the same number
	width  int
	ended  int // rows
	sparse bool
	values []float64 // dense points
	rows   sparse.Rows
	row    []float64 // current dense row, inside values
	words  []int32   // known words of a text
	unseen []Unseen  // of each column
	gaps   []int     // missing values of each column
}

// newEncoder fails where the names of the features take more memory than the origin
// allows.
func newEncoder(origin *Origin, e *Encoding) (*encoder, error) {
	n := &encoder{origin: origin, e: e, start: make([]int, len(e.Columns)), lookup: make([]map[string]int32, len(e.Columns)), number: make([]map[float64]int32, len(e.Columns)),
		unseen: make([]Unseen, len(e.Columns)), gaps: make([]int, len(e.Columns)), sparse: e.HasText()}
	for k := range e.Columns {
		c := &e.Columns[k]
		n.start[k] = n.width
		n.width += c.Width()
		names := c.Values
		if c.Kind == Text {
			names = c.Words
		}
		const entry = 80 // bytes of a feature's name beside its text
		bytes := 0
		for _, name := range names {
			bytes += entry + len(c.Name) + len(name)
		}
		if err := origin.Take(bytes, "the names of the features"); err != nil {
			return nil, err
		}
		n.lookup[k] = make(map[string]int32, len(names))
		if c.Kind == Category {
			n.number[k] = numbersOf(names)
		}
		for at, name := range names {
			n.lookup[k][name] = int32(at)
		}
	}
	return n, nil
}

// numbersOf returns the places of those values of a category that are numbers, as other programs
// read 01532. Of a number that two values spell the place is −1.
func numbersOf(values []string) map[float64]int32 {
	var at map[float64]int32
	for k, value := range values {
		v, ok := number.Finite(value)
		if !ok {
			continue
		}
		if at == nil {
			at = make(map[float64]int32)
		}
		if _, twice := at[v]; twice {
			k = -1
		}
		at[v] = int32(k)
	}
	return at
}

// expect makes room for so many rows at once, where there is memory for them.
func (n *encoder) expect(rows int) {
	if values := rows * n.width; !n.sparse && int64(8*values) <= n.origin.Memory.Room() {
		n.values = make([]float64, 0, values)
		huge.Prepare(n.values[:values])
	}
}

// beginRow begins a row without features other than 0.
func (n *encoder) beginRow() error {
	if n.sparse {
		return nil
	}
	if err := n.origin.Take(8*n.width, "the features"); err != nil {
		return err
	}
	from := len(n.values)
	n.values = n.origin.grow(n.values, n.width)[:from+n.width]
	n.row = n.values[from:]
	clear(n.row)
	return nil
}

func (n *encoder) endRow() error {
	n.ended++
	if n.sparse {
		return n.origin.Take(n.rows.EndRow(), "the features")
	}
	return nil
}

func (n *encoder) set(feature int, v float64) {
	if n.sparse {
		n.rows.Add(int32(feature), v)
	} else {
		n.row[feature] = v
	}
}

// add sets the features of column k in the current row, and reports whether the
// cell is what the column holds.
func (n *encoder) add(k int, x cell) bool {
	c := &n.e.Columns[k]
	at := n.start[k]
	if x.isMissing() {
		n.gaps[k]++
	}
	switch c.Kind {
	case Category:
		n.addValue(k, x)
		return true
	case Text:
		n.addText(k, x)
		return true
	}
	v, ok := c.Fill, true
	switch {
	case x.isNumber() || !number.Nothing(x.text):
		v, ok = c.value(x)
	case x.text != "": // a word for nothing is missing too
		n.gaps[k]++
	}
	if n.sparse && c.Kind != Boolean {
		v = within(v, c.Low, c.High)
	}
	n.set(at, v)
	return ok
}

// addValue sets the feature of a category's value, or counts it as missing or unseen. A value
// of that very spelling goes before a number of the same value, and before no value: the
// models of old have categories that are called N/A.
func (n *encoder) addValue(k int, x cell) {
	if x.isMissing() {
		return
	}
	place, known := n.lookup[k][x.text]
	if !known && x.isNumber() {
		place, known = n.number[k][x.number]
	}
	switch {
	case known && place >= 0:
		n.set(n.start[k]+int(place), 1)
	case !x.isNumber() && number.Missing(x.text):
		n.gaps[k]++
	default:
		n.addUnseen(k, cmp.Or(x.text, x.spelling()))
	}
}

func (n *encoder) addUnseen(k int, value string) {
	u := &n.unseen[k]
	if u.Rows++; u.Rows == 1 {
		u.Column, u.Value = n.e.Columns[k].Name, value
	}
}

// value returns what a cell is in a column of numbers, booleans or dates.
func (c *Column) value(x cell) (v float64, ok bool) {
	switch {
	case c.Kind == Number:
		return x.number, x.isNumber()
	case x.isNumber():
		return 0, false
	case c.Kind == Boolean:
		return boolean(x.text)
	}
	return c.Order.date(x.text)
}

// addText adds (1+ln tf)·idf of the known words of a text, divided by the length
// of that vector, or counts a text of unknown words alone as unseen.
func (n *encoder) addText(k int, x cell) {
	idf := n.e.Columns[k].IDF
	switch {
	case x.isMissing():
		return
	case n.e.Columns[k].Nothing && !x.isNumber() && number.Missing(x.text):
		n.gaps[k]++
		return
	}
	words := 0
	n.words = n.words[:0]
	eachWord(x.spelling(), func(word string) {
		words++
		if at, known := n.lookup[k][word]; known {
			n.words = append(n.words, at)
		}
	})
	if words > 0 && len(n.words) == 0 {
		n.addUnseen(k, x.spelling())
	}
	slices.Sort(n.words)
	square := 0.0
	for _, weight := range weights(n.words, idf) {
		square += weight * weight
	}
	for word, weight := range weights(n.words, idf) {
		n.set(n.start[k]+int(word), weight/math.Sqrt(square))
	}
}

// within returns where x lies between low and high: 0 at low, 1 at high.
func within(x, low, high float64) float64 {
	if math.IsInf(high-low, 0) {
		x, low, high = x/2, low/2, high/2
	}
	return (x - low) / (high - low)
}

// points returns all rows.
func (n *encoder) points() *points.Points {
	if n.sparse {
		return n.rows.CSR(n.width)
	}
	return points.Dense(n.ended, n.width, n.values)
}

// applier reads the rows of a table by an encoding; the features of its layout
// are the columns of the encoding.
type applier struct {
	*Layout
	*encoder
}

func newApplier(l *Layout) (*applier, error) {
	n, err := newEncoder(l.origin, l.options.Encoding)
	return &applier{Layout: l, encoder: n}, err
}

// add takes the fields of the row that begins at a line.
func (a *applier) add(fields [][]byte, line int) error {
	if err := a.beginRow(); err != nil {
		return err
	}
	for k, file := range a.Features {
		if file < 0 {
			continue
		}
		x := a.Layout.origin.cell(fields[file])
		if !utf8.ValidString(x.text) {
			return a.notUTF8(line, file, x.text)
		}
		if !a.encoder.add(k, x) {
			return a.mismatch(k, fields[file], line)
		}
	}
	return a.endRow()
}

// mismatch says why a field is not what its column holds.
func (a *applier) mismatch(k int, text []byte, line int) error {
	file, c := a.Features[k], &a.e.Columns[k]
	if c.Kind == Number {
		_, err := number.Parse(string(text))
		return a.notNumber(line, file, text, err, Message{})
	}
	msg := fmt.Sprintf("%s is none of true, false, yes and no; correct or remove it", quote.Field(text))
	if c.Kind == Date {
		msg = fmt.Sprintf("%s is no date such as 2024-12-31 or 2024-12-31T23:59:00Z; correct or remove it", quote.Field(text))
		if c.Order != "" {
			msg = fmt.Sprintf("%s is no date %s, as the column had in the training; correct or remove it", quote.Field(text), c.Order)
		}
	}
	return a.fieldErrorf(a.site(line, file), file, "%s", msg)
}

func (a *applier) finish(total int, d *Dataset) error {
	if err := a.encoder.finish(total, d); err != nil {
		return err
	}
	all, err := All(a.encoder.origin.Ranks, a.unseen)
	if err != nil {
		return err
	}
	for k, u := range all[0] {
		for _, other := range all[1:] {
			if u.Rows == 0 {
				u = other[k]
			} else {
				u.Rows += other[k].Rows
			}
		}
		if u.Rows > 0 {
			d.Unseen = append(d.Unseen, u)
		}
	}
	return nil
}

// finish gives a data set the points, and what is missing of the rows of all ranks.
func (n *encoder) finish(total int, d *Dataset) error {
	missing := &Missing{total, n.gaps}
	counts := make([]*int, len(missing.Columns))
	for k := range counts {
		counts[k] = &missing.Columns[k]
	}
	d.Points, d.Features, d.Encoding, d.Missing = n.points(), n.e.Features(), n.e, missing
	return n.origin.Ranks.sum(counts...)
}

// boolean reads true, false, yes and no in any case.
func boolean(s string) (v float64, ok bool) {
	switch {
	case strings.EqualFold(s, "true"), strings.EqualFold(s, "yes"):
		return 1, true
	case strings.EqualFold(s, "false"), strings.EqualFold(s, "no"):
		return 0, true
	}
	return 0, false
}
