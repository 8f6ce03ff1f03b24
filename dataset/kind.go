package dataset

import (
	"maps"
	"math"
	"slices"
	"strings"
	"unicode"

	"lapsvm/dataset/internal/number"
	"lapsvm/dataset/internal/quote"
)

// doubt is a column of unclear kind: the problem in short, and the whole error for a table with one
// such column.
type doubt struct {
	file    int
	problem Message
	alone   error
}

// dropNothing makes the words for missing values in a column missing.
func (g *wordColumn) dropNothing() {
	var words []string
	var lines, uses []int
	place := make([]int32, len(g.words)+1) // 1 + the new place of 1 + an old one
	for w, text := range g.words {
		if !number.Nothing(text) {
			words, lines, uses = append(words, text), append(lines, g.lines[w]), append(uses, g.uses[w])
			place[w+1] = int32(len(words))
		}
	}
	for i, id := range g.ids {
		g.ids[i] = place[id]
	}
	g.words, g.lines, g.uses, g.index = words, lines, uses, nil
	g.some = g.others
}

// measured reports whether the present values of a column, of which so many are
// numbers and the others words, are all numbers, dates or booleans.
func measured(words *wordTally, numbers, present int) bool {
	if numbers > 0 {
		return numbers == present
	}
	order, _ := words.dateOrder()
	return order != noDates || words.booleans() == present && words.both()
}

// kind returns the kind of a column with some values in n rows of all ranks: the one asked for,
// else the common kind of its values, else for words the kind that their number suggests. It
// returns "" for a column with too many different values or of mixed kinds, and adds the column to
// l.doubts.
func (l *learner) kind(j, present, n int) (kind Kind, guessed bool, order DateOrder, err error) {
	g := l.used[j]
	numbers, of := g.all.Rows[withNumbers], &g.some
	switch {
	case g.asked != "":
		return g.asked, false, "", nil
	case numbers == present:
		return Number, false, "", nil
	case l.header != nil && g.name == textColumn:
		return Text, false, "", nil
	}
	column := []string{l.called(g.file)}
	category, ignore := Option{"Category", column}, Option{"Ignore", column}
	fail := func(word *wordAt, message string, args ...any) (Kind, bool, DateOrder, error) {
		problem := Messagef(message, args...)
		l.doubts = append(l.doubts, doubt{g.file, problem, l.fieldErrorf(word.At, g.file, "%s", problem)})
		return "", false, "", nil
	}
	first := quote.Field([]byte(of.First.Text))
	if numbers > 0 && of.Numeric == 0 && of.Dates == 0 {
		distinct, err := l.different(j)
		if err != nil {
			return "", false, "", err
		}
		if distinct <= fewValues && 2*distinct <= n {
			return Category, 2*numbers >= present, "", nil
		}
	}
	switch {
	case 2*(numbers+of.Numeric) >= present:
		_, err := number.Parse(of.First.Text)
		problem, alone := l.numberProblem(of.First.At, g.file, []byte(of.First.Text), err, Messagef("; if the column is a category, give %s", category))
		l.doubts = append(l.doubts, doubt{g.file, problem, alone})
		return "", false, "", nil
	case of.Dates == present:
		order, ambiguous := of.dateOrder()
		if order != noDates {
			return Date, false, order, nil
		}
		if ambiguous {
			return fail(of.First, "%s may be day/month/year or month/day/year, and no date of the column tells; write 2024-12-31, or give %s or %s", first, category, ignore)
		}
		return fail(of.First, "the column mixes orders of day, month and year, such as %s; write 2024-12-31 everywhere, or give %s or %s", first, category, ignore)
	case 2*of.Dates >= present && of.Strange == nil:
		return fail(of.First, "most of the column are dates such as %s, but there are numbers too; correct them, or give %s or %s", first, category, ignore)
	case 2*of.Dates >= present:
		return fail(of.Strange, "%s is no date such as 2024-12-31, but most of the column are; correct it, or give %s or %s", quote.Field([]byte(of.Strange.Text)), category, ignore)
	case of.booleans() == present && of.both():
		return Boolean, false, "", nil
	}
	distinct, err := l.different(j)
	switch {
	case err != nil:
		return "", false, "", err
	case distinct <= mostValues && 2*distinct <= n:
		return Category, false, "", nil
	case 2*of.Lists >= present:
		return fail(of.First, "%s is a list of numbers, but a field of a table holds one value; give every number a column, or write the lists as JSON lines under the key \"vector\", or as a column of lists in Parquet or Arrow; or give %s", first, ignore)
	case 2*of.Long >= present:
		return Text, true, "", nil
	}
	text, id := Option{"Text", column}, Option{"ID", column}
	l.doubts = append(l.doubts, doubt{g.file,
		Messagef("%d different values (%s, …), too many for a category (%s, %s, %s)", distinct, first, id, category, text),
		l.fieldErrorf(of.First.At, g.file, "too many different values for a category: %d (%s, …); a category has at most %d, and at most half as many as rows; if the column holds the labels, give %s, else %s, %s, %s or %s",
			distinct, first, mostValues, Option{"Label", column[0]}, ignore, id, category, text)})
	return "", false, "", nil
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

// isList reports whether a word is numbers in brackets, with commas, semicolons or blanks between.
func isList(text string) bool {
	inner, opens := strings.CutPrefix(text, "[")
	inner, closes := strings.CutSuffix(inner, "]")
	if !opens || !closes {
		return false
	}
	parts := strings.FieldsFunc(inner, func(r rune) bool { return r == ',' || r == ';' || unicode.IsSpace(r) })
	return len(parts) > 0 && !slices.ContainsFunc(parts, func(part string) bool { _, ok := number.Finite(part); return !ok })
}

// different returns the number of different words in column j of used, of all ranks, and of
// different numbers, of these no more than a category can have and one.
func (l *learner) different(j int) (int, error) {
	seen := make(map[float64]bool)
	for at := j; at < len(l.values) && len(seen) <= mostValuesAsked; at += len(l.used) {
		if v := l.values[at]; !math.IsNaN(v) {
			seen[v] = true
		}
	}
	all, err := All(l.origin.Ranks, slices.Collect(maps.Keys(seen)))
	if err != nil {
		return 0, err
	}
	for _, part := range all {
		for _, v := range part {
			seen[v] = true
		}
	}
	words, err := l.origin.Ranks.distinct(nil, l.used[j].words)
	return words + min(len(seen), mostValuesAsked+1), err
}
