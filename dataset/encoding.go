package dataset

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"lapsvm/points"
)

// Encoding turns the columns of a table into features. It is learnt from one table (see
// [TableOptions]) and gives every later table the same features. It never changes.
//
// With a text column the points are sparse. The words of a text have length 1, or 0 without a
// known word, and so have its pairs and triples of characters. Numbers and dates are then scaled by the range of the training table,
// (x−Low)/(High−Low), so that no column outweighs another by its unit. Without text they keep
// their values, and scaling is left to the training.
type Encoding struct {
	Named   bool // columns are found by name; else, and in a table without a header, by position
	Columns []Column
}

// Column is a column of a table, other than the label column, with what was learnt about it.
type Column struct {
	Name    string `json:"name"` // x1, x2, … where the table has no header
	Kind    Kind   `json:"kind"`
	Reason  string `json:"reason,omitempty"`  // why a column is dropped
	Guessed bool   `json:"guessed,omitempty"` // the kind is text, or a category of numbers and words, and nobody asked for it
	Missing int    `json:"missing,omitempty"` // missing values in the table learnt from

	Fill float64 `json:"fill"` // number, boolean, date, time, amount, latitude, longitude: what stands for a missing value
	Low  float64 `json:"low"`  // number, date, amount: the smallest value; latitude: the scale beside text; vector: 0
	High float64 `json:"high"` // number, date, amount: the largest value; latitude: likewise; vector: the scale beside text

	Mean []float64 `json:"mean,omitempty"` // vector: what stands for a missing one

	Order DateOrder `json:"order,omitempty"` // date: "" for ISO 8601

	Unit  string `json:"unit,omitempty"`  // amount: the currency, or %
	Comma bool   `json:"comma,omitempty"` // amount: decimals stand behind commas

	Embedded *Embedded `json:"embedded,omitempty"` // vector: of what it was made; nil where the table has it

	With string `json:"with,omitempty"` // longitude: the column of its latitude

	Values []string `json:"values,omitempty"` // category: the values, sorted as classes are; tags: the words in byte order

	Words   []string  `json:"words,omitempty"`    // text: the vocabulary in byte order
	IDF     []float64 `json:"idf,omitempty"`      // text: ln((1+n)/(1+df)) + 1 of every word, df the number of rows that have it, of n
	Grams   []string  `json:"grams,omitempty"`    // text: pairs and triples of characters in byte order; nil in encodings of older programs
	GramIDF []float64 `json:"gram_idf,omitempty"` // text: as IDF, of every pair and triple
	Vectors []float32 `json:"-"`                  // text: of each word as many numbers ([Encoding.WithWordVectors]); nil without. A model has them in its description
	Nothing bool      `json:"nothing,omitempty"`  // text: a field that is N/A, null or None is missing, and no text
}

// Width returns the number of features that a column becomes.
func (c *Column) Width() int {
	r := c.Kind.rules()
	switch {
	case r.width != nil:
		return r.width(c)
	case r.value != nil:
		return 1
	}
	return 0
}

// features returns the names of the features.
func (c *Column) features() []string {
	r := c.Kind.rules()
	switch {
	case r.features != nil:
		return r.features(c)
	case r.value != nil:
		return []string{c.Name}
	}
	return nil
}

// behind returns names behind a prefix.
func behind(prefix string, names []string) (all []string) {
	for _, name := range names {
		all = append(all, prefix+name)
	}
	return all
}

// String tells the kind of a column and what was learnt, for people, as in
// "number, 1 to 9.5, 12 missing → 3.5".
func (c *Column) String() string {
	r, s := c.Kind.rules(), string(c.Kind)
	if r.describe != nil {
		s = r.describe(c)
	}
	if c.Missing == 0 || c.Kind.Featureless() {
		return s
	}
	if s += fmt.Sprintf(", %d missing", c.Missing); r.value != nil {
		s += " → " + c.typical()
	}
	return s
}

// Text writes a value of the column for people where that is not its number: a date as its day. It
// is "" for numbers.
func (c *Column) Text(v float64) string {
	if text := c.Kind.rules().text; text != nil {
		return text(c, v)
	}
	return ""
}

// Typical returns a field that the column may have.
func (c *Column) Typical() string {
	if typical := c.Kind.rules().typical; typical != nil {
		return typical(c)
	}
	return c.typical()
}

// typical writes what stands for a missing value.
func (c *Column) typical() string { return cmp.Or(c.Text(c.Fill), fmt.Sprintf("%.6g", c.Fill)) }

// Holds returns what the values of the column are.
func (c *Column) Holds() Type { return c.Kind.rules().holds }

// Valued reports whether a value of the column is a number, as what stands for a missing one is.
func (c *Column) Valued() bool { return c.Kind.rules().value != nil }

// Measured reports whether the ranges of the column's features mean something.
func (c *Column) Measured() bool { return c.Kind.rules().measured }

// NamesRows reports whether the fields of the column name the rows.
func (c *Column) NamesRows() bool { return c.Kind.rules().names }

// Range returns the range of a column whose feature is scaled by it beside text, else 0 and 1.
func (c *Column) Range() (low, high float64) {
	if c.Low < c.High {
		return c.Low, c.High
	}
	return 0, 1
}

// counted writes a number of things for people.
func counted(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// some lists at most the first of names, on one line and cut where they are long.
func some(names []string, most int) string {
	const longest = 24 // characters
	var shown []string
	for _, name := range names[:min(len(names), most)] {
		if characters := []rune(name); len(characters) > longest {
			name = string(characters[:longest]) + "…"
		}
		shown = append(shown, strings.Map(func(r rune) rune {
			if !unicode.IsPrint(r) {
				return ' '
			}
			return r
		}, name))
	}
	if len(names) > most {
		shown = append(shown, "…")
	}
	return strings.Join(shown, ", ")
}

// Features returns the names of all features in their order: the columns in
// theirs, and of a column its values or words in theirs.
func (e *Encoding) Features() []string {
	var names []string
	for k := range e.Columns {
		names = append(names, e.Columns[k].features()...)
	}
	return names
}

// Learnt reports whether e has columns to apply. An encoding may be nil, or without columns.
func (e *Encoding) Learnt() bool { return len(e.All()) > 0 }

// All returns the columns, none where e is nil.
func (e *Encoding) All() []Column {
	if e == nil {
		return nil
	}
	return e.Columns
}

// ForOthers returns the encoding by which other tables are read like one of this encoding. Where e is nil they are numbers alone.
func (e *Encoding) ForOthers() *Encoding {
	if e == nil {
		return new(Encoding)
	}
	return e
}

// Needed returns the names of the columns that give features.
func (e *Encoding) Needed() []string {
	var names []string
	for k := range e.Columns {
		if c := &e.Columns[k]; c.Width() > 0 || e.embeds(c.Name) {
			names = append(names, c.Name)
		}
	}
	return names
}

// HasText reports whether there is a text column, so that points are sparse. The encoding may be nil.
func (e *Encoding) HasText() bool {
	sparse := slices.DeleteFunc(kinds(), func(r kindRules) bool { return !r.sparse })
	return slices.ContainsFunc(e.All(), func(c Column) bool {
		return slices.ContainsFunc(sparse, func(r kindRules) bool { return r.kind == c.Kind })
	})
}

// MissingRow returns the features of a row without any value.
func (e *Encoding) MissingRow() (*points.Points, error) {
	n, err := newEncoder(&Origin{File: "rows", Rows: Objects}, e)
	if err != nil {
		return nil, err
	}
	for k := range n.cells {
		n.cells[k] = cell{number: math.NaN()}
	}
	if _, err := n.addRow(); err != nil {
		return nil, err
	}
	return n.points(), nil
}

// Validate reports what no encoding that was learnt can hold.
func (e *Encoding) Validate() error {
	width := 0
	for k := range e.Columns {
		c := &e.Columns[k]
		if err := e.validate(c); err != nil {
			return fmt.Errorf("column %q: %w", c.Name, err)
		}
		width += c.Width()
	}
	if width == 0 {
		return errors.New("no column gives a feature")
	}
	return nil
}

func (e *Encoding) validate(c *Column) error {
	for _, s := range slices.Concat([]string{c.Name, c.Reason, c.With, c.Unit}, c.Values, c.Words, c.Grams) {
		if !utf8.ValidString(s) {
			return fmt.Errorf("%q is not UTF-8", s)
		}
	}
	for _, v := range slices.Concat([]float64{c.Fill, c.Low, c.High}, c.Mean, c.IDF, c.GramIDF) {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return errors.New("a number is not finite")
		}
	}
	r := c.Kind.rules()
	switch {
	case r.kind == "":
		return fmt.Errorf("the kind %q is not known", c.Kind)
	case c.Kind.Featureless():
		return nil
	case r.ranged && !(c.Low < c.High):
		return fmt.Errorf("the range %g to %g is empty", c.Low, c.High)
	}
	if r.validate != nil {
		if err := r.validate(e, c); err != nil {
			return err
		}
	}
	if c.Width() == 0 {
		return errors.New("it has no features")
	}
	return nil
}

// The versions of encodings that features of older kinds came with. Programs of the first one look for numbers of a category by their
// common spelling, and so would not find a value such as 01532.
const (
	writtenVersion  = 2
	gramsVersion    = 4 // pairs and triples of characters
	embeddedVersion = 6 // what vectors are made of
)

// LatestVersion returns the version of encodings that holds all of this program.
func LatestVersion() int {
	version := embeddedVersion
	for _, r := range kinds() {
		version = max(version, r.version)
	}
	return version
}

// Version returns the version of a program's encodings from which on they hold what this one has.
func (e *Encoding) Version() int {
	version := 1
	for k := range e.Columns {
		c := &e.Columns[k]
		version = max(version, c.Kind.rules().version)
		if c.asWritten() {
			version = max(version, writtenVersion)
		}
		if len(c.Grams) > 0 {
			version = max(version, gramsVersion)
		}
		if c.Embedded != nil {
			version = max(version, embeddedVersion)
		}
	}
	return version
}

// NumbersAlone reports whether all columns of a table are numbers, or one is a vector and all. So they are without an encoding.
func (e *Encoding) NumbersAlone() bool {
	numbers, vectors := 0, 0
	for k := range e.All() {
		switch c := &e.Columns[k]; {
		case c.Width() == 0:
		case c.Kind == Number:
			numbers++
		case c.Kind == Vector:
			vectors++
		default:
			return false
		}
	}
	return vectors == 0 || vectors == 1 && numbers == 0
}

// Unseen reports a category with values that its encoding does not know, or a text with rows that
// have no word of its vocabulary. The features of such rows are all 0, like those of a missing
// value.
type Unseen struct {
	Column string
	Rows   int    // that have such values, of the whole file
	Value  string // the first one
}

// Missing counts the missing values of a table.
type Missing struct {
	Rows    int   // of the whole file
	Columns []int // of every column of the encoding; 0 where it gives no features
}
