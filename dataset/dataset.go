// Package dataset holds points together with labels and class names, and makes
// them of the rows of tables; package files reads and writes them as files.
//
// A table may have other columns than numbers: what they are is learnt from it as
// an [Encoding], which turns them into features, and later tables into the same. A
// table of numbers without gaps is its own features and has none. [NewLayout] and
// [NewTable] make a [Dataset] of rows of text fields from anywhere:
//
//	layout, err := dataset.NewLayout(&dataset.Origin{File: "query"}, names, len(names), 0, dataset.TableOptions{})
//	table := dataset.NewTable(layout)
//	err = table.Add(fields, 1) // and so on
//	d, err := table.Finish()
//
// What is wrong with data is an [Error], which names the place and says what to
// do.
package dataset

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"lapsvm/dataset/internal/quote"
	"lapsvm/dataset/internal/sparse"
	"lapsvm/points"
)

// Unlabelled marks a row without a label in [Dataset.Y].
const Unlabelled = -1

// Dataset is n points with their labels. Rows may be without a label. A
// Dataset is not changed by any method; what a method returns may share slices
// with it.
type Dataset struct {
	Points   *points.Points
	Y        []int     // class index or Unlabelled, one per row
	Classes  []string  // sorted: numerically where all are numbers, else as text
	Weights  []float64 // c of every row, read for labelled rows: the weight of its loss; nil means 1
	Column   []int     // which row of all each row is, and so the column of Points that stands for it where the values are those of a kernel with all points; nil means that row i is row i
	Total    int       // the number of rows of which a Part has been read; 0 where all were
	Features []string  // column names, one per column of Points; nil where the format has none
	Label    string    // name of the label column, its number from 1 where it has no name and is not the last, else ""
	Guessed  string    // why that column was taken where nobody named it, for people; "" where it was named or is called label
	Encoding *Encoding // how the columns of a table became features; nil where they are the features
	Unseen   []Unseen  // what TableOptions.Encoding does not know of the categories and texts; nil where there is nothing
	Missing  *Missing  // how many values of the columns of an encoded table are missing; nil without an encoding
	Kept     *Kept     // what names the rows: the ID columns of a table, or all with TableOptions.Keep, and the files of images; nil where nothing does
	Notes    []Note    // what reading took for granted or found doubtful, for people
	Image    *Image    // what the images are that the rows are, with their size filled in: those of a folder, or arrays of bytes; nil for other data
}

// Labelled returns the rows that have a label, in ascending order.
func (d *Dataset) Labelled() []int { return d.rows(true) }

// Unlabelled returns the rows that have no label, in ascending order.
func (d *Dataset) Unlabelled() []int { return d.rows(false) }

func (d *Dataset) rows(labelled bool) []int {
	var rows []int
	for i, y := range d.Y {
		if (y != Unlabelled) == labelled {
			rows = append(rows, i)
		}
	}
	return rows
}

// Subset returns the given rows in the given order; a row may be named more
// than once. All classes are kept, also those that no longer have a row, so
// class indices mean the same in both. The points are copied. It panics when a
// row is out of range.
func (d *Dataset) Subset(rows []int) *Dataset {
	s := *d
	s.Points = d.Points.Subset(rows)
	s.Y = make([]int, len(rows))
	s.Kept = d.Kept.subset(rows)
	s.Column = make([]int, len(rows))
	for k, i := range rows {
		s.Y[k], s.Column[k] = d.Y[i], i
		if d.Column != nil {
			s.Column[k] = d.Column[i]
		}
	}
	if d.Weights != nil {
		s.Weights = make([]float64, len(rows))
		for k, i := range rows {
			s.Weights[k] = d.Weights[i]
		}
	}
	return &s
}

// Select returns the rows of the named classes and all rows without a label.
// The result has exactly these classes, in sorted order, whatever the order of
// the arguments, and class indices are renumbered. A name that is no class is
// an error.
func (d *Dataset) Select(classes ...string) (*Dataset, error) {
	if len(classes) == 0 {
		return nil, fmt.Errorf("no class to select; the classes are %s", quote.Names(d.Classes))
	}
	renumber := make([]int, len(d.Classes))
	for k := range renumber {
		renumber[k] = Unlabelled
	}
	for _, name := range classes {
		k := slices.Index(d.Classes, name)
		if k < 0 {
			return nil, fmt.Errorf("no class is called %q; the classes are %s", name, quote.Names(d.Classes))
		}
		renumber[k] = 0
	}
	var kept []string
	for k, name := range d.Classes {
		if renumber[k] != Unlabelled {
			renumber[k] = len(kept)
			kept = append(kept, name)
		}
	}
	var rows []int
	for i, y := range d.Y {
		if y == Unlabelled || renumber[y] != Unlabelled {
			rows = append(rows, i)
		}
	}
	s := d.Subset(rows)
	s.Classes = kept
	for i, y := range s.Y {
		if y != Unlabelled {
			s.Y[i] = renumber[y]
		}
	}
	// Numbers among words are sorted as text; alone they are sorted as numbers.
	sorted, at := sortClasses(kept)
	s.Classes = sorted
	renumberAll(s.Y, at)
	return s, nil
}

// Concat returns the rows of a followed by those of b, with the classes of
// both. The result is dense where both are; otherwise it is dense when at least a
// tenth of the n·d values are other than 0. Different numbers of columns, different
// names for them, or two encodings are an error. The points are copied; Weights,
// Kept, Missing, Unseen and Column are nil.
func Concat(a, b *Dataset) (*Dataset, error) {
	if a.Points.Dim() != b.Points.Dim() {
		return nil, fmt.Errorf("cannot join points with %d and with %d features; read both with the same number of features",
			a.Points.Dim(), b.Points.Dim())
	}
	if a.Features != nil && b.Features != nil && !slices.Equal(a.Features, b.Features) {
		return nil, errors.New("cannot join tables whose columns differ in name or order; read the second with the columns of the first")
	}
	if a.Encoding != nil && b.Encoding != nil && a.Encoding != b.Encoding {
		return nil, errors.New("cannot join tables that were encoded on their own; read the second with the encoding of the first")
	}
	names := slices.Clone(a.Classes)
	position := make([]int, len(b.Classes)) // of b's classes in names
	for k, name := range b.Classes {
		at := slices.Index(a.Classes, name)
		if at < 0 {
			at = len(names)
			names = append(names, name)
		}
		position[k] = at
	}
	y := slices.Clone(b.Y)
	renumberAll(y, position)
	y = append(slices.Clone(a.Y), y...)
	classes, at := sortClasses(names)
	renumberAll(y, at)

	c := &Dataset{Points: stack(a.Points, b.Points), Y: y, Classes: classes, Features: a.Features, Label: a.Label, Encoding: cmp.Or(a.Encoding, b.Encoding), Image: a.Image}
	if c.Features == nil {
		c.Features = b.Features
	}
	if c.Label == "" {
		c.Label = b.Label
	}
	return c, nil
}

// stack returns the rows of p followed by those of q.
func stack(p, q *points.Points) *points.Points {
	d := p.Dim()
	if !p.Sparse() && !q.Sparse() {
		return points.Stack(p, q)
	}
	var all sparse.Rows
	for _, t := range []*points.Points{p, q} {
		for i := range t.Len() {
			sparse.Each(t, i, all.Add)
			all.EndRow()
		}
	}
	return all.Points(d)
}
