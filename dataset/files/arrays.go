package files

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"lapsvm/dataset"
	"lapsvm/dataset/internal/number"
	"lapsvm/dataset/internal/quote"
	"lapsvm/dataset/internal/sparse"
	"lapsvm/points"
)

// Files of several arrays, npz and mat, hold the points in one of them and the labels in another.
// What is not read of such a file is said in a note.

// isPoints reports whether an array of this name holds the points.
func isPoints(name string) bool {
	return slices.Contains([]string{"X", "x", "fea", "data", "arr_0", "X_train", "x_train", "attr_matrix", "attr"}, name)
}

// isLabels reports whether an array of this name holds the labels.
func isLabels(name string, o Options) bool {
	if o.Label != "" {
		return name == o.Label
	}
	return slices.Contains([]string{"y", "Y", "gnd", "labels", "label", "arr_1", "y_train", "Y_train"}, name)
}

// mayBeLabels reports whether an array of this name holds the labels if there is one for each row and no array
// has a better name.
func mayBeLabels(name string, o Options) bool {
	return o.Label == "" && dataset.NamesLabels(name) >= 0
}

// array is what is known of an array before its values are read.
type array struct {
	shape   []int // nil where it cannot be told
	numbers bool  // real ones
	words   bool
	long    bool // integers of 8 bytes
}

// isTable reports whether an array may be the points.
func (a array) isTable() bool { return a.numbers && len(a.shape) >= 2 }

// isColumn reports whether an array has one value, which may be a label, for each of n rows. A matrix of characters has one in
// each row.
func (a array) isColumn(n int) bool {
	total, ok := elements(a.shape)
	return ok && n > 0 && (a.numbers || a.words) && (total == n && slices.Max(a.shape) == n)
}

// choice is the arrays of a file that are used, by name.
type choice struct {
	points, labels string
}

// choose finds out which of the arrays called names hold points, labels and the rest. look tells what an array is like.
func (s *source) choose(names []string, look func(name string) array, o Options) (c choice, err error) {
	var asPoints, asLabels []string
	for _, name := range names {
		switch {
		case isLabels(name, o):
			asLabels = append(asLabels, name)
		case isPoints(name):
			asPoints = append(asPoints, name)
		}
	}
	if s.part != "" {
		k, err := s.among("array", names)
		if err != nil {
			return c, err
		}
		asPoints = names[k : k+1]
		asLabels = slices.DeleteFunc(asLabels, func(name string) bool { return name == names[k] })
	}
	if len(asPoints) > 1 {
		if tables := slices.DeleteFunc(slices.Clone(asPoints), func(name string) bool { return !look(name).isTable() }); len(tables) > 0 {
			asPoints = tables
		}
	}
	switch {
	case len(asPoints) == 0:
		return c, s.Errorf(0, 0, "no array is called X (or x, fea, data, arr_0, x_train); save the points under one of these names, or name them as in FILE#NAME (the file has %s)", quote.Names(names))
	case len(asPoints) > 1:
		return c, s.Errorf(0, 0, "any of the arrays %s may be the points; keep one of them, or name one as in FILE#%s", quote.Names(asPoints), asPoints[0])
	case len(asLabels) > 1:
		return c, s.Errorf(0, 0, "any of the arrays %s may be the labels; name one with %s", quote.Names(asLabels), dataset.Option{Name: "Label"})
	case len(asLabels) == 0 && o.Label != "" && o.Features == 0:
		return c, s.Errorf(0, 0, "no array is called %q; choose the labels with %s among %s", o.Label, dataset.Option{Name: "Label"}, quote.Names(names))
	}
	c.points = asPoints[0]
	if len(asLabels) == 1 {
		c.labels = asLabels[0]
		return c, nil
	}
	rows := 0
	if shape := look(c.points).shape; len(shape) > 0 {
		rows = shape[0]
	}
	for _, name := range names {
		if name != c.points && mayBeLabels(name, o) && look(name).isColumn(rows) &&
			(c.labels == "" || dataset.NamesLabels(name) < dataset.NamesLabels(c.labels)) {
			c.labels = name
		}
	}
	return c, nil
}

// noteUnread notes the arrays that are neither chosen nor used with those.
func (s *source) noteUnread(d *dataset.Dataset, names []string, c choice, used func(name string) bool, look func(name string) array) {
	const most = 20 // whose shape is told
	called := func(name string) string {
		switch a := look(name); {
		case len(a.shape) > 0:
			return fmt.Sprintf("%s (%s)", name, shapeText(a.shape))
		case a.shape != nil:
			return name + " (one value)"
		}
		return name
	}
	var others []string
	for _, name := range names {
		if name == c.points || name == c.labels || used(name) {
			continue
		}
		if len(others) < most {
			name = called(name)
		}
		others = append(others, name)
	}
	if others == nil {
		return
	}
	read := called(c.points) + ", and no labels"
	if c.labels != "" {
		read = called(c.points) + " and the labels " + called(c.labels)
	}
	s.note(d, dataset.Note{Message: dataset.Messagef("read %s; not read: %s (FILE#NAME reads other points, %s other labels)", read, quote.Names(others), dataset.Option{Name: "Label"})})
}

// shapeText writes a shape as 3×4.
func shapeText(shape []int) string {
	var lengths []string
	for _, n := range shape {
		lengths = append(lengths, strconv.Itoa(n))
	}
	return strings.Join(lengths, "×")
}

// together makes a dataset of the points of n rows, those that the source keeps, and
// labels; nil labels are none.
func (s *source) together(p *points.Points, n int, labels *dataset.Labels, o Options) (*dataset.Dataset, error) {
	d := p.Dim()
	if o.Features > 0 && d != o.Features {
		return nil, s.OtherWidth(d, o.Features)
	}
	if labels == nil {
		labels = dataset.NewLabels(&s.Origin, false, dataset.LabelRules{})
		for range n {
			if err := labels.AddNone(); err != nil {
				return nil, err
			}
		}
	}
	if labels.Len() != n {
		advice := "give one for each row"
		if labels.Len() == d {
			advice = "points are rows: transpose the points"
		}
		return nil, s.Errorf(0, 0, "there are %d labels for points of %d rows and %d columns; %s", labels.Len(), n, d, advice)
	}
	if i, j, found := p.FirstNotFinite(); found {
		row := make([]float64, d)
		p.CopyRow(row, i)
		return nil, s.Errorf(0, 0, "row %d, column %d of the points holds %v; replace it by a number or remove the row", s.Own.Row(i)+1, j+1, row[j])
	}
	set := &dataset.Dataset{Points: p}
	return set, labels.Finish(set)
}

// doubtRounded doubts columns of an array of integers of 8 bytes, of which some were rounded to doubles.
func doubtRounded(d *dataset.Dataset) {
	if _, _, v := d.Points.LargestValue(); math.Abs(v) < number.Exact {
		return
	}
	row, rounded := make([]float64, d.Points.Dim()), make([]bool, d.Points.Dim())
	for i := range d.Points.Len() {
		d.Points.CopyRow(row, i)
		for j, v := range row {
			rounded[j] = rounded[j] || math.Abs(v) >= number.Exact
		}
	}
	var columns []string
	for j, is := range rounded {
		if is {
			columns = append(columns, d.ColumnName(j))
		}
	}
	d.Notes = append(d.Notes, dataset.Note{Doubtful: true, Message: dataset.Messagef("whole numbers from 2⁵³ on are rounded to doubles: %s; if they name the rows, save the points without them", quote.Names(columns))})
}

// addNumbers labels rows by numbers of a type.
func (s *source) addNumbers(l *dataset.Labels, e element, values []float64) error {
	for i, v := range values {
		if problem := e.labelProblem(v); problem != "" {
			return s.Errorf(0, 0, "row %d: %s", i+1, problem)
		}
		if err := l.AddNumber(e.label(v)); err != nil {
			return err
		}
	}
	return nil
}

// compressed is a sparse matrix as a file holds it: along its major dimension,
// rows or columns, the entries start[k] to start[k+1] have the place minor on
// the other.
type compressed struct {
	start, minor []float64 // whole numbers, as read
	value        []float64
}

// maxSide is the most rows of a sparse matrix; columns are fewer.
const maxSide = math.MaxInt32 - 1

const damagedSparse = "the sparse matrix is damaged: %s; write it again"

// check refuses offsets and places that do not fit together.
func (c compressed) check(s *source, majors, minors int) error {
	if majors < 1 || minors < 1 || majors > maxSide || minors > maxSide {
		return s.Errorf(0, 0, "the sparse matrix has %d rows or columns by %d; give at least one and at most %d of each", majors, minors, maxSide)
	}
	if len(c.start) != majors+1 || c.start[0] != 0 {
		return s.Damagedf(damagedSparse, "its offsets do not fit its shape")
	}
	for k := range majors {
		if c.start[k] > c.start[k+1] || c.start[k+1] != math.Trunc(c.start[k+1]) {
			return s.Damagedf(damagedSparse, "its offsets do not ascend")
		}
	}
	if end := c.start[majors]; !(end <= float64(min(len(c.minor), len(c.value)))) {
		return s.Damagedf(damagedSparse, "there are fewer entries than its offsets say")
	}
	for _, m := range c.minor[:int(c.start[majors])] {
		if !(m >= 0 && m < float64(minors)) || m != math.Trunc(m) {
			return s.Damagedf(damagedSparse, "an index lies outside of its shape")
		}
	}
	return nil
}

// points returns rows read from the source as a table of d columns.
func (s *source) points(rows *sparse.Rows, d int, dense bool) (*points.Points, error) {
	if d > points.MaxSparseColumns {
		return nil, s.Errorf(0, 0, "there are %d columns, but at most %d are possible; leave out those without an entry", d, points.MaxSparseColumns)
	}
	if err := s.Take(8*d, fmt.Sprintf("a row of %d columns written out", d)); err != nil { // as scaling and export do
		return nil, err
	}
	if !dense {
		return rows.CSR(d), nil
	}
	if err := s.Take(8*len(rows.Ends)*d, fmt.Sprintf("%d rows of %d values", len(rows.Ends), d)); err != nil {
		return nil, err
	}
	return rows.Full(d), nil
}

// byRows makes points of rows stored one after another, whose entries may be in
// any order.
func (c compressed) byRows(s *source, n, d int) (*points.Points, error) {
	if err := c.check(s, n, d); err != nil {
		return nil, err
	}
	var rows sparse.Rows
	var order []int
	for i := range n {
		order = order[:0]
		for k := int(c.start[i]); k < int(c.start[i+1]); k++ {
			order = append(order, k)
		}
		slices.SortFunc(order, func(a, b int) int { return cmp.Compare(c.minor[a], c.minor[b]) })
		for at, k := range order {
			if at > 0 && c.minor[k] == c.minor[order[at-1]] {
				return nil, s.Errorf(0, 0, "row %d has two entries for column %.0f; add them up (sum_duplicates in SciPy)", i+1, c.minor[k]+1)
			}
			rows.Add(int32(c.minor[k]), c.value[k])
		}
		if err := s.Take(rows.EndRow(), "the entries of the rows"); err != nil {
			return nil, err
		}
	}
	return s.points(&rows, d, sparse.Dense(len(rows.Value), n, d))
}

// byColumns makes points of columns stored one after another.
func (c compressed) byColumns(s *source, n, d int) (*points.Points, error) {
	if err := c.check(s, d, n); err != nil {
		return nil, err
	}
	stored := int(c.start[d])
	if n > 1<<20+8*(stored+d) {
		return nil, s.Errorf(0, 0, "the sparse matrix has %d rows, but only %d entries; leave out the empty rows", n, stored)
	}
	const row, entry = 3 * 8, 12 // bytes
	if err := s.Take(row*n+entry*stored, fmt.Sprintf("%d rows of %d entries", n, stored)); err != nil {
		return nil, err
	}
	next := make([]int, n+1) // next[i+1]: where the next entry of row i goes
	kept := 0
	for k, i := range c.minor[:stored] {
		if math.Float64bits(c.value[k]) != 0 {
			next[int(i)+1]++
			kept++
		}
	}
	for i := range n {
		next[i+1] += next[i]
	}
	rows := sparse.Rows{Ends: slices.Clone(next[1:]), Index: make([]int32, kept), Value: make([]float64, kept)}
	last := make([]int, n) // 1 + the column last seen in a row
	for j := range d {
		for k := int(c.start[j]); k < int(c.start[j+1]); k++ {
			i, v := int(c.minor[k]), c.value[k]
			if last[i] == j+1 {
				return nil, s.Errorf(0, 0, "row %d has two entries for column %d; add them up", i+1, j+1)
			}
			last[i] = j + 1
			if math.Float64bits(v) == 0 {
				continue
			}
			at := next[i]
			next[i]++
			rows.Index[at], rows.Value[at] = int32(j), v
		}
	}
	return s.points(&rows, d, sparse.Dense(len(rows.Value), n, d))
}

// numberedClasses returns the classes as numbers where each name is the
// canonical spelling of one.
func numberedClasses(names []string) (values []float64, ok bool) {
	for _, name := range names {
		v, numeric := number.Finite(name)
		if !numeric || number.Format(v) != name {
			return nil, false
		}
		values = append(values, v)
	}
	return values, true
}

// bytesAsImage returns the Image of rows of bytes with these dimensions: height, width and perhaps
// 1 or 3 values of a dot. It is zero for rows that are no images.
func bytesAsImage(row []int) dataset.Image {
	colours := 1
	if len(row) == 3 {
		colours, row = row[2], row[:2]
	}
	if len(row) != 2 || colours != 1 && colours != 3 || min(row[0], row[1]) < 2 || max(row[0], row[1]) > dataset.MaxImageSide {
		return dataset.Image{}
	}
	return dataset.Image{Width: row[1], Height: row[0], Colour: colours == 3, White: 255}
}
