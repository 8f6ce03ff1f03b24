package files

import (
	"encoding/binary"
	"errors"
)

// FlatBuffers, as the descriptions in Arrow files are. A table has its fields
// where its vtable says; what has no size of its own lies elsewhere, at an offset
// from the field. Source: "FlatBuffers Internals".

// errFlat tells that a description is impossible. Access beyond the data panics
// with a runtime error in its place; both are for [readArrow] to catch.
var errFlat = errors.New("its description is impossible")

// flatTable is a table at a place of a description.
type flatTable struct {
	data []byte
	at   int
}

func flatRoot(data []byte) flatTable {
	return flatTable{data, int(binary.LittleEndian.Uint32(data))}
}

// field returns the place of a field, 0 where it has its default.
func (t flatTable) field(k int) int {
	vtable := t.at - int(int32(binary.LittleEndian.Uint32(t.data[t.at:])))
	if slot := 4 + 2*k; slot < int(binary.LittleEndian.Uint16(t.data[vtable:])) {
		if offset := int(binary.LittleEndian.Uint16(t.data[vtable+slot:])); offset > 0 {
			return t.at + offset
		}
	}
	return 0
}

func (t flatTable) int8(k int) int {
	if at := t.field(k); at > 0 {
		return int(int8(t.data[at]))
	}
	return 0
}

func (t flatTable) int16(k, otherwise int) int {
	if at := t.field(k); at > 0 {
		return int(int16(binary.LittleEndian.Uint16(t.data[at:])))
	}
	return otherwise
}

func (t flatTable) int32(k int) int {
	if at := t.field(k); at > 0 {
		return int(int32(binary.LittleEndian.Uint32(t.data[at:])))
	}
	return 0
}

func (t flatTable) int64(k int) int64 {
	if at := t.field(k); at > 0 {
		return int64(binary.LittleEndian.Uint64(t.data[at:]))
	}
	return 0
}

// target returns the place that the offset at a place leads to.
func (t flatTable) target(at int) int { return at + int(binary.LittleEndian.Uint32(t.data[at:])) }

// table returns the table in a field, if there is one.
func (t flatTable) table(k int) (flatTable, bool) {
	at := t.field(k)
	if at == 0 {
		return flatTable{}, false
	}
	return flatTable{t.data, t.target(at)}, true
}

// vector returns the place of the first element and the number of elements, of so
// many bytes each, of the vector in a field.
func (t flatTable) vector(k, size int) (first, n int) {
	at := t.field(k)
	if at == 0 {
		return 0, 0
	}
	at = t.target(at)
	n = int(binary.LittleEndian.Uint32(t.data[at:]))
	if at+4+n*size > len(t.data) {
		panic(errFlat)
	}
	return at + 4, n
}

// tables returns the tables of the vector in a field.
func (t flatTable) tables(k int) []flatTable {
	first, n := t.vector(k, 4)
	all := make([]flatTable, n)
	for i := range all {
		all[i] = flatTable{t.data, t.target(first + 4*i)}
	}
	return all
}

func (t flatTable) text(k int) string {
	first, n := t.vector(k, 1)
	return string(t.data[first : first+n])
}

// flatWriter writes a description: every table before what its fields lead to.
type flatWriter struct{ data []byte }

// flatField is a field of a table to be written: a number of so many bytes, or an
// offset of four that is written later, or with 0 bytes nothing.
type flatField struct {
	bytes int
	value int64
}

// offset is a field that leads elsewhere.
var offset = flatField{bytes: 4}

func (w *flatWriter) pad(to int) {
	for len(w.data)%to != 0 {
		w.data = append(w.data, 0)
	}
}

func (w *flatWriter) number(bytes int, v int64) {
	var room [8]byte
	binary.LittleEndian.PutUint64(room[:], uint64(v))
	w.data = append(w.data, room[:bytes]...)
}

// table writes a table, to which the offset at a place is to lead, and returns the
// places of its fields.
func (w *flatWriter) table(from int, fields ...flatField) []int {
	w.pad(2)
	vtable := len(w.data)
	w.data = append(w.data, make([]byte, 4+2*len(fields))...)
	w.pad(8)
	start := len(w.data)
	w.lead(from)
	w.number(4, int64(start-vtable))
	places := make([]int, len(fields))
	for k, f := range fields {
		if f.bytes == 0 {
			continue
		}
		w.pad(f.bytes)
		places[k] = len(w.data)
		binary.LittleEndian.PutUint16(w.data[vtable+4+2*k:], uint16(places[k]-start))
		w.number(f.bytes, f.value)
	}
	binary.LittleEndian.PutUint16(w.data[vtable:], uint16(4+2*len(fields)))
	binary.LittleEndian.PutUint16(w.data[vtable+2:], uint16(len(w.data)-start))
	return places
}

// vector begins a vector of n elements, to be written next, to which the offset at
// a place is to lead; aligned is the alignment of the elements.
func (w *flatWriter) vector(from, n, aligned int) {
	for w.pad(4); (len(w.data)+4)%aligned != 0; {
		w.number(4, 0)
	}
	w.lead(from)
	w.number(4, int64(n))
}

// offsets writes a vector of n offsets and returns their places.
func (w *flatWriter) offsets(from, n int) []int {
	w.vector(from, n, 4)
	places := make([]int, n)
	for k := range places {
		places[k] = len(w.data)
		w.number(4, 0)
	}
	return places
}

func (w *flatWriter) text(from int, s string) {
	w.vector(from, len(s), 1)
	w.data = append(append(w.data, s...), 0)
}

// lead makes the offset at a place lead to the end.
func (w *flatWriter) lead(from int) {
	binary.LittleEndian.PutUint32(w.data[from:], uint32(len(w.data)-from))
}
