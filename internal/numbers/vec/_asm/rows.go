package main

import (
	"fmt"
	"math"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// number returns a constant of the element type, in memory once per value.
func (t *elem) number(v float64) Mem {
	if t == f32 {
		return constant(fmt.Sprintf("f32_%08x", math.Float32bits(float32(v))), F32(float32(v)))
	}
	return constant(fmt.Sprintf("f64_%016x", math.Float64bits(v)), F64(v))
}

func constant(name string, v Constant) Mem {
	m, ok := tables[name]
	if !ok {
		m = ConstData(name, v)
		tables[name] = m
	}
	return m
}

func (t *elem) splat(s *isa, v float64) VecVirtual {
	x := s.vec()
	if v == 0 {
		zero(s, x)
		return x
	}
	t.bcast(t.number(v), x)
	return x
}

func (t *elem) param(s *isa, name string) VecVirtual {
	x := s.vec()
	c, err := Param(name).Resolve()
	if err != nil {
		panic(err)
	}
	t.bcast(c.Addr, x)
	return x
}

// loop runs body over n elements, a multiple of the lanes, with the pointers
// advancing.
func (t *elem) loop(s *isa, n Register, pointers []Register, body func()) {
	lanes := s.wide / t.size
	SHRQ(U8(map[int]uint64{4: 2, 8: 3, 16: 4}[lanes]), n)
	JZ(LabelRef("done"))
	Label("loop")
	body()
	for _, p := range pointers {
		ADDQ(Imm(uint64(s.wide)), p)
	}
	DECQ(n)
	JNZ(LabelRef("loop"))
	Label("done")
}

// exponential is eˣ by reduction to |r| ≤ ln2/2 and a Taylor polynomial.
type exponential struct {
	s                      *isa
	t                      *elem
	low, high, log2e, l, m VecVirtual
	coef                   []VecVirtual
	coefMem                []Mem
	bias                   VecVirtual
}

func newExp(s *isa, t *elem) *exponential {
	e := &exponential{s: s, t: t}
	degree := 6
	if t == f32 {
		e.low, e.high = t.splat(s, -105), t.splat(s, 89)
		e.l, e.m = t.splat(s, 0.693359375), t.splat(s, -2.12194440054690583e-4)
	} else {
		degree = 12
		e.low, e.high = t.splat(s, -746), t.splat(s, 710)
		e.l, e.m = t.splat(s, 6.93147180369123816490e-01), t.splat(s, 1.90821492927058770002e-10)
	}
	e.log2e = t.splat(s, math.Log2E)
	f := 1.0
	for i := 0; i <= degree; i++ {
		if i > 1 {
			f *= float64(i)
		}
		if s == avx512 {
			e.coef = append(e.coef, t.splat(s, 1/f))
		} else {
			// Sixteen registers do not hold all of them.
			e.coefMem = append(e.coefMem, t.table(1/f))
		}
	}
	return e
}

// table returns a constant repeated over a vector of 32 bytes.
func (t *elem) table(v float64) Mem {
	name := fmt.Sprintf("%s_%016x_x", t.name, math.Float64bits(v))
	if m, ok := tables[name]; ok {
		return m
	}
	m := GLOBL(name, 8|16 /* RODATA|NOPTR */)
	for i := 0; i < 32; i += t.size {
		if t == f32 {
			DATA(i, F32(float32(v)))
		} else {
			DATA(i, F64(v))
		}
	}
	tables[name] = m
	return m
}

var tables = map[string]Mem{}

// apply replaces x by eˣ. NaN stays NaN: minimum and maximum return their last
// operand, first in this order, when one is NaN.
func (e *exponential) apply(x VecVirtual) {
	t, s := e.t, e.s
	n, p := s.vec(), s.vec()
	t.max(x, e.low, x)
	if t == f32 {
		VMINPS(x, e.high, x)
	} else {
		VMINPD(x, e.high, x)
	}
	t.mul(x, e.log2e, n)
	switch {
	case s == avx512 && t == f32:
		VRNDSCALEPS(U8(0), n, n)
	case s == avx512:
		VRNDSCALEPD(U8(0), n, n)
	case t == f32:
		VROUNDPS(U8(0), n, n)
	default:
		VROUNDPD(U8(0), n, n)
	}
	t.fnma(n, e.l, x)
	t.fnma(n, e.m, x)
	fma := VFMADD213PS
	if t == f64 {
		fma = VFMADD213PD
	}
	if s == avx512 {
		last := len(e.coef) - 1
		VMOVAPS(e.coef[last], p)
		for i := last - 1; i >= 0; i-- {
			fma(e.coef[i], x, p)
		}
		if t == f32 {
			VSCALEFPS(n, p, x)
		} else {
			VSCALEFPD(n, p, x)
		}
		return
	}
	last := len(e.coefMem) - 1
	VMOVUPS(e.coefMem[last], p)
	for i := last - 1; i >= 0; i-- {
		fma(e.coefMem[i], x, p)
	}
	// 2ⁿ in two halves, so that results below the normal range come out too.
	if t == f32 {
		k, h := YMM(), YMM()
		VCVTPS2DQ(n, k)
		VPSRAD(U8(1), k, h)
		VPSUBD(h, k, k)
		for _, v := range []VecVirtual{h, k} {
			VPADDD(e.biasOf(), v, v)
			VPSLLD(U8(23), v, v)
			VMULPS(v, p, p)
		}
	} else {
		k, h, w := XMM(), XMM(), YMM()
		VCVTPD2DQY(n, k)
		VPSRAD(U8(1), k, h)
		VPSUBD(h, k, k)
		for _, v := range []VecVirtual{h, k} {
			VPADDD(e.biasOf(), v, v)
			VPMOVSXDQ(v, w)
			VPSLLQ(U8(52), w, w)
			VMULPD(w, p, p)
		}
	}
	VMOVAPS(p, x)
}

// biasOf is the bias of the exponent, in 32-bit lanes.
func (e *exponential) biasOf() Mem {
	name, v := "bias32", uint32(127)
	if e.t == f64 {
		name, v = "bias64", 1023
	}
	if m, ok := tables[name]; ok {
		return m
	}
	m := GLOBL(name, 8|16)
	for i := 0; i < 32; i += 4 {
		DATA(i, U32(v))
	}
	tables[name] = m
	return m
}

func exps(s *isa, t *elem) {
	begin("exp"+t.name+s.name, fmt.Sprintf("func(n int, dst, src *%s)", t.gotype),
		fmt.Sprintf("exp%s%s computes dst = exp(src) for n numbers, a multiple of %d.", t.name, s.name, s.wide/t.size))
	n := Load(Param("n"), GP64())
	dst, src := Load(Param("dst"), GP64()), Load(Param("src"), GP64())
	e := newExp(s, t)
	t.loop(s, n, []Register{dst, src}, func() {
		x := s.vec()
		t.load(Mem{Base: src}, x)
		e.apply(x)
		t.store(x, Mem{Base: dst})
	})
	finish()
}

// distance leaves max(xx + yy − 2·dot, 0) in a new register.
func distance(s *isa, t *elem, xx, two, null VecVirtual, dot, yy Register) VecVirtual {
	d, v := s.vec(), s.vec()
	t.add(Mem{Base: yy}, xx, d)
	t.load(Mem{Base: dot}, v)
	t.fnma(two, v, d)
	t.max(d, null, d)
	return d
}

func gauss(s *isa, t *elem) {
	begin("gauss"+t.name+s.name, fmt.Sprintf("func(n int, dst, dot, yy *%[1]s, xx, scale %[1]s)", t.gotype),
		fmt.Sprintf("gauss%s%s computes dst = exp(scale·max(xx + yy − 2·dot, 0)) for n numbers, a multiple of %d.", t.name, s.name, s.wide/t.size))
	n := Load(Param("n"), GP64())
	dst, dot, yy := Load(Param("dst"), GP64()), Load(Param("dot"), GP64()), Load(Param("yy"), GP64())
	xx, g := t.param(s, "xx"), t.param(s, "scale")
	var two VecVirtual
	e := newExp(s, t)
	two, null := t.splat(s, 2), t.splat(s, 0)
	t.loop(s, n, []Register{dst, dot, yy}, func() {
		d := distance(s, t, xx, two, null, dot, yy)
		t.mul(g, d, d)
		e.apply(d)
		t.store(d, Mem{Base: dst})
	})
	finish()
}

func distances(s *isa, t *elem) {
	begin("dist"+t.name+s.name, fmt.Sprintf("func(n int, dst, dot, yy *%[1]s, xx %[1]s)", t.gotype),
		fmt.Sprintf("dist%s%s computes dst = max(xx + yy − 2·dot, 0) for n numbers, a multiple of %d.", t.name, s.name, s.wide/t.size))
	n := Load(Param("n"), GP64())
	dst, dot, yy := Load(Param("dst"), GP64()), Load(Param("dot"), GP64()), Load(Param("yy"), GP64())
	xx := t.param(s, "xx")
	two, null := t.splat(s, 2), t.splat(s, 0)
	t.loop(s, n, []Register{dst, dot, yy}, func() {
		t.store(distance(s, t, xx, two, null, dot, yy), Mem{Base: dst})
	})
	finish()
}

func power(s *isa, t *elem) {
	begin("power"+t.name+s.name, fmt.Sprintf("func(n int, dst, dot *%[1]s, scale, c %[1]s, degree int)", t.gotype),
		fmt.Sprintf("power%s%s computes dst = (scale·dot + c)^degree for n numbers, a multiple of %d; degree ≥ 0.", t.name, s.name, s.wide/t.size))
	n := Load(Param("n"), GP64())
	dst, dot := Load(Param("dst"), GP64()), Load(Param("dot"), GP64())
	g, c, one := t.param(s, "scale"), t.param(s, "c"), t.splat(s, 1)
	degree, e := Load(Param("degree"), GP64()), GP64()
	t.loop(s, n, []Register{dst, dot}, func() {
		x, r := s.vec(), s.vec()
		t.mul(Mem{Base: dot}, g, x)
		t.add(c, x, x)
		VMOVAPS(one, r)
		MOVQ(degree, e)
		Label("bits")
		SHRQ(U8(1), e)
		JCC(LabelRef("even"))
		t.mul(x, r, r)
		Label("even")
		t.mul(x, x, x)
		TESTQ(e, e)
		JNZ(LabelRef("bits"))
		t.store(r, Mem{Base: dst})
	})
	finish()
}

// near collects the places of small distances in a tile.
func near(s *isa, t *elem) {
	lanes := s.wide / t.size
	const rowCode = 256
	begin("near"+t.name+s.name, fmt.Sprintf("func(rows, n int, dot *%[1]s, stride int, yy, ylimit, xx, xlimit *%[1]s, out *int32) int", t.gotype),
		fmt.Sprintf("near%s%s writes %d·r + j for every xx[r] + yy[j] − 2·dot[r·stride + j] ≤ max(xlimit[r], ylimit[j]),", t.name, s.name, rowCode),
		fmt.Sprintf("r < rows, j < n, a positive multiple of %d, and returns their number. It may write %d more.", lanes, lanes))
	rows, n := Load(Param("rows"), GP64()), Load(Param("n"), GP64())
	dot, stride := Load(Param("dot"), GP64()), t.bytes(Load(Param("stride"), GP64()))
	yy, ylimit := Load(Param("yy"), GP64()), Load(Param("ylimit"), GP64())
	xx, xlimit := Load(Param("xx"), GP64()), Load(Param("xlimit"), GP64())
	out, start := Load(Param("out"), GP64()), GP64()
	MOVQ(out, start)
	t.bytes(n) // the columns end there
	j := GP64()
	const le = 18 // less or equal, false for NaN, quiet
	square, limit := s.vec(), s.vec()
	// bounds compute both sides of the comparison.
	bounds := func() (distance, most VecVirtual) {
		distance, most = s.vec(), s.vec()
		x := s.vec()
		t.add(Mem{Base: yy, Index: j, Scale: 1}, square, distance)
		t.load(Mem{Base: dot, Index: j, Scale: 1}, x)
		t.sub(x, distance, distance)
		t.sub(x, distance, distance)
		t.max(Mem{Base: ylimit, Index: j, Scale: 1}, limit, most)
		return distance, most
	}
	var first, index, step, next VecVirtual
	row := GP32()
	if s == avx512 {
		first, index, step, next = ZMM(), ZMM(), ZMM(), ZMM()
		VMOVDQU32(counting(), first)
		VPBROADCASTD(stepOf(lanes), step)
		VPBROADCASTD(stepOf(rowCode), next)
	} else {
		XORL(row, row)
	}
	place := GP32()
	Label("row")
	t.bcast(Mem{Base: xx}, square)
	t.bcast(Mem{Base: xlimit}, limit)
	XORQ(j, j)
	if s == avx512 {
		VMOVDQA32(first, index)
	} else {
		MOVL(row, place)
	}
	Label("loop")
	distance, most := bounds()
	if s == avx512 {
		count, k, z := GP64(), K(), ZMM()
		if t == f32 {
			VCMPPS(U8(le), most, distance, k)
		} else {
			VCMPPD(U8(le), most, distance, k)
		}
		KMOVW(k, count.As32())
		TESTL(count.As32(), count.As32())
		JZ(LabelRef("none"))
		VPCOMPRESSD_Z(index, k, z)
		POPCNTL(count.As32(), count.As32())
		if t == f32 {
			VMOVDQU32(z, Mem{Base: out})
		} else {
			VMOVDQU(z.AsY(), Mem{Base: out})
		}
		LEAQ(Mem{Base: out, Index: count, Scale: 4}, out)
		Label("none")
		VPADDD(step, index, index)
	} else {
		mask, bit := GP32(), GP32()
		if t == f32 {
			VCMPPS(U8(le), most, distance, distance)
			VMOVMSKPS(distance, mask)
		} else {
			VCMPPD(U8(le), most, distance, distance)
			VMOVMSKPD(distance, mask)
		}
		TESTL(mask, mask)
		JZ(LabelRef("none"))
		Label("bits")
		TZCNTL(mask, bit)
		ADDL(place, bit)
		MOVL(bit, Mem{Base: out})
		ADDQ(Imm(4), out)
		BLSRL(mask, mask)
		JNZ(LabelRef("bits"))
		Label("none")
		ADDL(Imm(uint64(lanes)), place)
	}
	ADDQ(Imm(uint64(s.wide)), j)
	CMPQ(j, n)
	JLT(LabelRef("loop"))
	if s == avx512 {
		VPADDD(next, first, first)
	} else {
		ADDL(U32(rowCode), row)
	}
	ADDQ(stride, dot)
	ADDQ(Imm(uint64(t.size)), xx)
	ADDQ(Imm(uint64(t.size)), xlimit)
	DECQ(rows)
	JNZ(LabelRef("row"))
	SUBQ(start, out)
	SHRQ(U8(2), out)
	Store(out, ReturnIndex(0))
	finish()
}

// counting is 0, 1, … 15.
func counting() Mem {
	if m, ok := tables["counting"]; ok {
		return m
	}
	m := GLOBL("counting", 8|16)
	for i := range 16 {
		DATA(4*i, U32(i))
	}
	tables["counting"] = m
	return m
}

func stepOf(lanes int) Mem {
	return constant(fmt.Sprintf("step%d", lanes), U32(lanes))
}

func maps() {
	for _, s := range []*isa{avx512, avx2} {
		for _, t := range []*elem{f32, f64} {
			exps(s, t)
			gauss(s, t)
			distances(s, t)
			power(s, t)
			near(s, t)
		}
	}
}
