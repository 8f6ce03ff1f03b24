package dataset

import (
	"math"
	"strings"
)

// codeShape is what the numbers of a column look like as text.
type codeShape struct {
	width int // digits of each of them; −1 where they differ or are no whole numbers
	zeros int // fields of digits that begin with a 0 but are not 0
}

// add takes the text of a number.
func (s *codeShape) add(text []byte) {
	if text[0] == '0' && len(text) > 1 && text[1] >= '0' && text[1] <= '9' && digits(text) {
		s.zeros++
	}
	switch {
	case s.width < 0:
	case s.width == 0 && digits(text):
		s.width = len(text)
	case s.width != len(text) || !digits(text):
		s.width = -1
	}
}

func digits(text []byte) bool {
	for _, c := range text {
		if c < '0' || c > '9' {
			return false
		}
	}
	return true
}

// What makes codes and names of rows of numbers.
const (
	codeRows   = 10  // so many rows at least
	codeDigits = 4   // so many digits at least, where all have equally many
	codeSpread = 5.0 // and the largest is so many times the smallest: a measurement would have other digits too
)

// noteNumbers notes columns of numbers that look like codes, or like the numbers of
// the n rows. No column is changed.
func (l *learner) noteNumbers(n int, d *Dataset) {
	if l.strict {
		return
	}
	for j, g := range l.used {
		if g.asked != "" || g.words != nil || n < codeRows {
			continue
		}
		called := []string{l.called(g.file)}
		category, id, ignore := Option{"Category", called}, Option{"ID", called}, Option{"Ignore", called}
		low, high, present, rising := g.span.low, g.span.high, g.span.present, !g.span.gap
		switch {
		case rising && present == n && (low == 0 || low == 1) && high-low+1 == float64(n) && (l.header == nil || namesRows(g.name)):
			d.doubt("the column %q numbers the rows, and is taken for a feature; give %s or %s", called[0], id, ignore)
		case present == n && l.header != nil && namesRows(g.name) && high-low+1 == float64(n) && l.allDifferent(j):
			d.doubt("the column %q looks like the numbers of the rows, and is taken for a feature; give %s or %s", called[0], id, ignore)
		case g.code.zeros > 0:
			d.doubt("the numbers of the column %q look like codes: %d of them begin with 0; give %s if so", called[0], g.code.zeros, category)
		case g.code.width >= codeDigits && present >= codeRows && high >= codeSpread*low:
			d.doubt("the numbers of the column %q look like codes: all have %d digits; give %s if so", called[0], g.code.width, category)
		}
	}
}

// span is the range of the numbers of a column, how many there are, and whether they
// rise otherwise than one by one.
type span struct {
	low, high, last float64
	present         int
	gap             bool
}

// add takes the next value, NaN where there is none.
func (s *span) add(v float64) {
	switch {
	case math.IsNaN(v):
		return
	case s.present == 0:
		s.low, s.high = v, v
	default:
		s.gap = s.gap || v != s.last+1
		s.low, s.high = min(s.low, v), max(s.high, v)
	}
	s.present++
	s.last = v
}

// allDifferent reports whether the numbers in column j of used differ, as far as they are
// held.
func (l *learner) allDifferent(j int) bool {
	seen := make(map[float64]bool)
	for at := j; at < len(l.values); at += len(l.used) {
		if v := l.values[at]; v != math.Trunc(v) || seen[v] {
			return false
		} else {
			seen[v] = true
		}
	}
	return true
}

// namesRows reports whether a column is called like one that names rows: id, index,
// row, nr, no, # or nothing, and what ends in id as a word of its own.
func namesRows(name string) bool {
	lower := strings.ToLower(name)
	switch lower {
	case "", "id", "index", "row", "rows", "nr", "no", "#", "number", "unnamed: 0":
		return true
	}
	return strings.HasSuffix(name, "Id") || strings.HasSuffix(name, "ID") || strings.HasSuffix(lower, "_id") || strings.HasSuffix(lower, " id") || strings.HasSuffix(lower, "-id")
}
