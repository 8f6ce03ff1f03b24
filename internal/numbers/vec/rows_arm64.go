//go:build arm64 && !purego

package vec

// Whole vectors go to the assembly where they lie. The rest goes through padded
// copies on the stack and the same code, so that a value does not depend on its
// place in a row.

func exp32(dst, src []float32) {
	if path() == pureGo {
		goExp(dst, src)
		return
	}
	n := whole(len(dst))
	if n > 0 {
		expF32NEON(n, &dst[0], &src[0])
	}
	if n < len(dst) {
		var pad [span]float32
		copy(pad[:], src[n:])
		expF32NEON(span, &pad[0], &pad[0])
		copy(dst[n:], pad[:])
	}
}

func gauss32(dst, dot, yy []float32, xx, g float32) {
	if path() == pureGo {
		goGauss(dst, dot, yy, xx, g)
		return
	}
	n := whole(len(dst))
	if n > 0 {
		gaussF32NEON(n, &dst[0], &dot[0], &yy[0], xx, g)
	}
	if n < len(dst) {
		var padDot, padYy [span]float32
		copy(padDot[:], dot[n:])
		copy(padYy[:], yy[n:])
		gaussF32NEON(span, &padDot[0], &padDot[0], &padYy[0], xx, g)
		copy(dst[n:], padDot[:])
	}
}

func dist32(dst, dot, yy []float32, xx float32) {
	if path() == pureGo {
		goDist(dst, dot, yy, xx)
		return
	}
	n := whole(len(dst))
	if n > 0 {
		distF32NEON(n, &dst[0], &dot[0], &yy[0], xx)
	}
	if n < len(dst) {
		var padDot, padYy [span]float32
		copy(padDot[:], dot[n:])
		copy(padYy[:], yy[n:])
		distF32NEON(span, &padDot[0], &padDot[0], &padYy[0], xx)
		copy(dst[n:], padDot[:])
	}
}

func power32(dst, dot []float32, g, c float32, degree int) {
	if path() == pureGo {
		goPower(dst, dot, g, c, degree)
		return
	}
	n := whole(len(dst))
	if n > 0 {
		powerF32NEON(n, &dst[0], &dot[0], g, c, degree)
	}
	if n < len(dst) {
		var pad [span]float32
		copy(pad[:], dot[n:])
		powerF32NEON(span, &pad[0], &pad[0], g, c, degree)
		copy(dst[n:], pad[:])
	}
}

// near32 returns −1 on the Go path.
func near32(rows, cols int, dot []float32, stride int, yy, ylimit, xx, xlimit []float32, out []int32) int {
	if path() == pureGo {
		return -1
	}
	return nearF32NEON(rows, cols, &dot[0], stride, &yy[0], &ylimit[0], &xx[0], &xlimit[0], &out[0])
}

func exp64(dst, src []float64) {
	if path() == pureGo {
		goExp(dst, src)
		return
	}
	n := whole(len(dst))
	if n > 0 {
		expF64NEON(n, &dst[0], &src[0])
	}
	if n < len(dst) {
		var pad [span]float64
		copy(pad[:], src[n:])
		expF64NEON(span, &pad[0], &pad[0])
		copy(dst[n:], pad[:])
	}
}

func gauss64(dst, dot, yy []float64, xx, g float64) {
	if path() == pureGo {
		goGauss(dst, dot, yy, xx, g)
		return
	}
	n := whole(len(dst))
	if n > 0 {
		gaussF64NEON(n, &dst[0], &dot[0], &yy[0], xx, g)
	}
	if n < len(dst) {
		var padDot, padYy [span]float64
		copy(padDot[:], dot[n:])
		copy(padYy[:], yy[n:])
		gaussF64NEON(span, &padDot[0], &padDot[0], &padYy[0], xx, g)
		copy(dst[n:], padDot[:])
	}
}

func dist64(dst, dot, yy []float64, xx float64) {
	if path() == pureGo {
		goDist(dst, dot, yy, xx)
		return
	}
	n := whole(len(dst))
	if n > 0 {
		distF64NEON(n, &dst[0], &dot[0], &yy[0], xx)
	}
	if n < len(dst) {
		var padDot, padYy [span]float64
		copy(padDot[:], dot[n:])
		copy(padYy[:], yy[n:])
		distF64NEON(span, &padDot[0], &padDot[0], &padYy[0], xx)
		copy(dst[n:], padDot[:])
	}
}

func power64(dst, dot []float64, g, c float64, degree int) {
	if path() == pureGo {
		goPower(dst, dot, g, c, degree)
		return
	}
	n := whole(len(dst))
	if n > 0 {
		powerF64NEON(n, &dst[0], &dot[0], g, c, degree)
	}
	if n < len(dst) {
		var pad [span]float64
		copy(pad[:], dot[n:])
		powerF64NEON(span, &pad[0], &pad[0], g, c, degree)
		copy(dst[n:], pad[:])
	}
}

// near64 returns −1 on the Go path.
func near64(rows, cols int, dot []float64, stride int, yy, ylimit, xx, xlimit []float64, out []int32) int {
	if path() == pureGo {
		return -1
	}
	return nearF64NEON(rows, cols, &dot[0], stride, &yy[0], &ylimit[0], &xx[0], &xlimit[0], &out[0])
}
