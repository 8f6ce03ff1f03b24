package files

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
)

const arrowMark = "ARROW1" // at both ends of a file

// The kinds of messages.
const (
	arrowSchema     = 1
	arrowDictionary = 2
	arrowBatch      = 3
)

// arrowMessages goes through the messages of a file or stream from its start. A
// file is a stream between two marks, followed by an index. The index is needed only if it
// alone has the schema, as Apache's library for JavaScript writes it.
type arrowMessages struct {
	src     *source
	in      *io.SectionReader
	left    int64 // bytes not read
	file    bool
	version int // of the format, by the last message, less 1
	meta    int // bytes of the last description
}

var (
	errArrowCut    = errors.New("it ends inside a message")
	errArrowClaims = errors.New("a part has an impossible size")
)

func newArrowMessages(src *source, at io.ReaderAt, size int64) (*arrowMessages, error) {
	m := &arrowMessages{src: src, in: io.NewSectionReader(at, 0, size), left: size}
	var head [8]byte
	if size < int64(len(head)) {
		return nil, errArrowCut
	}
	if _, err := at.ReadAt(head[:], 0); err != nil {
		return nil, err
	}
	if string(head[:6]) != arrowMark {
		return m, nil
	}
	m.file = true
	var end [6]byte
	if _, err := at.ReadAt(end[:], size-int64(len(end))); err != nil {
		return nil, err
	}
	if string(end[:]) != arrowMark || size < 2*int64(len(head)) {
		return nil, errors.New("its end is missing")
	}
	_, err := m.take(head[:])
	return m, err
}

// indexed returns the schema of the index of a file.
func (m *arrowMessages) indexed(at io.ReaderAt, size int64) (schema flatTable, err error) {
	end := make([]byte, 4+len(arrowMark))
	if _, err := at.ReadAt(end, size-int64(len(end))); err != nil {
		return schema, err
	}
	length := int64(binary.LittleEndian.Uint32(end))
	from := size - int64(len(end)) - length
	if from < 8 || length < 4 {
		return schema, errArrowCut
	}
	if err := m.src.Take(int(length), "the index of the file"); err != nil {
		return schema, err
	}
	index := make([]byte, length)
	if _, err := at.ReadAt(index, from); err != nil {
		return schema, err
	}
	schema, ok := flatRoot(index).table(1)
	if !ok {
		return schema, errFlat
	}
	return schema, nil
}

// take fills b.
func (m *arrowMessages) take(b []byte) (int, error) {
	m.left -= int64(len(b))
	n, err := io.ReadFull(m.in, b)
	if err == io.EOF && len(b) > 0 || err == io.ErrUnexpectedEOF {
		err = errArrowCut
	}
	return n, err
}

// next returns the next message: its kind, its header, and the size of the body,
// which is to be read next. After the last the error is io.EOF.
func (m *arrowMessages) next() (kind int, header flatTable, body int64, err error) {
	if m.left == 0 && !m.file {
		return 0, header, 0, io.EOF
	}
	var word [4]byte
	if _, err := m.take(word[:]); err != nil {
		return 0, header, 0, err
	}
	size := binary.LittleEndian.Uint32(word[:])
	if size == 0xffffffff { // files of versions before 0.15 have no such mark
		if _, err := m.take(word[:]); err != nil {
			return 0, header, 0, err
		}
		size = binary.LittleEndian.Uint32(word[:])
	}
	if size == 0 {
		return 0, header, 0, io.EOF
	}
	if int64(size) > m.left {
		return 0, header, 0, errArrowCut
	}
	m.src.Give(m.meta)
	m.meta = int(size)
	if err := m.src.Take(m.meta, "the description of a message"); err != nil {
		return 0, header, 0, err
	}
	meta := make([]byte, size)
	if _, err := m.take(meta); err != nil {
		return 0, header, 0, err
	}
	message := flatRoot(meta)
	header, ok := message.table(2)
	if !ok {
		return 0, header, 0, errFlat
	}
	if body = message.int64(3); body < 0 || body > m.left {
		return 0, header, 0, errArrowCut
	}
	m.version = message.int16(0, 0)
	return message.int8(1), header, body, nil
}

// skip leaves out a body.
func (m *arrowMessages) skip(body int64) error {
	m.left -= body
	_, err := m.in.Seek(body, io.SeekCurrent)
	return err
}

// arrowLoader makes arrays of a record batch, field by field in the order of the
// schema.
type arrowLoader struct {
	reader       *arrowReader
	batch        flatTable
	body         []byte
	version      int
	codec        int // −1 for none
	node, buffer int // the next of the batch
	variadic     int
	unpacked     int // bytes that were taken for buffers
}

func (r *arrowReader) load(batch flatTable, body []byte, version int) *arrowLoader {
	l := &arrowLoader{reader: r, batch: batch, body: body, version: version, codec: -1}
	if compression, ok := batch.table(3); ok {
		l.codec = compression.int8(0)
	}
	return l
}

// array returns the values of a field, or nil where they are not wanted.
func (l *arrowLoader) array(f *arrowField, wanted bool) (*arrowArray, error) {
	at, nodes := l.batch.vector(1, 16)
	if l.node >= nodes {
		return nil, errFlat
	}
	at += 16 * l.node
	l.node++
	a := &arrowArray{arrowField: f, n: int(binary.LittleEndian.Uint64(l.batch.data[at:]))}
	nulls := binary.LittleEndian.Uint64(l.batch.data[at+8:])
	if a.n < 0 {
		return nil, errFlat
	}
	count, more := f.buffers()
	if f.kind == arrowUnion && l.version < 4 {
		count++ // had nulls of its own
	}
	var buffers [][]byte
	if more {
		at, n := l.batch.vector(4, 8)
		if l.variadic >= n {
			return nil, errFlat
		}
		extra := binary.LittleEndian.Uint64(l.batch.data[at+8*l.variadic:])
		if l.variadic++; extra > uint64(len(l.batch.data)) {
			return nil, errFlat
		}
		count += int(extra)
	}
	for k := range count {
		b, err := l.next(wanted && !(k == 0 && nulls == 0))
		if err != nil {
			return nil, err
		}
		buffers = append(buffers, b)
	}
	for k, child := range f.children {
		if f.dictionary {
			break
		}
		c, err := l.array(child, wanted && (f.list() || f.words()))
		if err != nil {
			return nil, err
		}
		if k == 0 {
			a.child = c
		}
	}
	if !wanted {
		return nil, nil
	}
	if count > 0 && nulls > 0 {
		if a.valid = buffers[0]; a.n > 8*len(a.valid) {
			return nil, errFlat
		}
	}
	return a, a.lay(buffers)
}

// lay says what the buffers of an array are, and checks their sizes.
func (a *arrowArray) lay(buffers [][]byte) error {
	fits := true
	switch {
	case a.dictionary:
		a.data = buffers[1]
		fits = a.n <= len(a.data)/a.index.bytes
	case a.value == valueNull:
	case a.value == valueBool:
		a.data = buffers[1]
		fits = a.n <= 8*len(a.data)
	case a.value != valueOther && a.bytes > 0:
		a.data = buffers[1]
		fits = a.n <= len(a.data)/a.bytes
	case a.kind == arrowBinaryView, a.kind == arrowUTF8View:
		a.data, a.parts = buffers[1], buffers[2:]
		fits = a.n <= len(a.data)/16
	case a.value == valueText:
		a.offsets, a.data = buffers[1], buffers[2]
		fits = a.n == 0 || a.n < len(a.offsets)/a.offsetBytes()
	case a.kind == arrowFixedList:
		fits = a.size > 0 && a.n <= a.child.n/a.size
	case a.list(), a.words():
		a.offsets = buffers[1]
		fits = a.n == 0 || a.n < len(a.offsets)/a.offsetBytes()
	default:
		return errFlat
	}
	if !fits {
		return errArrowClaims
	}
	return nil
}

// next returns the next buffer, or nil where it is not wanted.
func (l *arrowLoader) next(wanted bool) ([]byte, error) {
	at, n := l.batch.vector(2, 16)
	if l.buffer >= n {
		return nil, errFlat
	}
	at += 16 * l.buffer
	l.buffer++
	if !wanted {
		return nil, nil
	}
	from, size := binary.LittleEndian.Uint64(l.batch.data[at:]), binary.LittleEndian.Uint64(l.batch.data[at+8:])
	if end := uint64(len(l.body)); from > end || size > end-from {
		return nil, errArrowClaims
	}
	packed := l.body[from : from+size]
	if l.codec < 0 || size == 0 {
		return packed, nil
	}
	data, err := l.reader.unpack(l.codec, packed)
	l.unpacked += len(data)
	return data, err
}

// unpack returns the data of a compressed buffer, which begins with their size, or
// −1 where they are not compressed.
func (r *arrowReader) unpack(codec int, packed []byte) ([]byte, error) {
	if len(packed) < 8 {
		return nil, errArrowClaims
	}
	size := int64(binary.LittleEndian.Uint64(packed))
	if packed = packed[8:]; size == -1 {
		return packed, nil
	}
	const allowance, ratio = 64 << 20, 256 // bytes, and more of them for each packed one
	if size < 0 || size > allowance+ratio*int64(len(packed)) {
		return nil, errArrowClaims
	}
	var in io.Reader
	switch codec {
	case 0:
		r.lz4.Reset(bytes.NewReader(packed))
		in = r.lz4
	case 1:
		if err := r.zstd.Reset(bytes.NewReader(packed)); err != nil {
			return nil, err
		}
		in = r.zstd
	default:
		return nil, errFlat
	}
	data, err := r.src.all(io.LimitReader(in, size))
	if err == nil && int64(len(data)) < size {
		err = errArrowClaims
	}
	return data, err
}

// count returns the number of rows, by the headers of the batches.
func (r *arrowReader) count() (rows int, err error) {
	m, err := newArrowMessages(r.src, r.at, r.size)
	for err == nil {
		var kind int
		var header flatTable
		var size int64
		if kind, header, size, err = m.next(); err != nil {
			break
		}
		if kind == arrowBatch {
			rows += int(max(header.int64(0), 0))
		}
		err = m.skip(size)
	}
	if err == io.EOF {
		return max(rows, 0), nil
	}
	return 0, err
}

// batchRows are those of a batch that are wanted.
type batchRows struct{ first, from, to int } // the first of the batch; of the wanted, counted from it

// eachBatch calls f for all batches with rows from ≤ row < to, with the wanted columns.
func (r *arrowReader) eachBatch(from, to int, wanted []bool, f func(columns []*arrowArray, rows batchRows) error) error {
	m, err := newArrowMessages(r.src, r.at, r.size)
	if err != nil {
		return err
	}
	r.entries, r.empty = make(map[int64][][]byte), 0
	for first := 0; ; {
		kind, header, size, err := m.next()
		if err == io.EOF || err == nil && first >= to {
			return nil
		}
		before := first
		if err == nil && kind == arrowBatch {
			first += int(max(header.int64(0), 0))
		}
		if err == nil && kind != arrowDictionary && (kind != arrowBatch || before < first && first <= from) {
			err = m.skip(size)
		} else if err == nil {
			err = r.fill(m, size)
			switch {
			case err != nil:
			case kind == arrowDictionary:
				err = r.addEntries(header, m.version)
			default:
				err = r.oneBatch(header, m.version, wanted, func(columns []*arrowArray, rows int) error {
					return f(columns, batchRows{before, max(from-before, 0), min(to-before, rows)})
				})
			}
		}
		if err != nil {
			return err
		}
	}
}
