package dataset

import (
	"fmt"
	"math"
	"strings"

	"lapsvm/dataset/internal/number"
)

// Number is the kind of a column of numbers. The feature is the value; where it is missing, the
// median.
const Number Kind = "number"

func numberKind() kindRules {
	return kindRules{
		kind: Number, holds: Numerals, ranged: true, measured: true,
		counts: almostNumber,
		all: func(_ *learner, g *wordColumn, _ *wordTally, present int) bool {
			numbers := g.all.Rows[withNumbers]
			return numbers > 0 && numbers == present
		},
		most:  mostlyNumbers,
		value: func(_ *Column, x cell) (float64, bool) { return x.number, x.isNumber() },
		reading: func(e *Encoding, c *Column) (Reading, error) {
			return e.readingOf(c, []float64{c.Low}, []float64{c.High})
		},
		describe: func(c *Column) string { return fmt.Sprintf("number, %.6g to %.6g", c.Low, c.High) },
	}
}

// Plain reports whether a column is numbers without a gap.
func (c *Column) Plain() bool { return c.Kind == Number && c.Missing == 0 }

// mostlyNumbers doubts a column of numbers and a few words. It stops at numbers in another notation, which an option reads, and at
// those that are not finite.
func mostlyNumbers(q *question) (bool, error) {
	if 2*(q.numbers+q.nonNumeric.Of[Number]) < q.present {
		return false, nil
	}
	text := q.nonNumeric.First.Text
	_, err := number.Parse(text)
	problem, alone := q.numberProblem(q.nonNumeric.First.At, q.file, []byte(text), err, Messagef("; if the column is a category, give %s", q.option("Category")))
	q.doubt(q.nonNumeric.First, "not all of its values are numbers", problem, alone)
	q.doubts[len(q.doubts)-1].stops = q.nonNumeric.First.At.Top || q.nonNumeric.Of[Number] > 0
	return true, nil
}

// almostNumber reports whether a word is a number in another notation, or one
// that is not finite: one or several numbers with a decimal comma or ';'
// between them.
func almostNumber(text string) bool {
	parts := strings.FieldsFunc(text, func(r rune) bool { return r == ',' || r == ';' })
	for _, part := range parts {
		v, err := number.Parse(strings.TrimSpace(part))
		if err != nil && !math.IsInf(v, 0) {
			return false
		}
	}
	return len(parts) > 0 && !number.Rounded([]byte(text))
}
