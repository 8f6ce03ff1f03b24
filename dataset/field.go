package dataset

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Brief writes a number for people, by six digits, or by all that stand before the point and two behind it.
func Brief(v float64) string {
	if math.Abs(v) < 1e4 || math.Abs(v) >= 1<<53 {
		return strconv.FormatFloat(v, 'g', 6, 64)
	}
	return strconv.FormatFloat(math.Round(100*v)/100, 'f', -1, 64)
}

// Field writes for people what column k has in a row of features: the value of a category, the words of a list, a date. A date has its time where the column has times. Of texts these are the
// known words, the weightiest first. It is "" of nothing, and of a vector. Where a value was missing it is what stands for it.
func (e *Encoding) Field(k int, row []float64) string {
	c, at := &e.Columns[k], 0
	for j := range k {
		at += e.Columns[j].Width()
	}
	of := row[at : at+c.Width()]
	field := func(v float64) string { return cmp.Or(c.Text(v), Brief(v)) }
	if c.Kind == Date && (c.Low != math.Floor(c.Low) || c.High != math.Floor(c.High)) { // the column has times, not days alone
		field = moment
	}
	unscaled := func(v, low, high float64) float64 {
		if e.HasText() {
			v = low*(1-v) + high*v
		}
		return v
	}
	switch c.Kind {
	case Category, Tags:
		return strings.Join(present(c.Values, of), ", ")
	case Text:
		return strings.Join(present(c.Words, of[:len(c.Words)]), " ")
	case Latitude:
		return field(degrees(math.Asin(min(max(unscaled(of[0], c.Low, c.High), -1), 1))))
	case Longitude:
		low, high := e.around(c)
		return field(degrees(math.Atan2(unscaled(of[1], low[1], high[1]), unscaled(of[0], low[0], high[0]))))
	case TimeOfDay:
		turn := math.Atan2(unscaled(of[1], -1, 1), unscaled(of[0], -1, 1)) / (2 * math.Pi)
		return field(math.Mod(math.Round((turn+1)*secondsPerDay), secondsPerDay))
	}
	switch {
	case !c.Valued():
		return ""
	case c.Kind.rules().ranged:
		return field(unscaled(of[0], c.Low, c.High))
	}
	return field(of[0])
}

// degrees is an angle of people, to the precision of their places.
func degrees(angle float64) float64 { return math.Round(angle*180/math.Pi*1e5) / 1e5 }

// present returns the words whose features are not 0, the largest first.
func present(words []string, of []float64) (some []string) {
	var at []int
	for k, v := range of {
		if v != 0 {
			at = append(at, k)
		}
	}
	slices.SortStableFunc(at, func(a, b int) int { return cmp.Compare(of[b], of[a]) })
	for _, k := range at {
		some = append(some, words[k])
	}
	return some
}
