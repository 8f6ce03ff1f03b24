//go:build amd64 && !purego

package vec

// The functions here walk over a tile with the assembly of the path in use.
// They return the number of columns they have done, a
// multiple of the kernel's step and 0 on the Go path; the rest is the
// caller's.

func symFast32(rows, cols int, tile []float32, ld int, yi, yj, xi, xj []float64) int {
	i := 0
	switch path() {
	case avx512:
		if cols &^= 15; cols == 0 {
			return 0
		}
		for ; i+8 <= rows; i += 8 {
			symRows8F32AVX512(cols, &tile[i*ld], ld, &yi[i], &yj[0], &xi[i], &xj[0])
		}
		for ; i < rows; i++ {
			symRows1F32AVX512(cols, &tile[i*ld], ld, &yi[i], &yj[0], &xi[i], &xj[0])
		}
		return cols
	case avx2:
		if cols &^= 7; cols == 0 {
			return 0
		}
		for ; i+4 <= rows; i += 4 {
			symRows4F32AVX2(cols, &tile[i*ld], ld, &yi[i], &yj[0], &xi[i], &xj[0])
		}
		for ; i < rows; i++ {
			symRows1F32AVX2(cols, &tile[i*ld], ld, &yi[i], &yj[0], &xi[i], &xj[0])
		}
		return cols
	}
	return 0
}

func mulFast32(rows, cols int, tile []float32, ld int, y, x []float64) int {
	i := 0
	switch path() {
	case avx512:
		if cols &^= 15; cols == 0 {
			return 0
		}
		for ; i+8 <= rows; i += 8 {
			mulRows8F32AVX512(cols, &tile[i*ld], ld, &y[i], nil, nil, &x[0])
		}
		for ; i < rows; i++ {
			mulRows1F32AVX512(cols, &tile[i*ld], ld, &y[i], nil, nil, &x[0])
		}
		return cols
	case avx2:
		if cols &^= 7; cols == 0 {
			return 0
		}
		for ; i+4 <= rows; i += 4 {
			mulRows4F32AVX2(cols, &tile[i*ld], ld, &y[i], nil, nil, &x[0])
		}
		for ; i < rows; i++ {
			mulRows1F32AVX2(cols, &tile[i*ld], ld, &y[i], nil, nil, &x[0])
		}
		return cols
	}
	return 0
}

func transFast32(rows, cols int, tile []float32, ld int, yj, xi []float64) int {
	i := 0
	switch path() {
	case avx512:
		if cols &^= 15; cols == 0 {
			return 0
		}
		for ; i+8 <= rows; i += 8 {
			transRows8F32AVX512(cols, &tile[i*ld], ld, nil, &yj[0], &xi[i], nil)
		}
		for ; i < rows; i++ {
			transRows1F32AVX512(cols, &tile[i*ld], ld, nil, &yj[0], &xi[i], nil)
		}
		return cols
	case avx2:
		if cols &^= 7; cols == 0 {
			return 0
		}
		for ; i+4 <= rows; i += 4 {
			transRows4F32AVX2(cols, &tile[i*ld], ld, nil, &yj[0], &xi[i], nil)
		}
		for ; i < rows; i++ {
			transRows1F32AVX2(cols, &tile[i*ld], ld, nil, &yj[0], &xi[i], nil)
		}
		return cols
	}
	return 0
}

func symFast64(rows, cols int, tile []float64, ld int, yi, yj, xi, xj []float64) int {
	i := 0
	switch path() {
	case avx512:
		if cols &^= 15; cols == 0 {
			return 0
		}
		for ; i+8 <= rows; i += 8 {
			symRows8F64AVX512(cols, &tile[i*ld], ld, &yi[i], &yj[0], &xi[i], &xj[0])
		}
		for ; i < rows; i++ {
			symRows1F64AVX512(cols, &tile[i*ld], ld, &yi[i], &yj[0], &xi[i], &xj[0])
		}
		return cols
	case avx2:
		if cols &^= 7; cols == 0 {
			return 0
		}
		for ; i+4 <= rows; i += 4 {
			symRows4F64AVX2(cols, &tile[i*ld], ld, &yi[i], &yj[0], &xi[i], &xj[0])
		}
		for ; i < rows; i++ {
			symRows1F64AVX2(cols, &tile[i*ld], ld, &yi[i], &yj[0], &xi[i], &xj[0])
		}
		return cols
	}
	return 0
}

func mulFast64(rows, cols int, tile []float64, ld int, y, x []float64) int {
	i := 0
	switch path() {
	case avx512:
		if cols &^= 15; cols == 0 {
			return 0
		}
		for ; i+8 <= rows; i += 8 {
			mulRows8F64AVX512(cols, &tile[i*ld], ld, &y[i], nil, nil, &x[0])
		}
		for ; i < rows; i++ {
			mulRows1F64AVX512(cols, &tile[i*ld], ld, &y[i], nil, nil, &x[0])
		}
		return cols
	case avx2:
		if cols &^= 7; cols == 0 {
			return 0
		}
		for ; i+4 <= rows; i += 4 {
			mulRows4F64AVX2(cols, &tile[i*ld], ld, &y[i], nil, nil, &x[0])
		}
		for ; i < rows; i++ {
			mulRows1F64AVX2(cols, &tile[i*ld], ld, &y[i], nil, nil, &x[0])
		}
		return cols
	}
	return 0
}

func transFast64(rows, cols int, tile []float64, ld int, yj, xi []float64) int {
	i := 0
	switch path() {
	case avx512:
		if cols &^= 15; cols == 0 {
			return 0
		}
		for ; i+8 <= rows; i += 8 {
			transRows8F64AVX512(cols, &tile[i*ld], ld, nil, &yj[0], &xi[i], nil)
		}
		for ; i < rows; i++ {
			transRows1F64AVX512(cols, &tile[i*ld], ld, nil, &yj[0], &xi[i], nil)
		}
		return cols
	case avx2:
		if cols &^= 7; cols == 0 {
			return 0
		}
		for ; i+4 <= rows; i += 4 {
			transRows4F64AVX2(cols, &tile[i*ld], ld, nil, &yj[0], &xi[i], nil)
		}
		for ; i < rows; i++ {
			transRows1F64AVX2(cols, &tile[i*ld], ld, nil, &yj[0], &xi[i], nil)
		}
		return cols
	}
	return 0
}
