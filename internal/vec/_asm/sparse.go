package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// sparseRows multiplies rows of a sparse matrix with a panel of a few vectors.
// Products and sums are rounded one by one, as the Go path rounds them.
func sparseRows(vectors int) {
	s := avx2
	width := vectors * s.wide / 8
	name := fmt.Sprintf("sparseRows%d%s", width, s.name)
	begin(name, "func(rows int, start *int, index *int32, value, diagonal, own, src, dst *float64)",
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
	VBROADCASTSD(Mem{Base: diagonal}, factor)
	for v := range acc {
		VMULPD(at(own, v*s.wide), factor, acc[v])
	}
	CMPQ(k, end)
	JGE(LabelRef("sums"))
	Label("loop")
	MOVLQSX(Mem{Base: index, Index: k, Scale: 4}, j)
	if vectors == 3 {
		LEAQ(Mem{Base: j, Index: j, Scale: 2}, j)
	}
	SHLQ(U8(map[int]uint64{1: 5, 2: 6, 3: 5, 4: 7}[vectors]), j)
	ADDQ(src, j)
	VBROADCASTSD(Mem{Base: value, Index: k, Scale: 8}, factor)
	for v := range acc {
		product := s.vec()
		VMULPD(at(j, v*s.wide), factor, product)
		VADDPD(product, acc[v], acc[v])
	}
	INCQ(k)
	CMPQ(k, end)
	JLT(LabelRef("loop"))
	Label("sums")
	for v := range acc {
		VMOVUPD(acc[v], at(dst, v*s.wide))
	}
	ADDQ(Imm(8), start)
	ADDQ(Imm(8), diagonal)
	ADDQ(Imm(uint64(vectors*s.wide)), own)
	ADDQ(Imm(uint64(vectors*s.wide)), dst)
	DECQ(rows)
	JNZ(LabelRef("row"))
	finish()
}

func sparse() {
	for vectors := 1; vectors <= 4; vectors++ {
		sparseRows(vectors)
	}
}
