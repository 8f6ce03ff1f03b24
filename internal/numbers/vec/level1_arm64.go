//go:build arm64 && !purego

package vec

// The functions here do as many elements as fill whole steps of a kernel and return
// their number, 0 on the Go path.

// steps returns how many of n elements fill whole steps; step is a power of 2.
func steps(n, step int) int {
	if path() == pureGo {
		return 0
	}
	return n &^ (step - 1)
}

func dotFast(x, y []float64) (float64, int) {
	n := steps(len(x), 16)
	if n == 0 {
		return 0, 0
	}
	return dotNEON(n, &x[0], &y[0]), n
}

func squaredDistanceFast(x, y []float64) (float64, int) {
	n := steps(len(x), 16)
	if n == 0 {
		return 0, 0
	}
	return squaredDistanceNEON(n, &x[0], &y[0]), n
}

func axpyFast(a float64, x, y []float64) int {
	n := steps(len(x), 4)
	if n > 0 {
		axpyNEON(n, a, &x[0], &y[0])
	}
	return n
}

func axpbyFast(a float64, x []float64, b float64, y []float64) int {
	n := steps(len(x), 4)
	if n > 0 {
		axpbyNEON(n, a, &x[0], b, &y[0])
	}
	return n
}

func gerFast32(m, n int, alpha float32, x []float32, incx int, y, a []float32, lda int) bool {
	if path() == pureGo {
		return false
	}
	gerF32NEON(m, n, alpha, &x[0], incx, &y[0], &a[0], lda)
	return true
}

func gerFast64(m, n int, alpha float64, x []float64, incx int, y, a []float64, lda int) bool {
	if path() == pureGo {
		return false
	}
	gerF64NEON(m, n, alpha, &x[0], incx, &y[0], &a[0], lda)
	return true
}

func widenFast(dst []float64, src []float32) int {
	n := steps(len(src), 4)
	if n > 0 {
		widenNEON(n, &dst[0], &src[0])
	}
	return n
}

func addWideFast(dst []float64, src []float32) int {
	n := steps(len(src), 4)
	if n > 0 {
		addWideNEON(n, &dst[0], &src[0])
	}
	return n
}

func narrowFast(dst []float32, src []float64) int {
	n := steps(len(src), 4)
	if n > 0 {
		narrowNEON(n, &dst[0], &src[0])
	}
	return n
}

func fromBytes64Fast(dst []float64, src []uint8) int {
	n := steps(len(src), 8)
	if n > 0 {
		fromBytesF64NEON(n, &dst[0], &src[0])
	}
	return n
}

func fromBytes32Fast(dst []float32, src []uint8) int {
	n := steps(len(src), 8)
	if n > 0 {
		fromBytesF32NEON(n, &dst[0], &src[0])
	}
	return n
}

func affineFast(x, shift, factor []float64) int {
	n := steps(len(x), 4)
	if n > 0 {
		affineNEON(n, &x[0], &shift[0], &factor[0])
	}
	return n
}

func divideFast(x []float64, a float64) int {
	n := steps(len(x), 4)
	if n > 0 {
		divideNEON(n, &x[0], a)
	}
	return n
}

func rectifyFast(above, below []float32, rows int, z []float32, ld int, threshold float32) int {
	n := steps(len(above), 8)
	if n > 0 {
		rectifyNEON(rows, n, &above[0], &below[0], &z[0], ld, threshold)
	}
	return n
}
