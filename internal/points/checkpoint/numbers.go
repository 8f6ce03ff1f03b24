package checkpoint

import (
	"context"
	"encoding/binary"
	"hash"
	"io"
	"math"
)

// chunk is how many bytes are converted, and written or read, at once.
const chunk = 1 << 16

// writer writes numbers, little-endian, until the first error, which it keeps.
type writer struct {
	ctx    context.Context
	w      io.Writer
	buffer []byte
	err    error
}

// Write never fails: flush does.
func (w *writer) Write(b []byte) (int, error) {
	w.buffer = append(w.buffer, b...)
	w.written()
	return len(b), nil
}

func (w *writer) written() {
	if len(w.buffer) >= chunk {
		_ = w.flush() // the error is kept
	}
}

// flush writes what is gathered, and returns the first error there was.
func (w *writer) flush() error {
	if w.err == nil {
		w.err = w.ctx.Err()
	}
	if w.err == nil {
		_, w.err = w.w.Write(w.buffer)
	}
	w.buffer = w.buffer[:0]
	return w.err
}

func (w *writer) int32s(x []int32) {
	for ; len(x) > 0 && w.err == nil; w.written() {
		n := min(len(x), chunk/4)
		for _, v := range x[:n] {
			w.buffer = binary.LittleEndian.AppendUint32(w.buffer, uint32(v))
		}
		x = x[n:]
	}
}

func (w *writer) float32s(x []float32) {
	for ; len(x) > 0 && w.err == nil; w.written() {
		n := min(len(x), chunk/4)
		for _, v := range x[:n] {
			w.buffer = binary.LittleEndian.AppendUint32(w.buffer, math.Float32bits(v))
		}
		x = x[n:]
	}
}

func (w *writer) float64s(x []float64) {
	for ; len(x) > 0 && w.err == nil; w.written() {
		n := min(len(x), chunk/8)
		for _, v := range x[:n] {
			w.buffer = binary.LittleEndian.AppendUint64(w.buffer, math.Float64bits(v))
		}
		x = x[n:]
	}
}

// reader reads what a writer wrote, until the first error, which it keeps.
type reader struct {
	ctx    context.Context
	r      io.Reader
	sum    hash.Hash
	buffer [chunk]byte
	err    error
}

// next returns n bytes, or nil on an error.
func (r *reader) next(n int) []byte {
	if r.err == nil {
		r.err = r.ctx.Err()
	}
	if r.err == nil {
		_, r.err = io.ReadFull(r.r, r.buffer[:n])
	}
	if r.err != nil {
		return nil
	}
	r.sum.Write(r.buffer[:n])
	return r.buffer[:n]
}

func (r *reader) int32s(x []int32) {
	for len(x) > 0 && r.err == nil {
		n := min(len(x), chunk/4)
		for k, b := 0, r.next(4*n); len(b) > 0; k, b = k+1, b[4:] {
			x[k] = int32(binary.LittleEndian.Uint32(b))
		}
		x = x[n:]
	}
}

func (r *reader) float32s(x []float32) {
	for len(x) > 0 && r.err == nil {
		n := min(len(x), chunk/4)
		for k, b := 0, r.next(4*n); len(b) > 0; k, b = k+1, b[4:] {
			x[k] = math.Float32frombits(binary.LittleEndian.Uint32(b))
		}
		x = x[n:]
	}
}

func (r *reader) float64s(x []float64) {
	for len(x) > 0 && r.err == nil {
		n := min(len(x), chunk/8)
		for k, b := 0, r.next(8*n); len(b) > 0; k, b = k+1, b[8:] {
			x[k] = math.Float64frombits(binary.LittleEndian.Uint64(b))
		}
		x = x[n:]
	}
}
