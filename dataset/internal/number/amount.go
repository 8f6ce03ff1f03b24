package number

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Percent is the unit of an amount such as 12%.
const Percent = "%"

// Amount is a number as people write it: with a currency or a percent sign, marks between its thousands, or brackets in the place
// of a minus.
type Amount struct {
	Unit     string // Percent, or the sign or code of a currency; may be ""
	Brackets bool   // it is negative by them

	negative bool
	digits   string // with their marks
}

// currencies are the codes that stand beside amounts; those that are English words too are left out. They are constants.
var currencies = [...]string{"USD", "EUR", "GBP", "JPY", "CNY", "INR", "CHF", "AUD", "CAD", "NZD", "SEK", "NOK", "DKK", "PLN", "CZK", "HUF", "BRL", "MXN", "ZAR", "KRW", "SGD", "HKD"}

// blanks stand before or behind a unit, and all but the first between thousands.
const blanks = " \u00a0\u202f\u2009"

// ParseAmount reads an amount up to its marks.
func ParseAmount(s string) (a Amount, ok bool) {
	if s = strings.Trim(s, " \t"); len(s) > 2 && s[0] == '(' && s[len(s)-1] == ')' {
		a.Brackets, a.negative = true, true
		s = strings.Trim(s[1:len(s)-1], " \t")
	}
	signed := a.Brackets
	sign := func() {
		for _, minus := range []string{"-", "\u2212", "+"} {
			if rest, is := strings.CutPrefix(s, minus); is && !signed {
				signed, a.negative = true, minus != "+"
				s = strings.TrimLeft(rest, blanks)
			}
		}
	}
	sign()
	first := strings.IndexFunc(s, unicode.IsDigit)
	if first < 0 {
		return a, false
	}
	if before := s[:first]; before != "" && before != "." && before != "," {
		a.Unit = strings.TrimRight(before, blanks+"-\u2212+.,")
		s = strings.TrimLeft(s[len(a.Unit):], blanks)
		if a.Unit == Percent {
			return a, false
		}
		if sign(); a.Unit == "" {
			return a, false
		}
	}
	end := strings.LastIndexFunc(s, unicode.IsDigit) + 1
	if behind := strings.TrimLeft(s[end:], blanks); behind != "" {
		if a.Unit != "" {
			return a, false
		}
		a.Unit = behind
	} else if end < len(s) {
		return a, false
	}
	a.digits = s[:end]
	return a, a.Unit == "" || a.Unit == Percent || isCurrency(a.Unit)
}

// isCurrency reports whether a unit is a code of a currency, or its sign, such as € or US$.
func isCurrency(unit string) bool {
	last, size := utf8.DecodeLastRuneInString(unit)
	letters := strings.TrimLeft(unit[:len(unit)-size], "ABCDEFGHIJKLMNOPQRSTUVWXYZ")
	return unicode.Is(unicode.Sc, last) && letters == "" && len(unit)-size <= 3 || slices.Contains(currencies[:], unit)
}

// Value returns the number where decimals stand behind a mark, '.' or ','. It is not ok where the marks are others: thousands are
// three digits each, or two but for the last as in India.
func (a Amount) Value(decimal rune) (v float64, ok bool) {
	var number strings.Builder
	if a.negative {
		number.WriteByte('-')
	}
	var mark rune    // between thousands
	var groups []int // digits of each
	fraction, n := false, 0
	for _, r := range a.digits {
		switch {
		case '0' <= r && r <= '9':
			n++
			number.WriteRune(r)
		case fraction || n == 0 && r != decimal:
			return 0, false
		case r == decimal:
			groups, fraction, n = append(groups, n), true, 0
			number.WriteByte('.')
		case (r == '.' || r == ',' || r == '\'' || r == '\u2019' || r != ' ' && strings.ContainsRune(blanks, r)) && (mark == 0 || mark == r):
			groups, mark, n = append(groups, n), r, 0
		default:
			return 0, false
		}
	}
	if n == 0 {
		return 0, false
	}
	if !fraction {
		groups = append(groups, n)
	}
	if last := len(groups) - 1; mark != 0 {
		middle := 3
		if last > 1 && groups[1] == 2 {
			middle = 2
		}
		if a.digits[0] == '0' || groups[0] > middle || groups[last] != 3 || slices.ContainsFunc(groups[1:last], func(n int) bool { return n != middle }) {
			return 0, false
		}
	}
	return Finite(number.String())
}
