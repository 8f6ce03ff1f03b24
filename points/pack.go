package points

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"
)

// AppendRows appends rows to dst in the format that [FromRows] reads: little-endian, as they are
// stored, before any scaling. A sparse row has the number of its values, their columns and the
// values.
func (p *Points) AppendRows(dst []byte, rows []int) []byte {
	if !p.Sparse() {
		dst = slices.Grow(dst, len(rows)*p.d*p.storage.Size())
	}
	for _, i := range rows {
		if !p.Sparse() {
			dst = p.AppendStored(dst, i)
			continue
		}
		index, value := p.SparseRow(i)
		dst = binary.LittleEndian.AppendUint32(dst, uint32(len(index)))
		for _, j := range index {
			dst = binary.LittleEndian.AppendUint32(dst, uint32(j))
		}
		for _, v := range value {
			dst = binary.LittleEndian.AppendUint64(dst, math.Float64bits(v))
		}
	}
	return dst
}

// FromRows returns the table of the rows that [Points.AppendRows] wrote, part after part. The
// rows are of tables with the columns and the storage of like, a table that is not scaled. It
// panics where the bytes are no such rows.
func FromRows(like *Points, parts ...[]byte) *Points {
	length := 0
	for _, part := range parts {
		length += len(part)
	}
	if like.Sparse() {
		return sparseRows(like.d, parts)
	}
	size := like.storage.Size()
	if like.d == 0 || length%(like.d*size) != 0 {
		panic(fmt.Sprintf("points: FromRows of %d bytes of %d columns in %v", length, like.d, like.storage))
	}
	n := length / (like.d * size)
	switch like.storage {
	case Uint8:
		values := make([]uint8, 0, length)
		for _, part := range parts {
			values = append(values, part...)
		}
		return DenseBytes(n, like.d, values)
	case Float32:
		values := make([]float32, 0, length/size)
		for _, part := range parts {
			for ; len(part) > 0; part = part[size:] {
				values = append(values, math.Float32frombits(binary.LittleEndian.Uint32(part)))
			}
		}
		return Dense32(n, like.d, values)
	}
	values := make([]float64, 0, length/size)
	for _, part := range parts {
		for ; len(part) > 0; part = part[size:] {
			values = append(values, math.Float64frombits(binary.LittleEndian.Uint64(part)))
		}
	}
	return Dense(n, like.d, values)
}

func sparseRows(d int, parts [][]byte) *Points {
	start, index, value := []int{0}, []int32(nil), []float64(nil)
	for _, part := range parts {
		for len(part) > 0 {
			count := int(binary.LittleEndian.Uint32(part))
			for part = part[4:]; count > 0 && len(index) < start[len(start)-1]+count; part = part[4:] {
				index = append(index, int32(binary.LittleEndian.Uint32(part)))
			}
			for ; len(value) < len(index); part = part[8:] {
				value = append(value, math.Float64frombits(binary.LittleEndian.Uint64(part)))
			}
			start = append(start, len(index))
		}
	}
	return CSR(d, start, index, value)
}
