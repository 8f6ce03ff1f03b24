package dataset

import (
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// ID is the kind of a column that names the rows. It gives no feature; its text is in Dataset.Kept.
const ID Kind = "id"

func idKind() kindRules {
	return kindRules{
		kind: ID, option: "ID", names: true,
		asked:    func(o *TableOptions) []string { return o.ID },
		find:     findNames,
		describe: func(*Column) string { return leftOut + "it names the row" },
	}
}

// Dropped is the kind of a column that is left out.
const Dropped Kind = "dropped"

func droppedKind() kindRules {
	return kindRules{
		kind: Dropped, option: "Ignore", unread: true,
		asked:    func(o *TableOptions) []string { return o.Ignore },
		describe: func(c *Column) string { return leftOut + c.Reason },
	}
}

// furtherLabelsKind leaves the columns of further labels out.
func furtherLabelsKind() kindRules {
	return kindRules{
		kind: Dropped, option: "Label",
		asked: func(o *TableOptions) []string { return o.FurtherLabels },
	}
}

// leftOut begins the description of a column without features.
const leftOut = "left out: "

// drop leaves a column out.
func (c *Column) drop(reason string) {
	*c = Column{Name: c.Name, Kind: Dropped, Reason: reason, Missing: c.Missing}
}

// findNames marks the columns that name the n rows, keeps their text and notes it: they
// say nothing of later rows, and numbers of rows often follow their order by class.
func findNames(l *learner, n int, d *Dataset) error {
	if l.strict || !l.mayName() || n < codeRows || len(l.used) < 2 {
		return nil
	}
	for j, g := range l.used {
		if g.asked != "" || g.found != "" || l.header != nil && g.name == textColumn {
			continue
		}
		names, err := l.names(j, n)
		if err != nil {
			return err
		}
		if !names {
			continue
		}
		g.found = ID
		called := []string{l.called(g.file)}
		if g.all.Distinct == 0 {
			d.note("the column %q names the rows, and is left out; if it is a feature, name all features with %s", called[0], Option{Name: "Columns"})
		} else {
			d.note("the column %q names the rows, and is left out; give %s or %s if it is a feature", called[0], Option{Name: "Category", Value: called}, Option{Name: "Text", Value: called})
		}
		if err := l.keepNames(j, d); err != nil {
			return err
		}
	}
	return nil
}

// mayFindNames reports whether a column is called like one that names rows, so that all of its
// values are to be seen.
func (l *Layout) mayFindNames() bool {
	return l.mayName() && slices.ContainsFunc(l.Names, func(name string) bool { return l.namesRows(name) != noName })
}

// namesRows says how clearly a column is called like one that names rows.
func (l *Layout) namesRows(name string) int {
	if l.header == nil {
		return noName
	}
	return namesRows(name)
}

// mayName reports whether columns may be left out as names of rows, without being asked for.
func (l *Layout) mayName() bool { return !l.options.AllFeatures && len(l.options.Columns) == 0 }

// names reports whether column j of used names the n rows of all ranks. So it does if it has
// about as many different words as there are rows, without blanks. Of a column that is called
// like one that names rows each row may have another word of any kind, or whole number. Where it
// is called so less plainly the numbers count up.
func (l *learner) names(j, n int) (bool, error) {
	g := l.used[j]
	words, numbers := g.all.Rows[withWords], g.all.Rows[withNumbers]
	called := l.namesRows(g.name)
	if numbers == 0 {
		return l.wordsName(g, n, called)
	}
	if called == noName || called != plainName && words > 0 && words < n || g.all.Code.Odd > 0 || g.all.Distinct != words || words+numbers < n {
		return false, nil
	}
	if called == doubtfulName && words < n && g.all.Span.High-g.all.Span.Low+1 != float64(n) {
		return false, nil
	}
	return l.allDiffer(j, n)
}

// allDiffer reports whether column j of used has another value in each of the n rows of all ranks.
func (l *learner) allDiffer(j, n int) (bool, error) {
	g := l.used[j]
	if err := l.origin.Take(8*l.rows, "the different values of a column"); err != nil {
		return false, err
	}
	defer l.origin.Give(8 * l.rows)
	present := make([]float64, 0, g.span.Present)
	for at := j; at < len(l.values); at += len(l.used) {
		if v := l.values[at]; !math.IsNaN(v) {
			present = append(present, v)
		}
	}
	different, err := l.origin.Ranks.distinct(present, g.words)
	return err == nil && different == n, err
}

// wordsName is names for a column of words and gaps alone.
func (l *learner) wordsName(g *wordColumn, n, called int) (bool, error) {
	if !aboutAsMany(g.all.Distinct, n) {
		return false, nil
	}
	different, err := l.origin.Ranks.distinct(nil, g.words)
	switch {
	case err != nil || !aboutAsMany(different, n):
		return false, err
	case different == n && called != noName:
		return true, nil
	}
	return l.likeNames(g)
}

// likeNames reports whether the words of a column, of all ranks, are like names.
func (l *learner) likeNames(g *wordColumn) (bool, error) {
	strange, by := 0, counting() // ranks that have a word which is no name
	if slices.ContainsFunc(g.words, func(s string) bool {
		return strings.ContainsFunc(s, unicode.IsSpace) || slices.ContainsFunc(by, func(r kindRules) bool { return r.counts(s) })
	}) {
		strange = 1
	}
	err := l.origin.Ranks.sum(&strange)
	return strange == 0, err
}

// How plainly a column is called like one that names rows.
const (
	noName       = iota
	doubtfulName // it may be a measurement as well
	plainName
)

// namesRows says how clearly the name of a column is that of names of rows. Clear names are id,
// uuid, guid and names that end in the word id. Doubtful names are index, row, nr, no, # and the
// empty name, for which the values must confirm it.
func namesRows(name string) int {
	lower := strings.ToLower(name)
	switch lower {
	case "id", "uuid", "guid":
		return plainName
	case "", "index", "row", "rows", "nr", "no", "#", "number", "unnamed: 0":
		return doubtfulName
	}
	for _, end := range []string{"_id", " id", "-id", "_uuid", "_guid"} {
		if strings.HasSuffix(lower, end) {
			return plainName
		}
	}
	for _, end := range []string{"Id", "ID"} { // of customerID, but not of PAID
		if before, ends := strings.CutSuffix(name, end); ends {
			if last, _ := utf8.DecodeLastRuneInString(before); unicode.IsLower(last) {
				return plainName
			}
		}
	}
	return noName
}

// keepNames keeps the text of column j of used, unless it is kept already.
func (l *learner) keepNames(j int, d *Dataset) error {
	g := l.used[j]
	if slices.Contains(l.Kept, g.file) {
		return nil
	}
	if d.Kept.None() {
		d.Kept.Rows = make([][]string, l.rows)
	}
	l.Kept = append(l.Kept, g.file)
	d.Kept.Names = append(d.Kept.Names, l.name(g.file, g.file+1))
	for i := range l.rows {
		text := l.cell(i, j).spelling()
		const header = 3 * 16 // bytes of a string and of a row of one beside the text
		if err := l.origin.Take(header+len(text), "the text of the columns to keep"); err != nil {
			return err
		}
		d.Kept.Rows[i] = append(d.Kept.Rows[i], text)
	}
	return nil
}
