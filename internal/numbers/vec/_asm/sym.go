package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// loadDouble brings one vector of doubles from a row of t.
func (t *elem) loadDouble(m Mem, v VecVirtual) {
	if t == f32 {
		VCVTPS2PD(m, v)
		return
	}
	VMOVUPD(m, v)
}

// rowSet addresses r ≤ 8 rows from as few registers as possible.
type rowSet struct {
	bases []Register
	rs    rows
	n     int
}

func rowsAt(base, ld Register, n int) rowSet {
	s := rowSet{bases: []Register{base}, n: n}
	if n > 1 {
		s.rs = stride(ld)
	}
	if n > 6 {
		s.bases = append(s.bases, s.rs.next(base))
	}
	return s
}

func (s rowSet) row(i, disp int) Mem {
	if s.n == 1 {
		return at(s.bases[0], disp)
	}
	m := s.rs.row(s.bases[i/6], i%6)
	m.Disp = disp
	return m
}

func (s rowSet) advance(bytes int) {
	for _, b := range s.bases {
		ADDQ(Imm(uint64(bytes)), b)
	}
}

// prefetchAhead is how many bytes ahead of the next rows the second-level cache is filled.
const prefetchAhead = 8192

// symRows multiplies a few rows of a tile with one vector, and in the same
// pass their transpose with another.
func symRows(s *isa, t *elem, n int, kind string) {
	direct, transposed := kind != "trans", kind != "mul"
	doc := map[string]string{"mul": "yi += T·xj", "trans": "yj += Tᵀ·xi", "sym": "yi += T·xj and yj += Tᵀ·xi"}[kind]
	name := fmt.Sprintf("%sRows%d%s%s", kind, n, t.name, s.name)
	lanes := s.wide / 8
	begin(name, fmt.Sprintf("func(cols int, t *%s, ld int, yi, yj, xi, xj *float64)", t.gotype),
		fmt.Sprintf("%s computes %s for %d rows of a tile;", name, doc, n),
		fmt.Sprintf("cols is a multiple of %d. It fetches the rows that follow.", 2*lanes))
	cols := Load(Param("cols"), GP64())
	p := Load(Param("t"), GP64())
	ld := t.bytes(Load(Param("ld"), GP64()))
	tile := rowsAt(p, ld, n)
	var xj, yj Register
	if direct {
		xj = Load(Param("xj"), GP64())
	}
	if transposed {
		yj = Load(Param("yj"), GP64())
	}
	acc, x := make([]VecVirtual, n), make([]VecVirtual, n)
	xi := Load(Param("xi"), GP64())
	for i := range n {
		if direct {
			acc[i] = s.vec()
			zero(s, acc[i])
		}
		if transposed {
			x[i] = s.vec()
			VBROADCASTSD(at(xi, 8*i), x[i])
		}
	}
	// What is fetched are the rows after these, and into the second-level cache
	// what lies further ahead, both in the order of memory, not of use: the
	// processor's own prefetching then sees one stream.
	ahead := GP64()
	IMUL3Q(U32(uint64(n)), ld, ahead)
	ADDQ(p, ahead)
	SHRQ(U8(map[int]uint64{4: 3, 8: 4}[lanes]), cols)
	JZ(LabelRef("sums"))
	Label("loop")
	a, b := s.vec(), s.vec()
	nv := 2 // vectors per step
	for v := range nv {
		x0, y0 := a, b
		if direct {
			VMOVUPD(at(xj, v*s.wide), x0)
		}
		if transposed {
			VMOVUPD(at(yj, v*s.wide), y0)
		}
		for i := range n {
			if q := (v*n + i) * lanes * t.size; q%64 == 0 {
				PREFETCHT0(at(ahead, q))
				PREFETCHT1(at(ahead, prefetchAhead+q))
			}
			e := s.vec()
			t.loadDouble(tile.row(i, v*lanes*t.size), e)
			if direct {
				VFMADD231PD(x0, e, acc[i])
			}
			if transposed {
				VFMADD231PD(x[i], e, y0)
			}
		}
		if transposed {
			VMOVUPD(y0, at(yj, v*s.wide))
		}
	}
	tile.advance(nv * lanes * t.size)
	ADDQ(U32(uint64(n*nv*lanes*t.size)), ahead)
	if direct {
		ADDQ(Imm(uint64(nv*s.wide)), xj)
	}
	if transposed {
		ADDQ(Imm(uint64(nv*s.wide)), yj)
	}
	DECQ(cols)
	JNZ(LabelRef("loop"))
	Label("sums")
	if !direct {
		finish()
		return
	}
	yi := Load(Param("yi"), GP64())
	for i := range n {
		sum := s.sum(acc[i])
		VADDSD(at(yi, 8*i), sum, sum)
		VMOVSD(sum, at(yi, 8*i))
	}
	finish()
}

// sum adds up the doubles of v and returns the register that holds the total.
func (s *isa) sum(v VecVirtual) Register {
	w := v
	if s == avx512 {
		h := YMM()
		VEXTRACTF64X4(U8(1), v, h)
		VADDPD(h, v.AsY(), h)
		w = h
	}
	x, y := XMM(), XMM()
	VEXTRACTF128(U8(1), w, x)
	VADDPD(w.AsX(), x, x)
	VPERMILPD(U8(1), x, y)
	VADDSD(y, x, x)
	return x
}

func symmetric() {
	for _, kind := range []string{"sym", "mul", "trans"} {
		for _, t := range []*elem{f32, f64} {
			for _, n := range []int{8, 1} {
				symRows(avx512, t, n, kind)
			}
			for _, n := range []int{4, 1} {
				symRows(avx2, t, n, kind)
			}
		}
	}
	for _, s := range []*isa{avx512, avx2} {
		widen(s)
		narrow(s)
		addWide(s)
	}
}

// widen converts whole vectors of float32.
func widen(s *isa) {
	begin("widen"+s.name, "func(n int, dst *float64, src *float32)",
		fmt.Sprintf("widen%s converts n numbers, a multiple of %d.", s.name, s.wide/8))
	n := Load(Param("n"), GP64())
	dst, src := Load(Param("dst"), GP64()), Load(Param("src"), GP64())
	SHRQ(U8(map[int]uint64{32: 2, 64: 3}[s.wide]), n)
	JZ(LabelRef("done"))
	Label("loop")
	v := s.vec()
	PREFETCHT0(at(src, 4096))
	VCVTPS2PD(Mem{Base: src}, v)
	VMOVUPD(v, Mem{Base: dst})
	ADDQ(Imm(uint64(s.wide/2)), src)
	ADDQ(Imm(uint64(s.wide)), dst)
	DECQ(n)
	JNZ(LabelRef("loop"))
	Label("done")
	finish()
}

// narrow converts whole vectors of float64.
func narrow(s *isa) {
	begin("narrow"+s.name, "func(n int, dst *float32, src *float64)",
		fmt.Sprintf("narrow%s converts n numbers, a multiple of %d, rounding to nearest.", s.name, s.wide/8))
	n := Load(Param("n"), GP64())
	dst, src := Load(Param("dst"), GP64()), Load(Param("src"), GP64())
	SHRQ(U8(map[int]uint64{32: 2, 64: 3}[s.wide]), n)
	JZ(LabelRef("done"))
	Label("loop")
	if s == avx512 {
		v := YMM()
		VCVTPD2PS(Mem{Base: src}, v)
		VMOVUPS(v, Mem{Base: dst})
	} else {
		v := XMM()
		VCVTPD2PSY(Mem{Base: src}, v)
		VMOVUPS(v, Mem{Base: dst})
	}
	ADDQ(Imm(uint64(s.wide)), src)
	ADDQ(Imm(uint64(s.wide/2)), dst)
	DECQ(n)
	JNZ(LabelRef("loop"))
	Label("done")
	finish()
}

// addWide adds whole vectors of float32 to float64.
func addWide(s *isa) {
	begin("addWide"+s.name, "func(n int, dst *float64, src *float32)",
		fmt.Sprintf("addWide%s computes dst += src for n numbers, a multiple of %d.", s.name, s.wide/8))
	n := Load(Param("n"), GP64())
	dst, src := Load(Param("dst"), GP64()), Load(Param("src"), GP64())
	SHRQ(U8(map[int]uint64{32: 2, 64: 3}[s.wide]), n)
	JZ(LabelRef("done"))
	Label("loop")
	v := s.vec()
	VCVTPS2PD(Mem{Base: src}, v)
	VADDPD(Mem{Base: dst}, v, v)
	VMOVUPD(v, Mem{Base: dst})
	ADDQ(Imm(uint64(s.wide/2)), src)
	ADDQ(Imm(uint64(s.wide)), dst)
	DECQ(n)
	JNZ(LabelRef("loop"))
	Label("done")
	finish()
}
