package input

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"lapsvm"
	"lapsvm/app/answer"
	"lapsvm/app/command/cli"
	"lapsvm/dataset"
	"lapsvm/points"
)

// columnsShown is how many columns [ShowColumns] lists, in ten lines with those above and below them, and columnsNamed
// how many it lists where all are asked for. Of more it leaves out numbers without gaps first.
const columnsShown, columnsNamed = 8, 30

// ShowColumns writes to standard error how the columns of a table were interpreted, a few of them or all.
// It says nothing with --quiet, and where they are all plain numbers.
func ShowColumns(p *cli.Program, d *dataset.Dataset, r lapsvm.Recipe, output *cli.OutputFlags, all bool) {
	if d.Encoding == nil || output.Quiet {
		return
	}
	rows := [][2]string{{"column", "taken for"}}
	columns := d.Encoding.Columns
	most, where := columnsShown, "train -v"
	if all {
		most, where = columnsNamed, "info MODEL"
	}
	shown := make([]int, len(columns))
	for k := range shown {
		shown[k] = k
	}
	if len(columns) > most {
		slices.SortStableFunc(shown, func(a, b int) int { return cmp.Compare(telling(&columns[a]), telling(&columns[b])) })
		shown = shown[:most-1]
		slices.Sort(shown)
	}
	for _, k := range shown {
		rows = append(rows, [2]string{Printable(columns[k].Name), columns[k].String()})
	}
	if left := len(columns) - len(shown); left > 0 {
		rows = append(rows, [2]string{"…", cli.Count(left, "column", "columns") + " more; lapsvm " + where + " lists all"})
	}
	if _, what := answer.KindOf(r.Kind).Labels(len(d.Classes)); len(d.Classes) > 0 {
		rows = append(rows, [2]string{Printable(d.Label), "the labels, " + what})
	}
	width := 0
	for _, row := range rows { // a name of more letters does not push the others aside
		width = max(width, min(len([]rune(row[0])), 40))
	}
	for _, row := range rows {
		fmt.Fprintf(p.Errors(), "%-*s  %s\n", width, row[0], row[1])
	}
	if r.Standardise == points.AsIs && differ(d.Encoding) {
		fmt.Fprintln(p.Errors(), "the columns differ in scale by a factor of more than 10, so the largest decide the distances: consider --standardise auto")
	}
}

// telling is lower for columns that are to be looked at: those that are left out come before words, and those before numbers without gaps.
func telling(c *dataset.Column) int {
	switch {
	case c.Width() == 0 && !c.NamesRows():
		return 0
	case !c.Plain():
		return 1
	}
	return 2
}

// ShowNotes writes the assumptions and doubts of reading to standard error. It says
// nothing with --quiet.
func ShowNotes(p *cli.Program, d *dataset.Dataset) {
	if p.Quiet {
		return
	}
	for _, note := range d.Notes {
		line := note.Words(cli.FlagOf)
		if note.Doubtful {
			line = "warning: " + line
		}
		p.Progress.Done()
		fmt.Fprintln(p.Errors(), line)
	}
}

// ShowRowNotes is [ShowNotes] for rows to which a model is applied: labels count for nothing, but a column that is
// passed over as labels is told.
func ShowRowNotes(p *cli.Program, d *dataset.Dataset) {
	notes := slices.DeleteFunc(slices.Clone(d.Notes), func(n dataset.Note) bool { return n.OfLabels })
	if d.Guessed != "" {
		column := "the last column"
		if d.Label != "" {
			column = fmt.Sprintf("the column %q", d.Label)
		}
		notes = append(notes, dataset.Note{Message: dataset.Messagef("%s is taken for labels and passed over, as there is one column more than the model has features; if labels are elsewhere, give %s", column, dataset.Option{Name: "Label"})})
	}
	ShowNotes(p, &dataset.Dataset{Notes: notes})
}

// ShowLeftOut writes to standard error which columns of a table give no features, and why. It says nothing with --quiet.
func ShowLeftOut(p *cli.Program, d *dataset.Dataset) {
	if p.Quiet {
		return
	}
	var left []string
	for k := range d.Encoding.All() {
		if c := &d.Encoding.Columns[k]; c.Width() == 0 && !c.NamesRows() {
			left = append(left, fmt.Sprintf("%s (%s)", Printable(c.Name), strings.TrimPrefix(c.String(), "left out: ")))
		}
	}
	if left == nil {
		return
	}
	more := ""
	if n := len(left) - columnsShown; n > 0 {
		left, more = left[:columnsShown], fmt.Sprintf(" and %d more", n)
	}
	p.Progress.Done()
	fmt.Fprintln(p.Errors(), "left out: "+strings.Join(left, ", ")+more)
}

// ClassesShown is how many classes [ShowLabels] lists.
const ClassesShown = 12

// ShowLabels writes to standard error the name of the label column and the number of
// labels of each class. Where nobody named the column it also gives the reason for
// choosing it. It warns where the classes look like numbers or names. It says nothing
// with --quiet. Of a regression it writes the range of the numbers, of several classes at once how many rows have each.
func ShowLabels(p *cli.Program, d *dataset.Dataset, r lapsvm.Recipe, output *cli.OutputFlags) {
	if output.Quiet {
		return
	}
	if len(d.Classes) == 0 {
		fmt.Fprintln(p.Errors(), "labels: none; --label names their column")
		return
	}
	counts := make([]int, len(d.Classes))
	labelled := d.Labelled()
	for _, i := range labelled {
		counts[d.Y[i]]++
	}
	line := "labels"
	if _, err := strconv.Atoi(d.Label); err == nil {
		line = "labels in column " + d.Label
	} else if d.Label != "" && d.Label != "label" {
		line = "labels in " + Printable(d.Label)
	}
	if d.Guessed != "" {
		line += " (" + d.Guessed + ")"
	}
	switch of := answer.KindOf(r.Kind); {
	case !of.Classes():
		fmt.Fprintf(p.Errors(), "%s: %s\n", line, rangeOf(d, labelled))
		return
	case !of.Single():
		fmt.Fprintf(p.Errors(), "%s: %s\n", line, answersOf(d, labelled, r.Kind.Separator))
		return
	}
	separator, numbers := ": ", true
	for c, name := range d.Classes {
		if c < ClassesShown {
			line += fmt.Sprintf("%s%d of %s", separator, counts[c], Printable(name))
			separator = ", "
		}
		_, err := strconv.ParseFloat(name, 64)
		numbers = numbers && err == nil
	}
	if more := len(d.Classes) - ClassesShown; more > 0 {
		line += ", … " + cli.Count(more, "class", "classes") + " more"
	}
	if none := len(d.Y) - len(labelled); none > 0 {
		line += fmt.Sprintf("; %d without", none)
	}
	fmt.Fprintln(p.Errors(), line)
	const many = 20
	if len(d.Classes) >= many && (numbers || 2*len(d.Classes) > len(labelled)) && 4*len(d.Classes) > len(labelled) {
		advice := "a name is no class; choose another column with --label"
		if numbers {
			advice = "for numbers give --regression, for other labels another column with --label"
		}
		fmt.Fprintf(p.Errors(), "warning: %d classes of %d labels: %s\n", len(d.Classes), len(labelled), advice)
	}
	if c := onlyNumber(d.Classes, counts); c >= 0 {
		row := slices.Index(d.Y, c)
		fmt.Fprintf(p.Errors(), "warning: the label %s of row %d is the only number among the labels, and is a class: mend it, or leave it empty, if it is a slip\n", Printable(d.Classes[c]), row+1)
	}
	if name, sign := listed(d.Classes); name != "" {
		fmt.Fprintf(p.Errors(), "warning: the class %s is taken as one, and seems to list several; for several classes at once give --multi-label %s\n", Printable(name), cli.Quoted(sign))
	}
}

// onlyNumber returns the class that is called by a number and has one label, where all others are called by words and some have more labels; else −1.
func onlyNumber(classes []string, counts []int) int {
	only := -1
	for c, name := range classes {
		if _, err := strconv.ParseFloat(name, 64); err == nil {
			if only >= 0 || counts[c] != 1 {
				return -1
			}
			only = c
		}
	}
	if slices.Max(counts) < 2 {
		return -1
	}
	return only
}

// rangeOf describes the numbers that labels are.
func rangeOf(d *dataset.Dataset, labelled []int) string {
	text := fmt.Sprintf("%s from %s to %s", cli.Count(len(labelled), "number", "numbers"), Brief(d.Classes[0]), Brief(d.Classes[len(d.Classes)-1]))
	if none := len(d.Y) - len(labelled); none > 0 {
		text += fmt.Sprintf("; %d rows without", none)
	}
	return text
}

// Brief returns a number as it is spelt. A long one has six digits.
func Brief(number string) string {
	const many = 12
	if v, err := strconv.ParseFloat(number, 64); err == nil && len(number) > many {
		return fmt.Sprintf("%.6g", v)
	}
	return number
}

// listed returns a class that seems to be several, with the sign between them: a part of it is a class too.
func listed(classes []string) (name, sign string) {
	known := make(map[string]bool, len(classes))
	for _, name := range classes {
		known[name] = true
	}
	for _, sign := range []string{";", "|", ","} {
		for _, name := range classes {
			for part := range strings.SplitSeq(name, sign) {
				if part = strings.TrimSpace(part); part != name && known[part] {
					return name, sign
				}
			}
		}
	}
	return "", ""
}

// answersOf says how many of the labelled rows have each class, and of how many that is not known.
func answersOf(d *dataset.Dataset, labelled []int, separator string) string {
	lists := make([]string, len(labelled))
	for k, i := range labelled {
		lists[k] = d.Classes[d.Y[i]]
	}
	several, err := dataset.SeveralOf(lists, separator)
	if err != nil {
		return cli.Count(len(lists), "list", "lists") // the training says what is wrong with them
	}
	var parts []string
	lacks := make([]int, len(lists)) // classes that each row is known to lack
	for c, name := range several.Classes {
		has, unknown := 0, 0
		for k, answer := range several.Answers[c] {
			switch {
			case answer > 0:
				has++
			case answer < 0:
				lacks[k]++
			default:
				unknown++
			}
		}
		if c >= ClassesShown {
			continue // their rows without a class count too
		}
		part := fmt.Sprintf("%d with %s", has, Printable(name))
		if unknown > 0 {
			part += fmt.Sprintf(" (%d not known)", unknown)
		}
		parts = append(parts, part)
	}
	if more := len(several.Classes) - ClassesShown; more > 0 {
		parts = append(parts, "… "+cli.Count(more, "class", "classes")+" more")
	}
	none := 0
	for _, n := range lacks {
		if n == len(several.Classes) {
			none++
		}
	}
	if none > 0 {
		parts = append(parts, fmt.Sprintf("%d with none", none))
	}
	text := strings.Join(parts, ", ")
	if without := len(d.Y) - len(labelled); without > 0 {
		text += fmt.Sprintf("; %d without a label", without)
	}
	return text
}

// ShowOtherLabels is [ShowLabels] for a column of another name than label.
func ShowOtherLabels(p *cli.Program, d *dataset.Dataset, r lapsvm.Recipe, output *cli.OutputFlags) {
	if d.Guessed != "" || d.Label != "" && d.Label != "label" {
		ShowLabels(p, d, r, output)
	}
}

// WarnUnseen warns of values that the training did not have, once for each column.
func WarnUnseen(p *cli.Program, d *dataset.Dataset, output *cli.OutputFlags) {
	for _, u := range d.Unseen {
		p.Warnings(output).Warn("values that the training did not have are taken as missing",
			"column", Printable(u.Column), "in", fmt.Sprintf("%d of %s", u.Rows, cli.Count(d.OfAll(), "row", "rows")), "such as", fmt.Sprintf("%.60q", u.Value))
	}
}

// Printable returns a name, in quotes where it would not show as one.
func Printable(name string) string {
	if name == "" || strings.ContainsFunc(name, func(r rune) bool { return !unicode.IsPrint(r) }) {
		return strconv.Quote(name)
	}
	return name
}

// differ reports whether the ranges of dense columns differ by a factor of more
// than 10. Beside text they are scaled already.
func differ(e *dataset.Encoding) bool {
	small, large := math.Inf(1), 0.0
	for k := range e.Columns {
		c := &e.Columns[k]
		if c.Width() == 0 {
			continue
		}
		low, high := c.Range()
		small, large = min(small, high-low), max(large, high-low)
	}
	return !e.HasText() && large > 10*small
}
