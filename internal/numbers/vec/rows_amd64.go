//go:build amd64 && !purego

package vec

// Whole vectors go to the assembly where they lie. The rest goes through padded
// copies on the stack and the same code, so that a value does not depend on its
// place in a row.

func exp32(dst, src []float32) {
	p := path()
	if p == pureGo {
		goExp(dst, src)
		return
	}
	n := whole(len(dst))
	if n > 0 {
		if p == avx512 {
			expF32AVX512(n, &dst[0], &src[0])
		} else {
			expF32AVX2(n, &dst[0], &src[0])
		}
	}
	if n == len(dst) {
		return
	}
	var pad [span]float32
	copy(pad[:], src[n:])
	if p == avx512 {
		expF32AVX512(span, &pad[0], &pad[0])
	} else {
		expF32AVX2(span, &pad[0], &pad[0])
	}
	copy(dst[n:], pad[:])
}

func gauss32(dst, dot, yy []float32, xx, g float32) {
	p := path()
	if p == pureGo {
		goGauss(dst, dot, yy, xx, g)
		return
	}
	n := whole(len(dst))
	if n > 0 {
		if p == avx512 {
			gaussF32AVX512(n, &dst[0], &dot[0], &yy[0], xx, g)
		} else {
			gaussF32AVX2(n, &dst[0], &dot[0], &yy[0], xx, g)
		}
	}
	if n == len(dst) {
		return
	}
	var padDot, padYy [span]float32
	copy(padDot[:], dot[n:])
	copy(padYy[:], yy[n:])
	if p == avx512 {
		gaussF32AVX512(span, &padDot[0], &padDot[0], &padYy[0], xx, g)
	} else {
		gaussF32AVX2(span, &padDot[0], &padDot[0], &padYy[0], xx, g)
	}
	copy(dst[n:], padDot[:])
}

func dist32(dst, dot, yy []float32, xx float32) {
	p := path()
	if p == pureGo {
		goDist(dst, dot, yy, xx)
		return
	}
	n := whole(len(dst))
	if n > 0 {
		if p == avx512 {
			distF32AVX512(n, &dst[0], &dot[0], &yy[0], xx)
		} else {
			distF32AVX2(n, &dst[0], &dot[0], &yy[0], xx)
		}
	}
	if n == len(dst) {
		return
	}
	var padDot, padYy [span]float32
	copy(padDot[:], dot[n:])
	copy(padYy[:], yy[n:])
	if p == avx512 {
		distF32AVX512(span, &padDot[0], &padDot[0], &padYy[0], xx)
	} else {
		distF32AVX2(span, &padDot[0], &padDot[0], &padYy[0], xx)
	}
	copy(dst[n:], padDot[:])
}

func power32(dst, dot []float32, g, c float32, degree int) {
	p := path()
	if p == pureGo {
		goPower(dst, dot, g, c, degree)
		return
	}
	n := whole(len(dst))
	if n > 0 {
		if p == avx512 {
			powerF32AVX512(n, &dst[0], &dot[0], g, c, degree)
		} else {
			powerF32AVX2(n, &dst[0], &dot[0], g, c, degree)
		}
	}
	if n == len(dst) {
		return
	}
	var pad [span]float32
	copy(pad[:], dot[n:])
	if p == avx512 {
		powerF32AVX512(span, &pad[0], &pad[0], g, c, degree)
	} else {
		powerF32AVX2(span, &pad[0], &pad[0], g, c, degree)
	}
	copy(dst[n:], pad[:])
}

// near32 returns −1 on the Go path.
func near32(rows, cols int, dot []float32, stride int, yy, ylimit, xx, xlimit []float32, out []int32) int {
	switch path() {
	case avx512:
		return nearF32AVX512(rows, cols, &dot[0], stride, &yy[0], &ylimit[0], &xx[0], &xlimit[0], &out[0])
	case avx2:
		return nearF32AVX2(rows, cols, &dot[0], stride, &yy[0], &ylimit[0], &xx[0], &xlimit[0], &out[0])
	}
	return -1
}

func exp64(dst, src []float64) {
	p := path()
	if p == pureGo {
		goExp(dst, src)
		return
	}
	n := whole(len(dst))
	if n > 0 {
		if p == avx512 {
			expF64AVX512(n, &dst[0], &src[0])
		} else {
			expF64AVX2(n, &dst[0], &src[0])
		}
	}
	if n == len(dst) {
		return
	}
	var pad [span]float64
	copy(pad[:], src[n:])
	if p == avx512 {
		expF64AVX512(span, &pad[0], &pad[0])
	} else {
		expF64AVX2(span, &pad[0], &pad[0])
	}
	copy(dst[n:], pad[:])
}

func gauss64(dst, dot, yy []float64, xx, g float64) {
	p := path()
	if p == pureGo {
		goGauss(dst, dot, yy, xx, g)
		return
	}
	n := whole(len(dst))
	if n > 0 {
		if p == avx512 {
			gaussF64AVX512(n, &dst[0], &dot[0], &yy[0], xx, g)
		} else {
			gaussF64AVX2(n, &dst[0], &dot[0], &yy[0], xx, g)
		}
	}
	if n == len(dst) {
		return
	}
	var padDot, padYy [span]float64
	copy(padDot[:], dot[n:])
	copy(padYy[:], yy[n:])
	if p == avx512 {
		gaussF64AVX512(span, &padDot[0], &padDot[0], &padYy[0], xx, g)
	} else {
		gaussF64AVX2(span, &padDot[0], &padDot[0], &padYy[0], xx, g)
	}
	copy(dst[n:], padDot[:])
}

func dist64(dst, dot, yy []float64, xx float64) {
	p := path()
	if p == pureGo {
		goDist(dst, dot, yy, xx)
		return
	}
	n := whole(len(dst))
	if n > 0 {
		if p == avx512 {
			distF64AVX512(n, &dst[0], &dot[0], &yy[0], xx)
		} else {
			distF64AVX2(n, &dst[0], &dot[0], &yy[0], xx)
		}
	}
	if n == len(dst) {
		return
	}
	var padDot, padYy [span]float64
	copy(padDot[:], dot[n:])
	copy(padYy[:], yy[n:])
	if p == avx512 {
		distF64AVX512(span, &padDot[0], &padDot[0], &padYy[0], xx)
	} else {
		distF64AVX2(span, &padDot[0], &padDot[0], &padYy[0], xx)
	}
	copy(dst[n:], padDot[:])
}

func power64(dst, dot []float64, g, c float64, degree int) {
	p := path()
	if p == pureGo {
		goPower(dst, dot, g, c, degree)
		return
	}
	n := whole(len(dst))
	if n > 0 {
		if p == avx512 {
			powerF64AVX512(n, &dst[0], &dot[0], g, c, degree)
		} else {
			powerF64AVX2(n, &dst[0], &dot[0], g, c, degree)
		}
	}
	if n == len(dst) {
		return
	}
	var pad [span]float64
	copy(pad[:], dot[n:])
	if p == avx512 {
		powerF64AVX512(span, &pad[0], &pad[0], g, c, degree)
	} else {
		powerF64AVX2(span, &pad[0], &pad[0], g, c, degree)
	}
	copy(dst[n:], pad[:])
}

// near64 returns −1 on the Go path.
func near64(rows, cols int, dot []float64, stride int, yy, ylimit, xx, xlimit []float64, out []int32) int {
	switch path() {
	case avx512:
		return nearF64AVX512(rows, cols, &dot[0], stride, &yy[0], &ylimit[0], &xx[0], &xlimit[0], &out[0])
	case avx2:
		return nearF64AVX2(rows, cols, &dot[0], stride, &yy[0], &ylimit[0], &xx[0], &xlimit[0], &out[0])
	}
	return -1
}
