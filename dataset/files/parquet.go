package files

import (
	"bufio"
	"cmp"
	"encoding/binary"
	"errors"
	"io"

	"github.com/parquet-go/parquet-go"

	"lapsvm/dataset"
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
			if _, named := columnNames(d); !named {
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

// readParquet reads a Parquet file, as [columnTable.read] says. Row groups are read
// one after another.
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
	if err = src.parquetFooter(at, size); err == nil {
		var file *parquet.File
		if file, err = parquet.OpenFile(at, size, parquet.SkipPageIndex(true), parquet.SkipBloomFilters(true)); err == nil {
			var r *parquetReader
			if r, err = newParquetReader(src, o, file, at); err == nil {
				d, err = r.read()
			}
		}
	}
	var known *dataset.Error
	if err != nil && err != errApart && !errors.As(err, &known) {
		return nil, src.Errorf(0, 0, damaged, err)
	}
	return d, err
}

// parquetFooter checks the size that the end of the file claims for its
// description, and counts what that takes.
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
	length := int64(binary.LittleEndian.Uint32(end[:]))
	t := thriftSize{in: bufio.NewReader(io.NewSectionReader(at, size-8-length, length)), left: length}
	if err := t.walk(thriftLevels); err != nil {
		return err
	}
	return s.Take(int(t.bytes), "the description of the columns")
}

// thriftLevels is how deep descriptions are.
const thriftLevels = 16

type parquetReader struct {
	columnTable
	file    *parquet.File
	at      io.ReaderAt // the bytes of file
	columns []*parquet.Column
	batch   [parquetBatch]parquet.Value
}

func newParquetReader(src *source, o Options, file *parquet.File, at io.ReaderAt) (*parquetReader, error) {
	r := &parquetReader{file: file, at: at, columns: file.Root().Columns()}
	if err := src.takeNames(len(r.columns)); err != nil {
		return nil, err
	}
	var header []string
	for _, c := range r.columns {
		header = append(header, c.Name())
	}
	src.Own = o.Share.Range(int(file.NumRows()))
	r.columnTable = newColumnTable(src, o, header)
	r.columnTable.file = r
	return r, nil
}

func (r *parquetReader) isNumber(c int) bool {
	return numeric(r.columns[c]) && !r.columns[c].Repeated()
}

func (r *parquetReader) isBoolean(c int) bool {
	return r.isNumber(c) && r.columns[c].Type().Kind() == parquet.Boolean
}

func (r *parquetReader) isList(c int) bool { return isVector(r.columns[c]) }
func (r *parquetReader) isSingle(c int) bool {
	leaf := r.columns[c]
	if isVector(leaf) {
		leaf = vectorLeaf(leaf)
	}
	return leaf.Leaf() && leaf.Type().Kind() == parquet.Float
}
func (r *parquetReader) hasText(c int) bool   { return fieldTextOf(r.columns[c]) != nil }
func (r *parquetReader) hasLabels(c int) bool { return labelTextOf(r.columns[c]) != nil }

// groupRows says which rows a row group has, and which of these are kept.
type groupRows struct{ first, rows, from, to int } // of the group; of the kept, counted from first

// groups returns the rows of all row groups.
func (r *parquetReader) groups() []groupRows {
	var all []groupRows
	first := 0
	total := int(r.file.NumRows())
	for _, group := range r.file.RowGroups() {
		g := groupRows{first: first, rows: int(group.NumRows())}
		from, to := r.src.Own.Between(total)
		g.from, g.to = min(max(from-first, 0), g.rows), min(max(to-first, 0), g.rows)
		all = append(all, g)
		first += g.rows
	}
	return all
}

// readNumbers looks at the values of all rows, but not of columns that can have no others
// than finite ones: a gap in any row asks for an encoding.
func (r *parquetReader) readNumbers(columns []int) error {
	var features []*parquet.Column
	for _, c := range columns {
		features = append(features, r.columns[c])
	}
	for group, g := range r.groups() {
		base := r.values.len()
		for j, c := range features {
			if g.from == g.to && (r.o.strict() || alwaysFinite(c)) {
				if found, err := r.leaveOut(group, c); err != nil || found != g.rows {
					return cmp.Or(err, r.lengths(c))
				}
				continue
			}
			asFloat, i := floatOf(c), 0
			err := r.each(group, c, func(v parquet.Value) error {
				if i == g.rows {
					return r.lengths(c)
				}
				x := asFloat(v)
				if v.IsNull() || !isFinite(x) {
					if !r.o.strict() {
						return errNoNumber
					}
					return r.notFinite(g.first+i, c.Name(), spelling(v))
				}
				if i >= g.from && i < g.to {
					if j == 0 {
						if _, err := r.extend(r.width); err != nil {
							return err
						}
					}
					r.values.put(base+(i-g.from)*r.width+j, x)
				}
				i++
				return nil
			})
			if err == nil && i != g.rows {
				err = r.lengths(c)
			}
			if err != nil {
				return err
			}
		}
		if err := r.readLabels(group, g.rows); err != nil {
			return err
		}
	}
	return nil
}

// leaveOut returns how many values of a leaf a row group has, which are not read.
func (r *parquetReader) leaveOut(group int, leaf *parquet.Column) (found int, err error) {
	taken, found, err := r.checkPages(group, leaf)
	if err == nil {
		r.src.Give(taken)
	}
	return found, err
}

// alwaysFinite reports whether a column of numbers can have no gap, by its type.
func alwaysFinite(c *parquet.Column) bool {
	kind := c.Type().Kind()
	return c.Required() && kind != parquet.Float && kind != parquet.Double
}

// lengths refuses a column that has not as many values as its row group has rows.
func (r *parquetReader) lengths(c *parquet.Column) error {
	return r.src.Errorf(0, 0, "the column %q differs in length from its row group; write the file again", c.Name())
}

func (r *parquetReader) readLists(c int) error {
	column := r.columns[c]
	leaf := vectorLeaf(column)
	asFloat := floatOf(leaf)
	for group, g := range r.groups() {
		if g.from == g.to && (group > 0 || g.rows == 0) { // the first row tells how long lists are
			found, err := r.leaveOut(group, leaf)
			if err == nil && found < g.rows {
				err = r.lengths(column)
			}
			if err == nil {
				err = r.readLabels(group, g.rows)
			}
			if err != nil {
				return err
			}
			continue
		}
		row, length := -1, 0 // in the group; of its list
		err := r.each(group, leaf, func(v parquet.Value) error {
			if v.RepetitionLevel() == 0 {
				if row >= 0 {
					if err := r.endList(column.Name(), g.first+row+1, length); err != nil {
						return err
					}
				}
				if row++; row >= g.to && row > 0 {
					return errEnough
				}
				length = 0
			} else if row < 0 {
				return r.src.Errorf(0, 0, "the column %q begins inside a list; write the file again", column.Name())
			}
			x := asFloat(v)
			if v.IsNull() || !isFinite(x) {
				return r.notFinite(g.first+row, column.Name(), spelling(v))
			}
			length++
			if row < g.from || row >= g.to {
				return nil
			}
			at, err := r.extend(1)
			if err != nil {
				return err
			}
			r.values.put(at, x)
			return nil
		})
		switch {
		case err == errEnough && g.to < g.rows:
			err = nil
		case err == errEnough:
			err = r.lengths(column)
		case err == nil && row >= 0:
			if err = r.endList(column.Name(), g.first+row+1, length); err == nil && row+1 != g.rows {
				err = r.lengths(column)
			}
		}
		if err != nil {
			return err
		}
		if err := r.readLabels(group, g.rows); err != nil {
			return err
		}
	}
	return nil
}

// spelling words a value that is no finite number.
func spelling(v parquet.Value) string {
	if v.IsNull() {
		return "no value"
	}
	return v.String()
}

// readLabels reads the labels of a row group.
func (r *parquetReader) readLabels(group int, rows int) error {
	if r.label < 0 {
		for range rows {
			if err := r.labels.AddNone(); err != nil {
				return err
			}
		}
		return nil
	}
	leaf, i := r.columns[r.label], 0
	label := labelTextOf(leaf)
	var room []byte
	return r.each(group, leaf, func(v parquet.Value) error {
		if i++; i > rows {
			return r.src.Errorf(0, 0, "there are more labels than rows; write the file again")
		}
		if v.IsNull() {
			return r.labels.AddNone()
		}
		room = label(room[:0], v)
		return r.addLabel(room)
	})
}
