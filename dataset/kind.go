package dataset

import (
	"math"
	"slices"
	"strings"

	"lapsvm/dataset/internal/number"
	"lapsvm/dataset/internal/quote"
)

// doubt is a column whose kind cannot be told: what is wrong with it, and the whole
// error where it is the only one.
type doubt struct {
	file    int
	problem Message
	alone   error
}

// without returns a column without its words for nothing.
func (l *learner) without(g *wordColumn) *wordColumn {
	o := *g
	o.words, o.lines, o.index = nil, nil, nil
	place := make([]int32, len(g.words)+1) // 1 + the new place of 1 + an old one
	for w, text := range g.words {
		if !number.Nothing(text) {
			o.words, o.lines = append(o.words, text), append(o.lines, g.lines[w])
			place[w+1] = int32(len(o.words))
		}
	}
	o.ids = make([]int32, len(g.ids))
	for i, id := range g.ids {
		o.ids[i] = place[id]
	}
	return &o
}

// measured reports whether the present values of a column, of which so many are
// numbers, are all numbers, dates or booleans.
func measured(g *wordColumn, numbers, present int, uses []int) bool {
	if numbers > 0 {
		return numbers == present
	}
	of, _ := countWords(g, uses)
	order, _ := dateOrder(g.words)
	return order != noDates || of.booleans == present && of.values[0] > 0 && of.values[1] > 0
}

// wordCount counts the rows of a column by what their words are.
type wordCount struct {
	numeric, dates, booleans, long int
	values                         [2]int // rows of no and of yes
}

// countWords counts the words of a column, whose rows are uses, and returns the first
// that is no date of any order, −1 where all are.
func countWords(g *wordColumn, uses []int) (n wordCount, strange int) {
	strange = -1
	for w, text := range g.words {
		if almostNumber(text) {
			n.numeric += uses[w]
		}
		if looksLikeDate(text) {
			n.dates += uses[w]
		} else if strange < 0 {
			strange = w
		}
		if v, ok := boolean(text); ok {
			n.booleans += uses[w]
			n.values[int(v)] += uses[w]
		}
		if len(strings.Fields(text)) >= wordsOfText {
			n.long += uses[w]
		}
	}
	return n, strange
}

// kind decides what a column with some values in n rows is: what was asked for,
// else what all of its values are, and of words what their number tells; "" where
// that is too large, or where a column is partly one and partly another thing, which
// l.doubts remembers.
func (l *learner) kind(g *wordColumn, numbers, present, n int, uses []int) (kind Kind, guessed bool, order DateOrder) {
	switch {
	case g.asked != "":
		return g.asked, false, ""
	case numbers == present:
		return Number, false, ""
	case l.header != nil && g.name == textColumn:
		return Text, false, ""
	}
	of, strange := countWords(g, uses)
	column := []string{l.called(g.file)}
	category, ignore := Option{"Category", column}, Option{"Ignore", column}
	fail := func(word int, message string, args ...any) (Kind, bool, DateOrder) {
		problem := Messagef(message, args...)
		l.doubts = append(l.doubts, doubt{g.file, problem, l.fieldErrorf(g.lines[word], g.file, "%s", problem)})
		return "", false, ""
	}
	distinct := len(g.words) + l.distinctNumbers(g)
	switch {
	case 2*(numbers+of.numeric) >= present:
		_, err := number.Parse(g.words[0])
		problem, alone := l.numberProblem(g.lines[0], g.file, []byte(g.words[0]), err, Messagef("; if the column is a category, give %s", category))
		l.doubts = append(l.doubts, doubt{g.file, Messagef("%s (%s)", problem, category), alone})
		return "", false, ""
	case of.dates == present:
		order, ambiguous := dateOrder(g.words)
		if order != noDates {
			return Date, false, order
		}
		if ambiguous {
			return fail(0, "%s may be day/month/year or month/day/year, and no date of the column tells; write 2024-12-31, or give %s or %s", quote.Field([]byte(g.words[0])), category, ignore)
		}
		return fail(0, "the column mixes orders of day, month and year, such as %s; write 2024-12-31 everywhere, or give %s or %s", quote.Field([]byte(g.words[0])), category, ignore)
	case 2*of.dates >= present && strange < 0:
		return fail(0, "most of the column are dates such as %s, but there are numbers too; correct them, or give %s or %s", quote.Field([]byte(g.words[0])), category, ignore)
	case 2*of.dates >= present:
		return fail(strange, "%s is no date such as 2024-12-31, but most of the column are; correct it, or give %s or %s", quote.Field([]byte(g.words[strange])), category, ignore)
	case of.booleans == present && of.values[0] > 0 && of.values[1] > 0:
		return Boolean, false, ""
	case distinct <= mostValues && 2*distinct <= n:
		return Category, false, ""
	case 2*of.long >= present:
		return Text, true, ""
	}
	first := quote.Field([]byte(g.words[0]))
	text, id := Option{"Text", column}, Option{"ID", column}
	l.doubts = append(l.doubts, doubt{g.file,
		Messagef("%d different values (%s, …), too many for a category (%s, %s, %s)", distinct, first, id, category, text),
		l.fieldErrorf(g.lines[0], g.file, "too many different values for a category: %d (%s, …), where at most %d, and at most half as many as rows, are taken for one; if the column holds the labels, give %s, else %s, %s, %s or %s",
			distinct, first, mostValues, Option{"Label", column[0]}, ignore, id, category, text)})
	return "", false, ""
}

// doubtful asks what the doubtful columns are, all of them at once.
func (l *learner) doubtful() error {
	if len(l.doubts) == 1 {
		return l.doubts[0].alone
	}
	var called []string
	for _, d := range l.doubts {
		called = append(called, l.called(d.file))
	}
	format, args := "%d columns cannot be taken as they are; %s leaves them all out, or say for each what it is:", []any{len(l.doubts), Option{"Ignore", called}}
	for _, d := range l.doubts {
		format += "\n  %q: %s"
		args = append(args, l.called(d.file), d.problem)
	}
	return l.origin.Errorf(0, 0, format, args...)
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
	return len(parts) > 0
}

// distinctNumbers returns the number of different numbers in a column, or more
// than a category can have.
func (l *learner) distinctNumbers(g *wordColumn) int {
	seen := make(map[float64]bool)
	for at := slices.Index(l.used, g); at < len(l.values) && len(seen) <= mostValuesAsked; at += len(l.used) {
		if v := l.values[at]; !math.IsNaN(v) {
			seen[v] = true
		}
	}
	return len(seen)
}
