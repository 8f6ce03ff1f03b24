//go:build amd64 && !purego

package vec

// sparseFast computes the rows and reports whether there is a kernel for them.
// There is one for each width, all with AVX2: the time goes into fetching rows
// of src.
func sparseFast(width int, dst, src, diagonal []float64, start []int, index []int32, value []float64, from, to int) bool {
	if path() == pureGo || len(index) == 0 {
		return false
	}
	rows, own, into := to-from, &src[from*width], &dst[from*width]
	switch width {
	case 4:
		sparseRows4AVX2(rows, &start[from], &index[0], &value[0], &diagonal[from], own, &src[0], into)
	case 8:
		sparseRows8AVX2(rows, &start[from], &index[0], &value[0], &diagonal[from], own, &src[0], into)
	case 12:
		sparseRows12AVX2(rows, &start[from], &index[0], &value[0], &diagonal[from], own, &src[0], into)
	default:
		sparseRows16AVX2(rows, &start[from], &index[0], &value[0], &diagonal[from], own, &src[0], into)
	}
	return true
}
