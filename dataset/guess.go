package dataset

import (
	"fmt"
	"slices"
	"strings"

	"lapsvm/dataset/internal/number"
	"lapsvm/dataset/internal/quote"
)

// labelNames are the names by which the column of labels is looked for, in this order
// and in any case; constants. A column y beside a column x is a coordinate.
var labelNames = [...]string{"label", "labels", "class", "target", "targets", "y", "species", "outcome", "survived", "category"}

// NamesLabels returns the place of a name, in any case, among those by which labels are looked for, the best first; −1 where it is
// none.
func NamesLabels(name string) int {
	return slices.IndexFunc(labelNames[:], func(s string) bool { return strings.EqualFold(s, name) })
}

// What a column of labels is like, as far as the first rows tell.
const (
	mostClasses = 20  // beyond these it may be numbers or names
	fewValues   = 9   // up to these no question is asked, in a column of features neither
	fewRows     = 8   // of fewer, gaps tell nothing
	emptyShare  = 0.5 // least share of empty rows of a mostly empty column
	fullShare   = 0.1 // most share of empty rows of a full column

	wordsOfSentence = 4 // least words of one
)

// guessLabel finds the label column where the options name none and none is called label. It
// takes a column by another name of labels, else the only mostly empty column among full ones,
// else the last. Of a table that may have no labels it takes a column by its gaps. An ambiguous
// table is an error that lists the candidates. It looks at the first rows only, see
// [Origin.First].
func (l *Layout) guessLabel() error {
	named := l.labelByName()
	if l.origin.Rows == Objects || l.header != nil && len(l.options.Columns) > 0 {
		l.take(named, "by its name") // other columns are no candidates
		return nil
	}
	var rows [][]string
	if l.origin.First != nil {
		var err error
		if rows, err = l.origin.First(); err != nil {
			return err
		}
	}
	width := l.width - l.trailing(rows)
	empty, last := mostlyEmpty(rows, width), width-1
	if empty >= 0 && l.options.notGuessed(columnValues(rows, empty)) != "" {
		empty = -1 // a feature with gaps
	}
	column, reason := last, "the last column"
	switch {
	case named >= 0:
		column, reason = named, "by its name"
		other := empty
		if other < 0 && strings.EqualFold(l.header[named], "category") && l.options.notGuessed(columnValues(rows, last)) == "" {
			other = last
		}
		if other >= 0 && other != named && len(rows) > 0 && !slices.ContainsFunc(rows, func(r []string) bool { return number.Missing(r[named]) }) {
			return l.whichLabel(rows, fmt.Sprintf("%s goes by its name, but %s has the gaps or the place of labels", l.described(rows, named), l.described(rows, other)))
		}
	case empty >= 0:
		column, reason = empty, "mostly empty, as no other"
	case l.options.MayLackLabels:
		column, reason = l.options.emptiest(rows, width), "empty, as no other"
	}
	if column < 0 {
		return nil
	}
	unlike := l.options.notGuessed
	if column == named {
		unlike = l.options.notLabels
	}
	if problem := unlike(columnValues(rows, column)); problem != "" && l.width > 1 {
		return l.whichLabel(rows, fmt.Sprintf("%q (%s) %s", l.called(column), reason, problem))
	}
	l.take(column, reason)
	return nil
}

// trailing returns the number of columns behind all others that have neither a name nor a value, as separators at the ends of lines
// make them.
func (l *Layout) trailing(rows [][]string) (n int) {
	for c := l.width - 1; c > 0 && l.header != nil && len(rows) > 0 && l.header[c] == ""; c-- {
		if slices.ContainsFunc(rows, func(row []string) bool { return row[c] != "" }) {
			break
		}
		n++
	}
	return n
}

// take makes a column that of the labels, for a reason.
func (l *Layout) take(column int, reason string) {
	if l.Label = column; column >= 0 {
		l.reason = reason
	}
}

// labelByName returns the first column with a name of labels that is no feature, or −1.
func (l *Layout) labelByName() int {
	for _, name := range labelNames {
		c := slices.IndexFunc(l.header, func(s string) bool { return strings.EqualFold(s, name) })
		if c < 0 || slices.Contains(l.options.Columns, l.header[c]) || name == "y" && slices.ContainsFunc(l.header, func(s string) bool { return strings.EqualFold(s, "x") }) {
			continue
		}
		return c
	}
	return -1
}

// mostlyEmpty returns the only column that is mostly, but not quite, empty while all
// others are full, or −1.
func mostlyEmpty(rows [][]string, width int) int {
	if len(rows) < fewRows {
		return -1
	}
	found := -1
	for c := range width {
		missing := 0
		for _, row := range rows {
			if number.Missing(row[c]) {
				missing++
			}
		}
		switch share := float64(missing) / float64(len(rows)); {
		case share >= emptyShare && missing < len(rows) && found < 0:
			found = c
		case share > fullShare:
			return -1
		}
	}
	return found
}

// emptiest returns the column for labels in a table that may have no label. It is the only column
// without a value. Else it is the last column, if that column has more gaps than any other and
// values like labels. Else it is −1.
func (o *TableOptions) emptiest(rows [][]string, width int) int {
	missing := make([]int, width)
	for _, row := range rows {
		for c := range width {
			if number.Missing(row[c]) {
				missing[c]++
			}
		}
	}
	last := width - 1
	most := slices.Max(missing)
	c := slices.Index(missing, most)
	switch {
	case most == 0 || slices.Contains(missing[c+1:], most):
		return -1 // none, or more than one
	case most == len(rows), c == last && o.notGuessed(columnValues(rows, last)) == "":
		return c
	}
	return -1
}

// columnValues returns the different values of a column, how many rows have one, and
// all rows.
func columnValues(rows [][]string, c int) (values []string, present, all int) {
	seen := make(map[string]bool)
	for _, row := range rows {
		s := row[c]
		if MeansNoLabel(s) {
			continue
		}
		if present++; !seen[s] {
			seen[s] = true
			values = append(values, s)
		}
	}
	return values, present, len(rows)
}

// notLabels says why the different values of a column are no classes, or no numbers; "" where they may
// be. Present of all rows have a value.
func (o *TableOptions) notLabels(values []string, present, all int) string {
	if o.Numbers {
		if slices.ContainsFunc(values, func(s string) bool { return !number.DecimalComma(s) && !isFinite(s) }) {
			return "holds words"
		}
		return ""
	}
	numeric, whole := len(values) > 0, true
	low, high := 0.0, 0.0
	for k, s := range values {
		v, ok := number.Finite(s)
		numeric, whole = numeric && ok, whole && v == float64(int64(v))
		if k == 0 {
			low, high = v, v
		}
		low, high = min(low, v), max(high, v)
	}
	n := len(values)
	// Classes that are numbered have few gaps, and rows enough for each.
	numbered := whole && (low == 0 || low == 1) && high-low+1 <= 1.25*float64(n) && 4*n <= present
	switch {
	case numeric && n > mostClasses && !numbered:
		return fmt.Sprintf(holdsNumbers+": %d different ones in %s", n, counted(present, "row"))
	case n > mostClasses && 2*n > present, n > fewValues && aboutAsMany(n, present) && 2*present > all:
		return fmt.Sprintf("has about as many different values as rows: %d in %d", n, present)
	}
	return ""
}

// notGuessed is notLabels of a column whose name says nothing. Classes have short names, so sentences are none.
func (o *TableOptions) notGuessed(values []string, present, all int) string {
	if problem := o.notLabels(values, present, all); problem != "" {
		return problem
	}
	long := 0
	for _, s := range values {
		if len(strings.Fields(s)) >= wordsOfSentence {
			long++
		}
	}
	if 2*long > len(values) {
		return "holds sentences, not classes"
	}
	return ""
}

func isFinite(s string) bool {
	_, ok := number.Finite(s)
	return ok
}

// holdsNumbers begins the reason why a column of many numbers has no classes.
const holdsNumbers = "holds numbers"

// aboutAsMany reports whether there are about as many different values as rows: more than
// nine in ten.
func aboutAsMany(different, rows int) bool { return 10*different > 9*rows }

// whichLabel asks for the column of the labels.
func (l *Layout) whichLabel(rows [][]string, why string) error {
	var candidates []string
	example := Option{Name: "Label"}
	for c := range l.width {
		values, present, all := columnValues(rows, c)
		if len(values) < 2 || len(values) > mostClasses && !l.options.Numbers || l.options.notGuessed(values, present, all) != "" {
			continue
		}
		if candidates = append(candidates, l.described(rows, c)); example.Value == nil {
			example.Value = l.called(c)
		}
	}
	if candidates == nil {
		advice := Messagef("give %s", example)
		if strings.Contains(why, holdsNumbers) {
			advice = Messagef("%s, or %s if these numbers are what is to be told", advice, Option{Name: "Numbers"})
		}
		return l.errorf(0, "which column holds the labels? %s, and no other is like labels; %s, or %s if there are none", why, advice, Option{Name: "Features", Value: l.width})
	}
	return l.errorf(0, "which column holds the labels? %s; it may be %s: give %s for the first of them, or %s if there are no labels", why, quote.Names(candidates), example, Option{Name: "Features", Value: l.width})
}

// described names a column with the number of its values.
func (l *Layout) described(rows [][]string, c int) string {
	values, present, all := columnValues(rows, c)
	text := fmt.Sprintf("%q (%s", l.called(c), counted(len(values), "value"))
	if present < all {
		text += fmt.Sprintf(", %d of %d rows without", all-present, all)
	}
	return text + ")"
}
