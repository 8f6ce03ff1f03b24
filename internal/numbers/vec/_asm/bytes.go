package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// bytesOf covers products of rows of bytes: AVX-512 multiplies bytes from 0 to 255 with
// those less 128, four at a time, AVX2 pairs of them as 16-bit numbers.
func bytesOf() {
	for _, s := range []*isa{avx512, avx2} {
		dotBytes(s)
		tileBytes(s, s.mr, true)
		tileBytes(s, s.mr, false)
		tileBytes(s, 1, false)
	}
}

// dotBytes is an inner product of two rows of bytes.
func dotBytes(s *isa) {
	const unroll = 2
	step := map[*isa]int{avx512: 64, avx2: 16}[s]
	doc := fmt.Sprintf("a multiple of %d and ", unroll*step)
	if s == avx512 {
		doc = ""
	}
	begin("dotBytes"+s.name, "func(n int, x, y *uint8) int32",
		fmt.Sprintf("dotBytes%s returns Σ x·y over n numbers, %sat most 32768.", s.name, doc))
	n := Load(Param("n"), GP64())
	x, y := Load(Param("x"), GP64()), Load(Param("y"), GP64())
	var acc [2 * unroll]VecVirtual
	for i := range acc {
		acc[i] = s.vec()
		zero(s, acc[i])
	}
	// x·y = x·(y − 128) − x·(−128): 0x80 is −128, and less 128 where it flips a byte.
	high, rest, mask := s.vec(), GP64(), GP64()
	if s == avx512 {
		VPBROADCASTD(constant("high", U32(0x80808080)), high)
		MOVQ(n, rest)
		ANDQ(Imm(uint64(step-1)), rest)
		SHRQ(Imm(6), n)
	} else {
		SHRQ(Imm(5), n)
	}
	JZ(LabelRef("rest"))
	if s == avx512 {
		SHRQ(Imm(1), n)
		JNC(LabelRef("even"))
		dotStep(s, Mem{Base: x}, Mem{Base: y}, high, acc[0], acc[1])
		ADDQ(Imm(64), x)
		ADDQ(Imm(64), y)
		Label("even")
		TESTQ(n, n)
		JZ(LabelRef("rest"))
	}
	Label("loop")
	for u := range unroll {
		dotStep(s, at(x, u*step), at(y, u*step), high, acc[2*u], acc[2*u+1])
	}
	ADDQ(U32(uint64(unroll*step)), x)
	ADDQ(U32(uint64(unroll*step)), y)
	DECQ(n)
	JNZ(LabelRef("loop"))
	Label("rest")
	if s == avx512 {
		TESTQ(rest, rest)
		JZ(LabelRef("sums"))
		k := K()
		MOVQ(I32(-1), mask)
		BZHIQ(rest, mask, mask)
		KMOVQ(mask, k)
		v, w := s.vec(), s.vec()
		VMOVDQU8_Z(Mem{Base: x}, k, v)
		VMOVDQU8_Z(Mem{Base: y}, k, w)
		VPXORD(high, w, w)
		VPDPBUSD(w, v, acc[0])
		VPDPBUSD(high, v, acc[1])
		Label("sums")
		VPADDD(acc[2], acc[0], acc[0])
		VPADDD(acc[3], acc[1], acc[1])
		VPSUBD(acc[1], acc[0], acc[0])
		h := YMM()
		VEXTRACTI64X4(U8(1), acc[0], h)
		VPADDD(h, acc[0].AsY(), h)
		acc[0] = h
	} else {
		VPADDD(acc[2], acc[0], acc[0])
	}
	h, l := XMM(), XMM()
	VEXTRACTI128(U8(1), acc[0], h)
	VPADDD(acc[0].AsX(), h, h)
	for _, order := range []uint64{0x4e, 0xb1} {
		VPSHUFD(U8(order), h, l)
		VPADDD(l, h, h)
	}
	sum := GP32()
	VMOVD(h, sum)
	Store(sum, ReturnIndex(0))
	finish()
}

// dotStep adds the products of a vector of bytes.
func dotStep(s *isa, x, y Mem, high, sum, less VecVirtual) {
	v, w := s.vec(), s.vec()
	if s == avx512 {
		VMOVDQU32(x, v)
		VPXORD(y, high, w)
		VPDPBUSD(w, v, sum)
		VPDPBUSD(high, v, less)
		return
	}
	VPMOVZXBW(x, v)
	VPMOVZXBW(y, w)
	VPMADDWD(w, v, v)
	VPADDD(v, sum, sum)
}

// tileBytes is a register tile of products of rows of bytes: mr rows, s.mr or a single one,
// two vectors of columns. The products have factors, or are left as the sums that they are.
func tileBytes(s *isa, mr int, factors bool) {
	const early = 4096 // bytes
	nr := s.wide / 2
	if factors {
		name := "tileBytes" + s.name
		begin(name, "func(steps int, a *uint8, lda int, b *uint8, dst *float32, ldd int, add *int32, rows, cols *float32)",
			fmt.Sprintf("%s sets dst(i,j) = (Σ a(i)·b(j) + add(i))·(rows(i)·cols(j)) for a tile of %d×%d,", name, mr, nr),
			"summed over an even number of steps of 4 bytes. The steps lie lda bytes apart in a for each i,",
			"and step after step in b for all j.")
	} else {
		name := fmt.Sprintf("sumBytesx%d%s", mr, s.name)
		begin(name, "func(steps int, a *uint8, lda int, b *uint8, dst *int32, ldd int, add *int32)",
			fmt.Sprintf("%s is tileBytes%s without factors, for a tile of %d×%d.", name, s.name, mr, nr))
	}
	steps := Load(Param("steps"), GP64())
	a := Load(Param("a"), GP64())
	rs := stride(Load(Param("lda"), GP64()))
	b := Load(Param("b"), GP64())
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
	b0, b1 := s.vec(), s.vec()
	tmp := []VecVirtual{s.vec(), s.vec()}
	if s == avx512 {
		tmp = append(tmp, s.vec(), s.vec())
	}
	SHRQ(U8(1), steps)
	Label("loop")
	for line := 0; mr < s.mr && line < 4*s.wide; line += 64 {
		PREFETCHT0(at(b, early+line)) // a single row passes b as fast as it comes
	}
	for u := range 2 {
		VMOVUPS(at(b, 2*u*s.wide), b0)
		VMOVUPS(at(b, (2*u+1)*s.wide), b1)
		for i := range acc {
			row := rs.row(bases[i/6], i%6)
			row.Disp = 4 * u
			if s == avx512 {
				x := tmp[i%4]
				VPBROADCASTD(row, x)
				VPDPBUSD(b0, x, acc[i][0])
				VPDPBUSD(b1, x, acc[i][1])
				continue
			}
			for h, v := range []VecVirtual{b0, b1} {
				if h == 0 {
					VPBROADCASTD(row, tmp[0])
				}
				VPMADDWD(v, tmp[0], tmp[1])
				VPADDD(tmp[1], acc[i][h], acc[i][h])
			}
		}
	}
	for _, p := range bases {
		ADDQ(Imm(8), p)
	}
	ADDQ(U32(uint64(4*s.wide)), b)
	DECQ(steps)
	JNZ(LabelRef("loop"))

	dst, ldd := Load(Param("dst"), GP64()), f32.bytes(Load(Param("ldd"), GP64()))
	add := Load(Param("add"), GP64())
	var row Register
	if factors {
		row = Load(Param("rows"), GP64())
		cols := Load(Param("cols"), GP64())
		VMOVUPS(at(cols, 0), b0)
		VMOVUPS(at(cols, s.wide), b1)
	}
	for i := range acc {
		for h, factor := range []VecVirtual{b0, b1} {
			v := acc[i][h]
			VPBROADCASTD(at(add, 4*i), tmp[0])
			VPADDD(tmp[0], v, v)
			if factors {
				VCVTDQ2PS(v, v)
				VBROADCASTSS(at(row, 4*i), tmp[0])
				VMULPS(factor, tmp[0], tmp[0])
				VMULPS(tmp[0], v, v)
			}
			VMOVUPS(v, at(dst, h*s.wide))
		}
		if i+1 < mr {
			ADDQ(ldd, dst)
		}
	}
	finish()
}
