//go:build !linux

package vec

func hugeFloats(n int) []float32 { return make([]float32, n) }
