//go:build arm64 && !purego

package vec

import "unsafe"

func peak32(rounds int) int {
	if path() == pureGo {
		return goPeak[float32](rounds)
	}
	peakF32NEON(rounds)
	return 48 * 4 * rounds
}

func peak64(rounds int) int {
	if path() == pureGo {
		return goPeak[float64](rounds)
	}
	peakF64NEON(rounds)
	return 48 * 2 * rounds
}

func read(p []float32) uint64 {
	if path() == pureGo {
		return goRead(p)
	}
	return readNEON((*byte)(unsafe.Pointer(&p[0])), 4*len(p))
}
