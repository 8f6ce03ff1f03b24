package vec

import "math"

// Cholesky factors a symmetric positive definite n×n matrix, A = UᵀU. It reads the upper half of a, whose rows have the stride lda, and
// overwrites it by U; the lower half stays. It is not ok where A is not positive definite, up to rounding, or not finite.
//
// The rows of a register tile are made at a time, by the rows above them:
//
//	U_i = U_ii⁻ᵀ (A_i − Σ_k<i U_kiᵀ U_k)
//
// The rows above are read where they lie. That is sooner than packing them where n is some hundreds, as the second-level
// cache holds them. Cost: n³/3 flops on one thread. It panics on a short slice or stride.
func Cholesky(n int, a []float64, lda int) (ok bool) {
	check("Cholesky", "a", n, n, len(a), lda)
	kern := kernels[float64]()
	mr, nr := kern.mr, kern.nr
	if lda < nr { // tiles would read beyond the end
		wide := make([]float64, n*nr)
		for i := range n {
			copy(wide[i*nr:], a[i*lda:i*lda+n])
		}
		ok = Cholesky(n, wide, nr)
		for i := range n {
			copy(a[i*lda+i:i*lda+n], wide[i*nr+i:])
		}
		return ok
	}
	x, tri, inv := make([]float64, mr*nr), make([]float64, mr*mr), make([]float64, mr) // the tile; U_iiᵀ as the kernel of triangles takes it
	for i := 0; i < n; i += mr {
		rows := min(mr, n-i)
		tile := kern.products.forRows(rows)
		for j := i; j < n; j += nr {
			cols := min(nr, n-j)
			for r := range rows {
				copy(x[r*nr:r*nr+cols], a[(i+r)*lda+j:])
			}
			if i > 0 { // columns beyond cols are of no use: another row follows those above, so that there is something to read
				tile.sum(i, a[i:], 1, lda, a[j:], lda, x, nr, -1, true)
			}
			if j == i && !cornered(rows, mr, nr, x, tri, inv) {
				return false
			}
			kern.solve(tri, inv, x)
			for r := range rows {
				from := min(max(i+r-j, 0), cols)
				copy(a[(i+r)*lda+j+from:(i+r)*lda+j+cols], x[r*nr+from:])
			}
		}
	}
	return true
}

// cornered factors the rows×rows block that x starts with. It writes Uᵀ to tri, continued by the identity, and the inverse of its diagonal to inv. It
// reports whether the block is positive definite.
func cornered(rows, mr, nr int, x, tri, inv []float64) bool {
	clear(tri)
	for k := range mr {
		column := tri[k*mr : (k+1)*mr]
		if k >= rows {
			column[k], inv[k] = 1, 1
			continue
		}
		for r := k; r < rows; r++ {
			v := x[k*nr+r]
			for p := range k {
				v -= tri[p*mr+k] * tri[p*mr+r]
			}
			column[r] = v
		}
		if !(column[k] > 0) || math.IsInf(column[k], 1) {
			return false
		}
		inv[k] = 1 / math.Sqrt(column[k])
		for r := k; r < rows; r++ {
			column[r] *= inv[k]
		}
	}
	return true
}
