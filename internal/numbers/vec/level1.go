package vec

// Dot returns Σ x[i]·y[i]. It panics when y is shorter than x.
func Dot(x, y []float64) float64 {
	y = exact(y, len(x))
	sum, n := dotFast(x, y)
	for i, v := range x[n:] {
		sum += v * y[n+i]
	}
	return sum
}

// SquaredDistance returns Σ (x[i] − y[i])². It is exactly symmetric. It panics
// when y is shorter than x.
func SquaredDistance(x, y []float64) float64 {
	y = exact(y, len(x))
	sum, n := squaredDistanceFast(x, y)
	for i, v := range x[n:] {
		d := v - y[n+i]
		sum += d * d
	}
	return sum
}

// Axpy computes y += a·x. It panics when y is shorter than x.
func Axpy(a float64, x, y []float64) {
	y = exact(y, len(x))
	n := axpyFast(a, x, y)
	y = y[n:]
	for i, v := range x[n:] {
		y[i] += a * v
	}
}

// Axpby computes y = a·x + b·y, so that Axpby(-1, g, beta, d) makes the next
// direction of a conjugate gradient iteration. It panics when y is shorter
// than x.
func Axpby(a float64, x []float64, b float64, y []float64) {
	y = exact(y, len(x))
	n := axpbyFast(a, x, b, y)
	y = y[n:]
	for i, v := range x[n:] {
		y[i] = a*v + b*y[i]
	}
}

// Ger computes the rank-one update
//
//	A += alpha·x·yᵀ
//
// of the m×n matrix A, with x(i) = x[i·incx], incx ≥ 1. It panics on short
// slices or strides.
func Ger[T Float](m, n int, alpha T, x []T, incx int, y, a []T, lda int) {
	check("Ger", "a", m, n, len(a), lda)
	if m == 0 || n == 0 {
		return
	}
	if incx < 1 || len(x) < (m-1)*incx+1 {
		panic("vec: Ger: x is too short")
	}
	y = exact(y, n)
	switch v := any(a).(type) {
	case []float32:
		if gerFast32(m, n, float32(alpha), any(x).([]float32), incx, any(y).([]float32), v, lda) {
			return
		}
	case []float64:
		if gerFast64(m, n, float64(alpha), any(x).([]float64), incx, any(y).([]float64), v, lda) {
			return
		}
	}
	for i := range m {
		f := alpha * x[i*incx]
		row := a[i*lda : i*lda+n]
		for j, v := range y {
			row[j] += f * v
		}
	}
}
