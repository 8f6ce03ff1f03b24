//go:build (!amd64 && !arm64) || purego

package vec

func panelSums32(width int, tile []float32, ld int, y []float64, x []float32, ahead, by int) bool {
	return false
}

func panelTrans32(width int, tile []float32, ld int, y, x []float32, ahead, by int) bool {
	return false
}

func panelSums64(width int, tile []float64, ld int, y []float64, x []float64, ahead, by int) bool {
	return false
}

func panelTrans64(width int, tile []float64, ld int, y, x []float64, ahead, by int) bool {
	return false
}

func wide32(cols int, tile []float32, ld int, yi, yj, xi, xj []float32) bool {
	return false
}

func wide64(cols int, tile []float64, ld int, yi, yj, xi, xj []float64) bool {
	return false
}

func wideTrans[T Float](rows int, tile []T, ld int, y, x []T) bool { return false }
