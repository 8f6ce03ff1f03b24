// Package number reads and spells the numbers of data files, which are text.
package number

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"lapsvm/dataset/internal/quote"
)

// Parse reads a number as strconv.ParseFloat does, exactly, but without
// underscores between digits: "2024_05" is no number in a data file.
func Parse(s string) (float64, error) {
	if strings.IndexByte(s, '_') >= 0 {
		return 0, strconv.ErrSyntax
	}
	return strconv.ParseFloat(s, 64)
}

// ParseDecimal reads a number with a decimal comma. A number with a decimal point is an error
// unless points are allowed too.
func ParseDecimal(s string, points bool) (float64, error) {
	comma := strings.IndexByte(s, ',')
	switch {
	case comma < 0 && (points || strings.IndexByte(s, '.') < 0):
		return Parse(s)
	case comma < 0 || strings.IndexByte(s, '.') >= 0:
		return 0, strconv.ErrSyntax
	}
	return Parse(s[:comma] + "." + s[comma+1:])
}

// Finite returns the finite number that s spells, and whether it spells one.
func Finite(s string) (float64, bool) {
	v, err := Parse(s)
	return v, err == nil && !math.IsInf(v, 0) && !math.IsNaN(v)
}

// missing are the spellings of "no value" in lower case, the common ones first. Together with
// None they are those of pandas.read_csv, among which is R's NA, and "?". They are constants.
var missing = [...]string{"", "?", "na", "nan", "n/a", "null", "#n/a", "#n/a n/a", "#na", "<na>", "-nan", "1.#ind", "-1.#ind", "1.#qnan", "-1.#qnan"}

// common is the number of the first spellings of missing that are too common to be names of
// columns or classes.
const common = 4

const (
	none    = "None" // as Python spells it
	longest = 9      // bytes of the longest of missing
)

// Missing reports whether a field means "no value", in every format and in every kind of column:
// empty, ?, NA, NaN, N/A, #N/A, <NA>, null, -nan and 1.#IND in any case, and None. Blanks
// around them are ignored. The English word none is a value, such as that of a category.
func Missing(s string) bool {
	s = strings.Trim(s, " \t")
	return s == none || len(s) <= longest && slices.ContainsFunc(missing[:], func(m string) bool { return strings.EqualFold(s, m) })
}

// Common reports whether a field is empty, ?, NA or NaN, in any case and with blanks around it:
// the spellings of "no value" that need no note.
func Common(s string) bool {
	s = strings.Trim(s, " \t")
	return len(s) <= len("nan") && slices.ContainsFunc(missing[:common], func(m string) bool { return strings.EqualFold(s, m) })
}

// Nothing reports whether a field means "no value" among numbers, dates, booleans or labels:
// what is [Missing], and none in any case.
func Nothing(s string) bool {
	return Missing(s) || strings.EqualFold(strings.Trim(s, " \t"), none)
}

// Canonical returns the one spelling of a number that stands for all of them:
// "+1" and "1.0" become "1", "-0" becomes "0". Whole numbers keep all their
// digits. Other text is returned as it is.
func Canonical(s string) string {
	v, ok := Finite(s)
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
		return Format(v)
	}
	digits = strings.TrimLeft(digits, "0")
	if digits == "" {
		return "0"
	}
	return sign + digits
}

// Format returns the canonical spelling of a finite number: the shortest
// decimal that reads back as v, without an exponent below 1e21.
func Format(v float64) string { return string(Append(make([]byte, 0, 24), v)) }

// Append appends the canonical spelling of a finite number.
func Append(to []byte, v float64) []byte {
	const places, most = 6, 1e9
	if -most < v && v < most { // most numbers of people have few decimals
		if n := math.Round(v * 1e6); n/1e6 == v { // so that its digits, 15 at most, are the shortest that tell v
			return appendDecimal(to, int64(n), places)
		}
	}
	if math.Abs(v) < 1e21 && math.Abs(v) >= 1e-6 {
		return strconv.AppendFloat(to, v, 'f', -1, 64)
	}
	return strconv.AppendFloat(to, v, 'g', -1, 64)
}

// appendDecimal appends n with so many decimals, without zeros at the end.
func appendDecimal(to []byte, n int64, places int) []byte {
	if n < 0 {
		to, n = append(to, '-'), -n
	}
	unit := int64(1)
	for range places {
		unit *= 10
	}
	to = strconv.AppendInt(to, n/unit, 10)
	if n %= unit; n == 0 {
		return to
	}
	to = append(to, '.')
	for n > 0 {
		unit /= 10
		to = append(to, byte('0'+n/unit))
		n %= unit
	}
	return to
}

// Meant returns the number that a float of so many bytes is meant for: that of its shortest decimal, 0.1 and not 0.10000000149. A float64 is itself.
func Meant(v float64, bytes int) float64 {
	switch {
	case bytes == 4:
		text := strconv.FormatFloat(v, 'g', -1, 32)
		if meant, err := strconv.ParseFloat(text, 64); err == nil && float32(meant) == float32(v) {
			return meant
		}
	case bytes == 2 && v != math.Trunc(v):
		const bits, least, digits = 11, -13, 5 // of a float16: bits of the fraction, the least exponent, digits that tell all
		fraction, exponent := math.Frexp(v)
		up := math.Ldexp(0.5, max(exponent, least)-bits) // from v to the middle between it and the next
		down := up
		if math.Abs(fraction) == 0.5 && exponent > least {
			down /= 2
		}
		for n := 1; n <= digits; n++ {
			meant, err := strconv.ParseFloat(strconv.FormatFloat(v, 'g', n, 64), 64)
			if more := math.Abs(meant) - math.Abs(v); err == nil && -down < more && more < up {
				return meant
			}
		}
	}
	return v
}

// Problem says why text is no finite number, with advice, and whether it is a word. err is the
// error of Parse for text.
func Problem(text []byte, err error) (msg string, word bool) {
	s := string(text)
	v, _ := Parse(s)
	switch {
	case s == "":
		return "the value is empty; fill it in or remove the row", false
	case Missing(s):
		return fmt.Sprintf("the value is missing (%s); fill it in or remove the row", quote.Field(text)), false
	case Rounded(text):
		return fmt.Sprintf("%s would be rounded to a double; give fewer digits", quote.Field(text)), false
	case err == nil:
		return fmt.Sprintf("%s is not finite; replace it by a number or remove the row", quote.Field(text)), false
	case bytes.IndexByte(text, ';') >= 0:
		return fmt.Sprintf("%s has a ';'; if that separates the columns, write decimal points in place of commas", quote.Field(text)), false
	case DecimalComma(s):
		return fmt.Sprintf("%s has a decimal comma; write numbers with a decimal point", quote.Field(text)), false
	case grouped(s):
		return fmt.Sprintf("%s has marks between its thousands; leave them out", quote.Field(text)), false
	case math.IsInf(v, 0):
		return fmt.Sprintf("%s is too large for a double; rescale the values", quote.Field(text)), false
	}
	return fmt.Sprintf("%s is not a number; correct or remove it", quote.Field(text)), true
}

// grouped reports whether s is a number with marks between its thousands and another mark
// before its fraction, such as 1.601,36 or 1,601.36.
func grouped(s string) bool {
	point, comma := strings.IndexByte(s, '.'), strings.IndexByte(s, ',')
	if point < 0 || comma < 0 {
		return false
	}
	thousands, decimal := ".", ","
	if comma < point {
		thousands, decimal = decimal, thousands
	}
	whole, fraction, _ := strings.Cut(s, decimal)
	groups := strings.Split(whole, thousands)
	for _, group := range groups[1:] {
		if len(group) != 3 {
			return false
		}
	}
	_, ok := Finite(strings.Join(groups, "") + "." + fraction)
	return ok
}

// DecimalComma reports whether s is a number once its only comma is a point.
func DecimalComma(s string) bool {
	_, ok := Finite(strings.Replace(s, ",", ".", 1))
	return ok && strings.Contains(s, ",")
}
