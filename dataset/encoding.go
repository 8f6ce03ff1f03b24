package dataset

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"lapsvm/dataset/internal/number"
)

// Kind is the kind of a column of a table.
type Kind string

// The kinds of columns, and the features they become. A feature is called like
// its column unless another name is given here.
const (
	Number   Kind = "number"   // its value; missing: the median
	Boolean  Kind = "boolean"  // true and yes are 1, false and no 0; missing: the more frequent, 0 of equals
	Date     Kind = "date"     // days since 1970-01-01 UTC, with a fraction; missing: the median
	Category Kind = "category" // COLUMN=VALUE, 1 or 0, for every value as it is written; missing and unseen values: all 0
	Text     Kind = "text"     // COLUMN:WORD, TF-IDF, for every word of the vocabulary; missing: all 0
	ID       Kind = "id"       // none; the text of the column is in Dataset.Kept
	Dropped  Kind = "dropped"  // none
)

// Encoding turns the columns of a table into features. It is learnt from one table (see
// [TableOptions]) and gives every later table the same features. It never changes.
//
// With a text column the points are sparse. The features of a text have length 1, or 0 without a
// known word. Numbers and dates are then scaled by the range of the training table,
// (x−Low)/(High−Low), so that no column outweighs another by its unit. Without text they keep
// their values, and scaling is left to the training.
type Encoding struct {
	Named   bool // columns are found by name; else, and in a table without a header, by position
	Columns []Column
}

// Column is a column of a table, other than the label column, with what was learnt about it.
type Column struct {
	Name    string // x1, x2, … where the table has no header
	Kind    Kind
	Reason  string // why a column is dropped
	Guessed bool   // the kind is text, or a category of numbers and words, and nobody asked for it
	Missing int    // missing values in the table learnt from

	Fill      float64 // number, boolean, date: what stands for a missing value
	Low, High float64 // number, date: smallest and largest value

	Order DateOrder // date: "" for ISO 8601

	Values []string // category: the values, sorted as classes are

	Words   []string  // text: the vocabulary in byte order
	IDF     []float64 // text: ln((1+n)/(1+df)) + 1 of every word, df the number of rows that have it, of n
	Nothing bool      // text: a field that is N/A, null or None is missing, and no text
}

// Width returns the number of features that a column becomes.
func (c *Column) Width() int {
	switch c.Kind {
	case Number, Boolean, Date:
		return 1
	case Category:
		return len(c.Values)
	case Text:
		return len(c.Words)
	}
	return 0
}

// AsWritten reports whether a value of a category is a number in another spelling than the
// common one, such as 01532.
func (c *Column) AsWritten() bool {
	return slices.ContainsFunc(c.Values, func(value string) bool {
		v, ok := number.Finite(value)
		return ok && number.Format(v) != value
	})
}

// String tells the kind of a column and what was learnt, for people, as in
// "number, 1 to 9.5, 12 missing → 3.5".
func (c *Column) String() string {
	var s string
	switch c.Kind {
	case Dropped:
		return "left out: " + c.Reason
	case ID:
		return "left out: it names the row"
	case Category:
		s = fmt.Sprintf("category, %s: %s", counted(len(c.Values), "value"), some(c.Values, 5))
		if c.Guessed {
			s = fmt.Sprintf("category (a guess: numbers and words), %s: %s", counted(len(c.Values), "value"), some(c.Values, 5))
		}
	case Text:
		s = "text, " + counted(len(c.Words), "word")
		if c.Guessed {
			s = "text (a guess), " + counted(len(c.Words), "word")
		}
	case Date:
		s = fmt.Sprintf("date, %s to %s, in days", day(c.Low), day(c.High))
		if c.Order != "" {
			s = fmt.Sprintf("date (%s), %s to %s, in days", c.Order, day(c.Low), day(c.High))
		}
	case Number:
		s = fmt.Sprintf("number, %.6g to %.6g", c.Low, c.High)
	default:
		s = string(c.Kind)
	}
	if c.Missing == 0 {
		return s
	}
	switch s += fmt.Sprintf(", %d missing", c.Missing); c.Kind {
	case Number:
		s += fmt.Sprintf(" → %.6g", c.Fill)
	case Boolean:
		s += map[bool]string{false: " → false", true: " → true"}[c.Fill == 1]
	case Date:
		s += " → " + day(c.Fill)
	}
	return s
}

// Text writes a value of the column for people, a date as its day.
func (c *Column) Text(v float64) string {
	if c.Kind == Date {
		return day(v)
	}
	return fmt.Sprintf("%.6g", v)
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
		switch c := &e.Columns[k]; c.Kind {
		case Number, Boolean, Date:
			names = append(names, c.Name)
		case Category:
			for _, value := range c.Values {
				names = append(names, c.Name+"="+value)
			}
		case Text:
			for _, word := range c.Words {
				names = append(names, c.Name+":"+word)
			}
		}
	}
	return names
}

// Learnt reports whether e has columns to apply. An encoding may be nil, or without columns.
func (e *Encoding) Learnt() bool { return e != nil && len(e.Columns) > 0 }

// Needed returns the names of the columns that give features.
func (e *Encoding) Needed() []string {
	var names []string
	for k := range e.Columns {
		if c := &e.Columns[k]; c.Width() > 0 {
			names = append(names, c.Name)
		}
	}
	return names
}

// HasText reports whether there is a text column, so that points are sparse.
func (e *Encoding) HasText() bool {
	return slices.ContainsFunc(e.Columns, func(c Column) bool { return c.Kind == Text })
}

// Validate reports what no encoding that was learnt can hold.
func (e *Encoding) Validate() error {
	width := 0
	for k := range e.Columns {
		c := &e.Columns[k]
		if err := c.validate(); err != nil {
			return fmt.Errorf("column %q: %w", c.Name, err)
		}
		width += c.Width()
	}
	if width == 0 {
		return errors.New("no column gives a feature")
	}
	return nil
}

func (c *Column) validate() error {
	for _, s := range slices.Concat([]string{c.Name, c.Reason}, c.Values, c.Words) {
		if !utf8.ValidString(s) {
			return fmt.Errorf("%q is not UTF-8", s)
		}
	}
	for _, v := range slices.Concat([]float64{c.Fill, c.Low, c.High}, c.IDF) {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return errors.New("a number is not finite")
		}
	}
	switch c.Kind {
	case ID, Dropped:
		return nil
	case Number, Date:
		if !c.Order.valid() {
			return fmt.Errorf("the order of dates %q is not known", c.Order)
		}
		if !(c.Low < c.High) {
			return fmt.Errorf("the range %g to %g is empty", c.Low, c.High)
		}
		return nil
	case Boolean:
		if c.Fill != 0 && c.Fill != 1 {
			return fmt.Errorf("%g is no boolean", c.Fill)
		}
		return nil
	case Category:
		if sorted, _ := sortClasses(c.Values); !slices.Equal(sorted, c.Values) || len(slices.Compact(sorted)) != len(c.Values) {
			return errors.New("its values are not sorted, or some are equal")
		}
	case Text:
		for k := 1; k < len(c.Words); k++ {
			if c.Words[k-1] >= c.Words[k] {
				return errors.New("its words are not sorted, or some are equal")
			}
		}
		if len(c.IDF) != len(c.Words) {
			return fmt.Errorf("%d weights for %d words", len(c.IDF), len(c.Words))
		}
	default:
		return fmt.Errorf("the kind %q is not known", c.Kind)
	}
	if c.Width() == 0 {
		return errors.New("it has no features")
	}
	return nil
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

// Kept holds columns of text, row by row, that name the rows and are repeated beside results.
// Fields of a table are without quotes, and unquoted fields without surrounding blanks.
type Kept struct {
	Names []string // x1, x2, … by position in the file where there is no header
	Rows  [][]string
}

// Add keeps these columns of a row. More memory than the origin allows is an
// [*Error].
func (k *Kept) Add(origin *Origin, fields [][]byte, columns []int) error {
	const header = 16 // bytes of a string beside its text
	size := 2 * header
	for _, c := range columns {
		size += header + len(fields[c])
	}
	if err := origin.Take(size, "the text of the columns to keep"); err != nil {
		return err
	}
	row := make([]string, len(columns))
	for at, c := range columns {
		row[at] = string(fields[c])
	}
	k.Rows = append(k.Rows, row)
	return nil
}

// Name returns what row i is called: its text, with commas between columns; "" where
// k is nil.
func (k *Kept) Name(i int) string {
	if k == nil {
		return ""
	}
	return strings.Join(k.Rows[i], ", ")
}

func (k *Kept) subset(rows []int) *Kept {
	if k == nil {
		return nil
	}
	s := &Kept{Names: k.Names, Rows: make([][]string, len(rows))}
	for at, i := range rows {
		s.Rows[at] = k.Rows[i]
	}
	return s
}
