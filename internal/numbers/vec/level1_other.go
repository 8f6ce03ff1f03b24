//go:build (!amd64 && !arm64) || purego

package vec

func widenFast(dst []float64, src []float32) int { return 0 }

func narrowFast(dst []float32, src []float64) int { return 0 }

func addWideFast(dst []float64, src []float32) int { return 0 }

func fromBytes64Fast(dst []float64, src []uint8) int { return 0 }

func fromBytes32Fast(dst []float32, src []uint8) int { return 0 }

func affineFast(x, shift, factor []float64) int { return 0 }

func divideFast(x []float64, a float64) int { return 0 }

func dotFast(x, y []float64) (float64, int) { return 0, 0 }

func squaredDistanceFast(x, y []float64) (float64, int) { return 0, 0 }

func axpyFast(a float64, x, y []float64) int { return 0 }

func axpbyFast(a float64, x []float64, b float64, y []float64) int { return 0 }

func gerFast32(m, n int, alpha float32, x []float32, incx int, y, a []float32, lda int) bool {
	return false
}

func gerFast64(m, n int, alpha float64, x []float64, incx int, y, a []float64, lda int) bool {
	return false
}

func rectifyFast(above, below []float32, rows int, z []float32, ld int, threshold float32) int {
	return 0
}
