package dataset

import (
	"math"
)

// codeShape is what the numbers of a column look like as text.
type codeShape struct {
	width int // digits of each of them; −1 where they differ or are no whole numbers
	zeros int // fields of digits that begin with a 0 but are not 0
	odd   int // fields whose value would be written otherwise: those, and what is not digits alone
}

// add takes the text of a number.
func (s *codeShape) add(text []byte) {
	if text[0] == '0' && len(text) > 1 && text[1] >= '0' && text[1] <= '9' && digits(text) {
		s.zeros++
		s.odd++
	} else if !digits(text) || len(text) > exactDigits {
		s.odd++
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

// exactDigits is how many digits a whole number may have to be written as it was read.
const exactDigits = 15

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
	for _, g := range l.used {
		if g.asked != "" || g.names || g.words != nil || n < codeRows {
			continue
		}
		called := []string{l.called(g.file)}
		category, id, ignore := Option{"Category", called}, Option{"ID", called}, Option{"Ignore", called}
		low, high, present, rising := g.span.low, g.span.high, g.span.present, !g.span.gap
		switch {
		case rising && present == n && (low == 0 || low == 1) && l.header == nil:
			d.doubt("the column %q numbers the rows, and is taken for a feature; give %s or %s", called[0], id, ignore)
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
