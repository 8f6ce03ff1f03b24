package dataset

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"
)

// parse reads a number as strconv.ParseFloat does, exactly, but without
// underscores between digits: "2024_05" is no number in a data file.
func parse(s string) (float64, error) {
	if strings.IndexByte(s, '_') >= 0 {
		return 0, strconv.ErrSyntax
	}
	return strconv.ParseFloat(s, 64)
}

// number returns the finite number that s spells, and whether it spells one.
func number(s string) (float64, bool) {
	v, err := parse(s)
	return v, err == nil && !math.IsInf(v, 0) && !math.IsNaN(v)
}

// isMissing reports whether a field means "no value" in every format: empty,
// "?", "NA" or "nan", the words in any case, blanks around them ignored.
func isMissing(s string) bool {
	s = strings.Trim(s, " \t")
	return s == "" || s == "?" || strings.EqualFold(s, "na") || strings.EqualFold(s, "nan")
}

// canonical returns the one spelling of a number that stands for all of them:
// "+1" and "1.0" become "1", "-0" becomes "0". Whole numbers keep all their
// digits. Other text is returned as it is.
func canonical(s string) string {
	v, ok := number(s)
	if !ok {
		return s
	}
	sign, digits := "", s
	switch s[0] {
	case '-':
		sign, digits = "-", s[1:]
	case '+':
		digits = s[1:]
	}
	if strings.Trim(digits, "0123456789") != "" {
		return formatNumber(v)
	}
	digits = strings.TrimLeft(digits, "0")
	if digits == "" {
		return "0"
	}
	return sign + digits
}

// formatNumber returns the canonical spelling of a finite number: the shortest
// decimal that reads back as v, without an exponent below 1e21.
func formatNumber(v float64) string {
	switch {
	case v == 0:
		return "0"
	case math.Abs(v) < 1e21 && math.Abs(v) >= 1e-6:
		return strconv.FormatFloat(v, 'f', -1, 64)
	}
	return strconv.FormatFloat(v, 'g', -1, 64)
}

// sortClasses returns the names sorted, numerically where all are numbers, else
// as text, and the place that each of them has got: sorted[at[k]] == names[k].
func sortClasses(names []string) (sorted []string, at []int) {
	value := make([]float64, len(names))
	numeric := true
	for k, name := range names {
		v, ok := number(name)
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

// labeller turns labels as they are written into class indices. The rules are
// applied once for each distinct spelling.
type labeller struct {
	numeric    bool     // numbers are canonicalised: "+1" is "1"
	unlabelled []string // further values that mean "no label"
	y          []int
	names      []string
	spelling   map[string]int // label as written → index into names, or Unlabelled
	index      map[string]int // name → index into names
}

func newLabeller(numeric bool, unlabelled []string) *labeller {
	return &labeller{numeric: numeric, unlabelled: unlabelled, spelling: map[string]int{}, index: map[string]int{}}
}

// add labels the next row.
func (l *labeller) add(text []byte) {
	k, seen := l.spelling[string(text)]
	if !seen {
		s := string(text)
		k = l.class(s)
		l.spelling[s] = k
	}
	l.y = append(l.y, k)
}

// addNone leaves the next row without a label.
func (l *labeller) addNone() { l.y = append(l.y, Unlabelled) }

// addNumber labels the next row by a number; NaN means no label.
func (l *labeller) addNumber(v float64) {
	if math.IsNaN(v) {
		l.addNone()
		return
	}
	var room [32]byte
	l.add(append(room[:0], formatNumber(v)...))
}

func (l *labeller) class(s string) int {
	if isMissing(s) || l.means(s) {
		return Unlabelled
	}
	if l.numeric {
		s = canonical(s)
	}
	k, known := l.index[s]
	if !known {
		k = len(l.names)
		l.index[s] = k
		l.names = append(l.names, s)
	}
	return k
}

// means reports whether s is one of the further values for "no label", as text
// or as a number.
func (l *labeller) means(s string) bool {
	v, numeric := number(s)
	for _, u := range l.unlabelled {
		if s == u {
			return true
		}
		if w, ok := number(u); ok && numeric && v == w {
			return true
		}
	}
	return false
}

// finish returns the class indices of all rows and the sorted class names.
func (l *labeller) finish() (y []int, classes []string) {
	classes, at := sortClasses(l.names)
	renumberAll(l.y, at)
	return l.y, classes
}
