package main

import (
	"fmt"
	"math/bits"
)

// bytes turns a stride in elements into bytes.
func (f *function) bytes(t *elem, r reg) reg {
	f.ins("LSL", t.shift, r)
	return r
}

// load brings vectors from memory, two at a time.
func (f *function) load(base reg, offset int, vs ...vec) { f.move(base, offset, vs, true) }

// store brings vectors to memory, two at a time.
func (f *function) store(base reg, offset int, vs ...vec) { f.move(base, offset, vs, false) }

func (f *function) move(base reg, offset int, vs []vec, load bool) {
	for len(vs) > 0 {
		// Pairs reach 1,008 bytes.
		if len(vs) > 1 && offset%16 == 0 && offset < 1008 {
			if load {
				f.ins("FLDPQ", at(base, offset), pair(vs[0], vs[1]))
			} else {
				f.ins("FSTPQ", pair(vs[0], vs[1]), at(base, offset))
			}
			vs, offset = vs[2:], offset+32
			continue
		}
		if load {
			f.ins("FMOVQ", at(base, offset), vs[0].f())
		} else {
			f.ins("FMOVQ", vs[0].f(), at(base, offset))
		}
		vs, offset = vs[1:], offset+16
	}
}

// pair is what instructions name that move two vectors.
func pair(v, w vec) string { return fmt.Sprintf("(%s, %s)", v.f(), w.f()) }

// splat brings one number from memory into all lanes.
func (f *function) splat(t *elem, base reg, v vec) {
	f.ins("VLD1R", at(base, 0), fmt.Sprintf("[%s]", v.typed(t)))
}

// constant brings a number into all lanes of a new vector.
func (f *function) constant(t *elem, value float64) vec {
	v := f.vec()
	if value == 0 {
		f.zero(v)
		return v
	}
	r := f.gen()
	f.ins("MOVD", fmt.Sprintf("$%#x", t.bits(value)), r)
	f.ins("VDUP", r, v.typed(t))
	f.release(r)
	return v
}

func (f *function) zero(vs ...vec) {
	for _, v := range vs {
		f.ins("VEOR", v.as("B16"), v.as("B16"), v.as("B16"))
	}
}

// copyTo copies a vector.
func (f *function) copyTo(d, n vec) { f.ins("VMOV", n.as("B16"), d.as("B16")) }

// repeat writes a loop of so many rounds, at least one, around body.
func (f *function) repeat(label string, rounds reg, body func()) {
	f.label(label)
	body()
	f.ins("SUBS", 1, rounds)
	f.ins("BNE", label)
}

// steps writes a loop over n elements in steps of so many, a power of 2 that divides n.
func (f *function) steps(n reg, step int, body func()) {
	f.ins("LSR", log2(step), n)
	f.ins("CBZ", n, "done")
	f.repeat("loop", n, body)
	f.label("done")
}

func log2(n int) int { return bits.TrailingZeros(uint(n)) }

// fetch asks for the line at an address to be brought into the first-level cache.
func (f *function) fetch(base reg, offset int) { f.ins("PRFM", at(base, offset), "PLDL1KEEP") }

// fetchFar asks for it to be brought into the second-level cache.
func (f *function) fetchFar(base reg, offset int) { f.ins("PRFM", at(base, offset), "PLDL2KEEP") }
