package vec

import (
	"math"
	"slices"
)

// The functions below turn rows of inner products into rows of kernel values
// or distances. dst may be the same slice as an input, but must not overlap
// one otherwise. A NaN among the inputs becomes a NaN in its place of the
// result. All slices have dst's length; shorter ones panic.

// span is the most elements that any path handles at once; remainders are
// padded to it.
const span = 16

// whole splits n into what fills vectors of every path, and the rest.
func whole(n int) int { return n &^ (span - 1) }

// Exp computes dst = exp(src), with a relative error below 3e-7 in float32 and
// 1e-15 in float64, results below the normal range apart. It handles all
// values as math.Exp does.
func Exp[T Float](dst, src []T) {
	n := len(dst)
	src = exact(src, n)
	switch d := any(dst).(type) {
	case []float32:
		exp32(d, any(src).([]float32))
	case []float64:
		exp64(d, any(src).([]float64))
	}
}

// GaussRow computes a row of the Gaussian kernel from inner products,
//
//	dst[j] = exp(−g·max(xx + yy[j] − 2·dot[j], 0)),
//
// where xx = ‖x‖², yy[j] = ‖y_j‖², dot[j] = ⟨x, y_j⟩ and g ≥ 0. The argument
// is rounded to T; the exponential is that of Exp. Cost: one exponential per
// element, which AVX-512 computes 16 (float32) or 8 (float64) at a time.
func GaussRow[T Float](dst, dot, yy []T, xx, g T) {
	n := len(dst)
	dot, yy = exact(dot, n), exact(yy, n)
	switch d := any(dst).(type) {
	case []float32:
		gauss32(d, any(dot).([]float32), any(yy).([]float32), float32(xx), float32(-g))
	case []float64:
		gauss64(d, any(dot).([]float64), any(yy).([]float64), float64(xx), float64(-g))
	}
}

// DistanceRow computes squared distances from inner products,
//
//	dst[j] = max(xx + yy[j] − 2·dot[j], 0),
//
// in GaussRow's notation. They carry the cancellation of this formula.
func DistanceRow[T Float](dst, dot, yy []T, xx T) {
	n := len(dst)
	dot, yy = exact(dot, n), exact(yy, n)
	switch d := any(dst).(type) {
	case []float32:
		dist32(d, any(dot).([]float32), any(yy).([]float32), float32(xx))
	case []float64:
		dist64(d, any(dot).([]float64), any(yy).([]float64), float64(xx))
	}
}

// PowerRow computes a row of the polynomial kernel,
//
//	dst[j] = (g·dot[j] + c)^degree
//
// by repeated squaring; degree 0 gives 1. All paths give the same bits. It
// panics for a negative degree.
func PowerRow[T Float](dst, dot []T, g, c T, degree int) {
	if degree < 0 {
		panic("vec: PowerRow of negative degree")
	}
	n := len(dst)
	dot = exact(dot, n)
	switch d := any(dst).(type) {
	case []float32:
		power32(d, any(dot).([]float32), float32(g), float32(c), degree)
	case []float64:
		power64(d, any(dot).([]float64), float64(g), float64(c), degree)
	}
}

// AppendNear appends j to index for every point that is near enough to x or for
// which x is near enough,
//
//	xx + yy[j] − 2·dot[j] ≤ max(limit, limits[j]),
//
// in ascending order, and returns the extended slice; NaN is never near. The
// notation is GaussRow's, limit is x's own and limits[j] that of y_j. It is the
// quick sieve before a selection of the k nearest: most rows hold few such
// points, and the others are skipped 16 at a time. yy and limits have dot's
// length; shorter ones panic.
func AppendNear[T Float](index []int32, dot, yy, limits []T, xx, limit T) []int32 {
	n := len(dot)
	yy, limits = exact(yy, n), exact(limits, n)
	if free := cap(index) - len(index); free < n+span {
		index = slices.Grow(index, n+span)
	}
	at, done := len(index), 0
	out := index[:at+n+span]
	switch d := any(dot).(type) {
	case []float32:
		at, done = near32(out, at, d, any(yy).([]float32), any(limits).([]float32), float32(xx), float32(limit))
	case []float64:
		at, done = near64(out, at, d, any(yy).([]float64), any(limits).([]float64), float64(xx), float64(limit))
	}
	for j := done; j < n; j++ {
		if distance := T(xx+yy[j]) - dot[j] - dot[j]; distance <= limit || distance <= limits[j] {
			out[at] = int32(j)
			at++
		}
	}
	return out[:at]
}

func goExp[T Float](dst, src []T) {
	for i, x := range src {
		dst[i] = T(math.Exp(float64(x)))
	}
}

// squared is xx + yy − 2·dot, at least 0; NaN stays.
func squared[T Float](xx, yy, dot T) T {
	d := T(xx+yy) - 2*dot
	if d < 0 {
		return 0
	}
	return d
}

func goGauss[T Float](dst, dot, yy []T, xx, g T) {
	for i, y := range yy {
		dst[i] = T(math.Exp(float64(g * squared(xx, y, dot[i]))))
	}
}

func goDist[T Float](dst, dot, yy []T, xx T) {
	for i, y := range yy {
		dst[i] = squared(xx, y, dot[i])
	}
}

func goPower[T Float](dst, dot []T, g, c T, degree int) {
	for i, v := range dot {
		x, p := T(g*v)+c, T(1)
		for e := degree; ; x *= x {
			if e&1 == 1 {
				p *= x
			}
			if e >>= 1; e == 0 {
				break
			}
		}
		dst[i] = p
	}
}
