package vec

import "unsafe"

// Widen converts float32 to float64, exactly. It panics when the lengths
// differ.
func Widen(dst []float64, src []float32) {
	if len(dst) != len(src) {
		panic("vec: Widen: lengths differ")
	}
	n := widenFast(dst, src)
	dst = dst[n:]
	for i, v := range src[n:] {
		dst[i] = float64(v)
	}
}

// Narrow converts float64 to float32, rounding to nearest. It panics when the
// lengths differ.
func Narrow(dst []float32, src []float64) {
	if len(dst) != len(src) {
		panic("vec: Narrow: lengths differ")
	}
	n := narrowFast(dst, src)
	dst = dst[n:]
	for i, v := range src[n:] {
		dst[i] = float32(v)
	}
}

// AddWide adds float32 to doubles, dst += src. It panics when dst is shorter
// than src.
func AddWide(dst []float64, src []float32) {
	dst = exact(dst, len(src))
	n := addWideFast(dst, src)
	dst = dst[n:]
	for i, v := range src[n:] {
		dst[i] += float64(v)
	}
}

// FromBytes converts bytes to numbers from 0 to 255. It panics when the lengths
// differ.
func FromBytes[T Float](dst []T, src []uint8) {
	if len(dst) != len(src) {
		panic("vec: FromBytes: lengths differ")
	}
	var n int
	switch dst := any(dst).(type) {
	case []float64:
		n = fromBytes64Fast(dst, src)
	case []float32:
		n = fromBytes32Fast(dst, src)
	}
	dst = dst[n:]
	for i, v := range src[n:] {
		dst[i] = T(v)
	}
}

// Affine moves and scales numbers, x = (x − shift)·factor, each rounded twice. It
// panics when the lengths differ.
func Affine(x, shift, factor []float64) {
	if len(shift) != len(x) || len(factor) != len(x) {
		panic("vec: Affine: lengths differ")
	}
	n := affineFast(x, shift, factor)
	x, shift, factor = x[n:], shift[n:], factor[n:]
	for i, v := range x {
		x[i] = (v - shift[i]) * factor[i]
	}
}

// Divide divides numbers, x = x/a.
func Divide(x []float64, a float64) {
	x = x[divideFast(x, a):]
	for i, v := range x {
		x[i] = v / a
	}
}

// AsSingle returns the memory of x as twice as many float32, for numbers of another kind in between. What is written there
// destroys the values of x, and the other way round.
func AsSingle(x []float64) []float32 {
	return unsafe.Slice((*float32)(unsafe.Pointer(unsafe.SliceData(x))), 2*len(x))
}
