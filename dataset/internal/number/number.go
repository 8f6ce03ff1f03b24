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

// Finite returns the finite number that s spells, and whether it spells one.
func Finite(s string) (float64, bool) {
	v, err := Parse(s)
	return v, err == nil && !math.IsInf(v, 0) && !math.IsNaN(v)
}

// Missing reports whether a field means "no value" in every format: empty,
// "?", "NA" or "nan", the words in any case, blanks around them ignored.
func Missing(s string) bool {
	s = strings.Trim(s, " \t")
	return s == "" || s == "?" || strings.EqualFold(s, "na") || strings.EqualFold(s, "nan")
}

// nothing are the words that stand for no value elsewhere, beside those of [Missing]:
// all that pandas.read_csv takes for missing. They are lower-case constants.
var nothing = [...]string{"n/a", "#n/a", "#n/a n/a", "#na", "<na>", "null", "none", "-nan", "1.#ind", "-1.#ind", "1.#qnan", "-1.#qnan"}

// Nothing reports whether a word means "no value" here or elsewhere: what is
// [Missing], N/A, #N/A, <NA>, null, None, -nan and the like, in any case.
func Nothing(s string) bool {
	return Missing(s) || slices.Contains(nothing[:], strings.ToLower(strings.Trim(s, " \t")))
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
func Format(v float64) string {
	switch {
	case v == 0:
		return "0"
	case math.Abs(v) < 1e21 && math.Abs(v) >= 1e-6:
		return strconv.FormatFloat(v, 'f', -1, 64)
	}
	return strconv.FormatFloat(v, 'g', -1, 64)
}

// Problem says why text, which Parse read with err, is no finite number and what
// to do, and whether it is a word.
func Problem(text []byte, err error) (msg string, word bool) {
	s := string(text)
	v, _ := Parse(s)
	switch {
	case s == "":
		return "the value is empty; fill it in or remove the row", false
	case Missing(s):
		return fmt.Sprintf("the value is missing (%s); fill it in or remove the row", quote.Field(text)), false
	case err == nil:
		return fmt.Sprintf("%s is not finite; replace it by a number or remove the row", quote.Field(text)), false
	case bytes.IndexByte(text, ';') >= 0:
		return fmt.Sprintf("%s has a ';'; if that separates the columns, write decimal points in place of commas", quote.Field(text)), false
	case decimalComma(s):
		return fmt.Sprintf("%s has a decimal comma; write numbers with a decimal point", quote.Field(text)), false
	case math.IsInf(v, 0):
		return fmt.Sprintf("%s is too large for a double; rescale the values", quote.Field(text)), false
	}
	return fmt.Sprintf("%s is not a number; correct or remove it", quote.Field(text)), true
}

// decimalComma reports whether s is a number once its only comma is a point.
func decimalComma(s string) bool {
	_, ok := Finite(strings.Replace(s, ",", ".", 1))
	return ok && strings.Contains(s, ",")
}
