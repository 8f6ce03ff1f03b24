package dataset

import (
	"cmp"
	"errors"
	"maps"
	"math"
	"slices"

	"lapsvm/dataset/internal/number"
	"lapsvm/dataset/internal/quote"
)

// Kind is the kind of a column of a table.
type Kind string

// kinds lists the rules of each kind of column. A column is offered to the kinds in this order. A
// kind is one row here, and one function in a file of its own, which the two columns of a place share.
func kinds() []kindRules {
	return []kindRules{
		vectorKind(),
		categoryKind(),
		foreignKind(),
		tagsKind(),
		textKind(),
		idKind(),
		droppedKind(),
		furtherLabelsKind(),
		numberKind(),
		booleanKind(),
		dateKind(),
		clockKind(),
		amountKind(),
		latitudeKind(),
		longitudeKind(),
	}
}

// kindRules are all that is special about a kind of column. Functions that a kind does not need
// are nil.
type kindRules struct {
	kind    Kind
	version int // of the encodings that the kind came with, 0 for the first one

	// Columns that are asked to have the kind: the option, and its columns.
	option  string
	asked   func(o *TableOptions) []string
	layOut  func(l *Layout) error // finds what else these columns need
	checked bool                  // their fields are what the kind holds, else reading ends at the first that is not

	// What a column is taken for that is not asked to have a kind. find marks columns as soon as
	// the table is read. The other functions are asked one after another, each of all kinds, until
	// one says yes or has a doubt. They know in how many rows a word counts.
	counts func(word string) bool
	find   func(l *learner, n int, d *Dataset) error
	named  claim                                                           // by its name
	all    func(l *learner, g *wordColumn, t *wordTally, present int) bool // all values that are present are of the kind; t has those that are words
	most   claim                                                           // most values are
	likely claim                                                           // nothing else speaks against it

	learn    func(l *learner, c *Column, j, n int) error // column j of used, from n rows of all ranks
	validate func(e *Encoding, c *Column) error

	// Features. A kind with a value has one feature, of the column's name, unless it says otherwise.
	// A kind with neither has none.
	value    func(c *Column, x cell) (v float64, ok bool) // of a cell that is not missing
	width    func(c *Column) int
	features func(c *Column) []string
	encode   func(n *encoder, k, at int) func(row []cell) (ok bool) // for column k with its first feature
	reading  func(e *Encoding, c *Column) (Reading, error)          // for what reads tables elsewhere; nil: none can
	wrong    func(c *Column, text string) string                    // says why a field is not what the column holds; nil: it is no number

	verbatim bool // numbers are taken as they are written
	unread   bool // fields are not looked at
	names    bool // fields name the rows
	sparse   bool // points are sparse with such a column
	ranged   bool // the median and the range of the values are learnt, by which they are scaled beside a sparse column
	measured bool // the ranges of the features mean something, and drift compares them

	holds    Type
	describe func(c *Column) string            // for people; nil: the kind alone
	text     func(c *Column, v float64) string // a value in words, nil where these are its number
	typical  func(c *Column) string            // nil: what stands for a missing value
}

// claim reports whether a column is of a kind. It may have a doubt instead.
type claim func(q *question) (yes bool, err error)

// Type is what values of a column are where values have types.
type Type string

// The types of values.
const (
	Words    Type = "" // text, and dates as text
	Truths   Type = "boolean"
	Numerals Type = "number"
)

// rules returns what is special about a kind, nothing for one that is not known.
func (k Kind) rules() kindRules {
	all := kinds()
	if at := slices.IndexFunc(all, func(r kindRules) bool { return r.kind == k }); at >= 0 {
		return all[at]
	}
	return kindRules{}
}

// counting returns the kinds that count words.
func counting() []kindRules {
	return slices.DeleteFunc(kinds(), func(r kindRules) bool { return r.counts == nil })
}

// Featureless reports whether columns of the kind never give a feature.
func (k Kind) Featureless() bool {
	r := k.rules()
	return r.kind != "" && r.value == nil && r.encode == nil
}

// Unread reports whether the fields of columns of the kind are not looked at.
func (k Kind) Unread() bool { return k.rules().unread }

// question asks what a column with some values in n rows of all ranks is.
type question struct {
	*learner
	*wordColumn
	j, present, n int
	numbers       int        // of the values that are present
	nonNumeric    *wordTally // of the others
	column        *Column    // takes what is found out on the way
	doubtful      bool       // it cannot be told
}

// option returns an option that names the column.
func (q *question) option(name string) Option {
	return Option{Name: name, Value: []string{q.called(q.file)}}
}

// first returns the first word, in quotes.
func (q *question) first() string { return quote.Field([]byte(q.nonNumeric.First.Text)) }

// fail adds a doubt for a word, and says that the question is answered.
func (q *question) fail(word *wordAt, reason, message string, args ...any) (bool, error) {
	problem := Messagef(message, args...)
	q.doubt(word, reason, problem, q.fieldErrorf(word.At, q.file, "%s", problem))
	return true, nil
}

func (q *question) doubt(word *wordAt, reason string, problem Message, alone error) {
	q.doubtful = true
	q.doubts = append(q.doubts, doubt{q.file, reason, problem, alone, word.At.Top})
}

// doubt is a column of unclear kind, which is left out: the reason and the problem in short, and the whole error for a table of one
// such column. It stops if a word in the first line may be that of a header, or an option reads the column.
type doubt struct {
	file    int
	reason  string
	problem Message
	alone   error
	stops   bool // whatever other columns there are
}

// measured reports whether so many values of a column, its numbers and some words, are all of a kind that holds no words.
func (l *learner) measured(g *wordColumn, words *wordTally, present int) bool {
	return slices.ContainsFunc(kinds(), func(r kindRules) bool { return r.all != nil && r.all(l, g, words, present) })
}

// kind returns the kind of a column with some values in n rows of all ranks: the one asked for,
// else the common kind of its values, else for words the kind that their number suggests. It
// returns [Dropped] for a column with too many different values or of mixed kinds, and adds the column to
// l.doubts.
func (l *learner) kind(c *Column, j, n int) (Kind, error) {
	g := l.used[j]
	if kind := cmp.Or(g.asked, g.found); kind != "" {
		return kind, nil
	}
	q := &question{learner: l, wordColumn: g, j: j, present: n - c.Missing, n: n, numbers: g.all.Rows[withNumbers], nonNumeric: &g.some, column: c}
	all := kinds()
	for _, claimed := range []func(r *kindRules) claim{
		func(r *kindRules) claim { return r.named },
		func(r *kindRules) claim {
			if r.all == nil {
				return nil
			}
			return func(q *question) (bool, error) { return r.all(q.learner, q.wordColumn, q.nonNumeric, q.present), nil }
		},
		func(r *kindRules) claim { return r.most },
		func(r *kindRules) claim { return r.likely },
	} {
		for k := range all {
			claim := claimed(&all[k])
			if claim == nil {
				continue
			}
			yes, err := claim(q)
			switch {
			case err != nil || q.doubtful:
				return Dropped, err
			case yes:
				return all[k].kind, nil
			}
		}
	}
	distinct, err := l.different(j)
	if err != nil {
		return "", err
	}
	text, category, id, ignore := q.option("Text"), q.option("Category"), q.option("ID"), q.option("Ignore")
	q.doubt(q.nonNumeric.First, "too many different values for a category", Messagef("%d different values (%s, …), too many for a category (%s, %s, %s)", distinct, q.first(), id, category, text),
		l.fieldErrorf(q.nonNumeric.First.At, g.file, "too many different values for a category: %d (%s, …); a category has at most %d, and at most half as many as rows; if the column holds the labels, give %s, else %s, %s, %s or %s",
			distinct, q.first(), mostValues, Option{Name: "Label", Value: l.called(g.file)}, ignore, id, category, text))
	return Dropped, nil
}

// place returns where a doubtful word is, as it stands before an error.
func (d doubt) place() string {
	var at *Error
	if errors.As(d.alone, &at) {
		return at.place()
	}
	return ""
}

// settle leaves the doubtful columns out of a table that has others, with a note. It fails if there are no others, if
// the options name the columns, or if a doubt stops all.
func (l *learner) settle(others bool, d *Dataset) error {
	if l.doubts == nil {
		return nil
	}
	if !others || len(l.options.Columns) > 0 || slices.ContainsFunc(l.doubts, func(d doubt) bool { return d.stops }) {
		return l.doubtful()
	}
	format, args := "%s cannot be used as they are, and are left out:", []any{counted(len(l.doubts), "column")}
	if len(l.doubts) == 1 {
		format, args = "a column cannot be used as it is, and is left out:", nil
	}
	const most = 20
	for _, d := range l.doubts[:min(most, len(l.doubts))] {
		format += "\n  %s%q: %s"
		args = append(args, d.place(), l.called(d.file), d.problem)
	}
	if more := len(l.doubts) - most; more > 0 {
		format += "\n  and %d more"
		args = append(args, more)
	}
	d.doubt(format, args...)
	return nil
}

// doubtful asks what the doubtful columns are, all of them at once.
func (l *learner) doubtful() error {
	if len(l.doubts) == 1 {
		return l.doubts[0].alone
	}
	var called []string
	for _, d := range l.doubts {
		called = append(called, l.called(d.file))
	}
	format, args := "%d columns cannot be taken as they are; %s leaves them all out, or say for each what it is:", []any{len(l.doubts), Option{Name: "Ignore", Value: called}}
	for _, d := range l.doubts {
		format += "\n  %q: %s"
		args = append(args, l.called(d.file), d.problem)
	}
	return l.origin.Errorf(0, 0, format, args...)
}

// different returns the number of different words in column j of used, of all ranks, and of
// different numbers, of these no more than a category can have and one.
func (l *learner) different(j int) (int, error) {
	seen := make(map[float64]bool)
	for at := j; at < len(l.values) && len(seen) <= mostValuesAsked; at += len(l.used) {
		if v := l.values[at]; !math.IsNaN(v) {
			seen[v] = true
		}
	}
	all, err := All(l.origin.Ranks, slices.Collect(maps.Keys(seen)))
	if err != nil {
		return 0, err
	}
	for _, part := range all {
		for _, v := range part {
			seen[v] = true
		}
	}
	words, err := l.origin.Ranks.distinct(nil, l.used[j].words)
	return words + min(len(seen), mostValuesAsked+1), err
}

// dropNothing makes the words for missing values in a column missing.
func (g *wordColumn) dropNothing() {
	var words []string
	var lines, uses []int
	place := make([]int32, len(g.words)+1) // 1 + the new place of 1 + an old one
	for w, text := range g.words {
		if !number.Nothing(text) {
			words, lines, uses = append(words, text), append(lines, g.lines[w]), append(uses, g.uses[w])
			place[w+1] = int32(len(words))
		}
	}
	for i, id := range g.ids {
		g.ids[i] = place[id]
	}
	g.words, g.lines, g.uses, g.index = words, lines, uses, nil
	g.some = g.others
}
