package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// peak is nothing but independent multiply-adds.
func peak(s *isa, t *elem) {
	const n = 12
	begin("peak"+t.name+s.name, "func(rounds int)",
		fmt.Sprintf("peak%s%s does %d multiply-adds per round, rounds ≥ 1.", t.name, s.name, 4*n*s.wide/t.size))
	rounds := Load(Param("rounds"), GP64())
	var acc [n]VecVirtual
	for i := range acc {
		acc[i] = s.vec()
		zero(s, acc[i])
	}
	x := s.vec()
	zero(s, x)
	Label("loop")
	for range 4 {
		for i := range acc {
			t.fma(x, x, acc[i])
		}
	}
	DECQ(rounds)
	JNZ(LabelRef("loop"))
	finish()
}

// read touches memory and nothing else.
func read(s *isa) {
	begin("read"+s.name, "func(p *byte, n int) uint64",
		fmt.Sprintf("read%s reads n bytes, a positive multiple of 512, and returns a hash of them.", s.name))
	p, n := Load(Param("p"), GP64()), Load(Param("n"), GP64())
	acc := []VecVirtual{s.vec(), s.vec(), s.vec(), s.vec()}
	for _, a := range acc {
		zero(s, a)
	}
	Label("loop")
	for i := 0; i < 512; i += 64 {
		PREFETCHT0(at(p, 4096+i))
	}
	for i := 0; i < 512/s.wide; i++ {
		a := acc[i%len(acc)]
		if s == avx512 {
			VPXORQ(at(p, i*s.wide), a, a)
		} else {
			VPXOR(at(p, i*s.wide), a, a)
		}
	}
	ADDQ(U32(512), p)
	SUBQ(U32(512), n)
	JNZ(LabelRef("loop"))
	for _, a := range acc[1:] {
		if s == avx512 {
			VPXORQ(a, acc[0], acc[0])
		} else {
			VPXOR(a, acc[0], acc[0])
		}
	}
	out := GP64()
	VMOVQ(acc[0].AsX(), out)
	Store(out, ReturnIndex(0))
	finish()
}
