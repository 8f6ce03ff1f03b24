//go:build arm64 && !purego

package vec

// sparseFast computes the rows and reports whether there is a kernel for them.
func sparseFast[T Float](width int, dst, src, diagonal []T, start []int, index []int32, value []T, from, to int) bool {
	if path() == pureGo || len(index) == 0 {
		return false
	}
	switch dst := any(dst).(type) {
	case []float32:
		return sparse32(width, dst, any(src).([]float32), any(diagonal).([]float32), start, index, any(value).([]float32), from, to)
	case []float64:
		return sparse64(width, dst, any(src).([]float64), any(diagonal).([]float64), start, index, any(value).([]float64), from, to)
	}
	return false
}

// sparse64 has a kernel for each width.
func sparse64(width int, dst, src, diagonal []float64, start []int, index []int32, value []float64, from, to int) bool {
	rows, last, row, into := to-from, len(index)-1, &src[from*width], &dst[from*width]
	switch width {
	case 4:
		sparseRows4F64NEON(rows, last, &start[from], &index[0], &value[0], &diagonal[from], row, &src[0], into)
	case 8:
		sparseRows8F64NEON(rows, last, &start[from], &index[0], &value[0], &diagonal[from], row, &src[0], into)
	case 12:
		sparseRows12F64NEON(rows, last, &start[from], &index[0], &value[0], &diagonal[from], row, &src[0], into)
	default:
		sparseRows16F64NEON(rows, last, &start[from], &index[0], &value[0], &diagonal[from], row, &src[0], into)
	}
	return true
}

func sparse32(width int, dst, src, diagonal []float32, start []int, index []int32, value []float32, from, to int) bool {
	if width < 16 {
		return false
	}
	sparseRows16F32NEON(to-from, len(index)-1, &start[from], &index[0], &value[0], &diagonal[from], &src[from*width], &src[0], &dst[from*width])
	return true
}

// stepFast computes a step of a recurrence and reports whether there is a kernel for it.
func stepFast(width int, dst, x, src, diagonal []float32, start []int, index []int32, value []float32, factor, a float32, from, to int) bool {
	if path() == pureGo || len(index) == 0 {
		return false
	}
	do := sparseStep16F32NEON
	if width == 8 {
		do = sparseStep8F32NEON
	}
	do(to-from, len(index)-1, &start[from], &index[0], &value[0], &diagonal[from], &src[from*width], &src[0], &dst[from*width], &x[from*width], factor, a)
	return true
}
