package vec

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
