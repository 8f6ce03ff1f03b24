package dataset

import (
	"regexp"
	"strings"

	"lapsvm/dataset/internal/quote"
)

// foreign is no kind of a column: it doubts a column whose words are values in notations that are not read. They neither
// name rows nor are texts. A category may have a few of them.
const foreign Kind = "foreign"

func foreignKind() kindRules {
	return kindRules{
		kind:   foreign,
		counts: func(word string) bool { return notationOf(word) != nil },
		likely: func(q *question) (bool, error) {
			if n := q.nonNumeric.Of[foreign]; n < q.nonNumeric.Rows || 2*n < q.present {
				return false, nil
			}
			is := notationOf(q.nonNumeric.First.Text)
			return q.fail(q.nonNumeric.First, is.reason, "%s %s; %s, or give %s, %s or %s", quote.Field([]byte(q.nonNumeric.First.Text)), is.what, is.advice, q.option("ID"), q.option("Category"), q.option("Ignore"))
		},
	}
}

// foreignNotation is a notation of numbers or dates that is not read.
type foreignNotation struct {
	has                  string // of these bytes a word of the notation has one
	form                 *regexp.Regexp
	reason, what, advice string
}

// foreignNotations are constants. Behind dates there may be a time.
var foreignNotations = [...]foreignNotation{
	{"/.-", regexp.MustCompile(`^\d{1,2}([/.-])\d{1,2}([/.-])\d\d( \d.*)?$`), "its years have two digits", "may be a date with a year of two digits", "write all dates as 2024-12-31"},
	{"aeouAEOU", regexp.MustCompile(`^(?i)(\d{1,2}[-/. ]+|[a-z]{3}, *\d{1,2} +)?(jan(uary)?|feb(ruary)?|mar(ch)?|apr(il)?|may|june?|july?|aug(ust)?|sept?(ember)?|oct(ober)?|nov(ember)?|dec(ember)?)[-/., ]+(\d\d?|\d{4})(,? +\d{4})?( \d.*)?$`), "its months are words", "is a date with its month in letters", "write all dates as 2024-12-31"},
	{":", regexp.MustCompile(`^\d{4}-\d\d-\d\d[ T][\d:.]+ *([A-Z]{2,5}|\[?[A-Z][a-z]+/[A-Za-z_/]+\]?)$`), "its zones are names", "is a date with the name of a zone", "write zones as 2024-12-31T23:59:00+01:00"},
	{"PTd", regexp.MustCompile(`^-?P(\d+[YMWD])*(T(\d+([.,]\d+)?[HMS])+)?$|^-?\d+ days?( [\d:.]+)?$`), "its values are durations", "is a duration", "write a number of seconds, minutes or days"},
	{":", regexp.MustCompile(`^-?\d+:[0-5]\d(:[0-5]\d([.,]\d+)?)?$`), "not all of its values are times of day", "is a duration, since not all values are times of day", "write a number of seconds, minutes or days"},
	{"xX", regexp.MustCompile(`^[-+]?0[xX][0-9a-fA-F]+$`), "its numbers are hexadecimal", "is a hexadecimal number", "write numbers with the digits 0 to 9"},
	{"/", regexp.MustCompile(`^[-+]?\d+/\d+$`), "its values are fractions", "is a fraction, or a date without a year", "write 3/4 as 0.75, and dates as 2024-12-31"},
	{"dD", regexp.MustCompile(`^[-+]?\d+\.?\d*[dD][-+]\d+$`), "its numbers have exponents with D", "is a number as Fortran writes it", "write e in place of D"},
}

// notationOf returns the notation of a word, nil where it is none of these.
func notationOf(word string) *foreignNotation {
	const longest = 40
	if word = strings.Trim(word, " \t"); len(word) > longest || !strings.ContainsAny(word, "0123456789") {
		return nil
	}
	for k := range foreignNotations {
		if n := &foreignNotations[k]; strings.ContainsAny(word, n.has) && n.form.MatchString(word) {
			return n
		}
	}
	return nil
}
