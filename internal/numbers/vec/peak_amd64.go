//go:build amd64 && !purego

package vec

import "unsafe"

func peak32(rounds int) int {
	switch path() {
	case avx512:
		peakF32AVX512(rounds)
		return 48 * 16 * rounds
	case avx2:
		peakF32AVX2(rounds)
		return 48 * 8 * rounds
	}
	return goPeak[float32](rounds)
}

func peak64(rounds int) int {
	switch path() {
	case avx512:
		peakF64AVX512(rounds)
		return 48 * 8 * rounds
	case avx2:
		peakF64AVX2(rounds)
		return 48 * 4 * rounds
	}
	return goPeak[float64](rounds)
}

func read(p []float32) uint64 {
	switch path() {
	case avx512:
		return readAVX512((*byte)(unsafe.Pointer(&p[0])), 4*len(p))
	case avx2:
		return readAVX2((*byte)(unsafe.Pointer(&p[0])), 4*len(p))
	}
	return goRead(p)
}
