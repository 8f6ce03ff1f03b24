package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
)

// rectify sums what columns have beyond a threshold, on either side.
func rectify() {
	s := avx2
	begin("rectifyAVX2", "func(rows, n int, above, below, z *float32, ld int, threshold float32)",
		"rectifyAVX2 sums max(z − threshold, 0) and max(−z − threshold, 0) over rows, for n columns, a multiple of 8; rows ≥ 1.")
	rows, n := Load(Param("rows"), GP64()), Load(Param("n"), GP64())
	above, below := Load(Param("above"), GP64()), Load(Param("below"), GP64())
	z, ld := Load(Param("z"), GP64()), f32.bytes(Load(Param("ld"), GP64()))
	threshold := f32.param(s, "threshold")
	none, minus := s.vec(), s.vec()
	zero(s, none)
	VSUBPS(threshold, none, minus)
	SHRQ(U8(3), n)
	JZ(LabelRef("done"))
	Label("columns")
	sums := [2]Op{s.vec(), s.vec()}
	VMOVAPS(none, sums[0])
	VMOVAPS(none, sums[1])
	row, left := GP64(), GP64()
	MOVQ(z, row)
	MOVQ(rows, left)
	Label("row")
	v, up, down := s.vec(), s.vec(), s.vec()
	VMOVUPS(Mem{Base: row}, v)
	VSUBPS(threshold, v, up)
	VSUBPS(v, minus, down)
	VMAXPS(up, none, up) // NaN where z is
	VMAXPS(down, none, down)
	VADDPS(up, sums[0], sums[0])
	VADDPS(down, sums[1], sums[1])
	ADDQ(ld, row)
	DECQ(left)
	JNZ(LabelRef("row"))
	VMOVUPS(sums[0], Mem{Base: above})
	VMOVUPS(sums[1], Mem{Base: below})
	for _, p := range []Op{z, above, below} {
		ADDQ(Imm(uint64(s.wide)), p)
	}
	DECQ(n)
	JNZ(LabelRef("columns"))
	Label("done")
	finish()
}
