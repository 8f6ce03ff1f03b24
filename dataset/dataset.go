// Package dataset holds points with labels and class names, and makes them from the rows of
// tables. Package files reads and writes them as files.
//
// A table may have columns of words, dates and text beside numbers. An [Encoding] is learnt from
// the table and turns its columns into features; it turns later tables into the same features. A
// table of numbers without gaps needs no encoding. [NewLayout] and [NewTable] make a [Dataset]
// from rows of text fields of any source:
//
//	layout, err := dataset.NewLayout(&dataset.Origin{File: "query"}, names, len(names), 0, dataset.TableOptions{})
//	table, err := dataset.NewTable(layout)
//	err = table.Add(fields, 1) // a [][]byte with the number of its line, and so on
//	d, err := table.Finish()
//
// Bad data gives an [Error] with the place and with advice.
package dataset

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"lapsvm/dataset/internal/number"
	"lapsvm/dataset/internal/quote"
	"lapsvm/dataset/internal/sparse"
	"lapsvm/internal/describe"
	"lapsvm/internal/numbers/objective"
	"lapsvm/internal/ranks/comm"
	"lapsvm/internal/system/fault"
	"lapsvm/points"
)

// Unlabelled marks a row without a label in [Dataset.Y].
const Unlabelled = -1

// Weights are the weights of rows. Without any, nil, all are 1.
type Weights = objective.Weights

// Dataset is n points with their labels. Rows may be without a label. No method changes a
// Dataset, and results of methods may share slices with it.
type Dataset struct {
	Points   *points.Points
	Y        []int     // class index or Unlabelled, one per row
	Classes  []string  // sorted: numerically where all are numbers, else as text
	Weights  Weights   // c of every row, the weight of its loss, used for labelled rows
	Column   []int     // index of every row among all rows, which is also its column in a table of kernel values; nil where the data set is whole
	Total    int       // number of all rows if a Part of them was read, or ranks share them; 0 if all were read, see OfAll
	Features []string  // column names, one per column of Points; none where the format has none
	Label    string    // name of the label column, its number from 1 where it has no name and is not the last, else ""
	Guessed  string    // why the label column was chosen, in words; "" where the options name it or it is called label
	Encoding *Encoding // how the columns of a table became features; nil, which has no columns, where these are the features
	Unseen   []Unseen  // categories and texts with values that TableOptions.Encoding does not know
	Missing  Missing   // counts of missing values by column of an encoded table
	Kept     Kept      // names of the rows as text: ID columns (all columns with TableOptions.Keep), or image files
	Notes    []Note    // assumptions and doubts of the reader
	Edges    Edges     // given edges between the rows

	// Featureless says that a table has no feature. Point i is then the unit vector of column i, so that
	// no point is like another.
	Featureless bool

	Image Image // size and colours where the rows are images, of a folder or an array of bytes

	description describe.Description
	undescribed *points.Points // see AsRead
	lines       []int          // see Line
	ranks       *comm.Comm     // that share all rows, of which d has the rows of this rank; nil for a process alone
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

// Numbers returns the labels as numbers, NaN for rows without one. It fails for a class whose name is
// no finite number, and names a row.
func (d *Dataset) Numbers() ([]float64, error) {
	values := make([]float64, len(d.Classes))
	for c, name := range d.Classes {
		v, ok := number.Finite(name)
		if !ok {
			if i := slices.Index(d.Y, c); i >= 0 {
				return nil, fault.Value.Errorf("row %d has the label %q, which is no number: mend it, leave it empty, or train on classes", d.RowNumber(i), name)
			}
		}
		values[c] = v
	}
	all := make([]float64, len(d.Y))
	for i, y := range d.Y {
		if all[i] = math.NaN(); y != Unlabelled {
			all[i] = values[y]
		}
	}
	return all, nil
}

// LabelNumber returns the number that the name of a class is to [Dataset.Numbers]; ok is false where it is no finite number.
func LabelNumber(name string) (v float64, ok bool) { return number.Finite(name) }

// RowNumber returns the number from 1 of row i among all rows that were read.
func (d *Dataset) RowNumber(i int) int {
	if !d.Whole() {
		i = d.Column[i]
	}
	return i + 1
}

// Line returns the line on which row i of a table of text alone begins, 0 where its file has no lines.
func (d *Dataset) Line(i int) int {
	if i >= len(d.lines) {
		return 0
	}
	return d.lines[i]
}

// Subset returns copies of the given rows, in the given order. A row may be given more than once.
// The result keeps all classes, also those without a row, so class indices mean the same in
// both. Of a shared data set it is a data set of this rank alone. Subset panics when a row is out of
// range.
func (d *Dataset) Subset(rows []int) *Dataset {
	s := *d
	if s.ranks != nil {
		s.ranks, s.Total = nil, 0
	}
	s.Points, s.Edges = d.Points.Subset(rows), d.Edges.Among(rows)
	if d.undescribed != nil {
		s.undescribed = d.undescribed.Subset(rows)
	}
	s.Y = make([]int, len(rows))
	s.Kept = d.Kept.subset(rows)
	s.Column = make([]int, len(rows))
	for k, i := range rows {
		s.Y[k], s.Column[k] = d.Y[i], d.RowNumber(i)-1
	}
	s.Weights = d.Weights.Of(rows)
	return &s
}

// Check reports a data set whose parts do not fit together, as one made by hand may be: what [Dataset.CheckPoints] and
// [Dataset.CheckLabels] report, and another number of labels than of points.
func (d *Dataset) Check() error {
	if err := d.CheckPoints(); err != nil {
		return err
	}
	if n := d.Points.Len(); len(d.Y) != n {
		return fault.Errorf("%d labels for %d points: give Y one class index for every row, or dataset.Unlabelled", len(d.Y), n)
	}
	return d.CheckLabels()
}

// CheckPoints reports a data set without points, another number of names than of columns, and rows of another number than of points: no names, no
// numbers of rows, no kept text and no edges are right.
func (d *Dataset) CheckPoints() error {
	if d == nil || d.Points == nil {
		return fault.Errorf("there is no data set with points: set Points, by points.Dense or points.CSR, or read a file")
	}
	if columns := d.Points.Dim(); len(d.Features) != 0 && len(d.Features) != columns && d.description == nil && !d.Featureless {
		return fault.Columns.Errorf("%d names of columns for %d columns: give Features a name for every column, or none", len(d.Features), columns)
	}
	if d.description == nil && !d.Featureless {
		if err := d.checkFeatures(); err != nil {
			return err
		}
	}
	switch n := d.Points.Len(); {
	case d.Column != nil && len(d.Column) != n:
		return fault.Errorf("%d numbers of rows for %d points: give Column one for every row, or none where the data set is whole", len(d.Column), n)
	case !d.Kept.None() && len(d.Kept.Rows) != n:
		return fault.Errorf("the text kept of %d rows for %d points: give Kept.Rows one for every row, or Kept no columns", len(d.Kept.Rows), n)
	case len(d.Edges.To) != len(d.Edges.From) || len(d.Edges.Weight) != len(d.Edges.From):
		return fault.Errorf("edges from %d rows to %d with %d weights: give From, To and Weight an entry for every edge, as dataset.NewEdges does", len(d.Edges.From), len(d.Edges.To), len(d.Edges.Weight))
	}
	return nil
}

// checkFeatures reports columns of another number than those of the pictures or of the encoding that a data set says it has.
func (d *Dataset) checkFeatures() error {
	columns, m := d.Points.Dim(), d.Image
	if width, height := m.Size(); !m.None() && (min(m.Width, m.Height) < 0 || max(width, height) > MaxImageSide || m.Dim() != columns) {
		return fault.Columns.Errorf("rows of %d columns are no pictures %d dots wide and %d high with %s a dot: let Dataset.OfImages set Image, or leave it empty", columns, width, height, counted(m.values(), "value"))
	}
	if d.Encoding == nil {
		return nil
	}
	width := 0
	for k := range d.Encoding.Columns {
		width += d.Encoding.Columns[k].Width()
	}
	if width != columns {
		return fault.Columns.Errorf("the encoding has %s, and the points %d: give the Encoding that the table was read by, or nil for numbers alone", counted(width, "feature"), columns)
	}
	return nil
}

// CheckLabels reports a label that is no index of a class, and another number of weights than there are labels. No weights are right.
func (d *Dataset) CheckLabels() error {
	for i, y := range d.Y {
		if y != Unlabelled && (y < 0 || y >= len(d.Classes)) {
			return fault.Errorf("row %d has the class index %d of %d classes: give Y an index into Classes, or dataset.Unlabelled", i+1, y, len(d.Classes))
		}
	}
	if d.Weights != nil && len(d.Weights) != len(d.Y) {
		return fmt.Errorf("%d weights for %d points", len(d.Weights), len(d.Y))
	}
	return nil
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
		k := FindClass(d.Classes, name)
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
// Kept, Unseen and Column are left out.
func Concat(a, b *Dataset) (*Dataset, error) {
	if a.Points.Dim() != b.Points.Dim() {
		return nil, fault.Columns.Errorf("cannot join points with %d and with %d features; read both with the same number of features",
			a.Points.Dim(), b.Points.Dim())
	}
	if a.Features != nil && b.Features != nil && !slices.Equal(a.Features, b.Features) {
		return nil, fault.Columns.Errorf("cannot join tables whose columns differ in name or order; read the second with the columns of the first")
	}
	if a.Encoding != nil && b.Encoding != nil && a.Encoding != b.Encoding {
		return nil, fault.Errorf("cannot join tables that were encoded on their own; read the second with the encoding of the first")
	}
	all := classPlacesOf(a.Classes)
	position := make([]int, len(b.Classes)) // of b's classes among all
	for k, name := range b.Classes {
		position[k] = all.add(name)
	}
	y := slices.Clone(b.Y)
	renumberAll(y, position)
	y = append(slices.Clone(a.Y), y...)
	classes, at := sortClasses(all.names)
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
