package export

import (
	"encoding/binary"
	"io"
	"math"
)

// message is a protobuf message under construction: the pieces of its encoding,
// in order. A message inside another shares its pieces, so that the arrays of a
// model are held once.
type message struct {
	pieces [][]byte
	size   int
}

func (m *message) add(piece []byte) {
	m.pieces = append(m.pieces, piece)
	m.size += len(piece)
}

// The wire types of the encoding.
const (
	wireVarint = 0
	wireBytes  = 2
	wireFixed  = 5 // 32 bits
)

func key(field, wire int) []byte { return binary.AppendUvarint(nil, uint64(field<<3|wire)) }

// int adds an integer field; negative ones take ten bytes.
func (m *message) int(field int, v int64) {
	m.add(binary.AppendUvarint(key(field, wireVarint), uint64(v)))
}

func (m *message) float(field int, v float32) {
	m.add(binary.LittleEndian.AppendUint32(key(field, wireFixed), math.Float32bits(v)))
}

// bytes adds a field of bytes, which are not copied.
func (m *message) bytes(field int, b []byte) {
	m.add(binary.AppendUvarint(key(field, wireBytes), uint64(len(b))))
	m.add(b)
}

func (m *message) string(field int, s string) { m.bytes(field, []byte(s)) }

func (m *message) message(field int, inner *message) {
	m.add(binary.AppendUvarint(key(field, wireBytes), uint64(inner.size)))
	m.pieces = append(m.pieces, inner.pieces...)
	m.size += inner.size
}

func (m *message) writeTo(w io.Writer) error {
	for _, piece := range m.pieces {
		if _, err := w.Write(piece); err != nil {
			return err
		}
	}
	return nil
}
