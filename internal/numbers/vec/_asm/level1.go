package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// dot covers inner products and squared distances.
func dot(s *isa, difference bool) {
	const unroll = 4
	name, formula := "dot", "Σ x·y"
	if difference {
		name, formula = "squaredDistance", "Σ (x − y)²"
	}
	begin(name+s.name, "func(n int, x, y *float64) float64",
		fmt.Sprintf("%s%s returns %s over n numbers, a multiple of %d.", name, s.name, formula, unroll*s.wide/8))
	n := Load(Param("n"), GP64())
	x, y := Load(Param("x"), GP64()), Load(Param("y"), GP64())
	var acc [unroll]VecVirtual
	for i := range acc {
		acc[i] = s.vec()
		zero(s, acc[i])
	}
	SHRQ(U8(map[int]uint64{32: 4, 64: 5}[s.wide]), n)
	JZ(LabelRef("sums"))
	Label("loop")
	for i := range acc {
		v := s.vec()
		VMOVUPD(at(x, i*s.wide), v)
		if difference {
			VSUBPD(at(y, i*s.wide), v, v)
			VFMADD231PD(v, v, acc[i])
		} else {
			VFMADD231PD(at(y, i*s.wide), v, acc[i])
		}
	}
	ADDQ(U32(uint64(unroll*s.wide)), x)
	ADDQ(U32(uint64(unroll*s.wide)), y)
	DECQ(n)
	JNZ(LabelRef("loop"))
	Label("sums")
	VADDPD(acc[1], acc[0], acc[0])
	VADDPD(acc[3], acc[2], acc[2])
	VADDPD(acc[2], acc[0], acc[0])
	Store(s.sum(acc[0]), ReturnIndex(0))
	finish()
}

// axpby covers the scaled additions.
func axpby(s *isa, scaled bool) {
	name, formula := "axpy", "y += a·x"
	signature := "func(n int, a float64, x, y *float64)"
	if scaled {
		name, formula = "axpby", "y = a·x + b·y"
		signature = "func(n int, a float64, x *float64, b float64, y *float64)"
	}
	begin(name+s.name, signature,
		fmt.Sprintf("%s%s computes %s for n numbers, a multiple of %d.", name, s.name, formula, s.wide/8))
	n := Load(Param("n"), GP64())
	x, y := Load(Param("x"), GP64()), Load(Param("y"), GP64())
	a := f64.param(s, "a")
	var b VecVirtual
	if scaled {
		b = f64.param(s, "b")
	}
	f64.loop(s, n, []Register{x, y}, func() {
		v := s.vec()
		VMOVUPD(Mem{Base: y}, v)
		if scaled {
			VMULPD(b, v, v)
		}
		VFMADD231PD(Mem{Base: x}, a, v)
		VMOVUPD(v, Mem{Base: y})
	})
	finish()
}

// ger is a rank-one update; its rows may be short.
func ger(t *elem) {
	s := avx512
	lanes := s.wide / t.size
	begin("ger"+t.name+s.name, fmt.Sprintf("func(m, n int, alpha %[1]s, x *%[1]s, incx int, y, a *%[1]s, lda int)", t.gotype),
		fmt.Sprintf("ger%s%s computes a[i·lda + j] += alpha·x[i·incx]·y[j] for i < m, j < n; m, n ≥ 1.", t.name, s.name))
	m, n := Load(Param("m"), GP64()), Load(Param("n"), GP64())
	x, y, a := Load(Param("x"), GP64()), Load(Param("y"), GP64()), Load(Param("a"), GP64())
	incx, lda := t.bytes(Load(Param("incx"), GP64())), t.bytes(Load(Param("lda"), GP64()))
	alpha := t.param(s, "alpha")
	rest, mask, k := GP64(), GP64(), K()
	MOVQ(n, rest)
	ANDQ(Imm(uint64(lanes-1)), rest)
	MOVQ(I32(-1), mask)
	BZHIQ(rest, mask, mask)
	KMOVW(mask.As32(), k)
	SHRQ(U8(map[int]uint64{8: 3, 16: 4}[lanes]), n)
	c, i, j := ZMM(), GP64(), GP64()
	Label("row")
	t.bcast(Mem{Base: x}, c)
	t.mul(alpha, c, c)
	PREFETCHT0(Mem{Base: a, Index: lda, Scale: 8})
	XORQ(j, j)
	MOVQ(n, i)
	TESTQ(i, i)
	JZ(LabelRef("tail"))
	Label("loop")
	v := ZMM()
	t.load(Mem{Base: a, Index: j, Scale: 1}, v)
	t.fma(Mem{Base: y, Index: j, Scale: 1}, c, v)
	t.store(v, Mem{Base: a, Index: j, Scale: 1})
	ADDQ(Imm(64), j)
	DECQ(i)
	JNZ(LabelRef("loop"))
	Label("tail")
	TESTQ(rest, rest)
	JZ(LabelRef("next"))
	w, u := ZMM(), ZMM()
	if t == f32 {
		VMOVUPS_Z(Mem{Base: a, Index: j, Scale: 1}, k, w)
		VMOVUPS_Z(Mem{Base: y, Index: j, Scale: 1}, k, u)
		VFMADD231PS(u, c, w)
		VMOVUPS(w, k, Mem{Base: a, Index: j, Scale: 1})
	} else {
		VMOVUPD_Z(Mem{Base: a, Index: j, Scale: 1}, k, w)
		VMOVUPD_Z(Mem{Base: y, Index: j, Scale: 1}, k, u)
		VFMADD231PD(u, c, w)
		VMOVUPD(w, k, Mem{Base: a, Index: j, Scale: 1})
	}
	Label("next")
	ADDQ(incx, x)
	ADDQ(lda, a)
	DECQ(m)
	JNZ(LabelRef("row"))
	finish()
}

func level1() {
	for _, s := range []*isa{avx512, avx2} {
		dot(s, false)
		dot(s, true)
		axpby(s, false)
		axpby(s, true)
	}
	ger(f64)
	ger(f32)
}

// prefetch asks for cache lines ahead of their use.
func prefetch() {
	begin("prefetchL2", "func(n int, p *byte)",
		"prefetchL2 asks for the n > 0 cache lines from p on to be brought into the second-level cache.")
	n := Load(Param("n"), GP64())
	p := Load(Param("p"), GP64())
	Label("loop")
	PREFETCHT1(Mem{Base: p})
	ADDQ(U32(64), p)
	DECQ(n)
	JNZ(LabelRef("loop"))
	finish()
}
