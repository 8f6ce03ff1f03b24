package files

import (
	"fmt"
	"io"
	"math"
	"slices"

	"lapsvm/points"
)

// stored is numbers of a binary file as they are kept in memory: in one of the
// slices.
type stored struct {
	storage points.Storage
	double  []float64
	single  []float32
	byte    []uint8
}

// storage returns what keeps numbers of a type, and whether all of them; if not, it
// is what the first are kept in.
func (e element) storage() (s points.Storage, all bool) {
	switch {
	case e.isByte():
		return points.Uint8, true
	case e.kind == 'f' && e.size == 8:
		return points.Float64, true
	case e.kind == 'f' || e.size <= 2:
		return points.Float32, true
	}
	return points.Uint8, false
}

// stored reads total numbers as they are kept: bytes as bytes, float32 and shorter
// integers as float32, longer integers in the first of bytes, float32 and float64
// that all of them fit into, float64 as such. Without a limit the memory taken is at
// most four times that of the numbers found, whatever total says. The source may go
// on.
func (s *source) stored(e element, total int) (stored, error) {
	storage, fits := e.storage()
	v := stored{storage: storage}
	if err := s.Take(storage.Size()*total, fmt.Sprintf("%d values", total)); err != nil {
		return v, err
	}
	const step, first = 1 << 14, 1 << 20
	room := min(total, first)
	if s.Memory.Limited() || s.file != nil && s.size/int64(e.size) >= int64(total) {
		room = total // which fits, or is in the file
	}
	raw, part := make([]byte, step*e.size), make([]float64, step)
	for done := 0; done < total; {
		k := min(step, total-done)
		in := raw[:k*e.size]
		if e.isByte() {
			v.grow(done+k, room, total)
			in = v.byte[done : done+k]
		}
		n, err := io.ReadFull(s, in)
		if err == io.EOF || err == io.ErrUnexpectedEOF {
			return v, s.cut(done+n/e.size, total)
		}
		if err != nil {
			return v, err
		}
		if !e.isByte() {
			e.decode(part[:k], in)
			if !fits {
				if err := v.fit(s, part[:k], done, total); err != nil {
					return v, err
				}
			}
			v.grow(done+k, room, total)
			v.set(done, part[:k])
		}
		done += k
	}
	return v, nil
}

// grow makes room for n values of total, and at least room.
func (v *stored) grow(n, room, total int) {
	switch v.storage {
	case points.Float64:
		v.double = longer(v.double, n, room, total)
	case points.Float32:
		v.single = longer(v.single, n, room, total)
	default:
		v.byte = longer(v.byte, n, room, total)
	}
}

func longer[V any](values []V, n, room, total int) []V {
	if n > cap(values) {
		grown := make([]V, len(values), max(room, min(total, max(n, 4*cap(values)))))
		copy(grown, values)
		values = grown
	}
	return values[:n]
}

// len returns the number of values.
func (v *stored) len() int { return len(v.double) + len(v.single) + len(v.byte) }

// extend appends so many values, which are to be set.
func (v *stored) extend(more int) {
	switch n := v.len() + more; v.storage {
	case points.Float64:
		v.double = slices.Grow(v.double, more)[:n]
	case points.Float32:
		v.single = slices.Grow(v.single, more)[:n]
	default:
		v.byte = slices.Grow(v.byte, more)[:n]
	}
}

// put sets a value.
func (v *stored) put(k int, x float64) {
	switch v.storage {
	case points.Float64:
		v.double[k] = x
	case points.Float32:
		v.single[k] = float32(x)
	default:
		v.byte[k] = uint8(x)
	}
}

// fit changes what the first done values, of total, are kept in where some of the next,
// kept or not, do not fit.
func (v *stored) fit(s *source, next []float64, done, total int) error {
	to := v.storage
	for _, x := range next {
		if to == points.Uint8 && !(x >= 0 && x <= math.MaxUint8) {
			to = points.Float32
		}
		if to == points.Float32 && float64(float32(x)) != x {
			to = points.Float64
			break
		}
	}
	if to == v.storage {
		return nil
	}
	if err := s.Take((to.Size()-v.storage.Size())*total, fmt.Sprintf("%d values", total)); err != nil {
		return err
	}
	wide := stored{storage: to}
	wide.grow(done, min(total, max(cap(v.byte), cap(v.single))), total)
	for k := range done {
		if to == points.Float32 {
			wide.single[k] = float32(v.at(k))
		} else {
			wide.double[k] = v.at(k)
		}
	}
	*v = wide
	return nil
}

// set stores values from the k-th on.
func (v *stored) set(k int, values []float64) {
	switch v.storage {
	case points.Float64:
		copy(v.double[k:], values)
	case points.Float32:
		for i, x := range values {
			v.single[k+i] = float32(x)
		}
	default:
		for i, x := range values {
			v.byte[k+i] = uint8(x)
		}
	}
}

// at returns a value.
func (v *stored) at(k int) float64 {
	switch v.storage {
	case points.Float64:
		return v.double[k]
	case points.Float32:
		return float64(v.single[k])
	}
	return float64(v.byte[k])
}

// points returns the values as a table of n rows.
func (v *stored) points(n, d int) *points.Points {
	switch v.storage {
	case points.Float64:
		return points.Dense(n, d, v.double)
	case points.Float32:
		return points.Dense32(n, d, v.single)
	}
	return points.DenseBytes(n, d, v.byte)
}

// closeUp leaves out a column of rows of so many values, in place.
func (v *stored) closeUp(n, width, column int) {
	switch v.storage {
	case points.Float64:
		v.double = closedUp(v.double, n, width, column)
	case points.Float32:
		v.single = closedUp(v.single, n, width, column)
	default:
		v.byte = closedUp(v.byte, n, width, column)
	}
}

func closedUp[V any](values []V, n, width, column int) []V {
	d := width - 1
	for i := range n {
		to, from := values[i*d:(i+1)*d], values[i*width:(i+1)*width]
		copy(to, from[:column])
		copy(to[column:], from[column+1:])
	}
	return values[:n*d]
}

// turn puts values in Fortran's order row after row, each of the columns that are
// wanted in C's order.
func (v *stored) turn(h npyHeader, columns []int) {
	switch v.storage {
	case points.Float64:
		v.double = turned(v.double, h, columns)
	case points.Float32:
		v.single = turned(v.single, h, columns)
	default:
		v.byte = turned(v.byte, h, columns)
	}
}

func turned[V any](values []V, h npyHeader, columns []int) []V {
	n, d := h.shape[0], len(columns)
	if (n == 1 || d == 1) && d == h.width() && len(h.shape) == 2 {
		return values
	}
	const block = 32 // columns at a time, so that the rows written to stay in the cache
	rows := make([]V, n*d)
	var from [block][]V
	for first := 0; first < d; first += block {
		part := columns[first:min(first+block, d)]
		for k, c := range part {
			from[k] = values[h.place(c)*n : (h.place(c)+1)*n]
		}
		for i := range n {
			for k := range part {
				rows[i*d+first+k] = from[k][i]
			}
		}
	}
	return rows
}
