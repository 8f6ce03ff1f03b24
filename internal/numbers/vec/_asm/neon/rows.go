package main

import (
	"fmt"
	"math"
)

// exponential is eˣ by reduction to |r| ≤ ln2/2 and a Taylor polynomial.
type exponential struct {
	f                      *function
	t                      *elem
	low, high, log2e, l, m vec
	bias                   vec // of the exponent, integers
	mantissa               int // bits
	coefficients           reg // 1/i!, a vector each
	degree                 int
}

func newExp(f *function, t *elem) *exponential {
	e := &exponential{f: f, t: t, log2e: f.constant(t, math.Log2E), bias: f.vec()}
	bias := 127
	if t == f32 {
		e.degree, e.mantissa = 6, 23
		e.low, e.high = f.constant(t, -105), f.constant(t, 89)
		e.l, e.m = f.constant(t, 0.693359375), f.constant(t, -2.12194440054690583e-4)
	} else {
		bias, e.degree, e.mantissa = 1023, 12, 52
		e.low, e.high = f.constant(t, -746), f.constant(t, 710)
		e.l, e.m = f.constant(t, 6.93147180369123816490e-01), f.constant(t, 1.90821492927058770002e-10)
	}
	values := make([]float64, e.degree+1)
	factorial := 1.0
	for i := range values {
		factorial *= float64(max(i, 1))
		values[i] = 1 / factorial
	}
	e.coefficients = f.table(t, "taylor"+t.name, values)
	r := f.gen()
	f.ins("MOVD", bias, r)
	f.ins("VDUP", r, e.bias.typed(t))
	f.release(r)
	return e
}

// apply replaces x by eˣ. NaN stays NaN, as minimum and maximum keep it.
func (e *exponential) apply(x vec) {
	f, t := e.f, e.t
	n, p, next := f.vec(), f.vec(), f.vec()
	f.do(fmax, t, x, x, e.low)
	f.do(fmin, t, x, x, e.high)
	f.do(fmul, t, n, x, e.log2e)
	f.do2(frintn, t, n, n)
	f.do(fmls, t, x, n, e.l)
	f.do(fmls, t, x, n, e.m)
	// Coefficients are loaded where they are added to: loads have units of their own.
	f.load(e.coefficients, 16*e.degree, p)
	for i := e.degree - 1; i >= 0; i-- {
		f.load(e.coefficients, 16*i, next)
		f.do(fmla, t, next, p, x)
		p, next = next, p
	}
	// 2ⁿ in two halves, so that results below the normal range come out too.
	half := next
	f.do2(fcvtns, t, n, n)
	f.shiftRightSigned(t, half, n, 1)
	f.ins("VSUB", half.typed(t), n.typed(t), n.typed(t))
	for _, v := range []vec{half, n} {
		f.ins("VADD", e.bias.typed(t), v.typed(t), v.typed(t))
		f.ins("VSHL", e.mantissa, v.typed(t), v.typed(t))
	}
	f.do(fmul, t, p, p, half)
	f.do(fmul, t, x, p, n)
	f.drop(half, p, n)
}

func exps(p *program, t *elem) {
	name := "exp" + t.name + "NEON"
	f := p.begin(name, fmt.Sprintf("func(n int, dst, src *%s)", t.gotype),
		fmt.Sprintf("%s computes dst = exp(src) for n numbers, a multiple of %d.", name, t.lanes))
	n, dst, src := f.arg("n"), f.arg("dst"), f.arg("src")
	e, x := newExp(f, t), f.vec()
	f.steps(n, t.lanes, func() {
		f.ins("FMOVQ.P", at(src, 16), x.f())
		e.apply(x)
		f.ins("FMOVQ.P", x.f(), at(dst, 16))
	})
	f.end()
}

// distance makes d = max(xx + yy − 2·dot, 0).
type distance struct {
	f             *function
	t             *elem
	xx, two, null vec
	dot, yy       reg
}

func newDistance(f *function, t *elem) *distance {
	return &distance{f, t, f.argSplat("xx"), f.constant(t, 2), f.constant(t, 0), f.arg("dot"), f.arg("yy")}
}

func (s *distance) to(d vec) {
	f, t, v := s.f, s.t, s.f.vec()
	f.ins("FMOVQ.P", at(s.yy, 16), d.f())
	f.ins("FMOVQ.P", at(s.dot, 16), v.f())
	f.do(fadd, t, d, d, s.xx)
	f.do(fmls, t, d, v, s.two)
	f.do(fmax, t, d, d, s.null)
	f.drop(v)
}

func gauss(p *program, t *elem) {
	name := "gauss" + t.name + "NEON"
	f := p.begin(name, fmt.Sprintf("func(n int, dst, dot, yy *%[1]s, xx, scale %[1]s)", t.gotype),
		fmt.Sprintf("%s computes dst = exp(scale·max(xx + yy − 2·dot, 0)) for n numbers, a multiple of %d.", name, t.lanes))
	n, dst := f.arg("n"), f.arg("dst")
	s, g, e, d := newDistance(f, t), f.argSplat("scale"), newExp(f, t), f.vec()
	f.steps(n, t.lanes, func() {
		s.to(d)
		f.do(fmul, t, d, d, g)
		e.apply(d)
		f.ins("FMOVQ.P", d.f(), at(dst, 16))
	})
	f.end()
}

func distances(p *program, t *elem) {
	name := "dist" + t.name + "NEON"
	f := p.begin(name, fmt.Sprintf("func(n int, dst, dot, yy *%[1]s, xx %[1]s)", t.gotype),
		fmt.Sprintf("%s computes dst = max(xx + yy − 2·dot, 0) for n numbers, a multiple of %d.", name, t.lanes))
	n, dst := f.arg("n"), f.arg("dst")
	s, d := newDistance(f, t), f.vec()
	f.steps(n, t.lanes, func() {
		s.to(d)
		f.ins("FMOVQ.P", d.f(), at(dst, 16))
	})
	f.end()
}

// power works on four vectors at once, as each waits for its products.
func power(p *program, t *elem) {
	const count = 4
	name := "power" + t.name + "NEON"
	f := p.begin(name, fmt.Sprintf("func(n int, dst, dot *%[1]s, scale, c %[1]s, degree int)", t.gotype),
		fmt.Sprintf("%s computes dst = (scale·dot + c)^degree for n numbers, a multiple of %d; degree ≥ 0.", name, count*t.lanes))
	n, dst, dot := f.arg("n"), f.arg("dst"), f.arg("dot")
	g, c, one := f.argSplat("scale"), f.argSplat("c"), f.constant(t, 1)
	degree, e := f.arg("degree"), f.gen()
	x, r := f.vecs(count), f.vecs(count)
	f.steps(n, count*t.lanes, func() {
		f.load(dot, 0, x...)
		f.ins("ADD", 16*count, dot)
		for i := range x {
			f.do(fmul, t, x[i], x[i], g)
			f.do(fadd, t, x[i], x[i], c)
			f.copyTo(r[i], one)
		}
		f.ins("MOVD", degree, e)
		f.label("bits")
		f.ins("TBZ", 0, e, "even")
		for i := range x {
			f.do(fmul, t, r[i], r[i], x[i])
		}
		f.label("even")
		for i := range x {
			f.do(fmul, t, x[i], x[i], x[i])
		}
		f.ins("LSR", 1, e)
		f.ins("CBNZ", e, "bits")
		f.store(dst, 0, r...)
		f.ins("ADD", 16*count, dst)
	})
	f.end()
}

// near collects the places of small distances in a tile, 16 columns at a time.
func near(p *program, t *elem) {
	const columns, rowCode = 16, 256
	name := "near" + t.name + "NEON"
	f := p.begin(name, fmt.Sprintf("func(rows, n int, dot *%[1]s, stride int, yy, ylimit, xx, xlimit *%[1]s, out *int32) int", t.gotype),
		fmt.Sprintf("%s writes %d·r + j for every xx[r] + yy[j] − 2·dot[r·stride + j] ≤ max(xlimit[r], ylimit[j]),", name, rowCode),
		fmt.Sprintf("r < rows, j < n, a positive multiple of %d, and returns their number.", columns))
	rows, n := f.arg("rows"), f.arg("n")
	dot, stride := f.arg("dot"), f.bytes(t, f.arg("stride"))
	yy, ylimit, xx, xlimit := f.arg("yy"), f.arg("ylimit"), f.arg("xx"), f.arg("xlimit")
	out, start := f.arg("out"), f.gen()
	f.ins("MOVD", out, start)
	f.ins("LSR", log2(columns), n)
	square, limit := f.vec(), f.vec()
	masks, d, v := f.vecs(columns/t.lanes), f.vecs(2), f.vecs(2)
	count, place, row := f.gen(), f.gen(), f.gen()
	dots, ys, limits := f.gen(), f.gen(), f.gen()
	bits, lowest, lane := f.gen(), f.gen(), f.gen()
	f.ins("MOVD", 0, row)
	f.repeat("row", rows, func() {
		f.splat(t, xx, square)
		f.splat(t, xlimit, limit)
		f.ins("MOVD", row, place)
		f.ins("MOVD", dot, dots)
		f.ins("MOVD", yy, ys)
		f.ins("MOVD", ylimit, limits)
		f.ins("MOVD", n, count)
		f.repeat("loop", count, func() {
			for i := 0; i < len(masks); i += 2 {
				f.ins("FLDPQ.P", at(ys, 32), pair(d[0], d[1]))
				f.ins("FLDPQ.P", at(dots, 32), pair(v[0], v[1]))
				f.ins("FLDPQ.P", at(limits, 32), pair(masks[i], masks[i+1]))
				for h := range d {
					f.do(fadd, t, d[h], d[h], square)
					f.do(fsub, t, d[h], d[h], v[h])
					f.do(fsub, t, d[h], d[h], v[h])
					f.do(fmaxnm, t, masks[i+h], masks[i+h], limit)
					f.do(fcmge, t, masks[i+h], masks[i+h], d[h])
				}
			}
			// Of every lane a byte, of every byte four bits.
			some := masks
			for _, shape := range []string{"S4", "H8", "B16"} {
				if t == f32 && shape == "S4" {
					continue
				}
				for i := 0; i < len(some); i += 2 {
					f.ins("VUZP1", some[i+1].as(shape), some[i].as(shape), some[i/2].as(shape))
				}
				some = some[:len(some)/2]
			}
			f.nibbles(masks[0], masks[0])
			f.ins("VMOV", masks[0].lane(f64, 0), bits)
			f.ins("CBZ", bits, "none")
			f.label("bits")
			f.ins("RBIT", bits, lane)
			f.ins("CLZ", lane, lane)
			f.ins("ADD", fmt.Sprintf("%v>>2", lane), place, lane)
			f.ins("MOVW.P", lane, at(out, 4))
			f.ins("NEG", bits, lowest)
			f.ins("AND", bits, lowest)
			f.ins("LSL", 4, lowest, lane)
			f.ins("SUB", lowest, lane) // the lowest four ones
			f.ins("EOR", lane, bits)
			f.ins("CBNZ", bits, "bits")
			f.label("none")
			f.ins("ADD", columns, place)
		})
		f.ins("ADD", rowCode, row)
		f.ins("ADD", stride, dot)
		f.ins("ADD", t.size, xx)
		f.ins("ADD", t.size, xlimit)
	})
	f.ins("SUB", start, out)
	f.ins("LSR", 2, out)
	f.result(out)
	f.end()
}

func maps(p *program) {
	for _, t := range []*elem{f32, f64} {
		exps(p, t)
		gauss(p, t)
		distances(p, t)
		power(p, t)
		near(p, t)
	}
}
