package dataset

import (
	"maps"
	"math"
	"slices"

	"lapsvm/dataset/internal/number"
)

// codeShape is what the numbers of a column look like as text.
type codeShape struct {
	Width int // digits of each of them; −1 where they differ or are no whole numbers
	Zeros int // fields of digits that begin with a 0 but are not 0
	Large int // whole numbers that were rounded to doubles
	Odd   int // fields that their value would not be written as: with a 0 before, with too many digits, or not of digits alone

	Padded map[string]string `json:",omitempty"` // for each value, by its common spelling, the first field that begins with a 0; a bounded number of values
}

// add takes the text of a number, and its value.
func (s *codeShape) add(text []byte, v float64) {
	if number.Rounded(text) {
		s.Large++
	}
	if text[0] == '0' && len(text) > 1 && text[1] >= '0' && text[1] <= '9' && digits(text) {
		s.Zeros++
		s.Odd++
		s.pad(number.Format(v), string(text))
	} else if !digits(text) || len(text) > exactDigits {
		s.Odd++
	}
	switch {
	case s.Width < 0:
	case s.Width == 0 && digits(text):
		s.Width = len(text)
	case s.Width != len(text) || !digits(text):
		s.Width = -1
	}
}

// pad keeps how a number is written.
func (s *codeShape) pad(common, text string) {
	if _, ok := s.Padded[common]; ok || len(s.Padded) > mostValues {
		return
	}
	if s.Padded == nil {
		s.Padded = make(map[string]string)
	}
	s.Padded[common] = text
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
	codeSpread = 5.0 // the largest is at least so many times the smallest; measurements with that range differ in their digits
)

// noteNumbers notes columns of numbers that look like codes, or like the numbers or names of
// the n rows. No column is changed.
func (l *learner) noteNumbers(n int, d *Dataset) error {
	if l.strict {
		return nil
	}
	for j, g := range l.used {
		if g.asked == "" && g.found == "" && g.all.Code.Large > 0 {
			d.DoubtRounded(l.called(g.file))
			continue
		}
		if g.asked != "" || g.found != "" || g.all.Distinct > 0 || n < codeRows {
			continue
		}
		called := []string{l.called(g.file)}
		category, id, ignore := Option{Name: "Category", Value: called}, Option{Name: "ID", Value: called}, Option{Name: "Ignore", Value: called}
		code, low, high, present, rising := g.all.Code, g.all.Span.Low, g.all.Span.High, g.all.Span.Present, !g.all.Span.Gap
		named, err := l.namesUnasked(j, n)
		if err != nil {
			return err
		}
		likely, err := l.mayBeNames(j, n)
		if err != nil {
			return err
		}
		switch {
		case rising && present == n && (low == 0 || low == 1) && l.header == nil:
			d.doubt("the column %q numbers the rows, and is taken for a feature; give %s or %s", called[0], id, ignore)
		case named:
			d.doubt("the column %q names the rows, and is taken for a feature; give %s or %s if it is none", called[0], id, ignore)
		case code.Zeros > 0:
			d.doubt("the numbers of the column %q look like codes: %d of them begin with 0; give %s if so", called[0], code.Zeros, category)
		case likely:
			d.doubt("the column %q has another whole number in each row, far larger than those of other columns, and is taken for a feature; give %s if it names the rows, or %s", called[0], id, ignore)
		case code.Width >= codeDigits && present >= codeRows && high >= codeSpread*low:
			d.doubt("the numbers of the column %q look like codes: all have %d digits; give %s if so", called[0], code.Width, category)
		}
	}
	return nil
}

// namesUnasked reports whether column j of used names the n rows, and is a feature as all columns are to be.
func (l *learner) namesUnasked(j, n int) (bool, error) {
	if !l.options.AllFeatures || len(l.options.Columns) > 0 || len(l.used) < 2 {
		return false, nil
	}
	return l.names(j, n)
}

// mayBeNames reports whether column j of used may name the n rows by numbers that do not count up: in a table of small numbers they
// would decide all distances.
func (l *learner) mayBeNames(j, n int) (bool, error) {
	const far = 100 // times the range of any other column
	g := l.used[j]
	wide := g.all.Span.High - g.all.Span.Low
	if g.all.Code.Odd > 0 || g.all.Span.Present < n || wide < float64(n-1) || len(l.used) < 2 {
		return false, nil
	}
	for k, other := range l.used {
		if s := other.all.Span; k != j && (s.Present == 0 || far*(s.High-s.Low) > wide) {
			return false, nil
		}
	}
	return l.allDiffer(j, n)
}

// join takes what the next part of the column looks like.
func (s *codeShape) join(other codeShape) {
	s.Zeros, s.Large, s.Odd = s.Zeros+other.Zeros, s.Large+other.Large, s.Odd+other.Odd
	for _, common := range slices.Sorted(maps.Keys(other.Padded)) {
		s.pad(common, other.Padded[common])
	}
	switch {
	case other.Width == 0:
	case s.Width == 0:
		s.Width = other.Width
	case s.Width != other.Width:
		s.Width = -1
	}
}

// span is the range of the numbers of a column, how many there are, and whether they
// rise otherwise than one by one.
type span struct {
	Low, High, First, Last float64
	Present                int
	Gap                    bool
}

// add takes the next value, NaN where there is none.
func (s *span) add(v float64) {
	if !math.IsNaN(v) {
		s.join(span{v, v, v, v, 1, false})
	}
}

// join takes the numbers of the next part of the column.
func (s *span) join(next span) {
	switch {
	case next.Present == 0:
	case s.Present == 0:
		*s = next
	default:
		s.Gap = s.Gap || next.Gap || next.First != s.Last+1
		s.Low, s.High, s.Last = min(s.Low, next.Low), max(s.High, next.High), next.Last
		s.Present += next.Present
	}
}
