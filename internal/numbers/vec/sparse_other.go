//go:build (!amd64 && !arm64) || purego

package vec

func sparseFast[T Float](width int, dst, src, diagonal []T, start []int, index []int32, value []T, from, to int) bool {
	return false
}

func stepFast(width int, dst, x, src, diagonal []float32, start []int, index []int32, value []float32, factor, a float32, from, to int) bool {
	return false
}
