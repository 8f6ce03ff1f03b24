//go:build amd64 && !purego

package vec

import "golang.org/x/sys/cpu"

// assembled says whether this build has assembly.
const assembled = true

const (
	avx2 isa = 1 + iota
	avx512
)

var isaNames = []string{"go", "avx2", "avx512"}

// detect finds the fastest path; every processor with AVX2 and FMA has the bit
// instructions that are asked for with them. The AVX-512 kernels use the parts F, BW, DQ
// and VL, which every AVX-512 server processor has.
func detect() isa {
	x := &cpu.X86
	switch {
	case !x.HasAVX2 || !x.HasFMA || !x.HasBMI1 || !x.HasBMI2 || !x.HasPOPCNT:
		return pureGo
	case x.HasAVX512F && x.HasAVX512BW && x.HasAVX512DQ && x.HasAVX512VL:
		return avx512
	}
	return avx2
}
