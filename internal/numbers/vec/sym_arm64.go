//go:build arm64 && !purego

package vec

// The functions here walk over a tile with the assembly. They return the number of
// columns they have done, a multiple of the kernel's step and 0 on the Go path; the rest is
// the caller's.

func symFast32(rows, cols int, tile []float32, ld int, yi, yj, xi, xj []float64) int {
	cols = steps(cols, 4)
	if cols == 0 {
		return 0
	}
	i := 0
	for ; i+8 <= rows; i += 8 {
		symRows8F32NEON(cols, &tile[i*ld], ld, &yi[i], &yj[0], &xi[i], &xj[0])
	}
	for ; i < rows; i++ {
		symRows1F32NEON(cols, &tile[i*ld], ld, &yi[i], &yj[0], &xi[i], &xj[0])
	}
	return cols
}

func mulFast32(rows, cols int, tile []float32, ld int, y, x []float64) int {
	cols = steps(cols, 4)
	if cols == 0 {
		return 0
	}
	i := 0
	for ; i+8 <= rows; i += 8 {
		mulRows8F32NEON(cols, &tile[i*ld], ld, &y[i], nil, nil, &x[0])
	}
	for ; i < rows; i++ {
		mulRows1F32NEON(cols, &tile[i*ld], ld, &y[i], nil, nil, &x[0])
	}
	return cols
}

func transFast32(rows, cols int, tile []float32, ld int, yj, xi []float64) int {
	cols = steps(cols, 4)
	if cols == 0 {
		return 0
	}
	i := 0
	for ; i+8 <= rows; i += 8 {
		transRows8F32NEON(cols, &tile[i*ld], ld, nil, &yj[0], &xi[i], nil)
	}
	for ; i < rows; i++ {
		transRows1F32NEON(cols, &tile[i*ld], ld, nil, &yj[0], &xi[i], nil)
	}
	return cols
}

func symFast64(rows, cols int, tile []float64, ld int, yi, yj, xi, xj []float64) int {
	cols = steps(cols, 4)
	if cols == 0 {
		return 0
	}
	i := 0
	for ; i+8 <= rows; i += 8 {
		symRows8F64NEON(cols, &tile[i*ld], ld, &yi[i], &yj[0], &xi[i], &xj[0])
	}
	for ; i < rows; i++ {
		symRows1F64NEON(cols, &tile[i*ld], ld, &yi[i], &yj[0], &xi[i], &xj[0])
	}
	return cols
}

func mulFast64(rows, cols int, tile []float64, ld int, y, x []float64) int {
	cols = steps(cols, 4)
	if cols == 0 {
		return 0
	}
	i := 0
	for ; i+8 <= rows; i += 8 {
		mulRows8F64NEON(cols, &tile[i*ld], ld, &y[i], nil, nil, &x[0])
	}
	for ; i < rows; i++ {
		mulRows1F64NEON(cols, &tile[i*ld], ld, &y[i], nil, nil, &x[0])
	}
	return cols
}

func transFast64(rows, cols int, tile []float64, ld int, yj, xi []float64) int {
	cols = steps(cols, 4)
	if cols == 0 {
		return 0
	}
	i := 0
	for ; i+8 <= rows; i += 8 {
		transRows8F64NEON(cols, &tile[i*ld], ld, nil, &yj[0], &xi[i], nil)
	}
	for ; i < rows; i++ {
		transRows1F64NEON(cols, &tile[i*ld], ld, nil, &yj[0], &xi[i], nil)
	}
	return cols
}
