//go:build (!amd64 && !arm64) || purego

package vec

func dotBytes(x, y []uint8) int32 { return goDotBytes(x, y) }

func bytesPath() *byteKernel { return &goBytes }

func tileBytes(_ isa, steps int, a []uint8, lda int, b []uint8, dst []float32, ldd int, add []int32, rows, cols []float32) {
	goTileBytes(steps, a, lda, b, dst, ldd, add, rows, cols)
}

func sumsOfBytes(_ isa, one bool, steps int, a []uint8, lda int, b []uint8, dst []int32, ldd int, add []int32) {
	goSumBytes(one, steps, a, lda, b, dst, ldd, add)
}
