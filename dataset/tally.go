package dataset

import (
	"cmp"
	"strings"

	"lapsvm/dataset/internal/number"
)

// tally is what is decided by of a column: of the rows of a rank, or joined in the order of the
// ranks, of all rows.
type tally struct {
	Rows     [4]int // with numbers, with words, with lists, with none of these
	Distinct int    // different words; for several ranks an upper bound, the sum over the ranks
	Code     codeShape
	Span     span

	Narrow, Wide int     // numbers in the shortest list and in the longest; 0 without lists
	Wrong        *wordAt // the first problem of a column of lists; nil for none
}

// What the rows of a tally are.
const (
	withNumbers = iota
	withWords
	withLists
	withNothing
)

func (t *tally) join(next tally) {
	for k, n := range next.Rows {
		t.Rows[k] += n
	}
	t.Distinct += next.Distinct
	t.Code.join(next.Code)
	t.Span.join(next.Span)
	t.Wrong = cmp.Or(t.Wrong, next.Wrong)
	if next.Wide > 0 {
		t.Narrow, t.Wide = min(cmp.Or(t.Narrow, next.Narrow), next.Narrow), max(t.Wide, next.Wide)
	}
}

// tally learns, from the rows of all ranks, what is decided by of all columns, and whether the
// table needs an encoding.
func (l *learner) tally() error {
	type rankTally struct {
		Typed   bool
		Columns []tally
	}
	own := rankTally{l.typed, make([]tally, len(l.used))}
	for j, g := range l.used {
		g.uses = make([]int, len(g.words))
		words := 0
		for _, id := range g.ids {
			if id > 0 {
				g.uses[id-1]++
				words++
			}
		}
		lists, width := 0, 0
		if g.vectors != nil {
			lists, width = g.vectors.present, g.vectors.width
		}
		own.Columns[j] = tally{[4]int{g.span.Present, words, lists, l.rows - g.span.Present - words - lists}, len(g.words), g.code, g.span, width, width, g.wrong}
	}
	all, err := All(l.origin.Ranks, own)
	for _, part := range all {
		l.typed = l.typed || part.Typed
		for j, t := range part.Columns {
			l.used[j].all.join(t)
		}
	}
	return err
}

// wordTally is what is decided by of the words of a column, likewise.
type wordTally struct {
	Rows           int          // that have a word
	Of             map[Kind]int // rows with words of a kind, of those that count them
	Long, True     int          // rows with so many words, and with yes or true
	NoDate         [4]bool
	NoPoint        bool
	Amounts        amountTally
	First, Strange *wordAt // the first word, and the first that is no date of any order
}

// wordAt is a word, and the field where it is first.
type wordAt struct {
	Text string
	At   site
}

// add takes a word that so many rows have, which these kinds count.
func (t *wordTally) add(text string, rows int, at func() site, by []kindRules) {
	t.Rows += rows
	if t.First == nil {
		t.First = &wordAt{text, at()}
	}
	for _, r := range by {
		if r.counts(text) {
			t.count(r.kind, rows)
		}
	}
	for k, o := range dateOrders {
		_, ok := o.date(text)
		t.NoDate[k] = t.NoDate[k] || !ok
	}
	if t.Strange == nil && !looksLikeDate(text) {
		t.Strange = &wordAt{text, at()}
	}
	t.NoPoint = t.NoPoint || !strings.Contains(text, ".")
	if v, _ := boolean(text); v == 1 {
		t.True += rows
	}
	t.Amounts.add(text, rows, at)
	if len(strings.Fields(text)) >= wordsOfText {
		t.Long += rows
	}
}

func (t *wordTally) join(next wordTally) {
	t.Rows, t.Long, t.True = t.Rows+next.Rows, t.Long+next.Long, t.True+next.True
	t.Amounts.join(next.Amounts)
	for kind, rows := range next.Of {
		t.count(kind, rows)
	}
	for k, not := range next.NoDate {
		t.NoDate[k] = t.NoDate[k] || not
	}
	t.NoPoint = t.NoPoint || next.NoPoint
	if t.First == nil {
		t.First = next.First
	}
	if t.Strange == nil {
		t.Strange = next.Strange
	}
}

func (t *wordTally) count(kind Kind, rows int) {
	if t.Of == nil {
		t.Of = make(map[Kind]int)
	}
	t.Of[kind] += rows
}

// all reports whether all values that are present are words of a kind.
func (t *wordTally) all(kind Kind, present int) bool {
	return t.Of[kind] > 0 && t.Of[kind] == t.Rows && t.Rows == present
}

// wordTallies are those of all words of a column, and of those that are not for nothing.
type wordTallies struct{ Some, Others wordTally }

// tallyWords learns from the rows of all ranks what the words of the columns are whose kind they
// decide.
func (l *learner) tallyWords() error {
	var columns []*wordColumn
	for _, g := range l.used {
		if g.asked == "" && g.found == "" && g.all.Distinct > 0 {
			columns = append(columns, g)
		}
	}
	own, by := make([]wordTallies, len(columns)), counting()
	for k, g := range columns {
		for w, text := range g.words {
			at := func() site { return l.site(g.lines[w], g.file) }
			own[k].Some.add(text, g.uses[w], at, by)
			if !number.Nothing(text) {
				own[k].Others.add(text, g.uses[w], at, by)
			}
		}
	}
	all, err := All(l.origin.Ranks, own)
	for _, part := range all {
		for k, t := range part {
			columns[k].some.join(t.Some)
			columns[k].others.join(t.Others)
		}
	}
	return err
}
