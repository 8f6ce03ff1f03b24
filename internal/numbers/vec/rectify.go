package vec

// Rectify sums what the numbers in each column of a rows×n matrix have beyond a threshold t, on
// either side:
//
//	above[j] = Σ_i max(z_ij − t, 0),   below[j] = Σ_i max(−z_ij − t, 0),
//
// z_ij being z[i·ld + j] and n the length of both results. It sums row by row, so all paths give the
// same bits. Cost: six operations for each number, which AVX2 does on 8 numbers at a time. It panics
// on short slices or strides, and when the results differ in length.
func Rectify(above, below []float32, rows int, z []float32, ld int, threshold float32) {
	n := len(above)
	if len(below) != n {
		panic("vec: Rectify: lengths differ")
	}
	check("Rectify", "z", rows, n, len(z), ld)
	if rows == 0 {
		clear(above)
		clear(below)
		return
	}
	first := rectifyFast(above, below, rows, z, ld, threshold)
	clear(above[first:])
	clear(below[first:])
	for i := range rows {
		for j := first; j < n; j++ {
			v := z[i*ld+j]
			above[j] += max(v-threshold, 0)
			below[j] += max(-v-threshold, 0)
		}
	}
}
