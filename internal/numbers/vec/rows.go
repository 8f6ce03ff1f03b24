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

// NearColumns is the most columns of a tile that [AppendNear] reads; it codes
// row r and column c as r·NearColumns + c.
const NearColumns = 256

// AppendNear reads a tile of inner products of rows points x with cols points
// y, and appends the code of every pair of which one is near enough for the
// other,
//
//	xx[r] + yy[c] − 2·dot[r·stride + c] ≤ max(xlimit[r], ylimit[c]),
//
// and returns the extended slice; NaN is never near. It is the
// quick sieve before a selection of the k nearest: most rows hold few such
// points, and the others are skipped 16 at a time. It panics on short slices
// and more than NearColumns columns.
func AppendNear[T Float](near []int32, rows, cols int, dot []T, stride int, xx, yy, xlimit, ylimit []T) []int32 {
	if rows == 0 || cols == 0 {
		return near
	}
	check("AppendNear", "dot", rows, cols, len(dot), stride)
	if cols > NearColumns {
		panic("vec: AppendNear: too many columns")
	}
	xx, xlimit, yy, ylimit = exact(xx, rows), exact(xlimit, rows), exact(yy, cols), exact(ylimit, cols)
	near = slices.Grow(near, rows*cols+span)
	done := whole(cols)
	at := len(near)
	if done > 0 {
		found := -1
		out := near[at : at+rows*done+span]
		switch d := any(dot).(type) {
		case []float32:
			found = near32(rows, done, d, stride, any(yy).([]float32), any(ylimit).([]float32), any(xx).([]float32), any(xlimit).([]float32), out)
		case []float64:
			found = near64(rows, done, d, stride, any(yy).([]float64), any(ylimit).([]float64), any(xx).([]float64), any(xlimit).([]float64), out)
		}
		if found < 0 {
			done = 0
		} else {
			near = near[:at+found]
		}
	}
	if done == cols {
		return near
	}
	for r := range rows {
		for c := done; c < cols; c++ {
			v := dot[r*stride+c]
			if distance := T(xx[r]+yy[c]) - v - v; distance <= xlimit[r] || distance <= ylimit[c] {
				near = append(near, int32(r*NearColumns+c))
			}
		}
	}
	return near
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
