package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// conversions covers bytes as numbers, and rows of numbers moved and scaled.
func conversions() {
	for _, s := range []*isa{avx512, avx2} {
		fromBytes(s, f64)
		fromBytes(s, f32)
		affine(s)
		divide(s)
	}
}

// fromBytes converts bytes to whole vectors of numbers.
func fromBytes(s *isa, t *elem) {
	lanes := s.wide / t.size
	begin("fromBytes"+t.name+s.name, fmt.Sprintf("func(n int, dst *%s, src *uint8)", t.gotype),
		fmt.Sprintf("fromBytes%s%s converts n numbers, a multiple of %d.", t.name, s.name, lanes))
	n := Load(Param("n"), GP64())
	dst, src := Load(Param("dst"), GP64()), Load(Param("src"), GP64())
	SHRQ(U8(map[int]uint64{4: 2, 8: 3, 16: 4}[lanes]), n)
	JZ(LabelRef("done"))
	Label("loop")
	whole, v := map[int]func() VecVirtual{4: XMM, 8: YMM, 16: ZMM}[lanes](), s.vec()
	VPMOVZXBD(Mem{Base: src}, whole)
	if t == f64 {
		VCVTDQ2PD(whole, v)
	} else {
		VCVTDQ2PS(whole, v)
	}
	t.store(v, Mem{Base: dst})
	ADDQ(Imm(uint64(lanes)), src)
	ADDQ(Imm(uint64(s.wide)), dst)
	DECQ(n)
	JNZ(LabelRef("loop"))
	Label("done")
	finish()
}

// affine moves and scales whole vectors.
func affine(s *isa) {
	begin("affine"+s.name, "func(n int, x, shift, factor *float64)",
		fmt.Sprintf("affine%s computes x = (x − shift)·factor for n numbers, a multiple of %d.", s.name, s.wide/8))
	n := Load(Param("n"), GP64())
	x, shift, factor := Load(Param("x"), GP64()), Load(Param("shift"), GP64()), Load(Param("factor"), GP64())
	f64.loop(s, n, []Register{x, shift, factor}, func() {
		v := s.vec()
		VMOVUPD(Mem{Base: x}, v)
		VSUBPD(Mem{Base: shift}, v, v)
		VMULPD(Mem{Base: factor}, v, v)
		VMOVUPD(v, Mem{Base: x})
	})
	finish()
}

// divide divides whole vectors by a number.
func divide(s *isa) {
	begin("divide"+s.name, "func(n int, x *float64, a float64)",
		fmt.Sprintf("divide%s computes x = x/a for n numbers, a multiple of %d.", s.name, s.wide/8))
	n := Load(Param("n"), GP64())
	x := Load(Param("x"), GP64())
	a := f64.param(s, "a")
	f64.loop(s, n, []Register{x}, func() {
		v := s.vec()
		VMOVUPD(Mem{Base: x}, v)
		VDIVPD(a, v, v)
		VMOVUPD(v, Mem{Base: x})
	})
	finish()
}
