package main

import (
	"fmt"
	"math/bits"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// rowsAhead is how many entries ahead rows of a panel are fetched: two or three rows of
// the matrix, as what waits in the processor is thrown away at the end of a row.
const rowsAhead = 32

// sparseRows multiplies rows of a sparse matrix with a panel of a few vectors.
// Products and sums are rounded one by one, as the Go path rounds them.
//
// Rows of src are fetched rowsAhead entries before they are multiplied, entry last at most.
//
// As a step of a recurrence it makes factor times them, plus a times the rows of x, less
// what dst holds.
func sparseRows(s *isa, t *elem, vectors int, step bool) {
	width := vectors * s.wide / t.size
	name, args := "sparseRows", ""
	doc := []string{"start, diagonal, row and dst begin at the first of them."}
	if step {
		name, args = "sparseStep", fmt.Sprintf(", x *%[1]s, factor, a %[1]s", t.gotype)
		doc = []string{"start, diagonal, row, dst and x begin at the first of them. It writes", "factor times the product, plus a·x, less what dst holds."}
	}
	name = fmt.Sprintf("%s%d%s%s", name, width, t.name, s.name)
	begin(name, fmt.Sprintf("func(rows, last int, start *int, index *int32, value, diagonal, row, src, dst *%s%s)", t.gotype, args),
		append([]string{fmt.Sprintf("%s computes rows > 0 rows of a product with %d columns;", name, width)}, doc...)...)
	rows := Load(Param("rows"), GP64())
	last := Load(Param("last"), GP64())
	start := Load(Param("start"), GP64())
	index, value := Load(Param("index"), GP64()), Load(Param("value"), GP64())
	diagonal := Load(Param("diagonal"), GP64())
	row, src, dst := Load(Param("row"), GP64()), Load(Param("src"), GP64()), Load(Param("dst"), GP64())
	var x Register
	var factorOf, aOf VecVirtual
	if step {
		x, factorOf, aOf = Load(Param("x"), GP64()), s.vec(), s.vec()
		for _, p := range []struct {
			name string
			to   VecVirtual
		}{{"factor", factorOf}, {"a", aOf}} {
			address, err := Param(p.name).Resolve()
			if err != nil {
				panic(err)
			}
			t.bcast(address.Addr, p.to)
		}
	}
	k, end, j := GP64(), GP64(), GP64()
	rowOf := func(entry, j Register) { // sets j to the row of src of an entry
		MOVLQSX(Mem{Base: index, Index: entry, Scale: 4}, j)
		bytes := uint64(vectors * s.wide)
		if vectors == 3 {
			LEAQ(Mem{Base: j, Index: j, Scale: 2}, j)
			bytes /= 3
		}
		SHLQ(U8(bits.TrailingZeros64(bytes)), j)
		ADDQ(src, j)
	}
	acc := make([]VecVirtual, vectors)
	for v := range acc {
		acc[v] = s.vec()
	}
	MOVQ(Mem{Base: start}, k)
	Label("row")
	MOVQ(at(start, 8), end)
	factor := s.vec()
	t.bcast(Mem{Base: diagonal}, factor)
	for v := range acc {
		t.mul(at(row, v*s.wide), factor, acc[v])
	}
	CMPQ(k, end)
	JGE(LabelRef("sums"))
	Label("loop")
	// The row of src of an entry further on is fetched.
	LEAQ(at(k, rowsAhead), j)
	CMPQ(j, last)
	CMOVQGT(last, j)
	rowOf(j, j)
	for line := 0; line < vectors*s.wide; line += 64 {
		PREFETCHT0(at(j, line))
	}
	rowOf(k, j)
	t.bcast(Mem{Base: value, Index: k, Scale: uint8(t.size)}, factor)
	for v := range acc {
		product := s.vec()
		t.mul(at(j, v*s.wide), factor, product)
		t.add(product, acc[v], acc[v])
	}
	INCQ(k)
	CMPQ(k, end)
	JLT(LabelRef("loop"))
	Label("sums")
	for v := range acc {
		if step {
			other := s.vec()
			t.mul(acc[v], factorOf, acc[v])
			t.mul(at(x, v*s.wide), aOf, other)
			t.add(other, acc[v], acc[v])
			t.load(at(dst, v*s.wide), other)
			t.sub(other, acc[v], acc[v])
		}
		t.store(acc[v], at(dst, v*s.wide))
	}
	if step {
		ADDQ(Imm(uint64(vectors*s.wide)), x)
	}
	ADDQ(Imm(8), start)
	ADDQ(Imm(uint64(t.size)), diagonal)
	ADDQ(Imm(uint64(vectors*s.wide)), row)
	ADDQ(Imm(uint64(vectors*s.wide)), dst)
	DECQ(rows)
	JNZ(LabelRef("row"))
	finish()
}

func sparse() {
	for vectors := 1; vectors <= 4; vectors++ {
		sparseRows(avx2, f64, vectors, false)
	}
	sparseRows(avx2, f32, 1, true)
	for _, step := range []bool{false, true} {
		sparseRows(avx2, f32, 2, step)
		sparseRows(avx512, f32, 1, step)
	}
}
