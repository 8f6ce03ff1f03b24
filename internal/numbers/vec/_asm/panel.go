package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// A narrow panel holds columns of panelRows numbers, one column after the other.
// The kernels here multiply pieceRows rows of a tile of panelRows columns with 4, 5
// or 8 of its columns, lanes running along the rows of the tile.
const (
	panelRows = 192
	pieceRows = 12
	fetches   = 72 // places of 4 byte numbers that a call fetches, half a piece
)

var panelWidths = []int{4, 5, 8}

// panelSums computes sums of rows times columns. The accumulators of as many
// rows as fit are reduced to one vector, whose lanes are the sums in the order
// of memory.
func panelSums(s *isa, t *elem, width int) {
	lanes, count := s.wide/t.size, s.wide/4
	rows := count / width
	name := fmt.Sprintf("panelSums%d%s%s", width, t.name, s.name)
	begin(name, fmt.Sprintf("func(t *%[1]s, ld int, y *float64, x *%[1]s, ahead, by int)", t.gotype),
		fmt.Sprintf("%s adds T·X to Y for %d rows of a tile of %d columns: Y(i,c) = y[i·%d + c], X(j,c) = x[c·%[3]d + j].",
			name, pieceRows, panelRows, width),
		fmt.Sprintf("It may add 0 to %d more elements of y.", count-rows*width),
		fmt.Sprintf("It fetches %d places, by bytes apart, from ahead bytes into the rows that follow.", fetches*t.size/4))
	p := Load(Param("t"), GP64())
	ld := t.bytes(Load(Param("ld"), GP64()))
	y, x := Load(Param("y"), GP64()), Load(Param("x"), GP64())
	rs := stride(ld)
	groups, steps, xj, row := GP64(), GP64(), GP64(), GP64()
	f := newFetcher(t, p, ld)
	MOVQ(U32(uint64(pieceRows/rows)), groups)
	r := newReducer(s, t)
	acc := make([]VecVirtual, count)
	for i := range acc {
		acc[i] = s.vec()
	}
	e := make([]VecVirtual, rows)
	for i := range e {
		e[i] = s.vec()
	}
	xc := s.vec()
	Label("group")
	for _, a := range acc {
		zero(s, a)
	}
	total := panelRows / lanes
	unrolled := unroll(s, t, total)
	step := func(k int) {
		f.fetch(k, unrolled, pieceRows/rows*total)
		for i := range e {
			m := rs.row(row, i)
			m.Disp = k * s.wide
			t.load(m, e[i])
		}
		for c := range width {
			t.load(at(xj, c*panelRows*t.size+k*s.wide), xc)
			for i := range e {
				t.fma(xc, e[i], acc[r.place(i*width+c)])
			}
		}
	}
	MOVQ(x, xj)
	MOVQ(p, row)
	repeat("loop", steps, total, unrolled, step, func() {
		ADDQ(U32(uint64(unrolled*s.wide)), xj)
		ADDQ(U32(uint64(unrolled*s.wide)), row)
	})
	for k := 0; k < count; k += lanes {
		sums := r.reduce(append([]VecVirtual{}, acc[k:k+lanes]...))
		if t == f64 {
			VADDPD(at(y, 8*k), sums, sums)
			VMOVUPD(sums, at(y, 8*k))
			continue
		}
		low, high, h := s.vec(), s.vec(), YMM()
		if s == avx512 {
			VEXTRACTF64X4(U8(1), sums, h)
			VCVTPS2PD(sums.AsY(), low)
			VCVTPS2PD(h, high)
		} else {
			VEXTRACTF128(U8(1), sums, h.AsX())
			VCVTPS2PD(sums.AsX(), low)
			VCVTPS2PD(h.AsX(), high)
		}
		for part, v := range []VecVirtual{low, high} {
			VADDPD(at(y, part*s.wide), v, v)
			VMOVUPD(v, at(y, part*s.wide))
		}
	}
	ADDQ(U32(uint64(8*rows*width)), y)
	LEAQ(rs.row(p, rows), p)
	DECQ(groups)
	JNZ(LabelRef("group"))
	finish()
}

// fetcher spreads the fetching of the rows that follow evenly over a kernel: all
// at once it would hold up the loads. They come into the first-level cache, and
// what lies further ahead into the second.
type fetcher struct {
	places    int
	ahead, by Register
}

func newFetcher(t *elem, p, ld Register) *fetcher {
	f := &fetcher{fetches * t.size / 4, Load(Param("ahead"), GP64()), Load(Param("by"), GP64())}
	next := GP64()
	IMUL3Q(U8(pieceRows), ld, next)
	ADDQ(p, f.ahead)
	ADDQ(next, f.ahead)
	return f
}

// fetch emits what step k of each unrolled steps has to fetch; steps are all
// steps of the kernel.
func (f *fetcher) fetch(k, unrolled, steps int) {
	n := f.places * unrolled / steps
	if n*steps != f.places*unrolled {
		panic("places do not divide among steps")
	}
	for range (k+1)*n/unrolled - k*n/unrolled {
		PREFETCHT0(Mem{Base: f.ahead})
		PREFETCHT1(at(f.ahead, 24576))
		ADDQ(f.by, f.ahead)
	}
}

// unroll is how many of count steps a kernel writes out. The fastest kernels
// have no inner loop: leaving it is mispredicted, which costs as much as a
// quarter of their arithmetic.
func unroll(s *isa, t *elem, count int) int {
	if s == avx512 && t == f32 {
		return count
	}
	return 4
}

// repeat writes out unrolled of total steps, and a loop around them where these
// are not all.
func repeat(label string, counter Register, total, unrolled int, step func(k int), advance func()) {
	if unrolled < total {
		MOVQ(U32(uint64(total/unrolled)), counter)
		Label(label)
	}
	for k := range unrolled {
		step(k)
	}
	if unrolled < total {
		advance()
		DECQ(counter)
		JNZ(LabelRef(label))
	}
}

// reducer adds up the lanes of as many vectors as a vector has lanes.
type reducer struct {
	s           *isa
	t           *elem
	order       []int // lane l of the result is the sum of vector order[l]
	high, pairs Register
}

func newReducer(s *isa, t *elem) *reducer {
	r := &reducer{s: s, t: t}
	if s == avx512 {
		r.high, r.pairs = K(), K()
		mask := GP32()
		MOVL(U32(0xf0), mask)
		KMOVW(mask, r.high)
		MOVL(U32(0xcc), mask)
		KMOVW(mask, r.pairs)
	}
	// The order follows from what the steps of reduce do to the numbers of the
	// vectors.
	lanes := s.wide / t.size
	v := make([][]int, lanes)
	for i := range v {
		for range lanes {
			v[i] = append(v[i], i)
		}
	}
	merge := func(pick func(a, b []int) []int) {
		half := len(v) / 2
		for i := range half {
			v[i] = pick(v[i], v[i+half])
		}
		v = v[:half]
	}
	double := 8 / t.size // lanes of a double
	merge(func(a, b []int) []int { return everyOther(a, b, lanes/2) })
	merge(func(a, b []int) []int { return everyOther(a, b, double) })
	if t == f32 {
		merge(func(a, b []int) []int { // of four lanes two from each
			var c []int
			for i := 0; i < lanes; i += 4 {
				c = append(c, a[i], a[i+2], b[i], b[i+2])
			}
			return c
		})
	}
	if s == avx512 {
		merge(func(a, b []int) []int { return everyOther(a, b, 2*double) })
	}
	r.order = v[0]
	return r
}

// place returns the number of the vector whose sum comes out as sum i.
func (r *reducer) place(i int) int {
	lanes := len(r.order)
	return i/lanes*lanes + r.order[i%lanes]
}

// everyOther takes runs of n from a and b in turn.
func everyOther(a, b []int, n int) []int {
	var c []int
	for i := 0; i < len(a); i += 2 * n {
		c = append(append(c, a[i:i+n]...), b[i+n:i+2*n]...)
	}
	return c
}

// reduce overwrites v and returns the vector of sums.
func (r *reducer) reduce(v []VecVirtual) VecVirtual {
	swapped := r.s.vec()
	merge := func(step func(a, b VecVirtual)) {
		half := len(v) / 2
		for i := range half {
			step(v[i], v[i+half])
			r.t.add(swapped, v[i], v[i])
		}
		v = v[:half]
	}
	if r.s == avx512 {
		merge(func(a, b VecVirtual) { // halves
			VSHUFF64X2(U8(0x4e), b, a, swapped)
			VBLENDMPD(b, a, r.high, a)
		})
		merge(func(a, b VecVirtual) { // pairs within quarters
			VSHUFPD(U8(0x55), b, a, swapped)
			VSHUFPD(U8(0xaa), b, a, a)
		})
	} else {
		merge(func(a, b VecVirtual) {
			VPERM2F128(U8(0x21), b, a, swapped)
			VBLENDPD(U8(0xc), b, a, a)
		})
		merge(func(a, b VecVirtual) {
			VSHUFPD(U8(0x5), b, a, swapped)
			VBLENDPD(U8(0xa), b, a, a)
		})
	}
	if r.t == f32 {
		merge(func(a, b VecVirtual) { // neighbouring lanes
			VSHUFPS(U8(0xdd), b, a, swapped)
			VSHUFPS(U8(0x88), b, a, a)
		})
	}
	if r.s == avx512 {
		merge(func(a, b VecVirtual) { // neighbouring quarters
			VBLENDMPD(a, b, r.pairs, swapped)
			VSHUFF64X2(U8(0xb1), swapped, swapped, swapped)
			VBLENDMPD(b, a, r.pairs, a)
		})
	}
	return v[0]
}

// panelTrans computes the transpose of rows times columns, as many columns of
// the tile at once as registers hold.
func panelTrans(s *isa, t *elem, width int) {
	vecs := map[int]int{4: 6, 5: 4, 8: 3}[width]
	if s == avx2 {
		vecs = map[int]int{4: 3, 5: 2, 8: 1}[width]
	}
	name := fmt.Sprintf("panelTrans%d%s%s", width, t.name, s.name)
	begin(name, fmt.Sprintf("func(t *%[1]s, ld int, y, x *%[1]s, ahead, by int)", t.gotype),
		fmt.Sprintf("%s adds Tᵀ·X to Y for %d rows of a tile of %d columns: Y(j,c) = y[c·%[3]d + j], X(i,c) = x[c·%[3]d + i].",
			name, pieceRows, panelRows),
		fmt.Sprintf("It fetches %d places, by bytes apart, from ahead bytes into the rows that follow.", fetches*t.size/4))
	p := Load(Param("t"), GP64())
	ld := t.bytes(Load(Param("ld"), GP64()))
	y, x := Load(Param("y"), GP64()), Load(Param("x"), GP64())
	strips, rows, row, second, xi := GP64(), GP64(), GP64(), GP64(), GP64()
	rs := stride(ld)
	acc := make([][]VecVirtual, width)
	e, b := make([]VecVirtual, vecs), s.vec()
	for v := range vecs {
		e[v] = s.vec()
	}
	MOVQ(U32(uint64(panelRows*t.size/s.wide/vecs)), strips)
	Label("strip")
	for c := range width {
		if acc[c] == nil {
			for range vecs {
				acc[c] = append(acc[c], s.vec())
			}
		}
		for v := range vecs {
			t.load(at(y, c*panelRows*t.size+v*s.wide), acc[c][v])
		}
	}
	unrolled := unroll(s, t, 12)
	f := newFetcher(t, p, ld)
	step := func(k int) {
		f.fetch(k, unrolled, panelRows*t.size/s.wide/vecs*pieceRows)
		m := rs.row(row, k%6)
		if k >= 6 {
			m = rs.row(second, k%6)
		}
		for v := range vecs {
			m.Disp = v * s.wide
			t.load(m, e[v])
		}
		for c := range width {
			t.bcast(at(xi, c*panelRows*t.size+k*t.size), b)
			for v := range vecs {
				t.fma(e[v], b, acc[c][v])
			}
		}
	}
	MOVQ(p, row)
	MOVQ(x, xi)
	if unrolled > 6 {
		LEAQ(Mem{Base: row, Index: rs.s3, Scale: 2}, second)
	}
	repeat("loop", rows, pieceRows, unrolled, step, func() {
		if unrolled > 6 {
			LEAQ(Mem{Base: second, Index: rs.s3, Scale: 2}, row)
			LEAQ(Mem{Base: row, Index: rs.s3, Scale: 2}, second)
		} else {
			LEAQ(Mem{Base: row, Index: ld, Scale: uint8(unrolled)}, row)
		}
		ADDQ(Imm(uint64(unrolled*t.size)), xi)
	})
	for c := range width {
		for v := range vecs {
			t.store(acc[c][v], at(y, c*panelRows*t.size+v*s.wide))
		}
	}
	ADDQ(U32(uint64(vecs*s.wide)), y)
	ADDQ(U32(uint64(vecs*s.wide)), p)
	DECQ(strips)
	JNZ(LabelRef("strip"))
	finish()
}

func panels() {
	transMulti(avx512, f64, 2, 6)
	transMulti(avx512, f32, 1, 12)
	transRows(avx2, f64)
	transRows(avx2, f32)
	for _, fused := range []bool{true, false} {
		multi(avx512, f64, 2, 6, fused)
		multi(avx512, f32, 1, 12, fused)
	}
	for _, t := range []*elem{f32, f64} {
		multi(avx2, t, 1, 6, true)
		multi(avx2, t, 2, 6, false)
	}
	for _, s := range []*isa{avx512, avx2} {
		for _, t := range []*elem{f32, f64} {
			for _, width := range panelWidths {
				panelSums(s, t, width)
				panelTrans(s, t, width)
			}
		}
	}
}
