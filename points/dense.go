package points

import (
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"sync"

	"lapsvm/internal/numbers/parallel"
	"lapsvm/internal/numbers/vec"
)

// Storage is the type in which a dense table stores its values.
type Storage int

// The storage types.
const (
	Float64 Storage = iota
	Float32
	Uint8 // whole numbers from 0 to 255
)

// String returns the name, such as "float32".
func (s Storage) String() string {
	return [...]string{Float64: "float64", Float32: "float32", Uint8: "uint8"}[s]
}

// Size returns the bytes of a value.
func (s Storage) Size() int { return [...]int{Float64: 8, Float32: 4, Uint8: 1}[s] }

// dense holds the values of a dense table, in one of three slices, with the scaling applied as
// they are read.
type dense struct {
	storage Storage
	double  []float64
	single  []float32
	byte    []uint8
	scaled  *asRead // nil for values as they are stored, and for float64
}

// Dense makes a table of n rows and d columns from values, row after row.
// It keeps values: the caller must not change them afterwards.
// It panics if len(values) is not n·d.
func Dense(n, d int, values []float64) *Points {
	return newDense(n, d, len(values), dense{double: values})
}

// Dense32 is [Dense] for float32 values. The table stores float32, in half the memory, and
// converts rows to float64, exactly, whenever they are read.
func Dense32(n, d int, values []float32) *Points {
	return newDense(n, d, len(values), dense{storage: Float32, single: values})
}

// DenseBytes is [Dense] for whole numbers from 0 to 255, stored as bytes and converted to
// float64, exactly, whenever they are read.
func DenseBytes(n, d int, values []uint8) *Points {
	return newDense(n, d, len(values), dense{storage: Uint8, byte: values})
}

func newDense(n, d, length int, v dense) *Points {
	if n < 0 || d < 0 || length != n*d {
		panic(fmt.Sprintf("points: a table of %d×%d with %d values", n, d, length))
	}
	p := &Points{n: n, d: d, dense: v, square: make([]float64, n)}
	p.setSquares()
	return p
}

// setSquares computes ‖x_i‖² of the rows of a dense table.
func (p *Points) setSquares() {
	scratch := p.Scratch(1)
	for i := range p.square {
		p.square[i] = square(p.Row(i, scratch))
	}
}

// bytes returns the memory of the values and of their scaling.
func (v *dense) bytes() int64 {
	bytes := 8*int64(len(v.double)) + 4*int64(len(v.single)) + int64(len(v.byte))
	if v.scaled != nil {
		bytes += v.scaled.bytes()
	}
	return bytes
}

// slice returns the rows from ≤ i < to of d values.
func (v dense) slice(d, from, to int) dense {
	switch v.storage {
	case Float64:
		v.double = v.double[from*d : to*d]
	case Float32:
		v.single = v.single[from*d : to*d]
	case Uint8:
		v.byte = v.byte[from*d : to*d]
	}
	v.scaled = v.scaled.slice(from, to)
	return v
}

// Storage returns the type in which the table stores its values; Float64 for a sparse table.
func (p *Points) Storage() Storage { return p.storage }

// AsStored returns the table without the scaling applied as its rows are read, and that scaling:
// by.Apply(stored) has the bits of p. For a sparse table it returns the table and the zero
// Scaling.
func (p *Points) AsStored() (stored *Points, by Scaling) {
	if p.scaled == nil {
		return p, Scaling{}
	}
	q := *p
	q.scaled, q.square = nil, make([]float64, p.n)
	q.setSquares()
	return &q, p.scaled.Scaling
}

// AppendStored appends row i of a dense table to dst as it is stored, before any
// scaling, little-endian.
func (p *Points) AppendStored(dst []byte, i int) []byte {
	a, b := i*p.d, (i+1)*p.d
	switch p.storage {
	case Float64:
		for _, v := range p.double[a:b] {
			dst = binary.LittleEndian.AppendUint64(dst, math.Float64bits(v))
		}
	case Float32:
		for _, v := range p.single[a:b] {
			dst = binary.LittleEndian.AppendUint32(dst, math.Float32bits(v))
		}
	case Uint8:
		dst = append(dst, p.byte[a:b]...)
	}
	return dst
}

// aliased reports whether rows are float64 in memory, so that reading them copies
// nothing.
func (p *Points) aliased() bool { return p.storage == Float64 }

// scratch returns the number of values that [Points.Rows] needs room for.
func (p *Points) scratch(rows int) int {
	if p.aliased() {
		return 0
	}
	return rows * p.d
}

// Scratch returns memory for rows of a dense table, to pass to [Points.Row] or [Points.Rows]. It
// returns nil where Row and Rows copy nothing.
func (p *Points) Scratch(rows int) []float64 {
	if p.aliased() {
		return nil
	}
	return make([]float64, p.scratch(rows))
}

// Row returns row i of a dense table as float64. A table of float64 returns its own memory; other
// tables write the row into scratch, or into new memory where scratch is too short. The row must
// not be changed. Row panics for a sparse table.
func (p *Points) Row(i int, scratch []float64) []float64 { return p.Rows(i, i+1, scratch) }

// Rows is [Points.Row] for the rows from ≤ i < to, row after row.
func (p *Points) Rows(from, to int, scratch []float64) []float64 {
	if p.Sparse() {
		panic("points: Rows of a sparse table")
	}
	a, b := from*p.d, to*p.d
	if p.storage == Float64 {
		return p.double[a:b]
	}
	if len(scratch) < b-a {
		scratch = make([]float64, b-a)
	}
	rows := scratch[:b-a]
	if p.storage == Float32 {
		vec.Widen(rows, p.single[a:b])
	} else {
		vec.FromBytes(rows, p.byte[a:b])
	}
	if p.scaled != nil {
		for i := from; i < to; i++ {
			p.scaled.apply(rows[(i-from)*p.d:(i-from+1)*p.d], i)
		}
	}
	return rows
}

// DenseRow is [Points.Row] without scratch. It allocates a row where the table is not of float64.
func (p *Points) DenseRow(i int) []float64 { return p.Row(i, nil) }

// Singles returns the rows from ≤ i < to of a dense table as float32 where their storage makes
// that exact. A table of float32 returns its own memory; a table of bytes writes the rows into
// scratch, or into new memory where scratch is too short. Singles returns nil and false for
// other tables. The rows must not be changed.
func (p *Points) Singles(from, to int, scratch []float32) (rows []float32, exact bool) {
	a, b := from*p.d, to*p.d
	switch {
	case p.Sparse() || p.scaled != nil || p.storage == Float64:
		return nil, false
	case p.storage == Float32:
		return p.single[a:b], true
	}
	if len(scratch) < b-a {
		scratch = make([]float32, b-a)
	}
	vec.FromBytes(scratch[:b-a], p.byte[a:b])
	return scratch[:b-a], true
}

// At returns the value in row i and column j of a dense table.
func (p *Points) At(i, j int) float64 {
	switch k := i*p.d + j; {
	case p.storage == Float64:
		return p.double[k]
	case p.storage == Float32:
		return p.scaled.value(float64(p.single[k]), i, j)
	default:
		return p.scaled.value(float64(p.byte[k]), i, j)
	}
}

// fetch prefetches the beginning of row i of a dense table into the cache.
func (p *Points) fetch(i int) {
	a, b := i*p.d, i*p.d+min(p.d, fetched/p.storage.Size())
	switch {
	case a == b:
	case p.storage == Float64:
		vec.Prefetch(p.double[a:b])
	case p.storage == Float32:
		vec.Prefetch(p.single[a:b])
	default:
		vec.Prefetch(p.byte[a:b])
	}
}

// equalRows is [Points.EqualRows] for a dense table.
func (p *Points) equalRows(i, j int) bool {
	a, b, d := i*p.d, j*p.d, p.d
	switch {
	case p.storage == Float64:
		return slices.Equal(p.double[a:a+d], p.double[b:b+d])
	case p.scaled == nil && p.storage == Float32:
		return slices.Equal(p.single[a:a+d], p.single[b:b+d])
	case p.scaled == nil:
		return slices.Equal(p.byte[a:a+d], p.byte[b:b+d])
	}
	for k := range d {
		if p.At(i, k) != p.At(j, k) {
			return false
		}
	}
	return true
}

// subset is [Points.Subset] for a dense table.
func (p *Points) subset(rows []int) *Points {
	q := &Points{n: len(rows), d: p.d, square: make([]float64, len(rows))}
	q.storage, q.scaled = p.storage, p.scaled.subset(rows)
	switch p.storage {
	case Float64:
		q.double = pick(p.double, p.d, rows)
	case Float32:
		q.single = pick(p.single, p.d, rows)
	case Uint8:
		q.byte = pick(p.byte, p.d, rows)
	}
	for k, i := range rows {
		q.square[k] = p.square[i]
	}
	return q
}

// pick copies rows of d values.
func pick[T any](values []T, d int, rows []int) []T {
	out := make([]T, len(rows)*d)
	for k, i := range rows {
		copy(out[k*d:(k+1)*d], values[i*d:(i+1)*d])
	}
	return out
}

// Stack returns the rows of p followed by those of q, both dense. The result keeps the storage
// that both have, if neither is scaled as it is read; else it is of float64. Stack panics when
// the numbers of columns differ.
func Stack(p, q *Points) *Points {
	if p.d != q.d || p.Sparse() || q.Sparse() {
		panic(fmt.Sprintf("points: Stack of %d and %d columns, or of a sparse table", p.d, q.d))
	}
	n := p.n + q.n
	if p.storage == q.storage && p.scaled == nil && q.scaled == nil {
		switch p.storage {
		case Float32:
			return Dense32(n, p.d, slices.Concat(p.single, q.single))
		case Uint8:
			return DenseBytes(n, p.d, slices.Concat(p.byte, q.byte))
		}
	}
	values := make([]float64, n*p.d)
	for i := range n {
		row := values[i*p.d : (i+1)*p.d]
		if i < p.n {
			p.CopyRow(row, i)
		} else {
			q.CopyRow(row, i-p.n)
		}
	}
	return Dense(n, p.d, values)
}

const (
	blockRows   = 192     // rows that are written out together
	blockValues = 1 << 20 // at most, but for eight rows
)

// block returns the number of rows of a dense table that are written out together. It is a
// multiple of eight, so that sums over rows have the same bits as over all rows at once.
func (p *Points) block() int { return max(8, min(blockRows, blockValues/max(p.d, 1)&^7)) }

// eachBlock calls do for the rows i0 ≤ i < i1 of a dense table in blocks, or all
// together where they are float64 in memory. It does nothing without columns.
func (p *Points) eachBlock(i0, i1 int, do func(from, to int, rows []float64)) {
	if p.d == 0 || i0 >= i1 {
		return
	}
	step := i1 - i0
	if !p.aliased() {
		step = min(step, p.block())
	}
	w := borrow(p.scratch(step))
	defer giveBack(w)
	for from := i0; from < i1; from += step {
		to := min(from+step, i1)
		do(from, to, p.Rows(from, to, *w))
	}
}

// denseDots is [Points.Dots] for two dense tables.
func (p *Points) denseDots(dst []float64, stride, i0, i1 int, q *Points, j0, j1 int) {
	if p.d == 0 {
		for i := i0; i < i1; i++ {
			clear(dst[(i-i0)*stride : (i-i0)*stride+j1-j0])
		}
		return
	}
	p.eachBlock(i0, i1, func(from, to int, rows []float64) {
		q.eachBlock(j0, j1, func(first, last int, others []float64) {
			out := dst[(from-i0)*stride+first-j0:]
			_ = vec.Gemm(alone, false, true, to-from, last-first, p.d, 1, rows, p.d, others, p.d, 0, out, stride)
		})
	})
}

// alone is the context of [Points.Dots], which its callers run side by side.
var alone = parallel.WithLimit(context.Background(), 1)

// rowsMemory is a pool of memory for rows written out for a short time.
var rowsMemory = sync.Pool{New: func() any { return new([]float64) }}

// borrow returns memory for values from the pool, to return with giveBack.
func borrow(values int) *[]float64 {
	if values == 0 {
		return &nothing
	}
	w := rowsMemory.Get().(*[]float64)
	if cap(*w) < values {
		*w = make([]float64, values)
	}
	*w = (*w)[:values]
	return w
}

var nothing []float64 // for rows that are not written out

func giveBack(w *[]float64) {
	if w != &nothing {
		rowsMemory.Put(w)
	}
}
