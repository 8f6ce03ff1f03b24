package dataset

import (
	"fmt"
	"iter"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"lapsvm/dataset/internal/number"
	"lapsvm/dataset/internal/quote"
	"lapsvm/points"
)

// What a column of words is taken for without being asked.
const (
	mostValues      = 50   // of a category, and at most one in two rows
	mostValuesAsked = 1000 // of a category that was asked for
	wordsOfText     = 3    // a column is text where at least half of its values have so many words
)

// textColumn is the name of a column whose words are text in any case.
const textColumn = "text"

// learner reads the rows of a table whose encoding is to be learnt. While all
// fields are numbers it does no more than to gather these; it keeps words, each
// distinct one once, for the columns that have any.
type learner struct {
	*Layout
	strict  bool // numbers only
	typed   bool // there is something that is no number, or an option asks for an encoding
	all     bool // the values of all rows are held, also of those that are not kept
	columns []*wordColumn
	used    []*wordColumn // those of columns that are read, in their order
	files   []int         // their places in the file
	doubts  []doubt       // columns whose kind cannot be told
	rows    int
	values  []float64 // rows that are held × used, NaN where a field is no number
}

// wordColumn is a column of the table with what it holds beside numbers.
type wordColumn struct {
	name  string
	file  int  // its place in the file
	asked Kind // "" leaves it to what it holds

	index map[string]int32
	words []string // the distinct words, in the order of the file
	lines []int    // where each of them is first
	ids   []int32  // of every row, as far as there are words: 1 + place in words, or 0

	code  codeShape // of its numbers
	names bool      // its values name the rows
	span  span      // of its numbers
}

func newLearner(lay *Layout) *learner {
	l := &learner{Layout: lay, strict: lay.options.Encoding != nil}
	for k, file := range lay.Features {
		g := &wordColumn{name: lay.name(file, k+1), file: file}
		if !l.strict {
			g.asked = lay.Asked(file)
			l.typed = l.typed || g.asked != ""
		}
		l.columns = append(l.columns, g)
		if g.asked != ID && g.asked != Dropped {
			l.used, l.files = append(l.used, g), append(l.files, file)
		}
	}
	l.all = lay.origin.Own.All() || lay.origin.LearnAll || l.typed || lay.mayFindNames()
	return l
}

// holds reports whether the values of the current row are held.
func (l *learner) holds() bool { return l.all || l.origin.Own.Has(l.rows) }

// encode notes that the table needs an encoding. It fails with ErrLearnAll where that
// cannot be learnt from what is held.
func (l *learner) encode() error {
	if !l.all {
		return ErrLearnAll
	}
	l.typed = true
	return nil
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
		v, err := number.ParseBytes(fields[file])
		if err != nil || v-v != 0 { // no finite number
			if l.strict {
				return l.notNumber(line, file, fields[file], err, Message{})
			}
			if err := l.word(l.used[j], string(fields[file]), line); err != nil {
				return err
			}
			v = math.NaN()
		} else {
			l.used[j].code.add(fields[file])
		}
		row[j] = v
		l.used[j].span.add(v)
	}
	if l.values = values; !l.holds() {
		l.values = values[:len(values)-len(row)]
		l.origin.Give(8 * len(row))
	}
	l.rows++
	return nil
}

// word takes a field of the current row that is no finite number.
func (l *learner) word(g *wordColumn, text string, line int) error {
	if err := l.encode(); err != nil {
		return err
	}
	if number.Missing(text) {
		return nil
	}
	if !utf8.ValidString(text) {
		return l.notUTF8(line, g.file, text)
	}
	if g.index == nil {
		g.index = make(map[string]int32)
	}
	id, known := g.index[text]
	if !known {
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
	if g := l.used[j]; i < len(g.ids) && g.ids[i] > 0 {
		x.text = g.words[g.ids[i]-1]
	}
	return x
}

// finish makes the points of n rows: those of a table of numbers as they are,
// else by an encoding.
func (l *learner) finish(n int, d *Dataset) error {
	if err := l.findNames(n, d); err != nil {
		return err
	}
	l.noteNumbers(n, d)
	if !l.typed {
		l.keepOwn(n)
		d.Points = points.Dense(len(l.values)/len(l.used), len(l.used), l.values)
		d.Features = l.Names
		return nil
	}
	if err := l.unnamed(); err != nil {
		return err
	}
	e := &Encoding{Named: l.header != nil}
	var empty []string
	var parts [][2]int // of the columns with features: places in e.Columns and in used
	j := 0             // the next of used
	for k, g := range l.columns {
		c := Column{Name: g.name, Kind: g.asked}
		if c.Kind == Dropped {
			c.Reason = "as asked"
		}
		if j < len(l.used) && l.used[j] == g {
			var err error
			if c, err = l.learn(j, n); err != nil {
				return err
			}
			j++
		}
		if c.Width() > 0 {
			parts = append(parts, [2]int{k, j - 1})
		} else {
			empty = append(empty, fmt.Sprintf("%q (%s)", c.Name, strings.TrimPrefix(c.String(), "left out: ")))
		}
		e.Columns = append(e.Columns, c)
	}
	if l.doubts != nil {
		return l.doubtful()
	}
	if parts == nil {
		return l.origin.Errorf(0, 0, "every column is left out: %s; add rows or other columns", quote.Names(empty))
	}
	enc, err := newEncoder(l.origin, e)
	if err != nil {
		return err
	}
	for i := range n {
		if err := enc.beginRow(); err != nil {
			return err
		}
		for _, part := range parts {
			enc.add(part[0], l.cell(i, part[1]))
		}
		if err := enc.endRow(); err != nil {
			return err
		}
		if !l.origin.Own.Has(i) {
			enc.drop()
		}
	}
	d.Points, d.Features, d.Encoding, d.Missing = enc.points(), e.Features(), e, &Missing{n, enc.gaps}
	return nil
}

// keepOwn drops the values of rows that are held and not kept.
func (l *learner) keepOwn(n int) {
	if !l.all || l.origin.Own.All() {
		return
	}
	width := len(l.used)
	kept := l.values[:0]
	for i := range n {
		if l.origin.Own.Has(i) {
			kept = append(kept, l.values[i*width:(i+1)*width]...)
		}
	}
	l.values = kept
}

// unnamed refuses a column without a name that no later table could tell from
// another one.
func (l *learner) unnamed() error {
	for _, g := range l.used {
		if g.name != "" || l.header == nil {
			continue
		}
		for c, name := range l.header {
			if a, b := min(c, g.file)+1, max(c, g.file)+1; name == "" && a < b {
				return l.errorf(g.file+1, "columns %d and %d have no name, so a later table's could not be told apart; name them, or give %s", a, b, Option{"Ignore", []string{strconv.Itoa(a), strconv.Itoa(b)}})
			}
		}
	}
	return nil
}

// learn decides what column j of used is, and learns it from n rows.
func (l *learner) learn(j, n int) (Column, error) {
	g := l.used[j]
	c := Column{Name: g.name}
	if g.names {
		c.Kind = ID
		return c, nil
	}
	uses := make([]int, len(g.words)) // rows of each word
	numbers := 0
	for i := range n {
		switch x := l.cell(i, j); {
		case x.isNumber():
			numbers++
		case x.isMissing():
			c.Missing++
		default:
			uses[g.ids[i]-1]++
		}
	}
	if c.Missing == n {
		return dropped(c, "it has no values"), nil
	}
	rows := 0 // with words for nothing that is missing only where the others are no words
	for w, text := range g.words {
		if number.Nothing(text) {
			rows += uses[w]
		}
	}
	if rows > 0 && g.asked == "" && c.Missing+rows < n {
		others := l.without(g)
		otherUses := make([]int, 0, len(others.words))
		for w, text := range g.words {
			if !number.Nothing(text) {
				otherUses = append(otherUses, uses[w])
			}
		}
		if measured(others, numbers, n-c.Missing-rows, otherUses) {
			*g, uses = *others, otherUses
			c.Missing += rows
		}
	}
	c.Kind, c.Guessed, c.Order = l.kind(g, numbers, n-c.Missing, n, uses)
	switch c.Kind {
	case "":
		return c, nil
	case Number, Date:
		return l.learnNumbers(c, j, n), nil
	case Boolean:
		yes := 0
		for w, text := range g.words {
			if v, _ := boolean(text); v == 1 {
				yes += uses[w]
			}
		}
		if 2*yes > n-c.Missing {
			c.Fill = 1
		}
		return c, nil
	case Category:
		return l.learnCategory(c, j, n)
	}
	var err error
	if c.Words, c.IDF, err = vocabulary(l.origin, n, l.spellings(j, n)); err != nil {
		return c, err
	}
	if len(c.Words) == 0 {
		return dropped(c, fmt.Sprintf("text without a word that is in at least %d rows and at most %.0f %% of them", fewestRows, 100*mostShare)), nil
	}
	return c, nil
}

func dropped(c Column, reason string) Column {
	return Column{Name: c.Name, Kind: Dropped, Reason: reason, Missing: c.Missing}
}

// learnNumbers learns the median and the range of numbers or dates.
func (l *learner) learnNumbers(c Column, j, n int) Column {
	var present []float64
	for i := range n {
		if x := l.cell(i, j); !x.isMissing() {
			v, _ := c.value(x)
			present = append(present, v)
		}
	}
	slices.Sort(present)
	c.Low, c.High = present[0], present[len(present)-1]
	if c.Low == c.High {
		return dropped(c, "it is constant")
	}
	c.Fill = present[len(present)/2]
	if len(present)%2 == 0 {
		below := present[len(present)/2-1]
		if c.Fill = (below + c.Fill) / 2; math.IsInf(c.Fill, 0) {
			c.Fill = below // the sum of two huge numbers
		}
	}
	return c
}

// learnCategory learns the values.
func (l *learner) learnCategory(c Column, j, n int) (Column, error) {
	g := l.used[j]
	seen := make(map[string]bool)
	for text := range l.spellings(j, n) {
		if seen[text] = true; len(seen) > mostValuesAsked {
			return c, l.origin.Errorf(0, 0, "column %q has more than %d different values, too many for a category; give %s, %s or %s instead", g.name, mostValuesAsked, Option{Name: "Ignore"}, Option{Name: "ID"}, Option{Name: "Text"})
		}
	}
	if len(seen) == 1 && c.Missing == 0 {
		return dropped(c, "it is constant"), nil
	}
	c.Values, _ = sortClasses(slices.Collect(maps.Keys(seen)))
	return c, nil
}

// spellings gives the values of column j of used that are not missing.
func (l *learner) spellings(j, n int) iter.Seq[string] {
	return func(yield func(string) bool) {
		for i := range n {
			if x := l.cell(i, j); !x.isMissing() && !yield(x.spelling()) {
				return
			}
		}
	}
}
