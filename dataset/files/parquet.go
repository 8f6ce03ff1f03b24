package files

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"math"
	"slices"
	"strconv"

	"github.com/parquet-go/parquet-go"

	"lapsvm/dataset"
	"lapsvm/dataset/internal/quote"
	"lapsvm/points"
)

// Parquet is the name of the format of this file.
const Parquet = "parquet" // Apache Parquet

func parquetFormat() Format {
	return Format{
		Name:    Parquet,
		Endings: []string{"parquet"},
		Holds:   "Apache Parquet: columns of numbers, strings, booleans and dates, or one of lists of numbers",
		Table:   true,
		read:    readParquet,
		write: func(w *bufio.Writer, d *dataset.Dataset, _ classes) error {
			return writeParquet(w, d)
		},
		loses: func(d *dataset.Dataset) []string {
			if _, named := parquetNames(d); !named {
				return losesFeatures(d)
			}
			return nil
		},
		writeSeries: writeParquetSeries,
		keyed:       true,
	}
}

// parquetBatch is the number of values that are taken from a column at a time.
const parquetBatch = 1024

// readParquet reads a Parquet file. Where a column holds lists of numbers, all
// of one length, that is the features and further columns are ignored; else
// every column is one, or Options.Columns are, which may also name the column of
// lists. An ignored column of lists is not there at all. Columns of numbers are
// read as they are; where there are others, or values are missing, the rows are
// fields as a CSV table has them: numbers, strings, booleans, dates and
// timestamps as text, null and NaN as no value. Labels are strings, numbers or
// booleans; beside a column of lists, their column is found by name only. Row
// groups are read one after another.
func readParquet(src *source, o Options) (d *dataset.Dataset, err error) {
	const damaged = "this is no Parquet file, or it is damaged or cut off (%v); fetch or write it again"
	// The library answers some damaged files with a panic.
	defer func() {
		if cause := recover(); cause != nil {
			d, err = nil, src.Errorf(0, 0, damaged, cause)
		}
	}()
	at, size, err := src.random()
	if err != nil {
		return nil, err
	}
	if err := src.parquetFooter(at, size); err != nil {
		return nil, err
	}
	file, err := parquet.OpenFile(at, size, parquet.SkipPageIndex(true), parquet.SkipBloomFilters(true))
	if err == nil {
		r := parquetReader{src: src, o: o, file: file, at: at, labels: dataset.NewLabels(false, o.Unlabelled)}
		d, err = r.read()
	}
	var known *dataset.Error
	if err != nil && !errors.As(err, &known) {
		return nil, src.Errorf(0, 0, damaged, err)
	}
	return d, err
}

// parquetFooter checks the size that the end of the file claims for its
// description.
func (s *source) parquetFooter(at io.ReaderAt, size int64) error {
	const marks = 12 // bytes: a mark of 4 at either end, and the size
	var end [8]byte
	if size >= marks {
		if _, err := at.ReadAt(end[:], size-8); err != nil {
			return s.Errorf(0, 0, "cannot be read (%v); check the file and the disk", cause(err))
		}
	}
	if string(end[4:]) != "PAR1" || int64(binary.LittleEndian.Uint32(end[:])) > size-marks {
		return s.Errorf(0, 0, "this is no Parquet file, or it is cut off or encrypted; fetch or write it again")
	}
	return nil
}

type parquetReader struct {
	src    *source
	o      Options
	file   *parquet.File
	at     io.ReaderAt // the bytes of file
	labels *dataset.Labels
	label  *parquet.Column // nil where there is none
	values []float64
	width  int
	batch  [parquetBatch]parquet.Value
}

// read finds out which columns hold what and reads them.
func (r *parquetReader) read() (*dataset.Dataset, error) {
	r.src.Rows = dataset.Records
	columns := r.file.Root().Columns()
	header := make([]string, len(columns))
	var vectors []*parquet.Column
	for c, column := range columns {
		header[c] = column.Name()
		wanted := len(r.o.Columns) == 0 && !slices.Contains(r.o.Ignore, header[c]) || slices.Contains(r.o.Columns, header[c])
		if isVector(column) && wanted && !r.o.Encoding.Learnt() {
			vectors = append(vectors, column)
		}
	}
	if err := uniqueNames(&r.src.Origin, header, 0); err != nil {
		return nil, err
	}
	d := &dataset.Dataset{}
	var err error
	if len(vectors) > 0 {
		err = r.vectors(vectors, columns, header)
	} else {
		var lay *dataset.Layout
		if lay, err = dataset.NewLayout(&r.src.Origin, header, len(columns), 0, r.o.table()); err != nil {
			return nil, err
		}
		if !r.plain(columns, lay) {
			return r.readTable(columns, header)
		}
		if lay.Label >= 0 {
			r.label = columns[lay.Label]
		}
		var features []*parquet.Column
		for _, c := range lay.Features {
			features = append(features, columns[c])
		}
		d.Features, r.width = lay.Names, len(features)
		err = r.readFeatures(features)
	}
	if err == errNoNumber {
		return r.readTable(columns, header)
	}
	if err != nil {
		return nil, err
	}
	if r.label != nil {
		d.Label = r.label.Name()
	}
	n := len(r.values) / r.width
	if r.labels.Len() != n {
		return nil, r.src.Errorf(0, 0, "there are %d labels for %d rows; write the file again", r.labels.Len(), n)
	}
	d.Points = points.Dense(n, r.width, r.values)
	d.Y, d.Classes = r.labels.Finish()
	var ids []int
	for _, name := range r.o.ID {
		ids = append(ids, slices.Index(header, name))
	}
	d.Kept, err = r.keep(columns, ids, n)
	return d, err
}

// vectors reads the column of lists, of which there must be one.
func (r *parquetReader) vectors(vectors, columns []*parquet.Column, header []string) error {
	if len(vectors) > 1 || len(r.o.Columns) > 1 {
		return r.src.Errorf(0, 0, "there are several columns of features, and at least one holds lists: %s; choose one with %s", quote.Names(vectorNames(vectors)), dataset.Option{Name: "Columns"})
	}
	if len(r.o.Text)+len(r.o.Category) > 0 {
		return r.src.Errorf(0, 0, "the column %q holds lists, and other columns are no features beside it; leave out %s and %s, or give %s", vectors[0].Name(),
			dataset.Option{Name: "Text"}, dataset.Option{Name: "Category"}, dataset.Option{Name: "Ignore", Value: []string{vectors[0].Name()}})
	}
	for _, name := range r.o.ID {
		if !slices.Contains(header, name) {
			return r.src.Errorf(0, 0, "no column is called %q; choose for %s among %s", name, dataset.Option{Name: "ID"}, quote.Names(header))
		}
	}
	if err := r.labelByName(columns, header); err != nil {
		return err
	}
	return r.readVectors(vectors[0])
}

// plain reports whether the columns can be read as numbers.
func (r *parquetReader) plain(columns []*parquet.Column, lay *dataset.Layout) bool {
	if r.o.strict() {
		return true
	}
	return lay.Plain() && !slices.ContainsFunc(lay.Features, func(c int) bool {
		return !numeric(columns[c]) || columns[c].Repeated() || columns[c].Type().Kind() == parquet.Boolean
	})
}

func vectorNames(columns []*parquet.Column) []string {
	var names []string
	for _, c := range columns {
		names = append(names, c.Name())
	}
	return names
}

// labelByName finds the column of labels beside one of lists.
func (r *parquetReader) labelByName(columns []*parquet.Column, header []string) error {
	name := r.o.Label
	if name == "" {
		name = "label"
	}
	c := slices.Index(header, name)
	if k, err := strconv.Atoi(name); c < 0 && err == nil && 1 <= k && k <= len(header) {
		c = k - 1
	}
	switch {
	case c >= 0:
		r.label = columns[c]
	case r.o.Label != "" && r.o.Features == 0:
		return r.src.Errorf(0, 0, "no column is called %q; choose the label column with %s among %s", name, dataset.Option{Name: "Label"}, quote.Names(header))
	}
	return nil
}

// readFeatures reads a column for each feature, and the labels.
func (r *parquetReader) readFeatures(features []*parquet.Column) error {
	var others []string
	for _, c := range features {
		if !numeric(c) || c.Repeated() {
			others = append(others, c.Name())
		}
	}
	if others != nil {
		return r.src.Errorf(0, 0, "these columns hold no numbers: %s; leave them out by naming the features with %s, or give %s if one holds the labels", quote.Names(others), dataset.Option{Name: "Columns"}, dataset.Option{Name: "Label"})
	}
	for group := range r.file.RowGroups() {
		base, rows := len(r.values), -1 // rows of this group, by its first column
		for j, c := range features {
			asFloat, i := floatOf(c), 0
			err := r.each(group, c, func(v parquet.Value) error {
				if rows < 0 {
					if err := r.src.Take(8 * r.width); err != nil {
						return err
					}
					r.values = append(r.values, make([]float64, r.width)...)
				} else if i == rows {
					return r.src.Errorf(0, 0, "the columns %q and %q differ in length; write the file again", features[0].Name(), c.Name())
				}
				x := asFloat(v)
				if v.IsNull() || math.IsNaN(x) || math.IsInf(x, 0) {
					if !r.o.strict() {
						return errNoNumber
					}
					return r.notFinite(base/r.width+i, c.Name(), v)
				}
				r.values[base+i*r.width+j] = x
				i++
				return nil
			})
			if err != nil {
				return err
			}
			if rows >= 0 && i != rows {
				return r.src.Errorf(0, 0, "the columns %q and %q differ in length; write the file again", features[0].Name(), c.Name())
			}
			rows = i
		}
		if err := r.readLabels(group, rows); err != nil {
			return err
		}
	}
	return r.someRows()
}

// readVectors reads features from a column of lists, and the labels.
func (r *parquetReader) readVectors(column *parquet.Column) error {
	leaf := vectorLeaf(column)
	asFloat := floatOf(leaf)
	for group := range r.file.RowGroups() {
		base, start := len(r.values), len(r.values) // of the group, of the row
		row := 0
		if r.width > 0 {
			row = base / r.width
		}
		first := row
		ended := func() error { // of a row that begins at start
			width := len(r.values) - start
			if r.width == 0 {
				r.width = width
				if r.o.Features > 0 && width != r.o.Features && !(len(r.o.Columns) == 1 && r.o.Features == 1) { // 1 may be the count of Columns
					return r.src.Errorf(0, 0, "there are %d features, but %d are expected; give a file with %d", width, r.o.Features, r.o.Features)
				}
			}
			if width != r.width {
				return r.src.Errorf(0, 0, "row %d: the list in column %q has %d numbers, but that in row 1 has %d; make them equal", row, column.Name(), width, r.width)
			}
			return nil
		}
		err := r.each(group, leaf, func(v parquet.Value) error {
			if v.RepetitionLevel() == 0 {
				if row > first {
					if err := ended(); err != nil {
						return err
					}
				}
				start = len(r.values)
				row++
			} else if row == first {
				return r.src.Errorf(0, 0, "the column %q begins inside a list; write the file again", column.Name())
			}
			x := asFloat(v)
			if v.IsNull() || math.IsNaN(x) || math.IsInf(x, 0) {
				return r.notFinite(row-1, column.Name(), v)
			}
			r.values = append(r.values, x)
			return r.src.Take(8)
		})
		if err == nil && row > first {
			err = ended()
		}
		if err != nil {
			return err
		}
		if err := r.readLabels(group, row-first); err != nil {
			return err
		}
	}
	return r.someRows()
}

func (r *parquetReader) someRows() error {
	if len(r.values) == 0 {
		return r.src.noRows()
	}
	return nil
}

// notFinite refuses a feature; row counts from 0.
func (r *parquetReader) notFinite(row int, column string, v parquet.Value) error {
	what := "no value"
	if !v.IsNull() {
		what = v.String()
	}
	return r.src.Errorf(0, 0, "row %d, column %q holds %s; fill in a number or remove the row", row+1, column, what)
}

// readLabels reads the labels of a row group.
func (r *parquetReader) readLabels(group int, rows int) error {
	if r.label == nil {
		for range rows {
			r.labels.AddNone()
		}
		return nil
	}
	leaf, i := r.label, 0
	label := labelTextOf(leaf)
	if label == nil {
		return r.src.Errorf(0, 0, "the label column %q holds neither strings nor numbers nor booleans; choose another with %s", leaf.Name(), dataset.Option{Name: "Label"})
	}
	var room []byte
	return r.each(group, leaf, func(v parquet.Value) error {
		if i++; i > rows {
			return r.src.Errorf(0, 0, "there are more labels than rows; write the file again")
		}
		if v.IsNull() {
			r.labels.AddNone()
			return nil
		}
		room = label(room[:0], v)
		if err := r.checkLabel(leaf, r.labels.Len()+1, room); err != nil {
			return err
		}
		r.labels.Add(room)
		return nil
	})
}

// checkLabel refuses an infinite number as the label of a row, from 1.
func (r *parquetReader) checkLabel(leaf *parquet.Column, row int, text []byte) error {
	if kind := leaf.Type().Kind(); kind != parquet.Float && kind != parquet.Double || !bytes.HasSuffix(text, []byte("Inf")) {
		return nil
	}
	return r.src.Errorf(0, 0, "row %d, column %q: the label is %s; give a number, or NaN for no label", row, leaf.Name(), text)
}
