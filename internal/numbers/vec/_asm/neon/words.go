package main

// Instructions that Go's assembler lacks, nearly all on vectors of floating-point numbers,
// are written as words. Their operands are in ARM's order, result first. A test holds the
// text beside every word against a disassembler's.

// operation is an instruction on vectors of float32; the bit elem.double makes it one of
// float64. One that Go's assembler has goes by its name.
type operation struct {
	name string
	bits uint32
}

// Three vectors: d = n op m.
var (
	fadd   = operation{"fadd", 0x4e20d400}
	fsub   = operation{"fsub", 0x4ea0d400}
	fmul   = operation{"fmul", 0x6e20dc00}
	fdiv   = operation{"fdiv", 0x6e20fc00}
	fmax   = operation{"fmax", 0x4e20f400} // NaN where either is
	fmin   = operation{"fmin", 0x4ea0f400}
	fmaxnm = operation{"fmaxnm", 0x4e20c400} // the other where one is NaN
	fabd   = operation{"fabd", 0x6ea0d400}   // |n − m|
	faddp  = operation{"faddp", 0x6e20d400}  // sums of neighbours in n and then m
	fcmge  = operation{"fcmge", 0x6e20e400}  // ones where n ≥ m
	fmla   = operation{name: "VFMLA"}        // d += n·m
	fmls   = operation{name: "VFMLS"}        // d −= n·m
)

// Two vectors: d = op n.
var (
	frintn = operation{"frintn", 0x4e218800} // to the nearest integer, ties to even
	fcvtns = operation{"fcvtns", 0x4e21a800} // the same as an integer
	scvtf  = operation{"scvtf", 0x4e21d800}
	ucvtf  = operation{"ucvtf", 0x6e21d800}
)

// do writes d = n op m.
func (f *function) do(o operation, t *elem, d, n, m vec) {
	if o.bits == 0 {
		f.ins(o.name, m.typed(t), n.typed(t), d.typed(t))
		return
	}
	f.word(o.bits|t.double|uint32(m)<<16|uint32(n)<<5|uint32(d), "%s v%d.%[5]s, v%[3]d.%[5]s, v%[4]d.%[5]s", o.name, d, n, m, t.gnu)
}

// do2 writes d = op n.
func (f *function) do2(o operation, t *elem, d, n vec) {
	f.word(o.bits|t.double|uint32(n)<<5|uint32(d), "%s v%d.%[4]s, v%[3]d.%[4]s", o.name, d, n, t.gnu)
}

// Of three vectors, the last one's lane i stands for all.
var (
	fmlaBy = operation{"fmla", 0x4f801000}
	fmlsBy = operation{"fmls", 0x4f805000}
	fmulBy = operation{"fmul", 0x4f809000}
)

// by writes d = n op m[i].
func (f *function) by(o operation, t *elem, d, n, m vec, i int) {
	high, low := uint32(i)>>1, uint32(i)&1
	if t == f64 {
		high, low = uint32(i), 0
	}
	f.word(o.bits|t.double|low<<21|uint32(m)<<16|high<<11|uint32(n)<<5|uint32(d),
		"%s v%d.%[5]s, v%[3]d.%[5]s, v%[4]d.%[6]c[%[7]d]", o.name, d, n, m, t.gnu, t.gnu[1], i)
}

// widen makes float64 of half a vector of float32, the lower or the upper one.
func (f *function) widen(upper bool, d, n vec) {
	if upper {
		f.word(0x4e617800|uint32(n)<<5|uint32(d), "fcvtl2 v%d.2d, v%d.4s", d, n)
	} else {
		f.word(0x0e617800|uint32(n)<<5|uint32(d), "fcvtl v%d.2d, v%d.2s", d, n)
	}
}

// narrow makes half a vector of float32, the lower one with zeros above it, or the upper one.
func (f *function) narrow(upper bool, d, n vec) {
	if upper {
		f.word(0x4e616800|uint32(n)<<5|uint32(d), "fcvtn2 v%d.4s, v%d.2d", d, n)
	} else {
		f.word(0x0e616800|uint32(n)<<5|uint32(d), "fcvtn v%d.2s, v%d.2d", d, n)
	}
}

// shiftRightSigned divides lanes of integers by 2ⁿ, rounding down.
func (f *function) shiftRightSigned(t *elem, d, n vec, by int) {
	f.word(0x4f000400|uint32(16*t.size-by)<<16|uint32(n)<<5|uint32(d), "sshr v%d.%[3]s, v%[2]d.%[3]s, #%[4]d", d, n, t.gnu, by)
}

// nibbles packs the 16 bytes of a mask into 64 bits.
func (f *function) nibbles(d, n vec) {
	f.word(0x0f0c8400|uint32(n)<<5|uint32(d), "shrn v%d.8b, v%d.8h, #4", d, n)
}

// mulBytes multiplies the lower or the upper 8 bytes of two vectors.
func (f *function) mulBytes(upper bool, d, n, m vec) {
	if upper {
		f.word(0x6e20c000|uint32(m)<<16|uint32(n)<<5|uint32(d), "umull2 v%d.8h, v%d.16b, v%d.16b", d, n, m)
	} else {
		f.word(0x2e20c000|uint32(m)<<16|uint32(n)<<5|uint32(d), "umull v%d.8h, v%d.8b, v%d.8b", d, n, m)
	}
}

// addPairs adds neighbouring 16-bit numbers to 32-bit ones.
func (f *function) addPairs(d, n vec) {
	f.word(0x6e606800|uint32(n)<<5|uint32(d), "uadalp v%d.4s, v%d.8h", d, n)
}

// dotBytes adds the products of four bytes each to four 32-bit numbers, on processors
// with that extension.
func (f *function) dotBytes(d, n, m vec) {
	f.word(0x6e809400|uint32(m)<<16|uint32(n)<<5|uint32(d), "udot v%d.4s, v%d.16b, v%d.16b", d, n, m)
}

// dotBytesBy is dotBytes with the four bytes i of m.
func (f *function) dotBytesBy(d, n, m vec, i int) {
	f.word(0x6f80e000|uint32(i&1)<<21|uint32(m)<<16|uint32(i>>1)<<11|uint32(n)<<5|uint32(d),
		"udot v%d.4s, v%d.16b, v%d.4b[%d]", d, n, m, i)
}
