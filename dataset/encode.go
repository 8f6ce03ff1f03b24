package dataset

import (
	"math"
	"unicode/utf8"

	"lapsvm/dataset/internal/number"
	"lapsvm/dataset/internal/sparse"
	"lapsvm/internal/system/huge"
	"lapsvm/points"
)

// cell is a field of a table as the encoder takes it: a finite number, or text,
// or a list of numbers, or missing (NaN, and no text and no list).
type cell struct {
	number float64
	text   string // as it is written; "" of a number whose text is not known
	vector []float64
}

// cell reads a field. Of the spellings of missing values those that no category is called
// by have no text.
func (o *Origin) cell(field []byte) cell {
	s := string(field)
	if v, err := o.parse(field); err == nil && v-v == 0 {
		return cell{number: v, text: s}
	}
	if number.Common(s) {
		return cell{number: math.NaN()}
	}
	return cell{number: math.NaN(), text: s}
}

func (c cell) isNumber() bool { return !math.IsNaN(c.number) }
func (c cell) isMissing() bool {
	return math.IsNaN(c.number) && c.text == "" && c.vector == nil
}

// spelling returns a cell as a text has it, and a category that is not called as the cell is
// written: numbers by their value, so that 1.0 and 01 are 1.
func (c cell) spelling() string {
	if c.isNumber() {
		return number.Format(c.number)
	}
	return c.text
}

// encoder makes features of cells, row by row. Learning and applying an encoding both end here.
type encoder struct {
	origin  *Origin
	e       *Encoding
	columns []func(row []cell) (ok bool) // set the features of each column, and report whether its cell is what it holds; nil without features
	cells   []cell                       // of each column in the row to come
	width   int
	ended   int // rows
	sparse  bool
	values  []float64 // dense points
	rows    sparse.Rows
	row     []float64 // current dense row, inside values
	unseen  []Unseen  // of each column
	gaps    []int     // missing values of each column
}

// newEncoder fails where the names of the features take more memory than the origin
// allows.
func newEncoder(origin *Origin, e *Encoding) (*encoder, error) {
	columns := len(e.Columns)
	n := &encoder{origin: origin, e: e, columns: make([]func([]cell) bool, columns), cells: make([]cell, columns),
		unseen: make([]Unseen, columns), gaps: make([]int, columns), sparse: e.HasText()}
	for k := range e.Columns {
		c := &e.Columns[k]
		const entry = 80 // bytes of a feature's name beside its text
		bytes := 0
		for _, names := range [][]string{c.Values, c.Words, c.Grams} {
			for _, name := range names {
				bytes += entry + len(c.Name) + len(name)
			}
		}
		bytes += len(c.Mean) * (entry + len(c.Name))
		if err := origin.Take(bytes, "the names of the features"); err != nil {
			return nil, err
		}
		switch r := c.Kind.rules(); {
		case r.encode != nil:
			n.columns[k] = r.encode(n, k, n.width)
		case r.value != nil:
			n.columns[k] = n.valueAt(k, n.width, r)
		}
		n.width += c.Width()
	}
	return n, nil
}

// expect makes room for so many rows at once, where there is memory for them.
func (n *encoder) expect(rows int) {
	if values := rows * n.width; !n.sparse && int64(8*values) <= n.origin.Memory.Room() {
		n.values = make([]float64, 0, values)
		huge.Prepare(n.values[:values])
	}
}

// addRow makes the features of a row of cells. Where a column does not hold its cell, addRow
// returns the index of the column, else −1.
func (n *encoder) addRow() (wrong int, err error) {
	if !n.sparse {
		if err := n.origin.Take(8*n.width, "the features"); err != nil {
			return -1, err
		}
		from := len(n.values)
		n.values = n.origin.grow(n.values, n.width)[:from+n.width]
		n.row = n.values[from:]
		clear(n.row)
	}
	for k, add := range n.columns {
		if add != nil && !add(n.cells) {
			return k, nil
		}
	}
	n.ended++
	if n.sparse {
		return -1, n.origin.Take(n.rows.EndRow(), "the features")
	}
	return -1, nil
}

func (n *encoder) set(feature int, v float64) {
	if n.sparse {
		n.rows.Add(int32(feature), v)
	} else {
		n.row[feature] = v
	}
}

// valueAt sets a feature to the value of column k.
func (n *encoder) valueAt(k, at int, r kindRules) func(row []cell) bool {
	c, ranged := &n.e.Columns[k], n.sparse && r.ranged
	return func(row []cell) bool {
		v, ok := n.value(k, row[k], r.value)
		if ranged {
			v = within(v, c.Low, c.High)
		}
		n.set(at, v)
		return ok
	}
}

// value returns the value of a cell of column k, what stands for it where it is missing.
func (n *encoder) value(k int, x cell, value func(*Column, cell) (float64, bool)) (v float64, ok bool) {
	c := &n.e.Columns[k]
	if !x.isNumber() && number.Nothing(x.text) { // of a word for nothing too
		n.gaps[k]++
		return c.Fill, true
	}
	return value(c, x)
}

func (n *encoder) addUnseen(k int, value string) {
	u := &n.unseen[k]
	if u.Rows++; u.Rows == 1 {
		u.Column, u.Value = n.e.Columns[k].Name, value
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
	room [][]float64 // for the list of each column
}

func newApplier(l *Layout) (*applier, error) {
	n, err := newEncoder(l.origin, l.options.Encoding)
	return &applier{l, n, make([][]float64, len(l.options.Encoding.Columns))}, err
}

// add takes the fields of the row that begins at a line.
func (a *applier) add(fields [][]byte, line int) error {
	for k, file := range a.Features {
		if file < 0 {
			continue
		}
		if a.e.Columns[k].Kind == Vector {
			a.cells[k] = list(fields[file], &a.room[k])
			continue
		}
		x := a.Layout.origin.cell(fields[file])
		if !utf8.ValidString(x.text) {
			return a.notUTF8(line, file, x.text)
		}
		a.cells[k] = x
	}
	wrong, err := a.addRow()
	if err != nil || wrong < 0 {
		return err
	}
	file := a.Features[wrong]
	return a.notHeld(&a.e.Columns[wrong], line, file, fields[file])
}

// notHeld says why a field of a file's column is not what a column c holds.
func (l *Layout) notHeld(c *Column, line, file int, field []byte) error {
	if says := c.Kind.rules().wrong; says != nil {
		return l.fieldErrorf(l.site(line, file), file, "%s", says(c, string(field)))
	}
	_, err := number.Parse(string(field))
	return l.notNumber(line, file, field, err, Message{})
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
	missing := Missing{total, n.gaps}
	counts := make([]*int, len(missing.Columns))
	for k := range counts {
		counts[k] = &missing.Columns[k]
	}
	d.Points, d.Features, d.Encoding, d.Missing = n.points(), n.e.Features(), n.e, missing
	return n.origin.Ranks.sum(counts...)
}
