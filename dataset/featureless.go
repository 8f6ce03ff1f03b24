package dataset

import "lapsvm/points"

// lackFeatures makes d n points without a feature.
func (d *Dataset) lackFeatures(n int) {
	start, index, value := make([]int, n+1), make([]int32, n), make([]float64, n)
	for i := range n {
		start[i+1], index[i], value[i] = i+1, int32(i), 1
	}
	d.Points, d.Featureless = points.CSR(n, start, index, value), true
}
