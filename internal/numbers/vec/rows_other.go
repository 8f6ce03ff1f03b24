//go:build (!amd64 && !arm64) || purego

package vec

func exp32(dst, src []float32) { goExp(dst, src) }
func exp64(dst, src []float64) { goExp(dst, src) }

func gauss32(dst, dot, yy []float32, xx, g float32) { goGauss(dst, dot, yy, xx, g) }
func gauss64(dst, dot, yy []float64, xx, g float64) { goGauss(dst, dot, yy, xx, g) }

func dist32(dst, dot, yy []float32, xx float32) { goDist(dst, dot, yy, xx) }
func dist64(dst, dot, yy []float64, xx float64) { goDist(dst, dot, yy, xx) }

func power32(dst, dot []float32, g, c float32, degree int) { goPower(dst, dot, g, c, degree) }
func power64(dst, dot []float64, g, c float64, degree int) { goPower(dst, dot, g, c, degree) }

func near32(rows, cols int, dot []float32, stride int, yy, ylimit, xx, xlimit []float32, out []int32) int {
	return -1
}

func near64(rows, cols int, dot []float64, stride int, yy, ylimit, xx, xlimit []float64, out []int32) int {
	return -1
}
