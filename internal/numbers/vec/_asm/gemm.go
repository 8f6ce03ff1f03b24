package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// sum is what a register tile sums up over k: terms of a value of A and one of B.
type sum struct {
	name, doc string // of the function: its first word, and what it says of the shapes
	// begin loads what step needs; step adds the terms of one value of k, of two
	// vectors of B at b and a value of A per row.
	begin func(s *isa, t *elem) (step func(b Register, row func(i int) Mem, acc [][2]VecVirtual))
}

// products is Σ a·b.
var products = sum{"tile", "%s sets C = α·A·B, or adds it to C, for %d×k, k×%d and %d×%d matrices;", func(s *isa, t *elem) func(Register, func(int) Mem, [][2]VecVirtual) {
	b0, b1 := s.vec(), s.vec()
	nb := 2
	if s == avx512 {
		nb = 4
	}
	tmp := make([]VecVirtual, nb)
	for i := range tmp {
		tmp[i] = s.vec()
	}
	return func(b Register, row func(int) Mem, acc [][2]VecVirtual) {
		t.load(at(b, 0), b0)
		t.load(at(b, s.wide), b1)
		for i := range acc {
			x := tmp[i%nb]
			t.bcast(row(i), x)
			t.fma(b0, x, acc[i][0])
			t.fma(b1, x, acc[i][1])
		}
	}
}}

// manhattan is Σ |a − b|: three instructions for a vector of terms. The last is
// a multiply-add by 1, as many processors add and multiply in different units.
var manhattan = sum{"l1", "%s sets C = α·D, or adds it to C, D(i,j) = Σ_p |A(i,p) − B(p,j)|, for %d×k, k×%d and %d×%d matrices;", func(s *isa, t *elem) func(Register, func(int) Mem, [][2]VecVirtual) {
	one, magnitude := s.vec(), s.vec()
	ones(s, one)
	ones(s, magnitude)
	t.shiftRight(U8(1), magnitude, magnitude)
	t.shiftLeft(U8(t.oneLeft), one, one)
	t.shiftRight(U8(2), one, one)
	var b0, b1 VecVirtual
	if s == avx512 { // registers enough
		b0, b1 = s.vec(), s.vec()
	}
	return func(b Register, row func(int) Mem, acc [][2]VecVirtual) {
		if s == avx512 {
			t.load(at(b, 0), b0)
			t.load(at(b, s.wide), b1)
		}
		for i := range acc {
			x, y := s.vec(), s.vec()
			if s == avx512 {
				t.subBcast(row(i), b0, x)
				t.subBcast(row(i), b1, y)
			} else {
				t.bcast(row(i), x)
				t.sub(at(b, 0), x, y)
				t.sub(at(b, s.wide), x, x)
				x, y = y, x
			}
			for h, d := range []VecVirtual{x, y} {
				t.and(magnitude, d, d)
				t.fma(one, d, acc[i][h])
			}
		}
	}
}}

// ones sets all bits.
func ones(s *isa, v VecVirtual) {
	if s == avx512 {
		VPTERNLOGD(U8(0xff), v, v, v)
		return
	}
	VPCMPEQD(v, v, v)
}

// tile is a register tile of such a sum: mr rows, s.mr or few, two vectors of
// columns, one pass over k.
func tile(s *isa, t *elem, op sum, mr int) {
	nr := 2 * s.wide / t.size
	name := fmt.Sprintf("%s%sx%d%s", op.name, t.name, mr, s.name)
	begin(name,
		fmt.Sprintf("func(k int, a *%[1]s, rsa, csa int, b *%[1]s, rsb int, c *%[1]s, ldc int, alpha %[1]s, add bool)", t.gotype),
		fmt.Sprintf(op.doc, name, mr, nr, mr, nr),
		"A(i,p) = a[i·rsa + p·csa], B(p,j) = b[p·rsb + j], C(i,j) = c[i·ldc + j]; k ≥ 1.")
	k := Load(Param("k"), GP64())
	a := Load(Param("a"), GP64())
	rs := stride(t.bytes(Load(Param("rsa"), GP64())))
	csa := t.bytes(Load(Param("csa"), GP64()))
	b := Load(Param("b"), GP64())
	rsb := t.bytes(Load(Param("rsb"), GP64()))
	bases := []Register{a}
	for len(bases)*6 < mr {
		bases = append(bases, rs.next(bases[len(bases)-1]))
	}
	acc := make([][2]VecVirtual, mr)
	for i := range acc {
		acc[i] = [2]VecVirtual{s.vec(), s.vec()}
		zero(s, acc[i][0])
		zero(s, acc[i][1])
	}
	terms := op.begin(s, t)
	// The rows of C are fetched while the sums are formed, one per step: all at
	// once would hold up the loads.
	c := Load(Param("c"), GP64())
	ldc := t.bytes(Load(Param("ldc"), GP64()))
	first := GP64()
	MOVQ(U32(uint64(mr)), first)
	CMPQ(k, first)
	CMOVQLT(k, first)
	SUBQ(first, k)
	// Few rows pass B as fast as it comes: they fetch it, 1<<early steps ahead.
	const early = 5
	ahead := GP64()
	if mr < s.mr {
		MOVQ(rsb, ahead)
		SHLQ(U8(early), ahead)
		ADDQ(b, ahead)
	}
	step := func() {
		if mr < s.mr {
			for line := 0; line < 2*s.wide; line += 64 {
				PREFETCHT0(at(ahead, line))
			}
			ADDQ(rsb, ahead)
		}
		terms(b, func(i int) Mem { return rs.row(bases[i/6], i%6) }, acc)
		for _, p := range bases {
			ADDQ(csa, p)
		}
		ADDQ(rsb, b)
	}
	Label("fetching")
	PREFETCHT0(Mem{Base: c})
	PREFETCHT0(Mem{Base: c, Disp: 2*s.wide - 1})
	ADDQ(ldc, c)
	step()
	DECQ(first)
	JNZ(LabelRef("fetching"))
	TESTQ(k, k)
	JZ(LabelRef("done"))
	Label("loop")
	step()
	DECQ(k)
	JNZ(LabelRef("loop"))
	Label("done")

	Load(Param("c"), c)
	al := s.vec()
	addr, _ := Param("alpha").Resolve()
	t.bcast(addr.Addr, al)
	flag := GP8()
	Load(Param("add"), flag)
	TESTB(flag, flag)
	JZ(LabelRef("store"))
	for i := range mr {
		for h := range 2 {
			t.mul(al, acc[i][h], acc[i][h])
			t.add(at(c, h*s.wide), acc[i][h], acc[i][h])
			t.store(acc[i][h], at(c, h*s.wide))
		}
		if i+1 < mr {
			ADDQ(ldc, c)
		}
	}
	finish()
	Label("store")
	for i := range mr {
		for h := range 2 {
			t.mul(al, acc[i][h], acc[i][h])
			t.store(acc[i][h], at(c, h*s.wide))
		}
		if i+1 < mr {
			ADDQ(ldc, c)
		}
	}
	finish()
}

// solve is forward substitution with one packed mr×mr lower triangle on a
// tile held in registers.
func solve(s *isa, t *elem) {
	nr := 2 * s.wide / t.size
	begin("solve"+t.name+s.name,
		fmt.Sprintf("func(a, inv, c *%[1]s)", t.gotype),
		fmt.Sprintf("solve%s%s overwrites the %d×%d tile C with the solution X of L·X = C;", t.name, s.name, s.mr, nr),
		fmt.Sprintf("L(i,j) = a[j·%d + i] for i > j, 1/L(i,i) = inv[i], C(i,j) = c[i·%d + j].", s.mr, nr))
	a := Load(Param("a"), GP64())
	inv := Load(Param("inv"), GP64())
	c := Load(Param("c"), GP64())
	x := make([][2]VecVirtual, s.mr)
	for i := range x {
		for h := range 2 {
			x[i][h] = s.vec()
			t.load(at(c, i*nr*t.size+h*s.wide), x[i][h])
		}
	}
	f := []VecVirtual{s.vec(), s.vec()}
	for i := range s.mr {
		t.bcast(at(inv, i*t.size), f[0])
		for h := range 2 {
			t.mul(f[0], x[i][h], x[i][h])
			t.store(x[i][h], at(c, i*nr*t.size+h*s.wide))
		}
		for r := i + 1; r < s.mr; r++ {
			y := f[(r-i)%2]
			t.bcast(at(a, (i*s.mr+r)*t.size), y)
			t.fnma(x[i][0], y, x[r][0])
			t.fnma(x[i][1], y, x[r][1])
		}
	}
	finish()
}

// transpose4 interleaves four rows, the slow half of packing.
func transpose4(t *elem) {
	begin("transpose4"+t.name+"AVX2",
		fmt.Sprintf("func(n int, src *%[1]s, ld int, dst *%[1]s, ldd int)", t.gotype),
		fmt.Sprintf("transpose4%sAVX2 sets dst[p·ldd + r] = src[r·ld + p] for r < 4 and p < n, n a multiple of 4.", t.name))
	n := Load(Param("n"), GP64())
	src := Load(Param("src"), GP64())
	ld := t.bytes(Load(Param("ld"), GP64()))
	dst := Load(Param("dst"), GP64())
	ldd := t.bytes(Load(Param("ldd"), GP64()))
	ld3, ldd3 := GP64(), GP64()
	LEAQ(Mem{Base: ld, Index: ld, Scale: 2}, ld3)
	LEAQ(Mem{Base: ldd, Index: ldd, Scale: 2}, ldd3)
	row := func(b, s, s3 Register, i int) Mem {
		switch i {
		case 0:
			return Mem{Base: b}
		case 3:
			return Mem{Base: b, Index: s3, Scale: 1}
		}
		return Mem{Base: b, Index: s, Scale: uint8(i)}
	}
	// The next four rows are fetched meanwhile: they begin elsewhere in memory.
	next := GP64()
	LEAQ(Mem{Base: src, Index: ld, Scale: 4}, next)
	SHRQ(U8(2), n)
	JZ(LabelRef("done"))
	Label("loop")
	for i := range 4 {
		PREFETCHT0(row(next, ld, ld3, i))
	}
	ADDQ(Imm(uint64(4*t.size)), next)
	vec := YMM
	if t == f32 {
		vec = XMM
	}
	var r, u, v [4]VecVirtual
	for i := range 4 {
		r[i], u[i], v[i] = vec(), vec(), vec()
		t.load(row(src, ld, ld3, i), r[i])
	}
	if t == f32 {
		VUNPCKLPS(r[1], r[0], u[0]) // 00 10 01 11
		VUNPCKHPS(r[1], r[0], u[1])
		VUNPCKLPS(r[3], r[2], u[2])
		VUNPCKHPS(r[3], r[2], u[3])
		VUNPCKLPD(u[2], u[0], v[0])
		VUNPCKHPD(u[2], u[0], v[1])
		VUNPCKLPD(u[3], u[1], v[2])
		VUNPCKHPD(u[3], u[1], v[3])
	} else {
		VUNPCKLPD(r[1], r[0], u[0]) // 00 10 02 12
		VUNPCKHPD(r[1], r[0], u[1]) // 01 11 03 13
		VUNPCKLPD(r[3], r[2], u[2])
		VUNPCKHPD(r[3], r[2], u[3])
		VPERM2F128(U8(0x20), u[2], u[0], v[0])
		VPERM2F128(U8(0x20), u[3], u[1], v[1])
		VPERM2F128(U8(0x31), u[2], u[0], v[2])
		VPERM2F128(U8(0x31), u[3], u[1], v[3])
	}
	for i := range 4 {
		t.store(v[i], row(dst, ldd, ldd3, i))
	}
	ADDQ(Imm(uint64(4*t.size)), src)
	LEAQ(Mem{Base: dst, Index: ldd, Scale: 4}, dst)
	DECQ(n)
	JNZ(LabelRef("loop"))
	Label("done")
	finish()
}

func finish() {
	VZEROUPPER()
	RET()
}

func zero(s *isa, v VecVirtual) {
	if s == avx512 {
		VPXORD(v, v, v)
		return
	}
	VXORPS(v, v, v)
}

// copyRows packs rows of two vectors each, type by size in bytes only.
func copyRows(s *isa) {
	begin("copyRows"+s.name, "func(n int, src *byte, ld int, dst *byte)",
		fmt.Sprintf("copyRows%s copies n rows of %d bytes, ld bytes apart, one behind the other.", s.name, 2*s.wide))
	n := Load(Param("n"), GP64())
	src := Load(Param("src"), GP64())
	ld := Load(Param("ld"), GP64())
	dst := Load(Param("dst"), GP64())
	ahead := GP64()
	MOVQ(ld, ahead)
	SHLQ(U8(3), ahead)
	ADDQ(src, ahead)
	TESTQ(n, n)
	JZ(LabelRef("done"))
	Label("loop")
	x, y := s.vec(), s.vec()
	PREFETCHT0(Mem{Base: ahead})
	PREFETCHT0(Mem{Base: ahead, Disp: 2*s.wide - 1})
	VMOVUPS(at(src, 0), x)
	VMOVUPS(at(src, s.wide), y)
	VMOVUPS(x, at(dst, 0))
	VMOVUPS(y, at(dst, s.wide))
	ADDQ(ld, src)
	ADDQ(ld, ahead)
	ADDQ(Imm(uint64(2*s.wide)), dst)
	DECQ(n)
	JNZ(LabelRef("loop"))
	Label("done")
	finish()
}
