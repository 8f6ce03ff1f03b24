package dataset

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"lapsvm/dataset/internal/quote"
	"lapsvm/internal/system/fault"
)

// Layout says which columns of a table are labels, features and text to keep. A reader makes a
// Layout from the column names and passes it to [NewTable], or reads the columns by it on its own.
type Layout struct {
	Label    int      // column of the labels, −1 where there is none
	Features []int    // columns of the features, in order; with an encoding, all of its columns, −1 for those not needed
	Names    []string // of the features, nil without a header
	Kept     []int    // columns to keep as text; a finished table adds the columns that turned out to name the rows

	origin    *Origin
	options   TableOptions
	header    []string // nil without one
	width     int
	line      int // of the header or of the first row; 0 where the table has no lines
	labelName string
	reason    string       // why the column of the labels was taken, "" where it was asked for or is called label
	made      []made       // columns of vectors behind those of the table
	madeNames []string     // of all columns with these; nil without a header
	asked     map[int]Kind // of the columns that the options name
	places    [][2]int     // columns of latitudes and of their longitudes
}

// columnBytes is the memory of a column of a table beside its name: place, kind,
// findings.
const columnBytes = 320

// NewLayout finds the label column and the features among width columns. header has their names;
// nil means no names. line is the line of the header or of the first row in the file, or 0 without
// lines. A table that does not fit the options is an [*Error].
func NewLayout(origin *Origin, header []string, width, line int, o TableOptions) (*Layout, error) {
	l := &Layout{origin: origin, options: o, header: header, width: width, line: line}
	if err := origin.Take(columnBytes*width, fmt.Sprintf("%d columns", width)); err != nil {
		return nil, err
	}
	if err := l.find(); err != nil {
		return nil, err
	}
	if o.Keep || o.TextAlone {
		l.Kept = nil
		for c := range width {
			l.Kept = append(l.Kept, c)
		}
	}
	return l, nil
}

// Guessed says in words why the label column was chosen; "" where the options name it or it is
// called label.
func (l *Layout) Guessed() string { return l.reason }

// Asked returns the kind that the options give to a column, "" for none.
func (l *Layout) Asked(column int) Kind { return l.asked[column] }

// Plain reports whether the features are all columns of numbers as far as options and names
// know: no encoding is given or asked for, and no column may name the rows.
func (l *Layout) Plain() bool {
	return !l.options.TextAlone && !l.options.Encoding.Learnt() && len(l.asked) == 0 && l.made == nil &&
		!l.mayFindNames()
}

// errorf returns an error in the header, or the first row.
func (l *Layout) errorf(col int, format string, args ...any) error {
	return l.origin.Errorf(l.line, col, format, args...)
}

func (l *Layout) find() error {
	if l.options.TextAlone {
		l.Label = -1
		return nil
	}
	if l.options.Encoding.Learnt() {
		return l.findEncoded()
	}
	if err := l.findPlain(); err != nil {
		return err
	}
	if l.options.Encoding == nil {
		if err := l.findAsked(); err != nil {
			return err
		}
	}
	if err := l.embedLearnt(); err != nil {
		return err
	}
	for _, c := range l.Features {
		if l.asked[c].rules().names {
			l.Kept = append(l.Kept, c)
		}
	}
	return nil
}

// findEncoded finds the columns of an encoding: by name, or all by position.
func (l *Layout) findEncoded() error {
	e := l.options.Encoding
	named := l.header != nil && e.Named
	if !named && l.origin.Rows == Objects {
		return l.unordered()
	}
	making, err := l.making()
	if err != nil {
		return err
	}
	l.options.Columns, l.options.Features = nil, len(e.Columns)-len(making)
	if named {
		l.options.Columns = slices.DeleteFunc(e.Needed(), func(name string) bool { return making[name] != nil })
	}
	if err := l.findPlain(); err != nil {
		return err
	}
	columns := l.Features
	l.Features, l.Names = nil, nil
	for k := range e.Columns {
		c := &e.Columns[k]
		at := -1
		switch {
		case making[c.Name] != nil:
			of := slices.IndexFunc(e.Columns[:k], func(other Column) bool { return other.Name == making[c.Name].Of })
			l.make(l.Features[of], c.Name)
			l.made[len(l.made)-1].place = k
			l.Features = append(l.Features, -1)
			continue
		case !named || c.Width() > 0 || e.embeds(c.Name):
			at, columns = columns[0], columns[1:]
		case c.NamesRows():
			at = slices.Index(l.header, c.Name)
		}
		if c.NamesRows() && at >= 0 {
			l.Kept = append(l.Kept, at)
		}
		if c.Width() == 0 && !e.embeds(c.Name) {
			at = -1
		}
		l.Features = append(l.Features, at)
	}
	return nil
}

// findAsked finds the columns that the options give a kind.
func (l *Layout) findAsked() error {
	o := &l.options
	l.asked = make(map[int]Kind)
	for _, r := range kinds() {
		if r.asked == nil {
			continue
		}
		option := Option{Name: r.option}
		for _, name := range r.asked(o) {
			c := l.column(name)
			switch {
			case c < 0 && l.header == nil:
				return l.errorf(0, "the columns have no names, so none is called %q; give %s to %s, or if the first line is a header, %s", name,
					Option{Name: r.option, Value: []string{"1"}}, Option{Name: r.option, Value: []string{strconv.Itoa(l.width)}}, Option{Name: "Header", Value: "yes"})
			case c < 0:
				return l.errorf(0, "no column is called %q%s; choose for %s among %s", name, quote.Meant(name, l.header), option, quote.Names(l.header))
			case c == l.Label:
				return l.errorf(c+1, "%s names the column of the labels; choose another with %s, or leave it out of %s", option, Option{Name: "Label"}, option)
			case l.asked[c] != "" && l.asked[c] != r.kind:
				return l.errorf(c+1, "the column %q is to be both %s and %s; ask for one", name, l.asked[c], r.kind)
			}
			l.asked[c] = r.kind
		}
		if r.layOut != nil {
			if err := r.layOut(l); err != nil {
				return err
			}
		}
	}
	return nil
}

// isFurther reports whether a column has further labels.
func (l *Layout) isFurther(c int) bool {
	return slices.ContainsFunc(l.options.FurtherLabels, func(name string) bool { return l.column(name) == c })
}

// column returns the column that an option names, by name or number, −1 for none.
func (l *Layout) column(name string) int {
	c := slices.Index(l.header, name)
	if k, err := strconv.Atoi(name); c < 0 && err == nil && 1 <= k && k <= l.width && l.origin.Rows != Objects {
		c = k - 1
	}
	return c
}

// findPlain finds the label and the features without regard to an encoding.
func (l *Layout) findPlain() error {
	o := &l.options
	if err := l.findLabel(); err != nil {
		return err
	}
	switch {
	case l.header != nil && l.Label >= 0:
		l.labelName = l.header[l.Label]
	case l.Label >= 0 && l.Label != l.width-1:
		l.labelName = strconv.Itoa(l.Label + 1)
	}
	if l.header != nil && len(o.Columns) > 0 {
		l.Names = slices.Clone(o.Columns)
		return l.findNamed()
	}
	for c := range l.width {
		if c != l.Label {
			l.Features = append(l.Features, c)
		}
	}
	if l.origin.Rows == Objects { // keys have no order
		if !o.Encoding.Learnt() && o.Encoding != nil && o.Features > 0 {
			return l.unordered()
		}
		slices.SortFunc(l.Features, func(a, b int) int { return strings.Compare(l.header[a], l.header[b]) })
	}
	if l.header != nil {
		for _, c := range l.Features {
			l.Names = append(l.Names, l.header[c])
		}
	}
	switch d := len(l.Features); {
	case d == 0 && o.MayLackFeatures:
	case d == 0 && l.origin.Rows == Objects:
		return l.errorf(0, "there are no features; give an array of numbers as vector, or numbers and words by name")
	case d == 0:
		return l.errorf(1, "the only column is taken for the labels, so there are no features; add a feature column, or say with %s that it is one", Option{Name: "Features", Value: 1})
	case o.Features > 0 && d != o.Features:
		which := "no label column"
		if l.Label >= 0 {
			which = "labels in column " + strconv.Itoa(l.Label+1)
		}
		advice := Messagef("give a file with %d", o.Features)
		if l.Label < 0 && d == o.Features+1 {
			advice = Messagef("%s, or name the label column with %s", advice, Option{Name: "Label"})
		}
		return l.errorf(0, "%s", fault.Columns.Messagef("there are %d feature columns (%s), but %d are expected; %s", d, which, o.Features, advice))
	}
	return nil
}

// unordered refuses keys where features are told by their order.
func (l *Layout) unordered() error {
	return l.errorf(0, `the features are known by their order, but keys of JSON have no order; give each object an array of its numbers called "vector", or give a CSV table`)
}

// findLabel finds the column of the labels, or −1 where there is none.
func (l *Layout) findLabel() error {
	o := &l.options
	name := o.Label
	if name == "" {
		name = "label"
	}
	l.Label = slices.Index(l.header, name)
	if l.Label >= 0 && (o.Label != "" || !slices.Contains(o.Columns, name)) {
		return nil
	}
	var alike []string // columns that are called so but for case
	for c, s := range l.header {
		if strings.EqualFold(s, name) && !slices.Contains(o.Columns, s) {
			alike = append(alike, s)
			l.Label = c
		}
	}
	if o.Label != "" && len(alike) == 1 {
		return nil
	}
	l.Label = -1
	if l.width == o.Features && (l.header == nil || len(o.Columns) == 0) {
		return nil
	}
	if o.Label == "" && o.Encoding == nil {
		return l.guessLabel()
	}
	if l.header != nil && len(o.Columns) > 0 {
		return nil
	}
	choose := Option{Name: "Label"}
	first, last := Option{Name: "Label", Value: "1"}, Option{Name: "Label", Value: strconv.Itoa(l.width)}
	k, err := strconv.Atoi(o.Label)
	switch {
	case l.origin.Rows == Objects && o.Label == "":
		return nil // keys have no order
	case l.origin.Rows == Objects:
		return l.errorf(0, "no object has the key %q%s; choose the labels' key with %s among %s", o.Label, quote.Meant(o.Label, l.header), choose, quote.Names(l.header))
	case o.Label == "":
		l.take(l.width-1, "the last column, as there is one more than features")
		return nil
	case err == nil && 1 <= k && k <= l.width:
		l.Label = k - 1
		return nil
	case err == nil:
		return l.errorf(0, "there is no column %d; choose the label column with %s to %s", k, first, last)
	case l.header == nil:
		return l.errorf(0, "the columns have no names, so none is called %q; choose the label column with %s to %s; if the first line is a header, give %s", o.Label, first, last, Option{Name: "Header", Value: "yes"})
	}
	if len(alike) > 1 {
		return l.errorf(0, "no column is called %q, but %s are but for case; choose one with %s", o.Label, quote.Names(alike), choose)
	}
	return l.errorf(0, "no column is called %q%s; choose the label column with %s among %s", o.Label, quote.Meant(o.Label, l.header), choose, quote.Names(l.header))
}

// findNamed finds the columns that Options.Columns names.
func (l *Layout) findNamed() error {
	at := make(map[string]int, len(l.header)) // of the first column called so
	for c, name := range l.header {
		if _, twice := at[name]; !twice {
			at[name] = c
		}
	}
	var missing []string
	for _, name := range l.options.Columns {
		c, found := at[name]
		if !found {
			missing = append(missing, name)
			continue
		}
		l.Features = append(l.Features, c)
	}
	if missing != nil {
		beside := ""
		if len(l.header) > 0 { // rows of maps may have none
			beside = " beside " + quote.Names(l.header)
		}
		return l.errorf(0, "%s", fault.Columns.Messagef("these feature columns are missing: %s; add them%s", quote.Names(missing), beside))
	}
	return nil
}

// kept returns where the text of the columns to keep goes.
func (l *Layout) kept() (k Kept) {
	for _, c := range l.Kept {
		k.Names = append(k.Names, l.name(c, c+1))
	}
	return k
}

// name returns what a column is called: its name, or x and a number without a
// header.
func (l *Layout) name(column, otherwise int) string {
	if l.header == nil {
		return "x" + strconv.Itoa(otherwise)
	}
	return l.header[column]
}

// called returns how options name a column: by its name, or by its number where it
// has none.
func (l *Layout) called(column int) string {
	if l.header == nil || l.header[column] == "" {
		return strconv.Itoa(column + 1)
	}
	return l.header[column]
}
