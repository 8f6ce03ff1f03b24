package export

import (
	"io"
	"math"

	"google.golang.org/protobuf/encoding/protowire"
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

func tag(field int, kind protowire.Type) []byte {
	return protowire.AppendTag(nil, protowire.Number(field), kind)
}

// length begins a field of so many bytes.
func (m *message) length(field, n int) {
	m.add(protowire.AppendVarint(tag(field, protowire.BytesType), uint64(n)))
}

// int adds an integer field; negative ones take ten bytes.
func (m *message) int(field int, v int64) {
	m.add(protowire.AppendVarint(tag(field, protowire.VarintType), uint64(v)))
}

func (m *message) float(field int, v float32) {
	m.add(protowire.AppendFixed32(tag(field, protowire.Fixed32Type), math.Float32bits(v)))
}

// bytes adds a field of bytes, which are not copied.
func (m *message) bytes(field int, b []byte) {
	m.length(field, len(b))
	m.add(b)
}

func (m *message) string(field int, s string) { m.bytes(field, []byte(s)) }

func (m *message) message(field int, inner *message) {
	m.length(field, inner.size)
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
