package dataset

import (
	"strings"

	"lapsvm/dataset/internal/number"
	"lapsvm/dataset/internal/quote"
	"lapsvm/points"
)

// Table makes a [Dataset] from rows of fields of any source. A field is text: a number in a notation
// that keeps its bits, true or false, a date, a word, or empty for a missing value. So the same
// row gives the same features in every file format.
type Table struct {
	layout *Layout
	rows   rowReader
	labels *Labels
	kept   Kept
	lines  []int // of rows that are text alone

	// Of the file from which rows come, where there are several.
	place  []int    // of the columns among its fields; nil where they are the same
	before int      // lines of the table that come before its own
	last   int      // line of the table
	fields [][]byte // of a row, as the table has them
}

// rowReader takes the rows of a table: to learn what its columns are, or by an
// encoding that is known.
type rowReader interface {
	add(fields [][]byte, line int) error // a row, and the line where it begins
	finish(total int, d *Dataset) error  // sets Points, Features and Encoding, of ranks that have so many rows in all
}

// textAlone takes no features.
type textAlone struct{}

func (textAlone) add([][]byte, int) error { return nil }

func (textAlone) finish(total int, d *Dataset) error {
	d.Points = points.Dense(total, 0, nil)
	return nil
}

// NewTable begins a table of no rows. The layout must not be changed from now on. More
// memory for its columns than is allowed is an [*Error].
func NewTable(l *Layout) (*Table, error) {
	t := &Table{layout: l, labels: NewLabels(l.origin, false, l.options.rules()), kept: l.kept()}
	if l.origin.Declared != nil && l.Label >= 0 {
		t.labels.declared = l.origin.Declared(l.labelName)
	}
	whole := l.whole()
	switch {
	case l.options.TextAlone:
		t.rows = textAlone{}
		return t, nil
	case !l.options.Encoding.Learnt():
		t.rows = newLearner(whole)
	default:
		applier, err := newApplier(whole)
		if err != nil {
			return nil, err
		}
		t.rows = applier
	}
	if l.made != nil {
		t.rows = &embedding{Layout: l, whole: whole, rows: t.rows}
	}
	return t, nil
}

// Add takes a row, with a field for every column of the layout; line is where it
// begins, or its number from 1 where there are no lines. The fields are not kept.
// A field that is not what its column holds, and more memory than is allowed, are
// an [*Error]; then the table is of no further use.
func (t *Table) Add(fields [][]byte, line int) error {
	fields, line = t.in(fields), t.before+line
	t.last = max(t.last, line)
	if err := t.rows.add(fields, line); err != nil {
		return err
	}
	if err := t.kept.Add(t.layout.origin, fields, t.layout.Kept); err != nil {
		return err
	}
	if t.layout.options.TextAlone && t.layout.origin.Rows != Records {
		t.lines = append(t.lines, line)
	}
	if t.layout.Label < 0 {
		return t.labels.AddNone()
	}
	return t.labels.Add(fields[t.layout.Label])
}

// Len returns the number of rows.
func (t *Table) Len() int { return t.labels.Len() }

// Finish returns the rows, at least one, as a dataset, and learns the encoding where one is to be
// learnt. It may be called once. A column of unclear kind is an [*Error]. Each rank of the origin
// gets its own rows, with the classes, columns, notes and errors of all rows.
func (t *Table) Finish() (*Dataset, error) {
	d := &Dataset{Label: t.layout.labelName, Guessed: t.layout.reason, Kept: t.kept, lines: t.lines}
	total, err := t.labels.finish(d)
	if err != nil {
		return nil, err
	}
	if t.layout.reason != "" && t.layout.options.Encoding == nil && len(t.layout.Features) > 0 {
		if problem := t.layout.options.notLabels(d.Classes, t.labels.labelled(), total); problem != "" {
			advice := Messagef("give %s", Option{Name: "Label"})
			if strings.HasPrefix(problem, holdsNumbers) {
				advice = Messagef("%s, or %s if these numbers are what is to be told", advice, Option{Name: "Numbers"})
			}
			return nil, t.layout.errorf(0, "which column holds the labels? %q (%s) %s; %s", t.layout.called(t.layout.Label), t.layout.reason, problem, advice)
		}
	}
	if err := t.rows.finish(total, d); err != nil {
		return nil, err
	}
	return d, nil
}

// site returns where the field of a row, by its line in the table, in column c is.
func (l *Layout) site(line, c int) site {
	at := l.origin.site(line, c)
	at.Top = line == l.line
	return at
}

// notNumber says why a field of a column of numbers is no number, with advice. otherwise is further
// advice for a word.
func (l *Layout) notNumber(line, c int, text []byte, err error, otherwise Message) error {
	_, wrong := l.numberProblem(l.site(line, c), c, text, err, otherwise)
	return wrong
}

// numberProblem also returns what is wrong with the field alone.
func (l *Layout) numberProblem(at site, c int, text []byte, err error, otherwise Message) (short Message, wrong error) {
	problem, word := number.Problem(text, err)
	msg := Messagef("%s", problem)
	_, point := number.Finite(string(text))
	switch {
	case point:
		msg = Messagef("%s has a decimal point, but decimals stand behind commas here; write all of them with commas, or give %s", quote.Field(text), Option{Name: "Decimal", Value: "."})
	case number.DecimalComma(string(text)):
		msg = Messagef("%s, or give %s", msg, Option{Name: "Decimal", Value: ","})
	case word:
		msg = Messagef("%s; if the column holds the labels, give %s%s", msg, Option{Name: "Label", Value: l.called(c)}, otherwise)
	}
	if at.Top {
		msg = Messagef("%s; if the first line is a header, give %s", msg, Option{Name: "Header", Value: "yes"})
	}
	return msg, l.fieldErrorf(at, c, "%s", msg)
}

func (l *Layout) notUTF8(line, c int, text string) error {
	return l.fieldErrorf(l.site(line, c), c, "%s is not UTF-8; save the file as UTF-8", quote.Field([]byte(text)))
}

func (l *Layout) fieldErrorf(at site, c int, format string, args ...any) error {
	return l.origin.fieldErrorf(at, c, l.header, format, args...)
}
