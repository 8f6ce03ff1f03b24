package dataset

import (
	"bufio"
	"encoding/binary"
	"errors"
	"io"
	"math"
	"reflect"
	"slices"
	"strconv"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/compress"
	"github.com/parquet-go/parquet-go/deprecated"
	"github.com/parquet-go/parquet-go/encoding"
	"github.com/parquet-go/parquet-go/encoding/thrift"
	parquetformat "github.com/parquet-go/parquet-go/format"

	"lapsvm/points"
)

// parquetBatch is the number of values that are taken from a column at a time.
const parquetBatch = 1024

// readParquet reads a Parquet file. Where a column holds lists of numbers, all
// of one length, that is the features and further columns are ignored; else
// every numeric or boolean column is one, or Options.Columns are, which may also
// name the column of lists. Labels are strings, numbers or booleans; of a
// column of lists, their column is found by name only. Null and NaN there mean
// no label. Row groups are read one after another, column by column.
func readParquet(src *source, o Options) (d *Dataset, err error) {
	const damaged = "this is no Parquet file, or it is damaged or cut off (%v); fetch or write it again"
	// The library answers some damaged files with a panic.
	defer func() {
		if cause := recover(); cause != nil {
			d, err = nil, src.errorf(0, 0, damaged, cause)
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
		r := parquetReader{src: src, o: o, file: file, at: at, labels: newLabeller(false, o.Unlabelled)}
		d, err = r.read()
	}
	var known *Error
	if err != nil && !errors.As(err, &known) {
		return nil, src.errorf(0, 0, damaged, err)
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
			return s.errorf(0, 0, "cannot be read (%v); check the file and the disk", cause(err))
		}
	}
	if string(end[4:]) != "PAR1" || int64(binary.LittleEndian.Uint32(end[:])) > size-marks {
		return s.errorf(0, 0, "this is no Parquet file, or it is cut off or encrypted; fetch or write it again")
	}
	return nil
}

type parquetReader struct {
	src    *source
	o      Options
	file   *parquet.File
	at     io.ReaderAt // the bytes of file
	labels *labeller
	label  *parquet.Column // nil where there is none
	values []float64
	width  int
	batch  [parquetBatch]parquet.Value
}

// read finds out which columns hold what and reads them.
func (r *parquetReader) read() (*Dataset, error) {
	columns := r.file.Root().Columns()
	header := make([]string, len(columns))
	var vectors []*parquet.Column
	for c, column := range columns {
		header[c] = column.Name()
		if isVector(column) && (len(r.o.Columns) == 0 || slices.Contains(r.o.Columns, header[c])) {
			vectors = append(vectors, column)
		}
	}
	if err := r.src.uniqueNames(header, 0); err != nil {
		return nil, err
	}
	d := &Dataset{}
	if len(vectors) > 0 {
		if len(vectors) > 1 || len(r.o.Columns) > 1 {
			return nil, r.src.errorf(0, 0, "there are several columns of features, and at least one holds lists: %s; choose one with --columns", list(vectorNames(vectors)))
		}
		if err := r.labelByName(columns, header); err != nil {
			return nil, err
		}
		if err := r.readVectors(vectors[0]); err != nil {
			return nil, err
		}
	} else {
		lay, err := r.src.layoutOf(header, len(columns), 0, r.o)
		if err != nil {
			return nil, err
		}
		if lay.label >= 0 {
			r.label = columns[lay.label]
		}
		var features []*parquet.Column
		for _, c := range lay.features {
			features = append(features, columns[c])
		}
		d.Features, r.width = lay.names, len(features)
		if err := r.readFeatures(features); err != nil {
			return nil, err
		}
	}
	if r.label != nil {
		d.Label = r.label.Name()
	}
	n := len(r.values) / r.width
	if len(r.labels.y) != n {
		return nil, r.src.errorf(0, 0, "there are %d labels for %d rows; write the file again", len(r.labels.y), n)
	}
	d.Points = points.Dense(n, r.width, r.values)
	d.Y, d.Classes = r.labels.finish()
	return d, nil
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
		return r.src.errorf(0, 0, "no column is called %q; choose the label column with --label among %s", name, list(header))
	}
	return nil
}

// isVector reports whether a column holds lists of numbers: a repeated leaf, or
// groups around one.
func isVector(c *parquet.Column) bool {
	leaf := vectorLeaf(c)
	return leaf != nil && leaf.MaxRepetitionLevel() == 1 && numeric(leaf)
}

// vectorLeaf returns the only leaf below a column, nil where there are more.
func vectorLeaf(c *parquet.Column) *parquet.Column {
	for !c.Leaf() {
		if len(c.Columns()) != 1 {
			return nil
		}
		c = c.Columns()[0]
	}
	return c
}

// numeric reports whether a column is a leaf of numbers or booleans.
func numeric(c *parquet.Column) bool {
	if !c.Leaf() {
		return false
	}
	switch c.Type().Kind() {
	case parquet.Boolean, parquet.Float, parquet.Double:
		return true
	case parquet.Int32, parquet.Int64: // not dates, times and decimals
		if logical := c.Type().LogicalType(); logical != nil && logical.Value != nil {
			_, whole := logical.Value.(*parquetformat.IntType)
			return whole
		}
		converted := c.Type().ConvertedType()
		return converted == nil || deprecated.Uint8 <= *converted && *converted <= deprecated.Int64
	}
	return false
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
		return r.src.errorf(0, 0, "these columns hold no numbers: %s; leave them out by naming the features with --columns, or give --label if one holds the labels", list(others))
	}
	for group := range r.file.RowGroups() {
		base, rows := len(r.values), -1 // rows of this group, by its first column
		for j, c := range features {
			asFloat, i := floatOf(c), 0
			err := r.each(group, c, func(v parquet.Value) error {
				if rows < 0 {
					r.values = append(r.values, make([]float64, r.width)...)
				} else if i == rows {
					return r.src.errorf(0, 0, "the columns %q and %q differ in length; write the file again", features[0].Name(), c.Name())
				}
				x := asFloat(v)
				if v.IsNull() || math.IsNaN(x) || math.IsInf(x, 0) {
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
				return r.src.errorf(0, 0, "the columns %q and %q differ in length; write the file again", features[0].Name(), c.Name())
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
					return r.src.errorf(0, 0, "there are %d features, but %d are expected; give a file with %d", width, r.o.Features, r.o.Features)
				}
			}
			if width != r.width {
				return r.src.errorf(0, 0, "row %d: the list in column %q has %d numbers, but that in row 1 has %d; make them equal", row, column.Name(), width, r.width)
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
				return r.src.errorf(0, 0, "the column %q begins inside a list; write the file again", column.Name())
			}
			x := asFloat(v)
			if v.IsNull() || math.IsNaN(x) || math.IsInf(x, 0) {
				return r.notFinite(row-1, column.Name(), v)
			}
			r.values = append(r.values, x)
			return nil
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
		return r.src.errorf(0, 0, "the file has no rows; check how it was made")
	}
	return nil
}

// notFinite refuses a feature; row counts from 0.
func (r *parquetReader) notFinite(row int, column string, v parquet.Value) error {
	what := "no value"
	if !v.IsNull() {
		what = v.String()
	}
	return r.src.errorf(0, 0, "row %d, column %q holds %s; fill in a number or remove the row", row+1, column, what)
}

// readLabels reads the labels of a row group.
func (r *parquetReader) readLabels(group int, rows int) error {
	if r.label == nil {
		for range rows {
			r.labels.addNone()
		}
		return nil
	}
	leaf, i := r.label, 0
	kind := parquet.Kind(-1)
	if leaf.Leaf() && !leaf.Repeated() {
		kind = leaf.Type().Kind()
	}
	if kind != parquet.ByteArray && !numeric(leaf) {
		return r.src.errorf(0, 0, "the label column %q holds neither strings nor numbers nor booleans; choose another with --label", leaf.Name())
	}
	asFloat := floatOf(leaf)
	var room []byte
	return r.each(group, leaf, func(v parquet.Value) error {
		if i++; i > rows {
			return r.src.errorf(0, 0, "there are more labels than rows; write the file again")
		}
		switch {
		case v.IsNull():
			r.labels.addNone()
			return nil
		case kind == parquet.ByteArray:
			room = append(room[:0], v.ByteArray()...)
		case kind == parquet.Boolean:
			room = strconv.AppendBool(room[:0], v.Boolean())
		case kind == parquet.Float || kind == parquet.Double:
			x := asFloat(v)
			if problem := (element{kind: 'f'}).labelProblem(x); problem != "" {
				return r.src.errorf(0, 0, "row %d, column %q: %s", len(r.labels.y)+1, leaf.Name(), problem)
			}
			r.labels.addNumber(x)
			return nil
		case unsigned(leaf) && kind == parquet.Int32:
			room = strconv.AppendUint(room[:0], uint64(v.Uint32()), 10)
		case unsigned(leaf):
			room = strconv.AppendUint(room[:0], v.Uint64(), 10)
		case kind == parquet.Int32:
			room = strconv.AppendInt(room[:0], int64(v.Int32()), 10)
		default:
			room = strconv.AppendInt(room[:0], v.Int64(), 10)
		}
		r.labels.add(room)
		return nil
	})
}

// unsigned reports whether the integers of a leaf have no sign.
func unsigned(c *parquet.Column) bool {
	if logical := c.Type().LogicalType(); logical != nil && logical.Value != nil {
		whole, ok := logical.Value.(*parquetformat.IntType)
		return ok && !whole.IsSigned
	}
	converted := c.Type().ConvertedType()
	return converted != nil && deprecated.Uint8 <= *converted && *converted <= deprecated.Uint64
}

// floatOf returns how the values of a numeric leaf become float64.
func floatOf(c *parquet.Column) func(parquet.Value) float64 {
	if !numeric(c) {
		return nil
	}
	switch kind := c.Type().Kind(); {
	case kind == parquet.Boolean:
		return func(v parquet.Value) float64 {
			if v.Boolean() {
				return 1
			}
			return 0
		}
	case kind == parquet.Float:
		return func(v parquet.Value) float64 { return float64(v.Float()) }
	case kind == parquet.Double:
		return func(v parquet.Value) float64 { return v.Double() }
	case kind == parquet.Int32 && unsigned(c):
		return func(v parquet.Value) float64 { return float64(v.Uint32()) }
	case kind == parquet.Int32:
		return func(v parquet.Value) float64 { return float64(v.Int32()) }
	case unsigned(c):
		return func(v parquet.Value) float64 { return float64(v.Uint64()) }
	}
	return func(v parquet.Value) float64 { return float64(v.Int64()) }
}

// each calls f for all values of a leaf in a row group.
func (r *parquetReader) each(group int, leaf *parquet.Column, f func(parquet.Value) error) error {
	if err := r.checkPages(&r.file.Metadata().RowGroups[group].Columns[leaf.Index()].MetaData); err != nil {
		return err
	}
	pages := r.file.RowGroups()[group].ColumnChunks()[leaf.Index()].Pages()
	defer pages.Close()
	for {
		page, err := pages.ReadPage()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		err = r.eachOfPage(page, f)
		parquet.Release(page)
		if err != nil {
			return err
		}
	}
}

func (r *parquetReader) eachOfPage(page parquet.Page, f func(parquet.Value) error) error {
	values := page.Values()
	for {
		n, err := values.ReadValues(r.batch[:])
		for _, v := range r.batch[:n] {
			if err := f(v); err != nil {
				return err
			}
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		if n == 0 {
			return io.ErrNoProgress
		}
	}
}

// checkPages goes through the headers of a chunk's pages and refuses sizes that
// the file cannot hold or that no writer makes, since the library allocates what
// they claim.
func (r *parquetReader) checkPages(c *parquetformat.ColumnMetaData) error {
	const (
		values    = 1 << 22  // in a page, beyond one for each of its bytes
		allowance = 64 << 20 // bytes of a page that was compressed to nothing
		ratio     = 256      // of compression beyond that
	)
	at, size := c.DataPageOffset, c.TotalCompressedSize
	if c.DictionaryPageOffset != 0 {
		at = c.DictionaryPageOffset
	}
	if at < 0 || size < 0 || size > r.file.Size() || at > r.file.Size()-size {
		return errors.New("a column lies outside of the file")
	}
	var protocol thrift.CompactProtocol
	for end := at + size; at < end; {
		section := io.NewSectionReader(r.at, at, end-at)
		in := bufio.NewReaderSize(section, 512)
		var page parquetformat.PageHeader
		if err := thrift.NewDecoder(protocol.NewReader(in)).Decode(&page); err != nil {
			return err
		}
		read, _ := section.Seek(0, io.SeekCurrent)
		at += read - int64(in.Buffered()) + int64(page.CompressedPageSize)
		count := max(page.DataPageHeader.V.NumValues, page.DataPageHeaderV2.V.NumValues, page.DictionaryPageHeader.V.NumValues)
		packed, unpacked := int64(page.CompressedPageSize), int64(page.UncompressedPageSize)
		if packed < 0 || at > end || unpacked > allowance+ratio*packed || int64(count) > values+unpacked {
			return errors.New("a page has an impossible size")
		}
	}
	return nil
}

// parquetNamed is the number of features up to which each is a column.
const parquetNamed = 1000

// writeParquet writes a file with the labels as nullable strings and, where the
// features have names, differing and at most 1,000 of them, a column of doubles
// for each, else one column vector of lists.
func writeParquet(w *bufio.Writer, d *Dataset) error {
	width := d.Points.Dim()
	label, named := parquetNames(d)
	fields := make(fields, 0, width+1)
	if named {
		for _, name := range d.Features {
			fields = append(fields, field{parquet.Leaf(parquet.DoubleType), name})
		}
	} else {
		fields = append(fields, field{parquet.List(parquet.Leaf(parquet.DoubleType)), vectorKey})
	}
	fields = append(fields, field{parquet.Optional(parquet.Encoded(parquet.String(), &parquet.RLEDictionary)), label})
	const groupValues = 1 << 23
	to := parquet.NewGenericWriter[any](w, parquet.NewSchema("dataset", fields), parquet.Compression(&parquet.Snappy),
		parquet.CreatedBy("lapsvm", "", ""), parquet.MaxRowsPerRowGroup(max(1, int64(groupValues/width))))

	values, row := make([]float64, width), make([]parquet.Value, width+1)
	labelColumn := len(fields) - 1
	for i, y := range d.Y {
		d.Points.CopyRow(values, i)
		for j, v := range values {
			switch {
			case named:
				row[j] = parquet.DoubleValue(v).Level(0, 0, j)
			default:
				row[j] = parquet.DoubleValue(v).Level(min(j, 1), 1, 0)
			}
		}
		if y == Unlabelled {
			row[width] = parquet.NullValue().Level(0, 0, labelColumn)
		} else {
			row[width] = parquet.ByteArrayValue([]byte(d.Classes[y])).Level(0, 1, labelColumn)
		}
		if _, err := to.WriteRows([]parquet.Row{row}); err != nil {
			return err
		}
	}
	return to.Close()
}

// parquetNames returns the name of the label column, and whether each feature is
// a column.
func parquetNames(d *Dataset) (label string, named bool) {
	if label = d.Label; label == "" {
		label = "label"
	}
	named = d.Features != nil && len(d.Features) <= parquetNamed
	seen := map[string]bool{"": true, label: true}
	for _, name := range d.Features {
		named = named && !seen[name]
		seen[name] = true
	}
	if !named && label == vectorKey {
		label = "label"
	}
	return label, named
}

// field is a column of a file to be written.
type field struct {
	parquet.Node
	name string
}

func (f field) Name() string { return f.name }

// Value is asked for by writers of Go structures only.
func (f field) Value(reflect.Value) reflect.Value { panic("dataset: no Go structure is written") }

// fields is a group of columns in a given order; that of a parquet.Group is
// alphabetical.
type fields []field

func (f fields) group() parquet.Group {
	g := parquet.Group{}
	for _, c := range f {
		g[c.name] = c.Node
	}
	return g
}

func (f fields) ID() int                     { return 0 }
func (f fields) String() string              { return f.group().String() }
func (f fields) Type() parquet.Type          { return f.group().Type() }
func (f fields) Optional() bool              { return false }
func (f fields) Repeated() bool              { return false }
func (f fields) Required() bool              { return true }
func (f fields) Leaf() bool                  { return false }
func (f fields) Encoding() encoding.Encoding { return nil }
func (f fields) Compression() compress.Codec { return nil }
func (f fields) GoType() reflect.Type        { return f.group().GoType() }
func (f fields) Fields() (all []parquet.Field) {
	for _, c := range f {
		all = append(all, c)
	}
	return all
}
