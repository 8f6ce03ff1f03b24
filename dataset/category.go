package dataset

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"

	"lapsvm/dataset/internal/number"
)

// Category is the kind of a column of few different values. A value is a feature COLUMN=VALUE, 1
// or 0, as it is written; for missing and unseen values all are 0.
const Category Kind = "category"

// What a column of words is taken for a category by.
const (
	mostValues      = 50   // without being asked, and at most one in two rows
	mostValuesAsked = 1000 // where it was asked for
)

func categoryKind() kindRules {
	return kindRules{
		kind: Category, option: "Category", verbatim: true,
		asked: func(o *TableOptions) []string { return o.Category },
		most:  fewNumbersAndWords,
		likely: func(q *question) (bool, error) {
			distinct, err := q.different(q.j)
			return distinct <= mostValues && 2*distinct <= q.n, err
		},
		learn: learnCategory,
		validate: func(_ *Encoding, c *Column) error {
			if sorted, _ := sortClasses(c.Values); !slices.Equal(sorted, c.Values) || len(slices.Compact(sorted)) != len(c.Values) {
				return errors.New("its values are not sorted, or some are equal")
			}
			return nil
		},
		width:    func(c *Column) int { return len(c.Values) },
		features: func(c *Column) []string { return behind(c.Name+"=", c.Values) },
		encode:   encodeCategory,
		reading: func(_ *Encoding, c *Column) (Reading, error) {
			r := Reading{Places: make(map[string]int), Other: -1}
			places := newCategoryPlaces(c.Values)
			for _, value := range c.Values {
				r.add(places.of, value)
				if v, ok := number.Finite(value); ok {
					r.add(places.of, number.Format(v))
					for decimals := range mostDecimals + 1 {
						r.add(places.of, strconv.FormatFloat(v, 'f', decimals, 64))
					}
				}
			}
			return r, nil
		},
		describe: func(c *Column) string {
			guess := ""
			if c.Guessed {
				guess = " (a guess: numbers and words)"
			}
			return fmt.Sprintf("category%s, %s: %s", guess, counted(len(c.Values), "value"), some(c.Values, 5))
		},
		typical: func(c *Column) string { return c.Values[0] },
	}
}

// fewNumbersAndWords takes a column of few different numbers and words for a category.
func fewNumbersAndWords(q *question) (bool, error) {
	if q.numbers == 0 || q.nonNumeric.Of[Number] > 0 || q.nonNumeric.Of[Date] > 0 {
		return false, nil
	}
	distinct, err := q.different(q.j)
	if err != nil || distinct > fewValues || 2*distinct > q.n {
		return false, err
	}
	q.column.Guessed = 2*q.numbers >= q.present
	return true, nil
}

// learnCategory learns the values.
func learnCategory(l *learner, c *Column, j, _ int) error {
	own := make(map[string]bool)
	for text := range l.spellings(j) {
		if padded, ok := l.used[j].all.Code.Padded[text]; ok {
			text = padded
		}
		if own[text] = true; len(own) > mostValuesAsked {
			break
		}
	}
	all, err := All(l.origin.Ranks, slices.Collect(maps.Keys(own)))
	if err != nil {
		return err
	}
	seen := make(map[string]bool)
	for _, part := range all {
		for _, text := range part {
			seen[text] = true
		}
	}
	switch {
	case len(seen) > mostValuesAsked:
		return l.origin.Errorf(0, 0, "column %q has more than %d different values, too many for a category; give %s, %s or %s instead", c.Name, mostValuesAsked, Option{Name: "Ignore"}, Option{Name: "ID"}, Option{Name: "Text"})
	case len(seen) == 1 && c.Missing == 0:
		c.drop("it is constant")
	default:
		c.Values, _ = sortClasses(slices.Collect(maps.Keys(seen)))
	}
	return nil
}

// encodeCategory sets the feature of a value, or counts it as missing or unseen.
func encodeCategory(n *encoder, k, at int) func(row []cell) bool {
	places := newCategoryPlaces(n.e.Columns[k].Values)
	return func(row []cell) bool {
		x := row[k]
		switch place, ok := places.of(x); {
		case x.isMissing():
			n.gaps[k]++
		case ok:
			n.set(at+place, 1)
		case !x.isNumber() && number.Missing(x.text):
			n.gaps[k]++
		default:
			n.addUnseen(k, cmp.Or(x.text, x.spelling()))
		}
		return true
	}
}

// categoryPlaces finds the values of a category.
type categoryPlaces struct {
	texts   map[string]int32
	numbers map[float64]int32
}

func newCategoryPlaces(values []string) categoryPlaces {
	return categoryPlaces{placesOf(values), numbersOf(values)}
}

// of returns the place of the value that a cell has. A value of that very spelling goes before a
// number of the same value, and before no value: the models of old have categories that are called
// N/A.
func (p categoryPlaces) of(x cell) (place int, ok bool) {
	if x.isMissing() {
		return 0, false
	}
	at, found := p.texts[x.text]
	if !found && x.isNumber() && !number.Rounded([]byte(x.text)) {
		at, found = p.numbers[x.number]
	}
	return int(at), found && at >= 0
}

// placesOf returns the places of names.
func placesOf(names []string) map[string]int32 {
	at := make(map[string]int32, len(names))
	for k, name := range names {
		at[name] = int32(k)
	}
	return at
}

// numbersOf returns the places of those values of a category that are numbers, as other programs
// read 01532. Of a number that two values spell the place is −1.
func numbersOf(values []string) map[float64]int32 {
	var at map[float64]int32
	for k, value := range values {
		v, ok := number.Finite(value)
		if !ok {
			continue
		}
		if at == nil {
			at = make(map[float64]int32)
		}
		if _, twice := at[v]; twice {
			k = -1
		}
		at[v] = int32(k)
	}
	return at
}

// asWritten reports whether a value of a category is a number in another spelling than the common
// one, such as 01532.
func (c *Column) asWritten() bool {
	return slices.ContainsFunc(c.Values, func(value string) bool {
		v, ok := number.Finite(value)
		return ok && number.Format(v) != value
	})
}
