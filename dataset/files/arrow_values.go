package files

import (
	"encoding/binary"
	"fmt"
)

// arrowArray is the values of a field in a batch.
type arrowArray struct {
	*arrowField
	n       int
	valid   []byte // a bit for each value, 0 for null; nil where none is
	data    []byte // numbers, text, or views of text
	offsets []byte // into data, or into the values of child
	parts   [][]byte
	child   *arrowArray
	entries [][]byte // of the dictionary, nil for null
}

func (a *arrowArray) isNull(i int) bool {
	if a.valid != nil && a.valid[i>>3]>>(i&7)&1 == 0 {
		return true
	}
	if a.dictionary {
		return a.entries[a.place(i)] == nil
	}
	return a.value == valueNull
}

// float returns the number or boolean i.
func (a *arrowArray) float(i int) float64 { return a.valueType.float(a.at(i)) }

// at returns the bytes of value i.
func (a *arrowArray) at(i int) []byte {
	switch {
	case a.dictionary:
		return a.entries[a.place(i)]
	case a.value == valueBool:
		return bitValues[a.data[i>>3]>>(i&7)&1][:]
	case a.value == valueText:
		return a.bytesOf(i)
	}
	return a.data[i*a.bytes : (i+1)*a.bytes]
}

// append appends value i as the text of a field; null is none.
func (a *arrowArray) append(to []byte, i int) []byte {
	switch {
	case a.isNull(i):
		return to
	case a.list(), a.words():
		return a.appendList(to, i)
	}
	return a.appendField(to, a.at(i))
}

// appendList appends list i.
func (a *arrowArray) appendList(to []byte, i int) []byte {
	from, end := a.between(i)
	if end > a.child.n {
		panic(errFlat)
	}
	to = append(to, '[')
	for k := from; k < end; k++ {
		if k > from {
			to = append(to, ',')
		}
		switch {
		case a.child.isNull(k):
			to = append(to, "null"...)
		case a.words():
			to = appendWord(to, a.child.at(k))
		default:
			to = appendFloat(to, a.child.float(k))
		}
	}
	return append(to, ']')
}

// wordBytes returns about how many bytes the text of list i of words has, at most.
func (a *arrowArray) wordBytes(i int) int {
	const others = 4 // null, or quotes and a comma
	if a.isNull(i) {
		return 0
	}
	from, end := a.between(i)
	if end > a.child.n {
		panic(errFlat)
	}
	size := 2
	for k := from; k < end; k++ {
		size += others
		if !a.child.isNull(k) {
			size += len(a.child.at(k))
		}
	}
	return size
}

// appendLabelAt appends value i as a label; null is none.
func (a *arrowArray) appendLabelAt(to []byte, i int) []byte {
	switch {
	case a.isNull(i):
		return to
	case a.words():
		return a.appendList(to, i)
	}
	return a.appendLabel(to, a.at(i))
}

// place returns where value i is in the dictionary.
func (a *arrowArray) place(i int) int {
	width := a.index.bytes
	at := a.index.whole(a.data[i*width : (i+1)*width])
	if at < 0 || at >= int64(len(a.entries)) {
		panic(errFlat)
	}
	return int(at)
}

// between returns where list or string i begins and ends.
func (a *arrowArray) between(i int) (from, to int) {
	switch {
	case a.kind == arrowFixedList:
		return i * a.size, (i + 1) * a.size
	case a.offsetBytes() == 8:
		from, to = int(binary.LittleEndian.Uint64(a.offsets[8*i:])), int(binary.LittleEndian.Uint64(a.offsets[8*i+8:]))
	default:
		from, to = int(int32(binary.LittleEndian.Uint32(a.offsets[4*i:]))), int(int32(binary.LittleEndian.Uint32(a.offsets[4*i+4:])))
	}
	if from < 0 || from > to {
		panic(errFlat)
	}
	return from, to
}

// bytesOf returns string i.
func (a *arrowArray) bytesOf(i int) []byte {
	if a.kind != arrowBinaryView && a.kind != arrowUTF8View {
		from, to := a.between(i)
		return a.data[from:to]
	}
	const inside = 12 // bytes that fit into a view
	view := a.data[16*i : 16*i+16]
	length := int(int32(binary.LittleEndian.Uint32(view)))
	if length <= inside {
		return view[4 : 4+length]
	}
	part, from := int(int32(binary.LittleEndian.Uint32(view[8:]))), int(int32(binary.LittleEndian.Uint32(view[12:])))
	return a.parts[part][from : from+length]
}

// spelling words a value that is no finite number.
func (a *arrowArray) spelling(i int) string {
	if a.isNull(i) {
		return "no value"
	}
	return fmt.Sprint(a.float(i))
}
