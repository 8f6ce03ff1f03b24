// Command asm generates the assembly of package vec.
//
// Run it through go generate in the parent folder:
//
//	go run . -out ../vec_amd64.s -stubs ../vec_amd64.go -pkg vec
package main

import (
	"flag"
	"fmt"
	"os"
	"os/exec"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

func main() {
	ConstraintExpr("amd64,!purego")
	for _, isa := range []*isa{avx512, avx2} {
		for _, t := range []*elem{f32, f64} {
			for _, sum := range []sum{products, manhattan} {
				for _, rows := range append(isa.few, isa.mr) {
					tile(isa, t, sum, rows)
				}
			}
			solve(isa, t)
			peak(isa, t)
		}
		read(isa)
		copyRows(isa)
	}
	transpose4(f32)
	transpose4(f64)
	symmetric()
	panels()
	maps()
	level1()
	conversions()
	bytesOf()
	sparse()
	prefetch()
	rectify()
	Generate()
	if f := flag.Lookup("stubs"); f != nil && f.Value.String() != "" {
		// The printer's layout of build constraints may differ from gofmt's.
		if out, err := exec.Command("gofmt", "-w", f.Value.String()).CombinedOutput(); err != nil {
			fmt.Fprintf(os.Stderr, "gofmt: %v\n%s", err, out)
			os.Exit(1)
		}
	}
}

// isa is one instruction set: its name in function names, vector width in
// bytes and rows of a register tile.
type isa struct {
	name      string
	wide      int   // bytes per vector
	registers int   // vectors
	mr        int   // rows of a matrix tile; a tile is always two vectors wide
	few       []int // rows of the tiles for fewer rows
	vec       func() VecVirtual
}

var (
	avx512 = &isa{"AVX512", 64, 32, 12, []int{1, 2, 4, 8}, ZMM}
	avx2   = &isa{"AVX2", 32, 16, 6, []int{1, 2, 4}, YMM}
)

// elem is an element type with its instructions.
type elem struct {
	name, gotype string
	size         int
	shift        uint64
	bcast        func(...Op)
	load, store  func(...Op)
	fma, fnma    func(...Op)
	mul, add     func(...Op)
	sub, max     func(...Op)
	subBcast     func(...Op) // AVX-512 only
	and          func(...Op)
	shiftLeft    func(...Op)
	shiftRight   func(...Op)
	oneLeft      uint64 // bits to shift all ones left, and then 2 right, for a 1
}

var (
	f32 = &elem{"F32", "float32", 4, 2, VBROADCASTSS, VMOVUPS, VMOVUPS, VFMADD231PS, VFNMADD231PS, VMULPS, VADDPS, VSUBPS, VMAXPS,
		VSUBPS_BCST, VANDPS, VPSLLD, VPSRLD, 25}
	f64 = &elem{"F64", "float64", 8, 3, VBROADCASTSD, VMOVUPD, VMOVUPD, VFMADD231PD, VFNMADD231PD, VMULPD, VADDPD, VSUBPD, VMAXPD,
		VSUBPD_BCST, VANDPD, VPSLLQ, VPSRLQ, 54}
)

// begin opens a function that keeps no pointer it is given.
func begin(name, signature string, doc ...string) {
	TEXT(name, 4 /* NOSPLIT */, signature)
	Doc(doc...)
	Pragma("noescape")
}

// bytes turns a stride in elements into bytes.
func (t *elem) bytes(r Register) Register {
	SHLQ(U8(t.shift), r)
	return r
}

func at(base Register, disp int) Mem { return Mem{Base: base, Disp: disp} }

// rows gives the addresses of rows 0…5 from a base register and the stride's
// multiples 1, 3 and 5.
type rows struct{ s, s3, s5 Register }

func stride(s Register) rows {
	s3, s5 := GP64(), GP64()
	LEAQ(Mem{Base: s, Index: s, Scale: 2}, s3)
	LEAQ(Mem{Base: s, Index: s, Scale: 4}, s5)
	return rows{s, s3, s5}
}

func (r rows) row(base Register, i int) Mem {
	switch i {
	case 0:
		return Mem{Base: base}
	case 1, 2, 4:
		return Mem{Base: base, Index: r.s, Scale: uint8(i)}
	case 3:
		return Mem{Base: base, Index: r.s3, Scale: 1}
	case 5:
		return Mem{Base: base, Index: r.s5, Scale: 1}
	}
	panic("row out of range")
}

// next leaves base + 6 rows in a new register.
func (r rows) next(base Register) Register {
	b := GP64()
	LEAQ(Mem{Base: base, Index: r.s3, Scale: 2}, b)
	return b
}
