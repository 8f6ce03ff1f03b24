package use

import (
	"fmt"
	"io"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"lapsvm"
	"lapsvm/app/command/input"
	"lapsvm/app/report"
	"lapsvm/dataset"
	"lapsvm/internal/machines/drift"
)

// Limits of a page on drift.
const (
	driftBars  = 20
	driftFirst = 6  // columns that are looked at first
	driftMost  = 60 // that have a histogram
)

// isPage reports whether a file is to be a page.
func isPage(path string) bool {
	ext := strings.ToLower(filepath.Ext(path))
	return ext == ".html" || ext == ".htm"
}

// writeDriftPage writes the differences as a page: histograms of columns, then and now, those that drifted first. r is nil where nothing is known.
func writeDriftPage(w io.Writer, source string, m *lapsvm.Model, d *dataset.Dataset, r *drift.Report) error {
	page := report.Page{Title: "Drift of " + input.Printable(source), Lead: "Nothing is known about drift: the model is of an older program. Train it again with this lapsvm."}
	if r != nil {
		said := driftWords(m, r)
		page.Lead = "The data are like those that the model was trained on, as far as chance lets tell."
		if said != nil {
			page.Lead = "The data are unlike those that the model was trained on: " + strings.Join(said, "; ") + "."
		}
		page.Facts = []report.Fact{{Name: "Rows, training rows", Value: fmt.Sprintf("%d, %d", r.Points, r.Training)}}
		if drifted, all := driftCount(m, r); all > 0 {
			page.Facts = append(page.Facts, report.Fact{Name: "Columns that drifted", Value: fmt.Sprintf("%d of %d", drifted, all)})
		}
		if r.Rows != nil {
			page.Facts = append(page.Facts, report.Fact{Name: "Rows far from the training", Value: fmt.Sprintf("%d", r.Rows.Far)})
		}
		page.Glance = driftPictures(m, r)
		page.Sections = driftTables(m, d, r)
	}
	return page.WriteHTML(w)
}

// driftCount returns how many columns drifted, by their values, missing ones or new ones, and how many are known.
func driftCount(m *lapsvm.Model, r *drift.Report) (drifted, all int) {
	if e := m.Encoding(); e.Learnt() {
		at := 0
		for k := range e.Columns {
			c := &e.Columns[k]
			if c.Width() == 0 {
				continue
			}
			of := len(r.Missing) > 0 && r.Missing[k].Drifted || len(r.Unseen) > 0 && r.Unseen[k].Drifted
			of = of || slices.ContainsFunc(r.Columns, func(x drift.ColumnReport) bool {
				return x.Drifted && x.Feature >= at && x.Feature < at+c.Width()
			})
			at += c.Width()
			if all++; of {
				drifted++
			}
		}
		return drifted, all
	}
	for _, c := range r.Columns {
		if c.Drifted {
			drifted++
		}
	}
	return drifted, len(r.Columns)
}

// driftPictures are the histograms of the first columns, and shares of classes, missing values and new ones.
func driftPictures(m *lapsvm.Model, r *drift.Report) []report.Figure {
	var all []report.Figure
	if first := r.Columns[:min(driftFirst, len(r.Columns))]; len(first) > 0 {
		all = append(all, driftLanes(m, first, report.Figure{Name: "columns-now", Title: "Columns, then and now",
			Caption: "Shares of the training rows above the line, and of these rows below it, as the deciles have them, which a model keeps of each column. What drifted most comes first."}))
	}
	if r.Classes != nil {
		all = append(all, shareBars(r.Classes.Classes, func(k int) string { return predictedName(m, k) }, report.Figure{Name: "classes-now", Title: "Predicted classes", Caption: "Shares of these rows, beside those of the training."}))
	}
	if bars := shareBars(r.Missing, func(k int) string { return m.Encoding().Columns[k].Name }, report.Figure{Name: "missing-now", Title: "Missing values", Caption: "Shares of these rows, beside those of the training."}); bars.SVG != nil {
		all = append(all, bars)
	}
	if bars := newValueBars(m, r); bars.SVG != nil {
		all = append(all, bars)
	}
	return all
}

// driftLanes draws histograms of columns into a figure.
func driftLanes(m *lapsvm.Model, columns []drift.ColumnReport, f report.Figure) report.Figure {
	s := report.Spread{Up: "training", Down: "now"}
	for _, c := range columns {
		low, high, then, now := c.Histogram(driftBars)
		note := "alike"
		if c.Drifted {
			note = "drifted"
		}
		s.Lanes = append(s.Lanes, report.Lane{Name: columnName(m, c.Feature), Note: note, Group: report.Others, Up: then, Down: now,
			Ticks: []string{valueText(m, c.Feature, low), valueText(m, c.Feature, low/2+high/2), valueText(m, c.Feature, high)}})
	}
	return s.Draw(f)
}

// shareBars draws shares into a figure, which has no picture where all are 0 in both.
func shareBars(shares []drift.ShareReport, name func(k int) string, f report.Figure) report.Figure {
	var b report.Bars
	for k, s := range shares {
		if s.Count == 0 && s.Training == 0 || s.Total == 0 || s.TrainingTotal == 0 {
			continue
		}
		now, then := float64(s.Count)/float64(s.Total), float64(s.Training)/float64(s.TrainingTotal)
		bar := report.Bar{Name: input.Printable(name(k)), Value: now, Beside: then, Text: fmt.Sprintf("%.3g %%", 100*now), Words: fmt.Sprintf("in the training %.3g %%", 100*then), Group: report.Others}
		if s.Drifted {
			bar.Words += ": drifted"
		}
		if b.Bars = append(b.Bars, bar); len(b.Bars) == driftMost {
			break
		}
	}
	if b.Bars == nil {
		return f
	}
	return b.Draw(f)
}

// newValueBars draws the shares of rows with new values. The training has none.
func newValueBars(m *lapsvm.Model, r *drift.Report) report.Figure {
	f := report.Figure{Name: "new-now", Title: "New values", Caption: "Shares of these rows with a value that the training did not have."}
	shares := slices.Clone(r.Unseen)
	for k := range shares {
		shares[k].Training = 0
	}
	return shareBars(shares, func(k int) string { return m.Encoding().Columns[k].Name }, f)
}

// driftTables are the sections below: the other columns, the numbers, and rows that are far.
func driftTables(m *lapsvm.Model, d *dataset.Dataset, r *drift.Report) []report.Section {
	cell := func(texts ...string) []report.Cell {
		row := make([]report.Cell, len(texts))
		for k, t := range texts {
			row[k] = report.Cell{Text: t, Head: k == 0}
		}
		return row
	}
	columns := report.Section{Title: "Columns"}
	if more := r.Columns[min(driftFirst, len(r.Columns)):min(driftMost, len(r.Columns))]; len(more) > 0 {
		columns.Figures = []report.Figure{driftLanes(m, more, report.Figure{Name: "more-columns-now", Title: "More columns, then and now", Caption: "Those that drifted less."})}
	}
	t := report.Table{Name: "columns", Title: "Columns", Caption: "Share of rows far outside the range of the training, greatest distance of the distributions, moved in widths of the middle 80 %, probability by chance.",
		Header: []string{"column", "drifted", "outside, %", "apart", "moved", "chance"}}
	for _, c := range r.Columns {
		row := cell(columnName(m, c.Feature), map[bool]string{true: "yes", false: "no"}[c.Drifted], shortNumber(100*c.Outside, 3), shortNumber(c.Apart, 3), shortNumber(c.Moved, 3), shortNumber(c.Chance, 2))
		if c.Drifted {
			row[1].Mark = report.Differs
		}
		t.Rows = append(t.Rows, row)
	}
	var all []report.Section
	if len(t.Rows) > 0 {
		columns.Tables = []report.Table{t}
		all = append(all, columns)
	}
	if r.Rows != nil && len(r.Rows.Worst) > 0 {
		far := report.Table{Name: "far", Title: "Rows far from the training", Header: []string{"row", string(r.Rows.Measure)},
			Note: fmt.Sprintf("In the training at most %s; rows are far from %s on.", shortNumber(r.Rows.Largest, 4), shortNumber(r.Rows.Limit(), 4))}
		for _, x := range r.Rows.Worst {
			row := cell(fmt.Sprint(x.Index+1), shortNumber(x.Value, 4))
			if math.IsInf(x.Value, 0) {
				row[1].Text = "beyond all numbers"
			}
			if name := d.Kept.Name(x.Index); name != "" {
				row[0].Detail = input.Printable(name)
			}
			far.Rows = append(far.Rows, row)
		}
		all = append(all, report.Section{Title: "Rows", Tables: []report.Table{far}})
	}
	if len(d.Unseen) > 0 {
		unseen := report.Table{Name: "unseen", Title: "Values that the training did not have", Header: []string{"column", "rows", "the first"}}
		for _, u := range d.Unseen {
			unseen.Rows = append(unseen.Rows, cell(input.Printable(u.Column), fmt.Sprint(u.Rows), input.Printable(u.Value)))
		}
		all = append(all, report.Section{Title: "New values", Tables: []report.Table{unseen}})
	}
	return all
}
