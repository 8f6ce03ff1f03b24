package files

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"

	"github.com/parquet-go/parquet-go"

	"lapsvm/dataset"
	"lapsvm/dataset/internal/number"
)

// Parquet is the name of the format of this file.
const Parquet = "parquet" // Apache Parquet

func parquetFormat() Format {
	return Format{
		Name:    Parquet,
		Endings: []string{"parquet"},
		marks:   []string{"PAR1"},
		Holds:   "Apache Parquet: columns of numbers, strings, booleans, dates and times, or one of lists of numbers",
		Table:   true,
		read:    readParquet,
		write: func(w *bufio.Writer, d *dataset.Dataset, _ classes) error {
			return writeParquet(w, d)
		},
		cut: func([]byte, Options) cut { return cutRows },
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

// readParquet reads a Parquet file, as [columnTable.read] says. Row groups are read
// one after another.
func readParquet(src *source, o Options) (d *dataset.Dataset, err error) {
	const damaged = "this is no Parquet file, or it is damaged or cut off (%v); fetch or write it again"
	// The library answers some damaged files with a panic.
	defer func() {
		if cause := recover(); cause != nil {
			d, err = nil, src.Damagedf(damaged, cause)
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
				defer r.codecs.close()
				d, err = r.read()
			}
		}
	}
	var dataErr *dataset.Error
	if err != nil && err != errApart && !errors.As(err, &dataErr) && src.Ranks.Err() == nil {
		return nil, src.Damagedf(damaged, err)
	}
	return d, err
}

// parquetFooter checks the size of the file's description as given at the end of the file, and counts
// the memory that the description takes.
func (s *source) parquetFooter(at io.ReaderAt, size int64) error {
	const marks = 12 // bytes: a mark of 4 at either end, and the size
	var end [8]byte
	if size >= marks {
		if _, err := at.ReadAt(end[:], size-8); err != nil {
			return s.Errorf(0, 0, "cannot be read (%v); check the file and the disk", cause(err))
		}
	}
	if string(end[4:]) != "PAR1" || int64(binary.LittleEndian.Uint32(end[:])) > size-marks {
		return s.Damagedf("this is no Parquet file, or it is cut off or encrypted; fetch or write it again")
	}
	length := int64(binary.LittleEndian.Uint32(end[:]))
	t := thriftSize{in: bufio.NewReader(io.NewSectionReader(at, size-8-length, length)), left: length}
	if err := t.walk(thriftLevels); err != nil {
		return err
	}
	return s.Take(int(t.bytes+length), "the description of the columns")
}

// thriftLevels is how deep descriptions are.
const thriftLevels = 16

type parquetReader struct {
	columnTable
	file    *parquet.File
	at      io.ReaderAt // the bytes of file
	columns []*parquetColumn
	codecs  parquetCodecs
	headers *bufio.Reader // for the headers of pages
}

func newParquetReader(src *source, o Options, file *parquet.File, at io.ReaderAt) (*parquetReader, error) {
	const header = 512 // bytes that are read at a time
	r := &parquetReader{file: file, at: at, codecs: parquetCodecs{window: src.maxWindow()}, headers: bufio.NewReaderSize(nil, header)}
	if err := src.Going(int(file.NumRows())); err != nil {
		return nil, err
	}
	columns := parquetColumns(file)
	if err := src.takeNames(len(columns)); err != nil {
		return nil, err
	}
	var names []string
	for _, c := range columns {
		names = append(names, c.name)
	}
	read, others := leaveOut(&o, names, func(c int) bool { return columns[c].text() })
	for _, c := range read {
		r.columns = append(r.columns, columns[c])
	}
	var err error
	if r.columnTable, err = newColumnTable(src, o, r, names, read, others); err != nil {
		return nil, err
	}
	if src.extent != nil {
		r.from, r.to = src.extent.rows(int(file.NumRows()))
	}
	return r, nil
}

func (r *parquetReader) isNumber(c int) bool { return r.columns[c].number() && !r.columns[c].list }
func (r *parquetReader) isBoolean(c int) bool {
	return r.isNumber(c) && r.columns[c].value == valueBool
}
func (r *parquetReader) isList(c int) bool   { return r.columns[c].list && r.columns[c].number() }
func (r *parquetReader) isWords(c int) bool  { return r.columns[c].words() }
func (r *parquetReader) isSingle(c int) bool { return r.columns[c].single() }
func (r *parquetReader) hasText(c int) bool  { return r.columns[c].text() && !r.isList(c) }

// groupRows says which rows a row group has, and which of these are read.
type groupRows struct{ first, rows, from, to int } // of the group; of those read, counted from first

// groups returns the rows of all row groups, of which the rows from ≤ row < to are read.
func (r *parquetReader) groups(from, to int) []groupRows {
	var all []groupRows
	first := 0
	for _, group := range r.file.RowGroups() {
		g := groupRows{first: first, rows: int(group.NumRows())}
		g.from, g.to = min(max(from-first, 0), g.rows), min(max(to-first, 0), g.rows)
		all = append(all, g)
		first += g.rows
	}
	return all
}

func (r *parquetReader) readNumbers(columns []int) error {
	var features []*parquetColumn
	for _, c := range columns {
		features = append(features, r.columns[c])
	}
	for group, g := range r.groups(r.from, r.to) {
		if g.from == g.to && g.rows > 0 {
			continue
		}
		base := r.values.len()
		for j, c := range features {
			i, most := 0, 0.0
			err := r.each(group, c, func(v parquetValue) error {
				if i == g.rows {
					return r.lengths(c)
				}
				if i < g.from || i >= g.to {
					i++
					return nil
				}
				x := math.NaN()
				if !v.null {
					x = c.float(v.bytes)
				}
				if !isFinite(x) {
					if !r.o.strict() {
						return errNoNumber
					}
					return r.notFinite(g.first+i, c.name, c.spelling(v))
				}
				if j == 0 {
					if _, err := r.extend(r.width); err != nil {
						return err
					}
				}
				r.values.put(base+(i-g.from)*r.width+j, x)
				i++
				most = max(most, math.Abs(x))
				return nil
			})
			if most >= number.Exact && c.value == valueWhole {
				r.rounded[columns[j]] = true
			}
			if err == nil && i != g.rows {
				err = r.lengths(c)
			}
			if err != nil {
				return err
			}
		}
		if err := r.readLabels(group, g); err != nil {
			return err
		}
	}
	return nil
}

// lengths refuses a column that has not as many values as its row group has rows.
func (r *parquetReader) lengths(c *parquetColumn) error {
	return r.src.Errorf(0, 0, "the column %q differs in length from its row group; write the file again", c.name)
}

func (r *parquetReader) readLists(c int) error {
	column := r.columns[c]
	if r.file.NumRows() > 0 && (r.from > 0 || r.from == r.to) {
		if err := r.firstList(column); err != nil {
			return err
		}
	}
	for group, g := range r.groups(r.from, r.to) {
		if g.from == g.to && g.rows > 0 {
			continue
		}
		row, length := -1, 0 // in the group; of its list
		err := r.each(group, column, func(v parquetValue) error {
			if v.reps == 0 {
				if row >= g.from && row >= 0 {
					if err := r.endList(column.name, g.first+row+1, length); err != nil {
						return err
					}
				}
				if row++; row >= g.to && row > 0 {
					return errEnough
				}
				length = 0
			} else if row < 0 {
				return r.src.Errorf(0, 0, "the column %q begins inside a list; write the file again", column.name)
			}
			if row < g.from {
				return nil
			}
			x := math.NaN()
			if !v.null {
				x = column.float(v.bytes)
			}
			if !isFinite(x) {
				return r.notFinite(g.first+row, column.name, column.spelling(v))
			}
			length++
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
			if err = r.endList(column.name, g.first+row+1, length); err == nil && row+1 != g.rows {
				err = r.lengths(column)
			}
		}
		if err != nil {
			return err
		}
		if err := r.readLabels(group, g); err != nil {
			return err
		}
	}
	return nil
}

// firstList finds how long lists are by that of the first row, which another rank reads.
func (r *parquetReader) firstList(column *parquetColumn) error {
	group := slices.IndexFunc(r.file.RowGroups(), func(g parquet.RowGroup) bool { return g.NumRows() > 0 })
	rows, length := 0, 0
	err := r.each(group, column, func(v parquetValue) error {
		if v.reps == 0 {
			if rows++; rows > 1 {
				return errEnough
			}
		}
		length++
		return nil
	})
	if err != nil && err != errEnough {
		return err
	}
	return r.endList(column.name, 1, length)
}

// spelling words a value that is no finite number.
func (c *parquetColumn) spelling(v parquetValue) string {
	if v.null {
		return "no value"
	}
	return fmt.Sprint(c.float(v.bytes))
}

// readLabels reads the labels of the rows of a row group that are read.
func (r *parquetReader) readLabels(group int, g groupRows) error {
	if r.label < 0 {
		for range g.to - g.from {
			if err := r.labels.AddNone(); err != nil {
				return err
			}
		}
		return nil
	}
	column, i := r.columns[r.label], 0
	if column.words() {
		texts := make([]fieldText, len(r.columns))
		texts[r.label] = appendWord
		return r.eachRowOf(group, g, texts, make([][]byte, len(r.columns)), func(fields [][]byte) error { return r.addLabel(fields[r.label]) })
	}
	var room []byte
	return r.each(group, column, func(v parquetValue) error {
		switch i++; {
		case i > g.rows:
			return r.src.Errorf(0, 0, "there are more labels than rows; write the file again")
		case i <= g.from || i > g.to:
			return nil
		case v.null:
			return r.labels.AddNone()
		}
		room = column.appendLabel(room[:0], v.bytes)
		return r.addLabel(room)
	})
}
