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

// Labels turns labels as they are written into class indices, row by row. The
// rules are applied once for each distinct spelling.
type Labels struct {
	numeric    bool     // numbers are canonicalised: "+1" is "1"
	unlabelled []string // further values that mean "no label"
	y          []int
	names      []string
	spelling   map[string]int // label as written → index into names, or Unlabelled
	index      map[string]int // name → index into names
}

// NewLabels begins labels of no rows. Where numeric, all spellings of a number are
// one class: "+1" and "1.0" are "1". The unlabelled are further values for "no
// label", see [TableOptions].
func NewLabels(numeric bool, unlabelled []string) *Labels {
	return &Labels{numeric: numeric, unlabelled: unlabelled, spelling: map[string]int{}, index: map[string]int{}}
}

// Add labels the next row.
func (l *Labels) Add(text []byte) {
	k, seen := l.spelling[string(text)]
	if !seen {
		s := string(text)
		k = l.class(s)
		l.spelling[s] = k
	}
	l.y = append(l.y, k)
}

// AddNone leaves the next row without a label.
func (l *Labels) AddNone() { l.y = append(l.y, Unlabelled) }

// AddNumber labels the next row by a number; NaN means no label.
func (l *Labels) AddNumber(v float64) {
	if math.IsNaN(v) {
		l.AddNone()
		return
	}
	var room [32]byte
	l.Add(append(room[:0], number.Format(v)...))
}

// Len returns the number of rows.
func (l *Labels) Len() int { return len(l.y) }

func (l *Labels) class(s string) int {
	if number.Missing(s) || l.means(s) {
		return Unlabelled
	}
	if l.numeric {
		s = number.Canonical(s)
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
func (l *Labels) means(s string) bool {
	v, numeric := number.Finite(s)
	for _, u := range l.unlabelled {
		if s == u {
			return true
		}
		if w, ok := number.Finite(u); ok && numeric && v == w {
			return true
		}
	}
	return false
}

// Finish returns the class indices of all rows and the sorted class names.
func (l *Labels) Finish() (y []int, classes []string) {
	classes, at := sortClasses(l.names)
	renumberAll(l.y, at)
	return l.y, classes
}
