package dataset

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"lapsvm/dataset/internal/number"
	"lapsvm/dataset/internal/quote"
)

// Amount is the kind of a column of numbers as people write them: $1,200.50, 1.234,50 €, (12.00), 12% or 1,234,567. The feature is
// the number, so that 12% is 12; where it is missing, the median.
const Amount Kind = "amount"

func amountKind() kindRules {
	return kindRules{
		kind: Amount, version: 7, ranged: true, measured: true,
		counts: func(word string) bool {
			a, ok := number.ParseAmount(word)
			_, point := a.Value('.')
			_, comma := a.Value(',')
			return ok && (point || comma) && !number.Rounded([]byte(word))
		},
		all: func(l *learner, g *wordColumn, t *wordTally, present int) bool {
			n := l.notation(g, t, present)
			return n.known
		},
		learn: func(l *learner, c *Column, j, n int) error {
			g := l.used[j]
			form := l.notation(g, &g.some, n-c.Missing)
			c.Unit, c.Comma = g.some.Amounts.Unit, form.comma
			if form.guessed {
				l.doubtNotation(g, form.comma)
			}
			return nil
		},
		validate: func(_ *Encoding, c *Column) error {
			if a, ok := number.ParseAmount("1" + c.Unit); !ok || a.Unit != c.Unit {
				return fmt.Errorf("%q is no unit", c.Unit)
			}
			return nil
		},
		value: amount,
		reading: func(e *Encoding, c *Column) (Reading, error) { // of its numbers, as a table may have them too
			if c.Unit == number.Percent {
				return Reading{}, errors.New("percents are read from text")
			}
			return e.readingOf(c, []float64{c.Low}, []float64{c.High})
		},
		wrong: func(c *Column, text string) string {
			return fmt.Sprintf("%s is no number%s, as the column had in the training; correct or remove it", quote.Field([]byte(text)), c.notation())
		},
		describe: func(c *Column) string { return fmt.Sprintf("number%s, %.6g to %.6g", c.notation(), c.Low, c.High) },
		typical: func(c *Column) string {
			text := number.Format(c.Fill)
			if c.Comma {
				text = strings.Replace(text, ".", ",", 1)
			}
			return text + c.Unit
		},
	}
}

// notation says how the amounts of the column are written.
func (c *Column) notation() string {
	s := ""
	if c.Unit != "" {
		s = " in " + c.Unit
	}
	if c.Comma {
		s += " with decimals behind commas"
	}
	return s
}

// amount reads a field of the column. A number is refused where its mark may stand between thousands here, as that of 1.200 beside
// 1.200,50. Percents are never without their sign, since 0.12 may be 12 of them.
func amount(c *Column, x cell) (float64, bool) {
	decimal := '.'
	if c.Comma {
		decimal = ','
	}
	a, ok := number.ParseAmount(x.text)
	if x.isNumber() {
		v, grouped := a.Value(decimal)
		return x.number, c.Unit != number.Percent && !(ok && grouped && v != x.number)
	}
	if !ok || a.Unit != c.Unit && (a.Unit != "" || c.Unit == number.Percent) {
		return 0, false
	}
	return a.Value(decimal)
}

// amountTally is what is decided by of the amounts among the words of a column.
type amountTally struct {
	No        [2]bool // some word is none with decimals behind points, behind commas
	Unit      string
	Units     bool    // there are several
	Bare      int     // rows without a unit
	Brackets  int     // rows with brackets and without a unit
	Marks     [2]bool // some word is of another value in each of the two notations, by its only mark: a point, a comma
	Some      bool    // there is a word
	Plain     bool    // all words are plain numbers with decimals behind commas
	Uncertain *wordAt // the first of these of another value
}

// add takes a word that so many rows have.
func (t *amountTally) add(text string, rows int, at func() site) {
	a, ok := number.ParseAmount(text)
	point, behindPoint := a.Value('.')
	comma, behindComma := a.Value(',')
	behindPoint, behindComma = behindPoint && ok, behindComma && ok
	t.No[0], t.No[1] = t.No[0] || !behindPoint, t.No[1] || !behindComma
	t.Plain, t.Some = (!t.Some || t.Plain) && number.DecimalComma(text), true
	if !behindPoint && !behindComma {
		return
	}
	if a.Unit == "" {
		if t.Bare += rows; a.Brackets {
			t.Brackets += rows
		}
	}
	t.Units = t.Units || t.Unit != "" && a.Unit != "" && t.Unit != a.Unit
	if t.Unit == "" {
		t.Unit = a.Unit
	}
	if behindPoint && behindComma && point != comma {
		mark := 0
		if strings.Contains(text, ",") {
			mark = 1
		}
		if t.Marks[mark] = true; t.Uncertain == nil {
			t.Uncertain = &wordAt{text, at()}
		}
	}
}

// join takes the words of the next part of the column.
func (t *amountTally) join(next amountTally) {
	if !next.Some {
		return
	}
	if !t.Some {
		*t = next
		return
	}
	t.Bare, t.Brackets = t.Bare+next.Bare, t.Brackets+next.Brackets
	t.Units = t.Units || next.Units || t.Unit != "" && next.Unit != "" && t.Unit != next.Unit
	if t.Unit == "" {
		t.Unit = next.Unit
	}
	for k := range t.No {
		t.No[k], t.Marks[k] = t.No[k] || next.No[k], t.Marks[k] || next.Marks[k]
	}
	if t.Plain = t.Plain && next.Plain; t.Uncertain == nil {
		t.Uncertain = next.Uncertain
	}
}

// notation is how the amounts of a column are written.
type notation struct {
	known   bool // they all are amounts in it
	comma   bool // decimals stand behind commas
	guessed bool // what its marks are is not plain
}

// notation finds how a column with some values is written, of which t has the words. Where a mark may be of decimals or of thousands,
// as in 1,234, the other values of the column tell, then the numbers of the file, then other columns. Else it is of
// thousands, but in percents of decimals. What the file's numbers tell is a guess too, and none of a column that has decimals with their mark.
func (l *learner) notation(g *wordColumn, t *wordTally, present int) notation {
	a, numbers := &t.Amounts, g.all.Rows[withNumbers]
	if amounts := t.Of[Amount]; amounts == 0 || amounts != t.Rows || t.Rows+numbers != present || a.Units ||
		a.Unit == number.Percent && (a.Bare > 0 || numbers > 0) || a.Unit == "" && a.Brackets == present {
		return notation{}
	}
	own, other := 0, 1 // the notation of the file's numbers
	if l.origin.Decimal == ',' {
		own, other = other, own
	}
	digits := g.all.Code.Odd == 0 // the numbers have no marks, which would be of the file's notation
	n := notation{known: true, comma: own == 1}
	n.guessed = !a.No[own] && !a.No[other] && a.Uncertain != nil && (l.origin.Decimal == 0 || l.origin.Guessed)
	switch {
	case n.guessed && l.origin.Guessed && !digits:
		return notation{}
	case a.No[own] && (a.No[other] || !digits):
		return notation{}
	case a.No[own]:
		n.comma = other == 1
	case !n.guessed || l.origin.Guessed || !digits:
	case slices.ContainsFunc(l.used, func(g *wordColumn) bool { return g.some.Amounts.No == [2]bool{true, false} }):
		n.comma = true
	case a.Marks[0] && a.Marks[1]:
		return notation{}
	default:
		n.comma = a.Marks[1] == (a.Unit == number.Percent)
	}
	if n.comma && own == 0 && a.Plain {
		return notation{} // an option reads them as numbers
	}
	return n
}

// doubtNotation says what was taken for granted of a mark.
func (l *learner) doubtNotation(g *wordColumn, comma bool) {
	text, value := g.some.Amounts.Uncertain.Text, 0.0
	decimal, otherwise := '.', ","
	if comma {
		decimal, otherwise = ',', "."
	}
	if a, ok := number.ParseAmount(text); ok {
		value, _ = a.Value(decimal)
	}
	if l.origin.Guessed {
		l.remarks = append(l.remarks, Messagef("the column %q has %s read as %s, as decimals stand behind commas elsewhere; if they stand behind this point, write a comma", l.called(g.file), quote.Field([]byte(text)), number.Format(value)))
		return
	}
	l.remarks = append(l.remarks, Messagef("the column %q has %s read as %s; if the mark is another, give %s", l.called(g.file), quote.Field([]byte(text)), number.Format(value), Option{Name: "Decimal", Value: otherwise}))
}
