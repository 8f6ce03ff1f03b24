package main

import (
	"fmt"
	"math"
)

// reg is a general register. R16 to R18 belong to linkers and systems, R26 and above to Go.
type reg int

func (r reg) String() string { return fmt.Sprintf("R%d", int(r)) }

// mem is memory that a register points at, so many bytes on.
type mem struct {
	base   reg
	offset int
}

func (m mem) String() string {
	if m.offset == 0 {
		return fmt.Sprintf("(%v)", m.base)
	}
	return fmt.Sprintf("%d(%v)", m.offset, m.base)
}

func at(base reg, offset int) mem { return mem{base, offset} }

// vec is a vector register of 16 bytes.
type vec int

func (v vec) String() string { return fmt.Sprintf("V%d", int(v)) }

// f is the register's name for loads and stores of whole vectors and of single numbers.
func (v vec) f() string { return fmt.Sprintf("F%d", int(v)) }

// typed is the vector as elements of a type, as are is as so many of a letter's size.
func (v vec) typed(t *elem) string       { return v.as(t.shape) }
func (v vec) as(shape string) string     { return fmt.Sprintf("V%d.%s", int(v), shape) }
func (v vec) lane(t *elem, i int) string { return fmt.Sprintf("V%d.%c[%d]", int(v), t.shape[0], i) }

// elem is an element type.
type elem struct {
	name, gotype string
	size, lanes  int
	shift        int    // of a number of elements, for their bytes
	shape        string // of a vector, in Go's assembler
	gnu          string // the same for a disassembler
	double       uint32 // the bit that says float64 in instructions
	move         string // loads or stores one
}

var (
	f32 = &elem{"F32", "float32", 4, 4, 2, "S4", "4s", 0, "FMOVS"}
	f64 = &elem{"F64", "float64", 8, 2, 3, "D2", "2d", 1 << 22, "FMOVD"}
)

// bits are those of a number.
func (t *elem) bits(v float64) uint64 {
	if t == f32 {
		return uint64(math.Float32bits(float32(v)))
	}
	return math.Float64bits(v)
}

// generals are the registers that functions may use.
var generals = []reg{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 19, 20, 21, 22, 23, 24, 25}

// gen takes a general register.
func (f *function) gen() reg {
	if n := len(f.freeGeneral); n > 0 {
		r := f.freeGeneral[n-1]
		f.freeGeneral = f.freeGeneral[:n-1]
		return r
	}
	if f.general == len(generals) {
		panic(f.name + ": no general register left")
	}
	f.general++
	return generals[f.general-1]
}

// release gives general registers back.
func (f *function) release(rs ...reg) { f.freeGeneral = append(f.freeGeneral, rs...) }

// vec takes a vector register.
func (f *function) vec() vec {
	for v := range 32 {
		if f.vectors>>v&1 == 0 {
			f.vectors |= 1 << v
			return vec(v)
		}
	}
	panic(f.name + ": no vector register left")
}

// vecs takes n vector registers.
func (f *function) vecs(n int) []vec {
	vs := make([]vec, n)
	for i := range vs {
		vs[i] = f.vec()
	}
	return vs
}

// grid takes rows times n vector registers.
func (f *function) grid(rows, n int) [][]vec {
	g := make([][]vec, rows)
	for i := range g {
		g[i] = f.vecs(n)
	}
	return g
}

// drop gives vector registers back.
func (f *function) drop(vs ...vec) {
	for _, v := range vs {
		f.vectors &^= 1 << v
	}
}
