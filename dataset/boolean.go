package dataset

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"

	"lapsvm/dataset/internal/quote"
)

// Boolean is the kind of a column of true and false, yes and no. The feature is 1 for true and yes,
// else 0; where it is missing, the more frequent one, 0 of equals.
const Boolean Kind = "boolean"

func booleanKind() kindRules {
	return kindRules{
		kind: Boolean, holds: Truths,
		counts: func(word string) bool { _, ok := boolean(word); return ok },
		all: func(_ *learner, _ *wordColumn, t *wordTally, present int) bool {
			return t.all(Boolean, present) && 0 < t.True && t.True < present
		},
		learn: func(l *learner, c *Column, j, n int) error {
			if 2*l.used[j].some.True > n-c.Missing {
				c.Fill = 1
			}
			return nil
		},
		validate: func(_ *Encoding, c *Column) error {
			if c.Fill != 0 && c.Fill != 1 {
				return fmt.Errorf("%g is no boolean", c.Fill)
			}
			return nil
		},
		value: func(_ *Column, x cell) (float64, bool) {
			if x.isNumber() {
				return 0, false
			}
			return boolean(x.text)
		},
		reading: func(_ *Encoding, c *Column) (Reading, error) {
			place := func(v float64) int { return int(v) - 1 } // feature 0 where it is 1
			r := Reading{Places: make(map[string]int), Other: place(c.Fill)}
			for _, word := range []string{"true", "yes", "false", "no"} {
				for _, text := range folded(word) {
					v, _ := boolean(text)
					r.Places[text] = place(v)
				}
			}
			return r, nil
		},
		wrong: func(_ *Column, text string) string {
			return fmt.Sprintf("%s is none of true, false, yes and no; correct or remove it", quote.Field([]byte(text)))
		},
		text: func(_ *Column, v float64) string { return strconv.FormatBool(v == 1) },
	}
}

// boolean reads true, false, yes and no in any case.
func boolean(s string) (v float64, ok bool) {
	switch {
	case strings.EqualFold(s, "true"), strings.EqualFold(s, "yes"):
		return 1, true
	case strings.EqualFold(s, "false"), strings.EqualFold(s, "no"):
		return 0, true
	}
	return 0, false
}

// folded returns all spellings of a word that strings.EqualFold takes for it.
func folded(word string) []string {
	all := []string{""}
	for _, first := range word {
		var longer []string
		for r := first; ; {
			for _, begin := range all {
				longer = append(longer, begin+string(r))
			}
			if r = unicode.SimpleFold(r); r == first {
				break
			}
		}
		all = longer
	}
	return all
}
