package drawn

import (
	"math/rand/v2"

	"lapsvm/points"
)

// Rows makes n random rows of d values, about a third of them zero.
func Rows(random *rand.Rand, n, d int) [][]float64 {
	rows := make([][]float64, n)
	for i := range rows {
		rows[i] = make([]float64, d)
		for j := range rows[i] {
			if random.IntN(3) > 0 {
				rows[i][j] = random.NormFloat64()
			}
		}
	}
	return rows
}

// Dense is a table of rows of d values.
func Dense(rows [][]float64, d int) *points.Points {
	values := make([]float64, 0, len(rows)*d)
	for _, row := range rows {
		values = append(values, row...)
	}
	return points.Dense(len(rows), d, values)
}

// Sparse is a table of the values that are not zero, and of every seventh zero: a CSR table may hold zeros.
func Sparse(rows [][]float64, d int) *points.Points {
	start, index, value := []int{0}, []int32(nil), []float64(nil)
	zeros := 0
	for _, row := range rows {
		for j, v := range row {
			if v == 0 {
				zeros++
			}
			if v != 0 || zeros%7 == 0 {
				index, value = append(index, int32(j)), append(value, v)
			}
		}
		start = append(start, len(index))
	}
	return points.CSR(d, start, index, value)
}

// Both are a dense and a sparse table of the same rows.
func Both(rows [][]float64, d int) map[string]*points.Points {
	return map[string]*points.Points{"dense": Dense(rows, d), "sparse": Sparse(rows, d)}
}
