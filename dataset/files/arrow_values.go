package files

import (
	"encoding/binary"
	"fmt"
	"math"
	"strconv"
	"time"

	"lapsvm/dataset/internal/number"
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
	entries []string // of the dictionary

}

func (a *arrowArray) isNull(i int) bool {
	return a.kind == arrowNull && !a.dictionary || a.valid != nil && a.valid[i>>3]>>(i&7)&1 == 0
}

// whole returns the integer i of a field.
func (f *arrowField) whole(data []byte, i int) int64 {
	switch f.bytes {
	case 1:
		if f.unsigned {
			return int64(data[i])
		}
		return int64(int8(data[i]))
	case 2:
		if v := binary.LittleEndian.Uint16(data[2*i:]); f.unsigned {
			return int64(v)
		} else {
			return int64(int16(v))
		}
	case 4:
		if v := binary.LittleEndian.Uint32(data[4*i:]); f.unsigned {
			return int64(v)
		} else {
			return int64(int32(v))
		}
	}
	return int64(binary.LittleEndian.Uint64(data[8*i:]))
}

// float returns the number or boolean i.
func (a *arrowArray) float(i int) float64 {
	switch {
	case a.kind == arrowBool:
		return float64(a.data[i>>3] >> (i & 7) & 1)
	case a.kind == arrowInt && a.unsigned:
		return float64(uint64(a.whole(a.data, i)))
	case a.kind == arrowInt:
		return float64(a.whole(a.data, i))
	case a.bytes == 2:
		return halfFloat(binary.LittleEndian.Uint16(a.data[2*i:]))
	case a.bytes == 4:
		return float64(math.Float32frombits(binary.LittleEndian.Uint32(a.data[4*i:])))
	}
	return math.Float64frombits(binary.LittleEndian.Uint64(a.data[8*i:]))
}

// halfFloat returns a number of 16 bits: a sign, 5 bits of exponent, 10 of
// fraction.
func halfFloat(bits uint16) float64 {
	sign, exponent, fraction := 1-2*float64(bits>>15), int(bits>>10&31), float64(bits&1023)
	switch exponent {
	case 0:
		return sign * math.Ldexp(fraction, -24)
	case 31:
		if fraction != 0 {
			return math.NaN()
		}
		return math.Inf(int(sign))
	}
	return sign * math.Ldexp(1024+fraction, exponent-25)
}

// append appends value i as the text of a field; null is none.
func (a *arrowArray) append(to []byte, i int) []byte {
	if a.isNull(i) {
		return to
	}
	if a.dictionary {
		return append(to, a.entries[a.place(i)]...)
	}
	if a.list() {
		return a.appendList(to, i)
	}
	switch a.kind {
	case arrowBool:
		return strconv.AppendBool(to, a.float(i) == 1)
	case arrowInt:
		if v := a.whole(a.data, i); a.unsigned {
			return strconv.AppendUint(to, uint64(v), 10)
		} else {
			return strconv.AppendInt(to, v, 10)
		}
	case arrowFloat:
		return appendFloat(to, a.float(i))
	case arrowDate:
		v := a.whole(a.data, i)
		if a.unit == 0 {
			return appendDay(to, time.Unix(v*secondsPerDay, 0))
		}
		return appendDay(to, time.UnixMilli(v))
	case arrowTimestamp:
		v := a.whole(a.data, i)
		switch a.unit {
		case 0:
			return appendTime(to, time.Unix(v, 0))
		case 1:
			return appendTime(to, time.UnixMilli(v))
		case 2:
			return appendTime(to, time.UnixMicro(v))
		}
		return appendTime(to, time.Unix(0, v))
	}
	return append(to, a.bytesOf(i)...)
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
		if a.child.isNull(k) {
			to = append(to, "null"...)
		} else {
			to = appendFloat(to, a.child.float(k))
		}
	}
	return append(to, ']')
}

// appendLabel appends value i as a label.
func (a *arrowArray) appendLabel(to []byte, i int) []byte {
	if a.kind != arrowFloat || a.isNull(i) {
		return a.append(to, i)
	}
	if !a.dictionary {
		return appendLabel(to, a.float(i))
	}
	v, err := number.Parse(a.entries[a.place(i)])
	if err != nil {
		return to
	}
	return appendLabel(to, v)
}

// place returns where value i is in the dictionary.
func (a *arrowArray) place(i int) int {
	at := a.index.whole(a.data, i)
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
