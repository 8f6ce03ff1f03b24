package dataset

import (
	"errors"
	"fmt"
	"iter"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"lapsvm/dataset/internal/number"
	"lapsvm/dataset/internal/quote"
	"lapsvm/points"
)

// learner reads the rows of a table whose encoding is to be learnt. While all
// fields are numbers it does no more than to gather these; it keeps words, each
// distinct one once, for the columns that have any.
type learner struct {
	*Layout
	strict  bool // numbers only
	typed   bool // there is something that is no number, or an option asks for an encoding
	columns []*wordColumn
	used    []*wordColumn // those of columns that are read, in their order
	files   []int         // their places in the file
	doubts  []doubt       // columns whose kind cannot be told
	remarks []Message     // what was taken for granted of columns
	rows    int
	values  []float64 // rows × used, NaN where a field is no number
}

// wordColumn is a column of the table with what it holds beside numbers.
type wordColumn struct {
	name   string
	file   int     // its place in the file
	asked  Kind    // "" leaves it to what it holds
	found  Kind    // that the whole table shows it to be, "" for none
	reason string  // why it is left out
	wrong  *wordAt // why it holds no vectors, although the first value is one; nil otherwise

	verbatim bool // its numbers are words too
	precise  bool // so are those that would be rounded, since it is called like one that names the rows
	with     int  // the other of two columns of used that are places

	holds func(*Column, cell) (float64, bool) // nil where fields may be anything

	index map[string]int32
	words []string // the distinct words, in the order of the file
	lines []int    // where each of them is first
	ids   []int32  // of every row, as far as there are words: 1 + place in words, or 0

	uses []int // rows of each word

	vectors *wordVectors // nil without lists

	code codeShape // of its numbers
	span span      // of its numbers

	// Of the rows of all ranks.
	all          tally
	some, others wordTally // of its words, and of those that are not for nothing
}

func newLearner(lay *Layout) *learner {
	l := &learner{Layout: lay, strict: lay.options.Encoding != nil}
	for k, file := range lay.Features {
		g := &wordColumn{name: lay.name(file, k+1), file: file}
		if !l.strict {
			g.asked = lay.Asked(file)
			r := g.asked.rules()
			g.precise = g.asked == "" && l.mayName() && l.namesRows(g.name) != noName
			if g.verbatim = r.verbatim; r.checked {
				g.holds = r.value
			}
			if l.typed = l.typed || g.asked != ""; g.asked == Vector {
				g.vectors = new(wordVectors)
			}
		}
		l.columns = append(l.columns, g)
		if !g.asked.Featureless() {
			l.used, l.files = append(l.used, g), append(l.files, file)
		}
	}
	return l
}

// add takes the fields of the row that begins at a line.
func (l *learner) add(fields [][]byte, line int) error {
	if err := l.origin.Take(8*len(l.files), "the values"); err != nil {
		return err
	}
	values := l.origin.grow(l.values, len(l.files))
	values = values[:len(values)+len(l.files)]
	row := values[len(values)-len(l.files):]
	for j, file := range l.files {
		if taken, err := l.vector(l.used[j], fields[file], line); err != nil {
			return err
		} else if taken {
			row[j] = math.NaN()
			continue
		}
		v, err := l.parse(l.used[j], fields[file])
		if g := l.used[j]; g.holds != nil && !number.Nothing(string(fields[file])) {
			if _, ok := g.holds(nil, cell{number: v}); err != nil || !ok {
				return l.notHeld(&Column{Kind: g.asked}, line, file, fields[file])
			}
		}
		if err != nil || v-v != 0 { // no finite number
			if l.strict {
				return l.notNumber(line, file, fields[file], err, Message{})
			}
			if err := l.word(l.used[j], string(fields[file]), line); err != nil {
				return err
			}
			v = math.NaN()
		} else {
			l.used[j].code.add(fields[file], v)
		}
		row[j] = v
		l.used[j].span.add(v)
	}
	l.values = values
	l.rows++
	return nil
}

// errRounded is that a whole number would be rounded in a column that may name the rows.
var errRounded = errors.New("dataset: a name of a row would be rounded")

// parse reads a number. A column that is taken as it is written has none: 01532 is not 1532.
func (l *learner) parse(g *wordColumn, field []byte) (float64, error) {
	if g.verbatim {
		return 0, strconv.ErrSyntax
	}
	v, err := l.origin.parse(field)
	if g.precise && number.Rounded(field) {
		err = errRounded
	}
	return v, err
}

// word takes a field of the current row that is no finite number.
func (l *learner) word(g *wordColumn, text string, line int) error {
	l.typed = true
	if number.Missing(text) || g.holds != nil {
		return nil
	}
	if !utf8.ValidString(text) {
		return l.notUTF8(line, g.file, text)
	}
	if g.index == nil {
		g.index = make(map[string]int32)
	}
	id, ok := g.index[text]
	if !ok {
		const entry = 80 // bytes of a word beside its text
		if err := l.origin.Take(entry+len(text), "the different values of a column"); err != nil {
			return err
		}
		g.words, g.lines = append(g.words, text), append(g.lines, line)
		id = int32(len(g.words))
		g.index[text] = id
	}
	rows := l.rows + 1 - len(g.ids)
	if err := l.origin.Take(4*rows, "the words of a column"); err != nil {
		return err
	}
	g.ids = append(slices.Grow(g.ids, rows), make([]int32, rows-1)...)
	g.ids = append(g.ids, id)
	return nil
}

// cell returns the cell of row i in column j of used.
func (l *learner) cell(i, j int) cell {
	x := cell{number: l.values[i*len(l.used)+j]}
	g := l.used[j]
	if i < len(g.ids) && g.ids[i] > 0 {
		x.text = g.words[g.ids[i]-1]
	}
	x.vector = g.vectors.row(i)
	return x
}

// finish makes the points of the rows, of n of all ranks: those of a table of numbers as they
// are, else by an encoding.
func (l *learner) finish(n int, d *Dataset) error {
	if err := l.tally(); err != nil {
		return err
	}
	for _, r := range kinds() {
		if r.find == nil {
			continue
		}
		if err := r.find(l, n, d); err != nil {
			return err
		}
	}
	l.typed = l.typed || slices.ContainsFunc(l.used, func(g *wordColumn) bool { return g.found != "" })
	if err := l.noteNumbers(n, d); err != nil {
		return err
	}
	if len(l.used) == 0 && l.options.MayLackFeatures {
		d.lackFeatures(l.rows)
		return nil
	}
	if !l.typed {
		d.Points = points.Dense(l.rows, len(l.used), l.values)
		d.Features = l.Names
		return nil
	}
	l.unnamed(n)
	e, err := l.encoding(n)
	if err != nil {
		return err
	}
	var empty []string
	var parts [][2]int // of the columns with features: places in e.Columns and in used
	j := 0             // the next of used
	for k, g := range l.columns {
		c := &e.Columns[k]
		if c.Width() > 0 {
			parts = append(parts, [2]int{k, j})
		} else {
			empty = append(empty, fmt.Sprintf("%q (%s)", c.Name, strings.TrimPrefix(c.String(), leftOut)))
		}
		if j < len(l.used) && l.used[j] == g {
			j++
		}
	}
	for _, m := range l.remarks {
		d.doubt("%s", m)
	}
	if err := l.settle(parts != nil || l.options.MayLackFeatures, d); err != nil {
		return err
	}
	if parts == nil && l.options.MayLackFeatures {
		d.lackFeatures(l.rows)
		return nil
	}
	if parts == nil {
		return l.origin.Errorf(0, 0, "every column is left out: %s; add rows or other columns", quote.Names(empty))
	}
	enc, err := newEncoder(l.origin, e)
	if err != nil {
		return err
	}
	enc.expect(l.rows)
	for i := range l.rows {
		for _, part := range parts {
			enc.cells[part[0]] = l.cell(i, part[1])
		}
		if _, err := enc.addRow(); err != nil {
			return err
		}
	}
	return enc.finish(n, d)
}

// encoding learns what the columns become, from n rows of all ranks.
func (l *learner) encoding(n int) (*Encoding, error) {
	if err := l.tallyWords(); err != nil {
		return nil, err
	}
	e := &Encoding{Named: l.header != nil, Columns: make([]Column, len(l.columns))}
	var ranges []columnRange
	j := 0 // the next of used
	for k, g := range l.columns {
		c := &e.Columns[k]
		if *c = (Column{Name: g.name, Kind: g.asked}); c.Kind.Unread() {
			if c.Reason = "as asked"; l.isFurther(g.file) {
				c.Reason = "the labels of a class"
			}
		}
		if j == len(l.used) || l.used[j] != g {
			continue
		}
		if err := l.learn(c, j, n); err != nil {
			return nil, err
		}
		if c.Kind.rules().ranged {
			ranges = append(ranges, columnRange{c, j, n - c.Missing})
		}
		j++
	}
	together := 1 // columns whose sorted values are held at once
	if l.origin.Ranks != nil {
		together = 8
	}
	for some := range slices.Chunk(ranges, together) {
		if err := l.learnRanges(some); err != nil {
			return nil, err
		}
	}
	return e, nil
}

// unnamed leaves out the columns without a name, where there are several, since no later table could tell them apart. n is the
// number of rows.
func (l *learner) unnamed(n int) {
	var places []string
	for c, name := range l.header {
		if name == "" {
			places = append(places, strconv.Itoa(c+1))
		}
	}
	if len(places) < 2 {
		return
	}
	doubted := false
	for _, g := range l.used {
		if g.name != "" || g.found.Featureless() {
			continue
		}
		g.found, g.reason = Dropped, "it has no name, nor have others"
		if doubted || g.all.Rows[withNothing] == n {
			continue
		}
		doubted = true
		problem := Messagef("the columns %s have no name, so a later table's could not be told apart; name them, or give %s", quote.Names(places), Option{Name: "Ignore", Value: places})
		l.doubts = append(l.doubts, doubt{g.file, g.reason, problem, l.errorf(g.file+1, "%s", problem), false})
	}
}

// learn decides what column j of used is, and learns it from n rows of all ranks, but for the
// range of numbers and dates.
func (l *learner) learn(c *Column, j, n int) (err error) {
	g := l.used[j]
	if g.found.Featureless() {
		c.Kind, c.Reason = g.found, g.reason
		return nil
	}
	if c.Missing = g.all.Rows[withNothing]; c.Missing == n {
		c.drop("it has no values")
		return nil
	}
	// Words for nothing are missing only where the others are no words.
	rows := g.some.Rows - g.others.Rows
	if rows > 0 && l.measured(g, &g.others, n-c.Missing-rows) {
		g.dropNothing()
		c.Missing += rows
	}
	before := len(l.doubts)
	if c.Kind, err = l.kind(c, j, n); err != nil {
		return err
	}
	if len(l.doubts) > before {
		c.drop(l.doubts[before].reason)
	}
	if r := c.Kind.rules(); r.learn != nil {
		return r.learn(l, c, j, n)
	}
	return nil
}

// columnRange is a ranged column, which is column j of used, of so many values that are not missing.
type columnRange struct {
	*Column
	j, present int
}

// learnRanges learns the medians and the ranges of columns.
func (l *learner) learnRanges(columns []columnRange) error {
	var sorted [][]float64
	var n []int
	for _, c := range columns {
		value := c.Kind.rules().value
		values := make([]float64, 0, min(l.rows, c.present))
		for i := range l.rows {
			if x := l.cell(i, c.j); !x.isMissing() {
				v, _ := value(c.Column, x)
				values = append(values, v)
			}
		}
		slices.Sort(values)
		sorted = append(sorted, values, values, values, values)
		n = append(n, 0, c.present-1, (c.present-1)/2, c.present/2)
	}
	nth, err := l.origin.Ranks.nth(sorted, n)
	if err != nil {
		return err
	}
	for k, c := range columns {
		low, high, below, above := unsigned(nth[4*k]), unsigned(nth[4*k+1]), nth[4*k+2], nth[4*k+3]
		if low == high {
			c.drop("it is constant")
			continue
		}
		c.Low, c.High, c.Fill = low, high, above
		if below != above {
			if c.Fill = (below + above) / 2; math.IsInf(c.Fill, 0) {
				c.Fill = below // the sum of two huge numbers
			}
		}
		c.Fill = unsigned(c.Fill)
	}
	return nil
}

// spellings gives the values of column j of used that are not missing.
func (l *learner) spellings(j int) iter.Seq[string] {
	return func(yield func(string) bool) {
		for i := range l.rows {
			if x := l.cell(i, j); !x.isMissing() && !yield(x.spelling()) {
				return
			}
		}
	}
}
