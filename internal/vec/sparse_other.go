//go:build !amd64 || purego

package vec

func sparseFast(width int, dst, src, diagonal []float64, start []int, index []int32, value []float64, from, to int) bool {
	return false
}
