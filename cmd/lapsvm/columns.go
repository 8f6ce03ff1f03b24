package main

import (
	"fmt"
	"math"

	"lapsvm/dataset"
	"lapsvm/points"
)

// showColumns tells on standard error what the columns of a table were taken
// for, unless they are plain numbers or the flags say quiet.
func (p *program) showColumns(d *dataset.Dataset, s points.Standardise, f *reportFlags) {
	if d.Encoding == nil || f.quiet {
		return
	}
	name := "column"
	width := len(name)
	for _, c := range d.Encoding.Columns {
		width = max(width, len([]rune(c.Name)))
	}
	fmt.Fprintf(p.stderr, "%-*s  taken for\n", width, name)
	for k := range d.Encoding.Columns {
		c := &d.Encoding.Columns[k]
		fmt.Fprintf(p.stderr, "%-*s  %s\n", width, c.Name, c)
	}
	label := "labels"
	if d.Label != "" {
		label = d.Label
	}
	fmt.Fprintf(p.stderr, "%-*s  the labels, %s\n", width, label, count(len(d.Classes), "class", "classes"))
	if (s == "" || s == points.AsIs) && differ(d.Encoding) {
		fmt.Fprintln(p.stderr, "the columns differ in scale by more than 10, and distances follow the largest: think of --standardise zscore")
	}
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
		span := 1.0
		if c.Kind == dataset.Number || c.Kind == dataset.Date {
			span = c.High - c.Low
		}
		small, large = min(small, span), max(large, span)
	}
	return !e.HasText() && large > 10*small
}

// columnResult is the JSON of a column of an encoding.
type columnResult struct {
	Name     string       `json:"name"`
	Kind     dataset.Kind `json:"kind"`
	Features int          `json:"features"`
	Missing  int          `json:"missing"`
	Text     string       `json:"text"` // for people
}

func newColumnResults(e *dataset.Encoding) []columnResult {
	if e == nil {
		return nil
	}
	var all []columnResult
	for k := range e.Columns {
		c := &e.Columns[k]
		all = append(all, columnResult{c.Name, c.Kind, c.Width(), c.Missing, c.String()})
	}
	return all
}
