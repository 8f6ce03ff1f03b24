package dataset

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"lapsvm/dataset/internal/number"
)

// sortClasses returns the names sorted, numerically where all are numbers, else
// as text, and the place that each of them has got: sorted[at[k]] == names[k].
func sortClasses(names []string) (sorted []string, at []int) {
	value := make([]float64, len(names))
	numeric := true
	for k, name := range names {
		v, ok := number.Finite(name)
		value[k], numeric = v, numeric && ok
	}
	order := make([]int, len(names))
	for k := range order {
		order[k] = k
	}
	slices.SortFunc(order, func(i, j int) int {
		if numeric && value[i] != value[j] {
			return cmp.Compare(value[i], value[j])
		}
		return strings.Compare(names[i], names[j])
	})
	sorted, at = make([]string, len(names)), make([]int, len(names))
	for place, k := range order {
		sorted[place], at[k] = names[k], place
	}
	return sorted, at
}

// renumberAll replaces every class index in y by its new one.
func renumberAll(y, at []int) {
	for i, k := range y {
		if k != Unlabelled {
			y[i] = at[k]
		}
	}
}

// LabelRules say what labels mean. With the zero value the words for nothing mean no
// label, and every other spelling is a class of its own, but for spellings of one number ([ClassKey]).
type LabelRules struct {
	// Unlabelled are further values that mean "no label". They match as text and,
	// where both are numbers, as numbers.
	Unlabelled []string

	// Values are names of classes, also where they are words for nothing, such as
	// None. Classes that are not among them are a [Note]; nil takes all.
	Values []string

	// Named are names of classes that they are called by, however labels spell them; so are Values.
	Named []string

	// Numbers says that labels are numbers. Any other label is an error, which names the row.
	Numbers bool

	// Several separates the classes of a label, see [SeveralOf]; "" means that a label is one class.
	Several string

	// FoldCase makes one class of names that look alike. They differ in case, in how letters with marks are composed, or in characters
	// that do not show. It is called as in most of the rows, of equals as the first in byte order.
	FoldCase bool
}

// Single reports whether labels are one class each, and neither numbers nor lists of classes.
func (r LabelRules) Single() bool { return !r.Numbers && r.Several == "" }

// Labels turns labels as they are written into class indices, row by row. The
// rules are applied once for each distinct spelling.
type Labels struct {
	origin   *Origin
	numeric  bool // numbers are canonicalised: "+1" is "1"
	rules    LabelRules
	rows     int
	y        []int    // of the rows that the origin keeps
	declared []string // words that are classes as the file declares them
	names    []string
	uses     []int          // rows of each name
	nothing  []nothing      // words that were taken for no label
	written  map[string]int // label as written → index into names, Unlabelled, or Unlabelled-1-k of nothing[k]
	index    map[string]int // name → index into names
}

// nothing is a word for no label that is none of ?, NA and nan.
type nothing struct {
	word string
	rows int
}

// NewLabels begins labels of no rows, whose memory the origin counts; it may be nil.
// Where numeric, all spellings of a number are one class: "+1" and "1.0" are "1".
func NewLabels(origin *Origin, numeric bool, rules LabelRules) *Labels {
	rules.Unlabelled, rules.Values = classNames(rules.Unlabelled), classNames(rules.Values)
	return &Labels{origin: origin, numeric: numeric, rules: rules, written: map[string]int{}, index: map[string]int{}}
}

// Add labels the next row. More memory than the origin allows is an [*Error].
func (l *Labels) Add(text []byte) error {
	k, seen := l.written[string(text)]
	if !seen {
		const entry = 250 // bytes of a spelling beside its text, in the maps and when classes are sorted
		if err := l.origin.Take(entry+2*len(text), "the different labels"); err != nil {
			return err
		}
		s := string(text)
		var err error
		if k, err = l.class(s); err != nil {
			return err
		}
		l.written[s] = k
	}
	switch {
	case k >= 0:
		l.uses[k]++
	case k < Unlabelled:
		l.nothing[Unlabelled-1-k].rows++
		k = Unlabelled
	}
	return l.row(k)
}

// row gives the next row its class.
func (l *Labels) row(k int) error {
	l.rows++
	if err := l.origin.Going(l.rows); err != nil {
		return err
	}
	if l.origin != nil && !l.origin.Own.Has(l.rows-1) {
		return nil
	}
	l.y = append(l.y, k)
	return l.origin.Take(8, "the labels")
}

// AddNone leaves the next row without a label. It fails as Add does.
func (l *Labels) AddNone() error { return l.row(Unlabelled) }

// AddNumber labels the next row by a number; NaN means no label. It fails as Add
// does.
func (l *Labels) AddNumber(v float64) error {
	if math.IsNaN(v) {
		return l.AddNone()
	}
	var room [32]byte
	return l.Add(append(room[:0], number.Format(v)...))
}

// Len returns the number of rows, kept or not.
func (l *Labels) Len() int { return l.rows }

// labelled returns the number of rows with a label.
func (l *Labels) labelled() int {
	rows := 0
	for _, n := range l.uses {
		rows += n
	}
	return rows
}

func (l *Labels) class(s string) (int, error) {
	s = ClassName(s)
	if l.at().Decimal == ',' && l.rules.Several == "" && number.DecimalComma(s) && FindClass(l.rules.Values, s) < 0 {
		s = strings.Replace(s, ",", ".", 1) // so that 1,0 is 1 as in other files
	}
	class := FindClass(l.rules.Values, s) >= 0 || l.declares(s)
	switch {
	case !class && (number.Common(s) && (s == "" || !slices.Contains(l.declared, s)) || l.means(s)):
		return Unlabelled, nil
	case !class && MeansNoLabel(s):
		l.nothing = append(l.nothing, nothing{word: s})
		return Unlabelled - len(l.nothing), nil
	}
	switch {
	case l.rules.Numbers:
		v, err := l.number(s)
		if err != nil {
			return 0, err
		}
		s = number.Format(v)
	case l.rules.Several != "":
		var err error
		if s, err = severalAs(s, l.rules.Several); err != nil {
			return 0, l.at().Errorf(0, 0, "row %d: %v; mend it, or leave it empty", l.rows+1, err)
		}
	case l.numeric:
		s = number.Canonical(s)
	}
	k, ok := l.index[s]
	if !ok {
		k = len(l.names)
		l.index[s] = k
		l.names, l.uses = append(l.names, s), append(l.uses, 0)
	}
	return k, nil
}

// declares reports whether the file says that a word is a class, which the rules do not contradict. Words too common to be
// names, and those that speak of labels, are no classes even then.
func (l *Labels) declares(s string) bool {
	return slices.Contains(l.declared, s) && !number.Common(s) && number.Nothing(s) && !l.means(s)
}

// at returns where labels come from, for errors.
func (l *Labels) at() *Origin { return cmp.Or(l.origin, new(Origin)) }

// number returns the number that the label of the next row is.
func (l *Labels) number(s string) (float64, error) {
	origin := l.at()
	v, err := origin.parse([]byte(s))
	if err == nil && !math.IsInf(v, 0) {
		return v, nil
	}
	return 0, origin.Errorf(0, 0, "row %d: the label %q is no number; mend it, leave it empty, or give another column as %s", l.rows+1, s, Option{Name: "Label"})
}

// MeansNoLabel reports whether a label is one of the words for "no label" in every
// format: those of missing values ([number.Nothing]), and unlabeled and unlabelled, in any
// case.
func MeansNoLabel(s string) bool {
	word := strings.Trim(s, " \t")
	return number.Nothing(s) || strings.EqualFold(word, "unlabeled") || strings.EqualFold(word, "unlabelled")
}

// means reports whether s is one of the further values for "no label", as text
// or as a number.
func (l *Labels) means(s string) bool {
	v, numeric := number.Finite(s)
	for _, u := range l.rules.Unlabelled {
		if s == u {
			return true
		}
		if w, ok := number.Finite(u); ok && numeric && v == w {
			return true
		}
	}
	return false
}

// Finish fills in the class indices and the sorted class names of a dataset, with notes on doubtful
// labels. Where only some rows are kept it has their indices in Column. Each rank of the origin
// keeps its own rows; class names are those of all ranks.
func (l *Labels) Finish(d *Dataset) error {
	_, err := l.finish(d)
	return err
}

// finish also returns the number of rows of all ranks.
func (l *Labels) finish(d *Dataset) (total int, err error) {
	total = l.rows
	if l.origin.ranks() != nil {
		var before int
		if before, total, err = l.origin.Ranks.before(l.rows); err == nil {
			err = l.join()
		}
		if err != nil {
			return 0, err
		}
		d.Column, d.Total = Own{before, before + l.rows, true}.Rows(total), total
	}
	before := len(d.Notes)
	l.spellings(d)
	var at []int
	d.Classes, at = sortClasses(l.names)
	renumberAll(l.y, at)
	d.Y = l.y
	if l.origin != nil && !l.origin.Own.All() {
		d.Column, d.Total = l.origin.Own.Rows(l.rows), l.rows
	}
	l.doubts(d)
	for k := range d.Notes[before:] {
		d.Notes[before+k].OfLabels = true
	}
	return total, nil
}

// rankLabels are what a rank tells others of its labels. Names may be no UTF-8.
type rankLabels struct {
	Names   [][]byte
	Uses    []int
	Nothing [][]byte
	Rows    []int
}

// join makes names, uses and words for no label those of the rows of all ranks, in the order
// of these.
func (l *Labels) join() error {
	own := rankLabels{Uses: l.uses}
	for _, name := range l.names {
		own.Names = append(own.Names, []byte(name))
	}
	for _, n := range l.nothing {
		own.Nothing, own.Rows = append(own.Nothing, []byte(n.word)), append(own.Rows, n.rows)
	}
	all, err := All(l.origin.Ranks, own)
	if err != nil {
		return err
	}
	former := l.names
	l.names, l.uses, l.nothing, l.index = nil, nil, nil, map[string]int{}
	for _, part := range all {
		for k, text := range part.Names {
			name := string(text)
			at, ok := l.index[name]
			if !ok {
				at = len(l.names)
				l.index[name] = at
				l.names, l.uses = append(l.names, name), append(l.uses, 0)
			}
			l.uses[at] += part.Uses[k]
		}
		for k, word := range part.Nothing {
			at := slices.IndexFunc(l.nothing, func(n nothing) bool { return n.word == string(word) })
			if at < 0 {
				at = len(l.nothing)
				l.nothing = append(l.nothing, nothing{word: string(word)})
			}
			l.nothing[at].rows += part.Rows[k]
		}
	}
	at := make([]int, len(former))
	for k, name := range former {
		at[k] = l.index[name]
	}
	renumberAll(l.y, at)
	return nil
}
