//go:build amd64 && !purego

package vec

// The functions here walk over a tile with the assembly of the path in use.
// Those for one vector return the number of columns they have done, a
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

// chunk is the most columns of a tile that are handled at once, so that they,
// 16 times 8 bytes twice each, and converted rows fit in the first-level cache.
const chunk = 96

// columnRows is the number of rows that the kernels for many right sides take.
func columnRows(p isa, width int) int {
	if p == avx512 && width == 8 {
		return 12
	}
	return 6
}

func columnsFast32(width, rows, cols int, tile []float32, ld int, yi, yj, xi, xj []float64, both bool) bool {
	p := path()
	if p == pureGo {
		return false
	}
	var room [12*chunk + 8]float64
	wide := aligned(room[:])
	n := columnRows(p, width)
	for j := 0; j < cols; j += chunk {
		c := min(chunk, cols-j)
		for i := 0; i < rows; i += n {
			m := min(n, rows-i)
			whole := c &^ 15
			switch {
			case whole == 0:
			case p == avx512:
				widenRowsAVX512(m, whole, &wide[0], chunk, &tile[i*ld+j], ld)
			default:
				widenRowsAVX2(m, whole, &wide[0], chunk, &tile[i*ld+j], ld)
			}
			for r := range n {
				switch {
				case r >= m:
					clear(wide[r*chunk : r*chunk+c])
				case whole < c:
					Widen(wide[r*chunk+whole:r*chunk+c], tile[(i+r)*ld+j+whole:(i+r)*ld+j+c])
				}
			}
			columnBlock(p, width, m, c, wide, chunk, yi[i*width:], from(yj, j*width), from(xi, i*width), xj[j*width:], both)
		}
	}
	return true
}

func columnsFast64(width, rows, cols int, tile []float64, ld int, yi, yj, xi, xj []float64, both bool) bool {
	p := path()
	if p == pureGo {
		return false
	}
	n := columnRows(p, width)
	whole := rows - rows%n
	for j := 0; j < cols; j += chunk {
		c := min(chunk, cols-j)
		for i := 0; i < whole; i += n {
			columnBlock(p, width, n, c, tile[i*ld+j:], ld, yi[i*width:], from(yj, j*width), from(xi, i*width), xj[j*width:], both)
		}
	}
	i := whole
	if i == rows {
		return true
	}
	var last [12 * chunk]float64
	for j := 0; j < cols; j += chunk {
		c := min(chunk, cols-j)
		for r := range rows - i {
			copy(last[r*chunk:r*chunk+c], tile[(i+r)*ld+j:])
		}
		for r := rows - i; r < n; r++ {
			clear(last[r*chunk : r*chunk+c])
		}
		columnBlock(p, width, rows-i, c, last[:], chunk, yi[i*width:], from(yj, j*width), from(xi, i*width), xj[j*width:], both)
	}
	return true
}

// from is s[i:], of nothing too.
func from[T any](s []T, i int) []T {
	if s == nil {
		return nil
	}
	return s[i:]
}

// columnBlock multiplies as many rows as the kernel takes, of which only the
// first m are there: the others must be 0 in the tile.
func columnBlock(p isa, width, m, cols int, tile []float64, ld int, yi, yj, xi, xj []float64, both bool) {
	n := columnRows(p, width)
	var y, x [6 * 16]float64
	if m < n {
		copy(y[:], yi[:m*width])
		if both {
			copy(x[:], xi[:m*width])
		}
		columnKernel(p, width, cols, tile, ld, y[:], yj, x[:], xj, both)
		copy(yi[:m*width], y[:])
		return
	}
	columnKernel(p, width, cols, tile, ld, yi, yj, xi, xj, both)
}

func columnKernel(p isa, width, cols int, tile []float64, ld int, yi, yj, xi, xj []float64, both bool) {
	switch {
	case p == avx512 && width == 16 && both:
		symMulti16F64AVX512(cols, &tile[0], ld, &yi[0], &yj[0], &xi[0], &xj[0], width)
	case p == avx512 && width == 16:
		mulMulti16F64AVX512(cols, &tile[0], ld, &yi[0], nil, nil, &xj[0], width)
	case p == avx512 && both:
		symMulti8F64AVX512(cols, &tile[0], ld, &yi[0], &yj[0], &xi[0], &xj[0], width)
	case p == avx512:
		mulMulti8F64AVX512(cols, &tile[0], ld, &yi[0], nil, nil, &xj[0], width)
	case both:
		for c := 0; c < width; c += 4 {
			symMulti4F64AVX2(cols, &tile[0], ld, &yi[c], &yj[c], &xi[c], &xj[c], width)
		}
	default:
		for c := 0; c < width; c += 4 {
			mulMulti4F64AVX2(cols, &tile[0], ld, &yi[c], nil, nil, &xj[c], width)
		}
	}
}

// singleFast handles up to singleTile rows and columns.
func singleFast(rows, cols int, tile []float32, ld int, yi, yj, xi, xj []float32, both bool) bool {
	p := path()
	if p == pureGo {
		return false
	}
	n := 12
	if p == avx2 {
		n = 6
	}
	i := 0
	for ; i+n <= rows; i += n {
		singleKernel(p, cols, tile[i*ld:], ld, yi[i*Single:], yj, from(xi, i*Single), xj, both)
	}
	if i == rows {
		return true
	}
	var last [12 * singleTile]float32
	var y, x [12 * Single]float32
	for r := range rows - i {
		copy(last[r*singleTile:r*singleTile+cols], tile[(i+r)*ld:])
	}
	copy(y[:], yi[i*Single:rows*Single])
	if both {
		copy(x[:], xi[i*Single:rows*Single])
	}
	singleKernel(p, cols, last[:], singleTile, y[:], yj, x[:], xj, both)
	copy(yi[i*Single:rows*Single], y[:])
	return true
}

func singleKernel(p isa, cols int, tile []float32, ld int, yi, yj, xi, xj []float32, both bool) {
	switch {
	case p == avx512 && both:
		symMulti16F32AVX512(cols, &tile[0], ld, &yi[0], &yj[0], &xi[0], &xj[0], Single)
	case p == avx512:
		mulMulti16F32AVX512(cols, &tile[0], ld, &yi[0], nil, nil, &xj[0], Single)
	case both:
		for c := 0; c < Single; c += 8 {
			symMulti8F32AVX2(cols, &tile[0], ld, &yi[c], &yj[c], &xi[c], &xj[c], Single)
		}
	default:
		for c := 0; c < Single; c += 8 {
			mulMulti8F32AVX2(cols, &tile[0], ld, &yi[c], nil, nil, &xj[c], Single)
		}
	}
}
