package main

import "fmt"

// widen converts float32.
func widen(p *program) {
	f := p.begin("widenNEON", "func(n int, dst *float64, src *float32)",
		"widenNEON converts n numbers, a multiple of 4.")
	n, dst, src := f.arg("n"), f.arg("dst"), f.arg("src")
	v, low, high := f.vec(), f.vec(), f.vec()
	f.steps(n, 4, func() {
		f.ins("FMOVQ.P", at(src, 16), v.f())
		f.widen(false, low, v)
		f.widen(true, high, v)
		f.ins("FSTPQ.P", pair(low, high), at(dst, 32))
	})
	f.end()
}

// narrow converts float64.
func narrow(p *program) {
	f := p.begin("narrowNEON", "func(n int, dst *float32, src *float64)",
		"narrowNEON converts n numbers, a multiple of 4, rounding to nearest.")
	n, dst, src := f.arg("n"), f.arg("dst"), f.arg("src")
	v, low, high := f.vec(), f.vec(), f.vec()
	f.steps(n, 4, func() {
		f.ins("FLDPQ.P", at(src, 32), pair(low, high))
		f.narrow(false, v, low)
		f.narrow(true, v, high)
		f.ins("FMOVQ.P", v.f(), at(dst, 16))
	})
	f.end()
}

// addWide adds float32 to float64.
func addWide(p *program) {
	f := p.begin("addWideNEON", "func(n int, dst *float64, src *float32)",
		"addWideNEON computes dst += src for n numbers, a multiple of 4.")
	n, dst, src := f.arg("n"), f.arg("dst"), f.arg("src")
	v, wide, sums := f.vec(), f.vecs(2), f.vecs(2)
	f.steps(n, 4, func() {
		f.ins("FMOVQ.P", at(src, 16), v.f())
		f.load(dst, 0, sums...)
		for i := range wide {
			f.widen(i == 1, wide[i], v)
			f.do(fadd, f64, sums[i], sums[i], wide[i])
		}
		f.ins("FSTPQ.P", pair(sums[0], sums[1]), at(dst, 32))
	})
	f.end()
}

// fromBytes converts bytes to numbers.
func fromBytes(p *program, t *elem) {
	name := "fromBytes" + t.name + "NEON"
	f := p.begin(name, fmt.Sprintf("func(n int, dst *%s, src *uint8)", t.gotype), name+" converts n numbers, a multiple of 8.")
	n, dst, src := f.arg("n"), f.arg("dst"), f.arg("src")
	v, w := f.vec(), f.vecs(8/t.lanes)
	f.steps(n, 8, func() {
		f.ins("FMOVD.P", at(src, 8), v.f())
		f.ins("VUXTL", v.as("B8"), v.as("H8"))
		f.ins("VUXTL", v.as("H4"), w[0].as("S4"))
		f.ins("VUXTL2", v.as("H8"), w[1].as("S4"))
		if t == f64 {
			for i := 1; i >= 0; i-- { // downwards, as w[i] is read twice
				f.ins("VUXTL2", w[i].as("S4"), w[2*i+1].as("D2"))
				f.ins("VUXTL", w[i].as("S2"), w[2*i].as("D2"))
			}
		}
		for i := range w {
			f.do2(ucvtf, t, w[i], w[i])
		}
		f.store(dst, 0, w...)
		f.ins("ADD", 8*t.size, dst)
	})
	f.end()
}

// affine moves and scales numbers.
func affine(p *program) {
	f := p.begin("affineNEON", "func(n int, x, shift, factor *float64)",
		"affineNEON computes x = (x − shift)·factor for n numbers, a multiple of 4.")
	n, x, shift, factor := f.arg("n"), f.arg("x"), f.arg("shift"), f.arg("factor")
	v, s, by := f.vecs(2), f.vecs(2), f.vecs(2)
	f.steps(n, 4, func() {
		f.load(x, 0, v...)
		f.ins("FLDPQ.P", at(shift, 32), pair(s[0], s[1]))
		f.ins("FLDPQ.P", at(factor, 32), pair(by[0], by[1]))
		for i := range v {
			f.do(fsub, f64, v[i], v[i], s[i])
			f.do(fmul, f64, v[i], v[i], by[i])
		}
		f.ins("FSTPQ.P", pair(v[0], v[1]), at(x, 32))
	})
	f.end()
}

// divide divides numbers by one.
func divide(p *program) {
	f := p.begin("divideNEON", "func(n int, x *float64, a float64)",
		"divideNEON computes x = x/a for n numbers, a multiple of 4.")
	n, x, a := f.arg("n"), f.arg("x"), f.argSplat("a")
	v := f.vecs(2)
	f.steps(n, 4, func() {
		f.load(x, 0, v...)
		for i := range v {
			f.do(fdiv, f64, v[i], v[i], a)
		}
		f.ins("FSTPQ.P", pair(v[0], v[1]), at(x, 32))
	})
	f.end()
}

func conversions(p *program) {
	widen(p)
	narrow(p)
	addWide(p)
	fromBytes(p, f64)
	fromBytes(p, f32)
	affine(p)
	divide(p)
}
