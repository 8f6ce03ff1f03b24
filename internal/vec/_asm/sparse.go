package main

import (
	"fmt"
	"math/bits"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// sparseRows multiplies rows of a sparse matrix with a panel of a few vectors.
// Products and sums are rounded one by one, as the Go path rounds them.
func sparseRows(s *isa, t *elem, vectors int) {
	width := vectors * s.wide / t.size
	name := fmt.Sprintf("sparseRows%d%s%s", width, t.name, s.name)
	begin(name, fmt.Sprintf("func(rows int, start *int, index *int32, value, diagonal, own, src, dst *%s)", t.gotype),
		fmt.Sprintf("%s computes rows > 0 rows of a product with %d columns;", name, width),
		"start, diagonal, own and dst begin at the first of them.")
	rows := Load(Param("rows"), GP64())
	start := Load(Param("start"), GP64())
	index, value := Load(Param("index"), GP64()), Load(Param("value"), GP64())
	diagonal := Load(Param("diagonal"), GP64())
	own, src, dst := Load(Param("own"), GP64()), Load(Param("src"), GP64()), Load(Param("dst"), GP64())
	k, end, j := GP64(), GP64(), GP64()
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
		t.mul(at(own, v*s.wide), factor, acc[v])
	}
	CMPQ(k, end)
	JGE(LabelRef("sums"))
	Label("loop")
	MOVLQSX(Mem{Base: index, Index: k, Scale: 4}, j)
	bytes := uint64(vectors * s.wide)
	if vectors == 3 {
		LEAQ(Mem{Base: j, Index: j, Scale: 2}, j)
		bytes /= 3
	}
	SHLQ(U8(bits.TrailingZeros64(bytes)), j)
	ADDQ(src, j)
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
		t.store(acc[v], at(dst, v*s.wide))
	}
	ADDQ(Imm(8), start)
	ADDQ(Imm(uint64(t.size)), diagonal)
	ADDQ(Imm(uint64(vectors*s.wide)), own)
	ADDQ(Imm(uint64(vectors*s.wide)), dst)
	DECQ(rows)
	JNZ(LabelRef("row"))
	finish()
}

func sparse() {
	for vectors := 1; vectors <= 4; vectors++ {
		sparseRows(avx2, f64, vectors)
	}
	sparseRows(avx2, f32, 2)
	sparseRows(avx512, f32, 1)
}
