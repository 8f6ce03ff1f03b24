package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// rowFetcher fetches the rows that follow those of a kernel, a cache line at a time: the
// first line of each of n rows, then the second, wherever rows begin in memory. The n rows
// after them come into the second-level cache.
type rowFetcher struct {
	ld, at, left, back Register
	n, lines           int
}

func newRowFetcher(t *elem, p, ld Register, n int) *rowFetcher {
	// A row has a line in 64/t.size columns, so in each so many of all rows are due.
	f := &rowFetcher{ld, GP64(), GP64(), GP64(), n, (n*t.size + 63) / 64}
	MOVQ(ld, f.back)
	IMUL3Q(Imm(uint64(n)), f.back, f.back)
	LEAQ(Mem{Base: p, Index: f.back, Scale: 1}, f.at)
	SUBQ(Imm(64), f.back) // from the line after the last row to the next of the first
	MOVQ(U32(uint64(n)), f.left)
	return f
}

// fetch emits what a column has to fetch.
func (f *rowFetcher) fetch() {
	for range f.lines {
		PREFETCHT0(Mem{Base: f.at})
		PREFETCHT1(Mem{Base: f.at, Index: f.back, Scale: 1, Disp: 64})
		ADDQ(f.ld, f.at)
	}
	SUBQ(Imm(uint64(f.lines)), f.left)
	JNZ(LabelRef("fetched"))
	MOVQ(U32(uint64(f.n)), f.left)
	SUBQ(f.back, f.at)
	Label("fetched")
}

// lines emits a loop over the lines of rows: it fetches a line of each of the n rows that follow, then takes the steps of the
// columns in a line. To fetch in each step took an AMD EPYC of Zen 3 twice as long.
func lines(t *elem, p, ld, cols Register, rs rows, n int, step func()) {
	ahead, steps, most := GP64(), GP64(), GP64()
	MOVQ(ld, ahead)
	IMUL3Q(Imm(uint64(n)), ahead, ahead)
	ADDQ(p, ahead)
	MOVQ(U32(uint64(64/t.size)), most)
	Label("line")
	for i := range n {
		PREFETCHT0(rs.row(ahead, i))
	}
	ADDQ(Imm(64), ahead)
	MOVQ(cols, steps)
	CMPQ(steps, most)
	CMOVQGT(most, steps)
	SUBQ(steps, cols)
	Label("loop")
	step()
	DECQ(steps)
	JNZ(LabelRef("loop"))
	TESTQ(cols, cols)
	JNZ(LabelRef("line"))
}

// multi multiplies by wide panels: sixteen columns, interleaved, so that lanes
// run along them. It computes both products in one pass over the rows.
func multi(s *isa, t *elem, vecs, n int, fused bool) {
	name, doc := "mulMulti", ""
	if fused {
		name, doc = "symMulti", ", and Yj += Tᵀ·Xi"
	}
	lanes := s.wide / t.size
	name = fmt.Sprintf("%s%d%s%s", name, vecs*lanes, t.name, s.name)
	begin(name, fmt.Sprintf("func(cols int, t *%[1]s, ld int, yi, yj, xi, xj *%[1]s, stride int)", t.gotype),
		fmt.Sprintf("%s computes Yi += T·Xj%s for %d rows of a tile", name, doc, n),
		fmt.Sprintf("and %d right sides, interleaved: X(i,c) = x[i·stride + c]; cols ≥ 1.", vecs*lanes))
	cols := Load(Param("cols"), GP64())
	p := Load(Param("t"), GP64())
	ld := t.bytes(Load(Param("ld"), GP64()))
	rs := stride(ld)
	bases := []Register{p}
	for 6*len(bases) < n {
		bases = append(bases, rs.next(bases[len(bases)-1]))
	}
	st := t.bytes(Load(Param("stride"), GP64()))
	xi := Load(Param("xi"), GP64())
	acc, x := make([][]VecVirtual, n), make([][]VecVirtual, n)
	for i := range n {
		for v := range vecs {
			a := s.vec()
			zero(s, a)
			acc[i] = append(acc[i], a)
			if fused {
				b := s.vec()
				t.load(at(xi, v*s.wide), b)
				x[i] = append(x[i], b)
			}
		}
		if fused && i+1 < n {
			ADDQ(st, xi)
		}
	}
	xj := Load(Param("xj"), GP64())
	var yj Register
	if fused {
		yj = Load(Param("yj"), GP64())
	}
	e := s.vec()
	xs, ys := make([]VecVirtual, vecs), make([]VecVirtual, vecs)
	for v := range vecs {
		xs[v], ys[v] = s.vec(), s.vec()
	}
	// Sums over more than six rows form two chains, because a chain of twelve
	// additions keeps more instructions waiting than the processor can hold.
	var second VecVirtual
	if fused && n > 6 {
		second = s.vec()
	}
	step := func() {
		for v := range vecs {
			t.load(at(xj, v*s.wide), xs[v])
			if fused {
				t.load(at(yj, v*s.wide), ys[v])
			}
		}
		for i := range n {
			t.bcast(rs.row(bases[i/6], i%6), e)
			for v := range vecs {
				t.fma(xs[v], e, acc[i][v])
				switch {
				case fused && second != nil && i == 1:
					t.mul(x[i][v], e, second)
				case fused && second != nil && i%2 == 1:
					t.fma(x[i][v], e, second)
				case fused:
					t.fma(x[i][v], e, ys[v])
				}
			}
		}
		if fused {
			if second != nil {
				t.add(second, ys[0], ys[0])
			}
			for v := range vecs {
				t.store(ys[v], at(yj, v*s.wide))
			}
			ADDQ(st, yj)
		}
		ADDQ(st, xj)
		for _, b := range bases {
			ADDQ(Imm(uint64(t.size)), b)
		}
	}
	if s == avx2 {
		lines(t, p, ld, cols, rs, n, step)
	} else {
		f := newRowFetcher(t, p, ld, n) // the rows that follow are fetched evenly over the columns
		Label("loop")
		f.fetch()
		step()
		DECQ(cols)
		JNZ(LabelRef("loop"))
	}
	yi := Load(Param("yi"), GP64())
	for i := range n {
		for v := range vecs {
			t.add(at(yi, v*s.wide), acc[i][v], acc[i][v])
			t.store(acc[i][v], at(yi, v*s.wide))
		}
		if i+1 < n {
			ADDQ(st, yi)
		}
	}
	finish()
}

// transMulti multiplies the transpose of rows by wide panels, lanes running along
// their columns. A right side that no register is left for stays in memory.
func transMulti(s *isa, t *elem, vecs, n int) {
	lanes := s.wide / t.size
	name := fmt.Sprintf("transMulti%d%s%s", vecs*lanes, t.name, s.name)
	begin(name, fmt.Sprintf("func(cols int, t *%[1]s, ld int, yj, xi *%[1]s, stride int)", t.gotype),
		fmt.Sprintf("%s computes Yj += Tᵀ·Xi for %d rows of a tile and %d right", name, n, vecs*lanes),
		"sides, interleaved: X(i,c) = x[i·stride + c]; cols ≥ 1.")
	cols := Load(Param("cols"), GP64())
	p := Load(Param("t"), GP64())
	ld := t.bytes(Load(Param("ld"), GP64()))
	rs := stride(ld)
	bases := []Register{p}
	for 6*len(bases) < n {
		bases = append(bases, rs.next(bases[len(bases)-1]))
	}
	st := t.bytes(Load(Param("stride"), GP64()))
	yj, xi := Load(Param("yj"), GP64()), Load(Param("xi"), GP64())
	x, left := make([][]Op, n), s.registers-1-2*vecs
	for i := range n {
		for v := range vecs {
			if left--; left < 0 {
				x[i] = append(x[i], at(xi, v*s.wide)) // of the last row, where xi stays
				continue
			}
			r := s.vec()
			t.load(at(xi, v*s.wide), r)
			x[i] = append(x[i], r)
		}
		if i+1 < n {
			ADDQ(st, xi)
		}
	}
	e, first, second := s.vec(), make([]VecVirtual, vecs), make([]VecVirtual, vecs)
	for v := range vecs {
		first[v], second[v] = s.vec(), s.vec()
	}
	f := newRowFetcher(t, p, ld, n)
	Label("loop")
	f.fetch()
	for v := range vecs {
		t.load(at(yj, v*s.wide), first[v])
	}
	for i := range n {
		t.bcast(rs.row(bases[i/6], i%6), e)
		for v := range vecs {
			switch {
			case i == 1:
				t.mul(x[i][v], e, second[v])
			case i%2 == 1:
				t.fma(x[i][v], e, second[v])
			default:
				t.fma(x[i][v], e, first[v])
			}
		}
	}
	for v := range vecs {
		t.add(second[v], first[v], first[v])
		t.store(first[v], at(yj, v*s.wide))
	}
	ADDQ(st, yj)
	for _, b := range bases {
		ADDQ(Imm(uint64(t.size)), b)
	}
	DECQ(cols)
	JNZ(LabelRef("loop"))
	finish()
}

// transRows multiplies the transpose of all rows of a tile by wide panels, for six of its columns: sums stay in registers, where
// [transMulti] takes them from memory and back for every six rows.
func transRows(s *isa, t *elem) {
	const n, vecs = 6, 2
	name := fmt.Sprintf("transRows%d%s%s", vecs*s.wide/t.size, t.name, s.name)
	begin(name, fmt.Sprintf("func(rows int, t *%[1]s, ld int, y, x *%[1]s, stride int)", t.gotype),
		fmt.Sprintf("%s computes Y += Tᵀ·X for %d columns of a tile and %d right", name, n, vecs*s.wide/t.size),
		"sides, interleaved: X(i,c) = x[i·stride + c]; rows ≥ 1.")
	left := Load(Param("rows"), GP64())
	p, ld := Load(Param("t"), GP64()), t.bytes(Load(Param("ld"), GP64()))
	x, st := Load(Param("x"), GP64()), t.bytes(Load(Param("stride"), GP64()))
	acc, xs, e := make([][vecs]VecVirtual, n), [vecs]VecVirtual{s.vec(), s.vec()}, s.vec()
	for j := range acc {
		acc[j] = [vecs]VecVirtual{s.vec(), s.vec()}
		for _, a := range acc[j] {
			zero(s, a)
		}
	}
	Label("loop")
	PREFETCHT0(at(p, 64)) // of the columns that follow
	for v := range xs {
		t.load(at(x, v*s.wide), xs[v])
	}
	for j := range acc {
		t.bcast(at(p, j*t.size), e)
		for v := range xs {
			t.fma(xs[v], e, acc[j][v])
		}
	}
	ADDQ(ld, p)
	ADDQ(st, x)
	DECQ(left)
	JNZ(LabelRef("loop"))
	y := Load(Param("y"), GP64())
	for j := range acc {
		for v, a := range acc[j] {
			t.add(at(y, v*s.wide), a, a)
			t.store(a, at(y, v*s.wide))
		}
		if j+1 < n {
			ADDQ(st, y)
		}
	}
	finish()
}
