//go:build amd64 && !purego

package vec

// The functions here do as many elements as fill whole vectors and return
// their number, 0 on the Go path.

func widenFast(dst []float64, src []float32) int {
	n := len(src)
	switch path() {
	case avx512:
		if n &^= 7; n > 0 {
			widenAVX512(n, &dst[0], &src[0])
		}
		return n
	case avx2:
		if n &^= 3; n > 0 {
			widenAVX2(n, &dst[0], &src[0])
		}
		return n
	}
	return 0
}

func addWideFast(dst []float64, src []float32) int {
	n := len(src)
	switch path() {
	case avx512:
		if n &^= 7; n > 0 {
			addWideAVX512(n, &dst[0], &src[0])
		}
		return n
	case avx2:
		if n &^= 3; n > 0 {
			addWideAVX2(n, &dst[0], &src[0])
		}
		return n
	}
	return 0
}

func narrowFast(dst []float32, src []float64) int {
	n := len(src)
	switch path() {
	case avx512:
		if n &^= 7; n > 0 {
			narrowAVX512(n, &dst[0], &src[0])
		}
		return n
	case avx2:
		if n &^= 3; n > 0 {
			narrowAVX2(n, &dst[0], &src[0])
		}
		return n
	}
	return 0
}

func fromBytes64Fast(dst []float64, src []uint8) int {
	n := len(src)
	switch path() {
	case avx512:
		if n &^= 7; n > 0 {
			fromBytesF64AVX512(n, &dst[0], &src[0])
		}
		return n
	case avx2:
		if n &^= 3; n > 0 {
			fromBytesF64AVX2(n, &dst[0], &src[0])
		}
		return n
	}
	return 0
}

func fromBytes32Fast(dst []float32, src []uint8) int {
	n := len(src)
	switch path() {
	case avx512:
		if n &^= 15; n > 0 {
			fromBytesF32AVX512(n, &dst[0], &src[0])
		}
		return n
	case avx2:
		if n &^= 7; n > 0 {
			fromBytesF32AVX2(n, &dst[0], &src[0])
		}
		return n
	}
	return 0
}

func affineFast(x, shift, factor []float64) int {
	n := len(x)
	switch path() {
	case avx512:
		if n &^= 7; n > 0 {
			affineAVX512(n, &x[0], &shift[0], &factor[0])
		}
		return n
	case avx2:
		if n &^= 3; n > 0 {
			affineAVX2(n, &x[0], &shift[0], &factor[0])
		}
		return n
	}
	return 0
}

func divideFast(x []float64, a float64) int {
	n := len(x)
	switch path() {
	case avx512:
		if n &^= 7; n > 0 {
			divideAVX512(n, &x[0], a)
		}
		return n
	case avx2:
		if n &^= 3; n > 0 {
			divideAVX2(n, &x[0], a)
		}
		return n
	}
	return 0
}

func dotFast(x, y []float64) (float64, int) {
	n := len(x)
	switch path() {
	case avx512:
		if n &^= 31; n > 0 {
			return dotAVX512(n, &x[0], &y[0]), n
		}
	case avx2:
		if n &^= 15; n > 0 {
			return dotAVX2(n, &x[0], &y[0]), n
		}
	}
	return 0, 0
}

func squaredDistanceFast(x, y []float64) (float64, int) {
	n := len(x)
	switch path() {
	case avx512:
		if n &^= 31; n > 0 {
			return squaredDistanceAVX512(n, &x[0], &y[0]), n
		}
	case avx2:
		if n &^= 15; n > 0 {
			return squaredDistanceAVX2(n, &x[0], &y[0]), n
		}
	}
	return 0, 0
}

func axpyFast(a float64, x, y []float64) int {
	n := len(x)
	switch path() {
	case avx512:
		if n &^= 7; n > 0 {
			axpyAVX512(n, a, &x[0], &y[0])
		}
		return n
	case avx2:
		if n &^= 3; n > 0 {
			axpyAVX2(n, a, &x[0], &y[0])
		}
		return n
	}
	return 0
}

func axpbyFast(a float64, x []float64, b float64, y []float64) int {
	n := len(x)
	switch path() {
	case avx512:
		if n &^= 7; n > 0 {
			axpbyAVX512(n, a, &x[0], b, &y[0])
		}
		return n
	case avx2:
		if n &^= 3; n > 0 {
			axpbyAVX2(n, a, &x[0], b, &y[0])
		}
		return n
	}
	return 0
}

func gerFast32(m, n int, alpha float32, x []float32, incx int, y, a []float32, lda int) bool {
	if path() != avx512 {
		return false
	}
	gerF32AVX512(m, n, alpha, &x[0], incx, &y[0], &a[0], lda)
	return true
}

func gerFast64(m, n int, alpha float64, x []float64, incx int, y, a []float64, lda int) bool {
	switch path() {
	case avx512:
		gerF64AVX512(m, n, alpha, &x[0], incx, &y[0], &a[0], lda)
		return true
	case avx2:
		for i := range m {
			Axpy(alpha*x[i*incx], y[:n], a[i*lda:])
		}
		return true
	}
	return false
}

func rectifyFast(above, below []float32, rows int, z []float32, ld int, threshold float32) int {
	if path() == pureGo {
		return 0
	}
	n := len(above) &^ 7
	if n > 0 {
		rectifyAVX2(rows, n, &above[0], &below[0], &z[0], ld, threshold)
	}
	return n
}
