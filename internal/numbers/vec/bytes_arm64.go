//go:build arm64 && !purego

package vec

import "golang.org/x/sys/cpu"

// Products of bytes take the extension for them where the processor has it: nearly all
// since 2017, and every one of Apple's.

func dotBytes(x, y []uint8) int32 {
	n := steps(len(x), 64)
	rest := goDotBytes(x[n:], y[n:])
	switch {
	case n == 0:
		return rest
	case cpu.ARM64.HasASIMDDP:
		return rest + dotBytesUDOT(n, &x[0], &y[0])
	}
	return rest + dotBytesNEON(n, &x[0], &y[0])
}

// bytesPath returns the register tile in use.
func bytesPath() *byteKernel {
	switch {
	case path() == pureGo:
		return &goBytes
	case cpu.ARM64.HasASIMDDP:
		return &bytesUDOT
	}
	return &bytesNEON
}

var (
	bytesUDOT = byteKernel{path: neon, mr: 6, nr: 16, width: 1}
	bytesNEON = byteKernel{path: neon, mr: 4, nr: 8, width: 1}
)

// tileBytes computes a register tile.
func tileBytes(path isa, steps int, a []uint8, lda int, b []uint8, dst []float32, ldd int, add []int32, rows, cols []float32) {
	switch {
	case path == pureGo:
		goTileBytes(steps, a, lda, b, dst, ldd, add, rows, cols)
	case len(rows) == bytesUDOT.mr:
		tileBytesUDOT(steps, &a[0], lda, &b[0], &dst[0], ldd, &add[0], &rows[0], &cols[0])
	default:
		tileBytesNEON(steps, &a[0], lda, &b[0], &dst[0], ldd, &add[0], &rows[0], &cols[0])
	}
}

// sumsOfBytes computes the sums of a register tile, of all rows of the kernel or of one.
func sumsOfBytes(path isa, one bool, steps int, a []uint8, lda int, b []uint8, dst []int32, ldd int, add []int32) {
	switch {
	case path == pureGo:
		goSumBytes(one, steps, a, lda, b, dst, ldd, add)
	case cpu.ARM64.HasASIMDDP && one:
		sumBytesx1UDOT(steps, &a[0], lda, &b[0], &dst[0], ldd, &add[0])
	case cpu.ARM64.HasASIMDDP:
		sumBytesx6UDOT(steps, &a[0], lda, &b[0], &dst[0], ldd, &add[0])
	case one:
		sumBytesx1NEON(steps, &a[0], lda, &b[0], &dst[0], ldd, &add[0])
	default:
		sumBytesx4NEON(steps, &a[0], lda, &b[0], &dst[0], ldd, &add[0])
	}
}
