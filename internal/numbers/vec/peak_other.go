//go:build (!amd64 && !arm64) || purego

package vec

func peak32(rounds int) int { return goPeak[float32](rounds) }

func peak64(rounds int) int { return goPeak[float64](rounds) }

func read(p []float32) uint64 { return goRead(p) }
