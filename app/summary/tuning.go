package summary

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"lapsvm"
	"lapsvm/app/answer"
	"lapsvm/app/report"
	"lapsvm/dataset"
	"lapsvm/internal/machines/selection"
	"lapsvm/internal/system/size"
)

// Tuning is the input of the page of a grid of weights.
type Tuning struct {
	Source    string // what was read, such as the file's name
	Command   string // that trains with the recommended weights
	Data      *dataset.Dataset
	Tuning    *lapsvm.Tuning
	Seconds   float64
	PeakBytes int64 // 0 where it is not known
}

// The marks of cells.
const (
	recommendedCell = "chosen"
	bestCell        = "best"
	closeCell       = "close"
)

// Page makes the page.
func (t Tuning) Page() report.Page {
	of := answer.KindOf(t.Tuning.Recipe.Kind).Tuned(t.Tuning.Recipe)
	verdict := t.Tuning.Verdict
	if len(t.Data.Labelled()) == len(t.Data.Y) {
		verdict = ""
	}
	told := Told(t.Tuning.Recipe.Kind, t.Tuning.Expected, t.Tuning.Numbers, verdict, t.Tuning.Labels)
	best, recommended := t.Tuning.Cells[t.Tuning.Best], t.Tuning.Cells[t.Tuning.Recommended]
	page := report.Page{Title: "Weights tried on " + plainName(t.Source),
		Lead: fmt.Sprintf("Recommended are %s: the smoothest of the pairs that %s cannot tell from the best one. %s", weights(recommended), count(t.Tuning.Labels, "held-out label", "held-out labels"), sentence(strings.Join(told, " "))),
		Facts: []report.Fact{
			{Name: "Recommended", Value: weights(recommended)},
			{Name: "Its " + of.What, Value: t.errorOf(recommended)},
			{Name: "Of the smallest " + of.Criterion + ", " + weights(best), Value: t.errorOf(best)},
			{Name: "Of a supervised " + of.Machine + " tuned in the same way", Value: t.errorOf(t.Tuning.Supervised)},
			{Name: "Held-out labels", Value: whole(t.Tuning.Labels) + ", by " + t.Tuning.HeldOut},
			{Name: "Rows, features", Value: whole(len(t.Data.Y)) + ", " + whole(t.Data.Points.Dim())},
			{Name: "Time, most memory", Value: seconds(t.Seconds) + " s, " + size.Text(t.PeakBytes)},
		}}
	grid := Grid(t.Tuning)
	page.Glance = []report.Figure{
		grid.Draw(report.Figure{Name: "grid", Title: "The " + of.What + " of each pair", Caption: "Faint cells are small errors. Frames are around the recommended pair (chosen) and the best one, of the smallest " + of.Criterion + ". Close are those within a standard error of it."}, recommendedCell, bestCell),
		t.path(of)}
	page.Sections = []report.Section{{Title: "What to do next", Text: t.next()},
		{Title: "To train with the recommended weights", Code: t.Command},
		{Title: "The pairs", Tables: []report.Table{t.table(of)}}}
	return page
}

// sentence is text that begins with a capital.
func sentence(text string) string {
	first, size := utf8.DecodeRuneInString(text)
	return string(unicode.ToUpper(first)) + text[size:]
}

// weights names a pair of them.
func weights(c selection.TunedCell) string {
	return fmt.Sprintf("gamma-a %g and gamma-i %g", c.GammaA, c.GammaI)
}

// errorOf writes the error of a cell beside its standard error.
func (t Tuning) errorOf(c selection.TunedCell) string {
	return fmt.Sprintf("%.4g ± %.2g", c.Error, c.StandardError)
}

// path is the errors along gamma-i, with the recommended gamma-a.
func (t Tuning) path(of answer.Tuned) report.Figure {
	all, recommended := t.Tuning.Cells, t.Tuning.Cells[t.Tuning.Recommended]
	var b report.Bars
	add := func(name, words string, c selection.TunedCell) {
		b.Bars = append(b.Bars, report.Bar{Name: name, Value: c.Error, Error: c.StandardError, Beside: t.Tuning.Supervised.Error, Text: t.errorOf(c), Words: words, Group: report.Others})
	}
	for k, c := range all {
		if c.GammaA == recommended.GammaA {
			add(fmt.Sprintf("gamma-i %g", c.GammaI), strings.TrimPrefix(markOf(t.Tuning, k)+fmt.Sprintf(", %s degrees of freedom", number(c.Freedom)), ", "), c)
		}
	}
	return b.Draw(report.Figure{Name: "path", Title: fmt.Sprintf("Along gamma-i, with gamma-a %g", recommended.GammaA),
		Caption: fmt.Sprintf("The %s of held-out labels. The line below a bar is a standard error to either side, and the mark across it the supervised %s.", of.What, of.Machine)})
}

// next says what to do with the result.
func (t Tuning) next() []string {
	a, i := Axes(t.Tuning)
	list := []string{"Train with the recommended weights by the command below. What error to expect of new points is said above: these labels have chosen among the pairs, so the errors of single pairs are too small.",
		"All pairs have one kernel and one graph. lapsvm train compares these too, and may take the mean of several views."}
	c := t.Tuning.Cells[t.Tuning.Recommended]
	if atEnd(a, c.GammaA) || atEnd(i, c.GammaI) {
		list = append(list, "The recommended pair is at the edge of the grid. More values beyond it, in --grid-a or --grid-i, tell whether the error falls on.")
	}
	near := 0
	for _, c := range t.Tuning.Cells {
		if c.Close {
			near++
		}
	}
	if 2*near > len(t.Tuning.Cells) {
		list = append(list, fmt.Sprintf("%s of %s cannot be told from the best: either these weights do not matter, or more labels are needed.", whole(near), count(len(t.Tuning.Cells), "pair", "pairs")))
	}
	return list
}

// atEnd reports whether a value is the least or the greatest of several.
func atEnd(values []float64, v float64) bool {
	less, more := false, false
	for _, w := range values {
		less, more = less || w < v, more || w > v
	}
	return len(values) > 1 && less != more
}

// table lists all pairs and the supervised machine.
func (t Tuning) table(of answer.Tuned) report.Table {
	table := report.Table{Name: "pairs", Title: "Pairs of weights", Header: []string{"γA", "γI", of.What, "standard error", of.Criterion, "degrees of freedom", "said"},
		Note: fmt.Sprintf("The last row is the supervised %s, without unlabelled points. Few degrees of freedom are smooth.", of.Machine)}
	row := func(c selection.TunedCell, said string, mark report.Mark) {
		cells := cells(number(c.GammaA), number(c.GammaI), number(c.Error), number(c.StandardError), number(c.Loss), number(c.Freedom), said)
		cells[4].Mark = mark
		table.Rows = append(table.Rows, cells)
	}
	for k, c := range t.Tuning.Cells {
		mark := report.Plain
		if k == t.Tuning.Best {
			mark = report.Best
		}
		row(c, markOf(t.Tuning, k), mark)
	}
	row(t.Tuning.Supervised, "supervised", report.Plain)
	return table
}

// markOf names what is special about a cell, "" for nothing.
func markOf(t *lapsvm.Tuning, k int) string {
	switch {
	case k == t.Recommended:
		return recommendedCell
	case k == t.Best:
		return bestCell
	case t.Cells[k].Close:
		return closeCell
	}
	return ""
}

// Axes returns the values of the grid in their order.
func Axes(t *lapsvm.Tuning) (a, i []float64) {
	for _, c := range t.Cells {
		if len(a) == 0 || a[len(a)-1] != c.GammaA {
			a = append(a, c.GammaA)
		}
		if len(a) == 1 {
			i = append(i, c.GammaI)
		}
	}
	return a, i
}

// Grid returns the errors of all pairs as a map.
func Grid(t *lapsvm.Tuning) report.HeatMap {
	a, i := Axes(t)
	h := report.HeatMap{Title: fmt.Sprintf(answer.KindOf(t.Recipe.Kind).Tuned(t.Recipe).Title, t.Labels), XTitle: "gamma-i", YTitle: "gamma-a", Marks: make(map[[2]int]string)}
	for _, v := range i {
		h.X = append(h.X, number(v))
	}
	for r, v := range a {
		h.Y = append(h.Y, number(v))
		var row []float64
		for c := range i {
			k := r*len(i) + c
			row = append(row, t.Cells[k].Error)
			if mark := markOf(t, k); mark != "" {
				h.Marks[[2]int{r, c}] = mark
			}
		}
		h.Z = append(h.Z, row)
	}
	return h
}
