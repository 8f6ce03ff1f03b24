//go:build amd64 && !purego

package vec

import "golang.org/x/sys/cpu"

// bytesISA returns the path of products of bytes: AVX-512 has these since VNNI only.
func bytesISA() isa {
	if p := path(); p < avx512 || cpu.X86.HasAVX512VNNI {
		return p
	}
	return avx2
}

func dotBytes(x, y []uint8) int32 {
	n := len(x)
	if n == 0 {
		return 0
	}
	switch bytesISA() {
	case avx512:
		return dotBytesAVX512(n, &x[0], &y[0])
	case avx2:
		whole := n &^ 31
		return dotBytesAVX2(whole, &x[0], &y[0]) + goDotBytes(x[whole:], y[whole:])
	}
	return goDotBytes(x, y)
}

// bytesPath returns the register tile in use.
func bytesPath() *byteKernel {
	switch bytesISA() {
	case avx512:
		return &bytesAVX512
	case avx2:
		return &bytesAVX2
	}
	return &goBytes
}

var (
	bytesAVX512 = byteKernel{path: avx512, mr: 12, nr: 32, width: 1, flip: 0x80}
	bytesAVX2   = byteKernel{path: avx2, mr: 6, nr: 16, width: 2}
)

// tileBytes computes a register tile.
func tileBytes(path isa, steps int, a []uint8, lda int, b []uint8, dst []float32, ldd int, add []int32, rows, cols []float32) {
	switch path {
	case avx512:
		tileBytesAVX512(steps, &a[0], lda, &b[0], &dst[0], ldd, &add[0], &rows[0], &cols[0])
	case avx2:
		tileBytesAVX2(steps, &a[0], lda, &b[0], &dst[0], ldd, &add[0], &rows[0], &cols[0])
	default:
		goTileBytes(steps, a, lda, b, dst, ldd, add, rows, cols)
	}
}

// sumsOfBytes computes the sums of a register tile, of all rows of the kernel or of one.
func sumsOfBytes(path isa, one bool, steps int, a []uint8, lda int, b []uint8, dst []int32, ldd int, add []int32) {
	switch {
	case path == pureGo:
		goSumBytes(one, steps, a, lda, b, dst, ldd, add)
	case path == avx512 && one:
		sumBytesx1AVX512(steps, &a[0], lda, &b[0], &dst[0], ldd, &add[0])
	case path == avx512:
		sumBytesx12AVX512(steps, &a[0], lda, &b[0], &dst[0], ldd, &add[0])
	case one:
		sumBytesx1AVX2(steps, &a[0], lda, &b[0], &dst[0], ldd, &add[0])
	default:
		sumBytesx6AVX2(steps, &a[0], lda, &b[0], &dst[0], ldd, &add[0])
	}
}
