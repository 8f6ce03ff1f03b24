package vec

// Multiple is what a row of a table is beside its bytes: their multiple by Unit. Less is
// taken off all products of the row.
type Multiple struct{ Unit, Less float64 }

// TileMultiples computes products of two packed blocks of rows, without their factors,
//
//	dst[i·ldd + j] = left_i.Unit·right_j.Unit·⟨x_i, y_j⟩ − (left_i.Less + right_j.Less),
//
// x and y being rows of bytes: the sums are exact, what follows is float64, and the result is
// rounded once. With Less = ‖Unit·x‖²/2 it is −‖x − y‖²/2 of the multiples, of which nothing
// is lost where they are near one another. All paths give the same bits, for a pair in
// any blocks. Cost: as [TileBytes], and 1 ns for each pair; a single row of the left side
// goes through the right one as fast as that comes from memory. It panics as TileBytes does,
// and where there are not as many multiples as rows.
func TileMultiples[T Float](dst []T, ldd int, left, right *BytesBlock, rows, cols []Multiple) {
	m, n, k := readyBytes("TileMultiples", len(dst), ldd, left, right)
	if len(rows) != m || len(cols) != n {
		panic("vec: TileMultiples: numbers of rows and multiples differ")
	}
	var sums [mostTile]int32
	for j := 0; j < n; j += k.nr {
		strip := cols[j:min(j+k.nr, n)]
		for i := 0; i < m; i += k.mr {
			if left.depth > 0 {
				b := right.data[j*right.stride : (j+k.nr)*right.stride]
				sumsOfBytes(k.path, i+1 == m, left.stride/4, left.data[i*left.stride:], left.stride, b, sums[:], k.nr, left.add[i:])
			}
			for r := i; r < min(i+k.mr, m); r++ {
				multiply(dst[r*ldd+j:r*ldd+j+len(strip)], sums[(r-i)*k.nr:], rows[r], strip)
			}
		}
	}
}

// multiply makes products of multiples of those of bytes. The conversions keep compilers from
// fusing.
func multiply[T Float](dst []T, sums []int32, row Multiple, cols []Multiple) {
	sums, cols = sums[:len(dst)], cols[:len(dst)]
	for j := range dst {
		product := float64(row.Unit * cols[j].Unit)
		dst[j] = T(float64(product*float64(sums[j])) - (row.Less + cols[j].Less))
	}
}
