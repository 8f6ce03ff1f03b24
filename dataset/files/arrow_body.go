package files

import (
	"encoding/binary"
	"math"
)

// arrowBody is the body of a batch to be written and what its description has to
// tell of it.
type arrowBody struct {
	data    []byte
	nodes   [][2]int64 // of each field: values, and how many are null
	buffers [][2]int64 // place and size
}

func (b *arrowBody) node(n, nulls int) { b.nodes = append(b.nodes, [2]int64{int64(n), int64(nulls)}) }

// buffer adds a buffer, filled up to 8 bytes.
func (b *arrowBody) buffer(data []byte) {
	b.buffers = append(b.buffers, [2]int64{int64(len(b.data)), int64(len(data))})
	b.data = append(b.data, data...)
	for len(b.data)%8 != 0 {
		b.data = append(b.data, 0)
	}
}

// floats adds a column of n doubles.
func (b *arrowBody) floats(values []float64, n int) {
	b.node(n, 0)
	b.buffer(nil)
	data := make([]byte, 0, 8*n)
	for _, v := range values {
		data = binary.LittleEndian.AppendUint64(data, math.Float64bits(v))
	}
	b.buffer(data)
}

// texts adds a column of the texts of these rows; "" is null.
func (b *arrowBody) texts(from, to int, text func(i int) string) {
	n, nulls := to-from, 0
	valid := make([]byte, (n+7)/8)
	offsets, data := make([]byte, 8, 8*(n+1)), []byte(nil)
	for i := range n {
		s := text(from + i)
		if data = append(data, s...); s == "" {
			nulls++
		} else {
			valid[i/8] |= 1 << (i % 8)
		}
		offsets = binary.LittleEndian.AppendUint64(offsets, uint64(len(data)))
	}
	if nulls == 0 {
		valid = nil
	}
	b.node(n, nulls)
	b.buffer(valid)
	b.buffer(offsets)
	b.buffer(data)
}

// describe writes the header of a batch of so many rows.
func (b *arrowBody) describe(w *flatWriter, from, rows int) {
	batch := w.table(from, flatField{8, int64(rows)}, offset, offset)
	for k, all := range [][][2]int64{b.nodes, b.buffers} {
		w.vector(batch[1+k], len(all), 8)
		for _, pair := range all {
			w.number(8, pair[0])
			w.number(8, pair[1])
		}
	}
}

const arrowVersion = 4 // of the format, V5

// message writes a message whose body, of so many bytes, is written next; header
// writes what the offset at a place is to lead to.
func (w *arrowWriter) message(kind, body int, header func(f *flatWriter, from int)) {
	f := flatWriter{data: make([]byte, 4)}
	header(&f, f.table(0, flatField{2, arrowVersion}, flatField{1, int64(kind)}, offset, flatField{8, int64(body)})[2])
	f.pad(8)
	w.bytes(binary.LittleEndian.AppendUint32([]byte("\xff\xff\xff\xff"), uint32(len(f.data))))
	w.bytes(f.data)
}

// schema writes the schema, to which the offset at a place is to lead.
func (w *arrowWriter) schema(f *flatWriter, from int) {
	places := f.offsets(f.table(from, flatField{}, offset)[1], len(w.columns))
	for k, c := range w.columns {
		field := c.describe(f, places[k], c.name)
		if c.list > 0 {
			arrowColumn{}.describe(f, f.offsets(field, 1)[0], "item")
		} else {
			f.offsets(field, 0)
		}
	}
}

// describe writes the field of a column and returns the place of the offset to its
// children.
func (c arrowColumn) describe(f *flatWriter, from int, name string) int {
	kind, nullable := int64(arrowFloat), int64(0)
	switch {
	case c.strings:
		kind, nullable = arrowLargeUTF8, 1
	case c.list > 0:
		kind = arrowFixedList
	}
	field := f.table(from, offset, flatField{1, nullable}, flatField{1, kind}, offset, flatField{}, offset)
	f.text(field[0], name)
	const double = 2
	switch kind {
	case arrowFloat:
		f.table(field[3], flatField{2, double})
	case arrowFixedList:
		f.table(field[3], flatField{4, int64(c.list)})
	default:
		f.table(field[3])
	}
	return field[5]
}

// footer returns the index of a file.
func (w *arrowWriter) footer() []byte {
	f := flatWriter{data: make([]byte, 4)}
	root := f.table(0, flatField{2, arrowVersion}, offset, offset, offset)
	w.schema(&f, root[1])
	f.vector(root[2], 0, 8) // dictionaries
	f.vector(root[3], len(w.blocks), 8)
	for _, b := range w.blocks {
		f.number(8, b.at)
		f.number(8, b.meta)
		f.number(8, b.body)
	}
	f.pad(8)
	return f.data
}
