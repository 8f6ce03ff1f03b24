package files

import (
	"errors"
	"io"
	"math"
	"runtime"
	"slices"

	"github.com/klauspost/compress/zstd"
	"github.com/pierrec/lz4/v4"

	"lapsvm/dataset"
	"lapsvm/dataset/internal/number"
)

// Arrow is the name of the format of this file.
const Arrow = "arrow" // Apache Arrow IPC, as a file (Feather) or a stream

func arrowFormat() Format {
	return Format{
		Name:    Arrow,
		Endings: []string{"arrow", "feather", "ipc", "arrows"},
		marks:   []string{"ARROW1"},
		Holds:   "Apache Arrow IPC file (Feather 2) or stream, with columns as Parquet has",
		Table:   true,
		cut:     func([]byte, Options) cut { return cutRows },
		read:    readArrow,
		write:   writeArrow,
		loses: func(d *dataset.Dataset) []string {
			if _, named := columnNames(d); !named {
				return losesFeatures(d)
			}
			return nil
		},
		writeSeries: writeArrowSeries,
		keyed:       true,
	}
}

// readArrow reads an Arrow IPC file or stream, as [columnTable.read] says, batch by
// batch from its start. Dictionaries become their values. Source: "Arrow Columnar Format", 1.5.
func readArrow(src *source, o Options) (d *dataset.Dataset, err error) {
	const damaged = "this is no Arrow file, or it is damaged or cut off (%v); fetch or write it again"
	// Offsets of a damaged description lead beyond the data.
	defer func() {
		switch cause := recover().(type) {
		case nil:
		case runtime.Error:
			d, err = nil, src.Damagedf(damaged, errFlat)
		case error:
			if cause != errFlat {
				panic(cause)
			}
			d, err = nil, src.Damagedf(damaged, cause)
		default:
			panic(cause)
		}
	}()
	at, size, err := src.random()
	if err == nil {
		var r *arrowReader
		if r, err = newArrowReader(src, o, at, size); err == nil {
			defer r.zstd.Close()
			d, err = r.read()
		}
	}
	var dataErr *dataset.Error
	if err != nil && err != errApart && !errors.As(err, &dataErr) && src.Ranks.Err() == nil {
		return nil, src.Damagedf(damaged, err)
	}
	return d, err
}

type arrowReader struct {
	columnTable
	at      io.ReaderAt
	size    int64
	fields  []*arrowField         // all,
	columns []*arrowField         // and those that are read,
	places  []int                 // which are at these places
	encoded map[int64]*arrowField // the field of each dictionary
	body    []byte                // of the current message
	entries map[int64][][]byte    // of the dictionaries so far
	empty   int64                 // rows so far whose wanted columns have no values
	lz4     *lz4.Reader
	zstd    *zstd.Decoder
}

func newArrowReader(src *source, o Options, at io.ReaderAt, size int64) (*arrowReader, error) {
	r := &arrowReader{at: at, size: size, lz4: lz4.NewReader(nil)}
	var err error
	if r.zstd, err = zstd.NewReader(nil, zstd.WithDecoderMaxWindow(src.maxWindow()), zstd.WithDecoderLowmem(true), zstd.WithDecoderConcurrency(1)); err != nil {
		return nil, err
	}
	m, err := newArrowMessages(src, at, size)
	if err != nil {
		return nil, err
	}
	kind, schema, _, err := m.next()
	switch {
	case m.file && err == nil && kind != arrowSchema:
		schema, err = m.indexed(at, size)
	case err == io.EOF || err == nil && kind != arrowSchema:
		err = errors.New("it begins without a schema")
	}
	if err != nil {
		return nil, err
	}
	if schema.int16(0, 0) != 0 {
		return nil, src.Errorf(0, 0, "the numbers are big-endian, which is not read; write the file on another machine, or as parquet")
	}
	count := 0
	if r.fields, err = arrowFields(src, schema, 1, 0, &count); err != nil {
		return nil, err
	}
	if len(r.fields) == 0 {
		return nil, src.Errorf(0, 0, "the file has no columns; check how it was made")
	}
	r.encoded = make(map[int64]*arrowField)
	addDictionaries(r.encoded, r.fields)
	if err := src.takeNames(len(r.fields)); err != nil {
		return nil, err
	}
	var names []string
	for _, f := range r.fields {
		names = append(names, f.name)
	}
	var others []string
	r.places, others = leaveOut(&o, names, func(c int) bool { return r.fields[c].text() || r.fields[c].list() || r.fields[c].words() })
	for _, c := range r.places {
		r.columns = append(r.columns, r.fields[c])
	}
	if r.columnTable, err = newColumnTable(src, o, r, names, r.places, others); err != nil {
		return nil, err
	}
	if src.extent != nil {
		rows, err := r.count()
		if err != nil {
			return nil, err
		}
		r.from, r.to = src.extent.rows(rows)
	}
	return r, nil
}

func (r *arrowReader) isNumber(c int) bool  { return r.columns[c].number() }
func (r *arrowReader) isBoolean(c int) bool { return r.isNumber(c) && r.columns[c].value == valueBool }
func (r *arrowReader) isList(c int) bool    { return r.columns[c].list() }
func (r *arrowReader) isSingle(c int) bool {
	f := r.columns[c]
	if f.list() {
		f = f.children[0]
	}
	return f.single()
}
func (r *arrowReader) isWords(c int) bool { return r.columns[c].words() }
func (r *arrowReader) hasText(c int) bool { return r.columns[c].text() || r.isWords(c) }

// fill reads the body of a message.
func (r *arrowReader) fill(m *arrowMessages, size int64) error {
	if int64(cap(r.body)) < size {
		if err := r.src.Take(int(size)-cap(r.body), "the body of a message"); err != nil {
			return err
		}
		r.body = make([]byte, size)
	}
	r.body = r.body[:size]
	_, err := m.take(r.body)
	return err
}

func (r *arrowReader) oneBatch(batch flatTable, version int, wanted []bool, f func(columns []*arrowArray, rows int) error) error {
	rows := batch.int64(0)
	l := r.load(batch, r.body, version)
	columns, solid := make([]*arrowArray, len(r.columns)), false
	for at, field := range r.fields {
		c, read := slices.BinarySearch(r.places, at)
		a, err := l.array(field, read && wanted[c])
		if err != nil {
			return err
		}
		if a == nil {
			continue
		}
		if int64(a.n) != rows {
			return errArrowClaims
		}
		if a.dictionary {
			a.entries = r.entries[field.id]
		}
		if a.child != nil && a.child.dictionary {
			a.child.entries = r.entries[a.child.id]
		}
		solid = solid || a.data != nil || a.offsets != nil || a.kind == arrowFixedList
		columns[c] = a
	}
	if !solid { // rows without a value take no room in the file
		r.empty += rows
	}
	const allowance = 1 << 16
	if rows < 0 || r.empty > allowance+8*r.size {
		return errArrowClaims
	}
	if rows == 0 {
		return nil
	}
	if err := f(columns, int(rows)); err != nil {
		return err
	}
	r.src.Give(l.unpacked)
	return nil
}

// addEntries reads the values of a dictionary, or more of them.
func (r *arrowReader) addEntries(header flatTable, version int) error {
	id, more := header.int64(0), header.int8(2) != 0
	batch, ok := header.table(1)
	field := r.encoded[id]
	if !ok || field == nil {
		return errFlat
	}
	values := *field
	values.dictionary = false
	if !values.text() || values.value == valueNull {
		return nil // of a column that is left out, or an error
	}
	l := r.load(batch, r.body, version)
	a, err := l.array(&values, true)
	if err != nil {
		return err
	}
	var entries [][]byte
	if more {
		entries = r.entries[id]
	}
	const entry = 24 // bytes of a value beside its own
	for i := range a.n {
		var value []byte // nil for null
		if !a.isNull(i) {
			value = append([]byte{}, a.at(i)...)
		}
		if err := r.src.Take(entry+len(value), "the values of a dictionary"); err != nil {
			return err
		}
		entries = append(entries, value)
	}
	r.entries[id] = entries
	r.src.Give(l.unpacked)
	return nil
}

// addDictionaries adds the first field of each dictionary, at the top or inside another.
func addDictionaries(to map[int64]*arrowField, fields []*arrowField) {
	for _, f := range fields {
		if _, ok := to[f.id]; f.dictionary && !ok {
			to[f.id] = f
		}
		addDictionaries(to, f.children)
	}
}

func (r *arrowReader) readNumbers(features []int) error {
	wanted := r.wantLabels()
	for _, c := range features {
		wanted[c] = true
	}
	return r.eachBatch(r.from, r.to, wanted, func(columns []*arrowArray, rows batchRows) error {
		base, err := r.extend((rows.to - rows.from) * r.width)
		if err != nil {
			return err
		}
		for j, c := range features {
			a := columns[c]
			for i := rows.from; i < rows.to; i++ {
				v := math.NaN()
				if !a.isNull(i) {
					v = a.float(i)
				}
				switch {
				case isFinite(v):
					r.values.put(base+(i-rows.from)*r.width+j, v)
					if a.value == valueWhole && math.Abs(v) >= number.Exact {
						r.rounded[c] = true
					}
				case r.o.strict():
					return r.notFinite(rows.first+i, r.header[c], a.spelling(i))
				default:
					return errNoNumber
				}
			}
		}
		return r.addLabels(columns, rows)
	})
}

func (r *arrowReader) readLists(c int) error {
	wanted := r.wantLabels()
	wanted[c] = true
	if r.from > 0 || r.from == r.to { // another rank reads the first row, which tells how long lists are
		err := r.eachBatch(0, 1, wanted, func(columns []*arrowArray, _ batchRows) error {
			from, to := columns[c].between(0)
			return r.endList(r.header[c], 1, to-from)
		})
		if err != nil {
			return err
		}
	}
	return r.eachBatch(r.from, r.to, wanted, func(columns []*arrowArray, rows batchRows) error {
		list := columns[c]
		for i := rows.from; i < rows.to; i++ {
			row := rows.first + i
			if list.isNull(i) {
				return r.notFinite(row, r.header[c], "no value")
			}
			from, to := list.between(i)
			if to > list.child.n {
				return errArrowClaims
			}
			for k := from; k < to; k++ {
				if list.child.isNull(k) || !isFinite(list.child.float(k)) {
					return r.notFinite(row, r.header[c], list.child.spelling(k))
				}
			}
			if to == from {
				return r.notFinite(row, r.header[c], "no value")
			}
			if err := r.endList(r.header[c], row+1, to-from); err != nil {
				return err
			}
			start, err := r.extend(to - from)
			if err != nil {
				return err
			}
			for k := from; k < to; k++ {
				r.values.put(start+k-from, list.child.float(k))
			}
		}
		return r.addLabels(columns, rows)
	})
}

// wantLabels returns the wanted columns where only labels are read: the label column alone.
func (r *arrowReader) wantLabels() []bool {
	wanted := make([]bool, len(r.columns))
	if r.label >= 0 {
		wanted[r.label] = true
	}
	return wanted
}

func (r *arrowReader) addLabels(columns []*arrowArray, rows batchRows) error {
	var room []byte
	for i := rows.from; i < rows.to; i++ {
		if r.label < 0 || columns[r.label].isNull(i) {
			if err := r.labels.AddNone(); err != nil {
				return err
			}
			continue
		}
		room = columns[r.label].appendLabelAt(room[:0], i)
		if err := r.addLabel(room); err != nil {
			return err
		}
	}
	return nil
}

func (r *arrowReader) eachRow(from, to int, wanted []bool, label int, f func(fields [][]byte) error) error {
	fields := make([][]byte, len(r.columns))
	return r.eachBatch(from, to, wanted, func(columns []*arrowArray, rows batchRows) error {
		for i := rows.from; i < rows.to; i++ {
			for c, a := range columns {
				if a == nil {
					continue
				}
				if a.words() {
					more := a.wordBytes(i) - cap(fields[c])
					if err := r.src.Take(max(more, 0), "the text of a row"); err != nil {
						return err
					}
					fields[c] = slices.Grow(fields[c][:0], max(more, 0))
				}
				room := cap(fields[c])
				if c == label {
					fields[c] = a.appendLabelAt(fields[c][:0], i)
				} else {
					fields[c] = a.append(fields[c][:0], i)
				}
				if err := r.src.Take(cap(fields[c])-room, "the text of a row"); err != nil {
					return err
				}
			}
			if err := f(fields); err != nil {
				return err
			}
		}
		return nil
	})
}
