//go:build (!amd64 && !arm64) || purego

package vec

func symFast32(rows, cols int, tile []float32, ld int, yi, yj, xi, xj []float64) int { return 0 }

func symFast64(rows, cols int, tile []float64, ld int, yi, yj, xi, xj []float64) int { return 0 }

func mulFast32(rows, cols int, tile []float32, ld int, y, x []float64) int { return 0 }

func mulFast64(rows, cols int, tile []float64, ld int, y, x []float64) int { return 0 }

func transFast32(rows, cols int, tile []float32, ld int, yj, xi []float64) int { return 0 }

func transFast64(rows, cols int, tile []float64, ld int, yj, xi []float64) int { return 0 }
